"""A person's own gates, in the competition's `unit_tests/`, judge beside ours."""

import pytest

from autods.agents.attempts import load_attempt
from autods.graph import run_phase
from autods.phases import get_phase

GATE = '''
def test_nobody_is_older_than_a_hundred(after):
    """Ages beyond a hundred are typing errors."""
    assert (after.train["age"].dropna() <= {limit}).all(), "column 'age': clip it at {limit}"
'''


@pytest.fixture
def attempt(bench, before, competition):
    def clean(limit, **settings):
        (competition / "unit_tests").mkdir()
        (competition / "unit_tests" / "test_cleaning_ages.py").write_text(GATE.format(limit=limit))
        context = bench(folder=competition, **settings)
        solution = run_phase(context, before(context, "cleaning"), get_phase("cleaning"))
        return load_attempt(context, solution.attempts["cleaning"])

    return clean


def test_a_gate_that_passes_is_reported_with_what_it_protects(attempt):
    (check,) = [check for check in attempt(100).gates.checks if check.name == "test_nobody_is_older_than_a_hundred"]
    assert (check.outcome, check.protects) == ("passed", "Ages beyond a hundred are typing errors.")


def test_a_gate_that_fails_fails_the_attempt(attempt):
    tried = attempt(5, debug_attempts=0)
    assert not tried.gates.passed
    assert any("clip it at 5" in check.message for check in tried.gates.failures)
