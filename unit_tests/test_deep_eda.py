"""Gates of the deep exploration: it looks at the cleaned data."""

from __future__ import annotations

from autods.unit_tests.findings import (
    test_every_column_is_in_the_overview,
    test_figures_are_few,
    test_figures_show_something,
    test_findings_are_recomputed,
    test_findings_say_what_they_mean,
    test_raw_data_is_unchanged,
    test_something_is_found,
    test_texts_quote_their_numbers,
)

__all__ = [
    "test_every_column_is_in_the_overview",
    "test_figures_are_few",
    "test_figures_show_something",
    "test_findings_are_recomputed",
    "test_findings_say_what_they_mean",
    "test_raw_data_is_unchanged",
    "test_something_is_found",
    "test_texts_quote_their_numbers",
]
