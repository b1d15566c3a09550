"""Random forest and extremely randomised trees on mixed frames."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, TabularEstimator, make, share_by_source
from autods.tools.modeling._frames import TreeEncoder

__all__ = ["Forest", "extra_trees", "random_forest"]

LARGEST = 1e38
MOST_BOOTSTRAP_ROWS = 50_000


class Forest(TabularEstimator):
    """A forest of unpruned trees on the codes of a mixed frame; see `random_forest` and `extra_trees`."""

    def __init__(
        self,
        kind: Kind = "regression",
        variant: Literal["random", "extra"] = "random",
        n_estimators: int | None = None,
        min_samples_leaf: int | None = None,
        max_features: float | None = None,
        max_depth: int | None = None,
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.variant = variant
        self.n_estimators = n_estimators
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.max_depth = max_depth
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        self.encoder_ = TreeEncoder(frame)
        matrix = self._matrix(frame)
        self.forest_ = self._forest(*matrix.shape)
        self.forest_.fit(matrix, target, sample_weight=weight)

    def _forest(self, n_rows: int, n_columns: int) -> Any:
        from sklearn import ensemble

        classifies = self.kind in CLASSIFICATION
        name = ("RandomForest" if self.variant == "random" else "ExtraTrees") + (
            "Classifier" if classifies else "Regressor"
        )
        share = self.max_features or (max(n_columns**0.5, 0.3 * n_columns) / n_columns if classifies else 0.5)
        parameters = {
            "n_estimators": self.n_estimators or int(np.clip(2_000_000 // n_rows, 100, 300)),
            "min_samples_leaf": self.min_samples_leaf or (3 if classifies and n_rows >= 300 else 1) + n_rows // 50_000,
            "max_features": min(1.0, share),
            "max_depth": self.max_depth,
            "bootstrap": self.variant == "random" or n_rows > MOST_BOOTSTRAP_ROWS,
            "n_jobs": 1,
            "random_state": self.random_state,
        }
        if parameters["bootstrap"] and n_rows > MOST_BOOTSTRAP_ROWS:
            parameters["max_samples"] = MOST_BOOTSTRAP_ROWS
        return getattr(ensemble, name)(**parameters)

    def _matrix(self, frame: pd.DataFrame) -> np.ndarray:
        return np.asarray(np.clip(self.encoder_.encode(frame), -LARGEST, LARGEST), dtype=np.float32)

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        matrix = self._matrix(frame)
        if self.kind in CLASSIFICATION:
            return np.asarray(self.forest_.predict_proba(matrix))
        return np.asarray(self.forest_.predict(matrix))

    def _importance(self) -> dict[str, float]:
        return share_by_source(self.encoder_.sources, self.forest_.feature_importances_)


def random_forest(kind: Kind, **parameters: Any) -> Forest:
    """Make a random forest for mixed frames.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        `n_estimators` (None: 100 to 300, fewer on many rows), `min_samples_leaf` (None: 1, or 3 for classes),
        `max_features` (share of the columns tried at a split), `max_depth`, `class_weight`, `random_state`.

    Notes
    -----
    Steady on small and noisy tables and a good partner in a blend; boosters are better on large ones. Over 50,000 rows
    each tree sees 50,000.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": range(40), "sex": ["f", "m"] * 20})
    >>> random_forest("binary", n_estimators=10).fit(frame, [0, 1] * 20).predict(frame)[:4].tolist()
    [0, 1, 0, 1]
    """
    return make(Forest, kind, "random", **parameters)


def extra_trees(kind: Kind, **parameters: Any) -> Forest:
    """Make extremely randomised trees for mixed frames: like `random_forest`, with random thresholds.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        As of `random_forest`.

    Notes
    -----
    Smoother than a random forest, and unlike boosters in its errors, which is what a blend gains from.

    Examples
    --------
    >>> extra_trees("regression", n_estimators=50).variant
    'extra'
    """
    return make(Forest, kind, "extra", **parameters)
