import pytest


@pytest.mark.parametrize(
    "facts, reason",
    [
        ({"semantic": "constant", "n_unique": 1}, "it holds 1 value in 800 rows"),
        ({"missing_train": 0.99}, "99 % of train is missing, at or above the limit of 98 %"),
        ({"semantic": "id_like", "n_unique": 800}, "800 distinct values in 800 rows"),
        ({"semantic": "id_like", "n_unique": 800, "monotone_in_row": True}, "moves with the row number"),
    ],
)
def test_what_cannot_help_is_dropped_with_the_number_that_says_so(column, situation, plan, step, facts, reason):
    planned = plan("cleaning", situation(column("useless", **facts), column("age")))
    assert step(planned, "drop_columns").columns == ("useless",)
    assert reason in step(planned, "drop_columns").because
    assert planned.intent.drop == ("useless",)


def test_an_identifier_stays_when_there_is_nothing_else_to_predict_from(column, situation, plan):
    planned = plan("cleaning", situation(column("code", "id_like", n_unique=800)))
    assert planned.intent.drop == ()


def test_a_rule_sets_the_missing_share_at_which_columns_go(column, situation, plan, step):
    asked = situation(column("half", missing_train=0.5), column("age"), rules={"missing_share_to_drop": 0.4})
    planned = plan("cleaning", asked)
    assert "the limit of 40 %" in step(planned, "drop_columns").because
    assert planned.obeyed == ("missing_share_to_drop = 0.4: columns with that share missing were dropped.",)


@pytest.mark.parametrize(
    "rules, tool, parameters",
    [
        ({"z_threshold": 2.5}, "detect_and_handle_outliers_zscore", {"threshold": 2.5}),
        ({"iqr_factor": 1.5}, "detect_and_handle_outliers_iqr", {"factor": 1.5}),
    ],
)
def test_outliers_are_clipped_where_the_rule_says(column, situation, plan, step, rules, tool, parameters):
    planned = plan("cleaning", situation(column("fare"), column("city", "categorical"), rules=rules))
    clipped = step(planned, tool)
    assert (clipped.columns, clipped.parameters) == (("fare",), parameters)
    assert planned.intent.clip == ("fare",)
    assert any(next(iter(rules)) in sentence for sentence in planned.obeyed)


def test_without_a_rule_only_what_lies_absurdly_far_out_is_clipped(column, situation, plan, step):
    planned = plan("cleaning", situation(column("fare", maximum=4000.0), column("age", maximum=40.0)))
    clipped = step(planned, "detect_and_handle_outliers_iqr")
    assert clipped.columns == ("fare",)
    assert "`fare`: 998" in clipped.because


def test_heaped_columns_are_not_clipped_for_their_tail(column, situation, plan):
    heaped = column("parch", maximum=90.0, quantiles=(0.0, 0.0, 0.0, 1.0, 2.0))
    assert plan("cleaning", situation(heaped)).intent.clip == ()


def test_placeholders_are_read_as_missing_before_gaps_are_filled(column, situation, plan):
    asked = situation(column("work", "categorical", missing_tokens={"?": 12, "NA": 3}), column("age"))
    planned = plan("cleaning", asked)
    assert [step.tool for step in planned.steps] == ["values_to_missing", "missing_as_level"]
    assert planned.steps[0].because == "15 cells only look filled: `?`, `NA`"


def test_numbers_and_dates_written_as_text_are_read(column, situation, plan, step):
    price = column("price", dtype="str", unit="currency")
    planned = plan("cleaning", situation(price, column("day", "datetime")))
    assert step(planned, "parse_numbers").because.endswith("`price` in currency")
    assert step(planned, "format_datetime").columns == ("day",)


def test_spellings_of_one_category_are_unified(column, situation, plan, step):
    mixed = column("city", "categorical", top=(("Rome", 30), ("rome ", 10), ("Oslo", 9)))
    clean = column("town", "categorical", top=(("Rome", 30), ("Oslo", 9)))
    assert step(plan("cleaning", situation(mixed, clean)), "normalise_categories").columns == ("city",)


def test_few_gaps_in_numbers_are_filled_and_many_are_left_on_purpose(column, situation, plan, step):
    planned = plan("cleaning", situation(column("fare", missing_train=0.01), column("age", missing_train=0.2)))
    assert step(planned, "fill_missing_values").columns == ("fare",)
    assert "at most 1 %, in `fare`" in step(planned, "fill_missing_values").because
    assert planned.intent.keep_missing == ("age",)
    assert any("`age`, 20 %" in step.because for step in planned.steps)


def test_instructions_that_nothing_stays_missing_are_obeyed(column, situation, plan, step):
    asked = situation(column("age", missing_train=0.2), instructions="Please fill all missing values.")
    planned = plan("cleaning", asked)
    assert step(planned, "fill_missing_values").columns == ("age",)
    assert planned.intent.keep_missing == ()
    assert planned.obeyed == ("“Please fill all missing values”",)


def test_a_plan_after_a_rejected_one_neither_clips_nor_fills(column, situation, plan):
    asked = situation(column("fare", maximum=4000.0, missing_train=0.01))
    planned = plan("cleaning", asked, iteration=2)
    assert [step.tool for step in planned.steps] == [None]
    assert planned.intent.keep_missing == ("fare",)


def test_clean_data_are_left_as_they_are(column, situation, plan):
    (only,) = plan("cleaning", situation(column("age"))).steps
    assert only.action == "leave the data as it is"


@pytest.mark.parametrize("loss, accepted", [(0.1, False), (0.001, True), (-0.1, True)])
def test_the_review_rejects_only_a_probe_that_got_worse_beyond_noise(review, situation, attempt, score, loss, accepted):
    tried = attempt(probe=score(0.8 - loss, spread=0.02))
    judged = review("cleaning", situation(), tried, probe_before=score(0.8))
    assert judged.accept is accepted
    assert bool(judged.suggestions) is not accepted
    assert any("paired by fold" in text for text in judged.findings)


def test_the_summary_tells_what_went_and_what_stays_missing(column, situation, plan, summarize, attempt, profile):
    before = (column("age", missing_train=0.2), column("fare", missing_train=0.01), column("k", "constant", n_unique=1))
    asked = situation(*before)
    after = profile(column("age", missing_train=0.2), column("fare"))
    told = summarize("cleaning", asked, attempt(plan("cleaning", asked)), profile_after=after)
    assert told.what_changed == "1 column dropped, 1 column completed, 2 columns remain."
    assert told.next_must_know == "Missing on purpose: `age`. Dropped: `k`."
