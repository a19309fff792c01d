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
    n_classifiers = len(shifts)
    y = np.arange(n) % 2
    centre = np.asarray(shifts)[:, None] / 2
    sign = np.where(y == 1, 1, -1)[:, None, None]
    x = rng.normal(size=(n, n_classifiers, 2)) + sign * centre
    features = x.reshape(n, -1)
    fold = rng.permuted(np.tile(np.arange(n) % folds, (runs, 1)), axis=1)
    # axes: run, fold, instance
    is_tested = (fold[:, None, :] == np.arange(folds)[:, None]).astype(float)

    def training_means(label):
        is_class = y == label
        is_tested_class = is_tested * is_class
        total = is_class @ features - is_tested_class @ features
        n_training = n / 2 - is_tested_class.sum(axis=-1)
        means = total / n_training[..., None]
        return means.reshape(runs, folds, n_classifiers, 2)

    mean_of_zero = training_means(0)
    mean_of_one = training_means(1)
    # in each run an instance is judged by the means that were learnt without its fold
    model = np.arange(runs)[:, None], fold
    direction = (mean_of_one - mean_of_zero)[model]
    middle = ((mean_of_zero + mean_of_one) / 2)[model]
    score = ((x - middle) * direction).sum(axis=-1)
    is_right = (score > 0) == (y == 1)[:, None]
    return np.einsum("rfn,rnk->krf", is_tested, is_right) / is_tested.sum(axis=-1)


def blocks_of_one_dataset(n, gamma, rng, runs=10, folds=10):
    """Experiments on one data set: fold effects that all share, and noise of runs and folds."""
    effect = rng.normal(0, 0.04, folds)
    fold_noise = rng.normal(0, 0.02, (n, runs, folds))
    run_noise = rng.normal(0, 0.005, (n, runs, 1))
    centred = np.broadcast_to(effect - effect.mean(), (n, runs, folds))
    shuffled = rng.permuted(centred, axis=-1)
    return gamma + shuffled + (fold_noise + run_noise)
