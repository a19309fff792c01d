"""The stored decisions of sweeps on the networks at a level."""

from collections.abc import Mapping, Sequence

import numpy as np

from companion.lab.experiments import on_sources
from companion.lab.sources.bayesian_network import BayesianNetwork
from companion.papers import methods_of_2004
from companion.papers.levels import committed


def network_of(spec: str | Mapping[str, object]) -> BayesianNetwork:
    """Make a network from plain data.

    Parameters
    ----------
    spec : str or mapping
        The name of a network at a level; or ``"network"``, such a name, and other
        ``"class_probabilities"`` for it.

    Examples
    --------
    >>> spec = {"network": "source2.at_level.0", "class_probabilities": [0.1, 0.9]}
    >>> network_of(spec).class_probabilities
    array([0.1, 0.9])
    """
    if isinstance(spec, str):
        return committed.load(spec)
    network = committed.load(spec["network"])
    return network.with_class_probabilities(spec["class_probabilities"])


def decisions_over_grid(
    rng: np.random.Generator,
    *,
    sources: Sequence[str | Mapping[str, object]],
    designs: Sequence[str],
    **setting,
) -> np.ndarray:
    """:func:`companion.lab.experiments.on_sources.decisions_over_grid`, all by name."""
    return on_sources.decisions_over_grid(
        rng,
        sources=[network_of(source) for source in sources],
        designs=[methods_of_2004.find(name) for name in designs],
        **setting,
    )
