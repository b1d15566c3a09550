import pytest

from autods.profiling import Pattern

NAME = {"pattern": Pattern("person_name", ",", 2, 0.99), "n_unique": 790, "top": (("Kelly, Mr. James", 2),)}
CODE = {"pattern": Pattern("delimited", "/", 3, 0.97), "n_unique": 400, "top": (("B/45/P", 3),)}


def tools(planned):
    return [step.tool for step in planned.steps]


def test_structured_text_is_taken_apart_and_the_original_dropped(column, situation, plan, step):
    planned = plan("feature_engineering", situation(column("Cabin", "text", **CODE), column("age")))
    assert step(planned, "split_structured").because == "97 % of `Cabin` are 3 parts between '/'"
    assert "Cabin_*" in planned.intent.keep_missing


def test_people_with_one_surname_are_counted(column, situation, plan, step):
    planned = plan("feature_engineering", situation(column("Name", "text", **NAME), column("age")))
    assert step(planned, "group_size").parameters == {"by": ["Name_surname"]}
    assert planned.intent.drop == ("Name",)


def test_ordered_words_are_numbered_with_their_order(column, situation, plan, step):
    ladder = ("low", "middle", "high")
    asked = situation(
        column("size", "ordinal", ordinal_levels=ladder), column("rank", "ordinal", ordinal_levels=ladder)
    )
    numbered = step(plan("feature_engineering", asked), "ordinal_map")
    assert (numbered.columns, numbered.parameters) == (("size", "rank"), {"order": list(ladder)})
    assert "low < middle < high" in numbered.because


def test_a_level_of_its_own_for_missing_stands_below_the_ladder(column, situation, plan, step):
    asked = situation(column("size", "ordinal", ordinal_levels=("low", "high"), top=(("low", 5), ("missing", 2))))
    numbered = step(plan("feature_engineering", asked), "ordinal_map")
    assert numbered.parameters["order"] == ["missing", "low", "high"]


def test_dates_are_taken_apart_and_the_time_between_them_measured(column, situation, plan, step):
    dates = [column(name, "datetime", dtype="datetime64[us]") for name in ("begun", "ended")]
    planned = plan("feature_engineering", situation(*dates))
    assert step(planned, "datetime_parts").columns == ("begun", "ended")
    assert step(planned, "differences").parameters == {"pairs": [["begun", "ended"]]}


def test_texts_are_described_and_kept_for_the_candidates(column, situation, plan, step):
    planned = plan("feature_engineering", situation(column("review", "text", avg_words=17.0), column("age")))
    assert step(planned, "text_statistics").because.startswith("`review` has 17 words on average")
    assert planned.intent.keep_text == ("review",)
    assert "text_svd" in tools(planned)


def test_many_levels_are_told_by_how_common_they_are(column, situation, plan, step):
    asked = situation(column("shop", "categorical", n_unique=60), column("sex", "categorical", n_unique=2))
    assert step(plan("feature_engineering", asked), "frequency_encode").columns == ("shop",)


def test_the_strongest_positive_numbers_are_related_and_the_finding_cited(column, situation, plan, step, finding):
    found = {"deep_eda": (finding("ratio_gain", ["a", "b"], 0.04, "a per b gains +0.040."),)}
    columns = [column(name, signal=signal) for name, signal in (("a", 0.4), ("b", 0.3), ("c", 0.01))]
    related = step(plan("feature_engineering", situation(*columns, findings=found)), "ratios")
    assert related.parameters == {"pairs": [["a", "b"]]}
    assert "`a` 0.40; `b` 0.30" in related.because
    assert "deep eda found: a per b gains +0.040." in related.because


def test_few_rows_get_no_pairs(column, situation, plan, profile):
    few = profile(column("a"), column("b"), n_train=200)
    assert "ratios" not in tools(plan("feature_engineering", situation(profile=few)))


def test_rows_with_many_gaps_are_counted(column, situation, plan, step):
    asked = situation(*(column(name, missing_train=0.2) for name in "abc"))
    assert step(plan("feature_engineering", asked), "count_missing").because.startswith("3 columns have gaps")


def test_the_correlation_rule_binds(column, situation, plan, step):
    planned = plan("feature_engineering", situation(column("a"), rules={"correlation_limit": 0.9}))
    assert step(planned, "correlation_feature_selection").parameters == {"threshold": 0.9}
    assert planned.obeyed == ("correlation_limit = 0.9: one of two features correlated above it was dropped.",)


def test_nothing_to_build_only_drops_what_is_constant_or_repeated(column, situation, plan):
    planned = plan("feature_engineering", situation(column("a", signal=0.0)))
    assert planned.steps[0].action == "make no new feature"
    assert tools(planned) == [None, "remove_constant_columns", "remove_duplicate_columns"]


def test_the_one_hot_rule_binds(column, situation, plan, step):
    few, many = column("sex", "categorical", n_unique=2), column("shop", "categorical", n_unique=60)
    planned = plan("feature_engineering", situation(few, many, rules={"one_hot_levels": 5}))
    assert step(planned, "one_hot_encode").columns == ("sex",)
    assert "sex" in planned.intent.drop
    assert "one_hot_levels = 5: categories with at most so many levels were one-hot encoded." in planned.obeyed


def test_each_rejection_leaves_out_more_optional_blocks(column, situation, plan):
    asked = situation(
        *(column(name, missing_train=0.2) for name in "abc"),
        column("shop", "categorical", n_unique=60),
        column("size", "ordinal", ordinal_levels=("low", "high")),
    )
    first, second, third = (set(tools(plan("feature_engineering", asked, iteration))) for iteration in (1, 2, 3))
    assert first - second == {"ratios", "count_missing"}
    assert second - third == {"frequency_encode"}
    assert "ordinal_map" in third


@pytest.mark.parametrize("loss, accepted", [(0.1, False), (0.0, True)])
def test_the_review_asks_for_fewer_features_when_the_probe_got_worse(review, situation, attempt, score, loss, accepted):
    judged = review("feature_engineering", situation(), attempt(probe=score(0.8 - loss)), probe_before=score(0.8))
    assert judged.accept is accepted


def test_the_summary_lists_new_features_by_their_signal(column, situation, plan, summarize, attempt, profile, score):
    asked = situation(column("a"))
    after = profile(column("a"), column("weak", signal=0.1), column("strong", signal=0.9))
    tried = attempt(plan("feature_engineering", asked), probe=score(0.82))
    told = summarize("feature_engineering", asked, tried, profile_after=after, probe_before=score(0.8))
    (table,) = next(section for section in told.sections if section.heading == "The new features").tables
    assert [row[0] for row in table.rows] == ["`strong`", "`weak`"]
    assert told.headline == "2 new features, 3 columns in all; probe accuracy 0.8200 ± 0.0070"
