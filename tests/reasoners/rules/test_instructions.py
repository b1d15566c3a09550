import pytest

from autods.reasoners.rules.instructions import read_instructions

COLUMNS = ("Age", "Fare", "Ticket", "cabin no")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Drop Ticket and the column fare.", "drop", ("Fare", "Ticket")),
        ("Do not drop Age.", "keep", ("Age",)),
        ("- keep `cabin no`\n- be quick", "keep", ("cabin no",)),
        ("Use only LightGBM and random forests.", "only", ("lightgbm", "random_forest")),
        ("No neural networks!", "without", ("neural_network",)),
        ("Please fill all missing values.", "fill_all", True),
        ("Never clip outliers.", "no_clipping", True),
        ("The Ticket is important to us.", "drop", ()),
        ("Do not fill missing values.", "fill_all", False),
    ],
)
def test_a_sentence_is_read_for_what_it_asks(text, field, value):
    assert getattr(read_instructions(text, COLUMNS), field) == value


def test_only_sentences_that_were_understood_are_named():
    assert read_instructions("Make it sing. Drop Ticket.", COLUMNS).understood == ("Drop Ticket",)


def test_a_column_is_not_found_inside_another_word():
    assert read_instructions("Drop welfare and ageing.", COLUMNS).drop == ()


def test_columns_that_the_instructions_name_are_dropped_with_that_reason(column, situation, plan):
    planned = plan("cleaning", situation(column("a"), column("b"), instructions="Ignore b."))
    assert planned.intent.drop == ("b",)
    assert planned.steps[0].because == "the instructions ask for it"
    assert "“Ignore b”" in planned.obeyed


def test_estimators_that_the_instructions_rule_out_are_not_offered(column, situation, plan):
    planned = plan("modeling", situation(column("a"), instructions="Do not use catboost."))
    assert "catboost" not in [step.tool for step in planned.steps]
    assert "“Do not use catboost”" in planned.obeyed
