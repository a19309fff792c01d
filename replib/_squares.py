"""Mean squares of many pairs of models, computed in parts that need little memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from replib._strata import Strata
from replib._validation import Array
from replib.significance import MeanTestResult
from replib.variance import (
    Clusters,
    MeanSquares,
    difference_test,
    squares_of_scores,
    squares_of_strata,
)

#: Most scores of a part: some passes over 16 megabytes.
_MOST_SCORES = 2_000_000


def squares_of_pairs(
    blocks: Mapping[str, Array],
    pairs: Sequence[tuple[str, str]],
    *,
    groups: NDArray[np.int64] | None = None,
    strata: Strata | None = None,
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
    strata : Strata, optional
        Tasks of the items, and how they count.
    paired_runs : bool
        As for :func:`replib.variance.mean_squares`.

    Returns
    -------
    list of MeanSquares
        Of arrays with one entry per pair of the part.
    """
    n_items = next(iter(blocks.values())).shape[-1]
    parts_of_items = _parts_of_items(n_items, groups, strata)
    return [
        _squares(
            np.array([blocks[a] for a, _ in part]),
            np.array([blocks[b] for _, b in part]),
            parts_of_items,
            strata,
            paired_runs,
        )
        for part in _parts(blocks, pairs)
    ]


class _Items(NamedTuple):
    """Items of a stratum: their places, and their clusters if there are any."""

    places: NDArray[np.int64]
    clusters: Clusters | None


def _parts_of_items(
    n_items: int, groups: NDArray[np.int64] | None, strata: Strata | None
) -> list[_Items]:
    """Return the items of each stratum, or all of them."""
    places = [np.arange(n_items)]
    if strata is not None:
        n_strata = len(strata.strata)
        places = [np.flatnonzero(strata.stratum == s) for s in range(n_strata)]
    if groups is None:
        return [_Items(items, None) for items in places]
    return [
        _Items(items, Clusters.from_labels(groups[items], len(items)))
        for items in places
    ]


def _squares(
    a: Array,
    b: Array,
    parts_of_items: Sequence[_Items],
    strata: Strata | None,
    paired_runs: bool,
) -> MeanSquares:
    """Return the mean squares of pairs, whose scores have shape (pairs, runs, items)."""
    if strata is None:
        (everything,) = parts_of_items
        return squares_of_scores(
            a, b, clusters=everything.clusters, paired_runs=paired_runs
        )
    of_strata = [
        squares_of_scores(
            a[..., part.places],
            b[..., part.places],
            clusters=part.clusters,
            paired_runs=paired_runs,
        )
        for part in parts_of_items
    ]
    weights = a.shape[-1] * strata.item_weights
    whole = squares_of_scores(
        a * weights, b * weights, clusters=None, paired_runs=paired_runs
    )
    scale = np.max([squares.scale for squares in of_strata], axis=0)
    return squares_of_strata(replace(whole, scale=scale), of_strata, strata.weights)


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
        df_of_strata = part.df_of_strata
        for i in range(part.estimate.size):
            yield replace(
                part,
                estimate=part.estimate[i],
                item=part.item[i],
                seed=part.seed[:, i],
                interaction=part.interaction[:, i],
                scale=part.scale[i],
                df_of_strata=None if df_of_strata is None else df_of_strata[i],
            )
