"""Learners by hand, and the four synthetic sources of the papers of 2004 to learn from."""
