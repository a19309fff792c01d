"""``replib bench``: measure your own test on stored differences whose truth is known.

The differences are those of naive Bayes and C4.5 in 10 x 10 cross-validations of data
sets from forty random networks (``bench.npz``).  On source 1 both classifiers are
right half the time, so a rejection is a Type I error; on sources 2 to 4 C4.5 is better.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replib import methods, replicability
from replib._validation import (
    Array,
    check_choice,
    check_level,
    one_line,
    real_number,
    whole_number,
)

#: A test takes one block of differences, runs x folds, and returns its p-value.
Test = Callable[[Array], Any]

#: Correct predictions of A minus those of B: an array ``n<size>_source<number>`` of
#: shape (data sets, experiments, runs, folds) for each size and source.
FILE = Path(__file__).with_name("bench.npz")

#: Source 1 has equally good classifiers.
SOURCES = (1, 2, 3, 4)
#: Sizes of the stored data sets.
SIZES = (100, 300)
RUNS, FOLDS = 10, 10
#: Networks of each source; sources 2 to 4 have as many each.
NETWORKS = 10

#: Designs that are listed next to the test.
REFERENCES = (
    "corrected_repeated_cv",
    "average_over_sorted_runs.paired_t",
    "k_fold.paired_t",
    "k_fold.exact_sign_test",
    "use_all_data.paired_t",
    "use_all_data.signed_rank",
)


@dataclass(frozen=True)
class Row:
    """Results of a test on the bench, in percent, each with its standard error between networks.

    Attributes
    ----------
    name : str
    type_1, power : tuple of two floats
        Experiments in which it rejects: on source 1, and averaged over sources 2 to 4.
    replicability : tuple of two floats
        Normalised, 2r - 1, on the source where it is lowest: r is the probability that
        two experiments on the same data set, with different folds, both reject or both
        accept.
    datasets : tuple of two ints
        Number of data sets of source 1, and of sources 2 to 4.
    """

    name: str
    type_1: tuple[float, float]
    power: tuple[float, float]
    replicability: tuple[float, float]
    datasets: tuple[int, int]

    def level(self, alpha: float) -> str:
        """Say whether the test holds its level: see `replib.methods.level_held`."""
        rate, error = self.type_1
        return str(
            methods.level_held(
                rate / 100,
                standard_error=error / 100,
                populations=NETWORKS,
                alpha=alpha,
            )
        )


def measure(
    test: Test,
    *,
    name: str = "your test",
    instances: int = 300,
    alpha: float = 0.05,
    datasets: int | None = None,
) -> Row:
    """Measure Type I error, power and replicability of a test on the stored differences.

    Parameters
    ----------
    test : callable
        Takes an array of shape (10, 10), runs x folds, of accuracies of A minus
        accuracies of B; returns a p-value, or a result with the attribute `pvalue`.
        NaN counts as no rejection.
    name : str
    instances : {100, 300}
        Size of the data sets.
    alpha : float, default 0.05
        Significance level.
    datasets : int, optional
        Number of data sets of each network, for a slow test; by default all, 100 for
        the Type I error and 20 for the power.

    Returns
    -------
    Row

    Raises
    ------
    ValueError
        If the test does not return a p-value, or another argument is not allowed.

    Examples
    --------
    >>> from replib.significance import corrected_resampled_t
    >>> row = measure(lambda x: corrected_resampled_t(x.ravel(), test_train_ratio=1 / 9),
    ...               datasets=20)
    >>> row.level(0.05)  # too few data sets
    'not settled'
    """
    check_choice("instances", str(instances), [str(size) for size in SIZES])
    check_level("alpha", alpha)
    if datasets is not None:
        whole_number("datasets", datasets, at_least=1)
    rejections = []
    for differences in differences_by_source(instances):
        used = differences[:, :datasets]
        pvalues = [_pvalue(test, block) for block in used.reshape(-1, RUNS, FOLDS)]
        rejected = np.array(pvalues) < alpha
        rejections.append(rejected.reshape(used.shape[:3]))
    return _row(name, rejections)


def references(instances: int, alpha: float) -> list[Row]:
    """Measure the tests that papers use, on the same differences."""
    sources = differences_by_source(instances)
    rows = []
    for method in REFERENCES:
        rejections = [
            methods.pvalues(differences, method=method) < alpha
            for differences in sources
        ]
        rows.append(_row(methods.find(method).describe(), rejections))
    return rows


def differences_by_source(instances: int) -> list[Array]:
    """Return differences of accuracies, an array for each of the four sources.

    Shape (networks, data sets, 2 experiments, runs, folds).

    >>> [differences.shape[:2] for differences in differences_by_source(300)]
    [(10, 100), (10, 20), (10, 20), (10, 20)]
    """
    test_size = instances / FOLDS
    with np.load(FILE) as stored:
        counts = [stored[f"n{instances}_source{source}"] for source in SOURCES]
    return [
        more_correct.reshape(NETWORKS, -1, *more_correct.shape[1:]) / test_size
        for more_correct in counts
    ]


def _pvalue(test: Test, block: Array) -> float:
    """Return what a test says of one block; 1 if that is NaN."""
    try:
        answer = test(block.copy())  # a test may change its argument
    except (Exception, SystemExit) as problem:
        raise ValueError(
            f"the test failed on an array of {RUNS} runs x {FOLDS} folds: "
            + one_line(repr(problem))
        ) from problem
    pvalue = getattr(answer, "pvalue", answer)
    if isinstance(pvalue, (float, np.floating)) and np.isnan(pvalue):
        return 1.0
    return real_number("the p-value of the test", pvalue, 0, 1)


def _row(name: str, rejections: list[NDArray[np.bool_]]) -> Row:
    """Compute the measures from decisions by source, (networks, data sets, experiments)."""
    rates = []
    agreements = []
    for rejected in rejections:
        rates.append(_mean_of_networks(rejected.mean(axis=(1, 2))))
        experiments = rejected.shape[2]
        r2 = replicability.r2_from_counts(rejected.sum(axis=2), experiments)
        normalized = np.asarray(replicability.normalized(r2))
        agreements.append(_mean_of_networks(normalized.mean(axis=1)))
    type_1, *powers = rates
    # sources 2 to 4 have as many networks each, and these are independent
    power = float(np.mean([mean for mean, _ in powers]))
    power_error = math.hypot(*(error for _, error in powers)) / len(powers)
    datasets = [rejected[..., 0].size for rejected in rejections]
    return Row(
        name=name,
        type_1=type_1,
        power=(power, power_error),
        replicability=min(agreements),
        datasets=(datasets[0], sum(datasets[1:])),
    )


def _mean_of_networks(values: Array) -> tuple[float, float]:
    """Return mean and standard error of the values of networks, in percent."""
    deviation = 100 * float(values.std(ddof=1))
    return 100 * float(values.mean()), deviation / math.sqrt(len(values))
