"""LightGBM on mixed frames: the portfolio's candidate with its presets, and the plain baseline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, make, two_columns
from autods.tools.modeling._boosting import BoostedTrees, Objective, Preset, Rows
from autods.tools.modeling._splits import InnerSplit

__all__ = ["LightGBM", "baseline_lightgbm", "lightgbm"]

FIXED = {"verbosity": -1, "num_threads": 1, "deterministic": True, "force_row_wise": True}


class LightGBM(BoostedTrees):
    """LightGBM with native categories; see `lightgbm`."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {"num_leaves": 24, "feature_fraction": 0.7, "bagging_fraction": 0.8, "lambda_l2": 1.0, "rate": 1.0},
        "deep": {"num_leaves": 80, "feature_fraction": 0.5, "bagging_fraction": 0.7, "lambda_l2": 4.0, "rate": 1.2},
        "shallow": {"num_leaves": 7, "feature_fraction": 0.5, "bagging_fraction": 0.7, "lambda_l2": 1.0, "rate": 1.5},
        "extra": {
            "num_leaves": 40, "feature_fraction": 0.8, "bagging_fraction": 0.9, "lambda_l2": 1.0, "rate": 1.3,
            "extra_trees": True,
        },
    }  # fmt: skip
    OBJECTIVES: ClassVar[Mapping[str, str]] = {
        "squared": "regression",
        "absolute": "regression_l1",
        "huber": "huber",
        "quantile": "quantile",
        "poisson": "poisson",
        "tweedie": "tweedie",
        "gamma": "gamma",
    }
    INNER_CELLS: ClassVar[int] = 150_000

    def __init__(
        self,
        kind: Kind = "regression",
        preset: Preset = "default",
        objective: Objective = "squared",
        n_estimators: int | None = None,
        learning_rate: float | None = None,
        num_leaves: int | None = None,
        min_child_samples: int | None = None,
        feature_fraction: float | None = None,
        bagging_fraction: float | None = None,
        lambda_l1: float | None = None,
        lambda_l2: float | None = None,
        max_bin: int | None = None,
        cat_smooth: float | None = None,
        extra_trees: bool | None = None,
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
        self.num_leaves = num_leaves
        self.min_child_samples = min_child_samples
        self.feature_fraction = feature_fraction
        self.bagging_fraction = bagging_fraction
        self.lambda_l1 = lambda_l1
        self.lambda_l2 = lambda_l2
        self.max_bin = max_bin
        self.cat_smooth = cat_smooth
        self.extra_trees = extra_trees
        self.early_stopping = early_stopping
        self.inner_split = inner_split
        self.valid_share = valid_share
        self.patience = patience
        self.class_weight = class_weight
        self.random_state = random_state

    def _parameters(self, n_rows: int, n_columns: int) -> dict[str, Any]:
        names = ("num_leaves", "feature_fraction", "bagging_fraction", "lambda_l1", "lambda_l2", "extra_trees")
        chosen = self._resolved({name: getattr(self, name) for name in names})
        rate = self._rate(n_rows, chosen.pop("rate"))
        return {
            **chosen,
            **FIXED,
            **self._loss(),
            "learning_rate": rate,
            "num_leaves": int(min(chosen["num_leaves"], max(4, n_rows // 12))),
            "min_data_in_leaf": self.min_child_samples or int(np.clip(n_rows // 60, 3, 20)),
            "min_data_in_bin": 3 if n_rows > 500 else 1,
            "max_bin": self.max_bin or 255,
            "bagging_freq": 1,
            "min_data_per_group": int(np.clip(n_rows // 50, 5, 100)),
            "cat_smooth": self.cat_smooth if self.cat_smooth is not None else 10.0,
            "max_cat_to_onehot": 6,
            "seed": self.random_state,
        }

    def _loss(self) -> dict[str, Any]:
        if self.kind not in CLASSIFICATION:
            return {"objective": self.OBJECTIVES[self.objective], "alpha": 0.5 if self.objective == "quantile" else 0.9}
        if len(self.classes_) == 2:
            return {"objective": "binary"}
        return {"objective": "multiclass", "num_class": len(self.classes_)}

    def _data(self, rows: Rows, parameters: Mapping[str, Any]) -> Any:
        import lightgbm

        return lightgbm.Dataset(
            rows.matrix,
            label=rows.target,
            weight=rows.weight,
            feature_name=[f"c{number}" for number in range(rows.matrix.shape[1])],
            categorical_feature=list(self.encoder_.categorical),
            params=dict(parameters),
            free_raw_data=False,
        )

    def _watched(
        self,
        rows: Rows,
        fit_rows: np.ndarray,
        watch_rows: np.ndarray,
        parameters: dict[str, Any],
        longest: int,
        patience: int,
    ) -> tuple[int, Any]:
        import lightgbm

        whole = self._data(rows, parameters).construct()
        booster = lightgbm.train(
            parameters,
            whole.subset(fit_rows.tolist()),
            longest,
            valid_sets=[whole.subset(watch_rows.tolist())],
            callbacks=[lightgbm.early_stopping(patience, verbose=False)],
        )
        return int(booster.best_iteration) or longest, booster.free_dataset()

    def _boost(self, rows: Rows, parameters: dict[str, Any], n_rounds: int) -> Any:
        import lightgbm

        return lightgbm.train(parameters, self._data(rows, parameters), n_rounds).free_dataset()

    def _raw(self, matrix: np.ndarray) -> np.ndarray:
        values = np.asarray(self.booster_.predict(matrix, num_threads=1))
        return two_columns(values) if self.kind in CLASSIFICATION and values.ndim == 1 else values

    def _gains(self) -> np.ndarray:
        return np.asarray(self.booster_.feature_importance("gain"), dtype=np.float64)


class PlainLightGBM(LightGBM):
    """LightGBM as it comes: 100 rounds of 31 leaves at rate 0.1; see `baseline_lightgbm`."""

    def __init__(
        self,
        kind: Kind = "regression",
        n_estimators: int = 100,
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        super().__init__(kind, n_estimators=n_estimators, early_stopping=False, random_state=random_state)
        self.class_weight = class_weight

    def _parameters(self, n_rows: int, n_columns: int) -> dict[str, Any]:
        return {**FIXED, **self._loss(), "learning_rate": 0.1, "seed": self.random_state}


def lightgbm(kind: Kind, **parameters: Any) -> LightGBM:
    """Make a LightGBM estimator for mixed frames.

    Parameters
    ----------
    kind
        The kind of the task: `binary`, `multiclass`, `ordinal`, `multilabel` (one label) or `regression`.
    **parameters
        `preset` (`default`; `deep`: many leaves, strong penalty; `shallow`: seven leaves; `extra`: random thresholds),
        `objective` (regression: `squared`, `absolute`, `huber`, `quantile`, `poisson`, `tweedie`, `gamma`),
        `n_estimators` (the most rounds), `learning_rate` (None: 0.03 to 0.15 by rows × classes), `num_leaves`,
        `min_child_samples` (None: by rows), `feature_fraction`, `bagging_fraction`, `lambda_l1`, `lambda_l2`,
        `max_bin`, `cat_smooth`, `extra_trees`, `early_stopping`, `inner_split`, `valid_share`, `patience`,
        `class_weight` (`balanced`), `random_state`.

    Returns
    -------
    LightGBM
        Unfitted. It stops early on an inner split of its training rows, then refits on all of them at that length;
        under 200 rows it takes a fixed number of rounds, and from 150,000 (rows × classes) it watches half as many rows
        and is not refitted.

    Notes
    -----
    Use it first on any table. On a few hundred rows `linear` or `random_forest` are as good and steadier. The presets
    follow the zero-shot portfolios of AutoGluon (TabRepo) and the tuned defaults of Holzmüller et al. (2024), rounded.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": range(60), "sex": ["f", "m"] * 30})
    >>> estimator = lightgbm("binary", n_estimators=20).fit(frame, [0, 1] * 30)
    >>> max(estimator.importance(), key=estimator.importance().get)
    'sex'
    """
    return make(LightGBM, kind, **parameters)


def baseline_lightgbm(kind: Kind, n_estimators: int = 100, random_state: int = 0) -> PlainLightGBM:
    """Make the plain LightGBM: library defaults, 100 rounds, native categories; the probe and the baseline.

    Parameters
    ----------
    kind
        The kind of the task.
    n_estimators
        Rounds.
    random_state
        The seed.

    Examples
    --------
    >>> baseline_lightgbm("regression").n_estimators
    100
    """
    return make(PlainLightGBM, kind, n_estimators=n_estimators, random_state=random_state)
