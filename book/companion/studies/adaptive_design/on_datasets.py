"""Adaptive designs on the UCI data sets: long experiments, assembled from the stored ones."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.papers import uci
from companion.studies.adaptive_design.rules import LEVELS, SEED, designs_of
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
        for i, (name, block) in enumerate(differences.items()):
            # one seed per data set: the three pairs are compared on the same runs
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(i,)))
            all_runs = block.reshape(-1, folds)
            orders = [rng.permutation(len(all_runs)) for _ in range(shuffles)]
            chosen = np.array(orders)[:, : count * max_runs]
            shape = (shuffles, count, max_runs, folds)
            blocks.append(all_runs[chosen].reshape(shape))
            cells.append((pair, name))
    return pd.DataFrame(cells, columns=["pair", "dataset"]), np.stack(blocks)


def cell_summaries(
    course: adaptive.Course, rule: str, level: float, *, min_runs: int = 3
) -> pd.DataFrame:
    """Return cost and replicability of one design on each data set.

    One row per cell: `runs` (mean), `rejects` (share of experiments), `replicability`
    (raw R2, mean over shuffles), `as_all` (share with the decision of all runs), and
    `experiments`.
    """
    stopped = adaptive.stop(course, level, rule=rule, min_runs=min_runs)
    rejects = stopped.decision != 0
    n = rejects.shape[-1]
    r2 = replicability.r2_from_counts((~rejects).sum(axis=-1), n)
    decision_of_all_runs = course.decision[..., -1]
    columns = {
        "runs": _cell_means(stopped.runs),
        "rejects": _cell_means(rejects),
        "replicability": _cell_means(r2),
        "as_all": _cell_means(stopped.decision == decision_of_all_runs),
        "experiments": n,
    }
    return pd.DataFrame(columns)


def _cell_means(values: np.ndarray) -> np.ndarray:
    """Return the mean over all axes but the first, that of the cells."""
    return values.reshape(len(values), -1).mean(axis=1)


def compare(
    course: adaptive.Course,
    levels: Mapping[str, Sequence[float]] = LEVELS,
    *,
    min_runs: int = 3,
) -> pd.DataFrame:
    """Return cost and replicability of designs, averaged over data sets.

    Columns `rule`, `level`, `runs`, `rejects`, `as_all` (percent), `replicability`
    (normalised) and its `standard_error` for these data sets, from the variance of R2
    with one shuffle (with more it is smaller); and `disagree`, percent of pairs of
    experiments that decide differently, with `disagree_error`.
    """
    rows = []
    for rule, level in designs_of(levels):
        cells = cell_summaries(course, rule, level, min_runs=min_runs)
        rows.append({"rule": rule, "level": level, **_averages(cells)})
    return pd.DataFrame(rows)


def _averages(cells: pd.DataFrame) -> dict[str, float]:
    """Average the rows of :func:`cell_summaries`."""
    r = cells["replicability"]
    variance = replicability.r2_variance(r.clip(0.5, 1), cells["experiments"])
    error = float(np.sqrt(np.sum(variance)) / len(cells))
    return {
        "runs": cells["runs"].mean(),
        "rejects": 100 * cells["rejects"].mean(),
        "as_all": 100 * cells["as_all"].mean(),
        "replicability": replicability.normalized(r.mean()),
        "standard_error": 2 * error,
        "disagree": 100 * (1 - r.mean()),
        "disagree_error": 100 * error,
    }


def worth_in_fixed_runs(compared: pd.DataFrame, fixed: pd.DataFrame) -> pd.DataFrame:
    """Return the value of each adaptive design in runs of a fixed one.

    The adaptive rows of `compared` with `at_equal_cost`, the normalised replicability
    of a fixed design with the same mean cost (interpolated between whole numbers of
    runs); and `equivalent`, the fewest runs such that all fixed designs with as many
    runs or more are at least as replicable (NaN if even the longest is not).  `fixed`
    has the fixed designs of every length, by :func:`compare`.
    """
    rows = compared[compared["rule"].isin(["agreeing", "curtailed"])].copy()
    runs = fixed["level"]
    rows["at_equal_cost"] = np.interp(rows["runs"], runs, fixed["replicability"])
    longest_worse = [
        runs[fixed["replicability"] < r].max() for r in rows["replicability"]
    ]
    # where no fixed design is worse, one run is enough
    enough = (pd.Series(longest_worse, index=rows.index) + 1).fillna(1)
    rows["equivalent"] = enough.where(enough <= runs.max())
    return rows


def distance_from_border(course: adaptive.Course) -> np.ndarray:
    """Return how far each data set is inside the rejection region, in standard deviations of a run.

    Mean margin over mean standard deviation of all experiments; infinite where all runs
    are equal.
    """
    margin = _cell_means(course.margin[..., -1])
    deviation = _cell_means(course.deviation[..., -1])
    with np.errstate(divide="ignore"):
        return margin / deviation


def paths(
    cells: pd.DataFrame,
    course: adaptive.Course,
    pair: str,
    dataset: str,
    rule: str,
    level: float,
    *,
    experiments: int = 6,
    min_runs: int = 3,
) -> pd.DataFrame:
    """Follow p-values of a few experiments on one data set, run by run, and where a rule stops.

    A row per run: `experiment`, `runs`, `pvalue`, `stops` (whether the rule stops
    here), `decision` (of the rule when it stops).
    """
    is_cell = (cells["pair"] == pair) & (cells["dataset"] == dataset)
    cell = np.flatnonzero(is_cell)[0]
    stopped = adaptive.stop(course, level, rule=rule, min_runs=min_runs)
    runs = np.arange(1, course.max_runs + 1)
    frames = []
    for experiment in range(min(experiments, course.pvalue.shape[2])):
        key = (cell, 0, experiment)  # of the first shuffle
        columns = {
            "experiment": experiment,
            "runs": runs,
            "pvalue": course.pvalue[key],
            "stops": runs == stopped.runs[key],
            "decision": stopped.decision[key],
        }
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)
