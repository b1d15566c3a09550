"""The faulty inputs and the competitions that are handed to every session: read right, kind by kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autods.competition import read_competition

SHARED = Path(__file__).parents[3] / "shared"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared inputs are not beside this checkout")

CASES = sorted(
    path.parent
    for path in (SHARED / "inputs").glob("*/case.json")
    if any((path.parent / name).exists() for name in ("train.csv", "train.csv.zip"))
)


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_columns_ids_and_labels_of_the_submission_are_those_expected(folder: Path) -> None:
    checks: dict[str, Any] = json.loads((folder / "case.json").read_text(encoding="utf-8"))["checks"]
    competition = read_competition(folder)
    task = competition.task
    if "columns" in checks:
        assert list(task.submission.columns) == checks["columns"]
    if "ids" in checks:
        assert task.id_column is not None
        assert competition.sample is not None
        assert sorted(competition.sample[task.submission.id_column]) == sorted(checks["ids"])
        assert set(competition.test_keys[task.id_column]) == set(checks["ids"])
    values = checks.get("values", {}).get("type")
    if values == "label":
        assert set(task.classes) == set(checks["values"]["allowed"])
        assert task.submission.form == "labels"
    elif values == "prob":
        assert task.submission.form == "probability"
    elif values == "real":
        assert task.submission.form == "values"
    if "all_nan" in folder.name:  # id-like columns are cleaning's to drop
        assert not set(checks["features_exclude"]) & set(competition.train.columns)
    for name in checks.get("numeric_columns", ()):
        assert competition.train[name].dtype == competition.test[name].dtype == "float64"
    assert (competition.train.dtypes == competition.test.dtypes).all()


@pytest.mark.parametrize(
    ("name", "kind", "targets", "metric", "form"),
    [
        ("titanic", "binary", ("Survived",), "accuracy", "labels"),
        ("house_prices", "regression", ("SalePrice",), "rmse_log", "values"),
        ("obesity_risks", "multiclass", ("NObeyesdad",), "accuracy", "labels"),
        ("german_credit", "binary", ("default",), "auroc", "probability"),
        ("glass_types", "multiclass", ("glass",), "log_loss", "class_probabilities"),
        ("insurance_charges", "regression", ("charges",), "rmsle", "values"),
        ("sms_spam", "binary", ("type",), "accuracy", "labels"),
        ("car_mileage", "multi_regression", ("city_mpg", "highway_mpg"), "mcrmse", "values"),
    ],
)
def test_the_competitions_are_inferred(name: str, kind: str, targets: tuple[str, ...], metric: str, form: str) -> None:
    folder = SHARED / "competitions" / name
    if not folder.is_dir():
        pytest.skip(f"{name} is not there")
    task = read_competition(folder).task
    assert (task.kind, task.targets, task.metric, task.submission.form) == (kind, targets, metric, form)
    assert all(task.facts[fact].confidence >= 0.9 for fact in ("id", "targets", "kind", "metric"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("F01_cp1252", "cp1252"),
        ("F11_ragged_line", "line 21"),
        ("F13_question_mark_missing", "'?' means missing in x1"),
        ("I04_ids_not_unique", "share an id"),
        ("S01_columns_differ", "casual, registered"),
        ("S03_header_spaces_case", "blanks or case"),
        ("T01_target_missing", "3 rows"),
        ("V01_all_nan_column", "sensor"),
        ("V02_infinite_feature", "infinite values of x2"),
    ],
)
def test_what_was_repaired_is_told(name: str, words: str) -> None:
    competition = read_competition(SHARED / "inputs" / name)
    assert any(words in note.text for note in competition.notes)
