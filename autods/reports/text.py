"""Numbers, names and cells as reports write them, safe in Markdown and in HTML whatever they hold."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable

from autods.records import Score

__all__ = ["cell", "code_block", "code_span", "dollars", "duration", "html_cell", "number", "one_line", "score_text"]

_SPANS = re.compile(r"(`[^`]+`|\*\*[^*]+\*\*)")
_ACTIVE = re.compile(r"([\\`*\[\]<>|$~{}])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def number(value: float | None) -> str:
    """Write a score-like number with four significant decimals.

    Examples
    --------
    >>> number(0.83123), number(12345.678), number(float("nan")), number(0.0000123)
    ('0.8312', '12,345.7', '–', '1.23e-05')
    """
    if value is None or not math.isfinite(value):
        return "–"
    if value and abs(value) < 1e-3:
        return f"{value:.3g}"
    return f"{value:.4f}" if abs(value) < 100 else f"{value:,.2f}" if abs(value) < 10_000 else f"{value:,.1f}"


def score_text(score: Score | None) -> str:
    """Write a score with its metric and standard error.

    Examples
    --------
    >>> score_text(Score(0.83, 0.012, (), "accuracy", True))
    'accuracy 0.8300 ± 0.0120'
    """
    if score is None:
        return "not measured"
    return f"{score.metric} {number(score.value)} ± {number(score.standard_error)}"


def duration(seconds: float | None) -> str:
    """Write seconds for people.

    Examples
    --------
    >>> duration(0.34), duration(75), duration(4000)
    ('0.3 s', '1 min 15 s', '1 h 6 min')
    """
    if seconds is None or not math.isfinite(seconds):
        return "–"
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"


def one_line(text: str) -> str:
    """Return the text on one line."""
    return " ".join(str(text).split())


def dollars(text: str) -> str:
    """Escape dollar signs outside code, which notebooks would read as mathematics.

    Examples
    --------
    >>> print(dollars("from $5 to $9 in `a$b`"))
    from \\$5 to \\$9 in `a$b`
    """
    parts = re.split(r"(```.*?```|`[^`]*`)", text, flags=re.DOTALL)
    return "".join(part if i % 2 else re.sub(r"(?<!\\)\$", r"\\$", part) for i, part in enumerate(parts))


def code_span(text: str) -> str:
    """Write text as a Markdown code span, whatever backticks it holds.

    Examples
    --------
    >>> print(code_span("a`b"))
    ``a`b``
    """
    text = one_line(text) or " "
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def code_block(text: str, language: str = "python") -> str:
    """Write a fenced block whose fence is longer than any inside.

    Examples
    --------
    >>> print(code_block("x = 1"))
    ```python
    x = 1
    ```
    """
    fence = "`" * max(3, max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def cell(text: str) -> str:
    """Write a cell of a Markdown table: `code` and **bold** stay, all else is escaped, lines become one.

    Examples
    --------
    >>> print(cell("a|b `c|d` <b>"))
    a\\|b `c\\|d` \\<b\\>
    """
    return _spans(text, lambda inner: "`" + inner.replace("|", "\\|") + "`", lambda inner: f"**{inner}**", _escaped)


def _escaped(text: str) -> str:
    return _ACTIVE.sub(lambda match: "\\" + match[0], text)


def html_cell(text: str) -> str:
    """Write a cell of an HTML table: `code` and **bold** become elements, all else is escaped.

    Examples
    --------
    >>> html_cell("a<b `c`")
    'a&lt;b <code>c</code>'
    """
    return _spans(
        text,
        lambda inner: f"<code>{html.escape(inner)}</code>",
        lambda inner: f"<strong>{inner}</strong>",
        html.escape,
    )


def _spans(text: str, code: Callable[[str], str], strong: Callable[[str], str], plain: Callable[[str], str]) -> str:
    parts = _SPANS.split(one_line(text))
    written = []
    for part in parts:
        if len(part) > 2 and part.startswith("`") and part.endswith("`"):
            written.append(code(part[1:-1]))
        elif len(part) > 4 and part.startswith("**") and part.endswith("**"):
            written.append(strong(plain(part[2:-2])))
        else:
            written.append(plain(part))
    return "".join(written)
