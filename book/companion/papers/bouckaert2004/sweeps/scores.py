"""Results of the sweeps: rejections and replicability of every setting."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.papers import networks
from companion.papers.bouckaert2004.sweeps.experiments import (
    DESIGNS,
    LEVEL,
    SEED,
    SWEEPS,
    networks_of,
    source_of,
)
from companion.papers.networks.margins import exact_accuracies
from replib import replicability


def scores(sweep: str, results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """How often experiments on each data set reject, and how replicable they are.

    A row per data set, value and test: `source`, `value`, `test`, `network`,
    `data_set`, `rejected` (percent of its experiments) and `replicability` (normalised,
    percent).
    """
    frames = []
    for name, one in results.items():
        parameters = one.experiment.parameters
        source = source_of(name)
        if SWEEPS[sweep].is_axis:
            values = parameters["alphas" if sweep == "alpha" else sweep]
        else:
            values = [float(name.split(".", 1)[1])]
        accepted = one.counts[..., 1].astype(
            int
        )  # (data sets, networks, runs, alphas, tests)
        accepted = accepted.reshape(*accepted.shape[:2], len(values), len(DESIGNS))
        index = pd.MultiIndex.from_product(
            [range(accepted.shape[0]), range(accepted.shape[1]), values, list(DESIGNS)],
            names=["data_set", "network", "value", "test"],
        )
        n = parameters["experiments"]
        r = replicability.normalized(replicability.r2_from_counts(accepted.ravel(), n))
        frames.append(
            pd.DataFrame(
                {
                    "rejected": 100 * (1 - accepted.ravel() / n),
                    "replicability": 100 * r,
                },
                index=index,
            )
            .reset_index()
            .assign(source=source)
        )
    return pd.concat(frames, ignore_index=True)


MEASURES = ("rejected", "replicability")


def summary(scored: pd.DataFrame) -> pd.DataFrame:
    """Means over data sets, given the networks.

    A row per source, value and test, with the number of `data_sets` and, for each of
    `MEASURES`, the mean, its Monte Carlo standard error ``<measure>_error`` and its
    standard error over networks ``<measure>_error_of_networks``.
    """
    keys = ["source", "value", "test"]
    by_network = scored.groupby([*keys, "network"], sort=False)[list(MEASURES)]
    mean, variance, size = by_network.mean(), by_network.var(), by_network.size()
    over = lambda frame: frame.groupby(keys, sort=False)
    # a network with one data set has no variance of its own: pool all data sets instead
    error = np.sqrt(
        over(variance.div(size, axis=0)).mean().div(over(size).size(), axis=0)
    )
    together = scored.groupby(keys, sort=False)[list(MEASURES)]
    pooled = together.std().div(np.sqrt(together.size()), axis=0)
    out = over(mean).mean().join(error.fillna(pooled).add_suffix("_error"))
    out = out.join(over(mean).sem().add_suffix("_error_of_networks"))
    return out.assign(data_sets=together.size()).reset_index()


def steps(scored: pd.DataFrame) -> pd.DataFrame:
    """Change of replicability from each value of a sweep to the next, on the same data sets.

    One row per source, test and step: `source`, `test`, `start`, `end`, `change`
    (percentage points of 2r - 1) and its `standard_error` over networks. The last row
    of each test is the step from the first value to the last.
    """
    rows = []
    for (source, test), part in scored.groupby(["source", "test"], sort=False):
        wide = part.pivot(
            index=["network", "data_set"], columns="value", values="replicability"
        )
        values = list(part["value"].unique())
        for start, end in [*itertools.pairwise(values), (values[0], values[-1])]:
            change = (wide[end] - wide[start]).groupby("network").mean()
            rows.append((source, test, start, end, change.mean(), change.sem()))
    return pd.DataFrame(
        rows, columns=["source", "test", "start", "end", "change", "standard_error"]
    )


def type_1_errors(summarised: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Type I error of every setting, and its excess over the level.

    One row per setting and test: `sweep`, `value`, `test`, `level` and `type_1`
    (percent), its `standard_error` over networks and the `excess` over the level
    (percentage points).
    """
    frames = []
    for sweep, frame in summarised.items():
        null = frame[frame["source"] == "1"]
        level = 100 * null["value"].astype(float) if sweep == "alpha" else 100 * LEVEL
        frames.append(
            pd.DataFrame(
                {
                    "sweep": sweep,
                    "value": null["value"],
                    "test": null["test"],
                    "level": level,
                    "type_1": null["rejected"],
                    "standard_error": null["rejected_error_of_networks"],
                    "excess": null["rejected"] - level,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def null_hypothesis(
    probabilities: Sequence[float] = SWEEPS["class_probability"].values,
    *,
    training_sets: int = 100,
    instances: int = 270,
    seed: int = SEED,
) -> pd.DataFrame:
    """Check the null hypothesis on source 1, whose attributes carry no information on the class.

    If the classes have probabilities p and 1 - p, a classifier that predicts them for
    shares q and 1 - q of the instances is right with probability p q + (1 - p)(1 - q).
    Only at p = 1/2 does this not depend on q: elsewhere the learner that strays less
    often from the majority class is better.

    Indexed by `class_probability`: the `difference`, expected accuracy of naive Bayes
    minus that of C4.5, and its `standard_error`, in percentage points, exact for each
    training set by enumeration; and how often `naive_bayes`, `c45` and `both` always
    predict the majority class, or either class if they are equal (percent of the
    training sets).
    """
    rows = {}
    for p in probabilities:
        accuracies = np.concatenate(
            [
                exact_accuracies(
                    networks.source(spec),
                    np.random.default_rng(
                        np.random.SeedSequence(seed, spawn_key=(number,))
                    ),
                    training_sets=training_sets,
                    instances=instances,
                )
                for number, spec in enumerate(networks_of("1", p))
            ]
        )
        difference = 100 * (accuracies[:, 0] - accuracies[:, 1])
        majority = np.isclose(accuracies, max(p, 1 - p), rtol=0, atol=1e-12)
        rows[p] = {
            "difference": difference.mean(),
            "standard_error": difference.std(ddof=1) / np.sqrt(len(difference)),
            "naive_bayes": 100 * majority[:, 0].mean(),
            "c45": 100 * majority[:, 1].mean(),
            "both": 100 * majority.all(axis=1).mean(),
        }
    return pd.DataFrame(rows).T.rename_axis("class_probability")


def correlation(rejected: np.ndarray, replicability: np.ndarray) -> np.ndarray:
    r"""Correlation of the decisions of two repetitions on the same data set.

    Let p be the probability that an experiment rejects on a data set drawn at random, with mean
    :math:`\pi` and variance :math:`\sigma^2` over data sets.  The correlation is
    :math:`\rho = \sigma^2 / (\pi(1-\pi))`, and mean normalised replicability is

    .. math:: \overline{2r-1} = E(1-2p)^2 = 1 - 4\,\pi(1-\pi)(1-\rho).

    The correlation runs from 0 (only the split decides) to 1 (only the data set
    decides); it is 1 where nothing or everything is rejected. An estimate can be
    slightly below 0.

    >>> correlation([50, 20], [100, 36]).round(9).tolist()
    [1.0, 0.0]
    """
    share = np.asarray(rejected) / 100
    disagreement = (1 - np.asarray(replicability) / 100) / 4  # E p(1 - p)
    variance = np.asarray(share * (1 - share))
    ratio = np.divide(
        disagreement, variance, out=np.zeros_like(variance), where=variance > 0
    )
    return 1 - ratio


def channels(
    scored: Mapping[str, pd.DataFrame], test: str = "paired_t"
) -> pd.DataFrame:
    r"""How much each sweep changes replicability, and through which channel.

    With :math:`v = \pi(1-\pi)`, replicability is :math:`1 - 4v(1-\rho)` (:func:`correlation`), so
    its change between two settings is the sum of two parts,
    :math:`-4\,\Delta v\,\overline{1-\rho} + 4\,\bar v\,\Delta\rho`; bars are means of the two.

    One row per sweep and source: `sweep`, `source`, `first` and `last` value; `start`
    and `end`, the replicability there; `change` and its `standard_error`; and its parts
    `by_rejections` and `by_correlation`, in percentage points of 2r - 1.
    """
    rows = []
    for sweep, frame in scored.items():
        of_test = frame[frame["test"] == test]
        means = summary(of_test)
        for source, part in means.groupby("source", sort=False):
            first, last = part.iloc[0], part.iloc[-1]
            share = part["rejected"].iloc[[0, -1]].to_numpy() / 100
            v = share * (1 - share)
            rho = correlation(
                *part[["rejected", "replicability"]].iloc[[0, -1]].to_numpy().T
            )
            rows.append(
                {
                    "sweep": sweep,
                    "source": source,
                    "first": first["value"],
                    "last": last["value"],
                    "start": first["replicability"],
                    "end": last["replicability"],
                    "change": last["replicability"] - first["replicability"],
                    "standard_error": _error_of_change(
                        of_test[of_test["source"] == source]
                    ),
                    "by_rejections": -400 * (v[1] - v[0]) * (1 - rho.mean()),
                    "by_correlation": 400 * v.mean() * (rho[1] - rho[0]),
                }
            )
    return pd.DataFrame(rows)


def _error_of_change(scored: pd.DataFrame) -> float:
    """Standard error of the change from first to last value, paired if the data sets are equal."""
    values = scored["value"].unique()[[0, -1]]
    ends = [
        scored[scored["value"] == value].set_index(["network", "data_set"])[
            "replicability"
        ]
        for value in values
    ]
    if ends[0].index.equals(ends[1].index):
        return float((ends[1] - ends[0]).std() / np.sqrt(len(ends[0])))
    return float(np.sqrt(sum(end.var() / len(end) for end in ends)))
