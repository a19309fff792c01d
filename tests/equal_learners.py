"""Classifiers whose expected accuracy is known to be equal, or to differ by how much they see."""

import numpy as np


def accuracies(rng, shifts, *, n=100, runs=10, folds=10):
    """Repeated cross-validation of nearest-mean classifiers on new data.

    Each sees two normal features of its own, whose means differ by a shift between the
    classes. Equal shifts make the classifiers exchangeable, so their expected
    accuracies are equal.

    Parameters
    ----------
    rng : numpy.random.Generator
    shifts : sequence of float
        One for each classifier, in standard deviations.
    n, runs, folds : int

    Returns
    -------
    ndarray, shape (classifiers, runs, folds)
    """
    k, y = len(shifts), np.arange(n) % 2
    centre = np.asarray(shifts)[:, None] / 2
    x = rng.normal(size=(n, k, 2)) + np.where(y == 1, 1, -1)[:, None, None] * centre
    fold = rng.permuted(np.tile(np.arange(n) % folds, (runs, 1)), axis=1)
    tested = (fold[:, None, :] == np.arange(folds)[:, None]).astype(float)

    def training_means(label):
        mine = tested * (y == label)
        total = (y == label) @ x.reshape(n, -1) - mine @ x.reshape(n, -1)
        return (total / (n / 2 - mine.sum(axis=-1))[..., None]).reshape(
            runs, folds, k, 2
        )

    zero, one = training_means(0), training_means(1)
    places = np.arange(runs)[:, None], fold
    towards, middle = (one - zero)[places], ((zero + one) / 2)[places]
    right = (((x - middle) * towards).sum(axis=-1) > 0) == (y == 1)[:, None]
    return np.einsum("rfn,rnk->krf", tested, right) / tested.sum(axis=-1)


def blocks_of_one_dataset(n, gamma, rng, runs=10, folds=10):
    """Experiments on one data set: fold effects that all share, and noise of runs and folds."""
    of_folds = rng.normal(0, 0.04, folds)
    noise = rng.normal(0, 0.02, (n, runs, folds)) + rng.normal(0, 0.005, (n, runs, 1))
    shuffled = rng.permuted(
        np.broadcast_to(of_folds - of_folds.mean(), (n, runs, folds)), axis=-1
    )
    return gamma + shuffled + noise
