"""A competition's folder made of one labelled table: a held-out test, and its answers hidden beside the folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from autods.competition.conversion_log import listed
from autods.competition.headers import match_name
from autods.competition.kinds import default_metric, infer_kind
from autods.competition.labels import encode_labels
from autods.competition.metrics import get_metric
from autods.competition.new_rows import as_text
from autods.competition.settings import Settings
from autods.competition.shapes import find_submission
from autods.competition.tables import read_table
from autods.competition.target_values import TargetValues, read_target
from autods.errors import CompetitionError, nearest

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MadeCompetition", "competition_from_file", "competition_from_frame"]

FEW_LABELS = 20


@dataclass(frozen=True, slots=True)
class MadeCompetition:
    """A folder that was made, and the file of the test's true answers beside it, if they are known."""

    folder: Path
    answers: Path | None


def competition_from_file(
    path: str | Path, target: str | Sequence[str], folder: str | Path, **options: Any
) -> MadeCompetition:
    """Make a competition of one labelled file, its cells kept as spelled; options as of `competition_from_frame`.

    Raises
    ------
    CompetitionError
        When the file cannot be read, has no such target, or the folder is taken.
    """
    reading = read_table(path)
    return competition_from_frame(reading.frame, target, folder, **options)


def competition_from_frame(
    frame: pd.DataFrame,
    target: str | Sequence[str] | None,
    folder: str | Path,
    *,
    test: pd.DataFrame | None = None,
    id: str | None = None,
    metric: str | None = None,
    name: str | None = None,
    overview: str = "",
    random_state: int = 0,
    test_size: float = 0.3,
) -> MadeCompetition:
    """Make a competition's folder of one labelled frame.

    Parameters
    ----------
    frame
        Labelled rows.
    target
        The target column or columns.
    folder
        The folder to make; it must not exist or be empty.
    test
        Rows to predict; where None, `test_size` of the frame is held out (a share of each class), its answers written to
        `<folder>.answers.csv` beside the folder.
    id
        The id column; a column `id` is added where None and there is none.
    metric
        The metric; inferred from the target where None.
    name
        The title in the overview; the folder's name where None.
    overview
        What else the overview should say.
    random_state
        The seed of the split.
    test_size
        The share of labelled rows held out.

    Returns
    -------
    MadeCompetition
        The folder and the answers' file.

    Raises
    ------
    CompetitionError
        When the target is absent, there are too few rows, or the folder is taken; nothing is written then.

    Examples
    --------
    >>> import pandas as pd, tempfile
    >>> frame = pd.DataFrame({"x": range(10), "y": ["no", "yes"] * 5})
    >>> made = competition_from_frame(frame, "y", Path(tempfile.mkdtemp()) / "demo")
    >>> sorted(file.name for file in made.folder.iterdir())
    ['competition.yaml', 'overview.txt', 'sample_submission.csv', 'test.csv', 'train.csv']
    """
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CompetitionError(
            f"{str(folder)!r} exists already and is left as it is; choose another name or remove it."
        )
    answers_path = folder.parent / f"{folder.name}.answers.csv"
    if answers_path.exists():
        raise CompetitionError(
            f"{str(answers_path)!r} exists already and is left as it is; choose another name or remove it."
        )
    rows = as_text(frame)
    names = _target_names(rows, target)
    extra = None if test is None else as_text(test)
    id_name, rows, extra = _with_ids(rows, extra, id, names)
    targets = [read_target(rows[column]) for column in names]
    train, held_out = _split(rows, targets, extra, random_state, test_size)
    answers = held_out[[id_name, *names]] if set(names) <= set(held_out.columns) else None
    features = held_out[[column for column in held_out.columns if column not in names]]
    sample, facts = _sample(features[[id_name]], targets, metric, id_name)
    folder.mkdir(parents=True, exist_ok=True)
    for file, table in (("train.csv", train), ("test.csv", features), ("sample_submission.csv", sample)):
        _write(table, folder / file)
    _write_texts(folder, name or folder.name, names, facts, overview, id_name)
    if answers is not None:
        _write(answers, answers_path)
    return MadeCompetition(folder, answers_path if answers is not None else None)


def _write(table: pd.DataFrame, path: Path) -> None:
    path.write_bytes(table.to_csv(index=False, lineterminator="\n").encode("utf-8"))


def _target_names(rows: pd.DataFrame, target: str | Sequence[str] | None) -> tuple[str, ...]:
    columns = [str(name) for name in rows.columns]
    if target is None:
        raise CompetitionError(f"Which column is the target? Give target=…; the columns are {listed(columns, 12)}.")
    if len(set(columns)) < len(columns):
        raise CompetitionError("The frame repeats a column name; give every column a name of its own.")
    names = []
    for wanted in [target] if isinstance(target, str) else target:
        name = match_name(str(wanted), columns)
        if name is None:
            raise CompetitionError(f"The target {wanted!r} is no column; {nearest(str(wanted), columns)}")
        names.append(name)
    return tuple(names)


def _with_ids(
    rows: pd.DataFrame, test: pd.DataFrame | None, wanted: str | None, targets: Sequence[str]
) -> tuple[str, pd.DataFrame, pd.DataFrame | None]:
    """Find the id column or add one that numbers the rows through both frames."""
    columns = [str(name) for name in rows.columns]
    if wanted is not None:
        name = match_name(wanted, columns)
        if name is None or (test is not None and name not in test.columns):
            raise CompetitionError(f"The id {wanted!r} is no column of the data; {nearest(wanted, columns)}")
        return name, rows, test
    usual = match_name("id", columns)
    there = usual is not None and usual not in targets and (test is None or usual in test.columns)
    if usual is not None and there and rows[usual].is_unique and (test is None or test[usual].is_unique):
        return usual, rows, test
    name = next(option for option in ("id", "row_id", "row_number_id") if option not in columns)
    rows, test = rows.copy(), None if test is None else test.copy()
    rows.insert(0, name, [str(number) for number in range(len(rows))])
    if test is not None:
        test.insert(0, name, [str(number) for number in range(len(rows), len(rows) + len(test))])
    return name, rows, test


def _split(
    rows: pd.DataFrame, targets: Sequence[TargetValues], test: pd.DataFrame | None, seed: int, test_size: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    if test is not None:
        if not len(test):
            raise CompetitionError("The test frame has no rows; there is nothing to predict.")
        return rows, test
    if not 0 < test_size < 1:
        raise CompetitionError(f"test_size is {test_size!r}; give a share between 0 and 1.")
    labelled = np.flatnonzero(np.logical_and.reduce([target.present for target in targets]))
    if len(labelled) < 3:
        raise CompetitionError(f"Only {len(labelled)} rows have a target; at least 3 are needed to hold some out.")
    held = np.zeros(len(rows), dtype=bool)
    random = np.random.default_rng(seed)
    for stratum in _strata(targets, labelled):
        shuffled = random.permutation(stratum)
        held[shuffled[: round(len(stratum) * test_size)]] = True
    if not held.any():
        held[random.permutation(labelled)[:1]] = True
    return rows[~held].reset_index(drop=True), rows[held].reset_index(drop=True)


def _strata(targets: Sequence[TargetValues], labelled: np.ndarray) -> list[np.ndarray]:
    """Group labelled rows by label where there is one target of few labels."""
    if len(targets) > 1 or targets[0].n_values > FEW_LABELS:
        return [labelled]
    text = targets[0].text.to_numpy()[labelled]
    return [labelled[text == label] for label in sorted(set(text))]


def _sample(
    ids: pd.DataFrame, targets: Sequence[TargetValues], metric: str | None, id_name: str
) -> tuple[pd.DataFrame, Mapping[str, str]]:
    """Make the sample submission that the metric asks for, filled with what says least."""
    asked = get_metric(metric) if metric else None
    found = infer_kind(targets, asked)
    kind = found.kind
    chosen = asked or get_metric(default_metric(kind, class_columns=False, probability=False))
    names = [target.name for target in targets]
    classes: tuple[str, ...] = ()
    if kind in ("binary", "multiclass", "ordinal"):
        labels = encode_labels(targets[0].text[targets[0].present], kind, Settings())
        classes = labels.classes
    shape, _ = find_submission(kind, chosen, names, classes, Settings(), id_column=id_name)
    sample = ids.copy()
    values = [column for column in shape.columns if column != id_name]
    for position, column in enumerate(values):
        if shape.form == "labels":
            sample[column] = targets[0].text[targets[0].present].mode().iloc[0]
        elif shape.form == "values" and kind != "multilabel":
            sample[column] = float(np.nanmedian(np.asarray(targets[position].numbers)))
        else:
            sample[column] = 0.5 if len(values) == 1 or kind == "multilabel" else round(1 / len(values), 6)
    return sample, {"metric": chosen.name if metric else "", "title": chosen.title, "kind": kind}


def _write_texts(
    folder: Path, title: str, targets: Sequence[str], facts: Mapping[str, str], more: str, id_name: str
) -> None:
    import yaml

    asked = " and ".join(f"`{name}`" for name in targets)
    text = f"# {title}\n\nPredict {asked} for every row of test.csv.\n"
    stated: dict[str, Any] = {"id": id_name, "targets" if len(targets) > 1 else "target": list(targets)}
    if len(targets) == 1:
        stated["target"] = targets[0]
    if facts["metric"]:
        text += f"\n## Evaluation\n\nSubmissions are scored by {facts['title']}.\n"
        stated["metric"] = facts["metric"]
    if more:
        text += f"\n{more.strip()}\n"
    (folder / "overview.txt").write_bytes(text.encode("utf-8"))
    written = yaml.safe_dump(stated, sort_keys=False, allow_unicode=True)
    (folder / "competition.yaml").write_bytes(written.encode("utf-8"))
