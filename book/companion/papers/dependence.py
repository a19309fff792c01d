"""Six schemes and their tests where nothing is learnt: Task I of Bouckaert (2005).

The differences of an experiment depend on each other only because they share instances,
and variances follow (:func:`expected_variances`).
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
from scipy import stats

from companion.lab.sources import task_1
from companion.papers import correlated_differences, synthetic
from companion.papers.bouckaert2004 import section_2, table_1
from replib import schemes, significance
from replib._validation import without_rounding_noise

# Data sets drawn at once.  Chunks are drawn whole, so no data set depends on how many
# follow.
_CHUNK = 1000

#: Schemes whose differences are single folds, for which the corrected t test is meant.
_SINGLE_FOLD_SCHEMES = ("resampling", "k_fold", "use_all_data")

#: Tests of every scheme; the last is apart, since its function returns bare p-values.
_TESTS: dict[str, Callable[[np.ndarray], significance.TestResult]] = {
    "paired_t": significance.paired_t,
    "sign_test": significance.sign_test,
    "sign_test_as_printed": section_2.TESTS["sign"],
    "signed_rank": section_2.TESTS["ranksum"],
}
_PRINTED_RANK_TEST = "signed_rank_as_printed"


def task_1_differences(
    datasets: int,
    *,
    instances: int = 300,
    runs: int = 10,
    folds: int = 10,
    seed: int = 2004,
) -> np.ndarray:
    """Differences of two equally good classifiers that learn nothing, (datasets, runs, folds).

    Accuracy of A minus that of B, as fractions; the first blocks do not depend on the
    number of data sets.

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
        drawn = task_1.counts(rng, instances, datasets=_CHUNK)
        dealt = task_1.folds(rng, drawn, runs=runs, folds=folds)[: datasets - start]
        yield (dealt[..., 0] - dealt[..., 1]) / dealt.sum(axis=-1)


def pvalues(differences: np.ndarray) -> pd.DataFrame:
    """p-values by (`scheme`, `test`) for differences (datasets, runs, folds); a row per data set.

    The six schemes have the paper's tests and the rank test as printed; schemes that
    average nothing also have the corrected t test.  Where a sample is constant but not
    zero, t tests have p = 0.
    """
    columns = {}
    ratio = 1 / (differences.shape[-1] - 1)
    for scheme in schemes.SCHEMES:
        sample = schemes.sample(differences, scheme=scheme)
        for name, test in _TESTS.items():
            columns[scheme, name] = test(sample).pvalue
        columns[scheme, _PRINTED_RANK_TEST] = section_2.signed_rank_as_printed(sample)
        if scheme in _SINGLE_FOLD_SCHEMES:
            corrected = significance.corrected_resampled_t(
                sample, test_train_ratio=ratio
            )
            columns[scheme, "corrected_t"] = corrected.pvalue
    frame = pd.DataFrame(columns)
    frame.columns.names = ["scheme", "test"]
    return frame


def task_1_pvalues(
    datasets: int,
    *,
    instances: int = 300,
    runs: int = 10,
    folds: int = 10,
    seed: int = 2004,
) -> pd.DataFrame:
    """:func:`pvalues` of :func:`task_1_differences`, without keeping the differences.

    >>> task_1_pvalues(3)["use_all_data"].shape
    (3, 6)
    """
    chunks = _task_1_chunks(datasets, instances, runs, folds, seed)
    return pd.concat([pvalues(block) for block in chunks], ignore_index=True)


def type_1_errors(pvalues: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Type I error of each `scheme` and `test`: `size` and `standard_error`, in percent."""
    rates = rejection_rates(pvalues < alpha)
    return rates.rename(columns={"share": "size"}).reset_index()


def rejection_rates(rejects: pd.DataFrame) -> pd.DataFrame:
    """Share of true values in each column, with its standard error, in percent.

    The error is for a share with half a rejection and one data set more, so that no
    rejection in a hundred does not count as certain.

    >>> rejection_rates(pd.DataFrame({"a": [True, False, True, False], "b": False})).round(1)
       share  standard_error
    a   50.0            25.0
    b    0.0            15.0
    """
    n = len(rejects)
    share_off_zero = (rejects.sum() + 0.5) / (n + 1)
    error = np.sqrt(share_off_zero * (1 - share_off_zero) / n)
    return pd.DataFrame({"share": 100 * rejects.mean(), "standard_error": 100 * error})


def unequal_wins_probability(instances: int = 300) -> float:
    r"""Probability that a data set of Task I has unequal numbers of wins of A and of B.

    A win, a draw or a loss is the number of heads of two fair coins minus one.  So wins minus
    losses of n instances are the heads of 2n coins minus n, and zero with probability
    :math:`\binom{2n}{n} / 4^n`.

    >>> unequal_wins_probability(2)
    0.625
    """
    return float(1 - Fraction(comb(2 * instances, instances), 4**instances))


def expected_variances(
    runs: int = 10, folds: int = 10, alpha: float = 0.05
) -> pd.DataFrame:
    """True and claimed variance of the mean difference in each scheme, without learning.

    Folds have equal size: two differences are uncorrelated if they belong to the same
    run, and otherwise have correlation 1/folds.  This determines the variance of the
    mean, and the one that a t test assumes, for all schemes that do not sort.

    Columns `scheme`, `test` ("paired_t" or "corrected_t"), `n` (sample size), `true`
    and `claimed` (in units of the variance of one difference), `ratio` (true over
    claimed; infinite if the test finds no variance), and `size`, the Type I error in
    percent.

    >>> frame = expected_variances().set_index(["scheme", "test"])
    >>> frame["ratio"][["use_all_data", "average_over_runs"]].round(6).tolist()
    [11.0, 0.908257, 10.0]
    """
    block = np.arange(runs * folds)
    same_run = block[:, None] // folds == block // folds
    correlation = np.where(same_run, np.eye(block.size), 1 / folds)
    # a linear scheme is determined by its results for the blocks with a single 1
    unit_blocks = np.eye(block.size).reshape(-1, runs, folds)
    rows = []
    for scheme in schemes.SCHEMES[:-1]:  # the last one sorts
        linear = schemes.sample(unit_blocks, scheme=scheme).T
        covariance = linear @ correlation @ linear.T
        n = len(covariance)
        true = covariance.mean()
        spread = (np.trace(covariance) - n * true) / (n - 1)  # expectation of s^2
        spread = float(without_rounding_noise(spread, true))
        claims = {"paired_t": 1 / n * spread}
        if scheme in _SINGLE_FOLD_SCHEMES:
            claims["corrected_t"] = (1 / n + 1 / (folds - 1)) * spread
        for test, claimed in claims.items():
            ratio = true / claimed if claimed else np.inf
            size = 100 * correlated_differences.type1_error_of_scaled_t(
                ratio, n, alpha=alpha
            )
            rows.append((scheme, test, n, true, claimed, ratio, size))
    return pd.DataFrame(
        rows, columns=["scheme", "test", "n", "true", "claimed", "ratio", "size"]
    )


def comparison_with_table_1(errors: pd.DataFrame) -> pd.DataFrame:
    """Compare Type I errors of trained learners, printed in Table 1, with :func:`type_1_errors`.

    In the order of the table: `scheme`, `test`, `printed`, `printed_error` (from the
    printed half-width), and our `size` and `standard_error`; percent.
    """
    cells = synthetic.printed(table_1.TABLE).query("column == 'source1'")
    key = cells["design"].str.split(".", expand=True)
    printed = pd.DataFrame(
        {
            "scheme": key[0],
            "test": key[1].replace("sign_test", "sign_test_as_printed"),
            "printed": cells["printed"],
            "printed_error": cells["half_width"] / stats.norm.ppf(0.975),
        }
    )
    return printed.merge(errors, on=["scheme", "test"])
