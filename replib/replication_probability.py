r"""Probability that a significant result is significant again, in the same direction, on new data.

Four models of Berrar (2024), each with a point estimate and a prediction interval: wins
and losses over data sets (:func:`binomial`, :func:`bayesian`), the signed-rank
statistic over data sets (:func:`wilcoxon`), and the variance-corrected t statistic of
one cross-validation (:func:`cv_t`). All take the observed effect to be the true one and
compute the power of a repetition of the experiment.  :func:`signed_rank` is for the
differences themselves, in one comparison over data sets or in several with Holm's
correction; the coverage of its interval has been checked.

Unlike the paper's, the interval of :func:`cv_t` has its nominal coverage.
:func:`cv_t` and :func:`signed_rank` allow for the first result having been noticed
*because* it was significant (``selected=True``).

The direction is that of A: many wins, positive z, positive t.  For an experiment that B
won, count the wins of B, or change the sign.

Functions raise `ValueError` if an argument lies outside its range.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib._validation import ROUNDING_NOISE, Array, as_number, broadcast
from replib.intervals import Prediction, clopper_pearson, highest_density_interval
from replib.multiple_comparisons import adjusted_pvalues
from replib.significance.ranks import EXACT_UP_TO, doubled_midranks, rank_test
from replib.significance.samples import finite_samples

# Scale of a statistic; the largest is its reciprocal.
_LEAST_SCALE = 1e-100

# The grid of `signed_rank`: log odds of a win at the greatest difference, closest
# together where they matter most.
_LOG_ODDS = 30 * np.sinh(5 * np.linspace(-1, 1, 121)) / np.sinh(5)
_NO_EFFECT = len(_LOG_ODDS) // 2
# Exponent of the relative rank in the log odds: see the notes of `signed_rank`.
_EXPONENT = 0.35

# `nctdtr` converges up to this noncentrality; limits can be several times as large as t.
_FARTHEST_EFFECT = 5e4
_FARTHEST_T = _FARTHEST_EFFECT / 10

# Newton's method for an effect: the steps that it needs for limits of 95% and ten folds;
# the step of its numerical derivative, as a share of the width; and how near, in normal
# quantiles, the tail must come to the one that is wanted.
_STEPS_OF_NEWTON = 3
_STEP = 1e-4
_REACHED = 1e-12


def smallest_significant(
    n: ArrayLike, *, alpha: float = 0.05
) -> NDArray[np.int64] | int:
    r"""Return the smallest number of wins in n that is significant in the two-sided binomial test.

    This is the s of Berrar (2024, Lemma 1): the least count above n/2 with
    :math:`2\,P(X \ge s) < \alpha` for :math:`X \sim \mathrm{Bin}(n, 1/2)`.

    Parameters
    ----------
    n : array_like of int
        Number of comparisons, at least 1.
    alpha : float, default 0.05
        Significance level, between 0 and 1.

    Returns
    -------
    int or ndarray of int
        n + 1 if even n wins are not significant.

    Examples
    --------
    >>> smallest_significant(44), smallest_significant(5)
    (29, 6)
    """
    n = validation.whole_numbers("n", n, at_least=1, at_most=validation.MOST_TRIALS)
    validation.check_level("alpha", alpha)
    near = n - np.floor(special.bdtrik(alpha / 2, n, 0.5)).astype(np.int64)
    # the inverse may be off by one in its last place, and the count with it
    is_too_few = [2 * _upper_tail(near + step, n, 0.5) >= alpha for step in (-1, 0, 1)]
    return as_number(near - 1 + np.sum(is_too_few, axis=0))


def binomial(
    wins: ArrayLike,
    n: ArrayLike,
    *,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> Prediction:
    r"""Estimate the replication probability from wins and losses (Berrar 2024, Lemma 1).

    .. math:: \hat P_b = \sum_{i=s}^{n} \mathrm{Bin}(i; n, x/n)

    with s from :func:`smallest_significant`; the interval (Equation 6) replaces x/n by
    the Clopper-Pearson limits of the success probability.

    Parameters
    ----------
    wins : array_like of int
        x, the number of data sets on which A was better, 0 to `n`.
    n : array_like of int
        Number of data sets, all with a winner; at least 1.
    alpha : float, default 0.05
        Level of the two-sided test.
    confidence_level : float, default 0.95
        The paper's 1 - c.

    Returns
    -------
    Prediction
        Zero if n is too small for any result to be significant.

    Examples
    --------
    >>> p = binomial(29, 44)
    >>> round(p.point, 4), round(p.low, 4), round(p.high, 4)
    (0.5696, 0.025, 0.989)
    """
    x, n = validation.successes_and_trials("wins", wins, n)
    s = smallest_significant(n, alpha=alpha)
    low, high = clopper_pearson(x, n, confidence_level=confidence_level)
    return Prediction(
        point=_upper_tail(s, n, x / n),
        low=_upper_tail(s, n, low),
        high=_upper_tail(s, n, high),
    )


def bayesian(
    wins: ArrayLike,
    n: ArrayLike,
    *,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> Prediction:
    r"""Estimate the replication probability from wins, uniform prior (Berrar 2024, Lemma 2).

    Like :func:`binomial`, with the posterior mean :math:`(1+x)/(2+n)` for the success
    probability and the limits of its highest density interval; the posterior is
    Beta(1+x, 1+n-x).

    Parameters
    ----------
    wins, n, alpha, confidence_level
        As in :func:`binomial`.

    Returns
    -------
    Prediction

    Examples
    --------
    >>> p = bayesian(29, 44)
    >>> round(p.point, 4), round(p.low, 4), round(p.high, 3)
    (0.5311, 0.0384, 0.983)
    """
    x, n = validation.successes_and_trials("wins", wins, n)
    s = smallest_significant(n, alpha=alpha)
    low, high = highest_density_interval(
        1 + x, 1 + n - x, confidence_level=confidence_level
    )
    mean = (1 + x) / (2 + n)
    return Prediction(
        point=_upper_tail(s, n, mean),
        low=_upper_tail(s, n, low),
        high=_upper_tail(s, n, high),
    )


def wilcoxon(
    z: ArrayLike, sd: ArrayLike, *, alpha: float = 0.05, confidence_level: float = 0.95
) -> Prediction:
    r"""Estimate the replication probability of a signed-rank test (Berrar 2024, Proposition 1).

    .. math:: \hat P_w = 1 - \Phi\!\left(\frac{z_{1-\alpha/2} - Z_w}{s^*}\right)

    The interval (Equation 12) moves the mean by :math:`\pm z_{1-c/2}\, s^*`.

    Parameters
    ----------
    z : array_like
        Standardised statistic of the first experiment, positive if A was better.
    sd : array_like
        :math:`s^*`, the standard deviation of z over repetitions of the experiment, above 0; it
        is 1 in the normal theory under the null hypothesis.
    alpha, confidence_level
        As in :func:`binomial`.

    Returns
    -------
    Prediction

    Examples
    --------
    >>> p = wilcoxon(1.96, 1.0)
    >>> round(p.point, 3), round(p.low, 3), round(p.high, 3)
    (0.5, 0.025, 0.975)
    """
    z, sd = broadcast(
        ("z", "sd"),
        validation.finite_array("z", z),
        validation.array_within("sd", sd, _LEAST_SCALE, 1 / _LEAST_SCALE),
    )
    validation.check_level("alpha", alpha)
    validation.check_level("confidence_level", confidence_level)
    critical = -special.stdtrit(np.inf, alpha / 2)
    half = special.ndtri(1 - (1 - confidence_level) / 2) * sd
    return Prediction(
        point=special.ndtr((z - critical) / sd),
        low=special.ndtr((z - half - critical) / sd),
        high=special.ndtr((z + half - critical) / sd),
    )


def signed_rank(
    differences: ArrayLike,
    *,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    selected: bool = False,
) -> Prediction:
    r"""Estimate replication probabilities of signed-rank tests over data sets, Holm-corrected.

    The prediction is for the decision that is reported: that on as many other data sets
    the exact test (:func:`replib.significance.signed_rank`) is significant for A after
    Holm's correction.

    Parameters
    ----------
    differences : array_like, shape (..., tests, n) or (n,)
        Scores of A minus scores of B on n data sets, for all tests that are corrected
        together.  A single row is a single test.
    alpha : float, default 0.05
        Level of all tests together.
    confidence_level : float, default 0.95
    selected : bool, default False
        Allow for significant results having been noticed because they were significant:
        their estimates and intervals are conditional on significance.  Other results
        are not affected.

    Returns
    -------
    Prediction
        One probability per test.  Zero if there are too few nonzero differences for any
        result to be significant.

    Raises
    ------
    ValueError
        If a difference is not finite, there are fewer than two, or an option is out of
        range.

    Notes
    -----
    Holm's procedure rejects a test exactly if its p-value is below :math:`\alpha/(m-r)`, where r of
    the other m - 1 tests are rejected if this one is not; r is taken from the first experiment.

    The working model lets A win the difference of rank i with log odds
    :math:`\theta\,(i/n')^{0.35}`, independently, so the distribution of W+ shifts upward
    with :math:`\theta`; :math:`\theta=0` is the null distribution, ties included.  Limits of
    :math:`\theta`, converted by the power function, are Blaker's (2000): an effect is left out
    if the smaller tail at the observed W+, and the largest tail on the other side that does not
    exceed it, have a joint probability of at most 1 - `confidence_level`.  With many values of W+
    the tails are equal; near its maximum the other tail is empty, so that a single limit can miss
    with the whole of that probability.  The point estimate is the mean of the power over the
    confidence distribution of :math:`\theta`: a prediction, which is less extreme than the power
    at the most likely :math:`\theta`.  With more than 50 nonzero differences W+ is taken to be
    normal.

    The exponent was chosen between 0.15 and 0.75 by the coverage of intervals over
    simulated benchmarks (8 to 50 data sets; 2, 3 and 5 classifiers; normal,
    heavy-tailed and skewed differences), which is stored with the book
    (`replication_of_benchmarks`).  As results come, a nominal 95% is 93% to 97% in
    nearly all settings.  Given significance, W+ has so few values on 20 data sets or
    fewer that many intervals cover more.  The data sets must be a random sample of
    those that the statement is about.

    Examples
    --------
    >>> d = [.07, .06, .05, .01, .08, .02, -.01, .03, .04, .09]
    >>> again = signed_rank(d)
    >>> round(again.point, 2), round(again.low, 2), round(again.high, 2)
    (0.76, 0.12, 1.0)
    >>> again = signed_rank(d, selected=True)
    >>> round(again.point, 2), round(again.low, 2), round(again.high, 2)
    (0.64, 0.01, 1.0)
    """
    validation.check_level("alpha", alpha)
    validation.check_level("confidence_level", confidence_level)
    validation.check_flag("selected", selected)
    x = finite_samples(differences, -1)
    n = x.shape[-1]
    p = np.atleast_1d(rank_test(x).pvalue)
    level = _levels_of_holm(p, alpha).ravel()
    is_selected = selected & (p.ravel() < level)

    doubled_ranks, is_positive = doubled_midranks(x.reshape(-1, n))
    doubled_sum = np.where(is_positive, doubled_ranks, 0).sum(axis=-1)
    # tests with the same ties, level and selection have the same distributions
    kinds, kind = np.unique(
        np.c_[doubled_ranks, level, is_selected], axis=0, return_inverse=True
    )
    kind = kind.reshape(-1)  # its shape has changed between versions of NumPy
    predictions = np.zeros((3, len(level)))
    for i in range(len(kinds)):
        rows = kind == i
        example = np.argmax(rows)
        nonzero = doubled_ranks[example][doubled_ranks[example] > 0]
        if nonzero.size == 0:
            continue  # nothing can be significant
        sums, row = np.unique(doubled_sum[rows], return_inverse=True)
        predictions_of_sums = _predictions_of_sums(
            nonzero,
            sums,
            level=level[example],
            miss=1 - confidence_level,
            is_selected=bool(is_selected[example]),
        )
        predictions[:, rows] = predictions_of_sums[:, row]
    return Prediction(*predictions.reshape(3, *x.shape[:-1]))


def _levels_of_holm(p: Array, alpha: float) -> Array:
    """Return alpha / (m - r), where r of the m - 1 other tests (last axis) are rejected.

    The decisions on the others are those of Holm's procedure if this test is not
    rejected, as if its p-value were 1.
    """
    others = np.where(np.eye(p.shape[-1], dtype=bool), 1.0, p[..., np.newaxis, :])
    is_rejected = np.asarray(adjusted_pvalues(others, method="holm")) < alpha
    return np.asarray(alpha / (p.shape[-1] - is_rejected.sum(axis=-1)))


@dataclass(frozen=True, eq=False)
class _ExactSums:
    """Distributions of the doubled W+, one per effect.

    Attributes
    ----------
    table : ndarray, shape (sums, effects)
        P(W+ >= 0), P(W+ >= step), ...
    step : int
        Of which all sums are multiples.
    critical : int
        The least sum that is significant for A.
    """

    table: Array
    step: int
    critical: int

    @classmethod
    def from_ranks(cls, ranks: NDArray[np.int64], level: float) -> Self:
        step = int(np.gcd.reduce(ranks))  # doubled ranks without ties are even
        table = np.zeros((ranks.sum() // step + 2, len(_LOG_ODDS)))
        table[0] = 1.0
        n_sums = 1  # that the ranks so far can have
        for rank, win in zip(ranks // step, _win_probabilities(ranks)):
            won = table[:n_sums] * win
            table[:n_sums] *= 1 - win
            table[rank : rank + n_sums] += won
            n_sums += rank
        table = np.cumsum(table[::-1], axis=0)[::-1]
        two_sided = 2 * table[:, _NO_EFFECT]
        n_not_significant = np.searchsorted(-two_sided, -level, side="right")
        return cls(table, step, critical=step * int(n_not_significant))

    def at_least(self, w: Any) -> Array:
        """Return P(W+ >= w), with the effects on a last axis."""
        return self.table[-(-w // self.step)]

    def values(self) -> NDArray[np.int64]:
        """Return all sums that W+ may have."""
        return self.step * np.arange(len(self.table) - 1)


@dataclass(frozen=True, eq=False)
class _NormalSums:
    """The same for many ranks, by the normal approximation.

    Attributes
    ----------
    mean, sd : ndarray, shape (effects,)
    critical : float
    """

    mean: Array
    sd: Array
    critical: float

    @classmethod
    def from_ranks(cls, ranks: NDArray[np.int64], level: float) -> Self:
        wins = _win_probabilities(ranks)
        mean = ranks @ wins
        sd = np.sqrt(ranks**2 @ (wins * (1 - wins)))
        critical = mean[_NO_EFFECT] - special.ndtri(level / 2) * sd[_NO_EFFECT]
        return cls(mean, sd, critical)

    def at_least(self, w: Any) -> Array:
        """Return P(W+ >= w), with the effects on a last axis."""
        return np.asarray(
            special.ndtr((self.mean - np.asarray(w)[..., np.newaxis]) / self.sd)
        )


def _win_probabilities(ranks: NDArray[np.int64]) -> Array:
    """Return P(A wins) in the working model, shape (ranks, effects)."""
    relative_rank = ranks[:, np.newaxis] / ranks.max()
    return np.asarray(special.expit(_LOG_ODDS * relative_rank**_EXPONENT))


@dataclass(frozen=True, eq=False)
class _NoticedSums:
    """Distributions of W+ among the sums that are noticed, one per effect.

    Attributes
    ----------
    model : _ExactSums or _NormalSums
        Distributions among all sums.
    largest_lost : int or float
        The largest sum that is significant for B.
    is_selected : bool
        Whether only significant sums are noticed; else all are.
    """

    model: _ExactSums | _NormalSums
    largest_lost: Any
    is_selected: bool

    @classmethod
    def from_ranks(
        cls, ranks: NDArray[np.int64], level: float, *, is_selected: bool
    ) -> Self:
        kind = _ExactSums if len(ranks) <= EXACT_UP_TO else _NormalSums
        model = kind.from_ranks(ranks, level)
        return cls(model, ranks.sum() - model.critical, is_selected)

    @cached_property
    def power(self) -> Array:
        """P(W+ is significant for A) among all sums."""
        return self.model.at_least(self.model.critical)

    @cached_property
    def unnoticed(self) -> Array:
        """P(W+ is not noticed)."""
        if not self.is_selected:
            return np.zeros(self.power.shape)
        return self.model.at_least(self.largest_lost + 1) - self.power

    def tails(self, w: NDArray[np.int64]) -> tuple[Array, Array]:
        """Return P(W+ >= w) and P(W+ <= w), shape (sums, effects)."""
        # all that is not noticed lies above a w that is not significant for A
        is_below = (w < self.model.critical)[:, np.newaxis]
        left_out = np.where(is_below, self.unnoticed, 0)
        share_noticed = 1 - self.unnoticed
        upper = (self.model.at_least(w) - left_out) / share_noticed
        above = (self.model.at_least(w + 1) - left_out) / share_noticed
        return upper, np.maximum(1 - above, 0)  # rounding must not take it below

    def tail_on_other_side(self, upper: Array, lower: Array) -> Array:
        """Return the largest tail on the other side that does not exceed the smaller of two."""
        tail = np.minimum(upper, lower)
        if isinstance(self.model, _NormalSums):
            return tail
        # W+ has few values: the other tail is rarely as large as this
        values = self.model.values()
        if self.is_selected:
            is_won = values >= self.model.critical
            values = values[is_won | (values <= self.largest_lost)]
        rising_upper, rising_lower = self.tails(values)
        return np.where(
            upper < lower,
            _largest_up_to(tail, rising_lower),
            _largest_up_to(tail, rising_upper[::-1]),
        )


def _predictions_of_sums(
    ranks: NDArray[np.int64],
    sums: NDArray[np.int64],
    *,
    level: float,
    miss: float,
    is_selected: bool,
) -> Array:
    """Return point, low and high for rank sums, shape (3, sums), of tests on these ranks."""
    noticed = _NoticedSums.from_ranks(ranks, level, is_selected=is_selected)
    upper, lower = noticed.tails(sums)
    acceptance = np.minimum(upper, lower) + noticed.tail_on_other_side(upper, lower)
    power = noticed.power
    low = _power_at_limit(acceptance, miss, power)
    high = _power_at_limit(acceptance[:, ::-1], miss, power[::-1])
    point = _mean_power((upper + 1 - lower) / 2, power)
    return np.array([np.clip(point, low, high), low, high])


def _mean_power(confidence: Array, power: Array) -> Array:
    """Return the mean of the power over confidence distributions, shape (sums, effects)."""
    # beyond the grid of effects the distribution has its ends, 0 and 1
    with_ends = np.pad(confidence, ((0, 0), (1, 1)), constant_values=(0, 1))
    power = np.pad(power, 1, mode="edge")
    return np.asarray(np.diff(with_ends) @ (power[1:] + power[:-1]) / 2)


def _largest_up_to(tail: Array, rising: Array) -> Array:
    """Return the largest of `rising`, by column, that does not exceed `tail`; 0 if none does."""
    rising = np.pad(rising, ((1, 0), (0, 0)))
    rows = [
        np.searchsorted(column, limit * (1 + ROUNDING_NOISE), side="right") - 1
        for column, limit in zip(rising.T, tail.T)
    ]
    return np.take_along_axis(rising, np.array(rows).T, axis=0)


def _power_at_limit(acceptance: Array, miss: float, power: Array) -> Array:
    """Return the power where `acceptance`, (sums, effects), first reaches a level."""
    level = np.minimum(miss, acceptance.max(axis=-1))
    after = np.argmax(acceptance >= level[:, np.newaxis], axis=-1)
    before = np.maximum(after - 1, 0)
    row = np.arange(len(after))
    accepted_before = acceptance[row, before]
    rise = acceptance[row, after] - accepted_before
    # linear between two effects of the grid
    share = (level - accepted_before) / np.where(rise > 0, rise, 1)
    share = np.where(after > 0, share, 0)
    return np.asarray(power[before] + share * (power[after] - power[before]))


def cv_t(
    t: ArrayLike,
    folds: ArrayLike,
    *,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    selected: bool = False,
    scale: ArrayLike | None = None,
) -> Prediction:
    r"""Estimate the replication probability of a cross-validated t (Berrar 2024, Proposition 2).

    .. math:: \hat P_t = 1 - F_{\nu,\,T/\lambda}\bigl(t_{\nu,\,1-\alpha/2}/\lambda\bigr),
              \qquad \nu = k - 1,

    where :math:`F_{\nu,\mu}` is the noncentral t distribution with noncentrality :math:`\mu`, and
    :math:`\lambda` is `scale`, 1 in the paper.  The data sets of both experiments are taken to be
    independent samples of the same size from the same source; a single experiment cannot check
    :math:`\lambda`.

    The limits belong to the noncentralities at which T is just not surprising,
    :math:`F_{\nu,\mu}(T) = 1 - c/2` and :math:`c/2`: a confidence interval, with nominal
    coverage.  (Equation 14 of the paper takes quantiles of the noncentral t for
    noncentralities, and covers about 91% instead of 95%.)

    Parameters
    ----------
    t : array_like
        T, the variance-corrected statistic of
        :func:`replib.significance.corrected_resampled_t` over the folds of one
        cross-validation, positive if A was better.  If T is negative, the question is
        still whether A will be significantly better; use -t to ask whether B will be
        again.  Infinite values give the probabilities 0 and 1; finite values above 5000
        are taken to be 5000.
    folds : array_like of int
        k, at least 2: the number of differences in T, that is, its degrees of freedom
        plus one. The corrected statistic of r times k-fold cross-validation has r k
        differences, and needs ``scale=1``.
    alpha, confidence_level
        As in :func:`binomial`.
    selected : bool, default False
        Allow for the first result having been noticed because it was significant: T is
        then drawn from a noncentral t without its middle part.  Given that selection,
        the estimate is median-unbiased and the interval exact.  At the critical value
        itself the estimate is alpha/2, as without any effect.
    scale : array_like, optional
        :math:`\lambda`, above 0, which follows from the correlation :math:`\rho` of the
        folds: :math:`\lambda^2 = \frac{1 + (k-1)\rho}{k\,(1-\rho)} \big/
        \left(\frac1k + \frac1{k-1}\right)`.  The default is for half of the
        correlation that the correction assumes, 1/(2k); for ten folds it is 0.85.

    Returns
    -------
    Prediction

    Raises
    ------
    ValueError
        If an argument lies outside its range, or `selected` is True for a t that is not
        significant.

    Examples
    --------
    The paper's Example 4, with an interval that has its coverage:

    >>> again = cv_t(2.262157, 10, scale=1)
    >>> round(again.point, 4), round(again.low, 3), round(again.high, 3)
    (0.5235, 0.025, 0.975)

    The effect of selection, and of the scale:

    >>> round(cv_t(3.0, 10).point, 3), round(cv_t(3.0, 10, selected=True).point, 3)
    (0.789, 0.469)
    >>> [round(cv_t(3.0, 10, scale=scale).point, 3) for scale in (0.688, 1)]
    [0.823, 0.761]
    """
    folds = validation.whole_numbers("folds", folds, at_least=2)
    if scale is None:
        scale = _usual_scale(folds)
    t, folds, scale = broadcast(
        ("t", "folds", "scale"),
        validation.array_within("t", t, -np.inf, np.inf),
        folds,
        validation.array_within("scale", scale, _LEAST_SCALE, 1 / _LEAST_SCALE),
    )
    validation.check_level("alpha", alpha)
    validation.check_level("confidence_level", confidence_level)
    validation.check_flag("selected", selected)
    df = folds - 1.0
    critical = -special.stdtrit(df, alpha / 2)
    if selected and np.any(t < critical):
        raise ValueError(
            f"t must be at least the critical value {np.max(critical):.4g}: selected=True is for "
            "a significant first result"
        )
    t = t / scale
    critical = critical / scale
    near = np.clip(t, -_FARTHEST_T, _FARTHEST_T)

    def power(effect: Array) -> Array:
        """Return the probability that a repetition is significant for A."""
        return _nct_exceeds(critical, np.where(np.isinf(t), t, effect), df)

    outside = (1 - confidence_level) / 2
    tails = (outside, 1 - outside)
    if not selected:
        low, high = _effects_at_tails(near, df, tails)
        return Prediction(point=power(near), low=power(low), high=power(high))
    low, high = _effects_given_significance(near, critical, df, tails)
    (middle,) = _effects_given_significance(near, critical, df, (0.5,))
    return Prediction(point=power(middle), low=power(low), high=power(high))


def _usual_scale(folds: NDArray[np.int64]) -> Array:
    """Return lambda for rho = 1 / (2k).

    Measured for ten folds: 0.68 to 0.76 (1,000 normal instances, stable learners), 0.76
    to 0.96 (naive Bayes and C4.5, 300 instances).
    """
    k = folds.astype(float)
    return np.sqrt((3 * k - 1) * (k - 1)) / (2 * k - 1)


def _effects_at_tails(t: Array, df: Array, tails: Sequence[float]) -> Array:
    """Return the effects at which the upper tail of t has these probabilities, shape (tails, ...).

    They are searched together, because most of the time of a search is spent once.
    """
    upper = np.reshape(tails, (-1, *[1] * t.ndim))
    width = _first_width(t, df)
    effects = _effects_by_newton(t, upper, df, width)
    is_missing = np.isnan(effects)
    if not is_missing.any():
        return effects

    def excess(effect: Array, t: Array, df: Array, upper: Array) -> Array:
        """Return by how much the upper tail of t is too large."""
        return _nct_exceeds(t, effect, df) - upper

    return np.where(is_missing, _root(excess, t, width, (t, df, upper)), effects)


def _effects_given_significance(
    t: Array, critical: Array, df: Array, tails: Sequence[float]
) -> Array:
    """Return the same effects for the upper tail of a t that was noticed as significant."""
    upper = np.reshape(tails, (-1, *[1] * t.ndim))

    def excess(
        effect: Array, t: Array, critical: Array, df: Array, upper: Array
    ) -> Array:
        """Return by how much the upper tail of t is too large."""
        tail = _nct_exceeds(t, effect, df)
        return tail / _power_of_either_side(critical, effect, df) - upper

    return _root(excess, t, _first_width(t, df), (t, critical, df, upper))


def _first_width(t: Array, df: Array) -> Array:
    """Return a first guess of how far off an effect may be.

    It is nearly the standard deviation of (Z + t) / S.
    """
    return np.sqrt(1 + t**2 / (2 * df))


def _root(
    excess: Callable[..., Array], start: Array, width: Array, args: tuple[Array, ...]
) -> Array:
    """Return where a function of an effect is 0, sought from `start` and its surroundings."""
    from scipy.optimize import elementwise  # slow to load, and seldom needed

    bracket = elementwise.bracket_root(
        excess, start - width, start + width, args=args
    ).bracket
    return np.asarray(elementwise.find_root(excess, bracket, args=args).x)


def _effects_by_newton(t: Array, upper: Array, df: Array, width: Array) -> Array:
    """Return the effects at which t has these upper tails; NaN where they are not reached.

    The normal quantile of the tail is nearly a straight line in the effect, so that
    Newton's method needs few steps, a tenth of the time of a search between bounds.  It
    fails at few degrees of freedom, where tails far from zero are as small as rounding.

    Parameters
    ----------
    width : ndarray
        About how far an effect may be from t.
    """
    quantile = special.ndtri(upper)

    def distance(effect: Array) -> Array:
        return np.asarray(special.ndtri(_nct_exceeds(t, effect, df)) - quantile)

    effect = t + width * quantile
    beside = _STEP * width
    with np.errstate(invalid="ignore", divide="ignore"):
        for _ in range(_STEPS_OF_NEWTON):
            slope = (distance(effect + beside) - distance(effect - beside)) / beside / 2
            effect = effect - distance(effect) / slope
        is_reached = np.abs(distance(effect)) < _REACHED
    return np.where(is_reached, effect, np.nan)


def _power_of_either_side(critical: Array, effect: Array, df: Array) -> Array:
    """Return the probability that a t test finds A or B better."""
    # by symmetry, the lower critical value at this effect is the upper one at its
    # negative
    return _nct_exceeds(critical, effect, df) + _nct_exceeds(critical, -effect, df)


def _nct_exceeds(t: Array, effect: Array, df: Array) -> Array:
    """Return the probability that a statistic with noncentrality `effect` is above `t`."""
    effect = np.clip(effect, -_FARTHEST_EFFECT, _FARTHEST_EFFECT)
    probability = special.nctdtr(df, -effect, -t)
    # it has no value where it is below 1e-300; np.nan_to_num takes five times as long
    return np.where(np.isnan(probability), 0.0, probability)


def _upper_tail(s: Any, n: NDArray[np.int64], theta: Any) -> Array:
    """Return P(X >= s) for X binomial; 0 where s exceeds n."""
    within = np.clip(s, 1, n)  # at s = 0, betainc gave NaN before SciPy 1.16
    tail = special.betainc(within, n - within + 1, theta)
    tail = np.where(s > n, 0.0, tail)
    return np.where(s < 1, 1.0, tail)
