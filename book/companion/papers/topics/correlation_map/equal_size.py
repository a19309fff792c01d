"""Methods at equal size: each with the threshold at which it rejects in 5% of coin tosses.

The p-values are those of the differences of `replib.bench`: naive Bayes against C4.5, two seeds on
each data set.  Source 1 gives the thresholds, sources 2 to 4 what is measured at them.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from companion.papers.topics.since_the_papers.stored_differences import FILE
from replib import methods

#: Methods by title: designs of `replib.methods`, and the number of runs that they are given.
COMPARED = {
    "corrected t, ten runs": ("corrected_repeated_cv", 10),
    "corrected t, two runs": ("corrected_repeated_cv", 2),
    "corrected t, one run": ("corrected_repeated_cv", 1),
    "t on sorted runs, ten runs": ("average_over_sorted_runs.paired_t", 10),
    "signed rank, one run": ("k_fold.signed_rank", 1),
}
#: Which Type I error of the populations is 5%.
TARGETS = {"on average": np.mean, "in the worst network": np.max}
MEASURED = ("power", "rerun", "new_data", "gain")


def pvalues(design: str, runs: int, instances: int = 300) -> dict[int, np.ndarray]:
    """Compute p-values by source, shape (networks, data sets, seeds)."""
    with np.load(FILE) as stored:
        return {source: methods.pvalues(
            stored[f"n{instances}_source{source}"][..., :runs, :].astype(float), method=design
        ).reshape(10, -1, 2) for source in (1, 2, 3, 4)}


def threshold(null: Sequence[np.ndarray], target: str, alpha: float = 0.05) -> float:
    """Return the largest p-value with which a test that rejects at or below it keeps its level.

    `null` has the p-values of each population of equal learners.  Only their order counts, so a
    test and a monotone transformation of its p-values make the same decisions.

    >>> threshold([np.arange(1, 101) / 100, np.arange(1, 101) / 50], "on average")
    0.07
    >>> threshold([np.arange(1, 101) / 100, np.arange(1, 101) / 50], "in the worst network")
    0.05
    """
    candidates = np.unique(np.concatenate([p.ravel() for p in null]))
    shares = [np.searchsorted(np.sort(p.ravel()), candidates, side="right") / p.size for p in null]
    return float(candidates[TARGETS[target](shares, axis=0) <= alpha].max())


def measured(p: np.ndarray, at: float) -> np.ndarray:
    """Measure power and agreement of two seeds and of two data sets, a row per network.

    `p` has the shape (networks, data sets, seeds); all pairs of different data sets count.
    """
    rejected = p <= at
    share, n = rejected.mean(axis=-1), rejected.shape[1]
    both = (share.sum(axis=1) ** 2 - (share**2).sum(axis=1)) / (n * (n - 1))
    return np.stack([
        share.mean(axis=1), (rejected[..., 0] == rejected[..., 1]).mean(axis=1),
        1 - 2 * share.mean(axis=1) + 2 * both,
    ], axis=-1)


def table(instances: int = 300) -> pd.DataFrame:
    """Compare methods at equal size; indexed by method and target, in percent.

    Columns: `threshold`; `transfer`, the Type I error on a network that did not calibrate it;
    `power`, `rerun` and `new_data` (shares of agreeing decisions), means over the networks of
    sources 2 to 4; and `gain`, the power minus that of the first method.  Errors between networks
    (``_error``) are paired for the gain; to those of the last four, the jackknife over networks of
    source 1 adds the error of the threshold.
    """
    rows, first = {}, {}
    for title, (design, runs) in COMPARED.items():
        null, *others = pvalues(design, runs, instances).values()
        others, k = np.concatenate(others), len(null)
        for target in TARGETS:
            without = [threshold(np.delete(null, i, axis=0), target) for i in range(k)]
            transfer = np.array([np.mean(p <= at) for p, at in zip(null, without)])
            at = threshold(null, target)
            found = np.stack([measured(others, one) for one in [at, *without]])
            gain = found[..., :1] - first.setdefault(target, found[..., :1])
            values, *again = np.concatenate([found, gain], axis=-1)
            error = np.sqrt(values.var(axis=0, ddof=1) / len(values)
                            + (k - 1) * np.mean(again, axis=1).var(axis=0))
            rows[title, target] = {
                "threshold": at, "transfer": transfer.mean(),
                "transfer_error": transfer.std(ddof=1) / np.sqrt(k),
            } | dict(zip(MEASURED, values.mean(axis=0))) | {
                f"{name}_error": one for name, one in zip(MEASURED, error)
            }
    return 100 * pd.DataFrame(rows).T.rename_axis(["method", "target"])
