"""Any estimator's answers in the harness's form."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autods.validation.outputs import Constant, FoldFit, predict_outputs

X = pd.DataFrame({"x": [0.0, 1.0]})


class Answers:
    """Gives what it was told to, by method."""

    def __init__(self, classes=None, **answers):
        for method, answer in answers.items():
            setattr(self, method, lambda frame, answer=answer: np.asarray(answer))
        if classes is not None:
            self.classes_ = np.asarray(classes)


def classes_of(estimator: object, n: int = 3, seen: tuple[int, ...] = (0, 1, 2)) -> list[list[float]]:
    kind = "binary" if n == 2 else "multiclass"
    return FoldFit((estimator,), kind, n, classes=(seen,)).predict(X).round(4).tolist()


@pytest.mark.parametrize(
    "estimator, expected",
    [
        (Answers(predict_proba=[[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]]), [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]]),
        (Answers(classes=[0, 2], predict_proba=[[0.4, 0.6], [0.0, 1.0]]), [[0.4, 0.0, 0.6], [0.0, 0.0, 1.0]]),
        (Answers(predict_proba=[[1.0, 1.0, 2.0], [0.0, 0.0, 0.0]]), [[1 / 3, 1 / 3, 1 / 3], [1 / 3, 1 / 3, 1 / 3]]),
        (Answers(decision_function=[[0.0, 0.0, 0.0], [50.0, 0.0, 0.0]]), [[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, 0.0]]),
        (Answers(predict=[2, 0]), [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
        (Answers(predict=[0.25, 9.0]), [[0.75, 0.25, 0.0], [0.0, 0.0, 1.0]]),
    ],
    ids=["probabilities", "a class absent", "not normalised", "decision values", "labels", "values between codes"],
)
def test_class_outputs(estimator, expected):
    assert classes_of(estimator) == pytest.approx(np.round(expected, 4))


def test_classes_of_training_stand_in_where_the_estimator_names_none():
    estimator = Answers(predict_proba=[[0.4, 0.6], [0.0, 1.0]])
    assert classes_of(estimator, seen=(1, 2)) == [[0.0, 0.4, 0.6], [0.0, 0.0, 1.0]]


def test_one_decision_value_of_two_classes_becomes_a_probability():
    assert classes_of(Answers(decision_function=[0.0, 50.0]), 2, (0, 1)) == [[0.5, 0.5], [0.0, 1.0]]


def test_one_probability_of_two_classes_is_that_of_the_second():
    assert classes_of(Answers(predict_proba=[0.25, 1.0]), 2, (0, 1)) == [[0.75, 0.25], [0.0, 1.0]]


@pytest.mark.parametrize(
    "estimator, message",
    [
        (Answers(predict_proba=[[np.nan, 0.0, 1.0], [0.0, 0.0, 1.0]]), "predict_proba gave 1 missing values"),
        (Answers(predict_proba=[[0.5, 0.5, 0.0, 0.0]] * 2), "it must give 3 columns"),
        (Answers(predict=[np.nan, 1.0]), "predict gave 1 missing values"),
    ],
)
def test_what_is_no_prediction_is_refused(estimator, message):
    with pytest.raises(ValueError, match=message):
        classes_of(estimator)


def test_values_must_be_one_for_each_row():
    fit = FoldFit((Answers(predict=[[1.0, 2.0], [3.0, 4.0]]),), "regression", 1, limits=((0.0, 9.0),))
    with pytest.raises(ValueError, match="one value for each of 2 rows"):
        fit.predict(X)


def test_values_are_kept_within_their_limits():
    fit = FoldFit((Answers(predict=[-5.0, 1e300]),), "regression", 1, limits=((0.0, 9.0),))
    assert fit.predict(X)[:, 0].tolist() == [0.0, 9.0]


def test_labels_and_targets_are_put_side_by_side():
    labels = FoldFit(
        (Answers(predict_proba=[[0.1, 0.9]] * 2), Constant((0.75, 0.25))), "multilabel", 2, classes=((0, 1), (0,))
    )
    values = FoldFit((Answers(predict=[1.0, 2.0]), Constant((3.0,))), "multi_regression", 2, limits=((0.0, 9.0),) * 2)
    assert labels.predict(X).tolist() == [[0.9, 0.25], [0.9, 0.25]]
    assert values.predict(X).tolist() == [[1.0, 3.0], [2.0, 3.0]]


def test_several_fits_are_averaged():
    fits = [FoldFit((Constant((value,)),), "regression", 1, limits=((0.0, 9.0),)) for value in (1.0, 2.0, 6.0)]
    assert predict_outputs(fits, X)[:, 0].tolist() == [3.0, 3.0]
