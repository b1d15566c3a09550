"""CatBoost on mixed frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, make
from autods.tools.modeling._boosting import BoostedTrees, Objective, Preset, Rows
from autods.tools.modeling._splits import InnerSplit

__all__ = ["CatBoost", "catboost"]

LARGEST = 1e38


class CatBoost(BoostedTrees):
    """CatBoost with its own treatment of categories; see `catboost`."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {"depth": 6, "l2_leaf_reg": 3.0, "random_strength": 1.0, "rate": 2.0},
        "deep": {"depth": 8, "l2_leaf_reg": 5.0, "random_strength": 1.0, "rate": 2.0},
        "shallow": {"depth": 4, "l2_leaf_reg": 3.0, "random_strength": 1.0, "rate": 2.2},
        "extra": {"depth": 5, "l2_leaf_reg": 5.0, "random_strength": 4.0, "rate": 2.0},
    }
    OBJECTIVES: ClassVar[Mapping[str, str]] = {
        "squared": "RMSE",
        "absolute": "MAE",
        "huber": "Huber:delta=0.9",
        "quantile": "Quantile:alpha=0.5",
        "poisson": "Poisson",
        "tweedie": "Tweedie:variance_power=1.5",
    }
    INNER_CELLS: ClassVar[int] = 60_000
    # Symmetric trees fit less a round: the library's own default travels 30.
    FIXED_TRAVEL: ClassVar[float] = 12.0

    def __init__(
        self,
        kind: Kind = "regression",
        preset: Preset = "default",
        objective: Objective = "squared",
        n_estimators: int | None = None,
        learning_rate: float | None = None,
        depth: int | None = None,
        l2_leaf_reg: float | None = None,
        random_strength: float | None = None,
        subsample: float = 0.8,
        colsample_bylevel: float | None = None,
        one_hot_max_size: int = 8,
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
        self.depth = depth
        self.l2_leaf_reg = l2_leaf_reg
        self.random_strength = random_strength
        self.subsample = subsample
        self.colsample_bylevel = colsample_bylevel
        self.one_hot_max_size = one_hot_max_size
        self.early_stopping = early_stopping
        self.inner_split = inner_split
        self.valid_share = valid_share
        self.patience = patience
        self.class_weight = class_weight
        self.random_state = random_state

    def _parameters(self, n_rows: int, n_columns: int) -> dict[str, Any]:
        names = ("depth", "l2_leaf_reg", "random_strength")
        chosen = self._resolved({name: getattr(self, name) for name in names})
        rate = self._rate(n_rows, chosen.pop("rate"))
        columns = self.colsample_bylevel or (0.6 if n_columns >= 12 else 1.0)
        if self._n_classes() > 2:
            chosen["leaf_estimation_iterations"] = 1
        elif self._loss() in ("Logloss", "RMSE"):
            chosen["boost_from_average"] = True
        return {
            **chosen,
            "loss_function": self._loss(),
            "learning_rate": rate,
            "bootstrap_type": "Bernoulli",
            "subsample": self.subsample,
            "colsample_bylevel": columns,
            "one_hot_max_size": self.one_hot_max_size,
            "boosting_type": "Plain",
            "max_ctr_complexity": 1 if n_rows * n_columns > 20_000 else 2,
            "border_count": 128 if n_rows > 5000 else 254,
            "random_seed": self.random_state,
            "thread_count": 1,
            "allow_writing_files": False,
            "logging_level": "Silent",
        }

    def _loss(self) -> str:
        if self.kind not in CLASSIFICATION:
            return self.OBJECTIVES[self.objective]
        return "Logloss" if len(self.classes_) == 2 else "MultiClass"

    def _data(self, matrix: np.ndarray, target: np.ndarray | None = None, weight: np.ndarray | None = None) -> Any:
        import catboost

        categorical = list(self.encoder_.categorical)
        matrix = np.clip(matrix, -LARGEST, LARGEST)
        if not categorical:
            return catboost.Pool(matrix.astype(np.float32), label=target, weight=weight)
        frame = pd.DataFrame(matrix.astype(np.float32), columns=[f"c{place}" for place in range(matrix.shape[1])])
        for place in categorical:
            frame[f"c{place}"] = np.nan_to_num(matrix[:, place], nan=-1).astype(np.int32)
        return catboost.Pool(frame, label=target, weight=weight, cat_features=[f"c{place}" for place in categorical])

    def _booster(self, parameters: Mapping[str, Any], n_rounds: int) -> Any:
        import catboost

        if self.kind in CLASSIFICATION and len(self.classes_) > 2:
            parameters = {**parameters, "classes_count": len(self.classes_)}
        return catboost.CatBoost({**parameters, "iterations": n_rounds})

    def _watched(
        self,
        rows: Rows,
        fit_rows: np.ndarray,
        watch_rows: np.ndarray,
        parameters: dict[str, Any],
        longest: int,
        patience: int,
    ) -> tuple[int, Any]:
        fit, watch = (
            self._data(part.matrix, part.target, part.weight) for part in (rows.take(fit_rows), rows.take(watch_rows))
        )
        booster = self._booster(parameters, longest)
        booster.fit(fit, eval_set=watch, early_stopping_rounds=patience, use_best_model=True)
        return int(booster.tree_count_) or 1, booster

    def _boost(self, rows: Rows, parameters: dict[str, Any], n_rounds: int) -> Any:
        return self._booster(parameters, n_rounds).fit(self._data(rows.matrix, rows.target, rows.weight))

    def _raw(self, matrix: np.ndarray) -> np.ndarray:
        form = "Probability" if self.kind in CLASSIFICATION else "RawFormulaVal"
        if self.kind not in CLASSIFICATION and self.objective in ("poisson", "tweedie"):
            form = "Exponent"
        return np.asarray(self.booster_.predict(self._data(matrix), prediction_type=form, thread_count=1))

    def _gains(self) -> np.ndarray:
        return np.asarray(self.booster_.get_feature_importance(thread_count=1), dtype=np.float64)


def catboost(kind: Kind, **parameters: Any) -> CatBoost:
    """Make a CatBoost estimator for mixed frames.

    Parameters
    ----------
    kind
        The kind of the task: `binary`, `multiclass`, `ordinal`, `multilabel` (one label) or `regression`.
    **parameters
        `preset` (`default`, `deep`, `shallow`, `extra`: noisy scores), `objective` (regression: `squared`, `absolute`,
        `huber`, `quantile`, `poisson`, `tweedie`), `n_estimators` (the most rounds), `learning_rate` (None: by
        rows × classes), `depth`, `l2_leaf_reg`, `random_strength`, `subsample`, `colsample_bylevel`,
        `one_hot_max_size`, `early_stopping`, `inner_split`, `valid_share`, `patience`, `class_weight` (`balanced`),
        `random_state`.

    Returns
    -------
    CatBoost
        Unfitted; it stops early and refits as `lightgbm` does. It writes no files.

    Notes
    -----
    The best single booster on tables with many categories, and steady on small ones; slow with many classes.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": range(60), "sex": ["f", "m"] * 30})
    >>> catboost("binary", n_estimators=20).fit(frame, [0, 1] * 30).predict(frame)[:4].tolist()
    [0, 1, 0, 1]
    """
    return make(CatBoost, kind, **parameters)
