"""The map of the correlation: how much the differences of folds depend on each other."""
