"""Run gate files with pytest; this is what happens inside the process that `run_gates` starts."""

from __future__ import annotations

from pathlib import Path

from autods import unit_tests

__all__ = ["main"]

# pytest's words for: all passed, some failed, none collected. The report says which; everything else is an accident.
_ENDED_WELL = (0, 1, 5)


def main(arguments: list[str]) -> int:
    """Judge a context folder with gate files and write the report.

    Parameters
    ----------
    arguments
        The context folder, the report to append to, the root folder of the gate files, and the files.

    Returns
    -------
    int
        0 when pytest came to its end, whatever the gates found.
    """
    import pytest

    context, report, root, *files = arguments
    own = Path(unit_tests.__file__).parent
    options = [
        "--disable-plugin-autoload",
        "--continue-on-collection-errors",
        "-c",
        str(own / "pytest.ini"),
        "--rootdir",
        root,
    ]
    # Our files find their conftest beside them and carry their own messages; a person's get it as a plugin.
    options += ["--assert=plain"] if Path(root) == own else ["-p", "autods.unit_tests.conftest", "--confcutdir", root]
    code = int(pytest.main([*options, "--context", context, "--report", report, *files]))
    return 0 if code in _ENDED_WELL else code
