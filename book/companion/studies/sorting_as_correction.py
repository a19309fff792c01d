"""Averaging over sorted runs and the corrected repeated k-fold test: nearly equal thresholds."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from companion.lab import datasets
from companion.lab.experiments import runner
from companion.papers import uci
from companion.papers.bouckaert2004 import table_2
from replib.methods import decide

# The two tests that are compared, by their names in `replib.methods`.
_SORTED_RUNS = "average_over_sorted_runs.paired_t"
_CORRECTED = "corrected_repeated_cv"


def within_rank_share(blocks: np.ndarray) -> np.ndarray:
    """Return the share of the sum of squares of (..., runs, folds) between runs, within ranks.

    From 0 (all sorted runs are equal, or there is no variance at all) to 1.

    >>> float(within_rank_share(np.array([[1.0, 5.0], [5.0, 1.0]])))
    0.0
    """
    ranked = np.sort(blocks, axis=-1)
    from_rank_means = ranked - ranked.mean(axis=-2, keepdims=True)
    from_mean = ranked - ranked.mean(axis=(-2, -1), keepdims=True)
    within = (from_rank_means**2).sum(axis=(-2, -1))
    total = (from_mean**2).sum(axis=(-2, -1))
    return np.divide(within, total, out=np.zeros_like(total), where=total > 0)


def ratio_of_thresholds(
    share: ArrayLike, runs: int = 10, folds: int = 10, alpha: float = 0.05
) -> np.ndarray:
    """Return the ratio of least significant differences: t on sorted runs over corrected t test.

    >>> round(float(ratio_of_thresholds(0.0)), 4)
    1.0865
    """
    n = runs * folds
    ratio_of_quantiles = stats.t.isf(alpha / 2, folds - 1) / stats.t.isf(
        alpha / 2, n - 1
    )
    ratio_of_errors = np.sqrt((n - 1) * (1 - np.asarray(share)) / (n + folds - 1))
    return ratio_of_quantiles * ratio_of_errors


def share_of_equal_thresholds(
    runs: int = 10, folds: int = 10, alpha: float = 0.05
) -> float:
    """Return the within-rank share at which the two tests are equal; negative if there is none.

    >>> round(share_of_equal_thresholds(), 3)
    0.153
    """
    return float(1 - ratio_of_thresholds(0.0, runs, folds, alpha) ** -2)


def decisions(
    results: Mapping[str, runner.Replications],
    *,
    tables: int = 20,
    runs: int = 10,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Compare both tests on the same stored cross-validations: one row per pair and data set.

    Columns `pair`, `dataset`; percentages of experiments that accept, `sorted_runs` and
    `corrected`, and in which both agree, `same`; `share`, the median within-rank share,
    and the `ratio` of thresholds there.
    """
    paper_name = datasets.table()["paper_name"]
    rows = []
    for pair in uci.PAIRS:
        blocks = table_2.blocks(results, pair, tables=tables, runs=runs)
        for name, block in blocks.items():
            sorted_runs = decide(block, method=_SORTED_RUNS, alpha=alpha) == 0
            corrected = decide(block, method=_CORRECTED, alpha=alpha) == 0
            share = np.median(within_rank_share(block))
            row = {
                "pair": pair,
                "dataset": paper_name[name],
                "sorted_runs": 100 * sorted_runs.mean(),
                "corrected": 100 * corrected.mean(),
                "same": 100 * (sorted_runs == corrected).mean(),
                "share": share,
                "ratio": float(ratio_of_thresholds(share, *block.shape[1:], alpha)),
            }
            rows.append(row)
    return pd.DataFrame(rows)
