"""The competition metrics: what each wants, which way is better, its score and its best constant.

Usage: `get_metric("rmse").score(y, outputs)`; `metric_of(task)` for the one a task asks for; `find_metric(overview)`
reads it out of an overview.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from autods.competition import constants as constant
from autods.competition import metric_functions as function
from autods.competition.custom_metrics import custom_function
from autods.competition.decisions import decide, default_decision
from autods.competition.metric_search import find_metric
from autods.errors import ConfigError, nearest
from autods.records import Decision, Kind, Needs, Task

__all__ = ["METRICS", "Metric", "find_metric", "get_metric", "load_custom_metric", "metric_of"]

SINGLE: tuple[Kind, ...] = ("binary", "multiclass", "ordinal")
CLASSES: tuple[Kind, ...] = (*SINGLE, "multilabel")
VALUES: tuple[Kind, ...] = ("regression", "multi_regression")


@dataclass(frozen=True)
class Metric:
    """One metric.

    Attributes
    ----------
    name, title, aliases
        Its name here, for people, and elsewhere.
    needs
        `labels`, `probabilities` or `values`; see `needs_of` for the one metric that serves two kinds.
    kinds
        The kinds of task it can score.
    function
        (truth, predictions as needed) → number; truth is codes, 0/1 (rows, labels) or values (rows, targets).
    constant
        Makes the best constant; see `autods.competition.constants`.
    top_k
        How many labels a row's prediction lists, for MAP@k.
    lower_bound
        The least value that has a score: predictions below count as, and are submitted as, this.
    """

    name: str
    title: str
    needs: Needs
    greater_is_better: bool
    kinds: tuple[Kind, ...]
    function: Callable[[np.ndarray, np.ndarray], float]
    constant: constant.Constant
    aliases: tuple[str, ...] = ()
    top_k: int | None = None
    lower_bound: float | None = None

    def needs_of(self, kind: Kind) -> Needs:
        """Return what the metric wants of a task of this kind."""
        return "values" if kind in VALUES else self.needs

    def score(self, y: np.ndarray, outputs: np.ndarray, decision: Decision | None = None) -> float:
        """Score outputs.

        Parameters
        ----------
        y
            Codes (rows,), 0/1 (rows, labels), or values (rows,) or (rows, targets).
        outputs
            Probabilities or values, rows × outputs, without NaN.
        decision
            How labels are decided when the metric wants labels; the default decision when None.

        Returns
        -------
        float
            NaN only for AUROC and average precision of a truth with a single class.

        Examples
        --------
        >>> y, outputs = np.array([0, 1]), np.array([[0.9, 0.1], [0.7, 0.3]])
        >>> get_metric("accuracy").score(y, outputs)
        0.5
        >>> get_metric("accuracy").score(y, outputs, Decision("threshold", (0.3,)))
        1.0
        """
        y, outputs = np.asarray(y), np.asarray(outputs, dtype=np.float64)
        if outputs.ndim != 2 or len(outputs) != len(y) or not len(y):
            raise ValueError(f"{self.name} cannot score outputs of shape {outputs.shape} against y of shape {y.shape}.")
        # A diverged regressor may leave the range of a float; its score is then infinitely bad, not an accident.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            if self.needs == "labels":
                kind: Kind = "multilabel" if y.ndim == 2 else "binary" if outputs.shape[1] == 2 else "multiclass"
                return float(self.function(y, decide(outputs, decision or default_decision(kind, "labels"), kind)))
            if self.needs == "values":
                return float(self.function(y.reshape(len(y), -1).astype(np.float64), outputs))
            return float(self.function(y, outputs))

    def best_constant(self, y: np.ndarray, kind: Kind, n_outputs: int) -> np.ndarray:
        """Return the row of outputs that, predicted everywhere, scores best on y.

        Examples
        --------
        >>> get_metric("rmse_log").best_constant(np.array([1.0, 4.0, 16.0]), "regression", 1).round(6).tolist()
        [4.0]
        """

        def score(row: np.ndarray) -> float:
            value = self.score(y, np.tile(row, (len(y), 1)))
            return value if self.greater_is_better else -value

        return self.constant(np.asarray(y), kind, n_outputs, score)


def _mean(*, lower: float | None = None) -> dict[str, Any]:
    return {"constant": constant.column_wise(np.mean), "lower_bound": lower}


def _metrics() -> list[Metric]:
    m, f, c = Metric, function, constant
    column, log_centre = c.column_wise, c.geometric_mean
    return [
        m("accuracy", "Accuracy", "labels", True, CLASSES, f.accuracy, c.most_frequent,
          ("acc", "categorization accuracy", "classification accuracy", "percent correct")),
        m("balanced_accuracy", "Balanced accuracy", "labels", True, SINGLE, f.balanced_accuracy, c.most_frequent,
          ("bacc", "macro recall", "mean recall")),
        m("f1", "F1", "labels", True, CLASSES, f.f1, c.always_positive,
          ("f1 score", "f-score", "f1 binary", "mean f1", "mean f1-score", "f1 samples", "dice")),
        m("f1_macro", "Macro F1", "labels", True, CLASSES, f.f1_averaged("macro"), c.best_label_set,
          ("macro f1", "macro f1 score", "macro-averaged f1", "f1 score macro")),
        m("f1_micro", "Micro F1", "labels", True, CLASSES, f.f1_averaged("micro"), c.best_label_set,
          ("micro f1", "micro f1 score", "micro-averaged f1", "f1 score micro")),
        m("f1_weighted", "Weighted F1", "labels", True, CLASSES, f.f1_averaged("weighted"), c.best_label_set,
          ("weighted f1", "weighted f1 score", "f1 score weighted")),
        m("mcc", "Matthews correlation coefficient", "labels", True, SINGLE, f.matthews, c.most_frequent,
          ("matthews correlation", "matthews correlation coefficient", "phi coefficient")),
        m("kappa", "Cohen's kappa", "labels", True, SINGLE, f.cohen_kappa, c.most_frequent,
          ("cohen kappa", "cohens kappa", "cohen's kappa")),
        m("qwk", "Quadratic weighted kappa", "labels", True, SINGLE, f.quadratic_kappa, c.most_frequent,
          ("quadratic weighted kappa", "quadratic kappa", "weighted kappa", "cohen kappa quadratic")),
        m("auroc", "Area under the ROC curve", "probabilities", True, CLASSES, f.auroc, c.class_shares,
          ("auc", "roc auc", "auc roc", "area under the roc curve", "area under curve", "roc auc score")),
        m("auroc_macro", "Macro area under the ROC curve", "probabilities", True, CLASSES, f.auroc, c.class_shares,
          ("macro auroc", "macro auc", "roc auc macro", "roc auc ovr")),
        m("mean_column_auroc", "Mean column-wise area under the ROC curve", "probabilities", True, CLASSES, f.auroc,
          c.class_shares, ("mean columnwise auroc", "mean column-wise auc", "mean column-wise roc auc", "mean auc")),
        m("average_precision", "Average precision", "probabilities", True, CLASSES, f.average_precision, c.class_shares,
          ("pr auc", "auprc", "auc pr", "ap", "area under the precision-recall curve")),
        m("log_loss", "Log loss", "probabilities", False, CLASSES, f.log_loss, c.class_shares,
          ("logloss", "logarithmic loss", "multiclass log loss", "multi-class logarithmic loss", "mlogloss",
           "cross entropy", "binary cross entropy", "neg log loss", "mean column-wise log loss")),
        m("brier", "Brier score", "probabilities", False, CLASSES, f.brier, c.class_shares,
          ("brier score", "brier loss")),
        m("gini", "Normalised Gini coefficient", "probabilities", True, ("binary", "regression"), f.gini,
          c.class_shares, ("normalized gini", "normalised gini", "gini coefficient", "normalized gini coefficient")),
        *[_map_at(k) for k in (3, 5, 7, 10, 12)],
        m("rmse", "Root mean squared error", "values", False, VALUES, f.rmse, **_mean(),
          aliases=("root mean squared error", "root mean square error", "neg root mean squared error")),
        m("mcrmse", "Mean column-wise root mean squared error", "values", False, VALUES, f.rmse, **_mean(),
          aliases=("mean columnwise root mean squared error", "mean column rmse", "mean columnwise rmse")),
        m("mse", "Mean squared error", "values", False, VALUES, f.mse, **_mean(), aliases=("mean squared error", "l2")),
        m("mae", "Mean absolute error", "values", False, VALUES, f.mae, column(np.median),
          ("mean absolute error", "l1")),
        m("medae", "Median absolute error", "values", False, VALUES, f.medae, column(c.shortest_half),
          ("median absolute error",)),
        m("rmsle", "Root mean squared logarithmic error", "values", False, VALUES, f.rmsle,
          column(log_centre(0.0, 1.0)),
          ("root mean squared log error", "root mean squared logarithmic error", "mcrmsle", "mean columnwise rmsle"),
          lower_bound=0.0),
        m("rmse_log", "RMSE of logarithms", "values", False, VALUES, f.rmse_log, column(log_centre(f.LOG_FLOOR, 0.0)),
          ("log rmse", "rmse of logs", "rmse of the logarithms", "rmse log"), lower_bound=f.LOG_FLOOR),
        m("mape", "Mean absolute percentage error", "values", False, VALUES, f.mape, column(c.weighted_median),
          ("mean absolute percentage error",)),
        m("smape", "Symmetric mean absolute percentage error", "values", False, VALUES, f.smape,
          column(c.smape_optimum), ("symmetric mean absolute percentage error",)),
        m("rmspe", "Root mean squared percentage error", "values", False, VALUES, f.rmspe,
          column(c.inverse_weighted_mean), ("root mean square percentage error", "root mean squared percentage error")),
        m("r2", "Coefficient of determination R²", "values", True, VALUES, f.r2, **_mean(),
          aliases=("r2 score", "r squared", "r^2", "coefficient of determination")),
        m("spearman", "Spearman rank correlation", "values", True, VALUES, f.spearman, **_mean(),
          aliases=("spearman correlation", "spearmans rank correlation", "spearman rank correlation coefficient")),
        m("pearson", "Pearson correlation", "values", True, VALUES, f.pearson, **_mean(),
          aliases=("pearson correlation", "pearson correlation coefficient", "correlation")),
    ]  # fmt: skip


def _map_at(k: int) -> Metric:
    aliases = (f"map at {k}", f"mean average precision at {k}", f"apk {k}")
    score = function.mean_average_precision(k)
    title = f"Mean average precision at {k}"
    return Metric(f"map@{k}", title, "probabilities", True, CLASSES, score, constant.class_shares, aliases, top_k=k)


METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _metrics()}


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9^@]+", " ", name.casefold().replace("'s", "s").replace("²", "2")).split())


_NAMES = {_plain(alias): m.name for m in METRICS.values() for alias in (m.name, m.title, *m.aliases)}


def get_metric(name: str) -> Metric:
    """Return the metric of this name or alias.

    Raises
    ------
    ConfigError
        When there is none; the message offers the nearest.

    Examples
    --------
    >>> get_metric("Quadratic Weighted Kappa").name
    'qwk'
    >>> get_metric("MAP@4").top_k
    4
    """
    plain = _plain(name)
    at = re.fullmatch(r"(?:map|mean average precision|apk)(?: ?@ ?| at | )?(\d+)", plain)
    if at and int(at[1]) > 0:
        return _map_at(int(at[1]))
    if plain not in _NAMES:
        raise ConfigError(f"There is no metric {name!r}; {nearest(plain, {*_NAMES, *METRICS})}")
    return METRICS[_NAMES[plain]]


def load_custom_metric(
    path: Path, function: str, needs: Needs, greater_is_better: bool, classes: tuple[str, ...] = ()
) -> Metric:
    """Load a metric from the competition's own file.

    Parameters
    ----------
    path
        A Python file.
    function
        The name of its function `(y_true, y_pred) -> float`.
    needs
        What `y_pred` is: `labels` as the files spell them (numbers when all are numbers, as y_true is), `probabilities`
        (of the positive class for two classes, else rows × classes; y_true is then codes) or `values`.
    greater_is_better
        The direction.
    classes
        The labels in the order of their codes.

    Raises
    ------
    ConfigError
        When the file or the function cannot be used; one sentence.
    """
    score = custom_function(path, function, needs, classes)
    kinds = VALUES if needs == "values" else CLASSES
    return Metric(function, function, needs, greater_is_better, kinds, score, constant.best_found)


def metric_of(task: Task) -> Metric:
    """Return the metric that a task asks for, in its direction; of a custom one, `task.metric` names the function."""
    if task.custom_metric is not None:
        path = Path(task.custom_metric)
        return load_custom_metric(path, task.metric, task.needs, task.greater_is_better, task.classes)
    metric = get_metric(task.metric)
    needs, greater = metric.needs_of(task.kind), task.greater_is_better
    if (needs, greater) == (metric.needs, metric.greater_is_better):
        return metric
    return replace(metric, needs=needs, greater_is_better=greater)
