"""By how much C4.5 beats naive Bayes on a source, and the search for networks of given margins.

The papers of 2004 do not print their networks.  What they print of them is the mean difference in
accuracy of the two learners after training on 300 instances (:func:`targets`).  Here the accuracy
of a trained classifier is exact, an expectation over all combinations of attribute values: only
the training sets are random.

The committed networks are a fair sample of random networks with these margins.
:func:`find_networks` draws candidates from one stated distribution, :func:`prior`, and accepts, in
the order of their numbers, each whose margin is within :data:`TOLERANCE` of the target.
:func:`write_networks` makes ``replib/sources/networks.json`` again:

    python -c "from replib.papers.networks.search import write_networks; write_networks()"
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path

import numpy as np
from joblib import Memory, Parallel, delayed
from numba import njit

from replib.experiments import provenance
from replib.learners.cross_validation import Learners, _learner
from replib.learners.kernels.packed import (
    learn_c45,
    learn_naive_bayes,
    pack_masks,
    pack_rows,
    predict_naive_bayes,
    predict_tree,
)
from replib.learners.packed import pack, workspace
from replib.learners.table import Table
from replib.papers import published
from replib.papers.networks import committed
from replib.sources import BayesianNetwork, random_network, sample_into

#: The learners of a margin; it is the second's accuracy minus the first's.
PAIR = ("naive_bayes", "c45")

#: Largest distance from a target, in percent.
TOLERANCE = 0.1

#: Training sets after which a candidate is looked at.  It is given up when its margin is further
#: from the target than the tolerance and `_PATIENCE` standard errors.
STAGES = (50, 400, 3000, 20_000)
_PATIENCE = 4

SEED = 2004

# Candidates that are handed to the workers at once: hardly more than are needed of source 1, where
# all are accepted and measured to the end.
_BATCH = 16
_PREDICTIONS = 2**18  # of one learner that are held at once


@dataclass(frozen=True)
class Margin:
    """Mean accuracies of the two learners on a source, in percent, with their standard errors.

    Attributes
    ----------
    margin, margin_error : float
        Accuracy of C4.5 minus that of naive Bayes.
    naive_bayes, naive_bayes_error, c45, c45_error : float
    training_sets : int
        Independent samples that the means are over.
    """

    margin: float
    margin_error: float
    naive_bayes: float
    naive_bayes_error: float
    c45: float
    c45_error: float
    training_sets: int

    @classmethod
    def of(cls, accuracies: np.ndarray) -> "Margin":
        """From the accuracies of :data:`PAIR` as :func:`exact_accuracies` gives them."""
        naive_bayes, c45 = 100 * accuracies.T
        summaries = [
            (float(x.mean()), float(x.std(ddof=1) / np.sqrt(len(x))))
            for x in (c45 - naive_bayes, naive_bayes, c45)
        ]
        return cls(*summaries[0], *summaries[1], *summaries[2], training_sets=len(accuracies))


def exact_accuracies(
    network: BayesianNetwork,
    rng: np.random.Generator,
    *,
    training_sets: int,
    instances: int = 300,
    learners: Learners = PAIR,
) -> np.ndarray:
    """Expected accuracies of learners that were trained on samples of a network.

    Parameters
    ----------
    network : BayesianNetwork
    rng : Generator
    training_sets : int
        Number of samples, from 1; all learners are trained on the same ones.
    instances : int
        Size of each sample, from 1.
    learners : sequence of str or TableClassifier
        Names in ``replib.learners.LEARNERS``, or learners with other parameters.  Naive Bayes
        and C4.5 by name run on bit sets if they are all that is asked for, in that order, many
        times as fast, with the same numbers.

    Returns
    -------
    ndarray of float, shape (training_sets, len(learners))
        Between 0 and 1.

    Raises
    ------
    ValueError
        If a number is below 1, there is no such learner, or the joint distribution of the network
        is too large to be enumerated.

    Examples
    --------
    A class that is the exclusive or of two coins, of which the second is biased:

    >>> table = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    >>> xor = BayesianNetwork([(), (0,), (0, 1)], [[0.5, 0.5], [[0.4, 0.6], [0.6, 0.4]], table])
    >>> rng = np.random.default_rng(1)
    >>> exact_accuracies(xor, rng, training_sets=2, learners=["naive_bayes", "nearest_neighbour"])
    array([[0.6, 1. ],
           [0.6, 1. ]])
    """
    for name, number in (("training_sets", training_sets), ("instances", instances)):
        if number < 1:
            raise ValueError(f"{name} must be at least 1, not {number}")
    if tuple(learners) == PAIR:
        return _of_pair(network, rng, training_sets, instances)
    fresh = [_learner(learner) for learner in learners]
    grid = network.grid()
    empty = Table.from_frame(*network.frame(np.arange(grid.shape[1]) % 2, grid))
    train, test = np.arange(instances), np.arange(instances, instances + grid.shape[1])
    accuracies = np.empty((training_sets, len(learners)))
    for row in accuracies:
        labels, columns = network.sample(instances, rng)
        # one table of the sample and the grid, because learners predict rows of their own table
        table = Table(
            empty.attributes, empty.classes, np.hstack([columns, grid]).astype(float),
            np.concatenate([labels, np.zeros_like(test)]),
        )
        row[:] = network.expected_accuracy([
            learner.fit_table(table, train).predict_table(table, test) for learner in fresh
        ])
    return accuracies


def margin(
    network: BayesianNetwork,
    *,
    instances: int = 300,
    training_sets: int = 1000,
    seed: int = SEED,
    stream: Sequence[int] = (),
) -> Margin:
    """Mean expected accuracy of C4.5 minus that of naive Bayes.

    Parameters
    ----------
    network : BayesianNetwork
    instances : int
        Size of a training set, from 1.
    training_sets : int
        From 2.
    seed : int
        From 0; the samples come from ``SeedSequence(seed, spawn_key=stream)``.
    stream : sequence of int

    Returns
    -------
    Margin

    Raises
    ------
    ValueError
        If a number is below its least, or the joint distribution of the network is too large to be
        enumerated.

    Examples
    --------
    >>> independent = random_network(seed=1, attributes=5)
    >>> found = margin(independent, training_sets=10)
    >>> found.margin, round(found.c45, 9)
    (0.0, 50.0)
    """
    if training_sets < 2:
        raise ValueError(
            f"training_sets must be at least 2, for a standard error, not {training_sets}"
        )
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(stream)))
    return Margin.of(
        exact_accuracies(network, rng, training_sets=training_sets, instances=instances)
    )


# ---------------------------------------------------------------- the search


def targets() -> dict[int, float]:
    """The margins that the papers print for their four sources, in percent.

    Examples
    --------
    >>> targets()
    {1: 0.0, 2: 2.77, 3: 5.83, 4: 11.27}
    """
    cell = "bouckaert_frank2004.tab05.delta_accuracy.source{}".format
    return {source: published.value(cell(source)) for source in range(1, 5)}


def prior(source: int) -> dict[str, object]:
    """The distribution of the candidates for a source, as arguments of `random_network`.

    Ten binary attributes and a class with equal probabilities.  In source 1 nothing depends on
    anything, as the paper says.  For the other three, which the paper calls augmented naive Bayes,
    every number of arrows that ten attributes have room for is equally likely, and so is every
    probability in every table.

    Parameters
    ----------
    source : int
        1 to 4.

    Raises
    ------
    ValueError
        If there is no such source.

    Examples
    --------
    >>> prior(2)["arrows"]
    [0, 45]
    """
    if source not in targets():
        raise ValueError(f"source must be 1, 2, 3 or 4, not {source!r}")
    return {
        "attributes": 10, "cardinality": 2, "class_probabilities": [0.5, 0.5],
        "arrows": None if source == 1 else [0, 45],
    }


def candidate(source: int, number: int, *, seed: int = SEED) -> BayesianNetwork:
    """One candidate of the search.

    Parameters
    ----------
    source : int
        1 to 4.
    number : int
        From 0.
    seed : int
        The network comes from ``SeedSequence(seed, spawn_key=(source, number))``.

    Raises
    ------
    ValueError
        If there is no such source.
    """
    return random_network(seed=seed, stream=(source, number), **prior(source))


def examine(source: int, number: int, *, seed: int = SEED) -> Margin | None:
    """Measure a candidate for as long as it may have the margin of its source.

    Parameters
    ----------
    source : int
        1 to 4.
    number : int
        Of the candidate.
    seed : int
        The training sets come from ``SeedSequence(seed, spawn_key=(source, number, 0))``, so that
        what is returned is also
        ``margin(candidate(...), training_sets=STAGES[-1], stream=(source, number, 0))``.

    Returns
    -------
    Margin or None
        None if the margin is not within :data:`TOLERANCE` of the target.

    Raises
    ------
    ValueError
        If there is no such source.
    """
    network, target = candidate(source, number, seed=seed), targets()[source]
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(source, number, 0)))
    accuracies = np.empty((0, len(PAIR)))
    for stage in STAGES:
        more = exact_accuracies(network, rng, training_sets=stage - len(accuracies))
        accuracies = np.concatenate([accuracies, more])
        found = Margin.of(accuracies)
        if abs(found.margin - target) > TOLERANCE + _PATIENCE * found.margin_error:
            return None
    return found if abs(found.margin - target) <= TOLERANCE else None


def find_networks(
    source: int, *, networks: int = 10, seed: int = SEED, cache: str | os.PathLike | None = None
) -> list[tuple[int, BayesianNetwork, Margin]]:
    """The first candidates that have the margin of a source of the papers.

    Candidates are examined on the workers of `joblib.parallel_config`; the result does not depend
    on how many there are.

    Parameters
    ----------
    source : int
        1 to 4.
    networks : int
        How many to find.
    seed : int
    cache : path, optional
        Folder where it is kept what each candidate was found to be, so that a search that was
        killed resumes where it was.  Nothing is kept by default.

    Returns
    -------
    list of (int, BayesianNetwork, Margin)
        The candidate's number, the candidate, and what was measured.  All candidates up to the last
        number were examined.

    Raises
    ------
    ValueError
        If there is no such source.
    """
    prior(source)  # refuses an unknown source before any work
    accepted = (
        (number, candidate(source, number, seed=seed), found)
        for number, found in _examined(source, seed, cache) if found is not None
    )
    return list(islice(accepted, networks))


def write_networks(
    path: Path = committed.FILE,
    *,
    networks: int = 10,
    seed: int = SEED,
    cache: str | os.PathLike | None = None,
) -> None:
    """Find networks for all four sources and write them with what was measured.

    Parameters
    ----------
    path : Path, optional
        By default the file that the package commits.
    networks : int
        For each source.
    seed : int
    cache : path, optional
        As for :func:`find_networks`.
    """
    found = {
        source: find_networks(source, networks=networks, seed=seed, cache=cache)
        for source in targets()
    }
    search = {
        "seed": seed, "tolerance": TOLERANCE, "targets": targets(),
        "priors": {source: prior(source) for source in found},
        "examined": {source: hits[-1][0] + 1 for source, hits in found.items()},
    }
    records = {
        f"source{source}.{place}": {
            "source": source, "candidate": number, **asdict(measured), **network.to_dict(),
        }
        for source, hits in found.items() for place, (number, network, measured) in enumerate(hits)
    }
    path.write_text(_one_record_a_line(search, records), encoding="utf-8")


def _examined(
    source: int, seed: int, cache: str | os.PathLike | None
) -> Iterator[tuple[int, Margin | None]]:
    look = Memory(cache, verbose=0).cache(_look)
    code = [provenance.source_digest(__name__), provenance.package_versions()]
    for first in count(0, _BATCH):
        numbers = range(first, first + _BATCH)
        yield from zip(
            numbers, Parallel()(delayed(look)(source, number, seed, code) for number in numbers)
        )


def _look(source: int, number: int, seed: int, code: list) -> Margin | None:
    """`examine`, filed under the code too: what other versions of it found is not read."""
    return examine(source, number, seed=seed)


def _one_record_a_line(search: Mapping, records: Mapping[str, Mapping]) -> str:
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(r)}" for name, r in records.items())
    return f'{{"search": {json.dumps(search)},\n"networks": {{\n{lines}\n}}}}\n'


# ---------------------------------------------------------------- both learners on bit sets


def _of_pair(
    network: BayesianNetwork, rng: np.random.Generator, training_sets: int, instances: int
) -> np.ndarray:
    cardinality = np.array(network.cardinality[1:])
    grid = network.grid()
    combinations = pack(grid, np.zeros(grid.shape[1], dtype=int), cardinality, network.n_classes)
    labels = np.zeros(instances, dtype=np.int8)
    columns = np.zeros((network.n_attributes, instances), dtype=np.int8)
    memory = workspace(pack(columns, labels, cardinality, network.n_classes))
    at_once = max(1, _PREDICTIONS // grid.shape[1])
    predicted = np.empty((min(at_once, training_sets), len(PAIR), grid.shape[1]), dtype=np.int64)
    accuracies = np.empty((training_sets, len(PAIR)))
    for first in range(0, training_sets, at_once):
        part = accuracies[first : first + at_once]
        _train_and_predict(
            rng, network.flat, network.n_classes, combinations, labels, columns, memory,
            predicted[: len(part)],
        )
        part[:] = network.expected_accuracy(predicted[: len(part)])
    return accuracies


@njit(cache=True, nogil=True)
def _train_and_predict(rng, network, n_classes, combinations, labels, columns, memory, predicted):
    """For each sample what both learners predict; `labels` and `columns` are overwritten."""
    all_rows = pack_masks(np.ones((1, len(labels)), dtype=np.bool_))[0]
    for s in range(len(predicted)):
        sample_into(rng, network, labels, columns)
        table = pack_rows(columns, labels, network.cardinality[1:], n_classes)
        learn_naive_bayes(table, all_rows, memory)
        predict_naive_bayes(memory, combinations, predicted[s, 0])
        learn_c45(table, all_rows, memory)
        predict_tree(
            memory.attribute, memory.first_child, memory.counts, combinations, predicted[s, 1]
        )
