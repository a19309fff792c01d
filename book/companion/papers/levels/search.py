"""The search for networks with a printed margin and a level in a window.

A candidate is a random network, weakened until C4.5 is better than naive Bayes by the
printed margin (:mod:`companion.papers.networks.weakened`).  It is accepted if its
margin is within `TOLERANCE` of the printed one and its level, the accuracy of naive
Bayes, in the window of its source.  :func:`write_networks` rebuilds the file:

    python -c "from companion.papers.levels.search import write_networks;
    write_networks()"
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from companion.lab.sources import BayesianNetwork
from companion.papers.levels import committed
from companion.papers.networks import margins, search
from companion.papers.networks.weakened import weakened

#: Networks of each source.
NETWORKS = 30

#: The middle of the levels sought, in percent, by source, and how far they reach on
#: either side.  An audit of Table 1 of Bouckaert (2004) pointed to the middles; they say
#: only where we look, because the levels are estimated within the window.
MIDDLES = {2: 74.0, 3: 72.0, 4: 82.0}
REACH = 6.0

#: Largest distance from the printed margin, in percent.
TOLERANCE = search.TOLERANCE

#: Training sets on which the strength is found.
TRAINING_SETS = 1000

#: Numbers of training sets after which a candidate is checked.  It is dropped if its
#: margin or level is further out than `_PATIENCE` standard errors.
STAGES = (100, 1000, 5000)
_PATIENCE = 4


def window(source: int) -> tuple[float, float]:
    """Return the least and the greatest level sought for a source, in percent.

    >>> window(3)
    (66.0, 78.0)
    """
    return MIDDLES[source] - REACH, MIDDLES[source] + REACH


def examine(source: int, number: int) -> dict[str, float] | None:
    """Weaken a candidate to the margin of its source, and measure it while it could be accepted.

    Strength, margin and level come from independent training sets.

    Returns
    -------
    dict or None
        `strength`, the :func:`~companion.papers.networks.margins.summary`, and
        `disagreement` in percent; None if the candidate is not accepted.
    """
    target = margins.targets()[source]
    whole = committed.whole_candidate(source, number)
    seed = int(committed.candidate_stream(source, number, 0).integers(2**32))
    # the level hardly depends on the strength to the last digit, and few look at it
    rough = margins.strength_of_margin(whole, target, seed=seed, training_sets=50)
    if rough is None:
        return None
    rng = committed.candidate_stream(source, number, 1)
    few = margins.exact_accuracies(weakened(whole, rough), rng, training_sets=STAGES[0])
    if not _is_near_level(margins.summary(few), source, REACH / 2):
        return None
    strength = margins.strength_of_margin(
        whole, target, seed=seed, training_sets=TRAINING_SETS
    )
    if strength is None:
        return None
    network = weakened(whole, strength)
    measured = _measured(network, source, target, rng)
    return measured and {
        "strength": strength,
        **measured,
        "disagreement": disagreement(network, rng),
    }


def _measured(
    network: BayesianNetwork, source: int, target: float, rng: np.random.Generator
) -> dict[str, float] | None:
    """Return the summary of a network, or None as soon as it cannot be accepted."""
    accuracies = np.empty((0, len(margins.PAIR)))
    for stage in STAGES:
        more = margins.exact_accuracies(
            network, rng, training_sets=stage - len(accuracies)
        )
        accuracies = np.concatenate([accuracies, more])
        summary = margins.summary(accuracies)
        is_last = stage == STAGES[-1]
        patience = 0 if is_last else _PATIENCE
        is_near_margin = (
            abs(summary["margin"] - target)
            <= TOLERANCE + patience * summary["margin_error"]
        )
        slack = patience * summary["naive_bayes_error"]
        if not (is_near_margin and _is_near_level(summary, source, slack)):
            return None
    return summary


def _is_near_level(summary: Mapping[str, float], source: int, slack: float) -> bool:
    low, high = window(source)
    return low - slack <= summary["naive_bayes"] <= high + slack


def disagreement(
    network: BayesianNetwork,
    rng: np.random.Generator,
    *,
    training_sets: int = 500,
    instances: int = 300,
) -> float:
    """Return the share of instances on which exactly one of the two learners is right, in percent.

    It is exact over instances, and a mean over training sets.
    """
    joint = network.joint()
    share = 0.0
    parts = margins.predictions(network, rng, training_sets, instances)
    for predicted in parts:
        naive_bayes, c45 = np.eye(network.n_classes)[predicted.swapaxes(0, 1)]
        share += (joint * (naive_bayes != c45)).sum()
    return 100 * float(share) / training_sets


def find_networks(source: int, networks: int = NETWORKS) -> list[tuple[int, dict]]:
    """Find the first accepted candidates of a source, as `networks.search.first_accepted`."""
    return search.first_accepted(examine, source, networks)


def write_networks(path: Path = committed.FILE, networks: int = NETWORKS) -> None:
    """Find networks for sources 2 to 4 and write them with their measurements."""
    hits = {source: find_networks(source, networks) for source in MIDDLES}
    terms = {
        "seed": committed.SEED,
        "stream": committed.STREAM,
        "tolerance": TOLERANCE,
        "targets": {source: margins.targets()[source] for source in hits},
        "windows": {source: window(source) for source in hits},
        "examined": {source: found[-1][0] + 1 for source, found in hits.items()},
    }
    records = {
        committed.name_of(source, place): {
            "source": source,
            "candidate": number,
            **measured,
        }
        for source, found in hits.items()
        for place, (number, measured) in enumerate(found)
    }
    search.write_records(path, terms, records)
