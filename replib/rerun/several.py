"""Predicted reruns of several pairs at once, and of a choice: by simulation."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib._bars import with_bar
from replib._validation import Array, is_rounding_noise, without_rounding_noise
from replib.rerun.one_pair import TAILS, Rerun
from replib.significance.samples import finite_scores

#: Two corrections that limit the chance of any false decision among the pairs, and
#: none.
CORRECTIONS = ("holm", "bonferroni", "none")

# Reruns of the block: the standard error of a probability is at most 0.0036.
_DRAWS = 20_000
_DRAWS_AT_ONCE = 2000
# Truths compatible with the block, and reruns of each: quantiles of their probabilities
# are the limits, with a standard error of about 0.03 near the middle.
_TRUTHS = 1000
_DRAWS_OF_TRUTH = 200

# No standard deviation is smaller: a t would be infinite.
_LEAST_SD = 1e-300


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
    :func:`margins`.  The contributions of one run to all pairs are drawn
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
    ratio = validation.positive_number("test_train_ratio", test_train_ratio)
    x = finite_scores(
        "differences", differences, exactly=True, pairs=1, runs=2, folds=1
    )
    n_pairs, n_runs, n_folds = x.shape
    n = n_runs * n_folds
    largest = np.abs(x).max(axis=(1, 2))
    mean = x.mean(axis=(1, 2))
    sd = without_rounding_noise(x.std(axis=(1, 2), ddof=1), largest)
    # delta method: what each run contributes to the mean, and to the deviation
    to_mean = x.mean(axis=-1)
    squares = ((x - mean[:, np.newaxis, np.newaxis]) ** 2).mean(axis=-1)
    to_sd = squares / np.where(sd > 0, 2 * sd, 1)[:, np.newaxis]
    decide = partial(
        _step_down_decisions,
        critical=_critical_values(n_pairs, n, alpha, correction)
        * np.sqrt(1 / n + ratio),
    )
    moments = np.concatenate([mean, sd])
    reruns = _simulated_reruns(moments, np.concatenate([to_mean, to_sd]), decide)

    spread = np.maximum(np.ptp(to_mean, axis=1), np.ptp(to_sd, axis=1))
    varies = ~is_rounding_noise(spread, largest)
    is_known = np.append(varies, varies.all())
    point, low, high = np.where(is_known, reruns.probability, np.nan)
    each = Rerun(point[:-1], low[:-1], high[:-1], decide(moments))
    together = Rerun(point[-1], low[-1], high[-1], None)
    return each, together


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
    mean = x.mean(axis=1)
    reruns = _simulated_reruns(mean, x, _best_candidate)
    point, low, high = reruns.probability
    same = Rerun(point[-1], low[-1], high[-1], int(mean.argmax()))
    n_chosen = np.bincount(reruns.decisions[:, 0], minlength=len(x))
    return same, n_chosen / len(reruns.decisions)


def _critical_values(n_pairs: int, n: int, alpha: float, correction: str) -> Array:
    """Return what the i-th largest |t| of n_pairs must exceed, and all larger ones, too."""
    divisors = {
        "holm": np.arange(n_pairs, 0, -1),
        "bonferroni": np.full(n_pairs, n_pairs),
        "none": np.ones(n_pairs),
    }
    return np.asarray(-special.stdtrit(n - 1, alpha / divisors[correction] / 2))


def _step_down_decisions(moments: Array, *, critical: Array) -> NDArray[np.int8]:
    """Return decisions about pairs, (..., pairs).

    `moments` (..., 2 x pairs) are their means, and then their standard deviations.
    """
    n_pairs = len(critical)
    mean = moments[..., :n_pairs]
    sd = moments[..., n_pairs:]
    with np.errstate(over="ignore"):
        size = np.abs(mean) / np.maximum(sd, _LEAST_SD)
    descending = -np.sort(-size, axis=-1)
    passes = np.minimum.accumulate(descending > critical, axis=-1)
    least = np.where(passes, descending, np.inf).min(axis=-1, keepdims=True)
    return np.where(size >= least, np.sign(mean), 0).astype(np.int8)


def _best_candidate(means: Array) -> NDArray[np.int64]:
    """Return the index of the greatest mean, (..., 1)."""
    return np.argmax(means, axis=-1, keepdims=True)


@dataclass(frozen=True, eq=False)
class _Reruns:
    """Simulated reruns of a block.

    Attributes
    ----------
    decisions : ndarray, shape (draws, decisions)
    probability : ndarray, shape (3, decisions + 1)
        Point, lower and upper limit: that each decision is the same, and that all are.
    """

    decisions: NDArray[np.integer]
    probability: Array


@dataclass(frozen=True, eq=False)
class _Noise:
    """Noise of averages over the runs of a block, with the covariance that its runs show.

    Attributes
    ----------
    root : ndarray, shape (moments, runs)
        Its product with its transpose is the estimated covariance of the averages.
    rng : Generator
    """

    root: Array
    rng: np.random.Generator

    def vectors(self, size: int) -> Array:
        """Draw normal vectors with the estimated covariance, (size, moments)."""
        n_runs = self.root.shape[1]
        return np.asarray(self.rng.standard_normal((size, n_runs)) @ self.root.T)

    def scales(self, size: int) -> Array:
        """Draw true over estimated standard deviations, (size, 1)."""
        df = self.root.shape[1] - 1
        return np.asarray(np.sqrt(df / self.rng.chisquare(df, (size, 1))))


def _simulated_reruns(
    moments: Array, of_runs: Array, decide: Callable[[Array], NDArray[np.integer]]
) -> _Reruns:
    """Simulate the decisions of reruns.

    Parameters
    ----------
    moments : ndarray, shape (moments,)
        Of the block.
    of_runs : ndarray, shape (moments, runs)
        Contribution of each run, up to a constant.
    decide : callable
        From moments, shape (n, moments), to decisions, shape (n, decisions).
    """
    n_runs = of_runs.shape[1]
    centred = of_runs - of_runs.mean(axis=1, keepdims=True)
    noise = _Noise(
        root=centred / np.sqrt(n_runs * (n_runs - 1)),
        rng=np.random.default_rng(np.random.SeedSequence(0)),
    )
    drawn = []
    for _ in with_bar(range(_DRAWS // _DRAWS_AT_ONCE), "part"):
        # a rerun differs from the block by the noise of both
        scale = np.sqrt(2) * noise.scales(_DRAWS_AT_ONCE)
        drawn.append(decide(moments + scale * noise.vectors(_DRAWS_AT_ONCE)))
    decisions = np.concatenate(drawn)
    decision = decide(moments[np.newaxis])
    point = _shares(decisions == decision)

    # of truths that are compatible with the block: how often a rerun agrees
    of_rerun = noise.vectors(_DRAWS_OF_TRUTH)
    shares = []
    for scale in with_bar(noise.scales(_TRUTHS), "truth"):
        rerun = moments + scale * (noise.vectors(1) + of_rerun)
        shares.append(_shares(decide(rerun) == decision))
    low, high = np.quantile(shares, TAILS, axis=0)
    limits = [point, np.minimum(low, point), np.maximum(high, point)]
    return _Reruns(decisions, np.array(limits))


def _shares(is_same: NDArray[np.bool_]) -> Array:
    """Return how often each decision is the same, and how often all are."""
    return np.append(is_same.mean(axis=0), is_same.all(axis=1).mean())
