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

UCI = [
    "anneal", "audiology", "balance-scale", "breast-cancer", "breast-w", "credit-a", "diabetes",
    "glass", "heart-h", "iris", "labor", "lymph", "sonar", "zoo", "zoo-noname",
]
SYNTHETIC = [f"synth{number:02}" for number in range(0, 20, 2)]


GOLDEN_LEARNERS = [C45(), NaiveBayes(), NearestNeighbour(update_ranges=True)]  # as in the files


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
                assert_allclose(found, golden["prob"][run, test, column], rtol=0, atol=1e-6)
                assert_array_equal(found.argmax(axis=1), golden["pred"][run, test, column])
            trees = GOLDEN_LEARNERS[0], unpruned.fit_table(table, train)
            sizes = [size for tree in trees for size in (tree.n_leaves_, tree.size_)]
            assert sizes == golden["tree"][run, f].tolist()


@pytest.mark.parametrize("pruned", [True, False])
@pytest.mark.parametrize("name", UCI + SYNTHETIC)
def test_prints_the_tree_that_weka_prints(name, pruned, data, golden):
    file = golden(f"weka/trees/{name}.j48{'' if pruned else '_unpruned'}.txt")
    _, _, rest = file.read_text().partition("------------------\n\n")
    printed, _, _ = rest.partition("\n\nNumber of Leaves")
    assert str(C45(prune=pruned).fit(*data(name)).tree_).splitlines() == printed.splitlines()


def printed_naive_bayes(text, n_classes):
    """Numbers of Weka's printed model: {attribute: {row label: one number per class}}."""
    attributes = {}
    for line in text.partition("====\n")[2].splitlines():
        if not line:
            continue
        if not line.startswith(" "):
            current = attributes[line.strip()] = {}
        else:
            label, *numbers = line.rsplit(maxsplit=n_classes)
            current[label.strip()] = [float(x) for x in numbers]
    return attributes


@pytest.mark.parametrize("name", ["labor", "diabetes", "iris", "zoo-noname"])
def test_counts_what_weka_prints_of_naive_bayes(name, data, golden):
    X, y = data(name)
    learner = NaiveBayes().fit(X, y)
    text = (golden(f"weka/trees/{name}.nb.txt")).read_text()
    printed = printed_naive_bayes(text, len(learner.classes_))
    assert [*printed] == [*X.columns]
    for attribute, rows in printed.items():
        if "precision" in rows:
            # printed to four decimals
            assert_allclose(learner.mean_[attribute], rows["mean"], rtol=0, atol=5.1e-5)
            assert_allclose(learner.deviation_[attribute], rows["std. dev."], rtol=0, atol=5.1e-5)
            assert learner.precision_[attribute] == pytest.approx(rows["precision"][0], abs=5.1e-5)
        else:
            counts = [rows[value] for value in X[attribute].cat.categories]
            assert_array_equal(learner.value_count_[attribute] + 1, counts)
