"""Many splits of one table: what fitting and scoring one by one gives."""

import numpy as np

from companion.lab.learners import (
    C45,
    LEARNERS,
    NearestNeighbour,
    Table,
    correct_counts,
    correct_counts_of_splits,
)


def test_counts_are_those_of_fitting_and_scoring_fold_by_fold(data):
    X, y = data("lymph")
    rng = np.random.default_rng(1)
    folds = np.stack([rng.permutation(len(y)) % 5 for _ in range(2)])
    counts = correct_counts(Table.from_frame(X, y), folds)
    assert counts.shape == (2, 5, 3)
    for run, f, k in np.ndindex(counts.shape):
        test = folds[run] == f
        learner = [*LEARNERS.values()][k]().fit(X[~test], y[~test])
        assert counts[run, f, k] == round(learner.score(X[test], y[test]) * test.sum())


def test_each_split_trains_on_what_it_does_not_test_on(data):
    X, y = data("iris")
    table = Table.from_frame(X, y)
    rng = np.random.default_rng(2)
    test = rng.random((3, 2, 150)) < 0.2
    train = ~test
    learners = [C45(prune=False), "nearest_neighbour"]
    counts = correct_counts_of_splits(table, test, learners=learners)
    assert counts.shape == (3, 2, 2)
    for split in np.ndindex(3, 2):
        for k, learner in enumerate([C45(prune=False), NearestNeighbour()]):
            learner.fit(X[train[split]], y[train[split]])
            assert (
                counts[*split, k]
                == (learner.predict(X[test[split]]) == y[test[split]]).sum()
            )


def test_training_may_miss_classes_or_columns(data):
    """Legitimate in a resampling, though refused of a user: one class, a column without values."""
    X, y = data("iris")
    X = X.assign(rare=np.where(np.arange(150) == 0, 1.0, np.nan))
    train = np.arange(150) // 25 == 1  # setosa only, no value of `rare`
    counts = correct_counts_of_splits(Table.from_frame(X, y), ~train)
    assert counts.tolist() == [25, 25, 25]
