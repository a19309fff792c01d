"""Predictions, probabilities, trees and models: those of Weka."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from companion.lab.learners import (
    C45,
    NaiveBayes,
    NearestNeighbour,
    Table,
)
from companion.lab.learners.kernels.c45 import LEAF, TOLERANCE, errors, majority

UCI = [
    "anneal",
    "audiology",
    "balance-scale",
    "breast-cancer",
    "breast-w",
    "credit-a",
    "diabetes",
    "glass",
    "heart-h",
    "iris",
    "labor",
    "lymph",
    "sonar",
    "zoo",
    "zoo-noname",
]
SYNTHETIC = [f"synth{number:02}" for number in range(0, 20, 2)]


GOLDEN_LEARNERS = [
    C45(),
    NaiveBayes(),
    NearestNeighbour(update_ranges=True),
]  # as in the files


@pytest.mark.parametrize("name", UCI + SYNTHETIC)
def test_agrees_with_weka(name, data, golden):
    X, y = data(name)
    golden = np.load(golden(f"weka/cv/{name}.npz"))
    table = Table.from_frame(X, y)
    assert_array_equal(table.labels, golden["true"])
    unpruned = C45(prune=False)
    for run, (perm, fold) in enumerate(zip(golden["perm"].astype(int), golden["fold"])):
        for f in range(10):
            train, test = perm[fold[perm] != f], perm[fold[perm] == f]
            for column, learner in enumerate(GOLDEN_LEARNERS):
                found = learner.fit_table(table, train).predict_proba_table(table, test)
                # the files hold six digits
                assert_allclose(
                    found, golden["prob"][run, test, column], rtol=0, atol=1e-6
                )
                assert_array_equal(
                    found.argmax(axis=1), golden["pred"][run, test, column]
                )
            trees = GOLDEN_LEARNERS[0], unpruned.fit_table(table, train)
            tested = [tree.nodes_.attribute for tree in trees]
            sizes = [size for of in tested for size in ((of == LEAF).sum(), len(of))]
            assert sizes == golden["tree"][run, f].tolist()


def tree_as_weka(learner):
    """The lines in which Weka prints the tree of a `C45`."""
    nodes, attributes = learner.nodes_, learner._attributes

    def verdict(node, above=0):
        counts = nodes.counts[node]
        label = majority(nodes.counts[node if counts.sum() else above])
        wrong = (
            f"/{round(float(errors(counts)), 2)}" if errors(counts) > TOLERANCE else ""
        )
        return f": {learner.classes_[label]} ({round(float(counts.sum()), 2)}{wrong})"

    def below(node, depth):
        a = nodes.attribute[node]
        number = f"{nodes.threshold[node]:.6f}".rstrip("0").rstrip(".")
        values = attributes.categories[a]
        branches = (
            (f"<= {number}", f"> {number}")
            if values is None
            else [f"= {v}" for v in values]
        )
        for child, branch in enumerate(branches, start=nodes.first_child[node]):
            is_leaf = nodes.attribute[child] == LEAF
            test = "|   " * depth + f"{attributes.names[a]} {branch}"
            yield test + verdict(child, node) * bool(is_leaf)
            if not is_leaf:
                yield from below(child, depth + 1)

    return below(0, 0) if nodes.attribute[0] != LEAF else [verdict(0)]


@pytest.mark.parametrize("pruned", [True, False])
@pytest.mark.parametrize("name", UCI + SYNTHETIC)
def test_prints_the_tree_that_weka_prints(name, pruned, data, golden):
    file = golden(f"weka/trees/{name}.j48{'' if pruned else '_unpruned'}.txt")
    _, _, rest = file.read_text().partition("------------------\n\n")
    printed, _, _ = rest.partition("\n\nNumber of Leaves")
    assert [*tree_as_weka(C45(prune=pruned).fit(*data(name)))] == printed.splitlines()
