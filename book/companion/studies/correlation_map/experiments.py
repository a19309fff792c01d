"""One data set of the map: learners on the same splits, and on fresh test sets.

A learner or a population is one line of `LEARNERS` or `POPULATIONS`; the cells that get
it follow from :mod:`companion.studies.correlation_map.plans`.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import numpy as np
import sklearn
from sklearn import datasets as generators
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from companion.lab.experiments.on_datasets import _table
from companion.lab.experiments.splits import (
    size_of_test_set,
    stratified_folds,
    test_set,
)
from companion.lab.learners.kernels.bits import pack_masks
from companion.lab.learners.kernels.split_predictions import LEARNERS as OF_2004
from companion.lab.learners.scikit_learn import _OneHot
from companion.lab.sources.gaussian import TwoGaussians
from companion.studies.since_the_papers.experiments import PackedData, network_of

#: Learners, without their random state; all get standardised numbers.
LEARNERS: dict[str, Callable] = {
    "logistic": LogisticRegression,
    "ridge": RidgeClassifier,
    "linear SVM": LinearSVC,
    "radial SVM": SVC,
    "10 neighbours": partial(KNeighborsClassifier, 10),
    "1 neighbour": partial(KNeighborsClassifier, 1),
    "naive Bayes": GaussianNB,
    "tree": DecisionTreeClassifier,
    "pruned tree": partial(DecisionTreeClassifier, ccp_alpha=0.02),
    "stump": partial(DecisionTreeClassifier, max_depth=1),
    "forest": partial(RandomForestClassifier, 25),
    "boosting": partial(GradientBoostingClassifier, n_estimators=25, max_depth=2),
    "network": partial(MLPClassifier, (8,), solver="lbfgs", max_iter=40, alpha=0.01),
}
#: Learners of the papers of 2004, for binary attributes only, by place in `OF_2004`.
OURS = {
    "C4.5": OF_2004.index("c45"),
    "naive Bayes of 2004": OF_2004.index("naive_bayes"),
}

#: Rows of a generated population, so many that a sample is as good as from an infinite
#: one.
ROWS = 50_000

Data = tuple[np.ndarray, np.ndarray]


# ------------------------------------------------------------------ populations


@cache
def rows_of(name: str) -> Data:
    """Return all rows of a finite or a generated population: numbers and classes."""
    kind, *rest = name.split(".")
    if kind == "uci":
        table = _table(rest[0])
        nominal = table.attributes.cardinality > 0
        numbers = table.columns[~nominal].T
        numbers = np.where(np.isnan(numbers), np.nanmedian(numbers, axis=0), numbers)
        if nominal.any():
            indicators = _OneHot().fit_transform(table.columns[nominal].T)
            numbers = np.hstack([numbers, indicators])
        return numbers, table.labels
    if name in GENERATED:
        function, settings = GENERATED[name]
        X, y = getattr(generators, function)(n_samples=ROWS, random_state=0, **settings)
        is_regression = len(np.unique(y)) >= 20
        return X, y > np.median(y) if is_regression else y
    X, y = getattr(generators, f"load_{kind}")(return_X_y=True)
    return X, y >= 5 if rest == ["binary"] else y


def _from_rows(name: str, rng: np.random.Generator, instances: int) -> Data:
    X, y = rows_of(name)
    drawn = rng.choice(len(y), instances, replace=False)
    return X[drawn], y[drawn]


def _from_network(name: str, rng: np.random.Generator, instances: int) -> Data:
    labels, columns = network_of(name).sample(instances, rng)
    return columns.T.astype(float), labels


def _gaussians(
    name: str, rng: np.random.Generator, instances: int, *, features: int, mean: float
) -> Data:
    return TwoGaussians(cases=instances, features=features, mean=mean).sample(rng)


_classes = partial(dict, n_features=20, n_informative=5, n_redundant=5)
#: Populations that scikit-learn generates: the function and its settings.
GENERATED: dict[str, tuple[str, dict]] = {
    "classification": ("make_classification", _classes(class_sep=0.7)),
    "classification.noisy": ("make_classification", _classes(flip_y=0.3)),
    "classification.wide": (
        "make_classification",
        _classes(n_features=60, n_informative=10),
    ),
    "classification.rare": ("make_classification", _classes(weights=[0.8])),
    "classification.three": ("make_classification", _classes(n_classes=3)),
    "hastie": ("make_hastie_10_2", {}),
    "moons": ("make_moons", {"noise": 0.35}),
    "quantiles": ("make_gaussian_quantiles", {"n_features": 5, "n_classes": 2}),
    "friedman1": ("make_friedman1", {"noise": 2.0}),
}
#: Finite populations.
FINITE = (
    "digits.binary",
    "digits",
    "uci.credit-g",
    "uci.vowel",
    "uci.vehicle",
    "uci.diabetes",
)
NETWORKS = tuple(f"source{kind}.{place}" for kind in (1, 2, 3, 4) for place in (0, 1))
#: Ten attributes in two halves, copies of each other: each learner occurs on both.
TWINS = ("twins.0", "twins.3")

#: How data sets are drawn: from a name, a generator and their number of instances.
POPULATIONS: dict[str, Callable[[str, np.random.Generator, int], Data]] = {
    **dict.fromkeys(NETWORKS + TWINS, _from_network),
    "gaussians.10": partial(_gaussians, features=10, mean=0.3),
    "gaussians.100": partial(_gaussians, features=100, mean=0.15),
    **dict.fromkeys((*GENERATED, *FINITE), _from_rows),
}


# ------------------------------------------------------------------ one data set


def outcomes(
    rng: np.random.Generator,
    *,
    population: str,
    instances: int,
    learners: Sequence[str],
    runs: int,
    folds: int,
    test_percent: int = 0,
    fresh: int = 0,
) -> np.ndarray:
    """Count correct predictions of learners on the splits of one data set.

    Parameters
    ----------
    rng : Generator
    population : str
        A name in `POPULATIONS`.
    instances : int
        Size of the data set.
    learners : sequence of str
        Names in `LEARNERS` or `OURS`; on twins, each occurs for the first half of the
        attributes and, after all others, for the second.
    runs, folds : int
        Of stratified cross-validation.
    test_percent : int
        If above 0, runs are random splits with so large a test set, and folds must be
        1.
    fresh : int
        Size of two fresh test sets for the models of the first run.

    Returns
    -------
    ndarray of int, shape (runs, folds, learners), or (runs + 2, folds, learners) with fresh sets
        The last two are for the fresh test sets.

    Examples
    --------
    >>> counts = outcomes(np.random.default_rng(1), population="moons", instances=50,
    ...                   learners=["ridge", "stump"], runs=2, folds=5)
    >>> counts.shape, int(counts.max()) <= 10
    ((2, 5, 2), True)
    """
    draw = partial(POPULATIONS[population], population, rng)
    parts = [draw(instances)]
    if fresh:
        parts += [draw(fresh), draw(fresh)]
    X = np.concatenate([numbers for numbers, _ in parts])
    classes = np.concatenate([labels for _, labels in parts])
    y = np.unique(classes, return_inverse=True)[1]
    inside = np.stack(list(_test_sets(rng, y[:instances], runs, folds, test_percent)))
    test = np.zeros((len(inside), len(y)), dtype=bool)
    test[:, :instances] = inside
    train = np.hstack([~inside, test[:, instances:]])
    test[:folds, instances:] = True
    halves = np.split(X, 2, axis=1) if population in TWINS else [X]
    with (
        warnings.catch_warnings(),
        sklearn.config_context(assume_finite=True, skip_parameter_validation=True),
    ):
        warnings.simplefilter("ignore", ConvergenceWarning)
        of_halves = [_right(rng, part, y, learners, train, test) for part in halves]
    right = np.concatenate(of_halves, axis=1)
    counts = [right[..., :instances].sum(axis=-1).reshape(runs, folds, -1)]
    for begin in range(instances, len(y), fresh or len(y)):
        of_fresh_set = right[np.newaxis, :folds, :, begin : begin + fresh]
        counts.append(of_fresh_set.sum(axis=-1))
    return np.concatenate(counts)


def _test_sets(
    rng: np.random.Generator, y: np.ndarray, runs: int, folds: int, test_percent: int
) -> Iterator[np.ndarray]:
    if test_percent:
        size = size_of_test_set(len(y), test_percent / 100)
        yield from (test_set(y, size, rng, stratified=True) for _ in range(runs))
    else:
        for dealt in stratified_folds(y, folds, rng, runs=runs):
            yield from dealt == np.arange(folds)[:, np.newaxis]


def _right(
    rng: np.random.Generator,
    X: np.ndarray,
    y: np.ndarray,
    learners: Sequence[str],
    train: np.ndarray,
    test: np.ndarray,
) -> np.ndarray:
    """Return whether learners are right, (splits, learners, rows); False if not tested."""
    right = np.zeros((len(train), len(learners), len(y)), dtype=bool)
    ours = [i for i, name in enumerate(learners) if name in OURS]
    if ours:
        table = PackedData(y, X.T.astype(int), network_of(TWINS[0]))
        split = np.arange(len(train))
        predicted = table.predict(pack_masks(train), pack_masks(test), split)
        right[:, ours] = predicted[:, [OURS[learners[i]] for i in ours]] == y
    for split, (fitted, tested) in enumerate(zip(train, test)):
        centre = X[fitted].mean(axis=0)
        scale = X[fitted].std(axis=0)
        scaled = (X - centre) / np.where(scale > 0, scale, 1)
        for i, name in enumerate(learners):
            if i not in ours:
                predicted = _predict(
                    rng, name, scaled[fitted], y[fitted], scaled[tested]
                )
                right[split, i, tested] = predicted == y[tested]
    return right


def _predict(
    rng: np.random.Generator, name: str, X: np.ndarray, y: np.ndarray, new: np.ndarray
) -> np.ndarray:
    learner = LEARNERS[name]()
    seed = int(rng.integers(2**31))
    if (y == y[0]).all():
        return np.full(len(new), y[0])
    if hasattr(learner, "random_state"):
        learner.random_state = seed
    return learner.fit(X, y).predict(new)
