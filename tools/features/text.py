"""Free text as numbers: how it is written, and what it is about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_number, chosen, is_text
from autods.tools._frames import Frames, add_columns, as_text, frame_tool

__all__ = ["text_statistics", "text_svd"]

LONG_TEXT_WORDS = 3


def _free_text(column: pd.Series) -> bool:
    if not is_text(column):
        return False
    text = as_text(column).dropna()
    return bool(len(text) and text.str.count(r"\S+").mean() >= LONG_TEXT_WORDS and text.nunique() > 0.2 * len(text))


@frame_tool()
def text_statistics(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, drop_original: bool = False
) -> Frames:
    """Add how a text is written: its length, words, capitals, digits, punctuation.

    Parameters
    ----------
    columns
        Columns of text; None means those of three words or more on average, and mostly different.
    drop_original
        Whether the column itself goes.

    Returns
    -------
    The frames with float64 columns `<column>_characters`, `_words`, `_word_length` (mean), `_capitals`, `_digits`,
    `_punctuation` (shares of the characters), `_currency` (signs of currency), `_exclamations` (and question marks),
    `_links` and `_distinct` (share of different words); 0 where the text is missing.

    Notes
    -----
    Use it beside `text_svd`, or alone for titles and remarks. Messages that sell differ in capitals and digits.

    Examples
    --------
    >>> train, _ = text_statistics(pd.DataFrame({"text": ["WIN $100 now!", None]}), columns=["text"])
    >>> train[["text_characters", "text_words", "text_digits"]].round(2).values.tolist()
    [[13.0, 3.0, 0.23], [0.0, 0.0, 0.0]]
    """
    names = chosen(train, test, columns, holds="text", default=_free_text)

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        return {f"{name}_{key}": values for name in names for key, values in _statistics(frame[name]).items()}

    return add_columns(train, test, make, drop=names if drop_original else ())


def _statistics(column: pd.Series) -> dict[str, np.ndarray]:
    text = as_text(column).fillna("")
    length = text.str.len().to_numpy(dtype="float64")
    words = text.str.count(r"\S+").to_numpy(dtype="float64")

    def count(pattern: str) -> np.ndarray:
        return text.str.count(pattern).to_numpy(dtype="float64")

    def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
        return np.asarray(part / np.maximum(whole, 1))

    folded = text.str.casefold().str.split()
    return {
        "characters": length,
        "words": words,
        "word_length": share(count(r"\S"), words),
        "capitals": share(count(r"[A-ZÀ-ÖØ-Þ]"), length),
        "digits": share(count(r"\d"), length),
        "punctuation": share(count(r"[^\w\s]"), length),
        "currency": count(r"[$€£¥₹]"),
        "exclamations": count(r"[!?]"),
        "links": count(r"(?:https?://|www\.)"),
        "distinct": share(np.array([len(set(parts)) for parts in folded], dtype="float64"), words),
    }


@frame_tool()
def text_svd(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    n_components: int = 20,
    analyzer: str = "word",
    max_features: int = 20_000,
    random_state: int = 0,
    drop_original: bool = False,
) -> Frames:
    """Add what a text is about: TF-IDF weights of its words, reduced by singular value decomposition.

    Parameters
    ----------
    columns
        Columns of text; None means those of three words or more on average, and mostly different.
    n_components
        Columns to add for each; fewer where train has too few words or rows.
    analyzer
        "word" (words and pairs of words) or "char" (3 to 5 letters within words, which forgives spelling).
    max_features
        At most so many terms, the most frequent of train.
    random_state
        The seed of the decomposition.
    drop_original
        Whether the column itself goes.

    Returns
    -------
    The frames with float64 columns `<column>_svd_1`, …; 0 where the text is missing or has no known term.

    Notes
    -----
    Use it to give trees a text beside other columns. Where text is all there is, keep the text for `text_linear` and
    `naive_bayes_text`, which see every word.

    Examples
    --------
    >>> train = pd.DataFrame({"text": ["free prize now", "see you at home", "free prize call", "at home with you"]})
    >>> train, _ = text_svd(train, columns=["text"], n_components=2)
    >>> train[["text_svd_1", "text_svd_2"]].abs().idxmax(axis=1).tolist()
    ['text_svd_1', 'text_svd_2', 'text_svd_1', 'text_svd_2']
    """
    check_number("n_components", n_components, 1, integer=True)
    check_number("max_features", max_features, 2, integer=True)
    check_choice("analyzer", analyzer, ("word", "char"))
    names = chosen(train, test, columns, holds="text", default=_free_text)
    pipelines = {name: _fit_svd(train[name], n_components, analyzer, max_features, random_state) for name in names}

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, pipeline in pipelines.items():
            if pipeline is not None:
                weights = _project(pipeline, as_text(frame[name]).fillna(""))
                made |= {f"{name}_svd_{number + 1}": weights[:, number] for number in range(weights.shape[1])}
        return made

    return add_columns(train, test, make, drop=names if drop_original else ())


def _fit_svd(column: pd.Series, n_components: int, analyzer: str, max_features: int, random_state: int) -> Any:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    text = as_text(column).fillna("")
    vectorizer = TfidfVectorizer(
        analyzer="word" if analyzer == "word" else "char_wb",
        ngram_range=(1, 2) if analyzer == "word" else (3, 5),
        min_df=2 if len(text) >= 200 else 1,
        max_features=max_features,
        sublinear_tf=True,
        strip_accents="unicode",
    )
    try:
        weights = vectorizer.fit_transform(text)
    except ValueError:  # no term is left: the texts are empty or without letters
        return None
    n_components = min(n_components, weights.shape[1] - 1, weights.shape[0] - 1)
    if n_components < 1:
        return None
    svd = TruncatedSVD(n_components=n_components, random_state=random_state).fit(weights)
    return vectorizer, svd


def _project(pipeline: Any, text: pd.Series) -> np.ndarray:
    vectorizer, svd = pipeline
    if text.empty:
        return np.empty((0, svd.n_components))
    return np.asarray(svd.transform(vectorizer.transform(text)), dtype="float64")
