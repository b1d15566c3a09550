from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from autods.competition.ids import find_id
from autods.competition.settings import Settings
from autods.competition.splits import as_times, find_group, find_time
from autods.competition.targets import class_columns_of, find_targets
from autods.errors import CompetitionError


def frame(*names: str) -> pd.DataFrame:
    return pd.DataFrame({name: ["1", "2"] for name in names}, dtype="str")


@pytest.mark.parametrize(
    ("train", "test", "overview", "target"),
    [
        (["id", "x", "price"], ["id", "x"], "", "price"),
        (["id", "a", "target", "b"], ["id"], "", "target"),
        (["id", "a", "b", "c"], ["id"], "", "c"),
        (["id", "a", "b", "c"], ["id"], "Predict `b` for every row.", "b"),
        (["id", "x", "rent"], ["id", "x", "rent"], "Your goal is to predict the `rent` of a flat.", "rent"),
        (["id", "x", "target"], ["id", "x", "target"], "", "target"),
    ],
)
def test_without_a_sample_the_target_is_what_train_alone_has_or_the_overview_asks_for(
    train: list[str], test: list[str], overview: str, target: str
) -> None:
    assert find_targets(frame(*train), frame(*test), None, overview, Settings()).names == (target,)


def test_a_column_that_is_empty_in_test_is_the_target() -> None:
    test = frame("id", "x", "y2").assign(y2=pd.Series(["", ""], dtype="str"))
    assert find_targets(frame("id", "x", "y2"), test, None, "", Settings()).names == ("y2",)


def test_no_target_is_refused_with_the_remedy() -> None:
    with pytest.raises(CompetitionError, match=r"write `target: COLUMN` in competition\.yaml"):
        find_targets(frame("id", "x"), frame("id", "x"), None, "", Settings())


@pytest.mark.parametrize(
    ("name", "labels", "columns", "classes"),
    [
        ("glass", ["1", "2"], ["glass_1", "glass_2"], ["1", "2"]),
        ("target", ["Class_1", "Class_2"], ["Class_1", "Class_2"], ["Class_1", "Class_2"]),
        ("y", ["A", "B"], ["Class A", "Class B"], ["A", "B"]),
        ("y", ["no", "yes"], ["No", "Yes"], ["no", "yes"]),
        ("y", ["0.0", "1.0"], ["y_0", "y_1"], ["0.0", "1.0"]),
        ("Outcome", ["dog", "cat", "owl"], ["cat", "dog", "owl"], ["cat", "dog", "owl"]),
        ("y", ["x big", "y small"], ["x_big", "y_small"], ["x big", "y small"]),
        ("y", ["1", "2"], ["prob_1", "prob_2"], ["1", "2"]),
        ("glass", ["1"], ["glass_1", "glass_2", "glass_3"], ["1", "2", "3"]),
    ],
)
def test_columns_are_paired_with_classes(name: str, labels: list[str], columns: list[str], classes: list[str]) -> None:
    pairs = class_columns_of(pd.Series(labels, dtype="str"), name, columns)
    assert [label for _, label in pairs] == classes


@pytest.mark.parametrize(
    ("labels", "columns"), [(["1", "2"], ["y"]), (["1", "2"], ["a", "b"]), (["a", "b", "c"], ["x_a", "z_q", "w_r"])]
)
def test_other_columns_are_not_classes(labels: list[str], columns: list[str]) -> None:
    assert class_columns_of(pd.Series(labels, dtype="str"), "t", columns) == ()


@pytest.mark.parametrize(
    ("names", "expected"),
    [(["x", "PassengerId"], "PassengerId"), (["id", "x"], "id"), (["Unnamed: 0", "x"], "Unnamed: 0"), (["a", "b"], None),
     (["ride_id", "x"], "ride_id")],
)  # fmt: skip
def test_without_a_sample_the_id_is_known_by_its_name(names: list[str], expected: str | None) -> None:
    assert find_id(frame(*names, "y"), frame(*names), None, Settings())[0] == expected


def test_a_column_that_repeats_is_no_id() -> None:
    train = frame("id", "y").assign(id=pd.Series(["1", "1"], dtype="str"))
    assert find_id(train, frame("id"), None, Settings())[0] is None


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["31/01/2024", "01/02/2024"], ["2024-01-31", "2024-02-01"]),
        (["01.02.2024", "02.02.2024"], ["2024-02-01", "2024-02-02"]),
        (["01/31/2024", "02/01/2024"], ["2024-01-31", "2024-02-01"]),
        (["2024-01-31T02:00:00+02:00", "2024-02-01 00:00Z"], ["2024-01-31", "2024-02-01"]),
    ],
)
def test_dates_in_every_order_are_read_on_one_clock(cells: list[str], expected: list[str]) -> None:
    assert as_times(pd.Series(cells, dtype="str")).tolist() == [pd.Timestamp(day) for day in expected]


def test_numbers_are_a_time_too() -> None:
    assert as_times(pd.Series(["3", "?", "1"], dtype="str")).tolist()[0] == 3


def days(first: int, last: int) -> dict[str, Any]:
    return {"day": pd.Series([f"2024-01-{day:02d}" for day in range(first, last)], dtype="str")}


def test_dates_that_overlap_are_no_time_split() -> None:
    assert find_time(pd.DataFrame(days(1, 20)), pd.DataFrame(days(20, 30)), ["day"], Settings()) is not None
    assert find_time(pd.DataFrame(days(1, 20)), pd.DataFrame(days(10, 30)), ["day"], Settings()) is None


def test_groups_that_both_sides_share_are_no_group_split() -> None:
    def users(first: int) -> pd.DataFrame:
        return pd.DataFrame({"user_id": pd.Series([str(first + i % 7) for i in range(30)], dtype="str")})

    assert find_group(users(0), users(100), ["user_id"], Settings()) is not None
    assert find_group(users(0), users(5), ["user_id"], Settings()) is None
