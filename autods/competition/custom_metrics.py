"""A metric of the competition's own, from a Python file in its folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np

from autods.errors import ConfigError, nearest
from autods.records import Needs

__all__ = ["custom_function"]


def custom_function(
    path: Path, name: str, needs: Needs, classes: tuple[str, ...]
) -> Callable[[np.ndarray, np.ndarray], float]:
    """Load the function and give it y and predictions as its author expects them; see `load_custom_metric`.

    Raises
    ------
    ConfigError
        When the file or the function cannot be used; one sentence.
    """
    if needs not in ("labels", "probabilities", "values"):
        raise ConfigError(f"The custom metric needs {needs!r}; write labels, probabilities or values.")
    scorer, spelled = _load_function(path, name), _spelled(classes)

    def score(y: np.ndarray, predictions: np.ndarray) -> float:
        if needs == "labels" and classes and y.ndim == 1:
            return float(scorer(spelled[y], spelled[predictions]))
        if needs == "probabilities" and y.ndim == 1 and predictions.shape[1] == 2:
            return float(scorer(y, predictions[:, 1]))
        if needs == "values" and y.shape[1] == 1:
            return float(scorer(y[:, 0], predictions[:, 0]))
        return float(scorer(y, predictions))

    return score


def _spelled(classes: tuple[str, ...]) -> np.ndarray:
    try:
        numbers = [float(label) for label in classes]
    except ValueError:
        return np.array(classes, dtype=object)
    return np.array([int(n) if n.is_integer() else n for n in numbers])


def _load_function(path: Path, name: str) -> Callable[..., float]:
    import runpy

    try:
        names = runpy.run_path(str(path))
    except Exception as error:  # the person's own code may fail in any way; they are told which file and how
        raise ConfigError(f"The custom metric's file {path} cannot be run: {error!r}; repair it.") from error
    if not callable(names.get(name)):
        functions = [key for key, value in names.items() if callable(value) and not key.startswith("_")]
        raise ConfigError(f"{path} has no function {name!r}; {nearest(name, functions)}")
    return cast(Callable[..., float], names[name])
