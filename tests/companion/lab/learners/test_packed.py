"""Learners on bit sets: the same trees, products and counts as the plain ones, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from companion.lab.experiments.splits import stratified_folds
from companion.lab.learners import C45, NaiveBayes, Table, correct_counts, packed
from companion.lab.learners.kernels.bits import pack_masks
from companion.lab.learners.kernels.c45 import LEAF
from companion.lab.learners.kernels.packed_c45 import (
    learn_any,
    learn_binary,
    predict_tree,
)
from companion.lab.learners.kernels.packed_naive_bayes import (
    empty_model,
    learn_naive_bayes,
    predict_naive_bayes,
)

OPTIONS = [
    {},
    {"prune": False},
    {"min_leaf": 1},
    {"confidence": 0.5},
    {"confidence": 0.01, "min_leaf": 5},
]


def random_data(rng, n_rows, cardinality, n_classes, *, dependence):
    """Labels that depend on two attributes in a share of the rows; some values never occur."""
    cardinality = np.asarray(cardinality)
    occurring = rng.integers(1, cardinality + 1)
    columns = rng.integers(occurring[:, None], size=(len(cardinality), n_rows))
    one, other = rng.integers(len(cardinality), size=2)
    labels = np.where(
        rng.random(n_rows) < dependence,
        (columns[one] + columns[other]) % n_classes,
        rng.integers(n_classes, size=n_rows),
    )
    return columns, labels, cardinality, n_classes


def random_rows(rng, n_rows):
    """At least one row."""
    mask = rng.random(n_rows) < rng.choice([0.1, 0.5, 0.9, 1.0])
    mask[rng.integers(n_rows)] = True
    return mask


def tree_of_both(data, train, options):
    """Compare both learners on bit sets with the plain ones, in every node and for every row."""
    table, plain, rows = (
        packed.pack(*data),
        Table.from_codes(*data),
        np.flatnonzero(train),
    )
    c45 = C45(**options).fit_table(plain, rows)
    memory, bits = (
        packed.workspace(table, learner=C45(**options)),
        pack_masks(train[None])[0],
    )
    (learn_binary if memory.is_binary else learn_any)(table, bits, memory)
    same_nodes(memory, table, c45.nodes_)
    naive_bayes, model = NaiveBayes().fit_table(plain, rows), empty_model(table)
    learn_naive_bayes(table, bits, model)
    predicted = np.empty(table.n_rows, dtype=np.int64)
    for predict, learnt, learner in (
        (predict_tree, memory, c45),
        (predict_naive_bayes, model, naive_bayes),
    ):
        predict(learnt, table, predicted)
        assert_array_equal(predicted, learner.predict_table(plain, plain.all_rows))
    return c45.nodes_


def same_nodes(memory, table, nodes):
    """Compare the tree in a workspace, level by level."""
    kept = [0]
    for new, old in enumerate(kept):  # grows
        a = memory.attribute[old]
        assert nodes.attribute[new] == a
        assert_array_equal(nodes.counts[new], memory.counts[old])
        assert nodes.first_child[new] == (LEAF if a == LEAF else len(kept))
        if a != LEAF:
            values = table.first_value[a + 1] - table.first_value[a]
            kept += range(memory.first_child[old], memory.first_child[old] + values)
    assert len(kept) == len(nodes.attribute)
    assert np.isnan(nodes.threshold).all()


@st.composite
def data_sets(draw):
    n_rows = draw(st.one_of(st.integers(1, 20), st.integers(50, 200)))
    cardinality = draw(st.lists(st.integers(1, 6), min_size=1, max_size=8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    dependence = draw(st.sampled_from([0, 0.5, 0.9, 1]))
    data = random_data(
        rng, n_rows, cardinality, draw(st.integers(1, 5)), dependence=dependence
    )
    return data, random_rows(rng, n_rows)


@given(data_sets(), st.sampled_from(OPTIONS))
def test_agrees_with_the_plain_learners(example, options):
    tree_of_both(*example, options)


def test_agrees_with_the_plain_learners_on_many_small_tables():
    """Ties abound between attributes, classes, branches; trees are collapsed, cut, and raised."""
    rng = np.random.default_rng(20260731)
    sizes, changed = [], 0
    for _ in range(1000):
        cardinality = rng.integers(1, 5, size=rng.integers(1, 7))
        if rng.random() < 0.5:
            cardinality[:] = 2
        n_rows = rng.integers(4, rng.choice([10, 40, 130]))
        data = random_data(
            rng,
            n_rows,
            cardinality,
            rng.integers(2, 4),
            dependence=rng.choice([0.5, 0.8, 1.0]),
        )
        train = random_rows(rng, n_rows)
        nodes, unpruned = (
            tree_of_both(data, train, {"prune": prune}) for prune in (True, False)
        )
        sizes.append(len(nodes.attribute))
        # a tree that is merely cut keeps its tests, so that the root was replaced by a
        # branch
        changed += nodes.attribute[0] not in (LEAF, unpruned.attribute[0])
    assert (
        np.mean(np.array(sizes) > 3) > 0.05 and changed > 5
    )  # it was worth the trouble


@pytest.mark.parametrize(
    "n_rows, cardinality, n_classes",
    [
        (40, [2] * 10, 2),
        (63, [2] * 10, 2),
        (64, [2] * 5, 2),
        (41, [2, 3, 4], 3),
        (301, [2] * 3, 4),
        # bit sets of four, five and six words, and of many
        (256, [2] * 10, 2),
        (257, [2] * 10, 2),
        (321, [2] * 10, 2),
        (3000, [2, 3, 2, 4, 2], 2),
        # the products of naive Bayes would be 0 if they were not scaled
        (200, [6] * 400, 3),
    ],
)
def test_counts_are_those_of_the_plain_predictions(n_rows, cardinality, n_classes):
    rng = np.random.default_rng(n_rows)
    data = random_data(rng, n_rows, cardinality, n_classes, dependence=0.6)
    table = Table.from_codes(*data)
    folds = stratified_folds(table.labels, 10, rng, runs=2)
    learners = ["naive_bayes", "c45", *(C45(**options) for options in OPTIONS[1:])]
    counts = correct_counts(table, folds, learners=learners)
    plain = [NaiveBayes(), C45(), *learners[2:]]
    for run, f, k in np.ndindex(counts.shape):
        test = np.flatnonzero(folds[run] == f)
        learner = plain[k].fit_table(table, np.flatnonzero(folds[run] != f))
        assert (
            counts[run, f, k]
            == (learner.predict_table(table, test) == table.labels[test]).sum()
        )
