"""Sections 1 and 2: a cited number, and the statistics of the four designs."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special, stats

from companion.lab.sources import task_1
from companion.papers.ledger import rows
from replib import schemes
from replib.significance import TestResult, corrected_resampled_t, mcnemar, paired_t


def ledger_rows(*, alpha: float = 0.05) -> pd.DataFrame:
    """Ledger rows of Equations (1) and (2), the sorted test and the chi-square quantile."""
    tie = errata_of_mcnemar_statistic()
    slips, sorted_test = errata_of_correction(), errata_of_sorted_test()
    counts = tie[["n10", "n01"]].to_numpy()
    corrected = np.maximum(
        np.abs(counts[:, 0] - counts[:, 1]) - 1, 0
    ) ** 2 / counts.sum(axis=1)
    # the sorted statistic with 1/k instead of 1/r is that of the paired t test
    values = np.sort(np.random.default_rng(16).normal(0.3, 1, (7, 10)), axis=-1).mean(
        axis=0
    )
    statistic = values.mean() / np.sqrt(values.var(ddof=1) / len(values))
    of_folds = np.random.default_rng(15).normal(0.3, 1, 100)
    wide = np.sqrt(slips["printed_value"].sum() / slips["correct_value"].sum())
    repeated = of_folds.mean() / np.sqrt(
        slips["correct_value"].sum() * of_folds.var(ddof=1)
    )
    return rows(
        "bouckaert2005",
        {
            "eq01.chi2": stats.chi2.isf(alpha, 1),
            "eq01": bool((tie["printed"] == tie["correct"]).all()),
            "eq02": _corrected_variance_is_unbiased(),
            "eq_repcv": bool((slips["printed_value"] == slips["correct_value"]).all()),
            "eq_sorted": bool((sorted_test["printed"] == sorted_test["correct"]).all()),
        },
        corrected={
            "eq01": bool((tie["correct"] == corrected).all()),
            "eq_repcv": bool(
                np.isclose(
                    repeated,
                    corrected_resampled_t(of_folds, test_train_ratio=1 / 9).statistic,
                )
            ),
            "eq_sorted": bool(np.isclose(statistic, paired_t(values).statistic)),
        },
        numbers={"eq_repcv": {"wide": wide}},
    )


def _corrected_variance_is_unbiased() -> bool:
    """Return whether E[(1/r + r2/r1) s^2] = Var(mean) for equicorrelated runs, exactly."""
    return all(
        # of runs with the correlation rho, s^2 has the mean 1 - rho
        (Fraction(1, runs) + Fraction(test, train)) * (1 - rho)
        == (1 + (runs - 1) * rho) / runs
        for runs in (2, 10, 100)
        for train, test in ((9, 1), (2, 1), (1, 1))
        for rho in [Fraction(test, train + test)]
    )


def mcnemar_as_printed(n10: ArrayLike, n01: ArrayLike) -> TestResult:
    r"""Apply McNemar's test with the statistic :math:`(|n_{10}-n_{01}|-1)^2/(n_{10}+n_{01})`.

    It is that of Equation (1), 1/n instead of 0 if n10 = n01 (erratum e17); otherwise
    the test is :func:`replib.significance.mcnemar` with ``method="corrected"``, also in
    what it returns.

    >>> mcnemar_as_printed(5, 5).statistic
    0.1
    """
    corrected = mcnemar(n10, n01, method="corrected")
    n = np.asarray(corrected.n)
    is_tie = (np.asarray(n10) == np.asarray(n01)) & (n > 0)
    statistic = np.where(is_tie, 1 / np.maximum(n, 1), corrected.statistic)
    of_chi_square = special.erfc(np.sqrt(statistic / 2))
    pvalue = np.where(is_tie, of_chi_square, corrected.pvalue)
    return replace(corrected, statistic=statistic, pvalue=pvalue)


def errata_of_mcnemar_statistic() -> pd.DataFrame:
    """Erratum e17: Equation (1) with and without a correction that stops at 0.

    Columns `n10`, `n01` (where both are 0, the printed statistic is 1/0), `printed`,
    `correct` (statistics), `printed_p`, `correct_p`.
    """
    n10, n01 = np.array([(8, 2), (6, 5), (1, 1), (3, 3), (5, 5)]).T
    printed = mcnemar_as_printed(n10, n01)
    correct = mcnemar(n10, n01, method="corrected")
    return pd.DataFrame(
        {
            "n10": n10,
            "n01": n01,
            "printed": printed.statistic,
            "correct": correct.statistic,
            "printed_p": printed.pvalue,
            "correct_p": correct.pvalue,
        }
    )


def errata_of_correction(
    train: int = 9, test: int = 1, *, runs: int = 10
) -> pd.DataFrame:
    """Erratum e15: what Section 2.3 substitutes in Equation (2), for folds of `test` instances.

    Columns `printed`, `correct` (formulas), `printed_value`, `correct_value`.
    """
    folds = (train + test) // test
    return pd.DataFrame(
        [
            ("r1/r2 = 1/(k-1)", "r2/r1 = 1/(k-1)", train / test, test / train),
            ("1/r", "1/(k r)", 1 / runs, 1 / (folds * runs)),
        ],
        columns=["printed", "correct", "printed_value", "correct_value"],
    )


def errata_of_sorted_test(
    runs: Sequence[int] = (1, 10, 50), folds: int = 10
) -> pd.DataFrame:
    """Erratum e16: the factor of the variance in the sorted test: 1/r for a sample of k values.

    Columns `runs`, `printed`, `correct`.
    """
    return pd.DataFrame(
        {
            "runs": runs,
            "printed": 1 / np.asarray(runs),
            "correct": np.full(len(runs), 1 / folds),
        }
    )


def errata_of_cross_validation(*, datasets: int = 2000) -> pd.DataFrame:
    """Errata e15 and e16: Type I error on Task I of the tests as printed in Sections 2.3 and 2.4.

    With ten folds of 30 instances, at the 5% level. Columns `erratum`, `test`, `runs`,
    and in percent `printed`, `correct` (Type I errors) with `printed_error`,
    `correct_error` (their standard errors).
    """
    n, folds, ratio = 300, 10, 1 / 9
    found = []
    for r in (1, 10, 50):
        rng = np.random.default_rng(
            np.random.SeedSequence(2005, spawn_key=(n, folds, r))
        )
        dealt = task_1.folds(
            rng, task_1.counts(rng, n, datasets=datasets), runs=r, folds=folds
        )
        block = (dealt[..., 1] - dealt[..., 0]).astype(float)
        sorted_test = paired_t(schemes.sample(block, scheme="average_over_sorted_runs"))
        repeated = corrected_resampled_t(block, test_train_ratio=ratio, axis=(-2, -1))
        for erratum, name, test, factor in (
            ("e16", "sorted runs", sorted_test, r / folds),
            (
                "e15",
                "repeated cross-validation",
                repeated,
                (1 / (folds * r) + ratio) / (1 / r + ratio),
            ),
        ):
            # the printed statistic differs only in the factor of the variance
            printed = 2 * special.stdtr(
                test.df, -np.abs(test.statistic) * np.sqrt(factor)
            )
            sizes = {"erratum": f"bouckaert2005.{erratum}", "test": name, "runs": r}
            for key, p in (("printed", printed), ("correct", test.pvalue)):
                rejected = 100.0 * (p < 0.05)
                sizes[key] = rejected.mean()
                sizes[f"{key}_error"] = rejected.std(ddof=1) / np.sqrt(datasets)
            found.append(sizes)
    return pd.DataFrame(found).sort_values(["erratum", "runs"], ignore_index=True)
