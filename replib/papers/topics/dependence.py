"""What dependent differences do to the Type I error of a test, without any learner.

On Task I of Bouckaert (2005) nothing is learnt, and the only dependence between the differences of an
experiment is that they share instances.  Equicorrelated normal differences give the same effect as a
formula.
"""

import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
import pandas as pd

from replib import schemes, significance, theory
from replib.papers import bouckaert2004, published
from replib.sources import task_1

# Data sets drawn at once.  Chunks are drawn whole: no data set depends on how many follow.
_CHUNK = 1000

_TESTS = {
    "paired_t": significance.paired_t,
    "sign_test": significance.sign_test,
    "sign_test_as_printed": partial(significance.sign_test, method="as_printed"),
    "signed_rank": partial(significance.signed_rank, method="normal"),
}


def task_1_differences(
    datasets: int, *, instances: int = 300, runs: int = 10, folds: int = 10, seed: int = 2004
) -> np.ndarray:
    """Blocks of accuracy differences of two equally good classifiers that learn nothing.

    Task I of Bouckaert (2005): x and y are independent fair bits, A predicts 1 and B predicts x.
    On an instance A alone is right with probability 1/4, B alone with 1/4.  Each run deals the
    same instances out into folds afresh.  A fold matters only through the number of instances of
    each kind in it, so these numbers are drawn, not the instances.

    Parameters
    ----------
    datasets : int
        Number of independent data sets.
    instances : int
        Instances in a data set, at least one for each fold.
    runs, folds : int
        Cross-validation; fold sizes differ by at most one.
    seed : int

    Returns
    -------
    ndarray, shape (datasets, runs, folds)
        Accuracy of A minus accuracy of B, as fractions; the first blocks are the same for any
        number of data sets.

    Raises
    ------
    ValueError
        If there are fewer instances than folds.

    Examples
    --------
    >>> block, = task_1_differences(1, instances=30, runs=2, folds=3)
    >>> block.shape, bool(np.allclose(block[0].mean(), block[1].mean()))
    ((2, 3), True)
    """
    return np.concatenate(list(_task_1_chunks(datasets, instances, runs, folds, seed)))


def _task_1_chunks(
    datasets: int, instances: int, runs: int, folds: int, seed: int
) -> Iterator[np.ndarray]:
    for start in range(0, datasets, _CHUNK):
        key = (start // _CHUNK,)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        drawn = task_1.counts(rng, task_1.check_folds(instances, folds), datasets=_CHUNK)
        dealt = task_1.folds(rng, drawn, runs=runs, folds=folds)[: datasets - start]
        yield (dealt[..., 0] - dealt[..., 1]) / dealt.sum(axis=-1)


def pvalues(differences: np.ndarray) -> pd.DataFrame:
    """p-values of each sampling scheme with each test.

    Parameters
    ----------
    differences : ndarray, shape (datasets, runs, folds)
        Accuracy of A minus accuracy of B.

    Returns
    -------
    DataFrame
        One row a data set, columns (`scheme`, `test`): the six schemes with the paper's tests, the
        rank test as printed, and the corrected t test for those schemes that average nothing.
        Where a sample is constant but not zero, the t tests have p = 0.
    """
    columns = {}
    with warnings.catch_warnings():
        # "average_over_folds" on Task I, explained where its p-values are shown
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        for scheme in schemes.SCHEMES:
            sample = schemes.sample(differences, scheme)
            for name, test in _TESTS.items():
                columns[scheme, name] = test(sample).pvalue
            columns[scheme, "signed_rank_as_printed"] = bouckaert2004.signed_rank_as_printed(sample)
            if scheme in theory.SINGLE_FOLD_SCHEMES:
                columns[scheme, "corrected_t"] = significance.corrected_resampled_t(
                    sample, test_train_ratio=1 / (differences.shape[-1] - 1)
                ).pvalue
    frame = pd.DataFrame(columns)
    frame.columns.names = ["scheme", "test"]
    return frame


def task_1_pvalues(
    datasets: int, *, instances: int = 300, runs: int = 10, folds: int = 10, seed: int = 2004
) -> pd.DataFrame:
    """p-values of each scheme with each test on data sets of Task I, where nothing is to be found.

    Parameters
    ----------
    datasets, instances, runs, folds, seed : int
        As for :func:`task_1_differences`, whose blocks are the ones tested; they are not kept.

    Returns
    -------
    DataFrame
        As :func:`pvalues` returns it.

    Examples
    --------
    >>> task_1_pvalues(3)["use_all_data"].shape
    (3, 6)
    """
    chunks = _task_1_chunks(datasets, instances, runs, folds, seed)
    return pd.concat([pvalues(block) for block in chunks], ignore_index=True)


def type_1_errors(pvalues: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Share of data sets on which each scheme and test sees a difference.

    Parameters
    ----------
    pvalues : DataFrame
        As :func:`pvalues` returns it, for data sets on which there is none.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Columns `scheme`, `test`, `size` and `standard_error`, both in percent.
    """
    rates = rejection_rates(pvalues < alpha)
    return rates.rename(columns={"share": "size"}).reset_index()


def rejection_rates(rejects: pd.DataFrame) -> pd.DataFrame:
    """Share of true values in each column, with its standard error.

    Parameters
    ----------
    rejects : DataFrame of bool
        One row a data set.

    Returns
    -------
    DataFrame
        One row a column of `rejects`; columns `share` and `standard_error`, both in percent.  The
        error is that of a share of half a rejection more in one data set more, so that none of a
        hundred does not count as certain.

    Examples
    --------
    >>> rejection_rates(pd.DataFrame({"a": [True, False, True, False], "b": False})).round(1)
       share  standard_error
    a   50.0            25.0
    b    0.0            15.0
    """
    n = len(rejects)
    near = (rejects.sum() + 0.5) / (n + 1)
    error = np.sqrt(near * (1 - near) / n)
    return pd.DataFrame({"share": 100 * rejects.mean(), "standard_error": 100 * error})


def unequal_wins_probability(instances: int = 300) -> float:
    r"""Probability that a data set of Task I has unequal numbers of wins of A and of B.

    A win, a loss and a draw are two fair coins less one, so wins minus losses of n instances are
    2n coins less n, and zero with probability :math:`\binom{2n}{n} / 4^n`.

    Parameters
    ----------
    instances : int

    Returns
    -------
    float

    Examples
    --------
    >>> unequal_wins_probability(2)
    0.625
    """
    return float(1 - Fraction(comb(2 * instances, instances), 4**instances))


def expected_variances(runs: int = 10, folds: int = 10, alpha: float = 0.05) -> pd.DataFrame:
    """What :func:`replib.theory.scheme_variances` says of each scheme, with `size` in percent."""
    frame = theory.scheme_variances(runs=runs, folds=folds, alpha=alpha)
    return frame.assign(size=100 * frame.pop("type1_error"))


def equicorrelation(
    sizes: Sequence[int] = (10, 100), folds: int = 10, alpha: float = 0.05,
    correlations: Sequence[float] = tuple(np.linspace(0, 0.5, 101)),
) -> pd.DataFrame:
    """Type I error of the paired and the corrected t test over the correlation of differences.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of differences.
    folds : int
        The corrected test has the test/train ratio of that many folds.
    alpha : float
    correlations : sequence of float

    Returns
    -------
    DataFrame
        Columns `n`, `test` ("paired_t" or "corrected_t"), `rho`, `size` (percent).
    """
    rho = np.asarray(correlations)
    return pd.concat([
        pd.DataFrame({
            "n": n, "test": test, "rho": rho,
            "size": 100 * theory.equicorrelated_type1_error(
                rho, n, test_train_ratio=ratio, alpha=alpha
            ),
        })
        for n in sizes for test, ratio in (("paired_t", 0.0), ("corrected_t", 1 / (folds - 1)))
    ], ignore_index=True)


def table_1_type_1_errors(errors: pd.DataFrame) -> pd.DataFrame:
    """Type I errors of Table 1, printed for trained learners, beside those without learners.

    Parameters
    ----------
    errors : DataFrame
        As :func:`type_1_errors` returns it.

    Returns
    -------
    DataFrame
        In the order of the table; columns `scheme`, `test`, `printed`, `printed_error` (standard
        error from the printed half-width), `size` and `standard_error` of ours; percent.
    """
    facts = published.facts()
    of_table = facts[facts["item_id"] == "bouckaert2004.tab01"]
    cells = of_table[of_table.index.str.endswith(".source1")]
    key = cells.index.str.split(".")
    printed = pd.DataFrame({
        "scheme": key.str[3].map(_SCHEMES_OF_TABLE_1), "test": key.str[2].map(_TESTS_OF_TABLE_1),
        "printed": cells["value"].to_numpy(), "printed_error": cells["standard_error"].to_numpy(),
    })
    return printed.merge(errors, on=["scheme", "test"])


_TESTS_OF_TABLE_1 = {"ranksum": "signed_rank", "sign": "sign_test_as_printed", "t": "paired_t"}
_SCHEMES_OF_TABLE_1 = {scheme: scheme for scheme in schemes.SCHEMES} | {
    "k_fold_cv": "k_fold", "average_sorted_runs": "average_over_sorted_runs",
}
