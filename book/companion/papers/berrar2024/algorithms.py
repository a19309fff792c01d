"""The four algorithms of Berrar (2024), each as one replication of an experiment for the runner.

They return only numbers of correct predictions, so that every reading of a tie, a
statistic or a test can be applied to stored results.  A learner is a scikit-learn
classifier, given as ``["module:class", {parameter: value}]``; the first of two is A.
Data are drawn before anything else, so other learners are given the same data sets.
"""

from collections.abc import Sequence
from functools import lru_cache
from pkgutil import resolve_name

import numpy as np

from companion.lab.sources.gaussian import TwoGaussians

Learner = Sequence  # ["module:class", {parameter: value}]
Data = tuple[np.ndarray, np.ndarray]

NAIVE_BAYES = ["companion.lab.learners:GaussianNaiveBayes", {}]
SVM = ["companion.lab.learners:RadialSVC", {}]


def forest(trees: int) -> Learner:
    """The random forest of study #4; the paper does not say how many trees it has."""
    return ["companion.lab.learners:RandomForest", {"n_trees": trees}]


def sources(start: int, datasets: int) -> list[TwoGaussians]:
    """The sources of the data sets of one experiment (Algorithm 2, lines 12 to 15)."""
    return [
        TwoGaussians(
            cases=start + 10 * i,
            features=10 + i,
            mean=0.3 + (datasets + 1 - i) / 200,
            sd=1 + (datasets + 1 - i) / 50,
        )
        for i in range(1, datasets + 1)
    ]


def algorithm_2(
    rng: np.random.Generator, *, start: int, datasets: int, learners: Sequence[Learner]
) -> np.ndarray:
    """Run one experiment over many data sets: correct predictions, shape (datasets, learners)."""
    return np.array(
        [
            [_correct(learner, rng, train, test) for learner in learners]
            for train, test in _pairs(rng, start, datasets)
        ]
    )


def algorithm_1(
    rng: np.random.Generator,
    *,
    start: int,
    datasets: int,
    learners: Sequence[Learner],
    seed: int,
    key: Sequence[int],
) -> np.ndarray:
    """Draw a bootstrap sample of all pairs of the experiment with this seed and spawn key."""
    return np.array(
        [
            [_correct(learner, rng, train, test) for learner in learners]
            for pair in _pairs_of(seed, tuple(key), start, datasets)
            for train, test in [[_resampled(part, rng) for part in pair]]
        ]
    )


def algorithm_3(
    rng: np.random.Generator,
    *,
    cases: int,
    features: int,
    mean: float,
    folds: int,
    percents: Sequence[int],
    learner: Learner,
) -> np.ndarray:
    """Run one cross-validation with an oracle: shape (folds, 1 + percents).

    The first column counts the correct predictions; the others count how many more are
    correct when the oracle reveals that percentage of a validation set.  The cases to
    reveal are drawn independently for each percentage; the number of wrong ones among
    them is hypergeometric.
    """
    data = TwoGaussians(cases, features, mean).sample(rng)
    fold = _stratified(data[1], folds, rng)
    correct = _correct_of_folds(learner, rng, data, fold)
    wrong, revealed = (
        np.bincount(fold) - correct,
        np.outer(np.bincount(fold), percents) // 100,
    )
    gains = rng.hypergeometric(wrong[:, None], correct[:, None], revealed)
    return np.column_stack((correct, gains))


def algorithm_4(
    rng: np.random.Generator,
    *,
    cases: int,
    features: int,
    mean: float,
    folds: int,
    learners: Sequence[Learner],
) -> np.ndarray:
    """Cross-validate several learners once: correct predictions, shape (folds, learners)."""
    data = TwoGaussians(cases, features, mean).sample(rng)
    fold = _stratified(data[1], folds, rng)
    return np.column_stack(
        [_correct_of_folds(learner, rng, data, fold) for learner in learners]
    )


def _learner(learner: Learner, rng: np.random.Generator) -> object:
    name, parameters = learner
    try:
        model = resolve_name(name)(**parameters)
    except (ValueError, ImportError, AttributeError):
        raise ValueError(
            f"a learner is a class, such as 'companion.lab.learners:RadialSVC', not {name!r}"
        ) from None
    if hasattr(model, "random_state"):
        model.random_state = int(rng.integers(2**31))
    return model


def _correct(
    learner: Learner, rng: np.random.Generator, train: Data, test: Data
) -> int:
    model = _learner(learner, rng)
    if hasattr(model, "count_correct"):  # the same number, without checking the input
        return model.count_correct(*train, *test)
    return int((model.fit(*train).predict(test[0]) == test[1]).sum())


def _correct_of_folds(
    learner: Learner, rng: np.random.Generator, data: Data, fold: np.ndarray
) -> np.ndarray:
    model, (x, y) = _learner(learner, rng), data
    if hasattr(model, "count_correct_of_folds"):
        return model.count_correct_of_folds(x, y, fold)
    return np.array(
        [
            (model.fit(x[~test], y[~test]).predict(x[test]) == y[test]).sum()
            for test in (fold == k for k in range(fold.max() + 1))
        ]
    )


def _pairs(
    rng: np.random.Generator, start: int, datasets: int
) -> list[tuple[Data, Data]]:
    """The training and test set of each data set."""
    return [
        (source.sample(rng), source.sample(rng)) for source in sources(start, datasets)
    ]


@lru_cache(maxsize=1)
def _pairs_of(
    seed: int, key: tuple[int, ...], start: int, datasets: int
) -> list[tuple[Data, Data]]:
    """The pairs of one replication, cached because its bootstrap samples follow one another."""
    sequence = np.random.SeedSequence(seed, spawn_key=key)
    return _pairs(np.random.default_rng(sequence), start, datasets)


def _resampled(data: Data, rng: np.random.Generator) -> Data:
    rows = rng.integers(len(data[1]), size=len(data[1]))
    return data[0][rows], data[1][rows]


def _stratified(y: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """The fold of each case: the cases of a class are dealt out evenly, in random order."""
    fold = np.empty(len(y), dtype=int)
    for label in np.unique(y):
        members = np.flatnonzero(y == label)
        fold[members] = rng.permutation(np.arange(len(members)) % folds)
    return fold
