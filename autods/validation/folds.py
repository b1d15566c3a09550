"""The run's folds: chosen once, by evidence, on raw row numbers."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from autods.records import Folds, Task
from autods.validation.assignment import Split, assign_groups, assign_rows, splits_of, strata_of, time_splits

if TYPE_CHECKING:
    from autods.profiling import Profile

__all__ = ["choose_folds", "duplicate_groups", "fold_keys", "folds_digest", "load_folds", "save_folds"]

Effort = Literal["quick", "standard", "thorough"]
TINY_ROWS = 20
SMALL_ROWS = 1_000
LARGE_ROWS = 200_000
REPEATS = {"quick": 1, "standard": 3, "thorough": 5}
# Classes rarer than this do not cut the number of folds: that would cost every other class training rows.
RARE_SHARE = 0.01
# Test values this far outside of train's are taken as proof that the split went by this column.
PROOF = 0.99


def choose_folds(
    task: Task,
    profile: Profile | None,
    y: np.ndarray,
    keys: pd.DataFrame,
    duplicates: np.ndarray | None,
    *,
    effort: Effort,
    seed: int,
    n_splits: int | None = None,
) -> Folds:
    """Choose folds that hold out rows as the test set was: by time, by group, or at random.

    Parameters
    ----------
    task
        Its time or group column decides when given.
    profile
        Columns whose test values prove a split by time or group decide when the task names none and `keys` has them.
    y
        Targets in the harness's form.
    keys
        The key columns of the labelled rows (see `fold_keys`).
    duplicates
        Codes of exact duplicates (see `duplicate_groups`); they share a fold where they are not most of the data.
    effort, seed
        Repeats on small data; the shuffling.
    n_splits
        The number of folds that a person asked for; by default 5, fewer when a class is small or rows are many.

    Examples
    --------
    >>> from autods.records import Submission
    >>> shape = Submission(("y",), None, "labels")
    >>> task = Task("t", "binary", ("y",), "accuracy", True, "labels", shape, classes=("0", "1"))
    >>> y = np.arange(40) % 2
    >>> folds = choose_folds(task, None, y, pd.DataFrame(index=range(40)), None, effort="quick", seed=0)
    >>> folds.kind, folds.n_splits
    ('stratified', 5)
    """
    time, group = _evident(task, profile, keys)
    if len(y) < 2:
        return Folds("plain", (), 0, 0, f"There is {len(y)} labelled row: nothing can be held out.", len(y))
    moments = None if time is None else _moments(keys[time])
    if moments is not None and len(np.unique(moments)) > 1:
        return _by_time(moments, str(time), n_splits or _default_splits(len(y), effort))
    groups = None if group is None else pd.factorize(keys[group], use_na_sentinel=False)[0].astype(np.int64)
    if groups is not None and len(np.unique(groups)) > 1:
        return _by_group(task, y, groups, f"rows of one {group!r} stay together", effort, seed, n_splits, groups)
    if duplicates is not None and _few_duplicates(duplicates):
        n_copies = len(duplicates) - len(np.unique(duplicates))
        because = f"{n_copies} rows are exact duplicates of others and share their fold"
        return _by_group(task, y, duplicates, because, effort, seed, n_splits, None)
    if len(y) < TINY_ROWS and n_splits is None:
        splits = tuple(splits_of(np.arange(len(y)), len(y)))
        reason = f"Leave one out: {len(y)} rows are too few to hold out more than one at a time."
        return Folds("leave_one_out", splits, len(y), 1, reason, len(y))
    return _at_random(task, y, duplicates, effort, seed, n_splits)


def fold_keys(task: Task, profile: Profile, train: pd.DataFrame, keys: pd.DataFrame) -> pd.DataFrame:
    """Join to the keys those feature columns that the profile offers as time or group.

    Examples
    --------
    >>> from autods.profiling import profile_frames
    >>> from autods.records import Submission
    >>> task = Task("t", "binary", ("y",), "auroc", True, "probabilities", Submission(("y",), None, "probability"))
    >>> train = pd.DataFrame({"size": [1.0, 2.0]})
    >>> list(fold_keys(task, profile_frames(train), train, pd.DataFrame({"id": ["a", "b"]})))
    ['id']
    """
    offered = [*profile.time_candidates, *profile.group_candidates]
    named = [name for name in (task.time_column, task.group_column) if name]
    extra = [name for name in dict.fromkeys([*named, *offered]) if name in train.columns and name not in keys.columns]
    return pd.concat([keys, train[extra]], axis=1)


def duplicate_groups(train: pd.DataFrame) -> np.ndarray:
    """Return a code for each row, the same for rows whose features are all equal.

    Examples
    --------
    >>> duplicate_groups(pd.DataFrame({"a": [1, 2, 1], "b": ["x", "x", "x"]})).tolist()
    [0, 1, 0]
    """
    if train.shape[1] == 0:
        return np.arange(len(train))
    hashes = pd.util.hash_pandas_object(train, index=False).to_numpy()
    return np.asarray(pd.factorize(hashes)[0], dtype=np.int64)


def save_folds(folds: Folds, path: Path) -> None:
    """Write folds as one .npz file."""
    facts = {name: getattr(folds, name) for name in ("kind", "n_splits", "n_repeats", "reason", "n_rows")}
    arrays = {
        f"{part}{i}": rows for i, split in enumerate(folds.splits) for part, rows in zip("tv", split, strict=True)
    }
    if folds.groups is not None:
        arrays["groups"] = folds.groups
    with path.open("wb") as file:
        np.savez_compressed(file, facts=np.array(json.dumps(facts)), **arrays)  # type: ignore[arg-type]


def load_folds(path: Path) -> Folds:
    """Read what `save_folds` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        facts = json.loads(str(arrays["facts"]))
        n = facts["n_splits"] * facts["n_repeats"]
        splits = tuple((arrays[f"t{i}"], arrays[f"v{i}"]) for i in range(n))
        return Folds(**facts, splits=splits, groups=arrays.get("groups"))


def folds_digest(folds: Folds) -> str:
    """Return a hash of the folds; equal hashes mean that the same rows are held out together.

    Examples
    --------
    >>> len(folds_digest(Folds("plain", (), 0, 0, "", 1)))
    16
    """
    digest = hashlib.sha256(f"{folds.kind} {folds.n_rows}".encode())
    for rows in (rows for split in folds.splits for rows in split):
        digest.update(np.ascontiguousarray(rows, dtype="<i8").tobytes())
    return digest.hexdigest()[:16]


def _evident(task: Task, profile: Profile | None, keys: pd.DataFrame) -> tuple[str | None, str | None]:
    time, group = task.time_column, task.group_column
    if profile is not None and time is None and group is None:
        columns = {name: column for name, column in profile.columns.items() if name in keys.columns}
        # A running number of the rows is no time: it splits by nothing but the order in the files.
        times = [
            name
            for name in profile.time_candidates
            if name in columns and (columns[name].drift or 0.0) >= PROOF and columns[name].semantic != "id_like"
        ]
        groups = [n for n in profile.group_candidates if n in columns and (columns[n].unseen_share or 0.0) >= PROOF]
        time, group = next(iter(times), None), next(iter(groups), None)
    return (time if time in keys.columns else None), (group if group in keys.columns else None)


def _moments(column: pd.Series) -> np.ndarray | None:
    """The column as numbers that order its rows in time, unknown ones first; None when it cannot be read."""
    if pd.api.types.is_datetime64_any_dtype(column):
        values, known = column.astype("int64").to_numpy().astype(np.float64), column.notna().to_numpy()
    else:
        numbers = pd.to_numeric(column, errors="coerce")
        known = numbers.notna().to_numpy()
        values = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
        if known.mean() < 0.5:
            dates = pd.to_datetime(column.astype("str"), errors="coerce", format="mixed", utc=True)
            known = dates.notna().to_numpy()
            values = dates.astype("int64").to_numpy().astype(np.float64)
    return np.where(known, values, -np.inf) if known.mean() >= 0.5 else None


def _by_time(moments: np.ndarray, column: str, n_splits: int) -> Folds:
    splits = tuple(time_splits(moments, n_splits))
    reason = (
        f"Time-ordered by {column!r}: {len(splits)} folds hold out the later half piece by piece; each is predicted "
        "from earlier rows only."
    )
    return Folds("time", splits, len(splits), 1, reason, len(moments))


def _by_group(
    task: Task,
    y: np.ndarray,
    groups: np.ndarray,
    because: str,
    effort: Effort,
    seed: int,
    n_splits: int | None,
    real_groups: np.ndarray | None,
) -> Folds:
    n_groups = len(np.unique(groups))
    k = min(n_splits or _default_splits(len(y), effort), n_groups)
    k, cut = (k, "") if n_splits else _cut_to_classes(y, task, k)
    # With a group a fold, or two, shuffling makes the same folds again.
    n_repeats = _repeats(len(y), effort) if n_groups > 2 * k else 1
    strata = strata_of(y, task.kind, k)
    splits: list[Split] = []
    for repeat in range(n_repeats):
        splits += splits_of(assign_groups(groups, strata, k, np.random.default_rng([seed, repeat])), k)
    kind: Literal["stratified_grouped", "grouped"] = "stratified_grouped" if task.is_classification else "grouped"
    reason = f"Grouped, {_count(k, n_repeats, len(y))}: {because}{cut}."
    return Folds(kind, tuple(splits), k, n_repeats, reason, len(y), real_groups)


def _at_random(
    task: Task, y: np.ndarray, duplicates: np.ndarray | None, effort: Effort, seed: int, n_splits: int | None
) -> Folds:
    k = min(n_splits or _default_splits(len(y), effort), len(y))
    k, cut = (k, "") if n_splits else _cut_to_classes(y, task, k)
    n_repeats = _repeats(len(y), effort)
    strata = strata_of(y, task.kind, k)
    stratified = 1 < len(np.unique(strata)) < len(y)
    splits: list[Split] = []
    for repeat in range(n_repeats):
        splits += splits_of(assign_rows(strata, k, np.random.default_rng([seed, repeat])), k)
    what = "classes" if task.is_classification else "target quantiles"
    because = f"every fold has the same {what}" if stratified else "there is nothing to stratify by"
    if duplicates is not None and len(np.unique(duplicates)) < len(y):
        because += "; duplicates are so many that they say nothing about each other and are not kept together"
    reason = f"{'Stratified' if stratified else 'Plain'}, {_count(k, n_repeats, len(y))}: {because}{cut}."
    return Folds("stratified" if stratified else "plain", tuple(splits), k, n_repeats, reason, len(y))


def _few_duplicates(duplicates: np.ndarray) -> bool:
    counts = np.bincount(duplicates)
    counts = counts[counts > 0]
    return bool(1 < counts.max() <= len(duplicates) / 5 and len(counts) >= len(duplicates) / 4)


def _default_splits(n_rows: int, effort: Effort) -> int:
    if n_rows > LARGE_ROWS or (effort == "quick" and n_rows > 20 * SMALL_ROWS):
        return 3
    return 5


def _repeats(n_rows: int, effort: Effort) -> int:
    return REPEATS[effort] if n_rows < SMALL_ROWS else 1


def _cut_to_classes(y: np.ndarray, task: Task, k: int) -> tuple[int, str]:
    if task.kind not in ("binary", "multiclass", "ordinal"):
        return k, ""
    counts = np.bincount(y)
    counts = counts[counts > 0]
    enough = (counts > 1) & ((counts >= RARE_SHARE * len(y)) | (len(counts) == 2))
    smallest = int(counts[enough].min(initial=k))
    notes = f"; {int((~enough).sum())} rare classes are missing from some folds" if not enough.all() else ""
    if smallest < k:
        notes = f"; cut to the {smallest} rows of the smallest class" + notes
    return max(2, min(k, smallest)), notes


def _count(k: int, n_repeats: int, n_rows: int) -> str:
    return f"{k} folds" + (f" repeated {n_repeats} times because {n_rows} rows are few" if n_repeats > 1 else "")
