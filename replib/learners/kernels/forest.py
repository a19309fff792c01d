"""Growing of random forests, compiled.

A tree needs the rows of a node in the order of a feature again and again.  The features are sorted
once; the rank of each row in that order is a whole number, and the rows of a node are put in order
by setting the bits of their ranks and reading the bits from the lowest on.  Weights are whole
numbers, so that two splits are compared by exact products and equal ones are found to be equal.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from replib.learners.kernels.packed import WORD, lowest_bit, n_words_of

LEAF = -1
# A bootstrap sample of one class is drawn again at most so often.
_DRAWS = 30


class Sorted(NamedTuple):
    """A matrix with each of its columns sorted."""

    values: np.ndarray  # (n_features, n_rows) in ascending order
    order: np.ndarray  # int32 (n_features, n_rows) their rows
    rank: np.ndarray  # int32 (n_features, n_rows) place of each row in that order


class Trees(NamedTuple):
    """The nodes of all trees of a forest, one tree after the other, each from its root."""

    first: np.ndarray  # (n_trees,) root of each tree
    feature: np.ndarray  # int32 (n_nodes,) tested feature, LEAF for a leaf
    threshold: np.ndarray  # (n_nodes,) the test is value <= threshold; NaN in a leaf
    child: np.ndarray  # int32 (n_nodes,) node if so, the next one if not; class of a leaf


@njit(cache=True)
def sort_columns(X):
    """Sort the columns of a matrix, shape (n_rows, n_features)."""
    n_rows, n_features = X.shape
    columns = Sorted(
        np.empty((n_features, n_rows)), np.empty((n_features, n_rows), dtype=np.int32),
        np.empty((n_features, n_rows), dtype=np.int32),
    )
    for f in range(n_features):
        order = np.argsort(X[:, f])
        for place in range(n_rows):
            columns.values[f, place] = X[order[place], f]
            columns.order[f, place] = order[place]
            columns.rank[f, order[place]] = place
    return columns


@njit(cache=True)
def _draw_weights(labels, rows, weights, totals, rng):
    """Draw as many of the rows as there are, with replacement: how often each is drawn.

    Drawn again if there is but one class.
    """
    for _ in range(_DRAWS):
        weights[:] = 0
        totals[:] = 0
        for _ in range(len(rows)):
            row = rows[int(rng.random() * len(rows))]
            weights[row] += 1
            totals[labels[row]] += 1
        if np.count_nonzero(totals) > 1:
            break


@njit(cache=True)
def _places(rows, rank, bits, places):
    """Write the ranks of some rows in ascending order."""
    n = len(rows)
    if n * n < len(bits):
        for i in range(n):
            place, j = rank[rows[i]], i
            while j > 0 and places[j - 1] > place:
                places[j] = places[j - 1]
                j -= 1
            places[j] = place
        return
    for row in rows:
        bits[rank[row] // WORD] |= np.uint64(1) << np.uint64(rank[row] % WORD)
    found = 0
    for w in range(len(bits)):
        word = bits[w]
        bits[w] = 0
        while word:
            places[found] = w * WORD + lowest_bit(word)
            word &= word - np.uint64(1)
            found += 1


@njit(cache=True, error_model="numpy")
def _majority(totals, rng):
    """The class with the largest weight, at random one of several."""
    best, n_best = 0, 1
    for c in range(1, len(totals)):
        if totals[c] > totals[best]:
            best, n_best = c, 1
        elif totals[c] == totals[best]:
            n_best += 1
            if rng.random() * n_best < 1:
                best = c
    return best


@njit(cache=True, error_model="numpy")
def _grow_tree(
    columns, labels, n_classes, rows, n_tried, rng, size, feature, threshold, child,
):
    """Grow a tree from a bootstrap sample of some rows, its root at node `size`; the new size."""
    n_features, n_all = columns.rank.shape
    weights, totals = np.empty(n_all, dtype=np.int64), np.zeros(n_classes, dtype=np.int64)
    _draw_weights(labels, rows, weights, totals, rng)
    drawn = rows[weights[rows] > 0]
    bits = np.zeros(n_words_of(n_all), dtype=np.uint64)
    places = np.empty(len(drawn), dtype=np.int64)
    features = np.arange(n_features)
    left = np.empty(n_classes, dtype=np.int64)

    # nodes that wait, in the order of their numbers, and the part of `drawn` that they hold
    root = size
    start, stop = np.empty(2 * len(drawn), dtype=np.int64), np.empty(2 * len(drawn), dtype=np.int64)
    start[0], stop[0] = 0, len(drawn)
    size += 1
    node = root
    while node < size:
        here = drawn[start[node - root] : stop[node - root]]
        totals[:] = 0
        for row in here:
            totals[labels[row]] += weights[row]
        total = totals.sum()
        feature[node], threshold[node] = LEAF, np.nan
        if len(here) == 1 or totals.max() == total:
            child[node] = totals.argmax()
            node += 1
            continue
        squares = 0
        for c in range(n_classes):
            squares += totals[c] * totals[c]

        # Gini's criterion: the largest sum of squared class weights over the weight, of both sides
        best, best_place, next_place, n_best = LEAF, 0, 0, 1
        best_above, best_below = -1.0, 1.0
        for tried in range(n_tried):
            at = int(rng.random() * (n_features - tried))
            f = features[at]
            features[at] = features[n_features - 1 - tried]
            features[n_features - 1 - tried] = f
            order, values = columns.order[f], columns.values[f]
            _places(here, columns.rank[f], bits, places)
            left[:] = 0
            weight_left, squares_left, squares_right = 0, 0, squares
            for i in range(len(here) - 1):
                place = places[i]
                row = order[place]
                w, c = weights[row], labels[row]
                squares_left += w * (2 * left[c] + w)
                squares_right += w * (w - 2 * (totals[c] - left[c]))
                left[c] += w
                weight_left += w
                if values[place] == values[places[i + 1]]:
                    continue
                weight_right = total - weight_left
                above = float(squares_left * weight_right + squares_right * weight_left)
                below = float(weight_left * weight_right)
                difference = above * best_below - best_above * below
                if difference > 0:
                    best, best_place, next_place, n_best = f, place, places[i + 1], 1
                    best_above, best_below = above, below
                elif difference == 0:
                    n_best = n_best + 1
                    if rng.random() * n_best < 1:
                        best, best_place, next_place = f, place, places[i + 1]
        if best == LEAF:
            child[node] = _majority(totals, rng)
            node += 1
            continue

        feature[node], child[node] = best, size
        values, rank = columns.values[best], columns.rank[best]
        threshold[node] = (values[best_place] + values[next_place]) / 2
        low, high = 0, len(here)
        while low < high:
            if rank[here[low]] <= best_place:
                low += 1
            else:
                high -= 1
                here[low], here[high] = here[high], here[low]
        begin = start[node - root]
        start[size - root], stop[size - root] = begin, begin + low
        start[size - root + 1], stop[size - root + 1] = begin + low, stop[node - root]
        size += 2
        node += 1
    return size


@njit(cache=True, nogil=True)
def grow_forest(columns, labels, n_classes, rows, n_trees, n_tried, rng):
    """Random forest of some rows of sorted columns; `n_tried` features are tried at each node."""
    most = 2 * len(rows)  # nodes of a tree
    capacity, size = 4 * most, 0
    first = np.empty(n_trees, dtype=np.int64)
    feature, child = np.empty(capacity, dtype=np.int32), np.empty(capacity, dtype=np.int32)
    threshold = np.empty(capacity)
    for tree in range(n_trees):
        if size + most > capacity:
            capacity *= 2
            feature, child = _longer(feature, capacity), _longer(child, capacity)
            threshold = _longer(threshold, capacity)
        first[tree] = size
        size = _grow_tree(
            columns, labels, n_classes, rows, n_tried, rng, size, feature, threshold, child
        )
    return Trees(first, feature[:size], threshold[:size], child[:size])


@njit(cache=True)
def _longer(array, length):
    out = np.empty(length, dtype=array.dtype)
    out[: len(array)] = array
    return out


@njit(cache=True, nogil=True)
def count_votes(trees, X, rows, n_classes):
    """Votes of the trees for each class of some rows of a matrix, shape (len(rows), n_classes)."""
    votes = np.zeros((len(rows), n_classes), dtype=np.int64)
    feature, threshold, child = trees.feature, trees.threshold, trees.child
    for root in trees.first:
        for i in range(len(rows)):
            node = root
            while feature[node] != LEAF:
                node = child[node] + (X[rows[i], feature[node]] > threshold[node])
            votes[i, child[node]] += 1
    return votes


@njit(cache=True)
def elect(votes, X, rows, key):
    """Class with the most votes for each row; a tie is decided by chance, a row always alike."""
    elected = np.empty(len(rows), dtype=np.int64)
    for i in range(len(rows)):
        largest, n_largest = 0, 0
        for c in range(votes.shape[1]):
            if votes[i, c] > largest:
                largest, n_largest, elected[i] = votes[i, c], 1, c
            elif votes[i, c] == largest:
                n_largest += 1
        if n_largest > 1:
            skip = _hash(X[rows[i]], key) % np.uint64(n_largest)
            for c in range(votes.shape[1]):
                if votes[i, c] == largest:
                    if skip == 0:
                        elected[i] = c
                        break
                    skip -= np.uint64(1)
    return elected


@njit(cache=True)
def _hash(numbers, key):
    """A random word that is the same for the same numbers and key (the mixing of SplitMix64)."""
    word = np.uint64(key)
    for x in (numbers + 0.0).view(np.uint64):  # without -0.0
        word += x + np.uint64(0x9E3779B97F4A7C15)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        word ^= word >> np.uint64(31)
    return word
