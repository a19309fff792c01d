"""The part common to studies #3 and #4 of Berrar (2024): T of one cross-validation, in groups."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from scipy import stats

from companion.papers import correlated_differences
from companion.papers.berrar2024 import law_of_t, printed, rows
from companion.papers.berrar2024.rows import SEED, resampled, share_but_one
from replib.significance import corrected_resampled_t

#: In the paper: cases in a learning set, folds, and the mean of a positive feature.
CASES, FOLDS, MEAN = 1000, 10, 0.3


def outcomes(
    differences: Mapping[int, np.ndarray], *, alpha: float = 0.05
) -> pd.DataFrame:
    """T of each experiment of each group, from whole-number differences (experiments, folds).

    Columns `group`, `t`, `p`, `is_significant` (A better), and `mean`, `variance` of
    the folds. Where all folds are equal, T is 0 and p = 1 if there is no difference;
    with equal nonzero differences T is infinite and p = 0.  Counts decide which, not
    floating point.
    """
    frames = []
    for group, of_folds in differences.items():
        d = of_folds.astype(int)
        mean, variance = d.mean(axis=1), d.var(axis=1, ddof=1)
        is_equal = (d == d[:, :1]).all(axis=1)
        t = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
        varied = corrected_resampled_t(
            d[~is_equal], test_train_ratio=1 / (d.shape[1] - 1)
        )
        t[~is_equal] = varied.statistic
        p = 2 * stats.t.sf(np.abs(t), d.shape[1] - 1)
        frames.append(
            pd.DataFrame(
                {
                    "group": group,
                    "t": t,
                    "p": p,
                    "is_significant": (p < alpha) & (t > 0),
                    "mean": mean,
                    "variance": np.where(is_equal, 0.0, variance),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def by_group(
    experiments: pd.DataFrame,
    *,
    folds: int = FOLDS,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """What the paper reports about each group: an estimate from the mean T, and F.

    Indexed by group.  Columns `t` (mean of the finite values), `p` (of that mean),
    `share` (of significant experiments), `F` (the same without the first of them,
    Equation 16), `P` with `P_low`, `P_high` (Equations 13 and 14), `equal` (share of
    experiments whose folds are all equal); and, for the law of T, `correlation` of fold
    differences, `scale`, `P_scaled` (`law_of_t.from_mean`): NaN where no fold of a
    group differs from another.
    """
    finite = experiments[np.isfinite(experiments["t"])].groupby("group")
    everything = experiments.groupby("group")
    frame = pd.DataFrame(
        {
            "t": finite["t"].mean(),
            "share": everything["is_significant"].mean(),
            "F": share_but_one(everything["is_significant"]),
            "equal": everything["variance"].agg(
                lambda variance: (variance == 0).mean()
            ),
            "correlation": law_of_t.correlation_of_folds(
                everything["mean"].var(), everything["variance"].mean(), folds
            ),
        }
    )
    estimate = printed.cv_t(
        frame["t"].to_numpy(), folds, alpha=alpha, confidence_level=confidence_level
    )
    known = frame.dropna(subset="correlation")
    scale = correlated_differences.scale_of_t(known["correlation"].to_numpy(), folds)
    of_law = pd.DataFrame(
        {
            "scale": scale,
            "P_scaled": law_of_t.from_mean(
                known["t"].to_numpy(), folds, scale=scale, alpha=alpha
            ),
        },
        index=known.index,
    )
    return frame.assign(
        p=2 * stats.t.sf(frame["t"].abs(), folds - 1),
        P=estimate.point,
        P_low=estimate.low,
        P_high=estimate.high,
    ).join(of_law)


def redrawn(
    experiments: pd.DataFrame,
    *,
    size: int | None = None,
    draws: int = 2000,
    folds: int = FOLDS,
    alpha: float = 0.05,
    seed: int = SEED,
) -> list[pd.DataFrame]:
    """Numbers of :func:`by_group` for samples of `size` experiments (default: all).

    They are drawn with replacement; columns `t`, `p`, `share`, `F`, `P`.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    finite = experiments[np.isfinite(experiments["t"])]
    sums, sizes, groups = resampled(
        finite, ["t", "is_significant"], size=size, draws=draws, rng=rng
    )
    t, critical = sums[..., 0] / sizes, stats.t.isf(alpha / 2, folds - 1)
    p, P = 2 * stats.t.sf(np.abs(t), folds - 1), stats.nct.sf(critical, folds - 1, t)
    share, F = sums[..., 1] / sizes, (sums[..., 1] - 1) / (sizes - 1)
    index = pd.Index(groups, name="group")
    return [
        pd.DataFrame(
            {"t": t[i], "p": p[i], "share": share[i], "F": F[i], "P": P[i]}, index=index
        )
        for i in range(draws)
    ]


def with_errors(
    experiments: pd.DataFrame,
    numbers: Callable[[pd.DataFrame], dict[str, float]],
    *,
    expected: pd.DataFrame | None = None,
    alpha: float,
    folds: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, tuple[float, float]], dict[str, float]]:
    """The groups of a study, and `rows.with_errors` of its `numbers`.

    If expectations are given, ours are from them, and the errors of print from
    `experiments`.
    """
    ours, options = (
        experiments if expected is None else expected,
        {"folds": folds, "alpha": alpha},
    )
    groups = by_group(ours, **options)
    return groups, *rows.with_errors(
        numbers,
        groups,
        lambda size: redrawn(
            experiments if size else ours, size=size, seed=seed, **options
        ),
    )
