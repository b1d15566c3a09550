"""What the harness owns: folds, cross-validation, scores, decisions, tuning, blending, and replaying a solution."""
