"""A metric of trained models: its bootstrap interval, and two models compared by exchanges."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from replib._bars import with_bar
from replib._metrics.weighted import WEIGHTS_AT_A_TIME, Codes, WeightedMetric
from replib._validation import Array
from replib.intervals import ConfidenceInterval
from replib.significance import Tails

#: Differences that differ by less are ties: rounding of sums of some thousand items.
_TIE = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class Bootstrapped:
    """Metric of a trained model, or difference of two, with its BCa interval over new items.

    Attributes
    ----------
    metric : WeightedMetric
        Of one model or of two.
    n_exchanges : int
        Number of bootstrap samples, and of exchanges.
    seed : int
    """

    metric: WeightedMetric
    n_exchanges: int
    seed: int = 0

    @cached_property
    def estimate(self) -> float:
        """Metric of A, minus metric of B if there are two; means over runs."""
        counts = self.metric.counts[None]
        return float(_contrast(self.metric.values(counts))[0])

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the BCa interval of the difference."""
        outside = (1 - confidence_level) / 2
        z = self._bias + special.ndtri(np.array([outside, 1 - outside]))
        quantiles = special.ndtr(self._bias + z / (1 - self._acceleration * z))
        low, high = np.quantile(self._bootstrap, quantiles).tolist()
        return ConfidenceInterval(low, high)

    def tails(self, shift: float) -> Tails:
        """Return the levels at which the limits of the BCa interval pass the shift."""
        z = special.ndtri(self._shares_below(shift)) - self._bias
        z = z / (1 + self._acceleration * z) - self._bias
        greater, less = special.ndtr([z[1], -z[0]]).tolist()
        return Tails(greater, less)

    @cached_property
    def _bootstrap(self) -> Array:
        """Differences of bootstrap samples, ascending."""
        # a stream of its own: the p-value does not depend on whether the interval was drawn
        stream = np.random.SeedSequence(self.seed, spawn_key=(1,))
        rng = np.random.default_rng(stream)
        counts = self.metric.counts
        n = counts.sum()
        single = bool((counts == 1).all())

        def resampled(n_samples: int) -> Array:
            if single:
                weights = _bootstrap_weights(rng, n_samples, counts.size)
            else:
                weights = rng.multinomial(n, counts / n, size=n_samples)
            return _contrast(self.metric.values(weights))

        return np.sort(_in_parts(resampled, self.n_exchanges, counts.size))

    @cached_property
    def _bias(self) -> float:
        """Median bias of the bootstrap, in standard errors."""
        return float(special.ndtri(self._shares_below(self.estimate).mean()))

    @cached_property
    def _acceleration(self) -> float:
        """A sixth of the skewness of the influence of the units (Efron 1987)."""
        counts = self.metric.counts
        left_out = _contrast(self.metric.values_without_units())
        influence = np.average(left_out, weights=counts) - left_out
        spread = (counts * influence**2).sum()
        if spread == 0:
            return 0.0
        return float((counts * influence**3).sum() / (6 * spread**1.5))

    def _shares_below(self, shift: float) -> Array:
        """Return the shares of samples below the shift and up to it, neither 0 nor 1."""
        n = len(self._bootstrap)
        borders = [shift - _TIE, shift + _TIE]
        shares = np.searchsorted(self._bootstrap, borders) / n
        return np.clip(shares, 1 / (n + 1), n / (n + 1))


@dataclass(frozen=True, eq=False, kw_only=True)
class ExchangeTest(Bootstrapped):
    """Permutation test of the difference of two trained models in a metric, on new items."""

    df = np.nan

    @property
    def name(self) -> str:
        """The test, in words."""
        return f"permutation test with {self.n_exchanges} exchanges"

    @property
    def statistic(self) -> float:
        """The estimate."""
        return self.estimate

    @cached_property
    def pvalue(self) -> float:
        """Share of exchanges whose difference is as large; the estimate counts as one of them."""
        rng = np.random.default_rng(self.seed)
        counts = self.metric.counts
        single = bool((counts == 1).all())

        def exchanges(n: int) -> Array:
            if single:
                lent = _fair_bits(rng, n, counts.size)
            else:
                lent = rng.binomial(counts, 0.5, size=(n, counts.size)).astype(float)
            return _contrast(self.metric.exchanged(lent))

        differences = _in_parts(exchanges, self.n_exchanges, counts.size)
        exceeds = np.abs(differences) >= abs(self.estimate) - _TIE
        n_exceeding = int(np.count_nonzero(exceeds))
        return (1 + n_exceeding) / (1 + self.n_exchanges)


def _contrast(values: Array) -> Array:
    """Return A minus B, or A alone, means over runs, of values of shape (models, runs, n)."""
    of_runs = values[0] - values[1] if len(values) == 2 else values[0]
    return np.asarray(of_runs.mean(axis=0))


def _fair_bits(rng: np.random.Generator, n: int, n_units: int) -> Array:
    """Return the outcomes of fair coins, 0 or 1, shape (n, units): a random bit each."""
    n_bytes = math.ceil(n_units / 8)
    drawn = np.frombuffer(rng.bytes(n * n_bytes), dtype=np.uint8)
    bits = np.unpackbits(drawn.reshape(n, n_bytes), axis=1, count=n_units)
    return bits.astype(float)


def _bootstrap_weights(rng: np.random.Generator, n: int, n_units: int) -> Codes:
    """Return how often each of equally frequent units is drawn, shape (n, units).

    They are multinomial; drawing the units themselves is faster.
    """
    draws = rng.integers(0, n_units, size=(n, n_units))
    weights = np.empty((n, n_units), dtype=np.int64)
    # in place: a list of all counts would need its memory anew for each sample
    for row, drawn in zip(weights, draws):
        row[:] = np.bincount(drawn, minlength=n_units)
    return weights


def _in_parts(draws: Callable[[int], Array], n: int, n_units: int) -> Array:
    """Return n draws, made in parts that need little memory."""
    size = max(1, WEIGHTS_AT_A_TIME // n_units)
    sizes = [min(size, n - start) for start in range(0, n, size)]
    parts = with_bar(sizes, "part")
    return np.concatenate([draws(n_draws) for n_draws in parts])
