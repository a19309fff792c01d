"""Margins: exact accuracies against plain learners."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from companion.lab.learners import C45, NaiveBayes
from companion.lab.sources import random_network
from companion.papers.networks import margins


@pytest.mark.parametrize(
    ("spec", "instances"),
    [
        ({"arrows": 20}, 300),
        ({"attributes": 3, "class_probabilities": [0.3, 0.7], "arrows": 1}, 15),
    ],
)
def test_accuracies_are_those_of_the_plain_learners(spec, instances):
    network = random_network(seed=1, **spec)
    packed = margins.exact_accuracies(
        network, np.random.default_rng(2), training_sets=20, instances=instances
    )
    rng, grid = np.random.default_rng(2), network.grid()
    new, _ = network.frame(np.arange(grid.shape[1]) % 2, grid)
    for row in packed:
        X, y = network.frame(*network.sample(instances, rng))
        plain = [
            learner.fit(X, y).predict(new).astype(int)
            for learner in (NaiveBayes(), C45())
        ]
        assert_array_equal(row, network.expected_accuracy(plain))
    assert len(np.unique(packed)) > 5


def test_more_training_sets_continue_fewer():
    network = random_network(seed=5, attributes=8, arrows=6)
    many = margins.exact_accuracies(
        network, np.random.default_rng(6), training_sets=2500
    )
    rng = np.random.default_rng(6)
    parts = [
        margins.exact_accuracies(network, rng, training_sets=sets)
        for sets in (1, 1499, 1000)
    ]
    assert_array_equal(many, np.concatenate(parts))


def test_summary_of_accuracies():
    found = margins.summary(np.array([[0.5, 0.75], [0.25, 0.25], [0.75, 0.5]]))
    assert (found["naive_bayes"], found["c45"], found["margin"]) == (50, 50, 0)
    assert found["margin_error"] == pytest.approx(25 / np.sqrt(3))
    assert found["training_sets"] == 3


def test_targets_are_the_published_margins():
    assert margins.targets() == {1: 0, 2: 2.77, 3: 5.83, 4: 11.27}
