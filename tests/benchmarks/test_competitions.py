import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import competitions
from autods.errors import UserError


@pytest.fixture
def measured(finished_copy, tiny, tmp_path, monkeypatch):
    """Measure the session's finished run; `spoil` may change its submission first."""

    def measure(spoil=lambda frame: frame):
        path = finished_copy.path / "submission.csv"
        spoil(pd.read_csv(path, dtype=str)).to_csv(path, index=False)
        workspace = competitions.Workspace(finished_copy.path)
        monkeypatch.setattr(competitions, "run_one", lambda *_: (workspace, 0.0, 1.0))
        shutil.copyfile(tiny.answers, tmp_path / f"{tiny.folder.name}.csv")
        return competitions.measure(tiny.folder, tmp_path, tmp_path, [])

    return measure


def test_a_valid_submission_is_scored(measured):
    assert 0 <= measured().score <= 1


def test_a_submission_that_a_site_would_refuse_is_not_counted(measured):
    with pytest.raises(UserError, match="not a valid submission"):
        measured(lambda frame: frame.iloc[1:])
