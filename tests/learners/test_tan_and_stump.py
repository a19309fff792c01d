"""TAN, the decision stump and the linear machine: brute force in whole numbers, known limits."""

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

from replib.learners import (
    LEARNERS,
    TAN,
    DecisionStump,
    NaiveBayes,
    Table,
    correct_counts,
)
from replib.learners.scikit_learn import ScikitLearner, _OneHot
from replib.sources import random_network


@st.composite
def nominal_tables(draw, max_attributes=4, max_rows=14):
    """A small table of nominal attributes; values and classes may be absent."""
    cardinality = draw(st.lists(st.integers(1, 3), min_size=1, max_size=max_attributes))
    n_classes = draw(st.integers(1, 3))
    row = st.tuples(*(st.integers(0, k - 1) for k in cardinality), st.integers(0, n_classes - 1))
    rows = np.array(draw(st.lists(row, min_size=1, max_size=max_rows)))
    return Table.from_codes(rows[:, :-1].T, rows[:, -1], cardinality, n_classes)


# ---------------------------------------------------------------- TAN


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
    """600 copies of a column: no product of probabilities may fall to zero."""
    table = Table.from_codes([[0, 1, 0, 1, 1]] * 600, [0, 1, 0, 1, 0], [2] * 600, 2)
    found = TAN().fit_table(table, table.all_rows).predict_proba_table(table, table.all_rows)
    assert np.isfinite(found).all()
    assert_allclose(found.sum(axis=1), 1)


@given(nominal_tables(), st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(table, random):
    rows = table.all_rows
    shuffled = random.sample(rows.tolist(), len(rows))
    for learner in (TAN(), DecisionStump()):
        before = learner.fit_table(table, rows).predict_proba_table(table, rows)
        after = learner.fit_table(table, shuffled).predict_proba_table(table, rows)
        assert_array_equal(before, after)


def test_tan_refuses_numbers_and_missing_values():
    number = pd.DataFrame({"kind": pd.Categorical(["u", "v"]), "x": [1.0, 2.0]})
    with pytest.raises(ValueError, match="nominal attributes only, and 'x' is none"):
        TAN().fit(number, ["a", "b"])
    whole = number[["kind"]]
    missing = pd.DataFrame({"kind": pd.Categorical(["u", None], categories=["u", "v"])})
    with pytest.raises(ValueError, match="a value is missing"):
        TAN().fit(missing, ["a", "b"])
    with pytest.raises(ValueError, match="a value is missing"):
        TAN().fit(whole, ["a", "b"]).predict(missing)


# ---------------------------------------------------------------- the stump


def perplexity(branches):
    """2 to the power of rows times entropy within branches, as a fraction: prod n^n / prod k^k."""
    value = Fraction(1)
    for counts in branches:
        n = sum(counts)
        value *= Fraction(n**n, prod(k**k for k in counts))
    return value


def every_test(columns, nominal):
    """(attribute, split, which branch each row takes) of every test, in the order of preference."""
    for a, column in enumerate(columns):
        known = sorted({x for x in column if x is not None})
        splits = range(nominal[a]) if nominal[a] else [
            (low + high) / 2 for low, high in itertools.pairwise(known)
        ] or [float("-inf")]
        for split in splits:
            holds = (lambda x: x == split) if nominal[a] else (lambda x: x <= split)
            yield a, split, [2 if x is None else 0 if holds(x) else 1 for x in column]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 1, 2, None]), st.sampled_from([1.0, 2.0, 4.0, 8.0, None]),
            st.integers(0, 1), st.integers(0, 2),
        ),
        min_size=2, max_size=12,
    ).filter(lambda rows: len({row[-1] for row in rows}) > 1)
)
def test_no_test_leaves_less_entropy_than_the_stumps(rows):
    *columns, labels = zip(*rows)
    nominal = [3, 0, 2]
    X = pd.DataFrame({
        "a": pd.Categorical(columns[0], categories=[0, 1, 2]),
        "b": np.array(columns[1], dtype=float),
        "c": pd.Categorical(columns[2], categories=[0, 1]),
    })
    learner = DecisionStump().fit(X, pd.Series(pd.Categorical(labels, categories=[0, 1, 2])))

    def counts(branch_of):
        return [[sum(b == branch and label == c for b, label in zip(branch_of, labels))
                 for c in range(3)] for branch in range(3)]

    tests = [(a, split, counts(taken)) for a, split, taken in every_test(columns, nominal)]
    a, split, best = min(tests, key=lambda test: perplexity(test[2]))  # the first of equals
    assert (learner.attribute_, learner.split_) == ("abc"[a], split)
    assert learner.counts_.tolist() == best

    whole = [sum(label == c for label in labels) for c in range(3)]
    taken = next(t for b, s, t in every_test(columns, nominal) if (b, s) == (a, split))
    for branch, found in zip(taken, learner.predict_proba(X)):
        share = best[branch] if sum(best[branch]) else whole
        assert_allclose(found, [k / sum(share) for k in share], rtol=1e-15)


def test_an_empty_branch_has_the_shares_of_all_rows():
    X = pd.DataFrame({"kind": pd.Categorical(["u", "u", "v"], categories=["u", "v"])})
    learner = DecisionStump().fit(X, ["a", "b", "b"])
    missing = pd.DataFrame({"kind": pd.Categorical([None], categories=["u", "v"])})
    assert learner.predict_proba(missing).tolist() == [[1 / 3, 2 / 3]]


# ---------------------------------------------------------------- drawn data, all learners


def drawn(seed, n_rows=120):
    network = random_network(seed=seed, attributes=5, cardinality=3, arrows=4)
    labels, columns = network.sample(n_rows, np.random.default_rng(seed))
    return labels, columns


def test_a_table_of_codes_is_that_of_its_frame():
    labels, columns = drawn(3)
    X = pd.DataFrame({
        f"x{a}": pd.Categorical(column, categories=range(3)) for a, column in enumerate(columns)
    })
    y = pd.Series(pd.Categorical(labels, categories=[0, 1]))
    by_frame, by_codes = Table.from_frame(X, y), Table.from_codes(columns, labels, [3] * 5, 2)
    assert by_codes.attributes.names == by_frame.attributes.names
    assert_array_equal(by_codes.columns, by_frame.columns)
    assert_array_equal(by_codes.labels, by_frame.labels)
    folds = np.arange(len(labels)) % 4
    assert_array_equal(
        correct_counts(by_codes, folds, learners=[*LEARNERS]),
        correct_counts(by_frame, folds, learners=[*LEARNERS]),
    )
    transposed = Table.from_codes(np.asfortranarray(columns), labels, [3] * 5, 2)
    assert by_codes.columns.flags.c_contiguous and transposed.columns.flags.c_contiguous
    learner = TAN().fit_table(by_codes, by_codes.all_rows)
    assert_array_equal(learner.predict(X), learner.predict_table(by_codes, by_codes.all_rows))


@pytest.mark.parametrize(
    ("columns", "labels", "cardinality", "sentence"),
    [
        ([[0, 1]], [0, 1, 1], [2], "must have shape"),
        ([[0, 1]], [0, 1], [2, 2], "must have shape"),
        ([[]], [], [2], "must have shape"),
        ([[0, 2]], [0, 1], [2], "whole numbers from 0"),
        ([[0, -1]], [0, 1], [2], "whole numbers from 0"),
        ([[0, 1]], [0, 2], [2], "whole numbers from 0"),
        ([[0.0, 1.0]], [0, 1], [2], "whole numbers from 0"),
    ],
)
def test_codes_are_refused(columns, labels, cardinality, sentence):
    with pytest.raises(ValueError, match=sentence):
        Table.from_codes(columns, labels, cardinality, 2)


def test_the_linear_machine_is_scikit_learns_on_one_hot_values():
    labels, columns = drawn(4)
    table = Table.from_codes(columns, labels, [3] * 5, 2)
    train, test = table.all_rows[:80], table.all_rows[80:]
    learner = LEARNERS["linear_svm"]().fit_table(table, train)
    by_hand = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LinearSVC(random_state=0))
    by_hand.fit(columns[:, train].T, labels[train])
    assert_allclose(
        learner.pipeline_[-1].coef_, by_hand[-1].coef_, rtol=0, atol=1e-3  # liblinear's own
    )
    assert_array_equal(
        learner.predict_table(table, test), by_hand.predict(columns[:, test].T)
    )


@given(
    st.lists(
        st.tuples(*[st.sampled_from([0.0, 1.0, 3.0, np.nan])] * 2), min_size=2, max_size=12
    )
)
def test_one_hot_values_are_those_of_scikit_learn(rows):
    rows = np.array(rows)
    train, new = rows[: len(rows) // 2], rows
    theirs = make_pipeline(
        SimpleImputer(strategy="most_frequent", keep_empty_features=True),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    assert_array_equal(
        _OneHot().fit(train).transform(new), theirs.fit(train).transform(new)
    )


def test_one_class_in_training_is_all_that_is_predicted():
    """Not so by naive Bayes and TAN: rare values may speak for a class that was never seen."""
    labels, columns = drawn(6)
    table = Table.from_codes(columns, labels, [3] * 5, 2)
    for name in ("c45", "nearest_neighbour", "decision_stump", "linear_svm"):
        learner = LEARNERS[name]().fit_table(table, np.flatnonzero(labels == 1))
        assert (learner.predict_table(table, table.all_rows) == 1).all()


def test_learners_of_scikit_learn_are_deterministic():
    labels, columns = drawn(5)
    table = Table.from_codes(columns, labels, [3] * 5, 2)
    first, second = (
        ScikitLearner("LinearSVC").fit_table(table, table.all_rows).pipeline_[-1].coef_
        for _ in range(2)
    )
    assert_array_equal(first, second)
