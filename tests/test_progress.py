import pytest

from autods.progress import Board, watch
from autods.records import Score

SCORE = Score(0.8, 0.01, (), "accuracy", True)


def test_lines_tell_phases_headlines_and_submissions(capsys):
    with watch("lines") as listener:
        listener({"event": "phase", "phase": "cleaning", "title": "Cleaning", "elapsed_s": 3.0, "left_s": 57.0})
        listener({"event": "agent", "phase": "cleaning", "agent": "planner", "doing": "plans"})
        listener({"event": "phase_done", "phase": "cleaning", "headline": "2 repairs"})
        listener({"event": "submission", "text": "blend of 2", "score": SCORE, "name": "blend"})
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "[3s, 57s left] ▸ Cleaning"
    assert lines[1].endswith("2 repairs")
    assert lines[2].endswith("blend of 2 (accuracy 0.8000 ± 0.0100)")
    assert len(lines) == 3


def test_the_board_marks_what_is_done_and_what_is_going_on():
    board = Board()
    board.update({"event": "phase_done", "phase": "background", "headline": "binary"})
    board.update({"event": "phase", "phase": "preliminary_eda", "title": "Preliminary EDA"})
    board.update({"event": "agent", "phase": "preliminary_eda", "agent": "developer", "doing": "writes"})
    assert [row[0] for row in board.rows()] == ["✔", "▸", "·", "·", "·", "·"]
    assert board.rows()[1][2] == "developer writes"


@pytest.mark.parametrize(
    "event", [{"event": "candidate", "name": "linear", "score": SCORE}, {"event": "note", "text": "folds"}]
)
def test_the_best_score_stays_until_a_submission_brings_another(event):
    board = Board()
    board.update({"event": "submission", "text": "constant", "score": SCORE, "name": "constant"})
    board.update(event)
    assert (board.best, board.best_name) == (SCORE, "constant")


def test_the_live_picture_is_drawn(capsys):
    with watch("live") as listener:
        listener({"event": "phase", "phase": "cleaning", "title": "Cleaning"})
    assert "Cleaning" in capsys.readouterr().err


def test_nothing_is_shown_when_asked(capsys):
    with watch("none") as listener:
        listener({"event": "note", "text": "x"})
    assert capsys.readouterr().err == ""
