import pandas as pd
import pytest

from autods.tools import frequency_encode, label_encode, one_hot_encode, ordinal_map, rare_levels

TRAIN = pd.DataFrame({"port": ["S", "C", "S", None], "deck": [1, 2, 1, 3]})
TEST = pd.DataFrame({"port": ["Q", "S", None], "deck": [1, 1, 9]})


def test_unseen_and_missing_levels_are_zero_everywhere() -> None:
    train, test = one_hot_encode(TRAIN, TEST)
    assert list(train) == list(test) == ["deck", "port_C", "port_S"]
    assert test[["port_C", "port_S"]].values.tolist() == [[0, 0], [0, 1], [0, 0]]


def test_only_the_most_frequent_levels_get_a_column() -> None:
    train, _ = one_hot_encode(TRAIN, columns=["port"], max_levels=1, drop_original=False)
    assert list(train) == ["port", "deck", "port_S"]


def test_numbers_can_be_one_hot_encoded_by_name() -> None:
    train, _ = one_hot_encode(TRAIN.assign(half=[1.0, 2.5, None, 1.0]), columns=["deck", "half"])
    assert list(train) == ["port", "deck_1", "deck_2", "deck_3", "half_1", "half_2.5"]


def test_codes_of_numbers_follow_their_size() -> None:
    train, _ = label_encode(pd.DataFrame({"n": [10, 9, 100]}), columns=["n"])
    assert train["n_encoded"].tolist() == [1, 0, 2]


def test_codes_are_the_same_in_both_frames() -> None:
    train, test = label_encode(TRAIN, TEST)
    assert (train["port_encoded"].tolist(), test["port_encoded"].tolist()) == ([1, 0, 1, -1], [-1, 1, -1])
    assert "port" not in train


def test_frequencies_count_both_frames_and_the_original_may_go() -> None:
    train, test = frequency_encode(TRAIN, TEST, drop_original=True)
    assert train["port_freq"].tolist() == pytest.approx([3 / 7, 1 / 7, 3 / 7, 2 / 7])
    assert test["port_freq"].tolist() == pytest.approx([1 / 7, 3 / 7, 2 / 7])
    assert "port" not in train


def test_a_ladder_is_matched_without_regard_to_case() -> None:
    train = pd.DataFrame({"size": ["small", " Large", "MEDIUM", "huge", None]})
    ranks = ordinal_map(train, columns="size", order=["small", "medium", "large"])[0]["size"]
    assert ranks.fillna(-1).tolist() == [0, 2, 1, -1, -1]


def test_levels_that_differ_only_in_case_keep_their_own_rank() -> None:
    train = pd.DataFrame({"grade": ["a", "A"]})
    assert ordinal_map(train, columns="grade", order=["a", "A"])[0]["grade"].tolist() == [0, 1]


def test_every_column_may_have_its_own_ladder() -> None:
    train = pd.DataFrame({"a": ["lo", "hi"], "b": ["x", "y"]})
    mapped, _ = ordinal_map(train, columns={"a": ["lo", "hi"], "b": ["y", "x"]})
    assert mapped.values.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    "call, message",
    [
        ({"columns": "port"}, "order=None: give the levels from lowest to highest"),
        ({"columns": "port", "order": ["s"]}, "must be a list of at least two levels"),
        ({"columns": "port", "order": "SCQ"}, "must be a list of at least two levels"),
        ({"columns": "port", "order": ["S", "C", "S"]}, "has a level twice"),
        ({"columns": "port", "order": ["low", "high"]}, r"no level of column 'port' is on the ladder.*'C', 'S'"),
        ({"columns": None, "order": ["S", "C"]}, "columns=None must be a column name or a list"),
    ],
)
def test_a_wrong_ladder_is_explained(call: dict, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ordinal_map(TRAIN, **call)


def test_rare_and_unseen_levels_are_pooled() -> None:
    train, test = rare_levels(TRAIN, TEST, min_count=2)
    assert train["port"].fillna("-").tolist() == ["S", "other", "S", "-"]
    assert test["port"].fillna("-").tolist() == ["other", "S", "-"]


def test_the_number_of_levels_can_be_limited() -> None:
    train = pd.DataFrame({"c": ["a", "a", "b", "b", "c"]})
    assert rare_levels(train, min_count=1, max_levels=1, level="rest")[0]["c"].tolist() == [
        "a",
        "a",
        "rest",
        "rest",
        "rest",
    ]
