"""Each gate of modeling fails on a minimal broken training or submission and lets legitimate odd ones pass."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from autods.competition.metrics import metric_of
from autods.competition.submission import build_submission
from autods.execution.context import file_hash
from autods.records import Blend, CandidateResult, Decision, Folds, Kind, Score, Submission, Task, Training
from autods.unit_tests import test_modeling as gates
from autods.unit_tests.artifacts import Fit, Pair
from autods.validation.decisions import tune_decision
from autods.validation.folds import save_folds
from autods.validation.scoring import constant_score, score_outputs

N = 60
TASK = Task(
    "t", "binary", ("y",), "accuracy", True, "labels", Submission(("id", "y"), "id", "labels"), ("no", "yes"), "id"
)
Y = np.arange(N) % 3 // 2
RAW = Pair(pd.DataFrame({"x": np.arange(N)}), pd.DataFrame({"x": np.arange(6)}))
TEST_KEYS = pd.DataFrame({"id": [f"0{i}" for i in range(6)]})
SAMPLE = pd.DataFrame({"id": [f"0{i}" for i in (3, 1, 0, 5, 4, 2)], "y": "no"})


def folds(n: int = N, k: int = 3, **changes: object) -> Folds:
    rows = np.arange(n)
    splits = tuple((rows[rows % k != i], rows[rows % k == i]) for i in range(k))
    return dataclasses.replace(Folds("stratified", splits, k, 1, "", n), **changes)  # type: ignore[arg-type]


FOLDS = folds(k=4)


def outputs(shares: np.ndarray) -> np.ndarray:
    return np.column_stack([1 - shares, shares])


GOOD = np.where(np.arange(N) % 10 == 0, 1 - Y, Y) * 0.8 + 0.1
FITS = {
    "trees": Fit(outputs(GOOD), outputs(np.array([0.1, 0.9, 0.2, 0.8, 0.3, 0.1]))),
    "linear": Fit(outputs(GOOD**2), outputs(np.array([0.2, 0.7, 0.4, 0.6, 0.1, 0.3]))),
}
WEIGHTS = {"trees": 0.75, "linear": 0.25, "unused": 0.0}
OOF = 0.75 * FITS["trees"].oof + 0.25 * FITS["linear"].oof
TEST = 0.75 * FITS["trees"].test + 0.25 * FITS["linear"].test


def training(**changes: object) -> Training:
    metric = metric_of(TASK)
    decision = Decision("threshold", (0.4,))
    scores = {
        name: score_outputs(metric, Y, fit.oof, FOLDS, tune_decision(metric, TASK, Y, fit.oof, FOLDS))
        for name, fit in FITS.items()
    }
    results = tuple(CandidateResult(name, "ok", score) for name, score in scores.items())
    return dataclasses.replace(
        Training(
            results,
            Blend(WEIGHTS, decision, score_outputs(metric, Y, OOF, FOLDS, decision)),
            constant_score(metric, Y, "binary", 2, FOLDS),
            None,
            FOLDS.reason,
            audit={"trees": 0.0, "linear": 1e-12},
        ),
        **changes,
    )


def blend(**changes: object) -> Training:
    made = training()
    assert made.blend is not None
    return dataclasses.replace(made, blend=dataclasses.replace(made.blend, **changes))  # type: ignore[arg-type]


def regression(kind: Kind = "regression", *targets: str) -> Task:
    names = targets or ("y",)
    return Task("t", kind, names, "rmse", False, "values", Submission(("id", *names), "id", "values"), (), "id")


SUBMISSION = build_submission(TASK, SAMPLE, TEST_KEYS, TEST, Decision("threshold", (0.4,)))


# --- folds -----------------------------------------------------------------------------------------------------------
@pytest.fixture
def stored(tmp_path: Path) -> SimpleNamespace:
    """The folds as the run stored them, in place of the artifacts."""
    path = tmp_path / "folds.npz"
    save_folds(FOLDS, path)
    return SimpleNamespace(path=lambda key: path)


def test_the_runs_own_folds_pass(stored: SimpleNamespace) -> None:
    gates.test_folds_are_the_runs_own(stored, FOLDS, training(), {"folds": file_hash(stored.path("folds"))})


@pytest.mark.parametrize(
    ("made", "noted", "said"),
    [
        (training(), {}, "noted no hash"),
        (training(), {"folds": "0" * 64}, "were changed after they were fixed"),
        (training(folds="others"), None, "were trained on other folds"),
    ],
)
def test_other_folds_are_refused(
    stored: SimpleNamespace, made: Training, noted: dict[str, str] | None, said: str
) -> None:
    noted = {"folds": file_hash(stored.path("folds"))} if noted is None else noted
    with pytest.raises(AssertionError, match=said):
        gates.test_folds_are_the_runs_own(stored, FOLDS, made, noted)


def split(*pairs: tuple[list[int], list[int]]) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    return tuple((np.array(train, dtype=int), np.array(valid, dtype=int)) for train, valid in pairs)


@pytest.mark.parametrize(
    ("splits", "said"),
    [
        (split(([0, 1, 2], [2, 3])), "trains on 1 rows that it holds out: 2"),
        (split(([], [0, 1])), "no row to train on"),
        (split(([0, 1], [])), "holds out no row"),
        (split(([0, 1], [9])), "outside 0 to 3"),
        (split(([0, 0], [1])), "more than once"),
    ],
)
def test_folds_that_are_no_folds_are_refused(splits: tuple[tuple[np.ndarray, np.ndarray], ...], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_folds_are_disjoint(folds(4, 2, splits=splits))


def test_folds_pass() -> None:
    gates.test_folds_are_disjoint(FOLDS)
    gates.test_every_row_is_held_out_where_due(FOLDS, Y)
    gates.test_duplicates_share_a_fold(FOLDS, RAW)


def test_a_row_that_is_never_held_out_is_missed() -> None:
    with pytest.raises(AssertionError, match="Repeat 0 does not hold out each row once: row 3"):
        gates.test_every_row_is_held_out_where_due(folds(4, 2, splits=split(([1, 3], [0, 2]), ([0, 2, 3], [1]))), Y[:4])


@pytest.mark.parametrize(
    ("changed", "said"), [({"n_rows": 3}, "of 3 rows, but 4"), ({"n_repeats": 2}, "2 folds, not 2 × 2")]
)
def test_folds_of_other_rows_are_refused(changed: dict[str, int], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_every_row_is_held_out_where_due(folds(4, 2, **changed), Y[:4])


def test_repeats_hold_out_every_row_each() -> None:
    twice = folds(4, 2, splits=folds(4, 2).splits * 2, n_repeats=2)
    gates.test_every_row_is_held_out_where_due(twice, Y[:4])


TIME = folds(4, 2, kind="time", splits=split(([2, 0], [3]), ([2, 0, 3], [1])))
DAYS = pd.DataFrame({"day": ["2020-01-02", "2020-01-05", "2020-01-01", "2020-01-03"]})
TIMED = dataclasses.replace(TASK, time_column="day")


def test_rows_in_order_of_time_pass_though_the_file_is_not() -> None:
    gates.test_every_row_is_held_out_where_due(TIME, Y[:4])
    gates.test_only_later_rows_are_held_out(TIME, TIMED, DAYS, RAW)


@pytest.mark.parametrize("days", [DAYS, pd.DataFrame(index=range(4)), DAYS.assign(day=["?", "?", "?", "?"])])
def test_learning_from_what_is_held_out_later_is_refused(days: pd.DataFrame) -> None:
    mixed = dataclasses.replace(TIME, splits=split(([2, 1], [3]), ([2, 0, 3], [1])))
    with pytest.raises(AssertionError, match="Fold 0 learns from rows that fold 1 holds out: 1"):
        gates.test_only_later_rows_are_held_out(mixed, TIMED, days, RAW)


def test_learning_from_a_later_moment_is_refused() -> None:
    late = dataclasses.replace(
        TIME,
        splits=split(
            ([2, 1], [3]),
        ),
    )
    with pytest.raises(AssertionError, match="learns from moments later than rows 3"):
        gates.test_only_later_rows_are_held_out(late, TIMED, DAYS, RAW)


def test_copies_in_another_fold_are_refused() -> None:
    copied = Pair(RAW.train.assign(x=[0, 0, *range(2, N)]), RAW.test)
    with pytest.raises(AssertionError, match="Fold 0 learns from exact copies of rows that it holds out: 0"):
        gates.test_duplicates_share_a_fold(FOLDS, copied)


@pytest.mark.parametrize(
    ("changed", "x"),
    [
        ({"kind": "time"}, np.zeros(N)),
        ({"groups": np.arange(N)}, np.zeros(N)),
        ({}, np.arange(N) % 4),
    ],
    ids=["time", "groups", "few combinations"],
)
def test_equal_rows_that_are_no_copies_pass(changed: dict[str, object], x: np.ndarray) -> None:
    with pytest.raises(pytest.skip.Exception):
        gates.test_duplicates_share_a_fold(
            dataclasses.replace(FOLDS, **changed), Pair(pd.DataFrame({"x": x}), RAW.test)
        )  # type: ignore[arg-type]


def test_split_groups_are_refused() -> None:
    gates.test_groups_stay_whole(dataclasses.replace(FOLDS, groups=np.arange(N) % 4))
    with pytest.raises(AssertionError, match="Fold 0 splits"):
        gates.test_groups_stay_whole(dataclasses.replace(FOLDS, groups=np.arange(N) % 3))


# --- predictions -----------------------------------------------------------------------------------------------------
def test_predictions_pass() -> None:
    gates.test_out_of_fold_predictions_are_where_due(OOF, FOLDS, TASK)
    gates.test_test_predictions_are_whole(TEST, TASK, RAW)
    gates.test_predictions_are_probabilities(OOF, TEST, TASK)


def with_value(array: np.ndarray, row: int, value: object) -> np.ndarray:
    copy = array.copy()
    copy[row] = value
    return copy


@pytest.mark.parametrize("value", [np.nan, np.inf, [0.5, np.nan]])
def test_a_held_out_row_without_prediction_is_missed(value: object) -> None:
    with pytest.raises(AssertionError, match=r"1 held-out rows have no finite prediction \(row 7\)"):
        gates.test_out_of_fold_predictions_are_where_due(with_value(OOF, 7, value), FOLDS, TASK)


def test_a_prediction_of_a_row_that_was_never_held_out_is_refused() -> None:
    whole = outputs(np.full(4, 0.5))
    gates.test_out_of_fold_predictions_are_where_due(with_value(with_value(whole, 2, np.nan), 0, np.nan), TIME, TASK)
    with pytest.raises(AssertionError, match="2 rows that are never held out have a prediction"):
        gates.test_out_of_fold_predictions_are_where_due(whole, TIME, TASK)


@pytest.mark.parametrize("wrong", [OOF[:, :1], OOF[1:], OOF[:, 0]])
def test_predictions_of_another_shape_are_refused(wrong: np.ndarray) -> None:
    with pytest.raises(AssertionError, match=r"not \(60, 2\)"):
        gates.test_out_of_fold_predictions_are_where_due(wrong, FOLDS, TASK)


@pytest.mark.parametrize(("wrong", "said"), [(TEST[1:], r"not \(6, 2\)"), (with_value(TEST, 2, np.nan), "row 2")])
def test_test_predictions_that_are_not_whole_are_refused(wrong: np.ndarray, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_test_predictions_are_whole(wrong, TASK, RAW)


@pytest.mark.parametrize(
    ("oof", "test", "said"),
    [
        (with_value(OOF, 3, [1.2, -0.2]), TEST, r"1 out-of-fold predictions are outside 0 to 1 \(row 3\)"),
        (OOF, with_value(TEST, 1, [0.5, 0.6]), r"1 test predictions do not sum to 1 \(row 1\)"),
    ],
)
def test_what_is_no_probability_is_refused(oof: np.ndarray, test: np.ndarray, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_predictions_are_probabilities(oof, test, TASK)


def test_labels_that_do_not_exclude_each_other_need_not_sum_to_one() -> None:
    several = dataclasses.replace(TASK, kind="multilabel", targets=("a", "b"), classes=())
    gates.test_predictions_are_probabilities(np.full((4, 2), 0.9), np.full((2, 2), 0.9), several)


# --- the blend and its score -----------------------------------------------------------------------------------------
def test_the_blend_passes() -> None:
    gates.test_blend_is_made_of_its_candidates(training(), FITS, OOF, TEST)
    gates.test_scores_are_recomputed(training(), FITS, Y, FOLDS, TASK)
    gates.test_reported_score_is_not_flattering(training(), OOF, Y, FOLDS, TASK)
    gates.test_blend_is_not_worse_than_a_constant(training())
    gates.test_score_beats_the_constant(training())
    gates.test_refit_reproduces_the_predictions(training(), FITS)
    gates.test_every_candidate_of_the_blend_was_refitted(training())


@pytest.mark.parametrize(
    ("made", "oof", "test", "said"),
    [
        (blend(weights={"trees": 0.7, "linear": 0.2}), OOF, TEST, "weights sum to 0.9, not 1"),
        (blend(weights={"trees": 1.5, "linear": -0.5}), OOF, TEST, "negative"),
        (blend(weights={"lost": 1.0}), OOF, TEST, "uses 'lost', which did not succeed"),
        (training(), OOF + 1e-3, TEST, "blended oof predictions are not the weighted mean"),
        (training(), OOF, TEST[::-1], "blended test predictions are not the weighted mean"),
        (training(blend=None), OOF, TEST, "No candidate succeeded"),
    ],
)
def test_a_blend_of_something_else_is_refused(made: Training, oof: np.ndarray, test: np.ndarray, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_blend_is_made_of_its_candidates(made, FITS, oof, test)


def test_a_score_that_is_not_what_the_predictions_give_is_refused() -> None:
    trees, linear = training().results
    assert trees.score is not None
    swapped = dataclasses.replace(trees.score, folds=trees.score.folds[::-1])
    for wrong in (
        dataclasses.replace(trees.score, value=0.99),
        swapped,
        dataclasses.replace(trees.score, folds=(0.9,)),
    ):
        made = training(results=(dataclasses.replace(trees, score=wrong), linear))
        with pytest.raises(AssertionError, match="The score of 'trees' is reported as"):
            gates.test_scores_are_recomputed(made, FITS, Y, FOLDS, TASK)
    with pytest.raises(AssertionError, match="'trees' is in the blend but has no score"):
        gates.test_scores_are_recomputed(
            training(results=(dataclasses.replace(trees, score=None), linear)), FITS, Y, FOLDS, TASK
        )


def test_a_reported_score_better_than_the_predictions_is_refused() -> None:
    flattering = blend(score=scored(0.99, 0.98, 1.0, 0.99))
    with pytest.raises(AssertionError, match=r"The reported score 0\.99\d* is better than the 0\.[3-8]"):
        gates.test_reported_score_is_not_flattering(flattering, OOF[::-1], Y, FOLDS, TASK)


def test_a_score_in_another_metric_is_refused() -> None:
    other = blend(score=dataclasses.replace(scored(0.1, 0.1, 0.1, 0.1), metric="rmse", greater_is_better=False))
    with pytest.raises(AssertionError, match=r"\('rmse', False, 4\), it must be \('accuracy', True, 4\)"):
        gates.test_reported_score_is_not_flattering(other, OOF, Y, FOLDS, TASK)


def test_a_reported_score_that_is_honestly_worse_passes() -> None:
    gates.test_reported_score_is_not_flattering(blend(score=scored(0.8, 0.85, 0.8, 0.85)), OOF, Y, FOLDS, TASK)


def scored(*values: float) -> Score:
    return Score(float(np.mean(values)), 0.01, values, "accuracy", True)


def test_worse_than_a_constant_in_every_fold_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"The blend scores 0.4, the best constant 0.6\d* \(accuracy\): worse by"):
        gates.test_blend_is_not_worse_than_a_constant(blend(score=scored(0.4, 0.41, 0.39, 0.4)))


def test_no_better_than_a_constant_is_only_odd() -> None:
    same = blend(score=training().constant)
    gates.test_blend_is_not_worse_than_a_constant(same)
    with pytest.raises(AssertionError, match="within its standard error"):
        gates.test_score_beats_the_constant(same)


@pytest.mark.parametrize(
    ("audit", "said"),
    [
        ({"trees": 0.0}, "'linear' were not refitted and nothing says why"),
        ({"trees": 0.2, "linear": 0.0}, "A refit of 'trees' differs by up to 0.2"),
        ({"trees": np.nan, "linear": 0.0}, "'trees' differs by up to nan"),
    ],
)
def test_a_refit_that_differs_is_refused(audit: dict[str, float], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_refit_reproduces_the_predictions(training(audit=audit), FITS)


def test_a_refit_that_the_budget_cut_off_is_only_odd() -> None:
    made = training(audit={"trees": 0.0}, not_done=("No time was left to fit a fold of linear again and compare.",))
    gates.test_refit_reproduces_the_predictions(made, FITS)
    with pytest.raises(AssertionError, match="'linear' were not refitted: No time was left"):
        gates.test_every_candidate_of_the_blend_was_refitted(made)


def test_large_values_may_differ_in_their_last_digits() -> None:
    large = {"trees": Fit(np.full((4, 1), 1e6), np.zeros((1, 1)))}
    gates.test_refit_reproduces_the_predictions(training(audit={"trees": 1e-5, "linear": 0.0}), large)


def test_what_is_learned_by_heart_is_odd() -> None:
    rows = np.arange(N)
    by_heart = Fit(outputs(np.full(N, 0.1) + 0.1 * Y), TEST, np.column_stack([rows, outputs(Y * 1.0)]))
    with pytest.raises(AssertionError, match=r"'trees' \(1 on rows it learned, 0\.6"):
        gates.test_train_and_validation_scores_are_close({"trees": by_heart}, Y, TASK, training())
    honest = Fit(OOF, TEST, np.column_stack([rows, OOF]))
    gates.test_train_and_validation_scores_are_close({"trees": honest, "linear": FITS["linear"]}, Y, TASK, training())


# --- the submission --------------------------------------------------------------------------------------------------
def test_the_submission_passes() -> None:
    gates.test_header_is_the_samples(SUBMISSION, SAMPLE, TASK)
    gates.test_ids_are_the_test_rows(SUBMISSION, SAMPLE, TEST_KEYS, TASK)
    gates.test_submission_is_valid(SUBMISSION, SAMPLE, TEST_KEYS, TASK)
    gates.test_submission_holds_the_predictions(SUBMISSION, SAMPLE, TEST_KEYS, TEST, training(), TASK)
    gates.test_predictions_are_not_all_alike(SUBMISSION, TASK)
    gates.test_predictions_look_like_the_labels(TEST, Y, TASK)


@pytest.mark.parametrize("columns", [["y", "id"], ["id", "z"], ["\ufeffid", "y"]])
def test_another_header_is_refused(columns: list[str]) -> None:
    wrong = SUBMISSION[columns] if columns == ["y", "id"] else SUBMISSION.set_axis(columns, axis=1)
    with pytest.raises(AssertionError, match="it must be 'id', 'y'"):
        gates.test_header_is_the_samples(wrong, SAMPLE, TASK)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (SUBMISSION.iloc[1:], "5 rows, it must have 6"),
        (SUBMISSION.iloc[::-1].reset_index(drop=True), "the same ids in another order: rows 0, 1"),
        (SUBMISSION.assign(id=[3, 1, 0, 5, 4, 2]).astype(str), "other ids: .*row 0 has '3' where '03' belongs"),
    ],
)
def test_other_ids_are_refused(wrong: pd.DataFrame, said: str) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception), match=said):
        gates.test_ids_are_the_test_rows(wrong, SAMPLE, TEST_KEYS, TASK)


def test_without_a_sample_the_order_is_that_of_test() -> None:
    made = build_submission(TASK, None, TEST_KEYS, TEST, Decision("argmax"))
    gates.test_ids_are_the_test_rows(made, None, TEST_KEYS, TASK)
    with pytest.raises(pytest.fail.Exception, match="another order"):
        gates.test_ids_are_the_test_rows(SUBMISSION, None, TEST_KEYS, TASK)


@pytest.mark.parametrize("label", ["Yes", "1", "", "yes "])
def test_labels_that_train_does_not_spell_are_refused(label: str) -> None:
    with pytest.raises(AssertionError, match="not valid"):
        gates.test_submission_is_valid(SUBMISSION.assign(y=[label, *SUBMISSION["y"][1:]]), SAMPLE, TEST_KEYS, TASK)


def test_numbers_that_are_none_are_refused() -> None:
    task = regression()
    made = pd.DataFrame({"id": TEST_KEYS["id"], "y": ["1.0", "nan", "2", "3", "4", "5"]})
    with pytest.raises(AssertionError, match="not a finite number"):
        gates.test_submission_is_valid(made, None, TEST_KEYS, task)


def test_hard_labels_where_probabilities_are_asked_are_valid_but_not_the_predictions() -> None:
    task = dataclasses.replace(
        TASK, metric="auroc", needs="probabilities", submission=Submission(("id", "y"), "id", "probability")
    )
    hard = pd.DataFrame({"id": TEST_KEYS["id"], "y": ["0", "1", "0", "1", "0", "0"]})
    gates.test_submission_is_valid(hard, None, TEST_KEYS, task)
    with pytest.raises(AssertionError, match="cells of 'y' are not the predictions of their test rows"):
        gates.test_submission_holds_the_predictions(hard, None, TEST_KEYS, TEST, training(), task)


def test_rows_of_others_are_refused() -> None:
    mixed = SUBMISSION.assign(y=SUBMISSION["y"].to_numpy()[::-1])
    with pytest.raises(AssertionError, match="are not the predictions of their test rows"):
        gates.test_submission_holds_the_predictions(mixed, SAMPLE, TEST_KEYS, TEST, training(), TASK)


def test_all_alike_is_odd() -> None:
    with pytest.raises(AssertionError, match="All rows of 'y' hold the same value: 'no'"):
        gates.test_predictions_are_not_all_alike(SUBMISSION.assign(y="no"), TASK)
    gates.test_predictions_are_not_all_alike(SUBMISSION.iloc[:1], TASK)


def test_other_shares_than_trains_are_odd() -> None:
    with pytest.raises(AssertionError, match=r"yes 90% \(train 33%\)"):
        gates.test_predictions_look_like_the_labels(outputs(np.full(200, 0.9)), Y, TASK)


def test_another_mean_than_trains_is_odd() -> None:
    y = np.linspace(0, 10, N)
    gates.test_predictions_look_like_the_labels(np.full((6, 1), 6.0), y, regression())
    with pytest.raises(AssertionError, match="'y': 20 on average, 5 in train"):
        gates.test_predictions_look_like_the_labels(np.full((6, 1), 20.0), y, regression())


def test_runaway_numbers_are_odd() -> None:
    y = np.linspace(0, 10, N)
    gates.test_numbers_stay_within_reason(np.full((6, 1), 14.9), y, regression())
    with pytest.raises(AssertionError, match=r"1 predictions are far outside train's 0 to 10 \(row 2, up to 99\)"):
        gates.test_numbers_stay_within_reason(with_value(np.full((6, 1), 5.0), 2, 99), y, regression())
