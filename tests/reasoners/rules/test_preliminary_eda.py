import pytest


def measured(planned):
    """What is measured on what, by statistic."""
    return {s.parameters["statistic"]: s.parameters["of"] for s in planned.steps if s.tool == "findings"}


def drawn(planned):
    return {step.tool: step.columns for step in planned.steps if step.tool and step.tool.startswith("plot_")}


@pytest.mark.parametrize(
    "kind, needs, statistic",
    [
        ("binary", "labels", "share_of_rarest_level"),
        ("multilabel", "probabilities", "mean"),
        ("regression", "values", "skew"),
    ],
)
def test_the_target_is_measured_as_its_kind_wants(situation, task, plan, kind, needs, statistic):
    planned = plan("preliminary_eda", situation(task=task(kind, needs=needs)))
    assert measured(planned) == {statistic: ["y"]}
    assert drawn(planned) == {"plot_target": ("y",)}


def test_gaps_are_measured_worst_first_and_drawn(column, situation, plan, step):
    asked = situation(
        column("age", missing_train=0.1),
        column("cabin", "categorical", missing_train=0.7),
        column("fare", missing_test=0.2),
    )
    planned = plan("preliminary_eda", asked)
    assert measured(planned)["missing_share"] == ["cabin", "age"]
    assert step(planned, "plot_missingness").columns == ("cabin", "fare", "age")
    assert "3 columns have gaps, most in `cabin` (70 %)" in step(planned, "plot_missingness").because


def test_one_column_with_gaps_reads_as_a_sentence(column, situation, plan, step):
    planned = plan("preliminary_eda", situation(column("age", missing_train=0.1)))
    assert step(planned, "plot_missingness").because.startswith("1 column has gaps")


@pytest.mark.parametrize(
    "facts, statistic",
    [
        ({"missing_tokens": {"?": 3}}, "missing_word_share"),
        ({"outlier_share": 0.1}, "outlier_share_iqr"),
        ({"skew": 4.0}, "skew"),
        ({"semantic": "categorical", "n_unique": 9}, "rare_level_share"),
        ({"semantic": "text"}, "mean_words"),
        ({"semantic": "categorical", "unseen_share": 0.1}, "unseen_share"),
    ],
)
def test_what_the_profile_shows_is_measured(column, situation, plan, facts, statistic):
    assert measured(plan("preliminary_eda", situation(column("odd", **facts))))[statistic] == ["odd"]


def test_columns_that_drift_are_drawn_the_farthest_first(column, situation, plan, step):
    asked = situation(column("a", drift=0.2), column("b", drift=0.6), column("c", drift=0.01))
    shown = step(plan("preliminary_eda", asked), "plot_drift")
    assert shown.columns == ("b", "a")
    assert shown.because == "2 columns differ between train and test, most `b` (0.60)"


def test_without_test_rows_nothing_is_compared_with_test(column, situation, plan, profile):
    alone = profile(column("a", drift=0.6), n_test=0)
    planned = plan("preliminary_eda", situation(profile=alone))
    assert "adversarial_auc" not in measured(planned)
    assert "plot_drift" not in drawn(planned)


def test_repeated_rows_are_counted(column, situation, plan, profile, step):
    planned = plan("preliminary_eda", situation(profile=profile(column("a"), duplicate_rows=7)))
    assert step(planned, "count repeated rows").because == "7 rows repeat an earlier one; copies must share a fold"


def test_a_figure_has_at_most_twelve_panels(column, situation, plan):
    planned = plan("preliminary_eda", situation(*(column(f"c{number}") for number in range(40))))
    assert max(len(columns) for columns in drawn(planned).values()) == 12


def test_the_summary_tells_cleaning_what_to_mind(column, situation, summarize):
    asked = situation(column("age", missing_train=0.2), column("code", "id_like"), column("k", "constant"))
    told = summarize("preliminary_eda", asked)
    assert told.next_must_know == "Cleaning: mind the gaps in `age`; drop `code`, `k`."


def test_the_review_counts_measurements_that_gave_a_number(column, situation, plan, review, attempt, finding):
    planned = plan("preliminary_eda", situation(column("a", skew=4.0)))
    judged = review("preliminary_eda", situation(), attempt(planned), findings=(finding("skew", ["a"], 4.0),))
    assert judged.findings[-1] == "1 of 3 planned measurements gave a number."
