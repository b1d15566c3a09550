"""A run's solution, as script and as notebook, re-creates its submission byte for byte and needs nothing of the run."""

import shutil
import subprocess
import sys

import pytest


def test_the_script_re_creates_the_submission(finished, tiny, tmp_path):
    script = shutil.copy(finished.path / "solution.py", tmp_path)
    out = tmp_path / "again.csv"
    command = [sys.executable, "-W", "error", script, str(tiny.folder), str(out)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == (finished.path / "submission.csv").read_bytes()


@pytest.mark.slow
def test_the_notebook_re_creates_the_submission(finished, tmp_path, execute_notebook):
    execute_notebook(finished.path / "solution.ipynb", tmp_path)
    (out,) = tmp_path.rglob("*.csv")
    assert out.read_bytes() == (finished.path / "submission.csv").read_bytes()
