import datetime
import subprocess
import sys

import pytest

from autods.errors import RunNotFoundError
from autods.journal import Journal
from autods.records import Note
from autods.workspace import Workspace, content_key, find_run, list_runs, write_atomic

NOW = datetime.datetime(2026, 1, 2, 3, 4, 5)


def begun(output, name="titanic", started=NOW):
    workspace = Workspace.create(output, name, started)
    Journal(workspace.work / "journal.jsonl", lambda: 0.0).append("started")
    return workspace


def test_two_runs_in_the_same_second_get_folders_of_their_own(tmp_path):
    first, second = begun(tmp_path), begun(tmp_path)
    assert (first.run_id, second.run_id) == ("20260102-030405", "20260102-030405-2")


def test_latest_points_at_the_newest_run(tmp_path):
    begun(tmp_path)
    newest = begun(tmp_path)
    assert (tmp_path / "titanic" / "latest").resolve() == newest.root


def test_a_name_that_is_no_file_name_is_made_one(tmp_path):
    assert begun(tmp_path, "../a b/c").root.parent.parent == tmp_path.resolve()


@pytest.mark.parametrize("reference", [None, "titanic", "20260102-030405"])
def test_a_run_is_found_by_nothing_name_or_id(tmp_path, reference):
    workspace = begun(tmp_path)
    assert find_run(reference, tmp_path) == workspace


def test_a_run_is_found_by_its_folder(tmp_path):
    workspace = begun(tmp_path)
    assert find_run(workspace.root, tmp_path / "elsewhere") == workspace


def test_a_run_that_is_not_there_is_refused_with_what_is(tmp_path):
    begun(tmp_path)
    with pytest.raises(RunNotFoundError, match="runs exist for: titanic"):
        find_run("house", tmp_path)


def test_runs_are_listed_newest_first(tmp_path):
    old, new = begun(tmp_path), begun(tmp_path, "house", NOW + datetime.timedelta(days=1))
    assert list_runs(tmp_path) == [new, old]


def test_records_are_saved_whole_and_loaded_equal(tmp_path):
    workspace, note = begun(tmp_path), Note("train.csv", "line 21 has 6 fields")
    assert workspace.load(Note, workspace.save(workspace.work / "note.json", note)) == note
    assert list(workspace.work.glob(".*.part")) == []


def test_an_atomic_write_replaces_the_file(tmp_path):
    path = tmp_path / "a" / "b.txt"
    write_atomic(path, "old")
    write_atomic(path, b"new")
    assert path.read_text() == "new"


def test_keys_differ_when_any_part_does():
    keys = {
        content_key("clean", {"seed": 0}),
        content_key("clean", {"seed": 1}),
        content_key("clean"),
        content_key("cl", "ean"),
    }
    assert len(keys) == 4


def test_a_second_process_cannot_hold_the_run(tmp_path):
    workspace = begun(tmp_path)
    other = f"from autods.workspace import Workspace; from pathlib import Path\nwith Workspace(Path({str(workspace.root)!r})).locked(): pass"
    with workspace.locked():
        ended = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True, check=False)
    assert "is held by another process" in ended.stderr
