"""XGBoost on mixed frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, make, two_columns
from autods.tools.modeling._boosting import BoostedTrees, Objective, Preset, Rows
from autods.tools.modeling._splits import InnerSplit

__all__ = ["XGBoost", "xgboost"]

LARGEST = 1e38


class XGBoost(BoostedTrees):
    """XGBoost with histograms and native categories; see `xgboost`."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {"max_depth": 5, "min_child_weight": 2.0, "subsample": 0.75, "colsample_bynode": 0.7, "rate": 1.3},
        "deep": {"max_depth": 8, "min_child_weight": 4.0, "subsample": 0.7, "colsample_bynode": 0.5, "rate": 1.3},
        "shallow": {"max_depth": 3, "min_child_weight": 1.0, "subsample": 0.7, "colsample_bynode": 0.5, "rate": 1.8},
        "extra": {"max_depth": 6, "min_child_weight": 1.0, "subsample": 0.8, "colsample_bynode": 0.3, "rate": 1.4},
    }
    OBJECTIVES: ClassVar[Mapping[str, str]] = {
        "squared": "reg:squarederror",
        "absolute": "reg:absoluteerror",
        "huber": "reg:pseudohubererror",
        "quantile": "reg:quantileerror",
        "poisson": "count:poisson",
        "tweedie": "reg:tweedie",
        "gamma": "reg:gamma",
    }
    INNER_CELLS: ClassVar[int] = 100_000

    def __init__(
        self,
        kind: Kind = "regression",
        preset: Preset = "default",
        objective: Objective = "squared",
        n_estimators: int | None = None,
        learning_rate: float | None = None,
        max_depth: int | None = None,
        min_child_weight: float | None = None,
        subsample: float | None = None,
        colsample_bynode: float | None = None,
        reg_alpha: float | None = None,
        reg_lambda: float | None = None,
        max_bin: int | None = None,
        early_stopping: bool = True,
        inner_split: InnerSplit = "auto",
        valid_share: float = 0.15,
        patience: int | None = None,
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.preset = preset
        self.objective = objective
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_child_weight = min_child_weight
        self.subsample = subsample
        self.colsample_bynode = colsample_bynode
        self.reg_alpha = reg_alpha
        self.reg_lambda = reg_lambda
        self.max_bin = max_bin
        self.early_stopping = early_stopping
        self.inner_split = inner_split
        self.valid_share = valid_share
        self.patience = patience
        self.class_weight = class_weight
        self.random_state = random_state

    def _parameters(self, n_rows: int, n_columns: int) -> dict[str, Any]:
        names = ("max_depth", "min_child_weight", "subsample", "colsample_bynode", "reg_alpha", "reg_lambda")
        chosen = self._resolved({name: getattr(self, name) for name in names})
        rate = self._rate(n_rows, chosen.pop("rate"))
        return {
            **chosen,
            **self._loss(),
            "learning_rate": rate,
            "max_bin": self.max_bin or 256,
            "tree_method": "hist",
            "max_cat_to_onehot": 8,
            "nthread": 1,
            "seed": self.random_state,
            "verbosity": 0,
        }

    def _loss(self) -> dict[str, Any]:
        if self.kind not in CLASSIFICATION:
            alpha = {"quantile_alpha": 0.5} if self.objective == "quantile" else {}
            return {"objective": self.OBJECTIVES[self.objective], **alpha}
        if len(self.classes_) == 2:
            return {"objective": "binary:logistic", "eval_metric": "logloss"}
        return {"objective": "multi:softprob", "eval_metric": "mlogloss", "num_class": len(self.classes_)}

    def _data(self, rows: Rows, parameters: Mapping[str, Any], reference: Any = None) -> Any:
        import xgboost

        return xgboost.QuantileDMatrix(
            np.clip(rows.matrix, -LARGEST, LARGEST),
            label=rows.target,
            weight=rows.weight,
            feature_types=self._feature_types(),
            enable_categorical=True,
            max_bin=parameters["max_bin"],
            nthread=1,
            ref=reference,
        )

    def _feature_types(self) -> list[str]:
        categorical = set(self.encoder_.categorical)
        return ["c" if place in categorical else "q" for place in range(len(self.encoder_.sources))]

    def _watched(
        self,
        rows: Rows,
        fit_rows: np.ndarray,
        watch_rows: np.ndarray,
        parameters: dict[str, Any],
        longest: int,
        patience: int,
    ) -> tuple[int, Any]:
        import xgboost

        known = self._data(rows.take(fit_rows), parameters)
        watched = self._data(rows.take(watch_rows), parameters, reference=known)
        booster = xgboost.train(
            parameters, known, longest, evals=[(watched, "watched")], early_stopping_rounds=patience, verbose_eval=False
        )
        n_rounds = int(booster.best_iteration) + 1
        return n_rounds, booster[:n_rounds]

    def _boost(self, rows: Rows, parameters: dict[str, Any], n_rounds: int) -> Any:
        import xgboost

        return xgboost.train(parameters, self._data(rows, parameters), n_rounds)

    def _raw(self, matrix: np.ndarray) -> np.ndarray:
        import xgboost

        data = xgboost.DMatrix(
            np.clip(matrix, -LARGEST, LARGEST), feature_types=self._feature_types(), enable_categorical=True, nthread=1
        )
        values = np.asarray(self.booster_.predict(data), dtype=np.float64)
        return two_columns(values) if self.kind in CLASSIFICATION and values.ndim == 1 else values

    def _gains(self) -> np.ndarray:
        gains: dict[str, Any] = self.booster_.get_score(importance_type="total_gain")
        return np.asarray([float(gains.get(f"f{place}", 0.0)) for place in range(len(self.encoder_.sources))])


def xgboost(kind: Kind, **parameters: Any) -> XGBoost:
    """Make an XGBoost estimator for mixed frames.

    Parameters
    ----------
    kind
        The kind of the task: `binary`, `multiclass`, `ordinal`, `multilabel` (one label) or `regression`.
    **parameters
        `preset` (`default`, `deep`, `shallow`, `extra`: few columns a split), `objective` (regression: `squared`,
        `absolute`, `huber`, `quantile`, `poisson`, `tweedie`, `gamma`), `n_estimators` (the most rounds),
        `learning_rate` (None: 0.03 to 0.15 by rows × classes), `max_depth`, `min_child_weight`, `subsample`,
        `colsample_bynode`, `reg_alpha`, `reg_lambda`, `max_bin`, `early_stopping`, `inner_split`, `valid_share`,
        `patience`, `class_weight` (`balanced`), `random_state`.

    Returns
    -------
    XGBoost
        Unfitted; it stops early and refits as `lightgbm` does.

    Notes
    -----
    A partner of `lightgbm` in a blend: trees grow by depth, not by leaf. The presets' source is that of `lightgbm`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": range(60), "sex": ["f", "m"] * 30})
    >>> xgboost("binary", n_estimators=20).fit(frame, [0, 1] * 30).predict(frame)[:4].tolist()
    [0, 1, 0, 1]
    """
    return make(XGBoost, kind, **parameters)
