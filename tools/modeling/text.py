"""Estimators that read text: TF-IDF with a linear estimator, and naive Bayes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, TabularEstimator, make, share_by_source
from autods.tools.modeling._calibration import Calibrator, held_out_scores, inner_folds
from autods.tools.modeling._design import DesignEncoder
from autods.tools.modeling._frames import learn_columns
from autods.tools.modeling._penalty import fit_logistic, fit_ridge, inner_splits
from autods.tools.modeling._splits import InnerSplit
from autods.tools.modeling._text import TextEncoder, find_text

__all__ = ["NaiveBayesText", "TextLinear", "naive_bayes_text", "text_linear"]

STRENGTHS = (1.0, 8.0, 64.0)
PENALTIES = (1e-4, 1e-3, 1e-2)
SMOOTHINGS = (0.05, 0.3, 1.0)


def _join(text: Any, design: Any) -> Any:
    from scipy import sparse

    return sparse.hstack([text, sparse.csr_matrix(design)], format="csr")


class TextLinear(TabularEstimator):
    """TF-IDF of text beside the design of the other columns, and a linear estimator; see `text_linear`."""

    def __init__(
        self,
        kind: Kind = "binary",
        columns: Sequence[str] | None = None,
        C: float | None = None,
        letters: bool = True,
        max_features: int = 40_000,
        inner_split: InnerSplit = "auto",
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.columns = columns
        self.C = C
        self.letters = letters
        self.max_features = max_features
        self.inner_split = inner_split
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        names = find_text(frame) if self.columns is None else tuple(self.columns)
        letters = (2, 5) if self.letters else None
        self.text_ = TextEncoder(frame, names, letters=letters, max_features=self.max_features)
        free = learn_columns(frame).text
        self.others_ = [name for name in frame.columns if name not in names or name in free]
        self.encoder_ = DesignEncoder(frame[self.others_])
        matrix = self._matrix(frame)
        if matrix.shape[1] == 0:
            self.constant_ = self._constant(target, weight)
            return
        splits = inner_splits(self.inner_split, target, self.kind in CLASSIFICATION, groups, self.random_state)[:2]
        strengths = None if self.C is None else (self.C,)
        if self.kind in CLASSIFICATION:
            self.estimator_ = fit_logistic(matrix, target, weight, splits, strengths or STRENGTHS)
        else:
            self.estimator_ = fit_ridge(matrix, target, weight, splits, strengths, PENALTIES)

    def _matrix(self, frame: pd.DataFrame) -> Any:
        return _join(self.text_.encode(frame), self.encoder_.encode(frame[self.others_]))

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        matrix = self._matrix(frame)
        if self.kind in CLASSIFICATION:
            return np.asarray(self.estimator_.predict_proba(matrix))
        return np.asarray(self.estimator_.predict(matrix))

    def _importance(self) -> dict[str, float]:
        effects = np.abs(np.atleast_2d(self.estimator_.coef_)).mean(axis=0)
        return share_by_source((*self.text_.sources, *self.encoder_.sources), effects)


class NaiveBayesText(TabularEstimator):
    """Multinomial naive Bayes on words and levels, calibrated; see `naive_bayes_text`."""

    def __init__(
        self,
        kind: Kind = "binary",
        columns: Sequence[str] | None = None,
        alpha: float | None = None,
        max_features: int = 40_000,
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.columns = columns
        self.alpha = alpha
        self.max_features = max_features
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        if self.kind not in CLASSIFICATION:
            raise ValueError(f"kind = {self.kind!r} has no classes, which naive_bayes_text needs; take text_linear.")
        names = find_text(frame) if self.columns is None else tuple(self.columns)
        self.text_ = TextEncoder(frame, names, letters=None, counts=True, max_features=self.max_features)
        self.others_ = [name for name in learn_columns(frame).categories if name not in names]
        self.encoder_ = DesignEncoder(frame[self.others_])
        matrix = self._matrix(frame)
        if matrix.shape[1] == 0:
            self.constant_ = self._constant(target, weight)
            return
        folds = inner_folds(target, groups, 3, self.random_state)
        best = np.inf
        for alpha in SMOOTHINGS if self.alpha is None else (self.alpha,):
            loss, calibrator = self._judge(matrix, target, weight, folds, alpha)
            if loss < best:
                best, self.alpha_, self.calibrator_ = loss, alpha, calibrator
        self.bayes_ = _bayes(self.alpha_, matrix, target, weight)

    def _judge(
        self,
        matrix: Any,
        target: np.ndarray,
        weight: np.ndarray | None,
        folds: list[tuple[np.ndarray, np.ndarray]],
        alpha: float,
    ) -> tuple[float, Calibrator]:
        def fit(rows: np.ndarray) -> Any:
            bayes = _bayes(alpha, matrix[rows], target[rows], None if weight is None else weight[rows])
            return bayes.classes_, bayes.predict_joint_log_proba

        scores = _relative(held_out_scores(fit, matrix, len(self.classes_), folds))
        calibrator = Calibrator.fit(scores, target, weight)
        right = calibrator.probabilities(scores)[np.arange(len(target)), target]
        return float(np.average(-np.log(np.maximum(right, 1e-12)), weights=weight)), calibrator

    def _matrix(self, frame: pd.DataFrame) -> Any:
        return _join(self.text_.encode(frame), self.encoder_.encode(frame[self.others_]))

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        scores = self.bayes_.predict_joint_log_proba(self._matrix(frame))
        return self.calibrator_.probabilities(_relative(scores))


def _bayes(alpha: float, matrix: Any, target: np.ndarray, weight: np.ndarray | None) -> Any:
    from sklearn.naive_bayes import MultinomialNB

    return MultinomialNB(alpha=alpha).fit(matrix, target, sample_weight=weight)


def _relative(scores: np.ndarray) -> np.ndarray:
    """Each class's log odds against the best class, so that long texts do not weigh more."""
    return np.asarray(np.maximum(scores - scores.max(axis=1, keepdims=True), -50.0))


def text_linear(kind: Kind, **parameters: Any) -> TextLinear:
    """Make logistic regression or ridge on TF-IDF of words and runs of letters, beside the design of other columns.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        `columns` (the text; None finds it), `C` (inverse penalty; None chooses), `letters` (also runs of 2 to 5
        letters, for short and misspelt text), `max_features` (of each kind and column), `inner_split`,
        `class_weight`, `random_state`.

    Notes
    -----
    The first choice where text carries the answer. Text also reaches trees by way of `tfidf_features`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"message": ["win a prize now", "see you at home"] * 20})
    >>> text_linear("binary", columns=["message"]).fit(frame, [1, 0] * 20).predict(frame)[:2].tolist()
    [1, 0]
    """
    return make(TextLinear, kind, **parameters)


def naive_bayes_text(kind: Kind, **parameters: Any) -> NaiveBayesText:
    """Make multinomial naive Bayes on words and category levels, with calibrated probabilities; numbers are not used.

    Parameters
    ----------
    kind
        The kind of the task; not regression.
    **parameters
        `columns` (the text; None finds it), `alpha` (smoothing; None chooses), `max_features`, `class_weight`,
        `random_state`.

    Notes
    -----
    Strong on few and short texts; `text_linear` overtakes it as rows grow.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"message": ["win a prize now", "see you at home"] * 20})
    >>> naive_bayes_text("binary", columns=["message"]).fit(frame, [1, 0] * 20).predict(frame)[:2].tolist()
    [1, 0]
    """
    return make(NaiveBayesText, kind, **parameters)
