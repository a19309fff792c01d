"""Stored results of all studies, shared by the tests of what they have in common."""

import pytest

from companion.papers import stored
from companion.papers.berrar2024 import summary


@pytest.fixture(scope="session")
def results() -> dict:
    """The first two hundred replications of every experiment, with ten trees in study #4."""
    return summary.with_ten_trees({name: stored.load(name, size=200) for name in summary.NEEDS})
