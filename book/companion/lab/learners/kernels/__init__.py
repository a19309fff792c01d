"""Compiled loops of the learners."""
