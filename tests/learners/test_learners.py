"""Learners: agreement with Weka, a plain C4.5, exact arithmetic, what must not matter."""

import itertools
import pickle
import subprocess
import sys
from fractions import Fraction
from functools import cache
from math import log2
from pathlib import Path
from statistics import NormalDist

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from replib.book.pictures.trees import plot_tree
from replib.datasets import read_arff
from replib.learners import (
    C45,
    LEARNERS,
    DecisionStump,
    NaiveBayes,
    NearestNeighbour,
    Table,
    correct_counts,
    correct_counts_of_splits,
    predictions,
)
from replib.learners.kernels.c45 import extra_errors, grow_tree
from replib.learners.naive_bayes import _count
from replib.learners.nearest_neighbour import _neighbour_probabilities

UCI = [
    "anneal", "audiology", "balance-scale", "breast-cancer", "breast-w", "credit-a", "diabetes",
    "glass", "heart-h", "iris", "labor", "lymph", "sonar", "zoo", "zoo-noname",
]
SYNTHETIC = [f"synth{number:02}" for number in range(0, 20, 2)]
EVERY_LEARNER = [
    NaiveBayes(), C45(), C45(prune=False), NearestNeighbour(), DecisionStump(),
]


@pytest.fixture(scope="module")
def data(shared):
    """Reads a data set of the golden files once."""
    @cache
    def read(name):
        folder = "uci" if name in UCI else "golden/weka/synth"
        dataset = read_arff(shared / folder / f"{name}.arff")
        return dataset.X, dataset.y

    return read


# ---------------------------------------------------------------- agreement with Weka

GOLDEN_LEARNERS = [C45(), NaiveBayes(), NearestNeighbour(update_ranges=True)]  # as in the files


@pytest.mark.parametrize("name", UCI + SYNTHETIC)
def test_agrees_with_weka(name, data, shared):
    X, y = data(name)
    golden = np.load(shared / f"golden/weka/cv/{name}.npz")
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


@pytest.mark.parametrize("name", UCI + SYNTHETIC[:1])
def test_agrees_with_weka_through_dataframes(name, data, shared):
    X, y = data(name)
    golden = np.load(shared / f"golden/weka/cv/{name}.npz")
    perm, fold = golden["perm"][0], golden["fold"][0]
    train, test = perm[fold[perm] != 0], perm[fold[perm] == 0]
    for column, learner in enumerate(GOLDEN_LEARNERS):
        learner = clone(learner).fit(X.iloc[train], y.iloc[train])
        predicted = pd.Categorical(learner.predict(X.iloc[test]), categories=learner.classes_)
        assert_array_equal(predicted.codes, golden["pred"][0, test, column])


@pytest.mark.parametrize("pruned", [True, False])
@pytest.mark.parametrize("name", UCI + SYNTHETIC)
def test_prints_the_tree_that_weka_prints(name, pruned, data, shared):
    file = shared / f"golden/weka/trees/{name}.j48{'' if pruned else '_unpruned'}.txt"
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
def test_counts_what_weka_prints_of_naive_bayes(name, data, shared):
    X, y = data(name)
    learner = NaiveBayes().fit(X, y)
    text = (shared / f"golden/weka/trees/{name}.nb.txt").read_text()
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


# ---------------------------------------------------------------- an independent C4.5


def entropy(weights):
    total = sum(weights)
    return -sum(w / total * log2(w / total) for w in weights if w > 1e-9) if total > 1e-9 else 0.0


class PlainC45:
    """C4.5 in plain Python, written from the description of the rules: lists of
    (values, class, weight) instead of arrays, recursion instead of stacks, no sorting ahead."""

    def __init__(self, table, rows, prune):
        self.cardinality = table.attributes.cardinality.tolist()
        self.n_classes = len(table.classes)
        self.n = len(rows)
        instances = [(table.columns[:, i].tolist(), int(table.labels[i]), 1.0) for i in rows]
        self.training = instances
        self.root = self.grow(instances)
        self.collapse(self.root)
        if prune:
            self.prune(self.root, instances)

    def weights(self, instances):
        counts = [0.0] * self.n_classes
        for _, label, weight in instances:
            counts[label] += weight
        return counts

    def branch(self, a, threshold, value):
        if value != value:
            return None
        return int(value) if self.cardinality[a] else int(value - threshold >= 1e-6)

    def divide(self, a, threshold, instances):
        parts = [[] for _ in range(self.cardinality[a] or 2)]
        missing = []
        for values, label, weight in instances:
            b = self.branch(a, threshold, values[a])
            (missing if b is None else parts[b]).append((values, label, weight))
        known = [sum(w for _, _, w in part) for part in parts]
        total = sum(known)
        for part, weight in zip(parts, known):
            share = weight / total if total > 1e-6 else 1 / len(parts)
            if share > 1e-6:
                part += [(values, label, w * share) for values, label, w in missing]
        return parts

    def evaluate(self, a, parts, total):
        """Information gain and split information of a division of the known instances."""
        bags = [self.weights(part) for part in parts]
        sizes = [sum(bag) for bag in bags]
        known = sum(sizes)
        within = sum(size / known * entropy(bag) for bag, size in zip(bags, sizes))
        gain = (entropy([sum(of_class) for of_class in zip(*bags)]) - within) * known / total
        return (gain if gain * known >= 1e-6 else 0.0), entropy([*sizes, total - known])

    def candidate(self, a, instances, total):
        """(gain, ratio, attribute, midpoint) of the attribute's split, None if it has none."""
        known = [x for x in instances if x[0][a] == x[0][a]]
        if self.cardinality[a]:
            parts = self.divide(a, None, known)
            if sum(sum(w for _, _, w in part) > 2 - 1e-6 for part in parts) < 2:
                return None
            gain, information = self.evaluate(a, parts, total)
            return gain, gain / information if information > 1e-6 / total else 0.0, a, None
        weight = sum(w for _, _, w in known)
        least = max(2, min(25, 0.1 * weight / self.n_classes))
        if len(known) < 2 * least:
            return None
        values = sorted({x[0][a] for x in known})
        best, n_cuts = (0.0, None, None), 0
        for low, high in itertools.pairwise(values):
            if low + 1e-5 >= high:
                continue
            parts = self.divide(a, low, known)
            if min(sum(w for _, _, w in part) for part in parts) > least - 1e-6:
                n_cuts += 1
                gain, information = self.evaluate(a, parts, total)
                if gain > best[0] + 1e-6:
                    best = gain, information, (low + high) / 2
        gain, information, midpoint = best
        if midpoint is None or gain - log2(n_cuts) / total < 1e-6:
            return None
        gain -= log2(n_cuts) / total
        return gain, gain / information, a, midpoint

    def grow(self, instances):
        counts = self.weights(instances)
        node = {"counts": counts, "children": []}
        total = sum(counts)
        if total < 4 - 1e-6 or total - max(counts) < 1e-6:
            return node
        splits = [self.candidate(a, instances, total) for a in range(len(self.cardinality))]
        splits = [split for split in splits if split]
        few = [a for a, n_values in enumerate(self.cardinality) if n_values < 0.3 * self.n - 1e-6]
        averaged = [split[0] for split in splits if split[2] in few or not few]
        if not averaged:
            return node
        best = (0.0, 0.0, None, None)
        for split in splits:
            if split[0] >= sum(averaged) / len(averaged) - 1e-3 and split[1] > best[1] + 1e-6:
                best = split
        _, _, a, midpoint = best
        if a is None:
            return node
        if midpoint is not None:
            below = [x[0][a] for x in self.training if x[0][a] - midpoint < 1e-6]
            midpoint = max(below)
        node.update(a=a, threshold=midpoint)
        node["children"] = [self.grow(part) for part in self.divide(a, midpoint, instances)]
        return node

    def leaves(self, node):
        return [x for c in node["children"] for x in self.leaves(c)] or [node]

    def nodes(self, node):
        return 1 + sum(self.nodes(child) for child in node["children"])

    def collapse(self, node):
        wrong = sum(sum(leaf["counts"]) - max(leaf["counts"]) for leaf in self.leaves(node))
        if node["children"] and wrong >= sum(node["counts"]) - max(node["counts"]) - 1e-3:
            node["children"] = []
        for child in node["children"]:
            self.collapse(child)

    def estimate(self, counts):
        n, e = sum(counts), sum(counts) - max(counts)
        if n < 1e-6:
            return 0.0

        def extra(e):
            if e + 0.5 >= n:
                return max(n - e, 0.0)
            z, f = NormalDist().inv_cdf(0.75), (e + 0.5) / n
            root = (f / n - f * f / n + z * z / (4 * n * n)) ** 0.5
            return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e

        if e < 1:
            zero = n * (1 - 0.25 ** (1 / n))
            return e + zero + e * (extra(1) - zero)
        return e + extra(e)

    def recount(self, node, instances):
        """A copy of the subtree that has seen these instances instead."""
        new = {**node, "counts": self.weights(instances), "children": []}
        if node["children"]:
            parts = self.divide(node["a"], node["threshold"], instances)
            new["children"] = [self.recount(c, part) for c, part in zip(node["children"], parts)]
        return new

    def prune(self, node, instances):
        if not node["children"]:
            return
        parts = self.divide(node["a"], node["threshold"], instances)
        for child, part in zip(node["children"], parts):
            self.prune(child, part)
        sizes = [sum(child["counts"]) for child in node["children"]]
        largest = max(b for b, size in enumerate(sizes) if size > max(sizes) - 1e-6)
        raised = self.recount(node["children"][largest], instances)
        as_leaf = self.estimate(node["counts"])
        as_tree = sum(self.estimate(leaf["counts"]) for leaf in self.leaves(node))
        as_branch = sum(self.estimate(leaf["counts"]) for leaf in self.leaves(raised))
        if as_leaf < min(as_tree, as_branch) + 0.1 + 1e-6:
            node["children"] = []
        elif as_branch < as_tree + 0.1 + 1e-6:
            node.update(raised)
            self.prune(node, instances)

    def probabilities(self, node, values):
        total = sum(node["counts"])
        own = np.array(node["counts"]) / total
        if not node["children"]:
            return own
        b = self.branch(node["a"], node["threshold"], values[node["a"]])
        if b is None:
            return sum(
                sum(child["counts"]) / total * self.probabilities(child, values)
                for child in node["children"]
                if sum(child["counts"]) > 1e-6
            )
        child = node["children"][b]
        return self.probabilities(child, values) if sum(child["counts"]) > 1e-6 else own


def random_table(rng, n_rows):
    """A small data set of every kind of attribute, with ties, missing values, an absent class."""
    labels = rng.integers(0, 3, n_rows)
    labels[:2] = 0, 1
    noise = rng.random(n_rows) < 0.3
    hint = np.where(noise, rng.integers(0, 3, n_rows), labels)
    X = pd.DataFrame({
        "few": pd.Categorical.from_codes(hint, list("uvwx")),
        "coarse": (labels + rng.integers(0, 4, n_rows)).astype(float),
        "fine": hint + rng.normal(0, 0.7, n_rows).round(2),
        "many": pd.Categorical.from_codes(rng.integers(0, 9, n_rows), list("abcdefghi")),
        "pure noise": rng.normal(size=n_rows),
    })
    X = X.mask(rng.random(X.shape) < rng.choice([0, 0.1, 0.3]))
    classes = ["yes", "no", "perhaps", "never"]
    return Table.from_frame(X, pd.Series(pd.Categorical.from_codes(labels, classes)))


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("n_rows", [8, 25, 60, 120])
def test_c45_is_the_plain_c45(n_rows, prune):
    rng = np.random.default_rng([n_rows, prune])
    sizes = []
    for _ in range(40):
        table = random_table(rng, n_rows)
        rows = rng.permutation(n_rows)[: int(0.8 * n_rows)]
        learner = C45(prune=prune).fit_table(table, rows)
        plain = PlainC45(table, rows, prune)
        assert learner.size_ == plain.nodes(plain.root)
        assert learner.n_leaves_ == len(plain.leaves(plain.root))
        expected = [plain.probabilities(plain.root, values) for values in table.columns.T.tolist()]
        assert_allclose(
            learner.predict_proba_table(table, table.all_rows), expected, rtol=0, atol=1e-9
        )
        sizes.append(learner.size_)
    if n_rows >= 25:
        assert max(sizes) >= 5  # or nothing was compared


def test_c45_prefers_the_gain_ratio_in_exact_fractions():
    """Two perfect splits, of 2 and of 4 values: the same gain, 1 bit, but 1 and 2 bits to say."""
    X = pd.DataFrame({
        "four": pd.Categorical(list("aabbccdd")), "two": pd.Categorical(list("xxxxyyyy")),
    })
    y = list("00001111")
    tree = C45().fit(X, y).tree_
    assert tree.to_frame()["attribute"].dropna().to_dict() == {0: "two"}
    # its gain ratio by counting: gain 1 bit over the entropy of its branches
    ratios = {}
    for name in X:
        shares = [Fraction(int(n), 8) for n in X[name].value_counts()]
        ratios[name] = Fraction(1) / sum(share * int(log2(1 / share)) for share in shares)
    assert ratios == {"four": Fraction(1, 2), "two": Fraction(1)}


@given(st.integers(1, 500), st.floats(0, 1), st.sampled_from([0.05, 0.25, 0.5]))
def test_estimated_errors_are_upper_confidence_limits(n, share, confidence):
    z = NormalDist().inv_cdf(1 - confidence)
    # none in n: the rate at which that has probability `confidence`
    assert (1 - extra_errors(n, 0.0, confidence, z) / n) ** n == pytest.approx(confidence)
    e = float(round(share * n))
    if e >= 1 and e + 0.5 < n:  # the score interval's upper end for e + 1/2 errors
        p = (e + extra_errors(n, e, confidence, z)) / n
        assert p - (e + 0.5) / n == pytest.approx(z * np.sqrt(p * (1 - p) / n), abs=1e-9)
    between = extra_errors(n, 0.5, confidence, z)
    ends = extra_errors(n, 0.0, confidence, z), extra_errors(n, 1.0, confidence, z)
    assert between == pytest.approx(sum(ends) / 2)


# ---------------------------------------------------------------- exact arithmetic

nominal_rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("uv"), st.integers(0, 2)),
    min_size=2, max_size=12,
).filter(lambda rows: len({label for *_, label in rows}) > 1)


def nominal_frame(rows):
    first, second, labels = zip(*rows)
    X = pd.DataFrame({
        "first": pd.Categorical(first, categories=[*"abc"]),
        "second": pd.Categorical(second, categories=[*"uv"]),
    })
    return X, pd.Series(pd.Categorical(labels, categories=[0, 1, 2, 3]))


@given(nominal_rows)
def test_naive_bayes_is_a_product_of_laplace_estimates(rows):
    X, y = nominal_frame(rows)
    for values, found in zip(X.to_numpy(), NaiveBayes().fit(X, y).predict_proba(X)):
        joint = []
        for c in range(4):
            of_class = [row for row in rows if row[2] == c]
            p = Fraction(len(of_class) + 1, len(rows) + 4)
            for a, n_values in enumerate((3, 2)):
                count = sum(row[a] == values[a] for row in of_class)
                p *= Fraction(count + 1, len(of_class) + n_values)
            joint.append(p)
        assert_allclose(found, [float(p / sum(joint)) for p in joint], rtol=1e-12)


def test_naive_bayes_takes_numbers_as_normal_within_their_precision():
    X = pd.DataFrame({"x": [1.0, 2.0, 4.0, 7.0, 9.0, 9.0]})
    learner = NaiveBayes().fit(X, list("aaabbb"))
    assert learner.precision_ == {"x": 2.0}
    # rounded to multiples of 2, halves to even: 0 2 4 | 8 8 8
    assert_allclose(learner.mean_["x"], [2, 8])
    assert_allclose(learner.deviation_["x"], [np.sqrt(8 / 3), 2 / 6])
    new = np.array([3.1, 5.0, 6.9])
    a, b = (NormalDist(m, s) for m, s in zip(learner.mean_["x"], learner.deviation_["x"]))
    expected = [
        [d.cdf(x + 1) - d.cdf(x - 1) for d in (a, b)] for x in 2 * np.rint(new / 2)
    ]
    expected /= np.sum(expected, axis=1, keepdims=True)
    assert_allclose(
        learner.predict_proba(pd.DataFrame({"x": new})), expected, rtol=1e-9, atol=1e-15
    )


def test_naive_bayes_bounds_each_factor():
    """Far from both classes each factor is 1e-75: the prior decides, however far it is."""
    X = pd.DataFrame({"x": [0.0, 1.0, 0.0, 1.0, 0.5], "w": [5.0, 6.0, 5.0, 6.0, 5.5]})
    learner = NaiveBayes().fit(X, list("aabbb"))
    far = pd.DataFrame({"x": [1e6], "w": [1e6]})
    assert_allclose(learner.predict_proba(far), [[3 / 7, 4 / 7]])


def brute_neighbours(train, labels, test, n_classes, nominal):
    """Class probabilities in exact fractions; numeric attributes range over 0..8 in training."""
    def part(x, v, nominal):
        if nominal:
            return Fraction(int(x is None or v is None or x != v))
        if x is None and v is None:
            return Fraction(1)
        if x is None or v is None:
            known = Fraction(x if v is None else v, 8)
            return max(known, 1 - known) ** 2
        return Fraction(x - v, 8) ** 2

    out = []
    for x in test:
        distances = [sum(map(part, x, row, nominal), Fraction(0)) for row in train]
        votes = [label for d, label in zip(distances, labels) if d == min(distances)]
        n = len(train)
        out.append([
            (votes.count(c) + Fraction(1, n)) / (len(votes) + Fraction(n_classes, n))
            for c in range(n_classes)
        ])
    return np.array(out, dtype=float)


cell = st.none() | st.integers(0, 8)
mixed_rows = st.lists(st.tuples(cell, st.none() | st.sampled_from([0, 1, 2]), cell), min_size=1,
                      max_size=8)


@given(mixed_rows, mixed_rows, st.randoms(use_true_random=False))
def test_nearest_neighbour_is_the_exact_one(train, test, random):
    train = [(0, 0, 0), (8, 1, 8), *train]
    labels = [0, 1, *(random.randrange(3) for _ in train[2:])]

    def frame(rows):
        x, kind, y = zip(*rows)
        return pd.DataFrame({
            "x": np.array(x, dtype=float),
            "kind": pd.Categorical(kind, categories=[0, 1, 2]),
            "y": np.array(y, dtype=float),
        })

    learner = NearestNeighbour().fit(frame(train), pd.Categorical(labels, categories=[0, 1, 2]))
    expected = brute_neighbours(train, labels, test, 3, (False, True, False))
    # eighths are exact in binary, so that ties are ties
    assert_allclose(learner.predict_proba(frame(test)), expected, rtol=1e-12)


bits = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=2, max_size=8)


@given(bits, bits, st.randoms(use_true_random=False))
def test_the_first_of_the_nearest_decides(train, test, random):
    labels = [0, 1, *(random.randrange(3) for _ in train[2:])]
    nearest = lambda row: min(
        range(len(train)), key=lambda i: (sum(a != b for a, b in zip(train[i], row)), i)
    )
    frame = lambda rows: pd.DataFrame(
        [map(str, row) for row in rows], columns=list("xyz")
    ).astype(pd.CategoricalDtype(["0", "1"]))
    y = pd.Categorical(labels, categories=[0, 1, 2])
    learner = NearestNeighbour(ties="first").fit(frame(train), y)
    assert learner.predict(frame(test)).tolist() == [labels[nearest(row)] for row in test]


def test_ranges_are_those_of_the_training_set_unless_updated():
    X = pd.DataFrame({"x": [0.0, 1.0, 1.0], "y": [0.0, 0.0, 1.0]})
    new = pd.DataFrame({"x": [0.0, 0.45], "y": [100.0, 0.7]})
    fixed = NearestNeighbour().fit(X, list("abc"))
    assert fixed.ranges_ == {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    assert fixed.predict(new).tolist() == ["c", "c"]
    # with y ranging to 100, 0.7 is as good as 0: the nearest in x decides
    widening = NearestNeighbour(update_ranges=True).fit(X, list("abc"))
    assert widening.predict(new).tolist() == ["a", "a"]
    assert widening.predict(new.iloc[::-1]).tolist() == ["c", "a"]
    assert widening.predict(new.iloc[1:]).tolist() == ["c"]  # each call starts anew


# ---------------------------------------------------------------- what must not matter


@pytest.mark.parametrize("learner", EVERY_LEARNER, ids=str)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_order_of_rows_does_not_matter(learner, seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 30)
    train, test = np.split(rng.permutation(30), [20])
    before = learner.fit_table(table, train).predict_proba_table(table, test)
    shuffled = rng.permutation(10)
    after = learner.fit_table(table, rng.permutation(train))
    after = after.predict_proba_table(table, test[shuffled])
    assert_allclose(after, before[shuffled], rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("learner", EVERY_LEARNER, ids=str)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_names_and_order_of_classes_do_not_matter(learner, seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 30)
    permutation = rng.permutation(4)  # old position of each new class
    renamed = Table(
        table.attributes, table.classes[permutation], table.columns,
        np.argsort(permutation)[table.labels],
    )
    rows = np.arange(20)
    before = learner.fit_table(table, rows).predict_proba_table(table, table.all_rows)
    after = learner.fit_table(renamed, rows).predict_proba_table(renamed, renamed.all_rows)
    assert_allclose(after, before[:, permutation], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("learner", EVERY_LEARNER, ids=str)
def test_probabilities_sum_to_one_also_for_missing_rows_and_unknown_columns(learner):
    X = pd.DataFrame({
        "empty": np.full(6, np.nan), "kind": pd.Categorical([None] * 6, categories=["u", "v"]),
        "x": [1.0, 2.0, 3.0, 4.0, np.nan, 6.0],
    })
    learner = learner.fit(X, list("aaabbb"))
    new = pd.DataFrame({
        "empty": [1.0, np.nan], "kind": pd.Categorical(["v", None], categories=["u", "v"]),
        "x": [5.0, np.nan],
    })
    probabilities = learner.predict_proba(new)
    assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities >= 0).all()


# ---------------------------------------------------------------- scikit-learn's idioms


@pytest.mark.parametrize("learner", EVERY_LEARNER, ids=str)
def test_keeps_scikit_learns_idioms(learner, data):
    X, y = data("labor")
    with pytest.raises(NotFittedError):
        clone(learner).predict(X)
    fitted = clone(learner).fit(X, y)
    assert clone(fitted).get_params() == learner.get_params()
    assert fitted.classes_.tolist() == ["bad", "good"]
    assert fitted.feature_names_in_.tolist() == [*X.columns]
    assert fitted.n_features_in_ == 16
    assert fitted.score(X, y) > 0.8
    probabilities = fitted.predict_proba(X)
    assert_array_equal(fitted.predict(X), fitted.classes_[probabilities.argmax(axis=1)])
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(X), probabilities)
    folds = np.arange(len(y)) % 3
    assert_array_equal(
        cross_val_predict(clone(learner), X, y, cv=PredefinedSplit(folds)),
        fitted.classes_[predictions(Table.from_frame(X, y), folds, learners=[learner])[:, 0]],
    )


def test_classes_of_plain_labels_are_sorted_and_declared_ones_are_kept():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    assert C45().fit(X, [7, 3, 7]).classes_.tolist() == [3, 7]
    declared = pd.Series(["b", "c", "b"], dtype=pd.CategoricalDtype(["c", "b", "a"]))
    learner = NaiveBayes().fit(X, declared)
    assert learner.classes_.tolist() == ["c", "b", "a"]
    assert learner.class_count_.tolist() == [1, 2, 0]
    # an absent class counts: (0 + 1) / (3 + 3)
    assert learner.predict_proba(pd.DataFrame({"x": [np.nan]}))[0, 2] == pytest.approx(1 / 6)


def test_categories_may_be_declared_in_another_order_when_predicting():
    X = pd.DataFrame({"kind": pd.Categorical(list("uuvvw"), categories=[*"uvw"])})
    new = pd.DataFrame({"kind": pd.Categorical(["w", "u", None], categories=["w", "z", "u"])})
    for learner in EVERY_LEARNER:
        learner.fit(X, list("aabbb"))
        same = new.assign(kind=new["kind"].cat.set_categories([*"uvw"]))
        assert_array_equal(learner.predict_proba(new), learner.predict_proba(same))


# ---------------------------------------------------------------- refusals

GOOD = pd.DataFrame({"kind": pd.Categorical(["u", "v", "u", "v"]), "x": [1.0, 2.0, 3.0, 4.0]})
Y = ["a", "a", "b", "b"]

REFUSED_IN_FIT = [
    # X, y, what the sentence says
    (GOOD.iloc[:0], [], "X has no rows"),
    (GOOD[[]], Y, "X has no columns"),
    (GOOD, ["a"] * 4, "one class only, 'a'"),
    (GOOD, Y[:3], "4 rows but y has 3"),
    (GOOD, ["a", None, "b", "b"], "the class in row 1 of y is missing"),
    (GOOD, pd.DataFrame({"y": Y, "z": Y}), "y should be a 1d array"),
    (GOOD, [0.1, 0.2, 0.3, 0.4], "continuous values"),
    (GOOD.mask(GOOD.notna()), Y, "all values of X are missing"),
    (GOOD.assign(x=[1, np.inf, 2, 3]), Y, "column 'x' holds inf in row 1"),
    (GOOD.assign(x=["1", "2", "3", "four"]), Y, "column 'x' holds strings"),
    (GOOD.assign(x=[True, False, True, True]), Y, "column 'x' holds bool"),
    (GOOD.assign(x=pd.to_datetime(["2020"] * 4)), Y, "column 'x' holds datetime"),
    (GOOD.set_axis(["x", "x"], axis=1), Y, "'x' occurs more than once"),
    (np.arange(4.0), Y, "Expected 2D array, got 1D array"),
]

REFUSED_IN_PREDICT = [
    (GOOD.iloc[:0], "X has no rows"),
    (GOOD[["x"]], "column 'kind' of the training data is not in X"),
    (GOOD.assign(z=1.0), "column 'z' of X was not in the training data"),
    (GOOD[["x", "kind"]], "in the order of the training data, 'kind', 'x'"),
    (GOOD.assign(x=-np.inf), "column 'x' holds -inf in row 0"),
    (GOOD.assign(x=["1", "2", "3", "four"]), "column 'x' was numeric in training"),
    (GOOD.assign(x=GOOD["kind"]), "column 'x' was numeric in training but is nominal"),
    (GOOD.assign(kind=1.0), "column 'kind' was nominal in training"),
    (GOOD.assign(kind=["u", "v", "u", "v"]), "convert it to category"),
    (GOOD.assign(kind=pd.Categorical(["u", "w", "u", "v"])), "holds 'w', which is not among its"),
]


@pytest.mark.parametrize(("X", "y", "sentence"), REFUSED_IN_FIT)
def test_fit_refuses(X, y, sentence):
    for learner in EVERY_LEARNER:
        with pytest.raises(ValueError, match=sentence):
            clone(learner).fit(X, y)


@pytest.mark.parametrize(("X", "sentence"), REFUSED_IN_PREDICT)
def test_predict_refuses(X, sentence):
    for learner in EVERY_LEARNER:
        with pytest.raises(ValueError, match=sentence):
            clone(learner).fit(GOOD, Y).predict(X)


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        (C45(confidence=0.0), "confidence must be above 0"),
        (C45(confidence=0.6), "at most 0.5, not 0.6"),
        (C45(confidence="low"), "not 'low'"),
        (C45(min_leaf=0), "min_leaf must be a whole number from 1 on"),
        (C45(min_leaf=2.5), "not 2.5"),
        (C45(prune="yes"), "prune must be True or False"),
        (NearestNeighbour(ties="last"), "ties must be one of 'vote', 'first', not 'last'"),
        (NearestNeighbour(update_ranges=1), "update_ranges must be True or False, not 1"),
    ],
    ids=str,
)
def test_refuses_parameters(learner, sentence):
    with pytest.raises(ValueError, match=sentence):
        learner.fit(GOOD, Y)


# ---------------------------------------------------------------- many splits of one table


def test_counts_are_those_of_fitting_and_scoring_fold_by_fold(data):
    X, y = data("lymph")
    rng = np.random.default_rng(1)
    folds = np.stack([rng.permutation(len(y)) % 5 for _ in range(2)])
    counts = correct_counts(Table.from_frame(X, y), folds)
    assert counts.shape == (2, 5, 3)
    for run, f, k in np.ndindex(counts.shape):
        test = folds[run] == f
        learner = [*LEARNERS.values()][k]().fit(X[~test], y[~test])
        assert counts[run, f, k] == round(learner.score(X[test], y[test]) * test.sum())


def test_splits_need_not_be_partitions(data):
    X, y = data("iris")
    table = Table.from_frame(X, y)
    rng = np.random.default_rng(2)
    test = rng.random((3, 2, 150)) < 0.2
    train = ~test & (rng.random(test.shape) < 0.5)
    learners = [C45(prune=False), "nearest_neighbour"]
    counts = correct_counts_of_splits(table, test, train=train, learners=learners)
    assert counts.shape == (3, 2, 2)
    for split in np.ndindex(3, 2):
        for k, learner in enumerate([C45(prune=False), NearestNeighbour()]):
            learner.fit(X[train[split]], y[train[split]])
            assert counts[*split, k] == (learner.predict(X[test[split]]) == y[test[split]]).sum()


def test_training_may_miss_classes_or_columns(data):
    """Legitimate in a resampling, though refused of a user: one class, a column without values."""
    X, y = data("iris")
    X = X.assign(rare=np.where(np.arange(150) == 0, 1.0, np.nan))
    train = np.arange(150) // 25 == 1  # setosa only, no value of `rare`
    counts = correct_counts_of_splits(Table.from_frame(X, y), ~train, train=train)
    assert counts.tolist() == [25, 25, 25]


@pytest.mark.parametrize(
    ("folds", "sentence"),
    [
        ([0, 1, 0], "must have shape"),
        ([[[0, 1, 0, 1]]], "must have shape"),
        ([0.0, 1.0, 0.0, 1.0], "whole numbers from 0 on"),
        ([-1, 1, 0, 1], "whole numbers from 0 on"),
        ([0, 0, 0, 0], "one fold only"),
        ([[0, 1, 0, 1], [0, 0, 2, 2]], "a split has no test row"),
        (np.empty((0, 4), dtype=int), "one run or more"),
    ],
)
def test_refuses_folds(folds, sentence):
    table = Table.from_frame(GOOD, Y)
    for count in (correct_counts, predictions):
        with pytest.raises(ValueError, match=sentence):
            count(table, folds)


def test_refuses_splits_and_learners():
    table = Table.from_frame(GOOD, Y)
    test = np.array([True, False, True, False])
    refused = [
        ({"test": ~np.zeros(4, bool)}, "a split has no train row"),
        ({"test": np.zeros(4, bool)}, "a split has no test row"),
        ({"test": [0, 1, 0, 1]}, "test must be boolean"),
        ({"test": test[:3]}, "with 4 entries"),
        ({"test": test, "train": [[True] * 4]}, "test has shape"),
        ({"test": test, "learners": ["nonsense"]}, "no learner 'nonsense'; there are naive_bayes"),
    ]
    for arguments, sentence in refused:
        with pytest.raises(ValueError, match=sentence):
            correct_counts_of_splits(table, **arguments)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "at least one"),
        ([1, 1, 2], "each given once"),
        ([0, 4], "must lie between 0 and 3, not 0 to 4"),
        ([-1, 2], "not -1 to 2"),
        ([True, False, True, False], "a list of positions"),
        ([[0, 1]], "a list of positions"),
    ],
)
def test_refuses_rows(rows, sentence):
    table = Table.from_frame(GOOD, Y)
    for learner in EVERY_LEARNER:
        with pytest.raises(ValueError, match=sentence):
            clone(learner).fit_table(table, rows)


def test_refuses_rows_of_another_table():
    table, other = Table.from_frame(GOOD, Y), Table.from_frame(GOOD, Y)
    for learner in EVERY_LEARNER:
        with pytest.raises(ValueError, match="must be of the table that was learnt from"):
            learner.fit_table(table, [0, 2]).predict_table(other, [0])


# ---------------------------------------------------------------- trees to be read


@pytest.mark.parametrize("name", ["anneal", "labor", "iris", "lymph"])
def test_rules_and_nodes_hold_all_training_weight(name, data):
    X, y = data(name)
    learner = C45().fit(X, y)
    tree = learner.tree_
    rules, nodes = tree.rules(), tree.to_frame()
    assert len(rules) == learner.n_leaves_ and len(nodes) == learner.size_
    assert rules["weight"].sum() == pytest.approx(len(y))
    assert not rules["conditions"].duplicated().any()
    for node in nodes.index[nodes["attribute"].notna()]:
        # `counts` of the children add up to the node's
        assert_allclose(tree.counts[tree.children(node)].sum(axis=0), tree.counts[node], atol=1e-9)
        assert (nodes.loc[tree.children(node), "parent"] == node).all()
    # without missing values a rule's errors are the instances it gets wrong
    if not X.isna().to_numpy().any():
        assert rules["errors"].sum() == pytest.approx((learner.predict(X) != y).sum())


def test_a_rule_holds_for_the_rows_that_it_counts(data):
    X, y = data("iris")
    for rule in C45().fit(X, y).tree_.rules().itertuples(index=False):
        rows = np.logical_and.reduce([X.eval(f"`{c.split()[0]}` {' '.join(c.split()[1:])}")
                                      for c in rule.conditions])
        assert rows.sum() == rule.weight
        assert (y[rows] != rule[1]).sum() == rule.errors


@pytest.mark.parametrize("name", ["iris", "zoo-noname", "breast-cancer"])
def test_drawing_shows_every_condition_and_leaf_apart(name, data):
    tree = C45().fit(*data(name)).tree_
    ax = plot_tree(tree)
    try:
        texts = [text.get_text() for text in ax.texts]
        assert len(texts) == tree.size - 1 + tree.n_leaves
        leaves = [node for node in range(tree.size) if not tree.children(node)]
        assert set(texts) == {tree.condition(node) for node in range(1, tree.size)} | {
            tree.verdict(node) for node in leaves
        }
        ax.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in ax.texts]
        page = ax.figure.bbox
        for i, box in enumerate(boxes):
            assert page.x0 <= box.x0 and box.x1 <= page.x1
            assert page.y0 <= box.y0 and box.y1 <= page.y1
            overlapping = [b for b in boxes[:i] if b.overlaps(box.shrunk(0.98, 0.5))]
            assert not overlapping
    finally:
        plt.close(ax.figure)


def test_a_tree_that_is_one_leaf_prints_and_draws():
    tree = C45().fit(pd.DataFrame({"x": [1.0, 1.0, 1.0]}), list("aab")).tree_
    assert str(tree) == ": a (3.0/1.0)"
    assert tree.rules()["conditions"].tolist() == [()]
    ax = plot_tree(tree)
    assert [text.get_text() for text in ax.texts] == ["a (3.0/1.0)"]
    plt.close(ax.figure)


# ---------------------------------------------------------------- compilation


@pytest.mark.parametrize("unpickled", [False, True])
def test_shared_read_only_arrays_need_no_other_code(unpickled):
    """What a worker process is handed has the one type for which the kernels are compiled."""
    table = Table.from_frame(GOOD, Y)
    assert not table.order.flags.writeable
    if unpickled:
        table = pickle.loads(pickle.dumps(table))
    assert not any(a.flags.writeable for a in (table.columns, table.labels, table.order))


def test_a_second_process_does_not_compile_again():
    """Compiled code is on disk: what this process has used, a new one loads."""
    for learner in EVERY_LEARNER:
        clone(learner).fit(GOOD, Y).predict(GOOD)
    kernels = [grow_tree, _count, _neighbour_probabilities]
    assert [len(kernel.signatures) for kernel in kernels] == [1, 1, 1]
    names = ", ".join(f"{k.py_func.__module__}.{k.__name__}" for k in kernels)
    script = f"""
import pandas as pd, importlib
from replib.learners import C45, NaiveBayes, NearestNeighbour
X = pd.DataFrame({{"kind": pd.Categorical(["u", "v", "u", "v"]), "x": [1.0, 2.0, 3.0, 4.0]}})
for learner in (NaiveBayes(), C45(), NearestNeighbour()):
    learner.fit(X, ["a", "a", "b", "b"]).predict(X)
for name in "{names}".split(", "):
    module, _, kernel = name.rpartition(".")
    stats = getattr(importlib.import_module(module), kernel).stats
    print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["1 0"] * len(kernels)
