"""Running a solution again: the harness that an exported solution.py calls, made of the run's own functions."""

from __future__ import annotations

from autods.validation.transforming import Transformed, as_stored, call, transform

__all__ = ["Transformed", "as_stored", "call", "transform"]
