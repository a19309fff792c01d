"""The 27 UCI data sets of the two papers of 2004: stored experiments, and what tests make of them.

``book/results`` holds, for each data set and each way of splitting it, the numbers of correct test
predictions of many experiments, in tables of ten as the papers have them.  A test turns the
differences between two learners into decisions, and ten decisions on a data set are one cell of a
table.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import stats

from replib import datasets, replicability
from replib.experiments import engine
from replib.experiments.on_datasets import (
    LEARNERS,
    cross_validation,
    resampling,
)
from replib.experiments.splits import fold_sizes, size_of_test_set
from replib.learners.scikit_learn import ScikitLearner
from replib.significance import TestResult, corrected_resampled_t

#: Pairs of learners, A and B, by the names that the published cells have.
PAIRS = {"nb_c45": (0, 1), "nb_nn": (0, 2), "c45_nn": (1, 2)}

#: Experiments on each data set in a published table.
TABLE = 10

#: Experiments on each data set that are stored.
EXPERIMENTS = 20 * TABLE

SEED = 2004

#: The stored experiments: the function of `replib.experiments.on_datasets` and its parameters.
SPLITS = {
    "uci_five_by_two_cv": ("cross_validation", {"runs": 5, "folds": 2}),
    "uci_cross_validation": ("cross_validation", {"runs": 10, "folds": 10}),
    "uci_resampling": ("resampling", {"runs": 100, "test_percent": 10, "stratified": False}),
    "uci_stratified_resampling": (
        "resampling", {"runs": 100, "test_percent": 10, "stratified": True},
    ),
}


#: Which of several training instances that are equally near decide: all by a vote, as in Weka now,
#: or the first one, in a random order of the instances.
NEIGHBOURS = ("vote", "first")

#: The splits that are stored for the first neighbour too.
SPLITS_OF_THE_FIRST = ("uci_five_by_two_cv", "uci_cross_validation", "uci_resampling")


def experiment(split: str, dataset: str, *, neighbour: str = "vote") -> engine.Experiment:
    """The experiment that is stored for a data set and a way of splitting it.

    Parameters
    ----------
    split : str
        A name in `SPLITS`.
    dataset : str
        A name of :func:`replib.datasets.names`.
    neighbour : str
        One of `NEIGHBOURS`.  The experiment of the first neighbour has the same splits and this
        learner alone.

    Returns
    -------
    Experiment

    Examples
    --------
    >>> sorted(experiment("uci_five_by_two_cv", "iris").parameters.items())
    [('dataset', 'iris'), ('folds', 2), ('runs', 5)]
    """
    function, parameters = SPLITS[split]
    if neighbour == "first":
        parameters = {**parameters, "learners": ["first_neighbour"], "shuffled": True}
    stream = (list(SPLITS).index(split), datasets.names().index(dataset))
    return engine.Experiment(
        f"replib.experiments.on_datasets:{function}", seed=SEED, stream=stream,
        parameters={"dataset": dataset, **parameters},
    )


def with_first_neighbour(
    results: Mapping[str, engine.Replications], first: Mapping[str, engine.Replications]
) -> dict[str, engine.Replications]:
    """Stored experiments in which the nearest neighbour is the first of equally near ones.

    As many as there are of both; `first` has the counts of this learner alone, on the same splits.
    """
    size = {name: min(len(one.counts), len(first[name].counts)) for name, one in results.items()}
    return {
        name: replace(one, counts=np.concatenate(
            [one.counts[: size[name], ..., :2], first[name].counts[: size[name]]], axis=-1
        )) for name, one in results.items()
    }


@lru_cache
def _instances() -> dict[str, int]:
    return datasets.table()["instances"].to_dict()


def test_sizes(split: str, dataset: str) -> np.ndarray | int:
    """Sizes of the test sets of a stored experiment: one a fold, or one for all resamplings."""
    n = _instances()[dataset]
    _, parameters = SPLITS[split]
    if "folds" in parameters:
        return fold_sizes(n, parameters["folds"])
    return size_of_test_set(n, Fraction(parameters["test_percent"], 100))


test_sizes.__test__ = False  # not a test, whatever pytest makes of its name


def differences(
    results: Mapping[str, engine.Replications], split: str, pair: str
) -> dict[str, np.ndarray]:
    """Accuracy differences of a pair of learners in every stored experiment.

    Parameters
    ----------
    results : mapping of str to Replications
        Stored results by data set, as :func:`replib.papers.stored.load` reads them.
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


# ------------------------------------------------------------------ ours against theirs


def cells(accepted: pd.DataFrame) -> pd.DataFrame:
    """What the stored experiments expect a cell of a published table to be.

    A cell counts the acceptances of ten experiments that are drawn independently, so it is
    binomial.  Its probability is estimated from all x acceptances of our n experiments as
    (x + 1) / (n + 2): an event that n experiments did not show may still happen.

    Parameters
    ----------
    accepted : DataFrame
        As :func:`acceptances` returns it.

    Returns
    -------
    DataFrame
        Indexed by data set: `probability` that an experiment accepts; `rebuilt`, the mean count of
        ten; `standard_error` of this mean; `published_error`, the standard deviation of one count.

    Examples
    --------
    >>> cells(pd.DataFrame({0: [10, 4]}, index=["iris", "zoo"])).round(3).values.tolist()
    [[0.917, 9.167, 0.874, 0.874], [0.417, 4.167, 1.559, 1.559]]
    """
    tables = accepted.shape[1]
    p = (accepted.sum(axis=1) + 1) / (TABLE * tables + 2)
    deviation = np.sqrt(TABLE * p * (1 - p))
    return pd.DataFrame({
        "probability": p, "rebuilt": TABLE * p,
        "standard_error": deviation / np.sqrt(tables), "published_error": deviation,
    })


def summaries(accepted: pd.DataFrame) -> pd.DataFrame:
    """The three bottom rows of each table: :func:`replib.replicability.consistency` of its columns.

    Parameters
    ----------
    accepted : DataFrame
        As :func:`acceptances` returns it.

    Returns
    -------
    DataFrame
        One row a table, columns `consistent`, `almost_consistent` (data sets), `replicability_R`.

    Examples
    --------
    >>> summaries(pd.DataFrame({0: [10, 1], 1: [5, 0]})).round(3).values.tolist()
    [[1.0, 2.0, 0.9], [1.0, 1.0, 0.722]]
    """
    found = [replicability.consistency(counts, TABLE) for _, counts in accepted.items()]
    return pd.DataFrame({
        "consistent": [float(one.consistent) for one in found],
        "almost_consistent": [float(one.almost_consistent) for one in found],
        "replicability_R": [one.replicability for one in found],
    }, index=accepted.columns)


def expected_summaries(probability: pd.Series) -> pd.DataFrame:
    """Exact mean and standard deviation of the bottom rows of a table of independent binomials.

    Parameters
    ----------
    probability : Series
        By data set, that an experiment accepts.

    Returns
    -------
    DataFrame
        Indexed by measure, columns `mean` and `deviation`.

    Examples
    --------
    >>> expected_summaries(pd.Series([0.0, 1.0])).values.tolist()
    [[2.0, 0.0], [2.0, 0.0], [1.0, 0.0]]
    """
    count = np.arange(TABLE + 1)
    weight = stats.binom.pmf(count, TABLE, np.asarray(probability)[:, None])
    differing = np.minimum(count, TABLE - count)
    values = {
        "consistent": differing == 0,
        "almost_consistent": differing <= 1,
        "replicability_R": replicability.r2_from_counts(count, TABLE) / len(weight),
    }
    rows = {}
    for measure, value in values.items():
        mean = weight @ value
        variance = np.maximum(weight @ (value * value) - mean**2, 0)
        rows[measure] = (mean.sum(), np.sqrt(variance.sum()))
    return pd.DataFrame(rows, index=["mean", "deviation"]).T


def judged_summaries(accepted: pd.DataFrame) -> pd.DataFrame:
    """What the stored experiments expect the bottom rows of a published table to be.

    Parameters
    ----------
    accepted : DataFrame
        As :func:`acceptances` returns it.

    Returns
    -------
    DataFrame
        Indexed by measure: `rebuilt`, the mean over our tables; `standard_error` of this mean;
        `published_error`, the standard deviation of one table, whose cells are independent binomials
        with our frequencies.
    """
    ours = summaries(accepted)
    # the deviation between a few tables of whole counts would be too rough, and often zero
    deviation = expected_summaries(accepted.mean(axis=1) / TABLE)["deviation"]
    return pd.DataFrame({
        "rebuilt": ours.mean(), "standard_error": deviation / np.sqrt(len(ours)),
        "published_error": deviation,
    })


def simulated_tables(
    accepted: pd.DataFrame, tables: int = 1000, *, seed: int = SEED
) -> pd.DataFrame:
    """Tables that could have been: ten new binomial draws in every cell.

    Parameters
    ----------
    accepted : DataFrame
        As :func:`acceptances` returns it; its frequencies are the probabilities.
    tables : int
        From 1.
    seed : int

    Returns
    -------
    DataFrame of int
        As :func:`acceptances`.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    p = accepted.mean(axis=1).to_numpy() / TABLE
    drawn = rng.binomial(TABLE, p[:, None], (len(p), tables))
    return pd.DataFrame(drawn, index=accepted.index)


def chance_of_disagreement(
    judged: pd.DataFrame, possible: pd.DataFrame, *, max_z: float, half_a_digit: float | pd.Series
) -> pd.Series:
    """How often tables that could have been disagree with what we expect.

    Parameters
    ----------
    judged : DataFrame
        Of :func:`cells` or :func:`judged_summaries`.
    possible : DataFrame
        One row for each of `judged`, one column a table.
    max_z : float
        Largest distance in joint standard errors that counts as agreement.
    half_a_digit : float or Series
        Half a unit of the last digit printed, which is granted first.

    Returns
    -------
    Series
        Indexed as `judged`: a share of the tables.
    """
    distance = possible.sub(judged["rebuilt"], axis=0).abs().sub(half_a_digit, axis=0)
    allowed = max_z * np.hypot(judged["standard_error"], judged["published_error"])
    return distance.gt(allowed, axis=0).mean(axis=1)


# ------------------------------------------------------------------ a learner of the reader's


def fourth_learner(
    classifier: str, dataset_names: Sequence[str], *, experiments: int = TABLE, runs: int = 10,
    folds: int = 10, alpha: float = 0.05, seed: int = SEED,
) -> pd.DataFrame:
    """The three learners and one more on the same repeated cross-validations.

    With ten runs, ten folds and the seed `SEED` the splits are those of the stored experiments.
    Pairs are compared by the corrected repeated k-fold test.

    Parameters
    ----------
    classifier : str
        The class name of a scikit-learn classifier,
        :class:`replib.learners.scikit_learn.ScikitLearner`.
    dataset_names : sequence of str
        Names of :func:`replib.datasets.names`.
    experiments : int
        Experiments on each data set.
    runs, folds : int
        Of the cross-validation of one experiment.
    alpha : float
        Significance level.
    seed : int

    Returns
    -------
    DataFrame
        Indexed by data set: mean accuracy of each learner in percent, under the learner's name;
        and under ``"fourth vs <learner>"`` how many experiments accept that the two are equal.

    Raises
    ------
    ValueError
        If there is no such classifier or data set.
    DataUnavailable
        If a data set is not here.
    """
    _check_names(dataset_names)
    learners = [*LEARNERS, ScikitLearner(classifier)]
    stream = list(SPLITS).index("uci_cross_validation")
    rows = {}
    for name in dataset_names:
        place = datasets.names().index(name)
        counts = np.stack([
            cross_validation(
                np.random.default_rng(
                    np.random.SeedSequence(seed, spawn_key=(stream, place, experiment))
                ),
                dataset=name, runs=runs, folds=folds, learners=learners,
            ) for experiment in range(experiments)
        ])
        accuracy = counts / fold_sizes(_instances()[name], folds)[:, None]
        row = dict(zip([*LEARNERS, classifier], 100 * accuracy.mean(axis=(0, 1, 2))))
        for other, learner in enumerate(LEARNERS):
            row[f"fourth vs {learner}"] = _accepted(
                accuracy[..., -1] - accuracy[..., other], 1 / (folds - 1), alpha, axis=(-2, -1)
            )
        rows[name] = row
    return pd.DataFrame(rows).T


# ------------------------------------------------------------------ another share of test data


def acceptances_by_test_fraction(
    pair: str, dataset_names: Sequence[str], test_percents: Sequence[int], *,
    experiments: int = TABLE, runs: int = 100, alpha: float = 0.05, seed: int = SEED,
) -> pd.DataFrame:
    """How many experiments accept by the corrected resampled t test, by the share of test data.

    At 10 percent, with a hundred runs and the seed `SEED`, the splits are those of the stored
    experiments.

    Parameters
    ----------
    pair : str
        A name in `PAIRS`.
    dataset_names : sequence of str
        Names of :func:`replib.datasets.names`.
    test_percents : sequence of int
        Shares of test instances, 1 to 99.
    experiments : int
        Experiments on each data set.
    runs : int
        Random splits in one experiment, without stratification.
    alpha : float
        Significance level.
    seed : int

    Returns
    -------
    DataFrame of int
        Indexed by data set, one column a share.

    Raises
    ------
    ValueError
        If there is no such data set, or a share is not 1 to 99.
    DataUnavailable
        If a data set is not here.
    """
    _check_names(dataset_names)
    if not all(1 <= percent <= 99 for percent in test_percents):
        raise ValueError(f"shares of test data must be 1 to 99 percent, not {test_percents}")
    a, b = PAIRS[pair]
    stream = list(SPLITS).index("uci_resampling")
    accepted = {percent: {} for percent in test_percents}
    for name in dataset_names:
        place = datasets.names().index(name)
        for percent in test_percents:
            counts = np.stack([
                resampling(
                    np.random.default_rng(
                        np.random.SeedSequence(seed, spawn_key=(stream, place, experiment))
                    ),
                    dataset=name, runs=runs, test_percent=percent, stratified=False,
                ) for experiment in range(experiments)
            ])
            differences = (counts[..., a] - counts[..., b]) / size_of_test_set(
                _instances()[name], Fraction(percent, 100)
            )
            accepted[percent][name] = _accepted(
                differences, percent / (100 - percent), alpha, axis=-1
            )
    return pd.DataFrame(accepted)


def _accepted(
    differences: np.ndarray, test_train_ratio: float, alpha: float, *, axis: int | tuple[int, ...]
) -> int:
    """How many experiments accept by a corrected t test."""
    with warnings.catch_warnings():
        # equal differences in all folds have no variance; then p is 1 or 0, as it should
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        result = corrected_resampled_t(
            differences, test_train_ratio=test_train_ratio, axis=axis
        )
    return int((result.pvalue >= alpha).sum())


def _check_names(dataset_names: Sequence[str]) -> None:
    unknown = sorted(set(dataset_names) - set(datasets.names()))
    if unknown:
        raise ValueError(
            f"there is no data set {unknown[0]!r}; there are {', '.join(datasets.names())}"
        )
