"""The four synthetic sources of 2004: how networks were found, and what is known about them."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import sqrt

import numpy as np
import pandas as pd

from companion.papers import published
from companion.papers.networks import committed, margins
from companion.papers.synthetic import NETWORKS, SOURCES

SEED = 2004
_TRAINING_SETS_OF_THE_PAPERS = 1000


@lru_cache(maxsize=4)
def remeasured_margins(
    *,
    instances: int = 300,
    training_sets: int = 1000,
    networks: int = NETWORKS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Margins of the committed networks on new training sets.

    A network was accepted because its measured margin was close to the paper's; a new
    measurement on other samples does not favour the target.

    Indexed by `network`, its name: `source`; and in percent `margin`, the mean expected
    accuracy of C4.5 minus that of naive Bayes, its `margin_error`, the standard
    `deviation` of the difference between training sets, `naive_bayes`, `c45`, and
    `bayes`, the largest possible accuracy.
    """
    rows = {}
    for source, place in product(SOURCES, range(networks)):
        name = committed.name_of(source, place)
        network = committed.load(name)
        rng = np.random.default_rng(
            np.random.SeedSequence(seed, spawn_key=(23, 1, source, place))
        )
        accuracy = 100 * margins.exact_accuracies(
            network, rng, training_sets=training_sets, instances=instances
        )
        difference = accuracy[:, 1] - accuracy[:, 0]
        deviation = difference.std(ddof=1)
        rows[name] = {
            "source": source,
            "margin": difference.mean(),
            "margin_error": deviation / np.sqrt(training_sets),
            "deviation": deviation,
            "naive_bayes": accuracy[:, 0].mean(),
            "c45": accuracy[:, 1].mean(),
            "bayes": 100 * network.bayes_accuracy,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("network")


def margins_by_source(measured: pd.DataFrame) -> pd.DataFrame:
    """Margins of the networks, one row per source.

    Indexed by `source`: the mean `margin` of the networks and its `margin_error`;
    `published_error`, the standard error of a mean over the paper's 1000 training sets;
    and the range of the networks' `bayes` accuracies, `bayes_lowest` to
    `bayes_highest`.  All in percent.
    """
    groups = measured.groupby("source")
    return (
        pd.DataFrame(
            {
                "margin": groups["margin"].mean(),
                "margin_error": groups["margin_error"].agg(
                    lambda e: np.sqrt((e**2).sum()) / len(e)
                ),
                "published_error": groups["deviation"].mean()
                / np.sqrt(_TRAINING_SETS_OF_THE_PAPERS),
                "bayes_lowest": groups["bayes"].min(),
                "bayes_highest": groups["bayes"].max(),
            }
        )
        .loc[list(groups.groups)]
        .rename_axis("source")
    )


def margin_curves(
    sizes: Sequence[int],
    *,
    networks: int = NETWORKS,
    training_sets: int = 100,
    seed: int = SEED,
) -> pd.DataFrame:
    """Margin of each network of sources 2 to 4 by size of the training set.

    One row per network and size: `source`, `network`, `instances`, `margin` and
    `standard_error` in percent.
    """
    rows = []
    for source, place, instances in product(SOURCES[1:], range(networks), sizes):
        name = committed.name_of(source, place)
        sets = _sets_of_size(training_sets, instances)
        accuracy = 100 * margins.exact_accuracies(
            committed.load(name),
            _curve_rng(seed, name, instances),
            training_sets=sets,
            instances=instances,
        )
        difference = accuracy[:, 1] - accuracy[:, 0]
        error = difference.std(ddof=1) / np.sqrt(sets)
        rows.append((source, name, instances, difference.mean(), error))
    columns = ["source", "network", "instances", "margin", "standard_error"]
    return pd.DataFrame(rows, columns=columns)


def ledger_rows(
    *,
    instances: int = 300,
    training_sets: int = 1000,
    networks: int = NETWORKS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Ledger rows of the margins of both papers, and the accuracy of any learner on source 1."""
    measured = remeasured_margins(
        instances=instances, training_sets=training_sets, networks=networks, seed=seed
    )
    parts = [
        _published_margins(margins_by_source(measured)),
        _accuracy_on_source_1(measured),
    ]
    return pd.concat(parts, ignore_index=True)


def _published_margins(by_source: pd.DataFrame) -> pd.DataFrame:
    """Ledger rows of the margins in both papers.

    Columns `id`, `rebuilt`, `standard_error`, `published_error`.
    """
    ids = [
        "bouckaert_frank2004.tab05.delta_accuracy.source",
        "bouckaert2004.txt.margin_source",
    ]
    rows = []
    for source, row in by_source.iterrows():
        # on source 1 the margin is exact, and only one of the papers prints it
        has_error = source > 1
        values = {
            "rebuilt": row["margin"],
            "standard_error": row["margin_error"],
            "published_error": row["published_error"] if has_error else np.nan,
        }
        printed = ids if has_error else ids[:1]
        rows += [{"id": f"{fact}{source}", **values} for fact in printed]
    return pd.DataFrame(rows)


def _accuracy_on_source_1(measured: pd.DataFrame) -> pd.DataFrame:
    """The ledger row of the expected accuracy of any learner on source 1."""
    of_source = measured[measured["source"] == 1]
    accuracies = of_source[["naive_bayes", "c45", "bayes"]].to_numpy()
    printed = published.value("bouckaert_frank2004.txt.source1_acc")
    worst = accuracies.flat[np.abs(accuracies - printed).argmax()]
    return pd.DataFrame(
        [{"id": "bouckaert_frank2004.txt.source1_acc", "rebuilt": worst}]
    )


def noise_of_printed_margins(
    by_source: pd.DataFrame,
    *,
    instances: int = 300,
    training_sets: int = 50,
    networks: int = NETWORKS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Precision of a printed margin, and the chance that two measurements print the same digits.

    A margin is a mean over 1000 random training sets, measured on one random test set
    of m instances. Let g be the probability over training sets that C4.5 classifies an
    instance correctly, minus that of naive Bayes; the test set adds the variance of g
    over m.  The mean of g and its variance are enumerated.  Two independent means with
    normal errors print the same two decimals with a probability of about 0.01 times the
    density of their difference at 0.

    Indexed by `source`, 2 to 4: standard errors in percent, from the `training sets`
    and from a test set of each of the papers' sizes; and `same digits`, the probability
    for two measurements, one with each size.
    """
    constants = published.design_constants().set_index("const_id")["value"]
    papers = ("bouckaert2004", "bouckaert_frank2004")
    sizes = [int(constants[f"{paper}.c.test_instances"]) for paper in papers]
    rows = {}
    for source in by_source.index[by_source.index > 1]:
        variance = np.mean(
            [
                _variance_on_instances(source, place, instances, training_sets, seed)
                for place in range(networks)
            ]
        )
        of_training = by_source.at[source, "published_error"]
        rows[source] = {"training sets": of_training} | {
            f"test set of {m}": 100 * sqrt(variance / m) for m in sizes
        }
        both = sqrt(2 * of_training**2 + sum(100**2 * variance / m for m in sizes))
        rows[source]["same digits"] = 0.01 / (sqrt(2 * np.pi) * both)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("source")


def _variance_on_instances(
    source: int, place: int, instances: int, training_sets: int, seed: int
) -> float:
    """Variance over random instances of how much more likely C4.5 is to be right."""
    network = committed.load(committed.name_of(source, place))
    rng = np.random.default_rng(
        np.random.SeedSequence(seed, spawn_key=(23, 4, source, place))
    )
    joint = network.joint()
    total, squares = np.zeros((2, *joint.shape))
    for predicted in margins.predictions(network, rng, training_sets, instances):
        naive_bayes, c45 = np.eye(network.n_classes)[predicted.swapaxes(0, 1)]
        total += (c45 - naive_bayes).sum(axis=0)
        squares += ((c45 - naive_bayes) ** 2).sum(axis=0)
    # the mean product over pairs of different training sets, free of their own noise
    squared = (total**2 - squares) / (training_sets * (training_sets - 1))
    return float(
        (joint * squared).sum() - (joint * total).sum() ** 2 / training_sets**2
    )


def _sets_of_size(sets: int, instances: int) -> int:
    return min(sets, max(5, sets * 1000 // instances))


def _curve_rng(seed: int, name: str, instances: int) -> np.random.Generator:
    key = (23, 3, *committed.source_and_place(name), instances)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
