"""What rules write is code that a person could have written: it compiles, imports vetted tools only, and calls them right.

Each made competition is carried through all phases in this process: the code of cleaning and features is run, so that
later phases are asked about the frames that earlier ones left.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

import autods.tools
from autods.phases import PHASES, get_phase
from autods.profiling import profile_frames
from autods.reasoners.base import CodeQuestion, PlanQuestion, Situation
from autods.reasoners.rules import RuleReasoner
from autods.records import Plan
from autods.tools import Candidate, Finding, TaskFacts

ROWS, TEST_ROWS = 160, 40
KINDS = {
    "passengers": ("binary", "accuracy", "labels", ("0", "1")),
    "orders": ("regression", "rmse", "values", ()),
    "reviews": ("multiclass", "log_loss", "probabilities", ("bad", "fair", "good")),
    "sensors": ("multi_regression", "mcrmse", "values", ()),
    "tags": ("multilabel", "auroc_macro", "probabilities", ()),
    "grades": ("ordinal", "qwk", "labels", ("1", "2", "3")),
    "odd_names": ("binary", "auroc", "probabilities", ("no", "yes")),
    "one_column": ("regression", "mae", "values", ()),
}
CODED = [phase for phase in PHASES if phase.entry_point]


@dataclass(frozen=True)
class Written:
    """What rules planned and wrote for one phase, and the situation they were asked in."""

    plan: Plan
    code: str
    situation: Situation
    train: pd.DataFrame
    test: pd.DataFrame
    target: pd.DataFrame


def _some(draw: np.random.Generator, values: Any, share: float) -> pd.Series:
    return pd.Series(values).mask(draw.random(len(values)) < share)


def _passengers(draw, n):
    names = [
        f"{draw.choice(['Kelly', 'Braund', 'Moran'])}{i % 50}, {draw.choice(['Mr', 'Mrs', 'Miss'])}. A{i}"
        for i in range(n)
    ]
    return {
        "Name": names,
        "Sex": draw.choice(["male", "female"], n),
        "Age": _some(draw, draw.uniform(1, 80, n).round(), 0.2),
        "Fare": _some(draw, draw.lognormal(3, 1, n).round(2), 0.01),
        "Cabin": _some(draw, [f"{draw.choice(list('ABC'))}{i % 90}" for i in range(n)], 0.7),
        "Ticket": [f"{draw.choice(['A/5 ', 'PC ', ''])}{draw.integers(1000, 9999)}" for _ in range(n)],
        "Parch": draw.integers(0, 4, n),
    }


def _orders(draw, n):
    days = pd.date_range("2023-01-01", periods=400).astype(str)
    return {
        "ordered": draw.choice(days, n),
        "sent": draw.choice(days, n),
        "size": draw.choice(["low", "medium", "high"], n),
        "status": draw.choice(["open", "Open ", "closed", "?"], n),
        "price": draw.choice(["$1,200", "$35", "$7.50"], n),
        "shop": draw.choice([f"shop {i}" for i in range(40)], n),
        "weight": draw.lognormal(0, 2, n),
        "length": draw.lognormal(0, 1, n),
        "empty": np.full(n, np.nan),
        "same": np.ones(n),
    }


def _reviews(draw, n):
    words = np.array(
        ["the", "room", "was", "clean", "but", "noisy", "and", "staff", "never", "smiled", "at", "breakfast"]
    )
    return {
        "review": [" ".join(draw.choice(words, draw.integers(4, 30))) for _ in range(n)],
        "stars": draw.integers(1, 6, n),
    }


def _odd_names(draw, n):
    names = ["it's", 'a "b"', "c\\n", "naïve", "{braces}", "x[0]", "# tag", "$x$ %s", "class", "1st"]
    frame = {name: draw.normal(size=n) for name in names}
    return frame | {"line\nbreak": draw.choice(["a", "b", None], n), "": draw.choice(["u", "v"], n)}


MAKERS: dict[str, Callable[[np.random.Generator, int], dict[str, Any]]] = {
    "passengers": _passengers,
    "orders": _orders,
    "reviews": _reviews,
    "sensors": lambda draw, n: {f"s{i}": draw.normal(size=n) for i in range(14)},
    "tags": lambda draw, n: {"a": draw.normal(size=n), "b": draw.choice(list("xyz"), n)},
    "grades": lambda draw, n: {"hours": draw.integers(0, 30, n), "school": draw.choice(list("AB"), n)},
    "odd_names": _odd_names,
    "one_column": lambda draw, n: {"x": draw.normal(size=n)},
}


def _target(kind: str, classes: tuple[str, ...], draw: np.random.Generator) -> np.ndarray:
    if kind == "multilabel":
        return draw.integers(0, 2, (ROWS, 2))
    if kind == "multi_regression":
        return draw.normal(size=(ROWS, 2))
    return draw.lognormal(2, 1, ROWS) if kind == "regression" else draw.integers(0, len(classes), ROWS)


def _run(code: str, entry_point: str, **arguments: Any) -> Any:
    space: dict[str, Any] = {}
    exec(compile(code, "<written by rules>", "exec"), space)
    function = space[entry_point]
    return function(**{name: arguments[name] for name in inspect.signature(function).parameters})


def _facts(situation: Situation) -> TaskFacts:
    task, profile = situation.task, situation.profile
    return TaskFacts(
        task.kind,
        task.targets,
        task.metric,
        True,
        task.needs,
        task.classes,
        profile.n_train,
        profile.n_test,
        profile.by_semantic(),
    )


@pytest.fixture(scope="module")
def _cache() -> dict[str, dict[str, Written]]:
    return {}


@pytest.fixture
def written(_cache, request, situation, task) -> Callable[[str], dict[str, Written]]:
    """Carry a made competition through all phases; give what was written by slug."""

    def carry(name: str) -> dict[str, Written]:
        if name not in _cache:
            _cache[name] = dict(_carry(name, situation, task))
        return _cache[name]

    return carry


def _carry(
    name: str, situation: Callable[..., Situation], make_task: Callable[..., Any]
) -> Iterator[tuple[str, Written]]:
    draw, (kind, metric, needs, classes) = np.random.default_rng(0), KINDS[name]
    whole = pd.DataFrame(MAKERS[name](draw, ROWS + TEST_ROWS))
    train, test = whole.iloc[:ROWS].reset_index(drop=True), whole.iloc[ROWS:].reset_index(drop=True)
    y = _target(kind, classes, draw)
    targets = ("y", "z") if kind in ("multilabel", "multi_regression") else ("y",)
    task, reasoner = make_task(kind, metric, needs, classes, targets), RuleReasoner()
    target = pd.DataFrame(y.reshape(ROWS, -1), columns=list(targets))
    target = target.map(lambda code: classes[code]) if classes else target
    for phase in CODED:
        asked = situation(task=task, profile=profile_frames(train, test, y=y, kind=kind))
        plan = reasoner.plan(PlanQuestion(phase, asked))
        code = reasoner.write(CodeQuestion(phase, asked, plan))
        yield phase.slug, Written(plan, code, asked, train, test, target)
        if phase.produces == "frames":
            train, test = _run(code, phase.entry_point, train=train, test=test, task=_facts(asked))


cases = pytest.mark.parametrize("name", sorted(MAKERS))
phases = pytest.mark.parametrize("slug", [phase.slug for phase in CODED])


def _called(tree: ast.Module) -> dict[str, list[ast.Call]]:
    calls: dict[str, list[ast.Call]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.setdefault(node.func.id, []).append(node)
    return calls


@cases
@phases
def test_code_imports_and_calls_vetted_tools_only(written, name, slug):
    tree = ast.parse(written(name)[slug].code)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert {node.module for node in imports} <= {"autods.tools"}
    imported = {alias.name for node in imports for alias in node.names}
    assert imported <= set(autods.tools.__all__)
    assert set(_called(tree)) <= imported
    assert imported - set(_called(tree)) == set()


@cases
@phases
def test_calls_give_what_the_tools_signature_has(written, name, slug):
    for tool, calls in _called(ast.parse(written(name)[slug].code)).items():
        for call in calls:
            arguments = [None] * len(call.args)
            inspect.signature(getattr(autods.tools, tool)).bind(
                *arguments, **{word.arg: None for word in call.keywords}
            )


@cases
@phases
def test_code_defines_the_entry_point_and_nothing_else(written, name, slug):
    tree = ast.parse(written(name)[slug].code)
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)] == [get_phase(slug).entry_point]


@cases
@phases
def test_every_step_has_a_reason_that_stands_in_the_code(written, name, slug):
    done = written(name)[slug]
    comments = " ".join(
        line.strip().removeprefix("# ") for line in done.code.splitlines() if line.strip().startswith("#")
    )
    for step in done.plan.steps:
        assert step.because
        assert " ".join(step.because.split()) in comments


@cases
@phases
def test_plans_name_columns_that_exist(written, name, slug):
    done = written(name)[slug]
    known = {*done.train.columns, *done.situation.task.targets}
    made = {column for step in done.plan.steps for column in step.columns} - known
    assert all(any(column.startswith(f"{old}_") for old in known) for column in made)


@cases
@phases
def test_the_same_question_gets_the_same_answer(written, name, slug):
    done, reasoner = written(name)[slug], RuleReasoner()
    again = reasoner.plan(PlanQuestion(get_phase(slug), done.situation))
    assert again == done.plan
    assert reasoner.write(CodeQuestion(get_phase(slug), done.situation, again)) == done.code


@cases
@phases
def test_plans_after_rejections_give_code_that_compiles(written, name, slug):
    done, reasoner = written(name)[slug], RuleReasoner()
    for iteration in (2, 3):
        plan = reasoner.plan(PlanQuestion(get_phase(slug), done.situation, iteration))
        compile(reasoner.write(CodeQuestion(get_phase(slug), done.situation, plan)), "code.py", "exec")


@cases
def test_engineered_frames_have_the_same_columns_and_the_same_rows(written, name):
    done = written(name)["modeling"]
    assert list(done.train.columns) == list(done.test.columns)
    assert (len(done.train), len(done.test)) == (ROWS, TEST_ROWS)


@cases
def test_what_is_dropped_or_left_missing_was_declared(written, name):
    before, after = written(name)["cleaning"], written(name)["feature_engineering"]
    intent = before.plan.intent
    assert set(before.train.columns) - set(after.train.columns) == set(intent.drop)
    missing = {column for column in after.train if after.train[column].isna().any()}
    assert missing <= {*intent.keep_missing, *intent.keep_text}


@cases
def test_the_candidates_are_unfitted_estimators_by_name(written, name):
    done = written(name)["modeling"]
    offered = _run(done.code, "candidates", task=_facts(done.situation))
    assert all(
        isinstance(candidate, Candidate) and hasattr(candidate.estimator, "fit") for candidate in offered.values()
    )
    assert list(offered) == [step.action for step in done.plan.steps]


@pytest.mark.slow
@cases
@pytest.mark.parametrize("slug", ["preliminary_eda", "deep_eda"])
def test_explorations_run_and_give_findings_and_pictures(written, name, slug, tmp_path):
    done = written(name)[slug]
    joined = pd.concat([done.train, done.target], axis=1)
    found = _run(done.code, "explore", train=joined, test=done.test, task=_facts(done.situation), out=tmp_path)
    assert found
    assert all(isinstance(finding, Finding) for finding in found)
    assert list(tmp_path.glob("*.png"))
