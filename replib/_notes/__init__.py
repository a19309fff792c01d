"""Notes about values: what looks wrong in scores although each of them is allowed."""
