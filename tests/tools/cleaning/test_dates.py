import pandas as pd
import pytest

from autods.tools import format_datetime


def read(values: list, **call) -> list[str]:
    dates = format_datetime(pd.DataFrame({"d": values}), columns=["d"], **call)[0]["d"]
    assert dates.dtype == "datetime64[us]"
    return ["" if pd.isna(date) else f"{date:%Y-%m-%d %H:%M}" for date in dates]


@pytest.mark.parametrize(
    "text",
    [
        "2021-03-04", "2021/03/04", "2021-03-04 00:00", "2021-03-04T00:00:00", "2021-03-04T00:00:00Z", "04.03.2021",
        "4 Mar 2021", "04-Mar-21", "Mar 4, 2021", "March 4, 2021", "4 March 2021", "20210304", "03/04/2021 12:00 AM",
        "2021-03-04T02:00:00+02:00",
    ],
)  # fmt: skip
def test_the_usual_ways_to_write_a_date_are_read(text: str) -> None:
    assert read([text, None]) == ["2021-03-04 00:00", ""]


def test_a_day_above_twelve_decides_the_order_of_all() -> None:
    assert read(["01/02/2021", "31/12/2020"]) == ["2021-02-01 00:00", "2020-12-31 00:00"]
    assert read(["01/02/2021", "12/31/2020"]) == ["2021-01-02 00:00", "2020-12-31 00:00"]


def test_train_decides_for_test() -> None:
    _, test = format_datetime(pd.DataFrame({"d": ["31/12/2020"]}), pd.DataFrame({"d": ["01/02/2021"]}), columns="d")
    assert test["d"][0] == pd.Timestamp("2021-02-01")


def test_the_order_can_be_given() -> None:
    assert read(["01/02/2021"]) == ["2021-01-02 00:00"]
    assert read(["01/02/2021"], day_first=True) == ["2021-02-01 00:00"]


def test_mixed_formats_and_zones_meet_in_utc() -> None:
    values = ["2021-03-04T10:00:00+05:00", "2021-03-04T10:00:00Z", "2021-03-04 10:00", "4 Mar 2021", "no date"]
    assert read(values) == ["2021-03-04 05:00", "2021-03-04 10:00", "2021-03-04 10:00", "2021-03-04 00:00", ""]


@pytest.mark.parametrize(
    "values, call, expected",
    [
        ([20210304, 20210305], {}, "2021-03-04 00:00"),
        ([1614816000, 1614902400], {}, "2021-03-04 00:00"),
        ([1614816000000.0, None], {}, "2021-03-04 00:00"),
        ([18690, 18691], {"unit": "D"}, "2021-03-04 00:00"),
        ([2021, 2022], {"format": "%Y"}, "2021-01-01 00:00"),
    ],
)
def test_numbers_are_read_as_dates(values: list, call: dict, expected: str) -> None:
    assert read(values, **call)[0] == expected


def test_numbers_that_are_no_dates_are_refused() -> None:
    with pytest.raises(ValueError, match="'d' are neither like 20240131 nor a time since 1970; give unit or format"):
        read([1.5, 7.0])
    with pytest.raises(ValueError, match="type bool, which holds no dates"):
        read([True, False])
    with pytest.raises(ValueError, match="unit='year' is not allowed"):
        read([1], unit="year")


def test_datetimes_lose_their_zone() -> None:
    assert read(pd.to_datetime(["2021-03-04T10:00:00+05:00"]).to_list()) == ["2021-03-04 05:00"]


@pytest.mark.parametrize(
    "values, found",
    [
        (["2021-01-02", "2021-02-03"], True),
        (["1.5", "2.5"], False),
        (["12", "13"], False),
        (["Monday 1", "see you at 5"], False),
        (["2021-01-02", "unknown"], False),
        (["A/5 21171", "113803"], False),
        (["1/2/P", "3/4/S"], False),
    ],
)
def test_columns_of_dates_are_found(values: list[str], found: bool) -> None:
    parsed, _ = format_datetime(pd.DataFrame({"d": values}))
    assert (parsed["d"].dtype == "datetime64[us]") is found
