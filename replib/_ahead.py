"""How probable is it that the first of two models is ahead: on an item, a data set, a seed?

A size of the difference that has no unit.  Where neither is ahead, half of it counts for
each, so that 0.5 is no difference.  Folds of cross-validation are not independent units, and
have no such probability.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from replib._pair_tests import Question
from replib._squares import squares_of_pairs, stacked_tests
from replib._validation import Array, without_rounding_noise
from replib.designs import Datasets, Items, Seeds
from replib.significance.equivalence import tango_tails

#: Halvings of an interval of length 2: as many as a float has digits.
_HALVINGS = 60


class Ahead(NamedTuple):
    """Probabilities that the first of each pair is ahead, with their intervals.

    Attributes
    ----------
    unit : str
        On what: "item", "data set" or "seed".
    n : ndarray of int
        Units, or pairings of seeds.
    probability, low, high : ndarray
    """

    unit: str
    n: NDArray[np.int64]
    probability: Array
    low: Array
    high: Array


def ahead(question: Question, level: float) -> Ahead | None:
    """Return the probabilities for all pairs; None for scores that have no such units."""
    design = question.table.design
    if not question.blocks:
        return None
    if isinstance(design, Seeds) and not design.paired:
        return _of_seeds(question, level)
    if isinstance(design, Seeds):
        return _of_signs("seed", np.sign(question.differences()), level)
    if isinstance(design, Datasets):
        return _of_signs("data set", np.sign(question.differences()), level)
    if not isinstance(design, Items) or design.predicted == "by_fold":
        return None
    if design.suite:
        return None  # items of several tasks are not of one kind
    return _of_items(question, level)


def as_frame(question: Question, effect: Ahead | None) -> pd.DataFrame:
    """Return the probabilities as a table with a row per pair; empty if there are none."""
    columns = ["a", "b", "unit", "n", "probability", "low", "high"]
    if effect is None:
        return pd.DataFrame(columns=columns)
    names = pd.DataFrame(question.pairs, columns=["a", "b"])
    return names.assign(**effect._asdict())[columns]


def _of_signs(unit: str, signs: Array, level: float) -> Ahead:
    """Return the probabilities from independent units, with Tango's interval.

    `signs`, shape (pairs, units), are 1 where the first is ahead, -1 where the second is.
    """
    wins = (signs > 0).sum(axis=1)
    losses = (signs < 0).sum(axis=1)
    n = signs.shape[1]
    low, high = tango_limits(wins, losses, n, level)
    lead = (wins - losses) / n
    probability, low, high = ((1 + share) / 2 for share in (lead, low, high))
    return Ahead(unit, np.full(len(signs), n), probability, low, high)


def tango_limits(
    wins: NDArray[np.int64], losses: NDArray[np.int64], n: int, level: float
) -> tuple[Array, Array]:
    """Return the limits of a difference of paired proportions that Tango's test keeps.

    >>> low, high = tango_limits(np.array([6]), np.array([16]), 161, 0.95)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([-0.124], [-0.0054])
    """
    tail = (1 - level) / 2

    def is_below_low(shift: Array) -> NDArray[np.bool_]:
        return np.asarray(tango_tails(wins, losses, n, shift=shift).greater) < tail

    def is_below_high(shift: Array) -> NDArray[np.bool_]:
        return np.asarray(tango_tails(wins, losses, n, shift=shift).less) >= tail

    least = np.full(wins.shape, -1.0)
    most = np.full(wins.shape, 1.0)
    return _border(is_below_low, least, most), _border(is_below_high, least, most)


def _border(
    is_below: Callable[[Array], NDArray[np.bool_]], low: Array, high: Array
) -> Array:
    """Return where a condition ends to hold, by halving an interval at whose start it holds."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = is_below(middle)
        low = np.where(below, middle, low)
        high = np.where(below, high, middle)
    return (low + high) / 2


def _of_items(question: Question, level: float) -> Ahead:
    """Return the probabilities from items, whose scores are means over runs."""
    means = {model: block.mean(axis=0) for model, block in question.blocks.items()}
    differences = np.array([means[a] - means[b] for a, b in question.pairs])
    scales = question.scales()[:, None]
    signs = np.sign(without_rounding_noise(differences, scales))
    clusters = question.table.clusters
    if clusters is None:
        return _of_signs("item", signs, level)
    return _of_clusters(signs, clusters, level)


def _of_clusters(signs: Array, clusters: NDArray[np.int64], level: float) -> Ahead:
    """Return the probabilities from items in clusters, by Student's t of half their signs."""
    halves = {str(pair): row[np.newaxis] / 2 for pair, row in enumerate(signs)}
    zeros = {"zeros": np.zeros((1, signs.shape[1]))}
    pairs = [(pair, "zeros") for pair in halves]
    squares = squares_of_pairs(halves | zeros, pairs, groups=clusters)
    tests = stacked_tests(squares, "items")
    low, high = tests.confidence_interval(level)
    limits = [np.clip(0.5 + np.asarray(limit), 0, 1) for limit in (low, high)]
    n = np.full(len(signs), signs.shape[1])
    return Ahead("item", n, 0.5 + np.asarray(tests.estimate), *limits)


def _of_seeds(question: Question, level: float) -> Ahead:
    """Return the probabilities from all pairings of seeds, with Newcombe's interval."""
    signs = [np.sign(question.pairings(a, b)) for a, b in question.pairs]
    probability = np.array([(1 + of_pair.mean()) / 2 for of_pair in signs])
    n_a, n_b = np.array([of_pair.shape for of_pair in signs]).T
    low, high = newcombe_limits(probability, n_a, n_b, level)
    return Ahead("seed", n_a * n_b, probability, low, high)


def newcombe_limits(
    share: Array, n_a: NDArray[np.int64], n_b: NDArray[np.int64], level: float
) -> tuple[Array, Array]:
    r"""Return the limits of the probability that a value of one sample exceeds one of another.

    Method 5 of Newcombe (2006): the shares :math:`\theta` whose distance from the
    estimate is z standard errors of Hanley and McNeil (1982),

    .. math:: \theta(1-\theta)\,\frac{1 + (\bar n-1)
              \left(\frac{1-\theta}{2-\theta}+\frac{\theta}{1+\theta}\right)}{n_an_b}

    with the mean size :math:`\bar n` of the samples.  Unlike Wald's interval it has a
    length also where all values of one sample are larger.

    References
    ----------
    R. G. Newcombe (2006). Confidence intervals for an effect size measure based on the
    Mann-Whitney statistic. Part 2. Statistics in Medicine 25.

    Examples
    --------
    >>> low, high = newcombe_limits(np.array([1.0]), np.array([5]), np.array([5]), 0.95)
    >>> low.round(3).tolist(), high.tolist()
    ([0.643], [1.0])
    """
    z = special.ndtri((1 + level) / 2)
    mean_size = (n_a + n_b) / 2

    def is_within(theta: Array) -> NDArray[np.bool_]:
        parts = (1 - theta) / (2 - theta) + theta / (1 + theta)
        square = theta * (1 - theta) * (1 + (mean_size - 1) * parts) / (n_a * n_b)
        return np.asarray((theta - share) ** 2 <= z**2 * square)

    low = _border(lambda theta: ~is_within(theta), np.zeros_like(share), share)
    high = _border(is_within, share, np.ones_like(share))
    # a share of 0 or 1 is a limit itself, where the standard error is 0
    return np.where(share == 0, 0.0, low), np.where(share == 1, 1.0, high)
