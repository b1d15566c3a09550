"""Which words have an order, and which do not."""

import pytest

from autods.profiling.ladders import ordinal_levels

ORDERED = [
    "low medium high",
    "Po Fa TA Gd Ex",
    "No Mn Av Gd",
    "XS S M L XL XXL",
    "no Sometimes Frequently Always",
    "two four six eight",
    "none mild moderate severe",
    "Mon Tue Wed Thu Fri Sat Sun",
    "Fair|Good|Very Good|Premium|Ideal",
    "strongly disagree|disagree|neutral|agree|strongly agree",
    "< 100 DM|101 - 500 DM|501 - 1000 DM|> 1000 DM",
    "unemployed|0 - 1 yrs|1 - 4 yrs|4 - 7 yrs|> 7 yrs",
    "18-24|25-34|35-44|45-54|55-64|65+",
    "(0, 10]|(10, 20]|(20, 30]",
    "under $10k|$10k - $50k|$50k - $100k|over $100k",
    "1. never|2. at times|3. daily",
    "Stage I|Stage II|Stage III|Stage IV",
    "Level 1|Level 2|Level 10",
    "high school|bachelor|master|phd",
]


def split(text):
    return text.split("|") if "|" in text else text.split()


@pytest.mark.parametrize("ladder", ORDERED)
def test_levels_come_in_ascending_order(ladder):
    levels = split(ladder)
    assert ordinal_levels(sorted(levels, key=hash)) == tuple(levels)


@pytest.mark.parametrize("levels", ["red green blue", "male female", "S C Q", "S M", "yes no", "A B C", "RL RM FV", "gas diesel",
                                    "2019-01 2019-02 2019-03", "I V", "Inside Corner CulDSac"])  # fmt: skip
def test_other_levels_have_no_order(levels):
    assert ordinal_levels(split(levels)) == ()


def test_levels_that_mean_unknown_are_left_out():
    assert ordinal_levels(["high", "unknown", "low", "NA"]) == ("low", "high")


def test_letters_are_grades_only_by_name():
    assert ordinal_levels(["A", "C", "B"], "grade") == ("C", "B", "A")
    assert ordinal_levels(["A", "C", "B"], "deck") == ()


def test_spelling_variants_share_a_rung():
    assert ordinal_levels(["Low", "LOW ", "High"])[2] == "High"
