"""Designs of an experiment: how it splits a data set, and how it decides.

A *design* is a kind of splits, a scheme of `replib.schemes` and a test; `DESIGNS` names those of
the papers of 2004.  :func:`decide` and :func:`pvalues` apply one to blocks of accuracy differences.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from replib import schemes, significance
from replib.checks import check_choice, real_array

#: Kinds of random splits, by the share of test instances in percent.
TEST_PERCENT = {"random_10": 10, "random_33": 33}


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
    for splits in TEST_PERCENT
    for test in ("signed_rank", "paired_t")
}


def find(design: str) -> Design:
    """The design of a name.

    Parameters
    ----------
    design : str
        A name in `DESIGNS`.

    Returns
    -------
    Design

    Raises
    ------
    ValueError
        If there is no such design.

    Examples
    --------
    >>> find("five_by_two_cv").test
    'five_by_two_cv_t'
    """
    check_choice("design", design, DESIGNS)
    return DESIGNS[design]


def decide(differences: ArrayLike, *, design: str, alpha: float) -> np.ndarray:
    """Decisions of a design, made by :func:`replib.schemes.decide`.

    Parameters
    ----------
    differences : array_like, shape (..., runs, folds)
        Accuracy of A minus accuracy of B on the splits that the design has; of random splits shape
        (..., splits, 1).  Runs beyond those that the design needs are not looked at.
    design : str
        A name in `DESIGNS`.
    alpha : float
        Significance level, between 0 and 1.

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
    >>> decide(block, design="use_all_data.paired_t", alpha=0.05).tolist()
    [1, 1]
    >>> decide(block, design="corrected_repeated_cv", alpha=0.05).tolist()
    [0, 0]
    """
    block = _needed(differences, find(design))
    scheme, test = DESIGNS[design].scheme, _test(DESIGNS[design], block)
    with warnings.catch_warnings():
        # equal differences in all folds have no variance; then p is 1 or 0, as it should
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        return schemes.decide(block, scheme=scheme, test=test, alpha=alpha)


def pvalues(differences: ArrayLike, *, design: str) -> np.ndarray:
    """p-values by which :func:`decide` decides.

    Parameters
    ----------
    differences, design
        As for :func:`decide`.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ValueError
        If there is no such design.

    Examples
    --------
    >>> pvalues([[0.1, 0.2, 0.1, 0.3, -0.1]], design="k_fold.exact_sign_test").item()
    0.375
    """
    block = _needed(differences, find(design))
    values = schemes.sample(block, scheme=DESIGNS[design].scheme)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        return np.asarray(_test(DESIGNS[design], block)(values).pvalue)


def _needed(differences: ArrayLike, design: Design) -> np.ndarray:
    block = real_array("differences", differences, axes=("runs", "folds"))[..., : design.runs, :]
    runs, folds = block.shape[-2:]
    if design.test == "five_by_two_cv_t" and (runs, folds) != (5, 2):
        raise ValueError(f"differences must be of 5 runs x 2 folds, not {runs} x {folds}")
    if design.splits == "cross_validation" and folds < 2:
        raise ValueError(f"differences must be of at least two folds, not {folds}")
    return block


def _test(
    design: Design, differences: np.ndarray
) -> Callable[[np.ndarray], significance.TestResult]:
    """The test of a design; the correction of the t test needs the share of test data."""
    test = _TESTS[design.test]
    if design.test != "corrected_t":
        return test
    if design.splits in TEST_PERCENT:
        percent = TEST_PERCENT[design.splits]
        return partial(test, test_train_ratio=percent / (100 - percent))
    return partial(test, test_train_ratio=1 / (differences.shape[-1] - 1))
