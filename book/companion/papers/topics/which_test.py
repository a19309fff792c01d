"""Which test to use: what every design costs and gives, from what the book measured.

A design is a way of splitting with a test.  On the forty networks source 1 has nothing to be found,
so that rejections are Type I errors; on sources 2 to 4 they are power.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.experiments import designs, engine
from companion.papers import synthetic
from companion.papers.bouckaert2004 import table_1
from replib import significance

#: The designs of the table, by what they are called there.
DESIGNS = {
    "corrected_repeated_cv": "corrected t, 10 × 10 folds",
    "average_over_sorted_runs.paired_t": "t on sorted runs, 10 × 10 folds",
    "average_over_sorted_runs.signed_rank": "signed rank on sorted runs, 10 × 10 folds",
    "corrected_resampled_100": "corrected t, 100 random splits",
    "corrected_resampled_10": "corrected t, 10 random splits",
    "five_by_two_cv": "5 × 2 folds, Dietterich's t",
    "k_fold.paired_t": "t, 1 × 10 folds",
    "random_33.paired_t": "t, 10 random splits into thirds",
    "random_10.paired_t": "t, 10 random splits",
    "average_over_runs.paired_t": "t on means by fold, 10 × 10 folds",
    "use_all_data.paired_t": "t, 10 × 10 folds",
}


def trainings(design: str, *, runs: int = 10, folds: int = 10) -> int:
    """How often each learner is trained for one experiment of a design.

    Examples
    --------
    >>> [trainings(name) for name in ("corrected_repeated_cv", "k_fold.paired_t", "five_by_two_cv")]
    [100, 10, 10]
    """
    it = designs.find(design)
    if it.splits == "five_by_two_cv":
        return 10
    if it.splits in designs.TEST_PERCENT:
        return it.runs
    return runs if it.scheme == "resampling" else (it.runs or runs) * folds


def measured(results: Mapping[str, engine.Replications]) -> pd.DataFrame:
    """Type I error, power, replicability and cost of the designs in `DESIGNS`.

    `results` are the stored ``synthetic_decisions``.  Indexed by design, the columns are `title`;
    `type_1`, `power` (mean over sources 2 to 4) and `replicability_normalized` (the least of the
    four sources), in percent, means over the ten networks of each source; for each its
    ``_deviation`` between networks; and `trainings` of each learner.
    """
    by_network = synthetic.tables_by_network(table_1.TABLE, synthetic.measures_by_network(results))
    found = table_1.trade_off(by_network, tuple(DESIGNS))
    found.insert(0, "title", pd.Series(DESIGNS))
    return found.assign(trainings=[trainings(name) for name in DESIGNS])


def shown(measured: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """The table as text: mean ± deviation in percent, and whether the level is kept."""
    with_deviation = lambda name: [
        f"{mean:.1f} ± {deviation:.1f}"
        for mean, deviation in zip(measured[name], measured[f"{name}_deviation"])
    ]
    return pd.DataFrame({
        "design": measured["title"],
        "Type I error (%)": with_deviation("type_1"),
        "power (%)": with_deviation("power"),
        "replicability (%)": with_deviation("replicability_normalized"),
        "trainings": measured["trainings"],
        "level": ["kept" if is_kept else "✗ not kept" for is_kept in keeps(measured, alpha)],
    }).set_index("design")


def keeps(measured: pd.DataFrame, alpha: float = 0.05) -> pd.Series:
    """Whether the Type I error is at most half as large again as the level that is claimed."""
    return measured["type_1"] <= 150 * alpha


def corrected_beside_sorted_runs(
    blocks: Mapping[object, np.ndarray], alpha: float = 0.05
) -> pd.DataFrame:
    """Decisions of the two recommended designs on the same blocks, by data set.

    `blocks` have shape (experiments, runs, folds).  Columns `same`, the share of experiments on
    which both decide alike; `corrected`, `sorted_runs`, the shares that reject.
    """
    rows = {}
    for key, block in blocks.items():
        corrected = significance.corrected_resampled_t(
            block, test_train_ratio=1 / (block.shape[-1] - 1), axis=(-2, -1)
        )
        ordered = np.sort(block, axis=-1).mean(axis=-2)
        sorted_runs = significance.paired_t(ordered)
        one, other = (np.where(t.pvalue < alpha, np.sign(t.estimate), 0)
                      for t in (corrected, sorted_runs))
        rows[key] = {
            "same": (one == other).mean(), "corrected": (one != 0).mean(),
            "sorted_runs": (other != 0).mean(),
        }
    return pd.DataFrame(rows).T


def thresholds(runs: int, folds: int, alpha: float = 0.05) -> dict[str, float]:
    """Mean differences at which the two designs reject, in standard deviations of their samples.

    Examples
    --------
    >>> {name: round(value, 3) for name, value in thresholds(10, 10).items()}
    {'sorted_runs': 0.715, 'corrected': 0.691}
    """
    n = runs * folds
    of_sorted = -special.stdtrit(folds - 1, alpha / 2) / np.sqrt(folds)
    of_all = -special.stdtrit(n - 1, alpha / 2) * np.sqrt(1 / n + 1 / (folds - 1))
    return {"sorted_runs": float(of_sorted), "corrected": float(of_all)}
