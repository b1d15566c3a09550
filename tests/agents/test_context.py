import pytest

from autods.agents.context import Clock
from autods.errors import RunStopped


def test_a_clock_counts_what_earlier_processes_spent():
    clock = Clock(now=lambda: 107.0, started=100.0, budget_s=60.0, spent_s=20.0)
    assert (clock.elapsed(), clock.left()) == (27.0, 33.0)


def test_without_a_budget_time_never_runs_out(bench):
    context = bench()
    assert context.clock.left() == float("inf")
    assert (context.reserve_s, context.out_of_time) == (0.0, False)
    assert context.timeout(600) == 600


@pytest.mark.parametrize("budget_s, reserve_s", [(10, 1.2), (1000, 10.0)])
def test_part_of_a_budget_is_kept_for_the_end(bench, budget_s, reserve_s):
    assert bench(budget_s=budget_s).reserve_s == pytest.approx(reserve_s)


def test_one_execution_may_take_what_the_budget_leaves(bench):
    context = bench(budget_s=100, elapsed_s=40.0, now=lambda: 5.0)
    assert context.timeout(600) == pytest.approx(50.0)
    assert context.timeout(20) == 20


def test_when_only_the_reserve_is_left_time_is_up(bench):
    context = bench(budget_s=100, elapsed_s=91.0, now=lambda: 5.0)
    assert context.out_of_time
    assert context.timeout(600) == 0.5


def test_a_stopped_run_says_how_to_go_on(bench):
    context = bench()
    context.check_stop()
    context.stop.set()
    with pytest.raises(RunStopped, match=f"autods resume {context.workspace.root}"):
        context.check_stop()
