"""Reading a competition's folder, its metric, and the submission that it wants.

Usage: `competition = read_competition("competitions/titanic")`; `competition.task` says what is asked and with what
evidence, `competition.notes` what was repaired.
"""

from __future__ import annotations

from autods.competition.conversion import Features, convert_features
from autods.competition.decisions import decide, default_decision, expected_code
from autods.competition.from_frame import MadeCompetition, competition_from_file, competition_from_frame
from autods.competition.inference import Inferred, infer_task
from autods.competition.metrics import METRICS, Metric, find_metric, get_metric, load_custom_metric, metric_of
from autods.competition.new_rows import as_test_rows
from autods.competition.reading import read_competition
from autods.competition.settings import Settings, read_settings
from autods.competition.submission import (
    align_rows,
    build_submission,
    score_submission,
    validate_submission,
    write_submission,
)
from autods.competition.tables import Reading, read_table

__all__ = [
    "METRICS",
    "Features",
    "Inferred",
    "MadeCompetition",
    "Metric",
    "Reading",
    "Settings",
    "align_rows",
    "as_test_rows",
    "build_submission",
    "competition_from_file",
    "competition_from_frame",
    "convert_features",
    "decide",
    "default_decision",
    "expected_code",
    "find_metric",
    "get_metric",
    "infer_task",
    "load_custom_metric",
    "metric_of",
    "read_competition",
    "read_settings",
    "read_table",
    "score_submission",
    "validate_submission",
    "write_submission",
]
