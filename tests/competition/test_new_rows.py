from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from autods.competition import as_test_rows
from autods.errors import CompetitionError
from autods.records import Competition

TRAIN = 'id,price,shop,n,y\n1,$5,a,1,0\n2,"$1,200",None,2,1\n3,$7,?,3,0\n4,$8,b,4,1\n'
TEST = "id,price,shop,n\n5,$6,a,7\n"


@pytest.fixture
def competition(read: Callable[..., Competition]) -> Competition:
    return read(train=TRAIN, test=TEST, overview="Scored by accuracy.")


def test_new_text_rows_are_read_as_the_test_was(competition: Competition) -> None:
    new = pd.DataFrame({"id": ["007"], "price": ["$2,500"], "shop": [" a "], "n": ["9"], "more": ["x"]}, dtype="str")
    rows, keys = as_test_rows(new, competition.task, competition.test)
    assert rows.to_dict("list") == {"price": [2500.0], "shop": ["a"], "n": [9]}
    assert (rows.dtypes == competition.test.dtypes).all()
    assert keys["id"].tolist() == ["007"]


def test_typed_rows_are_taken_too(competition: Competition) -> None:
    new = pd.DataFrame({"price": [2.5, None], "shop": pd.Categorical(["a", None]), "n": [1, 2]}, index=[5, 9])
    rows, keys = as_test_rows(new, competition.task, competition.test)
    assert rows["price"].tolist()[0] == 2.5
    assert rows["shop"].isna().tolist() == [False, True]
    assert len(keys) == len(rows) == 2


def test_cells_that_are_no_numbers_are_missing(competition: Competition) -> None:
    new = pd.DataFrame({"price": ["soon", "inf"], "shop": ["a", "?"], "n": ["1", "-"]}, dtype="str")
    rows, _ = as_test_rows(new, competition.task, competition.test)
    assert rows.isna().sum().to_dict() == {"price": 2, "shop": 1, "n": 1}


def test_absent_columns_are_named(competition: Competition) -> None:
    with pytest.raises(CompetitionError, match="lack shop, n"):
        as_test_rows(pd.DataFrame({"price": ["$5"]}), competition.task, competition.test)
