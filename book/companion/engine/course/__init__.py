"""Material for teaching: slides, assignments, questions, the PDF."""
