"""The gates: pytest files that judge what a phase left, one file a phase; `autods.execution.gates` runs them."""
