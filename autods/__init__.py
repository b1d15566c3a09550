"""autods: a competition folder in; a validated submission, six reviewed reports and a re-runnable solution out."""

from __future__ import annotations

import importlib
import pathlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autods.config import RunConfig as RunConfig
    from autods.runs import Run as Run
    from autods.runs import resume as resume
    from autods.runs import run as run

__all__ = ["Run", "RunConfig", "resume", "run"]
__version__ = "0.1.0"

_HOMES = {"Run": "autods.runs", "RunConfig": "autods.config", "resume": "autods.runs", "run": "autods.runs"}

# In a bare checkout tools/ and unit_tests/ stand beside this package; an installed copy has them inside it.
_root = pathlib.Path(__file__).resolve().parents[1]
if (_root / "pyproject.toml").is_file() and (_root / "tools" / "__init__.py").is_file():
    __path__.append(str(_root))


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'autods' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
