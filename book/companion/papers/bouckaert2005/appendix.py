r"""Section 3.2 and the appendix: replicability of McNemar's test where its power is one half.

The printed argument: q is such that the mean of Z is the threshold.  If the first
experiment rejects, it found on average :math:`2\sqrt{nq(1-q)}/\sqrt{2\pi}` more "+"
than expected, and if it accepts, as many fewer (e29: one case is printed twice).  A
share t of them is in the second test set, so the second outcome equals the first with
probability :math:`\Phi(t\sqrt{2/\pi})`.  The argument replaces a half-normal variable
by its mean, and keeps the variance of the second result at 1 although it is
:math:`1-t^2` given the first; the truth is :math:`1/2 + \arcsin(t)/\pi` (e30).
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special, stats

from companion.papers.bouckaert2005 import limits
from companion.papers.bouckaert2005.simulation import TEST_FRACTIONS
from companion.papers.ledger import rows


def ledger_rows(
    *, alpha: float = 0.05, test_fractions: Sequence[float] = TEST_FRACTIONS
) -> pd.DataFrame:
    """Ledger rows of the two statements of the appendix."""
    z = stats.norm.isf(alpha / 2)
    laws = errata_of_worst_case(test_fractions, alpha=alpha)
    agree = (laws["printed"] - laws["correct"]).abs() < 5e-5
    arcsine = [  # the same sign twice, by Sheppard's formula for correlated normal numbers
        2 * stats.multivariate_normal.cdf([0, 0], cov=[[1, t], [t, 1]])
        for t in laws["test_fraction"]
    ]
    return rows(
        "bouckaert2005",
        {
            "app.half": 100 * limits.power(z, alpha=alpha),
            "app_worst_case": bool(agree.all()),
        },
        corrected={
            "app_worst_case": bool(np.allclose(arcsine, laws["correct"], atol=1e-6))
        },
        numbers={"app_worst_case": {"off": (laws["correct"] - laws["printed"]).max()}},
    )


def errata_of_conditional_means(n: int = 1000, *, alpha: float = 0.05) -> pd.DataFrame:
    r"""Erratum e29: mean number of "+" given the first outcome, where one case is printed twice.

    For n test instances without draws.  One row for a first experiment that rejects and
    one for a first experiment that accepts: `outcome`, `printed`, `correct`
    (:math:`qn \pm 2\sqrt{nq(1-q)}/\sqrt{2\pi}`) and `exact` (binomial; the test rejects
    where "+" is more frequent than its mean qn).
    """
    q = 0.5 + stats.norm.isf(alpha / 2) / (2 * np.sqrt(n))
    reach = 2 * np.sqrt(n * q * (1 - q)) / np.sqrt(2 * np.pi)
    x = np.arange(n + 1)
    mass = stats.binom.pmf(x, n, q)
    rejects = x > q * n

    def conditional_mean(event: np.ndarray) -> float:
        return float((x * mass)[event].sum() / mass[event].sum())

    columns = {
        "outcome": ["reject", "accept"],
        "printed": [q * n + reach, q * n + reach],
        "correct": [q * n + reach, q * n - reach],
        "exact": [conditional_mean(rejects), conditional_mean(~rejects)],
    }
    return pd.DataFrame(columns)


def errata_of_worst_case(
    test_fractions: ArrayLike = TEST_FRACTIONS, *, alpha: float = 0.05
) -> pd.DataFrame:
    r"""Erratum e30: the worst case as printed, by the arcsine law, and of two-sided tests.

    With X half normal, the second outcome equals the first with probability
    :math:`\operatorname{E}\Phi(tX/\sqrt{1-t^2})`.  Columns `test_fraction`, and raw replicabilities
    `printed`, with X at its mean and variance 1; `mean_kept`, with only X at its mean;
    `variance_kept`, with only the variance at 1, which gives :math:`1/2 + \arctan(t)/\pi`;
    `correct` (arcsine law, one-sided); and `two_sided` (where the mean of Z equals the threshold).
    """
    t = np.asarray(test_fractions, dtype=float)
    z = stats.norm.isf(alpha / 2)
    with np.errstate(divide="ignore"):  # of one experiment on all data
        mean_kept = special.ndtr(t * np.sqrt(2 / np.pi) / np.sqrt(1 - t**2))
    return pd.DataFrame(
        {
            "test_fraction": t,
            "printed": special.ndtr(t * np.sqrt(2 / np.pi)),
            "mean_kept": mean_kept,
            "variance_kept": 0.5 + np.arctan(t) / np.pi,
            "correct": limits.worst_case_replicability(t),
            "two_sided": limits.replicability(t, z, alpha=alpha),
        }
    )


def spread_of_rejection(
    test_fractions: Sequence[float] = TEST_FRACTIONS,
) -> pd.DataFrame:
    """Return the distribution of the rejection probability over large data sets at power one half.

    Columns `test_fraction`, `p` and `cdf`: the share of data sets on which an
    experiment rejects with probability at most p.
    """
    # the mean of Z is the near threshold and the far one is out of reach, so p rises
    # with U, the data set's own part of Z
    u = np.linspace(-5, 5, 401)
    cdf = special.ndtr(u)
    frames = []
    for t in test_fractions:
        p = special.ndtr(u * np.sqrt(t / (1 - t)))
        frames.append(pd.DataFrame({"test_fraction": t, "p": p, "cdf": cdf}))
    return pd.concat(frames, ignore_index=True)
