"""Artifacts are loaded when a gate asks for them, and a gate fails on what is not there."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autods.config import Rules
from autods.execution.context import file_hash, write_context
from autods.phases import PHASES, Phase, get_phase
from autods.profiling import ColumnProfile, Profile
from autods.records import (
    Blend,
    CandidateResult,
    Decision,
    Folds,
    Plan,
    Score,
    Step,
    Submission,
    Task,
    Training,
    to_json,
)
from autods.tools import Finding
from autods.unit_tests import conftest
from autods.unit_tests.artifacts import Artifacts
from autods.validation.folds import save_folds

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
SCORE = Score(0.8, float("nan"), (0.8,), "auroc", True)
FRAMES = (
    "raw_train",
    "raw_test",
    "before_train",
    "before_test",
    "after_train",
    "after_test",
    "keys",
    "test_keys",
    "target",
    "sample",
)


def everything(folder: Path) -> dict[str, Path]:
    """Write one artifact of every sort."""
    paths = {name: folder / f"{name}.parquet" for name in FRAMES}
    for name, path in paths.items():
        column = {"target": "y", "keys": "id", "test_keys": "id", "sample": "id"}.get(name, "x")
        pd.DataFrame({column: ["001", "NA"]}).to_parquet(path)
    for name in ("y", "oof", "test_predictions"):
        paths[name] = folder / f"{name}.npy"
        np.save(paths[name], np.array([[0.5], [np.nan]]))
    training = Training(
        (CandidateResult("a", "ok", folder="fits/a"), CandidateResult("b", "failed")),
        Blend({"a": 1.0, "b": 0.0}, Decision("none"), SCORE),
        SCORE,
        None,
        "hash",
    )
    (folder / "fits" / "a").mkdir(parents=True)
    for part in ("oof", "test"):
        np.save(folder / "fits" / "a" / f"{part}.npy", np.zeros((2, 1)))
    texts = {
        "training": to_json(training),
        "profile": to_json(Profile(2, 2, {"x": ColumnProfile("x", "categorical", "str")})),
        "findings": to_json((Finding("missing_share", "train", ("x",), 0.0, "0 %"),)),
        "overview": "column,type\nx,str\n",
        "submission": "id,y\n001,0.5\nNA,1e-3\n",
    }
    for name, text in texts.items():
        paths[name] = folder / f"{name}.txt"
        paths[name].write_text(text, encoding="utf-8")
    paths |= {"run": folder, "folds": folder / "folds.npz", "figures": folder / "figures"}
    save_folds(Folds("plain", ((np.array([0]), np.array([1])),), 1, 1, "", 2), paths["folds"])
    paths["figures"].mkdir()
    for name in ("b.png", "a.png", "overview.csv"):
        (paths["figures"] / name).touch()
    return paths


@pytest.fixture
def artifacts(tmp_path: Path) -> Artifacts:
    return load(tmp_path, everything(tmp_path))


def load(folder: Path, paths: dict[str, Path], plan: Plan | None = None) -> Artifacts:
    made = write_context(
        folder / "context",
        phase=get_phase("modeling"),
        task=TASK,
        plan=plan,
        rules=Rules(n_splits=3),
        paths=paths,
        scores={"constant": SCORE, "probe_before": None},
        hashes={"folds": "abc"},
    )
    return Artifacts(made)


def test_text_is_loaded_as_written(artifacts: Artifacts) -> None:
    assert artifacts.submission.to_dict("list") == {"id": ["001", "NA"], "y": ["0.5", "1e-3"]}
    assert artifacts.target["y"].tolist() == ["001", "NA"]
    assert artifacts.overview["column"].tolist() == ["x"]


def test_records_come_back(artifacts: Artifacts) -> None:
    assert artifacts.task == TASK
    assert artifacts.findings[0].columns == ("x",)
    assert artifacts.profile is not None
    assert artifacts.profile.columns["x"].semantic == "categorical"
    assert artifacts.training.results[0].name == "a"
    assert artifacts.folds.n_rows == 2
    assert artifacts.rules["n_splits"] == 3
    assert artifacts.hashes == {"folds": "abc"}


def test_a_score_without_a_standard_error_comes_back(artifacts: Artifacts) -> None:
    assert set(artifacts.scores) == {"constant"}
    assert np.isnan(artifacts.scores["constant"].standard_error)


def test_only_candidates_of_the_blend_are_loaded(artifacts: Artifacts) -> None:
    assert list(artifacts.fits) == ["a"]
    assert artifacts.fits["a"].learned is None


def test_predictions_of_learned_rows_are_loaded_where_they_were_kept(artifacts: Artifacts) -> None:
    np.save(artifacts.paths["run"] / "fits" / "a" / "learned.npy", np.zeros((1, 2)))
    assert artifacts.fits["a"].learned is not None


def test_figures_are_pictures_in_order(artifacts: Artifacts) -> None:
    assert [path.name for path in artifacts.figures] == ["a.png", "b.png"]


def test_an_exploration_saw_the_target_joined(artifacts: Artifacts) -> None:
    assert list(artifacts.seen.train) == ["x", "y"]
    assert list(artifacts.seen.test) == ["x"]


def test_frames_under_two_names_are_read_once(tmp_path: Path) -> None:
    paths = everything(tmp_path)
    same = load(tmp_path, paths | {"before_train": paths["raw_train"]})
    assert same.before.train is same.raw.train


def test_what_a_competition_may_lack_is_none_or_empty(tmp_path: Path) -> None:
    bare = load(tmp_path, {})
    assert bare.sample is None
    assert bare.profile is None
    assert bare.excluded.empty


@pytest.mark.parametrize(
    "name", ["after", "target", "y", "findings", "figures", "overview", "folds", "training", "submission"]
)
def test_what_every_phase_must_leave_is_missed(tmp_path: Path, name: str) -> None:
    with pytest.raises(pytest.fail.Exception, match="names no"):
        getattr(load(tmp_path, {}), name)


def test_a_phase_without_a_plan_fails_the_gates_that_compare_with_it(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="no plan"):
        _ = load(tmp_path, {}).plan
    assert load(tmp_path, {}, Plan("modeling", (Step("a", "b"),))).plan.steps[0].because == "b"


def test_unreadable_files_fail_with_their_name(tmp_path: Path) -> None:
    paths = everything(tmp_path)
    paths["after_train"].write_bytes(b"no parquet")
    np.save(paths["y"], np.array([{"a": 1}], dtype=object))
    broken = load(tmp_path, paths)
    with pytest.raises(pytest.fail.Exception, match=r"after_train\.parquet \(after_train\) cannot be read"):
        _ = broken.after
    with pytest.raises(pytest.fail.Exception, match=r"y\.npy cannot be read as a plain array"):
        _ = broken.y


@pytest.mark.parametrize("phase", PHASES, ids=[phase.slug for phase in PHASES])
def test_every_gate_of_a_phase_has_a_docstring_and_known_fixtures(phase: Phase) -> None:
    module = importlib.import_module(f"autods.unit_tests.test_{phase.slug}")
    gates = {name: gate for name, gate in vars(module).items() if name.startswith("test_")}
    assert len(gates) >= 8
    for name, gate in gates.items():
        assert inspect.getdoc(gate), name
        assert set(inspect.signature(gate).parameters) <= set(vars(conftest)), name


def test_every_artifact_has_its_fixture() -> None:
    loaded = {name for name, item in vars(Artifacts).items() if hasattr(item, "attrname")}
    assert loaded <= set(vars(conftest))


def test_a_file_that_changed_has_another_digest(artifacts: Artifacts) -> None:
    before = artifacts.digest("raw_train")
    assert before == file_hash(artifacts.paths["raw_train"])
    artifacts.paths["raw_train"].write_bytes(b"changed")
    assert artifacts.digest("raw_train") != before


def test_keys_without_columns_keep_their_rows(tmp_path: Path) -> None:
    paths = everything(tmp_path)
    pd.DataFrame(index=range(2)).to_parquet(paths["keys"], index=False)
    assert load(tmp_path, paths).keys.shape == (2, 0)
