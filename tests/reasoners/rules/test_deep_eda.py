import pytest


def measured(planned):
    return {s.parameters["statistic"]: s.parameters["of"] for s in planned.steps if s.tool == "findings"}


def test_columns_are_ranked_by_what_they_say_of_the_target(column, situation, plan):
    asked = situation(column("weak", signal=0.1), column("strong", signal=0.8), column("note", "text"))
    planned = plan("deep_eda", asked)
    assert measured(planned)["signal"] == [["strong", "y"], ["weak", "y"]]
    assert planned.steps[0].because.startswith("`strong` ranks the target best alone (0.80)")


@pytest.mark.parametrize(
    "facts, statistic",
    [
        ({"semantic": "categorical"}, "eta_squared_adjusted"),
        ({"semantic": "text"}, "text_length_signal"),
        ({"missing_train": 0.3}, "missing_association"),
    ],
)
def test_relations_are_asked_for_by_type(column, situation, plan, facts, statistic):
    assert measured(plan("deep_eda", situation(column("c", **facts))))[statistic] == [["c", "y"]]


def test_numbers_are_related_in_pairs(column, situation, plan):
    planned = plan("deep_eda", situation(column("a", signal=0.5), column("b", signal=0.4)))
    assert measured(planned)["ratio_gain"] == [["a", "b", "y"]]
    assert measured(planned)["spearman"] == [["a", "b"]]


def test_without_usual_columns_the_target_is_drawn(column, situation, plan, step):
    assert step(plan("deep_eda", situation(column("note", "text"))), "plot_target").columns == ("y",)


def test_the_summary_says_what_to_build_on(situation, summarize, finding):
    findings = (
        finding("signal", ["weak", "y"], 0.1),
        finding("signal", ["strong", "y"], 0.8),
        finding("spearman", ["strong", "twin"], -0.99),
        finding("ratio_gain", ["a", "b", "y"], 0.03),
    )
    told = summarize("deep_eda", situation(), findings=findings)
    assert told.next_must_know == "Build on `strong`, `weak`."
    text = told.sections[0].text
    assert "`strong` and `twin` (-0.99)" in text
    assert "`a`/`b` (+0.030)" in text


def test_pictures_go_into_a_section_of_the_summary(situation, summarize):
    told = summarize("deep_eda", situation(), figures=("out/figures/a.png",))
    assert next(section.figures for section in told.sections if section.heading == "Pictures") == ("out/figures/a.png",)


def test_something_is_measured_even_where_nothing_relates(column, situation, plan):
    planned = plan("deep_eda", situation(column("note", "text")))
    assert "complete_row_share" in [step.parameters.get("statistic") for step in planned.steps]
