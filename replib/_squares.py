"""Mean squares of many pairs of models, computed in parts that need little memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replib._validation import Array
from replib.significance import MeanTestResult
from replib.variance import (
    Clusters,
    MeanSquares,
    difference_test,
    squares_of_scores,
)

#: Most scores of a part: some passes over 16 megabytes.
_MOST_SCORES = 2_000_000


def squares_of_pairs(
    blocks: Mapping[str, Array],
    pairs: Sequence[tuple[str, str]],
    *,
    groups: NDArray[np.int64] | None = None,
    paired_runs: bool = False,
) -> list[MeanSquares]:
    """Return the mean squares of all pairs, in parts of consecutive pairs.

    Parameters
    ----------
    blocks : mapping of ndarray, shape (runs, items)
        Checked scores of each model; the numbers of runs may differ.
    pairs : sequence of (str, str)
    groups : ndarray, shape (items,), optional
        Cluster of each item.
    paired_runs : bool
        As for :func:`replib.variance.mean_squares`.

    Returns
    -------
    list of MeanSquares
        Of arrays with one entry per pair of the part.
    """
    n_items = next(iter(blocks.values())).shape[-1]
    clusters = None if groups is None else Clusters.from_labels(groups, n_items)
    return [
        squares_of_scores(
            np.array([blocks[a] for a, _ in part]),
            np.array([blocks[b] for _, b in part]),
            clusters=clusters,
            paired_runs=paired_runs,
        )
        for part in _parts(blocks, pairs)
    ]


def _parts(
    blocks: Mapping[str, Array], pairs: Sequence[tuple[str, str]]
) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield consecutive pairs; each alone, if models have different numbers of runs."""
    sizes = {block.size for block in blocks.values()}
    n_pairs = max(1, _MOST_SCORES // max(sizes)) if len(sizes) == 1 else 1
    for start in range(0, len(pairs), n_pairs):
        yield pairs[start : start + n_pairs]


def stacked_tests(parts: Sequence[MeanSquares], generalize: str) -> MeanTestResult:
    """Return one result of the tests of all pairs: see :func:`replib.variance.difference_test`."""
    results = [difference_test(part, generalize=generalize) for part in parts]
    numbers: dict[str, Any] = {
        name: np.concatenate([np.atleast_1d(getattr(r, name)) for r in results])
        for name in ("statistic", "pvalue", "estimate", "standard_error", "df")
    }
    return replace(results[0], **numbers)


def single_pairs(parts: Sequence[MeanSquares]) -> Iterator[MeanSquares]:
    """Yield the mean squares of each pair."""
    for part in parts:
        for i in range(part.estimate.size):
            yield replace(
                part,
                estimate=part.estimate[i],
                item=part.item[i],
                seed=part.seed[:, i],
                interaction=part.interaction[:, i],
                scale=part.scale[i],
            )
