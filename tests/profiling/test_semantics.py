"""What a column is: judged by its values first and its name second."""

import numpy as np
import pandas as pd
import pytest

from autods.profiling import profile_frames

N = 240
RNG = np.random.default_rng(7)
SURNAMES = ["Braund", "Cumings", "Heikkinen", "Futrelle", "Allen", "Moran", "McCarthy", "Palsson", "Johnson", "Nasser"]
WORDS = [
    "free",
    "call",
    "now",
    "win",
    "the",
    "prize",
    "today",
    "reply",
    "stop",
    "claim",
    "your",
    "cash",
    "at",
    "home",
    "with",
    "our",
    "new",
    "offer",
]


def few(*values, n=N):
    return [values[i % len(values)] for i in RNG.integers(0, len(values), n)]


def counts(*weights, start=0):
    return np.repeat(np.arange(start, start + len(weights)), weights)


COLUMNS = {
    # Numbers.
    ("Age", "numeric"): RNG.normal(40, 10, N),
    ("SibSp", "numeric"): counts(150, 60, 20, 10),
    ("Pclass", "integer_code"): few(1, 2, 3, 3, 3),
    ("stage_of_life", "integer_code"): counts(60, 40, 80, 60, start=1),
    ("credits", "numeric"): counts(150, 70, 20, start=1),
    ("MSSubClass", "integer_code"): few(20, 30, 60, 120, 190),
    ("OverallQual", "numeric"): few(*range(1, 11)),
    ("YearBuilt", "numeric"): RNG.integers(1900, 2010, N),
    ("temperature", "numeric"): RNG.integers(-20, 30, N),
    ("amount", "numeric"): RNG.permutation(N * 40)[:N],
    ("store_id", "integer_code"): few(*range(1, 40)),
    ("n_stores", "numeric"): few(*range(1, 40)),
    ("has_garage", "boolean"): few(0, 1),
    ("flag", "boolean"): RNG.random(N) < 0.3,
    ("half", "boolean"): few(0.0, 1.0, np.nan),
    ("always", "constant"): np.ones(N),
    ("nothing", "constant"): np.full(N, np.nan),
    ("only_sometimes", "numeric"): few(3.0, np.nan),
    ("day", "datetime"): pd.date_range("2021-01-01", periods=N).strftime("%Y%m%d").astype(int),
    ("PassengerId", "id_like"): np.arange(1, N + 1),
    ("key", "id_like"): RNG.permutation(N) + 1000,
    ("stamp", "datetime"): pd.date_range("2021-01-01", periods=N),
    # Words.
    ("Sex", "categorical"): few("male", "female"),
    ("letter", "categorical"): few("M", "F"),
    ("smoker", "boolean"): few("yes", "no"),
    ("CentralAir", "boolean"): few("Y", "N"),
    ("truth", "boolean"): few("True", "False", None),
    ("Embarked", "categorical"): few("S", "C", "Q"),
    ("marital", "categorical"): few("S", "M"),
    ("ExterQual", "ordinal"): few("Ex", "Gd", "TA", "Fa"),
    ("size", "ordinal"): few("S", "M", "L"),
    ("balance", "ordinal"): few("< 0 DM", "1 - 200 DM", "> 200 DM", "unknown"),
    ("num_doors", "ordinal"): few("two", "four", "?"),
    ("Name", "text"): [f"{SURNAMES[i % 10]}, Mr. {w} {i}" for i, w in enumerate(few("Owen", "John", "Karl"))],
    ("Ticket", "categorical"): few(*[f"A/5 {k}" for k in range(90)], *[str(k) for k in range(5000, 5060)]),
    ("Cabin", "categorical"): few(*[f"{d}{k}" for d in "ABC" for k in range(20)], None),
    ("message", "text"): [" ".join(few(*WORDS, n=9)) for _ in range(N)],
    ("code", "id_like"): [f"{k:04d}_{k % 3}" for k in range(N)],
    ("uuid", "id_like"): [f"{int(k):08x}-{int(k) % 97:04x}" for k in RNG.permutation(10**6)[:N]],
    ("town", "categorical"): few("Oslo", "New York", "São Paulo"),
    ("when", "datetime"): [f"2020-0{k % 9 + 1}-1{k % 9}T10:00:00+0{k % 3}:00" for k in range(N)],
    ("us_date", "datetime"): [f"{k % 12 + 1}/{k % 28 + 1}/2019" for k in range(N)],
    ("price", "numeric"): [f"${k:,}.50" for k in RNG.integers(0, 99999, N)],
    ("weight", "numeric"): [f"{k} kg" for k in RNG.integers(0, 99, N)],
    ("zip", "categorical"): few(*[f"0{k}" for k in range(1000, 1080)]),
    ("version", "categorical"): few("1.2.3", "1.2.4", "2.0.1"),
    ("phone", "id_like"): [f"555-{k:03d}-{k * 7 % 9999:04d}" for k in range(N)],
    ("same", "constant"): ["x"] * N,
}


@pytest.mark.parametrize("name, semantic", COLUMNS)
def test_a_column_is_what_an_expert_would_call_it(name, semantic):
    values = COLUMNS[name, semantic]
    series = pd.Series(values, dtype="str") if isinstance(values[0], str | type(None)) else pd.Series(values)
    assert profile_frames(pd.DataFrame({name: series})).columns[name].semantic == semantic


@pytest.mark.parametrize(
    "name, kind, n_parts",
    [
        ("Name", "person_name", 3),
        ("Ticket", "prefix_number", 2),
        ("Cabin", "prefix_number", 2),
        ("code", "delimited", 2),
    ],
)
def test_structured_strings_say_how_they_are_built(name, kind, n_parts):
    values = next(column for (known, _), column in COLUMNS.items() if known == name)
    pattern = profile_frames(pd.DataFrame({name: pd.Series(values, dtype="str")})).columns[name].pattern
    assert (pattern.kind, pattern.n_parts) == (kind, n_parts)
    assert pattern.share > 0.9


def test_prose_has_no_pattern():
    values = COLUMNS["message", "text"]
    column = profile_frames(pd.DataFrame({"message": values})).columns["message"]
    assert column.pattern is None
    assert column.avg_words == 9


@pytest.mark.parametrize(
    "name, unit", [("price", "currency"), ("weight", "kg")]
)  # fmt: skip
def test_numbers_in_text_keep_their_unit(name, unit):
    values = COLUMNS[name, "numeric"]
    assert profile_frames(pd.DataFrame({name: pd.Series(values, dtype="str")})).columns[name].unit == unit
