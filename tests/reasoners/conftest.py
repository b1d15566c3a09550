"""Builders of what a reasoner is asked: situations made by hand, with only the facts that a test is about."""

from __future__ import annotations

import dataclasses

import pytest

from autods.config import RunConfig
from autods.phases import get_phase
from autods.profiling import ColumnProfile, Profile, TargetProfile
from autods.reasoners.base import CodeQuestion, PlanQuestion, ReviewQuestion, Situation, SummaryQuestion, Try
from autods.reasoners.rules import RuleReasoner
from autods.records import ExecutionResult, GateCheck, GateReport, Plan, Review, Score, Step, Submission, Task
from autods.tools import Finding

FORMS = {"labels": "labels", "probabilities": "probability", "values": "values"}


def make_column(name, semantic="numeric", **facts):
    dtype = "str" if semantic in ("categorical", "ordinal", "text", "boolean", "datetime") else "float64"
    usual = {"dtype": dtype, "n_unique": 50, "signal": 0.3}
    if semantic == "numeric":
        usual |= {"minimum": 1.0, "maximum": 9.0, "mean": 5.0, "quantiles": (1.5, 3.0, 5.0, 7.0, 8.5), "skew": 0.0}
    return ColumnProfile(name, semantic, **(usual | facts))


def make_profile(*columns, n_train=800, n_test=200, **facts):
    return Profile(n_train, n_test, {column.name: column for column in columns}, **facts)


def make_task(kind="binary", metric="accuracy", needs="labels", classes=("no", "yes"), targets=("y",), **facts):
    if kind in ("regression", "multi_regression", "multilabel"):
        classes = ()
    greater = facts.pop("greater_is_better", metric not in ("rmse", "rmsle", "mae", "log_loss"))
    shape = Submission(("id", *targets), "id", FORMS[needs])
    return Task("made", kind, targets, metric, greater, needs, shape, classes, "id", **facts)


def make_score(value, spread=0.01, metric="accuracy", greater_is_better=True):
    folds = tuple(value + spread * step for step in (-2, -1, 0, 1, 2))
    return Score(value, spread * 0.7, folds, metric, greater_is_better)


def make_try(plan=None, code="", *, status="ok", message="", stderr="", failed=(), warned=(), probe=None):
    execution = ExecutionResult(status, 0 if status == "ok" else 1, "", stderr, 0.1, 90.0, (), message)
    checks = [GateCheck("test_rows", "rows", "passed")]
    checks += [GateCheck(name, "what it protects", "failed", text) for name, text in failed]
    checks += [GateCheck(name, "what it protects", "warned", text) for name, text in warned]
    plan = plan or Plan("cleaning", (Step("do", "a reason"),))
    return Try(plan, code, execution, GateReport(plan.phase, tuple(checks)), probe)


@pytest.fixture
def column():
    return make_column


@pytest.fixture
def task():
    return make_task


@pytest.fixture
def target():
    def build(kind="regression", **facts):
        return TargetProfile(kind, 800, 700, **facts)

    return build


@pytest.fixture
def situation():
    """Build a situation of columns; `rules` and other settings of a run go by keyword."""

    def build(*columns, task=None, rules=None, findings=None, effort="standard", profile=None, **facts):
        config = RunConfig(effort=effort, rules=rules or {})
        profile = profile or make_profile(*columns)
        return Situation(task or make_task(), config, profile, findings=findings or {}, **facts)

    return build


@pytest.fixture
def finding():
    def build(statistic, columns, value, text="a number was found", frame="train"):
        return Finding(statistic, frame, tuple(columns), value, text)

    return build


@pytest.fixture
def score():
    return make_score


@pytest.fixture
def attempt():
    return make_try


@pytest.fixture
def profile():
    return make_profile


@pytest.fixture
def reasoner():
    return RuleReasoner()


@pytest.fixture
def plan(reasoner):
    """Plan a phase in a situation; `iteration=2` is a plan after a rejected one."""

    def ask(slug, situation, iteration=1):
        phase = get_phase(slug)
        question = PlanQuestion(phase, situation, iteration)
        if iteration > 1:
            rejected = make_try(reasoner.plan(question))
            question = dataclasses.replace(question, rejected=rejected, review=Review(False, {}, (), ("less",)))
        return reasoner.plan(question)

    return ask


@pytest.fixture
def write(reasoner):
    def ask(plan, situation):
        return reasoner.write(CodeQuestion(get_phase(plan.phase), situation, plan))

    return ask


@pytest.fixture
def review(reasoner):
    def ask(slug, situation, attempt=None, **facts):
        return reasoner.review(ReviewQuestion(get_phase(slug), situation, attempt or make_try(), **facts))

    return ask


@pytest.fixture
def summarize(reasoner):
    def ask(slug, situation, attempt=None, review=None, **facts):
        phase = get_phase(slug)
        attempt = attempt or make_try(Plan(slug, (Step("do", "a reason"),)))
        return reasoner.summarize(
            SummaryQuestion(phase, situation, attempt, review or Review(True, {}, ("ok",)), **facts)
        )

    return ask


@pytest.fixture
def step():
    """Give the one step of a plan that calls a tool (or has an action); fail when there is none or more."""

    def pick(plan, name):
        (found,) = [step for step in plan.steps if name in (step.tool, step.action)]
        return found

    return pick
