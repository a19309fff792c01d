"""Adaptive designs on the UCI data sets: long experiments, assembled from the stored ones."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.papers import uci
from companion.studies.adaptive_design.rules import (
    DESIGN,
    LEVELS,
    SEED,
    designs_of,
)
from replib import adaptive, replicability


def uci_blocks(
    stored: Mapping[str, runner.Replications],
    max_runs: int = 50,
    *,
    shuffles: int = 4,
    seed: int = SEED,
) -> tuple[pd.DataFrame, np.ndarray]:
    """Assemble long experiments on the UCI data sets from the stored ones.

    The runs of all stored cross-validations of a data set are independent of one
    another: any `max_runs` of them, drawn at random, are an experiment of that many
    runs, and experiments without a common run are independent.

    Returns cells (`pair`, `dataset`; one row for each element of the first axis of the
    blocks), and blocks of accuracy differences.
    """
    folds = uci.SPLITS["uci_cross_validation"][1]["folds"]
    runs = min(result.counts[..., 0, 0].size for result in stored.values())
    count = runs // max_runs
    if count < 2:
        raise ValueError(
            f"{runs} stored runs are too few for two experiments of {max_runs} each"
        )
    cells = []
    blocks = []
    for pair in uci.PAIRS:
        differences = uci.differences(stored, "uci_cross_validation", pair)
        for i, (name, x) in enumerate(differences.items()):
            # one seed per data set: the three pairs are compared on the same runs
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(i,)))
            x = x.reshape(-1, folds)
            chosen = [
                rng.permutation(len(x))[: count * max_runs] for _ in range(shuffles)
            ]
            blocks.append(x[np.array(chosen)].reshape(shuffles, count, max_runs, folds))
            cells.append((pair, name))
    return pd.DataFrame(cells, columns=["pair", "dataset"]), np.stack(blocks)


def by_cell(
    seen: adaptive.Course, rule: str, level: float, *, min_runs: int = 3
) -> pd.DataFrame:
    """Cost and replicability of one design on each data set.

    One row per cell: `runs` (mean), `rejects` (share of experiments), `replicability`
    (raw R2, mean over shuffles), `as_all` (share with the decision of all runs), and
    `experiments`.
    """
    stopped = adaptive.stop(seen, level, rule=rule, min_runs=min_runs)
    rejects = stopped.decision != 0
    n = rejects.shape[-1]
    r2 = replicability.r2_from_counts((~rejects).sum(axis=-1), n)
    return pd.DataFrame(
        {
            "runs": _mean_of_cells(stopped.runs),
            "rejects": _mean_of_cells(rejects),
            "replicability": _mean_of_cells(r2),
            "as_all": _mean_of_cells(stopped.decision == seen.decision[..., -1]),
            "experiments": n,
        }
    )


def _mean_of_cells(values: np.ndarray) -> np.ndarray:
    """Return the mean over all axes but the first, that of the cells."""
    return values.reshape(len(values), -1).mean(axis=1)


def compare(
    seen: adaptive.Course,
    levels: Mapping[str, Sequence[float]] = LEVELS,
    *,
    min_runs: int = 3,
) -> pd.DataFrame:
    """Cost and replicability of designs, averaged over data sets.

    Columns `rule`, `level`, `runs`, `rejects`, `as_all` (percent), `replicability`
    (normalised) and its `standard_error` for these data sets, from the variance of R2
    with one shuffle (with more it is smaller); and `disagree`, percent of pairs of
    experiments that decide differently, with `disagree_error`.
    """
    return pd.DataFrame(
        [
            (*design, *_averages(by_cell(seen, *design, min_runs=min_runs)))
            for design in designs_of(levels)
        ],
        columns=DESIGN + _AVERAGES,
    )


_AVERAGES = [
    "runs",
    "rejects",
    "as_all",
    "replicability",
    "standard_error",
    "disagree",
    "disagree_error",
]


def _averages(cells: pd.DataFrame) -> tuple[float, ...]:
    r = cells["replicability"]
    variance = replicability.r2_variance(r.clip(0.5, 1), cells["experiments"])
    error = float(np.sqrt(np.sum(variance)) / len(cells))
    return (
        cells["runs"].mean(),
        100 * cells["rejects"].mean(),
        100 * cells["as_all"].mean(),
        replicability.normalized(r.mean()),
        2 * error,
        100 * (1 - r.mean()),
        100 * error,
    )


def beside_fixed(compared: pd.DataFrame, every: pd.DataFrame) -> pd.DataFrame:
    """The value of each adaptive design in runs of a fixed one.

    The adaptive rows of `compared` with `at_equal_cost`, the normalised replicability
    of a fixed design with the same mean cost (interpolated between whole numbers of
    runs); and `equivalent`, the fewest runs such that all fixed designs with as many
    runs or more are at least as replicable (NaN if even the longest is not).
    """
    rows = compared[compared["rule"].isin(["agreeing", "curtailed"])].copy()
    runs, replicable = every["level"], every["replicability"]
    rows["at_equal_cost"] = np.interp(rows["runs"], runs, replicable)
    reached = [runs[replicable < r].max() + 1 for r in rows["replicability"]]
    reached = pd.Series(reached, index=rows.index).fillna(1)
    rows["equivalent"] = reached.where(reached <= runs.max())
    return rows


def distance_from_border(seen: adaptive.Course) -> np.ndarray:
    """How far each data set is inside the rejection region, in standard deviations of a run.

    Mean margin over mean standard deviation of all experiments; infinite where all runs
    are equal.
    """
    margin = _mean_of_cells(seen.margin[..., -1])
    deviation = _mean_of_cells(seen.deviation[..., -1])
    with np.errstate(divide="ignore"):
        return margin / deviation


def paths(
    cells: pd.DataFrame,
    seen: adaptive.Course,
    pair: str,
    dataset: str,
    rule: str,
    level: float,
    *,
    experiments: int = 6,
    min_runs: int = 3,
) -> pd.DataFrame:
    """p-values of a few experiments on one data set after each run, and where a rule stops.

    A row per run: `experiment`, `runs`, `pvalue`, `stops` (whether the rule stops
    here), `decision` (of the rule when it stops).
    """
    is_cell = (cells["pair"] == pair) & (cells["dataset"] == dataset)
    cell = np.flatnonzero(is_cell)[0]
    stopped = adaptive.stop(seen, level, rule=rule, min_runs=min_runs)
    runs = np.arange(1, seen.max_runs + 1)
    frames = []
    for e in range(min(experiments, seen.pvalue.shape[2])):
        of_experiment = (cell, 0, e)  # of the first shuffle
        frames.append(
            pd.DataFrame(
                {
                    "experiment": e,
                    "runs": runs,
                    "pvalue": seen.pvalue[of_experiment],
                    "stops": runs == stopped.runs[of_experiment],
                    "decision": stopped.decision[of_experiment],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)
