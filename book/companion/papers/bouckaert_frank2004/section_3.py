"""Section 3 of Bouckaert and Frank (2004): the tests, their statistics, and their decisions."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from companion.papers import correlated_differences, dependence, uci
from companion.papers.bouckaert2005.section_2 import mcnemar_as_printed
from replib import significance

#: Test instances per training instance in 10% resampling and in 10-fold
#: cross-validation.
TEST_TRAIN_RATIO = 1 / 9

_corrected = partial(
    significance.corrected_resampled_t, test_train_ratio=TEST_TRAIN_RATIO
)
_of_runs = {"axis": (-2, -1)}

#: By name, the stored experiments that a test uses, and the test.
TESTS: dict[str, tuple[str, Callable]] = {
    "five_by_two_cv": ("uci_five_by_two_cv", significance.five_by_two_cv_t),
    "resampling": ("uci_resampling", _corrected),
    "stratified_resampling": ("uci_stratified_resampling", _corrected),
    "cross_validation": ("uci_cross_validation", partial(_corrected, **_of_runs)),
    "plain_cross_validation": (
        "uci_cross_validation",
        partial(significance.paired_t, **_of_runs),
    ),
}

MCNEMAR_FORMS = {
    "exact": significance.mcnemar,
    "corrected": partial(significance.mcnemar, method="corrected"),
    "as_printed": mcnemar_as_printed,
    "uncorrected": partial(significance.mcnemar, method="uncorrected"),
}


def acceptances(
    results: Mapping[str, uci.Results],
    test: str,
    pair: str,
    *,
    runs: int | None = None,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """How many of each ten stored experiments accept: one row per data set, one column per table.

    `results` are by split; `test` is from `TESTS`: the 5x2cv test, the corrected
    resampled t test without or with stratification, the corrected r x 10-fold test, the
    uncorrected one.  `runs` is how many resamplings or cross-validations of each
    experiment to use, all by default; the 5x2cv test needs all five.
    """
    split, decide = TESTS[test]
    samples = uci.differences(results[split], split, pair)
    return uci.acceptances(
        {name: sample[:, :runs] for name, sample in samples.items()}, decide, alpha
    )


def mcnemar_sizes(alpha: float = 0.05, most: int = 60) -> pd.DataFrame:
    """Exact Type I error (`size`, percent) of McNemar's test, by `form` and `n` discordant pairs.

    >>> mcnemar_sizes(most=25).query("n == 25").round(2).to_string(index=False, header=False)
    '      exact 25 4.33\\n  corrected 25 4.33\\n as_printed 25 4.33\\nuncorrected 25 4.33'
    """
    rows = []
    for form, test in MCNEMAR_FORMS.items():
        for n in range(1, most + 1):
            n10 = np.arange(n + 1)
            rejected = test(n10, n - n10).pvalue < alpha
            size = stats.binom.pmf(n10, n, 0.5)[rejected].sum()
            rows.append((form, n, 100 * size))
    return pd.DataFrame(rows, columns=["form", "n", "size"])


def five_by_two_orders(
    datasets: int = 10_000, *, instances: int = 300, seed: int = 2004
) -> pd.DataFrame:
    """p-values of the 5x2cv test on the same ten differences, with each of them as the first.

    Data sets are of Task I: two classifiers that perform equally and learn nothing.
    One row per data set; columns (`run`, `fold`) say which difference is the numerator,
    and (1, 1) is the usual test.
    """
    block = dependence.task_1_differences(
        datasets, instances=instances, runs=5, folds=2, seed=seed
    )
    frame = pd.DataFrame(
        {
            (run, fold): significance.five_by_two_cv_t(
                np.roll(block, (1 - run, 1 - fold), axis=(-2, -1))
            ).pvalue
            for run in range(1, 6)
            for fold in (1, 2)
        }
    )
    frame.columns.names = ["run", "fold"]
    return frame


def order_dependence(orders: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """How often the 5x2cv test rejects: `share` and `standard_error` in percent, by the order.

    Indexed by "the given order", "at least one order", "every order".
    """
    rejects = orders < alpha
    return dependence.rejection_rates(
        pd.DataFrame(
            {
                "the given order": rejects[1, 1],
                "at least one order": rejects.any(axis=1),
                "every order": rejects.all(axis=1),
            }
        )
    )


def ledger_rows(
    *, runs: int = 10, folds: int = 10, alpha: float = 0.05, seed: int = 2004
) -> pd.DataFrame:
    """Ledger rows: the library's three statistics checked in exact fractions on a random block.

    The corrected t test must also hold the level `alpha` where its assumed correlation
    is true.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    pairs, block = rng.integers(-6, 10, (5, 2)), rng.integers(-6, 10, (runs, folds))
    splits = block[:, 0]
    ratio = Fraction(1, folds - 1)

    within = [_variance(run) for run in pairs.tolist()]
    five_by_two = significance.five_by_two_cv_t(pairs)
    resampled = significance.corrected_resampled_t(
        splits, test_train_ratio=float(ratio)
    )
    plain = significance.paired_t(block, axis=(-2, -1))
    repeated = significance.corrected_resampled_t(
        block, test_train_ratio=float(ratio), axis=(-2, -1)
    )
    level = correlated_differences.equicorrelated_type1_error(
        float(ratio / (1 + ratio)), runs, test_train_ratio=float(ratio), alpha=alpha
    )
    checks = {
        "eq_5x2cv": five_by_two.df == 5
        and _has_square(five_by_two, int(pairs[0, 0]) ** 2 / (sum(within) / 5)),
        "eq_resampled": resampled.df == runs - 1
        and np.isclose(level, alpha)
        and _has_square(resampled, squared_t(splits.tolist(), ratio)),
        "eq_repcv": plain.df == repeated.df == runs * folds - 1
        and _has_square(plain, squared_t(block.ravel().tolist(), Fraction(0)))
        and _has_square(repeated, squared_t(block.ravel().tolist(), ratio)),
    }
    return pd.DataFrame(
        [
            {"id": f"bouckaert_frank2004.{key}", "rebuilt": bool(holds)}
            for key, holds in checks.items()
        ]
    )


def _variance(sample: Sequence[int | Fraction]) -> Fraction:
    mean = Fraction(sum(sample)) / len(sample)
    return sum((x - mean) ** 2 for x in sample) / (len(sample) - 1)


def squared_t(sample: Sequence[int | Fraction], ratio: Fraction) -> Fraction:
    """Square of the (corrected) t statistic as printed, without rounding."""
    n = len(sample)
    return (Fraction(sum(sample)) / n) ** 2 / (
        (Fraction(1, n) + ratio) * _variance(sample)
    )


def _has_square(result: significance.TestResult, square: Fraction) -> bool:
    same_sign = result.statistic * result.estimate >= 0
    return same_sign and np.isclose(
        result.statistic**2, float(square), rtol=1e-12, atol=0
    )
