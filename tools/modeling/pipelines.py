"""Pipelines that pass groups and weights on to their last step."""

from __future__ import annotations

import inspect
from typing import Any, Self

from sklearn.pipeline import Pipeline, make_pipeline

__all__ = ["FramePipeline", "fit_accepts", "pipeline"]


def fit_accepts(estimator: Any, **parameters: Any) -> dict[str, Any]:
    """Keep those of the given arguments that are not None and that the estimator's `fit` takes."""
    known = inspect.signature(estimator.fit).parameters
    return {name: value for name, value in parameters.items() if value is not None and name in known}


class FramePipeline(Pipeline):  # type: ignore[misc]
    """scikit-learn's pipeline whose `fit` takes `sample_weight` and `groups` for the last step; see `pipeline`."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None, **parameters: Any) -> Self:
        """Fit the steps one after the other."""
        name, last = self.steps[-1]
        passed = fit_accepts(last, sample_weight=sample_weight, groups=groups)
        super().fit(X, y, **{f"{name}__{key}": value for key, value in passed.items()}, **parameters)
        return self

    def importance(self) -> dict[str, float]:
        """Give the last step's importance, by the names of the columns that reach it."""
        found: dict[str, float] = self.steps[-1][1].importance() if hasattr(self.steps[-1][1], "importance") else {}
        return found


def pipeline(*steps: Any) -> FramePipeline:
    """Make a pipeline of fold tools: transformers, then an estimator.

    Parameters
    ----------
    *steps
        Transformers and last an estimator; each is named by its class in small letters.

    Returns
    -------
    FramePipeline
        Unfitted; `groups` and `sample_weight` reach the estimator.

    Raises
    ------
    ValueError
        When there is no step.

    Notes
    -----
    All that needs the target (encoding, selection) or gives sparse matrices belongs in a pipeline: the harness then
    fits it inside the folds.

    Examples
    --------
    >>> from autods.tools import linear, tfidf_features
    >>> list(pipeline(tfidf_features(), linear("binary")).named_steps)
    ['tfidffeatures', 'linear']
    """
    if not steps:
        raise ValueError("pipeline() has no steps; give transformers and last an estimator.")
    return FramePipeline(make_pipeline(*steps).steps)
