"""Gates of modeling: the validation is honest, the score is what the predictions give, and the submission is valid."""

from __future__ import annotations

from autods.unit_tests.folds import (
    test_duplicates_share_a_fold,
    test_every_row_is_held_out_where_due,
    test_folds_are_disjoint,
    test_folds_are_the_runs_own,
    test_groups_stay_whole,
    test_only_later_rows_are_held_out,
)
from autods.unit_tests.submissions import (
    test_header_is_the_samples,
    test_ids_are_the_test_rows,
    test_numbers_stay_within_reason,
    test_predictions_are_not_all_alike,
    test_predictions_look_like_the_labels,
    test_submission_holds_the_predictions,
    test_submission_is_valid,
)
from autods.unit_tests.trainings import (
    test_blend_is_made_of_its_candidates,
    test_blend_is_not_worse_than_a_constant,
    test_every_candidate_of_the_blend_was_refitted,
    test_out_of_fold_predictions_are_where_due,
    test_predictions_are_probabilities,
    test_refit_reproduces_the_predictions,
    test_reported_score_is_not_flattering,
    test_score_beats_the_constant,
    test_scores_are_recomputed,
    test_test_predictions_are_whole,
    test_train_and_validation_scores_are_close,
)

__all__ = [
    "test_blend_is_made_of_its_candidates",
    "test_blend_is_not_worse_than_a_constant",
    "test_duplicates_share_a_fold",
    "test_every_candidate_of_the_blend_was_refitted",
    "test_every_row_is_held_out_where_due",
    "test_folds_are_disjoint",
    "test_folds_are_the_runs_own",
    "test_groups_stay_whole",
    "test_header_is_the_samples",
    "test_ids_are_the_test_rows",
    "test_numbers_stay_within_reason",
    "test_only_later_rows_are_held_out",
    "test_out_of_fold_predictions_are_where_due",
    "test_predictions_are_not_all_alike",
    "test_predictions_are_probabilities",
    "test_predictions_look_like_the_labels",
    "test_refit_reproduces_the_predictions",
    "test_reported_score_is_not_flattering",
    "test_score_beats_the_constant",
    "test_scores_are_recomputed",
    "test_submission_holds_the_predictions",
    "test_submission_is_valid",
    "test_test_predictions_are_whole",
    "test_train_and_validation_scores_are_close",
]
