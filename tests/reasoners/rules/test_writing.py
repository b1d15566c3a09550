import ast

import pytest

from autods.reasoners.rules.writing import WIDTH, count, frames_module, listed, literal, percent
from autods.records import Plan, Step

ODD = ("it's", 'a "b"', "c\\n", "ünïcode", "{braces}", "line\nbreak", "# no comment")


@pytest.mark.parametrize(
    "share, text", [(None, "–"), (0, "0 %"), (1, "100 %"), (0.273, "27 %"), (0.0234, "2.3 %"), (0.0004, "0.04 %")]
)
def test_shares_are_written_for_people(share, text):
    assert percent(share) == text


def test_counts_agree_with_their_noun():
    assert (count(1, "class", "classes"), count(0, "row")) == ("1 class", "0 rows")


def test_long_lists_are_shortened_with_a_count():
    assert listed([str(number) for number in range(1005)], most=1) == "`0` and 1,004 more"


@pytest.mark.parametrize("value", [ODD, {"order": ["a", 1, None, 0.5]}, float("1e300"), -3])
def test_literals_read_back_as_they_were(value):
    read = ast.literal_eval(literal(value))
    assert read == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize("number", [1, 7, 9, 200])
def test_any_column_name_gives_a_module_that_compiles(number):
    columns = tuple(f"{name}{index}" for index in range(number) for name in ODD)[:number]
    code = frames_module(
        Plan("cleaning", (Step("fill\nthe gaps", "they # are\nfew", columns, "fill_missing_values"),)), "clean", "T"
    )
    compile(code, "code.py", "exec")


def test_a_reason_becomes_a_comment_above_its_call():
    code = frames_module(
        Plan("cleaning", (Step("fill", "few are missing", ("age",), "fill_missing_values"),)), "clean", "T"
    )
    lines = [line.strip() for line in code.splitlines()]
    assert lines[lines.index("# fill: few are missing") + 1].startswith("train, test = fill_missing_values(train, test")


def test_lines_stay_short_enough_to_read():
    columns = tuple(f"a_rather_long_column_name_{number}" for number in range(40))
    code = frames_module(Plan("cleaning", (Step("fill", "few " * 80, columns, "fill_missing_values"),)), "clean", "T")
    assert max(map(len, code.splitlines())) <= WIDTH


def test_a_plan_without_tools_returns_the_frames():
    spaces = {}
    exec(frames_module(Plan("cleaning", (Step("leave", ""),)), "clean", "T"), spaces)
    assert spaces["clean"]("train", "test") == ("train", "test")
