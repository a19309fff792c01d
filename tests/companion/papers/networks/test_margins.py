"""Margins: exact accuracies against plain learners."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from companion.lab.learners import C45, NaiveBayes
from companion.lab.sources import random_network
from companion.papers.networks import margins


@pytest.mark.parametrize(("spec", "instances"), [
    ({"arrows": 20}, 300),
    ({"attributes": 5, "cardinality": [2, 3, 4, 2, 3], "arrows": 6}, 150),
    ({"attributes": 4, "class_probabilities": [0.5, 0.3, 0.2], "cardinality": 3, "arrows": 3}, 97),
    ({"attributes": 3, "class_probabilities": [0.1, 0.9], "arrows": 1}, 5),
])
def test_bit_sets_give_the_accuracies_of_the_plain_learners(spec, instances):
    network = random_network(seed=1, **spec)
    packed, plain = (
        margins.exact_accuracies(
            network, np.random.default_rng(2), training_sets=20, instances=instances,
            learners=learners,
        ) for learners in (margins.PAIR, [NaiveBayes(), C45()])
    )
    assert_array_equal(packed, plain)
    assert len(np.unique(packed)) > 5


def test_more_training_sets_continue_fewer():
    network = random_network(seed=5, attributes=8, arrows=6)
    many = margins.exact_accuracies(network, np.random.default_rng(6), training_sets=2500)
    rng = np.random.default_rng(6)
    parts = [margins.exact_accuracies(network, rng, training_sets=sets) for sets in (1, 1499, 1000)]
    assert_array_equal(many, np.concatenate(parts))


def test_summary_of_accuracies():
    found = margins.Margin.of(np.array([[0.5, 0.75], [0.25, 0.25], [0.75, 0.5]]))
    assert (found.naive_bayes, found.c45, found.margin) == (50, 50, 0)
    assert found.margin_error == pytest.approx(25 / np.sqrt(3))
    assert found.training_sets == 3


def test_targets_are_the_published_margins():
    assert margins.targets() == {1: 0, 2: 2.77, 3: 5.83, 4: 11.27}


def test_an_unknown_learner_is_refused():
    network = random_network(seed=1, attributes=2)
    with pytest.raises(ValueError, match="each of learners must be one of 'naive_bayes'"):
        margins.exact_accuracies(network, None, training_sets=1, learners=["c4.5"])
