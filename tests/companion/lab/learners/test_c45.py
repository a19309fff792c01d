"""C4.5: a plain one in Python, exact fractions, limits of confidence intervals."""

import itertools
from fractions import Fraction
from math import log2
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from companion.lab.learners import (
    C45,
)
from companion.lab.learners.kernels.c45 import extra_errors


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


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("n_rows", [8, 25, 60, 120])
def test_c45_is_the_plain_c45(n_rows, prune, random_table):
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
    assert tree.size == 3 and tree.attributes.names[tree.attribute[0]] == "two"
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
