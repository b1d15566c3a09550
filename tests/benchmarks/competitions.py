"""Run every competition of a folder at a budget and score it against hidden answers: `python tests/benchmarks/competitions.py --help`.

Prints a Markdown table: the submission's test score beside the plain LightGBM's of the same run, their difference with
its paired bootstrap standard error, the difference as a share of the plain LightGBM's score, when the first submissions
came, and what the run cost besides fitting. No run reads the answers; only this script does, afterwards.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from autods.competition import metric_of
from autods.competition.submission_checks import outputs_of, score_submission, truth_of
from autods.errors import UserError
from autods.journal import Journal
from autods.records import Decision, Task
from autods.validation.significance import bootstrap_difference
from autods.workspace import Workspace, find_run


@dataclass(frozen=True)
class Outcome:
    """One competition's measurements; scores on the hidden answers, seconds of wall time from the command."""

    name: str
    metric: str
    score: float
    baseline: float
    gain: float
    standard_error: float
    constant_s: float
    lightgbm_s: float
    total_s: float
    besides_fits_s: float
    validation: str

    @property
    def relative(self) -> float:
        return self.gain / abs(self.baseline) if self.baseline else 0.0

    @property
    def row(self) -> str:
        cells = (
            self.name,
            self.metric,
            f"{self.score:.4f}",
            f"{self.baseline:.4f}",
            f"{self.gain:+.4f} ± {self.standard_error:.4f}",
            f"{self.relative:+.2%}",
            self.validation,
            f"{self.constant_s:.1f}",
            f"{self.lightgbm_s:.1f}",
            f"{self.total_s:.0f}",
            f"{self.besides_fits_s:.1f}",
        )
        return "| " + " | ".join(cells) + " |"


HEADER = "| competition | metric | autods | plain LightGBM | gain | relative | validation | constant at s | LightGBM at s | total s | besides fits s |"


def run_one(folder: Path, output: Path, options: list[str]) -> tuple[Workspace, float, float]:
    """Run one competition; give its workspace, when the command began and how long it took."""
    began = time.time()
    command = [sys.executable, "-m", "autods.cli", "run", str(folder), "--output", str(output), "--quiet", *options]
    subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL)
    return find_run(folder.name, output), began, time.time() - began


def fitting_s(journal: Journal) -> float:
    """Wall seconds during which at least one fit ran."""
    spans = sorted((event["began"], event["ended"]) for event in journal.events("fitted"))
    total, until = 0.0, float("-inf")
    for begin, end in spans:
        total += max(0.0, end - max(begin, until))
        until = max(until, end)
    return total


def measure(folder: Path, answers_folder: Path, output: Path, options: list[str]) -> Outcome:
    workspace, began, total_s = run_one(folder, output, options)
    journal = Journal(workspace.work / "journal.jsonl", time.time)
    task = workspace.load(Task, next((workspace.work / "attempts").glob("background-*/out/task.json")))
    # Refuses what a competition's site would refuse.
    score = score_submission(task, workspace.submission, answers_folder / f"{folder.name}.csv")
    answers = pd.read_csv(answers_folder / f"{folder.name}.csv", dtype=str, keep_default_na=False)
    metric, y = metric_of(task), truth_of(task, answers)
    decision = Decision("argmax") if task.classes else None
    outputs = [
        _outputs(task, path, answers) for path in (workspace.submission, workspace.work / "baseline" / "lightgbm.csv")
    ]
    baseline = metric.score(y, outputs[1], decision)
    difference = bootstrap_difference(metric, y, outputs[0], outputs[1], decisions=(decision, decision))
    written = {event["name"]: event["at"] - began for event in journal.events("submission") if event["valid"]}
    found = journal.events("submission")[-1]["score"]
    validation = f"{found['value']:.4f} ± {found['standard_error']:.4f}" if found else "–"
    return Outcome(
        folder.name,
        task.metric,
        score,
        baseline,
        difference.mean,
        difference.standard_error,
        written["best constant"],
        written["plain LightGBM"],
        total_s,
        total_s - fitting_s(journal),
        validation,
    )


def _outputs(task: Task, path: Path, answers: pd.DataFrame):
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    key = task.submission.id_column
    return outputs_of(task, frame.set_index(key).loc[answers[key]].reset_index() if key else frame)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("competitions", type=Path, help="the folder that holds the competitions' folders")
    parser.add_argument("answers", type=Path, help="the folder of NAME.csv: id and targets")
    parser.add_argument("--only", nargs="*", help="names to run; all by default")
    parser.add_argument("--output", type=Path, default=Path("reports"))
    arguments, options = parser.parse_known_args()
    folders = sorted(path for path in arguments.competitions.iterdir() if path.is_dir())
    chosen = [path for path in folders if not arguments.only or path.name in arguments.only]
    print(HEADER, "|" + " --- |" * HEADER.count(" | ") + " --- |", sep="\n", flush=True)
    outcomes = []
    for folder in chosen:
        try:
            outcomes.append(measure(folder.resolve(), arguments.answers, arguments.output, options))
        except (UserError, subprocess.CalledProcessError) as error:
            print(f"| {folder.name} | not valid: {error} |", flush=True)
            continue
        print(outcomes[-1].row, flush=True)
    worse = [o.name for o in outcomes if o.gain < -o.standard_error]
    mean = sum(outcome.relative for outcome in outcomes) / max(1, len(outcomes))
    print(
        f"\n{len(outcomes)} of {len(chosen)} valid; mean relative gain {mean:+.2%}; worse by more than one standard error: {worse or 'none'}"
    )


if __name__ == "__main__":
    main()
