"""The 27 UCI data sets of the two papers of 2004: stored experiments, and what tests make of them.

``book/results`` holds, for each data set and each way of splitting it, the numbers of correct test
predictions of 200 experiments: twenty times the ten of a published table.  A test turns the
differences between two learners into decisions, and ten decisions on a data set are one cell of a
table.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from replib import datasets, engine, experiments
from replib.significance import TestResult

#: Pairs of learners, A and B, by the names that the published cells have.
PAIRS = {"nb_c45": (0, 1), "nb_nn": (0, 2), "c45_nn": (1, 2)}

#: Experiments on each data set in a published table.
TABLE = 10

SEED = 2004

#: The stored experiments: the function of `replib.experiments` and its parameters.
SPLITS = {
    "uci_five_by_two_cv": ("cross_validation", {"runs": 5, "folds": 2}),
    "uci_cross_validation": ("cross_validation", {"runs": 10, "folds": 10}),
    "uci_resampling": ("resampling", {"runs": 100, "test_percent": 10, "stratified": False}),
    "uci_stratified_resampling": (
        "resampling", {"runs": 100, "test_percent": 10, "stratified": True},
    ),
}


def experiment(split: str, dataset: str) -> engine.Experiment:
    """The experiment that is stored for a data set and a way of splitting it.

    Parameters
    ----------
    split : str
        A name in `SPLITS`.
    dataset : str
        A name of :func:`replib.datasets.names`.

    Returns
    -------
    Experiment

    Examples
    --------
    >>> sorted(experiment("uci_five_by_two_cv", "iris").parameters.items())
    [('dataset', 'iris'), ('folds', 2), ('runs', 5)]
    """
    function, parameters = SPLITS[split]
    stream = (list(SPLITS).index(split), datasets.names().index(dataset))
    return engine.Experiment(
        f"replib.experiments:{function}", seed=SEED, stream=stream,
        parameters={"dataset": dataset, **parameters},
    )


def test_sizes(split: str, dataset: str) -> np.ndarray | int:
    """Sizes of the test sets of a stored experiment: one a fold, or one for all resamplings."""
    n = int(datasets.table().loc[dataset, "instances"])
    _, parameters = SPLITS[split]
    if "folds" in parameters:
        return experiments.fold_sizes(n, parameters["folds"])
    return experiments.size_of_test_set(n, parameters["test_percent"])


test_sizes.__test__ = False  # not a test, whatever pytest makes of its name


def differences(
    results: Mapping[str, engine.Replications], split: str, pair: str
) -> dict[str, np.ndarray]:
    """Accuracy differences of a pair of learners in every stored experiment.

    Parameters
    ----------
    results : mapping of str to Replications
        Stored results by data set, as :func:`replib.engine.load_results` reads them.
    split : str
        The name in `SPLITS` under which they are stored.
    pair : str
        A name in `PAIRS`.

    Returns
    -------
    dict of str to ndarray
        By data set: shape (experiments, runs, folds) for cross-validation, (experiments, runs) for
        resampling; accuracy of A minus accuracy of B, a fraction.
    """
    a, b = PAIRS[pair]
    return {
        name: (result.counts[..., a].astype(int) - result.counts[..., b]) / test_sizes(split, name)
        for name, result in results.items()
    }


def acceptances(
    samples: Mapping[str, np.ndarray], test: Callable[[np.ndarray], TestResult], alpha: float = 0.05
) -> pd.DataFrame:
    """How many of each ten experiments accept the null hypothesis.

    Parameters
    ----------
    samples : mapping of str to ndarray
        By data set, of shape (experiments, ...): what one test is made on.
    test : callable
        Takes an array of such samples and returns their `TestResult`.
    alpha : float

    Returns
    -------
    DataFrame of int
        One row a data set, one column a table of `TABLE` experiments, from 0.
    """
    counts = {
        name: (test(sample).pvalue >= alpha).reshape(-1, TABLE).sum(axis=1)
        for name, sample in samples.items()
    }
    return pd.DataFrame(counts).T
