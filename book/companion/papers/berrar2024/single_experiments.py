"""The formulas of Berrar (2024), and of work it discusses, applied to every single experiment.

The paper estimates from a group's mean statistic, which is unknown after one
experiment.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import integrate, special, stats

from companion.papers import correlated_differences
from companion.papers.berrar2024 import printed
from companion.papers.berrar2024.in_cross_validation import FOLDS
from companion.papers.berrar2024.rows import SEED, are_close, rows
from replib import replication_probability


def estimates(
    number: int,
    experiments: pd.DataFrame,
    groups: pd.DataFrame,
    *,
    reading: str = "as_printed",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    folds: int = FOLDS,
) -> pd.DataFrame:
    """Estimates from single experiments: `group`, `F`, `is_significant`, `P`, `low`, `high`.

    Studies #1 and #2 take the group's s*, which a single experiment would have to
    bootstrap.  For #3 and #4, `reading` is "as_printed", "inverted", or "scaled":
    inverted, with the scale of T for independent folds.
    """
    options = {"alpha": alpha, "confidence_level": confidence_level}
    statistic, of_group = experiments["statistic"].to_numpy(), experiments["group"]
    if number in (1, 2):
        result = replication_probability.wilcoxon(
            statistic, of_group.map(groups["s"]), **options
        )
    else:
        # differences are whole numbers of cases, so many experiments share a value
        values, place = np.unique(statistic, return_inverse=True)
        if reading == "as_printed":
            found = printed.cv_t(values, folds, **options)
        else:
            independent = correlated_differences.scale_of_t(0.0, folds)
            scale = independent if reading == "scaled" else 1.0
            found = replication_probability.cv_t(values, folds, scale=scale, **options)
        result = replication_probability.Prediction(
            found.point[place], found.low[place], found.high[place]
        )
    return experiments[["group", "is_significant"]].assign(
        F=of_group.map(groups["F"]), P=result.point, low=result.low, high=result.high
    )


def spread_of_estimates(singles: pd.DataFrame) -> pd.DataFrame:
    """Quantiles and mean of P in :func:`estimates`, by group, and its mean given significance.

    Indexed by group: `F`, `q05`, `q25`, `q50`, `q75`, `q95`, `mean`,
    `mean_significant`, `coverage` and `coverage_significant` (how often the intervals
    cover F).
    """
    covers = singles["F"].between(singles["low"], singles["high"])
    singles = singles.assign(covers=covers)
    grouped = singles.groupby("group")
    significant = singles[singles["is_significant"]].groupby("group")
    quantiles = grouped["P"].quantile([0.05, 0.25, 0.5, 0.75, 0.95]).unstack()
    quantiles.columns = [f"q{100 * q:02.0f}" for q in quantiles.columns]
    return quantiles.assign(
        F=grouped["F"].first(),
        mean=grouped["P"].mean(),
        coverage=grouped["covers"].mean(),
        mean_significant=significant["P"].mean(),
        coverage_significant=significant["covers"].mean(),
    )


def chance_by_p(experiments: pd.DataFrame, groups: pd.DataFrame) -> pd.DataFrame:
    """How often significant results with about the same p-value replicate, A being better.

    All groups have equal weight, so the answer holds for effects as common as in the
    study. Columns `p` (geometric mean of a bin), `chance` (mean F of the experiments'
    groups) and `experiments`.
    """
    significant = experiments[experiments["is_significant"] & (experiments["p"] > 1e-7)]
    size = experiments["group"].map(experiments["group"].value_counts())
    frame = significant.assign(
        F=significant["group"].map(groups["F"]),
        weight=1 / size,
        log=np.log10(significant["p"]),
    )
    frame["bin"] = np.floor(6 * frame["log"])
    mean = lambda one, column: np.average(one[column], weights=one["weight"])
    return pd.DataFrame(
        [
            {
                "p": 10 ** mean(one, "log"),
                "chance": mean(one, "F"),
                "experiments": len(one),
            }
            for _, one in frame.groupby("bin")
            if len(one) >= 20
        ]
    )


def barely_significant(
    experiments: Mapping[int, pd.DataFrame],
    groups: Mapping[int, pd.DataFrame],
    p: tuple[float, float] = (0.01, 0.05),
) -> pd.DataFrame:
    """Share of replications that fail after a p-value in a range, for groups and experiments.

    Indexed by study: `of_groups`, the mean share over the groups whose p-value (of the
    mean statistic) is in the range, and `of_experiments`, the mean over all significant
    experiments whose own p-value is in the range, with equal weight for each group; NaN
    where there is none.
    """
    inside, frame = lambda frame: frame["p"].between(*p, inclusive="left"), {}
    for number, seen in experiments.items():
        of_groups, F = groups[number], groups[number]["F"]
        some = seen.loc[seen["is_significant"] & inside(seen), "group"]
        weight = 1 / some.map(seen["group"].value_counts())
        of_experiments = (
            np.average(some.map(F), weights=weight) if len(some) else np.nan
        )
        frame[number] = (F[inside(of_groups)].mean(), of_experiments)
    return 1 - pd.DataFrame(frame, ["of_groups", "of_experiments"]).T.rename_axis(
        "study"
    )


# ------------------------------------------------------------------ work that the paper discusses


def related_formulas(p: np.ndarray, *, alpha: float = 0.05) -> pd.DataFrame:
    """Other authors' formulas for a two-sided p-value, A better, by way of z; a column for each.

    `Goodman, Miller`: power at the observed effect; `Goodman, flat prior`: power
    averaged over a flat prior; `Killeen`: the same direction, significant or not;
    `shrinkage`: the observed effect times 1 - 1/z^2 (empirical Bayes), also averaged.
    """
    z, critical = (
        special.ndtri(1 - np.asarray(p, dtype=float) / 2),
        special.ndtri(1 - alpha / 2),
    )
    shrinkage = np.clip(1 - 1 / np.maximum(z, 1e-9) ** 2, 0, 1)
    return pd.DataFrame(
        {
            "Goodman, Miller": special.ndtr(z - critical),
            "Goodman, flat prior": special.ndtr((z - critical) / np.sqrt(2)),
            "Killeen": special.ndtr(z / np.sqrt(2)),
            "shrinkage": special.ndtr(
                (shrinkage * z - critical) / np.sqrt(1 + shrinkage)
            ),
        }
    )


def average_over_effects(z: float, beyond: float) -> float:
    """Chance that a replication exceeds a bound, averaged over effects weighted by likelihood.

    By quadrature; the effect and the statistic are in standard errors.  p_rep has the
    bound 0.

    >>> round(average_over_effects(1.96, 0.0), 3), round(average_over_effects(1.96, 1.96), 3)
    (0.917, 0.5)
    """
    density = lambda effect: special.ndtr(effect - beyond) * stats.norm.pdf(z - effect)
    return integrate.quad(density, z - 12, z + 12, epsabs=1e-12)[0]


def p_rep_is_an_average(p: Sequence[float] = (0.05, 0.01, 0.001)) -> pd.DataFrame:
    """cl.15: Killeen's p_rep as an average over effects, of the same direction or significance."""
    formulas, z = related_formulas(p), special.ndtri(1 - np.asarray(p) / 2)
    direction, significance = (
        [average_over_effects(x, beyond) for x in z]
        for beyond in (0.0, special.ndtri(0.975))
    )
    return rows(
        {"cl.15": are_close(direction, formulas["Killeen"], rtol=1e-8)},
        numbers={"cl.15": {"direction": direction[0], "significance": significance[0]}},
    )


def interval_of_next_p(p: np.ndarray, level: float = 0.8) -> pd.DataFrame:
    """Cumming's interval for the two-sided p-value of the replication: `low`, `high`."""
    z = special.ndtri(1 - np.asarray(p, dtype=float) / 2)
    half = special.ndtri((1 + level) / 2) * np.sqrt(2)
    return pd.DataFrame(
        {
            "low": 2 * special.ndtr(-np.abs(z + half)),
            "high": 2 * special.ndtr(-np.maximum(z - half, 0)),
        }
    )


def related_work(
    experiments: Mapping[int, pd.DataFrame],
    groups: Mapping[int, pd.DataFrame],
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Compare each formula with the group's F, over every significant experiment of each study.

    Columns `study`, `formula`, `mean` (of the estimate), `F` (mean), `error` (root mean
    squared distance from F).  `the paper's` is the paper's formula applied to the
    single experiment.
    """
    frames = []
    for number, seen in experiments.items():
        own = estimates(number, seen, groups[number], alpha=alpha)
        chosen = seen["is_significant"] & (seen["p"] > 0)
        formulas = related_formulas(seen.loc[chosen, "p"], alpha=alpha)
        formulas.insert(0, "the paper's", own.loc[chosen, "P"].to_numpy())
        truth = own.loc[chosen, "F"].to_numpy()
        frames += [
            {
                "study": number,
                "formula": name,
                "mean": column.mean(),
                "F": truth.mean(),
                "error": np.sqrt(((column.to_numpy() - truth) ** 2).mean()),
            }
            for name, column in formulas.items()
        ]
    return pd.DataFrame(frames)


def next_p_covered(experiments: Mapping[int, pd.DataFrame]) -> pd.Series:
    """By study, how often Cumming's interval from a significant result covers a replication's p."""
    rng, covered = np.random.default_rng(np.random.SeedSequence(SEED)), {}
    for number, seen in experiments.items():
        hits = []
        for _, one in seen.groupby("group"):
            limits = interval_of_next_p(
                one.loc[one["is_significant"] & (one["p"] > 0), "p"]
            )
            again = one["p"].to_numpy()[rng.integers(len(one), size=len(limits))]
            hits.extend((again >= limits["low"]) & (again <= limits["high"]))
        covered[number] = np.mean(hits)
    return pd.Series(covered, name="covered").rename_axis("study")
