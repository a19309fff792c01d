"""TAN: brute force in whole numbers, known limits."""

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nominal_data import nominal_tables
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils import get_tags

from companion.lab.learners import TAN, NaiveBayes, Table


def likelihood_of_tree(table, edges):
    """Product over the links of prod_xyc (n_xyc n_c / (n_xc n_yc))^n_xyc, as a fraction: the
    logarithm is n times the sum of the mutual informations."""
    columns, labels = table.columns.astype(int), table.labels
    value = Fraction(1)
    for a, b in edges:
        for x, y, c in set(zip(columns[a], columns[b], labels)):
            of_class = labels == c
            n_xyc = int((of_class & (columns[a] == x) & (columns[b] == y)).sum())
            n_xc = int((of_class & (columns[a] == x)).sum())
            n_yc = int((of_class & (columns[b] == y)).sum())
            value *= Fraction(n_xyc * int(of_class.sum()), n_xc * n_yc) ** n_xyc
    return value


def spanning_trees(n):
    """Every set of n - 1 links that joins n attributes."""
    for edges in itertools.combinations(itertools.combinations(range(n), 2), n - 1):
        joined = {0}
        for _ in range(n):
            joined |= {node for edge in edges if joined & {*edge} for node in edge}
        if len(joined) == n:
            yield edges


def links(learner):
    names = learner.feature_names_in_.tolist()
    return [(names.index(b), a) for a, b in enumerate(learner.parent_.values()) if b is not None]


def test_there_are_as_many_trees_as_cayley_counted():
    assert [sum(1 for _ in spanning_trees(n)) for n in range(1, 6)] == [1, 1, 3, 16, 125]


@given(nominal_tables())
def test_no_tree_holds_more_information_than_tans(table):
    found = links(TAN().fit_table(table, table.all_rows))
    best = max(
        likelihood_of_tree(table, edges) for edges in spanning_trees(len(table.columns))
    )
    assert likelihood_of_tree(table, found) == best


@given(nominal_tables())
def test_tan_is_rooted_at_the_first_attribute(table):
    parent = TAN().fit_table(table, table.all_rows).parent_
    names = table.attributes.names
    assert [name for name in names if parent[name] is None] == [names[0]]
    for name in names:
        seen = set()
        while name is not None:
            assert name not in seen
            seen.add(name)
            name = parent[name]


@given(nominal_tables())
def test_tan_multiplies_relative_frequencies_after_half_a_count(table):
    learner = TAN().fit_table(table, table.all_rows)
    columns, labels = table.columns.astype(int), table.labels
    cardinality, n_classes = table.attributes.cardinality.tolist(), len(table.classes)
    above = {child: parent for parent, child in links(learner)}
    half = Fraction(1, 2)
    for row in range(table.n_rows):
        joint = []
        for c in range(n_classes):
            of_class = labels == c
            p = (int(of_class.sum()) + half) / (table.n_rows + half * n_classes)
            for a, k in enumerate(cardinality):
                alike = of_class
                if a in above:
                    alike = of_class & (columns[above[a]] == columns[above[a], row])
                n_both = int((alike & (columns[a] == columns[a, row])).sum())
                p *= (n_both + half) / (int(alike.sum()) + half * k)
            joint.append(p)
        found = learner.predict_proba_table(table, [row])[0]
        assert_allclose(found, [float(p / sum(joint)) for p in joint], rtol=1e-12)


@given(nominal_tables())
def test_tans_tables_are_distributions(table):
    learner = TAN().fit_table(table, table.all_rows)
    assert learner.prior_.sum() == pytest.approx(1)
    for name, conditional in learner.conditional_.items():
        parent = learner.parent_[name]
        names, cardinality = table.attributes.names, table.attributes.cardinality
        n_above = 1 if parent is None else cardinality[names.index(parent)]
        assert conditional.shape == (n_above, cardinality[names.index(name)], len(table.classes))
        assert_allclose(conditional.sum(axis=1), 1)


def test_tan_becomes_a_source_of_its_own_structure():
    """A class and four attributes, 0 - 2, 2 - 1, 2 - 3, all probabilities in eighths: a table
    that holds each combination exactly as often as expected, then eight times that table."""
    eighths = {0: [[3], [6]], 2: [[1, 6], [7, 3]], 1: [[2, 7], [5, 1]], 3: [[6, 2], [3, 5]]}
    above = {1: 2, 2: 0, 3: 2}
    grid = np.array([*itertools.product((0, 1), repeat=4)])
    weight = np.empty((2, 16), dtype=int)  # in 8^4
    for c, i in np.ndindex(weight.shape):
        values = grid[i]
        shares = (eighths[a][c][values[above[a]] if a in above else 0] for a in range(4))
        weight[c, i] = prod(p if x else 8 - p for p, x in zip(shares, values))
    assert weight.sum(axis=1).tolist() == [8**4, 8**4]
    truth = (weight / weight.sum(axis=0)).T

    def distance(copies):
        rows = np.repeat(np.tile(np.arange(16), 2), copies * weight.ravel())
        labels = np.repeat([0, 1], copies * weight.sum(axis=1))
        table = Table.from_codes(grid[rows].T, labels, [2] * 4, 2)
        learner = TAN().fit_table(table, table.all_rows)
        assert {*map(frozenset, links(learner))} == {
            frozenset(link) for link in ((0, 2), (2, 1), (2, 3))
        }
        first = [int(np.argmax(rows == i)) for i in range(16)]
        return abs(learner.predict_proba_table(table, first) - truth).max()

    near, nearer = distance(1), distance(8)
    # only the half counts stand between: they weigh an eighth
    assert near < 0.01
    assert nearer == pytest.approx(near / 8, rel=0.05)


def test_tan_without_links_is_naive_bayes_but_for_the_pseudo_counts():
    """In the one class every combination occurs once, in the other its first two values with a
    third that is 0: no link holds information, and a parent's value changes no frequency."""
    grid = np.array([*itertools.product((0, 1), repeat=3)])
    columns = np.concatenate([grid, grid * [1, 1, 0]]).T
    table = Table.from_codes(columns, np.repeat([0, 1], 8), [2] * 3, 2)
    predicted = [
        learner.fit_table(table, table.all_rows).predict_table(table, table.all_rows)
        for learner in (TAN(), NaiveBayes())
    ]
    assert_array_equal(*predicted)


def test_tan_keeps_probabilities_of_very_many_attributes():
    """No product may vanish, though 600 columns at random make rows less likely than 1e-150."""
    columns = np.random.default_rng(3).integers(0, 3, size=(600, 40))
    table = Table.from_codes(columns, np.arange(40) % 2, [3] * 600, 2)
    found = TAN().fit_table(table, table.all_rows).predict_proba_table(table, table.all_rows)
    assert np.isfinite(found).all()
    assert_allclose(found.sum(axis=1), 1)


@given(nominal_tables(), st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(table, random):
    rows = table.all_rows
    shuffled = random.sample(rows.tolist(), len(rows))
    before = TAN().fit_table(table, rows).predict_proba_table(table, rows)
    after = TAN().fit_table(table, shuffled).predict_proba_table(table, rows)
    assert_array_equal(before, after)


def test_tan_refuses_numbers_and_missing_values():
    assert not get_tags(TAN()).input_tags.allow_nan
    number = pd.DataFrame({"kind": pd.Categorical(["u", "v"]), "x": [1.0, 2.0]})
    with pytest.raises(ValueError, match="nominal attributes only, and 'x' is none"):
        TAN().fit(number, ["a", "b"])
    whole = number[["kind"]]
    missing = pd.DataFrame({"kind": pd.Categorical(["u", None], categories=["u", "v"])})
    with pytest.raises(ValueError, match="a value is missing"):
        TAN().fit(missing, ["a", "b"])
    with pytest.raises(ValueError, match="a value is missing"):
        TAN().fit(whole, ["a", "b"]).predict(missing)
