"""How the differences are drawn on which ``replib bench`` measures tests."""

import numpy as np

from companion.lab.experiments import on_sources
from companion.papers import networks

SEED = 2025
#: Experiments on each data set, with other folds.
EXPERIMENTS = 2
#: Data sets of each network of source 1, and of each other network, by size.
DATASETS = {100: (60, 16), 300: (100, 20)}


def differences(source: str, instances: int, index: int) -> np.ndarray:
    """Count correct predictions of naive Bayes minus those of C4.5, on a network's data set.

    Shape (experiments, 10 runs, 10 folds).

    >>> differences("source1.0", 100, 0).shape
    (2, 10, 10)
    """
    key = (*networks.source_and_place(source), instances, index)
    counts = on_sources.correct_counts(
        np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=key)),
        source=networks.load(source),
        instances=instances,
        experiments=EXPERIMENTS,
        runs=10,
        folds=10,
    )
    return (counts[..., 0].astype(int) - counts[..., 1]).astype(np.int8)
