"""Run the bundled competition, look at what was done, score it, and predict a passenger of your own.

From the root of a clone: `python examples/titanic.py [quick|standard|thorough] [FOLDER_FOR_REPORTS]`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

import autods
from autods.competition import read_competition, score_submission

COMPETITIONS = Path(__file__).resolve().parents[1] / "competitions"


def main(effort: str = "standard", output: str = "reports") -> None:
    run = autods.run(COMPETITIONS / "titanic", effort=effort, output=output)

    print(f"\nEverything lies in {run.path}; begin with report.html.")
    print(run.submission.head())

    score = run.validation_score
    print(f"\nOut of fold, {score.metric} is {score.value:.3f} ± {score.standard_error:.3f}.")
    task = read_competition(COMPETITIONS / "titanic").task
    hidden = score_submission(task, run.path / "submission.csv", COMPETITIONS / "titanic.answers.csv")
    print(f"On the answers that no run reads, it is {hidden:.3f}.")

    # Every attempt at every phase, with what the gates said.
    print(run.attempts[["phase", "number", "status", "gates", "probe"]].to_string(index=False))
    print(run.report("cleaning").splitlines()[2])

    # New rows need the columns of test.csv; here one passenger of the test, as she was and as if in third class.
    passenger = pd.read_csv(COMPETITIONS / "titanic" / "test.csv", dtype=str).head(1)
    print(run.predict(pd.concat([passenger, passenger.assign(**{"class": "3rd"})], ignore_index=True)))


if __name__ == "__main__":
    main(*sys.argv[1:])
