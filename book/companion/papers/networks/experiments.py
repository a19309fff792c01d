"""The experiments of `companion.lab.experiments` on committed networks, given by name.

A stored experiment describes its source by plain data
(:func:`companion.papers.networks.source`).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from companion.lab.experiments import on_sources
from companion.papers.networks.committed import source as network_of


def correct_counts(
    rng: np.random.Generator, *, source: str | Mapping[str, object], **setting
) -> np.ndarray:
    """:func:`companion.lab.experiments.on_sources.correct_counts`, the network as plain data."""
    return on_sources.correct_counts(rng, source=network_of(source), **setting)


def decisions(
    rng: np.random.Generator, *, source: str | Mapping[str, object], **setting
) -> np.ndarray:
    """:func:`companion.lab.experiments.on_sources.decisions`, the network as plain data."""
    return on_sources.decisions(rng, source=network_of(source), **setting)


def decisions_over_grid(
    rng: np.random.Generator,
    *,
    sources: Sequence[str | Mapping[str, object]],
    **setting,
) -> np.ndarray:
    """:func:`companion.lab.experiments.on_sources.decisions_over_grid`, networks as plain data."""
    found = [network_of(source) for source in sources]
    return on_sources.decisions_over_grid(rng, sources=found, **setting)
