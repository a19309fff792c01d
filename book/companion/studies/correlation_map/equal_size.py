"""Methods of the bench at equal size: intervals widened until they leave out 5% of true zeros.

For tests whose statistic is an estimate over its standard error, the width of an
interval relative to its centre's distance from zero orders experiments as the p-value
does, and needs no tail of a distribution.  The learners are equally good on source 1
and on twins, and differ on sources 2 to 4.
"""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from companion.lab.experiments import results
from companion.studies.since_the_papers import experiments as bench
from companion.studies.since_the_papers import measures, plans
from companion.studies.since_the_papers import methods as bench_methods
from companion.studies.since_the_papers.methods import Evidence

#: Runs and folds of nested cross-validation as its authors recommend it, too many for
#: the bench.
NESTED = 200, 10
METHODS = bench_methods.METHODS | {
    "nested_cv_200": replace(
        bench_methods.METHODS["nested_cv"],
        title="nested cross-validation, 200 × 10 folds",
        trainings=11_000,
    )
}


def _nested_evidence(
    data: bench.Data, rng: np.random.Generator, experiments: int
) -> Evidence:
    runs, folds = NESTED
    nested, dealt = bench.nested_hits(data, rng, (experiments, runs), folds)
    return Evidence(nested=nested, nested_folds=dealt)


#: Methods with an interval by what they need; replications of each network, where
#: learners are equal and where they differ.
GROUPS = {
    "cheap": (
        bench.cheap_evidence,
        (20, 4),
        (
            "corrected_t_all",
            "corrected_t_folds",
            "sorted_runs_t",
            "clt_all_pairs",
            "z_instance_means",
            "z_held_out",
        ),
    ),
    "costly": (
        bench.costly_evidence,
        (10, 2),
        ("corrected_t_splits", "conservative_z", "nested_cv"),
    ),
    "long": (_nested_evidence, (10, 2), ("nested_cv_200",)),
}
#: All of them; the others are compared with the first.
COMPARED = list(itertools.chain(*(names for *_, names in GROUPS.values())))
PAIRS = 3
#: Relative widths are stored up to this one, so that thousandths fit in 16 bits.
LARGEST = 32
#: Which Type I error of the populations is 5%.
TARGETS = {"on average": np.mean, "in the worst network": np.max}
MEASURED = ("power", "rerun", "new_data", "gain")


def widths(
    rng: np.random.Generator,
    *,
    source: str,
    instances: int,
    datasets: int,
    experiments: int,
    group: str,
    truth: Sequence[float],
) -> np.ndarray:
    """Half-widths of 95% intervals, in thousandths of the distance of their centres from zero.

    The data are those of
    :func:`companion.studies.since_the_papers.experiments.outcomes`, so a number
    below 1000 is a significant difference there.  Shape (data sets, pairs, methods,
    seeds).

    >>> from companion import stored
    >>> one, _ = plan()["twins.0 n=300, costly"]
    >>> counts = stored.load("since_the_papers_costly")["twins.0 n=300"].counts[0]
    >>> bool(((one.replication(0) < 1000).sum(axis=-1) == 2 - counts[:, :PAIRS, :, 1]).all())
    True
    """
    collect, _, names = GROUPS[group]
    relative = []
    for stream in rng.spawn(datasets):
        evidence = collect(bench.drawn(stream, source, instances), stream, experiments)
        answers = [METHODS[name].answer(evidence) for name in names]
        low = np.stack([answer.low for answer in answers], axis=1)[:PAIRS]
        high = np.stack([answer.high for answer in answers], axis=1)[:PAIRS]
        distance = np.abs(low + high)
        width = np.full_like(distance, LARGEST)
        np.divide(high - low, distance, out=width, where=distance > 0)
        relative.append(width.clip(max=LARGEST))
    return (1000 * np.stack(relative)).astype(np.int16)


def plan() -> results.Plan:
    """Return the experiments: those of the bench with 300 instances, on networks and twins."""
    planned = {}
    for group, (_, (where_equal, where_not), _) in GROUPS.items():
        for name, (on_bench, _) in plans.plan(group != "cheap").items():
            parameters = {**on_bench.parameters, "group": group}
            del parameters["costly"]
            if parameters["instances"] == 300 and not name.startswith("task_1"):
                experiment = replace(on_bench, function=widths, parameters=parameters)
                replications = where_equal if _is_null(name) else where_not
                planned[f"{name}, {group}"] = experiment, replications
    return planned


def _is_null(name: str) -> bool:
    """Return whether the learners are equally good on a network."""
    return name.startswith(("source1", "twins"))


def threshold(null: Sequence[np.ndarray], target: str, alpha: float = 0.05) -> float:
    """Return the largest number at or below which a test can reject and keep its level.

    `null` has p-values, or other numbers in their order, of each population of equal
    learners. Only the order counts, so a monotone transformation leads to the same
    decisions.

    >>> threshold([np.arange(1, 101) / 100, np.arange(1, 101) / 50], "on average")
    0.07
    >>> threshold([np.arange(1, 101) / 100, np.arange(1, 101) / 50], "in the worst network")
    0.05
    """
    candidates = np.unique(np.concatenate([p.ravel() for p in null]))
    shares = [
        np.searchsorted(np.sort(p.ravel()), candidates, side="right") / p.size
        for p in null
    ]
    return float(candidates[TARGETS[target](shares, axis=0) <= alpha].max())


def measured(p: np.ndarray, at: float) -> np.ndarray:
    """Measure power and agreement of two seeds and of two data sets; shape (..., 3).

    `p` has the shape (..., data sets, seeds); all pairs of different data sets count.
    """
    rejected = p <= at
    share = rejected.mean(axis=-1)
    n = rejected.shape[-2]
    both = (share.sum(axis=-1) ** 2 - (share**2).sum(axis=-1)) / (n * (n - 1))
    power = share.mean(axis=-1)
    two_seeds_agree = (rejected[..., 0] == rejected[..., 1]).mean(axis=-1)
    two_data_sets_agree = 1 - 2 * power + 2 * both
    return np.stack([power, two_seeds_agree, two_data_sets_agree], axis=-1)


def _widths_of(results: measures.Results, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Widths where learners are equal and where not, (networks, pairs, data sets, seeds)."""
    group = next(name for name, (*_, names) in GROUPS.items() if method in names)
    m = GROUPS[group][-1].index(method)
    equal: list[np.ndarray] = []
    unequal: list[np.ndarray] = []
    for name, result in results.items():
        if name.endswith(group):
            of_all = result.counts.reshape(-1, *result.counts.shape[2:])
            networks = equal if _is_null(name) else unequal
            networks.append(of_all[:, :, m].swapaxes(0, 1))
    return np.stack(equal), np.stack(unequal)


def table(results: measures.Results) -> pd.DataFrame:
    """Compare methods at equal size; indexed by title and target, in percent.

    `results` are the stored ``equal_size``.  Columns: `widening`, the factor by which
    intervals have to be widened (not in percent); `transfer`, the Type I error on a
    network that did not calibrate it; `power`, `rerun` and `new_data` (shares of
    agreeing decisions), means over the pairs and the networks of sources 2 to 4; and
    `gain`, the power minus that of the first method.  Errors between networks
    (``_error``) are paired for the gain; to those of the last four, the jackknife over
    networks with equal learners adds the error of the threshold.
    """
    rows = {}
    power_of_first = {}
    for method in COMPARED:
        null, unequal = _widths_of(results, method)
        k = len(null)
        for target in TARGETS:
            at = threshold(null, target)
            # the jackknife: thresholds without one of the networks that calibrate
            without = [threshold(np.delete(null, i, axis=0), target) for i in range(k)]
            transfer = np.array([np.mean(p <= x) for p, x in zip(null, without)])
            # (thresholds, networks, measures), each a mean over the pairs
            values = np.stack(
                [measured(unequal, x).mean(axis=1) for x in (at, *without)]
            )
            power = values[..., :1]
            gain = power - power_of_first.setdefault(target, power)
            values, *left_out = np.concatenate([values, gain], axis=-1)
            of_networks = values.var(axis=0, ddof=1) / len(values)
            of_threshold = (k - 1) * np.mean(left_out, axis=1).var(axis=0)
            errors = np.sqrt(of_networks + of_threshold)
            row = {
                "widening": 10 / at,
                "transfer": transfer.mean(),
                "transfer_error": transfer.std(ddof=1) / np.sqrt(k),
                **dict(zip(MEASURED, values.mean(axis=0))),
            }
            row |= {f"{name}_error": error for name, error in zip(MEASURED, errors)}
            rows[METHODS[method].title, target] = row
    return 100 * pd.DataFrame(rows).T.rename_axis(["method", "target"])
