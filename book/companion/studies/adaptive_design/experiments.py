"""Experiments with adaptive designs on data sets drawn from the 40 networks."""

from collections.abc import Mapping, Sequence

import numpy as np

from companion.lab.experiments import runner
from companion.lab.experiments.splits import fold_sizes
from companion.papers import networks
from companion.studies.adaptive_design.rules import LEVELS, SEED, designs_of
from replib import adaptive

#: Data sets of each network in the stored experiments.
DATASETS = 100


#: The setting of the stored experiments.
SETTING = {
    "instances": 300,
    "experiments": 4,
    "max_runs": 50,
    "min_runs": 3,
    "folds": 10,
    "alpha": 0.05,
}


def source_outcomes(  # noqa: PLR0913  its keywords are stored with its results
    rng: np.random.Generator,
    *,
    source: str | dict,
    instances: int,
    experiments: int,
    max_runs: int,
    min_runs: int,
    folds: int,
    alpha: float,
    designs: Sequence[tuple[str, float]],
) -> np.ndarray:
    """Stop all designs on one data set, with all tests.

    For :mod:`companion.lab.experiments.runner`.  Returns runs and decision, +1 where
    naive Bayes is better than C4.5; tests are in the order of `replib.adaptive.TESTS`.
    """
    counts = networks.experiments.correct_counts(
        rng,
        source=source,
        instances=instances,
        experiments=experiments,
        runs=max_runs,
        folds=folds,
        learners=("naive_bayes", "c45"),
    )
    n_correct = counts.astype(int)
    differences = n_correct[..., 0] - n_correct[..., 1]
    differences = differences / fold_sizes(instances, folds)
    return _outcomes(differences, alpha, min_runs, designs)


def _outcomes(
    differences: np.ndarray,
    alpha: float,
    min_runs: int,
    designs: Sequence[tuple[str, float]],
) -> np.ndarray:
    by_test = []
    for test in adaptive.TESTS:
        course = adaptive.course(differences, test=test, alpha=alpha)
        stops = [
            adaptive.stop(course, level, rule=rule, min_runs=min_runs)
            for rule, level in designs
        ]
        by_test.append([np.stack(stop, axis=-1) for stop in stops])
    return np.array(by_test).astype(np.int16)


def source_experiment(
    network: str,
    *,
    levels: Mapping[str, Sequence[float]] = LEVELS,
    seed: int = SEED,
    **setting: float,
) -> runner.Experiment:
    """Return the experiment on data sets of a network; `setting` changes some of `SETTING`."""
    return runner.Experiment(
        source_outcomes,
        seed=seed,
        stream=networks.source_and_place(network),
        parameters={
            "source": network,
            **SETTING,
            **setting,
            # a list, since a mapping in JSON has no order of its own
            "designs": designs_of(levels),
        },
    )


def plan(
    chosen: Sequence[str] | None = None, datasets: int = DATASETS, **setting
) -> dict[str, tuple[runner.Experiment, int]]:
    """Return the experiment of each network and its number of data sets; by default those stored.

    `setting` is passed to :func:`source_experiment`.
    """
    return {
        network: (source_experiment(network, **setting), datasets)
        for network in chosen or networks.names()
    }
