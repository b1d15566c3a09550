"""Calling a phase's function, and what is refused of what it gives."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autods.validation.transforming import as_stored, call, transform

TRAIN, TEST = pd.DataFrame({"a": [1, 2, 3]}), pd.DataFrame({"a": [4, 5]})


def test_arguments_are_passed_by_the_names_that_are_taken():
    def engineer(test, train, tables):
        return train.assign(n=len(tables["more"])), test.assign(n=0)

    done = transform(engineer, TRAIN, TEST, tables={"more": TEST})
    assert done.train["n"].tolist() == [2, 2, 2]
    assert done.excluded is None
    assert done.fit_rows is None


def test_a_function_may_take_everything():
    assert call(lambda **given: sorted(given), train=1, test=2) == ["test", "train"]


def test_asking_for_what_is_not_offered_is_refused():
    def clean(train, target):
        return train, target

    with pytest.raises(TypeError, match=r"clean asks for \['target'\]; it may take \['test', 'train'\]"):
        call(clean, train=1, test=2)


def test_what_is_not_asked_for_has_a_default():
    assert call(lambda train, sigma=3: (train, sigma), train=1, test=2) == (1, 3)


def test_the_functions_own_copies_are_all_that_it_can_change():
    def clean(train, test):
        train["a"] = 0
        return train, test

    transform(clean, TRAIN, TEST)
    assert TRAIN["a"].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda train, test: train, "returned DataFrame; it must return"),
        (lambda train, test: (train, None), r"returned tuple of \['DataFrame', 'NoneType'\]"),
        (lambda train, test: (train.iloc[1:], test), "made 2 rows of the 3 of train"),
        (lambda train, test: (train, test.iloc[::-1]), "put the rows of test in another order, first at row 0"),
        (lambda train, test: (pd.concat([train, train], axis=1), test), "several columns of the name 'a'"),
        (lambda train, test: (train.assign(**{"b": 1}).set_axis([0, 1], axis=1), test), "the column name 0"),
        (lambda train, test: (train.assign(exclude_from_fit="yes"), test), "use True and False only"),
    ],
    ids=["one frame", "no frame", "rows lost", "rows reordered", "names repeat", "names are numbers", "odd marks"],
)
def test_what_cannot_be_the_same_rows_is_refused(function, message):
    with pytest.raises(ValueError, match=message):
        transform(function, TRAIN, TEST)


def test_marked_rows_are_reported_with_their_reason_and_the_marks_taken_off():
    def clean(train, test):
        marks = {"exclude_from_fit": [False, True, True], "exclude_reason": [None, "twice", None]}
        return train.assign(**marks), test.assign(exclude_from_fit=False)

    done = transform(clean, TRAIN, TEST)
    assert list(done.train) == list(done.test) == ["a"]
    assert done.excluded.to_dict("list") == {"row": [1, 2], "reason": ["twice", ""]}
    assert done.fit_rows.tolist() == [True, False, False]


def test_marks_without_any_marked_row_exclude_nothing():
    assert transform(lambda train, test: (train.assign(exclude_from_fit=False), test), TRAIN, TEST).excluded is None


def test_a_new_index_is_put_right():
    done = transform(lambda train, test: (train.set_axis([7, 8, 9]), test), TRAIN, TEST)
    assert done.train.index.tolist() == [0, 1, 2]


def test_a_stored_frame_is_stored_the_same_again():
    frame = pd.DataFrame(
        {
            "number": [1.5, np.nan],
            "text": ["x", None],
            "level": pd.Categorical(["b", "a"], categories=["b", "a"], ordered=True),
            "flag": [True, False],
            "when": pd.to_datetime(["2024-01-01", None]),
        }
    )
    once = as_stored(frame)
    pd.testing.assert_frame_equal(once, as_stored(once))
    pd.testing.assert_frame_equal(once, frame)
