from __future__ import annotations

import numpy as np
import pytest

from autods.competition.decisions import decide, default_decision, expected_code
from autods.records import Decision

THREE = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])


@pytest.mark.parametrize(
    ("outputs", "decision", "kind", "codes"),
    [
        (THREE, Decision("argmax"), "multiclass", [0, 2]),
        (THREE, Decision("multipliers", (1.0, 2.0, 1.0)), "multiclass", [1, 2]),
        (THREE, Decision("cutpoints", (0.5, 1.7)), "ordinal", [1, 1]),  # expected codes 0.7 and 1.6
        (np.array([[0.7, 0.3], [0.71, 0.29]]), Decision("threshold", (0.3,)), "binary", [1, 0]),
        (np.array([[0.6, 0.2], [0.4, 0.9]]), Decision("threshold", (0.5,)), "multilabel", [[1, 0], [0, 1]]),
        (np.array([[0.6, 0.2], [0.4, 0.9]]), Decision("threshold", (0.7, 0.1)), "multilabel", [[0, 1], [0, 1]]),
    ],
)
def test_a_decision_turns_probabilities_into_codes(outputs, decision, kind, codes):
    assert decide(outputs, decision, kind).tolist() == codes


def test_none_gives_the_outputs_back():
    assert decide(THREE, Decision("none"), "regression") is THREE


@pytest.mark.parametrize(
    ("decision", "kind"),
    [
        (Decision("threshold", (0.5,)), "multiclass"),
        (Decision("multipliers", (1.0, 2.0)), "multiclass"),
        (Decision("cutpoints", (1.0, 0.5)), "ordinal"),
        (Decision("threshold", (0.5, 0.5)), "multilabel"),
    ],
)
def test_values_that_do_not_fit_are_named(decision, kind):
    with pytest.raises(ValueError, match=f"decision {decision.kind} has values"):
        decide(THREE, decision, kind)


@pytest.mark.parametrize(
    ("kind", "needs", "expected"),
    [
        ("binary", "labels", Decision("threshold", (0.5,))),
        ("multilabel", "labels", Decision("threshold", (0.5,))),
        ("multiclass", "labels", Decision("argmax")),
        ("ordinal", "labels", Decision("argmax")),
        ("binary", "probabilities", Decision("none")),
        ("regression", "values", Decision("none")),
    ],
)
def test_the_default_decision_follows_kind_and_need(kind, needs, expected):
    assert default_decision(kind, needs) == expected


def test_the_expected_code_of_a_row_without_any_probability_is_a_number():
    assert expected_code(np.zeros((1, 3))).tolist() == [0.0]
