"""The bootstrapped deviation s*: its printed values, and other readings of it."""

import numpy as np
import pytest
from scipy import special

from companion.lab.experiments.runner import Experiment, Replications
from companion.papers import published
from companion.papers.berrar2024 import algorithms, bootstrapped_deviations, printed
from replib import replication_probability


@pytest.mark.parametrize("key, figure", [((1, 7), "fig10"), ((2, 7), "fig12")])
def test_the_implied_deviation_gives_the_printed_estimate_back(key, figure):
    z = special.ndtri(1 - published.value(f"berrar2024.{figure}.p") / 2)
    found = replication_probability.wilcoxon(z, bootstrapped_deviations.printed()[key])
    assert found.point == pytest.approx(
        published.value(f"berrar2024.{figure}.P"), abs=1e-9
    )


def small(second=algorithms.SVM) -> Experiment:
    return Experiment(
        algorithms.algorithm_2,
        5,
        {
            "start": 30,
            "datasets": 6,
            "learners": [algorithms.NAIVE_BAYES, second],
        },
        (1, 3),
    )


def of(counts: np.ndarray) -> Replications:
    return Replications(small(), counts, {})


def test_equal_data_sets_leave_nothing_to_draw():
    cases = 30 + 10 * np.arange(1, 7)
    counts = np.stack([cases // 10 * 2, cases // 10], axis=-1)[None]
    assert bootstrapped_deviations.of_data_sets(of(counts)) == pytest.approx(0)


def test_data_sets_are_drawn_as_by_hand():
    """The limit of many samples, by a plain loop with other random numbers.

    Both deviations have an error of 1.6%: 3 of 10^4 other seeds fail, and 11% are found
    with probability 0.9.
    """
    counts = np.array([[[30, 20], [40, 41], [50, 30], [50, 45], [60, 62], [70, 40]]])
    difference = (counts[0, :, 0] - counts[0, :, 1]) / (30 + 10 * np.arange(1, 7))
    rng = np.random.default_rng(3)
    plain = np.std(
        [
            printed.signed_rank_z(difference[rng.integers(6, size=6)])
            for _ in range(2000)
        ]
    )
    found = bootstrapped_deviations.of_data_sets(of(counts), samples=2000)
    assert found == pytest.approx(plain, rel=0.08)


def test_two_equal_classifiers_differ_on_no_test_case():
    one = Replications(small(algorithms.NAIVE_BAYES), np.zeros((1, 6, 2), int), {})
    found = bootstrapped_deviations.of_test_cases(one, experiments=1, samples=50)
    assert found == pytest.approx(0)


def test_test_cases_are_drawn_as_by_hand():
    """Both deviations have an error of 1.6%: 3 of 10^4 other seeds fail, and 11% are found with
    probability 0.9.
    """
    one = Replications(small(), np.zeros((1, 6, 2), int), {})
    found = bootstrapped_deviations.of_test_cases(one, experiments=1, samples=2000)
    rng = np.random.default_rng(4)
    pairs = algorithms._pairs_of(5, (1, 3, 0), 30, 6)
    hits = []
    for train, (x, y) in pairs:
        models = (
            algorithms._learner(learner, rng).fit(*train)
            for learner in one.experiment.parameters["learners"]
        )
        a, b = ((model.predict(x) == y).astype(int) for model in models)
        rows = rng.integers(len(y), size=(2000, len(y)))
        hits.append((a - b)[rows].sum(axis=1) / len(y))
    z = printed.signed_rank_z(np.column_stack(hits))
    assert found == pytest.approx(z.std(), rel=0.08)
