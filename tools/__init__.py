"""The vetted tools that generated code calls: cleaning, features, modeling and exploration.

A name is imported when it is first asked for, so that `import autods.tools` pulls in nothing heavy.

Examples
--------
>>> from autods.tools import fill_missing_values
>>> fill_missing_values.__module__
'autods.tools.cleaning.missing'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autods.tools.records import Candidate as Candidate
    from autods.tools.records import Finding as Finding
    from autods.tools.records import TaskFacts as TaskFacts

_HOMES: dict[str, str] = {
    "Adversarial": "autods.tools.explore.adversarial",
    "Candidate": "autods.tools.records",
    "Finding": "autods.tools.records",
    "STATISTICS": "autods.tools.explore.statistics",
    "Statistic": "autods.tools.explore.statistics",
    "TaskFacts": "autods.tools.records",
    "adversarial_validation": "autods.tools.explore.adversarial",
    "aggregate_by_group": "autods.tools.features.groups",
    "baseline_lightgbm": "autods.tools.modeling.gradient_boosting",
    "bin_columns": "autods.tools.features.bins",
    "catboost": "autods.tools.modeling.catboosting",
    "cluster_features": "autods.tools.features.clusters",
    "combine_categories": "autods.tools.features.combinations",
    "compute": "autods.tools.explore.statistics",
    "convert_data_types": "autods.tools.cleaning.types",
    "correlation_feature_selection": "autods.tools.features.selection",
    "count_missing": "autods.tools.features.rows",
    "count_values": "autods.tools.features.rows",
    "create_feature_combinations": "autods.tools.features.combinations",
    "create_polynomial_features": "autods.tools.features.combinations",
    "datetime_parts": "autods.tools.features.dates",
    "detect_and_handle_outliers_iqr": "autods.tools.cleaning.outliers",
    "detect_and_handle_outliers_zscore": "autods.tools.cleaning.outliers",
    "differences": "autods.tools.features.arithmetic",
    "drop_columns": "autods.tools.cleaning.columns",
    "elastic_net": "autods.tools.modeling.linear",
    "exclude_rows": "autods.tools.cleaning.rows",
    "extra_trees": "autods.tools.modeling.forests",
    "fill_missing_values": "autods.tools.cleaning.missing",
    "finding": "autods.tools.explore.statistics",
    "findings": "autods.tools.explore.statistics",
    "format_datetime": "autods.tools.cleaning.dates",
    "frequency_encode": "autods.tools.features.encoding",
    "gaussian_process": "autods.tools.modeling.kernels",
    "group_size": "autods.tools.features.groups",
    "k_nearest_neighbors": "autods.tools.modeling.neighbors",
    "label_encode": "autods.tools.features.encoding",
    "lightgbm": "autods.tools.modeling.gradient_boosting",
    "linear": "autods.tools.modeling.linear",
    "log_target": "autods.tools.modeling.targets",
    "mark_missing": "autods.tools.cleaning.missing",
    "match_types": "autods.tools.cleaning.types",
    "missing_as_level": "autods.tools.cleaning.missing",
    "naive_bayes_text": "autods.tools.modeling.text",
    "neural_network": "autods.tools.modeling.neural",
    "normalise_categories": "autods.tools.cleaning.categories",
    "null_importance": "autods.tools.explore.importance",
    "one_hot_encode": "autods.tools.features.encoding",
    "ordinal_map": "autods.tools.features.encoding",
    "overview_table": "autods.tools.explore.overview",
    "parse_numbers": "autods.tools.cleaning.numbers",
    "perform_pca": "autods.tools.features.decomposition",
    "perform_rfe": "autods.tools.features.selectors",
    "permutation_importance_table": "autods.tools.explore.importance",
    "pipeline": "autods.tools.modeling.pipelines",
    "plot_calibration": "autods.tools.explore.predictions",
    "plot_confusion": "autods.tools.explore.predictions",
    "plot_correlation": "autods.tools.explore.correlation",
    "plot_distributions": "autods.tools.explore.distributions",
    "plot_drift": "autods.tools.explore.distributions",
    "plot_importance": "autods.tools.explore.comparisons",
    "plot_learning_curve": "autods.tools.explore.comparisons",
    "plot_missingness": "autods.tools.explore.missingness",
    "plot_residuals": "autods.tools.explore.predictions",
    "plot_scores": "autods.tools.explore.comparisons",
    "plot_target": "autods.tools.explore.targets",
    "plot_target_relation": "autods.tools.explore.relations",
    "random_forest": "autods.tools.modeling.forests",
    "rare_levels": "autods.tools.features.levels",
    "ratios": "autods.tools.features.arithmetic",
    "remove_columns_with_missing_data": "autods.tools.cleaning.columns",
    "remove_constant_columns": "autods.tools.cleaning.columns",
    "remove_duplicate_columns": "autods.tools.cleaning.columns",
    "remove_duplicates": "autods.tools.cleaning.rows",
    "replace_infinite": "autods.tools.cleaning.numbers",
    "row_statistics": "autods.tools.features.rows",
    "scale_features": "autods.tools.features.scaling",
    "search_space": "autods.tools.modeling.spaces",
    "select_features": "autods.tools.modeling.feature_selection",
    "select_k_best": "autods.tools.features.selectors",
    "split_structured": "autods.tools.features.structured",
    "sum_columns": "autods.tools.features.arithmetic",
    "svm": "autods.tools.modeling.kernels",
    "target_encode": "autods.tools.features.target_encoding",
    "text_linear": "autods.tools.modeling.text",
    "text_scores": "autods.tools.modeling.text_features",
    "text_statistics": "autods.tools.features.text",
    "text_svd": "autods.tools.features.text",
    "tfidf_features": "autods.tools.modeling.text_features",
    "train_and_validation_and_select_the_best_model": "autods.tools.modeling.best_of",
    "transform_skewed": "autods.tools.features.scaling",
    "values_to_missing": "autods.tools.cleaning.missing",
    "variance_feature_selection": "autods.tools.features.selection",
    "xgboost": "autods.tools.modeling.xgboosting",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"autods.tools has no tool {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
