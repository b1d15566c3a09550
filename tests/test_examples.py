"""What stands in examples/ runs as it is written."""

import subprocess
import sys
from pathlib import Path

import pytest

import autods

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_notebooks_are_committed_without_outputs():
    nbformat = pytest.importorskip("nbformat")
    for path in EXAMPLES.glob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        assert all(not cell.outputs and cell.execution_count is None for cell in cells if cell.cell_type == "code")


@pytest.mark.slow
def test_the_script_runs_scores_and_predicts(tmp_path):
    command = [sys.executable, str(EXAMPLES / "titanic.py"), "quick", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    for words in (
        "begin with report.html",
        "Out of fold, accuracy is 0.",
        "On the answers that no run reads, it is 0.",
    ):
        assert words in done.stdout


@pytest.mark.slow
def test_the_notebook_runs(tmp_path, execute_notebook, monkeypatch):
    # A copy of the examples beside the competitions, so that its reports do not land in this clone.
    (tmp_path / "competitions").symlink_to(EXAMPLES.parent / "competitions", target_is_directory=True)
    (tmp_path / "examples").mkdir()
    execute_notebook(EXAMPLES / "titanic.ipynb", tmp_path / "examples")
    runs = [path for path in (tmp_path / "reports").glob("*/*") if not path.is_symlink()]
    assert len(runs) == 2
    assert all(len(autods.Run(path).submission) > 0 for path in runs)
