"""Equations 10 and 14 of Berrar (2024) as printed, with their slips."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib.replication_probability import Prediction
from replib.significance.ranks import doubled_midranks

# SciPy's noncentral t converges up to this noncentrality; quantiles can be several
# times as large as t.
_FARTHEST_EFFECT = 5e4
_FARTHEST_T = _FARTHEST_EFFECT / 10


def signed_rank_z(differences: ArrayLike) -> np.ndarray:
    r"""Compute Z of the signed-rank test with the continuity correction of Equation 10.

    It is always -1/2, which moves W+ *away* from its mean if B is ahead (erratum e52).

    Parameters
    ----------
    differences : array_like, shape (..., n)
        Scores of A minus scores of B.  Zeros are discarded, ties share their ranks.

    Returns
    -------
    ndarray, shape (...)
        0 for a sample of zeros.

    Examples
    --------
    >>> round(float(signed_rank_z([17, 3, 1, 9, -4, -2, -3, 3, 0])), 4)
    0.774
    """
    doubled_ranks, is_positive = doubled_midranks(np.asarray(differences, dtype=float))
    positive_sum = np.where(is_positive, doubled_ranks, 0).sum(axis=-1) / 2
    mean = doubled_ranks.sum(axis=-1) / 4
    sd = np.sqrt((doubled_ranks.astype(float) ** 2).sum(axis=-1)) / 4
    deviation = positive_sum - mean - 0.5
    return np.divide(deviation, sd, out=np.zeros(sd.shape), where=sd > 0)


def cv_t(
    t: ArrayLike,
    folds: ArrayLike,
    *,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> Prediction:
    """Compute the replication probability of one cross-validation with the interval of Equation 14.

    The equation takes quantiles of the noncentral t with noncentrality T for
    noncentralities, and covers about 91% instead of 95% (erratum e38).  The point is
    that of Equation 13, :func:`replib.replication_probability.cv_t` with ``scale=1``.

    Parameters
    ----------
    t : array_like
        Corrected resampled t statistics.
    folds : array_like of int
        Broadcast against `t`.
    alpha, confidence_level : float

    Returns
    -------
    Prediction

    Examples
    --------
    Example 4 of the paper:

    >>> printed = cv_t(2.262157, 10)
    >>> round(printed.point, 4), round(printed.low, 3), round(printed.high, 3)
    (0.5235, 0.046, 0.998)
    """
    t = np.asarray(t, dtype=float)
    df = np.asarray(folds, dtype=float) - 1
    critical = -special.stdtrit(df, alpha / 2)
    tail = (1 - confidence_level) / 2
    effect = np.clip(t, -_FARTHEST_T, _FARTHEST_T)
    low = special.nctdtrit(df, effect, tail)
    high = special.nctdtrit(df, effect, 1 - tail)
    is_certain = np.isinf(t)
    return Prediction(
        *(
            _probability_above(critical, np.where(is_certain, t, noncentrality), df)
            for noncentrality in (effect, low, high)
        )
    )


def _probability_above(
    critical: np.ndarray, noncentrality: np.ndarray, df: np.ndarray
) -> np.ndarray:
    """Return the probability that a noncentral t is above a critical value."""
    noncentrality = np.clip(noncentrality, -_FARTHEST_EFFECT, _FARTHEST_EFFECT)
    # SciPy has no value where it is below 1e-300
    return np.nan_to_num(special.nctdtr(df, -noncentrality, -critical))
