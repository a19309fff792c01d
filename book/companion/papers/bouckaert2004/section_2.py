"""Section 2 of Bouckaert (2004): Figure 1, the sampling schemes, the tests, and errata e05 to
e09."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special, stats

from companion.papers.ledger import Listed
from companion.papers.methods_of_2004 import lenient_sign_test, sign_test_as_printed
from replib import schemes, significance
from replib.significance.ranks import rank_sum_probabilities

#: Readings of the sign test, which differ in the tail that includes the count Z of
#: pluses itself: "as_printed" the lower, "swapped" the upper, "exact" both, "lenient"
#: neither.
SIGN_TESTS = {
    "as_printed": sign_test_as_printed,
    "swapped": lambda sample: sign_test_as_printed(-sample),
    "exact": significance.sign_test,
    "lenient": lenient_sign_test,
}

#: The tests of Section 2.2, by their names in the tables: the sign test by its printed
#: rule, the signed-rank test by the normal approximation with the correct variance.
TESTS = {
    "sign": SIGN_TESTS["as_printed"],
    "ranksum": partial(significance.signed_rank, method="normal"),
    "t": significance.paired_t,
}


# ------------------------------------------------------------------ 2.1 and Figure 1: the schemes


def example_block(runs: int = 3, folds: int = 3, seed: int = 2004) -> np.ndarray:
    """A made-up (runs, folds) block of accuracy differences in whole percentage points."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    return np.round(rng.normal(2, 6, size=(runs, folds)))


def figure_1(differences: np.ndarray) -> pd.DataFrame:
    """The samples of the six schemes: `scheme`, `position` (from 1), `difference`.

    >>> figure_1(np.array([[1.0, 5], [3, 2]])).query("scheme == 'average_over_sorted_runs'")[
    ...     "difference"].tolist()
    [4.0, 1.5]
    """
    frames = []
    for scheme in schemes.SCHEMES:
        sample = schemes.sample(differences, scheme=scheme)
        frames.append(
            pd.DataFrame(
                {
                    "scheme": scheme,
                    "position": np.arange(1, sample.size + 1),
                    "difference": sample,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def sorted_runs(differences: np.ndarray) -> np.ndarray:
    """The right half of Figure 1: each run with its highest difference first."""
    return np.sort(differences, axis=-1)[..., ::-1]


def six_t_tests(
    differences: np.ndarray, *, confidence_level: float = 0.95
) -> pd.DataFrame:
    """The paired t test on the six samples of one block.

    A row per scheme: `scheme`, `n`, `mean`, `deviation` (of the sample),
    `standard_error`, and the interval `low`, `high` as if the sample were independent.
    """
    rows = []
    for scheme in schemes.SCHEMES:
        result = significance.paired_t(schemes.sample(differences, scheme=scheme))
        rows.append(
            {
                "scheme": scheme,
                "n": result.n,
                "mean": result.estimate,
                "deviation": result.standard_error * np.sqrt(result.n),
                "standard_error": result.standard_error,
                **result.confidence_interval(confidence_level)._asdict(),
            }
        )
    return pd.DataFrame(rows)


def use_all_data_indices(runs: int = 3, folds: int = 3) -> pd.DataFrame:
    """e09: the difference that becomes value i of "use all data".

    Columns `i` (from 1), `printed_run` (i mod r), `run` (((i-1) mod r) + 1), `fold`
    (i/r, rounded up).

    >>> use_all_data_indices(2, 2)["printed_run"].tolist()
    [1, 0, 1, 0]
    """
    i = np.arange(1, runs * folds + 1)
    return pd.DataFrame(
        {
            "i": i,
            "printed_run": i % runs,
            "run": (i - 1) % runs + 1,
            "fold": -(-i // runs),
        }
    )


def samples_by_the_letter(differences: np.ndarray) -> dict[str, list[Fraction]]:
    """The six samples by the exact formulas of Section 2.1, with the index corrected as in e09.

    >>> [str(x) for x in samples_by_the_letter(np.array([[1, 5], [3, 2]]))["average_over_runs"]]
    ['2', '7/2']
    """
    x = [[Fraction(float(value)) for value in run] for run in differences]
    runs, folds = range(len(x)), range(len(x[0]))
    ranked = [sorted(run, reverse=True) for run in x]
    indices = use_all_data_indices(len(runs), len(folds))
    return {
        "resampling": [x[i][0] for i in runs],
        "k_fold": x[0],
        "use_all_data": [
            x[i - 1][j - 1] for i, j in zip(indices["run"], indices["fold"])
        ],
        "average_over_folds": [sum(x[i][j] for j in folds) / len(folds) for i in runs],
        "average_over_runs": [sum(x[a][j] for a in runs) / len(runs) for j in folds],
        "average_over_sorted_runs": [
            sum(ranked[a][j] for a in runs) / len(runs) for j in folds
        ],
    }


# ------------------------------------------------------------------ 2.2: the tests


def signed_rank_moments(sizes: Sequence[int] = (1, 2, 3, 5, 10, 20)) -> pd.DataFrame:
    """e05: mean and variance of W+, by enumeration and by the printed formulas.

    Indexed by `n`, the number of nonzero differences without ties; Fractions `mean`,
    `printed_mean`, `variance`, `printed_variance`, and n(n+1)(2n+1)/24 as
    `correct_variance`.
    """
    rows = []
    for n in sizes:
        probability = rank_sum_probabilities(
            np.arange(1, n + 1)
        )  # without rounding up to 52
        weighted = [(Fraction(p), w) for w, p in enumerate(probability)]
        mean = sum(p * w for p, w in weighted)
        rows.append(
            {
                "n": n,
                "mean": mean,
                "printed_mean": Fraction(n * (n + 1), 4),
                "variance": sum(p * w**2 for p, w in weighted) - mean**2,
                "printed_variance": Fraction(n * (n + 1) * (n + 2), 24),
                "correct_variance": Fraction(n * (n + 1) * (2 * n + 1), 24),
            }
        )
    return pd.DataFrame(rows).set_index("n")


def signed_rank_as_printed(sample: np.ndarray) -> np.ndarray:
    """Two-sided p-values of the rank test with the text's variance, n(n+1)(n+2)/24.

    >>> round(float(signed_rank_as_printed(np.arange(1, 11) - 3.5)), 4)
    0.0219
    """
    result = significance.signed_rank(sample, method="normal")
    n = np.asarray(result.n, dtype=float)
    sd = np.sqrt(np.where(n > 0, n * (n + 1) * (n + 2) / 24, 1.0))
    z = np.where(n > 0, (np.asarray(result.statistic) - n * (n + 1) / 4) / sd, 0.0)
    return special.erfc(np.abs(z) / np.sqrt(2))


def paired_t_as_printed(sample: np.ndarray) -> np.ndarray:
    """e08: the t statistic as in the text, standard deviation over mean."""
    return (
        sample.std(axis=-1, ddof=1) / sample.mean(axis=-1) / np.sqrt(sample.shape[-1])
    )


def sizes_of_tests(
    alpha: float = 0.05, sizes: Sequence[int] = tuple(range(5, 31))
) -> pd.DataFrame:
    """Exact Type I error of sign and signed-rank tests on n independent differences without ties.

    Columns `test` ("sign_test" or "signed_rank"), `form`, `n` and `size` (percent).
    Forms of the sign test are the names in `SIGN_TESTS`; forms of the signed-rank test
    are "exact", "normal" (correct variance) and "as_printed" (e05).
    """
    rank_tests = {
        "exact": lambda x: significance.signed_rank(x, method="exact").pvalue,
        "normal": lambda x: TESTS["ranksum"](x).pvalue,
        "as_printed": signed_rank_as_printed,
    }
    rows = []
    for n in sizes:
        signs, ranked = _samples_by_pluses(n), _samples_by_rank_sum(n)
        weight = stats.binom.pmf(np.arange(n + 1), n, 0.5)
        rows += [
            ("sign_test", form, n, 100 * weight[test(signs).pvalue < alpha].sum())
            for form, test in SIGN_TESTS.items()
        ]
        weight = rank_sum_probabilities(np.arange(1, n + 1))
        rows += [
            ("signed_rank", form, n, 100 * weight[pvalues(ranked) < alpha].sum())
            for form, pvalues in rank_tests.items()
        ]
    return pd.DataFrame(rows, columns=["test", "form", "n", "size"])


def _samples_by_pluses(n: int) -> np.ndarray:
    """One sample of +-1 for each number of pluses from 0 to n."""
    return np.where(np.arange(n) < np.arange(n + 1)[:, None], 1.0, -1.0)


def _samples_by_rank_sum(n: int) -> np.ndarray:
    """One sample of +-1, ..., +-n for each W+ = 0, ..., n(n+1)/2, filled from the largest rank."""
    left = np.arange(n * (n + 1) // 2 + 1)
    sample = np.empty((left.size, n))
    for rank in range(n, 0, -1):
        positive = left >= rank
        sample[:, rank - 1] = np.where(positive, rank, -rank)
        left = left - np.where(positive, rank, 0)
    return sample


# ------------------------------------------------------------------ errata


def rank_tests() -> pd.DataFrame:
    """e06: the rank-sum and the signed-rank test on the same made-up accuracies from eight folds.

    The folds differ a lot; A and B differ little, but always in the same direction.
    Columns `test`, `compares`, `pvalue` (two-sided).
    """
    a = np.array([91.5, 88.0, 83.0, 79.5, 74.0, 70.5, 66.0, 61.0])
    b = np.array([91.0, 87.0, 81.5, 77.5, 71.5, 67.5, 62.5, 57.0])
    return pd.DataFrame(
        [
            (
                "rank-sum (Wilcoxon, Mann and Whitney)",
                "two unpaired samples",
                stats.mannwhitneyu(a, b).pvalue,
            ),
            (
                "signed-rank (Wilcoxon)",
                "paired differences with 0",
                significance.signed_rank(a - b).pvalue,
            ),
        ],
        columns=["test", "compares", "pvalue"],
    )


def ranks_of_ties(
    differences: Sequence[float] = (1, -1, 1, -1, 2, 3, -3, 4),
) -> pd.DataFrame:
    """e06: `sum_of_positive_ranks` with `ties` ranked losses first, wins first, by mean ranks."""
    x = np.asarray(differences, dtype=float)
    rank_sum = lambda tie_break: (
        1 + np.flatnonzero(x[np.lexsort((tie_break, np.abs(x)))] > 0)
    )
    return pd.DataFrame(
        {
            "ties": ["losses ranked first", "wins ranked first", "mean ranks"],
            "sum_of_positive_ranks": [
                rank_sum(x).sum(),
                rank_sum(-x).sum(),
                stats.rankdata(np.abs(x))[x > 0].sum(),
            ],
        }
    )


def sign_test_rules(
    sizes: Sequence[int] = (10, 20), alpha: float = 0.05
) -> pd.DataFrame:
    """e07: the numbers of pluses that each reading of the sign test rejects, and how often.

    Columns `n`, `rule` (from `SIGN_TESTS`), `rejects_up_to`, `rejects_from`, `size`
    (percent).

    >>> sign_test_rules([10])[["rejects_up_to", "rejects_from"]].to_numpy().tolist()
    [[1, 8], [2, 9], [1, 9], [2, 8]]
    """
    found = sizes_of_tests(alpha, sizes).query("test == 'sign_test'")
    rows = []
    for n, rule, size in zip(found["n"], found["form"], found["size"]):
        rejected = np.flatnonzero(
            SIGN_TESTS[rule](_samples_by_pluses(n)).pvalue < alpha
        )
        rows.append(
            (
                n,
                rule,
                rejected[rejected < n / 2].max(initial=-1),
                rejected[rejected > n / 2].min(initial=n + 1),
                size,
            )
        )
    return pd.DataFrame(
        rows, columns=["n", "rule", "rejects_up_to", "rejects_from", "size"]
    )


def t_statistics(
    means: Sequence[float] = (0.5, 1, 2, 4), spread: ArrayLike = (-2, -1, 0, 1, 2)
) -> pd.DataFrame:
    """e08: `printed` statistic, `t` and their `product`, for samples that differ only in `mean`."""
    samples = np.asarray(means, dtype=float)[:, None] + np.asarray(spread, dtype=float)
    frame = pd.DataFrame(
        {
            "mean": means,
            "printed": paired_t_as_printed(samples),
            "t": significance.paired_t(samples).statistic,
        }
    )
    return frame.assign(product=frame["printed"] * frame["t"])


# ------------------------------------------------------------------ ledger


def ledger_rows(
    *,
    runs: int = 10,
    folds: int = 10,
    seed: int = 2004,
    alpha: float = 0.05,
    sample_size: int = 10,
) -> pd.DataFrame:
    """Ledger rows of the section: :func:`rows_of_schemes` and :func:`rows_of_tests`."""
    schemes_checked = rows_of_schemes(runs=runs, folds=folds, seed=seed)
    return pd.concat(
        [schemes_checked, rows_of_tests(alpha=alpha, sample_size=sample_size)],
        ignore_index=True,
    )


def rows_of_schemes(
    *, runs: int = 10, folds: int = 10, seed: int = 2004
) -> pd.DataFrame:
    """The ledger row of Section 2.1: the formulas of the schemes, on a made-up block."""
    block = example_block(runs, folds, seed)
    ours = dict(list(figure_1(block).groupby("scheme")["difference"]))
    formulas_hold = all(
        np.allclose(ours[scheme], [float(x) for x in values], rtol=1e-12)
        for scheme, values in samples_by_the_letter(block).items()
    )
    printed_index_exists = (
        use_all_data_indices(runs, folds)["printed_run"].between(1, runs).all()
    )
    return pd.DataFrame(
        [
            {
                "id": "bouckaert2004.eq_schemes",
                "rebuilt": bool(formulas_hold and printed_index_exists),
                "corrected": bool(formulas_hold),
            },
        ]
    )


def rows_of_tests(*, alpha: float = 0.05, sample_size: int = 10) -> pd.DataFrame:
    """The ledger row of Section 2.2: printed statistics against exact null distributions."""
    moments = signed_rank_moments([sample_size]).loc[sample_size]
    sizes = sizes_of_tests(alpha, [sample_size]).set_index(["test", "form"])["size"]
    sample = np.arange(1.0, sample_size + 1)
    checks = {
        "t statistic": np.isclose(
            paired_t_as_printed(sample), stats.ttest_1samp(sample, 0).statistic
        ),
        "variance of the rank sum": moments["printed_variance"] == moments["variance"],
        "rule of the sign test": sizes["sign_test", "as_printed"] <= 100 * alpha,
    }
    wrong = [name for name, holds in checks.items() if not holds]
    return pd.DataFrame(
        [
            {
                "id": "bouckaert2004.eq_tests",
                "rebuilt": all(checks.values()),
                "corrected": sizes["sign_test", "exact"] <= 100 * alpha
                and moments["correct_variance"] == moments["variance"],
                "numbers": {"wrong": Listed(wrong) if wrong else "nothing"},
            }
        ]
    )
