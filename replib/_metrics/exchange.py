"""Two trained models compared by exchanging their predictions, with the BCa bootstrap interval."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib._metrics.weighted import (
    Codes,
    WeightedMetric,
    in_parts,
    values_without_units,
)
from replib._validation import Array
from replib.intervals import ConfidenceInterval
from replib.significance import Tails

#: Differences that differ by less are ties: rounding of sums of some thousand items.
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class ExchangeTest:
    """Permutation test of the difference of two trained models in a metric, on new items.

    Attributes
    ----------
    estimate : float
        Metric of A minus metric of B, means over runs.
    n_exchanges : int
    n_exceeding : int
        Exchanges whose difference is at least as large as the estimate.
    bootstrap : ndarray
        Differences of bootstrap samples, ascending.
    acceleration : float
        Of the BCa interval (Efron 1987).
    """

    estimate: float
    n_exchanges: int
    n_exceeding: int
    bootstrap: Array
    acceleration: float
    df = np.nan

    @property
    def name(self) -> str:
        """The test, in words."""
        return f"permutation test with {self.n_exchanges} exchanges"

    @property
    def statistic(self) -> float:
        """The estimate."""
        return self.estimate

    @property
    def pvalue(self) -> float:
        """Share of exchanges that exceed the estimate, which counts as one of them."""
        return (1 + self.n_exceeding) / (1 + self.n_exchanges)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the BCa interval of the difference."""
        outside = (1 - confidence_level) / 2
        z = self._bias + special.ndtri(np.array([outside, 1 - outside]))
        quantiles = special.ndtr(self._bias + z / (1 - self.acceleration * z))
        low, high = np.quantile(self.bootstrap, quantiles).tolist()
        return ConfidenceInterval(low, high)

    def tails(self, shift: float) -> Tails:
        """Return the levels at which the limits of the BCa interval pass the shift."""
        z = special.ndtri(self._shares_below(shift)) - self._bias
        z = z / (1 + self.acceleration * z) - self._bias
        greater, less = special.ndtr([z[1], -z[0]]).tolist()
        return Tails(greater, less)

    @property
    def _bias(self) -> float:
        """Median bias of the bootstrap, in standard errors."""
        return float(special.ndtri(self._shares_below(self.estimate).mean()))

    def _shares_below(self, shift: float) -> Array:
        """Return the shares of samples below the shift and up to it, neither 0 nor 1."""
        n = len(self.bootstrap)
        borders = [shift - _TIE, shift + _TIE]
        shares = np.searchsorted(self.bootstrap, borders) / n
        return np.clip(shares, 1 / (n + 1), n / (n + 1))


def exchange_test(
    metric: WeightedMetric, *, n_exchanges: int, seed: int = 0
) -> ExchangeTest:
    """Test the difference of two models that stand side by side in a metric."""
    counts = metric.counts
    n_units = counts.size
    rng = np.random.default_rng(seed)

    def difference(own: NDArray[np.int64], lent: NDArray[np.int64]) -> Array:
        """Return A minus B, where some units of each model count for the other one."""
        of_a = metric(np.hstack([own, lent]))
        of_b = metric(np.hstack([lent, own]))
        return np.asarray((of_a - of_b).mean(axis=0))

    def of_weights(weights: Codes) -> Array:
        return difference(weights, np.zeros_like(weights))

    def exchanged(draws: Codes) -> Array:
        lent = rng.binomial(counts, 0.5, size=(draws.size, n_units))
        return difference(counts - lent, lent)

    def resampled(draws: Codes) -> Array:
        n = counts.sum()
        return of_weights(rng.multinomial(n, counts / n, size=draws.size))

    estimate = float(of_weights(counts[None])[0])
    exchanges = in_parts(exchanged, n_exchanges, n_units)
    bootstrap = in_parts(resampled, n_exchanges, n_units)
    return ExchangeTest(
        estimate=estimate,
        n_exchanges=n_exchanges,
        n_exceeding=int((np.abs(exchanges) >= abs(estimate) - _TIE).sum()),
        bootstrap=np.sort(bootstrap),
        acceleration=_acceleration(values_without_units(of_weights, counts), counts),
    )


def _acceleration(left_out: Array, counts: Codes) -> float:
    """Return a sixth of the skewness of the influence of the units (Efron 1987)."""
    influence = np.average(left_out, weights=counts) - left_out
    spread = (counts * influence**2).sum()
    if spread == 0:
        return 0.0
    return float((counts * influence**3).sum() / (6 * spread**1.5))
