"""Fold tools: estimators and transformers that learn from the target, hence inside folds only."""
