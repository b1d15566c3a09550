"""Each gate of cleaning fails on a minimal broken artifact, says what to do, and lets legitimate odd data pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from autods.profiling import ColumnProfile, Profile
from autods.records import Intent, Plan, Step, Submission, Task
from autods.unit_tests import test_cleaning as gates
from autods.unit_tests.artifacts import Pair

TASK = Task(
    "t",
    "binary",
    ("y",),
    "auroc",
    True,
    "probabilities",
    Submission(("id", "y"), "id", "probability"),
    ("n", "y"),
    "id",
)
NOBODY = pd.DataFrame({"row": np.array([], dtype=np.int64), "reason": np.array([], dtype=str)})


def plan(*steps: Step, **intent: object) -> Plan:
    return Plan("cleaning", steps, Intent(**intent))  # type: ignore[arg-type]


def frames(n: int = 40) -> Pair:
    generator = np.random.default_rng(0)

    def frame() -> pd.DataFrame:
        towns = generator.choice(["Ulm", "Bonn", "Köln"], n)
        return pd.DataFrame(
            {"age": generator.integers(20, 60, n).astype(float), "size": generator.normal(size=n), "town": towns}
        )

    return Pair(frame(), frame())


def changed(pair: Pair, change: Callable[[pd.DataFrame], pd.DataFrame], side: str = "both") -> Pair:
    return Pair(
        change(pair.train) if side in ("both", "train") else pair.train,
        change(pair.test) if side in ("both", "test") else pair.test,
    )


# --- what the plan declares ------------------------------------------------------------------------------------------
def test_undeclared_missing_values_are_refused() -> None:
    left = changed(frames(), lambda f: f.assign(age=f["age"].where(f.index != 3)), "test")
    with pytest.raises(
        AssertionError, match=r"'age' of test is missing in 1 of 40 rows \(row 3\); fill it, or declare"
    ):
        gates.test_missing_values_are_declared(left, plan())
    gates.test_missing_values_are_declared(left, plan(keep_missing=("age",)))


def test_undeclared_drops_are_refused() -> None:
    left = changed(frames(), lambda f: f.drop(columns="age"))
    with pytest.raises(AssertionError, match="'age' are gone but not in the plan"):
        gates.test_dropped_columns_are_declared(frames(), left, plan())
    gates.test_dropped_columns_are_declared(frames(), left, plan(drop=("age",)))


def test_declared_drops_that_stayed_are_refused() -> None:
    with pytest.raises(AssertionError, match="The plan drops 'age'"):
        gates.test_declared_drops_are_gone(frames(), plan(drop=("age",)))
    gates.test_declared_drops_are_gone(frames(), plan(drop=("gone",)))


def test_undeclared_additions_are_odd() -> None:
    left = changed(frames(), lambda f: f.assign(deck="A"))
    with pytest.raises(AssertionError, match="'deck' are new"):
        gates.test_added_columns_are_declared(frames(), left, plan())
    gates.test_added_columns_are_declared(frames(), left, plan(add=("deck",)))


def test_an_added_column_that_repeats_another_is_refused() -> None:
    left = changed(frames(), lambda f: f.assign(again=f["age"]))
    with pytest.raises(AssertionError, match="age = again"):
        gates.test_no_added_column_repeats_another(frames(), left)


def test_columns_that_repeated_each_other_before_are_only_odd() -> None:
    given = changed(frames(), lambda f: f.assign(again=f["age"]))
    gates.test_no_added_column_repeats_another(given, given)
    with pytest.raises(AssertionError, match="age = again"):
        gates.test_no_column_repeats_another(given, given)


def test_columns_that_agree_in_train_only_do_not_repeat_each_other() -> None:
    left = Pair(frames().train.assign(again=frames().train["age"]), frames().test.assign(again=0.0))
    gates.test_no_added_column_repeats_another(frames(), left)


# --- excluded rows ---------------------------------------------------------------------------------------------------
def test_undeclared_exclusions_are_refused() -> None:
    rows = pd.DataFrame({"row": [1], "reason": ["typed twice"]})
    with pytest.raises(AssertionError, match="1 rows are excluded from fitting, but the plan excludes none"):
        gates.test_excluded_rows_are_declared(rows, plan())
    gates.test_excluded_rows_are_declared(rows, plan(exclude_rows=True))
    gates.test_excluded_rows_are_declared(rows.iloc[:0], plan())


# --- outliers --------------------------------------------------------------------------------------------------------
CLIP = Step("clip fares", "2 lie far out", ("fare",), "detect_and_handle_outliers_iqr", {"factor": 1.5})
FARES = Pair(
    pd.DataFrame({"fare": [*np.linspace(5, 15, 30), 500.0]}),
    pd.DataFrame({"fare": [*np.linspace(4, 16, 30), 900.0]}),
)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (FARES, "its outliers are still there"),
        (
            Pair(FARES.train.clip(upper=24), FARES.test),
            r"passes the limits that train was clipped to, 5 to 24 \(row 30\)",
        ),
        (Pair(FARES.train * 2, FARES.test * 2), "beyond the 5 to 500 that it had"),
        (Pair(FARES.train.clip(7, 7), FARES.test.clip(7, 7)), "left 'fare' with one value"),
        (Pair(FARES.train[[]], FARES.test[[]]), "it is gone"),
        (Pair(FARES.train.astype(str), FARES.test.astype(str)), "not a number"),
    ],
)
def test_clipping_that_did_not_happen_as_planned_is_refused(after: Pair, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_outliers_are_treated_as_planned(FARES, after, plan(CLIP, clip=("fare",)))


def test_clipping_with_limits_learned_from_train_passes() -> None:
    left = changed(FARES, lambda f: f.clip(upper=24))
    gates.test_outliers_are_treated_as_planned(FARES, left, plan(CLIP, clip=("fare",)))


def test_nothing_to_clip_passes() -> None:
    calm = changed(FARES, lambda f: f.iloc[:-1])
    gates.test_outliers_are_treated_as_planned(calm, calm, plan(CLIP, clip=("fare",)))


def test_a_clipped_column_that_the_plan_then_drops_passes() -> None:
    gone = changed(FARES, lambda f: f[[]])
    gates.test_outliers_are_treated_as_planned(FARES, gone, plan(CLIP, clip=("fare",), drop=("fare",)))


# --- categories ------------------------------------------------------------------------------------------------------
def towns(train: list[str], test: list[str]) -> Pair:
    return Pair(pd.DataFrame({"town": train}), pd.DataFrame({"town": test}))


@pytest.mark.parametrize("other", ["ulm", " Ulm", "ULM", "Ulm "])
def test_a_level_spelled_twice_is_refused(other: str) -> None:
    with pytest.raises(AssertionError, match="'town' spells levels in more than one way: 'Ulm'"):
        gates.test_category_spellings_agree(towns(["Ulm", "Bonn"], [other, "Bonn"]), plan())


@pytest.mark.parametrize(
    ("train", "test"),
    [
        (["a", "A", "bC", "BC"], ["a", "A", "bC", "Bc"]),
        (["Ulm", "Ulmen"], ["Bonn", "Köln"]),
        (["Ulm", "Bonn"], ["Köln", "köln"]),
    ],
    ids=["codes whose case means something", "different words", "spellings that train does not know"],
)
def test_odd_but_right_levels_pass(train: list[str], test: list[str]) -> None:
    gates.test_category_spellings_agree(towns(train, test), plan())


def test_text_kept_as_text_has_no_levels() -> None:
    gates.test_category_spellings_agree(towns(["Ulm", "ulm"], ["Ulm", "ulm"]), plan(keep_text=("town",)))


def test_placeholders_for_missing_values_are_refused() -> None:
    facts = ColumnProfile("town", "categorical", "str", missing_tokens={"?": 3})
    profile = Profile(2, 2, {"town": facts})
    with pytest.raises(AssertionError, match="'town' still holds '\\?'"):
        gates.test_placeholders_are_gone(towns(["Ulm", "?"], ["Ulm", "Ulm"]), plan(), profile)
    gates.test_placeholders_are_gone(towns(["Ulm", "?"], ["Ulm", "?"]), plan(keep_missing=("town",)), profile)
    gates.test_placeholders_are_gone(towns(["Ulm", "Bonn"], ["Ulm", "Bonn"]), plan(), profile)
