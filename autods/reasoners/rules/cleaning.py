"""Cleaning by rules: repair what the preliminary EDA found, and nothing that carries information."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autods.profiling import ColumnProfile, Profile
from autods.reasoners.base import CodeQuestion, PlanQuestion, ReviewQuestion, Situation, SummaryQuestion
from autods.reasoners.rules.instructions import Wishes, read_instructions
from autods.reasoners.rules.reviewing import gates_section, plan_section, probe_change, review_by_gates, score_text
from autods.reasoners.rules.writing import agree, count, frames_module, listed, percent
from autods.records import Intent, Plan, Review, Section, Step, Summary, Table

__all__ = ["plan", "review", "summarize", "write"]

# Defaults that a person's `rules:` override; each is said in the plan where it decides something.
MISSING_SHARE_TO_DROP = 0.98
FEW_MISSING = 0.05
FAR_OUT_IQR = 20.0


def plan(question: PlanQuestion) -> Plan:
    """Plan the repairs; a rejected plan is made again without what its review names."""
    situation = question.situation
    dropped = dict(_to_drop(situation))
    kept = {name: column for name, column in situation.profile.columns.items() if name not in dropped}
    careful = question.rejected is not None
    steps = [
        *_drop_steps(dropped),
        *_type_steps(kept),
        *_category_steps(kept),
        *([] if careful or _wishes(situation).no_clipping else _outlier_steps(kept, situation)),
        *_missing_steps(kept, situation, careful),
    ]
    if not steps:
        steps = [Step("leave the data as it is", "the preliminary EDA found nothing to repair")]
    keep_missing = () if _asks_to_fill(situation) else tuple(_left_missing(kept, careful))
    clip = tuple(column for step in steps if step.tool and "outliers" in step.tool for column in step.columns)
    intent = Intent(keep_missing=keep_missing, drop=tuple(dropped), clip=clip, keep_text=_named(kept, "text"))
    return Plan("cleaning", tuple(steps), intent, tuple(_obeyed(situation)))


def write(question: CodeQuestion) -> str:
    """Write the steps as one function."""
    return frames_module(question.plan, "clean", "Cleaning: the repairs that the preliminary EDA gives reason for.")


def _to_drop(situation: Situation) -> Iterator[tuple[str, str]]:
    """Columns that cannot help, with the number that says so."""
    limit = situation.config.rules.missing_share_to_drop or MISSING_SHARE_TO_DROP
    wishes = _wishes(situation)
    columns = situation.profile.columns
    useful = [name for name, column in columns.items() if column.semantic not in ("id_like", "constant")]
    for name, column in columns.items():
        if name in wishes.drop:
            yield name, "the instructions ask for it"
        elif name in wishes.keep:
            continue
        elif column.semantic == "constant":
            yield name, f"it holds {count(column.n_unique, 'value')} in {count(situation.profile.n_train, 'row')}"
        elif column.missing_train >= limit:
            yield (
                name,
                f"{percent(column.missing_train)} of train is missing, at or above the limit of {percent(limit)}",
            )
        elif column.semantic == "id_like" and useful:
            row = ", and it moves with the row number" if column.monotone_in_row else ""
            yield (
                name,
                f"{count(column.n_unique, 'distinct value')} in {count(situation.profile.n_train, 'row')}: it names rows and says nothing of new ones{row}",
            )


def _drop_steps(dropped: dict[str, str]) -> list[Step]:
    if not dropped:
        return []
    reasons: dict[str, list[str]] = {}
    for name, reason in dropped.items():
        reasons.setdefault(reason, []).append(name)
    steps = [Step("drop what cannot help", reason, tuple(names), "drop_columns") for reason, names in reasons.items()]
    return (
        steps
        if len(steps) <= 12
        else [
            Step(
                "drop what cannot help", "constant, nearly all missing, or naming rows", tuple(dropped), "drop_columns"
            )
        ]
    )


def _type_steps(columns: dict[str, ColumnProfile]) -> Iterator[Step]:
    tokens = {
        name: tuple(column.missing_tokens)
        for name, column in columns.items()
        if column.missing_tokens and column.semantic != "text"
    }
    if tokens:
        cells = sum(sum(columns[name].missing_tokens.values()) for name in tokens)
        spelled = sorted({token for values in tokens.values() for token in values})
        because = f"{count(cells, 'cell')} only {agree(cells, 'looks', 'look')} filled: {listed(spelled)}"
        yield Step(
            "read placeholders as missing", because, tuple(tokens), "values_to_missing", {"values": tuple(spelled)}
        )
    units = {
        name: column.unit
        for name, column in columns.items()
        if column.unit and not column.dtype.startswith(("float", "int"))
    }
    if units:
        because = "numbers written as text: " + ", ".join(
            f"`{name}` in {unit}" for name, unit in list(units.items())[:6]
        )
        yield Step("read numbers written as text", because, tuple(units), "parse_numbers")
    dates = tuple(
        name
        for name, column in columns.items()
        if column.semantic == "datetime" and not column.dtype.startswith("datetime")
    )
    if dates:
        yield Step(
            "read dates",
            "their cells are dates as text; mixed offsets go to UTC, cells without one are taken as UTC",
            dates,
            "format_datetime",
        )


def _category_steps(columns: dict[str, ColumnProfile]) -> Iterator[Step]:
    variants = tuple(
        name
        for name, column in columns.items()
        if column.semantic in ("categorical", "boolean", "ordinal") and _has_variants(column)
    )
    if variants:
        because = "levels differ only in blanks or case, so one category would count as two"
        yield Step("spell categories one way", because, variants, "normalise_categories")


def _has_variants(column: ColumnProfile) -> bool:
    levels = [level for level, _ in column.top]
    return column.dtype == "str" and len({" ".join(level.casefold().split()) for level in levels}) < len(levels)


def _outlier_steps(columns: dict[str, ColumnProfile], situation: Situation) -> Iterator[Step]:
    """Clip by the person's rule, else only values so far out that they are errors or break a linear fit."""
    rules = situation.config.rules
    numeric = _named(columns, "numeric")
    if rules.z_threshold is not None and numeric:
        yield Step(
            "clip outliers",
            f"the rule z_threshold = {rules.z_threshold:g}",
            numeric,
            "detect_and_handle_outliers_zscore",
            {"threshold": rules.z_threshold},
        )
        return
    if rules.iqr_factor is not None and numeric:
        yield Step(
            "clip outliers",
            f"the rule iqr_factor = {rules.iqr_factor:g}",
            numeric,
            "detect_and_handle_outliers_iqr",
            {"factor": rules.iqr_factor},
        )
        return
    far = {name: reach for name in numeric if (reach := _reach(columns[name])) > FAR_OUT_IQR}
    if far:
        worst = max(far, key=lambda name: far[name])
        because = f"values lie more than {FAR_OUT_IQR:g} interquartile ranges from the quartiles (`{worst}`: {far[worst]:,.0f})"
        yield Step(
            "clip the farthest outliers", because, tuple(far), "detect_and_handle_outliers_iqr", {"factor": FAR_OUT_IQR}
        )


def _reach(column: ColumnProfile) -> float:
    """How many interquartile ranges the extremes lie beyond the quartiles; 0 for columns too lumpy to tell."""
    if len(column.quantiles) < 5 or column.minimum is None or column.maximum is None:
        return 0.0
    low, high = column.quantiles[1], column.quantiles[3]
    spread = high - low
    # Where most values are equal the quartiles say nothing of the scale.
    if spread <= 0 or column.quantiles[2] in (low, high):
        return 0.0
    return max(column.maximum - high, low - column.minimum) / spread


def _missing_steps(columns: dict[str, ColumnProfile], situation: Situation, careful: bool) -> Iterator[Step]:
    gaps = {name: column for name, column in columns.items() if _gap(column) > 0}
    words = tuple(name for name, column in gaps.items() if _is_words(column))
    if words:
        worst = max(words, key=lambda name: _gap(gaps[name]))
        because = f"absence is information of its own (`{worst}`: {percent(_gap(gaps[worst]))} missing)"
        yield Step("give missing categories a level of their own", because, words, "missing_as_level")
    fill = _named(
        gaps, "numeric", "integer_code", "boolean", "ordinal", "datetime", "constant", "id_like", "categorical"
    )
    numbers = tuple(
        name
        for name in fill
        if name not in words and (_asks_to_fill(situation) or name not in _left_missing(columns, careful))
    )
    dates = tuple(name for name in numbers if columns[name].semantic == "datetime")
    numbers = tuple(name for name in numbers if name not in dates)
    if numbers:
        worst = max(numbers, key=lambda name: _gap(gaps[name]))
        because = f"few cells are missing (at most {percent(_gap(gaps[worst]))}, in `{worst}`), too few to be a signal"
        if _asks_to_fill(situation):
            because = "the instructions ask that nothing stays missing"
        yield Step(
            "fill the few missing numbers with the median",
            because,
            numbers,
            "fill_missing_values",
            {"method": "median"},
        )
    left = _left_missing(columns, careful)
    if left and not _asks_to_fill(situation):
        worst = max(left, key=lambda name: _gap(columns[name]))
        because = f"boosters learn from absence, linear pipelines impute inside their folds (most: `{worst}`, {percent(_gap(columns[worst]))})"
        yield Step("leave the other missing numbers missing, on purpose", because, tuple(left))


def _left_missing(columns: dict[str, ColumnProfile], careful: bool) -> list[str]:
    """Numbers and dates with more than a few gaps stay missing; all of them after a rejected plan."""
    few = 0.0 if careful else FEW_MISSING
    return [
        name
        for name, column in columns.items()
        if _gap(column) > 0 and not _is_words(column) and (column.semantic == "datetime" or _gap(column) > few)
    ]


def _gap(column: ColumnProfile) -> float:
    cells = sum(column.missing_tokens.values()) if column.missing_tokens and column.semantic != "text" else 0
    return max(column.missing_train, column.missing_test, 1e-9 if cells else 0.0)


def _is_words(column: ColumnProfile) -> bool:
    return (
        column.dtype == "str"
        and column.semantic != "datetime"
        and not column.unit
        and not _numeric_but_for_tokens(column)
    )


def _numeric_but_for_tokens(column: ColumnProfile) -> bool:
    return column.semantic in ("numeric", "integer_code") and column.dtype == "str"


def _named(columns: dict[str, ColumnProfile], *semantics: str) -> tuple[str, ...]:
    return tuple(name for name, column in columns.items() if column.semantic in semantics)


def _wishes(situation: Situation) -> Wishes:
    return read_instructions(situation.instructions, situation.profile.columns)


def _asks_to_fill(situation: Situation) -> bool:
    return _wishes(situation).fill_all


def _obeyed(situation: Situation) -> Iterator[str]:
    rules = situation.config.rules
    if rules.missing_share_to_drop is not None:
        yield f"missing_share_to_drop = {rules.missing_share_to_drop:g}: columns with that share missing were dropped."
    if rules.z_threshold is not None:
        yield f"z_threshold = {rules.z_threshold:g}: numeric columns were clipped there."
    elif rules.iqr_factor is not None:
        yield f"iqr_factor = {rules.iqr_factor:g}: numeric columns were clipped there."
    yield from (f"“{sentence}”" for sentence in _wishes(situation).understood)


def review(question: ReviewQuestion) -> Review:
    """Reject only when the probe got worse beyond noise; the next plan then only does what cannot hurt."""
    change = probe_change(question.probe_before, question.attempt.probe)
    findings = [f"Probe: {change.text}."] if change else []
    suggestions = (
        ["Do not clip outliers and leave numbers missing: the probe got worse beyond noise."]
        if change and change.worse
        else []
    )
    return review_by_gates(question, findings, suggestions)


def summarize(question: SummaryQuestion) -> Summary:
    """Tell what was repaired in which columns, and what that did to the probe."""
    before, after, plan_ = question.situation.profile, question.profile_after, question.attempt.plan
    steps = [step for step in plan_.steps if step.tool]
    changed = _changes(before, after, steps)
    change = probe_change(question.probe_before, question.attempt.probe)
    probe = f"The probe (a plain LightGBM on the run's folds) went from {score_text(question.probe_before)} to {score_text(question.attempt.probe)}"
    sections = [plan_section(plan_)]
    if after is not None:
        sections.append(_columns_section(before, after))
    sections += [
        Section("What it did to the probe", f"{probe} ({change.text})." if change else "The probe was not measured."),
        gates_section(question),
    ]
    kept = plan_.intent.keep_missing
    must_know = f"Missing on purpose: {listed(kept)}." if kept else "Nothing is missing any more."
    dropped = f" Dropped: {listed(plan_.intent.drop)}." if plan_.intent.drop else ""
    headline = f"{count(len(steps), 'repair')}; {changed[0].lower() + changed[1:]}"
    return Summary("cleaning", headline, changed, must_know + dropped, tuple(sections))


def _changes(before: Profile, after: Profile | None, steps: Sequence[Step]) -> str:
    if after is None:
        return "The columns stayed as they were."
    gone = len(set(before.columns) - set(after.columns))
    filled = sum(
        1
        for name, column in after.columns.items()
        if name in before.columns and _holes(before.columns[name]) and not _holes(column)
    )
    parts = [
        f"{count(number, 'column')} {what}" for number, what in ((gone, "dropped"), (filled, "completed")) if number
    ]
    return (
        ", ".join(
            [*parts, f"{count(len(after.columns), 'column')} remain" if parts else "No column was dropped or completed"]
        )
        + "."
    )


def _holes(column: ColumnProfile) -> bool:
    return column.missing_train + column.missing_test > 0


def _columns_section(before: Profile, after: Profile) -> Section:
    rows = []
    for name, column in before.columns.items():
        now = after.columns.get(name)
        state = (
            "dropped" if now is None else now.dtype if now.dtype == column.dtype else f"{column.dtype} → {now.dtype}"
        )
        missing = percent(column.missing_train) + ("" if now is None else f" → {percent(now.missing_train)}")
        if now is None or now.dtype != column.dtype or now.missing_train != column.missing_train:
            rows.append((f"`{name}`", column.semantic, state, missing))
    shown = tuple(rows[:60])
    caption = f"{count(len(rows), 'column')} changed" + (", the first 60 shown" if len(rows) > 60 else "")
    return (
        Section("Columns that changed", "", (Table(("column", "type", "state", "missing in train"), shown, caption),))
        if rows
        else Section("Columns that changed", "None.")
    )
