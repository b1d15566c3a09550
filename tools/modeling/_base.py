"""What all estimators share: target codes, class weights, constant targets, quiet fitting, importance by column."""

from __future__ import annotations

import inspect
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, Self, TypeVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags, RegressorTags, Tags
from sklearn.utils.metaestimators import available_if

from autods.tools._checks import check_choice, did_you_mean
from autods.tools.modeling._frames import as_frame

__all__ = [
    "CLASSIFICATION",
    "KINDS",
    "ClassWeight",
    "Kind",
    "TabularEstimator",
    "make",
    "quiet",
    "share_by_source",
    "two_columns",
]

Kind = Literal["binary", "multiclass", "ordinal", "multilabel", "regression", "multi_regression"]
ClassWeight = Literal["balanced"] | None
CLASSIFICATION = ("binary", "multiclass", "ordinal", "multilabel")
Made = TypeVar("Made")
KINDS = (*CLASSIFICATION, "regression", "multi_regression")


@contextmanager
def quiet() -> Iterator[None]:
    """Silence what the libraries warn of while they fit or predict; what matters is checked, not warned of."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def share_by_source(sources: Sequence[str], gains: np.ndarray) -> dict[str, float]:
    """Sum gains over the derived columns of each original column, as shares of the whole, largest first."""
    totals: dict[str, float] = {}
    for source, gain in zip(sources, np.abs(np.nan_to_num(gains)), strict=True):
        totals[source] = totals.get(source, 0.0) + float(gain)
    whole = sum(totals.values()) or 1.0
    return {name: total / whole for name, total in sorted(totals.items(), key=lambda item: (-item[1], item[0]))}


def _classifies(estimator: TabularEstimator) -> bool:
    return estimator.kind in CLASSIFICATION


class TabularEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator of one target on a mixed frame: a classifier or a regressor, as its `kind` says.

    Subclasses store their parameters in `__init__` and define `_fit` and `_outputs`. A target with one value only, or
    a frame with nothing to learn from, is predicted by a constant.

    Attributes
    ----------
    classes_
        The labels seen in training, ascending (classification only).
    feature_names_in_
        The columns of the training frame.
    """

    kind: Kind
    random_state: int
    class_weight: ClassWeight = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Learn from rows and their target; `groups` serve the inner split only.

        Raises
        ------
        ValueError
            When the target does not fit the kind, or its length the frame's.
        """
        frame = as_frame(X)
        self.feature_names_in_ = np.asarray([str(name) for name in frame.columns], dtype=object)
        self.n_features_in_ = frame.shape[1]
        target = self._learn_target(y, len(frame))
        weight = self._weights(target, sample_weight)
        self.constant_: np.ndarray | None = None
        if frame.shape[1] == 0 or len(np.unique(target)) < 2:
            self.constant_ = self._constant(target, weight)
            return self
        with quiet():
            self._fit(frame, target, weight, None if groups is None else np.asarray(groups))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the most probable label, or the value."""
        if _classifies(self):
            labels: np.ndarray = self.classes_[np.argmax(self._probabilities(X), axis=1)]
            return labels
        frame = as_frame(X, self.feature_names_in_)
        if self.constant_ is not None:
            return np.full(len(frame), self.constant_[0])
        if len(frame) == 0:
            return np.empty(0)
        with quiet():
            values: np.ndarray = np.asarray(self._outputs(frame), dtype=np.float64).ravel()
        return values * self.target_scale_ + self.target_center_

    @available_if(_classifies)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the probability of each of `classes_`."""
        return self._probabilities(X)

    def importance(self) -> dict[str, float]:
        """Give each original column's share of what was learnt, largest first; empty where there is no such thing."""
        return {} if self.constant_ is not None else self._importance()

    @abstractmethod
    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        """Learn from class codes or (rescaled) values."""

    @abstractmethod
    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        """Give rows × classes probabilities, or values."""

    def _importance(self) -> dict[str, float]:
        return {}

    def _rescales_target(self) -> bool:
        """Whether values are brought to mean 0 and deviation 1 first, so that penalties and losses know no units."""
        return True

    def _learn_target(self, y: Any, n_rows: int) -> np.ndarray:
        check_choice("kind", self.kind, KINDS)
        values = np.asarray(y)
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        if values.shape != (n_rows,):
            raise ValueError(f"y has the shape {values.shape}; give one value for each of the {n_rows} rows.")
        if n_rows == 0:
            raise ValueError("The frame has no rows; give at least one.")
        if _classifies(self):
            self.classes_, codes = np.unique(values, return_inverse=True)
            return codes.astype(np.int64)
        values = values.astype(np.float64)
        if not np.isfinite(values).all():
            raise ValueError(
                f"y has {int((~np.isfinite(values)).sum())} values that are no finite numbers; drop these rows."
            )
        self.target_center_, self.target_scale_ = 0.0, 1.0
        if self._rescales_target():
            self.target_center_ = float(values.mean())
            self.target_scale_ = float(values.std()) or 1.0
        return (values - self.target_center_) / self.target_scale_

    def _weights(self, target: np.ndarray, sample_weight: Any) -> np.ndarray | None:
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        if self.class_weight is None or not _classifies(self):
            return weight
        counts = np.bincount(target, weights=weight)
        balanced = (counts.sum() / (len(counts) * counts))[target]
        return np.asarray(balanced if weight is None else weight * balanced)

    def _constant(self, target: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
        if _classifies(self):
            counts = np.bincount(target, weights=weight, minlength=len(self.classes_))
            return np.asarray(counts / counts.sum())
        return np.asarray([np.average(target, weights=weight) * self.target_scale_ + self.target_center_])

    def _probabilities(self, X: Any) -> np.ndarray:
        frame = as_frame(X, self.feature_names_in_)
        if self.constant_ is not None:
            return np.tile(self.constant_, (len(frame), 1))
        if len(frame) == 0:
            return np.empty((0, len(self.classes_)))
        with quiet():
            outputs = np.asarray(self._outputs(frame), dtype=np.float64)
        total = outputs.sum(axis=1, keepdims=True)
        return outputs / np.where(total > 0, total, 1.0)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier" if _classifies(self) else "regressor"
        tags.target_tags.required = True
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        if _classifies(self):
            tags.classifier_tags = ClassifierTags()
        else:
            tags.regressor_tags = RegressorTags()
        return tags


def make(variety: Callable[..., Made], kind: str, *arguments: Any, **parameters: Any) -> Made:
    """Build an estimator; say what is allowed when the kind or a parameter is unknown."""
    check_choice("kind", kind, KINDS)
    known = list(inspect.signature(variety).parameters)[1 + len(arguments) :]
    for name in parameters:
        if name not in known:
            raise TypeError(
                f"{getattr(variety, '__name__', variety)} has no parameter {name!r}: {did_you_mean(name, known)}."
            )
    return variety(kind, *arguments, **parameters)


def two_columns(positive: np.ndarray) -> np.ndarray:
    """Put the probabilities of class 0 beside those of class 1."""
    return np.column_stack([1.0 - positive, positive])
