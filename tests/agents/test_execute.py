import pandas as pd
import pytest

from autods.agents.attempts import load_attempt
from autods.agents.probing import excluded_rows, limits
from autods.graph import run_phase
from autods.phases import get_phase

MARKS = "from autods.tools import exclude_rows\n\n\ndef clean(train, test):\n    return exclude_rows(train, test, rows=train['x'] > 1, reason='far out')\n"
ADDS = "def engineer(train, test):\n    return train.assign(two=2 * train['x']), test.assign(two=2 * test['x'])\n"
LOOKS = "def explore(train, test, task, out):\n    assert 'y' in train and 'y' not in test\n    return []\n"
PEEKS = "def clean(train, test):\n    assert 'y' not in train and 'id' not in train\n    return train, test\n"


@pytest.fixture
def attempt(bench, before, scripted):
    def execute(slug, code, parent=None):
        context = bench(scripted(write=[code]), gates="off", debug_attempts=0)
        solution = run_phase(context, parent or before(context, slug), get_phase(slug))
        return load_attempt(context, solution.attempts[slug]), solution, context

    return execute


def test_rows_that_cleaning_excludes_stay_excluded_in_later_phases(attempt):
    _, cleaned, _ = attempt("cleaning", MARKS)
    tried, _, context = attempt("feature_engineering", ADDS, cleaned)
    fit_rows = excluded_rows(context.workspace.path(tried.folder) / "out", len(context.competition.y))
    assert fit_rows.tolist() == (context.competition.train["x"] <= 1).tolist()


def test_no_rows_are_excluded_where_none_are_marked(bench, tmp_path):
    assert excluded_rows(tmp_path, 10) is None


def test_explorations_see_the_target_and_leave_the_joined_frame_behind(attempt):
    tried, _, context = attempt("deep_eda", LOOKS)
    assert not tried.fallback
    assert not list((context.workspace.path(tried.folder) / "given").iterdir())


def test_cleaning_sees_neither_target_nor_keys(attempt):
    assert not attempt("cleaning", PEEKS)[0].fallback


def test_changed_frames_are_profiled_and_probed(attempt):
    tried, _, context = attempt("feature_engineering", ADDS)
    out = context.workspace.path(tried.folder) / "out"
    assert "two" in pd.read_parquet(out / "train.parquet").columns
    assert (out / "profile.json").exists()
    assert len(tried.probe.folds) == 5


def test_jobs_that_run_at_once_share_the_memory(bench):
    assert limits(bench(memory_mb=8192), 60, share=4).memory_mb == 2048
    assert limits(bench(memory_mb=2048), 60, share=4).memory_mb == 1024
