"""The five jobs: what generated code gives is checked, and what is wrong with it is said."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autods.execution import jobs
from autods.execution.limits import Limits
from autods.execution.sandbox import Sandbox
from autods.records import Folds
from autods.tools.records import Finding, TaskFacts
from autods.validation.storage import read_frame, write_frame

N = 60
TASK = TaskFacts("binary", ("y",), "accuracy", True, "labels", ("no", "yes"), n_train=N, n_test=N, random_state=3)
LIMITS = Limits(timeout_s=60)
ROWS = np.arange(N)
FOLDS = Folds("plain", tuple((ROWS[k != ROWS % 3], ROWS[k == ROWS % 3]) for k in range(3)), 3, 1, "", N)
X = pd.DataFrame(
    {
        "x": np.linspace(-1, 1, N),
        "town": ["Ulm", "Bonn", None] * (N // 3),
        "floor": pd.Categorical(ROWS % 4, categories=[3, 2, 1, 0, 9]),
        "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(ROWS, unit="D"),
    }
)
Y = (X["x"] > 0.1).astype("int64").to_numpy()
MODEL = """
from autods.tools.records import Candidate

def candidates(task):
    from optuna.distributions import FloatDistribution
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    pipeline = make_pipeline(make_column_transformer(("passthrough", ["x"])), LogisticRegression())
    return {"linear": Candidate(pipeline, {"logisticregression__C": FloatDistribution(0.1, 10, log=True)})}
"""


class Bench:
    """An attempt's folder with frames, and the sandbox."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.sandbox, self.folder = sandbox, folder / "attempt"
        self.frames = jobs.Frames(folder / "train.parquet", folder / "test.parquet")
        write_frame(X, self.frames.train)
        write_frame(X.drop(columns="x").assign(x=0.5)[list(X)], self.frames.test)
        self.code = folder / "code.py"

    def given(self, code: str) -> dict[str, Any]:
        self.code.write_text(textwrap.dedent(code), encoding="utf-8")
        return {"sandbox": self.sandbox, "code": self.code, "folder": self.folder, "task": TASK, "limits": LIMITS}

    def explore(self, code: str, **options: Any) -> jobs.Explored:
        return jobs.explore(**self.given(code), **{"frames": self.frames, **options})

    def clean(self, code: str, **options: Any) -> jobs.Transformed:
        return jobs.transform(**self.given(code), entry_point="clean", **{"frames": self.frames, **options})

    def offer(self, code: str) -> jobs.Offered:
        return jobs.list_candidates(**self.given(code))

    def fit(self, code: str = MODEL, name: str = "linear", **options: Any) -> jobs.Fitted:
        return jobs.fit(**self.given(code), candidate=name, frames=self.frames, y=Y, folds=FOLDS, **options)


@pytest.fixture
def bench(sandbox: Sandbox, tmp_path: Path) -> Bench:
    return Bench(sandbox, tmp_path)


# --- explore ---------------------------------------------------------------------------------------------------------
EXPLORE = """
from matplotlib.figure import Figure
from autods.tools.records import Finding

def explore(train, out):
    figure = Figure()
    figure.subplots().plot(train["x"])
    figure.savefig(out / "x.png")
    return [Finding("mean", "train", ("x",), float(train["x"].max()), "x ends at 1")]
"""


def test_findings_and_figures_come_back(bench: Bench) -> None:
    explored = bench.explore(EXPLORE)
    assert explored.execution.ok, explored.execution.message
    assert explored.findings == (Finding("mean", "train", ("x",), 1.0, "x ends at 1"),)
    assert [path.relative_to(bench.folder).as_posix() for path in explored.figures] == ["out/figures/x.png"]
    assert json.loads((bench.folder / "out" / "findings.json").read_text())[0]["statistic"] == "mean"
    assert not (bench.folder / "sandbox").exists()


def test_a_planted_link_is_no_figure(bench: Bench) -> None:
    explored = bench.explore("def explore(out):\n    (out / 'a.png').symlink_to('/etc/passwd')\n    return []")
    assert (explored.execution.status, explored.figures) == ("ok", ())


def test_files_that_a_planted_folder_leads_to_stay_where_they_are(bench: Bench, tmp_path: Path) -> None:
    album = tmp_path / "album"
    album.mkdir()
    (album / "holiday.png").touch()
    explored = bench.explore(f"def explore(out):\n    out.rmdir()\n    out.symlink_to({str(album)!r})\n    return []")
    assert (explored.execution.status, explored.figures) == ("ok", ())
    assert (album / "holiday.png").exists()


@pytest.mark.parametrize(
    "body, words",
    [
        ("return None", "explore() returned NoneType; it must return a list of Finding"),
        ("return ['a']", "explore() returned str as item 0"),
        ("return [Finding('mean', 'train', ('x',), float('nan'), '')]", "must be a finite number"),
    ],
)
def test_findings_of_another_form_are_refused(bench: Bench, body: str, words: str) -> None:
    explored = bench.explore(f"from autods.tools.records import Finding\ndef explore(train):\n    {body}")
    assert explored.execution.status == "error"
    assert words in explored.execution.message


# --- transform -------------------------------------------------------------------------------------------------------
def test_frames_keep_every_type_and_marked_rows_are_taken_off(bench: Bench) -> None:
    done = bench.clean("def clean(train, test):\n    return train.assign(exclude_from_fit=train['x'] > 0.9), test")
    assert done.execution.ok, done.execution.message
    assert done.train is not None
    assert done.exclude is not None
    pd.testing.assert_frame_equal(read_frame(done.train), X)
    assert read_frame(done.exclude)["row"].tolist() == ROWS[X["x"] > 0.9].tolist()


def test_code_takes_what_it_wants_by_name(bench: Bench, tmp_path: Path) -> None:
    write_frame(pd.DataFrame({"rent": [7]}), tmp_path / "rents.parquet")
    frames = jobs.Frames(bench.frames.train, bench.frames.test, {"odd = name": tmp_path / "rents.parquet"})
    code = """
        def clean(task, test, train, tables):
            assert task.kind == "binary" and task.classes == ("no", "yes")
            rent = tables["odd = name"]["rent"][0]
            return train.assign(rent=rent), test.assign(rent=rent)
    """
    done = bench.clean(code, frames=frames)
    assert done.test is not None, done.execution.message
    assert read_frame(done.test)["rent"].eq(7).all()


def test_the_same_seed_gives_the_same_frames(bench: Bench) -> None:
    code = """
        import random
        import numpy as np

        def clean(train, test):
            return train.assign(noise=np.random.rand(len(train)), other=random.random(), h=hash("a")), test
    """
    first, second = (read_frame(bench.clean(code).train or Path()) for _ in range(2))
    pd.testing.assert_frame_equal(first, second)


@pytest.mark.parametrize(
    "code, words",
    [
        ("def clean(train, test): return train", "must return (train, test)"),
        ("def clean(train, test): return train.iloc[:5], test", "5 rows of the 60 of train"),
        ("def clean(train, test): return train.iloc[::-1], test", "in another order"),
        ("def clean(train, label): return train, test", "asks for ['label']"),
        ("def cleen(train, test): return train, test", "defines no function clean(); did you mean 'cleen'?"),
        (
            "def clean(train, test): return train.assign(z=1j), test",
            "The column 'z' of type complex128 cannot be stored",
        ),
        ("def clean(train, test):\n    return train['nope'], test", "line 2 of code.py: return train['nope'], test"),
        ("def clean(train, test)\n    return train", "SyntaxError"),
    ],
)
def test_what_is_wrong_with_the_code_is_said(bench: Bench, code: str, words: str) -> None:
    done = bench.clean(code)
    assert (done.execution.status, done.train) == ("error", None)
    assert words in done.execution.message


def test_results_of_an_earlier_try_do_not_stand_in(bench: Bench) -> None:
    assert bench.clean("def clean(train, test): return train.assign(exclude_from_fit=True), test").exclude is not None
    done = bench.clean("def clean(train, test): return train, test")
    assert done.exclude is None
    assert not (bench.folder / "out" / "exclude.parquet").exists()


@pytest.mark.parametrize("leave", ["import sys; sys.exit(0)", "import os; os._exit(0)"])
def test_leaving_early_is_no_success(bench: Bench, leave: str) -> None:
    done = bench.clean(f"def clean(train, test):\n    {leave}")
    assert done.execution.status == "no_result"
    assert "sys.exit()" in done.execution.message


def test_a_forged_result_is_not_taken(bench: Bench) -> None:
    code = """
        import json, os
        def clean(train, test):
            train.to_parquet("out/train.parquet")
            test.to_parquet("out/test.parquet")
            open("out/done.json", "w").write(json.dumps({"token": "", "files": []}))
            os._exit(0)
    """
    done = bench.clean(code)
    assert (done.execution.status, done.train) == ("no_result", None)


def test_a_frame_of_other_rows_is_not_taken_even_from_a_patched_harness(bench: Bench) -> None:
    code = """
        def clean(train, test):
            import autods.validation.transforming as harness
            harness._same_rows = lambda name, side, frame, n: frame
            return train.iloc[:5], test
    """
    done = bench.clean(code)
    assert (done.execution.status, done.train) == ("no_result", None)
    assert "5 rows instead of 60" in done.execution.message


@pytest.mark.parametrize(
    "harm",
    [
        "pq.write_table = lambda table, path: os.mkfifo(path)",
        "pq.write_table = lambda table, path: os.symlink('/etc/passwd', path)",
        "pq.write_table = lambda table, path: path.write_bytes(b'PAR1 no parquet PAR1')",
    ],
)
def test_what_is_no_frame_is_not_read(bench: Bench, harm: str) -> None:
    code = f"""
        import os
        import pyarrow.parquet as pq

        def clean(train, test):
            {harm}
            return train, test
    """
    done = bench.clean(code)
    assert (done.execution.status, done.train) == ("no_result", None)
    assert "cannot be used" in done.execution.message


# --- candidates ------------------------------------------------------------------------------------------------------
def test_candidates_come_as_text_and_search_spaces(bench: Bench) -> None:
    offered = bench.offer(MODEL)
    assert offered.execution.ok, offered.execution.message
    assert offered.offers[0].name == "linear"
    assert "LogisticRegression" in offered.offers[0].estimator
    assert offered.offers[0].space is not None
    assert offered.offers[0].space["logisticregression__C"].high == 10  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "body, words",
    [
        ("return {}", "must return a dict of Candidate by name, at least one"),
        ("return {'a/b': Candidate(None)}", "names a candidate 'a/b'"),
        ("return {'a': 1}", "gives a int as 'a'"),
        ("return {'a': Candidate(1)}", "The estimator of 'a' is a int, without fit"),
    ],
)
def test_offers_of_another_form_are_refused(bench: Bench, body: str, words: str) -> None:
    offered = bench.offer(f"from autods.tools.records import Candidate\ndef candidates(task):\n    {body}")
    assert offered.execution.status == "error"
    assert words in offered.execution.message


# --- fit and predict -------------------------------------------------------------------------------------------------
def test_a_fit_gives_predictions_importance_and_estimators_that_predict_the_same(bench: Bench) -> None:
    fitted = bench.fit(parameters={"logisticregression__C": 2.0})
    assert fitted.execution.ok, fitted.execution.message
    assert fitted.oof is not None
    assert fitted.test is not None
    assert fitted.estimators is not None
    assert (fitted.oof.shape, fitted.test.shape, len(fitted.fold_seconds)) == ((N, 2), (N, 2), 3)
    assert ((fitted.oof[:, 1] > 0.5) == Y).mean() > 0.9
    assert sorted(path.name for path in bench.folder.iterdir()) == [
        "estimators.joblib",
        "fit.json",
        "learned.npy",
        "oof.npy",
        "test.npy",
    ]
    options = bench.given(MODEL) | {"folder": bench.folder / "again"}
    predicted = jobs.predict(**options, estimators=fitted.estimators, test=bench.frames.test)
    assert predicted.test is not None, predicted.execution.message
    np.testing.assert_array_equal(predicted.test, fitted.test)


def test_an_audit_reproduces_a_fold_without_its_targets(bench: Bench) -> None:
    held_out = FOLDS.splits[1][1]
    whole, audit = bench.fit(), bench.fit(audit=1)
    assert whole.oof is not None
    assert audit.oof is not None, audit.execution.message
    np.testing.assert_array_equal(audit.oof[held_out], whole.oof[held_out])
    assert audit.test is None


def test_an_audit_masks_the_targets_of_the_fold(bench: Bench) -> None:
    code = """
        import numpy as np
        from sklearn.base import BaseEstimator, ClassifierMixin
        from autods.tools.records import Candidate

        class Thief(ClassifierMixin, BaseEstimator):
            def fit(self, X, y):
                self.classes_ = np.unique(y)
                self.stolen_ = np.load("y.npy")
                return self

            def predict(self, X):
                return np.ones(len(X), dtype=int)

            def predict_proba(self, X):
                known = len(X) == 20 and (self.stolen_ >= 0).all()
                return np.tile([0.0, 1.0] if known else [0.5, 0.5], (len(X), 1))

        def candidates(task):
            return {"thief": Candidate(Thief())}
    """
    held_out = FOLDS.splits[0][1]
    whole, audit = bench.fit(code, "thief"), bench.fit(code, "thief", audit=0)
    assert whole.oof is not None, whole.execution.message
    assert audit.oof is not None, audit.execution.message
    assert not np.array_equal(whole.oof[held_out], audit.oof[held_out])


def test_rows_left_out_of_the_fit_are_scored_all_the_same(bench: Bench) -> None:
    fitted = bench.fit(fit_rows=X["x"].to_numpy() < 0.5)
    assert fitted.oof is not None
    assert np.isfinite(fitted.oof).all()


@pytest.mark.parametrize(
    "options, words",
    [
        ({"name": "liner"}, "There is no candidate 'liner'; did you mean 'linear'?"),
        ({"parameters": {"depth": 3}}, "depth"),
    ],
)
def test_a_fit_that_cannot_be_made_says_why(bench: Bench, options: dict[str, Any], words: str) -> None:
    fitted = bench.fit(**options)
    assert (fitted.execution.status, fitted.oof) == ("error", None)
    assert words in fitted.execution.message


def test_a_failing_fit_names_the_fold(bench: Bench) -> None:
    fitted = bench.fit(MODEL.replace('["x"]', '["x", "town"]'))
    assert fitted.execution.status == "error"
    assert "could not convert string to float" in fitted.execution.message
    assert "fold 1 of 3" in fitted.execution.message


def test_jobs_mean_the_same_in_a_fresh_interpreter(fresh_sandbox: Sandbox, sandbox: Sandbox, tmp_path: Path) -> None:
    results = []
    for number, each in enumerate((sandbox, fresh_sandbox)):
        (tmp_path / str(number)).mkdir()
        results.append(Bench(each, tmp_path / str(number)).fit())
    warm, fresh = results
    assert warm.oof is not None
    assert fresh.oof is not None, fresh.execution.message
    np.testing.assert_array_equal(warm.oof, fresh.oof)
