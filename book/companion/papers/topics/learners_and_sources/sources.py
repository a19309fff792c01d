"""The four synthetic sources of 2004: how networks were found, and what is known about them."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import sqrt

import numpy as np
import pandas as pd

from companion.lab.learners import packed
from companion.papers import published
from companion.papers.networks import committed, margins, search
from companion.papers.synthetic import NETWORKS, SOURCES

SEED = 2004
_TRAINING_SETS_OF_THE_PAPERS = 1000


def search_for_networks() -> pd.DataFrame:
    """How the committed networks were found.

    Indexed by `source`: the `printed` margin in percent; the `arrows` that a candidate can have
    between its attributes, as text; how many candidates were `examined`, and how many `accepted`
    because their margin is within the `tolerance`, in percent, of the printed one.
    """
    terms, found = committed.search_terms(), committed.table()
    rows = {}
    for source, printed in margins.targets().items():
        arrows = search.prior(source)["arrows"]
        rows[source] = {
            "printed": printed, "arrows": "none" if arrows is None else "{} to {}".format(*arrows),
            "examined": terms["examined"][str(source)],
            "accepted": int((found["source"] == source).sum()), "tolerance": terms["tolerance"],
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("source")


@lru_cache(maxsize=4)
def remeasured_margins(
    *, instances: int = 300, training_sets: int = 1000, networks: int = NETWORKS, seed: int = SEED
) -> pd.DataFrame:
    """Margins of the committed networks on new training sets.

    A network was accepted because its measured margin was close to the paper's; a new measurement
    on other samples does not favour the target.

    Indexed by `network`, its name: `source`; and in percent `margin`, the mean expected accuracy of
    C4.5 minus that of naive Bayes, its `margin_error`, the standard `deviation` of the difference
    between training sets, `naive_bayes`, `c45`, and `bayes`, the largest possible accuracy.
    """
    rows = {}
    for source, place in product(SOURCES, range(networks)):
        name = committed.name_of(source, place)
        network = committed.load(name)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(23, 1, source, place)))
        accuracy = 100 * margins.exact_accuracies(
            network, rng, training_sets=training_sets, instances=instances
        )
        difference = accuracy[:, 1] - accuracy[:, 0]
        deviation = difference.std(ddof=1)
        rows[name] = {
            "source": source, "margin": difference.mean(),
            "margin_error": deviation / np.sqrt(training_sets), "deviation": deviation,
            "naive_bayes": accuracy[:, 0].mean(), "c45": accuracy[:, 1].mean(),
            "bayes": 100 * network.bayes_accuracy,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("network")


def margins_by_source(measured: pd.DataFrame) -> pd.DataFrame:
    """Margins of the networks, one row per source.

    Indexed by `source`: `networks`; the `printed` margin; the mean `margin` of the networks and its
    `margin_error`; the `lowest` and `highest` margin; `published_error`, the standard error of a
    mean over the paper's 1000 training sets; and the range of the networks' `bayes` accuracies,
    `bayes_lowest` to `bayes_highest`. All in percent.
    """
    groups = measured.groupby("source")
    return pd.DataFrame({
        "networks": groups.size(),
        "printed": pd.Series(margins.targets()),
        "margin": groups["margin"].mean(),
        "margin_error": groups["margin_error"].agg(lambda e: np.sqrt((e**2).sum()) / len(e)),
        "lowest": groups["margin"].min(), "highest": groups["margin"].max(),
        "published_error": groups["deviation"].mean() / np.sqrt(_TRAINING_SETS_OF_THE_PAPERS),
        "bayes_lowest": groups["bayes"].min(), "bayes_highest": groups["bayes"].max(),
    }).loc[list(groups.groups)].rename_axis("source")


def ledger_rows(
    *, instances: int = 300, training_sets: int = 1000, networks: int = NETWORKS, seed: int = SEED
) -> pd.DataFrame:
    """Ledger rows of the margins of both papers, and the accuracy of any learner on source 1."""
    measured = remeasured_margins(
        instances=instances, training_sets=training_sets, networks=networks, seed=seed
    )
    parts = [_published_margins(margins_by_source(measured)), _accuracy_on_source_1(measured)]
    return pd.concat(parts, ignore_index=True)


def _published_margins(by_source: pd.DataFrame) -> pd.DataFrame:
    """Ledger rows of the margins in both papers.

    Columns `id`, `rebuilt`, `standard_error`, `published_error`, `recounted`, `note`.
    """
    ids = ["bouckaert_frank2004.tab05.delta_accuracy.source", "bouckaert2004.txt.margin_source"]
    found = "networks were searched for that have this margin; the paper's are not published"
    return pd.DataFrame([
        {
            "id": f"{fact}{source}", "rebuilt": row["margin"],
            "standard_error": row["margin_error"],
            "published_error": row["published_error"] if source > 1 else np.nan,
            "recounted": found if source > 1 else None,
            "note": None if source > 1 else "no classifier can do better or worse",
        }
        for source, row in by_source.iterrows() for fact in ids[: 1 + (source > 1)]
    ])


def _accuracy_on_source_1(measured: pd.DataFrame) -> pd.DataFrame:
    """The ledger row of the expected accuracy of any learner on source 1."""
    of_source = measured[measured["source"] == 1]
    accuracies = of_source[["naive_bayes", "c45", "bayes"]].to_numpy()
    printed = published.value("bouckaert_frank2004.txt.source1_acc")
    worst = accuracies.flat[np.abs(accuracies - printed).argmax()]
    return pd.DataFrame([{"id": "bouckaert_frank2004.txt.source1_acc", "rebuilt": worst}])


def independent_classifiers(p: Fraction, q: Fraction) -> pd.DataFrame:
    """Exact accuracies of all classifiers from two binary attributes independent of the class.

    One row for each of the 16 functions from two bits to a class: the class predicted for 00, 01,
    10 and 11, and `accuracy`, a Fraction, where the class is a fair coin.

    >>> independent_classifiers(Fraction(1, 3), Fraction(1, 7))["accuracy"].unique()
    array([Fraction(1, 2)], dtype=object)
    """
    weights = [first * second for first in (1 - p, p) for second in (1 - q, q)]
    rows = []
    for predicted in product((0, 1), repeat=4):
        accuracy = sum(w / 2 for w, guess in zip(weights, predicted) for y in (0, 1) if guess == y)
        rows.append((*predicted, accuracy))
    return pd.DataFrame(rows, columns=["00", "01", "10", "11", "accuracy"])


def unequal_classes(
    class_probabilities: Sequence[float], *, instances: int = 300, training_sets: int = 1000,
    networks: int = NETWORKS, seed: int = SEED,
) -> pd.DataFrame:
    """Margins on source 1 when the classes are not equally likely.

    A row per class probability: the mean expected accuracies `naive_bayes` and `c45`, `margin` and
    `margin_error`, in percent, over all networks and training sets.
    """
    rows = []
    for place, p in enumerate(class_probabilities):
        parts = []
        for number in range(networks):
            network = committed.source({
                "network": committed.name_of(1, number), "class_probabilities": [p, 1 - p],
            })
            key = (23, 2, place, number)
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
            parts.append(margins.exact_accuracies(
                network, rng, training_sets=training_sets, instances=instances
            ))
        accuracy = 100 * np.concatenate(parts)
        # networks are strata, so only the training sets are random
        variance = np.mean([(100 * (a[:, 1] - a[:, 0])).var(ddof=1) for a in parts])
        rows.append({
            "class_probability": p, "naive_bayes": accuracy[:, 0].mean(),
            "c45": accuracy[:, 1].mean(), "margin": (accuracy[:, 1] - accuracy[:, 0]).mean(),
            "margin_error": np.sqrt(variance / len(accuracy)),
        })
    return pd.DataFrame(rows).set_index("class_probability")


def noise_of_printed_margins(
    by_source: pd.DataFrame, *, instances: int = 300, training_sets: int = 50,
    networks: int = NETWORKS, seed: int = SEED,
) -> pd.DataFrame:
    """Precision of a printed margin, and the chance that two measurements print the same digits.

    A margin is a mean over 1000 random training sets, measured on one random test set of m
    instances. Let g be the probability over training sets that C4.5 classifies an instance
    correctly, minus that of naive Bayes; the test set adds the variance of g over m.  The mean of g
    and its variance are enumerated.  Two independent means with normal errors print the same two
    decimals with a probability of about 0.01 times the density of their difference at 0.

    Indexed by `source`, 2 to 4: standard errors in percent, from the `training sets` and from a
    test set of each of the papers' sizes; and `same digits`, the probability for two measurements,
    one with each size.
    """
    constants = published.design_constants().set_index("const_id")["value"]
    papers = ("bouckaert2004", "bouckaert_frank2004")
    sizes = [int(constants[f"{paper}.c.test_instances"]) for paper in papers]
    rows = {}
    for source in by_source.index[by_source.index > 1]:
        variance = np.mean([
            _variance_on_instances(source, place, instances, training_sets, seed)
            for place in range(networks)
        ])
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
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(23, 4, source, place)))
    cardinality, k = network.cardinality[1:], network.n_classes
    grid = network.grid().astype(np.int64)
    unused = np.zeros(grid.shape[1], dtype=np.int64)
    every_combination = packed.pack(grid, unused, cardinality, k)
    everything = np.ones(instances, dtype=bool)
    total, squares = np.zeros((2, grid.shape[1], k))
    for _ in range(training_sets):
        labels, columns = network.sample(instances, rng)
        table = packed.pack(columns, labels, cardinality, k)
        c45 = packed.predict_tree(packed.grow(table, everything), every_combination)
        naive_bayes = packed.predict_naive_bayes(table, everything, every_combination)
        difference = np.eye(k)[c45] - np.eye(k)[naive_bayes]
        total += difference
        squares += difference**2
    # the mean product over pairs of different training sets, free of their own noise
    squared = (total**2 - squares) / (training_sets * (training_sets - 1))
    joint = network.joint()
    return float((joint * squared).sum() - (joint * total).sum() ** 2 / training_sets**2)
