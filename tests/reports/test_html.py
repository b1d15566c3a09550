from __future__ import annotations

import dataclasses
import html
import re
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

from autods.reports import rendering
from autods.reports.figures import CAPTIONS, as_png, as_svg, run_figures
from autods.reports.html import html_report

VOID = {"meta", "link", "br", "img", "input", "hr", "use", "path"}


class Balance(HTMLParser):
    """Fails on a tag that closes nothing and remembers attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.sources = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "xlink:href"):
                self.sources.append(value)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open.pop() == tag


@pytest.fixture
def page(content):
    return html_report(content, run_figures(content))


def test_the_page_is_well_formed_and_its_ids_are_unique(page):
    reader = Balance()
    reader.feed(page)
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))


def test_the_page_refers_to_nothing_outside_itself(page):
    reader = Balance()
    reader.feed(page)
    assert all(source.startswith(("#", "data:")) for source in reader.sources)
    assert not re.search(r"@import|url\((?!#)", page)


def test_every_link_of_the_contents_has_its_section(page):
    reader = Balance()
    reader.feed(page)
    assert {source[1:] for source in reader.sources if source.startswith("#")} <= set(reader.ids)


def test_data_is_never_markup_nor_a_template(page):
    assert "<script>alert" not in page
    assert "{{ y }}" in page


def test_the_page_shows_scores_pictures_gates_code_and_what_was_not_done(page):
    for part in (
        "0.8424", "against plain LightGBM", "against best constant", "data:image/png;base64,", "nothing undeclared is missing",
        '<span class="nf">clean</span>', "Where it errs most", "Cut off by the budget: neural_network.", "landlock, seccomp, rlimits",
        *CAPTIONS.values(),
    ):  # fmt: skip
        assert part in html.unescape(page)


def test_the_same_content_gives_the_same_bytes(content):
    pages = [html_report(content, run_figures(content)) for _ in range(2)]
    assert pages[0] == pages[1]
    assert as_png(run_figures(content)["importance"]) == as_png(run_figures(content)["importance"])


def test_a_run_without_scores_has_a_page(content):
    bare = dataclasses.replace(
        content, training=None, baseline=None, constant=None, folds=None, phases=(), slices=(), notes=()
    )
    assert "ended before it could be scored" in html_report(bare, run_figures(bare))


def test_a_picture_that_is_gone_is_said(content):
    for path in content.root.rglob("*.png"):
        path.unlink()
    assert "is not in the attempt" in html_report(content, {})


def test_pictures_follow_light_and_dark(content):
    svg = as_svg(run_figures(content)["model_comparison"], "model_comparison")
    assert "var(--accent)" in svg
    assert "var(--ink)" in svg
    assert "#2f6fdf" not in svg


def test_a_score_far_away_is_pointed_at_instead_of_drawn(content):
    far = dataclasses.replace(content.constant, value=-40.0)
    svg = as_svg(run_figures(dataclasses.replace(content, constant=far))["model_comparison"], "x")
    assert "← -40.0000" in svg


def test_letters_that_the_font_lacks_are_no_reason_to_fail(content):
    training = content.training
    results = tuple(dataclasses.replace(r, importance={"年齢 🙂": 1.0}) for r in training.results)
    odd = dataclasses.replace(content, training=dataclasses.replace(training, results=results))
    assert as_png(run_figures(odd)["importance"]).startswith(b"\x89PNG")


def test_a_candidate_that_was_submitted_alone_stands_for_the_blend(content):
    blend = dataclasses.replace(content.training.blend, weights={"linear": 1.0})
    alone = dataclasses.replace(content, training=dataclasses.replace(content.training, blend=blend))
    svg = as_svg(run_figures(alone)["model_comparison"], "x")
    assert ">blend<" not in svg
    assert "the candidate <code>linear</code>" in html_report(alone, {})


def test_templates_are_strict():
    with pytest.raises(UndefinedError):
        rendering.render_markdown("report.md.j2")
    with pytest.raises(UndefinedError):
        rendering.render_html("report.html.j2")


def test_every_template_is_known():
    names = {path.name for path in rendering.TEMPLATES.iterdir()}
    assert names == {"parts.html.j2", "phase.md.j2", "report.css", "report.html.j2", "report.md.j2", "solution.py.j2"}
