import pandas as pd
import pytest

import autods
from autods.errors import CompetitionError, ConfigError, RunNotFoundError, RunStopped
from autods.journal import Journal
from autods.phases import PHASES
from autods.records import Solution
from autods.runs import Report, find_competition
from autods.workspace import Workspace

SLUGS = [phase.slug for phase in PHASES]


def events(run, *names):
    return Journal(run.path / "work" / "journal.jsonl", lambda: 0.0).events(*names)


# --- a finished run ---------------------------------------------------------------------------------------------------
def test_all_six_phases_are_accepted_without_a_fallback(finished):
    assert [event["phase"] for event in events(finished, "accepted")] == SLUGS
    assert not finished.attempts["fallback"].any()
    assert finished.attempts["accepted"].all()


def test_the_submission_is_valid_and_reads_as_it_is_spelled(finished, tiny, problems):
    assert problems(finished.path / "submission.csv", tiny.folder) == ()
    assert set(finished.submission["y"]) <= {"yes", "no"}


def test_the_validation_score_is_the_harness_own_and_beats_the_constant(finished):
    score = finished.validation_score
    assert (score.metric, len(score.folds)) == ("accuracy", 5)
    assert score.standard_error > 0
    assert score.better_than(finished.training.constant)


def test_every_phase_has_a_report_that_notebooks_render(finished):
    for slug in SLUGS:
        assert finished.report(slug).startswith("# ")
    assert isinstance(finished.report("cleaning"), Report)
    assert finished.report("cleaning")._repr_markdown_() == str(finished.report("cleaning"))
    assert finished._repr_markdown_() == finished.report()


def test_an_unknown_report_is_refused_with_the_nearest(finished):
    with pytest.raises(RunNotFoundError, match="no report on 'cleanin'; did you mean 'cleaning'"):
        finished.report("cleanin")


def test_the_attempts_are_a_frame_with_a_row_each(finished):
    attempts = finished.attempts
    assert list(attempts["phase"]) == SLUGS
    assert set(attempts["status"]) == {"ok"}
    assert attempts.set_index("phase")["probe"].notna().to_dict()["cleaning"]


def test_the_solution_is_source_that_compiles(finished):
    compile(finished.solution, "solution.py", "exec")
    assert "def clean(" in finished.solution


def test_a_solution_grows_by_one_phase_at_a_time(finished):
    workspace, parent = Workspace(finished.path), None
    for event in events(finished, "accepted"):
        solution = workspace.load(Solution, workspace.work / "solutions" / f"{event['solution']}.json")
        assert solution.parent == parent
        assert set(solution.attempts) == set(SLUGS[: SLUGS.index(event["phase"]) + 1])
        parent = solution.key


def test_the_first_submissions_are_the_constant_and_the_plain_lightgbm(finished):
    names = [event["name"] for event in events(finished, "submission")]
    assert names[:2] == ["best constant", "plain LightGBM"]
    assert all(event["valid"] for event in events(finished, "submission"))


def test_the_run_of_a_folder_leaves_it_as_it_was(finished, tiny):
    assert sorted(path.name for path in tiny.folder.iterdir()) == [
        "competition.yaml", "overview.txt", "sample_submission.csv", "test.csv", "train.csv",
    ]  # fmt: skip


# --- starting ---------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("warm")
def test_a_frame_with_a_target_is_enough(tiny_frame, tmp_path, quick):
    run = autods.run(tiny_frame, target="y", stop_after="background", output=tmp_path, **quick)
    assert len(run.submission) == round(0.3 * len(tiny_frame))
    assert run.validation_score is None


@pytest.mark.usefixtures("warm")
def test_a_frame_is_predicted_for_the_rows_that_are_given(tiny_frame, tmp_path, quick):
    test = tiny_frame.drop(columns="y").tail(7)
    run = autods.run(tiny_frame.head(80), target="y", test=test, stop_after="background", output=tmp_path, **quick)
    assert len(run.submission) == 7


@pytest.mark.usefixtures("warm")
def test_a_run_stops_after_the_phase_that_is_named_and_says_what_was_not_done(tiny, tmp_path, quick):
    run = autods.run(tiny.folder, stop_after="background", output=tmp_path, **quick)
    assert [event["phase"] for event in events(run, "accepted")] == ["background"]
    assert "not begun, because stop_after = background" in run.report()


@pytest.mark.usefixtures("warm")
def test_a_budget_of_one_second_still_ends_in_a_valid_submission(tiny, tmp_path, quick, problems):
    run = autods.run(tiny.folder, budget=1, output=tmp_path, **quick)
    assert problems(run.path / "submission.csv", tiny.folder) == ()
    assert "the budget was used up" in run.report()


@pytest.mark.usefixtures("warm")
def test_settings_are_checked_before_anything_is_made(tiny, tmp_path):
    with pytest.raises(ConfigError, match="no setting 'efort'; did you mean 'effort'"):
        autods.run(tiny.folder, efort="quick", output=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["plan", "code"])
@pytest.mark.usefixtures("warm")
def test_a_given_file_that_is_absent_is_refused_at_once(tiny, tmp_path, option):
    with pytest.raises(ConfigError, match=rf"no file .*mine\.py to take the {option} of cleaning from"):
        autods.run(tiny.folder, output=tmp_path, **{option: {"cleaning": tmp_path / "mine.py"}})
    assert list(tmp_path.iterdir()) == []


def test_a_competition_is_found_by_path_or_by_name(tmp_path, monkeypatch):
    (tmp_path / "competitions" / "mine").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert find_competition("mine") == find_competition(tmp_path / "competitions" / "mine")
    with pytest.raises(CompetitionError, match=r"no competition 'mime'.*did you mean 'mine'"):
        find_competition("mime")


# --- stopping and going on --------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("warm")
def test_a_finished_run_that_is_resumed_stays_as_it_is(finished_copy):
    before = (finished_copy.path / "submission.csv").read_bytes()
    assert finished_copy.resume(progress="none") == finished_copy
    assert (finished_copy.path / "submission.csv").read_bytes() == before
    assert len(events(finished_copy, "executed")) == 5


@pytest.mark.usefixtures("warm")
def test_a_run_is_not_resumed_when_its_inputs_have_changed(competition, tmp_path, quick):
    run = autods.run(competition, stop_after="background", output=tmp_path / "reports", **quick)
    rows = pd.read_csv(competition / "train.csv", dtype=str)
    rows.iloc[:-1].to_csv(competition / "train.csv", index=False)
    with pytest.raises(CompetitionError, match="have changed since the run began"):
        run.resume(progress="none")


def test_a_run_that_another_process_holds_is_refused_and_not_written_to(finished_copy):
    before = (finished_copy.path / "work" / "journal.jsonl").read_bytes()
    with Workspace(finished_copy.path).locked(), pytest.raises(RunNotFoundError, match="held by another process"):
        finished_copy.resume(progress="none")
    assert (finished_copy.path / "work" / "journal.jsonl").read_bytes() == before


def test_the_first_interrupt_stops_after_saving_and_says_how_to_go_on(tiny, tmp_path, quick, monkeypatch):
    import signal

    def interrupt(self, event, **facts):
        append(self, event, **facts)
        if event == "accepted":
            signal.raise_signal(signal.SIGINT)

    append = Journal.append
    monkeypatch.setattr(Journal, "append", interrupt)
    with pytest.raises(RunStopped, match="go on with `autods resume "):
        autods.run(tiny.folder, output=tmp_path, **quick)
    monkeypatch.setattr(Journal, "append", append)
    (workspace,) = (Workspace(path) for path in (tmp_path / "tiny").iterdir() if not path.is_symlink())
    assert [event["phase"] for event in events(autods.Run(workspace.root), "accepted")] == ["background"]
