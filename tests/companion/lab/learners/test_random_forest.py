"""Random forests: agreement with R in distribution, with a plain forest node for node."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import stats
from sklearn.base import clone

from companion.lab.learners import RandomForest
from companion.lab.learners.kernels.forest import LEAF, Trees, count_votes
from companion.lab.learners.random_forest import _lots, _mixed

# ---------------------------------------------------------------- agreement with R


def votes_of_trees(forest, X):
    """Which trees vote for the second of two classes, shape (n_trees, n_rows)."""
    trees, rows = forest.trees_, np.arange(len(X))
    return np.array(
        [
            count_votes(Trees(trees.first[t : t + 2], *trees[1:]), X, rows)[:, 1]
            for t in range(forest.n_trees)
        ]
    )


def p_value(votes, share, n_trees):
    """Of the hypothesis that trees like ours made another forest's shares of votes.

    Trees are independent given the training rows, so that a share has a binomial
    distribution. The votes of one tree for several rows are not independent: the sum of
    squares of the standardised deviations is a weighted sum of chi-squares
    (Satterthwaite's approximation, with the correlations of our trees).
    """
    mean, n_ours = votes.mean(axis=0), len(votes)
    keep = (mean > 0.02) & (mean < 0.98)
    variance = mean * (1 - mean) * (1 / n_trees + 1 / n_ours)
    squares = ((share - mean) ** 2 / variance)[keep].sum()
    correlation = np.corrcoef(votes[:, keep].T)
    # what is left of a correlation of 0 among so many trees is not counted as one
    scale = (
        (correlation**2).sum() - keep.sum() * (keep.sum() - 1) / n_ours
    ) / keep.sum()
    return stats.chi2.sf(squares / scale, keep.sum() / scale)


@pytest.fixture(scope="module", params=["ls1_d20", "ls3_d11", "ls5_d24"])
def fold_of_r(request, golden):
    """Training and test rows of one fold, and the share of R's 500 trees for class 1."""
    data = pd.read_csv(golden(f"berrar/{request.param}.csv.gz"))
    X, y, test = (
        data.filter(regex="^x").to_numpy(),
        data["y"].to_numpy(),
        data["fold"] == 1,
    )
    return X[~test], y[~test], X[test], data["rf_vote1_seed1"][test].to_numpy()


def test_agrees_with_r(fold_of_r):
    """Each of the three is refused with probability 0.01 if the distributions are the same."""
    X, y, X_test, share = fold_of_r
    forest = RandomForest(3000, random_state=7).fit(X, y)
    assert p_value(votes_of_trees(forest, X_test), share, 500) > 0.01


def test_every_tree_has_rows_of_two_classes():
    """As in R, where rows of one class alone are drawn again: here they would be three in ten."""
    X, y = np.array([[0.0], [0.0], [1.0]]), [0, 0, 1]
    votes = votes_of_trees(RandomForest(500, random_state=1).fit(X, y), X)
    assert_array_equal(votes, np.tile([0, 0, 1], (500, 1)))


# ---------------------------------------------------------------- agreement with a plain forest


def plain_tree(X, y, features, n_tried, rng):
    """Nodes (feature, threshold, child) of a tree, with the random numbers that ours draws."""
    n, d = X.shape
    for _ in range(30):
        sample = [int(rng.random() * n) for _ in range(n)]
        if len(set(y[sample])) > 1:
            break
    waiting, nodes = [sample], []
    for rows in waiting:  # which grows
        counts = np.bincount(y[rows], minlength=2)
        cut, best, n_best = None, 0, 0
        for tried in range(n_tried if (counts > 0).sum() > 1 else 0):
            at = int(rng.random() * (d - tried))
            f = features[at]
            features[at], features[d - 1 - tried] = features[d - 1 - tried], f
            values = sorted(set(X[rows, f]))
            found = {
                (low, high): sum(
                    Fraction(sum(int(k) ** 2 for k in np.bincount(y[side])), len(side))
                    for side in split(X, rows, f, low)
                )
                for low, high in pairwise(values)
            }
            largest = max(found.values(), default=-1)
            if largest < best:
                continue
            equal = [values for values, score in found.items() if score == largest]
            n_best = len(equal) + (n_best if largest == best else 0)
            best = largest
            if n_best == 1 or rng.random() * n_best < len(equal):
                low, high = equal[
                    int(rng.random() * len(equal)) if len(equal) > 1 else 0
                ]
                cut = f, low, (low + high) / 2
        if cut is None:
            chosen = counts[1] > counts[0] or (
                counts[1] == counts[0] and rng.random() < 0.5
            )
            nodes.append((LEAF, np.nan, chosen))
            continue
        f, low, threshold = cut
        nodes.append((f, threshold, len(waiting)))
        waiting += split(X, rows, f, low)
    return nodes


def split(X, rows, f, low):
    return [r for r in rows if X[r, f] <= low], [r for r in rows if X[r, f] > low]


@pytest.mark.parametrize("decimals", [0, 1, 9])  # many ties, some, none
@pytest.mark.parametrize("n, d", [(4, 1), (12, 3), (70, 5), (150, 2)])
def test_agrees_with_a_plain_forest(decimals, n, d):
    source = np.random.default_rng([decimals, n])
    X, y = source.normal(size=(n, d)).round(decimals), source.permutation(n) % 2
    X[:, 0] += y / 2
    forest = RandomForest(3, random_state=np.random.default_rng(3)).fit(X, y)
    rng, features, nodes, first = np.random.default_rng(3), list(range(d)), [], [0]
    for _ in range(3):
        nodes += [
            (f, threshold, child if f == LEAF else child + first[-1])
            for f, threshold, child in plain_tree(X, y, features, int(d**0.5), rng)
        ]
        first.append(len(nodes))
    assert_array_equal(forest.trees_.first, first)
    for found, expected in zip(forest.trees_[1:], zip(*nodes)):
        assert_array_equal(found, expected)


# ---------------------------------------------------------------- what must hold


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(11)
    X, y = rng.normal(size=(120, 7)), np.arange(120) % 2
    X[:, 0] += y
    return X, y


def test_a_seed_fixes_the_forest(data):
    X, y = data
    forests = [
        RandomForest(5, random_state=seed).fit(X, y).trees_ for seed in (4, 4, 5)
    ]
    for first, second in zip(*forests[:2]):
        assert_array_equal(first, second)
    assert len(forests[0].child) != len(forests[2].child)
    # a larger forest begins with the smaller one
    more = RandomForest(9, random_state=4).fit(X, y).trees_
    assert_array_equal(
        more.threshold[: len(forests[0].threshold)], forests[0].threshold
    )


def test_where_features_are_constant_a_leaf_is_mixed():
    """Four standard errors of 400 trees; a share off by 0.13 is found with probability 0.9."""
    X, y = np.zeros((40, 3)), np.arange(40) % 2
    forest = RandomForest(400, random_state=2).fit(X, y)
    assert len(forest.trees_.child) == 400  # roots only
    share = forest.predict_proba(X[:1])[0, 1]
    assert (
        abs(share - 0.5) < 4 * 0.025
    )  # more of class 0 or of class 1, or a tie that is drawn


def test_ties_of_votes_are_broken_evenly_and_always_alike():
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(6000, 1)), np.arange(6000) % 2
    forest = RandomForest(2, random_state=1).fit(X[:500], y[:500])
    tied = (forest.predict_proba(X) == 1 / 2).all(axis=1)
    found = forest.predict(X)
    assert tied.sum() > 100
    # refused with probability 0.001 if the classes are equally likely, with 0.98 if one
    # has 57%
    assert stats.chisquare(np.bincount(found[tied])).pvalue > 0.001
    shuffled = rng.permutation(len(X))
    assert_array_equal(forest.predict(X[shuffled]), found[shuffled])
    again = clone(forest).set_params(random_state=5).fit(X[:500], y[:500])
    assert_array_equal(again.predict(-0.0 * X), again.predict(0.0 * X))


def test_lots_are_mixed_by_splitmix64():
    """The first three numbers of the generator with seed 0, as its authors' program gives them."""
    states = np.arange(3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert _mixed(states).tolist() == published
    X = np.random.default_rng(0).normal(size=(50, 3))
    others = np.vstack([X, X[:, ::-1], X[:, [1, 2, 0]], X + 1e-15])
    assert len(set(_lots(others, 3).tolist())) == 200
    assert not (_lots(X, 3) == _lots(X, 4)).any()


def test_counting_is_predicting(data):
    X, y = data
    folds = np.arange(len(y)) % 4
    counted = RandomForest(4, random_state=np.random.default_rng(6)).count_correct(
        X[folds > 0], y[folds > 0], X[folds == 0], y[folds == 0]
    )
    learner = RandomForest(4, random_state=np.random.default_rng(6))
    found = learner.fit(X[folds > 0], y[folds > 0]).predict(X[folds == 0])
    assert counted == (found == y[folds == 0]).sum()
    one_by_one = RandomForest(4, random_state=np.random.default_rng(6))
    assert_array_equal(
        RandomForest(4, random_state=np.random.default_rng(6)).count_correct_of_folds(
            X, y, folds
        ),
        [
            one_by_one.count_correct(
                X[folds != f], y[folds != f], X[folds == f], y[folds == f]
            )
            for f in range(4)
        ],
    )
