"""Bouckaert (ICML 2004): estimating replicability of classifier learning experiments.

Section 2 (schemes and tests), Section 3 (estimators, lemmas, theorems), what follows from the
printed draws of Table 2, and Table 2 from stored experiments.  Exact results use
:class:`fractions.Fraction`.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special, stats

from replib import datasets, schemes, significance
from replib.experiments import engine
from replib.papers import published, uci
from replib.replicability import (
    normalized,
    r1_variance,
    r2,
    r2_from_counts,
    r2_variance,
    replicability_interval,
)
from replib.significance import paired_t

# ------------------------------------------------------------------ Section 2.1 and Figure 1


def example_block(runs: int = 3, folds: int = 3, seed: int = 2004) -> np.ndarray:
    """A made-up block of accuracy differences, as Figure 1 uses one to explain the schemes.

    Parameters
    ----------
    runs, folds : int
        Rows and columns of the block.
    seed : int

    Returns
    -------
    ndarray, shape (runs, folds)
        Accuracy of A minus accuracy of B, in percentage points, rounded to whole points so that the
        margins can be checked by hand.

    Examples
    --------
    >>> example_block().shape
    (3, 3)
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    return np.round(rng.normal(2, 6, size=(runs, folds)))


def figure_1(differences: np.ndarray) -> pd.DataFrame:
    """The samples that the six schemes take from one block, as Figure 1 lays them out.

    Parameters
    ----------
    differences : ndarray, shape (runs, folds)

    Returns
    -------
    DataFrame
        Columns `scheme`, `position` (1-based place in the sample) and `difference`.

    Examples
    --------
    >>> figure_1(np.array([[1.0, 5], [3, 2]])).query("scheme == 'average_over_sorted_runs'")[
    ...     "difference"].tolist()
    [4.0, 1.5]
    """
    frames = []
    for scheme in schemes.SCHEMES:
        sample = schemes.sample(differences, scheme)
        frames.append(pd.DataFrame({
            "scheme": scheme, "position": np.arange(1, sample.size + 1), "difference": sample,
        }))
    return pd.concat(frames, ignore_index=True)


def sorted_runs(differences: np.ndarray) -> np.ndarray:
    """The right half of Figure 1: each run with its highest difference first.

    Parameters
    ----------
    differences : ndarray, shape (runs, folds)

    Returns
    -------
    ndarray, shape (runs, folds)

    Examples
    --------
    >>> sorted_runs(np.array([[1.0, 5], [3, 2]])).tolist()
    [[5.0, 1.0], [3.0, 2.0]]
    """
    return np.sort(differences, axis=-1)[..., ::-1]


def six_t_tests(differences: np.ndarray, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """The paired t test on the six samples of one block.

    Parameters
    ----------
    differences : ndarray, shape (runs, folds)
    confidence_level : float
        Of the interval that the test gives to the mean, as if the sample were independent.

    Returns
    -------
    DataFrame
        One row a scheme: `scheme`, `n`, `mean`, `deviation` (standard deviation of the sample),
        `standard_error`, `low`, `high`.

    Examples
    --------
    >>> tests = six_t_tests(example_block(10, 10)).set_index("scheme")
    >>> tests["n"].tolist()
    [10, 10, 100, 10, 10, 10]
    """
    rows = []
    for scheme in schemes.SCHEMES:
        result = paired_t(schemes.sample(differences, scheme))
        rows.append({
            "scheme": scheme, "n": result.n, "mean": result.estimate,
            "deviation": result.standard_error * np.sqrt(result.n),
            "standard_error": result.standard_error,
            **result.confidence_interval(confidence_level)._asdict(),
        })
    return pd.DataFrame(rows)


def use_all_data_indices(runs: int = 3, folds: int = 3) -> pd.DataFrame:
    """Which difference becomes value i of "use all data", by the printed index and by ours.

    Parameters
    ----------
    runs, folds : int

    Returns
    -------
    DataFrame
        Columns `i` (from 1), `printed_run` (i mod r), `run` (((i-1) mod r) + 1) and `fold`
        (i divided by r, rounded up).

    Examples
    --------
    >>> use_all_data_indices(2, 2)["printed_run"].tolist()
    [1, 0, 1, 0]
    """
    i = np.arange(1, runs * folds + 1)
    return pd.DataFrame({
        "i": i, "printed_run": i % runs, "run": (i - 1) % runs + 1, "fold": -(-i // runs),
    })


def samples_by_the_letter(differences: np.ndarray) -> dict[str, list[Fraction]]:
    """The six samples by the formulas of Section 2.1, one number at a time, exactly.

    The index of "use all data" is the corrected one of `use_all_data_indices`.

    Parameters
    ----------
    differences : ndarray, shape (runs, folds)

    Returns
    -------
    dict of lists of Fraction

    Examples
    --------
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
        "use_all_data": [x[i - 1][j - 1] for i, j in zip(indices["run"], indices["fold"])],
        "average_over_folds": [sum(x[i][j] for j in folds) / len(folds) for i in runs],
        "average_over_runs": [sum(x[a][j] for a in runs) / len(runs) for j in folds],
        "average_over_sorted_runs": [sum(ranked[a][j] for a in runs) / len(runs) for j in folds],
    }


# ------------------------------------------------------------------ Section 2.2: the tests


def signed_rank_counts(n: int) -> list[int]:
    """How many of the 2^n sign patterns give each sum W+ = 0, 1, ..., n(n+1)/2 of positive ranks.

    Parameters
    ----------
    n : int
        Number of nonzero differences, without ties.

    Returns
    -------
    list of int

    Examples
    --------
    >>> signed_rank_counts(3)
    [1, 1, 1, 2, 1, 1, 1]
    """
    counts = [1]
    for rank in range(1, n + 1):
        negative, positive = counts + [0] * rank, [0] * rank + counts
        counts = [a + b for a, b in zip(negative, positive)]
    return counts


def signed_rank_variance_as_printed(n: ArrayLike) -> np.ndarray:
    """Variance of W+ as the text of the paper has it, n(n+1)(n+2)/24: the 2 of 2n+1 is missing."""
    n = np.asarray(n, dtype=float)
    return n * (n + 1) * (n + 2) / 24


def signed_rank_moments(sizes: Sequence[int] = (1, 2, 3, 5, 10, 20)) -> pd.DataFrame:
    """Mean and variance of W+ by enumeration beside the printed formulas (erratum e05).

    Parameters
    ----------
    sizes : sequence of int
        Numbers of nonzero differences.

    Returns
    -------
    DataFrame
        Indexed by `n`; columns `mean`, `printed_mean`, `variance`, `printed_variance`,
        `correct_variance`, the latter n(n+1)(2n+1)/24 (all Fractions).

    Examples
    --------
    >>> print(signed_rank_moments([10]).astype(str).to_string(index=False))
    mean printed_mean variance printed_variance correct_variance
    55/2         55/2    385/4               55            385/4
    """
    rows = []
    for n in sizes:
        weighted = [(Fraction(c, 2**n), w) for w, c in enumerate(signed_rank_counts(n))]
        mean = sum(p * w for p, w in weighted)
        rows.append({
            "n": n,
            "mean": mean,
            "printed_mean": Fraction(n * (n + 1), 4),
            "variance": sum(p * w**2 for p, w in weighted) - mean**2,
            "printed_variance": Fraction(n * (n + 1) * (n + 2), 24),
            "correct_variance": Fraction(n * (n + 1) * (2 * n + 1), 24),
        })
    return pd.DataFrame(rows).set_index("n")


def signed_rank_null(n: int = 10) -> pd.DataFrame:
    """Null distribution of W+ and its two normal approximations.

    Parameters
    ----------
    n : int
        Number of nonzero differences, without ties.

    Returns
    -------
    DataFrame
        Columns `rank_sum` (W+), `exact` (probability), `correct` and `printed` (normal densities
        with the correct and with the printed variance).
    """
    counts = np.array(signed_rank_counts(n), dtype=float)
    rank_sum = np.arange(counts.size)
    mean = n * (n + 1) / 4
    density = lambda variance: stats.norm.pdf(rank_sum, mean, np.sqrt(variance))
    return pd.DataFrame({
        "rank_sum": rank_sum,
        "exact": counts / 2.0**n,
        "correct": density(n * (n + 1) * (2 * n + 1) / 24),
        "printed": density(signed_rank_variance_as_printed(n)),
    })


def sizes_of_tests(
    alpha: float = 0.05, sizes: Sequence[int] = tuple(range(5, 31))
) -> pd.DataFrame:
    """Exact Type I error of sign and signed-rank tests on independent differences without ties.

    Parameters
    ----------
    alpha : float
        Nominal level.
    sizes : sequence of int
        Sample sizes n.

    Returns
    -------
    DataFrame
        Columns `test` ("sign_test" or "signed_rank"), `form`, `n` and `size` (percent).  The forms
        are "exact"; "as_printed" (erratum e07 for the sign test, e05 for signed ranks); and
        "normal", the normal approximation of the signed ranks with the correct variance.

    Examples
    --------
    >>> sizes_of_tests(sizes=[10]).round(2).to_string(index=False, header=False).split("\\n")[:2]
    ['  sign_test      exact 10  2.15', '  sign_test as_printed 10  6.54']
    """
    rows = []
    for n in sizes:
        # one sample for each count of pluses, and one for each sum of positive ranks
        signs = np.where(np.arange(n) < np.arange(n + 1)[:, None], 1, -1)
        ranked = _samples_by_rank_sum(n)
        pluses = stats.binom.pmf(np.arange(n + 1), n, 0.5)
        rank_sums = np.array(signed_rank_counts(n), dtype=float) / 2.0**n
        for test, form, pvalue, weight in (
            ("sign_test", "exact", significance.sign_test(signs).pvalue, pluses),
            ("sign_test", "as_printed",
             significance.sign_test(signs, method="as_printed").pvalue, pluses),
            ("signed_rank", "exact",
             significance.signed_rank(ranked, method="exact").pvalue, rank_sums),
            ("signed_rank", "normal",
             significance.signed_rank(ranked, method="normal").pvalue, rank_sums),
            ("signed_rank", "as_printed", signed_rank_as_printed(ranked), rank_sums),
        ):
            rows.append((test, form, n, 100 * weight[pvalue < alpha].sum()))
    return pd.DataFrame(rows, columns=["test", "form", "n", "size"])


def paired_t_as_printed(sample: np.ndarray) -> np.ndarray:
    """The t statistic as the text of the paper has it, deviation over mean (erratum e08).

    Parameters
    ----------
    sample : ndarray
        Differences along the last axis.

    Examples
    --------
    >>> round(float(paired_t_as_printed(np.array([0.02, 0.05, -0.01, 0.04]))), 3)
    0.529
    """
    n = sample.shape[-1]
    return sample.std(axis=-1, ddof=1) / sample.mean(axis=-1) / np.sqrt(n)


def signed_rank_as_printed(sample: np.ndarray) -> np.ndarray:
    """Two-sided p-value of the rank test with the variance as the text has it.

    Parameters
    ----------
    sample : ndarray
        Differences along the last axis.

    Returns
    -------
    ndarray
        p-values; 1 where all differences are zero.

    Examples
    --------
    >>> round(float(signed_rank_as_printed(np.arange(1, 11) - 3.5)), 4)
    0.0219
    """
    result = significance.signed_rank(sample, method="normal")
    n = np.asarray(result.n)
    sd = np.sqrt(np.where(n > 0, signed_rank_variance_as_printed(n), 1.0))
    z = np.where(n > 0, (np.asarray(result.statistic) - n * (n + 1) / 4) / sd, 0.0)
    return special.erfc(np.abs(z) / np.sqrt(2))


def _samples_by_rank_sum(n: int) -> np.ndarray:
    """One sample of +-1, ..., +-n for each W+ = 0, ..., n(n+1)/2, filled from the largest rank."""
    left = np.arange(n * (n + 1) // 2 + 1)
    sample = np.empty((left.size, n))
    for rank in range(n, 0, -1):
        positive = left >= rank
        sample[:, rank - 1] = np.where(positive, rank, -rank)
        left = left - np.where(positive, rank, 0)
    return sample


# ------------------------------------------------------------------ Section 3: exact moments


def outcome_probabilities(n: int, p: Fraction) -> dict[tuple[bool, ...], Fraction]:
    """Every sequence of n outcomes (True for accept) with its probability."""
    return {
        e: p ** sum(e) * (1 - p) ** (n - sum(e)) for e in product((False, True), repeat=n)
    }


def exact_moments(weights: Sequence[Fraction], n: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """Mean and variance of R_k by enumerating all 2^n outcomes.

    Parameters
    ----------
    weights : sequence of Fraction, length n (n-1) / 2
        k_12, k_13, ..., k_23, ...
    n : int
        Number of repetitions; the work grows as 2^n.
    p : Fraction
        Probability of accepting.

    Returns
    -------
    mean, variance : Fraction

    Examples
    --------
    >>> equal = [Fraction(1, 6)] * 6
    >>> exact_moments(equal, 4, Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 24))
    """
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    mean = second = Fraction(0)
    for e, probability in outcome_probabilities(n, p).items():
        estimate = sum((k for k, (i, j) in zip(weights, pairs) if e[i] == e[j]), Fraction(0))
        mean += probability * estimate
        second += probability * estimate**2
    return mean, second - mean**2


def r1_weights(n: int) -> list[Fraction]:
    """R1 as a member of the class R_k: weight 2/n on the pairs (1,2), (3,4), ..."""
    return [
        Fraction(2, n) if i % 2 == 0 and j == i + 1 else Fraction(0)
        for i in range(n) for j in range(i + 1, n)
    ]


def r2_weights(n: int) -> list[Fraction]:
    """R2 as a member of the class R_k: the same weight on every pair."""
    return [Fraction(1, comb(n, 2))] * comb(n, 2)


def exact_r2_moments(n: int, p: Fraction) -> tuple[Fraction, Fraction]:
    """Mean and variance of R2 by summing over the number of accepted tests, for any n.

    Examples
    --------
    >>> exact_r2_moments(10, Fraction(1, 4))
    (Fraction(5, 8), Fraction(7, 320))
    """
    mean = second = Fraction(0)
    for i in range(n + 1):
        probability = comb(n, i) * p**i * (1 - p) ** (n - i)
        estimate = Fraction(i * (i - 1) + (n - i) * (n - i - 1), n * (n - 1))
        mean += probability * estimate
        second += probability * estimate**2
    return mean, second - mean**2


def theorem_3_1_as_printed(n: int, p: Fraction) -> Fraction:
    """The variance formula of Theorem 3.1, bracketed as it is printed."""
    f = _power_sum
    return Fraction(1, n * (n - 1)) * (
        2 * (n - 2) * (n - 3) * f(p, 4)
        + (4 - 2 * (n - 3)) * (n - 2) * f(p, 3)
        + (n - 2) * (n - 3) + 2
    ) * f(p, 2) - f(p, 2) ** 2


def theorem_3_1_regrouped(n: int, p: Fraction) -> Fraction:
    """The variance formula of Theorem 3.1 with its last bracket moved in front of F(p, 2)."""
    f = _power_sum
    return Fraction(1, n * (n - 1)) * (
        2 * (n - 2) * (n - 3) * f(p, 4)
        + (4 - 2 * (n - 3)) * (n - 2) * f(p, 3)
        + ((n - 2) * (n - 3) + 2) * f(p, 2)
    ) - f(p, 2) ** 2


def _power_sum(p: Fraction, x: int) -> Fraction:
    """The paper's F(p, x) = p^x + (1-p)^x."""
    return p**x + (1 - p) ** x


def theorem_3_1(
    repetitions: Sequence[int] = (2, 3, 4, 5, 6, 7, 8, 9, 10),
    probabilities: Sequence[Fraction] = tuple(Fraction(k, 20) for k in range(1, 11)),
) -> pd.DataFrame:
    """Theorem 3.1 against the exact variance of R2.

    Parameters
    ----------
    repetitions : sequence of int
        Values of n.
    probabilities : sequence of Fraction
        Values of p, the probability of accepting.

    Returns
    -------
    DataFrame
        Columns `n`, `p`, `exact`, `printed`, `regrouped`, `closed_form` (all Fractions).
    """
    rows = []
    for n, p in product(repetitions, probabilities):
        r = _power_sum(p, 2)
        rows.append({
            "n": n, "p": p,
            "exact": exact_r2_moments(n, p)[1],
            "printed": theorem_3_1_as_printed(n, p),
            "regrouped": theorem_3_1_regrouped(n, p),
            "closed_form": 2 * (1 - r) * ((2 * n - 3) * r - (n - 2)) / (n * (n - 1)),
        })
    return pd.DataFrame(rows)


def theorem_3_2_printed_derivative(
    weights: Sequence[Fraction], n: int, p: Fraction, pair: tuple[int, int]
) -> pd.DataFrame:
    """The derivative of Var R_k in the printed proof of Theorem 3.2 beside the true one.

    Both move weight from the pair (1, 2) to another pair (a, b), as the paper does.

    Parameters
    ----------
    weights : sequence of Fraction
        k_12, k_13, ..., k_23, ... summing to one.
    n : int
    p : Fraction
        Probability of accepting.
    pair : (int, int)
        (a, b) with 1 <= a < b <= n, not (1, 2).

    Returns
    -------
    DataFrame
        One row: `a`, `b`, `printed`, `true`.
    """
    pairs = [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]
    k = dict(zip(pairs, weights))
    q = 1 - p
    a, b = pair
    kernel = p * q**3 + p**3 * q if a > 2 else p * q**2 + p**2 * q
    true = Fraction(0)
    for e, probability in outcome_probabilities(n, p).items():
        same = lambda i, j: e[i - 1] == e[j - 1]
        estimate = sum((k[i, j] for i, j in pairs if same(i, j)), Fraction(0))
        true += probability * 2 * estimate * (int(same(a, b)) - int(same(1, 2)))
    printed = 2 * k[a, b] * kernel - 2 * k[1, 2] * kernel
    return pd.DataFrame({"a": [a], "b": [b], "printed": [printed], "true": [true]})


def random_weights(n: int, seed: int = 0) -> list[Fraction]:
    """Weights k_ij that sum to one and are otherwise arbitrary fractions."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    parts = [Fraction(int(x), 12) for x in rng.integers(-12, 25, comb(n, 2) - 1)]
    return [*parts, 1 - sum(parts)]


# ------------------------------------------------------------------ Figure 2 and intervals


def figure_2(
    repetitions: Sequence[int] = tuple(range(4, 29, 2)),
    replicability: Sequence[float] = tuple(np.linspace(0.5, 1.0, 51)),
) -> pd.DataFrame:
    """Variances of R1 and R2 over replicability and number of repetitions (Figure 2).

    Parameters
    ----------
    repetitions : sequence of int
        Even values of n; the paper's axis runs from 4 to 28.
    replicability : sequence of float
        Values of r, 1/2 to 1.

    Returns
    -------
    DataFrame
        Columns `n`, `r`, `r1`, `r2`: the two variances.
    """
    n, r = (axis.ravel() for axis in np.meshgrid(repetitions, replicability, indexing="ij"))
    return pd.DataFrame({
        "n": n, "r": r,
        "r1": r1_variance(r, n), "r2": r2_variance(r, n),
    })


def interval_coverage(
    n: int = 10, confidence_level: float = 0.95,
    replicability: Sequence[float] = tuple(np.linspace(0.5, 1.0, 501)),
) -> pd.DataFrame:
    """Exact coverage of two intervals for r: estimate plus and minus 1.96 errors, and ours.

    Parameters
    ----------
    n : int
        Repetitions.
    confidence_level : float
    replicability : sequence of float
        Values of r, 1/2 to 1.

    Returns
    -------
    DataFrame
        Columns `r`, `wald`, `mapped`: probability that the interval contains r.
    """
    accepted = np.arange(n + 1)
    estimate = np.clip(r2_from_counts(accepted, n), 0.5, 1)
    half = stats.norm.ppf((1 + confidence_level) / 2) * np.sqrt(
        np.maximum(r2_variance(estimate, n), 0)
    )
    mapped = replicability_interval(accepted, n, confidence_level=confidence_level)
    r = np.asarray(replicability)[:, None]
    p = (1 + np.sqrt(np.maximum(2 * r - 1, 0))) / 2
    weight = stats.binom.pmf(accepted, n, p)
    inside = lambda low, high: ((low <= r + 1e-12) & (r - 1e-12 <= high)) * weight
    return pd.DataFrame({
        "r": r[:, 0],
        "wald": inside(estimate - half, estimate + half).sum(axis=1),
        "mapped": inside(mapped.low, mapped.high).sum(axis=1),
    })


# ------------------------------------------------------------------ Table 2, from its printed draws


def table_2_draws() -> pd.DataFrame:
    """The printed draws of Table 2 with their R2.

    Returns
    -------
    DataFrame
        Columns `test`, `pair`, `dataset`, `draws` (NaN for a dot), `r2`.  A dot stands for 0 or 10
        acceptances, which have the same R2.
    """
    cells = published.cells("bouckaert2004.tab02")
    draws = cells[cells["unit"] == "count of 10"]
    key = draws["cell_id"].str.split(".", expand=True)
    accepted = draws["value"].to_numpy()
    return pd.DataFrame({
        "test": key[2].to_numpy(), "pair": key[3].to_numpy(),
        "dataset": draws["column"].str.extract(r"\((.*)\)")[0].to_numpy(),
        "draws": accepted,
        "r2": r2_from_counts(np.nan_to_num(accepted, nan=10.0), 10),
    })


def table_2_means() -> pd.DataFrame:
    """Means of the normalised R2 in Table 2, recomputed from the printed draws.

    Returns
    -------
    DataFrame
        Ledger rows in percent, with the further columns `r2_percent` (mean of R2 before
        normalising) and `by_printed_rule` (R2 rounded to 0.1 % first, then normalised), which
        reproduces all twelve printed means.
    """
    draws = table_2_draws()
    by_row = draws.groupby(["test", "pair"])["r2"].mean()
    by_test = draws.groupby("test")["r2"].mean()
    means = {f"{test}.{pair}": r for (test, pair), r in by_row.items()}
    means |= {f"{test}.all": r for test, r in by_test.items()}
    frame = pd.DataFrame({
        "id": [f"bouckaert2004.tab02.{key}.mean_norm_r2" for key in means],
        "r2_percent": [100 * r for r in means.values()],
    })
    frame["rebuilt"] = 2 * (frame["r2_percent"] - 50)
    frame["by_printed_rule"] = 2 * (frame["r2_percent"].round(1) - 50)
    frame["erratum"] = "bouckaert2004.e13"
    frame["note"] = "from the printed draws"
    return frame


def table_2_half_widths() -> pd.DataFrame:
    """95% half-widths of the means of Table 2, by plugging the estimates into Var R2.

    Returns
    -------
    DataFrame
        Columns `row`, `r2` and `normalised`: half-widths in percentage points on the two scales.
    """
    draws = table_2_draws()
    # an estimate below 1/2 is replaced by 1/2, the least that r can be
    variance = pd.Series(r2_variance(draws["r2"].clip(0.5, 1), 10))
    half = lambda v: 100 * stats.norm.ppf(0.975) * np.sqrt(v.sum()) / len(v)
    rows = variance.groupby([draws["test"], draws["pair"]]).agg(half)
    frame = rows.rename("r2").reset_index()
    return pd.DataFrame({
        "row": frame["test"] + ", " + frame["pair"], "r2": frame["r2"], "normalised": 2 * frame["r2"],
    })


# ------------------------------------------------------------------ Table 2, from experiments

#: The three tests of Table 2 as Section 2.2 has them: the sign test by its printed rule, the signed
#: ranks by the normal approximation with the correct variance.
TESTS_OF_TABLE_2 = {
    "sign": partial(significance.sign_test, method="as_printed"),
    "ranksum": partial(significance.signed_rank, method="normal"),
    "t": paired_t,
}

#: Joint standard errors that noise explains: the rule of the ledger.
MAX_Z = 3.0

#: A printed dot is held against us only if ours would show one more rarely than a normal deviate
#: exceeds `MAX_Z`.
RARE = 2 * stats.norm.sf(MAX_Z)


def cross_validation_blocks(
    results: Mapping[str, engine.Replications], pair: str, *, tables: int = 20, runs: int = 10
) -> dict[str, np.ndarray]:
    """Accuracy differences of the stored experiments that a chapter uses.

    Parameters
    ----------
    results : mapping of str to Replications
        Stored cross-validation, by data set.
    pair : str
        A name in `replib.papers.uci.PAIRS`.
    tables : int
        Tables of ten experiments, the first ones; all if fewer are stored.
    runs : int
        Runs of each experiment, the first ones.

    Returns
    -------
    dict of ndarray, shape (experiments, runs, folds)
        By data set; fractions.
    """
    blocks = uci.differences(results, "uci_cross_validation", pair)
    return {name: block[: tables * uci.TABLE, :runs] for name, block in blocks.items()}


def table_2_counts(
    results: Mapping[str, engine.Replications], *, tables: int = 20, runs: int = 10,
    alpha: float = 0.05,
    tests: Mapping[str, Callable[[np.ndarray], significance.TestResult]] = TESTS_OF_TABLE_2,
) -> pd.DataFrame:
    """Table 2 as many times as there are ten stored experiments on each data set.

    Parameters
    ----------
    results, tables, runs
        As for `cross_validation_blocks`.
    alpha : float
        Significance level.
    tests : mapping of str to callable
        By the name that a row gets; each makes a `TestResult` of samples along the last axis.

    Returns
    -------
    DataFrame
        Columns `test`, `pair`, `dataset` (the paper's name), `table` (from 0) and `draws` (how many
        of its ten experiments accept), in the order of the printed table.
    """
    paper_name = datasets.table()["paper_name"]
    samples = {
        pair: {
            name: schemes.sample(block, "average_over_sorted_runs")
            for name, block in cross_validation_blocks(
                results, pair, tables=tables, runs=runs
            ).items()
        }
        for pair in uci.PAIRS
    }
    frames = []
    for (name, test), pair in product(tests.items(), uci.PAIRS):
        draws = uci.acceptances(samples[pair], test, alpha).rename_axis("dataset")
        long = draws.reset_index().melt("dataset", var_name="table", value_name="draws")
        frames.append(long.assign(test=name, pair=pair))
    counts = pd.concat(frames, ignore_index=True)
    counts["dataset"] = counts["dataset"].map(paper_name)
    return counts[["test", "pair", "dataset", "table", "draws"]]


def table_2_cells(counts: pd.DataFrame, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """Every cell of Table 2: what we find in all experiments, and whether the print agrees.

    With x of n experiments accepting and no prior opinion about the probability, the count of ten
    new experiments is beta-binomial with parameters 10, x + 1, n - x + 1: this is what the printed
    count is held against.  Its mean is ten times p = (x + 1) / (n + 2).

    Parameters
    ----------
    counts : DataFrame
        `table_2_counts` of the tests of the paper.
    confidence_level : float
        Of the interval of r.

    Returns
    -------
    DataFrame
        Columns `test`, `pair`, `dataset`; `accepted` of `experiments`; `p`; `mean` (count of ten)
        and its `standard_error`; `printed_error` (standard deviation of ten draws); `low`, `high`
        (of r); `dots` (share of our tables with a dot here); `dot` (probability that ten new
        experiments all agree); `printed` (NaN for a dot); `probability` (of what is printed, in ten new
        experiments); `z` of a printed number; `agrees`; and `chance_outside` (probability that ten
        experiments of ours would not agree with all ours).
    """
    keys = ["test", "pair", "dataset"]
    by_table = counts.pivot(index=keys, columns="table", values="draws")
    by_table = by_table.loc[pd.MultiIndex.from_frame(counts[keys].drop_duplicates())]
    cells = uci.cells(by_table).rename(columns={
        "probability": "p", "rebuilt": "mean", "published_error": "printed_error",
    })
    x, n = by_table.sum(axis=1).to_numpy(), uci.TABLE * by_table.shape[1]
    interval = replicability_interval(x, n, confidence_level=confidence_level)
    cells = cells.assign(
        accepted=x, experiments=n, low=interval.low, high=interval.high,
        dots=by_table.isin([0, uci.TABLE]).mean(axis=1),
    ).reset_index()

    new = np.arange(uci.TABLE + 1)
    weight = stats.betabinom.pmf(new, uci.TABLE, (x + 1)[:, None], (n - x + 1)[:, None])
    error = np.hypot(cells["printed_error"], cells["standard_error"]).to_numpy()
    z = lambda count: np.maximum(np.abs(count - cells["mean"].to_numpy()) - 0.5, 0) / error
    cells["dot"] = weight[:, 0] + weight[:, -1]
    outside = np.stack([z(count) > MAX_Z for count in new], axis=1)
    outside[:, [0, -1]] = (cells["dot"] <= RARE).to_numpy()[:, None]
    cells["chance_outside"] = (weight * outside).sum(axis=1)

    cells = cells.merge(
        table_2_draws()[[*keys, "draws"]].rename(columns={"draws": "printed"}), on=keys, how="left",
        validate="one_to_one",
    )
    is_dot = cells["printed"].isna()
    count = cells["printed"].fillna(0).astype(int).to_numpy()
    cells["probability"] = np.where(
        is_dot, cells["dot"], np.take_along_axis(weight, count[:, None], axis=1)[:, 0]
    )
    cells["z"] = z(cells["printed"].to_numpy())
    cells["agrees"] = np.where(is_dot, cells["dot"] > RARE, cells["z"] <= MAX_Z)
    return cells


def table_2_rerun(cells: pd.DataFrame, explained: pd.DataFrame) -> pd.DataFrame:
    """The 243 printed cells of Table 2 against ours.

    Parameters
    ----------
    cells : DataFrame
        `table_2_cells`.
    explained : DataFrame
        `explained_cells`, which the notes quote.

    Returns
    -------
    DataFrame
        Ledger rows: mean counts of ten.  A dot holds if ten experiments of ours show one with a
        probability above `RARE`.
    """
    number = {name: f"d{i:02d}" for i, name in enumerate(cells["dataset"].unique(), start=1)}
    ids = "bouckaert2004.tab02." + cells["test"] + "." + cells["pair"] + "."
    is_dot = cells["printed"].isna()
    accepted = cells["accepted"].astype(str) + " of " + cells["experiments"].astype(str) + " accept"
    of_dot = [f"; ten agree with probability {p:.2g}" for p in cells["dot"]]
    note = accepted.where(~is_dot, accepted + of_dot)
    then = pd.MultiIndex.from_frame(cells[["test", "pair", "dataset"]]).map(
        {key: f"; under the other reading {row.mean_then:.1f}, which "
              f"{'agrees' if row.agrees_then else 'does not agree either'}"
         for key, row in zip(explained.index, explained.itertuples())}
    )
    return pd.DataFrame({
        "id": ids + cells["dataset"].map(number),
        "rebuilt": cells["mean"],
        "standard_error": cells["standard_error"],
        "published_error": cells["printed_error"],
        "holds": cells["agrees"].astype(object).where(is_dot, None),
        "note": note + then.to_series(index=cells.index).fillna(""),
    })


def table_2_outside(cells: pd.DataFrame) -> pd.DataFrame:
    """How many printed cells lie outside ours, and how many would by chance.

    Parameters
    ----------
    cells : DataFrame
        `table_2_cells`.

    Returns
    -------
    DataFrame
        Indexed by `test` and `pair`: `cells`, `printed_dots`, `our_dots` (mean of our tables),
        `outside`, `expected_outside`.
    """
    return cells.assign(is_dot=cells["printed"].isna(), is_outside=~cells["agrees"]).groupby(
        ["test", "pair"], sort=False
    ).agg(
        cells=("dataset", "size"), printed_dots=("is_dot", "sum"), our_dots=("dots", "sum"),
        outside=("is_outside", "sum"), expected_outside=("chance_outside", "sum"),
    )


def table_2_means_by_table(counts: pd.DataFrame) -> pd.DataFrame:
    """The summary column of Table 2 in each of our tables.

    Parameters
    ----------
    counts : DataFrame
        `table_2_counts`.

    Returns
    -------
    DataFrame
        Columns `test`, `pair` ("all": mean of the three), `table` and `mean` (normalised R2,
        percent).
    """
    r = counts.assign(mean=100 * normalized(
        r2_from_counts(counts["draws"].to_numpy(), uci.TABLE)
    ))
    by_row = r.groupby(["test", "pair", "table"], sort=False)["mean"].mean().reset_index()
    by_test = by_row.groupby(["test", "table"], sort=False)["mean"].mean().reset_index()
    return pd.concat([by_row, by_test.assign(pair="all")], ignore_index=True)


def table_2_summary(counts: pd.DataFrame) -> pd.DataFrame:
    """Printed means of Table 2 beside the distribution of ours: how replicable the table is.

    Parameters
    ----------
    counts : DataFrame
        `table_2_counts` of the tests of the paper.

    Returns
    -------
    DataFrame
        Indexed by `test` and `pair` ("all": mean of the three); percent of the normalised scale:
        `printed`, `mean` and `deviation` (between our tables; NaN of one), `expected_deviation`
        (from Theorem 3.1 at our estimates of r), `z` (printed against ours, by the expected
        deviation).
    """
    means = table_2_means_by_table(counts)
    order = pd.MultiIndex.from_frame(means[["test", "pair"]].drop_duplicates())
    frame = means.groupby(["test", "pair"])["mean"].agg(mean="mean", deviation="std").reindex(order)
    draws = counts.groupby(["test", "pair", "dataset"])["draws"].agg(["sum", "size"])
    r = r2_from_counts(draws["sum"].to_numpy(), uci.TABLE * draws["size"].to_numpy())
    variance = pd.Series(r2_variance(np.clip(r, 0.5, 1), uci.TABLE), index=draws.index)
    of_row = variance.groupby(["test", "pair"]).agg(lambda v: 200**2 * v.sum() / len(v) ** 2)
    of_test = of_row.groupby("test").agg(lambda v: v.sum() / len(v) ** 2)
    of_test.index = pd.MultiIndex.from_product([of_test.index, ["all"]], names=["test", "pair"])
    frame["expected_deviation"] = np.sqrt(pd.concat([of_row, of_test])).reindex(order)
    frame.insert(0, "printed", [
        published.value(f"bouckaert2004.tab02.{test}.{pair}.mean_norm_r2") for test, pair in order
    ])
    noise = frame["expected_deviation"] * np.sqrt(1 + 1 / means["table"].nunique())
    frame["z"] = (frame["printed"] - frame["mean"]) / noise
    return frame


def table_2_order(counts: pd.DataFrame) -> pd.DataFrame:
    """Whether the sign test is much worse than the other two, and t marginally the best.

    "Much" and "marginally" are read as: the step from the sign test to the signed ranks is longer
    than the step from there to the t test.

    Parameters
    ----------
    counts : DataFrame
        `table_2_counts` of the tests of the paper.

    Returns
    -------
    DataFrame
        Indexed by `table`: the means `sign`, `ranksum` and `t` over the three pairs, percent; and
        whether `sign_is_last`, `t_is_first` and the claim `holds`.
    """
    means = table_2_means_by_table(counts).query("pair == 'all'")
    order = means.pivot(index="table", columns="test", values="mean")[list(TESTS_OF_TABLE_2)]
    return _order_of_tests(order)


def _order_of_tests(means: pd.DataFrame) -> pd.DataFrame:
    first_step, second_step = means["ranksum"] - means["sign"], means["t"] - means["ranksum"]
    return means.assign(
        sign_is_last=means["sign"] < means[["ranksum", "t"]].min(axis=1),
        t_is_first=second_step > 0,
        holds=(second_step > 0) & (first_step > second_step),
    )


def table_2_claim(counts: pd.DataFrame) -> pd.DataFrame:
    """The paper's conclusion from Table 2, on the means over all our tables.

    Parameters
    ----------
    counts : DataFrame
        `table_2_counts` of the tests of the paper.

    Returns
    -------
    DataFrame
        One ledger row; its error is that of the difference of the two steps in a single table,
        percentage points (NaN of one table).
    """
    by_table = table_2_order(counts)
    overall = _order_of_tests(by_table[list(TESTS_OF_TABLE_2)].mean().to_frame().T).iloc[0]
    means = " < ".join(
        f"{test} {mean:.1f} %"
        for test, mean in overall[list(TESTS_OF_TABLE_2)].sort_values().items()
    )
    margin = 2 * by_table["ranksum"] - by_table["sign"] - by_table["t"]  # first step less second
    return pd.DataFrame([{
        "id": "bouckaert2004.cl.09", "rebuilt": bool(overall["holds"]),
        "published_error": margin.std(),
        "note": f"{means} over all tables; holds in {by_table['holds'].sum()} of {len(by_table)} "
                "tables taken alone",
    }])


#: Readings of the sign test; of a count Z of pluses they differ in where Z itself belongs.
SIGN_TESTS = {
    "as printed: Z in the lower tail": TESTS_OF_TABLE_2["sign"],
    "learners swapped: Z in the upper tail": lambda sample: TESTS_OF_TABLE_2["sign"](-sample),
    "Z in both tails (exact test)": significance.sign_test,
    "Z in neither tail": partial(significance.sign_test, method="lenient"),
}


def level_of_sign_test(reading: str, alpha: float = 0.05, n: int = 10) -> float:
    """Probability that a sign test rejects a true null hypothesis, over all patterns of signs.

    Parameters
    ----------
    reading : str
        A name in `SIGN_TESTS`.
    alpha : float
        Nominal level.
    n : int
        Number of values, none of them zero.

    Returns
    -------
    float

    Examples
    --------
    >>> [round(level_of_sign_test(reading), 3) for reading in SIGN_TESTS]
    [0.065, 0.065, 0.021, 0.109]
    """
    pluses = np.arange(n + 1)
    samples = np.where(np.arange(n) < pluses[:, None], 1.0, -1.0)
    rejects = SIGN_TESTS[reading](samples).pvalue < alpha
    return float(stats.binom.pmf(pluses, n, 0.5)[rejects].sum())


def readings_of_table_2(
    results: Mapping[str, Mapping[str, engine.Replications]], *, tables: int = 20, runs: int = 10,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """The printed counts of Table 2 under readings of the sign test and of the nearest neighbour.

    Parameters
    ----------
    results : mapping of str to mapping
        Stored cross-validation by one of `replib.papers.uci.NEIGHBOURS` and by data set.
    tables, runs, alpha
        As for `table_2_counts`; of all neighbours as many tables as there are of each.

    Returns
    -------
    DataFrame
        Indexed by `test` and `reading` (of the test); under each neighbour `outside` (how many of
        the 81 printed cells lie outside ours), `expected` (how many would by chance) and `log10`
        (decimal logarithm of the probability of all 81, as if they were independent).
    """
    tables = min(
        tables, *(len(one.counts) // uci.TABLE for of in results.values() for one in of.values())
    )
    tests = {("sign", reading): test for reading, test in SIGN_TESTS.items()} | {
        (name, ""): TESTS_OF_TABLE_2[name] for name in ("ranksum", "t")
    }
    columns = {}
    for neighbour, stored in results.items():
        rows = {}
        for (name, reading), test in tests.items():
            cells = table_2_cells(table_2_counts(
                stored, tables=tables, runs=runs, alpha=alpha, tests={name: test}
            ))
            rows[name, reading] = {
                "outside": (~cells["agrees"]).sum(), "expected": cells["chance_outside"].sum(),
                "log10": np.log10(cells["probability"]).sum(),
            }
        frame = pd.DataFrame(rows).T.rename_axis(["test", "reading"])
        columns[neighbour] = frame.astype({"outside": int})
    return pd.concat(columns, axis=1)


def explained_cells(
    cells: pd.DataFrame, results: Mapping[str, engine.Replications], *, tables: int = 20,
    runs: int = 10, alpha: float = 0.05,
) -> pd.DataFrame:
    """The cells outside ours, and what they are under the readings that the print speaks for.

    These are the first of the nearest neighbours, and the sign test with the observed value in
    neither tail (:func:`readings_of_table_2`).

    Parameters
    ----------
    cells : DataFrame
        `table_2_cells` of the tests of the paper.
    results : mapping of str to Replications
        Stored cross-validation with the first neighbour, by data set.
    tables, runs, alpha
        As for `table_2_counts`.

    Returns
    -------
    DataFrame
        Indexed by `test`, `pair`, `dataset`: `printed`, `mean`, and under those readings
        `mean_then` and `agrees_then`.
    """
    tests = {**TESTS_OF_TABLE_2, "sign": SIGN_TESTS["Z in neither tail"]}
    then = table_2_cells(
        table_2_counts(results, tables=tables, runs=runs, alpha=alpha, tests=tests)
    )
    keys = ["test", "pair", "dataset"]
    frame = cells.loc[~cells["agrees"], [*keys, "printed", "mean"]].merge(
        then[[*keys, "mean", "agrees"]], on=keys, suffixes=("", "_then"), validate="one_to_one"
    )
    return frame.rename(columns={"agrees": "agrees_then"}).set_index(keys)


# ------------------------------------------------------------------ sorted runs and a correction


def within_rank_share(blocks: np.ndarray) -> np.ndarray:
    """Share of the sum of squares of a block that lies between runs, within ranks.

    Parameters
    ----------
    blocks : ndarray, shape (..., runs, folds)

    Returns
    -------
    ndarray, shape (...)
        From 0 (all sorted runs are the same) to 1; 0 for a block without variance.

    Examples
    --------
    >>> float(within_rank_share(np.array([[1.0, 5.0], [5.0, 1.0]])))
    0.0
    """
    ranked = np.sort(blocks, axis=-1)
    within = ((ranked - ranked.mean(axis=-2, keepdims=True)) ** 2).sum(axis=(-2, -1))
    total = ((ranked - ranked.mean(axis=(-2, -1), keepdims=True)) ** 2).sum(axis=(-2, -1))
    return np.divide(within, total, out=np.zeros_like(total), where=total > 0)


def ratio_of_thresholds(
    share: ArrayLike, runs: int = 10, folds: int = 10, alpha: float = 0.05
) -> np.ndarray:
    """Least mean difference that is significant: t on sorted runs over the corrected r x k t test.

    Parameters
    ----------
    share : array_like
        `within_rank_share`.
    runs, folds : int
    alpha : float

    Returns
    -------
    ndarray

    Examples
    --------
    >>> round(float(ratio_of_thresholds(0.0)), 4)
    1.0865
    """
    n = runs * folds
    quantile = lambda df: stats.t.isf(alpha / 2, df)
    ratio_of_errors = np.sqrt((n - 1) * (1 - np.asarray(share)) / (n + folds - 1))
    return quantile(folds - 1) / quantile(n - 1) * ratio_of_errors


def share_of_equal_thresholds(runs: int = 10, folds: int = 10, alpha: float = 0.05) -> float:
    """The within-rank share at which the two tests are the same; negative if there is none.

    Examples
    --------
    >>> round(share_of_equal_thresholds(), 3)
    0.153
    """
    return float(1 - ratio_of_thresholds(0.0, runs, folds, alpha) ** -2)


def sorted_runs_beside_correction(
    results: Mapping[str, engine.Replications], *, tables: int = 20, runs: int = 10,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """The t test on sorted runs and the corrected r x k t test, on the same experiments.

    Parameters
    ----------
    results, tables, runs, alpha
        As for `table_2_counts`.

    Returns
    -------
    DataFrame
        One row a pair and data set: `pair`, `dataset`; `sorted_runs`, `corrected` (percent of the
        experiments that accept); `same` (percent that decide alike); `share` (median within-rank
        share).
    """
    paper_name, rows = datasets.table()["paper_name"], []
    for pair in uci.PAIRS:
        blocks = cross_validation_blocks(results, pair, tables=tables, runs=runs)
        for name, block in blocks.items():
            sample = schemes.sample(block, "average_over_sorted_runs")
            by_sorting = paired_t(sample).pvalue >= alpha
            corrected = significance.corrected_resampled_t(
                block, test_train_ratio=1 / (block.shape[-1] - 1), axis=(-2, -1)
            ).pvalue >= alpha
            rows.append({
                "pair": pair, "dataset": paper_name[name],
                "sorted_runs": 100 * by_sorting.mean(), "corrected": 100 * corrected.mean(),
                "same": 100 * (by_sorting == corrected).mean(),
                "share": np.median(within_rank_share(block)),
            })
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ ledger


def section_3() -> pd.DataFrame:
    """Definitions, lemmas and theorems of Section 3 and the appendix, each checked exactly.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    n, probabilities = 6, [Fraction(k, 10) for k in range(11)]
    r = {p: _power_sum(p, 2) for p in probabilities}
    r1_moments = {p: exact_moments(r1_weights(n), n, p) for p in probabilities}
    r2_moments = {p: exact_moments(r2_weights(n), n, p) for p in probabilities}
    unequal = random_weights(n)
    scaled = [2 * k for k in unequal]
    theorem = theorem_3_1()
    variances = figure_2()
    below_one = variances[variances["r"] < 1]
    by_pairs = r2(np.array(list(product((False, True), repeat=n))))
    by_count = r2_from_counts(np.array(list(product((0, 1), repeat=n))).sum(axis=1), n)

    checks = {
        "def_replicability": all(Fraction(1, 2) <= x <= 1 for x in r.values()),
        "def_r1": all(mean == r[p] for p, (mean, _) in r1_moments.items()),
        "def_r2": all(mean == r[p] for p, (mean, _) in r2_moments.items()),
        "def_rk": all(exact_moments(unequal, n, p)[0] == r[p] for p in probabilities),
        "eq01": np.array_equal(by_pairs, by_count),
        "eq02": all(exact_moments(unequal, n, p)[0] == r[p] for p in probabilities),
        "eq03": any(exact_moments(scaled, n, p)[0] != r[p] for p in probabilities),
        "lem3_1": all(v == 2 * (r[p] - r[p] ** 2) / n for p, (_, v) in r1_moments.items()),
        "lem3_2": np.array_equal(by_pairs, by_count),
        "lem3_3": all(
            (exact_moments(k, n, p)[0] == r[p]) == (sum(k) == 1)
            for k in (unequal, scaled, r1_weights(n), r2_weights(n)) for p in probabilities
        ),
        "thm3_1": (theorem["printed"] == theorem["exact"]).all(),
        "thm3_2": all(
            exact_moments(random_weights(n, seed), n, p)[1] >= r2_moments[p][1]
            for seed in range(5) for p in probabilities
        ),
        "lemA_1": all(_lemma_a_1(size, p) for size in range(1, 11) for p in probabilities),
        "fig02": (variances["r1"] >= variances["r2"]).all(),
        "cl.01": (below_one["r1"] > below_one["r2"]).all() and np.allclose(
            variances.loc[variances["r"] == 1, ["r1", "r2"]], 0, atol=0
        ),
    }
    notes = {
        "thm3_1": "unbiased as stated; the variance holds once a bracket is moved",
        "thm3_2": "the statement is true; the printed proof is not (errata e03, e04)",
        "cl.01": "for n from 4 to 28; at n = 2 the two are equal (erratum e02)",
    }
    rows = [
        {
            "id": f"bouckaert2004.{key}", "rebuilt": bool(holds), "note": notes.get(key),
            "erratum": "bouckaert2004.e01" if key == "thm3_1" else None,
        }
        for key, holds in checks.items()
    ]
    limits = 100 * np.array([float(min(r.values())), float(max(r.values()))])
    rows += [
        {"id": "bouckaert2004.txt.range_r_lo", "rebuilt": limits[0],
         "note": "of the probability r; its estimate can be smaller (erratum e11)"},
        {"id": "bouckaert2004.txt.range_r_hi", "rebuilt": limits[1]},
    ]
    return pd.DataFrame(rows)


def _lemma_a_1(n: int, p: Fraction) -> bool:
    moment = lambda k: sum(comb(n, i) * p**i * (1 - p) ** (n - i) * i**k for i in range(n + 1))
    return (moment(0), moment(1), moment(2)) == (1, n * p, n**2 * p**2 - n * p**2 + n * p)


def table_2_caption() -> pd.DataFrame:
    """Whether the 95% intervals of Table 2 lie within 3 points, as its caption says.

    Returns
    -------
    DataFrame
        One ledger row: the largest half-width of R2, in percentage points.
    """
    widest = table_2_half_widths()["r2"].max()
    return pd.DataFrame([{
        "id": "bouckaert2004.cap.tab02_ci", "rebuilt": widest,
        "holds": widest <= published.value("bouckaert2004.cap.tab02_ci"),
        "note": "holds for R2; on the normalised scale of the column the half-widths are twice as large",
    }])


def schemes_of_section_2(runs: int = 10, folds: int = 10, seed: int = 2004) -> pd.DataFrame:
    """Figure 1 and the formulas of the sampling schemes, checked on a made-up block.

    Parameters
    ----------
    runs, folds, seed : int
        As for `example_block`.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    block = example_block(runs, folds, seed)
    ours = dict(list(figure_1(block).groupby("scheme")["difference"]))
    by_the_letter = samples_by_the_letter(block)
    agree = {
        scheme: np.allclose(ours[scheme], [float(x) for x in values], rtol=1e-12)
        for scheme, values in by_the_letter.items()
    }
    read_off_the_block = (
        np.array_equal(ours["k_fold"], block[0]) and np.array_equal(ours["resampling"], block[:, 0])
        and np.array_equal(np.sort(ours["use_all_data"]), np.sort(block, axis=None))
    )
    margins = {
        "average_over_folds": block.mean(axis=1), "average_over_runs": block.mean(axis=0),
        "average_over_sorted_runs": sorted_runs(block).mean(axis=0),
    }
    are_margins = all(np.allclose(ours[scheme], margin) for scheme, margin in margins.items())
    indices = use_all_data_indices(runs, folds)
    printed_index_exists = indices["printed_run"].between(1, runs).all()
    return pd.DataFrame([
        {"id": "bouckaert2004.fig01", "rebuilt": bool(read_off_the_block and are_margins),
         "note": "column, row, box and margins are the six samples; the numbers are ours"},
        {"id": "bouckaert2004.eq_schemes",
         "rebuilt": bool(all(agree.values()) and printed_index_exists),
         "erratum": "bouckaert2004.e09",
         "note": "all six formulas hold once the index of use all data is counted from 1"},
    ])


def statistics_of_section_2(alpha: float = 0.05, n: int = 10) -> pd.DataFrame:
    """The test statistics of Section 2.2 as printed, held against the exact null distributions.

    Parameters
    ----------
    alpha : float
        Level that the sign test is to keep.
    n : int
        Sample size.

    Returns
    -------
    DataFrame
        One ledger row.
    """
    moments = signed_rank_moments([n]).loc[n]
    sizes = sizes_of_tests(alpha, [n]).set_index(["test", "form"])["size"]
    sample = np.arange(1.0, n + 1)
    checks = {
        "t statistic": np.isclose(
            paired_t_as_printed(sample), stats.ttest_1samp(sample, 0).statistic
        ),
        "variance of the rank sum": moments["printed_variance"] == moments["variance"],
        "rule of the sign test": sizes["sign_test", "as_printed"] <= 100 * alpha,
    }
    wrong = ", ".join(name for name, holds in checks.items() if not holds)
    return pd.DataFrame([{
        "id": "bouckaert2004.eq_tests", "rebuilt": all(checks.values()),
        "erratum": "bouckaert2004.e05",
        "note": f"not right as printed: {wrong} (errata e05 to e08)" if wrong else None,
    }])
