"""Rendering the templates: strict, and with the run's data as values only, never as template text."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autods.reports import text

if TYPE_CHECKING:
    from jinja2 import Environment
    from markdown_it import MarkdownIt
    from markupsafe import Markup

__all__ = ["TEMPLATES", "highlighted", "inline", "prose", "render_code", "render_html", "render_markdown"]

TEMPLATES = Path(__file__).parent / "templates"
_FILTERS = {
    "number": text.number, "duration": text.duration, "score": text.score_text, "one_line": text.one_line,
}  # fmt: skip


@functools.cache
def _environment(autoescape: bool) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(_FILTERS)
    return environment


@functools.cache
def _markdown_environment() -> Environment:
    environment = _environment(False)
    environment.filters.update(cell=text.cell, span=text.code_span, block=text.code_block, prose=text.dollars)
    return environment


@functools.cache
def _html_environment() -> Environment:
    from markupsafe import Markup

    environment = _environment(True)
    environment.filters.update(prose=prose, code=highlighted, inline=inline)
    environment.filters["cell"] = lambda value: Markup(text.html_cell(value))
    return environment


def render_markdown(template: str, **values: Any) -> str:
    """Render a Markdown template; blank lines in a row become one, except in code."""
    written = _markdown_environment().get_template(template).render(**values)
    parts = re.split(r"(^(`{3,}).*?^\2$)", written, flags=re.DOTALL | re.MULTILINE)
    # The split gives text, block, fence, text, …
    kept = [part if i % 3 == 1 else re.sub(r"\n{3,}", "\n\n", part) for i, part in enumerate(parts) if i % 3 != 2]
    return "".join(kept).strip() + "\n"


def render_code(template: str, **values: Any) -> str:
    """Render a template of source code; what it is given stands as it is."""
    return _markdown_environment().get_template(template).render(**values).strip() + "\n"


def render_html(template: str, **values: Any) -> str:
    """Render an HTML template; every value is escaped unless a filter made it HTML."""
    return _html_environment().get_template(template).render(**values)


@functools.cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Without raw HTML, and without images: a page that opens offline fetches nothing.
    return (
        MarkdownIt("commonmark", {"html": False})
        .enable(["table", "strikethrough"])
        .disable(["image", "html_block", "html_inline"])
    )


def prose(markdown: str) -> Markup:
    """Turn a reasoner's Markdown into HTML.

    Examples
    --------
    >>> prose("**3** columns of `a<b>` <script>")
    Markup('<p><strong>3</strong> columns of <code>a&lt;b&gt;</code> &lt;script&gt;</p>\\n')
    """
    from markupsafe import Markup

    return Markup(_markdown().render(markdown))


def inline(markdown: str) -> Markup:
    """Turn one line of Markdown into HTML without a paragraph around it.

    Examples
    --------
    >>> inline("`a` & b")
    Markup('<code>a</code> &amp; b')
    """
    from markupsafe import Markup

    return Markup(_markdown().renderInline(text.one_line(markdown)))


def highlighted(source: str, language: str = "python") -> Markup:
    """Colour source code with classes that the page's style sheet defines."""
    from markupsafe import Markup
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    return Markup(highlight(source, get_lexer_by_name(language), HtmlFormatter(cssclass="code")))
