"""A metric of trained models: its bootstrap interval, and two models compared by exchanges."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from replib._attainable import smallest_pvalue
from replib._bars import with_bar
from replib._metrics.outcomes import Codes, all_outcomes
from replib._metrics.weighted import (
    WEIGHTS_AT_A_TIME,
    MetricOfOrder,
    WeightedMetric,
)
from replib._validation import Array
from replib.intervals import ConfidenceInterval
from replib.significance import Tails

#: Differences that differ by less than this part of the metric are ties: rounding of sums
#: of some thousand items, and of differences of such sums.
TIE = 1e-10
#: Least share of bootstrap samples that differ from the estimate, so that they show an
#: error: with fewer, both limits of a 95% interval are the estimate.
_LEAST_SHARE = 0.025


@dataclass(frozen=True, eq=False, kw_only=True)
class Bootstrapped:
    """Metric of a trained model, or difference of two, with its BCa interval over new items.

    Attributes
    ----------
    metric : WeightedMetric
        Of one model or of two.
    n_exchanges : int
        Number of bootstrap samples, and of exchanges if these are drawn.
    seed : int
    turned : bool
        Whether the metric is of B and A, in this order: see :func:`is_behind`.
    """

    metric: WeightedMetric
    n_exchanges: int
    seed: int = 0
    turned: bool = False

    @property
    def estimate(self) -> float:
        """Metric of A, minus metric of B if there are two; means over runs."""
        # a difference of 0 has no sign
        return 0.0 - self._lead if self.turned else self._lead

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the BCa interval of the difference, NaN if no sample shows an error."""
        if not self.has_spread:
            return ConfidenceInterval(np.nan, np.nan)
        outside = (1 - confidence_level) / 2
        z = self._bias + special.ndtri(np.array([outside, 1 - outside]))
        quantiles = special.ndtr(self._bias + z / (1 - self._acceleration * z))
        low, high = np.quantile(self._bootstrap, quantiles).tolist()
        if self.turned:
            return ConfidenceInterval(-high, -low)
        return ConfidenceInterval(low, high)

    def tails(self, shift: float) -> Tails:
        """Return the levels at which the limits of the BCa interval pass the shift."""
        if not self.has_spread:
            return Tails(np.nan, np.nan)
        z = special.ndtri(self._shares_below(-shift if self.turned else shift))
        z = z - self._bias
        z = z / (1 + self._acceleration * z) - self._bias
        greater, less = special.ndtr([z[1], -z[0]]).tolist()
        return Tails(less, greater) if self.turned else Tails(greater, less)

    @cached_property
    def has_spread(self) -> bool:
        """Whether enough bootstrap samples differ from the estimate to show its error."""
        differs = np.abs(self._bootstrap - self._lead) > self._tie
        return bool(differs.mean() >= _LEAST_SHARE)

    @cached_property
    def _values(self) -> Array:
        """The metric of the models of all items, shape (models, runs, 1)."""
        return self.metric.values(self.metric.counts[None])

    @property
    def _lead(self) -> float:
        """Metric of the first model, minus that of the second if there are two."""
        return float(_contrast(self._values)[0])

    @property
    def _tie(self) -> float:
        """Differences that differ by less are ties."""
        return _size_of_ties(self._values)

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
        return float(special.ndtri(self._shares_below(self._lead).mean()))

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
        below = np.searchsorted(self._bootstrap, shift - self._tie)
        up_to = np.searchsorted(self._bootstrap, shift + self._tie, side="right")
        return np.clip([below / n, up_to / n], 1 / (n + 1), n / (n + 1))


@dataclass(frozen=True, eq=False, kw_only=True)
class ExchangeTest(Bootstrapped):
    """Permutation test of the difference of two trained models in a metric, on new items.

    It is exact if all outcomes of the exchanges are few enough to go through.
    """

    df = np.nan

    @property
    def name(self) -> str:
        """The test, in words."""
        return name_of_exchanges([self])

    @property
    def of_ranks(self) -> bool:
        """Whether models exchange the ranks of their scores, which have other scales."""
        return isinstance(self.metric, MetricOfOrder)

    @property
    def statistic(self) -> float:
        """The estimate."""
        return self.estimate

    @property
    def is_exact(self) -> bool:
        """Whether all outcomes are gone through."""
        return self.metric.kinds.have_at_most(self.metric.most_outcomes)

    @property
    def n_differing(self) -> int:
        """Number of units whose exchange changes what the metric depends on."""
        return int(self.metric.kinds.sizes.sum())

    @cached_property
    def has_spread(self) -> bool:
        """Whether samples show an error; that of equal models is known to be 0."""
        return self.n_differing == 0 or super().has_spread

    @cached_property
    def pvalue(self) -> float:
        """Probability that an exchange has a difference as large.

        Of drawn exchanges it is their share, where the estimate counts as one of them.
        """
        if self.is_exact:
            return self._probability_of(abs(self._lead))
        is_as_large = self._drawn >= abs(self._lead) - self._tie
        n_exceeding = int(np.count_nonzero(is_as_large))
        return (1 + n_exceeding) / (1 + self.n_exchanges)

    @cached_property
    def smallest_pvalue(self) -> float:
        """The smallest p-value that units with these differences can give."""
        if self.is_exact:
            sizes, _ = self._outcomes
            return self._probability_of(float(sizes.max()))
        smallest = smallest_pvalue(self.n_differing, n_exchanges=self.n_exchanges)
        return float(smallest)

    def _probability_of(self, size: float) -> float:
        """Return the probability of a difference of this size or a larger one."""
        sizes, probability = self._outcomes
        is_as_large = sizes >= size - self._tie
        return min(1.0, float(probability[is_as_large].sum()))

    @cached_property
    def _outcomes(self) -> tuple[Array, Array]:
        """Sizes of the differences of all outcomes, and their probabilities."""
        kinds = self.metric.kinds
        outcomes = all_outcomes(kinds)
        n_parts = _n_parts(len(outcomes.lent), self.metric.counts.size)
        parts = with_bar(np.array_split(outcomes.lent, n_parts), "part")
        differences = [
            _contrast(self.metric.exchanged(lent, kinds.unit)) for lent in parts
        ]
        return np.abs(np.concatenate(differences)), outcomes.probability

    @property
    def _drawn(self) -> Array:
        """Sizes of the differences of random exchanges."""
        rng = np.random.default_rng(self.seed)
        counts = self.metric.counts
        single = bool((counts == 1).all())

        def exchanges(n: int) -> Array:
            if single:
                lent = _fair_bits(rng, n, counts.size)
            else:
                lent = rng.binomial(counts, 0.5, size=(n, counts.size)).astype(float)
            return _contrast(self.metric.exchanged(lent))

        return np.abs(_in_parts(exchanges, self.n_exchanges, counts.size))


def name_of_exchanges(tests: Sequence[ExchangeTest]) -> str:
    """Name tests of several pairs by exchanges, in words.  All are of one metric."""
    test = "permutation test"
    if tests[0].of_ranks:
        test = f"{test} of ranks"
    are_exact = [one.is_exact for one in tests]
    if all(are_exact):
        return f"exact {test}"
    drawn = f"with {tests[0].n_exchanges} exchanges"
    return f"{test}, exact or {drawn}" if any(are_exact) else f"{test} {drawn}"


def is_behind(metric: WeightedMetric) -> bool | None:
    """Return whether the first of two models has less of the metric; None if they tie.

    If the better model always comes first, the same draws are made for it in whichever
    order the pair is given.
    """
    values = metric.values(metric.counts[None])
    lead = float(_contrast(values)[0])
    if abs(lead) <= _size_of_ties(values):
        return None
    return lead < 0


def _size_of_ties(values: Array) -> float:
    """Return up to which difference values of models tie."""
    return TIE * float(np.abs(values).max())


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
    size = _n_at_a_time(n_units)
    sizes = [min(size, n - start) for start in range(0, n, size)]
    parts = with_bar(sizes, "part")
    return np.concatenate([draws(n_draws) for n_draws in parts])


def _n_at_a_time(n_units: int) -> int:
    """Return the number of exchanges or samples that are made at once."""
    return max(1, WEIGHTS_AT_A_TIME // n_units)


def _n_parts(n: int, n_units: int) -> int:
    """Return in how many parts n exchanges are made."""
    return math.ceil(n / _n_at_a_time(n_units))
