"""What a person can mend ends in one sentence, exit code 2, no traceback, and nothing written."""

import subprocess
import sys

import pandas as pd
import pytest
import yaml

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def refused(cli, tmp_path):
    """Run a folder that cannot be predicted; give the one sentence."""

    def run(*arguments):
        outcome = cli("run", *arguments, "--output", tmp_path / "reports", "--quiet")
        assert outcome.code == 2
        assert outcome.out == ""
        assert not (tmp_path / "reports").exists()
        (sentence,) = outcome.err.splitlines()
        return sentence

    return run


def settings(folder, **changes):
    path = folder / "competition.yaml"
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **changes}))


def test_a_folder_that_is_no_competition(refused, tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("Dear all,")
    assert "letters" in refused(tmp_path / "letters")


def test_a_folder_that_is_not_there(refused):
    assert "There is no competition 'nowhere'" in refused("nowhere")


def test_an_unknown_metric_with_the_nearest_known(refused, competition):
    settings(competition, metric="acuracy")
    sentence = refused(competition)
    assert "'acuracy'" in sentence
    assert "'accuracy'" in sentence


def test_no_target_to_be_found(refused, competition):
    (competition / "competition.yaml").unlink()
    rows = pd.read_csv(competition / "train.csv", dtype=str).drop(columns="y")
    rows.to_csv(competition / "train.csv", index=False)
    (competition / "sample_submission.csv").unlink()
    assert "target" in refused(competition)


def test_no_rows(refused, competition):
    header = (competition / "train.csv").read_text().splitlines()[0]
    (competition / "train.csv").write_text(header + "\n")
    assert "train.csv" in refused(competition)


def test_no_common_feature(refused, competition):
    rows = pd.read_csv(competition / "test.csv", dtype=str)
    rows.rename(columns=lambda name: name if name == "id" else f"other_{name}").to_csv(
        competition / "test.csv", index=False
    )
    assert "feature" in refused(competition) or "column" in refused(competition)


def test_test_rows_that_cannot_be_read(refused, competition):
    (competition / "test.csv").write_bytes(bytes(range(256)) * 4)
    assert "test.csv" in refused(competition)


def test_an_unknown_setting_of_the_call(refused, competition):
    assert "There is no setting 'iteration'; did you mean 'iterations'" in refused(competition, "--set", "iteration=2")


def test_an_unknown_rule(refused, competition):
    assert "'rules.z_treshold'" in refused(competition, "--set", "rules.z_treshold=3")


def test_an_unknown_key_of_the_folders_settings(refused, competition):
    settings(competition, metrik="accuracy")
    assert "metrik" in refused(competition)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--budget", "soon"], "The duration 'soon' cannot be read"),
        (["--effort", "much"], "The setting effort = 'much' is not allowed"),
        (["--set", "iterations"], "has no value"),
        (["--plan", "cleaning"], "names no file"),
        (["--code", "cleaning=nowhere.py"], "There is no file"),
        (["--set", "stop_after=cleanin"], "did you mean 'cleaning'"),
    ],
)
def test_a_value_that_is_not_allowed(refused, competition, arguments, words):
    assert words in refused(competition, *arguments)


def test_an_earlier_run_is_not_overwritten(cli, finished, tiny, tmp_path):
    before = {path: path.stat().st_mtime_ns for path in finished.path.rglob("*") if path.is_file()}
    assert cli("run", tiny.folder, "--set", "seeed=1", "--output", finished.path.parents[1]).code == 2
    assert {path: path.stat().st_mtime_ns for path in finished.path.rglob("*") if path.is_file()} == before


def test_a_shell_sees_the_sentence_and_no_traceback(tmp_path):
    command = [sys.executable, "-m", "autods.cli", "run", "nowhere"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith("autods: There is no competition 'nowhere'")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
