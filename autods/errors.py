"""The errors that autods raises; whatever a candidate does wrong is a value (`ExecutionResult`, `GateReport`), not an error.

::

    AutoDSError
    ├── UserError            the input or the call is wrong; one sentence, exit code 2
    │   ├── CompetitionError     the folder cannot be predicted
    │   ├── ConfigError          a setting is unknown or out of range
    │   └── RunNotFoundError     no such run, or one that is held by another process
    ├── SandboxError         the sandbox itself broke
    └── RunStopped           the person stopped the run (Ctrl-C); all finished work is saved
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "AutoDSError",
    "CompetitionError",
    "ConfigError",
    "RunNotFoundError",
    "RunStopped",
    "SandboxError",
    "UserError",
    "nearest",
]


class AutoDSError(Exception):
    """The root of every error that autods raises on purpose."""


class UserError(AutoDSError):
    """The input or the call is wrong; the message names the value, what is allowed and the remedy."""


class CompetitionError(UserError):
    """The competition's folder cannot be read or predicted."""


class ConfigError(UserError):
    """A setting is unknown or out of range."""


class RunNotFoundError(UserError):
    """The run does not exist, or another process holds it."""


class SandboxError(AutoDSError):
    """The sandbox could not start or lost its child; not the fault of the code it ran."""


class RunStopped(AutoDSError):
    """The person stopped the run; what was finished is saved and can be resumed."""


def nearest(name: str, known: Iterable[str], n: int = 3) -> str:
    """Say which known names are nearest, for the end of an error's sentence.

    Examples
    --------
    >>> nearest("acuracy", ["accuracy", "auroc"])
    "did you mean 'accuracy' or 'auroc'?"
    """
    options = sorted(map(str, known))
    close = difflib.get_close_matches(name.casefold(), options, n=n, cutoff=0.5) or options[:n]
    return "did you mean " + " or ".join(repr(option) for option in close) + "?" if close else "there are none"
