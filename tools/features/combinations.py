"""Products and sums of columns, and pairs of categories."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_names, check_number, check_pairs, chosen
from autods.tools._frames import Frames, add_columns, as_levels, as_number, frame_tool, number_table

__all__ = ["combine_categories", "create_feature_combinations", "create_polynomial_features"]

MOST = 1000


def _named(
    tool: str, train: pd.DataFrame, test: pd.DataFrame | None, columns: Columns, terms: list[tuple[str, ...]]
) -> None:
    if len(terms) > MOST:
        raise ValueError(
            f"columns={columns!r} would give {tool} {len(terms)} new columns, more than {MOST}; name fewer columns."
        )


def _products(frame: pd.DataFrame, terms: list[tuple[str, ...]]) -> dict[str, np.ndarray]:
    made = {}
    for term in terms:
        with np.errstate(all="ignore"):
            product = np.prod([as_number(frame[name]).to_numpy() for name in term], axis=0)
        made[" * ".join(_powers(term))] = np.where(np.isfinite(product), product, np.nan)
    return made


def _powers(term: tuple[str, ...]) -> list[str]:
    counts = {name: term.count(name) for name in term}
    return [name if count == 1 else f"{name}^{count}" for name, count in counts.items()]


@frame_tool()
def create_polynomial_features(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns,
    degree: int = 2,
    interaction_only: bool = False,
) -> Frames:
    """Add the products of columns up to a degree: `a^2`, `a * b`, ….

    Parameters
    ----------
    columns
        Columns of numbers.
    degree
        The highest degree, 2 to 4.
    interaction_only
        Whether to leave out powers of one column.

    Returns
    -------
    The frames with float64 columns; the columns themselves stay, once. Missing where a factor is missing.

    Raises
    ------
    ValueError
        When there would be more than 1,000 new columns.

    Notes
    -----
    Use it on a few columns for linear estimators. Trees find products by themselves, though slowly.

    Examples
    --------
    >>> train, _ = create_polynomial_features(pd.DataFrame({"a": [2.0], "b": [3.0]}), columns=["a", "b"])
    >>> train.to_dict("list")
    {'a': [2.0], 'b': [3.0], 'a^2': [4.0], 'a * b': [6.0], 'b^2': [9.0]}
    """
    check_number("degree", degree, 2, 4, integer=True)
    names = chosen(train, test, check_names("columns", columns, train, test), holds="numbers")
    combine = combinations if interaction_only else combinations_with_replacement
    terms = [term for size in range(2, degree + 1) for term in combine(names, size)]
    _named("create_polynomial_features", train, test, columns, terms)
    return add_columns(train, test, lambda frame: _products(frame, terms))


@frame_tool()
def create_feature_combinations(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns,
    combination_type: str = "multiplication",
    max_combination_size: int = 2,
) -> Frames:
    """Add the product or sum of every combination of columns: `a * b` or `a + b`.

    Parameters
    ----------
    columns
        Columns of numbers, at least two.
    combination_type
        "multiplication" or "addition".
    max_combination_size
        Columns in a combination, from 2 to this.

    Returns
    -------
    The frames with float64 columns; missing where any part is missing.

    Raises
    ------
    ValueError
        When there would be more than 1,000 new columns.

    Notes
    -----
    Use it where a product or sum has a meaning (quality times area). For chosen pairs `ratios` and `differences` say
    more.

    Examples
    --------
    >>> train = pd.DataFrame({"quality": [5.0], "area": [100.0]})
    >>> train, _ = create_feature_combinations(train, columns=["quality", "area"])
    >>> train["quality * area"].tolist()
    [500.0]
    """
    check_choice("combination_type", combination_type, ("multiplication", "addition"))
    check_number("max_combination_size", max_combination_size, 2, integer=True)
    names = chosen(train, test, check_names("columns", columns, train, test), holds="numbers")
    terms = [term for size in range(2, max_combination_size + 1) for term in combinations(names, size)]
    _named("create_feature_combinations", train, test, columns, terms)
    if combination_type == "multiplication":
        return add_columns(train, test, lambda frame: _products(frame, terms))
    return add_columns(
        train,
        test,
        lambda frame: {" + ".join(t): number_table(frame, list(t)).sum(axis=1, skipna=False) for t in terms},
    )


@frame_tool()
def combine_categories(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    pairs: Sequence[tuple[str, str]],
    missing: str = "missing",
) -> Frames:
    """Add `<a>_and_<b>`, the two values of each pair as one level.

    Parameters
    ----------
    pairs
        Pairs (a, b) of columns of any type; numbers count by their value.
    missing
        What stands for a missing value.

    Returns
    -------
    The frames with columns of text, never missing.

    Notes
    -----
    Use it where two categories say more together (sex and class), before `frequency_encode` or `target_encode`.

    Examples
    --------
    >>> train = pd.DataFrame({"Sex": ["male", "female"], "Pclass": [3, 1]})
    >>> train, _ = combine_categories(train, pairs=[("Sex", "Pclass")])
    >>> train["Sex_and_Pclass"].tolist()
    ['male|3', 'female|1']
    """
    checked = check_pairs("pairs", pairs, train, test)

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        return {
            f"{a}_and_{b}": as_levels(frame[a]).fillna(missing) + "|" + as_levels(frame[b]).fillna(missing)
            for a, b in checked
        }

    return add_columns(train, test, make)
