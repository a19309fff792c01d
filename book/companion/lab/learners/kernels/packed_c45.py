"""C4.5 on bit sets, compiled; the functions check nothing.

    learn_any(table, train, workspace)               # `train` is a set of rows
    predict_tree(workspace, other, predicted)

Counts are whole numbers, so every quantity is computed by the same operations as in
:mod:`companion.lab.learners.kernels.c45`, in the same order, and is equal to the last bit.

Reference counting costs more than the work itself where inner loops pass on arrays.  It
is switched off for functions that allocate nothing (``_nrt=False``).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from companion.lab.compiled import njit
from companion.lab.learners.kernels.bits import WORD, lowest_bit, popcount, unpack
from companion.lab.learners.kernels.c45 import (
    COLLAPSE_SLACK,
    GAIN_SLACK,
    LEAF,
    MANY_VALUED,
    PRUNING_SLACK,
    TOLERANCE,
    extra_errors,
)

# Estimated errors of leaves with at most this many rows are stored.
_REMEMBERED_ROWS = 512

#: A nonnegative index, so that no code for indices that count from the end is compiled.
at = np.uint64


class Workspace(NamedTuple):
    """Memory and parameters of C4.5 on tables of one shape, for one thread at a time."""

    prune: bool
    confidence: float
    z: float
    min_leaf: int
    is_binary: bool  # whether all attributes and the class are
    # functions of whole numbers
    xlogx: np.ndarray  # n log2 n
    estimates: (
        np.ndarray
    )  # expected errors of a leaf with n rows, e wrong; NaN if not yet known
    # nodes of the tree, some of which may have been cut off
    attribute: np.ndarray
    first_child: np.ndarray
    counts: np.ndarray  # int (nodes, n_classes)
    # the path from the root to the current node
    node: np.ndarray
    child: np.ndarray  # the next branch, from the last to the first
    wrong: np.ndarray  # training errors of the grown subtree so far
    is_grown: np.ndarray  # False if the subtree existed before and is only pruned again
    first_leaf: np.ndarray  # start of its leaves in leaf_estimates
    candidates: np.ndarray  # (depth, n_attributes) attributes that may split it
    n_candidates: np.ndarray
    rows: np.ndarray  # uint64 (depth, n_classes, n_words) its rows of each class
    leaf_estimates: np.ndarray  # of all finished leaves, last branches first
    # the path from the root of a branch that is tried as a replacement for its parent
    raised_node: np.ndarray
    raised_child: np.ndarray
    # at one node
    cells: np.ndarray  # int (n_values, n_classes) rows of each value and class
    gains: np.ndarray
    ratios: np.ndarray
    averaged: np.ndarray  # attributes that count in the average gain


def make_workspace(
    table, *, prune: bool, confidence: float, z: float, min_leaf: int
) -> Workspace:
    """Allocate memory for tables with as many rows, classes and values per attribute as this one.

    The other parameters are those of :class:`companion.lab.learners.C45`; `z` is the
    normal quantile of 1 - `confidence`.
    """
    n_attributes = len(table.first_value) - 1
    n_values, n_words = table.values.shape
    n_classes, n_rows = len(table.classes), table.n_rows
    most_values = max(2, int(np.diff(table.first_value).max()))
    # An inner node has two branches of min_leaf rows or more, and no attribute is
    # tested twice on a path, which ends in a leaf; branches that are tried need one
    # more level.
    capacity = 1 + (n_rows // min_leaf + 1) * most_values
    depth = min(n_attributes, n_rows // min_leaf) + 2

    def whole(*shape):
        return np.empty(shape, dtype=np.int64)

    # Memory that is never written to costs nothing.
    return Workspace(
        prune,
        confidence,
        z,
        min_leaf,
        n_classes == 2 and n_values == 2 * n_attributes == most_values * n_attributes,
        _xlogx(n_rows),
        _no_estimates(min(n_rows, _REMEMBERED_ROWS), confidence),
        whole(capacity),
        whole(capacity),
        whole(capacity, n_classes),
        whole(depth),
        whole(depth),
        whole(depth),
        np.empty(depth, dtype=np.bool_),
        whole(depth),
        whole(depth, n_attributes),
        whole(depth),
        np.empty((depth, n_classes, n_words), dtype=np.uint64),
        np.empty(capacity),
        whole(depth),
        whole(depth),
        whole(n_values, n_classes),
        np.empty(n_attributes),
        np.empty(n_attributes),
        np.empty(n_attributes, dtype=np.bool_),
    )


@lru_cache(maxsize=8)
def _xlogx(n_rows: int) -> np.ndarray:
    whole = np.arange(n_rows + 1)
    return whole * np.log2(np.maximum(whole, 1))


@lru_cache(maxsize=8)
def _no_estimates(n_rows: int, confidence: float) -> np.ndarray:
    """Allocate the estimates of one confidence, which are filled in when first needed."""
    return np.full((n_rows + 1) * (n_rows + 2) // 2, np.nan)


# ---------------------------------------------------------------- splits


@njit(inline="always")
def _n_values(first_value, a, fixed_values):
    """Return the number of values of an attribute, a compile-time constant if it is fixed."""
    return fixed_values if fixed_values else first_value[at(a + 1)] - first_value[at(a)]


@njit(inline="always")
def _total_and_largest(counts, node, n_classes):
    """Return the number of rows of a node, and of its largest class."""
    total, largest = 0, 0
    for c in range(n_classes):
        total += counts[at(node), c]
        largest = max(largest, counts[at(node), c])
    return total, largest


@njit(inline="always")
def _is_final(total, largest, min_leaf, hopeless):
    """Return whether a node with this many rows, total and in its largest class, is not split.

    Splits of a node with at most `hopeless` rows outside this class make as many errors
    as a leaf.
    """
    return total < 2 * min_leaf or total - largest <= hopeless


@njit(inline="always")
def _start(train, classes, n_classes, n_words, rows):
    """Set the rows of each class at the root."""
    for c in range(n_classes):
        for w in range(n_words):
            rows[0, c, w] = train[w] & classes[c, w]


@njit(inline="always")
def _descend(values, v, n_classes, n_words, depth, rows):
    """Set the rows one level down: those of the last node of the path that have a value."""
    here, below = at(depth), at(depth + 1)
    for c in range(n_classes):
        for w in range(n_words):
            rows[below, c, w] = rows[here, c, w] & values[at(v), w]


@njit(inline="always")
def _count_rows(rows, n_words, depth, c, values, v):
    """Count the rows of a class that have a value, at the last node of the path."""
    count = 0
    for w in range(n_words):
        count += popcount(rows[at(depth), c, w] & values[at(v), w])
    return count


@njit(inline="always")
def _count_cells(
    values, first, n_values, n_classes, n_words, counts, node, depth, rows, cells
):
    """Count the rows of each class and value of an attribute, at the last node of the path."""
    last = first + n_values - 1
    for c in range(n_classes):
        others = 0
        for v in range(first, last):
            cells[at(v), c] = _count_rows(rows, n_words, depth, c, values, v)
            others += cells[at(v), c]
        cells[at(last), c] = counts[at(node), c] - others


@njit(inline="always")
def _gain_and_ratio(bags, of_cells, before, of_total, total):
    """Compute both from sums of n log2 n over the branches, their classes, and the node."""
    reduction = before - (bags - of_cells)
    gain = reduction / total if abs(reduction) >= TOLERANCE else 0.0
    information = of_total - bags
    return gain, gain * total / information if abs(information) >= TOLERANCE else 0.0


@njit(inline="always")
def _best_split(
    values,
    first_value,
    fixed_values,
    n_classes,
    n_words,
    counts,
    node,
    depth,
    rows,
    cells,
    candidates,
    n_candidates,
    gains,
    ratios,
    averaged,
    min_leaf,
    xlogx,
):
    """Return the attribute of the split with the best gain ratio; LEAF if there is none.

    Sets the candidates of the node's children: an attribute without two large branches
    here has none below.  The code has no branches, because a processor could not
    predict them.
    """
    rows_here, of_classes = 0, 0.0
    for c in range(n_classes):
        rows_here += counts[at(node), c]
        of_classes += xlogx[at(counts[at(node), c])]
    of_total, total = xlogx[at(rows_here)], float(rows_here)
    before = of_total - of_classes
    total_gain, n_averaged, n_left = 0.0, 0, 0
    for i in range(n_candidates[at(depth)]):
        a = candidates[at(depth), i]
        first = first_value[at(a)]
        n_values = _n_values(first_value, a, fixed_values)
        _count_cells(
            values,
            first,
            n_values,
            n_classes,
            n_words,
            counts,
            node,
            depth,
            rows,
            cells,
        )
        bags, of_cells, n_large = 0.0, 0.0, 0
        for v in range(first, first + n_values):
            bag = 0
            for c in range(n_classes):
                bag += cells[at(v), c]
                of_cells += xlogx[at(cells[at(v), c])]
            bags += xlogx[at(bag)]
            n_large += bag >= min_leaf
        gain, ratio = _gain_and_ratio(bags, of_cells, before, of_total, total)
        qualifies = n_large >= 2
        candidates[at(depth + 1), at(n_left)] = a
        gains[at(n_left)], ratios[at(n_left)] = gain, ratio
        n_left += qualifies
        counts_in = qualifies & averaged[at(a)]
        total_gain += gain if counts_in else 0.0
        n_averaged += counts_in
    n_candidates[at(depth + 1)] = n_left
    best, best_ratio = LEAF, 0.0
    if n_averaged:
        least = total_gain / n_averaged - GAIN_SLACK
        for i in range(n_left):
            is_better = (gains[i] >= least) & (ratios[i] - best_ratio > TOLERANCE)
            best = candidates[at(depth + 1), i] if is_better else best
            best_ratio = ratios[i] if is_better else best_ratio
    return best


@njit
def _set_averaged(first_value, n_training, averaged):
    """Set which attributes count in the average gain."""
    for a in range(len(averaged)):
        n_values = first_value[a + 1] - first_value[a]
        averaged[a] = n_values < MANY_VALUED * n_training - TOLERANCE
    if not averaged.any():
        averaged[:] = True


# ---------------------------------------------------------------- pruning


@njit
def _new_estimate(n, e, confidence, z):
    return e + extra_errors(float(n), float(e), confidence, z)


@njit(inline="always")
def _estimate(n, e, estimates, confidence, z):
    """Return the expected errors of a leaf with n rows, e of them wrong."""
    place = at((n * (n + 1) >> 1) + e)
    if place < at(len(estimates)):
        if np.isnan(estimates[place]):
            estimates[place] = _new_estimate(n, e, confidence, z) if n else 0.0
        return estimates[place]
    return _new_estimate(n, e, confidence, z)


@njit(inline="always")
def _largest_child(first, n_branches, counts, n_classes):
    """Return the child with the most rows, the last one if several have them."""
    most, best = 0, first
    for child in range(first, first + n_branches):
        total, _ = _total_and_largest(counts, child, n_classes)
        if total >= most:
            most, best = total, child
    return best


@njit(inline="always")
def _with_slack(estimate):
    return estimate + PRUNING_SLACK + TOLERANCE


@njit(inline="always")
def _raised_estimate(
    branch,
    depth,
    enough,
    values,
    first_value,
    fixed_values,
    n_classes,
    n_words,
    attribute,
    first_child,
    rows,
    raised_node,
    raised_child,
    estimates,
    confidence,
    z,
):
    """Return the expected errors of the leaves below a branch for the rows of the path's last node.

    The sum only grows, so it stops when it reaches `enough`.
    """
    total, top, below = 0.0, depth, branch
    raised_node[at(top)] = branch
    raised_child[at(top)] = (
        _n_values(first_value, attribute[at(branch)], fixed_values) - 1
    )
    while top >= depth and total < enough:
        b = raised_child[at(top)]
        if b < 0:
            top -= 1
            continue
        raised_child[at(top)] = b - 1
        above = raised_node[at(top)]
        below = first_child[at(above)] + b
        v = first_value[at(attribute[at(above)])] + b
        if attribute[at(below)] == LEAF:
            n, largest = 0, 0
            for c in range(n_classes):
                count = _count_rows(rows, n_words, top, c, values, v)
                n += count
                largest = max(largest, count)
            total += _estimate(n, n - largest, estimates, confidence, z)
        else:
            _descend(values, v, n_classes, n_words, top, rows)
            top += 1
            raised_node[at(top)] = below
            raised_child[at(top)] = (
                _n_values(first_value, attribute[at(below)], fixed_values) - 1
            )
    return total


# ---------------------------------------------------------------- growing


def _learner(fixed_values, fixed_classes):
    """Make C4.5 for attributes and a class with fixed numbers of values, or 0 for any number."""

    @njit(error_model="numpy", _nrt=False)
    def learn(table, train, workspace):
        """Grow a tree from a set of rows, at least one, and prune it; it stays in the workspace.

        It is grown branch by branch, the last one first.  A subtree is collapsed and
        pruned as soon as it is finished.  The result is the same as for the finished
        tree: neither step looks above or next to the subtree, and a later cut removes
        whatever was left of it.
        """
        # Reading a field of a tuple of arrays, or passing on the tuple, is slow inside
        # a loop.
        values, first_value, classes = table.values, table.first_value, table.classes
        prune, confidence, z, min_leaf = (
            workspace.prune,
            workspace.confidence,
            workspace.z,
            workspace.min_leaf,
        )
        xlogx, estimates = workspace.xlogx, workspace.estimates
        attribute, first_child = workspace.attribute, workspace.first_child
        counts, wrong = workspace.counts, workspace.wrong
        nodes, child = workspace.node, workspace.child
        is_grown, first_leaf = workspace.is_grown, workspace.first_leaf
        candidates, n_candidates = workspace.candidates, workspace.n_candidates
        rows, leaf_estimates = workspace.rows, workspace.leaf_estimates
        raised_node, raised_child = workspace.raised_node, workspace.raised_child
        cells, gains, ratios = workspace.cells, workspace.gains, workspace.ratios
        averaged = workspace.averaged
        n_classes = fixed_classes if fixed_classes else len(classes)
        n_words = classes.shape[1]
        n_attributes = len(first_value) - 1

        _start(train, classes, n_classes, n_words, rows)
        n_training, largest = 0, 0
        for c in range(n_classes):
            counts[0, c] = 0
            for w in range(n_words):
                counts[0, c] += popcount(rows[0, c, w])
            n_training += counts[0, c]
            largest = max(largest, counts[0, c])
        _set_averaged(first_value, n_training, averaged)
        for a in range(n_attributes):
            candidates[0, a] = a
        n_candidates[0] = n_attributes
        attribute[0] = first_child[0] = LEAF
        # If one row is outside the largest class and each branch has two rows or more,
        # that row is also an error in its branch: such a split would be collapsed.
        hopeless = 1 if fixed_values == 2 and min_leaf > 1 else 0
        if _is_final(n_training, largest, min_leaf, hopeless):
            return

        nodes[0], is_grown[0], first_leaf[0], wrong[0] = 0, True, 0, 0
        depth, size, n_leaves, is_new = 0, 1, 0, True
        while depth >= 0:
            node = nodes[at(depth)]
            if is_new:
                is_new = False
                if is_grown[at(depth)]:
                    attribute[at(node)] = _best_split(
                        values,
                        first_value,
                        fixed_values,
                        n_classes,
                        n_words,
                        counts,
                        node,
                        depth,
                        rows,
                        cells,
                        candidates,
                        n_candidates,
                        gains,
                        ratios,
                        averaged,
                        min_leaf,
                        xlogx,
                    )
                a = attribute[at(node)]
                child[at(depth)] = -1
                if a != LEAF:
                    first, n_values = (
                        first_value[at(a)],
                        _n_values(first_value, a, fixed_values),
                    )
                    _count_cells(
                        values,
                        first,
                        n_values,
                        n_classes,
                        n_words,
                        counts,
                        node,
                        depth,
                        rows,
                        cells,
                    )
                    if is_grown[at(depth)]:
                        first_child[at(node)] = size
                        size += n_values
                    for b in range(n_values):
                        below = first_child[at(node)] + b
                        for c in range(n_classes):
                            counts[at(below), c] = cells[at(first + b), c]
                        if is_grown[at(depth)]:
                            attribute[at(below)] = first_child[at(below)] = LEAF
                    child[at(depth)] = n_values - 1
            b = child[at(depth)]
            if b >= 0:
                child[at(depth)] = b - 1
                below = first_child[at(node)] + b
                total, largest = _total_and_largest(counts, below, n_classes)
                if (
                    _is_final(total, largest, min_leaf, hopeless)
                    if is_grown[at(depth)]
                    else attribute[at(below)] == LEAF
                ):
                    leaf_estimates[at(n_leaves)] = _estimate(
                        total, total - largest, estimates, confidence, z
                    )
                    n_leaves += 1
                    if is_grown[at(depth)]:
                        wrong[at(depth)] += total - largest
                else:
                    v = first_value[at(attribute[at(node)])] + b
                    _descend(values, v, n_classes, n_words, depth, rows)
                    nodes[at(depth + 1)], is_grown[at(depth + 1)] = (
                        below,
                        is_grown[at(depth)],
                    )
                    first_leaf[at(depth + 1)], wrong[at(depth + 1)] = n_leaves, 0
                    is_new = True
                    depth += 1
                continue

            # all branches are finished
            total, largest = _total_and_largest(counts, node, n_classes)
            as_leaf = _estimate(total, total - largest, estimates, confidence, z)
            is_cut = False
            if attribute[at(node)] == LEAF:
                is_cut = True
                wrong[at(depth)] = total - largest
            elif (
                is_grown[at(depth)]
                and wrong[at(depth)] >= total - largest - COLLAPSE_SLACK
            ):
                is_cut = True
            elif prune:
                as_tree = 0.0
                for leaf in range(first_leaf[at(depth)], n_leaves):
                    as_tree += leaf_estimates[leaf]
                a = attribute[at(node)]
                n_values = _n_values(first_value, a, fixed_values)
                branch = _largest_child(
                    first_child[at(node)], n_values, counts, n_classes
                )
                as_branch = as_leaf
                if attribute[at(branch)] != LEAF:
                    # Beyond this the branch can only be worse than a leaf, or than the
                    # tree.
                    enough = min(as_leaf, _with_slack(as_tree))
                    as_branch = _raised_estimate(
                        branch,
                        depth,
                        enough,
                        values,
                        first_value,
                        fixed_values,
                        n_classes,
                        n_words,
                        attribute,
                        first_child,
                        rows,
                        raised_node,
                        raised_child,
                        estimates,
                        confidence,
                        z,
                    )
                if as_leaf < _with_slack(min(as_tree, as_branch)):
                    is_cut = True
                elif as_branch < _with_slack(as_tree):
                    attribute[at(node)] = attribute[at(branch)]
                    first_child[at(node)] = first_child[at(branch)]
                    is_grown[at(depth)], is_new = False, True
                    n_leaves = first_leaf[at(depth)]
                    continue
            if is_cut:
                attribute[at(node)] = first_child[at(node)] = LEAF
                leaf_estimates[at(first_leaf[at(depth)])] = as_leaf
                n_leaves = first_leaf[at(depth)] + 1
            if depth > 0 and is_grown[at(depth - 1)]:
                wrong[at(depth - 1)] += wrong[at(depth)]
            depth -= 1

    return learn


# Compiled separately: a caller that needs only one does not wait for the other.
learn_any = _learner(0, 0)
learn_binary = _learner(2, 2)  # for ``workspace.is_binary``


# ---------------------------------------------------------------- predicting with a tree


@njit
def _label(counts, node, above):
    """Return the majority class of a node, the first of several; of its parent if it is empty."""
    total, _ = _total_and_largest(counts, node, counts.shape[1])
    if total == 0:
        node = above
    best = 0
    for c in range(1, counts.shape[1]):
        if counts[node, c] > counts[node, best]:
            best = c
    return best


@njit(inline="always")
def predicted_label(row, codes, first_value, attribute, first_child, counts):
    """Return the class that a tree gives a row of unpacked codes."""
    node, above = 0, 0
    while attribute[node] != LEAF:
        a = attribute[node]
        above, node = node, first_child[node] + codes[row, a] - first_value[a]
    return _label(counts, node, above)


@njit
def _hits(test, codes, labels, first_value, workspace):
    """Count the rows of a set that the tree in a workspace classifies correctly."""
    attribute, first_child, counts = (
        workspace.attribute,
        workspace.first_child,
        workspace.counts,
    )
    hits = 0
    for w in range(len(test)):
        word = test[w]
        while word:
            row = w * WORD + lowest_bit(word)
            word &= word - np.uint64(1)
            label = predicted_label(
                row, codes, first_value, attribute, first_child, counts
            )
            hits += label == labels[row]
    return hits


@njit
def predict_tree(workspace, table, out):
    """Write the class that the tree in a workspace gives each row of a table."""
    attribute, first_child, counts = (
        workspace.attribute,
        workspace.first_child,
        workspace.counts,
    )
    codes, _ = unpack(table)
    for row in range(len(out)):
        out[row] = predicted_label(
            row, codes, table.first_value, attribute, first_child, counts
        )


@njit(inline="always")
def _count_correct(learn, table, train, test, workspace, correct):
    codes, labels = unpack(table)
    for s in range(len(test)):
        learn(table, train[s], workspace)
        correct[s] = _hits(test[s], codes, labels, table.first_value, workspace)


@njit(nogil=True)
def count_correct_any(table, train, test, workspace, correct):
    """Write how many test rows C4.5 classifies correctly in each split.

    `train` and `test` are sets of rows, shape (n_splits, n_words), none empty.
    """
    _count_correct(learn_any, table, train, test, workspace, correct)


@njit(nogil=True)
def count_correct_binary(table, train, test, workspace, correct):
    """Do the same as `count_correct_any`, for ``workspace.is_binary``."""
    _count_correct(learn_binary, table, train, test, workspace, correct)
