"""C4.5 and naive Bayes on bit sets, compiled.

Nominal data without missing values are sets of rows, a bit a row: one for each value of each
attribute and one for each class (`PackedTable`).  A training set, a fold, the instances at a node
of a tree are sets too, and all that the learners need of them are numbers of rows in
intersections.  These are whole numbers, so that every quantity here is computed by the operations
of :mod:`replib.learners.c45_kernels` and :mod:`replib.learners.naive_bayes`, in their order, and
comes out the same to the last bit.

The functions without underscore may be called from other compiled code.  What they would otherwise
allocate anew for each training set is in a `Workspace`, which serves any number of tables of one
shape; one thread at a time may use it.
"""

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from replib.learners.c45_kernels import (
    COLLAPSE_SLACK, GAIN_SLACK, LEAF, MANY_VALUED, PRUNING_SLACK, TOLERANCE, Nodes, extra_errors,
)

WORD = 64  # rows in a word of a bit set

# Estimated errors of leaves with at most this many rows are remembered.
_REMEMBERED_ROWS = 512
# Naive Bayes scales a row's product up when it falls below this.
_SMALLEST_PRODUCT = 1e-75


class PackedTable(NamedTuple):
    """Nominal data as bit sets: row r is bit r % 64 of word r // 64; bits beyond the rows are 0."""

    values: np.ndarray  # uint64 (n_values, n_words): rows that have a value, all attributes' values
    first_value: np.ndarray  # (n_attributes + 1,) where the values of each attribute begin
    classes: np.ndarray  # uint64 (n_classes, n_words): rows of each class
    n_rows: int


class Workspace(NamedTuple):
    """Memory and parameters of learners that work on tables of one shape."""

    # parameters of C4.5
    prune: bool
    confidence: float
    z: float
    min_leaf: int
    # functions of whole numbers
    xlogx: np.ndarray  # n log2 n
    estimates: np.ndarray  # errors expected of a leaf with n rows, e of them wrong; NaN if not yet
    # nodes of the tree, of which some may have been cut off
    attribute: np.ndarray
    first_child: np.ndarray
    counts: np.ndarray  # int (capacity, n_classes)
    # the path from the root to the node at work
    node: np.ndarray
    child: np.ndarray  # branch that comes next, from the last to the first
    wrong: np.ndarray  # training errors of the grown subtree so far
    is_grown: np.ndarray  # False if the subtree was there before and is but pruned again
    first_leaf: np.ndarray  # where its leaves begin in leaf_estimates
    candidates: np.ndarray  # (depth, n_attributes) attributes that may split it
    n_candidates: np.ndarray
    rows: np.ndarray  # uint64 (depth, n_words)
    leaf_estimates: np.ndarray  # of all leaves that are finished, last branches first
    # the path from the root of a branch that is tried in the place of its parent
    raised_node: np.ndarray
    raised_child: np.ndarray
    # at one node
    cells: np.ndarray  # int (n_values, n_classes) rows of each value and class
    gains: np.ndarray
    ratios: np.ndarray
    # rows of the table
    codes: np.ndarray  # (n_rows, n_attributes) value of each row, counted over all attributes
    labels: np.ndarray
    # naive Bayes
    factors: np.ndarray  # (n_classes, n_values)
    prior: np.ndarray
    product: np.ndarray


# ---------------------------------------------------------------- bit sets


@intrinsic
def popcount(typingctx, word):
    """Number of bits that are set in a word."""
    if word != types.uint64:
        return None

    def codegen(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest_bit(typingctx, word):
    """Position of the lowest bit that is set in a word other than 0."""
    if word != types.uint64:
        return None

    def codegen(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@njit(cache=True)
def n_words_of(n_rows):
    """Words of a set of rows."""
    return (n_rows + WORD - 1) // WORD


@njit(cache=True)
def add_row(rows, row):
    """Put a row into a set."""
    rows[row // WORD] |= np.uint64(1) << np.uint64(row % WORD)


@njit(cache=True)
def pack_rows(columns, labels, cardinality, n_classes):
    """`PackedTable` of whole numbers that need no check.

    Parameters
    ----------
    columns : ndarray of int, shape (n_attributes, n_rows)
        Values, from 0 to below the attribute's cardinality.
    labels : ndarray of int, shape (n_rows,)
        Classes, from 0 to below `n_classes`.
    cardinality : ndarray of int, shape (n_attributes,)
    n_classes : int
    """
    n_attributes, n_rows = columns.shape
    first_value = np.zeros(n_attributes + 1, dtype=np.int64)
    first_value[1:] = np.cumsum(cardinality)
    values = np.zeros((first_value[-1], n_words_of(n_rows)), dtype=np.uint64)
    classes = np.zeros((n_classes, n_words_of(n_rows)), dtype=np.uint64)
    for a in range(n_attributes):
        for row in range(n_rows):
            add_row(values[first_value[a] + columns[a, row]], row)
    for row in range(n_rows):
        add_row(classes[labels[row]], row)
    return PackedTable(values, first_value, classes, n_rows)


@njit(cache=True)
def pack_masks(masks):
    """Bit sets, shape (n_masks, n_words), of boolean masks of shape (n_masks, n_rows)."""
    n_masks, n_rows = masks.shape
    packed = np.zeros((n_masks, n_words_of(n_rows)), dtype=np.uint64)
    for i in range(n_masks):
        for row in range(n_rows):
            if masks[i, row]:
                add_row(packed[i], row)
    return packed


@njit(cache=True)
def pack_folds(fold_of, folds):
    """Bit sets, shape (folds, n_words), of the folds that rows are in, shape (n_rows,)."""
    packed = np.zeros((folds, n_words_of(len(fold_of))), dtype=np.uint64)
    for row in range(len(fold_of)):
        add_row(packed[fold_of[row]], row)
    return packed


@njit(cache=True)
def complements(table, masks):
    """The rows of a table that are not in each of some bit sets, shape (n_masks, n_words)."""
    out = np.empty_like(masks)
    for w in range(masks.shape[1]):
        everything = np.uint64(0)
        for c in range(len(table.classes)):
            everything |= table.classes[c, w]
        for i in range(len(masks)):
            out[i, w] = everything & ~masks[i, w]
    return out


# ---------------------------------------------------------------- memory


@njit(cache=True)
def make_workspace(table, prune, confidence, z, min_leaf):
    """Memory for tables with as many rows, classes and values of each attribute as this one.

    The other parameters are those of :class:`replib.learners.C45`; `z` is the normal quantile of
    1 - `confidence`.
    """
    n_attributes = len(table.first_value) - 1
    n_values, n_words = table.values.shape
    n_classes, n_rows = len(table.classes), table.n_rows
    most_values = 2
    for a in range(n_attributes):
        most_values = max(most_values, table.first_value[a + 1] - table.first_value[a])
    # An inner node has two branches of min_leaf rows or more, and no attribute is tested twice on
    # a path.
    capacity = 1 + (n_rows // min_leaf + 1) * most_values
    depth = n_attributes + 2
    whole = np.arange(n_rows + 1)
    remembered = min(n_rows, _REMEMBERED_ROWS) + 1
    return Workspace(
        prune, confidence, z, min_leaf,
        whole * np.log2(np.maximum(whole, 1)),
        np.full(remembered * (remembered + 1) // 2, np.nan),
        np.empty(capacity, dtype=np.int64), np.empty(capacity, dtype=np.int64),
        np.empty((capacity, n_classes), dtype=np.int64),
        np.empty(depth, dtype=np.int64), np.empty(depth, dtype=np.int64),
        np.empty(depth, dtype=np.int64), np.empty(depth, dtype=np.bool_),
        np.empty(depth, dtype=np.int64), np.empty((depth, n_attributes), dtype=np.int64),
        np.empty(depth, dtype=np.int64), np.empty((depth, n_words), dtype=np.uint64),
        np.empty(capacity),
        np.empty(depth, dtype=np.int64), np.empty(depth, dtype=np.int64),
        np.empty((n_values, n_classes), dtype=np.int64),
        np.empty(n_attributes), np.empty(n_attributes),
        np.empty((n_rows, n_attributes), dtype=np.int32), np.empty(n_rows, dtype=np.int32),
        np.empty((n_classes, n_values)), np.empty(n_classes), np.empty(n_classes),
    )


@njit(cache=True)
def unpack(table, codes, labels):
    """Write each row's values, counted over all attributes, and its class."""
    n_words = table.values.shape[1]
    for a in range(len(table.first_value) - 1):
        for v in range(table.first_value[a], table.first_value[a + 1]):
            for w in range(n_words):
                word = table.values[v, w]
                while word:
                    codes[w * WORD + lowest_bit(word), a] = v
                    word &= word - np.uint64(1)
    for c in range(len(table.classes)):
        for w in range(n_words):
            word = table.classes[c, w]
            while word:
                labels[w * WORD + lowest_bit(word)] = c
                word &= word - np.uint64(1)


# ---------------------------------------------------------------- splits


@njit(cache=True)
def _count_cells(table, depth, workspace):
    """Rows of each value and class at the node at work, of attributes that may split it."""
    values, classes, first_value = table.values, table.classes, table.first_value
    rows, cells = workspace.rows, workspace.cells
    n_classes, n_words = classes.shape
    for i in range(workspace.n_candidates[depth]):
        a = workspace.candidates[depth, i]
        for v in range(first_value[a], first_value[a + 1]):
            for c in range(n_classes):
                cells[v, c] = 0
                for w in range(n_words):
                    cells[v, c] += popcount(rows[depth, w] & values[v, w] & classes[c, w])


@njit(cache=True)
def _best_split(table, depth, averaged, workspace):
    """Attribute of the split with the best gain ratio at the node at work; LEAF if there is none.

    Sets the candidates of its children: an attribute without two large branches here has none
    below.
    """
    first_value = table.first_value
    cells, gains, ratios, xlogx = (
        workspace.cells, workspace.gains, workspace.ratios, workspace.xlogx
    )
    candidates, n_classes = workspace.candidates, len(table.classes)
    _count_cells(table, depth, workspace)
    counts = workspace.counts[workspace.node[depth]]
    total, of_classes = 0, 0.0
    for c in range(n_classes):
        total += counts[c]
        of_classes += xlogx[counts[c]]
    before = xlogx[total] - of_classes
    total_gain, n_averaged, n_left = 0.0, 0, 0
    for i in range(workspace.n_candidates[depth]):
        a = candidates[depth, i]
        bags, of_cells, n_large = 0.0, 0.0, 0
        for v in range(first_value[a], first_value[a + 1]):
            bag = 0
            for c in range(n_classes):
                bag += cells[v, c]
                of_cells += xlogx[cells[v, c]]
            bags += xlogx[bag]
            n_large += bag >= workspace.min_leaf
        if n_large < 2:
            continue
        reduction = before - (bags - of_cells)
        gain = reduction / total if abs(reduction) >= TOLERANCE else 0.0
        information = xlogx[total] - bags
        candidates[depth + 1, n_left] = a
        gains[n_left] = gain
        ratios[n_left] = gain * total / information if abs(information) >= TOLERANCE else 0.0
        n_left += 1
        if averaged[a]:
            total_gain += gain
            n_averaged += 1
    workspace.n_candidates[depth + 1] = n_left
    best, best_ratio = LEAF, 0.0
    if n_averaged:
        least = total_gain / n_averaged - GAIN_SLACK
        for i in range(n_left):
            if gains[i] >= least and ratios[i] - best_ratio > TOLERANCE:
                best, best_ratio = candidates[depth + 1, i], ratios[i]
    return best


@njit(cache=True)
def _averaged(table, n_training):
    """Which attributes count in the average gain."""
    cardinality = np.diff(table.first_value)
    averaged = cardinality < MANY_VALUED * n_training - TOLERANCE
    if not averaged.any():
        averaged[:] = True
    return averaged


# ---------------------------------------------------------------- leaves


@njit(cache=True)
def _is_final(node, workspace):
    """Is a node too small or too pure to be split?"""
    total, largest = _total_and_largest(node, workspace.counts)
    return total < 2 * workspace.min_leaf or total == largest


@njit(cache=True)
def _total_and_largest(node, counts):
    total, largest = 0, 0
    for c in range(counts.shape[1]):
        total += counts[node, c]
        largest = max(largest, counts[node, c])
    return total, largest


@njit(cache=True)
def _estimate(n, e, workspace):
    """Errors to be expected of a leaf with n rows of which e are wrong."""
    if n == 0:
        return 0.0
    place = n * (n + 1) // 2 + e
    if place < len(workspace.estimates) and not np.isnan(workspace.estimates[place]):
        return workspace.estimates[place]
    estimate = e + extra_errors(float(n), float(e), workspace.confidence, workspace.z)
    if place < len(workspace.estimates):
        workspace.estimates[place] = estimate
    return estimate


@njit(cache=True)
def _leaf_estimate(node, workspace):
    total, largest = _total_and_largest(node, workspace.counts)
    return _estimate(total, total - largest, workspace)


# ---------------------------------------------------------------- growing and pruning


@njit(cache=True)
def _descend(table, value, depth, rows):
    """The rows one deeper: those of a path's end that have a value."""
    for w in range(rows.shape[1]):
        rows[depth + 1, w] = rows[depth, w] & table.values[value, w]


@njit(cache=True)
def _count_children(table, depth, workspace):
    """Count the rows of the node at work in the leaves and nodes right below it."""
    node = workspace.node[depth]
    v = table.first_value[workspace.attribute[node]]
    after = table.first_value[workspace.attribute[node] + 1]
    child = workspace.first_child[node]
    while v < after:
        for c in range(len(table.classes)):
            count = 0
            for w in range(table.values.shape[1]):
                count += popcount(
                    workspace.rows[depth, w] & table.values[v, w] & table.classes[c, w]
                )
            workspace.counts[child, c] = count
        v += 1
        child += 1


@njit(cache=True)
def _largest_child(node, n_branches, workspace):
    """Child with the most rows, the last one if several have them."""
    most, best = 0, workspace.first_child[node]
    for child in range(best, best + n_branches):
        total, _ = _total_and_largest(child, workspace.counts)
        if total >= most:
            most, best = total, child
    return best


@njit(cache=True)
def _raised_estimate(table, branch, depth, enough, workspace):
    """Errors to be expected of the leaves below a branch for the rows at the end of the path.

    Adding up stops when the sum, from which errors are never taken away, is at least `enough`.
    """
    first_value, classes = table.first_value, table.classes
    attribute, first_child = workspace.attribute, workspace.first_child
    node, child, rows = workspace.raised_node, workspace.raised_child, workspace.rows
    total, top = 0.0, depth
    node[top] = branch
    child[top] = first_value[attribute[branch] + 1] - first_value[attribute[branch]] - 1
    while top >= depth:
        if child[top] < 0:
            top -= 1
            continue
        below = first_child[node[top]] + child[top]
        _descend(table, first_value[attribute[node[top]]] + child[top], top, rows)
        child[top] -= 1
        if attribute[below] == LEAF:
            n, largest = 0, 0
            for c in range(len(classes)):
                count = 0
                for w in range(classes.shape[1]):
                    count += popcount(rows[top + 1, w] & classes[c, w])
                n += count
                largest = max(largest, count)
            total += _estimate(n, n - largest, workspace)
            if total >= enough:
                return total
        else:
            top += 1
            node[top] = below
            child[top] = first_value[attribute[below] + 1] - first_value[attribute[below]] - 1
    return total


@njit(cache=True)
def _with_slack(estimate):
    return estimate + PRUNING_SLACK + TOLERANCE


_KEEP, _CUT, _RAISE = 0, 1, 2


@njit(cache=True)
def _verdict(table, depth, n_leaves, workspace):
    """Should the node at work become a leaf, or its largest branch, as that errs no more?

    Returns that and the largest branch.
    """
    node = workspace.node[depth]
    a = workspace.attribute[node]
    branch = _largest_child(node, table.first_value[a + 1] - table.first_value[a], workspace)
    as_leaf = _leaf_estimate(node, workspace)
    as_tree = 0.0
    for leaf in range(workspace.first_leaf[depth], n_leaves):
        as_tree += workspace.leaf_estimates[leaf]
    if workspace.attribute[branch] == LEAF:
        return (_CUT if as_leaf < _with_slack(as_tree) else _KEEP), branch
    if as_leaf < _with_slack(as_tree):
        # No estimate from as_leaf on can be so small that the branch is better than a leaf.
        as_branch = _raised_estimate(table, branch, depth, as_leaf, workspace)
        return (_CUT if as_leaf < _with_slack(as_branch) else _RAISE), branch
    as_branch = _raised_estimate(table, branch, depth, _with_slack(as_tree), workspace)
    return (_RAISE if as_branch < _with_slack(as_tree) else _KEEP), branch


@njit(cache=True)
def learn_c45(table, train, workspace):
    """Grow a tree from a set of rows, at least one, and prune it; it stays in the workspace.

    The tree is grown branch by branch, the last one first.  A subtree is collapsed and pruned as
    soon as it is finished, which gives the same as doing so with the finished tree: neither looks
    above or beside the subtree, and if it is cut off later, then whatever was left of it.
    """
    first_value, classes = table.first_value, table.classes
    attribute, first_child, counts = (
        workspace.attribute, workspace.first_child, workspace.counts
    )
    nodes, child, wrong = workspace.node, workspace.child, workspace.wrong
    is_grown, first_leaf = workspace.is_grown, workspace.first_leaf
    leaf_estimates = workspace.leaf_estimates
    n_classes, n_words = classes.shape
    n_attributes = len(first_value) - 1

    workspace.rows[0] = train
    n_training = 0
    for c in range(n_classes):
        counts[0, c] = 0
        for w in range(n_words):
            counts[0, c] += popcount(train[w] & classes[c, w])
        n_training += counts[0, c]
    averaged = _averaged(table, n_training)
    for a in range(n_attributes):
        workspace.candidates[0, a] = a
    workspace.n_candidates[0] = n_attributes
    attribute[0] = first_child[0] = LEAF
    if _is_final(0, workspace):
        return

    nodes[0], is_grown[0], first_leaf[0], wrong[0] = 0, True, 0, 0
    depth, size, n_leaves, is_new = 0, 1, 0, True
    while depth >= 0:
        node = nodes[depth]
        if is_new:
            is_new = False
            if is_grown[depth]:
                a = attribute[node] = _best_split(table, depth, averaged, workspace)
                if a != LEAF:
                    first_child[node] = size
                    for v in range(first_value[a], first_value[a + 1]):
                        attribute[size] = first_child[size] = LEAF
                        counts[size] = workspace.cells[v]
                        size += 1
            else:
                _count_children(table, depth, workspace)
            a = attribute[node]
            child[depth] = first_value[a + 1] - first_value[a] - 1 if a != LEAF else -1
        if child[depth] >= 0:
            below = first_child[node] + child[depth]
            is_leaf = (
                _is_final(below, workspace) if is_grown[depth] else attribute[below] == LEAF
            )
            if is_leaf:
                leaf_estimates[n_leaves] = _leaf_estimate(below, workspace)
                n_leaves += 1
                if is_grown[depth]:
                    total, largest = _total_and_largest(below, counts)
                    wrong[depth] += total - largest
            else:
                _descend(table, first_value[attribute[node]] + child[depth], depth, workspace.rows)
                nodes[depth + 1], is_grown[depth + 1] = below, is_grown[depth]
                first_leaf[depth + 1], wrong[depth + 1] = n_leaves, 0
                is_new = True
            child[depth] -= 1
            depth += is_new
            continue

        # all branches are finished
        total, largest = _total_and_largest(node, counts)
        verdict = _KEEP
        if attribute[node] == LEAF:
            verdict = _CUT
            wrong[depth] = total - largest
        elif is_grown[depth] and wrong[depth] >= total - largest - COLLAPSE_SLACK:
            verdict = _CUT
        elif workspace.prune:
            verdict, branch = _verdict(table, depth, n_leaves, workspace)
        if verdict == _RAISE:
            attribute[node], first_child[node] = attribute[branch], first_child[branch]
            is_grown[depth], is_new = False, True
            n_leaves = first_leaf[depth]
            continue
        if verdict == _CUT:
            attribute[node] = first_child[node] = LEAF
            leaf_estimates[first_leaf[depth]] = _leaf_estimate(node, workspace)
            n_leaves = first_leaf[depth] + 1
        if depth > 0 and is_grown[depth - 1]:
            wrong[depth - 1] += wrong[depth]
        depth -= 1


@njit(cache=True)
def copy_tree(table, workspace):
    """The tree in a workspace as `Nodes` of its own, level by level."""
    first_value = table.first_value
    kept, first_child = [0], [LEAF]
    new = 0
    while new < len(kept):
        a = workspace.attribute[kept[new]]
        if a != LEAF:
            first_child[new] = len(kept)
            for b in range(first_value[a + 1] - first_value[a]):
                kept.append(workspace.first_child[kept[new]] + b)
                first_child.append(LEAF)
        new += 1
    nodes = Nodes(
        np.empty(new, dtype=np.int64), np.full(new, np.nan), np.empty(new, dtype=np.int64),
        np.empty((new, len(table.classes))),
    )
    for i in range(new):
        nodes.attribute[i] = workspace.attribute[kept[i]]
        nodes.first_child[i] = first_child[i]
        nodes.counts[i] = workspace.counts[kept[i]]
    return nodes


# ---------------------------------------------------------------- predicting with a tree


@njit(cache=True)
def _label(counts, node, above):
    """Majority class of a node, the first of several; if it is empty, of the one above it."""
    total, _ = _total_and_largest(node, counts)
    if total == 0:
        node = above
    best = 0
    for c in range(1, counts.shape[1]):
        if counts[node, c] > counts[node, best]:
            best = c
    return best


@njit(cache=True)
def _c45_hits(test, first_value, workspace):
    """Rows of a set that the tree in a workspace classifies correctly."""
    attribute, first_child, counts = workspace.attribute, workspace.first_child, workspace.counts
    codes, labels = workspace.codes, workspace.labels
    hits = 0
    for w in range(len(test)):
        word = test[w]
        while word:
            row = w * WORD + lowest_bit(word)
            word &= word - np.uint64(1)
            node, above = 0, 0
            while attribute[node] != LEAF:
                a = attribute[node]
                above, node = node, first_child[node] + codes[row, a] - first_value[a]
            hits += _label(counts, node, above) == labels[row]
    return hits


@njit(cache=True)
def predict_tree(attribute, first_child, counts, table, out):
    """Write the class that a tree gives each row of a table with the attributes it was grown on.

    `attribute`, `first_child` and `counts` are those of `Nodes` or of a `Workspace`.
    """
    first_value, n_words = table.first_value, table.values.shape[1]
    depth_of_stack = len(first_value) + 1
    rows = np.empty((depth_of_stack, n_words), dtype=np.uint64)
    nodes = np.zeros(depth_of_stack, dtype=np.int64)
    child = np.zeros(depth_of_stack, dtype=np.int64)
    for w in range(n_words):
        rows[0, w] = 0
        for c in range(len(table.classes)):
            rows[0, w] |= table.classes[c, w]
    depth, is_new = 0, True
    while depth >= 0:
        node = nodes[depth]
        a = attribute[node]
        if a == LEAF:
            label = _label(counts, node, nodes[max(depth - 1, 0)])
            for w in range(n_words):
                word = rows[depth, w]
                while word:
                    out[w * WORD + lowest_bit(word)] = label
                    word &= word - np.uint64(1)
            depth, is_new = depth - 1, False
            continue
        if is_new:
            child[depth] = 0
        if child[depth] == first_value[a + 1] - first_value[a]:
            depth, is_new = depth - 1, False
            continue
        _descend(table, first_value[a] + child[depth], depth, rows)
        nodes[depth + 1] = first_child[node] + child[depth]
        child[depth] += 1
        depth, is_new = depth + 1, True


# ---------------------------------------------------------------- naive Bayes


@njit(cache=True)
def learn_naive_bayes(table, train, workspace):
    """Prior and conditional probabilities from a set of rows; they stay in the workspace."""
    values, classes, first_value = table.values, table.classes, table.first_value
    factors, prior = workspace.factors, workspace.prior
    n_classes, n_words = classes.shape
    n_training = 0
    for c in range(n_classes):
        n_class = 0
        for w in range(n_words):
            n_class += popcount(train[w] & classes[c, w])
        n_training += n_class
        prior[c] = n_class + 1
        for a in range(len(first_value) - 1):
            n_values = first_value[a + 1] - first_value[a]
            for v in range(first_value[a], first_value[a + 1]):
                count = 0
                for w in range(n_words):
                    count += popcount(train[w] & classes[c, w] & values[v, w])
                factors[c, v] = (count + 1) / (n_class + n_values)
    for c in range(n_classes):
        prior[c] /= n_training + n_classes


@njit(cache=True)
def _multiply(codes, row, workspace):
    """Set the product of a row's probabilities in each class; returns the likeliest class."""
    factors, prior, product = workspace.factors, workspace.prior, workspace.product
    n_classes = len(prior)
    for c in range(n_classes):
        product[c] = prior[c]
    for a in range(codes.shape[1]):
        largest = 0.0
        for c in range(n_classes):
            product[c] *= factors[c, codes[row, a]]
            largest = max(largest, product[c])
        if 0 < largest < _SMALLEST_PRODUCT:
            for c in range(n_classes):
                product[c] /= _SMALLEST_PRODUCT
    return _likeliest(product)


@njit(cache=True)
def _likeliest(product):
    """First class with the largest probability: products that differ may be equal as such."""
    total = 0.0
    for c in range(len(product)):
        total += product[c]
    best = 0
    for c in range(1, len(product)):
        if product[c] / total > product[best] / total:
            best = c
    return best


@njit(cache=True)
def _naive_bayes_hits(test, workspace):
    """Rows of a set that naive Bayes, as in a workspace, classifies correctly."""
    codes, labels = workspace.codes, workspace.labels
    hits = 0
    for w in range(len(test)):
        word = test[w]
        while word:
            row = w * WORD + lowest_bit(word)
            word &= word - np.uint64(1)
            hits += _multiply(codes, row, workspace) == labels[row]
    return hits


@njit(cache=True)
def predict_naive_bayes(workspace, table, out):
    """Write the class that naive Bayes, as in a workspace, gives each row of any table with the
    attributes it was trained on."""
    codes = np.empty((table.n_rows, len(table.first_value) - 1), dtype=np.int32)
    labels = np.empty(table.n_rows, dtype=np.int32)
    unpack(table, codes, labels)
    for row in range(table.n_rows):
        out[row] = _multiply(codes, row, workspace)


# ---------------------------------------------------------------- training and testing


@njit(cache=True, nogil=True)
def count_correct_c45(table, train, test, workspace, correct):
    """Write how many test rows C4.5 classifies correctly in each of some splits.

    Parameters
    ----------
    table : PackedTable
    train, test : ndarray of uint64, shape (n_splits, n_words)
        Bit sets, none empty.
    workspace : Workspace
        For tables of this shape.
    correct : ndarray of int, shape (n_splits,)
    """
    unpack(table, workspace.codes, workspace.labels)
    for s in range(len(test)):
        learn_c45(table, train[s], workspace)
        correct[s] = _c45_hits(test[s], table.first_value, workspace)


@njit(cache=True, nogil=True)
def count_correct_naive_bayes(table, train, test, workspace, correct):
    """Write how many test rows naive Bayes classifies correctly in each of some splits.

    Parameters are those of :func:`count_correct_c45`.
    """
    unpack(table, workspace.codes, workspace.labels)
    for s in range(len(test)):
        learn_naive_bayes(table, train[s], workspace)
        correct[s] = _naive_bayes_hits(test[s], workspace)


@njit(cache=True, nogil=True)
def count_correct(table, test, workspace, correct):
    """Write how many test rows naive Bayes and C4.5 classify correctly, trained on all others.

    Parameters
    ----------
    table : PackedTable
    test : ndarray of uint64, shape (n_splits, n_words)
        Bit sets, none empty, none of all rows.
    workspace : Workspace
        For tables of this shape.
    correct : ndarray of int, shape (n_splits, 2)
        First of naive Bayes, then of C4.5.
    """
    train = complements(table, test)
    count_correct_naive_bayes(table, train, test, workspace, correct[:, 0])
    count_correct_c45(table, train, test, workspace, correct[:, 1])
