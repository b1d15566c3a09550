"""Modeling by rules: a portfolio in order of preference, each member with the reason why it is worth its time."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

from autods.errors import ConfigError, nearest
from autods.reasoners.base import CodeQuestion, PlanQuestion, ReviewQuestion, Situation, SummaryQuestion
from autods.reasoners.rules.instructions import read_instructions
from autods.reasoners.rules.reviewing import gates_section, plan_section, review_by_gates, score_text
from autods.reasoners.rules.writing import agree, count, listed, literal, percent
from autods.records import Plan, Review, Score, Section, Step, Summary, Table, Training

__all__ = ["plan", "review", "summarize", "write"]

# Beyond these sizes the work grows faster than the rows or the estimator no longer pays.
SVM_ROWS, NEIGHBORS_ROWS, FOREST_ROWS, NEURAL_ROWS = 4_000, 20_000, 200_000, (1_000, 100_000)
HEAVY_CELLS = 60_000
RELATIVE_METRICS = ("rmsle", "rmse_log", "mape", "smape")
ABSOLUTE_METRICS = ("mae", "medae", "mape", "smape")
SKEWED = 1.0
TUNED = ("lightgbm", "xgboost", "catboost", "linear", "text_linear", "svm")
SINGLE_KIND = {"multilabel": "binary", "multi_regression": "regression", "ordinal": "multiclass"}


def plan(question: PlanQuestion) -> Plan:
    """Choose the portfolio by kind, size, text, target and metric; a person's `estimators` rule cuts it down."""
    situation = question.situation
    steps = list(_portfolio(situation))
    allowed, obeyed = situation.config.rules.estimators, []
    if allowed is not None:
        known = sorted({step.tool for step in steps if step.tool})
        steps = [step for step in steps if step.tool in allowed or step.action in allowed]
        if not steps:
            raise ConfigError(
                f"The rule estimators = {list(allowed)} leaves no candidate; {nearest(allowed[0] if allowed else '', known)}"
            )
        obeyed.append(f"estimators = {', '.join(allowed)}: no other estimator was offered.")
    wishes = read_instructions(situation.instructions, situation.profile.columns)
    asked = [
        step for step in steps if (not wishes.only or step.tool in wishes.only) and step.tool not in wishes.without
    ]
    if asked and len(asked) < len(steps):
        steps = asked
        obeyed += [f"“{sentence}”" for sentence in wishes.understood]
    if situation.config.rules.n_splits is not None:
        obeyed.append(f"n_splits = {situation.config.rules.n_splits}: the run's folds were made so.")
    if situation.config.effort == "quick":
        steps = steps[:5]
    return Plan("modeling", tuple(steps), obeyed=tuple(obeyed))


def _portfolio(situation: Situation) -> Iterator[Step]:
    """All candidates worth offering, the surest and quickest first."""
    task, profile = situation.task, situation.profile
    rows, text = profile.n_train, profile.names("text")
    size = f"{count(rows, 'row')}, {count(len(profile.columns), 'feature')}"
    yield Step(
        "plain_lightgbm",
        "the reference itself, cheap and sure: what is submitted must not be worse than it",
        tool="baseline_lightgbm",
    )
    if text:
        yield from _text_candidates(text, task.is_classification)
    if task.is_classification:
        heavy = rows * max(2, len(task.classes)) > HEAVY_CELLS
        # Where a logistic fit, or CatBoost on many classes, takes as long as several boosters, it waits for them.
        late = {"catboost": 1, "linear": 2} if heavy else {}
        yield from sorted(_classifiers(situation, size), key=lambda step: late.get(step.tool or "", 0))
    else:
        yield from _regressors(situation, size)


def _text_candidates(text: tuple[str, ...], classify: bool) -> Iterator[Step]:
    yield Step(
        "text_linear",
        f"{listed(text)} {agree(len(text), 'holds', 'hold')} words: TF-IDF of words and character n-grams with a linear fit is the strong baseline there",
        text,
        "text_linear",
    )
    if classify:
        yield Step(
            "naive_bayes_text",
            f"word counts of {listed(text)} in a naive Bayes err differently from a linear fit, which helps the blend",
            text,
            "naive_bayes_text",
        )


def _classifiers(situation: Situation, size: str) -> Iterator[Step]:
    rows = situation.profile.n_train
    yield Step(
        "lightgbm",
        f"boosted trees with native categories are the best single choice on mixed columns ({size})",
        tool="lightgbm",
    )
    yield Step(
        "linear",
        "a regularised logistic fit on a scaled, one-hot design is quick, hard to overfit and unlike trees",
        tool="linear",
    )
    yield Step(
        "catboost",
        "ordered target statistics treat categories differently from LightGBM, at its own regularisation",
        tool="catboost",
    )
    yield from _forests(rows)
    yield Step("xgboost", "depth-wise boosting, a third view of the same columns", tool="xgboost")
    yield Step(
        "lightgbm_shallow",
        "small trees at a low rate vary less on few rows",
        tool="lightgbm",
        parameters={"preset": "shallow"},
    )
    yield from _small_data(rows)
    yield from _neural(rows)
    if situation.config.effort == "thorough":
        yield Step(
            "lightgbm_extra", "randomised splits decorrelate the blend", tool="lightgbm", parameters={"preset": "extra"}
        )
        yield Step(
            "catboost_deep", "deeper symmetric trees catch interactions", tool="catboost", parameters={"preset": "deep"}
        )


def _regressors(situation: Situation, size: str) -> Iterator[Step]:
    logs = _log_target(situation)
    name, reason = ("_log", f"on the log of the target ({logs})") if logs else ("", f"on mixed columns ({size})")
    outer: dict[str, Any] = {"target": "log1p"} if logs else {}
    yield Step(
        f"lightgbm{name}", f"boosted trees are the best single choice {reason}", tool="lightgbm", parameters=outer
    )
    yield Step(
        f"linear{name}",
        f"a ridge fit on a scaled, one-hot design {reason} is quick and unlike trees",
        tool="linear",
        parameters=outer,
    )
    yield Step(
        f"catboost{name}",
        f"ordered target statistics, smooth symmetric trees, {reason}",
        tool="catboost",
        parameters=outer,
    )
    for step in _forests(situation.profile.n_train):
        yield Step(f"{step.action}{name}", f"{step.because}, {reason}", tool=step.tool, parameters=outer)
    yield Step(
        f"xgboost{name}",
        f"depth-wise boosting, a third view of the same columns, {reason}",
        tool="xgboost",
        parameters=outer,
    )
    if situation.task.metric in ABSOLUTE_METRICS:
        yield Step(
            "lightgbm_absolute",
            f"{situation.task.metric} is least at the median: fit absolute error",
            tool="lightgbm",
            parameters={"objective": "absolute"},
        )
    elif logs and situation.task.metric not in RELATIVE_METRICS:
        yield Step(
            "lightgbm",
            f"{situation.task.metric} weighs large values, which the log plays down: also fit the target as it is",
            tool="lightgbm",
        )
    yield Step(
        f"lightgbm_shallow{name}",
        "small trees at a low rate vary less on few rows",
        tool="lightgbm",
        parameters={"preset": "shallow", **outer},
    )
    for step in (*_small_data(situation.profile.n_train), *_neural(situation.profile.n_train)):
        yield Step(f"{step.action}{name}", step.because, tool=step.tool, parameters=outer)
    yield Step(
        f"elastic_net{name}",
        "a sparse linear fit, in case few columns carry the signal",
        tool="elastic_net",
        parameters=outer,
    )


def _forests(rows: int) -> Iterator[Step]:
    if rows <= FOREST_ROWS:
        yield Step("extra_trees", "randomised trees average away variance that boosting keeps", tool="extra_trees")
        yield Step("random_forest", "bagged deep trees, steady on few rows", tool="random_forest")


def _small_data(rows: int) -> Iterator[Step]:
    if rows <= SVM_ROWS:
        yield Step(
            "svm",
            f"{count(rows, 'row')} are few enough for a kernel machine, whose errors are unlike those of trees",
            tool="svm",
        )
    if rows <= NEIGHBORS_ROWS:
        yield Step(
            "k_nearest_neighbors",
            "neighbours in the scaled design, weak alone but different",
            tool="k_nearest_neighbors",
        )


def _neural(rows: int) -> Iterator[Step]:
    low, high = NEURAL_ROWS
    if low <= rows <= high and importlib.util.find_spec("torch"):
        yield Step(
            "neural_network",
            f"with {count(rows, 'row')} a small network with embeddings adds a smooth view",
            tool="neural_network",
        )


def _log_target(situation: Situation) -> str:
    """Why the target wants a log; empty when it does not."""
    target, metric = situation.profile.target, situation.task.metric
    if situation.task.kind != "regression" or target is None or target.minimum is None or target.minimum < 0:
        return ""
    if metric in RELATIVE_METRICS:
        return f"{metric} measures relative errors"
    if target.skew is not None and target.skew > SKEWED and metric not in ABSOLUTE_METRICS:
        return f"its skew is {target.skew:.1f}"
    return ""


def write(question: CodeQuestion) -> str:
    """Write the portfolio as one function, a candidate an entry."""
    kind = SINGLE_KIND.get(question.situation.task.kind, question.situation.task.kind)
    steps = [step for step in question.plan.steps if step.tool]
    names = sorted(
        {
            "Candidate",
            *(step.tool or "" for step in steps),
            *(["log_target"] if any("target" in s.parameters for s in steps) else []),
        }
        | ({"search_space"} if any(s.tool in TUNED for s in steps) else set())
    )
    lines = ['"""Modeling: the candidates, in order of preference; the harness trains, tunes and blends them."""', ""]
    lines += ["from autods.tools import (", *(f"    {name}," for name in names), ")", "", "", "def candidates(task):"]
    lines += ['    """Offer the estimators by name."""', "    return {"]
    for step in steps:
        lines.append(f"        # {step.because}")
        lines.append(f"        {step.action!r}: {_candidate(step, kind)},")
    return "\n".join([*lines, "    }", ""])


def _candidate(step: Step, kind: str) -> str:
    parameters = {name: value for name, value in step.parameters.items() if name != "target"}
    arguments = "".join(f", {name}={literal(value)}" for name, value in parameters.items())
    estimator = f"{step.tool}({kind!r}{arguments})"
    wrapped = "target" in step.parameters
    if wrapped:
        estimator = f"log_target({estimator})"
    if step.tool not in TUNED:
        return f"Candidate({estimator})"
    prefix = ', prefix="estimator__"' if wrapped else ""
    return f"Candidate({estimator}, space=search_space({step.tool!r}, {kind!r}, task.n_train{prefix}))"


def review(question: ReviewQuestion) -> Review:
    """Compare the blend with the best constant and the plain LightGBM, and say what it means."""
    training = question.training
    if training is None or training.blend is None:
        return review_by_gates(question, ["No candidate was finished; the plain LightGBM's submission stands."])
    findings = [
        f"The blend scores {score_text(training.blend.score)}; the best constant {score_text(training.constant)}."
    ]
    if training.baseline is not None and not training.blend.score.better_than(training.baseline):
        findings.append("The blend is not better than the plain LightGBM within what the folds can tell.")
    failed = [result for result in training.results if result.status in ("failed", "refused")]
    findings += [f"`{result.name}` failed: {result.message}" for result in failed[:5]]
    return review_by_gates(question, findings)


def summarize(question: SummaryQuestion) -> Summary:
    """Tell which candidates were tried, how they scored and what was submitted."""
    training = question.training
    if training is None:
        return Summary(
            "modeling",
            "No candidate was trained",
            "The submission is the best that came before.",
            "Nothing follows.",
            (plan_section(question.attempt.plan),),
        )
    blend = training.blend
    score = blend.score if blend else training.baseline
    done = [result for result in training.results if result.status == "ok"]
    members = (
        ", ".join(
            f"{percent(weight)} {name}" for name, weight in sorted(blend.weights.items(), key=lambda item: -item[1])
        )
        if blend
        else "the plain LightGBM"
    )
    sections = [
        plan_section(question.attempt.plan, "Which candidates were offered, and why"),
        Section(
            "How they scored",
            f"All scores are out of fold on the run's folds. {training.folds}",
            (_scores_table(training),),
        ),
        Section("What was submitted", _submitted_text(training, members)),
    ]
    left = [*training.cut_off, *training.not_done]
    if left:
        sections.append(Section("What was not done", "\n".join(f"- {text}" for text in left)))
    headline = f"{score_text(score)} from {count(len(done), 'candidate')}: {members}"
    changed = f"{count(len(done), 'candidate')} fitted on the run's folds; the submission is {members}."
    return Summary(
        "modeling",
        headline,
        changed,
        "Nothing follows: `submission.csv` and `solution.py` are final.",
        (*sections, gates_section(question)),
    )


def _scores_table(training: Training) -> Table:
    def row(name: str, score: Score | None, note: str, seconds: str = "") -> tuple[str, ...]:
        return (
            name,
            f"{score.value:.5f}" if score else "–",
            f"{score.standard_error:.5f}" if score else "–",
            seconds,
            note,
        )

    ranked = sorted(
        (r for r in training.results if r.score),
        key=lambda r: r.score.value if r.score else 0.0,
        reverse=training.constant.greater_is_better,
    )
    weights = training.blend.weights if training.blend else {}
    rows = [row("**blend**", training.blend.score, "submitted")] if training.blend else []
    rows += [
        row(r.name, r.score, f"weight {percent(weights[r.name])}" if r.name in weights else "", f"{r.seconds:.1f}")
        for r in ranked
    ]
    rows += [
        row("plain LightGBM", training.baseline, "the reference"),
        row("best constant", training.constant, "the floor"),
    ]
    rows += [
        row(r.name, None, f"{r.status.replace('_', ' ')}: {r.message}", f"{r.seconds:.1f}")
        for r in training.results
        if not r.score
    ]
    return Table(("candidate", "score", "standard error", "seconds", ""), tuple(rows))


def _submitted_text(training: Training, members: str) -> str:
    if training.blend is None:
        return "The submission is the plain LightGBM's, since no candidate was finished in time."
    decision = training.blend.decision
    how = {"argmax": "the most probable class", "none": "the blended values as they are"}.get(
        decision.kind, f"{decision.kind} {', '.join(f'{v:.3g}' for v in decision.values)}, chosen out of fold"
    )
    audit = (
        f" One fold of each member was refitted without its held-out labels: the largest difference is {max(training.audit.values()):.1g}."
        if training.audit
        else ""
    )
    return f"A blend of {members} ({training.blend.method}); labels and values are taken as {how}.{audit}"
