r"""Items, clusters and seeds in one model: how reliable is the difference of two models?

Model *m*, trained with seed *s*, has the following score on item *i* of cluster *c*:

.. math:: y_{msi} = \mu_m + P_i + q_{mi} + \sigma_{ms} + \varepsilon_{msi},

The difficulty :math:`P_i` is shared by both models and cancels; :math:`q` (how much an
item favours a model) and :math:`\varepsilon` (how much it favours one training) may be
correlated within a cluster.  The estimate :math:`D` is the mean of A minus the mean of
B.  For R runs and n items

.. math:: \operatorname{Var} D = \frac{\sigma_q^2}{n} + \sum_m \frac{\sigma_m^2}{R}
          + \sum_m \frac{\sigma_{\varepsilon m}^2}{R n}.

Three mean squares, each divided so that it has the unit of
:math:`\operatorname{Var} D`, are independent of each other and of D if all effects are
normal:

=====================  ============================================  ==============================
mean square            computed from                                 expectation
=====================  ============================================  ==============================
item, I                differences of the items, averaged over runs  item + seed × item
seed, S                averages of the runs, for each model          seed + seed × item
interaction, M         the rest: seed × item, for each model         seed × item
=====================  ============================================  ==============================

I is cluster-robust (CR1), and M sums over clusters in the same way.  *New items* therefore have the
variance I with (clusters or items) − 1 degrees of freedom, *new seeds* S with Welch's, and both
together :math:`I + S - M`, which is unbiased but can be negative.  I and S are each on average too
small for Var D, never too large.  :func:`variance_of_difference` uses the largest of the three,
:math:`\max(I, S, I + S - M)`.

Functions raise `ValueError` if an argument lies outside its range.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib._validation import (
    Array,
    as_number,
    broadcast,
    is_rounding_noise,
    without_rounding_noise,
)
from replib.intervals import Prediction
from replib.significance import MeanTestResult

# What a user calls; the rest is shared with the tests of a pair, on checked scores.
__all__ = [
    "QUESTIONS",
    "MeanSquares",
    "VarianceComponents",
    "difference_test",
    "mean_squares",
    "recurrence",
    "variance_components",
    "variance_of_difference",
]

#: What is drawn again: seeds for the same items, items for the same trained models, or
#: both.
QUESTIONS = ("both", "items", "seeds")
# Points of the grid of quantiles in `recurrence`: odd, so that one of them is the median.
_POINTS = 33


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """Difference of two models and its mean squares, in the unit of the difference's variance.

    Attributes
    ----------
    estimate : ndarray, shape (...)
        Mean of A minus mean of B.
    item : ndarray, shape (...)
    seed, interaction : ndarray, shape (models, ...)
        One entry per model, or a single one if the runs are paired; zeros for a single
        run.
    runs : tuple of int
        Runs of each model; one entry if the runs are paired.
    items, units : int
        Number of items, and of clusters (or of items, if there are no clusters).
    effective : float
        Number of equal-sized clusters that would carry the same information on the
        variance.
    scale : ndarray, shape (...)
        Largest absolute score.
    df_of_strata : ndarray, shape (...), optional
        Degrees of freedom of `item`, if it is a sum over strata of items.
    """

    estimate: Array
    item: Array
    seed: Array
    interaction: Array
    runs: tuple[int, ...]
    items: int
    units: int
    effective: float
    scale: Array
    df_of_strata: Array | None = None

    @property
    def df_item(self) -> Array:
        """Degrees of freedom of `item`."""
        if self.df_of_strata is not None:
            return np.broadcast_to(self.df_of_strata, self.item.shape)
        return np.full(self.item.shape, self.effective - 1.0)


def mean_squares(
    a: ArrayLike,
    b: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    paired_runs: bool = False,
) -> MeanSquares:
    """Compute the mean squares of item, seed and seed × item.

    Parameters
    ----------
    a, b : array_like, shape (..., runs, items)
        Scores of both models on the same items.  The numbers of runs may differ, unless
        they are paired.
    groups : array_like, shape (items,), optional
        Cluster of each item; items in the same cluster may depend on each other.
    paired_runs : bool, default False
        Whether run s of A and run s of B share something, such as a seed that decides
        the split.

    Returns
    -------
    MeanSquares

    Raises
    ------
    ValueError
        If there are fewer than two items or clusters, or the shapes do not match.

    Examples
    --------
    >>> squares = mean_squares([[1, 1, 0, 1], [1, 1, 1, 1]], [[0, 1, 0, 1], [0, 1, 0, 0]])
    >>> float(squares.estimate), float(squares.item)
    (0.5, 0.041666666666666664)
    >>> squares.seed.tolist(), squares.interaction.tolist()
    ([0.015625, 0.015625], [0.015625, 0.015625])
    """
    validation.check_flag("paired_runs", paired_runs)
    a = validation.scores_array("a", a)
    b = validation.scores_array("b", b)
    _check_shapes(a.shape, b.shape, paired_runs=paired_runs)
    n_items = a.shape[-1]
    clusters = None
    if groups is not None:
        clusters = Clusters.from_labels(groups, n_items)
    elif n_items < 2:
        raise ValueError("at least two items are needed")
    return squares_of_scores(a, b, clusters=clusters, paired_runs=paired_runs)


def _check_shapes(a: tuple[int, ...], b: tuple[int, ...], *, paired_runs: bool) -> None:
    """Refuse scores that are not of the same items, or not of as many paired runs."""
    have_runs = min(len(a), len(b)) >= 2
    if not have_runs or a[-1] != b[-1] or a[:-2] != b[:-2]:
        raise ValueError(
            f"a and b must both have shape (..., runs, items), not {a} and {b}"
        )
    if paired_runs and a != b:
        raise ValueError(
            f"paired runs must be equally many, not {a[-2]} of a and {b[-2]} of b"
        )


def squares_of_scores(
    a: Array, b: Array, *, clusters: "Clusters | None", paired_runs: bool
) -> MeanSquares:
    """Compute the mean squares of checked scores, as :func:`mean_squares` does."""
    if clusters is None:
        clusters = Clusters.of_single_items(a.shape[-1])
    models = [a - b] if paired_runs else [a, b]
    largest_a = np.abs(a).max((-2, -1))
    largest_b = np.abs(b).max((-2, -1))
    return squares_of_totals(
        [clusters.totals(x) for x in models],
        clusters.sizes,
        scale=np.maximum(largest_a, largest_b),
        effective=clusters.effective,
    )


@dataclass(frozen=True, eq=False)
class Clusters:
    """Clusters of items.

    Attributes
    ----------
    sizes : ndarray, shape (clusters,)
        Numbers of items.
    effective : float
        Number of equal-sized clusters that would carry the same information on the
        variance.
    order : ndarray of int, shape (items,), optional
        Places of the items, cluster by cluster; None if each item is a cluster.
    """

    sizes: Array
    effective: float
    order: NDArray[np.int64] | None

    @classmethod
    def of_single_items(cls, n_items: int) -> Self:
        """Return clusters of one item each."""
        return cls(sizes=np.ones(n_items), effective=float(n_items), order=None)

    @classmethod
    def from_labels(cls, groups: ArrayLike, n_items: int) -> Self:
        """Return the clusters that labels of the items name, in the order of the labels."""
        labels = validation.rectangular_array("groups", groups)
        if labels.shape != (n_items,):
            raise ValueError(
                f"groups must name the cluster of each of the {n_items} items, not "
                f"have shape {labels.shape}"
            )
        if labels.dtype.kind == "f" and np.isnan(labels).any():
            raise ValueError("groups must name the cluster of each item, without NaN")
        order, first = _sorted_by_label(labels)
        if len(first) < 2:
            raise ValueError("at least two clusters are needed")
        sizes = np.diff(first, append=n_items).astype(float)
        return cls(sizes=sizes, effective=_effective_number(sizes), order=order)

    def totals(self, x: Array) -> Array:
        """Return the sum over each cluster of the items on the last axis."""
        if self.order is None:
            return x
        starts = np.cumsum(self.sizes) - self.sizes
        return np.add.reduceat(x[..., self.order], starts.astype(np.int64), axis=-1)


def _sorted_by_label(
    labels: NDArray[Any],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the order that sorts labels, and the places in it at which each label begins.

    Items with the same label keep their order.  Codes are sorted together with their
    places, in one whole number: several times as fast as a stable sort of the labels.
    """
    n = len(labels)
    codes = _codes(labels)
    order = np.arange(n)
    if (np.diff(codes) < 0).any():
        keys = codes * n + order
        keys.sort()
        order = keys % n
        codes = codes[order]
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    return order, first


def _codes(labels: NDArray[Any]) -> NDArray[np.int64]:
    """Return whole numbers, from 0, in the order of the labels; not much larger than necessary."""
    if labels.dtype.kind in "iu" and labels.size:
        smallest = int(labels.min())
        largest = int(labels.max())
        most = np.iinfo(np.int64).max
        if largest <= most and (largest - smallest + 1) * labels.size <= most:
            return labels.astype(np.int64) - smallest
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _effective_number(sizes: Array) -> float:
    """Return how many clusters of equal sizes would have the degrees of freedom of these.

    That is one more than Satterthwaite's degrees of freedom of CR1 for equally variable
    clusters.  With the shares w of the clusters, the variance estimate is the quadratic
    form of the clusters' means with the matrix A = (E - w 1') diag(w^2) (E - 1 w'),
    which has tr(A)^2 / tr(A^2) degrees of freedom.  If all sizes are equal, these are the
    clusters less one.

    With the clusters less one for any sizes, equal models would differ significantly in
    10% of experiments with sixteen clusters of which each is a third larger than the one
    before, and in 20% if one of sixteen has half of the items; so in 4% and hardly ever.
    """
    if (sizes == sizes[0]).all():
        return float(len(sizes))
    shares = sizes / sizes.sum()
    p2, p3, p4, p5 = ((shares**power).sum() for power in (2, 3, 4, 5))
    trace = p2 - 2 * p3 + p2**2
    trace_of_square = p4 + 4 * p2 * p4 + 2 * p3**2 + p2**4 - 4 * p5 - 4 * p2**2 * p3
    return float(min(trace**2 / trace_of_square + 1, len(sizes)))


def squares_of_totals(
    models: Sequence[Array], sizes: Array, *, scale: Array, effective: float
) -> MeanSquares:
    """Compute the mean squares from the totals of the clusters, on which alone they depend.

    Parameters
    ----------
    models : sequence of ndarray, shape (..., runs, clusters)
        Sums over the items of each cluster, for A and B; or for A - B, if the runs are
        paired.
    sizes : ndarray, shape (clusters,)
    scale, effective
        As in :class:`MeanSquares`.

    Returns
    -------
    MeanSquares

    Examples
    --------
    >>> squares = squares_of_totals(np.array([[[2.0, 1]], [[1, 1]]]), np.array([2.0, 1]),
    ...                             scale=np.array(1.0), effective=1.8)
    >>> round(float(squares.estimate), 4), squares.items, squares.units
    (0.3333, 3, 2)
    """
    n_items = int(sizes.sum())
    by_model = [_squares_of_model(totals, sizes, scale) for totals in models]
    estimate = by_model[0].mean
    unit_means = by_model[0].unit_means
    for squares in by_model[1:]:  # the model that is subtracted, unless runs are paired
        estimate = estimate - squares.mean
        unit_means = unit_means - squares.unit_means
    estimate = without_rounding_noise(estimate, scale)
    deviations = unit_means - sizes * estimate[..., None]
    return MeanSquares(
        estimate=estimate,
        item=_cr1(sizes) * (deviations**2).sum(-1),
        seed=np.array([squares.seed for squares in by_model]),
        interaction=np.array([squares.interaction for squares in by_model]),
        runs=tuple(totals.shape[-2] for totals in models),
        items=n_items,
        units=len(sizes),
        effective=effective,
        scale=scale,
    )


class _ModelSquares(NamedTuple):
    """What one model contributes: arrays of shape (...), but for `unit_means`.

    Attributes
    ----------
    mean : ndarray
    unit_means : ndarray, shape (..., clusters)
        Means over runs of the totals of the clusters.
    seed, interaction : ndarray
    """

    mean: Array
    unit_means: Array
    seed: Array
    interaction: Array


def _squares_of_model(totals: Array, sizes: Array, scale: Array) -> _ModelSquares:
    """Compute the mean squares of one model, whose totals have shape (..., runs, clusters)."""
    n_runs = totals.shape[-2]
    # runs - 1 degrees of freedom, and the mean of all runs has 1 / runs of the variance
    divisor = max(n_runs * (n_runs - 1), 1)
    unit_means = totals.mean(-2, keepdims=True)
    run_means = totals.sum(-1, keepdims=True) / sizes.sum()
    mean = run_means.mean(-2, keepdims=True)
    run_deviations = without_rounding_noise(
        run_means - mean, np.asarray(scale)[..., None, None]
    )
    residuals = totals - unit_means - sizes * run_deviations
    return _ModelSquares(
        mean=mean[..., 0, 0],
        unit_means=unit_means[..., 0, :],
        seed=(run_deviations**2).sum((-2, -1)) / divisor,
        interaction=_cr1(sizes) * (residuals**2).sum((-2, -1)) / divisor,
    )


def _cr1(sizes: Array) -> float:
    """Return the factor from squared deviations of totals to a cluster-robust variance (CR1)."""
    n_units = len(sizes)
    return n_units / max(n_units - 1, 1) / int(sizes.sum()) ** 2


def squares_of_strata(
    whole: MeanSquares, strata: Sequence[MeanSquares], weights: Array
) -> MeanSquares:
    r"""Compute the mean squares of a weighted mean over strata, each with items of its own.

    Items are drawn from each stratum, so that I and M are sums over strata of
    :math:`w^2` times those of the stratum; Satterthwaite's degrees of freedom of I are
    :math:`I^2 / \sum_s (w_s^2 I_s)^2 / \nu_s`.  A training has a seed for all strata.

    Parameters
    ----------
    whole : MeanSquares
        Of the scores times (number of items) x (weight of the item): its mean squares of
        the seeds are those of the weighted mean.
    strata : sequence of MeanSquares
    weights : ndarray, shape (strata,)
        Of the means of the strata.

    Returns
    -------
    MeanSquares
    """
    parts = np.array(
        [weight**2 * squares.item for weight, squares in zip(weights, strata)]
    )
    df = np.array([squares.df_item for squares in strata])
    item = parts.sum(axis=0)
    # of strata that all have no spread, each counts alike
    has_spread = item > 0
    shares = np.where(has_spread, parts, 1.0) / np.where(has_spread, item, 1.0)
    shares = shares / shares.sum(axis=0)
    interaction = [
        weight**2 * squares.interaction for weight, squares in zip(weights, strata)
    ]
    return replace(
        whole,
        item=item,
        interaction=np.sum(interaction, axis=0),
        units=sum(squares.units for squares in strata),
        df_of_strata=1 / (shares**2 / df).sum(axis=0),
    )


def variance_of_difference(
    squares: MeanSquares, *, generalize: str = "both"
) -> tuple[Array, Array]:
    r"""Estimate the variance of the difference, and its degrees of freedom.

    Parameters
    ----------
    squares : MeanSquares
    generalize : {"both", "items", "seeds"}
        What is drawn again, which is the question that the estimate answers.

        * ``"items"``: I, with one degree of freedom less than there are clusters or items; clusters
          of unequal sizes count by their effective number;
        * ``"seeds"``: S, with Welch's :math:`\nu_S=S^2/\sum_m S_m^2/(R_m-1)`; if the means of all
          runs happen to be equal, M is used instead;
        * ``"both"``: :math:`V=\max(I, S, I + S - M)` with Satterthwaite's degrees of freedom
          :math:`1/(f^2/\nu_S+g^2/\nu_I)`, for which the shares :math:`f=cS/V_c` and
          :math:`g=I/V_c` are computed from :math:`cS`, :math:`c=1+2/\nu_S^2`, instead of S.

    Returns
    -------
    variance, df : ndarray, shape (...)

    Raises
    ------
    ValueError
        If `generalize` includes seeds and a model has a single run.

    Notes
    -----
    Satterthwaite's degrees of freedom are too many when S happens to be too small.  With c = 1, the
    Type I error of two runs of one model against a deterministic one is 8% at a nominal 5%.  The
    factor c was chosen by simulation: 3 at one degree of freedom, 1.125 at four, 1.02 at nine.

    Examples
    --------
    >>> rng = np.random.default_rng(4)
    >>> squares = mean_squares(rng.normal(0.4, 1, size=(3, 50)), rng.normal(size=(3, 50)))
    >>> for question in QUESTIONS:
    ...     v, df = variance_of_difference(squares, generalize=question)
    ...     print(question, round(float(v), 4), round(float(df), 1))
    both 0.0179 4.1
    items 0.0142 49.0
    seeds 0.0168 3.8
    """
    validation.check_instance("squares", squares, MeanSquares)
    validation.check_choice("generalize", generalize, QUESTIONS)
    item = squares.item
    df_item = squares.df_item
    if generalize == "items":
        return item, df_item
    if min(squares.runs) < 2:
        raise ValueError(
            "one run shows no spread from seed to seed: generalize to 'items', or give two or more "
            "runs of each model"
        )
    seed = squares.seed.sum(0)
    interaction = squares.interaction.sum(0)
    # where all runs have the same mean, there is nothing for Welch's formula to weigh
    coincide = is_rounding_noise(np.sqrt(seed), squares.scale)
    df_seed = _welch_df(squares, coincide)
    if generalize == "seeds":
        return np.where(coincide, interaction, seed), df_seed

    inflated = (1 + 2 / df_seed**2) * seed
    total = _total_variance(item, inflated, interaction)
    is_zero = total <= 0
    nonzero = np.where(is_zero, 1.0, total)
    seed_share = inflated / nonzero
    item_share = item / nonzero
    reciprocal_df = seed_share**2 / df_seed + item_share**2 / df_item
    df = 1 / np.where(is_zero, 1 / df_item, reciprocal_df)
    return _total_variance(item, seed, interaction), df


def _welch_df(squares: MeanSquares, coincide: NDArray[np.bool_]) -> Array:
    """Return Welch's degrees of freedom of S, those of all runs where their means coincide."""
    df = np.array(squares.runs) - 1.0
    df = df.reshape(-1, *[1] * squares.item.ndim)
    denominator = (squares.seed**2 / df).sum(0)
    welch = squares.seed.sum(0) ** 2 / np.where(coincide, 1.0, denominator)
    return np.where(coincide, df.sum(), welch)


def _total_variance(item: Array, seed: Array, interaction: Array) -> Array:
    """Return the largest of I, S and I + S - M."""
    return np.maximum(np.maximum(item, seed), item + seed - interaction)


def difference_test(
    squares: MeanSquares, *, generalize: str = "both"
) -> MeanTestResult:
    """Test whether two models differ, by Student's t with the variance that the question needs.

    Parameters
    ----------
    squares, generalize
        As in :func:`variance_of_difference`.

    Returns
    -------
    MeanTestResult
        Its `df` need not be whole; `n` is the number of items.

    Raises
    ------
    ValueError
        As for :func:`variance_of_difference`.

    Examples
    --------
    >>> rng = np.random.default_rng(4)
    >>> squares = mean_squares(rng.normal(0.4, 1, size=(3, 50)), rng.normal(size=(3, 50)))
    >>> [round(difference_test(squares, generalize=q).pvalue, 3) for q in QUESTIONS]
    [0.113, 0.029, 0.11]
    """
    variance, df = variance_of_difference(squares, generalize=generalize)
    return MeanTestResult.from_estimate(
        estimate=squares.estimate,
        standard_error=np.sqrt(variance),
        scale=squares.scale,
        n=squares.items,
        df=df[()],
        alternative="two-sided",
    )


def recurrence(
    squares: MeanSquares,
    *,
    generalize: str = "both",
    new_items: bool = False,
    alpha: float = 0.05,
) -> Prediction:
    r"""Predict the decision of the same experiment with new seeds, or with new items and seeds.

    The true difference has the posterior distribution :math:`N(D, \sigma^2)` under a uniform prior,
    where :math:`\sigma^2` is the variance over such experiments: S or V times
    :math:`\nu/\chi^2_\nu`.  The difference of a repetition is normal about it with the same
    variance; its mean squares, and therefore its critical value, are its own.  The prediction is
    the probability of each decision at the medians of the true difference and variance; its limits
    are quantiles of that probability over the posterior distribution.  (The posterior mean is
    nearer to 1/2, and too near if differences are mostly much smaller or larger than their errors.)
    Where a decision is a coin toss, the experiment rarely shows it, and the prediction is too high:
    0.74 instead of 0.50 in a simulation with five seeds.

    Parameters
    ----------
    squares : MeanSquares
        Mean squares of one experiment.
    generalize : {"both", "items", "seeds"}
        The question whose test decides.
    new_items : bool, default False
        Whether the repetition has new items as well as new seeds; with a single run, it
        has the same trained models on new items.
    alpha : float

    Returns
    -------
    Prediction
        Of the three decisions: A better, B better, neither; arrays of shape (3,).

    Raises
    ------
    ValueError
        If a level lies outside its range, or new seeds are asked for and there is a
        single run.

    Examples
    --------
    >>> rng = np.random.default_rng(4)
    >>> squares = mean_squares(rng.normal(0.4, 1, size=(3, 50)), rng.normal(size=(3, 50)))
    >>> recurrence(squares).point.round(2).tolist()
    [0.26, 0.0, 0.74]
    """
    validation.check_level("alpha", alpha)
    validation.check_flag("new_items", new_items)
    if not new_items:
        drawn_again = "seeds"
    elif min(squares.runs) > 1:
        drawn_again = "both"
    else:
        drawn_again = "items"
    variance, df = variance_of_difference(squares, generalize=drawn_again)
    if is_rounding_noise(np.sqrt(variance), squares.scale):
        # all repetitions have the same result
        decision = _observed_decision(squares, generalize, alpha)
        return Prediction(decision, decision, decision)

    probability = (np.arange(_POINTS) + 0.5) / _POINTS
    # quantiles of chi-square, divided by its degrees of freedom
    chi_square = 2 * special.gammaincinv(df / 2, probability) / df
    # axes: the true variance, the true difference, the mean square of the repetition
    sigma = np.sqrt(variance / chi_square)[:, None, None]
    true_difference = squares.estimate + sigma * special.ndtri(probability)[:, None]
    # of the repetition's mean squares to those of the experiment
    ratio = chi_square / chi_square[:, None]
    repetition = _repetition(squares, ratio, new_items=new_items)
    variance, df = variance_of_difference(repetition, generalize=generalize)
    critical = special.stdtrit(df, 1 - alpha / 2) * np.sqrt(variance)
    critical = critical[:, None, :]

    a_better = special.ndtr((true_difference - critical) / sigma).mean(-1).ravel()
    b_better = special.ndtr((-true_difference - critical) / sigma).mean(-1).ravel()
    decisions = np.array([a_better, b_better, 1 - a_better - b_better])
    point = decisions[:, decisions.shape[1] // 2]  # at both medians
    low, high = np.quantile(decisions, [0.025, 0.975], axis=-1)
    return Prediction(point, np.minimum(low, point), np.maximum(high, point))


def _repetition(squares: MeanSquares, ratio: Array, *, new_items: bool) -> MeanSquares:
    """Return mean squares of repetitions, which are so many times those of an experiment."""
    item_ratio = ratio if new_items else np.ones_like(ratio)
    return replace(
        squares,
        seed=squares.seed[:, None, None] * ratio,
        item=squares.item * item_ratio,
        interaction=squares.interaction[:, None, None] * item_ratio,
    )


def _observed_decision(squares: MeanSquares, generalize: str, alpha: float) -> Array:
    """Return 1 for the decision that the test makes, of A better, B better and neither; else 0."""
    test = difference_test(squares, generalize=generalize)
    low, high = test.confidence_interval(1 - alpha)
    return np.array([low > 0, high < 0, low <= 0 <= high], float)


@dataclass(frozen=True)
class VarianceComponents:
    """Contributions to the variance of the difference: unbiased, hence sometimes negative.

    Attributes
    ----------
    item, cluster, seed, interaction : float
        Contributions to Var D in this experiment; they sum to I + S − M.
    items, units : int
        Number of items, and of clusters (of items, if there are no clusters).
    runs : float
        Runs of each model (their harmonic mean); 1 if seeds are not examined.
    """

    item: float
    cluster: float
    seed: float
    interaction: float
    items: int
    units: int
    runs: float

    def standard_error(self, runs: ArrayLike, items: ArrayLike) -> Array:
        """Compute the standard error of the difference with other numbers of runs and items.

        Parameters
        ----------
        runs, items : array_like of int
            At least 1.

        Returns
        -------
        float or ndarray
            In the unit of the scores.

        Raises
        ------
        ValueError
            If a number is not whole or is below 1.
        """
        runs, items = broadcast(
            ("runs", "items"),
            validation.whole_numbers("runs", runs, at_least=1),
            validation.whole_numbers("items", items, at_least=1),
        )
        # by how much a contribution grows if there are fewer
        runs_ratio = self.runs / runs
        items_ratio = self.items / items
        item_part = max(self.item, 0.0) + max(self.cluster, 0.0)
        run_part = max(self.seed, 0.0) + max(self.interaction, 0.0) * items_ratio
        return as_number(np.sqrt(item_part * items_ratio + run_part * runs_ratio))


def variance_components(
    a: ArrayLike,
    b: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    paired_runs: bool = False,
) -> VarianceComponents:
    """Split the variance of the difference into item, cluster, seed and seed × item.

    Parameters
    ----------
    a, b, groups, paired_runs
        As in :func:`mean_squares`, for one experiment.

    Returns
    -------
    VarianceComponents
        With one run, the effect of the seeds is in `item`, and `seed` and `interaction`
        are 0.

    Raises
    ------
    ValueError
        As for :func:`mean_squares`.

    Notes
    -----
    Comparing the items of a cluster with each other gives the variance of a single item; the rest
    of the cluster-robust mean square is due to the clusters.  `interaction` contains both seed ×
    item and seed × cluster.

    Examples
    --------
    >>> rng = np.random.default_rng(4)
    >>> noise = rng.normal(size=(2, 5, 400)) + rng.normal(0, 0.1, size=(2, 5, 1))
    >>> found = variance_components(*noise)
    >>> round(found.seed, 4), round(found.interaction, 4)
    (0.004, 0.001)
    """
    squares = mean_squares(a, b, groups=groups, paired_runs=paired_runs)
    if squares.estimate.ndim:
        raise ValueError("a and b must be of one experiment, with shape (runs, items)")
    interaction = float(squares.interaction.sum())
    item_and_cluster = float(squares.item) - interaction
    item = item_and_cluster
    if groups is not None:
        x = np.asarray(a, float)
        y = np.asarray(b, float)
        models = [x - y] if paired_runs else [x, y]
        item = _item_variance(models, Clusters.from_labels(groups, squares.items))
    return VarianceComponents(
        item=item,
        cluster=item_and_cluster - item,
        seed=float(squares.seed.sum()) - interaction,
        interaction=interaction,
        items=squares.items,
        units=squares.units,
        runs=len(squares.runs) / sum(1 / n for n in squares.runs),
    )


def _item_variance(models: Sequence[Array], clusters: Clusters) -> float:
    """Return the contribution of items to Var D, from how they scatter inside their clusters."""

    def scatter(x: Array) -> float:
        """Return the sum of squared deviations of items from the means of their clusters."""
        squared_totals = clusters.totals(x) ** 2
        return float((x**2).sum() - (squared_totals / clusters.sizes).sum())

    n_items = int(clusters.sizes.sum())
    divisor = max(n_items - len(clusters.sizes), 1) * n_items
    difference = models[0].mean(-2) - sum(model.mean(-2) for model in models[1:])
    # the means of few runs still hold seed x item, which residuals of the runs show
    noise = 0.0
    for x in models:
        n_runs = len(x)
        noise += scatter(x - x.mean(-2)) / max(n_runs * (n_runs - 1), 1)
    return (scatter(difference) - noise) / divisor
