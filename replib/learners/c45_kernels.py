"""Growing and pruning of a C4.5 tree, compiled.

A tree is a set of arrays with one entry a node (`Nodes`).  The children of a node lie side by
side, one per branch: a numeric test has two (value <= threshold, value > threshold), a nominal one
as many as the attribute has declared values, empty ones included.

Instances are row numbers with weights.  One whose tested value is missing goes down every branch
with a share of its weight, so that the rows of the children may overlap.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

# Quantities that differ by less than this count as equal, in training and in prediction.
TOLERANCE = 1e-6
# Neighbouring numbers closer than this are not told apart by a split.
SMALLEST_GAP = 1e-5
# A split is considered if its gain is at most this much below the average gain.
GAIN_SLACK = 1e-3
# A leaf that makes at most this many more training errors than a subtree replaces it.
COLLAPSE_SLACK = 1e-3
# The same in pruning, in estimated errors.
PRUNING_SLACK = 0.1
# Nominal attributes with at least this share of the training size as values do not count in the
# average gain.
MANY_VALUED = 0.3

LEAF = -1
_MISSING = -1


class Nodes(NamedTuple):
    """The nodes of a tree; the root is the first."""

    attribute: np.ndarray  # (n_nodes,) tested attribute, LEAF for a leaf
    threshold: np.ndarray  # (n_nodes,) of a numeric test; else NaN
    first_child: np.ndarray  # (n_nodes,) position of the first branch's node; LEAF for a leaf
    counts: np.ndarray  # (n_nodes, n_classes) training weight of each class


@njit(cache=True)
def _xlogx(x, table):
    """x log2 x, looked up for whole numbers."""
    whole = int(x)
    if whole == x and whole < len(table):
        return table[whole]
    return x * np.log2(x) if x >= TOLERANCE else 0.0


@njit(cache=True)
def _sum_xlogx(counts, table):
    total = 0.0
    for count in counts:
        total += _xlogx(count, table)
    return total


@njit(cache=True)
def majority(counts):
    """First of the classes with the largest weight."""
    best, largest = 0, 0.0
    for c in range(len(counts)):
        if counts[c] - largest > TOLERANCE:
            best, largest = c, counts[c]
    return best


@njit(cache=True)
def errors(counts):
    """Weight outside the majority class."""
    return counts.sum() - counts[majority(counts)]


@njit(cache=True)
def n_branches(attribute, cardinality):
    return cardinality[attribute] if cardinality[attribute] > 0 else 2


@njit(cache=True)
def branch_of(value, threshold, nominal):
    """Branch that an instance with this value takes; _MISSING for all of them."""
    if np.isnan(value):
        return _MISSING
    if nominal:
        return int(value)
    return 0 if value - threshold < TOLERANCE else 1


# ---------------------------------------------------------------- one split


@njit(cache=True)
def _nominal_split(column, rows, weights, labels, total, n_values, n_classes, min_leaf, table):
    """Gain and gain ratio of a split into the declared values; NaN if it does not qualify."""
    counts = np.zeros((n_values, n_classes))
    for i in range(len(rows)):
        value = column[rows[i]]
        if not np.isnan(value):
            counts[int(value), labels[rows[i]]] += weights[i]
    inside, cells, known, large = 0.0, 0.0, 0.0, 0
    of_class = np.zeros(n_classes)
    for b in range(n_values):
        bag = 0.0
        for c in range(n_classes):
            if counts[b, c] > 0:
                bag += counts[b, c]
                of_class[c] += counts[b, c]
                cells += _xlogx(counts[b, c], table)
        if bag - min_leaf > -TOLERANCE:
            large += 1
        inside += _xlogx(bag, table)
        known += bag
    if large < 2:
        return np.nan, np.nan
    before = _xlogx(known, table) - _sum_xlogx(of_class, table)
    gain = _gain(before - (inside - cells), known, total)
    return gain, _gain_ratio(gain, inside, known, total, table)


@njit(cache=True)
def _gain(reduction, known, total):
    """Information gain in bits per unit of known weight, scaled by the known share."""
    reduction *= known / total
    return reduction / known if abs(reduction) >= TOLERANCE else 0.0


@njit(cache=True)
def _gain_ratio(gain, inside, known, total, table):
    """Gain over split information, where missing values are one more branch."""
    information = _xlogx(total, table) - inside - _xlogx(total - known, table)
    return gain * total / information if abs(information) >= TOLERANCE else 0.0


@njit(cache=True)
def _numeric_split(column, order, weight_of, labels, total, n_classes, min_leaf, table):
    """Best cut of a numeric attribute: gain, gain ratio and the midpoint of the cut.

    `order` holds the node's rows whose value is known, sorted by it.  NaN if no cut qualifies.
    """
    n = len(order)
    left = np.zeros(n_classes)
    right = np.zeros(n_classes)
    for row in order:
        right[labels[row]] += weight_of[row]
    known = right.sum()
    smallest = max(min_leaf, min(0.1 * known / n_classes, 25.0))
    if n - 2 * smallest <= -TOLERANCE:
        return np.nan, np.nan, np.nan
    inside_left, inside_right = 0.0, _sum_xlogx(right, table)
    before = _xlogx(known, table) - inside_right
    weight_left, weight_right = 0.0, known
    best_gain, best_cut, best_bags, candidates = 0.0, -1, 0.0, 0
    for i in range(n - 1):
        row = order[i]
        c, w = labels[row], weight_of[row]
        inside_left -= _xlogx(left[c], table)
        inside_right -= _xlogx(right[c], table)
        left[c] += w
        right[c] -= w
        inside_left += _xlogx(left[c], table)
        inside_right += _xlogx(right[c], table)
        weight_left += w
        weight_right -= w
        if weight_right - smallest <= -TOLERANCE:
            break
        if (
            weight_left - smallest > -TOLERANCE
            and not _are_alike(column[row], column[order[i + 1]])
        ):
            candidates += 1
            bags = _xlogx(weight_left, table) + _xlogx(weight_right, table)
            gain = _gain(before - (bags - inside_left - inside_right), known, total)
            if gain - best_gain > TOLERANCE:
                best_gain, best_cut, best_bags = gain, i, bags
    if best_cut < 0:
        return np.nan, np.nan, np.nan
    # choosing among many cut points has its price (minimum description length)
    best_gain -= np.log2(candidates) / total
    if best_gain < TOLERANCE:
        return np.nan, np.nan, np.nan
    midpoint = (column[order[best_cut]] + column[order[best_cut + 1]]) / 2
    return best_gain, _gain_ratio(best_gain, best_bags, known, total, table), midpoint


@njit(cache=True)
def _threshold(column, order, midpoint):
    """Largest training value (of the tree, not of the node) up to the midpoint."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if column[order[middle]] - midpoint < TOLERANCE:
            low = middle + 1
        else:
            high = middle
    return column[order[low - 1]]


# ---------------------------------------------------------------- dividing the instances


@njit(cache=True)
def _divide(column, threshold, nominal, branches, rows, weights):
    """Send instances down the branches of a test.

    Returns where each child begins, rows and weights of the children one after the other, and the
    share of weight that an instance with a missing value takes down each branch.
    """
    bags = np.zeros(branches)
    sizes = np.zeros(branches, dtype=np.int64)
    taken = np.empty(len(rows), dtype=np.int64)
    n_missing = 0
    for i in range(len(rows)):
        taken[i] = branch_of(column[rows[i]], threshold, nominal)
        if taken[i] == _MISSING:
            n_missing += 1
        else:
            bags[taken[i]] += weights[i]
            sizes[taken[i]] += 1
    known = bags.sum()
    shares = bags / known if known >= TOLERANCE else np.full(branches, 1 / branches)
    if n_missing:
        for b in range(branches):
            if shares[b] > TOLERANCE:
                sizes[b] += n_missing
    starts = np.zeros(branches + 1, dtype=np.int64)
    starts[1:] = np.cumsum(sizes)
    filled = starts[:-1].copy()
    child_rows = np.empty(starts[-1], dtype=rows.dtype)
    child_weights = np.empty(starts[-1])
    for i in range(len(rows)):
        b = taken[i]
        if b != _MISSING:
            child_rows[filled[b]] = rows[i]
            child_weights[filled[b]] = weights[i]
            filled[b] += 1
    if n_missing:
        for i in range(len(rows)):
            if taken[i] == _MISSING:
                for b in range(branches):
                    if shares[b] > TOLERANCE:
                        child_rows[filled[b]] = rows[i]
                        child_weights[filled[b]] = weights[i] * shares[b]
                        filled[b] += 1
    return starts, child_rows, child_weights, shares


@njit(cache=True)
def _class_weights(rows, weights, labels, counts):
    counts[:] = 0.0
    for i in range(len(rows)):
        counts[labels[rows[i]]] += weights[i]


# ---------------------------------------------------------------- growing


class _Data(NamedTuple):
    """What all nodes of a growing tree share."""

    values: np.ndarray  # (n_rows, n_attributes), column-major
    labels: np.ndarray
    cardinality: np.ndarray
    order: np.ndarray  # (n_attributes, n_training) training rows sorted by each attribute
    known: np.ndarray  # (n_attributes,) how many of them have a value
    averaged: np.ndarray  # (n_attributes,) does a split on it count in the average gain?
    min_leaf: float
    xlogx: np.ndarray  # n log2 n of whole numbers
    weight_of: np.ndarray  # (n_rows,) weight of the rows of the node at work


@njit(cache=True)
def _best_split(data, rows, weights, order, begin, known, total, n_classes):
    """Attribute of the split with the best gain ratio, and its midpoint; LEAF if there is none."""
    n_attributes = len(known)
    gains = np.full(n_attributes, np.nan)
    ratios = np.empty(n_attributes)
    midpoints = np.full(n_attributes, np.nan)
    total_gain, n_averaged = 0.0, 0
    for a in range(n_attributes):
        column = data.values[:, a]
        if data.cardinality[a] > 0:
            gains[a], ratios[a] = _nominal_split(
                column, rows, weights, data.labels, total, data.cardinality[a], n_classes,
                data.min_leaf, data.xlogx,
            )
        elif known[a] > 0:
            gains[a], ratios[a], midpoints[a] = _numeric_split(
                column, order[a, begin : begin + known[a]], data.weight_of, data.labels, total,
                n_classes, data.min_leaf, data.xlogx,
            )
        if data.averaged[a] and not np.isnan(gains[a]):
            total_gain += gains[a]
            n_averaged += 1
    best, best_ratio = LEAF, 0.0
    if n_averaged:
        least = total_gain / n_averaged - GAIN_SLACK
        for a in range(n_attributes):
            if gains[a] >= least and ratios[a] - best_ratio > TOLERANCE:
                best, best_ratio = a, ratios[a]
    return best, midpoints[best]


@njit(cache=True)
def _are_alike(low, high):
    """Are two numbers too close for a cut between them?"""
    return low + SMALLEST_GAP >= high


@njit(cache=True)
def _is_final(counts, min_leaf):
    """Is a node with these class weights too small or too pure to be split?"""
    total = counts.sum()
    return 2 * min_leaf - total > TOLERANCE or total - counts.max() < TOLERANCE


@njit(cache=True)
def _grow(node, rows, weights, order, begin, known, data, nodes, size):
    """Split a node, then its children.

    `order[a, begin : begin + known[a]]` are the node's rows sorted by numeric attribute a; no rows
    if the attribute cannot split them.
    """
    counts = nodes.counts[node]
    if _is_final(counts, data.min_leaf):
        return
    data.weight_of[rows] = weights
    best, midpoint = _best_split(
        data, rows, weights, order, begin, known, counts.sum(), len(counts)
    )
    if best == LEAF:
        return
    nominal = data.cardinality[best] > 0
    branches = n_branches(best, data.cardinality)
    column = data.values[:, best]
    threshold = np.nan
    if not nominal:
        threshold = _threshold(column, data.order[best, : data.known[best]], midpoint)
    starts, child_rows, child_weights, shares = _divide(
        column, threshold, nominal, branches, rows, weights
    )
    first = size[0]
    size[0] += branches
    nodes.attribute[node] = best
    nodes.threshold[node] = threshold
    nodes.first_child[node] = first
    open_ = np.empty(branches, dtype=np.bool_)
    for b in range(branches):
        child = first + b
        nodes.attribute[child] = nodes.first_child[child] = LEAF
        nodes.threshold[child] = np.nan
        _class_weights(
            child_rows[starts[b] : starts[b + 1]], child_weights[starts[b] : starts[b + 1]],
            data.labels, nodes.counts[child],
        )
        open_[b] = not _is_final(nodes.counts[child], data.min_leaf)
    if not open_.any():
        return

    # Hand the sorted rows down: one pass over the node's own, so that nothing is sorted again.
    child_order = np.empty((len(known), starts[-1]), dtype=order.dtype)
    child_known = np.zeros((branches, len(known)), dtype=known.dtype)
    for a in range(len(known)):
        own = order[a, begin : begin + known[a]]
        if len(own) == 0 or _are_alike(data.values[own[0], a], data.values[own[-1], a]):
            continue  # no cut here, nor below
        for row in own:
            b = branch_of(column[row], threshold, nominal)
            if b != _MISSING:
                if open_[b]:
                    child_order[a, starts[b] + child_known[b, a]] = row
                    child_known[b, a] += 1
            else:
                for b in range(branches):
                    if open_[b] and shares[b] > TOLERANCE:
                        child_order[a, starts[b] + child_known[b, a]] = row
                        child_known[b, a] += 1
    for b in range(branches):
        if open_[b]:
            _grow(
                first + b, child_rows[starts[b] : starts[b + 1]],
                child_weights[starts[b] : starts[b + 1]], child_order, starts[b], child_known[b],
                data, nodes, size,
            )


# ---------------------------------------------------------------- collapsing and pruning


@njit(cache=True)
def _children(node, nodes, cardinality):
    """Positions of the children of a node, none if it is a leaf."""
    if nodes.attribute[node] == LEAF:
        return range(0)
    first = nodes.first_child[node]
    return range(first, first + n_branches(nodes.attribute[node], cardinality))


@njit(cache=True)
def _make_leaf(node, nodes):
    nodes.attribute[node] = nodes.first_child[node] = LEAF
    nodes.threshold[node] = np.nan


@njit(cache=True)
def _training_errors(node, nodes, cardinality):
    if nodes.attribute[node] == LEAF:
        return errors(nodes.counts[node])
    total = 0.0
    for child in _children(node, nodes, cardinality):
        total += _training_errors(child, nodes, cardinality)
    return total


@njit(cache=True)
def _collapse(node, nodes, cardinality):
    """Cut, from the top, subtrees that do not lessen the training errors."""
    if nodes.attribute[node] == LEAF:
        return
    if _training_errors(node, nodes, cardinality) >= errors(nodes.counts[node]) - COLLAPSE_SLACK:
        _make_leaf(node, nodes)
    for child in _children(node, nodes, cardinality):
        _collapse(child, nodes, cardinality)


@njit(cache=True)
def extra_errors(n, e, confidence, z):
    """What a leaf of weight n with e training errors must expect on top of them.

    The distance from e to the upper limit of a one-sided binomial confidence interval: exact for
    e = 0, a normal approximation with continuity correction from e = 1 on, linear in between.
    """
    if e < 1:
        without_errors = n * (1 - confidence ** (1 / n))
        if e <= 0:
            return without_errors
        return without_errors + e * (extra_errors(n, 1.0, confidence, z) - without_errors)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    f = (e + 0.5) / n
    spread = z * np.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return n * (f + z * z / (2 * n) + spread) / (1 + z * z / n) - e


@njit(cache=True)
def _leaf_estimate(counts, confidence, z):
    """Errors to be expected of a leaf with these class weights."""
    n = counts.sum()
    if n < TOLERANCE:
        return 0.0
    e = errors(counts)
    return e + extra_errors(n, e, confidence, z)


@njit(cache=True)
def _subtree_estimate(node, nodes, cardinality, confidence, z):
    if nodes.attribute[node] == LEAF:
        return _leaf_estimate(nodes.counts[node], confidence, z)
    total = 0.0
    for child in _children(node, nodes, cardinality):
        total += _subtree_estimate(child, nodes, cardinality, confidence, z)
    return total


@njit(cache=True)
def _divide_by(node, nodes, data, rows, weights):
    """`_divide` by the test of a node."""
    a = nodes.attribute[node]
    return _divide(
        data.values[:, a], nodes.threshold[node], data.cardinality[a] > 0,
        n_branches(a, data.cardinality), rows, weights,
    )


@njit(cache=True)
def _raised_estimate(node, rows, weights, nodes, data, confidence, z):
    """Expected errors of a subtree when these instances are sent down it."""
    if nodes.attribute[node] == LEAF:
        counts = np.empty(nodes.counts.shape[1])
        _class_weights(rows, weights, data.labels, counts)
        return _leaf_estimate(counts, confidence, z)
    starts, child_rows, child_weights, _ = _divide_by(node, nodes, data, rows, weights)
    total = 0.0
    for b, child in enumerate(_children(node, nodes, data.cardinality)):
        part = slice(starts[b], starts[b + 1])
        total += _raised_estimate(
            child, child_rows[part], child_weights[part], nodes, data, confidence, z
        )
    return total


@njit(cache=True)
def _recount(node, rows, weights, nodes, data):
    """Class weights of a subtree when these instances are sent down it."""
    _class_weights(rows, weights, data.labels, nodes.counts[node])
    if nodes.attribute[node] == LEAF:
        return
    starts, child_rows, child_weights, _ = _divide_by(node, nodes, data, rows, weights)
    for b, child in enumerate(_children(node, nodes, data.cardinality)):
        part = slice(starts[b], starts[b + 1])
        _recount(child, child_rows[part], child_weights[part], nodes, data)


@njit(cache=True)
def _largest_child(node, nodes, cardinality):
    """Child with the largest weight, the last one if several have it."""
    largest, best = 0.0, nodes.first_child[node]
    for child in _children(node, nodes, cardinality):
        weight = nodes.counts[child].sum()
        if weight - largest > -TOLERANCE:
            largest, best = weight, child
    return best


@njit(cache=True)
def _prune(node, rows, weights, nodes, data, confidence, z):
    """Replace a node, children first, by a leaf or by its largest branch if that errs no more."""
    if nodes.attribute[node] == LEAF:
        return
    starts, child_rows, child_weights, _ = _divide_by(node, nodes, data, rows, weights)
    for b, child in enumerate(_children(node, nodes, data.cardinality)):
        part = slice(starts[b], starts[b + 1])
        _prune(child, child_rows[part], child_weights[part], nodes, data, confidence, z)
    branch = _largest_child(node, nodes, data.cardinality)
    as_leaf = _leaf_estimate(nodes.counts[node], confidence, z)
    as_tree = _subtree_estimate(node, nodes, data.cardinality, confidence, z)
    as_branch = _raised_estimate(branch, rows, weights, nodes, data, confidence, z)
    if (
        as_leaf - as_tree - PRUNING_SLACK < TOLERANCE
        and as_leaf - as_branch - PRUNING_SLACK < TOLERANCE
    ):
        _make_leaf(node, nodes)
    elif as_branch - as_tree - PRUNING_SLACK < TOLERANCE:
        nodes.attribute[node] = nodes.attribute[branch]
        nodes.threshold[node] = nodes.threshold[branch]
        nodes.first_child[node] = nodes.first_child[branch]
        _recount(node, rows, weights, nodes, data)
        _prune(node, rows, weights, nodes, data, confidence, z)


# ---------------------------------------------------------------- entry points


@njit(cache=True)
def _reachable(nodes, cardinality):
    """The nodes that are left, numbered anew: each node's children side by side."""
    kept = np.empty(len(nodes.attribute), dtype=np.int64)
    kept[0] = 0
    size = 1
    first_child = np.full(len(nodes.attribute), LEAF)
    new = 0
    while new < size:
        for child in _children(kept[new], nodes, cardinality):
            if first_child[new] == LEAF:
                first_child[new] = size
            kept[size] = child
            size += 1
        new += 1
    kept = kept[:size]
    return Nodes(
        nodes.attribute[kept], nodes.threshold[kept], first_child[:size].copy(), nodes.counts[kept]
    )


@njit(cache=True, nogil=True)
def grow_tree(
    values, order, cardinality, labels, n_classes, rows, min_leaf, prune, confidence, z
):
    """Tree of the given training rows; `order` as `Table.order`."""
    n_rows, n_attributes = values.shape
    in_training = np.zeros(n_rows, dtype=np.bool_)
    in_training[rows] = True
    known = np.zeros(n_attributes, dtype=np.int64)
    sorted_rows = np.empty((n_attributes, len(rows)), dtype=order.dtype)
    for a in range(n_attributes):
        if cardinality[a] == 0:
            for row in order[a]:
                if in_training[row] and not np.isnan(values[row, a]):
                    sorted_rows[a, known[a]] = row
                    known[a] += 1
    averaged = (cardinality == 0) | (cardinality < MANY_VALUED * len(rows) - TOLERANCE)
    if not averaged.any():
        averaged[:] = True
    whole = np.arange(len(rows) + 1)
    xlogx = whole * np.log2(np.maximum(whole, 1))
    data = _Data(
        values, labels, cardinality, sorted_rows, known, averaged, min_leaf, xlogx,
        np.empty(n_rows),
    )

    # An inner node has two branches of weight >= min_leaf, so there are fewer than
    # len(rows) / min_leaf inner nodes.  Memory that is never written to costs nothing.
    most_branches = max(2, cardinality.max())
    capacity = 1 + int(len(rows) / min_leaf + 1) * most_branches
    nodes = Nodes(
        np.empty(capacity, dtype=np.int64), np.empty(capacity),
        np.empty(capacity, dtype=np.int64), np.empty((capacity, n_classes)),
    )
    weights = np.ones(len(rows))
    _make_leaf(0, nodes)
    _class_weights(rows, weights, labels, nodes.counts[0])
    _grow(0, rows, weights, sorted_rows, 0, known, data, nodes, np.ones(1, dtype=np.int64))
    _collapse(0, nodes, cardinality)
    if prune:
        _prune(0, rows, weights, nodes, data, confidence, z)
    return _reachable(nodes, cardinality)


@njit(cache=True)
def _add_probabilities(node, weight, row, values, nodes, cardinality, out):
    """Add the class frequencies that an instance finds below a node, times a weight."""
    while nodes.attribute[node] != LEAF:
        a = nodes.attribute[node]
        b = branch_of(values[row, a], nodes.threshold[node], cardinality[a] > 0)
        if b == _MISSING:
            total = nodes.counts[node].sum()
            for child in _children(node, nodes, cardinality):
                part = nodes.counts[child].sum()
                if part >= TOLERANCE:
                    _add_probabilities(
                        child, weight * part / total, row, values, nodes, cardinality, out
                    )
            return
        child = nodes.first_child[node] + b
        if nodes.counts[child].sum() < TOLERANCE:
            break  # nothing known of this branch: the node's own frequencies
        node = child
    out += weight * nodes.counts[node] / nodes.counts[node].sum()


@njit(cache=True, nogil=True)
def tree_probabilities(values, rows, cardinality, nodes):
    """Class probabilities of rows of `values`; shape (n, n_classes)."""
    out = np.zeros((len(rows), nodes.counts.shape[1]))
    for i in range(len(rows)):
        _add_probabilities(0, 1.0, rows[i], values, nodes, cardinality, out[i])
    return out
