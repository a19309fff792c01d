"""Study #3 of Berrar (2024): readings of the oracle."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from companion import stored
from companion.lab.experiments.runner import Experiment, Replications
from companion.papers import published
from companion.papers.berrar2024 import in_cross_validation, study_3

WRONG = np.full((4000, 3), 24)


def test_drawing_twice_finds_as_many_wrong_cases_as_it_must():
    """Each wrong case is found with probability 1 - (1 - 1/n)^q.

    Four standard errors; drawn without replacement (1.68 for 1.63), it is found with probability
    0.8.
    """
    found = study_3.with_replacement(np.random.default_rng(1), WRONG, 100, 7)
    expected = 24 * (1 - 0.99**7)
    assert abs(found.mean() - expected) < 4 * found.std() / np.sqrt(found.size)
    assert found.max() <= 7


def test_cases_of_all_folds_at_once_are_as_many_as_are_revealed():
    """Four standard errors; a mean off by 0.06 is found with probability 0.9."""
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


def made_up(cases: int, correct: list[list[int]]) -> dict[str, Replications]:
    experiment = Experiment(
        "companion.papers.berrar2024.algorithms:algorithm_3",
        1,
        {
            "cases": cases,
            "percents": [20],
        },
    )
    counts = np.array(correct)[:, :, None].repeat(2, axis=2)
    counts[..., 1] = 0
    return {"one": Replications(experiment, counts, {})}


def test_expectations_by_all_draws_of_the_oracle():
    """Two cases are revealed in each of three folds of ten: all gains, with their probabilities."""
    correct = np.array([[8, 6, 7], [10, 9, 5]])
    found = study_3.expected(made_up(30, correct))
    for one, of_folds in zip(found.itertuples(), correct):
        chance = [
            stats.hypergeom(10, 10 - right, 2).pmf(np.arange(3)) for right in of_folds
        ]
        gains = np.array(list(product(range(3), repeat=3)))
        weight = np.prod([law[g] for law, g in zip(chance, gains.T)], axis=0)
        seen = in_cross_validation.outcomes({20: gains})
        finite = np.isfinite(seen["t"])
        mean = (weight * seen["t"])[finite].sum() / weight[finite].sum()
        assert one.t == pytest.approx(mean)
        assert one.is_significant == pytest.approx(weight[seen["is_significant"]].sum())


def test_expectations_are_the_mean_of_many_draws(stored_study):
    """3 of 10^4 other seeds fail; 5.3 standard errors are found with probability 0.9."""
    some = {
        name: replace(one, counts=one.counts[:200])
        for name, one in stored_study.items()
    }
    found = study_3.expected(some).query("group == 3")
    correct = next(iter(some.values())).counts[:, :, 0].astype(int)
    rng, draws = np.random.default_rng(np.random.SeedSequence(3)), 100
    seen = [
        in_cross_validation.outcomes({3: rng.hypergeometric(100 - correct, correct, 3)})
        for _ in range(draws)
    ]
    for column in ("t", "is_significant"):
        means = np.array([one[column][np.isfinite(one["t"])].mean() for one in seen])
        assert abs(means.mean() - found[column].mean()) < 4 * means.std() / np.sqrt(
            draws
        )


def test_more_revealed_cases_are_as_drawn(stored_study):
    drawn, found = study_3.outcomes(stored_study), study_3.expected(stored_study)
    is_summed = found["group"] <= study_3.SUMMED
    columns = ["t", "p", "is_significant"]
    assert (drawn.loc[~is_summed, columns] == found.loc[~is_summed, columns]).all(
        axis=None
    )
    assert (drawn.loc[is_summed, "t"] != found.loc[is_summed, "t"]).mean() > 0.99


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


def test_readings_reveal_the_share_of_a_fold_whatever_its_size():
    """In folds of 50 cases 4% are two; all cases are wrong, so the gains are those revealed."""
    revealed = {
        percent: study_3._drawn_gains(
            np.random.default_rng(1), "as written", np.full((2, 20), 50), 50, percent
        )
        for percent in (2, 4)
    }
    assert (revealed[2] == 1).all() and (revealed[4] == 2).all()


def test_a_distance_needs_coordinates_that_vary():
    """Of few experiments all may be significant: a share of one has no error."""
    distance = pd.Series([1.0, 2.0])
    assert study_3._squared_distance(distance, pd.DataFrame(np.diag([1.0, 4.0]))) == 2
    flat = pd.DataFrame(np.diag([1.0, 0.0]))
    assert np.isnan(study_3._squared_distance(distance, flat))
