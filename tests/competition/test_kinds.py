from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from autods.competition.kinds import default_metric, infer_kind
from autods.competition.metrics import get_metric
from autods.competition.target_values import TargetValues, read_target

COUNTS = [str(i % 4) for i in range(60)]
AMOUNTS = [f"{i}.5" for i in range(60)]
WORDS = ["red", "green", "blue"] * 20
FLAGS = ["0", "1"] * 30


def target(cells: list[str], name: str = "y") -> TargetValues:
    return read_target(pd.Series(cells, dtype="str", name=name))


@pytest.mark.parametrize(
    ("cells", "metric", "kind"),
    [
        (COUNTS, "mae", "regression"),
        (COUNTS, "accuracy", "multiclass"),
        (COUNTS, "qwk", "ordinal"),
        (WORDS, "qwk", "multiclass"),
        (FLAGS, "auroc", "binary"),
        (FLAGS, "rmse", "regression"),
        (FLAGS, "gini", "binary"),
        (AMOUNTS, "gini", "regression"),
        (WORDS, "log_loss", "multiclass"),
        (["ok"] * 9, "accuracy", "multiclass"),
        (["0"] * 9, "auroc", "binary"),
        (["True"] * 9, "accuracy", "binary"),
    ],
)
def test_the_metric_decides_first(cells: list[str], metric: str, kind: str) -> None:
    assert infer_kind([target(cells)], get_metric(metric)).kind == kind


@pytest.mark.parametrize(
    ("cells", "options", "kind"),
    [
        (FLAGS, {}, "binary"),
        (WORDS, {}, "multiclass"),
        (["no", "yes"] * 9, {}, "binary"),
        (AMOUNTS, {}, "regression"),
        ([str(i) for i in range(60)], {}, "regression"),
        (COUNTS, {}, "multiclass"),
        (COUNTS, {"sample_values": ["1.5"]}, "regression"),
        (COUNTS, {"class_columns": 4}, "multiclass"),
        (COUNTS, {"overview": "Predict the number of rooms."}, "regression"),
        (["1", "2", "3", "4"], {}, "regression"),
    ],
)
def test_without_a_metric_values_and_sample_decide(cells: list[str], options: dict[str, Any], kind: str) -> None:
    assert infer_kind([target(cells)], None, **options).kind == kind


@pytest.mark.parametrize(
    ("columns", "metric", "kind"),
    [
        ([FLAGS, FLAGS], None, "multilabel"),
        ([FLAGS, FLAGS], "mcrmse", "multi_regression"),
        ([FLAGS, FLAGS], "log_loss", "multilabel"),
        ([FLAGS, AMOUNTS], "log_loss", "multi_regression"),
        ([FLAGS, AMOUNTS], None, "multi_regression"),
        ([["no", "yes"] * 9] * 2, "mean_column_auroc", "multilabel"),
    ],
)
def test_several_targets(columns: list[list[str]], metric: str | None, kind: str) -> None:
    found = infer_kind(
        [target(cells, str(i)) for i, cells in enumerate(columns)], get_metric(metric) if metric else None
    )
    assert found.kind == kind


@pytest.mark.parametrize(("cells", "metric"), [(WORDS, "rmse"), (AMOUNTS, "accuracy"), (AMOUNTS, "auroc")])
def test_a_metric_that_cannot_score_the_target_is_not_used_and_said(cells: list[str], metric: str) -> None:
    found = infer_kind([target(cells)], get_metric(metric))
    assert not found.metric_fits
    assert "cannot score a target like y" in found.notes[0].text


@pytest.mark.parametrize(
    ("kind", "class_columns", "probability", "metric"),
    [
        ("binary", False, False, "accuracy"),
        ("binary", False, True, "auroc"),
        ("binary", True, False, "log_loss"),
        ("multiclass", True, False, "log_loss"),
        ("multiclass", False, False, "accuracy"),
        ("ordinal", False, False, "qwk"),
        ("multilabel", False, False, "mean_column_auroc"),
        ("regression", False, False, "rmse"),
        ("multi_regression", False, False, "mcrmse"),
    ],
)
def test_the_usual_metric(kind: Any, class_columns: bool, probability: bool, metric: str) -> None:
    assert default_metric(kind, class_columns=class_columns, probability=probability) == metric


def test_a_target_of_numbers_counts_its_strays_as_missing() -> None:
    read = target([*map(str, range(99)), "bad", "inf"])
    assert read.numbers is not None
    assert int(read.present.sum()) == 99
    assert "('bad')" in read.notes[0].text
    assert "infinite" in read.notes[1].text


@pytest.mark.parametrize(
    ("cells", "shown", "present"),
    [
        (["0", "1", "NA"], [], [True, True, False]),
        (["0", "1", "unknown"], [], [True, True, False]),
        (["NA", "EU", ""], [], [True, True, False]),
        (["None", "mild", "?"], [], [True, True, False]),
        (["None", "mild", "?"], ["?"], [True, True, True]),
        (["nan", "mild", " "], [], [False, True, False]),
    ],
)
def test_words_for_missing_may_be_labels(cells: list[str], shown: list[str], present: list[bool]) -> None:
    assert read_target(pd.Series(cells, dtype="str", name="y"), sample_labels=shown).present.tolist() == present
