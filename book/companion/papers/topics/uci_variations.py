"""Experiments on the UCI data sets with the reader's own learner, or another share of test data."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from companion.lab import datasets
from companion.lab.experiments.on_datasets import LEARNERS, cross_validation, resampling
from companion.lab.experiments.splits import fold_sizes, size_of_test_set
from companion.lab.learners.scikit_learn import ScikitLearner
from companion.papers import uci
from companion.papers.bouckaert_frank2004.section_3 import quiet
from replib.significance import corrected_resampled_t


def fourth_learner(
    classifier: str, dataset_names: Sequence[str], *, experiments: int = uci.TABLE, runs: int = 10,
    folds: int = 10, alpha: float = 0.05, seed: int = uci.SEED,
) -> pd.DataFrame:
    """Run the three learners and a classifier of scikit-learn on the same cross-validations.

    With ten runs, ten folds and the seed of `uci`, the splits are those of the stored experiments.
    Indexed by data set: mean accuracy of each learner in percent, under its name; and under
    ``"fourth vs <learner>"``, how many experiments accept by the corrected repeated k-fold test.
    """
    learners = [*LEARNERS, ScikitLearner(classifier)]
    rows = {}
    for name in dataset_names:
        counts = np.stack([
            cross_validation(rng, dataset=name, runs=runs, folds=folds, learners=learners)
            for rng in _streams("uci_cross_validation", name, experiments, seed)
        ])
        accuracy = counts / fold_sizes(uci.instances()[name], folds)[:, None]
        row = dict(zip([*LEARNERS, classifier], 100 * accuracy.mean(axis=(0, 1, 2))))
        for other, learner in enumerate(LEARNERS):
            row[f"fourth vs {learner}"] = _accepted(
                accuracy[..., -1] - accuracy[..., other], 1 / (folds - 1), alpha, axis=(-2, -1)
            )
        rows[name] = row
    return pd.DataFrame(rows).T


def acceptances_by_test_fraction(
    pair: str, dataset_names: Sequence[str], test_percents: Sequence[int], *,
    experiments: int = uci.TABLE, runs: int = 100, alpha: float = 0.05, seed: int = uci.SEED,
) -> pd.DataFrame:
    """Count acceptances by the corrected resampled t test, by share of test data.

    Indexed by data set, one column per share, 1 to 99 percent.  At 10 percent, with 100 runs and
    the seed of `uci`, the splits are those of the stored experiments.
    """
    a, b = uci.PAIRS[pair]
    accepted = {percent: {} for percent in test_percents}
    for name in dataset_names:
        for percent in test_percents:
            counts = np.stack([
                resampling(rng, dataset=name, runs=runs, test_percent=percent, stratified=False)
                for rng in _streams("uci_resampling", name, experiments, seed)
            ])
            size = size_of_test_set(uci.instances()[name], Fraction(percent, 100))
            accepted[percent][name] = _accepted(
                (counts[..., a] - counts[..., b]) / size, percent / (100 - percent), alpha, axis=-1
            )
    return pd.DataFrame(accepted)


def _streams(split: str, name: str, experiments: int, seed: int) -> list[np.random.Generator]:
    """The random streams of the stored experiments on a data set."""
    key = (list(uci.SPLITS).index(split), datasets.names().index(name))
    return [
        np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*key, experiment)))
        for experiment in range(experiments)
    ]


def _accepted(
    differences: np.ndarray, test_train_ratio: float, alpha: float, *, axis: int | tuple[int, ...]
) -> int:
    test = quiet(corrected_resampled_t, test_train_ratio=test_train_ratio, axis=axis)
    return int((test(differences).pvalue >= alpha).sum())
