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
    runs = min(one.counts[..., 0, 0].size for one in stored.values())
    count = runs // max_runs
    if count < 2:
        raise ValueError(
            f"{runs} stored runs are too few for two experiments of {max_runs} each"
        )
    cells, blocks = [], []
    for pair in uci.PAIRS:
        differences = uci.differences(stored, "uci_cross_validation", pair)
        for place, (name, x) in enumerate(differences.items()):
            # one seed per data set: the three pairs are compared on the same runs
            rng = np.random.default_rng(
                np.random.SeedSequence(seed, spawn_key=(place,))
            )
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
    mean = lambda x: x.mean(axis=tuple(range(1, x.ndim)))
    return pd.DataFrame(
        {
            "runs": mean(stopped.runs),
            "rejects": mean(rejects),
            "replicability": mean(
                replicability.r2_from_counts((~rejects).sum(axis=-1), n)
            ),
            "as_all": mean(stopped.decision == seen.decision[..., -1]),
            "experiments": n,
        }
    )


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
    rows["at_equal_cost"] = np.interp(
        rows["runs"], every["level"], every["replicability"]
    )
    reached = [
        every["level"][every["replicability"] < r].max() + 1
        for r in rows["replicability"]
    ]
    reached = pd.Series(reached, index=rows.index).fillna(1)
    rows["equivalent"] = reached.where(reached <= every["level"].max())
    return rows


def distance_from_border(seen: adaptive.Course) -> np.ndarray:
    """How far each data set is inside the rejection region, in standard deviations of a run.

    Mean margin over mean standard deviation of all experiments; infinite where all runs
    are equal.
    """
    axes = tuple(range(1, seen.margin.ndim - 1))
    margin, deviation = (
        seen.margin[..., -1].mean(axes),
        seen.deviation[..., -1].mean(axes),
    )
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
    found = np.flatnonzero((cells["pair"] == pair) & (cells["dataset"] == dataset))
    stopped = adaptive.stop(seen, level, rule=rule, min_runs=min_runs)
    runs, place = np.arange(1, seen.max_runs + 1), (found[0], 0)
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "experiment": e,
                    "runs": runs,
                    "pvalue": seen.pvalue[*place, e],
                    "stops": runs == stopped.runs[*place, e],
                    "decision": stopped.decision[*place, e],
                }
            )
            for e in range(min(experiments, seen.pvalue.shape[2]))
        ],
        ignore_index=True,
    )
