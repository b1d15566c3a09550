"""How every figure looks: one palette, small multiples, safe labels; Figure objects, no pyplot."""

from __future__ import annotations

import gc
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "CLASSES",
    "GREY",
    "MAX_PANELS",
    "TEST",
    "TRAIN",
    "Panels",
    "drawing",
    "label",
    "percent_axis",
    "save",
    "short",
    "thin",
]

TRAIN, TEST, GREY = "#3f6ea3", "#e08a3c", "#8a8f98"
CLASSES = ("#3f6ea3", "#e08a3c", "#5a9b72", "#b5536b", "#8172b3", "#8c7a6b", "#64b0c4", "#c9a227")
MAX_PANELS = 12
MAX_POINTS = 20_000
DPI = 100

_INK, _LINES = "#30343a", "#d4d7dc"
_FALLBACK_FONTS = (
    "Noto Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei", "Microsoft YaHei", "Hiragino Sans",
    "Arial Unicode MS", "Noto Sans Arabic", "Noto Sans Devanagari", "Segoe UI Emoji",
)  # fmt: skip
_LOOK = {
    "axes.axisbelow": True, "axes.edgecolor": _LINES, "axes.grid": True, "axes.labelcolor": _INK, "axes.labelsize": 8,
    "axes.spines.right": False, "axes.spines.top": False, "axes.titlelocation": "left", "axes.titlesize": 9,
    "axes.titleweight": "bold", "axes.titlecolor": _INK, "axes.formatter.limits": (-4, 5), "axes.titlepad": 5.0, "axes.titley": 1.0,
    "axes.unicode_minus": False, "figure.facecolor": "white", "grid.color": "#eceef1", "grid.linewidth": 0.8,
    "legend.fontsize": 8, "legend.frameon": False, "savefig.facecolor": "white", "text.color": _INK,
    "text.parse_math": False, "text.usetex": False, "xtick.color": _LINES, "xtick.labelcolor": _INK,
    "xtick.labelsize": 7.5, "ytick.color": _LINES, "ytick.labelcolor": _INK, "ytick.labelsize": 7.5,
}  # fmt: skip


@contextmanager
def drawing() -> Iterator[None]:
    """Draw with our look; a glyph that no font has becomes a box without a warning."""
    import matplotlib
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    fonts = ["DejaVu Sans", *(name for name in _FALLBACK_FONTS if name in installed)]
    look: dict[Any, Any] = {
        # A person's own backend stays as it is; their style sheet does not reach our figures.
        name: value
        for name, value in dict.items(matplotlib.rcParamsDefault)
        if "backend" not in name and name != "interactive"
    }
    collecting = gc.isenabled()
    # A figure is thousands of small objects, all alive until it is saved: collecting in between only costs time.
    gc.disable()
    try:
        with matplotlib.rc_context(look | _LOOK | {"font.family": fonts}), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from")
            yield
    finally:
        if collecting:
            gc.enable()


class Panels:
    """A figure of small multiples, at most twelve: a heading, a legend of names and colours, and panels in `axes`.

    Examples
    --------
    >>> with drawing():
    ...     panels = Panels(5)
    >>> len(panels.axes), panels.figure.get_size_inches().tolist()
    (5, [10.2, 5.0])
    """

    def __init__(
        self,
        n: int,
        *,
        width: float = 3.4,
        height: float = 2.5,
        left: float = 0.85,
        columns: int | None = None,
        heading: str = "",
        entries: Mapping[str, str] | None = None,
    ) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.ticker import FuncFormatter, MaxNLocator

        n = max(1, min(n, MAX_PANELS))
        across = columns or (n if n <= 3 else 2 if n == 4 else 3 if n <= 9 else 4)
        down = -(-n // across)
        top = (0.35 if heading else 0.0) + (0.25 if entries else 0.0)
        size_x, size_y = width * across, height * down + top
        self.figure: Figure = Figure(figsize=(size_x, size_y), dpi=DPI)
        FigureCanvasAgg(self.figure)
        self.axes: list[Axes] = [self.figure.add_subplot(down, across, i + 1) for i in range(n)]
        # Margins and gaps in inches, so that panels look alike in figures of any size.
        self.figure.subplots_adjust(
            left=left / size_x, right=1 - 0.2 / size_x, bottom=0.45 / size_y, top=1 - (top + 0.3) / size_y,
            wspace=(left + 0.2) / (width - left - 0.2), hspace=0.75 / (height - 0.75),
        )  # fmt: skip
        if heading:
            self.figure.text(0.12 / size_x, 1 - 0.12 / size_y, label(heading, 90), ha="left", va="top", fontsize=10.5)

        if entries:
            self._legend(entries, size_x, size_y)
        for axes in self.axes:
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_locator(MaxNLocator(5))
                axis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))

    def _legend(self, entries: Mapping[str, str], size_x: float, size_y: float) -> None:
        from matplotlib.patches import Patch

        self.figure.legend(
            handles=[Patch(color=colour) for colour in entries.values()], labels=[label(name, 18) for name in entries],
            loc="upper left", bbox_to_anchor=(0.04 / size_x, 1 - 0.32 / size_y), ncols=len(entries), handlelength=1.0,
            handleheight=0.9, columnspacing=1.2, borderaxespad=0.0, borderpad=0.3,
        )  # fmt: skip


def short(value: float) -> str:
    """Write an axis' number shortly.

    Examples
    --------
    >>> [short(value) for value in (0.25, 1500, 250_000, 3e6, 2e12, 0.0000125)]
    ['0.25', '1500', '250k', '3M', '2e+12', '1.25e-05']
    """
    size = abs(value)
    if 1e4 <= size < 1e9:
        return f"{value / 1e6:.4g}M" if size >= 1e6 else f"{value / 1e3:.4g}k"
    return f"{value:.4g}" if size < 1e4 else f"{value:.3g}"


def label(text: object, length: int = 24) -> str:
    r"""Make any text a safe label: one line, shortened, and never taken for markup or left out of a legend.

    Examples
    --------
    >>> label("_cost\n($)"), label("a very long column name indeed")
    (' _cost ($)', 'a very long col…e indeed')
    """
    line = re.sub(r"[\s\x00-\x1f\x7f]+", " ", str(text)).encode("utf-8", "replace").decode()
    if len(line) > length:
        line = f"{line[: length - 9]}…{line[-8:]}"
    return f" {line}" if line.startswith("_") else line or "(empty)"


def thin(values: np.ndarray, limit: int = MAX_POINTS) -> np.ndarray:
    """Take every k-th entry so that at most `limit` remain."""
    return values[:: max(1, -(-len(values) // limit))]


def percent_axis(axis: Any) -> None:
    """Show an axis of shares in percent."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(4))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.3g}%"))


def save(panels: Panels, out: str | Path, name: str) -> str:
    """Write the figure as PNG into the folder `out` and give its name there."""
    path = Path(out) / (name if name.endswith(".png") else f"{name}.png")
    path.parent.mkdir(parents=True, exist_ok=True)
    panels.figure.savefig(path, dpi=DPI, metadata={"Software": None})
    return path.relative_to(out).as_posix()
