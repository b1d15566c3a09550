"""Search spaces of the estimators, for tuning by the harness."""

from __future__ import annotations

from typing import Any

from autods.tools._checks import check_choice
from autods.tools.modeling._base import CLASSIFICATION, KINDS, Kind

__all__ = ["search_space"]

SPACES: dict[str, dict[str, tuple[Any, ...]]] = {
    "lightgbm": {
        "num_leaves": ("int", 4, 128, "log"),
        "min_child_samples": ("int", 2, 100, "log"),
        "feature_fraction": ("float", 0.3, 1.0),
        "bagging_fraction": ("float", 0.5, 1.0),
        "lambda_l1": ("float", 1e-4, 10.0, "log"),
        "lambda_l2": ("float", 1e-3, 30.0, "log"),
        "cat_smooth": ("float", 1.0, 100.0, "log"),
        "extra_trees": ("choice", False, True),
    },
    "xgboost": {
        "max_depth": ("int", 2, 10),
        "min_child_weight": ("float", 0.3, 30.0, "log"),
        "subsample": ("float", 0.5, 1.0),
        "colsample_bynode": ("float", 0.2, 1.0),
        "reg_alpha": ("float", 1e-4, 10.0, "log"),
        "reg_lambda": ("float", 1e-2, 30.0, "log"),
    },
    "catboost": {
        "depth": ("int", 3, 8),
        "l2_leaf_reg": ("float", 0.5, 30.0, "log"),
        "random_strength": ("float", 0.1, 10.0, "log"),
        "subsample": ("float", 0.5, 1.0),
        "one_hot_max_size": ("choice", 2, 8, 32),
    },
    "random_forest": {"min_samples_leaf": ("int", 1, 30, "log"), "max_features": ("float", 0.1, 1.0)},
    "extra_trees": {"min_samples_leaf": ("int", 1, 30, "log"), "max_features": ("float", 0.1, 1.0)},
    "linear": {"splines": ("choice", False, True)},
    "elastic_net": {"l1_ratio": ("float", 0.05, 1.0), "splines": ("choice", False, True)},
    "svm": {"C": ("float", 0.1, 100.0, "log"), "epsilon": ("float", 0.01, 0.3, "log")},
    "k_nearest_neighbors": {"n_neighbors": ("int", 3, 100, "log"), "weigh_columns": ("choice", False, True)},
    "naive_bayes_text": {"alpha": ("float", 0.01, 3.0, "log")},
    "text_linear": {"C": ("float", 0.1, 200.0, "log"), "letters": ("choice", False, True)},
    "neural_network": {
        "width": ("choice", 64, 128, 256),
        "n_layers": ("int", 1, 3),
        "dropout": ("float", 0.0, 0.4),
        "learning_rate": ("float", 1e-3, 1e-2, "log"),
        "weight_decay": ("float", 1e-3, 0.2, "log"),
    },
}
ONLY_VALUES = {"svm": ("epsilon",)}


def search_space(name: str, kind: Kind, n_rows: int, prefix: str = "") -> dict[str, Any]:
    """Give the search space of an estimator as optuna distributions by parameter name.

    Parameters
    ----------
    name
        The estimator's factory: `lightgbm`, `xgboost`, `catboost`, `random_forest`, `extra_trees`, `linear`,
        `elastic_net`, `svm`, `k_nearest_neighbors`, `naive_bayes_text`, `text_linear` or `neural_network`.
    kind
        The kind of the task.
    n_rows
        Training rows: trees of few rows are searched among small ones.
    prefix
        Put before each name: `"estimator__"` inside `log_target`, `"<step>__"` inside a `pipeline`.

    Notes
    -----
    Rounds and learning rate are not searched: early stopping fits one to the other.

    Examples
    --------
    >>> search_space("random_forest", "binary", 1000)["max_features"]
    FloatDistribution(high=1.0, log=False, low=0.1, step=None)
    """
    check_choice("name", name, tuple(SPACES))
    check_choice("kind", kind, KINDS)
    space = dict(SPACES[name])
    if kind in CLASSIFICATION:
        for parameter in ONLY_VALUES.get(name, ()):
            del space[parameter]
    if name == "lightgbm":
        space["num_leaves"] = ("int", 4, int(min(128, max(8, n_rows // 10))), "log")
        space["min_child_samples"] = ("int", 2, int(min(100, max(4, n_rows // 20))), "log")
    if name in ("random_forest", "extra_trees"):
        space["min_samples_leaf"] = ("int", 1, int(min(30, max(2, n_rows // 30))), "log")
    if name == "xgboost" and n_rows < 1000:
        space["max_depth"] = ("int", 2, 7)
    return {prefix + parameter: _distribution(*spec) for parameter, spec in space.items()}


def _distribution(form: str, *limits: Any) -> Any:
    from optuna import distributions

    if form == "choice":
        return distributions.CategoricalDistribution(list(limits))
    variety = distributions.IntDistribution if form == "int" else distributions.FloatDistribution
    return variety(limits[0], limits[1], log=limits[2:] == ("log",))
