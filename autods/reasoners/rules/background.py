"""Background by rules: is the task understood well enough to spend compute on, and what does a person need to know?"""

from __future__ import annotations

from autods.reasoners.base import ReviewQuestion, Situation, SummaryQuestion
from autods.reasoners.rules.reviewing import gates_section, review_by_gates
from autods.reasoners.rules.writing import agree, count, listed, percent
from autods.records import Note, Review, Section, Summary, Table

__all__ = ["doubtful_facts", "review", "summarize"]

DOUBTFUL = 0.6
KINDS = {
    "binary": "a binary classification",
    "multiclass": "a classification into several classes",
    "ordinal": "a classification into ordered classes",
    "multilabel": "a multilabel classification",
    "regression": "a regression",
    "multi_regression": "a regression of several targets",
}
WANTS = {
    "labels": "a label for every row",
    "probability": "a probability for every row",
    "class_probabilities": "a probability for every class and row",
    "values": "a number for every row and target",
}


def review(question: ReviewQuestion) -> Review:
    """Accept the brief; say which facts are doubtful, so that a person can set them before compute is spent."""
    doubtful = doubtful_facts(question.situation)
    return review_by_gates(question, [f"Doubtful: {text}" for text in doubtful])


def doubtful_facts(situation: Situation) -> list[str]:
    """Name the facts whose confidence is low, with the key of competition.yaml that settles them."""
    return [
        f"{name} = {fact.value} ({percent(fact.confidence)} sure: {fact.evidence}); `{name}:` in competition.yaml settles it."
        for name, fact in situation.task.facts.items()
        if fact.confidence < DOUBTFUL
    ]


def summarize(question: SummaryQuestion) -> Summary:
    """Tell what is asked, of which data, how it is scored, and what was repaired while reading."""
    situation, task, profile = question.situation, question.situation.task, question.situation.profile
    direction = "higher is better" if task.greater_is_better else "lower is better"
    targets = listed(task.targets)
    headline = f"{KINDS[task.kind].capitalize()} of {targets}, scored by {task.metric}; {count(profile.n_train, 'row')} to learn from, {profile.n_test:,} to predict"
    doubtful = doubtful_facts(situation)
    asked = (
        f"The task is {KINDS[task.kind]}: predict {targets} for {count(profile.n_test, 'test row')} from {count(len(profile.columns), 'feature')}. "
        f"Submissions hold {WANTS[task.submission.form]} and are scored by **{task.metric}** ({direction})."
        + (f" The classes are {listed(task.classes, 10)}." if task.classes else "")
    )
    facts = Table(
        ("fact", "value", "evidence", "confidence"),
        tuple((n, f.value, f.evidence, percent(f.confidence)) for n, f in task.facts.items()),
    )
    files = tuple(
        (f.name, f.role, f"{f.rows:,}" if f.rows else "", str(f.columns or ""), f.encoding or "")
        for f in situation.files
    )
    sections = [
        Section("What is asked", asked, (facts,)),
        Section(
            "What was found in the folder",
            _tables_text(situation),
            (Table(("file", "role", "rows", "columns", "encoding"), files),),
        ),
        _notes_section(situation.notes),
    ]
    if doubtful:
        sections.append(Section("What a person should confirm", "\n".join(f"- {text}" for text in doubtful)))
    if situation.instructions.strip():
        sections.append(Section("What the person asked for", situation.instructions.strip()))
    changed = "Nothing in the files. The target and the keys were set apart from the features." + _left_out(
        situation.notes
    )
    types = profile.by_semantic()
    must_know = (
        "The features are "
        + "; ".join(f"{count(len(names), semantic.replace('_', '-') + ' column')}" for semantic, names in types.items())
        + "."
    )
    return Summary("background", headline, changed, must_know, (*sections, gates_section(question)))


def _tables_text(situation: Situation) -> str:
    if not situation.tables:
        return ""
    return (
        "Extra tables: "
        + "; ".join(f"`{name}` ({listed(columns)})" for name, columns in situation.tables.items())
        + "."
    )


def _notes_section(notes: tuple[Note, ...]) -> Section:
    if not notes:
        return Section("What was repaired while reading", "Nothing had to be repaired.")
    lines = "\n".join(
        f"- {'**warning** ' if note.severity == 'warning' else ''}`{note.subject}`: {note.text}" for note in notes
    )
    return Section("What was repaired or noticed while reading", lines)


def _left_out(notes: tuple[Note, ...]) -> str:
    warnings = [note for note in notes if note.severity == "warning"]
    return (
        f" {count(len(warnings), 'thing')} in the files {agree(len(warnings), 'needs', 'need')} a person's eye, see below."
        if warnings
        else ""
    )
