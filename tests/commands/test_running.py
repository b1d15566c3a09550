import pandas as pd
import pytest

from autods.commands.running import parse_settings
from autods.errors import ConfigError


@pytest.mark.parametrize(
    "pairs, settings",
    [
        (["iterations=2", "seed=7"], {"iterations": 2, "seed": 7}),
        (["rules.z_threshold=3", "rules.estimators=[linear]"], {"rules": {"z_threshold": 3, "estimators": ["linear"]}}),
        (["gates=off"], {"gates": False}),
        (["instructions=a=b"], {"instructions": "a=b"}),
    ],
)
def test_settings_are_read_as_yaml(pairs, settings):
    assert parse_settings(pairs) == settings


@pytest.mark.parametrize("pair", ["rules=[", "rules=3"])
def test_a_setting_that_cannot_be_read_is_refused(pair):
    with pytest.raises(ConfigError, match="rules"):
        parse_settings([pair, "rules.z_threshold=3"])


@pytest.mark.usefixtures("warm")
def test_run_says_where_everything_is(cli, tiny, tmp_path):
    outcome = cli("run", tiny.folder, "--set", "stop_after=background", "--output", tmp_path, "--quiet")
    assert outcome.code == 0
    lines = dict(line.split(maxsplit=1) for line in outcome.out.splitlines())
    assert set(lines) == {"submission", "report", "solution"}
    assert lines["submission"].endswith("submission.csv")


@pytest.mark.usefixtures("warm")
def test_run_shows_its_progress_as_lines_where_there_is_no_terminal(cli, tiny, tmp_path):
    outcome = cli("run", tiny.folder, "--set", "stop_after=background", "--output", tmp_path)
    assert "▸ Background" in outcome.err
    assert "submission.csv: best constant" in outcome.err


@pytest.mark.usefixtures("warm")
def test_instructions_may_be_words_or_a_file(cli, tiny, tmp_path):
    (tmp_path / "wish.md").write_text("Keep it simple.")
    for wish in ("Keep it simple.", tmp_path / "wish.md"):
        arguments = ["--set", "stop_after=background", "--output", tmp_path / "reports", "--quiet"]
        assert cli("run", tiny.folder, "--instructions", wish, *arguments).code == 0
    reports = list((tmp_path / "reports").glob("tiny/2*/01_background.md"))
    assert len(reports) == 2
    assert all("Keep it simple." in path.read_text() for path in reports)


@pytest.mark.usefixtures("warm")
def test_resume_goes_on_with_the_run_that_is_named(cli, finished_copy, tmp_path):
    outcome = cli("resume", finished_copy.path, "--quiet")
    assert outcome.code == 0
    assert str(finished_copy.path / "submission.csv") in outcome.out
    assert "validation  accuracy" in outcome.out


def test_resume_without_a_run_says_so(cli, tmp_path):
    outcome = cli("resume", "--output", tmp_path)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("autods: There is no run")


@pytest.mark.usefixtures("warm")
def test_predict_writes_a_file_in_the_submissions_form(cli, finished, tiny, tmp_path):
    out = tmp_path / "mine.csv"
    outcome = cli("predict", finished.path, tiny.folder / "test.csv", "--out", out)
    assert outcome.code == 0
    assert outcome.out == f"27 predictions → {out}\n"
    assert out.read_bytes() == (finished.path / "submission.csv").read_bytes()


def test_predict_names_the_columns_that_are_absent(cli, finished, tmp_path):
    pd.DataFrame({"id": [1], "x": [0.5]}).to_csv(tmp_path / "new.csv", index=False)
    outcome = cli("predict", finished.path, tmp_path / "new.csv", "--out", tmp_path / "mine.csv")
    assert outcome.code == 2
    assert "age, city" in outcome.err
    assert not (tmp_path / "mine.csv").exists()


@pytest.mark.parametrize("command", ["predict", "score", "new"])
def test_a_file_that_is_not_there_is_named(cli, finished, tmp_path, command):
    absent = tmp_path / "absent.csv"
    arguments = {
        "predict": (finished.path, absent, "--out", tmp_path / "mine.csv"),
        "score": (finished.path, "--answers", absent),
        "new": ("mine", "--train", absent, "--target", "y", "--folder", tmp_path),
    }
    outcome = cli(command, *arguments[command])
    assert outcome.code == 2
    assert "absent.csv" in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("warm")
def test_a_phase_that_fails_for_good_without_fallback_ends_in_a_sentence(cli, tiny, tmp_path):
    (tmp_path / "mine.py").write_text("def explore(train):\n    raise ValueError('not today')\n")
    given = ("--code", f"preliminary_eda={tmp_path / 'mine.py'}")
    settings = ("--set", "fallback=off", "--set", "debug_attempts=0", "--output", tmp_path / "reports", "--quiet")
    outcome = cli("run", tiny.folder, *given, *settings)
    assert outcome.code == 1
    (sentence,) = outcome.err.splitlines()
    assert sentence.startswith("autods: Preliminary EDA failed after 1 try: ")
    assert "not today" in sentence
    assert list((tmp_path / "reports").glob("tiny/2*/submission.csv"))
