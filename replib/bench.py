"""``replib bench``: measure your own test on stored differences whose truth is known.

The differences are those of naive Bayes and C4.5 in 10 x 10 cross-validations of data
sets from forty random networks (``data/bench.npz``).  On source 1 both classifiers are
right half the time, so a rejection is a Type I error; on sources 2 to 4 C4.5 is better.
"""

import importlib
import math
import sys
import textwrap
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

    def holds(self, alpha: float) -> bool:
        """Return whether the Type I error rate is at most three standard errors above alpha."""
        rate, error = self.type_1
        return rate - 3 * error <= 100 * alpha


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
    >>> row.holds(0.05)
    True
    """
    check_choice("instances", str(instances), [str(size) for size in SIZES])
    check_level("alpha", alpha)
    if datasets is not None:
        whole_number("datasets", datasets, at_least=1)
    rejected = [
        np.array(
            [
                [
                    [_pvalue(test, block) < alpha for block in pair]
                    for pair in network[:datasets]
                ]
                for network in of_source
            ]
        )
        for of_source in _blocks(instances)
    ]
    return _row(name, rejected)


def references(instances: int, alpha: float) -> list[Row]:
    """Measure the tests that papers use, on the same differences."""
    blocks = _blocks(instances)
    return [
        _row(
            methods.find(name).describe(),
            [methods.pvalues(block, method=name) < alpha for block in blocks],
        )
        for name in REFERENCES
    ]


def _blocks(instances: int) -> list[Array]:
    """Return differences by source, shape (networks, data sets, 2 experiments, runs, folds)."""
    with np.load(Path(__file__).with_name("data") / "bench.npz") as stored:
        counts = [stored[f"n{instances}_source{source}"] for source in (1, 2, 3, 4)]
    return [
        of_source.reshape(NETWORKS, -1, *of_source.shape[1:]) / (instances / FOLDS)
        for of_source in counts
    ]


def _pvalue(test: Test, block: Array) -> float:
    try:
        found = test(block.copy())
    except (Exception, SystemExit) as problem:
        raise ValueError(
            f"the test failed on an array of {RUNS} runs x {FOLDS} folds: "
            + one_line(repr(problem))
        ) from problem
    pvalue = getattr(found, "pvalue", found)
    if isinstance(pvalue, (float, np.floating)) and np.isnan(pvalue):
        return 1.0
    return real_number("the p-value of the test", pvalue, 0, 1)


def _row(name: str, rejected: list[NDArray[np.bool_]]) -> Row:
    """Compute the measures from decisions by source, (networks, data sets, experiments)."""
    rates, agreements = [], []
    for of_source in rejected:
        rates.append(_mean(of_source.mean(axis=(1, 2))))
        r = replicability.r2_from_counts(of_source.sum(axis=2), of_source.shape[2])
        agreements.append(_mean(np.asarray(replicability.normalized(r)).mean(axis=1)))
    powers, errors = np.array(rates[1:]).T
    power = float(powers.mean()), math.hypot(*errors) / len(errors)
    counts = [of_source[..., 0].size for of_source in rejected]
    sizes = counts[0], sum(counts[1:])
    return Row(name, rates[0], power, min(agreements), sizes)


def _mean(values: Array) -> tuple[float, float]:
    """Return mean and standard error of the values of networks, in percent."""
    return 100 * float(values.mean()), 100 * float(values.std(ddof=1)) / math.sqrt(
        len(values)
    )


def find(name: str) -> Test:
    """Return the function that MODULE:FUNCTION names."""
    module, _, function = name.partition(":")
    sys.path.insert(0, "")  # the current folder, as with python -m
    try:
        found = getattr(importlib.import_module(module.removesuffix(".py")), function)
    except (
        Exception,
        SystemExit,
    ) as problem:  # importing runs whatever the module contains
        raise ValueError(
            f"the test must be MODULE:FUNCTION, such as my_tests:sign, not {name!r}: "
            + one_line(problem)
        ) from problem
    if not callable(found):
        raise ValueError(f"the test must be a function, and {name} is not")
    return found


def table(own: Row, instances: int, alpha: float) -> str:
    """Write a test next to those in use as text: first those that hold their level, by power."""
    rows = sorted(
        [own, *references(instances, alpha)],
        key=lambda row: (not row.holds(alpha), -row.power[0]),
    )
    width = max(len(row.name) for row in rows) + 2
    lines = [f"{'':{width}}{'Type I error':>16}{'power':>16}{'replicability':>16}"]
    for row in rows:
        cells = [
            f"{f'{value:.1f} ({error:.1f})':>16}"
            for value, error in (row.type_1, row.power, row.replicability)
        ]
        lines.append(
            f"{'* ' if row is own else '  '}{row.name:{width - 2}}{''.join(cells)}"
            + "   above its level" * (not row.holds(alpha))
        )
    explained = (
        f"Percent at the level {alpha:g}, standard errors between networks in brackets; two "
        f"10 x 10 cross-validations on each data set of {instances} instances. {own.name} was "
        f"measured on {own.datasets[0]} data sets for its Type I error and {own.datasets[1]} for "
        "its power. Replicability is 2r - 1 under a new seed, on the source where it is least."
    )
    return "\n".join([*lines, "", *textwrap.wrap(explained, 88)])
