"""The networks of the printed margins whose levels lie around those in question.

A network is committed as the number of a candidate and the strength to which it was
weakened; its tables follow from these.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab.sources.bayesian_network import BayesianNetwork
from companion.papers.networks import weakened

#: Written by :func:`companion.papers.levels.search.write_networks`.
FILE = Path(__file__).with_name("networks.json")

#: Seed of the candidates, and a number that keeps them apart from those of other
#: searches with this seed.
SEED, STREAM = 2004, 54


def names(source: int | None = None) -> list[str]:
    """List the names of the networks, ``"source2.at_level.0"`` and so on.

    Parameters
    ----------
    source : int, optional
        Only those of this source of the papers, 2 to 4.

    Examples
    --------
    >>> names(3)[:2]
    ['source3.at_level.0', 'source3.at_level.1']
    """
    return [
        name
        for name, record in _records().items()
        if source in (None, record["source"])
    ]


def name_of(source: int, place: int) -> str:
    """Name a network by its source and its place among the networks of that source.

    >>> name_of(2, 7)
    'source2.at_level.7'
    """
    return f"source{source}.at_level.{place}"


def source_and_place(name: str) -> tuple[int, int]:
    """Return the two numbers in the name of a network.

    >>> source_and_place("source2.at_level.7")
    (2, 7)
    """
    source, _, place = name.removeprefix("source").split(".")
    return int(source), int(place)


def candidate_stream(source: int, number: int, *key: int) -> np.random.Generator:
    """Return the random numbers of a candidate, or with a `key` others that belong to it."""
    spawn_key = (STREAM, source, number, *key)
    return np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=spawn_key))


def whole_candidate(source: int, number: int) -> BayesianNetwork:
    """Draw a candidate of the search, before it is weakened."""
    return weakened.drawn(candidate_stream(source, number))


@cache
def load(name: str) -> BayesianNetwork:
    """Load a network.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Raises
    ------
    ValueError
        If there is no network of that name.

    Examples
    --------
    >>> load("source4.at_level.0").n_classes
    2
    """
    if name not in _records():
        raise ValueError(
            f"there is no network {name!r}; there are {', '.join(_records())}"
        )
    record = _records()[name]
    whole = whole_candidate(record["source"], record["candidate"])
    return weakened.weakened(whole, record["strength"])


def table() -> pd.DataFrame:
    """Tabulate what is known about the networks.

    Returns
    -------
    DataFrame
        Indexed by `network`: `source`; `candidate`, its number in the search;
        `strength`, to which it was weakened; and, in percent after training on 300
        instances: `margin`, `naive_bayes` (the level) and `c45`, each with its standard
        error over `training_sets` samples, and `disagreement`, the share of instances
        on which exactly one of the two is right.
    """
    return pd.DataFrame.from_dict(_records(), orient="index").rename_axis("network")


def search_terms() -> dict[str, object]:
    """Return the terms of the search.

    Returns
    -------
    dict
        `seed`, `tolerance` of the margin in percent, and by source, as text: `targets`,
        the margins; `windows`, the levels sought; and `examined`, the number of
        candidates up to the last accepted one.
    """
    return _contents()["search"]


@cache
def _contents() -> dict[str, dict]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def _records() -> dict[str, dict]:
    return _contents()["networks"]
