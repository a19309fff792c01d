"""Material for teaching: slides, assignments, questions, handouts."""
