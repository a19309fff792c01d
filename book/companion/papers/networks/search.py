"""The search for networks with given margins.

The committed networks are a fair sample of random networks with the papers' margins
(:mod:`companion.papers.networks.margins`).  :func:`find_networks` draws candidates from one stated
distribution, :func:`prior`, and accepts each whose margin is within :data:`TOLERANCE` of the
target, in the order of their numbers.  :func:`write_networks` rebuilds the file of networks:

    python -c "from companion.papers.networks.search import write_networks; write_networks()"
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import count, islice
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from companion.lab.sources import BayesianNetwork, random_network
from companion.papers.networks import committed
from companion.papers.networks.margins import PAIR, SEED, Margin, exact_accuracies, targets

#: Largest distance from a target, in percent.
TOLERANCE = 0.1

#: Numbers of training sets after which a candidate is checked.  It is dropped if its margin is
#: further from the target than the tolerance plus `_PATIENCE` standard errors.
STAGES = (50, 400, 3000, 20_000)
_PATIENCE = 4

# Candidates passed to the workers at once: hardly more than source 1 needs, where all are accepted
# and measured to the end.
_BATCH = 16


def prior(source: int) -> dict[str, object]:
    """Return the distribution of candidates for a source, as arguments of `random_network`.

    A candidate has ten binary attributes and a class with equal probabilities.  In source 1 all
    variables are independent, as in the paper.  For the other three, which the paper calls
    augmented naive Bayes, every possible number of arrows between ten attributes is equally likely,
    and so is every probability in every table.

    Parameters
    ----------
    source : int
        1 to 4.

    Examples
    --------
    >>> prior(2)["arrows"]
    [0, 45]
    """
    return {
        "attributes": 10, "cardinality": 2, "class_probabilities": [0.5, 0.5],
        "arrows": None if source == 1 else [0, 45],
    }


def candidate(source: int, number: int, *, seed: int = SEED) -> BayesianNetwork:
    """Draw one candidate of the search.

    Parameters
    ----------
    source : int
        1 to 4.
    number : int
        At least 0.
    seed : int
        The network comes from ``SeedSequence(seed, spawn_key=(source, number))``.
    """
    return random_network(seed=seed, stream=(source, number), **prior(source))


def examine(source: int, number: int, *, seed: int = SEED) -> Margin | None:
    """Measure a candidate as long as it could still have the margin of its source.

    Parameters
    ----------
    source : int
        1 to 4.
    number : int
        Number of the candidate.
    seed : int
        The training sets come from ``SeedSequence(seed, spawn_key=(source, number, 0))``, so the
        result equals
        ``margin(candidate(...), training_sets=STAGES[-1], stream=(source, number, 0))``.

    Returns
    -------
    Margin or None
        None if the margin is not within :data:`TOLERANCE` of the target.
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
    source: int, *, networks: int = 10, seed: int = SEED
) -> list[tuple[int, BayesianNetwork, Margin]]:
    """Find the first candidates that have the margin of one of the papers' sources.

    Candidates are examined by the workers of `joblib.parallel_config`; the result does not depend
    on the number of workers.

    Parameters
    ----------
    source : int
        1 to 4.
    networks : int
        How many to find.
    seed : int

    Returns
    -------
    list of (int, BayesianNetwork, Margin)
        The candidate's number, the candidate, and its measured margin.  All candidates up to the
        last number were examined.
    """
    accepted = (
        (number, candidate(source, number, seed=seed), found)
        for number, found in _examined(source, seed) if found is not None
    )
    return list(islice(accepted, networks))


def write_networks(
    path: Path = committed.FILE, *, networks: int = 10, seed: int = SEED
) -> None:
    """Find networks for all four sources and write them with their measurements.

    Parameters
    ----------
    path : Path, optional
        By default the file that the package commits.
    networks : int
        Networks per source.
    seed : int
    """
    found = {
        source: find_networks(source, networks=networks, seed=seed) for source in targets()
    }
    search = {
        "seed": seed, "tolerance": TOLERANCE, "targets": targets(),
        "priors": {source: prior(source) for source in found},
        "examined": {source: hits[-1][0] + 1 for source, hits in found.items()},
    }
    records = {
        committed.name_of(source, place): {
            "source": source, "candidate": number, **asdict(measured), **network.to_dict(),
        }
        for source, hits in found.items() for place, (number, network, measured) in enumerate(hits)
    }
    path.write_text(_one_record_a_line(search, records), encoding="utf-8")


def _examined(source: int, seed: int) -> Iterator[tuple[int, Margin | None]]:
    for first in count(0, _BATCH):
        numbers = range(first, first + _BATCH)
        yield from zip(
            numbers, Parallel()(delayed(examine)(source, number, seed=seed) for number in numbers)
        )


def _one_record_a_line(search: Mapping, records: Mapping[str, Mapping]) -> str:
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(r)}" for name, r in records.items())
    return f'{{"search": {json.dumps(search)},\n"networks": {{\n{lines}\n}}}}\n'
