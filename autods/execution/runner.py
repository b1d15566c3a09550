"""The trusted code inside the sandbox: loads the inputs, calls a phase's code, and leaves what came of it.

Run as `python -m autods.execution.runner job.json` in a folder that `jobs` prepared; what it leaves is under `out/`.
Results are written after the phase's code has returned, and `out/done.json` last of all, with the job's token: without
it nothing counts.
"""

from __future__ import annotations

import json
import linecache
import shutil
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import pandas as pd

    from autods.records import Kind
    from autods.tools.records import TaskFacts

__all__ = ["CODE", "MODULE", "OUT", "main"]

CODE = "code.py"
MODULE = "phase_code"
OUT = Path("out")


def main(arguments: list[str]) -> int:
    """Carry out the job in this file; return the exit code."""
    from autods.validation.preparation import repeatable

    path = Path(arguments[0])
    job = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()  # it holds the token
    token = job.pop("token")
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    try:
        with repeatable(job["task"]["random_state"]):
            _OPERATIONS[job["operation"]](job)
    except Exception as error:
        _print_traceback(error)
        return 1
    left = sorted(path.relative_to(OUT).as_posix() for path in OUT.rglob("*") if path.is_file())
    (OUT / "done.json").write_text(json.dumps({"token": token, "files": left}), encoding="utf-8")
    return 0


# --- the operations --------------------------------------------------------------------------------------------------
def _explore(job: Mapping[str, Any]) -> None:
    from autods.records import to_json
    from autods.validation.transforming import call

    figures = OUT / "figures"
    figures.mkdir()
    frames = {
        "train": _frame("train"),
        "test": _frame("test"),
        "tables": _tables(job),
        "task": _task(job),
        "out": figures,
    }
    entry_point = _entry_point(job)
    findings = call(entry_point, **frames)
    _check_findings(job["entry_point"], findings)
    (OUT / "findings.json").write_text(to_json(findings), encoding="utf-8")


def _transform(job: Mapping[str, Any]) -> None:
    from autods.validation.storage import write_frame
    from autods.validation.transforming import transform

    train, test = _frame("train"), _frame("test")
    done = transform(_entry_point(job), train, test, tables=_tables(job), task=_task(job))
    write_frame(done.train, OUT / "train.parquet")
    write_frame(done.test, OUT / "test.parquet")
    if done.excluded is not None:
        write_frame(done.excluded, OUT / "exclude.parquet")


def _candidates(job: Mapping[str, Any]) -> None:
    from optuna.distributions import distribution_to_json

    offered = {
        name: {
            "estimator": repr(candidate.estimator),
            "space": candidate.space and {key: distribution_to_json(item) for key, item in candidate.space.items()},
        }
        for name, candidate in _offered(job).items()
    }
    (OUT / "candidates.json").write_text(json.dumps(offered, ensure_ascii=False), encoding="utf-8")


def _fit(job: Mapping[str, Any]) -> None:
    import joblib
    import numpy as np

    from autods.validation.cross_validation import fit_candidate
    from autods.validation.folds import load_folds
    from autods.validation.preparation import configure

    task = _task(job)
    estimator = configure(_candidate(job).estimator, job["parameters"])
    result = fit_candidate(
        estimator,
        _frame("train"),
        np.load("y.npy", allow_pickle=False),
        None if job["splits"] else _frame("test"),
        load_folds(Path("folds.npz")),
        kind=cast("Kind", task.kind),
        n_outputs=job["n_outputs"],
        seed=task.random_state,
        fit_rows=np.load("fit_rows.npy", allow_pickle=False) if Path("fit_rows.npy").exists() else None,
        splits=job["splits"],
    )
    arrays = {
        "oof": result.oof,
        "test": result.test,
        "by_repeat": result.by_repeat if len(result.by_repeat) > 1 else None,
        "learned": result.learned,
    }
    for name, array in arrays.items():
        if array is not None:
            np.save(OUT / f"{name}.npy", np.asarray(array, dtype=np.float64), allow_pickle=False)
    facts = {"fold_seconds": list(result.fold_seconds), "importance": dict(result.importance)}
    (OUT / "fit.json").write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")
    if job["keep_estimators"]:
        joblib.dump(result.estimators, OUT / "estimators.joblib")


def _predict(job: Mapping[str, Any]) -> None:
    import joblib
    import numpy as np

    from autods.validation.cross_validation import predict_outputs

    _load_code()  # classes and functions of the code may be part of what was fitted
    fits = joblib.load("estimators.joblib")
    np.save(OUT / "test.npy", np.asarray(predict_outputs(fits, _frame("test")), dtype=np.float64), allow_pickle=False)


_OPERATIONS: dict[str, Callable[[Mapping[str, Any]], None]] = {
    "explore": _explore,
    "transform": _transform,
    "candidates": _candidates,
    "fit": _fit,
    "predict": _predict,
}


# --- inputs ----------------------------------------------------------------------------------------------------------
def _frame(name: str) -> pd.DataFrame:
    from autods.validation.storage import read_frame

    return read_frame(Path(f"{name}.parquet"))


def _tables(job: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    return {name: _frame(f"table{number}") for number, name in enumerate(job["tables"])}


def _task(job: Mapping[str, Any]) -> TaskFacts:
    from autods.tools.records import TaskFacts

    facts = job["task"]  # written by the harness a moment ago: no validation, which would take longer than small fits
    columns = {semantic: tuple(names) for semantic, names in facts["columns"].items()}
    return TaskFacts(
        **facts | {"targets": tuple(facts["targets"]), "classes": tuple(facts["classes"]), "columns": columns}
    )


def _load_code() -> types.ModuleType:
    """Load the phase's module from its text; tracebacks show its lines even after it has removed its file."""
    source = Path(CODE).read_text(encoding="utf-8")
    linecache.cache[CODE] = (len(source), None, source.splitlines(keepends=True), CODE)
    module = types.ModuleType(MODULE)
    module.__file__ = CODE
    sys.modules[MODULE] = module
    exec(compile(source, CODE, "exec"), module.__dict__)
    return module


def _entry_point(job: Mapping[str, Any]) -> Callable[..., Any]:
    from autods.errors import nearest

    name = job["entry_point"]
    module = _load_code()
    function = getattr(module, name, None)
    if callable(function):
        return function  # type: ignore[no-any-return]
    own = [key for key, value in vars(module).items() if getattr(value, "__module__", None) == MODULE]
    raise AttributeError(f"The code defines no function {name}(); {nearest(name, own)}")


# --- what the code gives ---------------------------------------------------------------------------------------------
def _check_findings(entry_point: str, findings: Any) -> None:
    import math

    from autods.tools.records import Finding

    if not isinstance(findings, list | tuple):
        raise TypeError(f"{entry_point}() returned {type(findings).__name__}; it must return a list of Finding.")
    for number, finding in enumerate(findings):
        if not isinstance(finding, Finding):
            raise TypeError(
                f"{entry_point}() returned {type(finding).__name__} as item {number}; every item must be a Finding."
            )
        if not isinstance(finding.value, int | float) or not math.isfinite(finding.value):
            raise ValueError(f"The value of {finding!r} is {finding.value!r}; it must be a finite number.")


def _offered(job: Mapping[str, Any]) -> dict[str, Any]:
    """Call `candidates` and check what it offers."""
    import re

    from autods.tools.records import Candidate
    from autods.validation.transforming import call

    name = job["entry_point"]
    offered = call(_entry_point(job), task=_task(job))
    if not isinstance(offered, dict) or not offered:
        raise TypeError(f"{name}() returned {offered!r:.80}; it must return a dict of Candidate by name, at least one.")
    for key, candidate in offered.items():
        if not isinstance(key, str) or not re.fullmatch(r"[A-Za-z0-9][\w.+-]{0,63}", key):
            raise ValueError(f"{name}() names a candidate {key!r}; a name has letters, digits and _ . + - only.")
        if not isinstance(candidate, Candidate):
            raise TypeError(
                f"{name}() gives a {type(candidate).__name__} as {key!r}; it must be Candidate(estimator, space)."
            )
        if not all(hasattr(candidate.estimator, method) for method in ("fit", "predict", "get_params")):
            raise TypeError(
                f"The estimator of {key!r} is a {type(candidate.estimator).__name__}, without fit, predict or get_params."
            )
    return offered


def _candidate(job: Mapping[str, Any]) -> Any:
    from autods.errors import nearest

    offered = _offered(job)
    if job["candidate"] not in offered:
        raise KeyError(f"There is no candidate {job['candidate']!r}; {nearest(job['candidate'], offered)}")
    return offered[job["candidate"]]


def _print_traceback(error: BaseException) -> None:
    """Print the traceback from the phase's own first line on, or from where it leaves our code, if it does."""
    frames = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    first = (
        frames.index(CODE) if CODE in frames else next((i for i, name in enumerate(frames) if not _is_ours(name)), None)
    )
    shown = error.__traceback__ if first is not None else None
    for _ in range(first or 0):
        shown = shown and shown.tb_next
    traceback.print_exception(type(error), error, shown, file=sys.stderr)


def _is_ours(filename: str) -> bool:
    return Path(filename).parent.name in ("execution", "validation") and Path(filename).parent.parent.name == "autods"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
