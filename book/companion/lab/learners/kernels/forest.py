"""Growing of random forests for two classes, compiled.

A tree needs the rows of a node in the order of a feature again and again.  The features
are sorted once; the position of a row in that order is a whole number, and the rows of
a node are sorted by setting the bits of their positions and reading the bits from the
lowest.  Sums of weights are also whole numbers, so equally good splits are found to be
equal.

Indices are unsigned, which saves the check whether they count from the end.
"""

from typing import NamedTuple

import numpy as np

from companion.lab.compiled import njit
from companion.lab.learners.kernels.bits import lowest_bit, n_words_of, popcount

LEAF = -1
# Most draws of a bootstrap sample; a sample with only one class is drawn again.
_DRAWS = 30
# Bits read at a time, the last ones of a word for nothing: this makes branches
# predictable.
_AT_ONCE = 4
_ONE, _HALF, _LOWER = np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)


class Sorted(NamedTuple):
    """A matrix with sorted columns, one column after the other in flat arrays."""

    shape: tuple[int, int]  # (n_rows, n_features)
    values: np.ndarray  # (n_features * n_rows,) in ascending order
    order: np.ndarray  # uint32 (n_features * n_rows,) the rows of these values
    place: (
        np.ndarray
    )  # uint32 (n_features * n_rows,) position of each row in that order
    has_ties: np.ndarray  # (n_features,) whether there are equal values


class Trees(NamedTuple):
    """The nodes of all trees of a forest, one tree after the other, each from its root."""

    first: np.ndarray  # (n_trees + 1,) root of each tree, and the end of the last tree
    feature: np.ndarray  # int32 (n_nodes,) tested feature, LEAF for a leaf
    threshold: np.ndarray  # (n_nodes,) the test is value <= threshold; NaN in a leaf
    child: (
        np.ndarray
    )  # int32 (n_nodes,) node if it holds, the next one if not; class of a leaf


def sort_columns(X: np.ndarray) -> Sorted:
    """Sort the columns of a matrix, shape (n_rows, n_features)."""
    columns = np.ascontiguousarray(X.T)
    order = columns.argsort(axis=1)
    values = np.take_along_axis(columns, order, axis=1)
    place = np.empty(order.shape, dtype=np.uint32)
    np.put_along_axis(place, order, np.arange(len(X), dtype=np.uint32)[None], axis=1)
    return Sorted(
        X.shape,
        values.reshape(-1),
        order.astype(np.uint32).reshape(-1),
        place.reshape(-1),
        (values[:, 1:] == values[:, :-1]).any(axis=1),
    )


class _Memory(NamedTuple):
    """Memory that all trees of a forest share."""

    labels: np.ndarray  # 0 or 1
    weights: np.ndarray  # uint32 (n_all,) number of times that each row was drawn
    pairs: (
        np.ndarray
    )  # uint64 (n_all,) weight, and in the upper 32 bits its part in class 1
    drawn: (
        np.ndarray
    )  # uint32 (n_rows,) the rows drawn, those of a node next to each other
    spare: np.ndarray
    start: (
        np.ndarray
    )  # (nodes,) the part of `drawn` that belongs to each node of a tree
    stop: np.ndarray
    bits: np.ndarray  # uint64 (n_words,) positions of the rows of a node
    places: np.ndarray  # uint32 (n_rows + _AT_ONCE,) the same in ascending order
    features: np.ndarray  # all features; drawn ones are moved to the end
    scores: np.ndarray  # (n_rows,) scores of the cuts of a node's rows in one column


@njit
def _draw(rows, memory, rng):
    """Draw as many rows as there are, with replacement; draw again if they have only one class."""
    labels, weights = memory.labels, memory.weights
    for _ in range(_DRAWS):
        weights[:] = 0
        in_class_1 = 0
        for _ in range(len(rows)):
            row = rows[int(rng.random() * len(rows))]
            weights[row] += np.uint32(1)
            in_class_1 += labels[row]
        if 0 < in_class_1 < len(rows):
            break
    n_drawn = 0
    for row in rows:
        if weights[row] > 0:
            memory.drawn[n_drawn] = row
            n_drawn += 1
            of_class_1 = weights[row] if labels[row] == 1 else 0
            memory.pairs[row] = np.uint64(weights[row]) + (
                np.uint64(of_class_1) << _HALF
            )
    return n_drawn


@njit(inline="always")
def _sort_places(drawn, start, n_here, place, column, bits, places):
    """Write the positions of a node's rows in a column in ascending order."""
    if n_here * n_here < 4 * len(bits):
        for i in range(n_here):
            new, j = place[column + drawn[np.uint64(start + i)]], i
            while j > 0 and places[np.uint64(j - 1)] > new:
                places[np.uint64(j)] = places[np.uint64(j - 1)]
                j -= 1
            places[np.uint64(j)] = new
    else:
        for i in range(start, start + n_here):
            new = place[column + drawn[np.uint64(i)]]
            bits[new >> np.uint32(6)] |= _ONE << np.uint64(new & np.uint32(63))
        found = np.uint64(0)
        for w in range(len(bits)):
            word = bits[np.uint64(w)]
            bits[np.uint64(w)] = 0
            last = found + np.uint64(popcount(word))
            while found < last:
                for i in range(_AT_ONCE):
                    places[found + np.uint64(i)] = np.uint32(64 * w + lowest_bit(word))
                    word &= word - _ONE
                found += np.uint64(_AT_ONCE)
            found = last


@njit(inline="always")
def _rate_cuts(
    order, column, places, n_here, pairs, total, in_class_1, values, has_ties, scores
):
    """Write the decrease of Gini's impurity for each cut, up to a constant and a factor.

    Returns the largest decrease and the number of cuts that have it.
    """
    best, n_best, left = 0.0, 0, np.uint64(0)
    for i in range(n_here - 1):
        place = places[np.uint64(i)]
        left += pairs[order[column + place]]
        weight = float(np.int64(left & _LOWER))
        excess = float(np.int64(left >> _HALF)) * total - weight * in_class_1
        score = excess * excess / (weight * (total - weight))
        if (
            has_ties
            and values[column + place] == values[column + places[np.uint64(i + 1)]]
        ):
            score = -1.0
        scores[np.uint64(i)] = score
        n_best = 1 if score > best else n_best + (score == best)
        best = score if score > best else best
    return best, n_best


@njit(error_model="numpy", _nrt=False)
def _grow_tree(columns, memory, n_drawn, n_tried, rng, trees, tree):
    """Grow a tree from the drawn rows, after the end of the previous tree."""
    values, order, place = columns.values, columns.order, columns.place
    has_ties, pairs = columns.has_ties, memory.pairs
    n_all, n_features = columns.shape
    drawn, spare, start, stop = memory.drawn, memory.spare, memory.start, memory.stop
    bits, places, scores = memory.bits, memory.places, memory.scores
    features = memory.features
    feature, threshold, child = trees.feature, trees.threshold, trees.child

    root = node = trees.first[tree]
    start[0], stop[0] = 0, n_drawn
    size = root + 1
    while node < size:  # unfinished nodes come in the order of their numbers
        begin, end = start[node - root], stop[node - root]
        n_here = end - begin
        both = np.uint64(0)
        for i in range(begin, end):
            both += pairs[drawn[np.uint64(i)]]
        total, in_class_1 = np.int64(both & _LOWER), np.int64(both >> _HALF)

        best, best_feature, best_place, next_place, n_best = 0.0, LEAF, 0, 0, 0
        for tried in range(n_tried if 0 < in_class_1 < total else 0):
            at = int(rng.random() * (n_features - tried))
            f = features[at]
            features[at] = features[n_features - 1 - tried]
            features[n_features - 1 - tried] = f
            column = np.uint64(f * n_all)
            _sort_places(drawn, begin, n_here, place, column, bits, places)
            score, n_equal = _rate_cuts(
                order,
                column,
                places,
                n_here,
                pairs,
                float(total),
                float(in_class_1),
                values,
                has_ties[np.uint64(f)],
                scores,
            )
            if n_equal == 0 or score < best:
                continue
            n_best = n_equal + (n_best if score == best else 0)
            best = score
            if n_best == 1 or rng.random() * n_best < n_equal:
                skip = int(rng.random() * n_equal) if n_equal > 1 else 0
                at = np.uint64(0)
                while scores[at] != best or skip > 0:
                    skip -= scores[at] == best
                    at += _ONE
                best_feature, best_place, next_place = f, places[at], places[at + _ONE]
        feature[node], threshold[node] = best_feature, np.nan
        if best_feature == LEAF:
            is_tied = 2 * in_class_1 == total
            child[node] = rng.random() < 0.5 if is_tied else 2 * in_class_1 > total
            node += 1
            continue

        column = np.uint64(best_feature * n_all)
        threshold[node] = (
            values[column + best_place] + values[column + next_place]
        ) / 2
        child[node] = size
        low, n_high = np.uint64(begin), np.uint64(0)
        for i in range(begin, end):
            row = drawn[np.uint64(i)]
            goes_right = place[column + row] > best_place
            drawn[low] = spare[n_high] = row
            n_high += np.uint64(goes_right)
            low += np.uint64(not goes_right)
        for i in range(n_high):
            drawn[low + np.uint64(i)] = spare[np.uint64(i)]
        start[size - root], stop[size - root] = begin, low
        start[size - root + 1], stop[size - root + 1] = low, end
        size += 2
        node += 1
    trees.first[tree + 1] = size


@njit(nogil=True)
def _grow_trees(columns, memory, rows, n_tried, rng, trees):
    trees.first[0] = 0
    for tree in range(len(trees.first) - 1):
        n_drawn = _draw(rows, memory, rng)
        _grow_tree(columns, memory, n_drawn, n_tried, rng, trees, tree)


def grow_forest(
    columns: Sorted,
    labels: np.ndarray,
    rows: np.ndarray,
    n_trees: int,
    n_tried: int,
    rng: np.random.Generator,
) -> Trees:
    """Grow a random forest from some rows; `n_tried` features are tried at each node."""
    (n_all, n_features), n_rows = columns.shape, len(rows)
    memory = _Memory(
        labels,
        np.empty(n_all, dtype=np.uint32),
        np.empty(n_all, dtype=np.uint64),
        np.empty(n_rows, dtype=np.uint32),
        np.empty(n_rows, dtype=np.uint32),
        np.empty(2 * n_rows, dtype=np.int64),
        np.empty(2 * n_rows, dtype=np.int64),
        np.zeros(n_words_of(n_all), dtype=np.uint64),
        np.empty(n_rows + _AT_ONCE, dtype=np.uint32),
        np.arange(n_features),
        np.empty(n_rows),
    )
    # Memory that is never written to costs nothing.
    most = 2 * n_rows * n_trees
    trees = Trees(
        np.empty(n_trees + 1, dtype=np.int64),
        np.empty(most, dtype=np.int32),
        np.empty(most),
        np.empty(most, dtype=np.int32),
    )
    _grow_trees(columns, memory, rows, n_tried, rng, trees)
    return Trees(trees.first, *(nodes[: trees.first[-1]].copy() for nodes in trees[1:]))


@njit(nogil=True)
def _add_votes(trees, X, rows, votes):
    feature, threshold, child = trees.feature, trees.threshold, trees.child
    for root in trees.first[:-1]:
        for i in range(len(rows)):
            node = root
            while feature[node] != LEAF:
                node = child[node] + (X[rows[i], feature[node]] > threshold[node])
            votes[i, child[node]] += 1


def count_votes(trees: Trees, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Count the trees' votes for each class of some rows of a matrix, shape (rows, 2)."""
    votes = np.zeros((len(rows), 2), dtype=np.int64)
    _add_votes(trees, X, rows, votes)
    return votes
