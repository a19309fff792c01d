"""Learners on bit sets: the same trees, products and counts as the plain ones, to the last bit."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from companion.lab.experiments.splits import stratified_folds
from companion.lab.learners import C45, Attributes, NaiveBayes, Table, cross_validation, packed
from companion.lab.learners.kernels.c45 import LEAF

OPTIONS = [
    {}, {"prune": False}, {"min_leaf": 1}, {"confidence": 0.5}, {"confidence": 0.01, "min_leaf": 5},
]


class Data(NamedTuple):
    columns: np.ndarray
    labels: np.ndarray
    cardinality: np.ndarray
    n_classes: int

    @property
    def packed(self):
        return packed.pack(*self)

    @property
    def plain(self):
        """The table of the plain learners, also if only one class occurs."""
        attributes = Attributes.of(pd.DataFrame({
            a: pd.Categorical.from_codes([], categories=range(n_values))
            for a, n_values in enumerate(self.cardinality)
        }))
        return Table(
            attributes, np.arange(self.n_classes), self.columns.astype(float), self.labels.copy()
        )


def random_data(rng, n_rows, cardinality, n_classes, *, dependence):
    """Labels that depend on two attributes in a share of the rows; some values never occur."""
    cardinality = np.asarray(cardinality)
    occurring = rng.integers(1, cardinality + 1)
    columns = rng.integers(occurring[:, None], size=(len(cardinality), n_rows))
    one, other = rng.integers(len(cardinality), size=2)
    labels = np.where(
        rng.random(n_rows) < dependence, (columns[one] + columns[other]) % n_classes,
        rng.integers(n_classes, size=n_rows),
    )
    return Data(columns, labels, cardinality, n_classes)


def random_rows(rng, n_rows):
    """At least one row."""
    mask = rng.random(n_rows) < rng.choice([0.1, 0.5, 0.9, 1.0])
    mask[rng.integers(n_rows)] = True
    return mask


def assert_same_tree(nodes, tree):
    for field in nodes._fields:
        assert_array_equal(getattr(nodes, field), getattr(tree, field))


def assert_agrees_with_plain_learners(data, train, options):
    table, plain = data.packed, data.plain
    train_rows = np.flatnonzero(train)
    c45 = C45(**options).fit_table(plain, train_rows)
    nodes = packed.grow(table, train, **options)
    assert_same_tree(nodes, c45.tree_)
    naive_bayes = NaiveBayes().fit_table(plain, train_rows)
    assert_array_equal(packed.predict_tree(nodes, table), c45.predict_table(plain, plain.all_rows))
    assert_array_equal(
        packed.predict_naive_bayes(table, train, table),
        naive_bayes.predict_table(plain, plain.all_rows),
    )
    learners = [naive_bayes, c45]
    if not train.all():
        assert_array_equal(
            packed.correct_counts_of_splits(table, ~train, learners=learners),
            cross_validation.correct_counts_of_splits(plain, ~train, learners=learners),
        )
    return nodes


# ---------------------------------------------------------------- agreement


def test_splits_of_any_shape_are_counted_one_by_one():
    rng = np.random.default_rng(8)
    table = packed.pack(rng.integers(0, 2, (3, 70)), rng.integers(0, 2, 70), [2] * 3, 2)
    test = rng.random((2, 3, 70)) < 0.4
    counts = packed.correct_counts_of_splits(table, test)
    assert counts.shape == (2, 3, 2)
    for split in np.ndindex(2, 3):
        assert_array_equal(counts[split], packed.correct_counts_of_splits(table, test[split]))


@st.composite
def data_sets(draw):
    n_rows = draw(st.one_of(st.integers(1, 20), st.integers(50, 200)))
    cardinality = draw(st.lists(st.integers(1, 6), min_size=1, max_size=8))
    n_classes = draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    data = random_data(
        rng, n_rows, cardinality, n_classes, dependence=draw(st.sampled_from([0, 0.5, 0.9, 1]))
    )
    return data, random_rows(rng, n_rows)


@given(data_sets(), st.sampled_from(OPTIONS))
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_plain_learners(example, options):
    assert_agrees_with_plain_learners(*example, options)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_agrees_with_the_plain_learners_on_rows_that_hypothesis_chooses(data):
    """Small tables, which it can shrink to the shortest failing one."""
    n_rows = data.draw(st.integers(1, 12))
    cardinality = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    n_classes = data.draw(st.integers(2, 3))

    def row_of(n_values):
        return data.draw(
            st.lists(st.integers(0, n_values - 1), min_size=n_rows, max_size=n_rows)
        )

    masks = st.lists(st.booleans(), min_size=n_rows, max_size=n_rows).filter(any).map(np.array)
    assert_agrees_with_plain_learners(
        Data(
            np.array([row_of(n_values) for n_values in cardinality]), np.array(row_of(n_classes)),
            np.array(cardinality), n_classes,
        ),
        data.draw(masks), {},
    )


def test_agrees_with_the_plain_learners_on_many_small_tables():
    """Ties abound between attributes, classes, branches; trees are collapsed, cut, and raised."""
    rng = np.random.default_rng(20260731)
    sizes, changed = [], 0
    for _ in range(2000):
        n_attributes = rng.integers(1, 7)
        cardinality = (
            np.full(n_attributes, 2) if rng.random() < 0.5
            else rng.integers(1, 5, size=n_attributes)
        )
        n_rows = rng.integers(4, rng.choice([10, 40, 130]))
        data = random_data(
            rng, n_rows, cardinality, rng.integers(2, 4), dependence=rng.choice([0.5, 0.8, 1.0])
        )
        train, _ = random_rows(rng, n_rows), random_rows(rng, n_rows)  # tables worth the trouble
        nodes = assert_agrees_with_plain_learners(data, train, {})
        unpruned = assert_agrees_with_plain_learners(data, train, {"prune": False})
        sizes.append(len(nodes.attribute))
        # a tree that is merely cut keeps its tests, so that the root was replaced by a branch
        changed += nodes.attribute[0] not in (LEAF, unpruned.attribute[0])
    assert np.mean(np.array(sizes) > 3) > 0.05 and changed > 10  # it was worth the trouble


@pytest.mark.parametrize("n_rows", [63, 64, 65, 128, 300, 5000])
@pytest.mark.parametrize("cardinality", [[2] * 10, [2, 3, 2, 4, 2]])
@pytest.mark.parametrize("dependence", [0.0, 0.8])
def test_agrees_with_the_plain_learners_on_larger_trees(n_rows, cardinality, dependence):
    rng = np.random.default_rng(n_rows)
    data = random_data(rng, n_rows, cardinality, 2, dependence=dependence)
    for options in OPTIONS:
        train = random_rows(rng, n_rows)
        assert_agrees_with_plain_learners(data, train, options)


@pytest.mark.parametrize("n_attributes", [300, 400])
def test_scales_products_of_many_attributes_as_the_plain_naive_bayes_does(n_attributes):
    """Without it the products of 400 attributes would be 0 in both classes."""
    rng = np.random.default_rng(0)
    data = random_data(rng, 200, [6] * n_attributes, 3, dependence=0.5)
    data = data._replace(columns=rng.integers(6, size=data.columns.shape))
    train, plain = random_rows(rng, 200), data.plain
    assert_array_equal(
        packed.predict_naive_bayes(data.packed, train, data.packed),
        NaiveBayes().fit_table(plain, np.flatnonzero(train)).predict_table(plain, plain.all_rows),
    )


# ---------------------------------------------------------------- cross-validation, other tables


@pytest.mark.parametrize("dependence", [0.0, 0.6])
@pytest.mark.parametrize("n_rows, cardinality, n_classes", [
    (40, [2] * 10, 2), (300, [2] * 10, 2), (64, [2] * 5, 2), (41, [2, 3, 4], 3), (301, [2] * 3, 4),
    # bit sets of four, five and six words
    (256, [2] * 10, 2), (257, [2] * 10, 2), (320, [2] * 10, 2), (321, [2] * 10, 2),
])
def test_cross_validation_agrees_with_the_plain_one(n_rows, cardinality, n_classes, dependence):
    rng = np.random.default_rng(n_rows)
    data = random_data(rng, n_rows, cardinality, n_classes, dependence=dependence)
    folds = stratified_folds(data.labels, 10, rng, runs=3)
    learners = ["naive_bayes", "c45", C45(prune=False)]
    found = packed.correct_counts(data.packed, folds, learners=learners)
    assert_array_equal(
        found, cross_validation.correct_counts(data.plain, folds, learners=learners)
    )
    assert_array_equal(packed.correct_counts(data.packed, folds[0], learners=learners), found[0])


def test_predicts_all_combinations_of_values_as_the_plain_learners_do():
    rng = np.random.default_rng(5)
    data = random_data(rng, 150, [2, 3, 2, 4, 2], 3, dependence=0.7)
    grid = np.indices(data.cardinality).reshape(len(data.cardinality), -1)
    train, plain = random_rows(rng, 150), data.plain
    other = packed.pack(grid, np.zeros(grid.shape[1], dtype=int), data.cardinality, 3)
    predictions = {
        C45: packed.predict_tree(packed.grow(data.packed, train), other),
        NaiveBayes: packed.predict_naive_bayes(data.packed, train, other),
    }
    for learner, found in predictions.items():
        fitted = learner().fit_table(plain, np.flatnonzero(train))
        of_grid = Table(plain.attributes, plain.classes, grid * 1.0, np.zeros(len(found), int))
        assert_array_equal(found, fitted.predict_table(of_grid, of_grid.all_rows))


# ---------------------------------------------------------------- bad input

TABLE = packed.pack([[0, 1, 1]], [0, 1, 1], [2], 2)


@pytest.mark.parametrize("columns, labels, cardinality, message", [
    ([[0, 2]], [0, 1], [2], "whole numbers from 0"),
    ([[0, -1]], [0, 1], [2], "whole numbers from 0"),
    ([[0, 1]], [0, 2], [2], "whole numbers from 0"),
    ([[0, 1]], [-1, 0], [2], "whole numbers from 0"),
    ([[0, 1]], [0], [2], "columns must have shape"),
    ([[0, 1]], [0, 1], [2, 2], "columns must have shape"),
    ([0, 1], [0, 1], [2], "columns must have shape"),
    ([[]], [], [2], "columns must have shape"),
    ([[0.5, 1]], [0, 1], [2], "whole numbers"),
])
def test_refuses_to_pack_what_is_no_nominal_data(columns, labels, cardinality, message):
    with pytest.raises(ValueError, match=message):
        packed.pack(columns, labels, cardinality, 2)


def test_one_class_is_always_right():
    table = packed.pack([[0, 1, 1, 0]], [0, 0, 0, 0], [2], 1)
    assert packed.correct_counts(table, [0, 1, 0, 1]).tolist() == [[2, 2], [2, 2]]


@pytest.mark.parametrize("call, message", [
    (lambda: packed.correct_counts(TABLE, [0, 1]), "test_folds must have shape"),
    (lambda: packed.correct_counts(TABLE, [0, 0, 0]), "one fold only"),
    (lambda: packed.correct_counts(TABLE, [0, 2, 2]), "no test row"),
    (lambda: packed.correct_counts(TABLE, [0, 1, 1], learners=["oner"]), "'naive_bayes', 'c45'"),
    (lambda: packed.correct_counts_of_splits(TABLE, [True] * 3), "no train row"),
    (lambda: packed.correct_counts_of_splits(TABLE, [0, 1, 1]), "must be boolean"),
    (lambda: packed.grow(TABLE, [True] * 3, confidence=0.7), "confidence"),
    (lambda: packed.grow(TABLE, [[True] * 3]), "train must have shape"),
    (lambda: packed.grow(TABLE, [1, 1, 1]), "train must be boolean"),
])
def test_refuses_bad_splits_and_learners(call, message):
    with pytest.raises(ValueError, match=message):
        call()
