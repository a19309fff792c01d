"""Intervals for a proportion, a beta distribution, and an error by nested cross-validation.

Tests of differences have their own intervals: see `confidence_interval` of their results in
:mod:`replib.significance`.

Functions raise `ValueError` if an argument lies outside its range.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import validation
from replib.validation import ROUNDING_NOISE, as_number, broadcast

Floats = NDArray[np.float64]

_LARGEST = 1e12  # parameter of a beta distribution; above it the quantiles are not found


class Numbers:
    """A result that holds numbers about one sample, or arrays about several."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray | np.generic):
                object.__setattr__(self, name, as_number(value))


class ConfidenceInterval(NamedTuple):
    """Limits of a confidence interval.

    Attributes
    ----------
    low, high : float or ndarray
    """

    low: Any
    high: Any


def clopper_pearson(
    successes: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Compute the exact confidence interval of a proportion (Berrar 2024, Equation 7).

    Parameters
    ----------
    successes : array_like of int
        0 to `n`.
    n : array_like of int
        Number of trials, at least 1.
    confidence_level : float, default 0.95

    Returns
    -------
    ConfidenceInterval
        `low` and `high`, as quantiles of beta distributions; the paper gives the same limits as
        quantiles of F distributions.

    Examples
    --------
    >>> low, high = clopper_pearson(29, 44)
    >>> round(low, 3), round(high, 3)
    (0.501, 0.795)
    """
    x, n = validation.successes_and_trials("successes", successes, n)
    validation.check_level("confidence_level", confidence_level)
    tail = (1 - confidence_level) / 2
    # betaincinv is not defined where a parameter is 0; there the limit is the end of the range
    low = np.where(x > 0, special.betaincinv(np.maximum(x, 1), n - x + 1, tail), 0.0)
    high = np.where(x < n, special.betaincinv(x + 1, np.maximum(n - x, 1), 1 - tail), 1.0)
    return ConfidenceInterval(as_number(low), as_number(high))


def highest_density_interval(
    a: ArrayLike, b: ArrayLike, *, confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Compute the shortest interval with a given probability under a beta distribution.

    Parameters
    ----------
    a, b : array_like
        Parameters of the beta distribution, at least 1 and not both 1, so that its density has
        one peak, or rises or falls throughout.
    confidence_level : float, default 0.95

    Returns
    -------
    ConfidenceInterval
        The density is higher everywhere inside it than outside.

    Examples
    --------
    >>> low, high = highest_density_interval(30, 16)
    >>> round(low, 3), round(high, 3)
    (0.515, 0.785)
    """
    validation.check_level("confidence_level", confidence_level)
    a, b = broadcast(
        "ab", *(validation.array_within(name, x, 1, _LARGEST) for name, x in (("a", a), ("b", b))))
    if np.any(a + b == 2):
        raise ValueError("a and b of the beta distribution must not both be 1: it has no peak")

    from scipy.optimize import elementwise  # slow to load, and needed only here

    outside = 1 - confidence_level

    def ends(below: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Return the interval with the probability `below` to its left."""
        above = np.minimum(below + confidence_level, 1)
        return special.betaincinv(a, b, below), special.betaincinv(a, b, above)

    def slope(below: Floats, a: Floats, b: Floats) -> Floats:
        """Return the difference of the densities at the ends, relative to that at the peak."""

        def log_density(x: Floats) -> Floats:
            return special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x)

        at_peak = log_density((a - 1) / (a + b - 2))
        low, high = (np.exp(log_density(x) - at_peak) for x in ends(below, a, b))
        return low - high

    inner = (a > 1) & (b > 1)
    # where the density is monotone the interval starts or ends at the boundary; any shape with a
    # peak replaces it during the search
    peaked = np.where(inner, a, 2.0), np.where(inner, b, 2.0)
    below = elementwise.find_root(slope, (0.0, outside), args=peaked).x
    low, high = ends(np.where(inner, below, np.where(a > 1, outside, 0.0)), a, b)
    return ConfidenceInterval(as_number(low), as_number(high))


@dataclass(frozen=True, eq=False, kw_only=True)
class NestedCVResult(Numbers):
    """Estimate and standard error of an error, or of a difference, by nested cross-validation.

    Attributes
    ----------
    estimate : float or ndarray
        Corrected for bias: `inner_mean` - `bias`.
    standard_error : float or ndarray
        Standard error of `estimate`, from the mean squared error of the inner cross-validations.
    bias : float or ndarray
        Estimate of how much the inner mean exceeds the error of models trained on all the data.
    inner_mean, outer_mean : float or ndarray
        Mean loss on held-out instances of all models trained without two folds (without one).
    n : int
        Number of instances.
    """

    estimate: Floats | float
    standard_error: Floats | float
    bias: Floats | float
    inner_mean: Floats | float
    outer_mean: Floats | float
    n: int

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute the estimate plus and minus a normal quantile times its standard error.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, in the unit of the losses.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1.

        Examples
        --------
        >>> result = NestedCVResult(
        ...     estimate=0.2, standard_error=0.05, bias=0.0, inner_mean=0.2, outer_mean=0.2, n=40
        ... )
        >>> low, high = result.confidence_interval()
        >>> round(low, 3), round(high, 3)
        (0.102, 0.298)
        """
        validation.check_level("confidence_level", confidence_level)
        reach = special.ndtri((1 + confidence_level) / 2) * np.asarray(self.standard_error)
        return ConfidenceInterval(
            as_number(self.estimate - reach), as_number(self.estimate + reach)
        )


def nested_cv(
    losses: ArrayLike, *, folds: ArrayLike, bias: str | None = "paper"
) -> NestedCVResult:
    r"""Estimate an error and its standard error by nested cross-validation (Bates et al. 2024).

    In each run and for each fold g of K, the mean loss e_in of a (K-1)-fold cross-validation on the
    other folds is compared with the mean loss e_out on fold g of the model trained on those folds:

    .. math:: \widehat{\text{MSE}} = \text{mean of } (e_\text{in} - e_\text{out})^2 -
              \frac{s_g^2}{n_g}

    over all folds of all runs, where :math:`s_g^2` is the variance of the losses in fold g (divisor
    :math:`n_g - 1`) and :math:`n_g` its size.  The standard error of the estimate is

    .. math:: \sqrt{\tfrac{K-1}{K} \max(\widehat{\text{MSE}}, 0)} \quad \text{kept from }
              s / \sqrt{n} \text{ to } \sqrt{K}\, s / \sqrt{n},

    where s is the standard deviation of all inner losses.  The inner models learn from fewer
    instances.  The resulting bias is estimated, and subtracted, as

    .. math:: c\, (\text{inner mean} - \text{outer mean}), \qquad c = 1 + \frac{K-2}{K}.

    Parameters
    ----------
    losses : array_like, shape (..., runs, K, n)
        ``losses[r, g, i]`` is the loss on instance i of the model trained without fold g and
        without i's own fold ``folds[r, i]``; if g is i's own fold, of the model trained without
        this fold alone.  For a comparison, losses (or scores) of A minus those of B.
    folds : array_like of int, shape (..., runs, n)
        Fold 0 to K - 1 of each instance in each run: at least 3 folds, with at least two
        instances each.  Leading axes broadcast.
    bias : {"paper", "package", None}
        The factor c of the correction: that of the paper; :math:`1 + ((K-2)/K)^{1.5}`, as in the
        authors' R package; or 0, which means no correction.

    Returns
    -------
    NestedCVResult

    Raises
    ------
    ValueError
        If a loss is not finite, the shapes do not match, there are fewer than 3 folds or fewer
        than two instances in a fold, or `bias` is unknown.

    References
    ----------
    S. Bates, T. Hastie, R. Tibshirani (2024). Cross-validation: what does it estimate and how well
    does it do it? Journal of the American Statistical Association 119.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> folds = [rng.permutation(np.arange(30) % 5) for _ in range(20)]
    >>> losses = np.broadcast_to(rng.random(30) < 0.3, (20, 5, 30))  # a model that does not learn
    >>> result = nested_cv(losses, folds=folds)
    >>> round(result.estimate, 3), round(result.standard_error, 3)
    (0.333, 0.091)
    """
    if bias is not None:
        validation.check_choice("bias", bias, ("paper", "package"))
    x = validation.real_array("losses", losses, axes=("runs", "folds", "instances"))
    validation.scores_array("losses", x)
    *_, runs, k, n = x.shape
    if k < 3 or not runs:
        raise ValueError(f"losses must have at least one run and three folds, not {x.shape}")
    own = validation.whole_numbers("folds", folds, at_least=0, at_most=k - 1)
    if own.shape[-2:] != (runs, n):
        raise ValueError(f"folds must have shape (..., {runs}, {n}), not {own.shape}")
    x, own = broadcast(("losses", "folds"), x, own[..., np.newaxis, :])
    outside = own != np.arange(k)[:, np.newaxis]
    size = n - outside.sum(axis=-1)
    if np.any(size < 2):
        raise ValueError("folds must have at least two instances in each of the folds of each run")

    def mean(where: NDArray[np.bool_], axis: int | tuple[int, ...]) -> Floats:
        return x.mean(axis=axis, where=where)

    e_in, e_out = mean(outside, -1), mean(~outside, -1)
    mse = ((e_in - e_out) ** 2 - x.var(axis=-1, ddof=1, where=~outside) / size).mean(axis=(-2, -1))

    everything = (-3, -2, -1)
    inner, outer = mean(outside, everything), mean(~outside, everything)
    spread = x.std(axis=everything, ddof=1, where=outside)
    largest = np.abs(x).max(axis=everything)  # equal losses may leave rounding noise
    least = np.where(spread <= ROUNDING_NOISE * largest, 0.0, spread) / np.sqrt(n)
    excess = np.where(np.abs(inner - outer) <= ROUNDING_NOISE * largest, 0.0, inner - outer)
    factor = {None: 0.0, "paper": 1 + (k - 2) / k, "package": 1 + ((k - 2) / k) ** 1.5}[bias]
    error = np.sqrt(np.maximum(mse, 0) * (k - 1) / k)
    return NestedCVResult(
        estimate=inner - factor * excess, standard_error=np.clip(error, least, np.sqrt(k) * least),
        bias=factor * excess, inner_mean=inner, outer_mean=outer, n=n,
    )
