"""The networks that replace those of the papers, which are unpublished."""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import pandas as pd

from companion.lab.sources.bayesian_network import BayesianNetwork
from companion.lab.sources.random_networks import random_network

#: Written by :func:`companion.papers.networks.search.write_networks`.
FILE = Path(__file__).with_name("networks.json")


def names(source: int | None = None) -> list[str]:
    """List the names of the committed networks, ``"source1.0"`` to ``"source4.9"``.

    Parameters
    ----------
    source : int, optional
        Only those of this source of the papers, 1 to 4.

    Examples
    --------
    >>> names(2)[:3], len(names())
    (['source2.0', 'source2.1', 'source2.2'], 40)
    """
    return [
        name
        for name, record in _records().items()
        if source in (None, record["source"])
    ]


def name_of(source: int, place: int) -> str:
    """Name a network by its source and its place among the networks of that source.

    >>> name_of(2, 7)
    'source2.7'
    """
    return f"source{source}.{place}"


def source_and_place(name: str) -> tuple[int, int]:
    """Return the two numbers in the name of a network.

    >>> source_and_place("source2.7")
    (2, 7)
    """
    source, place = name.removeprefix("source").split(".")
    return int(source), int(place)


def load(name: str) -> BayesianNetwork:
    """Load a committed network.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Raises
    ------
    ValueError
        If no committed network has that name.

    Examples
    --------
    >>> load("source1.0").arrows()
    []
    """
    if name not in _records():
        raise ValueError(
            f"there is no network {name!r}; there are {', '.join(_records())}"
        )
    return _loaded(name)


def source(spec: str | Mapping[str, object]) -> BayesianNetwork:
    """Make a network from plain data, such as a parameter of an experiment.

    Parameters
    ----------
    spec : str or mapping
        The name of a committed network, or arguments of
        :func:`companion.lab.sources.random_network`. Or ``"network"``, the name of a committed
        network, and other ``class_probabilities`` for it.

    Raises
    ------
    ValueError
        If there is no such network, or an argument is out of range.

    Examples
    --------
    >>> source({"seed": 3, "attributes": 4, "cardinality": 3, "arrows": 2}).cardinality
    (2, 3, 3, 3, 3)
    >>> source({"network": "source2.0", "class_probabilities": [0.1, 0.9]}).class_probabilities
    array([0.1, 0.9])
    """
    if isinstance(spec, str):
        return load(spec)
    return _made(json.dumps(spec, sort_keys=True))


@lru_cache(maxsize=64)
def _made(text: str) -> BayesianNetwork:
    spec = json.loads(text)
    if "network" not in spec:
        return random_network(**spec)
    return load(spec["network"]).with_class_probabilities(spec["class_probabilities"])


def table() -> pd.DataFrame:
    """Tabulate what is known about the committed networks.

    Returns
    -------
    DataFrame
        Indexed by name.  `source`; `candidate`, its number in the search
        (:func:`companion.papers.networks.search.find_networks`); `arrows` between
        attributes; and, in percent after training on 300 instances: `margin`, the mean
        expected accuracy of C4.5 minus that of naive Bayes; the two accuracies, `c45`
        and `naive_bayes`, each with its standard error (`margin_error`, ...) over
        `training_sets` samples; and `bayes`, the largest possible accuracy.

    Examples
    --------
    >>> table().loc[names(1), "margin"].tolist() == [0.0] * 10
    True
    """
    frame = pd.DataFrame.from_dict(_records(), orient="index")
    frame["arrows"] = [len(load(name).arrows()) for name in frame.index]
    frame["bayes"] = [100 * load(name).bayes_accuracy for name in frame.index]
    columns = [
        "source",
        "candidate",
        "arrows",
        "margin",
        "margin_error",
        "naive_bayes",
        "naive_bayes_error",
        "c45",
        "c45_error",
        "bayes",
        "training_sets",
    ]
    return frame[columns].rename_axis("network")


def search_terms() -> dict[str, object]:
    """Return the terms of the search for the committed networks.

    Returns
    -------
    dict
        `seed`; `tolerance` in percent; and by source, as text: `targets`, the margins
        sought in percent, `priors`, the arguments of
        :func:`companion.lab.sources.random_network`, and `examined`, the number of
        candidates up to the tenth accepted one.
    """
    return json.loads(FILE.read_text(encoding="utf-8"))["search"]


@cache
def _records() -> dict[str, dict]:
    return json.loads(FILE.read_text(encoding="utf-8"))["networks"]


@cache
def _loaded(name: str) -> BayesianNetwork:
    return BayesianNetwork.from_dict(_records()[name])
