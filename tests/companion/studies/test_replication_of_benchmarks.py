"""Simulated benchmarks: the stored coverage and its promise."""

import numpy as np
import pytest

from companion import stored
from companion.studies import replication_of_benchmarks as topic


@pytest.fixture(scope="module")
def table():
    return topic.judged(stored.load("replication_of_benchmarks"))


def test_intervals_cover_93_to_97_percent(table):
    come, given = (table[table["selected"] == one] for one in (0, 1))
    assert len(come) > 550 and len(given) > 300
    inside = come["covered"].between(0.93, 0.97)
    assert inside.mean() > 0.92 and come["covered"].min() > 0.87
    extremes = come.loc[
        [come["covered"].idxmin(), come["covered"].idxmax()], "datasets"
    ]
    assert (extremes <= 10).all()  # as the library's page says
    many = come["datasets"] >= 15
    assert (
        inside[many].mean() > 0.97 and come["covered"][many].between(0.92, 0.985).all()
    )
    # given significance, W+ has few values: intervals are too wide rather than too
    # narrow
    assert given["covered"][given["datasets"] >= 30].between(0.93, 0.97).mean() > 0.85
    assert (given["covered"] > 0.93).mean() > 0.95


@pytest.mark.parametrize("layout", ["first", "ladder"])
@pytest.mark.parametrize("shape", list(topic.SHAPES))
def test_differences_have_the_standardised_means_that_they_are_called_by(layout, shape):
    """4.5 standard errors of a mean: 2 of 10^4 other seeds fail; 0.013 are found with probability
    0.9.
    """
    d, names = topic.differences(
        np.random.default_rng(4),
        classifiers=3,
        layout=layout,
        shape=shape,
        effect=0.6,
        datasets=50,
        benchmarks=4000,
    )
    expected = {"first": [0.6, 0.6, 0], "ladder": [0.6, 1.2, 0.6]}[layout]
    # 200,000 differences; t3 has no fourth moment, and its variance is less well known
    np.testing.assert_allclose(d.mean(axis=(0, 2)), expected, atol=0.01)
    ours = [name in ("first", "1 apart", "2 apart") for name in names]
    np.testing.assert_allclose(d.std(axis=(0, 2))[ours], 1, atol=0.1)
