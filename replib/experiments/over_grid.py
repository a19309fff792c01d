"""Experiments whose decisions are wanted at many settings at once.

One replication, for :mod:`replib.experiments.engine`, draws one data set from each of several sources.  All
settings decide on the same data and the same splits, so that they differ in nothing but themselves.
"""

from collections.abc import Sequence

import numpy as np

from replib.experiments import on_sources as simulation
from replib.sources import BayesianNetwork


def decisions_over_grid(
    rng: np.random.Generator, *, sources: Sequence[BayesianNetwork | dict], instances: int, experiments: int,
    designs: Sequence[str], runs: Sequence[int] = (10,), alphas: Sequence[float] = (0.05,),
    folds: int = 10, learners: Sequence[str] = simulation.LEARNERS,
) -> np.ndarray:
    """What designs decide at several numbers of runs and several significance levels.

    Fewer runs are the first of the most that are asked for.

    Parameters
    ----------
    rng : Generator
    sources : sequence of BayesianNetwork or dict
        Each a network or the arguments of :func:`replib.sources.random_network`; they have independent
        random numbers.
    instances : int
        Size of each data set.
    experiments : int
        Repetitions on the same data set, from 1.
    designs : sequence of str
        Names in `replib.experiments.on_sources.DESIGNS`, of repeated cross-validation.
    runs : sequence of int
        Numbers of runs, each from 1.
    alphas : sequence of float
        Significance levels.
    folds : int
        From 2.
    learners : pair of str
        A and B.

    Returns
    -------
    ndarray of int, shape (len(sources), len(runs), len(alphas), len(designs), 3)
        In how many of the experiments B is significantly better, there is no significant
        difference, A is significantly better.

    Raises
    ------
    ValueError
        If a design is not one of repeated cross-validation, or as
        :func:`replib.experiments.on_sources.decisions` says.
    """
    for design in designs:
        if design in simulation.DESIGNS and (
            simulation.DESIGNS[design].splits != "cross_validation"
        ):
            raise ValueError(f"{design} is no design of repeated cross-validation")
    out = np.empty((len(sources), len(runs), len(alphas), len(designs), 3), dtype=np.int64)
    for counted, source, stream in zip(out, sources, rng.spawn(len(sources))):
        correct = simulation.correct_counts(
            stream, source=source, instances=instances, experiments=experiments, runs=max(runs),
            folds=folds, learners=learners,
        )
        block = simulation.differences(correct, instances)
        for place in np.ndindex(counted.shape[:-1]):
            run, level, design = place
            decided = simulation.decide(designs[design], block[:, : runs[run]], alphas[level])
            counted[place] = [(decided == outcome).sum() for outcome in (-1, 0, 1)]
    return out
