"""What an exported solution.py needs to take a run's frames through its phases again, as the sandbox did.

The rest of it are the run's own functions: `choose_folds`, `configure`, `fit_candidate`, `blend_outputs`.
"""

from __future__ import annotations

from autods.validation.transforming import Transformed, as_stored, call, transform

__all__ = ["Transformed", "as_stored", "call", "transform"]
