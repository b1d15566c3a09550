"""Preliminary EDA by rules: what is missing, odd, unseen, shifted or repeated in the raw data, and what the target looks like."""

from __future__ import annotations

from collections.abc import Iterator

from autods.profiling import Profile
from autods.reasoners.base import CodeQuestion, PlanQuestion, ReviewQuestion, Situation, SummaryQuestion
from autods.reasoners.rules.exploring import draw, explore_module, figures_sections, findings_table, measure
from autods.reasoners.rules.reviewing import gates_section, plan_section, review_by_gates
from autods.reasoners.rules.writing import agree, count, listed, percent
from autods.records import Plan, Review, Section, Step, Summary

__all__ = ["plan", "review", "summarize", "write"]

UNSEEN, DRIFTED, OUTLYING, SKEWED, MANY = 0.01, 0.15, 0.02, 1.0, 30


def plan(question: PlanQuestion) -> Plan:
    """Plan what to measure and draw, led by what the profile shows."""
    situation, profile = question.situation, question.situation.profile
    steps = [
        *_target(situation),
        *_missing(profile),
        *_values(profile),
        *_test_against_train(profile),
        *_rows(profile),
        *_pictures(profile),
    ]
    return Plan("preliminary_eda", tuple(steps))


def write(question: CodeQuestion) -> str:
    """Write the exploration."""
    return explore_module(question.plan, "Preliminary EDA: the raw data as it came, target joined.")


def _target(situation: Situation) -> Iterator[Step]:
    task, target = situation.task, situation.profile.target
    for name in task.targets[:6]:
        if task.kind in ("binary", "multiclass", "ordinal"):
            because = f"{count(len(task.classes), 'class', 'classes')}; folds are stratified, and a rare class limits their number"
            yield measure(
                "see how even the classes are",
                because,
                "share_of_rarest_level",
                [name],
                "The rarest class of {column} has {value:.1%} of the rows.",
            )
        elif task.kind == "multilabel":
            yield measure(
                "see how common the label is",
                "rare labels need stratified folds",
                "mean",
                [name],
                "{value:.1%} of the rows have {column}.",
            )
        else:
            skew = "" if target is None or target.skew is None else f" (skew {target.skew:.1f})"
            yield measure(
                "see how skewed the target is",
                f"a long tail wants a log or a robust loss{skew}",
                "skew",
                [name],
                "The skew of {column} is {value:.2f}.",
            )
    for number, name in enumerate(task.targets[:2]):
        yield draw(
            "draw the target",
            "its shape decides folds, metric and transforms",
            "plot_target",
            [name],
            target=name,
            name=f"target_{number + 1}.png",
        )


def _missing(profile: Profile) -> Iterator[Step]:
    gaps = {
        name: max(c.missing_train, c.missing_test)
        for name, c in profile.columns.items()
        if max(c.missing_train, c.missing_test) > 0
    }
    worst = sorted(gaps, key=lambda name: -gaps[name])[:MANY]
    if worst:
        because = f"{count(len(gaps), 'column')} {agree(len(gaps), 'has', 'have')} gaps, most in `{worst[0]}` ({percent(gaps[worst[0]])}); cleaning needs the shares"
        train_gaps = [name for name in worst if profile.columns[name].missing_train > 0]
        if train_gaps:
            yield measure(
                "measure the gaps", because, "missing_share", train_gaps, "{value:.1%} of {column} is missing."
            )
        yield draw("draw the gaps", because, "plot_missingness", worst)
    words = [name for name, column in profile.columns.items() if column.missing_tokens]
    if words:
        yield measure(
            "count placeholders",
            f"cells of {listed(words)} only look filled",
            "missing_word_share",
            words[:MANY],
            "{value:.1%} of {column} are words that mean missing.",
        )


def _values(profile: Profile) -> Iterator[Step]:
    numeric = profile.names("numeric")
    outlying = [name for name in numeric if (profile.columns[name].outlier_share or 0) > OUTLYING][:MANY]
    if outlying:
        worst = max(outlying, key=lambda name: profile.columns[name].outlier_share or 0)
        because = f"`{worst}` has {percent(profile.columns[worst].outlier_share)} beyond 1.5 interquartile ranges; clip only what is an error"
        yield measure(
            "measure outliers",
            because,
            "outlier_share_iqr",
            outlying,
            "{value:.1%} of {column} lie beyond 1.5 interquartile ranges.",
        )
    skewed = [name for name in numeric if abs(profile.columns[name].skew or 0) > SKEWED][:MANY]
    if skewed:
        yield measure(
            "measure skew",
            f"{count(len(skewed), 'column')} {agree(len(skewed), 'has a long tail', 'have long tails')}, which linear candidates must scale",
            "skew",
            skewed,
            "The skew of {column} is {value:.2f}.",
        )
    words = [name for name in profile.names("categorical", "ordinal", "boolean") if profile.columns[name].n_unique > 1]
    if words:
        yield measure(
            "measure the rarest levels",
            "levels with few rows cannot be learnt",
            "rare_level_share",
            words[:MANY],
            "{value:.1%} of the rows of {column} have a rare level.",
        )
    texts = profile.names("text")
    if texts:
        yield measure(
            "measure the length of texts",
            f"{listed(texts)} {agree(len(texts), 'holds', 'hold')} words",
            "mean_words",
            texts[:MANY],
            "{column} has {value:.1f} words on average.",
        )


def _test_against_train(profile: Profile) -> Iterator[Step]:
    if profile.n_test == 0:
        return
    columns = profile.columns
    unseen = [
        name
        for name, c in columns.items()
        if (c.unseen_share or 0) > UNSEEN and c.semantic in ("categorical", "ordinal", "boolean")
    ][:MANY]
    if unseen:
        yield measure(
            "find levels that only test has",
            "a candidate must have a bucket for them",
            "unseen_share",
            unseen,
            "{value:.1%} of test has a level of {column} that train lacks.",
        )
    shifted = sorted(
        (name for name, c in columns.items() if (c.drift or 0) > DRIFTED and c.semantic != "id_like"),
        key=lambda name: -(columns[name].drift or 0),
    )
    if shifted:
        because = f"{count(len(shifted), 'column')} {agree(len(shifted), 'differs', 'differ')} between train and test, most `{shifted[0]}` ({columns[shifted[0]].drift:.2f})"
        yield draw("draw train against test", because, "plot_drift", shifted)
    usual = [name for name, c in columns.items() if c.semantic not in ("id_like", "text", "constant")]
    if usual and profile.n_train >= MANY:
        yield measure(
            "ask whether test looks like train",
            "if a fit can tell them apart, validation will not carry over",
            "adversarial_auc",
            [tuple(usual[:200])],
            "Test is told from train with an AUC of {value:.2f} (0.5 means alike).",
        )


def _rows(profile: Profile) -> Iterator[Step]:
    if profile.duplicate_rows:
        because = f"{count(profile.duplicate_rows, 'row')} {agree(profile.duplicate_rows, 'repeats', 'repeat')} an earlier one; copies must share a fold"
        yield measure(
            "count repeated rows",
            because,
            "duplicate_share",
            [tuple(profile.columns)] if len(profile.columns) <= MANY else [()],
            "{value:.1%} of the rows repeat an earlier one.",
        )


def _pictures(profile: Profile) -> Iterator[Step]:
    numeric, words = profile.names("numeric", "integer_code"), profile.names("categorical", "ordinal", "boolean")
    if numeric:
        yield draw(
            "draw the numbers", "shape, tails and heaps at a glance", "plot_distributions", numeric, name="numbers.png"
        )
    if words:
        yield draw("draw the categories", "how even the levels are", "plot_distributions", words, name="categories.png")


def review(question: ReviewQuestion) -> Review:
    """Accept when every planned measurement was taken."""
    planned = sum(len(step.parameters["of"]) for step in question.attempt.plan.steps if step.tool == "findings")
    return review_by_gates(question, [f"{len(question.findings)} of {planned} planned measurements gave a number."])


def summarize(question: SummaryQuestion) -> Summary:
    """Tell what the raw data are like and what cleaning should do about it."""
    profile = question.situation.profile
    gaps = [name for name, column in profile.columns.items() if column.missing_train > 0]
    identifiers, constant = profile.names("id_like"), profile.names("constant")
    lines = [
        f"- **Missing**: {count(len(gaps), 'column')} ({listed(sorted(gaps, key=lambda name: -profile.columns[name].missing_train))}).",
        f"- **No use as they are**: {listed((*identifiers, *constant)) or 'none'}.",
        f"- **Repeated rows**: {profile.duplicate_rows:,} in train; {profile.shared_rows:,} test rows occur in train.",
        f"- **Nearly give the target away alone**: {listed([n for n, c in profile.columns.items() if c.near_perfect]) or 'none'}.",
    ]
    sections = [
        Section("What the raw data are like", "\n".join(lines)),
        *figures_sections(question.figures),
        Section("What was found", "Each number is recomputed by a gate.", (findings_table(question.findings),)),
        plan_section(question.attempt.plan, "What was looked at, and why"),
        gates_section(question),
    ]
    kinds = ", ".join(f"{len(names)} {semantic.replace('_', ' ')}" for semantic, names in profile.by_semantic().items())
    headline = f"{count(len(profile.columns), 'column')} ({kinds}); {count(len(gaps), 'column')} with gaps; {count(len(question.findings), 'finding')}"
    must_know = (
        "Cleaning: "
        + (f"mind the gaps in {listed(gaps)}; " if gaps else "nothing is missing; ")
        + (
            f"drop {listed((*identifiers, *constant))}."
            if identifiers or constant
            else "drop nothing for being constant or an identifier."
        )
    )
    return Summary(
        "preliminary_eda", headline, "Nothing: an exploration leaves the data as they are.", must_know, tuple(sections)
    )
