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

#: Fewer experiments than this say too little about a bin of p-values.
_FEWEST = 20


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
    """Estimate from single experiments: `group`, `F`, `is_significant`, `P`, `low`, `high`.

    Studies #1 and #2 take the group's s*, which a single experiment would have to
    bootstrap.  For #3 and #4, `reading` is "as_printed", "inverted", or "scaled":
    inverted, with the scale of T for independent folds.
    """
    options = {"alpha": alpha, "confidence_level": confidence_level}
    statistic = experiments["statistic"].to_numpy()
    group = experiments["group"]
    if number in (1, 2):
        result = replication_probability.wilcoxon(
            statistic, group.map(groups["s"]), **options
        )
    else:
        # differences are whole numbers of cases, so many experiments share a value
        values, place = np.unique(statistic, return_inverse=True)
        by_value = _cv_t(values, folds, reading, options)
        result = replication_probability.Prediction(
            by_value.point[place], by_value.low[place], by_value.high[place]
        )
    return experiments[["group", "is_significant"]].assign(
        F=group.map(groups["F"]), P=result.point, low=result.low, high=result.high
    )


def _cv_t(
    statistic: np.ndarray, folds: int, reading: str, options: Mapping[str, float]
) -> replication_probability.Prediction:
    """Predict from the t statistic of a cross-validation, by a reading of the paper's formula."""
    if reading == "as_printed":
        return printed.cv_t(statistic, folds, **options)
    scale = 1.0
    if reading == "scaled":
        scale = correlated_differences.scale_of_t(0.0, folds)
    return replication_probability.cv_t(statistic, folds, scale=scale, **options)


def spread_of_estimates(singles: pd.DataFrame) -> pd.DataFrame:
    """Return quantiles and means of P in :func:`estimates`, and the coverage of F, by group.

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
    """Return how often significant results with about the same p-value replicate, A being better.

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
    bins = []
    for _, members in frame.groupby("bin"):
        if len(members) < _FEWEST:
            continue
        weights = members["weight"]
        row = {
            "p": 10 ** np.average(members["log"], weights=weights),
            "chance": np.average(members["F"], weights=weights),
            "experiments": len(members),
        }
        bins.append(row)
    return pd.DataFrame(bins)


def barely_significant(
    experiments: Mapping[int, pd.DataFrame],
    groups: Mapping[int, pd.DataFrame],
    p: tuple[float, float] = (0.01, 0.05),
) -> pd.DataFrame:
    """Return the share of replications that fail after a p-value in a range.

    Indexed by study: `of_groups`, the mean share over the groups whose p-value (of the
    mean statistic) is in the range, and `of_experiments`, the mean over all significant
    experiments whose own p-value is in the range, with equal weight for each group; NaN
    where there is none.
    """
    low, high = p
    failures = {}
    for number, study in experiments.items():
        by_group = groups[number]
        is_group = by_group["p"].between(low, high, inclusive="left")
        is_experiment = study["p"].between(low, high, inclusive="left")
        chosen = study.loc[study["is_significant"] & is_experiment, "group"]
        weight = 1 / chosen.map(study["group"].value_counts())
        replicates = np.nan
        if len(chosen):
            replicates = np.average(chosen.map(by_group["F"]), weights=weight)
        failures[number] = {
            "of_groups": 1 - by_group["F"][is_group].mean(),
            "of_experiments": 1 - replicates,
        }
    return pd.DataFrame(failures).T.rename_axis("study")


# ------------------------------------------------------------------ work that the paper discusses


def related_formulas(p: np.ndarray, *, alpha: float = 0.05) -> pd.DataFrame:
    """Apply other authors' formulas to a two-sided p-value, A better, by way of z: a column each.

    `Goodman, Miller`: power at the observed effect; `Goodman, flat prior`: power
    averaged over a flat prior; `Killeen`: the same direction, significant or not;
    `shrinkage`: the observed effect times 1 - 1/z^2 (empirical Bayes), also averaged.
    """
    z = special.ndtri(1 - np.asarray(p, dtype=float) / 2)
    critical = special.ndtri(1 - alpha / 2)
    shrinkage = np.clip(1 - 1 / np.maximum(z, 1e-9) ** 2, 0, 1)
    shrunk_excess = (shrinkage * z - critical) / np.sqrt(1 + shrinkage)
    columns = {
        "Goodman, Miller": special.ndtr(z - critical),
        "Goodman, flat prior": special.ndtr((z - critical) / np.sqrt(2)),
        "Killeen": special.ndtr(z / np.sqrt(2)),
        "shrinkage": special.ndtr(shrunk_excess),
    }
    return pd.DataFrame(columns)


def average_over_effects(z: float, beyond: float) -> float:
    """Average the chance that a replication exceeds a bound over effects, weighted by likelihood.

    By quadrature; the effect and the statistic are in standard errors.  p_rep has the
    bound 0.

    >>> round(average_over_effects(1.96, 0.0), 3), round(average_over_effects(1.96, 1.96), 3)
    (0.917, 0.5)
    """

    def density(effect: float) -> float:
        return special.ndtr(effect - beyond) * stats.norm.pdf(z - effect)

    chance, _ = integrate.quad(density, z - 12, z + 12, epsabs=1e-12)
    return chance


def p_rep_is_an_average(p: Sequence[float] = (0.05, 0.01, 0.001)) -> pd.DataFrame:
    """cl.15: Killeen's p_rep as an average over effects, of the same direction or significance."""
    formulas = related_formulas(p)
    z = special.ndtri(1 - np.asarray(p) / 2)
    direction = [average_over_effects(x, 0.0) for x in z]
    significance = average_over_effects(z[0], special.ndtri(0.975))
    return rows(
        {"cl.15": are_close(direction, formulas["Killeen"], rtol=1e-8)},
        numbers={"cl.15": {"direction": direction[0], "significance": significance}},
    )


def interval_of_next_p(p: np.ndarray, level: float = 0.8) -> pd.DataFrame:
    """Return Cumming's interval for the two-sided p-value of the replication: `low`, `high`."""
    z = special.ndtri(1 - np.asarray(p, dtype=float) / 2)
    half_width = special.ndtri((1 + level) / 2) * np.sqrt(2)
    low = 2 * special.ndtr(-np.abs(z + half_width))
    high = 2 * special.ndtr(-np.maximum(z - half_width, 0))
    return pd.DataFrame({"low": low, "high": high})


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
    comparisons = []
    for number, study in experiments.items():
        chosen = study["is_significant"] & (study["p"] > 0)
        single = estimates(number, study, groups[number], alpha=alpha).loc[chosen]
        formulas = related_formulas(study.loc[chosen, "p"], alpha=alpha)
        formulas.insert(0, "the paper's", single["P"].to_numpy())
        truth = single["F"].to_numpy()
        for name, column in formulas.items():
            row = {
                "study": number,
                "formula": name,
                "mean": column.mean(),
                "F": truth.mean(),
                "error": np.sqrt(((column.to_numpy() - truth) ** 2).mean()),
            }
            comparisons.append(row)
    return pd.DataFrame(comparisons)


def next_p_covered(experiments: Mapping[int, pd.DataFrame]) -> pd.Series:
    """Return, by study, how often Cumming's interval of a significant result covers the next p."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED))
    coverage = {}
    for number, study in experiments.items():
        covers = []
        for _, group in study.groupby("group"):
            p = group["p"].to_numpy()
            is_chosen = group["is_significant"].to_numpy() & (p > 0)
            limits = interval_of_next_p(p[is_chosen])
            next_p = p[rng.integers(len(p), size=len(limits))]
            covers.extend((next_p >= limits["low"]) & (next_p <= limits["high"]))
        coverage[number] = np.mean(covers)
    return pd.Series(coverage, name="covered").rename_axis("study")
