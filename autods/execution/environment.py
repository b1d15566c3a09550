"""The environment that generated code sees: what decides results is fixed, what is secret is absent."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

__all__ = ["child_environment", "server_environment"]

# What is passed on from the parent: the spelling of text, the clock's zone, where shared libraries lie, and OpenBLAS's
# choice of kernel, without which the same machine can give other last digits than the parent's own.
_PASSED_ON = (
    "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE",
    "SYSTEMROOT", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
)  # fmt: skip
_FIXED = {
    **dict.fromkeys(
        (
            "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS",
            "VECLIB_MAXIMUM_THREADS", "BLIS_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS",
            "LOKY_MAX_CPU_COUNT",  # n_jobs=-1 then means one, whatever estimator it is said to
        ),
        "1",
    ),
    "MPLBACKEND": "Agg",
    "PYTHONHASHSEED": "0",
    "KMP_WARNINGS": "0",
    "TOKENIZERS_PARALLELISM": "false",
}  # fmt: skip


def server_environment(parent: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables of the warm server: the allow-listed ones of the parent and the fixed ones.

    Examples
    --------
    >>> environment = server_environment({"OPENAI_API_KEY": "sk-…", "LANG": "de_DE.UTF-8"})
    >>> "OPENAI_API_KEY" in environment, environment["LANG"], environment["OMP_NUM_THREADS"]
    (False, 'de_DE.UTF-8', '1')
    """
    path = os.defpath if os.name != "nt" else parent.get("PATH", "")
    return {name: parent[name] for name in _PASSED_ON if name in parent} | _FIXED | {"PATH": path}


def child_environment(folder: Path, parent: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables of one job: those of the server, and its own folder as home and place of temporary files."""
    home = str(folder)
    places = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP", "MPLCONFIGDIR", "XDG_CACHE_HOME"), home)
    return server_environment(parent) | places
