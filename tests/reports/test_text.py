from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from autods.reports.markdown import markdown_table
from autods.reports.rendering import inline, prose
from autods.reports.text import cell, code_block, code_span, dollars, duration, html_cell, number


@pytest.mark.parametrize(
    "text",
    ["a|b", "$x$ and $y$", "{{ y }}", "<script>alert(1)</script>", "back\\slash", "two\nlines", "`code|span`", "*not* _bold_",
     "[a](http://b)", "![x](y)", "~~gone~~", "**", "` `"],
)  # fmt: skip
def test_a_cell_can_hold_anything_and_stays_one_cell(text):
    table = (
        MarkdownIt("commonmark", {"html": False})
        .enable("table")
        .render(markdown_table(("name", "next"), ((text, "end"),)))
    )
    assert table.count("<td>") == 2
    assert "<td>end</td>" in table
    assert "<script>" not in table
    assert not any(tag in table for tag in ("<em>", "<a ", "<img", "<s>"))


def test_code_and_bold_stay_in_cells():
    assert cell("`Age` is **best**") == "`Age` is **best**"
    assert html_cell("`a<b` is **x<y**") == "<code>a&lt;b</code> is <strong>x&lt;y</strong>"


@pytest.mark.parametrize("text", ["plain", "a`b", "``", "`start", "", "a\nb"])
def test_a_code_span_holds_any_backticks(text):
    html = MarkdownIt("commonmark").render(f"x {code_span(text)} y")
    assert html.count("<code>") == 1


def test_a_code_block_is_not_ended_by_fences_inside():
    assert MarkdownIt("commonmark").render(code_block('"""\n```\nx\n```\n"""')).count("<pre>") == 1


def test_dollars_in_prose_are_no_mathematics_but_code_is_left_alone():
    assert dollars("$5 and `$x` and\n```\n$y\n```") == "\\$5 and `$x` and\n```\n$y\n```"


def test_prose_brings_neither_html_nor_pictures_nor_scripts():
    html = prose("<b>x</b> ![i](http://e.x/p.png) [l](javascript:alert(1)) <img src=x onerror=y>")
    assert "<b>" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html


def test_inline_is_one_line_without_a_paragraph():
    assert inline("a\n`b`") == "a <code>b</code>"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5000"), (-1234.5, "-1,234.50"), (1e6, "1,000,000.0"), (0.0, "0.0000"), (2e-5, "2e-05"), (None, "–"), (float("inf"), "–")],
)  # fmt: skip
def test_numbers_are_short(value, text):
    assert number(value) == text


def test_durations_are_for_people():
    assert [duration(s) for s in (0.05, 59.94, 3600, None)] == ["0.1 s", "59.9 s", "1 h 0 min", "–"]
