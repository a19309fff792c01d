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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib import _validation as validation
from replib._validation import (
    ROUNDING_NOISE,
    Array,
    as_number,
    broadcast,
    without_rounding_noise,
)
from replib.intervals import Prediction
from replib.significance import MeanTestResult

#: What is drawn again: seeds for the same items, items for the same trained models, or
#: both.
QUESTIONS = ("both", "items", "seeds")
#: Below this number of clusters, unequal sizes cost degrees of freedom.
FEW_CLUSTERS = 11


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
    a, b = validation.scores_array("a", a), validation.scores_array("b", b)
    if (
        a.ndim < 2
        or b.ndim < 2
        or a.shape[-1] != b.shape[-1]
        or a.shape[:-2] != b.shape[:-2]
    ):
        raise ValueError(
            f"a and b must both have shape (..., runs, items), not {a.shape} and {b.shape}"
        )
    if paired_runs and a.shape != b.shape:
        raise ValueError(
            f"paired runs must be equally many, not {a.shape[-2]} of a and {b.shape[-2]} of b"
        )
    items = a.shape[-1]
    sizes, sums = _clusters(groups, items)
    if (units := len(sizes)) < 2:
        raise ValueError(
            f"at least two {'items' if groups is None else 'clusters'} are needed"
        )
    scale = np.maximum(np.abs(a).max((-2, -1)), np.abs(b).max((-2, -1)))
    models = (sums(a - b),) if paired_runs else (sums(a), sums(b))
    # one more than Satterthwaite's degrees of freedom of CR1 for equally variable
    # clusters: the variance estimate is the quadratic form of the clusters' means with
    # the matrix A = (E - w 1') diag(w^2) (E - 1 w'), which has tr(A)^2 / tr(A^2)
    # degrees of freedom
    p2, p3, p4, p5 = (((sizes / items) ** k).sum() for k in (2, 3, 4, 5))
    squared = p4 + 4 * p2 * p4 + 2 * p3**2 + p2**4 - 4 * p5 - 4 * p2**2 * p3
    effective = float(min((p2 - 2 * p3 + p2**2) ** 2 / squared + 1, units))
    return squares_of_totals(
        models,
        sizes,
        scale=scale,
        effective=float(units) if (groups is None) else effective,
    )


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
    items, units = int(sizes.sum()), len(sizes)
    correction = units / max(units - 1, 1) / items**2
    means, of_units, seed, interaction = [], [], [], []
    for x in models:  # totals of the clusters, shape (..., runs, units)
        pairs = max(x.shape[-2] * (x.shape[-2] - 1), 1)
        of_unit, of_run = x.mean(-2, keepdims=True), x.sum(-1, keepdims=True) / items
        away = without_rounding_noise(
            of_run - of_run.mean(-2, keepdims=True), np.asarray(scale)[..., None, None]
        )
        seed.append((away**2).sum((-2, -1)) / pairs)
        interaction.append(
            correction * ((x - of_unit - sizes * away) ** 2).sum((-2, -1)) / pairs
        )
        means.append(of_run.mean(-2)[..., 0])
        of_units.append(of_unit[..., 0, :])
    estimate = without_rounding_noise(means[0] - sum(means[1:]), scale)
    deviation = of_units[0] - sum(of_units[1:]) - sizes * estimate[..., None]
    return MeanSquares(
        estimate=estimate,
        item=correction * (deviation**2).sum(-1),
        seed=np.array(seed),
        interaction=np.array(interaction),
        runs=tuple(x.shape[-2] for x in models),
        items=items,
        units=units,
        effective=effective,
        scale=scale,
    )


def _clusters(
    groups: ArrayLike | None, items: int
) -> tuple[Array, Callable[[Array], Array]]:
    """Return the sizes of the clusters, and the function that sums over each of them."""
    if groups is None:
        return np.ones(items), lambda x: x
    labels = validation.rectangular_array("groups", groups)
    if labels.shape != (items,):
        raise ValueError(
            f"groups must name the cluster of each of the {items} items, not have shape "
            f"{labels.shape}"
        )
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise ValueError("groups must name the cluster of each item, without NaN")
    _, inverse, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.cumsum(sizes) - sizes
    return sizes.astype(float), lambda x: np.add.reduceat(
        x[..., order], starts, axis=-1
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

        * ``"items"``: I, with one degree of freedom less than there are clusters or items; ten
          clusters or fewer, of unequal sizes, count by their effective number;
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
    item, units = squares.item, squares.units
    df_item = np.full(
        item.shape, (units if units >= FEW_CLUSTERS else squares.effective) - 1.0
    )
    if generalize == "items":
        return item, df_item
    if min(squares.runs) < 2:
        raise ValueError(
            "one run shows no spread from seed to seed: generalize to 'items', or give two or more "
            "runs of each model"
        )
    df = np.reshape(np.array(squares.runs) - 1.0, (-1, *[1] * item.ndim))
    seed, interaction = squares.seed.sum(0), squares.interaction.sum(0)
    squared = (squares.seed**2 / df).sum(0)
    coincide = seed <= (ROUNDING_NOISE * squares.scale) ** 2
    df_seed = np.where(coincide, df.sum(), seed**2 / np.where(coincide, 1.0, squared))
    if generalize == "seeds":
        return np.where(coincide, interaction, seed), df_seed

    def total(s: Array) -> Array:
        return np.maximum(np.maximum(item, s), item + s - interaction)

    inflated = (1 + 2 / df_seed**2) * seed
    v = np.where((none := total(inflated) <= 0), 1.0, total(inflated))
    parts = (inflated / v) ** 2 / df_seed + (item / v) ** 2 / df_item
    return total(seed), 1 / np.where(none, 1 / df_item, parts)


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
    return MeanTestResult.of(
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
    varies = ("both" if min(squares.runs) > 1 else "items") if new_items else "seeds"
    variance, df = variance_of_difference(squares, generalize=varies)
    if (
        variance <= (ROUNDING_NOISE * squares.scale) ** 2
    ):  # all repetitions have the same result
        low, high = difference_test(squares, generalize=generalize).confidence_interval(
            1 - alpha
        )
        certain = np.array([low > 0, high < 0, low <= 0 <= high], float)
        return Prediction(certain, certain, certain)
    share = (np.arange(_POINTS) + 0.5) / _POINTS
    chi_square = 2 * special.gammaincinv(df / 2, share) / df
    # axes: the true variance, the true difference, the mean square of the repetition
    sigma = np.sqrt(variance / chi_square)[:, None, None]
    true = squares.estimate + sigma * special.ndtri(share)[:, None]
    ratio = chi_square / chi_square[:, None]
    of_items = ratio if new_items else np.ones_like(ratio)
    repeated = replace(
        squares,
        seed=squares.seed[:, None, None] * ratio,
        item=squares.item * of_items,
        interaction=squares.interaction[:, None, None] * of_items,
    )
    of_repetition, its_df = variance_of_difference(repeated, generalize=generalize)
    border = (special.stdtrit(its_df, 1 - alpha / 2) * np.sqrt(of_repetition))[
        :, None, :
    ]
    a = special.ndtr((true - border) / sigma).mean(-1).ravel()
    b = special.ndtr((-true - border) / sigma).mean(-1).ravel()
    outcomes = np.array([a, b, 1 - a - b])
    point = outcomes[:, outcomes.shape[1] // 2]
    low, high = np.quantile(outcomes, [0.025, 0.975], axis=-1)
    return Prediction(point, np.minimum(low, point), np.maximum(high, point))


_POINTS = 33  # odd, so that one of them is the median


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
        fewer_runs, fewer_items = self.runs / runs, self.items / items
        of_items = max(self.item, 0.0) + max(self.cluster, 0.0)
        of_runs = max(self.seed, 0.0) + max(self.interaction, 0.0) * fewer_items
        return as_number(np.sqrt(of_items * fewer_items + of_runs * fewer_runs))


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
    within = net = float(squares.item) - interaction
    if groups is not None:
        # scatter of items about their clusters: of the means of runs, and of the seeds'
        # residuals
        sizes, sums = _clusters(groups, squares.items)
        inside = max(squares.items - squares.units, 1) * squares.items
        x, y = np.asarray(a, float), np.asarray(b, float)
        models = [x - y] if paired_runs else [x, y]

        def scatter(x: Array) -> float:
            return float((x**2).sum() - (sums(x) ** 2 / sizes).sum())

        d = models[0].mean(-2) - sum(model.mean(-2) for model in models[1:])
        noise = sum(
            scatter(x - x.mean(-2)) / max(len(x) * (len(x) - 1), 1) for x in models
        )
        within = (scatter(d) - noise) / inside
    return VarianceComponents(
        item=within,
        cluster=net - within,
        seed=float(squares.seed.sum()) - interaction,
        interaction=interaction,
        items=squares.items,
        units=squares.units,
        runs=len(squares.runs) / sum(1 / n for n in squares.runs),
    )
