"""Which strings are dates."""

import pandas as pd
import pytest

from autods.profiling.dates import are_dates, parse_dates


@pytest.mark.parametrize(
    "values",
    [
        ["2020-01-31", "2020-02-01"],
        ["2020/01/31 10:00", "2020/02/01 23:59"],
        ["31/12/2019", "01/02/2020"],
        ["12/31/19", "1/2/20"],
        ["31.12.2019", "1.2.2020"],
        ["31-Dec-2019", "1-Jan-2020"],
        ["January 31, 2015", "Feb 1, 2015"],
        ["Jan-2015", "Feb-2015"],
        ["2015-01", "2015-02"],
        ["2020-01-31T10:00:00+01:00", "2020-02-01T09:30:00Z"],
        ["2020-01-31 10:00:00.123456", "2020-02-01 09:30:00.5"],
        ["Fri, 31 Jan 2020 10:00", "Sat, 1 Feb 2020 11:00"],
    ],
)
def test_dates_are_known_in_many_spellings(values):
    assert are_dates(values)


@pytest.mark.parametrize(
    "values",
    [
        [], ["555-12-1234"], ["1.2.3", "1.2.4"], ["10-20", "20-30"], ["may", "june"], ["A/5 21171"], ["12345"], ["1/2"],
        ["2015"], ["99/99/2019"], ["march of time"], ["12:30"],
    ],
)  # fmt: skip
def test_what_only_resembles_a_date_is_none(values):
    assert not are_dates(values)


def test_a_first_number_beyond_twelve_is_the_day():
    parsed = parse_dates(pd.Series(["13/02/2020", "01/02/2020"]))
    assert parsed.dt.month.tolist() == [2, 2]


def test_offsets_are_brought_to_one_zone():
    parsed = parse_dates(pd.Series(["2020-01-01T10:00:00+02:00", "2020-01-01T08:00:00Z"]))
    assert parsed[0] == parsed[1]
