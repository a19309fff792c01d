"""SHARP on three populations of the map of the correlation, with all its quick learners.

The whole map would take 50 hours of one core.  The rule that chose the populations does
not look at an outcome: the first, in the map's own list, of each of its three kinds
that are not networks.  On networks, SHARP was run already.
"""

import warnings
from collections.abc import Sequence
from zlib import crc32

import numpy as np
import sklearn
from sklearn.exceptions import ConvergenceWarning

from companion.lab.experiments import runner
from companion.studies.correlation_map import experiments as the_map
from companion.studies.correlation_map import plans
from companion.studies.since_2024.halves import (
    INNER_FOLDS,
    REPETITIONS,
    stratified_halves,
)

#: Size of the data sets, as on the networks.
INSTANCES = 300
#: Data sets of each population, with all pairs of ten learners, trained 300 times each.
#: Ninety were planned; a busy machine left time for so many.
DATASETS = 20

#: Distinguishes the data sets from those of the map, whose streams end in the place of
#: a design.
_STREAM = 2026


def populations() -> list[str]:
    """Return the first population of each kind: normal, generated and real.

    >>> populations()
    ['gaussians.10', 'classification', 'digits.binary']
    """
    on_networks = {*the_map.NETWORKS, *the_map.TWINS}
    kinds = (set(the_map.GENERATED), set(the_map.FINITE))
    names = [name for name in the_map.POPULATIONS if name not in on_networks]
    normal = [name for name in names if not any(name in kind for kind in kinds)]
    firsts = [next(name for name in names if name in kind) for kind in kinds]
    return [normal[0], *firsts]


def correct_in_halves(
    rng: np.random.Generator,
    *,
    population: str,
    instances: int,
    learners: Sequence[str],
) -> np.ndarray:
    """Count correct predictions inside the halves of one data set.

    Each half has its own cross-validation, and each instance of it is predicted once.

    Parameters
    ----------
    rng : Generator
    population : str
        A name in `companion.studies.correlation_map.experiments.POPULATIONS`.
    instances : int
        Size of the data set.
    learners : sequence of str
        Names in `LEARNERS` of the same module.

    Returns
    -------
    ndarray of int, shape (REPETITIONS, 2, learners)

    Examples
    --------
    >>> counts = correct_in_halves(np.random.default_rng(1), population="moons",
    ...                            instances=40, learners=["naive Bayes", "stump"])
    >>> counts.shape, int(counts.max()) <= 20
    ((30, 2, 2), True)
    """
    X, classes = the_map.POPULATIONS[population](population, rng, instances)
    y = np.unique(classes, return_inverse=True)[1]
    halves = stratified_halves(y, rng, REPETITIONS)
    with (
        warnings.catch_warnings(),
        sklearn.config_context(assume_finite=True, skip_parameter_validation=True),
    ):
        warnings.simplefilter("ignore", ConvergenceWarning)
        right = the_map._right(
            rng, X, y, learners, halves.training_sets(), halves.test_sets()
        )
    by_fold = right.sum(axis=-1).reshape(REPETITIONS, 2, INNER_FOLDS, len(learners))
    return by_fold.sum(axis=2)


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """Return the experiment on each population, and its number of data sets.

    >>> len(plan())
    3
    """
    planned = {}
    for population in populations():
        experiment = runner.Experiment(
            correct_in_halves,
            seed=plans.SEED,
            stream=(crc32(population.encode()), INSTANCES, _STREAM),
            parameters={
                "population": population,
                "instances": INSTANCES,
                "learners": plans.learners_of(population, INSTANCES, "2x10"),
            },
        )
        planned[f"{population} n={INSTANCES}"] = experiment, DATASETS
    return planned
