r"""Sections 3 and 3.1: from Z to T; McNemar's test under the null hypothesis.

The printed argument, and where it goes wrong.  *Z and T*: Z counts "+" and "-" signs, and its
square is T without the correction (slips e14, e18, e50).  *The first rejection*: its mean is
:math:`m = \operatorname{E}(x \mid x > z)` (e20).  *The second experiment*: it draws a "+" with
probability p', which m raises by an amount that the paper takes too small (e21), and uses a
threshold and a standard deviation on different scales (e22).  *The total*: e23.  *Draws*: e28.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special, stats

from companion.lab.experiments.splits import size_of_test_set
from companion.lab.sources import task_1
from companion.papers import published
from companion.papers.bouckaert2005 import limits, mcnemar
from companion.papers.bouckaert2005.simulation import SIZES, TEST_FRACTIONS
from companion.papers.ledger import rows
from replib import replicability


def ledger_rows(
    *,
    alpha: float = 0.05,
    sizes: Sequence[int] = SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
) -> pd.DataFrame:
    """Ledger rows of the bound on Type I replicability, its derivation, and footnote 1."""
    derivation = type1_derivation(sizes, test_fractions, alpha=alpha)
    excess = derivation["exact"] - derivation["type1_error"]
    by_fraction = excess.groupby(derivation["test_fraction"]).agg(["first", "last"])
    ratio = by_fraction["last"] / by_fraction["first"]
    fits = {low: truncated_mean_line(low) for low in (0, 3)}
    z = stats.norm.isf(alpha / 2)
    at_z, at_printed = errata_of_truncated_mean([z, 1.96]).to_dict("records")
    return rows(
        "bouckaert2005",
        {
            "txt.z": z,
            "txt.type1_bound": 100 * replicability.agreement(alpha),
            "txt_type1_bound": bool((excess >= 0).all()),  # Jensen's inequality
            "txt_type1_analysis": bool((ratio < 0.5).all()),
            "fn1.slope": fits[3]["slope"],
            "fn1.intercept": fits[3]["intercept"],
            "fn01": bool(abs(at_z["line"] - at_z["exact"]) < 0.005),
            "cl.20": bool(at_z["excess_percent"] < 10),
        },
        corrected={
            # it depends only on the share of test data: sizes differ by less than a
            # tenth
            "txt_type1_analysis": bool(((ratio - 1).abs() < 0.1).all()),
            "fn01": round(at_printed["exact"] - at_printed["line"], 3) == 0.107,
            "cl.20": bool(np.isclose(at_z["exact"], stats.truncnorm.mean(z, np.inf))),
        },
        numbers={
            "txt_type1_analysis": {
                "test_fraction": by_fraction.index[0],
                "first": by_fraction["first"].iloc[0],
                "smallest": sizes[0],
                "last": by_fraction["last"].iloc[0],
                "largest": sizes[-1],
            },
            "fn1.slope": {"from_0": fits[0]["slope"], "from_3": fits[3]["slope"]},
            "fn1.intercept": {
                "from_0": fits[0]["intercept"],
                "from_3": fits[3]["intercept"],
            },
            "fn01": {"z": z, "exact": at_z["exact"], "line": at_z["line"]},
            "cl.20": {
                "z": z,
                "exact": at_z["exact"],
                "excess": at_z["excess_percent"],
            },
        },
    )


# ------------------------------------------------------------------ from Z to T


def errata_of_algebra(alpha: float = 0.05, test_fraction: float = 0.1) -> pd.DataFrame:
    """Errata e14, e18, e23 and e50: misprinted algebra of Section 3, with numerical examples.

    Columns `erratum`, `printed`, `correct` (formulas), `printed_value`,
    `correct_value`, and the `example` that the values are for.
    """
    a = alpha
    epsilon = limits.covariance(test_fraction, 0, alpha=alpha) / alpha
    plus = 60
    minus = 40
    n = plus + minus
    errata = [
        (
            "e14",
            "a a + (1-a)(a-1)",
            "a a + (1-a)(1-a)",
            a * a + (1 - a) * (a - 1),
            replicability.agreement(a),
            f"a = {a:g}",
        ),
        (
            "e18",
            "2(#+/n - 1) sqrt n",
            "(2 #+/n - 1) sqrt n",
            2 * (plus / n - 1) * np.sqrt(n),
            (2 * plus / n - 1) * np.sqrt(n),
            "60 +, 40 -",
        ),
        (
            "e18",
            "(#+) - (#-) = n01 - n10",
            "n10 - n01",
            minus - plus,
            plus - minus,
            "+ a win of A, 60 +, 40 -",
        ),
        (
            "e23",
            "1 - (2-e) a + a^2",
            "(1-a)(1-a) + a(a+e) = 1 - (2-e) a + 2 a^2",
            1 - (2 - epsilon) * a + a**2,
            (1 - a) ** 2 + a * (a + epsilon),
            f"its own terms; a = {a:g}, t = {test_fraction:g}",
        ),
        (
            "e23",
            "1 - (2-e) a + a^2",
            "1 - 2a + 2 a^2 + 2 a e",
            1 - (2 - epsilon) * a + a**2,
            limits.replicability(test_fraction, 0, alpha=alpha),
            "with the true probability of accepting twice",
        ),
        (
            "e50",
            "Z > z",
            "|Z| > z",
            alpha / 2,
            2 * stats.norm.sf(stats.norm.isf(alpha / 2)),
            f"probability of rejecting; a = {a:g}",
        ),
    ]
    columns = [
        "erratum",
        "printed",
        "correct",
        "printed_value",
        "correct_value",
        "example",
    ]
    frame = pd.DataFrame(errata, columns=columns)
    return frame.assign(erratum="bouckaert2005." + frame["erratum"])


def overlap_of_two_test_sets(n: int = 60) -> pd.DataFrame:
    """Erratum e19: the share of one test set that is also in another of the same size.

    Columns `t`, `test share t` and `test share 1-t`: the expected share of the second
    test set that is in the first, if a test set has tn or, as printed, (1-t)n instances
    (Fractions).
    """

    def expected_share(size: int) -> Fraction:
        ways = [comb(size, h) * comb(n - size, size - h) for h in range(size + 1)]
        shared = sum(h * n_sets for h, n_sets in enumerate(ways))
        return Fraction(shared, size * comb(n, size))

    rows = []
    for t in (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2)):
        size = int(t * n)
        row = {
            "t": t,
            "test share t": expected_share(size),
            "test share 1-t": expected_share(n - size),
        }
        rows.append(row)
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ the first rejection


def truncated_mean(z: ArrayLike) -> np.ndarray | float:
    """Return the mean of a standard normal variable that exceeds z: phi(z) / (1 - Phi(z)).

    >>> round(float(truncated_mean(1.959964)), 3)
    2.338
    """
    z = np.asarray(z, dtype=float)
    # exp(-z^2/2) / erfc(z / sqrt 2) by the scaled erfcx: no underflow for large z
    return np.sqrt(2 / np.pi) / special.erfcx(z / np.sqrt(2))


def truncated_mean_line(low: float = 0.0, high: float = 8.0) -> pd.Series:
    """Least-squares line for phi(x) / (1 - Phi(x)): `slope`, `intercept`."""
    x = np.linspace(low, high, 2001)
    slope, intercept = np.polyfit(x, truncated_mean(x), 1)
    return pd.Series({"slope": slope, "intercept": intercept})


def errata_of_truncated_mean(
    z: Sequence[float] = (0.0, 1.0, 1.959964, 4.0, 8.0),
) -> pd.DataFrame:
    """Erratum e20: the mean of a normal variable beyond z, and its two approximations.

    Columns `z` (the printed approximation), `line` (footnote 1), `exact`,
    `excess_percent` (by how much `exact` exceeds z; infinite at 0).
    """
    z = np.asarray(z, dtype=float)
    slope = published.value("bouckaert2005.fn1.slope")
    intercept = published.value("bouckaert2005.fn1.intercept")
    exact = truncated_mean(z)
    with np.errstate(divide="ignore"):
        excess = 100 * (exact / z - 1)
    line = slope * z + intercept
    return pd.DataFrame(
        {"z": z, "line": line, "exact": exact, "excess_percent": excess}
    )


# ------------------------------------------------------------------ the second experiment


def type1_derivation(
    sizes: Sequence[int] = SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    r"""Errata e21 and e22: how likely is a second rejection after a first?

    The derivation conditions on a first result :math:`Z_1 = x` beyond z, whose mean is
    m.  A standardised surplus x of "+" over "-" among n instances is a surplus of
    :math:`x\sqrt n` instances, so :math:`p' = 1/2 + tx/(2\sqrt n)`.  The paper takes it
    to be a surplus of x instances: :math:`p' = 1/2 + tx/n`.  It then compares the
    difference of counts, which has mean 2tx and standard deviation :math:`\sqrt n`,
    with z instead of :math:`z\sqrt n`, and gives it the standard deviation of one
    count, :math:`\sqrt n/2`.

    One row per `test_fraction` and `size`, with probabilities of a second rejection:
    `literal`, by the printed formula; `surplus_only`, with threshold and standard
    deviation corrected and only the surplus as printed (its excess over alpha vanishes
    with n, as the paper concludes); `limit`, bivariate normal; `exact`, enumerated for
    the uncorrected test, whose Type I error is `type1_error`.  The last column is
    `accept_given_accept`, in the limit, which the paper takes to be 1 - alpha.
    """
    z = stats.norm.isf(alpha / 2)
    rows = []
    for t in test_fractions:
        covariance = limits.covariance(t, 0, alpha=alpha)
        for n in sizes:
            test = size_of_test_set(n, t)
            root = np.sqrt(test / 2)  # of the discordant instances
            distribution = mcnemar.rejection_distribution(
                n, test, *task_1.rates(0), alpha=alpha, method="uncorrected"
            )
            first = distribution.power
            twice = distribution.weight @ distribution.probability**2
            row = {
                "test_fraction": t,
                "size": n,
                "literal": _two_tails(2 * t * z / (root / 2), z / (root / 2)),
                "surplus_only": _two_tails(2 * t * z / root, z),
                "limit": alpha + covariance / alpha,
                "exact": twice / first if first else np.nan,
                "type1_error": first,
                "accept_given_accept": 1 - alpha + covariance / (1 - alpha),
            }
            rows.append(row)
    return pd.DataFrame(rows)


def second_rejection(test_fractions: ArrayLike, *, alpha: float = 0.05) -> pd.DataFrame:
    """Return the probability of a second rejection after a first, by test share, printed and true.

    Columns `test_fraction`, `surplus_only` (as printed, among 500 discordant instances)
    and `limit`, as in `type1_derivation`, and `mean_only`, with the right surplus and
    all first results at their mean.
    """
    t = np.asarray(test_fractions, dtype=float)
    z = stats.norm.isf(alpha / 2)
    return pd.DataFrame(
        {
            "test_fraction": t,
            "surplus_only": _two_tails(2 * t * z / np.sqrt(500), z),
            "mean_only": _two_tails(t * truncated_mean(z), z),
            "limit": alpha + limits.covariance(t, 0, alpha=alpha) / alpha,
        }
    )


def _two_tails(mean: ArrayLike, threshold: float) -> np.ndarray | float:
    """Return the probability that a normal variable with that mean is beyond +-threshold."""
    return special.ndtr(mean - threshold) + special.ndtr(-np.asarray(mean) - threshold)


def deviation_of_the_surplus(sizes: Sequence[int] = (4, 9, 16)) -> pd.DataFrame:
    """Erratum e22: standard deviation of n01 - n10 under H0, by enumeration.

    Columns `n` (discordant instances), `printed` (half the square root of n),
    `enumerated`.
    """
    rows = []
    for n in sizes:
        squares = [comb(n, k) * (2 * k - n) ** 2 for k in range(n + 1)]
        variance = Fraction(sum(squares), 2**n)
        rows.append(
            {"n": n, "printed": n**0.5 / 2, "enumerated": float(variance) ** 0.5}
        )
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ draws


def correlation_with_draws(
    n: int = 4,
    test_size: int = 2,
    draws: Sequence[Fraction] = (Fraction(0), Fraction(1, 2), Fraction(9, 10)),
) -> pd.DataFrame:
    """Erratum e28: correlation of n01 - n10 in two test sets from one data set, with draws.

    Enumerates all pairs of test sets from all data sets of n instances, of which a
    share `draws` are draws on average; the work grows as 3^n.  Columns `draws`,
    `correlation` (Fractions), `t`.

    >>> correlation_with_draws(3, 1, [Fraction(1, 2)])["correlation"].item()
    Fraction(1, 3)
    """
    test_sets = list(combinations(range(n), test_size))
    rows = []
    for draw in draws:
        weight_of = {0: draw, 1: (1 - draw) / 2, -1: (1 - draw) / 2}
        variance = covariance = Fraction(0)
        for instances in product((-1, 0, 1), repeat=n):
            weight = prod(weight_of[instance] for instance in instances)
            surplus = [sum(instances[i] for i in test_set) for test_set in test_sets]
            # both test sets are drawn from the same data set, so the mean product is a
            # square
            covariance += weight * Fraction(sum(surplus), len(surplus)) ** 2
            variance += weight * Fraction(sum(x**2 for x in surplus), len(surplus))
        row = {
            "draws": draw,
            "correlation": covariance / variance,
            "t": Fraction(test_size, n),
        }
        rows.append(row)
    return pd.DataFrame(rows)
