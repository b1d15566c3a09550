from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autods.tools.modeling._splits import inner_split

CLASSES = np.array([0] * 80 + [1] * 19 + [2])
VALUES = np.arange(100.0)


def split(kind: Any, y: np.ndarray, **arguments: Any) -> tuple[np.ndarray, np.ndarray]:
    return inner_split(kind, y, classification=y is CLASSES, share=0.2, **arguments)


@pytest.mark.parametrize(
    "kind", ["auto", "stratified", "plain", "grouped", "stratified_grouped", "time", "leave_one_out"]
)
@pytest.mark.parametrize("y", [CLASSES, VALUES], ids=["classes", "values"])
def test_every_row_is_fitted_or_watched(kind: str, y: np.ndarray) -> None:
    fit, watched = split(kind, y, groups=np.arange(100) // 7)
    assert sorted([*fit, *watched]) == list(range(100))
    assert 10 <= len(watched) <= 30


def test_stratified_keeps_shares_and_leaves_every_class_to_fit() -> None:
    fit, watched = split("stratified", CLASSES)
    assert np.bincount(CLASSES[watched]).tolist() == [16, 4]
    assert set(CLASSES[fit]) == {0, 1, 2}


def test_groups_stay_whole() -> None:
    groups = np.arange(100) // 7
    fit, watched = split("grouped", VALUES, groups=groups)
    assert not set(groups[fit]) & set(groups[watched])


def test_time_watches_the_last_rows() -> None:
    assert split("time", VALUES)[1].tolist() == list(range(80, 100))


def test_two_groups_of_unequal_size_still_leave_one_to_fit() -> None:
    fit, watched = split("grouped", VALUES, groups=np.array([0] * 99 + [1]))
    assert len(fit)
    assert len(watched)


def test_the_seed_decides() -> None:
    assert split("plain", VALUES, random_state=1)[1].tolist() == split("plain", VALUES, random_state=1)[1].tolist()
    assert split("plain", VALUES, random_state=1)[1].tolist() != split("plain", VALUES, random_state=2)[1].tolist()


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="inner_split='grouping' is not allowed: did you mean 'grouped'"):
        split("grouping", VALUES)
