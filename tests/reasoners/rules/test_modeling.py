import pytest

from autods.errors import ConfigError
from autods.records import Blend, CandidateResult, Decision, Training


def names(planned):
    return [step.action for step in planned.steps]


@pytest.fixture
def skewed(column, situation, task, target, profile):
    def build(metric="rmse", skew=3.0, minimum=10.0, **settings):
        frames = profile(column("a"), target=target(skew=skew, minimum=minimum))
        return situation(task=task("regression", metric, "values"), profile=frames, **settings)

    return build


def test_classes_get_a_portfolio_of_unlike_estimators_the_surest_first(column, situation, plan):
    planned = plan("modeling", situation(column("a"), column("b", "categorical")))
    assert names(planned)[:4] == ["plain_lightgbm", "lightgbm", "linear", "catboost"]
    assert {"extra_trees", "xgboost", "svm"} <= set(names(planned))
    assert "800 rows, 2 features" in planned.steps[1].because


def test_the_reference_is_offered_first_so_that_no_blend_need_be_worse(column, situation, plan):
    assert plan("modeling", situation(column("a"))).steps[0].tool == "baseline_lightgbm"


def test_a_logistic_fit_waits_for_the_boosters_where_it_takes_as_long(column, situation, plan, profile):
    planned = names(plan("modeling", situation(profile=profile(column("a"), n_train=90_000))))
    assert planned.index("linear") > planned.index("xgboost")


def test_quick_offers_five_and_thorough_more_than_standard(column, situation, plan):
    quick, standard, thorough = (
        len(plan("modeling", situation(column("a"), effort=effort)).steps)
        for effort in ("quick", "standard", "thorough")
    )
    assert quick == 5 < standard < thorough


@pytest.mark.parametrize(
    "rows, name, offered",
    [
        (3000, "svm", True),
        (9000, "svm", False),
        (9000, "extra_trees", True),
        (300_000, "extra_trees", False),
        (90_000, "k_nearest_neighbors", False),
    ],
)
def test_estimators_whose_work_outgrows_the_rows_are_not_offered(column, situation, plan, profile, rows, name, offered):
    assert (name in names(plan("modeling", situation(profile=profile(column("a"), n_train=rows))))) is offered


def test_texts_get_their_own_candidates_first(column, situation, plan):
    planned = plan("modeling", situation(column("review", "text", avg_words=20.0), column("a")))
    assert names(planned)[1:3] == ["text_linear", "naive_bayes_text"]
    assert "`review` holds words" in planned.steps[1].because


@pytest.mark.parametrize(
    "metric, skew, logged",
    [("rmse", 3.0, True), ("rmse", 0.2, False), ("rmsle", 0.2, True), ("mae", 3.0, False)],
)
def test_the_log_of_the_target_is_fitted_where_skew_or_metric_ask_for_it(skewed, plan, metric, skew, logged):
    planned = plan("modeling", skewed(metric, skew))
    assert ("lightgbm_log" in names(planned)) is logged
    assert ("log1p" in [step.parameters.get("target") for step in planned.steps]) is logged


def test_the_reason_for_the_log_is_a_number(skewed, plan):
    assert "its skew is 3.0" in plan("modeling", skewed()).steps[1].because


def test_a_target_below_zero_has_no_log(skewed, plan):
    assert "lightgbm" in names(plan("modeling", skewed(minimum=-1.0)))


def test_an_absolute_metric_gets_a_fit_of_absolute_error(skewed, plan, step):
    assert step(plan("modeling", skewed("mae")), "lightgbm_absolute").parameters == {"objective": "absolute"}


def test_squared_errors_of_a_logged_target_get_a_plain_fit_too(skewed, plan):
    assert {"lightgbm_log", "lightgbm"} <= set(names(plan("modeling", skewed("rmse"))))


def test_the_estimators_rule_binds(column, situation, plan):
    planned = plan("modeling", situation(column("a"), rules={"estimators": ["linear", "svm"]}))
    assert names(planned) == ["linear", "svm"]
    assert planned.obeyed == ("estimators = linear, svm: no other estimator was offered.",)


def test_the_number_of_folds_that_a_rule_set_is_said(column, situation, plan):
    planned = plan("modeling", situation(column("a"), rules={"n_splits": 3}))
    assert "n_splits = 3: the run's folds were made so." in planned.obeyed


def test_a_rule_that_leaves_no_estimator_is_refused_with_what_is_offered(column, situation, plan):
    with pytest.raises(ConfigError, match=r"'text_linear'\] leaves no candidate; did you mean"):
        plan("modeling", situation(column("a"), rules={"estimators": ["text_linear"]}))


def test_the_code_offers_the_candidates_in_order_with_their_reasons(skewed, plan, write):
    asked = skewed(rules={"estimators": ["lightgbm", "extra_trees"]})
    code = write(plan("modeling", asked), asked)
    assert code.index("'lightgbm_log'") < code.index("'extra_trees_log'")
    assert "log_target(lightgbm('regression'))" in code
    assert 'prefix="estimator__"' in code
    assert "# boosted trees are the best single choice on the log of the target (its skew is 3.0)" in code


@pytest.mark.parametrize(
    "kind, single", [("multilabel", "binary"), ("multi_regression", "regression"), ("ordinal", "multiclass")]
)
def test_tasks_of_several_outputs_are_made_of_estimators_for_one(column, situation, task, plan, write, kind, single):
    needs = "values" if kind == "multi_regression" else "labels"
    asked = situation(column("a"), task=task(kind, needs=needs, targets=("y", "z")), rules={"estimators": ["lightgbm"]})
    assert f"lightgbm({single!r}" in write(plan("modeling", asked), asked)


@pytest.fixture
def training(score):
    def build(blend=0.85, baseline=0.8, status="ok"):
        results = (
            CandidateResult("lightgbm", "ok", score(0.83)),
            CandidateResult("svm", "failed", message="ValueError: too narrow"),
        )
        chosen = Blend({"lightgbm": 1.0}, Decision("threshold", (0.4,)), score(blend)) if blend else None
        return Training(results, chosen, score(0.6), score(baseline), "5 folds", {"lightgbm": 0.0}, ("xgboost",))

    return build


def test_the_review_compares_the_blend_with_its_references_and_names_what_failed(review, situation, training):
    told = " ".join(review("modeling", situation(), training=training()).findings)
    assert "The blend scores accuracy 0.8500 ± 0.0070; the best constant accuracy 0.6000 ± 0.0070." in told
    assert "`svm` failed: ValueError: too narrow" in told
    assert "not better than the plain LightGBM" not in told


def test_the_review_says_when_the_blend_gains_nothing(review, situation, training):
    told = review("modeling", situation(), training=training(blend=0.79)).findings
    assert "The blend is not better than the plain LightGBM within what the folds can tell." in told


def test_the_review_says_when_no_candidate_was_finished(review, situation, training):
    assert any(
        "No candidate was finished" in text
        for text in review("modeling", situation(), training=training(None)).findings
    )


def test_the_summary_ranks_the_candidates_between_blend_and_floor(summarize, situation, training):
    told = summarize("modeling", situation(), training=training())
    (table,) = next(section for section in told.sections if section.heading == "How they scored").tables
    assert [row[0] for row in table.rows] == ["**blend**", "lightgbm", "plain LightGBM", "best constant", "svm"]
    assert told.headline == "accuracy 0.8500 ± 0.0070 from 1 candidate: 100 % lightgbm"
    text = {section.heading: section.text for section in told.sections}
    assert "threshold 0.4, chosen out of fold" in text["What was submitted"]
    assert text["What was not done"] == "- xgboost"


def test_the_summary_of_a_run_without_a_blend_names_the_plain_lightgbm(summarize, situation, training):
    assert "the plain LightGBM" in summarize("modeling", situation(), training=training(None)).what_changed


def test_the_summary_without_training_says_so(summarize, situation):
    assert summarize("modeling", situation()).headline == "No candidate was trained"
