import numpy as np
import pytest

from autods.agents.submitting import submit
from autods.records import Decision, Score


@pytest.fixture
def outputs(bench):
    rows = len(bench().competition.test)
    return np.tile([0.2, 0.8], (rows, 1))


def test_a_valid_submission_is_taken_copied_told_and_noted(bench, outputs, tmp_path):
    context, score = bench(), Score(0.8, 0.1, (), "accuracy", True)
    assert submit(context, outputs, Decision("argmax"), "mine", tmp_path / "kept" / "mine.csv", score)
    written = context.workspace.submission.read_text()
    assert set(written.split()[1].split(",")) >= {"yes"}
    assert (tmp_path / "kept" / "mine.csv").read_text() == written
    assert bench.told[-1]["event"] == "submission"
    event = context.journal.events("submission")[-1]
    assert (event["name"], event["valid"], event["score"]["value"]) == ("mine", True, 0.8)


def test_an_invalid_one_is_not_taken_and_the_last_valid_stays(bench, outputs, monkeypatch):
    context = bench()
    before = context.workspace.submission.read_bytes()
    monkeypatch.setattr("autods.agents.submitting.validate_submission", lambda *_: ("2 ids are absent",))
    assert not submit(context, outputs, Decision("argmax"), "mine")
    assert context.workspace.submission.read_bytes() == before
    assert "not taken: 2 ids are absent" in bench.told[-1]["text"]
    assert not context.journal.events("submission")[-1]["valid"]
