"""Random networks: their shape is as asked for, their priors are as said."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from some_networks import RARE

from companion.lab.sources import random_network


@given(st.integers(0, 2**32), st.integers(1, 10), st.integers(0, 9), st.data())
def test_augmented_naive_bayes(seed, attributes, max_parents, data):
    most = sum(min(before, max_parents) for before in range(attributes))
    arrows = data.draw(st.integers(0, most))
    network = random_network(
        seed=seed, attributes=attributes, arrows=arrows, max_parents=max_parents
    )
    assert len(network.arrows()) == arrows
    assert all(above[0] == 0 for above in network.parents[1:])
    assert max(map(len, network.parents)) <= 1 + max_parents
    assert network.class_probabilities.tolist() == [0.5, 0.5]


def test_independent_attributes_give_any_classifier_the_class_probability():
    network = random_network(seed=7)
    assert network.arrows() == [] and network.parents == ((),) * 11
    predicted = np.random.default_rng(8).integers(2, size=(20, 1024))
    assert_allclose(network.expected_accuracy(predicted), 0.5, rtol=0, atol=1e-15)
    # the same number, not only nearly: a difference of two classifiers is zero
    assert len(set(network.expected_accuracy(predicted))) == 1
    assert len({table[0] for table in network.tables[1:]}) == 10


def test_prior_of_the_arrows():
    """All sets of arrows of a size are equally likely, and so are all sizes of a range.

    A set that is twice as likely as each other is found with probability 0.998;
    binomial sizes, or sizes by their number of sets, are always found.
    """
    drawn = [
        random_network(seed=9, stream=(i,), attributes=4, arrows=2) for i in range(1500)
    ]
    seen = Counter(frozenset(network.arrows()) for network in drawn)
    possible = list(map(frozenset, combinations(combinations(range(1, 5), 2), 2)))
    assert stats.chisquare([seen[arrows] for arrows in possible]).pvalue > RARE
    assert sum(seen[arrows] for arrows in possible) == len(drawn)

    drawn = [
        random_network(seed=10, stream=(i,), attributes=4, arrows=[1, 6])
        for i in range(600)
    ]
    seen = Counter(len(network.arrows()) for network in drawn)
    assert sorted(seen) == [1, 2, 3, 4, 5, 6]
    assert stats.chisquare(list(seen.values())).pvalue > RARE


@pytest.mark.parametrize("concentration", [0.5, 1.0, 3.0])
def test_prior_of_the_tables(concentration):
    """A coordinate of a symmetric Dirichlet vector of k has a beta distribution.

    A concentration of half or twice as much is found with probability 0.92 or more.
    """
    network = random_network(
        seed=11, attributes=6, cardinality=3, arrows=15, concentration=concentration
    )
    entries = np.concatenate([table[..., 0].ravel() for table in network.tables[1:]])
    assert len(entries) == 2 * sum(3**i for i in range(6))
    beta = stats.beta(concentration, 2 * concentration)
    assert stats.kstest(entries, beta.cdf).pvalue > RARE


def test_seed_and_stream_decide():
    def table(**stream):
        return random_network(attributes=2, arrows=1, **stream).tables[2].tolist()

    assert table(seed=1, stream=(2, 3)) == table(seed=1, stream=[2, 3])
    others = [
        {"seed": 1},
        {"seed": 2},
        {"seed": 1, "stream": (2,)},
        {"seed": 1, "stream": (2, 3)},
    ]
    assert len({str(table(**other)) for other in others}) == 4


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"class_probabilities": [0.5, 0.6]}, "variable 0 must hold probabilities"),
        ({"arrows": 46}, "room for 0 to 45 arrows, not for 46"),
        ({"arrows": [5, 4]}, r"not for \[5, 4\]"),
        (
            {"arrows": 25, "max_parents": 3},
            "at most 3 parents there is room for 0 to 24 arrows",
        ),
    ],
)
def test_a_wrong_wish_for_a_random_network_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        random_network(**{"seed": 1, **wrong})
