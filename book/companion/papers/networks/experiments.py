"""The experiments of `companion.lab.experiments` on committed networks, given by name.

A stored experiment describes its source by plain data
(:func:`companion.papers.networks.source`), and its methods by their names.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from companion.lab.experiments import on_sources
from companion.papers import methods_of_2004
from companion.papers.networks.committed import source as network_of


def correct_counts(
    rng: np.random.Generator, *, source: str | Mapping[str, object], **setting
) -> np.ndarray:
    """:func:`companion.lab.experiments.on_sources.correct_counts`, the network as plain data."""
    return on_sources.correct_counts(rng, source=network_of(source), **setting)


def decisions(
    rng: np.random.Generator,
    *,
    source: str | Mapping[str, object],
    designs: Sequence[str],
    **setting,
) -> np.ndarray:
    """:func:`companion.lab.experiments.on_sources.decisions`, network and methods by name."""
    return on_sources.decisions(
        rng,
        source=network_of(source),
        designs=[methods_of_2004.find(name) for name in designs],
        **setting,
    )


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
