"""What a target column holds: numbers or labels, and which rows have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autods.competition.conversion_log import listed
from autods.competition.missing import MISSING_AMONG_LABELS, MISSING_AMONG_NUMBERS, MISSING_WORDS, trimmed
from autods.competition.numbers import find_number_format, parse_numbers, writes_decimal_commas
from autods.records import Note

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

__all__ = ["TargetValues", "read_target"]

FLAGS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1, "no": 0, "yes": 1, "n": 0, "y": 1, "f": 0, "t": 1}
STRAY_SHARE = 0.05
FEWEST_NUMBERS = 20


@dataclass(frozen=True)
class TargetValues:
    """One target: its text, the rows that have a value, and its numbers where all (but strays) are numbers.

    `n_values` counts distinct values; `whole` says whether all numbers are integers.
    """

    name: str
    text: pd.Series
    present: np.ndarray
    numbers: np.ndarray | None
    n_values: int
    whole: bool
    notes: tuple[Note, ...] = ()

    @property
    def is_flag(self) -> bool:
        """Whether all values are 0 or 1, or words for them."""
        found = self.text[self.present].str.strip().str.casefold().unique()
        return bool(len(found)) and all(word in FLAGS for word in found)

    def bits(self) -> np.ndarray:
        """Return the flags as int64; 0 where there is no value."""
        words = self.text.str.strip().str.casefold()
        return words.map(FLAGS).fillna(0).to_numpy(dtype="int64")

    def as_labels(self, sample_labels: Sequence[str] = ()) -> TargetValues:
        """Return this target read as labels: stray words are labels too, and the sample's words never missing."""
        return read_target(self.text, sample_labels=sample_labels, as_labels=True)


def read_target(text: pd.Series, *, sample_labels: Sequence[str] = (), as_labels: bool = False) -> TargetValues:
    """Look at a target column.

    Parameters
    ----------
    text
        The column as spelled.
    sample_labels
        Labels that the sample submission shows; these are never taken as missing.
    as_labels
        Whether stray words among numbers count as labels instead of missing.

    Examples
    --------
    >>> import pandas as pd
    >>> read_target(pd.Series(["1,200", "NA", "$950"], dtype="str")).numbers.tolist()
    [1200.0, nan, 950.0]
    >>> read_target(pd.Series(["None", "mild", ""], dtype="str")).present.tolist()
    [True, True, False]
    """
    import numpy as np
    import pandas as pd

    clean = trimmed(text)
    name = str(text.name)
    kept = frozenset(sample_labels)
    lowered = clean.str.lower()
    missing = clean.isin(["", *(MISSING_WORDS - kept)]) | (lowered.isin(MISSING_AMONG_NUMBERS) & ~clean.isin(kept))
    numbers, strays = _numbers(clean.where(~missing))
    if numbers is not None and not (as_labels and strays):
        present = np.isfinite(numbers)
        infinite = int(np.isinf(numbers).sum())
        found = numbers[present]
        notes = []
        if strays:
            shown = listed([repr(word) for word in strays], 3)
            notes.append(
                Note(name, f"Cells of the target {name} that are no numbers ({shown}) count as missing.", "warning")
            )
        if infinite:
            notes.append(Note(name, f"{infinite} infinite values of the target {name} count as missing.", "warning"))
        numbers = np.where(present, numbers, np.nan)
        whole = bool((found == np.round(found)).all())
        return TargetValues(name, text, present, numbers, len(np.unique(found)), whole, tuple(notes))
    present = ~clean.isin(["", *(MISSING_AMONG_LABELS - kept)]).to_numpy()
    return TargetValues(name, text, present, None, int(pd.Series(clean[present]).nunique()), False)


def _numbers(text: pd.Series) -> tuple[np.ndarray | None, list[str]]:
    """Parse; None unless (nearly) all cells are numbers; with the distinct cells that are none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = pa.Array.from_pandas(text, type=pa.large_string())
    distinct = pc.unique(values.drop_null())
    decimal = "," if writes_decimal_commas(distinct) else "."
    number_format = find_number_format(distinct, decimal)
    if number_format is None:
        return None, []
    numbers = parse_numbers(values, number_format)
    strays = pc.unique(values.filter(pc.and_(pc.is_null(numbers), pc.is_valid(values))))
    n_bad = numbers.null_count - values.null_count
    if n_bad and (
        n_bad > STRAY_SHARE * (len(values) - values.null_count) or len(distinct) - len(strays) < FEWEST_NUMBERS
    ):
        return None, []
    return numbers.to_numpy(zero_copy_only=False), strays.to_pylist()
