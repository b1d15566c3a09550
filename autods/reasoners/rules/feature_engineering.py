"""Feature engineering by rules: what a Kaggler would build from these columns, each feature with its evidence."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from autods.profiling import ColumnProfile
from autods.reasoners.base import CodeQuestion, PlanQuestion, ReviewQuestion, Situation, SummaryQuestion
from autods.reasoners.rules.evidence import evidence
from autods.reasoners.rules.reviewing import gates_section, plan_section, probe_change, review_by_gates, score_text
from autods.reasoners.rules.writing import agree, count, frames_module, listed, percent
from autods.records import Intent, Plan, Review, Section, Step, Summary, Table

__all__ = ["is_free_text", "plan", "review", "summarize", "write"]

FREE_TEXT_WORDS = 3.0
MANY_LEVELS = 15
_MAY_LEAVE_GAPS = ("split_structured", "datetime_parts", "differences", "ratios", "ordinal_map", "text_statistics")
# Arithmetic pairs grow with the square of the columns, so only the strongest few take part, and not on few rows.
STRONGEST, PAIR_ROWS, PAIR_SIGNAL = 4, 500, 0.1


def plan(question: PlanQuestion) -> Plan:
    """Plan the features; a rejected plan is made again without its optional blocks, at last with the necessary ones only."""
    situation, columns = question.situation, dict(question.situation.profile.columns)
    text = tuple(name for name, column in columns.items() if is_free_text(column))
    blocks: list[Iterator[Step]] = [
        _structured(columns, text),
        _groups(columns, text),
        _ordinals(columns),
        _dates(columns),
    ]
    if question.iteration < 3:
        blocks += [_text(text, columns, question.iteration), _rare(columns, text)]
    if question.iteration < 2:
        blocks += [_pairs(situation, columns), _gaps(columns)]
    steps = [step for block in blocks for step in block]
    dropped = tuple(_dropped(columns, text, situation))
    if dropped:
        reason = "their parts and group sizes say what they can; as they are nearly every row has its own level"
        steps.append(Step("drop the originals", reason, dropped, "drop_columns"))
    steps += _one_hot(situation, columns, text, dropped)
    limit = situation.config.rules.correlation_limit
    if limit is not None:
        steps.append(
            Step(
                "drop one of two features that say the same",
                f"the rule correlation_limit = {limit:g}",
                (),
                "correlation_feature_selection",
                {"threshold": limit},
            )
        )
    obeyed = tuple(_obeyed(situation))
    if not steps:
        steps.append(Step("make no new feature", "the deep EDA gives no reason for one"))
    steps.append(Step("drop what holds one value", "it cannot tell rows apart", (), "remove_constant_columns"))
    steps.append(Step("drop what repeats another column", "a copy adds nothing", (), "remove_duplicate_columns"))
    gone = (
        *dropped,
        *(
            name
            for step in steps
            if step.tool in ("datetime_parts", "ordinal_map", "one_hot_encode")
            for name in step.columns
        ),
    )
    gaps = tuple(name for name, column in columns.items() if column.missing_train + column.missing_test > 0)
    # What is made of text, dates or quotients is missing where there is nothing to take apart or to divide by.
    made = {f"{name}_*" for step in steps if step.tool in _MAY_LEAVE_GAPS for name in _sources(step)}
    # A level that train lacks has no place in an order.
    unknown = {name for step in steps if step.tool == "ordinal_map" for name in step.columns}
    keep_missing = (*gaps, *sorted(made | unknown))
    return Plan(
        "feature_engineering", tuple(steps), Intent(keep_missing=keep_missing, drop=gone, keep_text=text), obeyed
    )


def _obeyed(situation: Situation) -> Iterator[str]:
    rules = situation.config.rules
    if rules.correlation_limit is not None:
        yield f"correlation_limit = {rules.correlation_limit:g}: one of two features correlated above it was dropped."
    if rules.one_hot_levels is not None:
        yield f"one_hot_levels = {rules.one_hot_levels}: categories with at most so many levels were one-hot encoded."


def write(question: CodeQuestion) -> str:
    """Write the steps as one function."""
    return frames_module(
        question.plan, "engineer", "Feature engineering: the features that the deep EDA gives reason for."
    )


def _sources(step: Step) -> tuple[str, ...]:
    return step.columns or tuple(pair[0] for pair in step.parameters.get("pairs", ()))


def is_free_text(column: ColumnProfile) -> bool:
    """Whether a column holds sentences rather than names or codes."""
    named = column.pattern is not None and column.pattern.kind in ("person_name", "delimited", "prefix_number")
    return column.semantic == "text" and not named and (column.avg_words or 0) >= FREE_TEXT_WORDS


def _structured(columns: dict[str, ColumnProfile], text: tuple[str, ...]) -> Iterator[Step]:
    for name, column in columns.items():
        if column.pattern is None or name in text or column.dtype != "str" or column.pattern.kind == "list":
            continue
        shape = {
            "person_name": "a surname, a title and given names",
            "delimited": f"{column.pattern.n_parts} parts between {column.pattern.separator!r}",
        }
        said = shape.get(column.pattern.kind, "an optional prefix and a number")
        yield Step(
            "take structured text apart",
            f"{percent(column.pattern.share)} of `{name}` are {said}",
            (name,),
            "split_structured",
        )


def _groups(columns: dict[str, ColumnProfile], text: tuple[str, ...]) -> Iterator[Step]:
    """Rows that share a code or a name belong together: the size of the group is a feature."""
    for name, column in columns.items():
        if column.dtype != "str" or name in text or column.semantic in ("boolean", "ordinal"):
            continue
        if column.pattern is not None and column.pattern.kind == "person_name":
            yield Step(
                "count the rows of a family",
                f"`{name}` gives a surname, and rows with the same one may belong together",
                (),
                "group_size",
                {"by": [f"{name}_surname"]},
            )
            yield Step(
                "drop the surname itself",
                "nearly every family has its own, and its size is kept",
                (f"{name}_surname",),
                "drop_columns",
            )
        elif (
            (column.semantic != "categorical" or column.pattern) and column.n_unique > MANY_LEVELS and _repeats(column)
        ):
            yield Step(
                "count the rows that share a value",
                f"`{name}` has {column.n_unique:,} levels that recur across rows",
                (),
                "group_size",
                {"by": [name]},
            )


def _repeats(column: ColumnProfile) -> bool:
    return bool(column.top) and column.top[0][1] > 1


def _ordinals(columns: dict[str, ColumnProfile]) -> Iterator[Step]:
    ladders = {
        name: list(column.ordinal_levels)
        for name, column in columns.items()
        if column.semantic == "ordinal" and column.dtype == "str" and column.ordinal_levels
    }
    by_ladder: dict[tuple[str, ...], list[str]] = {}
    for name, levels in ladders.items():
        by_ladder.setdefault(tuple(levels), []).append(name)
    for ladder, names in by_ladder.items():
        order = (
            ["missing", *ladder]
            if any("missing" in dict(columns[name].top) for name in names) and "missing" not in ladder
            else list(ladder)
        )
        yield Step(
            "number ordered words",
            f"their levels have an order: {' < '.join(ladder)}",
            tuple(names),
            "ordinal_map",
            {"order": order},
        )


def _dates(columns: dict[str, ColumnProfile]) -> Iterator[Step]:
    dates = tuple(name for name, column in columns.items() if column.semantic == "datetime")
    # Durations come first: taking dates apart drops them.
    if len(dates) > 1:
        yield Step(
            "measure the time between dates",
            "durations are often what matters",
            (),
            "differences",
            {"pairs": [list(pair) for pair in itertools.combinations(dates[:4], 2)]},
        )
    if dates:
        yield Step("take dates apart", "season, weekday and trend hide in a date", dates, "datetime_parts")


def _text(text: tuple[str, ...], columns: dict[str, ColumnProfile], iteration: int) -> Iterator[Step]:
    if not text:
        return
    words = ", ".join(f"`{name}` has {columns[name].avg_words:.0f} words on average" for name in text[:4])
    yield Step(
        "describe how texts are written",
        f"{words}; length, capitals, digits and punctuation can tell",
        text,
        "text_statistics",
    )
    if iteration < 2:
        yield Step(
            "describe what texts are about",
            "trees cannot read words: 20 directions of their TF-IDF weights",
            text,
            "text_svd",
            {"n_components": 20},
        )


def _rare(columns: dict[str, ColumnProfile], text: tuple[str, ...]) -> Iterator[Step]:
    many = tuple(
        name
        for name, column in columns.items()
        if column.dtype == "str"
        and column.semantic == "categorical"
        and column.pattern is None
        and column.n_unique > MANY_LEVELS
        and name not in text
    )
    if many:
        because = f"more than {MANY_LEVELS} levels each; how common a level is generalises to rare ones"
        yield Step("say how common a level is", because, many, "frequency_encode")


def _one_hot(
    situation: Situation, columns: dict[str, ColumnProfile], text: tuple[str, ...], dropped: tuple[str, ...]
) -> Iterator[Step]:
    """Only when a person asks for it: the candidates' own encodings handle unseen and rare levels."""
    limit = situation.config.rules.one_hot_levels
    few = tuple(
        name
        for name, column in columns.items()
        if column.dtype == "str"
        and column.semantic in ("categorical", "boolean")
        and column.n_unique <= (limit or 0)
        and name not in (*text, *dropped)
    )
    if few:
        yield Step("one-hot encode", f"the rule one_hot_levels = {limit}", few, "one_hot_encode", {"max_levels": limit})


def _pairs(situation: Situation, columns: dict[str, ColumnProfile]) -> Iterator[Step]:
    """Ratios and differences of the numbers that rank the target best alone."""
    if situation.profile.n_train < PAIR_ROWS:
        return
    strong = [
        (column.signal, name)
        for name, column in columns.items()
        if column.semantic == "numeric"
        and column.signal is not None
        and column.signal >= PAIR_SIGNAL
        and column.n_unique > MANY_LEVELS
    ]
    names = [name for _, name in sorted(strong, reverse=True)[:STRONGEST]]
    pairs = list(itertools.combinations(names, 2))
    positive = [list(pair) for pair in pairs if all((columns[name].minimum or 0) > 0 for name in pair)]
    if positive:
        cited = "; ".join(f"`{name}` {columns[name].signal:.2f}" for name in names)
        yield Step(
            "relate the strongest numbers",
            f"alone they rank the target best (signal {cited}); {evidence(situation, names)}",
            (),
            "ratios",
            {"pairs": positive},
        )


def _gaps(columns: dict[str, ColumnProfile]) -> Iterator[Step]:
    gaps = tuple(name for name, column in columns.items() if column.missing_train > 0)
    if len(gaps) > 2:
        yield Step(
            "count what is missing in a row",
            f"{count(len(gaps), 'column')} have gaps; how many a row has can be a signal",
            (),
            "count_missing",
        )


def _dropped(columns: dict[str, ColumnProfile], text: tuple[str, ...], situation: Situation) -> Iterator[str]:
    for name, column in columns.items():
        if column.dtype != "str" or name in text or column.semantic in ("boolean", "ordinal", "datetime"):
            continue
        named = column.pattern is not None and column.pattern.kind != "list"
        nearly_unique = column.n_unique > 0.5 * max(situation.profile.n_train, 1)
        if nearly_unique and (named or _repeats(column)) and len(columns) > 1:
            yield name


def review(question: ReviewQuestion) -> Review:
    """Reject features that make the probe worse beyond noise; the next plan leaves the optional ones out."""
    change = probe_change(question.probe_before, question.attempt.probe)
    findings = [f"Probe: {change.text}."] if change else []
    suggestions = (
        ["Leave out the optional features: the probe got worse beyond noise."] if change and change.worse else []
    )
    return review_by_gates(question, findings, suggestions)


def summarize(question: SummaryQuestion) -> Summary:
    """Tell which features were made of what, and what the probe says of them."""
    before, after, plan_ = question.situation.profile, question.profile_after, question.attempt.plan
    old, new = set(before.columns), dict(after.columns) if after else {}
    added, gone = [name for name in new if name not in old], [name for name in before.columns if name not in new]
    change = probe_change(question.probe_before, question.attempt.probe)
    probe = f"The probe went from {score_text(question.probe_before)} to {score_text(question.attempt.probe)}" + (
        f" ({change.text})." if change else "."
    )
    rows = tuple(_feature_row(new[name]) for name in sorted(added, key=lambda name: -(new[name].signal or 0))[:40])
    caption = f"{count(len(added), 'new feature')}" + (", the 40 strongest shown" if len(added) > 40 else "")
    table = Table(("feature", "type", "distinct", "missing", "signal alone"), rows, caption)
    sections = [
        plan_section(plan_),
        Section(
            "The new features",
            "The signal is how well a feature alone ranks the target on held-out halves, 0 to 1.",
            (table,) if rows else (),
        ),
    ]
    sections += [Section("What they did to the probe", probe), gates_section(question)]
    parts = [
        f"{count(len(names), 'column')} {what} ({listed(names)})"
        for names, what in ((added, "added"), (gone, "gone"))
        if names
    ]
    changed = "; ".join(parts) + "." if parts else "The columns stayed as they were."
    headline = f"{count(len(added), 'new feature')}, {count(len(new), 'column')} in all; probe {score_text(question.attempt.probe)}"
    return Summary(
        "feature_engineering",
        headline,
        changed,
        f"{count(len(new), 'feature')} {agree(len(new), 'goes', 'go')} into modeling; text is left to the candidates' own pipelines: {listed(plan_.intent.keep_text) or 'none'}.",
        tuple(sections),
    )


def _feature_row(column: ColumnProfile) -> tuple[str, ...]:
    signal = "–" if column.signal is None else f"{column.signal:.3f}"
    return (f"`{column.name}`", column.semantic, f"{column.n_unique:,}", percent(column.missing_train), signal)
