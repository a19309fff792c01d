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


def _swapped_sign_test(sample: np.ndarray) -> significance.TestResult:
    """Apply the printed rule to the other side."""
    return sign_test_as_printed(-sample)


#: Readings of the sign test, which differ in the tail that includes the count Z of
#: pluses itself: "as_printed" the lower, "swapped" the upper, "exact" both, "lenient"
#: neither.
SIGN_TESTS = {
    "as_printed": sign_test_as_printed,
    "swapped": _swapped_sign_test,
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
    runs = len(x)
    folds = len(x[0])
    ranked = [sorted(run, reverse=True) for run in x]
    indices = use_all_data_indices(runs, folds)
    index_pairs = zip(indices["run"], indices["fold"])
    return {
        "resampling": [run[0] for run in x],
        "k_fold": x[0],
        "use_all_data": [x[run - 1][fold - 1] for run, fold in index_pairs],
        "average_over_folds": [sum(run) / folds for run in x],
        "average_over_runs": [sum(column) / runs for column in zip(*x)],
        "average_over_sorted_runs": [sum(column) / runs for column in zip(*ranked)],
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
        # without rounding up to n = 52
        probabilities = map(Fraction, rank_sum_probabilities(np.arange(1, n + 1)))
        distribution = list(enumerate(probabilities))
        mean = sum(p * rank_sum for rank_sum, p in distribution)
        mean_square = sum(p * rank_sum**2 for rank_sum, p in distribution)
        row = {
            "n": n,
            "mean": mean,
            "printed_mean": Fraction(n * (n + 1), 4),
            "variance": mean_square - mean**2,
            "printed_variance": Fraction(n * (n + 1) * (n + 2), 24),
            "correct_variance": Fraction(n * (n + 1) * (2 * n + 1), 24),
        }
        rows.append(row)
    return pd.DataFrame(rows).set_index("n")


def signed_rank_as_printed(sample: np.ndarray) -> np.ndarray:
    """Return two-sided p-values of the rank test with the text's variance, n(n+1)(n+2)/24.

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
    n = sample.shape[-1]
    return sample.std(axis=-1, ddof=1) / sample.mean(axis=-1) / np.sqrt(n)


def sizes_of_tests(
    alpha: float = 0.05, sizes: Sequence[int] = tuple(range(5, 31))
) -> pd.DataFrame:
    """Enumerate the Type I error of sign and signed-rank tests on n differences without ties.

    The differences are independent.  Columns `test` ("sign_test" or "signed_rank"),
    `form`, `n` and `size` (percent).  Forms of the sign test are the names in
    `SIGN_TESTS`; forms of the signed-rank test are "exact", "normal" (correct variance)
    and "as_printed" (e05).
    """
    rows = []
    for n in sizes:
        signs = _samples_by_pluses(n)
        weight = stats.binom.pmf(np.arange(n + 1), n, 0.5)
        for form, test in SIGN_TESTS.items():
            rejects = test(signs).pvalue < alpha
            rows.append(("sign_test", form, n, 100 * weight[rejects].sum()))
        ranked = _samples_by_rank_sum(n)
        weight = rank_sum_probabilities(np.arange(1, n + 1))
        pvalues = {
            "exact": significance.signed_rank(ranked, method="exact").pvalue,
            "normal": TESTS["ranksum"](ranked).pvalue,
            "as_printed": signed_rank_as_printed(ranked),
        }
        for form, pvalue in pvalues.items():
            size = 100 * weight[pvalue < alpha].sum()
            rows.append(("signed_rank", form, n, size))
    return pd.DataFrame(rows, columns=["test", "form", "n", "size"])


def _samples_by_pluses(n: int) -> np.ndarray:
    """Return a sample of +-1 for each number of pluses from 0 to n."""
    return np.where(np.arange(n) < np.arange(n + 1)[:, None], 1.0, -1.0)


def _samples_by_rank_sum(n: int) -> np.ndarray:
    """Return a sample of +-1, ..., +-n for each W+ = 0, ..., n(n+1)/2, from the largest rank on."""
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

    def rank_sum(tie_break: np.ndarray) -> int:
        ordered = x[np.lexsort((tie_break, np.abs(x)))]
        ranks = 1 + np.flatnonzero(ordered > 0)
        return ranks.sum()

    sums = {
        "losses ranked first": rank_sum(x),
        "wins ranked first": rank_sum(-x),
        "mean ranks": stats.rankdata(np.abs(x))[x > 0].sum(),
    }
    return pd.DataFrame(
        {"ties": list(sums), "sum_of_positive_ranks": list(sums.values())}
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
    sign_tests = sizes_of_tests(alpha, sizes).query("test == 'sign_test'")
    rows = []
    for test in sign_tests.itertuples():
        n = test.n
        pvalue = SIGN_TESTS[test.form](_samples_by_pluses(n)).pvalue
        rejected = np.flatnonzero(pvalue < alpha)
        row = {
            "n": n,
            "rule": test.form,
            "rejects_up_to": rejected[rejected < n / 2].max(initial=-1),
            "rejects_from": rejected[rejected > n / 2].min(initial=n + 1),
            "size": test.size,
        }
        rows.append(row)
    return pd.DataFrame(rows)


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
    """Return the ledger rows of the section: of the schemes, and of the tests."""
    of_schemes = rows_of_schemes(runs=runs, folds=folds, seed=seed)
    of_tests = rows_of_tests(alpha=alpha, sample_size=sample_size)
    return pd.concat([of_schemes, of_tests], ignore_index=True)


def rows_of_schemes(
    *, runs: int = 10, folds: int = 10, seed: int = 2004
) -> pd.DataFrame:
    """Return the ledger row of Section 2.1: the formulas of the schemes, on a made-up block."""
    block = example_block(runs, folds, seed)
    samples = dict(list(figure_1(block).groupby("scheme")["difference"]))
    formulas_hold = all(
        np.allclose(samples[scheme], [float(x) for x in values], rtol=1e-12)
        for scheme, values in samples_by_the_letter(block).items()
    )
    printed_run = use_all_data_indices(runs, folds)["printed_run"]
    printed_index_exists = printed_run.between(1, runs).all()
    row = {
        "id": "bouckaert2004.eq_schemes",
        "rebuilt": bool(formulas_hold and printed_index_exists),
        "corrected": bool(formulas_hold),
    }
    return pd.DataFrame([row])


def rows_of_tests(*, alpha: float = 0.05, sample_size: int = 10) -> pd.DataFrame:
    """Return the ledger row of Section 2.2: printed statistics against exact null distributions."""
    moments = signed_rank_moments([sample_size]).loc[sample_size]
    sizes = sizes_of_tests(alpha, [sample_size]).set_index(["test", "form"])["size"]
    sample = np.arange(1.0, sample_size + 1)
    t = stats.ttest_1samp(sample, 0).statistic
    checks = {
        "t statistic": np.isclose(paired_t_as_printed(sample), t),
        "variance of the rank sum": moments["printed_variance"] == moments["variance"],
        "rule of the sign test": sizes["sign_test", "as_printed"] <= 100 * alpha,
    }
    wrong = [name for name, holds in checks.items() if not holds]
    exact_test_holds = sizes["sign_test", "exact"] <= 100 * alpha
    variance_is_right = moments["correct_variance"] == moments["variance"]
    row = {
        "id": "bouckaert2004.eq_tests",
        "rebuilt": all(checks.values()),
        "corrected": exact_test_holds and variance_is_right,
        "numbers": {"wrong": Listed(wrong) if wrong else "nothing"},
    }
    return pd.DataFrame([row])
