from __future__ import annotations

import functools
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autods.config import RunConfig
from autods.phases import PHASES
from autods.records import (
    Attempt,
    Blend,
    CandidateResult,
    Decision,
    ExecutionResult,
    Fact,
    FileFact,
    Folds,
    GateCheck,
    GateReport,
    Note,
    Plan,
    Review,
    Score,
    Section,
    Step,
    Submission,
    Summary,
    Table,
    Task,
    Training,
)
from autods.reports.content import PhaseContent, RunContent
from autods.reports.slices import error_slices

NASTY = "a|b $x$ {{ y }} <script>alert(1)</script> \\ `t`\nz"

CODE = {
    "preliminary_eda": (
        "from autods.tools import finding\n\n\ndef explore(train, test, task, out):\n"
        '    """Look at what is missing."""\n    return [finding("missing_share", train, test, ["Age"], "{value:.0%} missing")]\n'
    ),
    "cleaning": (
        "from autods.tools import fill_missing_values\n\n\ndef clean(train, test):\n"
        "    # Age is missing in 20 % of train and is skewed: the median keeps its middle\n"
        '    train, test = fill_missing_values(train, test, columns=["Age"], method="median")\n    return train, test\n'
    ),
    "deep_eda": "def explore(train, test, task, out):\n    return []\n",
    "feature_engineering": (
        "def engineer(train, test):\n    # Fare for each of the family tells cabins apart\n"
        '    return train.assign(fare_each=train["Fare"]), test.assign(fare_each=test["Fare"])\n'
    ),
    "modeling": (
        "from autods.tools import Candidate, lightgbm, linear\n\n\ndef candidates(task):\n"
        '    return {"lightgbm": Candidate(lightgbm(task.kind)), "linear": Candidate(linear(task.kind))}\n'
    ),
}


def score(value, spread=0.03, seed=0, n=10, metric="accuracy", greater=True):
    folds = value + spread * np.random.default_rng(seed).standard_normal(n)
    folds += value - folds.mean()
    return Score(value, float(folds.std(ddof=1) / n**0.5), tuple(folds.tolist()), metric, greater)


@pytest.fixture
def task():
    return Task(
        "titanic", "binary", ("Survived",), "accuracy", True, "labels", Submission(("PassengerId", "Survived"), "PassengerId", "labels"),
        ("0", "1"), "PassengerId",
        facts={"metric": Fact("accuracy", "“The score is the percentage of passengers you correctly predict.”", 0.95)},
    )  # fmt: skip


@pytest.fixture
def training():
    shares = {"Title": 0.31, "Sex": 0.22, "fare_each": 0.14, "Age": 0.11, "Pclass": 0.09, NASTY: 0.07, "Deck": 0.06}
    results = [
        CandidateResult("lightgbm", "ok", score(0.8301, seed=1), 4.2, {}, None, "work/lgb", "", shares),
        CandidateResult("catboost", "ok", score(0.8345, seed=2), 11.9, {}, None, "work/cat", "", shares),
        CandidateResult(
            "catboost-7", "ok", score(0.8379, seed=3), 9.1, {"depth": 5}, "catboost", "work/cat7", "", shares
        ),
        CandidateResult(
            "catboost-3", "ok", score(0.8311, seed=4), 8.1, {"depth": 8}, "catboost", "work/cat3", "", shares
        ),
        CandidateResult("random_forest", "ok", score(0.8222, seed=5), 3.0, {}, None, "work/rf", "", shares),
        CandidateResult("linear", "ok", score(0.8290, seed=6), 0.8, {}, None, "work/lin", "", {}),
        CandidateResult("k_nearest_neighbors", "ok", score(0.8010, seed=7), 0.4),
        CandidateResult("svm", "failed", None, 2.0, message="ValueError: Input X contains NaN in column 'a|b'"),
        CandidateResult("neural_network", "cut_off", None, 20.0),
    ]
    blend = Blend(
        {"catboost-7": 0.5, "linear": 0.3, "lightgbm": 0.2}, Decision("threshold", (0.47,)), score(0.8424, seed=8)
    )
    return Training(
        tuple(results), blend, score(0.6162, 0.002, seed=9), score(0.8137, seed=10), "10 stratified folds",
        {"catboost-7": 0.0, "linear": 1e-16}, ("neural_network",), ("Tuning of lightgbm: 12 of 40 trials done.",),
    )  # fmt: skip


@pytest.fixture
def content(tmp_path, task, training):
    root = tmp_path / "reports" / "titanic" / "20250102-030405"
    root.mkdir(parents=True)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"Sex": rng.choice(["male", "female"], 600), "Age": rng.uniform(1, 80, 600), "Deck": None})
    losses = ((frame["Sex"] == "male") & (rng.random(600) < 0.35)).to_numpy(float)

    return RunContent(
        run_id="20250102-030405", root=root, competition=tmp_path / "competitions" / "titanic", task=task,
        config=RunConfig(effort="standard", budget_s=120, instructions="Keep it simple."),
        phases=tuple(_phase(phase, root) for phase in PHASES),
        notes=(
            Note("train.csv", "2 rows have no target; they are left out."),
            Note(NASTY, "the column is only in train; it is dropped", "warning"),
        ),
        files=(FileFact("train.csv", "train", 891, 12, "utf-8", ",", "ab" * 32), FileFact("test.csv", "test", 418, 11, "utf-8", ",")),
        folds=Folds("stratified", ((np.arange(5), np.arange(5, 10)),) * 10, 10, 1, "891 rows with 2 classes; no groups.", 891),
        training=training, constant=training.constant, baseline=training.baseline,
        probes={"cleaning": score(0.8190, seed=11), "feature_engineering": score(0.8352, seed=12)},
        slices=error_slices(frame, losses),
        timings={"total": 96.4}, isolation=("landlock", "seccomp", "rlimits"),
        versions={"autods": "0.1.0", "lightgbm": "4.6.0", "scikit-learn": "1.9.1"},
        started="2025-01-02 03:04:05", submission=root / "submission.csv",
    )  # fmt: skip


def _phase(phase, root: Path):
    folder = f"work/attempts/{phase.slug}-0123"
    picture = root / folder / "out" / "figures" / "a picture.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(_png())
    steps = (
        Step("fill missing values by the median", "Age is missing in 20 % of train", ("Age",), "fill_missing_values"),
        Step("split the name", f"column {NASTY}", ("Name", NASTY), "split_structured"),
    )
    plan = Plan(
        phase.slug, steps, obeyed=("“Keep it simple.”: no clustering features were made.",) if phase.number == 5 else ()
    )
    checks = (
        GateCheck("rows_and_order", "every row keeps its place", "passed"),
        GateCheck("no_missing", "nothing undeclared is missing", "warned", f"column {NASTY}: 3 rows are missing"),
    )
    failed = GateCheck(
        "no_missing", "nothing undeclared is missing", "failed", "column 'Age': 177 rows are missing; fill them"
    )
    first = Attempt(
        phase.slug, "00", 1, 1, folder, plan, "def clean(train, test): return train, test",
        ExecutionResult("ok", 0, "", "", 0.4, 90.0), GateReport(phase.slug, (checks[0], failed)),
    )  # fmt: skip
    accepted = Attempt(
        phase.slug, "01", 1, 2, folder, plan, CODE.get(phase.slug, ""), ExecutionResult("ok", 0, "", "", 0.6, 90.0),
        GateReport(phase.slug, checks), Review(True, {"planner": 5.0, "developer": 4.0}, ("18 gates passed.",)),
    )  # fmt: skip
    table = Table(
        ("column", "type", "missing"), (("`Age`", "numeric", "20 %"), (NASTY, "text", "$5 | {x}")), "The columns"
    )
    sections = (
        Section(
            "What was found",
            "`Age` is missing in **20 %** of train and `Cabin` in 77 %. Fares run from $0 to $512.\n\n"
            "- women survived more often: 74 % against 19 %\n- `Name` holds a title",
            (table,),
            ("out/figures/a picture.png",),
        ),
        Section(NASTY, "Nothing else."),
    )
    summary = Summary(
        phase.slug, f"{phase.title}: `Age` and `Cabin` are missing most", "Two columns were filled; one was split.",
        "All columns are complete now.", sections,
    )  # fmt: skip
    return PhaseContent(phase, summary, (first, accepted), accepted, root / folder, 3.2 * phase.number)


@functools.cache
def _png():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 2.6), layout="constrained")
    for i, axes in enumerate(figure.subplots(1, 3)):
        axes.hist(np.random.default_rng(i).normal(size=300), bins=20, color="#2f6fdf")
        axes.set_title(f"column {i}")
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=100)
    return buffer.getvalue()


@pytest.fixture
def nasty():
    return NASTY
