"""Bayesian networks: exact quantities against enumeration, samples against exact quantities."""

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from replib.book.pictures import networks as pictures
from replib.book.pictures import show
from replib.learners.table import Table
from replib.papers import networks
from replib.papers.networks import search as margins
from replib.sources import BayesianNetwork, random_network, sample_into

# Below this probability under the hypothesis that the code is right, a statistical test fails.  The
# seeds are fixed: a right code fails at one seed in a hundred thousand, and then always.
RARE = 1e-5

MIXED = random_network(
    seed=5, attributes=4, cardinality=[3, 2, 4, 2], class_probabilities=[0.2, 0.5, 0.3], arrows=4
)


@st.composite
def some_network(draw):
    attributes = draw(st.integers(1, 4))
    most = attributes * (attributes - 1) // 2
    weights = draw(st.lists(st.integers(1, 9), min_size=2, max_size=3))
    return random_network(
        seed=draw(st.integers(0, 2**32)), attributes=attributes,
        cardinality=draw(st.lists(st.integers(2, 4), min_size=attributes, max_size=attributes)),
        class_probabilities=[weight / sum(weights) for weight in weights],
        arrows=draw(st.none() | st.integers(0, most)),
        concentration=draw(st.sampled_from([0.1, 1.0, 5.0])),
    )


def probability(network, values):
    """Of one value of every variable, the class first: the product that defines a network."""
    p = 1.0
    for v, (above, table) in enumerate(zip(network.parents, network.tables)):
        p *= table[(*(values[u] for u in above), values[v])]
    return p


def by_enumeration(network):
    every = product(*(range(k) for k in network.cardinality))
    return {values: probability(network, values) for values in every}


# ---------------------------------------------------------------- exact quantities


@given(some_network())
def test_joint_is_the_product_of_the_tables_in_the_order_of_the_grid(network):
    joint, grid = network.joint(), network.grid()
    assert grid.shape == (network.n_attributes, network.n_combinations)
    for (label, *values), p in by_enumeration(network).items():
        (place,) = np.flatnonzero((grid == np.array(values)[:, None]).all(axis=0))
        assert joint[place, label] == pytest.approx(p, rel=1e-13)


def test_exact_in_fractions():
    """P(class) = 1/4, 3/4; x1 and x2 copy the class with probability 7/8 and 5/8."""
    p, q, r = Fraction(1, 4), Fraction(7, 8), Fraction(5, 8)

    def copies(x):
        return [[float(x), float(1 - x)], [float(1 - x), float(x)]]

    network = BayesianNetwork([(), (0,), (0,)], [[p, 1 - p], copies(q), copies(r)])
    of_class = [[p * a * b for a in (q, 1 - q) for b in (r, 1 - r)],
                [(1 - p) * a * b for a in (1 - q, q) for b in (1 - r, r)]]
    assert_array_equal(network.joint(), np.array(of_class, dtype=float).T)
    every = list(product((0, 1), repeat=4))
    exact = [sum(of_class[c][i] for i, c in enumerate(classifier)) for classifier in every]
    assert_array_equal(network.expected_accuracy(every), np.array(exact, dtype=float))
    assert network.bayes_accuracy == float(max(exact))


@given(some_network(), st.integers(0, 2**32))
def test_no_classifier_beats_the_bayes_optimal_one(network, seed):
    predicted = np.random.default_rng(seed).integers(
        network.n_classes, size=(3, 5, network.n_combinations)
    )
    accuracy = network.expected_accuracy(predicted)
    assert accuracy.shape == (3, 5)
    assert (accuracy <= network.bayes_accuracy + 1e-12).all()
    best = network.joint().argmax(axis=1)
    assert network.expected_accuracy(best) == pytest.approx(network.bayes_accuracy, abs=1e-12)


@given(some_network())
def test_with_other_class_probabilities_attributes_given_the_class_stay(network):
    k = network.n_classes
    changed = network.with_class_probabilities([1 / k] * k)
    assert_allclose(changed.joint().sum(axis=0), 1 / k, rtol=1e-12)
    assert_allclose(
        changed.joint() * k, network.joint() / network.class_probabilities, rtol=1e-12
    )


def entropy(network, variables):
    share = Counter()
    for values, p in by_enumeration(network).items():
        share[tuple(values[v] for v in variables)] += p
    return -sum(p * log2(p) for p in share.values() if p > 0)


def test_strength_of_an_arrow_is_a_difference_of_entropies():
    strengths = MIXED.strengths()
    assert len(strengths) == 4 + len(MIXED.arrows())
    for row in strengths.itertuples():
        given_ = [u for u in MIXED.parents[row.child] if u != row.parent]
        expected = (
            entropy(MIXED, [row.parent, *given_]) + entropy(MIXED, [row.child, *given_])
            - entropy(MIXED, [row.parent, row.child, *given_]) - entropy(MIXED, given_)
        )
        assert row.bits == pytest.approx(expected, abs=1e-12)
        assert row.bits > 0


def test_an_arrow_that_says_nothing_has_no_strength():
    """The child's table is the same for both values of attribute 1."""
    same = [[[0.3, 0.7], [0.3, 0.7]], [[0.6, 0.4], [0.6, 0.4]]]
    network = BayesianNetwork([(), (0,), (0, 1)], [[0.5, 0.5], [[0.2, 0.8], [0.9, 0.1]], same])
    bits = network.strengths().set_index(["parent", "child"])["bits"]
    assert bits[1, 2] == pytest.approx(0, abs=1e-15)
    assert bits[0, 2] > 0.03


# ---------------------------------------------------------------- sampling


@given(some_network(), st.integers(0, 2**32), st.integers(1, 40))
def test_sample_is_ancestral_sampling_with_the_same_uniform_numbers(network, seed, n):
    labels, columns = network.sample(n, np.random.default_rng(seed))
    uniform = np.random.default_rng(seed).random((n, 1 + network.n_attributes))
    for row, u in enumerate(uniform):
        values = []
        for v, (above, table) in enumerate(zip(network.parents, network.tables)):
            limits = np.cumsum(table[tuple(values[parent] for parent in above)])
            values.append(int(np.searchsorted(limits[:-1] / limits[-1], u[v], side="right")))
        assert [labels[row], *columns[:, row]] == values
    shorter, fewer = network.sample((n + 1) // 2, np.random.default_rng(seed))
    assert_array_equal(labels[: len(shorter)], shorter)
    assert_array_equal(columns[:, : len(shorter)], fewer)


def test_sampled_frequencies_are_the_joint_distribution():
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
    n = 100_000
    labels, columns = MIXED.sample(n, np.random.default_rng(2))
    place = np.ravel_multi_index(tuple(columns), MIXED.cardinality[1:])
    predicted = np.random.default_rng(3).integers(3, size=MIXED.n_combinations)
    hits = int((predicted[place] == labels).sum())
    assert stats.binomtest(hits, n, MIXED.expected_accuracy(predicted)).pvalue > RARE


def test_an_impossible_value_is_not_drawn_even_at_the_largest_number_below_one():
    row = [0.1] * 10 + [0.0]
    assert np.cumsum(row)[-1] < 1  # by rounding, which must not leave room for the last value
    network = BayesianNetwork([(), ()], [[0.5, 0.5], row])
    largest = type("Largest", (), {"random": lambda self: np.nextafter(1, 0)})()
    labels, columns = np.empty(1, dtype=int), np.empty((1, 1), dtype=int)
    sample_into.py_func(largest, network.flat, labels, columns)
    assert columns[0, 0] == 9


def test_frame_declares_all_values_and_packs_to_the_same_numbers():
    labels, columns = MIXED.sample(50, np.random.default_rng(6))
    table = Table.from_frame(*MIXED.frame(labels, columns))
    assert_array_equal(table.columns, columns)
    assert_array_equal(table.labels, labels)
    assert table.classes.tolist() == [0, 1, 2]
    assert table.attributes.names == ("x1", "x2", "x3", "x4")
    assert table.attributes.cardinality.tolist() == [3, 2, 4, 2]


# ---------------------------------------------------------------- random networks


@given(some_network())
def test_json_keeps_every_bit(network):
    back = BayesianNetwork.from_dict(json.loads(json.dumps(network.to_dict())))
    assert back.parents == network.parents
    for table, copy in zip(network.tables, back.tables, strict=True):
        assert_array_equal(table, copy)


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
    """All sets of arrows of a size are equally likely, and so are all sizes of a range."""
    drawn = [random_network(seed=9, stream=(i,), attributes=4, arrows=2) for i in range(1500)]
    seen = Counter(frozenset(network.arrows()) for network in drawn)
    possible = list(map(frozenset, combinations(combinations(range(1, 5), 2), 2)))
    assert stats.chisquare([seen[arrows] for arrows in possible]).pvalue > RARE
    assert sum(seen[arrows] for arrows in possible) == len(drawn)

    drawn = [random_network(seed=10, stream=(i,), attributes=4, arrows=[1, 6]) for i in range(600)]
    seen = Counter(len(network.arrows()) for network in drawn)
    assert sorted(seen) == [1, 2, 3, 4, 5, 6]
    assert stats.chisquare(list(seen.values())).pvalue > RARE


@pytest.mark.parametrize("concentration", [0.5, 1.0, 3.0])
def test_prior_of_the_tables(concentration):
    """A coordinate of a symmetric Dirichlet vector of k has a beta distribution."""
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
    others = [{"seed": 1}, {"seed": 2}, {"seed": 1, "stream": (2,)}, {"seed": 1, "stream": (2, 3)}]
    assert len({str(table(**other)) for other in others}) == 4


# ---------------------------------------------------------------- bad input


FAIR = [0.5, 0.5]


@pytest.mark.parametrize(("parents", "tables", "message"), [
    ([(), ()], [FAIR], "2 variables but 1 tables"),
    ([()], [FAIR], "at least one attribute"),
    ([(1,), ()], [[FAIR, FAIR], FAIR], "variable 0 is the class and has no parents"),
    ([(), (1,)], [FAIR, [FAIR, FAIR]], "parents of variable 1 .* from 0 to 0, not \\[1\\]"),
    ([(), (0,), (1, 0)], [FAIR, [FAIR, FAIR], FAIR], "parents of variable 2 must be ascending"),
    ([(), (0,)], [FAIR, FAIR], r"variable 1 must have shape \(2, its cardinality\), not \(2,\)"),
    ([(), ()], [FAIR, [1.0]], "variable 1 has 1"),
    ([(), ()], [FAIR, [0.5, 0.6]], "table of variable 1 must hold probabilities that sum to one"),
    ([(), ()], [FAIR, [-0.5, 1.5]], "must hold probabilities"),
    ([(), ()], [FAIR, [np.nan, 0.5]], "must hold probabilities"),
])
def test_a_wrong_network_is_refused(parents, tables, message):
    with pytest.raises(ValueError, match=message):
        BayesianNetwork(parents, tables)


@pytest.mark.parametrize(("wrong", "message"), [
    ({"attributes": 0}, "attributes must be a whole number from 1 to 1000, not 0"),
    ({"cardinality": [2, 3]}, "cardinality must be one number or 10"),
    ({"cardinality": 1}, "cardinality must be whole numbers from 2 to 127, not 1"),
    ({"concentration": 0}, "concentration must be one positive number, not 0"),
    ({"class_probabilities": [0.5, 0.6]}, "variable 0 must hold probabilities"),
    ({"arrows": 46}, "room for 0 to 45 arrows, not for 46"),
    ({"arrows": [5, 4]}, r"not for \[5, 4\]"),
    ({"arrows": 25, "max_parents": 3}, "at most 3 parents there is room for 0 to 24 arrows"),
])
def test_a_wrong_wish_for_a_random_network_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        random_network(**{"seed": 1, **wrong})


def test_wrong_arguments_of_methods_are_refused():
    with pytest.raises(ValueError, match="n must be a whole number from 1 to .*, not 0"):
        MIXED.sample(0, np.random.default_rng(0))
    with pytest.raises(ValueError, match="48 entries along its last axis"):
        MIXED.expected_accuracy([0, 1, 2])
    with pytest.raises(ValueError, match="classes from 0 to 2"):
        MIXED.expected_accuracy(np.full(48, 3))
    with pytest.raises(ValueError, match="probabilities must be a list of 3 numbers, one a class"):
        MIXED.with_class_probabilities([0.5, 0.5])
    with pytest.raises(ValueError, match="2147483648 cells; at most 4194304"):
        random_network(seed=1, attributes=30).joint()


# ---------------------------------------------------------------- the committed networks


@pytest.mark.parametrize("name", networks.names())
def test_committed_network_is_drawn_again_from_its_seed_and_number(name):
    row, network = networks.table().loc[name], networks.load(name)
    again = margins.candidate(int(row["source"]), int(row["candidate"]))
    assert network.parents == again.parents
    for table, redrawn in zip(network.tables, again.tables, strict=True):
        assert_array_equal(table, redrawn)


def test_there_are_ten_different_networks_a_source():
    table = networks.table()
    assert table["source"].value_counts().to_dict() == {1: 10, 2: 10, 3: 10, 4: 10}
    assert not table.duplicated(["source", "candidate"]).any()
    assert (table.loc[networks.names(1), "arrows"] == 0).all()
    for name in networks.names():
        network = networks.load(name)
        assert network.cardinality == (2,) * 11
        assert network.class_probabilities.tolist() == [0.5, 0.5]


def test_a_source_is_plain_data():
    assert networks.source("source3.1") is networks.load("source3.1")
    spec = {"seed": 3, "arrows": 4, "cardinality": [2, 3], "attributes": 2, "stream": [1]}
    with pytest.raises(ValueError, match="room for 0 to 1 arrows"):
        networks.source(spec)
    drawn = networks.source(json.loads(json.dumps({**spec, "arrows": 1})))
    assert drawn.parents == ((), (0,), (0, 1)) and drawn.cardinality == (2, 2, 3)
    given_ = {"network": "source3.1", "class_probabilities": [0.3, 0.7]}
    stored = networks.load("source3.1")
    assert networks.source(given_).tables[2].tolist() == stored.tables[2].tolist()


@pytest.mark.parametrize(("call", "message"), [
    (lambda: networks.load("source5.0"), "no network 'source5.0'; there are source1.0, source1.1"),
    (lambda: networks.names(5), "source must be one of 1, 2, 3, 4, not 5"),
    (lambda: networks.source({"network": "source2.0", "arrows": 3}), "not arrows"),
])
def test_unknown_sources_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# ---------------------------------------------------------------- pictures


def test_picture_has_every_arrow_and_the_strongest_is_the_widest():
    fig = pictures.network(MIXED)
    patches = fig.axes[0].patches
    assert len(patches) == len(MIXED.strengths())
    widths = [patch.get_linewidth() for patch in patches]
    assert widths == sorted(widths) and widths[0] < widths[-1]
    svg = show(fig, alt="a network")._repr_html_()
    assert "var(--replib-blue" in svg and "currentColor" in svg


def test_small_multiples_have_a_panel_a_network():
    fig = pictures.small_multiples({f"network {i}": MIXED for i in range(3)})
    titles = [ax.get_title(loc="left") for ax in fig.axes]
    assert titles == ["network 0", "network 1", "network 2", ""]
    assert len({ax.get_ylim() for ax in fig.axes[:3]}) == 1
