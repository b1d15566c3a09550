import pandas as pd
import pytest

from autods.tools import datetime_parts, split_structured
from autods.tools.features.structured import structure_of

NAMES = [
    "Braund, Mr. Owen Harris",
    "Cumings, Mrs. John Bradley (Florence Briggs Thayer)",
    "Rothes, the Countess. of (Lucy Noel Martha Dyer-Edwards)",
    'O\'Dwyer, Miss. Ellen "Nellie"',
]


def split(values: list, **call) -> dict[str, list]:
    frame, _ = split_structured(pd.DataFrame({"c": values}), columns=["c"], drop_original=True, **call)
    return frame.astype(object).where(frame.notna(), None).to_dict("list")


def test_names_give_surname_title_and_words() -> None:
    assert split([*NAMES, None]) == {
        "c_surname": ["Braund", "Cumings", "Rothes", "O'Dwyer", None],
        "c_title": ["Mr", "Mrs", "Countess", "Miss", None],
        "c_words": [2.0, 2.0, 1.0, 1.0, None],
        "c_alias": [0.0, 1.0, 1.0, 0.0, None],
    }


def test_parts_have_the_type_of_trains() -> None:
    assert split(["B/45/P", "A/7/S", None]) == {
        "c_1": ["B", "A", None],
        "c_2": [45.0, 7.0, None],
        "c_3": ["P", "S", None],
    }


def test_values_of_another_shape_are_missing_in_all_parts() -> None:
    train = pd.DataFrame({"c": ["B/45/P", "A/7/S"]})
    _, test = split_structured(train, pd.DataFrame({"c": ["B/45", "B/45/P/9", "B/x/P"]}), columns=["c"])
    assert test[["c_1", "c_2", "c_3"]].isna().sum(axis=1).tolist() == [3, 3, 1]


def test_tickets_give_prefix_and_number() -> None:
    assert split(["A/5 21171", "113803", "STON/O2. 3101282", "LINE", None], pattern="prefix_number") == {
        "c_prefix": ["A5", "none", "STONO2", "LINE", None],
        "c_number": [21171.0, 113803.0, 3101282.0, None, None],
        "c_digits": [5.0, 6.0, 7.0, None, None],
    }


def test_codes_give_letter_number_and_count() -> None:
    assert split(["C23 C25 C27", "B45", "F G73", "T", None], pattern="code") == {
        "c_letter": ["C", "B", "F", "T", None],
        "c_number": [23.0, 45.0, 73.0, None, None],
        "c_count": [3.0, 1.0, 2.0, 1.0, None],
    }


@pytest.mark.parametrize(
    "levels, pattern",
    [
        (NAMES, "name"),
        (["B/45/P", "A/7/S"], "parts"),
        (["2021-A-7", "2022-B-9"], "parts"),
        (["A/5 21171", "113803"], "prefix_number"),
        ([f"{'ABCDE'[k % 5]}{k}" for k in range(40)], "code"),
        ([f"{'ABCDE'[k % 5]}/{k}" for k in range(40)], "parts"),
        (["male", "female"], None),
        (["Reg", "IR1", "IR2"], None),
        (["31/12/2020", "01/02/2021"], None),
        (["1.5", "2.5"], None),
        (["Ok lar... Joking wif u oni...", "Free entry in 2 a wkly comp"], None),
        (["< 1 yr", "1 - 4 yrs"], None),
        ([], None),
    ],
)
def test_the_pattern_is_found_where_there_is_one(levels: list[str], pattern: str | None) -> None:
    assert structure_of(pd.Series(levels, dtype="str")) == pattern


def test_a_column_without_structure_stays_as_it_is() -> None:
    train = pd.DataFrame({"c": ["male", "female"]})
    assert split_structured(train, columns=["c"], drop_original=True)[0].equals(train)


WHEN = pd.DataFrame({"when": pd.to_datetime(["2021-01-30T06:00", "2021-02-01T18:00", None])})


def test_parts_that_do_not_vary_are_left_out() -> None:
    parts, _ = datetime_parts(WHEN, cycles=False)
    assert list(parts) == [
        f"when_{part}" for part in ("month", "day", "dayofweek", "hour", "is_weekend", "elapsed_days")
    ]
    assert parts["when_is_weekend"].fillna(-1).tolist() == [1, 0, -1]
    assert parts["when_elapsed_days"].fillna(-1).tolist() == [0, 2.5, -1]


def test_cycles_join_their_ends() -> None:
    frame = pd.DataFrame({"when": pd.to_datetime(["2021-01-15T23:00", "2021-01-16T00:00", "2021-01-16T12:00"])})
    parts, _ = datetime_parts(frame, parts="hour")
    near = ((parts[["when_hour_sin", "when_hour_cos"]].diff() ** 2).sum(axis=1) ** 0.5).tolist()
    assert near[1] < 0.3 < 1.9 < near[2]


def test_test_counts_days_from_trains_first() -> None:
    _, test = datetime_parts(WHEN, pd.DataFrame({"when": pd.to_datetime(["2021-01-29T06:00"])}), parts=["elapsed_days"])
    assert test["when_elapsed_days"].tolist() == [-1]


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(ValueError, match=r"parts='weekday' is not allowed: did you mean '.*day'"):
        datetime_parts(WHEN, parts=["weekday"])


@pytest.mark.parametrize("part", ["year", "quarter", "week", "dayofyear", "minute", "is_month_end"])
def test_every_part_can_be_had(part: str) -> None:
    assert datetime_parts(WHEN, parts=[part], cycles=False)[0][f"when_{part}"].isna().tolist() == [False, False, True]


def test_a_title_without_its_dot_is_known_by_being_shared() -> None:
    names = pd.DataFrame({"name": [f"Surname{chr(97 + i)}, {'Miss' if i % 2 else 'Mr'} Given {i}" for i in range(24)]})
    train, _ = split_structured(names.astype("str"), columns=["name"])
    assert set(train["name_title"]) == {"Mr", "Miss"}


def test_a_word_behind_a_comma_that_is_never_shared_is_no_title() -> None:
    places = pd.DataFrame({"place": [f"Town{chr(97 + i)}, County{chr(97 + i)} North" for i in range(24)]})
    train, _ = split_structured(places.astype("str"), columns=["place"])
    assert "place_title" not in train
