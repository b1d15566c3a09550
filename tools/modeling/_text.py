"""Text columns as sparse counts of words and letters, learnt on training rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools.modeling._frames import learn_columns, text_values

__all__ = ["TextEncoder", "find_text"]

FEW_TEXTS = 100


def find_text(frame: pd.DataFrame) -> tuple[str, ...]:
    """Name the columns of free text; where there are none, those of strings in several words."""
    columns = learn_columns(frame)
    if columns.text:
        return columns.text
    return tuple(
        name
        for name, levels in columns.categories.items()
        if len(levels) and np.mean([len(str(level).split()) for level in levels]) >= 2
    )


class TextEncoder:
    """TF-IDF of words and pairs of words, and of runs of letters, of each text column.

    Parameters
    ----------
    frame
        Training rows.
    columns
        The text columns.
    words, letters
        The shortest and longest runs of words, and of letters within words; None leaves these out.
    counts
        Whether to give plain counts instead of TF-IDF.
    max_features
        The most runs kept of each kind and column, the most frequent first.
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        columns: Sequence[str],
        *,
        words: tuple[int, int] | None = (1, 2),
        letters: tuple[int, int] | None = (2, 5),
        counts: bool = False,
        max_features: int = 40_000,
    ) -> None:
        self.parts: list[tuple[str, Any]] = []
        for name in columns:
            texts = _texts(frame[name])
            for analyzer, lengths in (("word", words), ("char_wb", letters)):
                vectorizer = None if lengths is None else _vectorizer(texts, analyzer, lengths, counts, max_features)
                if vectorizer is not None:
                    self.parts.append((name, vectorizer))
        self.sources = tuple(name for name, vectorizer in self.parts for _ in vectorizer.vocabulary_)

    def encode(self, frame: pd.DataFrame) -> Any:
        """Give the CSR matrix of a frame; missing text is empty."""
        from scipy import sparse

        blocks = [vectorizer.transform(_texts(frame[name])) for name, vectorizer in self.parts]
        return sparse.hstack(blocks, format="csr") if blocks else sparse.csr_matrix((len(frame), 0))


def _texts(column: pd.Series) -> list[str]:
    return [str(text) for text in text_values(column).fillna("").to_numpy(dtype=object)]


def _vectorizer(texts: list[str], analyzer: str, lengths: tuple[int, int], counts: bool, max_features: int) -> Any:
    """A fitted vectorizer, or None where the texts hold nothing to count."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    parameters = {
        "analyzer": analyzer,
        "ngram_range": lengths,
        "min_df": 1 if len(texts) < FEW_TEXTS else 2,
        "max_features": max_features,
        "strip_accents": "unicode",
        "token_pattern": r"(?u)\b\w+\b" if analyzer == "word" else None,
    }
    vectorizer = CountVectorizer(**parameters) if counts else TfidfVectorizer(**parameters, sublinear_tf=True)
    try:
        return vectorizer.fit(texts)
    except ValueError as error:
        if "vocabulary" in str(error) or "no terms remain" in str(error).lower():
            return None
        raise
