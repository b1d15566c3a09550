from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from autods.competition import build_submission, read_competition, write_submission
from autods.profiling import profile_frames
from autods.records import Blend, CandidateResult, Decision, to_json
from autods.reports.export import solution_notebook, solution_source
from autods.reports.recipe import recipe_of
from autods.validation.cross_validation import fit_candidate
from autods.validation.folds import choose_folds, duplicate_groups, fold_keys

CLEAN = (
    '"""Cleaning."""\n\nimport numpy as np\n\nSIDES = ("train", "test")\n\n\ndef clean(train, test, task):\n'
    '    assert "numeric" in task.columns\n    train = train.assign(exclude_from_fit=np.arange(len(train)) == 3)\n'
    "    return train.fillna({'b': 0.0}), test.fillna({'b': 0.0})\n"
)
ENGINEER = (
    "SIDES = 2\n\n\ndef engineer(train, test):\n    # the sum says more than its parts\n"
    "    return train.assign(c=train['a'] + train['b']), test.assign(c=test['a'] + test['b'])\n"
)
CANDIDATES = (
    "from sklearn.linear_model import Ridge\n\nfrom autods.tools import Candidate\n\n\ndef candidates(task):\n"
    '    """Two of a kind."""\n    return {"ridge": Candidate(Ridge()), "stiff": Candidate(Ridge(alpha=50.0))}\n'
)


@pytest.fixture
def run(tmp_path, content):
    """A finished run of a small regression; its submission was made step by step with the harness's own functions."""
    folder = tmp_path / "competitions" / "small"
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": np.arange(1, 61), "a": rng.normal(size=60), "b": rng.normal(size=60)})
    frame["y"] = 3 * frame["a"] + rng.normal(size=60)
    frame.loc[5, "b"] = np.nan
    frame[:40].to_csv(folder / "train.csv", index=False)
    frame[40:].drop(columns="y").to_csv(folder / "test.csv", index=False)
    frame[40:][["id"]].assign(y=0.5).to_csv(folder / "sample_submission.csv", index=False)
    (folder / "overview.txt").write_text("Predict y. Submissions are scored by the root mean squared error.")
    competition = read_competition(folder)
    codes = {"cleaning": CLEAN, "feature_engineering": ENGINEER, "modeling": CANDIDATES}
    results = (
        CandidateResult("ridge", "ok"),
        CandidateResult("stiff#1", "ok", parameters={"alpha": 9.0}, base="stiff"),
    )
    blend = Blend({"stiff#1": 0.75, "ridge": 0.25}, Decision("none"), content.score)
    training = dataclasses.replace(content.training, results=results, blend=blend)
    phases = tuple(
        dataclasses.replace(phase, accepted=dataclasses.replace(phase.accepted, code=codes.get(phase.phase.slug, "")))
        for phase in content.phases
    )
    for phase in phases:
        (phase.folder / "out" / "profile.json").write_text(to_json(profile_frames(competition.train, competition.test)))
    made = dataclasses.replace(content, competition=folder, task=competition.task, training=training, phases=phases)
    write_submission(_by_hand(competition, made), made.submission)
    return made


def _by_hand(competition, content):
    from sklearn.linear_model import Ridge

    task = competition.task
    profile = profile_frames(
        competition.train, competition.test, y=competition.y, kind=task.kind, keys=competition.keys
    )
    keys = fold_keys(task, profile, competition.train, competition.keys)
    folds = choose_folds(
        task, profile, competition.y, keys, duplicate_groups(competition.train), effort="standard", seed=0
    )
    X, X_test = (
        f.fillna({"b": 0.0}).assign(c=lambda f: f["a"] + f["b"]) for f in (competition.train, competition.test)
    )
    outputs = [
        fit_candidate(
            Ridge(alpha=alpha), X, competition.y, X_test, folds,
            kind="regression", n_outputs=1, seed=0, fit_rows=np.arange(40) != 3,
        ).test
        for alpha in (9.0, 1.0)
    ]  # fmt: skip
    return build_submission(
        task, competition.sample, competition.test_keys, 0.75 * outputs[0] + 0.25 * outputs[1], Decision("none")
    )


def executed(source):
    space = {"__name__": "solution"}
    exec(compile(source, "solution.py", "exec"), space)
    return space


def test_the_solution_re_creates_the_submission_byte_for_byte(run, tmp_path):
    executed(solution_source(run, recipe_of(run)))["main"](run.competition, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == run.submission.read_bytes()


def test_the_notebook_holds_the_same_code_in_cells_and_is_valid(run, tmp_path, monkeypatch):
    import nbformat

    notebook = nbformat.reads(solution_notebook(run, recipe_of(run)), as_version=4)
    nbformat.validate(notebook)
    monkeypatch.chdir(tmp_path)
    executed("\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code"))
    assert (tmp_path / "submission.csv").read_bytes() == run.submission.read_bytes()
    assert "## Feature engineering" in [cell.source.splitlines()[0] for cell in notebook.cells]


@pytest.mark.slow
def test_script_and_notebook_run_in_processes_of_their_own(run, tmp_path):
    import subprocess
    import sys

    import nbclient
    import nbformat

    script, out = tmp_path / "solution.py", tmp_path / "out.csv"
    script.write_text(solution_source(run, recipe_of(run)), encoding="utf-8")
    subprocess.run([sys.executable, str(script), str(run.competition), str(out)], check=True)
    assert out.read_bytes() == run.submission.read_bytes()
    notebook = nbformat.reads(solution_notebook(run, recipe_of(run)), as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert (tmp_path / "submission.csv").read_bytes() == run.submission.read_bytes()


def test_the_solution_reads_like_one_module(run):
    source = solution_source(run, recipe_of(run))
    assert source.startswith('"""The solution of small, exported by autods.')
    assert source.count("import numpy as np") == 1
    assert "# the sum says more than its parts" in source
    assert "'stiff#1': ('stiff', {'alpha': 9.0}, 0.75)" in source
    assert "python solution.py [COMPETITION_FOLDER] [OUT_CSV]" in source


def test_names_and_headlines_cannot_break_the_source(run, nasty):
    phases = tuple(
        dataclasses.replace(phase, summary=dataclasses.replace(phase.summary, headline=f'"""{nasty}'))
        for phase in run.phases
    )
    task = dataclasses.replace(run.task, name=f'"""{nasty}')
    assert compile(solution_source(dataclasses.replace(run, task=task, phases=phases), recipe_of(run)), "s", "exec")


@pytest.mark.parametrize(("name", "marker"), [("lightgbm.csv", "baseline_lightgbm"), ("constant.csv", "best_constant")])
def test_without_a_blend_the_baseline_that_was_submitted_is_exported(run, name, marker):
    early = dataclasses.replace(run, training=None)
    assert recipe_of(early) is None
    (run.root / "work" / "baseline").mkdir(parents=True)
    (run.root / "work" / "baseline" / name).write_bytes(run.submission.read_bytes())
    assert marker in solution_source(early, recipe_of(early))


def test_the_exported_constant_is_the_harnesss(run, tmp_path):
    early = dataclasses.replace(run, training=None)
    competition = read_competition(run.competition)
    outputs = np.full((len(competition.test), 1), competition.y.mean())
    write_submission(
        build_submission(run.task, competition.sample, competition.test_keys, outputs, Decision("none")), run.submission
    )
    (run.root / "work" / "baseline").mkdir(parents=True)
    (run.root / "work" / "baseline" / "constant.csv").write_bytes(run.submission.read_bytes())
    executed(solution_source(early, recipe_of(early)))["main"](run.competition, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == run.submission.read_bytes()


def test_the_exported_baseline_is_one_fit_on_all_rows(run, tmp_path):
    early = dataclasses.replace(run, training=None)
    (run.root / "work" / "baseline").mkdir(parents=True)
    (run.root / "work" / "baseline" / "lightgbm.csv").write_bytes(run.submission.read_bytes())
    space = executed(solution_source(early, recipe_of(early)))
    folds = space["run_folds"](read_competition(run.competition))
    assert [len(train) for train, _ in folds.splits] == [40]
    space["main"](run.competition, tmp_path / "again.csv")
    assert len(pd.read_csv(tmp_path / "again.csv")) == 20
