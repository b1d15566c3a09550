"""Columns made of text inside folds: components of TF-IDF, and scores of a text estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin

from autods.tools._checks import check_number
from autods.tools.modeling._base import CLASSIFICATION, KINDS, Kind, quiet
from autods.tools.modeling._calibration import inner_folds
from autods.tools.modeling._frames import as_frame
from autods.tools.modeling._text import TextEncoder, find_text
from autods.tools.modeling.text import TextLinear

__all__ = ["TextScores", "TfidfFeatures", "text_scores", "tfidf_features"]


class TfidfFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Adds components of the TF-IDF of text columns; see `tfidf_features`."""

    def __init__(
        self,
        columns: Sequence[str] | None = None,
        n_components: int = 24,
        letters: bool = False,
        keep: bool = True,
        max_features: int = 20_000,
        random_state: int = 0,
    ) -> None:
        self.columns = columns
        self.n_components = n_components
        self.letters = letters
        self.keep = keep
        self.max_features = max_features
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any = None) -> Self:
        """Learn words and components; the target is not used."""
        from sklearn.decomposition import TruncatedSVD

        frame = as_frame(X)
        self.feature_names_in_ = np.asarray(frame.columns, dtype=object)
        self.columns_ = find_text(frame) if self.columns is None else tuple(self.columns)
        self.parts_: list[tuple[str, TextEncoder, Any]] = []
        for name in self.columns_:
            lengths: dict[str, Any] = {"words": None, "letters": (2, 4)} if self.letters else {"letters": None}
            encoder = TextEncoder(frame, [name], **lengths, max_features=self.max_features)
            counts = encoder.encode(frame)
            size = min(self.n_components, counts.shape[1] - 1, counts.shape[0] - 1)
            if size < 1:
                continue
            with quiet():
                self.parts_.append((name, encoder, TruncatedSVD(size, random_state=self.random_state).fit(counts)))
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Give the frame with `<column>_tfidf0`, `<column>_tfidf1`, … added."""
        frame = as_frame(X, self.feature_names_in_)
        added = {}
        for name, encoder, components in self.parts_:
            values = components.transform(encoder.encode(frame))
            added.update({f"{name}_tfidf{place}": values[:, place] for place in range(values.shape[1])})
        kept = frame if self.keep else frame.drop(columns=list(self.columns_))
        return pd.concat([kept, pd.DataFrame(added, index=frame.index)], axis=1)


class TextScores(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Adds what a text estimator makes of the text columns; see `text_scores`."""

    def __init__(
        self,
        kind: Kind = "binary",
        columns: Sequence[str] | None = None,
        keep: bool = True,
        n_splits: int = 5,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.columns = columns
        self.keep = keep
        self.n_splits = n_splits
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any) -> Self:
        """Learn from all rows."""
        frame = as_frame(X)
        self.feature_names_in_ = np.asarray(frame.columns, dtype=object)
        self.columns_ = find_text(frame) if self.columns is None else tuple(self.columns)
        self.estimator_ = self._estimator().fit(frame[list(self.columns_)], y)
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Give the frame with the scores of rows that were not learnt from."""
        frame = as_frame(X, self.feature_names_in_)
        return self._added(frame, self._scores(self.estimator_, frame))

    def fit_transform(self, X: pd.DataFrame, y: Any, **_: Any) -> pd.DataFrame:
        """Learn from all rows; score each by an estimator of the other folds, so that no row sees its own target."""
        frame, target = as_frame(X), np.asarray(y)
        self.fit(frame, target)
        codes = np.unique(target, return_inverse=True)[1] if self.kind in CLASSIFICATION else np.zeros(len(target), int)
        scores = np.zeros((len(frame), self._scores(self.estimator_, frame.head(1)).shape[1]))
        for known, watched in inner_folds(codes, None, min(self.n_splits, len(target)), self.random_state):
            part = self._estimator().fit(frame.iloc[known][list(self.columns_)], target[known])
            scores[watched] = self._scores(part, frame.iloc[watched])
        return self._added(frame, scores)

    def _estimator(self) -> TextLinear:
        return TextLinear(self.kind, self.columns_, random_state=self.random_state)

    def _scores(self, estimator: TextLinear, frame: pd.DataFrame) -> np.ndarray:
        text = frame[list(self.columns_)]
        if self.kind not in CLASSIFICATION:
            return estimator.predict(text)[:, None]
        known = estimator.predict_proba(text)
        found = np.zeros((len(frame), len(self.estimator_.classes_)))
        found[:, np.searchsorted(self.estimator_.classes_, estimator.classes_)] = known
        return found[:, 1:]

    def _added(self, frame: pd.DataFrame, scores: np.ndarray) -> pd.DataFrame:
        kept = frame if self.keep else frame.drop(columns=list(self.columns_))
        names = [f"text_score{place}" for place in range(scores.shape[1])]
        return pd.concat([kept, pd.DataFrame(scores, columns=names, index=frame.index)], axis=1)


def tfidf_features(
    columns: Sequence[str] | None = None,
    *,
    n_components: int = 24,
    letters: bool = False,
    keep: bool = True,
    random_state: int = 0,
) -> TfidfFeatures:
    """Make a transformer that adds the main components of the TF-IDF of text columns, as numbers for trees.

    Parameters
    ----------
    columns
        The text columns; None finds them.
    n_components
        Components for each column.
    letters
        Whether to count runs of 2 to 4 letters instead of words and pairs of words.
    keep
        Whether the text itself stays, for the statistics that trees take of it.
    random_state
        The seed of the decomposition.

    Notes
    -----
    A step of a `pipeline` before an estimator of trees. `text_linear` reads text better alone; `text_scores` brings
    what it knows to trees.

    Examples
    --------
    >>> frame = pd.DataFrame({"note": ["red car", "blue car", "red bike", "blue bike"] * 5})
    >>> list(tfidf_features(["note"], n_components=2).fit_transform(frame))
    ['note', 'note_tfidf0', 'note_tfidf1']
    """
    check_number("n_components", n_components, above=0, integer=True)
    return TfidfFeatures(columns, n_components, letters, keep, random_state=random_state)


def text_scores(
    kind: Kind, columns: Sequence[str] | None = None, *, keep: bool = True, n_splits: int = 5, random_state: int = 0
) -> TextScores:
    """Make a transformer that adds `text_linear`'s probabilities (or values) for the text columns, for trees to use.

    Rows that are learnt from get the score of an estimator fitted on other folds, so that no row sees its own target.

    Parameters
    ----------
    kind
        The kind of the task.
    columns
        The text columns; None finds them.
    keep
        Whether the text itself stays.
    n_splits
        Inner folds.
    random_state
        The seed of the inner folds.

    Notes
    -----
    A step of a `pipeline`, where text and other columns both matter. It fits `n_splits` + 1 text estimators.

    Examples
    --------
    >>> frame = pd.DataFrame({"note": ["red car", "blue car", "red bike", "blue bike"] * 10})
    >>> scores = text_scores("binary", ["note"]).fit_transform(frame, [1, 0, 1, 0] * 10)["text_score0"]
    >>> bool((scores[::2] > 0.5).all())
    True
    """
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is not allowed; take one of {list(KINDS)}.")
    check_number("n_splits", n_splits, 2, integer=True)
    return TextScores(kind, columns, keep, n_splits, random_state)
