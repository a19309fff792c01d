"""The law of T in one cross-validation: its scale, coverage under it, selection, thresholds.

Proposition 2 takes T to be a noncentral t.  With normal and equally correlated fold
differences, T is `scale` times a noncentral t (`correlated_differences.scale_of_t`); every
function here says which scale is the true one and which one a formula assumes.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import special, stats
from scipy.optimize import elementwise

from companion.papers import correlated_differences, published
from companion.papers.berrar2024 import printed
from replib import replication_probability

#: Ways to find the limits of a replication probability.
INTERVALS = ("as_printed", "inverted", "scaled")
#: Readings of one cross-validation, in :func:`thresholds`.
THRESHOLDS = ("point", "independent", "selected", "low_as_printed", "low_inverted")


def noncentral_t_mean(noncentrality: float, folds: int = 10) -> float:
    """Mean of a noncentral t distribution with folds - 1 degrees of freedom, at least 2.

    >>> round(noncentral_t_mean(1.0), 3)
    1.094
    """
    df = folds - 1
    log_factor = special.gammaln((df - 1) / 2) - special.gammaln(df / 2)
    return float(noncentrality * np.sqrt(df / 2) * np.exp(log_factor))


def correlation_of_folds(
    variance_of_means: np.ndarray, mean_variance: np.ndarray, folds: int
) -> np.ndarray:
    r"""Correlation of fold differences, from many cross-validations of new data.

    From the variance of their means, and the mean of their variances with divisor k -
    1, which have the ratio :math:`(1 + (k-1)\rho) / (k(1-\rho))`.

    >>> round(correlation_of_folds(0.19, 0.9, 10), 3)
    0.1
    """
    ratio = folds * variance_of_means / mean_variance
    return (ratio - 1) / (ratio + folds - 1)


def from_mean(
    t: np.ndarray, folds: int, *, scale: float = 1.0, alpha: float = 0.05
) -> np.ndarray:
    """Replication probability where T, of mean `t`, is `scale` times a noncentral t."""
    noncentrality = np.asarray(t) / scale / noncentral_t_mean(1.0, folds)
    critical = stats.t.isf(alpha / 2, folds - 1)
    return stats.nct.sf(critical / scale, folds - 1, noncentrality)


def printed_against_laws(folds: int = 10, alpha: float = 0.05) -> pd.DataFrame:
    """The paper's pairs of a mean T and a share of significant results, next to two laws.

    Columns `group`, `t`, `F` (printed), `plug_in` (Equation 13), `noncentral` (the
    noncentral t with that mean), `independent` (the law of independent folds with that
    mean).
    """
    groups = {
        "q = 2": ("disc.T2", "disc.F2"),
        "q = 3": ("s3.T3", "s3.F3"),
        "d = 11": ("s4.T11", "s4.F11"),
    }
    t, F = np.vectorize(lambda fact: published.value(f"berrar2024.{fact}"))(
        [*groups.values()]
    ).T
    return pd.DataFrame(
        {
            "group": list(groups),
            "t": t,
            "F": F,
            "plug_in": replication_probability.cv_t(
                t, folds, alpha=alpha, scale=1
            ).point,
            "noncentral": from_mean(t, folds, alpha=alpha),
            "independent": from_mean(
                t,
                folds,
                scale=correlated_differences.scale_of_t(0.0, folds),
                alpha=alpha,
            ),
        }
    )


def sizes(
    correlations: Sequence[float] = tuple(np.linspace(0, 0.3, 61)),
    folds: int = 10,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Type I error rate of the corrected t test: `correlation` of folds, `scale`, `size`."""
    scale = correlated_differences.scale_of_t(np.asarray(correlations), folds)
    return pd.DataFrame(
        {
            "correlation": correlations,
            "scale": scale,
            "size": correlated_differences.type1_error_of_scaled_t(
                scale**2, folds, alpha=alpha
            ),
        }
    )


def threshold(
    target: float = 0.95, folds: int = 10, alpha: float = 0.05
) -> tuple[float, float]:
    """The two-sided p-value, and the T, at which the estimate of Equation 13 reaches a target.

    >>> p, t = threshold()
    >>> round(p, 5)
    0.00281
    """
    critical = stats.t.isf(alpha / 2, folds - 1)
    t = float(_noncentrality(critical, folds - 1, 1 - target))
    return float(2 * stats.t.sf(t, folds - 1)), t


def thresholds(
    folds: Sequence[int] = (5, 10, 20, 30, 100),
    target: float = 0.95,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """The p-value at which readings of one cross-validation reach a replication probability.

    Indexed by `folds`, with p-values in the columns `point` (Equation 13),
    `independent` (the law of independent folds), `selected` (estimate given selection),
    `low_as_printed` and `low_inverted` (lower limits).  The p-value is `alpha` where
    every significant result reaches the target.
    """
    folds = np.asarray(folds)
    critical = stats.t.isf(alpha / 2, folds - 1)
    levels = {"alpha": alpha, "confidence_level": confidence_level}
    scales = {"independent": [correlated_differences.scale_of_t(0.0, k) for k in folds]}
    frame = pd.DataFrame(index=pd.Index(folds, name="folds"))
    for reading in THRESHOLDS:

        def short_of_target(log_ratio, folds, critical, scale, reading=reading):
            t = critical * np.exp(log_ratio)
            return target - _probability_read(reading, t, folds, scale, levels)

        scale = np.broadcast_to(scales.get(reading, 1.0), folds.shape)
        args = (folds, critical, scale)
        bracket = np.zeros(folds.shape), np.full(folds.shape, np.log(1e3))
        root = elementwise.find_root(short_of_target, bracket, args=args).x
        at_once = short_of_target(np.zeros(folds.shape), *args) <= 0
        t = critical * np.exp(np.where(at_once, 0.0, root))
        frame[reading] = 2 * stats.t.sf(t, folds - 1)
    return frame


def _probability_read(
    reading: str,
    t: np.ndarray,
    folds: np.ndarray,
    scale: np.ndarray,
    levels: Mapping[str, float],
) -> np.ndarray:
    """Return a replication probability, or its lower limit, by a name in `THRESHOLDS`."""
    if reading == "low_as_printed":
        return printed.cv_t(t, folds, **levels).low
    estimate = replication_probability.cv_t(
        t, folds, scale=scale, selected=reading == "selected", **levels
    )
    return estimate.low if reading == "low_inverted" else estimate.point


def coverage(
    effects: Sequence[float] = tuple(np.linspace(0, 8, 81)),
    folds: int = 10,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    scale: float = 1.0,
) -> pd.DataFrame:
    """Exact coverage of intervals for the replication probability, where T has a given scale.

    Limits rise with T, so each interval covers exactly when T lies between two bounds.
    Columns `effect` (noncentrality), `interval` (from `INTERVALS`; "scaled" is
    "inverted" with the true scale, the others assume 1), `P` (true replication
    probability), `coverage`, and `coverage_significant` (given a significant result,
    the winner being called A).
    """
    effect, df = np.asarray(effects, dtype=float), folds - 1
    frames = []
    for interval in INTERVALS:
        assumed = scale if interval == "scaled" else 1.0
        wanted = [
            _probability_of_covering(
                sign * effect, df, scale, assumed, interval, alpha, confidence_level
            )
            for sign in (1, -1)
        ]
        (P, covered, significant), (P_other, _, significant_other) = wanted
        frames.append(
            pd.DataFrame(
                {
                    "effect": effect,
                    "interval": interval,
                    "P": P,
                    "coverage": covered,
                    "coverage_significant": (significant + significant_other)
                    / (P + P_other),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _probability_of_covering(
    effect, df, scale, assumed, interval, alpha, confidence_level
):
    """P, the probability that the interval covers P, and that it does and A wins."""
    critical, tail = stats.t.isf(alpha / 2, df), (1 - confidence_level) / 2
    cdf = lambda t: _noncentral_t_cdf(t / scale, df, effect)
    P = 1 - cdf(critical)
    # the effect that the formula would have to assume to be right about P
    meant = (
        effect if assumed == scale else _noncentrality(critical / assumed, df, 1 - P)
    )
    if interval == "as_printed":  # noncentralities whose quantiles equal that effect
        low, high = (assumed * _noncentrality(meant, df, q) for q in (1 - tail, tail))
    else:
        low, high = (assumed * stats.nct.ppf(q, df, meant) for q in (tail, 1 - tail))
    within = lambda least: np.maximum(cdf(high) - cdf(np.maximum(low, least)), 0)
    return P, within(-np.inf), within(critical)


def selection_bias(
    effects: Sequence[float] = tuple(np.linspace(0, 6, 31)),
    folds: int = 10,
    alpha: float = 0.05,
    cells: int = 200,
) -> pd.DataFrame:
    """Mean and median estimates after a significant first result for A, if T is a noncentral t.

    Columns `effect` (0 or more), `P` (truth), `plain_mean` and `plain_median` (the
    plain estimate), `selected_mean` and `selected_median` (the estimate given
    selection).
    """
    effect, df = np.asarray(effects, dtype=float), folds - 1
    critical = stats.t.isf(alpha / 2, df)
    beyond = lambda t: stats.nct.sf(t, df, effect[:, None])
    power = beyond(critical)[:, 0]
    # critical / T is uniform enough for few and for many folds; the estimate is 1 at T
    # = infinity
    edges = critical / np.linspace(1, 0, cells + 1)[:-1]
    share = (
        np.diff(np.column_stack([-beyond(edges), np.zeros(len(effect))]))
        / power[:, None]
    )
    # the estimates rise with T, so their median is the estimate at the median of T
    middle = np.maximum(stats.nct.isf(power / 2, df, effect), critical)
    columns = {"effect": effect, "P": power}
    for name, selected in (("plain", False), ("selected", True)):
        estimate = lambda t: (
            replication_probability.cv_t(
                t, folds, alpha=alpha, selected=selected, scale=1
            ).point
        )
        at_edges = np.append(estimate(edges), 1.0)
        columns[f"{name}_mean"] = share @ (at_edges[:-1] + at_edges[1:]) / 2
        columns[f"{name}_median"] = estimate(middle)
    return pd.DataFrame(columns)


def estimates_above_truth(
    effects: Sequence[float] = (0.0, 0.25, 0.5, 1.0, 2.0, 3.0),
    folds: int = 10,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """How often the estimate given selection is above the truth, after a significant result.

    Columns `effect` (0 or more), `wrong_direction` (share of significant results that B
    wins), `fixed_labels` (A is the same classifier, whichever wins) and `winner` (the
    winner is called A).
    """
    effect, df = np.asarray(effects, dtype=float), folds - 1
    critical = stats.t.isf(alpha / 2, df)
    above, below = (
        stats.nct.sf(critical, df, effect),
        stats.nct.sf(critical, df, -effect),
    )
    wrong = below / (above + below)
    # fixed labels: the estimate exceeds the truth where T exceeds its median given
    # significance
    return pd.DataFrame(
        {
            "effect": effect,
            "wrong_direction": wrong,
            "fixed_labels": 0.5,
            "winner": 0.5 + wrong,
        }
    )


def _noncentral_t_cdf(t: np.ndarray, df: float, effect: np.ndarray) -> np.ndarray:
    """Distribution function by upper tails; SciPy's own is NaN where it is nearly 0."""
    below_0 = stats.nct.sf(-t, df, -effect)
    return np.where(t < 0, below_0, 1 - stats.nct.sf(t, df, effect))


def _noncentrality(t: np.ndarray, df: float, probability: np.ndarray) -> np.ndarray:
    """Noncentrality at which t has this probability below it.

    `scipy.special.nctdtrinc` is in places correct to only four digits, and for t = 0
    and probability 1/2 to none.
    """
    # T = (Z + effect) / S, and few degrees of freedom let S be several times its mean
    t, probability = np.broadcast_arrays(t, probability)
    half = 10 + 8 * np.abs(t)
    off = lambda effect, t, p: _noncentral_t_cdf(t, df, effect) - p
    return elementwise.find_root(off, (-half, half), args=(t, probability)).x
