"""How gates name columns, rows and numbers, so that whoever repairs the code sees where to look."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["first_rows", "listed", "number"]


def listed(items: Iterable[Any], most: int = 5) -> str:
    """List the first few items and count the rest.

    Examples
    --------
    >>> listed(["age", "fare", "deck"], most=2)
    "'age', 'fare' and 1 more"
    """
    texts = [repr(item) if isinstance(item, str) else str(item) for item in items]
    rest = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + rest


def first_rows(mask: Any, most: int = 5) -> str:
    """Name the first rows where a mask holds.

    Examples
    --------
    >>> first_rows([False, True, True])
    'rows 1, 2'
    """
    rows = np.flatnonzero(np.asarray(mask, dtype=bool))
    return ("row " if len(rows) == 1 else "rows ") + listed(rows.tolist(), most)


def number(value: float) -> str:
    """Write a number short enough to read and long enough to tell apart.

    Examples
    --------
    >>> number(0.123456789)
    '0.123457'
    """
    return f"{value:.6g}"
