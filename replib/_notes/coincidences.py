"""How probable it is that scores are equal by chance, from above.

Scores that lie closely together are equal more often, and so are those that were written
with few digits, or are shares of few items.
"""

from collections.abc import Iterator
from math import comb

import numpy as np

from replib._names.metrics.quantities import quantity_of_metric
from replib._numbers import decimals
from replib._validation import Array
from replib.designs import CV, Seeds
from replib.scores import Scores

#: Two seeds have equal scores with at least this probability, whatever their digits: a
#: learner may reach few optima.
LEAST_CHANCE = 0.02
#: Two splits or data sets have equal scores with less, but not with metrics of counts.
LEAST_CHANCE_OF_DATA = 0.0005
#: First words of metrics that have few values on a hundred items.  The steps of accuracies
#: are found.
_METRICS_OF_COUNTS = (
    *("balanced", "cohen", "f1", "jaccard", "matthews", "precision", "recall"),
)
#: What has few values on the few items of a fold, and is no share of these.
_QUANTITIES_OF_COUNTS = {
    *("area under the ROC curve", "correlation", "f beta", "f1", "kappa", "npv"),
    *("intersection over union", "precision", "precision curve", "recall"),
    *("specificity", "youden index"),
}
#: Two folds have equal counts with at least this probability, if the digits do not show
#: how many items are counted.
_LEAST_CHANCE_OF_COUNTS = 0.05
#: So many scores are at an end of the range: the two of a copied model are no such end.
_FEWEST_AT_END = 3
#: The share of the range of scores within which they are counted as close.
_CLOSE = 0.25
#: Steps of shares are sought up to so many items.
_MOST_ITEMS = 100_000
#: How far a share in full precision is from a fraction of two whole numbers.
_ROUNDING = 1e-12
#: Decimals of scores that were rounded, at most.
_MOST_DECIMALS = 8
#: Of more models, the others hardly change the estimate.
_MOST_MODELS = 10


def equal_rows(rows: Array) -> Iterator[tuple[int, int]]:
    """Yield the index of the first row that is equal to each later one, and that of the later.

    Examples
    --------
    >>> [*equal_rows(np.array([[1, 2], [3, 4], [1, 2], [1, 2]]))]
    [(0, 2), (0, 3)]
    """
    earlier: dict[bytes, int] = {}
    for index, row in enumerate(rows + 0.0):  # -0 becomes 0
        first = earlier.setdefault(row.tobytes(), index)
        if first != index:
            yield first, index


def chance_of_pair(rows: Array, pair: tuple[int, int], table: Scores) -> float:
    """Return the probability that these two units are equal, from above.

    Scores at an end of the range do not count: many a data set is solved by all models.
    """
    other_rows = np.delete(rows, pair, axis=0)
    ends = {table.metric.low, table.metric.high}
    if other_rows.size:
        ends |= {other_rows.min(), other_rows.max()}
    ends |= {x for x in (rows.min(), rows.max()) if (rows == x).sum() >= _FEWEST_AT_END}
    is_inside = ~np.isin(rows[pair[0]], [*ends])
    rows = rows[:, is_inside]
    if not rows.size:
        return 1.0
    # a fold has as many items as the others, or one more
    step = step_of(rows, n_sizes=2 if isinstance(table.design, CV) else 1)
    return _chance_of_equal_rows(rows, step, _least_chance(table, rows[pair[0]]))


def _least_chance(table: Scores, scores: Array) -> float:
    """Return the probability that two units have these scores, whatever their digits."""
    design = table.design
    is_of_counts = table.metric.name.startswith(_METRICS_OF_COUNTS)
    if isinstance(design, CV):
        quantity = quantity_of_metric(table.metric.name)
        # folds of groups are of any size, so that shares of them have no common step
        if is_of_counts or design.groups or quantity in _QUANTITIES_OF_COUNTS:
            return _chance_of_counts(scores, is_fraction=quantity != "correlation")
        return LEAST_CHANCE_OF_DATA
    if isinstance(design, Seeds) or is_of_counts:
        return LEAST_CHANCE
    return LEAST_CHANCE_OF_DATA


def _chance_of_counts(scores: Array, *, is_fraction: bool) -> float:
    """Return the probability that two folds have these scores, which are made of counts.

    A fraction in full precision shows how many values it could have: of the pairs of a
    count of hits and one of misses, about as many are probable as the root of its
    denominator says.
    """
    is_rounded = not scores.size or decimals(scores) <= _MOST_DECIMALS
    if is_rounded or not is_fraction:
        return _LEAST_CHANCE_OF_COUNTS
    unit = 100.0 if np.abs(scores).max() > 1 else 1.0
    least = min(_denominator(float(score) / unit) for score in scores)
    return max(LEAST_CHANCE_OF_DATA, least**-0.5)


def _denominator(share: float) -> int:
    """Return the least denominator of a fraction, or the largest that is tried.

    >>> _denominator(14 / 21)
    3
    """
    n_items = np.arange(1, _MOST_ITEMS)
    away = np.abs(share - np.rint(share * n_items) / n_items)
    fitting = n_items[away <= _ROUNDING]
    return int(fitting[0]) if fitting.size else _MOST_ITEMS


def _chance_of_equal_rows(rows: Array, step: float, floor: float) -> float:
    """Return the probability that two units are equal in all models, from above.

    Where one model has equal scores, another has if the difference of the two models is
    the same; of the earlier models, that one counts which makes it most probable.
    """
    chance = _chance_in_steps(rows, step, floor)
    if rows.min() > 0:
        # errors in the units of many data sets have as many digits each, in their order
        # of magnitude; scores of one order have the same chance again
        logarithms = _chance_in_steps(np.log(rows), _relative_step(rows), floor)
        chance = max(chance, logarithms)
    return chance


def _chance_in_steps(rows: Array, step: float, floor: float) -> float:
    """Return the probability that two rows of multiples of a step are equal, from above."""
    chance = 1.0
    columns = rows.T[:_MOST_MODELS]
    for number, column in enumerate(columns):
        differences = [column - earlier for earlier in columns[:number]]
        chances = [chance_of_equal_scores(x, step) for x in differences or [column]]
        chance *= max(floor, *chances)
    return chance


def _relative_step(scores: Array) -> float:
    """Return the mean size of a unit of the last significant digit, of positive scores.

    >>> round(_relative_step(np.array([0.0125, 125])), 3)
    0.008
    """
    magnitudes = 10.0 ** np.floor(np.log10(scores) + _ROUNDING)
    unit = 10.0 ** -decimals(scores / magnitudes)
    return float(np.mean(unit * magnitudes / scores))


def chance_of_equal_scores(scores: Array, step: float) -> float:
    """Return the probability that two scores are equal, from above.

    Pairs of scores that lie close together are counted, and of these, as many are equal as
    there are equal steps within that distance.  One equal pair is that which is looked at.

    Parameters
    ----------
    scores : ndarray
    step : float
        Of which all differences are multiples, as :func:`step_of` finds it.

    Returns
    -------
    float

    Examples
    --------
    >>> scores = np.array([0.81, 0.84, 0.84, 0.79, 0.87])
    >>> round(chance_of_equal_scores(scores, step_of(scores)), 3)
    0.078
    """
    in_order = np.sort(scores.ravel())
    n_pairs = comb(in_order.size, 2)
    distance = _CLOSE * (in_order[-1] - in_order[0])
    share_of_equal = step / (2 * distance + step) if distance else 1.0
    if distance < step:
        # too few steps for an estimate: the equal ones are counted
        distance = step / 2
        share_of_equal = 1.0
    n_close = _pairs_within(in_order, distance)
    by_closeness = (1 + n_close) / (1 + n_pairs) * share_of_equal
    n_other_equal = _pairs_within(in_order, step / 2) - 1
    return float(min(1.0, max(by_closeness, n_other_equal / max(1, n_pairs))))


def _pairs_within(in_order: Array, distance: float) -> int:
    """Return how many pairs of sorted numbers differ by at most this."""
    ends = np.searchsorted(in_order, in_order + distance, side="right")
    return int((ends - np.arange(in_order.size) - 1).sum())


def step_of(scores: Array, *, n_sizes: int = 1) -> float:
    """Return the largest step of which scores can be multiples, 0 if there is none.

    Parameters
    ----------
    scores : ndarray
        Of all models.
    n_sizes : int
        Shares may be those of so many sizes of a test set that follow each other: of
        103 items, five folds have 20 or 21.

    Returns
    -------
    float

    Examples
    --------
    Three digits of shares of 57 items are multiples of 1/57:

    >>> round(1 / step_of(np.array([40, 43, 44, 45, 47, 51]) / 57))
    57
    >>> round(1 / step_of((np.array([40, 43, 44, 45, 47, 51]) / 57).round(3)))
    57
    >>> round(1 / step_of(np.array([16 / 20, 18 / 20, 17 / 21, 19 / 21]), n_sizes=2))
    20
    """
    distinct = np.unique(scores)
    places = decimals(distinct)
    is_rounded = places <= _MOST_DECIMALS
    rounding = 0.5 * 10.0**-places if is_rounded else _ROUNDING
    step = 0.0
    if is_rounded:
        whole = np.rint(distinct * 10.0**places).astype(np.int64)
        step = float(np.gcd.reduce(whole - whole[0])) / 10.0**places
    unit = 100.0 if distinct[-1] > 1 else 1.0
    if distinct[0] < 0 or distinct[-1] > unit:
        return step  # no shares
    n_items = np.arange(1, min(_MOST_ITEMS, unit / step if step else np.inf))
    for share in distinct / unit:
        is_share = np.zeros(n_items.shape, dtype=bool)
        for size in (n_items + more for more in range(n_sizes)):
            away = np.abs(share - np.rint(share * size) / size)
            is_share |= away <= 1.001 * rounding / unit
        n_items = n_items[is_share]
    return unit / n_items[0] if n_items.size else step
