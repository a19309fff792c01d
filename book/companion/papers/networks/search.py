"""The search for networks with given margins.

The committed networks are a fair sample of random networks with the papers' margins
(:mod:`companion.papers.networks.margins`).  :func:`find_networks` draws candidates from
one stated distribution, :func:`prior`, and accepts each whose margin is within
:data:`TOLERANCE` of the target, in the order of their numbers.  :func:`write_networks`
rebuilds the file of networks:

    python -c "from companion.papers.networks.search import write_networks;
    write_networks()"
"""

import json
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from companion.lab.sources import BayesianNetwork, random_network
from companion.papers.networks import committed
from companion.papers.networks.margins import (
    PAIR,
    SEED,
    exact_accuracies,
    summary,
    targets,
)

#: Largest distance from a target, in percent.
TOLERANCE = 0.1

#: Numbers of training sets after which a candidate is checked.  It is dropped if its
#: margin is further from the target than the tolerance plus `_PATIENCE` standard
#: errors.
STAGES = (50, 400, 3000, 20_000)
_PATIENCE = 4

# Candidates passed to the workers at once: hardly more than source 1 needs, where all
# are accepted and measured to the end.
_BATCH = 16


def prior(source: int) -> dict[str, object]:
    """Return the distribution of candidates for a source, as arguments of `random_network`.

    A candidate has ten binary attributes and a class with equal probabilities.  In
    source 1 all variables are independent, as in the paper.  For the other three, which
    the paper calls augmented naive Bayes, every possible number of arrows between ten
    attributes is equally likely, and so is every probability in every table.

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
        "attributes": 10,
        "cardinality": 2,
        "class_probabilities": [0.5, 0.5],
        "arrows": None if source == 1 else [0, 45],
    }


def candidate(source: int, number: int) -> BayesianNetwork:
    """Draw one candidate of the search, from ``SeedSequence(SEED, spawn_key=(source, number))``.

    Parameters
    ----------
    source : int
        1 to 4.
    number : int
        At least 0.
    """
    return random_network(seed=SEED, stream=(source, number), **prior(source))


def examine(source: int, number: int) -> dict[str, float] | None:
    """Measure a candidate as long as it could still have the margin of its source.

    The training sets come from ``SeedSequence(SEED, spawn_key=(source, number, 0))``,
    so the result equals
    ``margin(candidate(...), training_sets=STAGES[-1], stream=(source, number, 0))``.

    Parameters
    ----------
    source : int
        1 to 4.
    number : int
        Number of the candidate.

    Returns
    -------
    dict or None
        Its :func:`~companion.papers.networks.margins.summary`.
        None if the margin is not within :data:`TOLERANCE` of the target.
    """
    network, target = candidate(source, number), targets()[source]
    rng = np.random.default_rng(
        np.random.SeedSequence(SEED, spawn_key=(source, number, 0))
    )
    accuracies = np.empty((0, len(PAIR)))
    for stage in STAGES:
        more = exact_accuracies(network, rng, training_sets=stage - len(accuracies))
        accuracies = np.concatenate([accuracies, more])
        found = summary(accuracies)
        if (
            abs(found["margin"] - target)
            > TOLERANCE + _PATIENCE * found["margin_error"]
        ):
            return None
    return found if abs(found["margin"] - target) <= TOLERANCE else None


def find_networks(source: int, networks: int = 10) -> list[tuple[int, dict]]:
    """Find the first candidates that have the margin of one of the papers' sources."""
    return first_accepted(examine, source, networks)


def first_accepted(
    examine: Callable[[int, int], dict | None], source: int, networks: int
) -> list[tuple[int, dict]]:
    """Return the first candidates of a source that are accepted, in the order of their numbers.

    Candidates are examined by the workers of `joblib.parallel_config`; the result does
    not depend on the number of workers.

    Parameters
    ----------
    examine : callable
        Takes a source and the number of a candidate; returns its measurements, or None
        if it is not accepted.
    source, networks : int
        How many networks of which source.

    Returns
    -------
    list of (int, dict)
        The candidate's number and its measurements.  All candidates up to the last
        number were examined.
    """
    accepted: list[tuple[int, dict]] = []
    for first in count(0, _BATCH):
        numbers = range(first, first + _BATCH)
        measured = Parallel()(delayed(examine)(source, number) for number in numbers)
        accepted += [
            (number, found) for number, found in zip(numbers, measured) if found
        ]
        if len(accepted) >= networks:
            return accepted[:networks]


def write_networks(path: Path = committed.FILE, networks: int = 10) -> None:
    """Find networks for all four sources and write them with their measurements."""
    hits = {source: find_networks(source, networks) for source in targets()}
    terms = {
        "seed": SEED,
        "tolerance": TOLERANCE,
        "targets": targets(),
        "priors": {source: prior(source) for source in hits},
        "examined": {source: found[-1][0] + 1 for source, found in hits.items()},
    }
    records = {
        committed.name_of(source, place): {
            "source": source,
            "candidate": number,
            **measured,
            **candidate(source, number).to_dict(),
        }
        for source, found in hits.items()
        for place, (number, measured) in enumerate(found)
    }
    write_records(path, terms, records)


def write_records(
    path: Path, terms: Mapping[str, object], records: Mapping[str, Mapping]
) -> None:
    """Write networks by name, one per line, after the terms of the search for them."""
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(record)}" for name, record in records.items()
    )
    text = f'{{"search": {json.dumps(terms)},\n"networks": {{\n{lines}\n}}}}\n'
    path.write_text(text, encoding="utf-8")
