"""Growing and pruning of a C4.5 tree, compiled.

A tree is a set of arrays with one entry per node (`Nodes`); nothing here is recursive,
so no data set is too deep.  The children of a node are adjacent, one per branch: a
numeric test has two (value <= threshold, value > threshold), a nominal one as many as
the attribute has declared values, empty ones included.

Instances are row numbers with weights.  An instance whose tested value is missing goes
down every branch with a share of its weight, so the rows of the children may overlap.
"""

from typing import NamedTuple

import numpy as np

from companion.lab.compiled import njit

# Quantities that differ by less than this count as equal, in training and in
# prediction.
TOLERANCE = 1e-6
# A split does not separate neighbouring numbers closer than this.
SMALLEST_GAP = 1e-5
# A split is considered if its gain is not below the average gain by more than this.
GAIN_SLACK = 1e-3
# A subtree is replaced by a leaf with at most this many more training errors.
COLLAPSE_SLACK = 1e-3
# The same for pruning, in estimated errors.
PRUNING_SLACK = 0.1
# Nominal attributes whose number of values is at least this share of the training size
# do not count in the average gain.
MANY_VALUED = 0.3

LEAF = -1
_ALL_BRANCHES = -1


class Nodes(NamedTuple):
    """The nodes of a tree; the root is the first, and children come after their parents."""

    attribute: np.ndarray  # (n_nodes,) tested attribute, LEAF for a leaf
    threshold: np.ndarray  # (n_nodes,) for a numeric test, otherwise NaN
    first_child: np.ndarray  # (n_nodes,) node of the first branch; LEAF for a leaf
    counts: np.ndarray  # (n_nodes, n_classes) training weight of each class


class _Data(NamedTuple):
    """Data that all nodes of a growing tree share."""

    columns: np.ndarray  # (n_attributes, n_rows) values, NaN where missing
    labels: np.ndarray  # (n_rows,)
    cardinality: np.ndarray  # (n_attributes,) number of declared values, 0 if numeric
    order: (
        np.ndarray
    )  # (n_attributes, n_training + 1) training rows sorted by each attribute
    known: np.ndarray  # (n_attributes,) number of them with a value
    averaged: (
        np.ndarray
    )  # (n_attributes,) whether a split on it counts in the average gain
    min_leaf: float
    xlogx: np.ndarray  # n log2 n of whole numbers
    weight_of: np.ndarray  # (n_rows,) scratch: weights of the rows of the current node
    cells: (
        np.ndarray
    )  # (most values, n_classes) scratch: weights of the values of an attribute
    is_here: (
        np.ndarray
    )  # (n_rows,) scratch: whether a row is in the node; False between uses


# ---------------------------------------------------------------- nodes


@njit
def children(node, nodes, cardinality):
    """Return the positions of the children of a node, none if it is a leaf."""
    a = nodes.attribute[node]
    if a == LEAF:
        return range(0)
    first = nodes.first_child[node]
    return range(first, first + (cardinality[a] if cardinality[a] > 0 else 2))


@njit
def _make_leaf(node, nodes):
    nodes.attribute[node] = LEAF
    nodes.first_child[node] = LEAF
    nodes.threshold[node] = np.nan


@njit
def majority(counts):
    """Return the first of the classes with the largest weight."""
    best, largest = 0, 0.0
    for c in range(len(counts)):
        if counts[c] - largest > TOLERANCE:
            best, largest = c, counts[c]
    return best


@njit
def errors(counts):
    """Return the weight outside the majority class."""
    return counts.sum() - counts[majority(counts)]


@njit
def _branch(value, threshold, nominal):
    """Return the branch that an instance with this value takes."""
    if np.isnan(value):
        return _ALL_BRANCHES
    if nominal:
        return int(value)
    return 0 if value - threshold < TOLERANCE else 1


@njit
def _are_alike(low, high):
    """Return whether two numbers are too close for a cut between them."""
    return low + SMALLEST_GAP >= high


# ---------------------------------------------------------------- dividing the instances


@njit
def _divide(node, nodes, data, rows, weights):
    """Send instances down the branches of a node's test.

    Returns the start of each child, rows and weights of the children one after the
    other, and the share of its weight that an instance with a missing value takes down
    each branch.
    """
    tested = nodes.attribute[node]
    column = data.columns[tested]
    threshold, nominal = nodes.threshold[node], data.cardinality[tested] > 0
    n_branches = len(children(node, nodes, data.cardinality))
    shares = np.zeros(n_branches)
    sizes = np.zeros(n_branches, dtype=np.int64)
    taken = np.empty(len(rows), dtype=np.int64)
    n_missing = 0
    for i in range(len(rows)):
        b = taken[i] = _branch(column[rows[i]], threshold, nominal)
        if b == _ALL_BRANCHES:
            n_missing += 1
        else:
            shares[b] += weights[i]
            sizes[b] += 1
    if n_missing:
        known = shares.sum()
        for b in range(n_branches):
            share = shares[b] / known if known >= TOLERANCE else 1 / n_branches
            shares[b] = share if share > TOLERANCE else 0.0
            if shares[b] > 0:
                sizes[b] += n_missing
    starts = np.zeros(n_branches + 1, dtype=np.int64)
    for b in range(n_branches):
        starts[b + 1] = starts[b] + sizes[b]
    filled = starts[:-1].copy()
    child_rows = np.empty(starts[-1], dtype=np.int64)
    child_weights = np.empty(starts[-1])
    for i in range(len(rows)):
        if taken[i] != _ALL_BRANCHES:
            at = filled[taken[i]]
            child_rows[at], child_weights[at] = rows[i], weights[i]
            filled[taken[i]] += 1
        else:
            for b in range(n_branches):
                if shares[b] > 0:
                    at = filled[b]
                    child_rows[at], child_weights[at] = rows[i], weights[i] * shares[b]
                    filled[b] += 1
    return starts, child_rows, child_weights, shares


@njit
def _restrict(order, known, columns, cardinality, rows, is_here):
    """Restrict the sorted rows of a node to those of a child, so that nothing is sorted again.

    The rows sorted by a numeric attribute a are order[a, : known[a]].  An attribute
    that cannot split the node, nor its children therefore, has known[a] = 0.
    """
    of_child = np.empty((len(known), len(rows) + 1), dtype=np.uint32)
    known_of_child = np.zeros(len(known), dtype=np.int64)
    for row in rows:
        is_here[row] = True
    for a in range(len(known)):
        n, filled = known[a], 0
        if cardinality[a] > 1:
            known_of_child[a] = n
            continue
        if n == 0 or _are_alike(columns[a, order[a, 0]], columns[a, order[a, n - 1]]):
            continue
        for i in range(
            n
        ):  # each row is written, and overwritten by the next unless it stays
            row = of_child[a, filled] = order[a, i]
            filled += is_here[row]
        known_of_child[a] = filled
    for row in rows:
        is_here[row] = False
    return of_child, known_of_child


@njit
def _class_weights(rows, weights, labels, counts):
    for c in range(len(counts)):
        counts[c] = 0.0
    for i in range(len(rows)):
        counts[labels[rows[i]]] += weights[i]


# ---------------------------------------------------------------- one split


@njit
def _xlogx(x, table, known_to_be_whole=False):
    """Return x log2 x, looked up for whole numbers."""
    whole = int(x)
    if known_to_be_whole or (whole == x and whole < len(table)):
        return table[whole]
    return x * np.log2(x) if x >= TOLERANCE else 0.0


@njit
def _sum_xlogx(counts, table):
    total = 0.0
    for count in counts:
        total += _xlogx(count, table)
    return total


@njit
def _gain(reduction, known, total):
    """Return the information gain in bits of the known weight, times its share in the total."""
    reduction *= known / total
    return reduction / known if abs(reduction) >= TOLERANCE else 0.0


@njit
def _gain_ratio(gain, bags, known, total, table):
    """Return gain divided by split information, with missing values as one more branch.

    `bags` is the sum of w log2 w over the weights w of the branches.
    """
    information = _xlogx(total, table) - bags - _xlogx(total - known, table)
    return gain * total / information if abs(information) >= TOLERANCE else 0.0


@njit
def _nominal_split(
    columns,
    a,
    n_values,
    rows,
    weights,
    labels,
    total,
    counts,
    of_class,
    min_leaf,
    table,
):
    """Return gain and gain ratio of a split into the declared values; NaN if not allowed."""
    n_classes = len(of_class)
    for c in range(n_classes):
        of_class[c] = 0.0
        for b in range(n_values):
            counts[b, c] = 0.0
    for i in range(len(rows)):
        value = columns[a, rows[i]]
        if not np.isnan(value):
            counts[np.uint32(value), labels[rows[i]]] += weights[i]
    bags, cells, known, n_large = 0.0, 0.0, 0.0, 0
    for b in range(n_values):
        bag = 0.0
        for c in range(n_classes):
            if counts[b, c] > 0:
                bag += counts[b, c]
                of_class[c] += counts[b, c]
                cells += _xlogx(counts[b, c], table)
        known += bag
        bags += _xlogx(bag, table)
        n_large += bag - min_leaf > -TOLERANCE
    if n_large < 2:
        return np.nan, np.nan
    before = _xlogx(known, table) - _sum_xlogx(of_class, table)
    gain = _gain(before - (bags - cells), known, total)
    return gain, _gain_ratio(gain, bags, known, total, table)


def _numeric_splitter(whole):
    """Make `split` for nodes whose instances all have weight 1, or for any weights."""

    @njit
    def split(
        order,
        n,
        columns,
        a,
        weight_of,
        labels,
        n_rows,
        counts,
        total,
        min_leaf,
        table,
        in_all,
        left,
        both,
        moved,
        has_moved,
    ):
        """Find the best cut of a numeric attribute: gain, gain ratio, midpoint; NaN if none may be.

        order[a, :n] are those of the node's `n_rows` rows whose value is known, sorted
        by it.
        """
        nothing = np.nan, np.nan, np.nan
        n_classes = len(counts)
        if _are_alike(columns[a, order[a, 0]], columns[a, order[a, n - 1]]):
            return nothing
        for c in range(n_classes):
            in_all[c] = counts[c] if n == n_rows else 0.0
            left[c], has_moved[c] = 0.0, False
        if n < n_rows:
            for i in range(n):
                in_all[labels[order[a, i]]] += weight_of[order[a, i]]
        known = in_all.sum()
        least = max(
            min_leaf, min(0.1 * known / n_classes, 25.0)
        )  # smallest weight on either side
        if 2 * least - n > TOLERANCE:
            return nothing
        for c in range(
            n_classes
        ):  # x log x of each class, left plus right, as last summed
            both[c] = _xlogx(in_all[c], table, whole)
        cells = both.sum()
        before = _xlogx(known, table, whole) - cells
        n_moved, weight_left, value = 0, 0.0, columns[a, order[a, 0]]
        best_reduction, best_gain, best_cut, best_bags, n_cuts = 0.0, 0.0, -1, 0.0, 0
        for i in range(1, n):  # the cut before row i
            row = order[a, i - 1]
            c, w = labels[row], 1.0 if whole else weight_of[row]
            weight_left += w
            left[c] += w
            moved[n_moved] = c
            n_moved += not has_moved[c]
            has_moved[c] = True
            last, value = value, columns[a, order[a, i]]
            if _are_alike(last, value) or least - weight_left > TOLERANCE:
                continue
            weight_right = known - weight_left
            if least - weight_right > TOLERANCE:
                break
            for m in range(n_moved):
                c = moved[m]
                has_moved[c] = False
                now = _xlogx(left[c], table, whole) + _xlogx(
                    in_all[c] - left[c], table, whole
                )
                cells += now - both[c]
                both[c] = now
            n_moved = 0
            n_cuts += 1
            bags = _xlogx(weight_left, table, whole) + _xlogx(
                weight_right, table, whole
            )
            reduction = before - (bags - cells)
            if reduction > best_reduction:  # only then can the gain be larger
                gain = _gain(reduction, known, total)
                if gain - best_gain > TOLERANCE:
                    best_reduction, best_gain, best_cut, best_bags = (
                        reduction,
                        gain,
                        i,
                        bags,
                    )
        if best_cut < 0:
            return nothing
        best_gain -= np.log2(n_cuts) / total  # the price of choosing one of many cuts
        if best_gain < TOLERANCE:
            return nothing
        midpoint = (
            columns[a, order[a, best_cut - 1]] + columns[a, order[a, best_cut]]
        ) / 2
        return (
            best_gain,
            _gain_ratio(best_gain, best_bags, known, total, table),
            midpoint,
        )

    return split


_split_whole = _numeric_splitter(True)
_split_weighted = _numeric_splitter(False)


@njit
def _best_split(rows, weights, counts, order, known, data):
    """Return the attribute of the split with the best gain ratio (or LEAF), and its midpoint."""
    # Reading a field of a tuple of arrays, or passing on the tuple, is slow in an inner
    # loop.
    columns, labels, weight_of, table = (
        data.columns,
        data.labels,
        data.weight_of,
        data.xlogx,
    )
    n_attributes, total = len(known), counts.sum()
    gains, ratios = np.full(n_attributes, np.nan), np.empty(n_attributes)
    midpoints = np.full(n_attributes, np.nan)
    in_all, left, both = np.empty((3, len(counts)))
    moved = np.empty(
        len(counts) + 1, dtype=np.uint32
    )  # classes of rows that have moved since
    has_moved = np.empty(len(counts), dtype=np.bool_)
    total_gain, n_averaged = 0.0, 0
    are_whole = weights.min() == 1.0
    for a in range(n_attributes):
        n_values = data.cardinality[a]
        if known[a] == 0:
            continue
        if n_values > 0:
            gains[a], ratios[a] = _nominal_split(
                columns,
                a,
                n_values,
                rows,
                weights,
                labels,
                total,
                data.cells,
                in_all,
                data.min_leaf,
                table,
            )
            known[a] *= not np.isnan(gains[a])
        elif are_whole:
            gains[a], ratios[a], midpoints[a] = _split_whole(
                order,
                known[a],
                columns,
                a,
                weight_of,
                labels,
                len(rows),
                counts,
                total,
                data.min_leaf,
                table,
                in_all,
                left,
                both,
                moved,
                has_moved,
            )
        else:
            gains[a], ratios[a], midpoints[a] = _split_weighted(
                order,
                known[a],
                columns,
                a,
                weight_of,
                labels,
                len(rows),
                counts,
                total,
                data.min_leaf,
                table,
                in_all,
                left,
                both,
                moved,
                has_moved,
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


@njit
def _threshold(column, order, midpoint):
    """Return the largest value up to the midpoint, of rows sorted by it."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if column[order[middle]] - midpoint < TOLERANCE:
            low = middle + 1
        else:
            high = middle
    return column[order[low - 1]]


# ---------------------------------------------------------------- growing


@njit
def _is_final(counts, min_leaf):
    """Return whether a node with these class weights is too small or too pure to be split."""
    total = counts.sum()
    return 2 * min_leaf - total > TOLERANCE or total - counts.max() < TOLERANCE


@njit
def _grow(rows, weights, nodes, data):
    """Split the root, which holds these instances, then its children; return the tree's size."""
    size = 1
    if _is_final(nodes.counts[0], data.min_leaf):
        return size
    to_split = [(0, rows, weights, data.order, data.known)]  # nodes and their instances
    while to_split:
        node, rows, weights, order, known = to_split.pop()
        for i in range(len(rows)):
            data.weight_of[rows[i]] = weights[i]
        a, midpoint = _best_split(rows, weights, nodes.counts[node], order, known, data)
        if a == LEAF:
            continue
        nodes.attribute[node] = a
        nodes.first_child[node] = size
        if data.cardinality[a] == 0:
            # a value that occurs in the training set of the tree, not just of the node
            of_tree = data.order[a, : data.known[a]]
            nodes.threshold[node] = _threshold(data.columns[a], of_tree, midpoint)
        starts, child_rows, child_weights, shares = _divide(
            node, nodes, data, rows, weights
        )
        size += len(shares)
        for b, child in enumerate(children(node, nodes, data.cardinality)):
            part, counts = slice(starts[b], starts[b + 1]), nodes.counts[child]
            _make_leaf(child, nodes)
            _class_weights(child_rows[part], child_weights[part], data.labels, counts)
            if not _is_final(counts, data.min_leaf):
                to_split.append(
                    (
                        child,
                        child_rows[part],
                        child_weights[part],
                        *_restrict(
                            order,
                            known,
                            data.columns,
                            data.cardinality,
                            child_rows[part],
                            data.is_here,
                        ),
                    )
                )
    return size


@njit
def _collapse(nodes, size, cardinality):
    """Cut subtrees that do not reduce the training errors of their root."""
    of_subtree = np.empty(size)
    for node in range(size - 1, -1, -1):  # children before their parents
        as_leaf = errors(nodes.counts[node])
        of_subtree[node] = as_leaf
        if nodes.attribute[node] != LEAF:
            of_subtree[node] = 0.0
            for child in children(node, nodes, cardinality):
                of_subtree[node] += of_subtree[child]
            if of_subtree[node] >= as_leaf - COLLAPSE_SLACK:
                _make_leaf(node, nodes)


# ---------------------------------------------------------------- pruning


@njit
def _upper_limit(n, e, z):
    """Return the upper limit for e errors in n, by a continuity-corrected normal approximation."""
    f = (e + 0.5) / n
    spread = z * np.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return n * (f + z * z / (2 * n) + spread) / (1 + z * z / n)


@njit
def extra_errors(n, e, confidence, z):
    """Return the errors that a leaf of weight n must expect in addition to its e training errors.

    This is the distance from e to the upper limit of a one-sided binomial confidence
    interval: exact for e = 0, approximate for e of 1 or more, linear in between.  `z`
    is the normal quantile of 1 - `confidence`.
    """
    at_least_one = max(e, 1.0)
    if at_least_one + 0.5 >= n:
        approximate = max(n - at_least_one, 0.0)
    else:
        approximate = _upper_limit(n, at_least_one, z) - at_least_one
    if e >= 1:
        return approximate
    without_errors = n * (1 - confidence ** (1 / n))
    return without_errors + e * (approximate - without_errors)


@njit
def _leaf_estimate(counts, confidence, z):
    """Return the errors to be expected of a leaf with these class weights."""
    n = counts.sum()
    if n < TOLERANCE:
        return 0.0
    e = errors(counts)
    return e + extra_errors(n, e, confidence, z)


@njit
def _subtree_estimate(root, nodes, cardinality, confidence, z):
    """Return the errors to be expected of the leaves below a node."""
    total = 0.0
    to_visit = [root]
    while to_visit:
        node = to_visit.pop()
        if nodes.attribute[node] == LEAF:
            total += _leaf_estimate(nodes.counts[node], confidence, z)
        for child in children(node, nodes, cardinality):
            to_visit.append(child)  # noqa: PERF402  (compiled)
    return total


@njit
def _raised_estimate(branch, rows, weights, nodes, data, confidence, z, enough):
    """Return the errors to be expected of the leaves below a branch for other instances.

    The sum only grows, so it stops when it reaches `enough`.
    """
    total, counts = 0.0, np.empty(nodes.counts.shape[1])
    to_visit = [(branch, rows, weights)]
    while to_visit and total < enough:
        node, rows, weights = to_visit.pop()
        if nodes.attribute[node] == LEAF:
            _class_weights(rows, weights, data.labels, counts)
            total += _leaf_estimate(counts, confidence, z)
            continue
        starts, child_rows, child_weights, _ = _divide(node, nodes, data, rows, weights)
        for b, child in enumerate(children(node, nodes, data.cardinality)):
            part = slice(starts[b], starts[b + 1])
            to_visit.append((child, child_rows[part], child_weights[part]))
    return total


@njit
def _recount(root, rows, weights, nodes, data, counts):
    """Set the class weights of a subtree's nodes to those of the given instances."""
    to_visit = [(root, rows, weights)]
    while to_visit:
        node, rows, weights = to_visit.pop()
        _class_weights(rows, weights, data.labels, counts[node])
        if nodes.attribute[node] != LEAF:
            starts, child_rows, child_weights, _ = _divide(
                node, nodes, data, rows, weights
            )
            for b, child in enumerate(children(node, nodes, data.cardinality)):
                part = slice(starts[b], starts[b + 1])
                to_visit.append((child, child_rows[part], child_weights[part]))


@njit
def _largest_child(node, nodes, cardinality):
    """Return the child with the largest weight, the last one if several have it."""
    largest, best = 0.0, nodes.first_child[node]
    for child in children(node, nodes, cardinality):
        weight = nodes.counts[child].sum()
        if weight - largest > -TOLERANCE:
            largest, best = weight, child
    return best


@njit
def _prune(rows, weights, nodes, data, confidence, z):
    """Replace nodes, children first, by a leaf or by their largest branch if errors do not rise."""
    to_visit = [(0, rows, weights, False)]
    while to_visit:
        node, rows, weights, children_done = to_visit.pop()
        if nodes.attribute[node] == LEAF:
            continue
        if not children_done:
            to_visit.append((node, rows, weights, True))
            starts, child_rows, child_weights, _ = _divide(
                node, nodes, data, rows, weights
            )
            for b, child in enumerate(children(node, nodes, data.cardinality)):
                part = slice(starts[b], starts[b + 1])
                to_visit.append((child, child_rows[part], child_weights[part], False))
            continue
        branch = _largest_child(node, nodes, data.cardinality)
        as_tree = _subtree_estimate(node, nodes, data.cardinality, confidence, z)
        as_leaf = _leaf_estimate(nodes.counts[node], confidence, z)
        # beyond this the branch can only be worse than a leaf, or than the tree
        enough = min(as_leaf, as_tree + PRUNING_SLACK + TOLERANCE)
        as_branch = _raised_estimate(
            branch, rows, weights, nodes, data, confidence, z, enough
        )
        if as_leaf < min(as_tree, as_branch) + PRUNING_SLACK + TOLERANCE:
            _make_leaf(node, nodes)
        elif as_branch < as_tree + PRUNING_SLACK + TOLERANCE:
            nodes.attribute[node] = nodes.attribute[branch]
            nodes.threshold[node] = nodes.threshold[branch]
            nodes.first_child[node] = nodes.first_child[branch]
            _recount(node, rows, weights, nodes, data, nodes.counts)
            to_visit.append((node, rows, weights, False))


# ---------------------------------------------------------------- entry points


@njit
def _reachable(nodes, size, cardinality):
    """Return the positions of the remaining nodes, level by level, and their new first children."""
    kept = np.empty(size, dtype=np.int64)
    first_child = np.full(size, LEAF)
    kept[0] = 0
    size, new = 1, 0
    while new < size:
        for b, child in enumerate(children(kept[new], nodes, cardinality)):
            if b == 0:
                first_child[new] = size
            kept[size] = child
            size += 1
        new += 1
    return kept[:size], first_child[:size]


@njit
def _averaged(cardinality, n_training):
    """Return which attributes count in the average gain."""
    averaged = np.empty(len(cardinality), dtype=np.bool_)
    n_averaged = 0
    for a in range(len(cardinality)):
        averaged[a] = cardinality[a] < MANY_VALUED * n_training - TOLERANCE
        n_averaged += averaged[a]
    for a in range(len(cardinality)):
        averaged[a] |= n_averaged == 0
    return averaged


@njit(nogil=True)
def _grow_into(
    nodes, columns, order, cardinality, labels, rows, min_leaf, prune, confidence, z
):
    n_attributes, n_rows = columns.shape
    known = np.full(n_attributes, n_rows)
    for a in range(n_attributes):
        while known[a] > 0 and np.isnan(columns[a, order[a, known[a] - 1]]):
            known[a] -= 1
    is_here = np.zeros(n_rows, dtype=np.bool_)
    own_order, known = _restrict(order, known, columns, cardinality, rows, is_here)
    xlogx = np.zeros(len(rows) + 1)
    for n in range(1, len(xlogx)):
        xlogx[n] = n * np.log2(n)
    data = _Data(
        columns,
        labels,
        cardinality,
        own_order,
        known,
        _averaged(cardinality, len(rows)),
        min_leaf,
        xlogx,
        np.empty(n_rows),
        np.empty((cardinality.max(), nodes.counts.shape[1])),
        is_here,
    )
    weights = np.ones(len(rows))
    _make_leaf(0, nodes)
    _class_weights(rows, weights, labels, nodes.counts[0])
    size = _grow(rows, weights, nodes, data)
    _collapse(nodes, size, cardinality)
    if prune:
        _prune(rows, weights, nodes, data, confidence, z)
    return _reachable(nodes, size, cardinality)


def grow_tree(
    columns, order, cardinality, labels, n_classes, rows, min_leaf, prune, confidence, z
):
    """Grow a tree from some rows of a table; `order` sorts all rows by each attribute."""
    # An inner node has two branches of weight min_leaf or more, so there are fewer than
    # len(rows) / min_leaf of them.  Memory that is never written to costs nothing.
    capacity = 1 + int(len(rows) / min_leaf + 1) * max(2, int(cardinality.max()))
    nodes = Nodes(
        np.empty(capacity, dtype=np.int64),
        np.empty(capacity),
        np.empty(capacity, dtype=np.int64),
        np.empty((capacity, n_classes)),
    )
    kept, first_child = _grow_into(
        nodes,
        columns,
        order,
        cardinality,
        labels.astype(np.uint32),
        rows,
        min_leaf,
        prune,
        confidence,
        z,
    )
    return Nodes(
        nodes.attribute[kept], nodes.threshold[kept], first_child, nodes.counts[kept]
    )


@njit
def _add_frequencies(counts, weight, out):
    total = counts.sum()
    for c in range(len(counts)):
        out[c] += weight * counts[c] / total


@njit(nogil=True)
def tree_probabilities(columns, rows, cardinality, nodes):
    """Return the class probabilities of some rows, shape (len(rows), n_classes)."""
    out = np.zeros((len(rows), nodes.counts.shape[1]))
    for i in range(len(rows)):
        to_visit = [(0, 1.0)]
        while to_visit:
            node, weight = to_visit.pop()
            counts, a = nodes.counts[node], nodes.attribute[node]
            if a == LEAF:
                _add_frequencies(counts, weight, out[i])
                continue
            b = _branch(columns[a, rows[i]], nodes.threshold[node], cardinality[a] > 0)
            if b != _ALL_BRANCHES:
                child = nodes.first_child[node] + b
                if nodes.counts[child].sum() >= TOLERANCE:
                    to_visit.append((child, weight))
                else:  # an empty branch has no frequencies: use those of the node above
                    _add_frequencies(counts, weight, out[i])
            else:
                for child in children(node, nodes, cardinality):
                    of_child = nodes.counts[child].sum()
                    if of_child >= TOLERANCE:
                        to_visit.append((child, weight * of_child / counts.sum()))
    return out
