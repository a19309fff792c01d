"""The part common to studies #1 and #2 of Berrar (2024): two classifiers on many data sets.

An experiment gives two numbers of correct predictions for each data set.  Parameters
stand for what the paper leaves open: how ties count (:data:`TIES`), and which
experiments of a group are bootstrapped for s*.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special, stats

from companion.lab.experiments.runner import Experiment, Replications
from companion.papers.berrar2024 import algorithms, printed, rows
from companion.papers.berrar2024.algorithms import NAIVE_BAYES, SVM, Learner
from companion.papers.berrar2024.rows import (
    REPLICATIONS,
    SEED,
    resampled,
    share_but_one,
)
from companion.papers.berrar2024.section_2_wins import two_sided_binomial_p
from replib import replication_probability

#: In the paper: bootstrap samples per experiment (bmax).
BOOTSTRAPS = 300

#: Readings of a tie: left out, half a win for each (an odd one left out), or no win for
#: A.
TIES = ("dropped", "half", "losses")


class Study(NamedTuple):
    """A study: its number, the start sizes of its groups, and the data sets in an experiment."""

    number: int
    starts: tuple[int, ...]
    datasets: int

    @property
    def groups(self) -> range:
        return range(1, len(self.starts) + 1)


def sizes(study: Study) -> pd.DataFrame:
    """Cases of each data set: the group's start size + 10 i; rows are i, columns groups, from 1."""
    i = np.arange(1, study.datasets + 1)
    cases = np.asarray(study.starts) + 10 * i[:, None]
    return pd.DataFrame(cases, index=i, columns=list(study.groups))


def experiment(
    study: Study,
    group: int,
    *,
    learners: Sequence[Learner] = (NAIVE_BAYES, SVM),
    seed: int = SEED,
) -> Experiment:
    """The experiments of a group (Algorithm 2)."""
    return Experiment(
        algorithms.algorithm_2,
        seed,
        {
            "start": study.starts[group - 1],
            "datasets": study.datasets,
            "learners": list(learners),
        },
        (study.number, group),
    )


def bootstrap(original: Experiment, replication: int = 0) -> Experiment:
    """The bootstrap samples of one replication (Algorithm 1), with random numbers of their own."""
    key = [*original.stream, replication]
    parameters = {**original.parameters, "seed": original.seed, "key": key}
    return Experiment(algorithms.algorithm_1, original.seed, parameters, tuple(key))


def plan(
    study: Study,
    *,
    groups: int | None = None,
    replications: int = REPLICATIONS,
    bootstraps: int = BOOTSTRAPS,
    bootstrapped: Mapping[int, int] | None = None,
    learners: Sequence[Learner] = (NAIVE_BAYES, SVM),
    seed: int = SEED,
) -> dict[str, tuple[Experiment, int]]:
    """The experiments of the first groups, and bootstrap samples of the first experiments of each.

    `bootstrapped` says how many experiments, by group; one for a group that it does not
    name.
    """
    experiments = {}
    for group in list(study.groups)[:groups]:
        original = experiment(study, group, learners=learners, seed=seed)
        experiments[f"group_{group:02d}"] = (original, replications)
        for index in range((bootstrapped or {}).get(group, 1)):
            sample = bootstrap(original, index)
            experiments[f"group_{group:02d}.bootstrap_{index:02d}"] = (
                sample,
                bootstraps,
            )
    return experiments


def of_groups(results: Mapping[str, Replications]) -> dict[int, Replications]:
    """The experiments among the results of a :func:`plan`, by group."""
    return {int(name[6:]): one for name, one in results.items() if "." not in name}


def of_bootstraps(
    results: Mapping[str, Replications],
) -> dict[tuple[int, int], Replications]:
    """The bootstrap samples among the results of a :func:`plan`, by group and experiment."""
    parts = {name: name.removeprefix("group_").split(".bootstrap_") for name in results}
    return {
        (int(p[0]), int(p[1])): results[name]
        for name, p in parts.items()
        if len(p) == 2
    }


def outcomes(
    results: Mapping[int, Replications],
    *,
    alpha: float = 0.05,
    ties: str = "dropped",
) -> pd.DataFrame:
    """The test statistics of each experiment of each group.

    Columns `group`, `wins`, `losses`, `ties`, `theta` (success rate), `p_binomial`, `z`
    (Equation 10), `p_wilcoxon`, and whether A is significantly better: `is_binomial`,
    `is_wilcoxon`.
    """
    frames = []
    for group, one in results.items():
        start, counts = one.experiment.parameters["start"], one.counts.astype(int)
        cases = start + 10 * np.arange(1, counts.shape[1] + 1)
        # equal quotients are equal floats: each is rounded once
        difference = (counts[..., 0] - counts[..., 1]) / cases
        wins, losses = (difference > 0).sum(axis=1), (difference < 0).sum(axis=1)
        equal = counts.shape[1] - wins - losses
        x, n = {
            "dropped": (wins, wins + losses),
            "half": (wins + equal // 2, counts.shape[1] - equal % 2),
            "losses": (wins, np.full_like(wins, counts.shape[1])),
        }[ties]
        p = np.minimum(2 * stats.binom.sf(np.maximum(x, n - x) - 1, n, 0.5), 1.0)
        z = printed.signed_rank_z(difference)
        p_z = 2 * special.ndtr(-np.abs(z))
        frames.append(
            pd.DataFrame(
                {
                    "group": group,
                    "wins": wins,
                    "losses": losses,
                    "ties": equal,
                    "theta": x / np.maximum(n, 1),
                    "p_binomial": p,
                    "z": z,
                    "p_wilcoxon": p_z,
                    "is_binomial": (p < alpha) & (2 * x > n),
                    "is_wilcoxon": (p_z < alpha) & (z > 0),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def deviations(results: Mapping[tuple[int, int], Replications]) -> pd.DataFrame:
    """s* of bootstrapped experiments: `group`, `experiment`, `s`, `mean` (of Z) and `samples`.

    `results` are bootstrap samples, by group and by the experiment that was resampled.
    """
    rows = [
        (group, index, z.std(), z.mean(), len(z))
        for (group, index), one in results.items()
        for z in [outcomes({group: one})["z"]]
    ]
    return pd.DataFrame(rows, columns=["group", "experiment", "s", "mean", "samples"])


def of_each_group(bootstrapped: pd.DataFrame, groups: Sequence[int]) -> pd.Series:
    """Mean s* by group; where nothing was bootstrapped, the mean of the other groups, or else 1."""
    s = bootstrapped.groupby("group")["s"].mean().reindex(groups)
    return s.fillna(1.0 if s.isna().all() else s.mean())


def by_group(
    experiments: pd.DataFrame,
    bootstrapped: pd.DataFrame,
    datasets: int,
    *,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """What the paper reports about each group: estimates from means, and empirical shares.

    Indexed by group.  Columns `theta`, `wins` (N theta, rounded), `p_binomial`;
    `F_binomial`, `F_wilcoxon` (empirical, Equation 16); `z` (mean), `p_wilcoxon`, `s`
    (mean over the bootstrapped experiments); and the estimates `P_binomial`,
    `P_bayesian`, `P_wilcoxon`, `P_null` (with s = 1), each with its limits
    (`P_binomial_low`, ...).
    """
    grouped = experiments.groupby("group")
    s = of_each_group(bootstrapped, list(grouped.groups))
    means = pd.DataFrame(
        {
            "theta": grouped["theta"].mean(),
            "z": grouped["z"].mean(),
            "F_binomial": share_but_one(grouped["is_binomial"]),
            "F_wilcoxon": share_but_one(grouped["is_wilcoxon"]),
            "s": s,
        }
    )
    return means.assign(
        **estimates(
            means["theta"],
            means["z"],
            means["s"],
            datasets,
            alpha=alpha,
            confidence_level=confidence_level,
        )
    )


class Rebuilt(NamedTuple):
    """All experiments of a study (:func:`outcomes`), its :func:`deviations`, and its groups."""

    experiments: pd.DataFrame
    bootstrapped: pd.DataFrame
    groups: pd.DataFrame


def rebuilt(
    study: Study,
    results: Mapping[str, Replications],
    *,
    alpha: float = 0.05,
    ties: str = "dropped",
    confidence_level: float = 0.95,
) -> Rebuilt:
    """A study from its stored results; the groups are those of :func:`by_group`."""
    experiments = outcomes(of_groups(results), alpha=alpha, ties=ties)
    bootstrapped = deviations(of_bootstraps(results))
    return Rebuilt(
        experiments,
        bootstrapped,
        by_group(
            experiments,
            bootstrapped,
            study.datasets,
            alpha=alpha,
            confidence_level=confidence_level,
        ),
    )


def estimates(
    theta: np.ndarray,
    z: np.ndarray,
    s: np.ndarray,
    datasets: int,
    *,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> dict[str, np.ndarray]:
    """The columns of :func:`by_group` that follow from means."""
    options = {"alpha": alpha, "confidence_level": confidence_level}
    wins = np.rint(datasets * np.asarray(theta)).astype(int)
    models = {
        "P_binomial": replication_probability.binomial(wins, datasets, **options),
        "P_bayesian": replication_probability.bayesian(wins, datasets, **options),
        "P_wilcoxon": replication_probability.wilcoxon(z, s, **options),
        "P_null": replication_probability.wilcoxon(z, 1.0, **options),
    }
    columns = {
        "wins": wins,
        "p_binomial": two_sided_binomial_p(wins, datasets),
        "p_wilcoxon": 2 * special.ndtr(-np.abs(z)),
    }
    for name, model in models.items():
        columns |= {
            name: model.point,
            f"{name}_low": model.low,
            f"{name}_high": model.high,
        }
    return columns


def deviance(groups: pd.DataFrame, estimate: str = "P_wilcoxon") -> pd.Series:
    """Absolute distance of an estimate from the empirical `F_wilcoxon`: `mean`, `min`, `max`."""
    return (groups[estimate] - groups["F_wilcoxon"]).abs().agg(["mean", "min", "max"])


def agrees_better_for_small_p(groups: pd.DataFrame, p: float = 0.003) -> bool:
    """Return whether P_wilcoxon is nearer to F_wilcoxon in groups with a p-value below `p`."""
    gap = (groups["P_wilcoxon"] - groups["F_wilcoxon"]).abs()
    return bool(
        gap[groups["p_wilcoxon"] < p].mean() < gap[groups["p_wilcoxon"] >= p].mean()
    )


def z_rises(groups: pd.DataFrame) -> bool:
    """Return whether Z rises with the number of the group, but for small steps back."""
    rank_correlation = groups["z"].corr(groups.index.to_series(), method="spearman")
    return bool(rank_correlation > 0.95)


def redrawn(
    experiments: pd.DataFrame,
    bootstrapped: pd.DataFrame,
    datasets: int,
    *,
    size: int | None = None,
    draws: int = 200,
    alpha: float = 0.05,
    seed: int = SEED,
) -> list[pd.DataFrame]:
    """:func:`by_group` for samples of `size` experiments per group, with replacement.

    They give standard errors.  By default a sample has as many experiments as the
    group.  s* is that of a random experiment: its spread between experiments is added.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    columns = ["theta", "z", "is_binomial", "is_wilcoxon"]
    sums, sizes, groups = resampled(
        experiments, columns, size=size, draws=draws, rng=rng
    )
    s = of_each_group(bootstrapped, groups).to_numpy()
    of_group = bootstrapped.groupby("group")["s"]  # several in a few groups
    spread = np.nan_to_num((of_group.std() / of_group.mean()).mean())
    deviation = s * np.exp(spread * rng.standard_normal((draws, len(s))))
    index = pd.MultiIndex.from_product([range(draws), groups], names=["draw", "group"])
    means = pd.DataFrame(
        {
            "theta": (sums[..., 0] / sizes).ravel(),
            "z": (sums[..., 1] / sizes).ravel(),
            "F_binomial": ((sums[..., 2] - 1) / (sizes - 1)).ravel(),
            "F_wilcoxon": ((sums[..., 3] - 1) / (sizes - 1)).ravel(),
            "s": deviation.ravel(),
        },
        index=index,
    )
    means = means.assign(
        **estimates(means["theta"], means["z"], means["s"], datasets, alpha=alpha)
    )
    return [means.loc[draw] for draw in range(draws)]


def with_errors(
    numbers: Callable[[pd.DataFrame], dict[str, float]],
    study: Study,
    seen: Rebuilt,
    *,
    alpha: float,
    seed: int,
) -> tuple[dict[str, tuple[float, float]], dict[str, float]]:
    """:func:`companion.papers.berrar2024.rows.with_errors` of a study, from :func:`redrawn`."""
    drawn = partial(
        redrawn,
        seen.experiments,
        seen.bootstrapped,
        study.datasets,
        alpha=alpha,
        seed=seed,
    )
    return rows.with_errors(numbers, seen.groups, drawn)
