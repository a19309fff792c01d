"""Learning curves: which learner wins depends on the size of the training set."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from companion.lab.learners import LEARNERS
from companion.papers.networks import committed, margins
from companion.papers.topics.learners_and_sources.sources import NETWORKS, SEED, SOURCES


def learning_curves(
    names: Sequence[str], sizes: Sequence[int], *, learners: Sequence[str] = tuple(LEARNERS),
    training_sets: int = 400, others: int = 40, seed: int = SEED,
) -> pd.DataFrame:
    """Mean expected accuracy of learners by size of the training set.

    Naive Bayes and C4.5 have `training_sets` samples of each size up to 1000, and the slower
    learners have the first `others` of them.  Larger training sets differ less, so there are fewer
    of them, in inverse proportion, but at least five.

    One row per network, size and learner: `network`, `instances`, `learner`, `accuracy` and
    `standard_error` in percent.
    """
    pair = margins.PAIR
    rest = [learner for learner in learners if learner not in pair]
    rows = []
    for name, instances in product(names, sizes):
        network = committed.load(name)
        for group, sets in ((pair, training_sets), (rest, others)):
            if not set(group) & set(learners):
                continue
            sets = _sets_of_size(sets, instances)
            accuracy = 100 * margins.exact_accuracies(
                network, _curve_rng(seed, name, instances), training_sets=sets,
                instances=instances, learners=group,
            )
            errors = accuracy.std(axis=0, ddof=1) / np.sqrt(sets)
            rows += [
                (name, instances, *of_learner)
                for of_learner in zip(group, accuracy.mean(axis=0), errors)
                if of_learner[0] in learners
            ]
    return pd.DataFrame(
        rows, columns=["network", "instances", "learner", "accuracy", "standard_error"]
    )


def margin_curves(
    sizes: Sequence[int], *, networks: int = NETWORKS, training_sets: int = 100, seed: int = SEED
) -> pd.DataFrame:
    """Margin of each network of sources 2 to 4 by size of the training set.

    One row per network and size: `source`, `network`, `instances`, `margin` and `standard_error` in
    percent.
    """
    rows = []
    for source, place, instances in product(SOURCES[1:], range(networks), sizes):
        name = committed.name_of(source, place)
        sets = _sets_of_size(training_sets, instances)
        accuracy = 100 * margins.exact_accuracies(
            committed.load(name), _curve_rng(seed, name, instances), training_sets=sets,
            instances=instances,
        )
        difference = accuracy[:, 1] - accuracy[:, 0]
        error = difference.std(ddof=1) / np.sqrt(sets)
        rows.append((source, name, instances, difference.mean(), error))
    columns = ["source", "network", "instances", "margin", "standard_error"]
    return pd.DataFrame(rows, columns=columns)


def spread_of_margins(curves: pd.DataFrame) -> pd.DataFrame:
    """How far the networks of a source agree.

    Indexed by `source`: the least and most margin at the smallest and at the largest size, in
    percent; the least, median and most of the sizes beyond which C4.5 is ahead (:func:`crossings`);
    and on how many networks it is `never` ahead at the end.
    """
    sizes = curves["instances"].min(), curves["instances"].max()
    size = crossings(curves).groupby("source")["size"]
    frame = {}
    for n in sizes:
        margin = curves[curves["instances"] == n].groupby("source")["margin"]
        frame[f"margin at {n}, least"], frame[f"margin at {n}, most"] = margin.min(), margin.max()
    frame |= {
        "ahead from, least": size.min(), "median": size.median(), "most": size.max(),
        "never": size.agg(lambda x: x.isna().sum()),
    }
    return pd.DataFrame(frame)


def crossings(curves: pd.DataFrame) -> pd.DataFrame:
    """The size of the training set beyond which C4.5 is ahead of naive Bayes.

    Indexed by `network`: `source`, and `size`, beyond which the margin stays above 0, interpolated
    on the logarithm of the size; NaN if the margin is not above 0 at the largest size, and the
    smallest size if it is above 0 throughout.
    """
    rows = {}
    for name, curve in curves.groupby("network", sort=False):
        curve = curve.sort_values("instances", kind="stable")
        logs, margin = np.log(curve["instances"].to_numpy()), curve["margin"].to_numpy()
        size, behind = curve["instances"].iloc[0], np.flatnonzero(margin <= 0)
        if len(behind):
            i = behind[-1]
            share = -margin[i:-1] / np.diff(margin[i:])
            crossing = np.exp(logs[i:-1] + share * np.diff(logs[i:]))
            size = crossing[0] if len(crossing) else np.nan
        rows[name] = {"source": curve["source"].iloc[0], "size": size}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("network")


def _sets_of_size(sets: int, instances: int) -> int:
    return min(sets, max(5, sets * 1000 // instances))


def _curve_rng(seed: int, name: str, instances: int) -> np.random.Generator:
    key = (23, 3, *committed.source_and_place(name), instances)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
