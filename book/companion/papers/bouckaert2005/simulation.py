"""The simulation behind all four figures: experiments on Task I, drawn from counts.

Each data set of Task I is three counts (`companion.lab.sources.task_1`), and so is each test set
and fold; no instance is ever drawn, and an experiment on 200,000 instances costs as much as one on
1000.  All designs use the same data sets; an experiment with more test sets, or runs, starts with
those of the smaller one.  The stored result is how many data sets had 0, 1, 2, ... rejections.
"""

import inspect
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.experiments import runner
from companion.lab.experiments.splits import size_of_test_set
from companion.lab.sources import task_1
from companion.papers.bouckaert2005 import kernels, models
from replib import replicability, significance

#: The paper's simulation: data sets per step and size, experiments on each, steps.
DATASETS, EXPERIMENTS, STEPS = 1000, 10, task_1.STEPS
#: Data set sizes named in Section 4.2; the caption of Figure 1 lists none.
SIZES = (1000, 2000, 10_000)
#: Test shares of the three graphs of Figure 1.
TEST_FRACTIONS = (0.1, 1 / 3, 0.5)
#: Random test sets in the graphs of Figure 2; runs and folds in those of Figures 3 and
#: 4.
SAMPLES, RUNS, FOLDS = (10, 100, 500), (1, 10, 50), 10

#: Data sets per replication.
BLOCK = 20
SEED = 2005


_FIGURES = {
    models.McNemar: 1,
    models.Resampling: 2,
    models.CrossValidation: 3,
    models.SortedCrossValidation: 4,
    models.MeanOverRuns: 5,
}


def plan(
    sizes: Sequence[int] = SIZES,
    live: int = DATASETS,
    *,
    seed: int = SEED,
    **parameters,
) -> dict[str, tuple[runner.Experiment, int]]:
    """The experiments, one per data set size, with replications of `BLOCK` data sets.

    They are those that are stored for the paper's `parameters` of `rejections`; for
    others there are enough replications for `live` data sets.
    """
    own = inspect.signature(rejections).parameters
    changed = {
        name: value
        for name, value in parameters.items()
        if not np.array_equal(value, own[name].default)
    }
    is_the_papers = not changed and list(sizes) == list(SIZES) and seed == SEED
    datasets = DATASETS if is_the_papers else live
    return {
        str(size): (
            runner.Experiment(
                rejections,
                seed=seed,
                stream=(size,),
                parameters={"size": size, "datasets": BLOCK, **changed},
            ),
            -(-datasets // BLOCK),
        )
        for size in sizes
    }


def all_designs(
    *,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    test_fraction: float = 0.1,
    samples: Sequence[int] = SAMPLES,
    runs: Sequence[int] = RUNS,
    folds: int = FOLDS,
) -> list[models.Model]:
    """The designs in the order of the figures, followed by the means over runs."""
    return [
        *(models.McNemar(t) for t in test_fractions),
        *(models.Resampling(j, test_fraction) for j in samples),
        *(models.CrossValidation(j, folds) for j in runs),
        *(models.SortedCrossValidation(j, folds) for j in runs),
        *(models.MeanOverRuns(j, folds) for j in runs),
    ]


def rejections(  # noqa: PLR0913  its keywords are stored with its results
    rng: np.random.Generator,
    *,
    size: int,
    datasets: int = BLOCK,
    experiments: int = EXPERIMENTS,
    steps: int = STEPS,
    alpha: float = 0.05,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    test_fraction: float = 0.1,
    samples: Sequence[int] = SAMPLES,
    runs: Sequence[int] = RUNS,
    folds: int = FOLDS,
) -> np.ndarray:
    """Count the data sets that had 0, 1, ... rejections: shape (designs, steps, experiments + 1).

    The designs are `all_designs`, the steps 0 to `steps` - 1.  Raises `ValueError` if
    an argument is out of range or the folds are of unequal size.
    """
    check_sizes([size], [test_fraction, *test_fractions], folds)
    for name, values in (("samples", samples), ("runs", runs)):
        if list(values) != sorted(values):
            raise ValueError(f"{name} must rise, not {list(values)}")
    log_factorial = special.gammaln(np.arange(size + 2) + 1.0)
    test_size = size_of_test_set(size, test_fraction)
    ratio = test_size / (size - test_size)
    of_resampling = np.array([_limit(j, ratio, alpha) for j in samples])
    of_folds = np.array([_limit(j * folds, 1 / (folds - 1), alpha) for j in runs])
    histograms = []
    for step in range(steps):
        q = task_1.rates(step, steps=steps)[0]
        data = task_1.counts(rng, size, q=q, datasets=datasets)
        by_design = []
        for t in test_fractions:
            n_test = size_of_test_set(size, t)
            by_design.append(
                mcnemar_rejections(rng, data, n_test, experiments, alpha=alpha)
            )
        by_samples = kernels.resampling(
            rng,
            data,
            test_size,
            np.array(samples),
            of_resampling,
            experiments,
            log_factorial,
        )
        by_design += list(by_samples.T)
        by_runs = kernels.cross_validation(
            rng,
            data,
            folds,
            np.array(runs),
            of_folds,
            _limit(folds, 0, alpha),
            experiments,
            log_factorial,
        )
        by_design += list(by_runs.reshape(datasets, -1).T)
        histograms.append(
            [np.bincount(rejected, minlength=experiments + 1) for rejected in by_design]
        )
    return np.swapaxes(histograms, 0, 1)


def mcnemar_rejections(
    rng: np.random.Generator,
    data: np.ndarray,
    test_size: int,
    experiments: int = EXPERIMENTS,
    *,
    alpha: float = 0.05,
    method: str = "corrected",
) -> np.ndarray:
    """Count the rejections by McNemar's test on each data set (rows of three counts)."""
    tests = task_1.random_test_sets(rng, data, test_size, experiments=experiments)[
        ..., :2
    ]
    critical = significance.mcnemar_critical_count(
        np.arange(test_size + 1), alpha=alpha, method=method
    )
    return (tests.min(axis=-1) <= critical[tests.sum(axis=-1)]).sum(axis=-1)


def profile(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Power and replicability of every design, size and step, with Monte Carlo standard errors.

    `results` are those of `plan`.  Columns `figure` (the means over runs, which the
    paper does not show, are figure 5), `graph` (from 0), `design` (its title), `size`,
    `step`, and in percent `difference` (in accuracy), `power`, `power_error`,
    `replicability` (normalised), `replicability_error`.
    """
    frames = []
    for one in results.values():
        of_figures = designs_of(one.experiment.parameters)
        histogram = one.counts.astype(np.int64).sum(axis=0)
        _, steps, levels = histogram.shape
        rejected, datasets = np.arange(levels), histogram[0, 0].sum()
        r2 = replicability.r2_from_counts(rejected, levels - 1)
        columns = {}
        for name, value in (
            ("power", rejected / (levels - 1)),
            ("replicability", replicability.normalized(r2)),
        ):
            mean = histogram @ value / datasets
            variance = np.maximum(histogram @ value**2 / datasets - mean**2, 0.0)
            columns[name], columns[f"{name}_error"] = (
                mean,
                np.sqrt(variance / (datasets - 1)),
            )
        step = np.arange(steps)
        for i, (figure, graph, design) in enumerate(of_figures):
            frames.append(
                pd.DataFrame(
                    {
                        "figure": figure,
                        "graph": graph,
                        "design": title(design),
                        "size": one.experiment.parameters["size"],
                        "step": step,
                        "difference": task_1.accuracy_difference(step, steps=steps),
                        **{name: 100 * column[i] for name, column in columns.items()},
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def designs_of(parameters: Mapping[str, object]) -> list[tuple[int, int, models.Model]]:
    """Figure, graph and design of each row of `rejections`, from its parameters."""
    of_designs = inspect.signature(all_designs).parameters
    given = {name: value for name, value in parameters.items() if name in of_designs}
    listed, seen = [], Counter()
    for design in all_designs(**given):
        figure = _FIGURES[type(design)]
        listed.append((figure, seen[figure], design))
        seen[figure] += 1
    return listed


def title(design: models.Model) -> str:
    """The name of a design in tables and figures.

    >>> title(models.SortedCrossValidation(10))
    '10 × 10-fold, sorted'
    """
    if isinstance(design, models.McNemar):
        return f"McNemar, {100 * design.test_fraction:.0f}% for testing"
    if isinstance(design, models.Resampling):
        return f"{design.samples} random test sets"
    ending = {
        models.SortedCrossValidation: ", sorted",
        models.MeanOverRuns: ", mean over runs",
    }
    return f"{design.runs} × {design.folds}-fold{ending.get(type(design), '')}"


def check_sizes(
    sizes: Sequence[int], test_fractions: Sequence[float], folds: int = 1
) -> None:
    """Raise a `ValueError` for sizes and test fractions with which no experiment is possible."""
    for t in test_fractions:
        if not 0 < t < 1:
            raise ValueError(f"a test fraction must lie between 0 and 1, not {t}")
    for size in sizes:
        if size < 2 or any(size * min(t, 1 - t) <= 0.5 for t in test_fractions):
            raise ValueError(f"of {size} instances none is left to train or to test on")
        if size % folds:
            raise ValueError(
                f"{folds} folds of equal size need a multiple of {folds} instances, not {size}"
            )


def _limit(samples: int, ratio: float, alpha: float) -> float:
    """The multiple of V that the squared sum of a significant sample exceeds; see `kernels`."""
    critical = special.stdtrit(samples - 1, alpha / 2)
    return critical**2 * (1 + ratio * samples) / (samples - 1)
