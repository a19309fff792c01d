"""Experiments on data from a source: draw a data set, run many experiments, count decisions.

One replication, for :mod:`companion.lab.experiments.runner`, is one data set, or in
:func:`decisions_over_grid` one from each of several sources.  Two learners are compared on it by
each *design* (:mod:`replib.methods`) in several experiments, which differ in the random splits.
Designs that need the same kind of splits get the same ones, so only the designs themselves make the
difference.  The decisions of one design do not depend on the others that are asked for, nor the
first runs on how many follow.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from companion.lab.learners import cross_validation
from companion.lab.learners.table import Table
from companion.lab.sources import BayesianNetwork
from replib.methods import TEST_PERCENT, Method, decide, find

from .splits import fold_sizes, random_test_sets, size_of_test_set, stratified_folds

#: The learners of the synthetic experiments of 2004, A and B.
LEARNERS = ("naive_bayes", "c45")


def correct_counts(
    rng: np.random.Generator,
    *,
    source: BayesianNetwork,
    instances: int,
    experiments: int,
    runs: int,
    folds: int,
    learners: Sequence[str] = LEARNERS,
) -> np.ndarray:
    """Run repeated stratified cross-validations of learners on one data set from a source.

    Parameters
    ----------
    rng : Generator
    source : BayesianNetwork
    instances : int
        Size of the data set, at least 2.
    experiments : int
        Repetitions on the same data set, at least 1.
    runs, folds : int
        Of the cross-validation of each experiment: at least 1, and 2 to `instances`.
    learners : sequence of str
        Names in `companion.lab.learners.cross_validation.LEARNERS`.

    Returns
    -------
    ndarray of int, shape (experiments, runs, folds, learners)
        Correct predictions in each fold.  With two learners, these are the blocks on which
        :func:`decisions` decides if it is given an equal generator.

    Examples
    --------
    >>> from companion.lab.sources import random_network
    >>> options = dict(instances=20, experiments=2, runs=3, folds=5)
    >>> rng, source = np.random.default_rng(1), random_network(seed=1, attributes=3)
    >>> correct_counts(rng, source=source, **options).shape
    (2, 3, 5, 2)
    """
    data = _drawn_table(rng, source, instances)
    return _correct_in_folds(rng.spawn(1)[0], data, experiments, runs, folds, learners)


def decisions(  # noqa: PLR0913  its keywords are stored with its results
    rng: np.random.Generator,
    *,
    source: BayesianNetwork,
    instances: int,
    experiments: int,
    designs: Sequence[str | Method],
    alpha: float = 0.05,
    runs: int = 10,
    folds: int = 10,
    learners: Sequence[str] = LEARNERS,
) -> np.ndarray:
    """Count the decisions of designs in repeated experiments on one data set from a source.

    Parameters
    ----------
    rng : Generator
    source, instances, experiments
        As for :func:`correct_counts`.
    designs : sequence of str or Method
        Methods, or names in `replib.methods.METHODS`.
    alpha : float
        Significance level.
    runs, folds : int
        Of the repeated cross-validation.
    learners : pair of str
        A and B.

    Returns
    -------
    ndarray of int, shape (len(designs), 3)
        Number of experiments in which B is significantly better, there is no
        significant difference, A is significantly better.

    Examples
    --------
    Each of the experiments has one decision.

    >>> from companion.lab.sources import random_network
    >>> options = dict(instances=20, experiments=4, designs=["corrected_repeated_cv"])
    >>> rng, source = np.random.default_rng(1), random_network(seed=1, attributes=3)
    >>> decisions(rng, source=source, **options).sum(axis=1).tolist()
    [4]
    """
    methods = [find(design) for design in designs]
    data = _drawn_table(rng, source, instances)
    runs_of = _runs_needed(methods, runs)
    # each kind of splits has its own random stream, whether it is needed or not
    folds_of = {"cross_validation": folds, "five_by_two_cv": 2}
    kinds = (*folds_of, *TEST_PERCENT)
    blocks = {}
    for splits, stream in zip(kinds, rng.spawn(len(kinds))):
        if splits not in runs_of:
            continue
        size = (experiments, runs_of[splits])
        if splits in folds_of:
            counts = _correct_in_folds(stream, data, *size, folds_of[splits], learners)
            blocks[splits] = differences(counts, instances)
        else:
            test_size = size_of_test_set(instances, Fraction(TEST_PERCENT[splits], 100))
            counts = _correct_in_random_splits(stream, data, *size, test_size, learners)
            blocks[splits] = (counts[..., :1] - counts[..., 1:]) / test_size

    out = np.empty((len(methods), 3), dtype=np.int64)
    for counts, method in zip(out, methods):
        block = blocks[method.splits]
        counts[:] = _outcomes(decide(block, method=method, alpha=alpha))
    return out


def _runs_needed(methods: Sequence[Method], runs: int) -> dict[str, int]:
    """Return how many runs of each kind of splits methods need; by default `runs`."""
    needed: dict[str, int] = {}
    for method in methods:
        needed[method.splits] = max(needed.get(method.splits, 0), method.runs or runs)
    return needed


def _outcomes(decided: np.ndarray) -> list[int]:
    """Count the decisions for B, for neither, for A."""
    return [int((decided == outcome).sum()) for outcome in (-1, 0, 1)]


def differences(
    counts: np.ndarray, instances: int, *, pair: tuple[int, int] = (0, 1)
) -> np.ndarray:
    """Compute the accuracy differences of two learners in cross-validations.

    Parameters
    ----------
    counts : ndarray of int, shape (..., runs, folds, learners)
        Of :func:`correct_counts`.
    instances : int
        Size of the data set.
    pair : tuple of two ints
        Positions of A and B among the learners.

    Returns
    -------
    ndarray, shape (..., runs, folds)
        Accuracy of A minus accuracy of B, a fraction.

    Examples
    --------
    >>> differences(np.array([[[3, 2], [1, 2]]]), 7).round(3).tolist()
    [[0.25, -0.333]]
    """
    a, b = pair
    counts = counts.astype(np.int64)  # stored counts may be unsigned
    return (counts[..., a] - counts[..., b]) / fold_sizes(instances, counts.shape[-2])


def decisions_over_grid(  # noqa: PLR0913  its keywords are stored with its results
    rng: np.random.Generator,
    *,
    sources: Sequence[BayesianNetwork],
    instances: int,
    experiments: int,
    designs: Sequence[str | Method],
    runs: Sequence[int] = (10,),
    alphas: Sequence[float] = (0.05,),
    folds: int = 10,
    learners: Sequence[str] = LEARNERS,
) -> np.ndarray:
    """Count the decisions of designs at several numbers of runs and several significance levels.

    Smaller numbers of runs use the first runs of the largest number.

    Parameters
    ----------
    rng : Generator
    sources : sequence of BayesianNetwork
        Each has independent random numbers.
    instances : int
        Size of each data set.
    experiments : int
        Repetitions on the same data set, at least 1.
    designs : sequence of str or Method
        Methods of repeated cross-validation, or their names in
        `replib.methods.METHODS`.
    runs : sequence of int
        Numbers of runs, each at least 1.
    alphas : sequence of float
        Significance levels.
    folds : int
        At least 2.
    learners : pair of str
        A and B.

    Returns
    -------
    ndarray of int, shape (len(sources), len(runs), len(alphas), len(designs), 3)
        Number of experiments in which B is significantly better, there is no
        significant difference, A is significantly better.

    Examples
    --------
    >>> from companion.lab.sources import random_network
    >>> options = dict(instances=20, experiments=2, runs=[2, 3], designs=["corrected_repeated_cv"])
    >>> rng, source = np.random.default_rng(1), random_network(seed=1, attributes=3)
    >>> decisions_over_grid(rng, sources=[source], **options).shape
    (1, 2, 1, 1, 3)
    """
    out = np.empty(
        (len(sources), len(runs), len(alphas), len(designs), 3), dtype=np.int64
    )
    for counted, source, stream in zip(out, sources, rng.spawn(len(sources))):
        correct = correct_counts(
            stream,
            source=source,
            instances=instances,
            experiments=experiments,
            runs=max(runs),
            folds=folds,
            learners=learners,
        )
        block = differences(correct, instances)
        for place in np.ndindex(counted.shape[:-1]):
            run, level, design = place
            decided = decide(
                block[:, : runs[run]], method=designs[design], alpha=alphas[level]
            )
            counted[place] = _outcomes(decided)
    return out


def _drawn_table(
    rng: np.random.Generator, source: BayesianNetwork, instances: int
) -> Table:
    labels, columns = source.sample(instances, rng)
    return Table.from_codes(columns, labels, source.cardinality[1:], source.n_classes)


def _correct_in_folds(
    rng: np.random.Generator,
    data: Table,
    experiments: int,
    runs: int,
    folds: int,
    learners: Sequence[str],
) -> np.ndarray:
    """Count correct predictions, shape (experiments, runs, folds, learners)."""
    # The first run of all experiments, then the second ones, so that the first runs are
    # the same however many follow.
    dealt = stratified_folds(data.labels, folds, rng, runs=runs * experiments)
    counts = cross_validation.correct_counts(data, dealt, learners=learners)
    return counts.reshape(runs, experiments, folds, len(learners)).swapaxes(0, 1)


def _correct_in_random_splits(
    rng: np.random.Generator,
    data: Table,
    experiments: int,
    runs: int,
    test_size: int,
    learners: Sequence[str],
) -> np.ndarray:
    """Count correct predictions, shape (experiments, runs, learners)."""
    test = random_test_sets(rng, runs * experiments, len(data.labels), test_size)
    counts = cross_validation.correct_counts_of_splits(data, test, learners=learners)
    return counts.reshape(runs, experiments, len(learners)).swapaxes(0, 1)
