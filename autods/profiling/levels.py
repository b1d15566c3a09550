"""The profile of a column of strings, categories or mixed objects."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.profiling.facts import ColumnProfile
from autods.profiling.moments import is_near_perfect
from autods.profiling.rows import RowHashes
from autods.profiling.semantics import Meaning, meaning_of_levels
from autods.tools.explore.columns import MISSING_WORDS
from autods.tools.explore.drifts import total_variation
from autods.tools.explore.signals import Targets, level_signal

__all__ = ["profile_levels"]

MAX_LEVELS_READ = 3000


def profile_levels(
    train: pd.Series, test: pd.Series | None, targets: Targets | None, hashes: RowHashes | None
) -> ColumnProfile:
    """Profile a column whose values are levels, spelled as text."""
    codes, levels = _joint_codes(train, test)
    here, there = codes[: len(train)], codes[len(train) :]
    counts, other = (np.bincount(part[part >= 0], minlength=len(levels)) for part in (here, there))
    if hashes is not None:
        spelled = levels.to_numpy(dtype=object)
        hashes.add_levels(pd.util.hash_array(spelled, categorize=False), here, None if test is None else there)
    n_unique, n_present = int(np.count_nonzero(counts)), int(counts.sum())
    meaning, tokens = _read(train, levels, counts, here, n_unique, n_present)
    signal = None
    if targets is not None and meaning.semantic not in ("constant", "id_like"):
        signal = level_signal(_compact(here[targets.rows]), targets)
    return ColumnProfile(
        name=str(train.name),
        semantic=meaning.semantic,
        dtype=str(train.dtype),
        missing_train=1 - n_present / len(here) if len(here) else 0.0,
        missing_test=1 - int(other.sum()) / len(there) if len(there) else 0.0,
        missing_tokens=tokens,
        n_unique=n_unique,
        top=_top(levels, counts),
        unit=meaning.unit,
        unseen_share=float(other[counts == 0].sum() / other.sum()) if other.sum() else None,
        drift=_drift(meaning, counts, other),
        signal=signal,
        near_perfect=is_near_perfect(signal, targets),
        monotone_in_row=_is_monotone(train, n_unique),
        pattern=meaning.pattern,
        avg_words=None if meaning.avg_words is None else round(meaning.avg_words, 3),
        ordinal_levels=meaning.ordinal_levels,
    )


def _joint_codes(train: pd.Series, test: pd.Series | None) -> tuple[np.ndarray, pd.Index]:
    parts = [train.astype("str") if train.dtype != "str" else train]
    if test is not None and len(test):
        parts.append(test.astype("str") if test.dtype != "str" else test)
    codes, levels = pd.factorize(parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True))
    return np.asarray(codes), pd.Index(levels)


def _read(
    train: pd.Series, levels: pd.Index, counts: np.ndarray, codes: np.ndarray, n_unique: int, n_present: int
) -> tuple[Meaning, dict[str, int]]:
    """Read the spelled levels: what the column is, and which cells only look missing."""
    places = np.flatnonzero(counts)
    common = places[np.argsort(-counts[places], kind="stable")][:MAX_LEVELS_READ]
    words = [str(level) for level in levels[common]]
    tokens = {w: int(c) for w, c in zip(words, counts[common], strict=True) if w.strip().lower() in MISSING_WORDS}
    rows = np.flatnonzero(codes >= 0)
    rows = rows[:: max(1, rows.size // MAX_LEVELS_READ)]
    sample = [text for text in levels[codes[rows]].tolist() if str(text) not in tokens]
    meaning = meaning_of_levels(
        str(train.name), words, list(map(str, sample)), n_unique, n_present, complete=n_present == len(codes)
    )
    return meaning, tokens


def _top(levels: pd.Index, counts: np.ndarray, n: int = 10) -> tuple[tuple[str, int], ...]:
    order = np.argsort(-counts, kind="stable")[:n] if counts.size < 50_000 else np.argpartition(-counts, n)[:n]
    order = order[np.argsort(-counts[order], kind="stable")]
    return tuple((str(levels[i]), int(counts[i])) for i in order if counts[i])


def _drift(meaning: Meaning, here: np.ndarray, there: np.ndarray) -> float | None:
    if meaning.semantic in ("text", "id_like") or not here.sum() or not there.sum():
        return None
    drift: float = total_variation(here, there)
    return drift


def _compact(codes: np.ndarray) -> np.ndarray:
    return np.unique(codes, return_inverse=True)[1]


def _is_monotone(train: pd.Series, n_unique: int) -> bool:
    if len(train) < 10 or n_unique != len(train):
        return False
    return bool(train.is_monotonic_increasing or train.is_monotonic_decreasing)
