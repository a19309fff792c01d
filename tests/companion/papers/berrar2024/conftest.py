"""Stored results of all studies, shared by the tests of what they have in common."""

import pytest

from companion import stored
from companion.papers.berrar2024 import in_cross_validation, summary


@pytest.fixture(scope="session")
def results() -> dict:
    """The first two hundred replications of every experiment, with ten trees in study #4."""
    return summary.with_ten_trees(
        {name: stored.load(name, size=200) for name in summary.NEEDS}
    )


@pytest.fixture
def few_draws(monkeypatch):
    """Standard errors of two hundred draws, where a test looks at values and at clear verdicts."""
    monkeypatch.setitem(in_cross_validation.redrawn.__kwdefaults__, "draws", 200)
