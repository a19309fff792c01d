"""What a name is of, if that is no model: a seed, a fold, a time, a size, the truth."""
