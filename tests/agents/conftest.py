"""A bench: the folder of a finished run, copied, with a reasoner that answers as the test says."""

from __future__ import annotations

import time

import pytest

from autods.agents.attempts import load_solution
from autods.agents.context import Clock, RunContext
from autods.competition import read_competition
from autods.config import load_config
from autods.journal import Journal
from autods.phases import PHASES
from autods.reasoners.rules import RuleReasoner
from autods.workspace import Workspace


class ScriptedReasoner(RuleReasoner):
    """Answers from lists where the test gives some, in order, the last one for good; by rules elsewhere."""

    name = "scripted"

    def __init__(self, **answers):
        self._answers = {name: list(given) for name, given in answers.items()}
        self.asked = []

    def _answer(self, name, question):
        self.asked.append((name, question))
        given = self._answers.get(name)
        if not given:
            return getattr(RuleReasoner, name)(self, question)
        return given.pop(0) if len(given) > 1 else given[0]

    def plan(self, question):
        return self._answer("plan", question)

    def write(self, question):
        return self._answer("write", question)

    def debug(self, question):
        return self._answer("debug", question)

    def review(self, question):
        return self._answer("review", question)

    def summarize(self, question):
        return self._answer("summarize", question)


@pytest.fixture
def scripted():
    return ScriptedReasoner


@pytest.fixture
def bench(finished_copy, tiny, sandbox):
    """Build a run's context on the copied folder; `elapsed_s` of its budget are spent."""
    workspace = Workspace(finished_copy.path)
    told = []

    def build(reasoner=None, *, folder=tiny.folder, elapsed_s=0.0, now=time.monotonic, **settings):
        config = load_config({"effort": "quick", **settings}, {})
        clock = Clock(now, now(), config.budget_s, elapsed_s)
        journal = Journal(workspace.work / "journal.jsonl", time.time)
        read = read_competition(folder)
        return RunContext(workspace, journal, config, read, reasoner or RuleReasoner(), sandbox, clock, told.append)

    build.told = told
    return build


@pytest.fixture
def before():
    """The solution of the finished run as it stood before a phase."""

    def find(context, slug):
        number = [phase.slug for phase in PHASES].index(slug)
        accepted = context.journal.events("accepted")
        return load_solution(context, accepted[number - 1]["solution"] if number else "")

    return find
