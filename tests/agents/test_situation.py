import pytest

from autods.agents.situation import attempt_try, describe, folds_of, probe_before
from autods.phases import get_phase
from autods.records import Attempt


@pytest.fixture
def situation(bench, before):
    def describe_before(slug, **settings):
        context = bench(**settings)
        return describe(context, {"phase": slug, "parent": before(context, slug).key, "attempt": ""})

    return describe_before


def test_the_first_question_knows_the_raw_profile_and_no_scores(situation):
    told = situation("preliminary_eda")
    assert set(told.profile.columns) == {"x", "age", "city"}
    assert told.findings == {}
    assert set(told.summaries) == {"background"}


def test_the_last_question_knows_all_that_came_before(situation):
    told = situation("modeling")
    assert set(told.findings) == {"preliminary_eda", "deep_eda"}
    assert set(told.scores) == {"cleaning", "feature_engineering"}
    assert {"cleaning", "feature_engineering"} <= set(told.plans)
    assert set(told.summaries) == {"background", "preliminary_eda", "cleaning", "deep_eda", "feature_engineering"}
    assert told.folds.n_splits == 5
    assert told.baseline.metric == told.constant.metric == "accuracy"


def test_instructions_of_folder_and_call_are_one(situation):
    assert situation("cleaning", instructions="Keep it simple.").instructions == "Keep it simple."


def test_the_probe_of_raw_frames_is_the_plain_lightgbms(bench, before):
    context = bench()
    raw = probe_before(context, get_phase("cleaning"), before(context, "cleaning"))
    cleaned = probe_before(context, get_phase("feature_engineering"), before(context, "feature_engineering"))
    assert (
        raw.value == describe(context, {"phase": "cleaning", "parent": before(context, "cleaning").key}).baseline.value
    )
    assert cleaned.folds


def test_an_attempt_that_was_not_executed_is_shown_as_one_that_did_nothing(bench):
    seen = attempt_try(bench(), Attempt("cleaning", "k", 1, 1, "f", None, "pass"))
    assert seen.execution.ok
    assert seen.plan.steps == ()


def test_folds_are_unknown_until_they_are_fixed(bench):
    context = bench()
    context.workspace.folds.unlink()
    assert folds_of(context) is None
