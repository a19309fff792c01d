"""Section 4 of Berrar (2024): Table 1, the threshold of 0.003, and single experiments.

The paper estimates from a group's mean statistic, which nobody with one experiment has.  Here the
same formulas, and those of the work that the paper discusses, are applied to every experiment.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import special

from replib import replication_probability, theory
from replib.experiments.engine import Replications
from replib.papers import published
from replib.papers.berrar2024 import (
    in_cross_validation,
    law_of_t,
    over_data_sets,
    study_1,
    study_2,
    study_3,
    study_4,
)
from replib.papers.berrar2024.rows import rows, spread

#: The long runs that :func:`ledger_rows` takes.
NEEDS = (*study_1.NEEDS, *study_2.NEEDS, *study_3.NEEDS, *study_4.NEEDS)

#: The group of each study that Table 1 shows.
SHOWN = {1: 7, 2: 7, 3: 7, 4: 24}
FOLDS = in_cross_validation.FOLDS

Results = Mapping[str, Mapping[str, Replications]]


def experiments_of(
    results: Results, *, alpha: float = 0.05, ties: str = "dropped"
) -> dict[int, pd.DataFrame]:
    """By study all experiments, by `group`, `statistic`, `p` and `is_significant` (A better)."""
    frames = {}
    for number, study in ((1, study_1), (2, study_2)):
        seen = over_data_sets.outcomes(
            over_data_sets.of_groups(results[study.NEEDS[0]]), alpha=alpha, ties=ties
        )
        frames[number] = seen[["group"]].assign(
            statistic=seen["z"], p=seen["p_wilcoxon"], is_significant=seen["is_wilcoxon"]
        )
    for number, study, of_folds in ((3, study_3, study_3.gains), (4, study_4, study_4.differences)):
        seen = in_cross_validation.outcomes(of_folds(results[study.NEEDS[0]]), alpha=alpha)
        frames[number] = seen[["group", "p", "is_significant"]].assign(statistic=seen["t"])
    return frames


def groups_of(
    results: Results, *, alpha: float = 0.05, confidence_level: float = 0.95
) -> dict[int, pd.DataFrame]:
    """By study what the paper reports of each group: `p`, `P`, `P_low`, `P_high`, `F`, and `s`.

    `s` is the deviation of Z (studies #1 and #2) or the scale of T (#3 and #4).
    """
    options = {"alpha": alpha, "confidence_level": confidence_level}
    frames = {}
    for number, study in ((1, study_1), (2, study_2)):
        stored = results[study.NEEDS[0]]
        groups = over_data_sets.by_group(
            over_data_sets.outcomes(over_data_sets.of_groups(stored), alpha=alpha),
            over_data_sets.deviations(over_data_sets.of_bootstraps(stored)), study.STUDY.datasets,
            **options,
        )
        columns = {f"{name}_wilcoxon{end}": f"{name}{end}" for name, end in (
            ("p", ""), ("P", ""), ("P", "_low"), ("P", "_high"), ("F", "")
        )}
        frames[number] = groups[[*columns, "s"]].rename(columns=columns)
    for number, study, of_folds in ((3, study_3, study_3.gains), (4, study_4, study_4.differences)):
        seen = in_cross_validation.outcomes(of_folds(results[study.NEEDS[0]]), alpha=alpha)
        groups = in_cross_validation.by_group(seen, **options)
        frames[number] = groups[["p", "P", "P_low", "P_high", "F"]].assign(s=groups["scale"])
    return frames


def table_1(groups: Mapping[int, pd.DataFrame], shown: Mapping[int, int] = SHOWN) -> pd.DataFrame:
    """Table 1: the shown group of each study and their average: `p`, `P`, `F`, `P - F`."""
    frame = pd.DataFrame({
        f"study_{number}": groups[number].loc[group, ["p", "P", "F"]]
        for number, group in shown.items()
    }).T.astype(float)
    frame.loc["study_average"] = frame.mean()
    return frame.assign(**{"P - F": frame["P"] - frame["F"]})


def nearest(groups: Mapping[int, pd.DataFrame], target: float = 0.95) -> dict[int, int]:
    """The group of each study whose share of significant experiments is nearest to a target."""
    return {n: int((frame["F"] - target).abs().idxmin()) for n, frame in groups.items()}


def deviance(groups: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """Mean absolute distance of P and F in each study: `mean`, `min`, `max`, over all groups."""
    return pd.DataFrame({
        number: (frame["P"] - frame["F"]).abs().agg(["mean", "min", "max"])
        for number, frame in groups.items()
    }).T.rename_axis("study")


# ------------------------------------------------------------------ a single experiment


def single(
    number: int, experiments: pd.DataFrame, groups: pd.DataFrame, *, reading: str = "as_printed",
    alpha: float = 0.05, confidence_level: float = 0.95, folds: int = FOLDS,
) -> pd.DataFrame:
    """Estimates from single experiments: `group`, `F`, `is_significant`, `P`, `low`, `high`.

    Study #1 and #2 take the group's s*, which a single experiment would have to bootstrap.  For #3
    and #4 `reading` is "as_printed", "inverted", or "scaled": inverted, with the law's own scale.
    """
    options = {"alpha": alpha, "confidence_level": confidence_level}
    statistic, of_group = experiments["statistic"].to_numpy(), experiments["group"]
    if number in (1, 2):
        result = replication_probability.wilcoxon(statistic, of_group.map(groups["s"]), **options)
    else:
        scale = theory.scale_of_t(0.0, folds) if reading == "scaled" else 1.0
        interval = "as_printed" if reading == "as_printed" else "inverted"
        # differences of whole cases: many experiments share a value
        values, place = np.unique(statistic, return_inverse=True)
        found = replication_probability.cv_t(
            values, folds, interval=interval, scale=scale, **options
        )
        result = replication_probability.ReplicationProbability(
            found.point[place], found.low[place], found.high[place]
        )
    return experiments[["group", "is_significant"]].assign(
        F=of_group.map(groups["F"]), P=result.point, low=result.low, high=result.high
    )


def coverage_in_studies(
    results: Results, *, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Share of the experiments of #3 and #4 whose interval holds their group's F, by reading.

    Indexed by study, columns `law_of_t.INTERVALS`.  Groups in which all or no experiments are
    significant are left out: there any interval that reaches far enough holds F.
    """
    options = {"alpha": alpha, "confidence_level": confidence_level}
    groups, seen = groups_of(results, **options), experiments_of(results, alpha=alpha)
    frame = {}
    for number in (3, 4):
        between = groups[number].index[groups[number]["F"].between(0.001, 0.999)]
        some = seen[number][seen[number]["group"].isin(between)]
        frame[number] = {
            reading: one["F"].between(one["low"], one["high"]).groupby(one["group"]).mean().mean()
            for reading in law_of_t.INTERVALS
            for one in [single(number, some, groups[number], reading=reading, **options)]
        }
    return pd.DataFrame(frame).T.rename_axis("study")


def measured_law(results: Results, draws: int = 200, seed: int = 2024) -> pd.DataFrame:
    """What studies #3 and #4 say of the law of T, over all their groups.

    Indexed by study: `correlation` of fold differences (mean over groups), its `error` (resampling
    experiments), `scale`, and the least and greatest correlation of a group.
    """
    rng, frame = np.random.default_rng(np.random.SeedSequence(seed)), {}
    for number, study, of_folds in ((3, study_3, study_3.gains), (4, study_4, study_4.differences)):
        of_groups = [
            (d.mean(axis=1), d.var(axis=1, ddof=1))
            for d in of_folds(results[study.NEEDS[0]]).values()
        ]
        correlations = lambda rows: np.array([
            theory.correlation_of_folds(mean[i].var(ddof=1), variance[i].mean(), FOLDS)
            for mean, variance in of_groups for i in [rows(len(mean))]
        ])
        rho = correlations(lambda n: slice(None))
        again = [correlations(lambda n: rng.integers(n, size=n)).mean() for _ in range(draws)]
        frame[number] = {
            "correlation": rho.mean(), "error": np.std(again),
            "scale": theory.scale_of_t(rho.mean(), FOLDS), "least": rho.min(),
            "greatest": rho.max(),
        }
    return pd.DataFrame(frame).T.rename_axis("study")


def spread_of_estimates(estimates: pd.DataFrame) -> pd.DataFrame:
    """By group, of :func:`single`: quantiles and mean of P, and its mean given significance.

    Indexed by group: `F`, `q05`, `q25`, `q50`, `q75`, `q95`, `mean`, `mean_significant`, `coverage`
    and `coverage_significant` (of F, by the intervals).
    """
    covers = estimates["F"].between(estimates["low"], estimates["high"])
    estimates = estimates.assign(covers=covers)
    grouped = estimates.groupby("group")
    significant = estimates[estimates["is_significant"]].groupby("group")
    quantiles = grouped["P"].quantile([0.05, 0.25, 0.5, 0.75, 0.95]).unstack()
    quantiles.columns = [f"q{100 * q:02.0f}" for q in quantiles.columns]
    return quantiles.assign(
        F=grouped["F"].first(), mean=grouped["P"].mean(), coverage=grouped["covers"].mean(),
        mean_significant=significant["P"].mean(), coverage_significant=significant["covers"].mean(),
    )


def chance_by_p(
    experiments: pd.DataFrame, groups: pd.DataFrame, *, per_bin: int = 6
) -> pd.DataFrame:
    """What replicates among experiments with about the same p-value, A better.

    All groups count alike: the answer holds for effects as common as the study made them.  Columns
    `p` (geometric mean of a bin), `chance` (mean F of their groups), `experiments`, `power_low` and
    `power_high` (5 % and 95 % quantiles of F).
    """
    significant = experiments[experiments["is_significant"] & (experiments["p"] > 1e-7)]
    size = experiments["group"].map(experiments["group"].value_counts())
    frame = significant.assign(
        F=significant["group"].map(groups["F"]), weight=1 / size, log=np.log10(significant["p"])
    )
    frame["bin"] = np.floor(frame["log"] * per_bin)
    rows_of_bins = []
    for _, one in frame.groupby("bin"):
        if len(one) >= 20:
            low, high = np.quantile(one["F"], [0.05, 0.95])
            rows_of_bins.append({
                "p": 10 ** np.average(one["log"], weights=one["weight"]),
                "chance": np.average(one["F"], weights=one["weight"]), "experiments": len(one),
                "power_low": low, "power_high": high,
            })
    return pd.DataFrame(rows_of_bins)


def p_for(chances: pd.DataFrame, target: float = 0.95) -> float:
    """The largest p-value up to which the chance is at least a target, interpolated, or NaN."""
    frame = chances.sort_values("p")
    below = frame["chance"].to_numpy() < target
    if below.all() or not below.any():
        return float("nan")
    i = int(below.argmax())
    if i == 0:
        return float("nan")
    p, chance = np.log(frame["p"].to_numpy()), frame["chance"].to_numpy()
    share = (chance[i - 1] - target) / (chance[i - 1] - chance[i])
    return float(np.exp(p[i - 1] + share * (p[i] - p[i - 1])))


# ------------------------------------------------------------------ work that the paper discusses


def related_formulas(p: np.ndarray, *, alpha: float = 0.05) -> pd.DataFrame:
    """Formulas of others for a two-sided p-value, A better, by way of z; one column each.

    `Goodman, Miller`: power at the observed effect; `Goodman, flat prior`: averaged over what the
    effect may be; `Killeen`: the same direction, significant or not; `shrinkage`: the observed
    effect times 1 - 1/z^2 (empirical Bayes), averaged likewise.
    """
    z, critical = special.ndtri(1 - np.asarray(p, dtype=float) / 2), special.ndtri(1 - alpha / 2)
    shrinkage = np.clip(1 - 1 / np.maximum(z, 1e-9) ** 2, 0, 1)
    return pd.DataFrame({
        "Goodman, Miller": special.ndtr(z - critical),
        "Goodman, flat prior": special.ndtr((z - critical) / np.sqrt(2)),
        "Killeen": special.ndtr(z / np.sqrt(2)),
        "shrinkage": special.ndtr((shrinkage * z - critical) / np.sqrt(1 + shrinkage)),
    })


def interval_of_next_p(p: np.ndarray, level: float = 0.8) -> pd.DataFrame:
    """Cumming's interval for the two-sided p-value of the replication: `low`, `high`."""
    z = special.ndtri(1 - np.asarray(p, dtype=float) / 2)
    half = special.ndtri((1 + level) / 2) * np.sqrt(2)
    return pd.DataFrame({
        "low": 2 * special.ndtr(-np.abs(z + half)),
        "high": 2 * special.ndtr(-np.maximum(z - half, 0)),
    })


def related_work(
    experiments: Mapping[int, pd.DataFrame], groups: Mapping[int, pd.DataFrame], *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Each formula on every significant experiment of each study, against its group's F.

    Columns `study`, `formula`, `mean` (of the estimate), `F` (mean), `error` (root of the mean
    squared distance from F).  `the paper's` is its own formula on the single experiment.
    """
    frames = []
    for number, seen in experiments.items():
        own = single(number, seen, groups[number], alpha=alpha)
        chosen = seen["is_significant"] & (seen["p"] > 0)
        formulas = related_formulas(seen.loc[chosen, "p"], alpha=alpha)
        formulas.insert(0, "the paper's", own.loc[chosen, "P"].to_numpy())
        truth = own.loc[chosen, "F"].to_numpy()
        frames += [{
            "study": number, "formula": name, "mean": column.mean(), "F": truth.mean(),
            "error": np.sqrt(((column.to_numpy() - truth) ** 2).mean()),
        } for name, column in formulas.items()]
    return pd.DataFrame(frames)


def next_p_covered(
    experiments: Mapping[int, pd.DataFrame], level: float = 0.8, seed: int = 2024
) -> pd.Series:
    """By study, how often Cumming's interval of a significant result holds a replication's p."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    covered = {}
    for number, seen in experiments.items():
        hits = []
        for _, one in seen.groupby("group"):
            first = one[one["is_significant"] & (one["p"] > 0)]
            again = one.iloc[rng.integers(len(one), size=len(first))]
            limits = interval_of_next_p(first["p"], level)
            hits.append((again["p"].to_numpy() >= limits["low"].to_numpy())
                        & (again["p"].to_numpy() <= limits["high"].to_numpy()))
        covered[number] = np.concatenate(hits).mean()
    return pd.Series(covered, name="covered").rename_axis("study")


# ------------------------------------------------------------------ ledger


def numbers(groups: Mapping[int, pd.DataFrame]) -> dict[str, float]:
    """What Section 4, Table 1 and the abstract print, by its id."""
    table = table_1(groups)
    names = {"p": "p_value", "P": "P_estimated", "F": "F_empirical", "P - F": "P_minus_F"}
    average = table.at["study_average", "p"]
    of_studies = table["p"].drop("study_average")
    return {
        f"tab01.{row}.{name}": table.at[row, column]
        for row in table.index for column, name in names.items()
    } | {
        "abs.threshold": average, "txt.own_threshold": average,
        "disc.p_lo": of_studies.min(), "disc.p_hi": of_studies.max(),
    }


def redrawn(results: Results, *, size: int | None, alpha: float, seed: int) -> list[dict]:
    """:func:`numbers` of samples of experiments, with replacement: for errors."""
    of_studies = {}
    for number, study in ((1, study_1), (2, study_2)):
        stored = results[study.NEEDS[0]]
        columns = {"p_wilcoxon": "p", "P_wilcoxon": "P", "F_wilcoxon": "F"}
        of_studies[number] = [
            frame[list(columns)].rename(columns=columns) for frame in over_data_sets.redrawn(
                over_data_sets.outcomes(over_data_sets.of_groups(stored), alpha=alpha),
                over_data_sets.deviations(over_data_sets.of_bootstraps(stored)),
                study.STUDY.datasets, size=size, alpha=alpha, seed=seed + number,
            )
        ]
    for number, study, of_folds in ((3, study_3, study_3.gains), (4, study_4, study_4.differences)):
        seen = in_cross_validation.outcomes(of_folds(results[study.NEEDS[0]]), alpha=alpha)
        of_studies[number] = in_cross_validation.redrawn(
            seen, size=size, alpha=alpha, seed=seed + number
        )
    return [
        numbers(dict(zip(of_studies, frames))) for frames in zip(*of_studies.values())
    ]


def ledger_rows(*, results: Results, alpha: float = 0.05, seed: int = 2024) -> pd.DataFrame:
    """Ledger rows of Section 4; `results` are stored results by their names in `NEEDS`."""
    rebuilt = numbers(groups_of(results, alpha=alpha))
    ours, theirs = (
        redrawn(results, size=size, alpha=alpha, seed=seed) for size in (None, 1000)
    )
    return rows(
        {key: (value, spread(ours, key)) for key, value in rebuilt.items()}
        | {"disc.five_sigma": special.ndtr(-5)},
        published_error={key: spread(theirs, key) for key in rebuilt},
        note={
            "disc.five_sigma": "one-sided",
            "tab01.study_2.P_estimated": "the paper's s* was smaller than any of ours",
            "tab01.study_average.P_estimated": "by study #2",
        },
    )


# ------------------------------------------------------------------ erratum e40


def studies_in_table_1() -> pd.DataFrame:
    """berrar2024.e40: which studies Table 1 itself calls cross-validation.

    Columns `study`, `row of Table 1`, `design`.
    """
    rows = published.cells("berrar2024.tab01")["row"].drop_duplicates()
    rows = rows[~rows.str.contains("average")]
    return pd.DataFrame({
        "study": rows.str.extract(r"(#\d)")[0].to_numpy(),
        "row of Table 1": rows.str.replace(r"study #\d ", "", regex=True).to_numpy(),
        "design": np.where(rows.str.contains("CV"), "cross-validation", "many data sets"),
    })
