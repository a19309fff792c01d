"""The stored decisions on the networks at a level: what both tables of 2004 need."""

from collections.abc import Sequence

import numpy as np

from companion.lab.experiments import on_sources
from companion.papers import methods_of_2004
from companion.papers.levels import committed


def decisions(
    rng: np.random.Generator, *, network: str, designs: Sequence[str], **setting
) -> np.ndarray:
    """:func:`companion.lab.experiments.on_sources.decisions`, network and methods by name."""
    return on_sources.decisions(
        rng,
        source=committed.load(network),
        designs=[methods_of_2004.find(name) for name in designs],
        **setting,
    )
