"""TAN: brute force in whole numbers, known limits."""

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from nominal_data import nominal_tables
from numpy.testing import assert_allclose
from sklearn.utils import get_tags

from companion.lab.learners import TAN, Table


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
    return [
        (names.index(b), a)
        for a, b in enumerate(learner.parent_.values())
        if b is not None
    ]


@given(nominal_tables())
def test_no_tree_holds_more_information_than_tans(table):
    found = links(TAN().fit_table(table, table.all_rows))
    best = max(
        likelihood_of_tree(table, edges) for edges in spanning_trees(len(table.columns))
    )
    assert likelihood_of_tree(table, found) == best


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


def test_tan_keeps_probabilities_of_very_many_attributes():
    """No product may vanish, though 600 columns at random make rows less likely than 1e-150."""
    columns = np.random.default_rng(3).integers(0, 3, size=(600, 40))
    table = Table.from_codes(columns, np.arange(40) % 2, [3] * 600, 2)
    found = (
        TAN()
        .fit_table(table, table.all_rows)
        .predict_proba_table(table, table.all_rows)
    )
    assert np.isfinite(found).all()
    assert_allclose(found.sum(axis=1), 1)


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
