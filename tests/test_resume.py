"""A run that was killed goes on where it was: nothing finished is done again, and the submission is that of a run left alone."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import autods
from autods.journal import Journal

# Dies the hardest way, right after the journal has noted an event of a name that holds some text.
KILLED = """
import json, os, signal, sys
import autods
from autods.journal import Journal

folder, output, settings, fatal, text = sys.argv[1:]
append = Journal.append

def append_and_die(self, event, **facts):
    append(self, event, **facts)
    if event == fatal and text in repr(facts):
        os.kill(os.getpid(), signal.SIGKILL)

Journal.append = append_and_die
autods.run(folder, output=output, **json.loads(settings))
"""


def events(run, *names):
    return Journal(run.path / "work" / "journal.jsonl", lambda: 0.0).events(*names)


def killed(folder, output, settings, event, text):
    arguments = [str(folder), str(output), json.dumps(settings), event, text]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], capture_output=True, text=True, timeout=240)
    assert done.returncode == -9, done.stderr
    (root,) = (path for path in Path(output).glob("*/*") if not path.is_symlink())
    return autods.Run(root)


def resume(run):
    """Resume, and give what was done before and after."""
    before = events(run)
    autods.resume(run.path, progress="none")
    return before, events(run)[len(before) :]


@pytest.fixture(scope="module")
def resumed(tiny, quick, tmp_path_factory):
    """A run killed when its first candidate was finished, and resumed."""
    run = killed(tiny.folder, tmp_path_factory.mktemp("killed"), quick, "candidate", "")
    return run, *resume(run)


def test_the_submission_is_that_of_a_run_left_alone(resumed, finished):
    run, _, _ = resumed
    assert (run.path / "submission.csv").read_bytes() == (finished.path / "submission.csv").read_bytes()
    assert run.validation_score == finished.validation_score


def test_no_attempt_is_executed_twice(resumed):
    _, before, after = resumed
    executed = Counter(event["attempt"] for event in (*before, *after) if event["event"] == "executed")
    assert max(executed.values()) == 1
    assert [event["attempt"].split("/")[-1].split("-")[0] for event in after if event["event"] == "executed"] == [
        "modeling"
    ]


def test_no_phase_that_was_accepted_is_begun_again(resumed):
    _, _, after = resumed
    assert {event["phase"] for event in after if "phase" in event} == {"modeling"}


def test_a_candidate_that_was_finished_is_not_fitted_again(resumed, finished):
    run, _, _ = resumed
    fits = list((run.path / "work" / "attempts").glob("modeling-*/fits/*/outcome.json"))
    assert len(fits) == len(list((finished.path / "work" / "attempts").glob("modeling-*/fits/*/outcome.json")))


def test_a_killed_run_is_no_longer_held(resumed):
    _, _, after = resumed
    assert after[0]["event"] == "resumed"
    assert after[-1]["event"] == "paused"


@pytest.mark.slow
@pytest.mark.parametrize(
    "event, text",
    [
        ("submission", "best constant"),
        ("folds", ""),
        ("executed", "cleaning"),
        ("accepted", "cleaning"),
        ("gated", "feature_engineering"),
        ("submission", "blend"),
        ("accepted", "modeling"),
    ],
)
def test_wherever_it_is_killed_it_ends_the_same(tiny, quick, finished, tmp_path, event, text):
    run = killed(tiny.folder, tmp_path, quick, event, text)
    before, after = resume(run)
    assert (run.path / "submission.csv").read_bytes() == (finished.path / "submission.csv").read_bytes()
    executed = Counter(event["attempt"] for event in (*before, *after) if event["event"] == "executed")
    assert max(executed.values()) == 1


@pytest.mark.slow
def test_the_same_seed_twice_gives_the_same_bytes(tiny, quick, finished, tmp_path):
    again = autods.run(tiny.folder, output=tmp_path, **quick)
    assert (again.path / "submission.csv").read_bytes() == (finished.path / "submission.csv").read_bytes()
    assert again.solution.replace(again.path.name, finished.path.name) == finished.solution
    assert _scores(again) == _scores(finished)


def _scores(run):
    return {result.name: result.score for result in run.training.results}


def test_a_run_goes_on_with_a_phase_s_code_changed(finished_copy, tmp_path):
    code = tmp_path / "clean.py"
    code.write_text("def clean(train, test):\n    return train.fillna(0.5), test.fillna(0.5)\n")
    before = len(finished_copy.attempts)
    again = finished_copy.resume(code={"cleaning": code}, progress="none")
    attempts = again.attempts
    assert len(attempts) > before
    assert attempts[attempts["phase"] == "background"].shape[0] == 1
    assert "fillna(0.5)" in again.solution
