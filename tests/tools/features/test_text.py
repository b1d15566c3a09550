import numpy as np
import pandas as pd
import pytest

from autods.tools import text_statistics, text_svd

TEXTS = ["WIN a FREE prize now! Call £5 www.win.com", "see you at home", "free prize, call now", "at home with you you"]


def test_statistics_tell_how_a_text_is_written() -> None:
    train, _ = text_statistics(pd.DataFrame({"t": TEXTS}))
    first = train.loc[0]
    assert first["t_words"] == 8
    assert first["t_capitals"] == pytest.approx(8 / len(TEXTS[0]))
    assert (first["t_currency"], first["t_exclamations"], first["t_links"]) == (1, 1, 1)
    assert train.loc[3, "t_distinct"] == 0.8


def test_missing_text_is_all_zero() -> None:
    train, _ = text_statistics(pd.DataFrame({"t": ["a b", None]}), columns="t", drop_original=True)
    assert train.loc[1].eq(0).all()
    assert "t" not in train


def test_names_of_categories_are_not_taken_for_text() -> None:
    train = pd.DataFrame({"c": ["male", "female"] * 50})
    assert list(text_statistics(train)[0]) == ["c"]


@pytest.mark.parametrize("analyzer", ["word", "char"])
def test_texts_on_one_subject_are_near(analyzer: str) -> None:
    train, test = text_svd(
        pd.DataFrame({"t": TEXTS}),
        pd.DataFrame({"t": ["free call", "home", None]}),
        columns="t",
        n_components=2,
        analyzer=analyzer,
    )
    nearest = np.abs(test[["t_svd_1", "t_svd_2"]]).idxmax(axis=1).tolist()[:2]
    assert nearest == np.abs(train[["t_svd_1", "t_svd_2"]]).idxmax(axis=1).tolist()[:2]
    assert test.loc[2, ["t_svd_1", "t_svd_2"]].tolist() == [0, 0]


def test_the_seed_decides_and_only_the_seed() -> None:
    train = pd.DataFrame({"t": [f"{a} {b} {a}{b}" for a in "abcdefgh" for b in "stuvwxyz"]})
    first, second = (text_svd(train, columns="t", n_components=5, random_state=3)[0] for _ in range(2))
    assert first.equals(second)


@pytest.mark.parametrize("texts", [["", None], ["!!", "??"], ["one", "one"]])
def test_text_without_enough_terms_gives_nothing(texts: list) -> None:
    train = pd.DataFrame({"t": texts})
    assert list(text_svd(train, train, columns="t")[0]) == ["t"]
