"""Learners by hand, and the four synthetic sources that the papers of 2004 have them learn from."""
