r"""Would a rerun with another seed reach the same decision?  Predicted from one block of scores.

A rerun has as many runs of the same kind as the block.  To first order, the *margin* of a t test,
its distance inside its rejection region, is an average of independent contributions, one per run
(:mod:`replib.margins`).  With :math:`\omega` the standard deviation of the contributions, the
margins of block and rerun, each of J runs, are two independent draws from
:math:`N(\gamma, \omega^2/J)`.  The data set has one unknown, :math:`\mu=\sqrt J\,\gamma/\omega`:
the rerun finds A better with probability :math:`\Phi(\mu)`.  The block tells us about it through
:math:`t_g = \sqrt J\,g/\hat\omega`, which is noncentral t with :math:`J-1` degrees of freedom and
noncentrality :math:`\mu`.  Therefore

* the limits of :math:`\mu` at which :math:`t_g` is just not surprising give an **interval** for
  :math:`\Phi(\mu)`, exact but for the two approximations (first order, normal);
* the same limits belong to the posterior distribution under the prior
  :math:`d\gamma\,d\omega/\omega`, and its mean of :math:`\Phi(\mu)` is the **prediction**: rerun
  minus block has variance :math:`2\omega^2/J`, so the prediction is :math:`F_{J-1}(t_g/\sqrt2)`.
  A block that is just significant gives 1/2, not certainty.

The chapter `adaptive_design` compares predictions with 200 reruns on many data sets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib._validation import ROUNDING_NOISE, without_rounding_noise
from replib.intervals import Prediction
from replib.margins import Margins, margins
from replib.replicability import agreement
from replib.significance.samples import finite_scores

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Rerun(Prediction):
    """Probability that a rerun with another seed reaches the same decision as the block.

    Attributes
    ----------
    point, low, high : float or ndarray
        The prediction, and the limits of its 95% interval.
    decision : int or ndarray, or None
        Decision of the block: +1 A better, -1 B better, 0 no significant difference.
        For a choice it is the index of the chosen candidate; for several decisions
        together it is None.
    """

    decision: Array | int | None


def predict(
    differences: ArrayLike,
    *,
    test_train_ratio: float,
    test: str = "corrected",
    alpha: float = 0.05,
) -> Rerun:
    """Predict how probable it is that a rerun with another seed reaches this block's decision.

    Parameters
    ----------
    differences : array_like, shape (..., runs, folds)
        Scores of A minus scores of B, at least two runs; n random splits are n runs of
        one fold.
    test_train_ratio : float
        Test instances per training instance, 1 / (folds - 1) in cross-validation.
    test : str
        One of :data:`replib.margins.TESTS`.
    alpha : float, default 0.05
        Level of the test.

    Returns
    -------
    Rerun
        With a 95% interval.

    Raises
    ------
    ValueError
        If there are fewer than two runs, or an argument lies outside its range.

    Notes
    -----
    "No significant difference" has the remaining probability.  Its limits are one minus the sums
    of those for A and B, which is cautious where neither is negligible.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> block = rng.normal(0.05, 0.04, size=(10, 10))
    >>> one = predict(block, test_train_ratio=1 / 9)
    >>> one.decision, round(one.point, 3), round(one.low, 3), round(one.high, 3)
    (1, 0.979, 0.795, 1.0)
    """
    x = finite_scores("differences", differences, runs=2, folds=1)
    runs = x.shape[-2]
    seen = margins(x, test_train_ratio=test_train_ratio, test=test, alpha=alpha)
    t = _noncentralities(seen, runs)
    point = special.stdtr(runs - 1, t / np.sqrt(2))
    low, high = (
        special.ndtr(_noncentrality_limit(t, runs - 1, q)) for q in _TAILS[::-1]
    )
    better_a, better_b = seen.margin > 0

    def chosen(of_sides: Array, of_neither: Array) -> Array:
        neither = np.clip(1 - of_neither.sum(axis=0), 0, 1)
        return np.select([better_a, better_b], list(of_sides), neither)

    seen_point = chosen(point, point)
    return Rerun(
        seen_point,
        np.minimum(chosen(low, high), seen_point),
        np.maximum(chosen(high, low), seen_point),
        better_a.astype(int) - better_b,
    )


def of_spread(block: Array, **how: Any) -> Rerun | None:
    """Return what :func:`predict` does, or None where the runs of the block show no spread."""
    if block.shape[-2] < 2 or not margins(block, **how).deviation.all():
        return None
    return predict(block, **how)


def predict_decisions(
    differences: ArrayLike,
    *,
    test_train_ratio: float,
    correction: str = "holm",
    alpha: float = 0.05,
) -> tuple[Rerun, Rerun]:
    r"""Predict a rerun's decisions about several pairs: each pair alone, and all pairs at once.

    Decisions about several pairs, corrected for their number, depend on each other, so
    the rerun of all pairs is simulated.  The mean and standard deviation of each pair
    are, to first order, averages of contributions of the runs, as in
    :mod:`replib.margins`.  The contributions of one run to all pairs are drawn
    together, so their correlation is that of the block; each has the distribution that
    :func:`predict` assumes, and for one pair both functions agree.

    Parameters
    ----------
    differences : array_like, shape (pairs, runs, folds)
        Scores of A minus scores of B for each pair, at least two runs.
    test_train_ratio : float
        Test instances per training instance.
    correction : str, default "holm"
        One of `CORRECTIONS`.
    alpha : float, default 0.05
        Level of the corrected tests.

    Returns
    -------
    each : Rerun
        With an array over the pairs; NaN where the runs of a pair are all equal.  The
        standard error of `point` is below 0.004; that of the limits of its 95% interval
        is, near the middle, about 0.03.
    together : Rerun
        For the same decisions about all pairs.

    Raises
    ------
    ValueError
        If there are fewer than two runs, or an argument lies outside its range.

    Examples
    --------
    >>> blocks = np.random.default_rng(3).normal([[[0.05]], [[0.0]]], 0.04, size=(2, 10, 10))
    >>> each, together = predict_decisions(blocks, test_train_ratio=1 / 9)
    >>> each.decision.tolist(), each.point.round(2).tolist(), round(together.point, 2)
    ([1, 0], [0.94, 1.0], 0.94)
    """
    validation.check_level("alpha", alpha)
    validation.check_choice("correction", correction, CORRECTIONS)
    x = finite_scores(
        "differences", differences, exactly=True, pairs=1, runs=2, folds=1
    )
    pairs, runs, folds = x.shape
    n = runs * folds
    error = np.sqrt(
        1 / n + validation.positive_number("test_train_ratio", test_train_ratio)
    )
    mean, largest = x.mean(axis=(1, 2)), np.abs(x).max(axis=(1, 2))
    sd = without_rounding_noise(x.std(axis=(1, 2), ddof=1), largest)
    squares = ((x - mean[:, None, None]) ** 2).mean(axis=-1)
    of_runs = np.concatenate(
        [x.mean(axis=-1), squares / np.where(sd > 0, 2 * sd, 1)[:, None]]
    )

    # step down: the i-th largest |t| has its own critical value, and all larger ones
    # must pass
    tests_left = {"holm": np.arange(pairs, 0, -1), "bonferroni": np.full(pairs, pairs)}
    left = tests_left.get(correction, np.ones(pairs))
    critical = -special.stdtrit(n - 1, alpha / left / 2) * error

    def decide(moments: Array) -> Array:
        """Return decisions for means and standard deviations, shape (..., 2 x pairs)."""
        with np.errstate(over="ignore"):
            t = np.abs(moments[..., :pairs]) / np.maximum(moments[..., pairs:], 1e-300)
        ordered = -np.sort(-t, axis=-1)
        passed = np.minimum.accumulate(ordered > critical, axis=-1)
        least = np.where(passed, ordered, np.inf).min(axis=-1, keepdims=True)
        return np.where(t >= least, np.sign(moments[..., :pairs]), 0).astype(np.int8)

    block = np.concatenate([mean, sd])
    _, predicted = _reruns(block, of_runs, decide)
    known = (
        np.ptp(of_runs, axis=1).reshape(2, pairs).max(axis=0) > ROUNDING_NOISE * largest
    )
    point, low, high = np.where(np.append(known, known.all()), predicted, np.nan)
    each = Rerun(point[:-1], low[:-1], high[:-1], decide(block))
    return each, Rerun(point[-1], low[-1], high[-1], None)


def predict_choice(run_means: ArrayLike) -> tuple[Rerun, Array]:
    """Predict how probable it is that a rerun has the same best of several candidates.

    The means over runs are simulated as in :func:`predict_decisions`.  If candidates
    tie, the first is the best.

    Parameters
    ----------
    run_means : array_like, shape (candidates, runs)
        Mean scores, at least two runs; the greatest is the best.

    Returns
    -------
    same : Rerun
        Its `decision` is the index of the best; errors are those of
        :func:`predict_decisions`.
    chosen : ndarray, shape (candidates,)
        Predicted probability that each candidate is the best of a rerun.

    Raises
    ------
    ValueError
        If there are fewer than two runs or candidates, or an argument lies outside its
        range.

    Examples
    --------
    >>> runs = np.random.default_rng(0).normal([[0.80], [0.79], [0.70]], 0.01, (3, 10))
    >>> same, chosen = predict_choice(runs)
    >>> same.decision, round(same.point, 2), float(chosen[2])
    (0, 0.98, 0.0)
    """
    x = finite_scores("run_means", run_means, exactly=True, candidates=2, runs=2)

    def decide(means: Array) -> Array:
        return np.argmax(means, axis=-1, keepdims=True)

    found, (point, low, high) = _reruns(x.mean(axis=1), x, decide)
    same = Rerun(point[-1], low[-1], high[-1], int(x.mean(axis=1).argmax()))
    return same, np.bincount(found[:, 0], minlength=len(x)) / len(found)


def _reruns(
    block: Array, of_runs: Array, decide: Callable[[Array], Array]
) -> tuple[Array, Array]:
    """Simulate the decisions of reruns.

    Parameters
    ----------
    block : ndarray, shape (moments,)
        Moments of the block.
    of_runs : ndarray, shape (moments, runs)
        Contribution of each run, up to a constant.
    decide : callable
        From moments, shape (n, moments), to decisions, shape (n, decisions).

    Returns
    -------
    found : ndarray, shape (draws, decisions)
    predicted : ndarray, shape (3, decisions + 1)
        Probability of each decision being the same, and of all being the same, with its
        limits.
    """
    runs = of_runs.shape[1]
    centred = of_runs - of_runs.mean(axis=1, keepdims=True)
    root = centred / np.sqrt(
        runs * (runs - 1)
    )  # of the covariance of averages over the runs
    rng = np.random.default_rng(np.random.SeedSequence(0))

    def scale(size: int) -> Array:
        return np.asarray(np.sqrt((runs - 1) / rng.chisquare(runs - 1, (size, 1))))

    def normal(size: int) -> Array:
        return np.asarray(rng.standard_normal((size, runs)) @ root.T)

    found = np.concatenate(
        [
            decide(block + np.sqrt(2) * scale(_AT_ONCE) * normal(_AT_ONCE))
            for _ in range(_DRAWS // _AT_ONCE)
        ]
    )
    decision = decide(block[None])
    luck = normal(_INNER)
    inner = [  # of truths that are compatible with the block: how often a rerun agrees
        _shares(decide(block + width * (normal(1) + luck)) == decision)
        for width in scale(_OUTER)
    ]
    low, high = np.quantile(inner, _TAILS, axis=0)
    share = _shares(found == decision)
    return found, np.array([share, np.minimum(low, share), np.maximum(high, share)])


def _shares(same: Array) -> Array:
    """Return how often each decision is the same, and how often all are."""
    return np.append(same.mean(axis=0), same.all(axis=1).mean())


#: Probabilities outside an interval of 95%.
_TAILS = ((1 - 0.95) / 2, (1 + 0.95) / 2)

#: Two corrections that limit the chance of any false decision among the pairs, and
#: none.
CORRECTIONS = ("holm", "bonferroni", "none")

_AT_ONCE, _DRAWS = 2000, 20_000
_OUTER, _INNER = 1000, 200


def runs_needed(
    differences: ArrayLike,
    *,
    test_train_ratio: float,
    alpha: float = 0.05,
    wanted: float = 0.95,
) -> float:
    r"""Return the number of runs with which two experiments are predicted to agree.

    With R runs each, two experiments on data at the distance
    :math:`\delta = \gamma/\omega` from the border are on the same side of it with
    probability :math:`\Phi(\delta\sqrt R)^2 + \Phi(-\delta\sqrt R)^2`.  The prediction
    is the mean of this over the posterior distribution of :math:`\delta` that
    :func:`predict` uses.  It rises to 1: half the disagreement costs four times the
    runs.

    Parameters
    ----------
    differences : array_like, shape (runs, folds)
        At least two runs.
    test_train_ratio, alpha
        As for :func:`predict`.
    wanted : float, default 0.95

    Returns
    -------
    float
        Infinite above 100 000 runs.

    Raises
    ------
    ValueError
        If there are fewer than two runs, or an argument lies outside its range.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> runs_needed(rng.normal(0.04, 0.04, size=(10, 10)), test_train_ratio=1 / 9)
    66.0
    """
    validation.check_level("wanted", wanted)
    x = finite_scores("differences", differences, exactly=True, runs=2, folds=1)
    given, folds = x.shape
    numbers = np.unique(np.geomspace(1, 100_000, 300).astype(int))
    numbers = numbers[numbers * folds > 1]
    seen = [
        margins(x, test_train_ratio=test_train_ratio, alpha=alpha, runs=int(n))
        for n in numbers
    ]
    t = np.array([_noncentralities(one, given) for one in seen])[
        :, 0 if x.mean() >= 0 else 1
    ]
    # posterior of the distance: omega by the quantiles of chi-square, gamma by those of
    # the normal
    share = (np.arange(60) + 0.5) / 60
    z = special.ndtri(share)
    s = np.sqrt(2 * special.gammaincinv((given - 1) / 2, share) / (given - 1))
    distance = (t[:, None, None] * s[:, None] + z) / np.sqrt(given)
    p = special.ndtr(distance * np.sqrt(numbers)[:, None, None])
    agree = np.mean(agreement(p), axis=(1, 2))
    short = np.flatnonzero(agree < wanted)
    enough = numbers[short[-1] + 1 :] if short.size else numbers
    return float(enough[0]) if enough.size else np.inf


def _noncentralities(seen: Margins, runs: int) -> Array:
    """Return margins in standard errors, shape (2, ...); infinite where all runs are equal."""
    certain = seen.deviation == 0
    t = np.sqrt(runs) * seen.margin / np.where(certain, 1.0, seen.deviation)
    return np.where(certain, np.where(seen.margin > 0, np.inf, -np.inf), t)


def _noncentrality_limit(t: Array, df: int, probability: float) -> Array:
    """Return the noncentrality at which a noncentral t is below `t` with a given probability."""
    # a limit beyond +-10 has the normal probability 0 or 1 and need not be exact
    tail = min(probability, 1 - probability)
    far = 10 / np.sqrt(2 * special.gammaincinv(df / 2, tail) / df)
    near = np.clip(t, -far, far)
    limit = special.nctdtrinc(df, probability, near)
    for _ in range(
        2
    ):  # SciPy's search stops at 1e-6; Newton's method goes on from there
        rise = special.nctdtr(df, limit + 1e-4, near) - special.nctdtr(
            df, limit - 1e-4, near
        )
        limit = limit - (special.nctdtr(df, limit, near) - probability) / (rise / 2e-4)
    return np.where(np.isinf(t), t, limit)
