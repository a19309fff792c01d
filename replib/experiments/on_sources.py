"""Experiments on data drawn from a source: a data set, many experiments on it, their decisions.

One replication, for :mod:`replib.experiments.engine`, is one data set.  Two learners are compared on it by each
*design* in several experiments, which differ in how they split the data at random.  Designs that
need the same kind of splits see the same ones, so that they differ in nothing but themselves; and
what one design decides does not depend on which others are asked for, nor the first runs on how
many follow.
"""

import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
import pandas as pd
from numba import njit
from numpy.typing import ArrayLike

from replib import schemes, significance, sources
from replib.checks import check_choice, check_level
from replib.experiments.on_datasets import (
    fold_sizes,
    size_of_test_set,
    stratified_folds,
)
from replib.learners import cross_validation, packed
from replib.learners.table import Attributes, Table

#: The learners of the synthetic experiments of 2004, A and B.
LEARNERS = ("naive_bayes", "c45")

#: Kinds of random splits, by the share of test instances in percent.
_TEST_PERCENT = {"random_10": 10, "random_33": 33}


def _five_by_two_cv_t(sample: np.ndarray) -> significance.TestResult:
    """Of ten differences in the order of "use_all_data": the first folds, then the second ones."""
    return significance.five_by_two_cv_t(sample.reshape(*sample.shape[:-1], 2, 5), axis=(-1, -2))


_TESTS: dict[str, Callable[..., significance.TestResult]] = {
    "signed_rank": partial(significance.signed_rank, method="normal"),
    "sign_test": partial(significance.sign_test, method="as_printed"),
    "paired_t": significance.paired_t,
    "exact_sign_test": significance.sign_test,
    "lenient_sign_test": partial(significance.sign_test, method="lenient"),
    "corrected_t": significance.corrected_resampled_t,
    "five_by_two_cv_t": _five_by_two_cv_t,
}


@dataclass(frozen=True)
class Design:
    """How an experiment splits a data set, and how it decides.

    Attributes
    ----------
    splits : {"cross_validation", "five_by_two_cv", "random_10", "random_33"}
        Runs of stratified folds, as many as are asked for; five runs of two stratified folds;
        random splits with 10 % or with 33 % test instances.
    scheme : str
        One of `replib.schemes.SCHEMES`.  Random splits are runs of a single fold.
    test : str
        What is applied to the sample of the scheme: "signed_rank" (its normal approximation) and
        "sign_test" (the printed rule) as Bouckaert (2004) has them, "paired_t", "exact_sign_test",
        "lenient_sign_test" (the printed rule, with its lenient side for either learner),
        "corrected_t" or "five_by_two_cv_t".
    runs : int, optional
        Only so many of the runs or random splits are needed, the first ones.
    """

    splits: str
    scheme: str
    test: str
    runs: int | None = None


#: The designs by name.  ``"<scheme>.<test>"`` has a scheme and a test of Bouckaert (2004) on
#: repeated cross-validation; ``"k_fold.paired_t"`` is the plain t test on one cross-validation.
DESIGNS: dict[str, Design] = {
    f"{scheme}.{test}": Design(
        "cross_validation", scheme, test, runs=1 if scheme == "k_fold" else None
    )
    for scheme in schemes.SCHEMES
    for test in ("signed_rank", "sign_test", "paired_t", "exact_sign_test", "lenient_sign_test")
} | {
    "corrected_repeated_cv": Design("cross_validation", "use_all_data", "corrected_t"),
    "corrected_resampled_10": Design("random_10", "resampling", "corrected_t", runs=10),
    "corrected_resampled_100": Design("random_10", "resampling", "corrected_t", runs=100),
    "five_by_two_cv": Design("five_by_two_cv", "use_all_data", "five_by_two_cv_t", runs=5),
} | {
    f"{splits}.{test}": Design(splits, "resampling", test, runs=10)
    for splits in _TEST_PERCENT
    for test in ("signed_rank", "paired_t")
}


def correct_counts(
    rng: np.random.Generator, *, source: sources.BayesianNetwork | dict, instances: int, experiments: int, runs: int,
    folds: int, learners: Sequence[str] = LEARNERS,
) -> np.ndarray:
    """Repeated stratified cross-validations of learners on one data set from a source.

    Parameters
    ----------
    rng : Generator
    source : str or dict
        The network, or the arguments of :func:`replib.sources.random_network`.
    instances : int
        Size of the data set, from 2.
    experiments : int
        Repetitions on the same data set, from 1.
    runs, folds : int
        Of the cross-validation of each experiment: from 1, and from 2 to `instances`.
    learners : sequence of str
        Names in `replib.learners.cross_validation.LEARNERS`.

    Returns
    -------
    ndarray of int, shape (experiments, runs, folds, learners)
        Correct predictions in each fold.  With two learners these are the blocks on which
        :func:`decisions` decides if it is given an equal generator.

    Raises
    ------
    ValueError
        If a number or a learner is not as above.
    """
    _check_sizes(instances, experiments, runs, folds)
    _check_learners(learners)
    data = _Data.draw(rng, source, instances)
    return _correct_in_folds(rng.spawn(1)[0], data, experiments, runs, folds, learners)


def decisions(
    rng: np.random.Generator, *, source: sources.BayesianNetwork | dict, instances: int, experiments: int,
    designs: Sequence[str], alpha: float = 0.05, runs: int = 10, folds: int = 10,
    learners: Sequence[str] = LEARNERS,
) -> np.ndarray:
    """What designs decide in repeated experiments on one data set from a source.

    Parameters
    ----------
    rng : Generator
    source, instances, experiments
        As for :func:`correct_counts`.
    designs : sequence of str
        Names in `DESIGNS`.
    alpha : float
        Significance level.
    runs, folds : int
        Of the repeated cross-validation.
    learners : pair of str
        A and B.

    Returns
    -------
    ndarray of int, shape (len(designs), 3)
        In how many of the experiments B is significantly better, there is no significant
        difference, A is significantly better.

    Raises
    ------
    ValueError
        If a design is unknown, there are not two learners, alpha is not between 0 and 1, or a
        number is too small.
    """
    _check_sizes(instances, experiments, runs, folds)
    _check_learners(learners)
    if len(learners) != 2:
        raise ValueError(f"designs compare two learners, not {len(learners)}")
    check_level("alpha", alpha)
    needed: dict[str, int] = {}
    for design in map(_design, designs):
        needed[design.splits] = max(needed.get(design.splits, 0), design.runs or runs)

    data = _Data.draw(rng, source, instances)
    # each kind of splits has a random stream of its own, whether it is needed or not
    folds_of = {"cross_validation": folds, "five_by_two_cv": 2}
    streams = rng.spawn(len(folds_of) + len(_TEST_PERCENT))
    blocks = {}
    for splits, stream in zip((*folds_of, *_TEST_PERCENT), streams):
        if splits not in needed:
            continue
        size = (experiments, needed[splits])
        if splits in folds_of:
            counts = _correct_in_folds(stream, data, *size, folds_of[splits], learners)
            blocks[splits] = differences(counts, instances)
        else:
            test_size = size_of_test_set(instances, _TEST_PERCENT[splits])
            counts = _correct_in_random_splits(stream, data, *size, test_size, learners)
            blocks[splits] = (counts[..., :1] - counts[..., 1:]) / test_size

    out = np.empty((len(designs), 3), dtype=np.int64)
    for counts, name in zip(out, designs):
        design = DESIGNS[name]
        decided = decide(name, blocks[design.splits][:, : design.runs], alpha)
        counts[:] = [(decided == outcome).sum() for outcome in (-1, 0, 1)]
    return out


def differences(
    counts: np.ndarray, instances: int, *, pair: tuple[int, int] = (0, 1)
) -> np.ndarray:
    """Accuracy differences of two learners in cross-validations.

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
    return (counts[..., a].astype(int) - counts[..., b]) / fold_sizes(instances, counts.shape[-2])


def decide(design: str, differences: ArrayLike, alpha: float = 0.05) -> np.ndarray:
    """Decisions of a design, made by :func:`replib.schemes.decide`.

    Parameters
    ----------
    design : str
        A name in `DESIGNS`.
    differences : array_like, shape (..., runs, folds)
        Accuracy of A minus accuracy of B on the splits that the design has; of random splits shape
        (..., splits, 1).
    alpha : float
        Significance level.

    Returns
    -------
    ndarray of int8, shape (...)
        +1 where A is significantly better, -1 where B is, 0 where there is no difference.

    Raises
    ------
    ValueError
        If there is no such design, or as :func:`replib.schemes.decide` says.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> block = rng.normal(0.02, 0.04, size=(2, 10, 10))  # two experiments
    >>> decide("use_all_data.paired_t", block).tolist()
    [1, 1]
    >>> decide("corrected_repeated_cv", block).tolist()
    [0, 0]
    """
    scheme, test = _design(design).scheme, _test(design, differences)
    with warnings.catch_warnings():
        # equal differences in all folds have no variance; then p is 1 or 0, as it should
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        return schemes.decide(differences, scheme=scheme, test=test, alpha=alpha)


def pvalues(design: str, differences: ArrayLike) -> np.ndarray:
    """p-values by which :func:`decide` decides.

    Parameters
    ----------
    design : str
        A name in `DESIGNS`.
    differences : array_like, shape (..., runs, folds)
        As for :func:`decide`.

    Returns
    -------
    ndarray, shape (...)

    Examples
    --------
    >>> pvalues("k_fold.exact_sign_test", [[0.1, 0.2, 0.1, 0.3, -0.1]]).item()
    0.375
    """
    sample = schemes.sample(differences, _design(design).scheme)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        return np.asarray(_test(design, differences)(sample).pvalue)


def _design(name: str) -> Design:
    check_choice("a design", name, tuple(DESIGNS))
    return DESIGNS[name]


def _test(name: str, differences: ArrayLike) -> Callable[[np.ndarray], significance.TestResult]:
    """The test of a design; the correction of the t test needs the share of test data."""
    design = DESIGNS[name]
    test = _TESTS[design.test]
    if design.test != "corrected_t":
        return test
    if design.splits in _TEST_PERCENT:
        percent = _TEST_PERCENT[design.splits]
        return partial(test, test_train_ratio=percent / (100 - percent))
    return partial(test, test_train_ratio=1 / (np.shape(differences)[-1] - 1))


def _check_learners(learners: Sequence[str]) -> None:
    for learner in learners:
        check_choice("a learner", learner, tuple(cross_validation.LEARNERS))


def _check_sizes(instances: int, experiments: int, runs: int, folds: int) -> None:
    if experiments < 1 or runs < 1 or not 2 <= folds <= instances:
        raise ValueError(
            "there must be at least one experiment, one run, two folds and an instance for each "
            f"fold, not {experiments}, {runs}, {folds} and {instances} instances"
        )


@dataclass(frozen=True, eq=False)
class _Data:
    """One data set, in the forms that the learners take."""

    columns: np.ndarray  # (attributes, instances): positions of values
    labels: np.ndarray  # (instances,): positions of classes
    cardinality: tuple[int, ...]
    n_classes: int

    @classmethod
    def draw(cls, rng: np.random.Generator, source: sources.BayesianNetwork | dict, instances: int) -> "_Data":
        network = _network(source)
        labels, columns = network.sample(instances, rng)
        return cls(columns, labels, network.cardinality[1:], network.n_classes)

    def correct(self, function: str, splits: np.ndarray, learners: Sequence[str]) -> np.ndarray:
        """Counts by a function that the packed and the plain learners both have."""
        quick = [learner for learner in learners if learner in packed.LEARNERS]
        plain = [learner for learner in learners if learner not in packed.LEARNERS]
        parts = []
        if quick:
            parts.append(getattr(packed, function)(self._packed, splits, learners=quick))
        if plain:
            parts.append(getattr(cross_validation, function)(self._plain, splits, learners=plain))
        order = [(quick + plain).index(learner) for learner in learners]
        return np.concatenate(parts, axis=-1)[..., order]

    @cached_property
    def _packed(self) -> packed.PackedTable:
        return packed.pack(self.columns, self.labels, self.cardinality, self.n_classes)

    @cached_property
    def _plain(self) -> Table:
        values = tuple(pd.RangeIndex(n) for n in self.cardinality)
        attributes = Attributes(tuple(f"x{a}" for a in range(len(values))), values)
        columns, labels = self.columns.astype(float), self.labels.astype(np.int64)
        return Table(attributes, np.arange(self.n_classes), columns, labels)


def _network(source: sources.BayesianNetwork | dict) -> sources.BayesianNetwork:
    if isinstance(source, sources.BayesianNetwork):
        return source
    return _drawn(json.dumps(source, sort_keys=True))


@lru_cache(maxsize=64)
def _drawn(arguments: str) -> sources.BayesianNetwork:
    return sources.random_network(**json.loads(arguments))


def _correct_in_folds(
    rng: np.random.Generator, data: _Data, experiments: int, runs: int, folds: int,
    learners: Sequence[str],
) -> np.ndarray:
    """Shape (experiments, runs, folds, learners)."""
    # The first run of all experiments, then the second ones: the first runs are the same however
    # many follow.
    dealt = np.stack([
        stratified_folds(data.labels, folds, rng) for _ in range(runs * experiments)
    ])
    counts = data.correct("correct_counts", dealt, learners)
    return counts.reshape(runs, experiments, folds, len(learners)).swapaxes(0, 1)


def _correct_in_random_splits(
    rng: np.random.Generator, data: _Data, experiments: int, runs: int, test_size: int,
    learners: Sequence[str],
) -> np.ndarray:
    """Shape (experiments, runs, learners)."""
    test = _random_subsets(rng, runs * experiments, len(data.labels), test_size)
    counts = data.correct("correct_counts_of_splits", test, learners)
    return counts.reshape(runs, experiments, len(learners)).swapaxes(0, 1)


@njit(cache=True)
def _random_subsets(rng, subsets, n, size):
    """Random sets of `size` of n rows, as masks; the first draws of a shuffle."""
    chosen = np.zeros((subsets, n), dtype=np.bool_)
    rows = np.arange(n)
    for subset in chosen:
        for i in range(size):
            j = rng.integers(i, n)
            rows[i], rows[j] = rows[j], rows[i]
            subset[rows[i]] = True
    return chosen
