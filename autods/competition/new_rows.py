"""New rows to predict, text or typed, brought to the columns and types of a competition's test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autods.competition.conversion_log import listed
from autods.competition.headers import match_name
from autods.competition.missing import MISSING_WORDS, as_arrow, without_words, words_among_numbers
from autods.competition.numbers import NumberFormat, find_number_format, parse_numbers, writes_decimal_commas
from autods.competition.splits import as_times
from autods.errors import CompetitionError
from autods.records import Task

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["as_test_rows", "as_text"]


def as_test_rows(new: pd.DataFrame, task: Task, like: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give new rows the columns and types of the test's features.

    Parameters
    ----------
    new
        Rows with the test file's columns, as text or typed; other columns are left out.
    task
        The task; its id, group and time columns become the keys, as far as they are there.
    like
        The test's features as read.

    Returns
    -------
    tuple of DataFrame
        The features and the keys.

    Raises
    ------
    CompetitionError
        When a column is absent.

    Examples
    --------
    >>> import pandas as pd
    >>> from autods.records import Submission
    >>> task = Task("t", "binary", ("y",), "accuracy", True, "labels", Submission(("id", "y"), "id", "labels"), ("0", "1"), "id")
    >>> like = pd.DataFrame({"price": [1.5], "shop": ["a"]})
    >>> rows, keys = as_test_rows(pd.DataFrame({"id": ["007"], "Price": ["$1,200"], "shop": ["?"]}), task, like)
    >>> rows["price"].tolist(), rows["shop"].tolist(), keys["id"].tolist()
    ([1200.0], [nan], ['007'])
    """
    import pandas as pd

    text = as_text(new)
    known = [str(name) for name in text.columns]
    found = {str(name): match_name(str(name), known) for name in like.columns}
    absent = [name for name, own in found.items() if own is None]
    if absent:
        raise CompetitionError(f"The new rows lack {listed(absent)}; give them the columns of the test file.")
    columns = {name: _like(text[own], like[name]) for name, own in found.items() if own is not None}
    rows = pd.DataFrame(columns, index=pd.RangeIndex(len(text)))
    keys = pd.DataFrame(index=rows.index)
    for name in dict.fromkeys((task.id_column, task.group_column, task.time_column, *task.submission.copied_columns)):
        own = None if name is None else match_name(name, known)
        if name is not None and own is not None:
            keys[name] = as_times(text[own]) if name == task.time_column else text[own]
    return rows, keys


def as_text(frame: pd.DataFrame) -> pd.DataFrame:
    """Spell every cell of a frame as a CSV file would; missing cells become "".

    Examples
    --------
    >>> import pandas as pd
    >>> as_text(pd.DataFrame({"a": [1, 2], "b": [0.5, None], "c": [True, False]})).to_dict("list")
    {'a': ['1', '2'], 'b': ['0.5', ''], 'c': ['True', 'False']}
    """
    import pandas as pd

    columns = [_spelled(frame.iloc[:, position]) for position in range(frame.shape[1])]
    text = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=frame.index)
    text.columns = [str(name) for name in frame.columns]
    return text.reset_index(drop=True)


def _spelled(column: pd.Series) -> pd.Series:
    missing = column.isna()
    text = column.astype(object).where(~missing, "").map(str)
    return text.astype("str")


def _like(text: pd.Series, like: pd.Series) -> pd.Series:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    clean = pc.utf8_trim_whitespace(as_arrow(text))
    if not pd.api.types.is_numeric_dtype(like.dtype):
        levels = set(like.dropna().unique()) & MISSING_WORDS
        return pd.Series(without_words(clean, MISSING_WORDS - levels).to_pandas().array)
    known = without_words(clean, MISSING_WORDS | words_among_numbers(clean))
    decimal = "," if writes_decimal_commas(known.drop_null()) else "."
    numbers = parse_numbers(known, find_number_format(known.drop_null(), decimal) or NumberFormat())
    numbers = pc.if_else(pc.is_finite(numbers), numbers, None)
    if pd.api.types.is_integer_dtype(like.dtype) and not numbers.null_count:
        values = numbers.to_numpy(zero_copy_only=False)
        if (values == values.round()).all():
            return pd.Series(pc.cast(numbers, pa.int64()).to_numpy(zero_copy_only=False))
    return pd.Series(numbers.to_numpy(zero_copy_only=False))
