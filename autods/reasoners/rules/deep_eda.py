"""Deep EDA by rules: how the cleaned columns relate to the target and to each other, and which features that suggests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from autods.profiling import Profile
from autods.reasoners.base import CodeQuestion, PlanQuestion, ReviewQuestion, Situation, SummaryQuestion
from autods.reasoners.rules.exploring import draw, explore_module, figures_sections, findings_table, measure, strongest
from autods.reasoners.rules.reviewing import gates_section, plan_section, review_by_gates
from autods.reasoners.rules.writing import agree, count, listed
from autods.records import Plan, Review, Section, Step, Summary

__all__ = ["plan", "review", "summarize", "write"]

MOST_SIGNALS, MOST_PAIRS, CORRELATED = 30, 6, 0.95


def plan(question: PlanQuestion) -> Plan:
    """Plan what to relate, the columns that rank the target best first."""
    situation, profile = question.situation, question.situation.profile
    target = situation.task.targets[0]
    steps = [
        *_signals(profile, target),
        *_gaps(profile, target),
        *_pairs(profile, target),
        *_among_features(profile),
        *_pictures(situation),
        measure(
            "see how complete the rows are",
            "whatever else is undefined on odd data, this is known",
            "complete_row_share",
            [()],
            "{value:.1%} of the rows have no missing cell.",
        ),
    ]
    if not _usual(profile):
        steps.append(
            draw(
                "draw the target",
                "there is no feature that could be related to it",
                "plot_target",
                [target],
                target=target,
            )
        )
    return Plan("deep_eda", tuple(steps))


def write(question: CodeQuestion) -> str:
    """Write the exploration."""
    return explore_module(question.plan, "Deep EDA: the cleaned columns against the target and each other.")


def _usual(profile: Profile) -> tuple[str, ...]:
    return profile.names("numeric", "integer_code", "boolean", "categorical", "ordinal")


def _signals(profile: Profile, target: str) -> Iterator[Step]:
    names = strongest(profile, _usual(profile), MOST_SIGNALS)
    if names:
        because = f"`{names[0]}` ranks the target best alone ({profile.columns[names[0]].signal or 0:.2f}); features are built from the strongest"
        yield measure(
            "rank columns by what they say of the target",
            because,
            "signal",
            [(name, target) for name in names],
            "{column} alone ranks {target} with a signal of {value:.2f} (0 none, 1 all).",
        )
    words = [name for name in names if profile.columns[name].semantic in ("categorical", "ordinal", "boolean")][
        :MOST_SIGNALS
    ]
    if words:
        yield measure(
            "see how far levels differ",
            "levels that differ are worth encoding by the target inside folds",
            "eta_squared_adjusted",
            [(name, target) for name in words],
            "Levels of {column} explain {value:.1%} of the variance of {target}.",
        )
    texts = profile.names("text")
    if texts:
        yield measure(
            "ask whether length tells",
            f"{listed(texts)} {agree(len(texts), 'holds', 'hold')} words",
            "text_length_signal",
            [(name, target) for name in texts],
            "The length of {column} alone ranks {target} with a signal of {value:.2f}.",
        )


def _gaps(profile: Profile, target: str) -> Iterator[Step]:
    gaps = [name for name, column in profile.columns.items() if column.missing_train > 0.01][:MOST_SIGNALS]
    if gaps:
        because = f"where absence goes with the target, it is a feature ({listed(gaps)})"
        yield measure(
            "ask whether absence tells",
            because,
            "missing_association",
            [(name, target) for name in gaps],
            "Whether {column} is missing goes with {target} at {value:.2f}.",
        )


def _pairs(profile: Profile, target: str) -> Iterator[Step]:
    numeric = strongest(profile, [name for name in profile.names("numeric") if profile.columns[name].n_unique > 15], 4)
    pairs = list(itertools.combinations(numeric, 2))[:MOST_PAIRS]
    if pairs:
        because = f"ratios of {listed(numeric)} may rank the target better than either"
        yield measure(
            "ask whether ratios tell more",
            because,
            "ratio_gain",
            [(a, b, target) for a, b in pairs],
            "{column} per {other} gains {value:+.3f} over the better of the two.",
        )


def _among_features(profile: Profile) -> Iterator[Step]:
    numeric = strongest(profile, profile.names("numeric", "integer_code"), 12)
    if len(numeric) > 1:
        pairs = list(itertools.combinations(numeric, 2))
        because = f"two of {count(len(numeric), 'column')} that move together carry one signal"
        yield measure(
            "find columns that say the same",
            because,
            "spearman",
            pairs[:66],
            "{column} and {other} are rank-correlated at {value:+.2f}.",
        )
        yield draw("draw the correlations", because, "plot_correlation", numeric)


def _pictures(situation: Situation) -> Iterator[Step]:
    profile, target = situation.profile, situation.task.targets[0]
    names = strongest(profile, _usual(profile))
    if names:
        yield draw(
            "draw the strongest against the target",
            "the form of a relation decides the feature",
            "plot_target_relation",
            names,
            target=target,
        )


def review(question: ReviewQuestion) -> Review:
    """Accept when the relations were measured."""
    planned = sum(len(step.parameters["of"]) for step in question.attempt.plan.steps if step.tool == "findings")
    return review_by_gates(question, [f"{len(question.findings)} of {planned} planned measurements gave a number."])


def summarize(question: SummaryQuestion) -> Summary:
    """Tell which columns matter, which repeat each other, and what features that suggests."""
    findings = question.findings
    signals = sorted((f for f in findings if f.statistic == "signal"), key=lambda f: -f.value)
    twins = [f for f in findings if f.statistic == "spearman" and abs(f.value) > CORRELATED]
    ratios = sorted((f for f in findings if f.statistic == "ratio_gain" and f.value > 0), key=lambda f: -f.value)
    best = [f.columns[0] for f in signals[:5]]
    lines = [
        f"- **Strongest alone**: {', '.join(f'`{f.columns[0]}` ({f.value:.2f})' for f in signals[:6]) or 'nothing could be measured'}.",
        f"- **Say the same**: {', '.join(f'`{f.columns[0]}` and `{f.columns[1]}` ({f.value:+.2f})' for f in twins[:5]) or 'no pair beyond 0.95'}.",
        f"- **Ratios that gain**: {', '.join(f'`{f.columns[0]}`/`{f.columns[1]}` ({f.value:+.3f})' for f in ratios[:4]) or 'none'}.",
    ]
    sections = [
        Section("What matters", "\n".join(lines)),
        *figures_sections(question.figures),
        Section("What was found", "Each number is recomputed by a gate.", (findings_table(findings),)),
        plan_section(question.attempt.plan, "What was looked at, and why"),
        gates_section(question),
    ]
    headline = f"{count(len(findings), 'finding')}; strongest alone: {listed(best, 3) or 'nothing'}"
    must_know = f"Build on {listed(best)}." if best else "No column ranks the target alone."
    return Summary(
        "deep_eda", headline, "Nothing: an exploration leaves the data as they are.", must_know, tuple(sections)
    )
