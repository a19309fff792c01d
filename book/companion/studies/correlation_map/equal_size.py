"""Methods of the bench at equal size: intervals widened until they leave out 5% of true zeros.

For tests whose statistic is an estimate over its standard error, the width of an
interval relative to its centre's distance from zero orders experiments as the p-value
does, and needs no tail of a distribution.  The learners are equally good on source 1
and on twins, and differ on sources 2 to 4.
"""

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
COMPARED = [name for *_, names in GROUPS.values() for name in names]
PAIRS = 3
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
    (collect, _, names), found = GROUPS[group], []
    for stream in rng.spawn(datasets):
        evidence = collect(bench.drawn(stream, source, instances), stream, experiments)
        answers = [METHODS[name].answer(evidence) for name in names]
        low, high = (
            np.stack([getattr(it, side) for it in answers], axis=1)[:PAIRS]
            for side in ("low", "high")
        )
        distance = np.abs(low + high)
        far = np.full_like(distance, 32)
        found.append(
            np.divide(high - low, distance, out=far, where=distance > 0).clip(max=32)
        )
    return (1000 * np.stack(found)).astype(np.int16)


def plan() -> results.Plan:
    """Return the experiments: those of the bench with 300 instances, on networks and twins."""
    found = {}
    for group, (_, replications, _) in GROUPS.items():
        for name, (one, _) in plans.plan(group != "cheap").items():
            if one.parameters["instances"] == 300 and not name.startswith("task_1"):
                parameters = {**one.parameters, "group": group}
                del parameters["costly"]
                experiment = replace(one, function=widths, parameters=parameters)
                found[f"{name}, {group}"] = experiment, replications[not _is_null(name)]
    return found


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
    share, n = rejected.mean(axis=-1), rejected.shape[-2]
    both = (share.sum(axis=-1) ** 2 - (share**2).sum(axis=-1)) / (n * (n - 1))
    return np.stack(
        [
            share.mean(axis=-1),
            (rejected[..., 0] == rejected[..., 1]).mean(axis=-1),
            1 - 2 * share.mean(axis=-1) + 2 * both,
        ],
        axis=-1,
    )


def _of_method(found: measures.Results, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Widths where learners are equal and where not, (networks, pairs, data sets, seeds)."""
    group, names = next(
        (name, it[-1]) for name, it in GROUPS.items() if method in it[-1]
    )
    parts: tuple[list[np.ndarray], list[np.ndarray]] = [], []
    for name, one in found.items():
        if name.endswith(group):
            widths = one.counts.reshape(-1, *one.counts.shape[2:])[
                :, :, names.index(method)
            ]
            parts[not _is_null(name)].append(widths.swapaxes(0, 1))
    return np.stack(parts[0]), np.stack(parts[1])


def table(found: measures.Results) -> pd.DataFrame:
    """Compare methods at equal size; indexed by title and target, in percent.

    `found` are the stored ``equal_size``.  Columns: `widening`, the factor by which
    intervals have to be widened (not in percent); `transfer`, the Type I error on a
    network that did not calibrate it; `power`, `rerun` and `new_data` (shares of
    agreeing decisions), means over the pairs and the networks of sources 2 to 4; and
    `gain`, the power minus that of the first method.  Errors between networks
    (``_error``) are paired for the gain; to those of the last four, the jackknife over
    networks with equal learners adds the error of the threshold.
    """
    rows, first = {}, {}
    for method in COMPARED:
        null, others = _of_method(found, method)
        k = len(null)
        for target in TARGETS:
            without = [threshold(np.delete(null, i, axis=0), target) for i in range(k)]
            transfer = np.array([np.mean(p <= at) for p, at in zip(null, without)])
            at = threshold(null, target)
            values = np.stack(
                [measured(others, one).mean(axis=1) for one in [at, *without]]
            )
            gain = values[..., :1] - first.setdefault(target, values[..., :1])
            values, *again = np.concatenate([values, gain], axis=-1)
            error = np.sqrt(
                values.var(axis=0, ddof=1) / len(values)
                + (k - 1) * np.mean(again, axis=1).var(axis=0)
            )
            rows[METHODS[method].title, target] = (
                {
                    "widening": 10 / at,
                    "transfer": transfer.mean(),
                    "transfer_error": transfer.std(ddof=1) / np.sqrt(k),
                }
                | dict(zip(MEASURED, values.mean(axis=0)))
                | {f"{name}_error": one for name, one in zip(MEASURED, error)}
            )
    return 100 * pd.DataFrame(rows).T.rename_axis(["method", "target"])
