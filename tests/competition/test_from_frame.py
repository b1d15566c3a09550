from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from autods.competition import competition_from_file, competition_from_frame, read_competition
from autods.errors import CompetitionError, ConfigError
from autods.records import Competition

FRAME = pd.DataFrame(
    {
        "size": [1.5, None, 3.0, 4.0] * 10,
        "shop": pd.Categorical(["a", "b", None, "a"] * 10),
        "day": pd.date_range("2024-01-01", periods=40),
        "y": ["no", "yes", "no", "no"] * 10,
    }
)


def made(tmp_path: Path, frame: pd.DataFrame = FRAME, target: Any = "y", **options: Any) -> Competition:
    return read_competition(competition_from_frame(frame, target, tmp_path / "demo", **options).folder)


def test_a_frame_becomes_a_competition_with_hidden_answers_beside_it(tmp_path: Path) -> None:
    result = competition_from_frame(FRAME, "y", tmp_path / "demo", test_size=0.25)
    assert result.answers == tmp_path / "demo.answers.csv"
    competition = read_competition(result.folder)
    answers = pd.read_csv(result.answers, dtype=str)
    assert (competition.task.targets, competition.task.id_column) == (("y",), "id")
    assert (len(competition.train), len(competition.test)) == (30, 10)
    assert answers["id"].tolist() == competition.test_keys["id"].tolist()
    assert answers["y"].value_counts().to_dict() == {"no": 8, "yes": 2}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    files = [
        (competition_from_frame(FRAME, "y", tmp_path / str(i), random_state=seed).folder / "test.csv").read_bytes()
        for i, seed in enumerate((0, 0, 1))
    ]
    assert files[0] == files[1] != files[2]


def test_a_given_test_is_taken_and_its_known_target_becomes_the_answers(tmp_path: Path) -> None:
    result = competition_from_frame(FRAME, "y", tmp_path / "a", test=FRAME.head(3))
    assert result.answers is not None
    assert pd.read_csv(result.answers)["id"].tolist() == [40, 41, 42]
    result = competition_from_frame(FRAME, "y", tmp_path / "b", test=FRAME.head(3).drop(columns="y"))
    assert result.answers is None
    assert len(read_competition(result.folder).train) == 40


def test_an_id_column_is_kept_as_spelled(tmp_path: Path) -> None:
    frame = FRAME.assign(code=[f"{i:04d}" for i in range(40)])
    assert made(tmp_path, frame, id="code").test_keys["code"].str.len().eq(4).all()


@pytest.mark.parametrize(
    ("target", "metric", "form", "n_columns"),
    [
        (["no", "yes"] * 20, None, "labels", 2),
        (["no", "yes"] * 20, "auroc", "probability", 2),
        (["a", "b", "c", "d"] * 10, "log_loss", "class_probabilities", 5),
        ([i / 7 for i in range(40)], None, "values", 2),
        ([i % 4 for i in range(40)], "mae", "values", 2),
    ],
)
def test_the_sample_has_the_form_that_the_metric_wants(
    tmp_path: Path, target: list[Any], metric: str | None, form: str, n_columns: int
) -> None:
    task = made(tmp_path, FRAME.assign(y=target), metric=metric).task
    assert (task.submission.form, len(task.submission.columns)) == (form, n_columns)
    if metric:
        assert task.metric == metric


def test_several_targets(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": range(30), "a": [i / 3 for i in range(30)], "b": [i % 7 + 0.5 for i in range(30)]})
    task = made(tmp_path, frame, ["a", "b"]).task
    assert (task.kind, task.targets) == ("multi_regression", ("a", "b"))


def test_a_file_keeps_its_cells_as_spelled(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(
        ("code;size;y\n" + "".join(f"{i:03d};{i},5;NA\n{i + 50:03d};{i},5;EU\n" for i in range(20))).encode("cp1252")
    )
    result = competition_from_file(path, ["y"], tmp_path / "demo", id="code")
    competition = read_competition(result.folder)
    assert set(competition.task.classes) == {"NA", "EU"}
    assert competition.train["size"].dtype == "float64"
    assert competition.keys["code"].str.len().eq(3).all()


def test_rows_without_target_stay_in_train(tmp_path: Path) -> None:
    frame = FRAME.assign(y=["no", "yes", None, "no"] * 10)
    result = competition_from_frame(frame, "y", tmp_path / "demo", test_size=0.5)
    assert result.answers is not None
    assert len(pd.read_csv(result.answers)) == 15


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "yy"}, "The target 'yy' is no column; did you mean 'y'"),
        ({"target": None}, "Which column is the target"),
        ({"id": "sizes"}, "The id 'sizes' is no column of the data; did you mean 'size'"),
        ({"test_size": 1.5}, "test_size is 1.5"),
        ({"frame": FRAME.head(2)}, "at least 3"),
        ({"test": FRAME.head(0)}, "no rows"),
    ],
)
def test_a_wrong_call_writes_nothing(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    arguments = {"frame": FRAME, "target": "y", **options}
    with pytest.raises(CompetitionError, match=message):
        competition_from_frame(arguments.pop("frame"), arguments.pop("target"), tmp_path / "demo", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_taken_is_left_as_it_is(tmp_path: Path) -> None:
    competition_from_frame(FRAME, "y", tmp_path / "demo")
    before = (tmp_path / "demo" / "train.csv").read_bytes()
    with pytest.raises(CompetitionError, match="exists already"):
        competition_from_frame(FRAME, "y", tmp_path / "demo", random_state=1)
    assert (tmp_path / "demo" / "train.csv").read_bytes() == before


def test_an_unknown_metric_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="accuracy"):
        competition_from_frame(FRAME, "y", tmp_path / "demo", metric="acuracy")
    assert list(tmp_path.iterdir()) == []
