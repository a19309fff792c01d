"""Study #3 of Berrar (2024): readings of the oracle."""

import numpy as np
import pytest
from scipy import stats

from companion.papers import published, stored
from companion.papers.berrar2024 import study_3

WRONG = np.full((4000, 3), 24)


def test_drawing_twice_finds_as_many_wrong_cases_as_it_must():
    """Each wrong case is found with probability 1 - (1 - 1/n)^q."""
    found = study_3.with_replacement(np.random.default_rng(1), WRONG, 100, 7)
    expected = 24 * (1 - 0.99**7)
    assert abs(found.mean() - expected) < 4 * found.std() / np.sqrt(found.size)
    assert found.max() <= 7


def test_cases_of_all_folds_at_once_are_as_many_as_are_revealed():
    rng, everything = np.random.default_rng(2), np.full((50, 3), 100)
    found = study_3.over_the_whole_set(rng, everything, 100, 7, times=2)
    assert found.shape == (100, 3) and (found.sum(axis=1) == 21).all()
    assert found.std() > 0
    some = study_3.over_the_whole_set(rng, WRONG, 100, 7, times=1)
    assert abs(some.mean() - 24 * 0.07) < 4 * some.std() / np.sqrt(some.size)


def test_a_printed_t_is_attainable_only_with_the_printed_formula():
    printed = published.value("berrar2024.s3.t31")
    found = study_3.attainable_t(printed).set_index(["divisor", "ratio"])
    assert found.loc[(9, 1 / 9), "agrees"]
    gains = np.repeat([3, 2, 1, 0], [1, 1, 5, 3])
    t = gains.mean() / np.sqrt((1 / 10 + 1 / 9) * gains.var(ddof=1))
    assert found.loc[(9, 1 / 9), "t"] == pytest.approx(t)
    assert not study_3.attainable_t(printed + 0.002)["agrees"].any()


@pytest.fixture(scope="module")
def stored_study():
    return stored.load("berrar2024_study_3")


def test_other_readings_miss_where_the_algorithm_as_written_does_not(stored_study):
    distance = study_3.readings(stored_study).pivot(
        index="reading", columns="percent", values="distance"
    )
    limit = stats.chi2.isf(0.001, 2)
    neighbours = distance[[2, 4, 7]]
    assert (neighbours.loc["as written"] < limit).all()
    assert (distance[3] > stats.chi2.isf(0.05, 2)).all(), "no reading explains 3 %"
    others = neighbours.drop(index=["as written", "a case may be drawn twice"])
    assert (others.max(axis=1) > limit).all()
