import dataclasses

import numpy as np
import pandas as pd

from autods.agents.reader import write_brief
from autods.profiling import Profile
from autods.records import Task, from_json
from autods.validation.storage import read_frame


def test_the_brief_keeps_target_and_keys_apart_from_the_features(bench, tmp_path):
    competition = bench().competition
    write_brief(competition, tmp_path)
    assert list(read_frame(tmp_path / "train.parquet").columns) == ["x", "age", "city"]
    assert list(read_frame(tmp_path / "keys.parquet").columns) == ["id"]
    assert set(read_frame(tmp_path / "target.parquet")["y"]) == {"no", "yes"}
    assert np.load(tmp_path / "y.npy").dtype == np.int64


def test_the_brief_is_read_back_as_records(bench, tmp_path):
    competition = bench().competition
    profile = write_brief(competition, tmp_path)
    assert from_json(Task, (tmp_path / "task.json").read_bytes()) == competition.task
    assert from_json(Profile, (tmp_path / "profile.json").read_bytes()) == profile


def test_explorations_see_values_of_a_regression_as_numbers(bench, tmp_path):
    competition = bench().competition
    task = dataclasses.replace(competition.task, kind="regression", classes=())
    y = np.linspace(0, 1, len(competition.y))
    write_brief(dataclasses.replace(competition, task=task, y=y), tmp_path)
    assert read_frame(tmp_path / "target.parquet")["y"].tolist() == y.tolist()


def test_extra_tables_are_kept_by_name(bench, tmp_path):
    tables = {"shops": pd.DataFrame({"city": ["Oslo"], "size": [3]})}
    write_brief(dataclasses.replace(bench().competition, tables=tables), tmp_path)
    assert read_frame(tmp_path / "tables" / "shops.parquet").equals(tables["shops"])
