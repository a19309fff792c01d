"""Tests against a difference other than zero, as equivalence and non-inferiority need them.

Two models are equivalent within a margin if both one-sided tests reject: that A is
worse by the margin or more, and that it is better by the margin or more (Schuirmann
1987).
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib import _validation as validation
from replib._validation import (
    ROUNDING_NOISE,
    Array,
    as_number,
    broadcast,
    without_rounding_noise,
)
from replib.intervals import ConfidenceInterval
from replib.significance.ranks import signed_rank
from replib.significance.results import Tails
from replib.significance.samples import finite_samples


def tango(wins: ArrayLike, losses: ArrayLike, n: int, *, shift: float) -> Tails:
    r"""Test whether a difference of paired proportions is above, and whether it is below `shift`.

    The score test of Tango (1998):

    .. math:: z(\delta) = \frac{b - c - n\delta}{\sqrt{n (2\tilde q + \delta (1 - \delta))}}

    for b wins and c losses among n pairs; :math:`\tilde q` is the maximum likelihood
    estimate of the probability of a loss, given the difference :math:`\delta`.  At 0 it
    is McNemar's test without correction.

    Parameters
    ----------
    wins, losses : array_like of int
        Pairs that only A, and that only B, has right; broadcast against each other.
    n : int
        All pairs, at least 1.
    shift : float
        From -1 to 1.

    Returns
    -------
    Tails

    Raises
    ------
    ValueError
        If an argument lies outside its range, or there are more wins and losses than
        pairs.

    References
    ----------
    T. Tango (1998). Equivalence test and confidence interval for the difference in proportions for
    the paired-sample design. Statistics in Medicine 17.

    Examples
    --------
    >>> round(tango(6, 16, 161, shift=-0.15).greater, 4)
    0.0038
    """
    n = validation.whole_number("n", n, at_least=1, at_most=10**9)
    b, c = broadcast(
        ("wins", "losses"),
        validation.whole_numbers("wins", wins, at_least=0),
        validation.whole_numbers("losses", losses, at_least=0),
    )
    if np.any(b + c > n):
        raise ValueError(
            f"wins and losses must sum to at most n = {n}, not to {(b + c).max()}"
        )
    shift = validation.real_number("shift", shift, -1, 1)
    # maximum likelihood of the probability that only B is right, given the difference
    linear = (2.0 * n - b + c) * shift - b - c
    root = np.sqrt(np.maximum(linear**2 + 8.0 * n * c * shift * (1 - shift), 0))
    variance = n * ((root - linear) / (2 * n) + shift * (1 - shift))
    score = without_rounding_noise(b - c - n * shift, n)
    z = score / np.sqrt(np.maximum(variance, np.finfo(float).tiny))
    return Tails(as_number(special.ndtr(-z)), as_number(special.ndtr(z)))


@dataclass(frozen=True, eq=False)
class HodgesLehmannResult:
    """Centre of differences, with the signed-rank test of any shift.

    Attributes
    ----------
    differences : ndarray, shape (n,)
    """

    differences: Array

    @cached_property
    def walsh_averages(self) -> Array:
        """Means of all pairs of differences, and the differences themselves, ascending."""
        x = self.differences
        i, j = np.triu_indices(len(x))
        return np.sort((x[i] + x[j]) / 2)

    @property
    def estimate(self) -> float:
        """Median of the Walsh averages."""
        return float(np.median(self.walsh_averages))

    def tails(self, shift: float) -> Tails:
        """Test whether the centre is above, and whether it is below `shift`.

        Parameters
        ----------
        shift : float

        Returns
        -------
        Tails
            P-values of :func:`signed_rank` for the differences minus `shift`.

        Raises
        ------
        ValueError
            If the shift is not a finite number.
        """
        shift = validation.real_number("shift", shift, -1e74, 1e74)
        x = without_rounding_noise(
            self.differences - shift, np.abs(self.differences).max()
        )
        return Tails(
            *(signed_rank(x, alternative=side).pvalue for side in ("greater", "less"))
        )

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute the interval of the centres that the signed-rank test does not reject.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            Its limits are Walsh averages; infinite if the test can reject nothing at
            this level.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1.
        """
        validation.check_level("confidence_level", confidence_level)
        tail = (1 - confidence_level) / 2
        walsh = self.walsh_averages
        noise = ROUNDING_NOISE * np.abs(walsh).max()
        limits = walsh[np.append(True, np.diff(walsh) > noise)]
        # between two of them the p-values do not change
        shifts = np.concatenate(
            [limits[:1] - 1, (limits[1:] + limits[:-1]) / 2, limits[-1:] + 1]
        )

        def limit(order: int) -> float:
            """Return the border of the shifts that are rejected, from one end to the estimate."""
            beyond = order * (limits - self.estimate) < -noise
            keeps = lambda place: (
                self.tails(float(shifts[::order][place]))[order < 0] >= tail
            )
            rejected = bisect_left(range(int(beyond.sum()) + 1), True, key=keeps)
            return float(limits[::order][rejected - 1]) if rejected else -order * np.inf

        return ConfidenceInterval(limit(1), limit(-1))


def hodges_lehmann(differences: ArrayLike) -> HodgesLehmannResult:
    """Estimate the centre of differences, with the interval of the exact signed-rank test.

    Parameters
    ----------
    differences : array_like, shape (n,)
        Scores of A minus scores of B, in any unit: from 2 to 5000.

    Returns
    -------
    HodgesLehmannResult
        With the `estimate`, the two one-sided tests `tails` and a
        `confidence_interval`.

    Raises
    ------
    ValueError
        If these are not finite numbers in a row.

    Notes
    -----
    A shift that is itself a Walsh average leaves zero or tied differences, for which the test may
    have a smaller p-value than on either side.  The interval contains its limits nevertheless.

    References
    ----------
    J. L. Hodges, E. L. Lehmann (1963). Estimates of location based on rank tests. Annals of
    Mathematical Statistics 34.

    Examples
    --------
    >>> result = hodges_lehmann([17, 3, 1, 9, -4, -2, -3, 3])
    >>> result.estimate, tuple(result.confidence_interval())
    (2.25, (-3.0, 10.0))
    >>> result.tails(0).greater
    0.23046875
    """
    x = finite_samples(differences, -1)
    if x.ndim > 1 or x.size > 5000:
        raise ValueError(
            f"differences must be a row of at most 5000, not of shape {x.shape}"
        )
    return HodgesLehmannResult(x)
