"""Tests against a difference other than zero, as equivalence and non-inferiority need them.

Two models are equivalent within a margin if both one-sided tests reject: that A is
worse by the margin or more, and that it is better by the margin or more (Schuirmann
1987).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib._validation import Array, as_number, broadcast, without_rounding_noise
from replib.intervals import ConfidenceInterval
from replib.significance._walsh import limits, medians, shifted_ranks, walsh_averages
from replib.significance.results import Floats, Tails
from replib.significance.samples import finite_samples

#: Differences in a sample up to which all pairs of them are formed.
MOST_DIFFERENCES = 5000


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
    n = validation.whole_number("n", n, at_least=1, at_most=validation.MOST_TRIALS)
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
    return tango_tails(b, c, n, shift=shift)


def tango_tails(
    wins: NDArray[np.int64], losses: NDArray[np.int64], n: int, *, shift: Floats
) -> Tails:
    """Test checked counts by Tango's score, as :func:`tango` does, each at its own shift."""
    # maximum likelihood of the probability that only B is right, given the difference:
    # the larger root of a quadratic equation
    linear = (2.0 * n - wins + losses) * shift - wins - losses
    discriminant = linear**2 + 8.0 * n * losses * shift * (1 - shift)
    only_b = (np.sqrt(np.maximum(discriminant, 0)) - linear) / (2 * n)
    variance = n * (only_b + shift * (1 - shift))
    score = without_rounding_noise(wins - losses - n * shift, n)
    z = score / np.sqrt(np.maximum(variance, np.finfo(float).tiny))
    return Tails(as_number(special.ndtr(-z)), as_number(special.ndtr(z)))


@dataclass(frozen=True, eq=False)
class HodgesLehmannResult:
    """Centres of samples of differences, with the signed-rank test of any shift.

    Attributes
    ----------
    differences : ndarray, shape (..., n)
    """

    differences: Array

    @cached_property
    def estimate(self) -> Floats:
        """Median of the Walsh averages, which are the means of all pairs and the differences."""
        parts = walsh_averages(self._rows)
        return self._joined([medians(walsh) for _, walsh in parts])

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
        ranks = shifted_ranks(self.differences, np.asarray(shift))
        at_most, at_least = ranks.tails()
        return Tails(greater=as_number(at_least), less=as_number(at_most))

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
        parts = walsh_averages(self._rows)
        intervals = [limits(x, walsh, tail) for x, walsh in parts]
        low = self._joined([low for low, _ in intervals])
        high = self._joined([high for _, high in intervals])
        return ConfidenceInterval(low, high)

    @property
    def _rows(self) -> Array:
        """The samples as rows of a table."""
        return self.differences.reshape(-1, self.differences.shape[-1])

    def _joined(self, parts: list[Array]) -> Floats:
        """Return numbers of all samples, some rows at a time, in the shape of the samples."""
        numbers = np.concatenate([np.empty(0), *parts])
        return as_number(numbers.reshape(self.differences.shape[:-1]))


def hodges_lehmann(differences: ArrayLike) -> HodgesLehmannResult:
    """Estimate the centre of differences, with the interval of the exact signed-rank test.

    Parameters
    ----------
    differences : array_like, shape (..., n)
        Scores of A minus scores of B, in any unit: samples of 2 to 5000.

    Returns
    -------
    HodgesLehmannResult
        With the `estimate`, the two one-sided tests `tails` and a
        `confidence_interval`.

    Raises
    ------
    ValueError
        If a sample has fewer than two differences or too many, or one that is not
        finite.

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
    if x.shape[-1] > MOST_DIFFERENCES:
        raise ValueError(
            f"differences must be at most {MOST_DIFFERENCES} in each sample, not "
            f"{x.shape[-1]}"
        )
    return HodgesLehmannResult(x)
