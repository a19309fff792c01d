"""Bayesian networks: exact quantities against enumeration, samples against exact quantities."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from some_networks import MIXED, RARE, by_enumeration, some_network

from companion.lab.learners.table import Table
from companion.lab.sources import BayesianNetwork, random_network

# ---------------------------------------------------------------- exact quantities


@given(some_network())
def test_joint_is_the_product_of_the_tables_in_the_order_of_the_grid(network):
    joint, grid = network.joint(), network.grid()
    assert grid.shape == (network.n_attributes, len(network.joint()))
    for (label, *values), p in by_enumeration(network).items():
        (place,) = np.flatnonzero((grid == np.array(values)[:, None]).all(axis=0))
        assert joint[place, label] == pytest.approx(p, rel=1e-13)


@given(some_network(), st.integers(0, 2**32))
def test_no_classifier_beats_the_bayes_optimal_one(network, seed):
    predicted = np.random.default_rng(seed).integers(
        network.n_classes, size=(3, 5, len(network.joint()))
    )
    accuracy = network.expected_accuracy(predicted)
    assert accuracy.shape == (3, 5)
    assert (accuracy <= network.bayes_accuracy + 1e-12).all()
    best = network.joint().argmax(axis=1)
    assert network.expected_accuracy(best) == pytest.approx(
        network.bayes_accuracy, abs=1e-12
    )


@given(some_network())
def test_with_other_class_probabilities_attributes_given_the_class_stay(network):
    k = network.n_classes
    changed = network.with_class_probabilities([1 / k] * k)
    assert_allclose(changed.joint().sum(axis=0), 1 / k, rtol=1e-12)
    assert_allclose(
        changed.joint() * k, network.joint() / network.class_probabilities, rtol=1e-12
    )


# ---------------------------------------------------------------- sampling


def test_sampled_frequencies_are_the_joint_distribution():
    """An arrow that is ignored, or one draw of a hundred that is uniform, is always found."""
    n = 100_000
    labels, columns = MIXED.sample(n, np.random.default_rng(1))
    place = np.ravel_multi_index(tuple(columns), MIXED.cardinality[1:])
    seen = np.bincount(place * MIXED.n_classes + labels, minlength=MIXED.joint().size)
    expected = n * MIXED.joint().ravel()
    rest = expected < 5  # too rare for the approximation: pooled
    seen = [*seen[~rest], seen[rest].sum()]
    expected = [*expected[~rest], expected[rest].sum()]
    assert stats.chisquare(seen, expected).pvalue > RARE


def test_expected_accuracy_is_that_of_a_large_test_set():
    """An accuracy off by 0.9 points is found with probability 0.9."""
    n = 100_000
    labels, columns = MIXED.sample(n, np.random.default_rng(2))
    place = np.ravel_multi_index(tuple(columns), MIXED.cardinality[1:])
    predicted = np.random.default_rng(3).integers(3, size=len(MIXED.joint()))
    hits = int((predicted[place] == labels).sum())
    assert stats.binomtest(hits, n, MIXED.expected_accuracy(predicted)).pvalue > RARE


def test_frame_declares_all_values_and_packs_to_the_same_numbers():
    labels, columns = MIXED.sample(50, np.random.default_rng(6))
    table = Table.from_frame(*MIXED.frame(labels, columns))
    assert_array_equal(table.columns, columns)
    assert_array_equal(table.labels, labels)
    assert table.classes.tolist() == [0, 1, 2]
    assert table.attributes.names == ("x1", "x2", "x3", "x4")
    assert table.attributes.cardinality.tolist() == [3, 2, 4, 2]


# ---------------------------------------------------------------- plain data


@given(some_network())
def test_json_keeps_every_bit(network):
    back = BayesianNetwork.from_dict(json.loads(json.dumps(network.to_dict())))
    assert back.parents == network.parents
    for table, copy in zip(network.tables, back.tables, strict=True):
        assert_array_equal(table, copy)


# ---------------------------------------------------------------- bad input


FAIR = [0.5, 0.5]


@pytest.mark.parametrize(
    ("parents", "tables", "message"),
    [
        ([(), ()], [FAIR], "one attribute or more"),
        ([()], [FAIR], "one attribute or more"),
        ([(1,), ()], [[FAIR, FAIR], FAIR], "a class without parents"),
        (
            [(), (1,)],
            [FAIR, [FAIR, FAIR]],
            "parents of variable 1 .* from 0 to 0, not \\(1,\\)",
        ),
        (
            [(), (0,), (1, 0)],
            [FAIR, [FAIR, FAIR], FAIR],
            "parents of variable 2 must be ascending",
        ),
        (
            [(), (0,)],
            [FAIR, FAIR],
            r"variable 1 must have shape \(2, 2 to 127\), not \(2,\)",
        ),
        ([(), ()], [FAIR, [1.0]], r"shape \(2 to 127\), not \(1,\)"),
        ([(), ()], [FAIR, np.full(128, 1 / 128)], r"shape \(2 to 127\), not \(128,\)"),
        (
            [(), ()],
            [FAIR, [0.5, 0.6]],
            "table of variable 1 must hold probabilities that sum to one",
        ),
        ([(), ()], [FAIR, [-0.5, 1.5]], "must hold probabilities"),
        ([(), ()], [FAIR, [np.nan, 0.5]], "must hold probabilities"),
    ],
)
def test_a_wrong_network_is_refused(parents, tables, message):
    with pytest.raises(ValueError, match=message):
        BayesianNetwork(parents, tables)


def test_a_network_that_is_too_large_is_not_enumerated():
    with pytest.raises(ValueError, match="2147483648 cells; at most 4194304"):
        random_network(seed=1, attributes=30).joint()
