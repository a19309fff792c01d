"""Doubts: right data of many kinds draw each with a probability below RARE."""

from collections import Counter

import numpy as np
import pytest

from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
from replib.doubts import RARE, doubts
from replib.readers import from_arrays, from_predictions
from replib.scores import Metric

ANY = Metric("score", better="higher")
LOSS = Metric("cost", better="lower")


def names(rng):
    return [f"m{i}" for i in range(rng.choice([2, 2, 2, 3, 5]))]


def measured(rng, p, test, kind):
    """Scores of models whose probabilities to be right are `p` on test sets of this size."""
    if kind == "accuracy":
        return rng.binomial(test, p) / test
    if kind == "rounded":
        return (rng.binomial(test, p) / test).round(3)
    if kind == "auc":
        return np.clip(p + rng.normal(size=p.shape) * 0.5 / np.sqrt(test), 0.01, 0.99)
    return -np.log(p) * np.exp(rng.normal(size=p.shape) / np.sqrt(test))


def chances(rng, shape, k):
    """Probabilities to be right, which models share in part."""
    common = rng.normal(size=shape) * rng.uniform(0.05, 0.4)
    skill = rng.normal(1.2, 0.8) + rng.normal(size=k) * rng.choice([0.02, 0.3])
    own = rng.normal(size=(k, *shape)) * rng.uniform(0.01, 0.2)
    return 1 / (1 + np.exp(-(common + own + skill.reshape(-1, *[1] * len(shape)))))


def some_table(rng):
    """A table of right data."""
    models, test = names(rng), int(np.exp(rng.uniform(np.log(10), np.log(1000))))
    kind = rng.choice(["accuracy", "rounded", "auc", "loss"])
    metric, k = LOSS if kind == "loss" else ANY, len(models)
    design = [
        CV(int(rng.choice([1, 2, 5, 10])), int(rng.choice([2, 5, 10]))),
        RandomSplits(int(rng.choice([5, 10, 30])), 0.2),
        Seeds(),
        Seeds(paired=True),
        Datasets(),
        Items(),
        Items(runs="samples"),
        "predictions",
    ][rng.integers(8)]
    if design == "predictions":
        return predictions(rng, models)
    if isinstance(design, CV | RandomSplits):
        runs, folds = design.shape
        if runs * folds < 4:
            return some_table(rng)
        x = (
            splits_of_items(rng, runs, folds, test, k, isinstance(design, CV))
            if (kind in ("accuracy", "rounded"))
            else measured(rng, chances(rng, (runs, folds), k), test, kind)
        )
        x = x.round(3) if kind == "rounded" else x
        x = x if isinstance(design, CV) else x[..., 0]
    elif isinstance(design, Seeds):
        n = int(rng.choice([3, 5, 10, 20]))
        skill = chances(rng, (1,), k)
        x = measured(
            rng, np.clip(skill + 0.02 * rng.normal(size=(k, n)), 0.05, 0.99), test, kind
        )
        if rng.random() < 0.2:  # a deterministic model
            x[0] = x[0, 0]
    elif isinstance(design, Datasets):
        n = int(rng.choice([6, 10, 30]))
        hard = rng.normal(size=n) * rng.uniform(0.3, 1.2)
        skill = 1 / (1 + np.exp(-(hard + 1.4 + 0.3 * rng.normal(size=(k, n)))))
        x = measured(rng, skill, test, kind)
    else:
        n, runs = int(rng.choice([20, 100, 500])), int(rng.choice([1, 1, 3, 5]))
        p = 1 / (
            1
            + np.exp(
                -(
                    2 * rng.normal(size=n)
                    + rng.normal(1, 1)
                    + rng.normal(size=(k, n)) * rng.uniform(0.3, 1)
                )
            )
        )
        x = (
            rng.binomial(1, p[:, None], (k, runs, n)).astype(float)
            if rng.random() < 0.7
            else (np.clip(p[:, None] + 0.1 * rng.normal(size=(k, runs, n)), 0, 1))
        )
    return from_arrays(dict(zip(models, x)), metric=metric, design=design)


def splits_of_items(rng, runs, folds, test, k, partition):
    """Accuracies on folds of items that models get right or wrong together."""
    n = test * folds
    hard = rng.normal(size=n) * rng.uniform(0.5, 3) + rng.normal(1.5, 0.7)
    own = rng.normal(size=(k, n)) * rng.uniform(0.1, 1)
    own += rng.normal(size=(k, 1)) * rng.choice([0.02, 0.3])
    if rng.random() < 0.15:
        own[-1] += 100  # never wrong
    x = np.empty((k, runs, folds))
    for run in range(runs):
        order = rng.permutation(n) if partition else rng.permutation(n)[:test]
        noise = rng.normal(size=(k, len(order))) * rng.choice([0.1, 0.5])
        right = hard[order] + own[:, order] + noise > 0
        x[:, run] = (
            right.reshape(k, -1, test).mean(axis=2)[:, :folds]
            if partition
            else (right.mean(axis=1, keepdims=True))
        )
    return x


def predictions(rng, models):
    """Classes, probabilities or numbers that models predict, of which one may be perfect."""
    n, classes = int(rng.choice([20, 50, 200, 1000])), int(rng.choice([2, 2, 3, 10, 0]))
    scored = classes == 2 and rng.random() < 0.3
    if not classes:
        truth = rng.normal(size=n)
        rows = {m: truth + rng.normal(size=n) * rng.uniform(0.3, 3) for m in models}
    else:
        truth = rng.choice(classes, size=n, p=rng.dirichlet(np.ones(classes) * 3))
        hard = rng.random(n) < rng.uniform(0.3, 1)
        rows = {}
        for m in models:
            wrong = hard & (rng.random(n) < rng.uniform(0.05, 0.6))
            rows[m] = np.where(wrong, rng.integers(0, classes, n), truth)
            if scored:
                rows[m] = np.clip(
                    0.5 + 0.3 * (rows[m] - 0.5) + 0.2 * rng.normal(size=n), 0, 1
                )
    return from_predictions(truth, rows, metric=ANY)


def counted(seed, tables):
    """How often each sentence, without names and numbers, is said of right data."""
    rng, said = np.random.default_rng(seed), Counter()
    for _ in range(tables):
        said.update({text[-25:] for text in doubts(some_table(rng))})
    return said


def test_right_data_draw_hardly_any_doubt():
    """A doubt that is said of 5% of all tables is found with probability 0.99."""
    assert counted(1, 100).total() == 0


@pytest.mark.slow
def test_no_doubt_is_frequent_in_right_data():
    """One that is said of 5% of a kind of tables is found at 95% of all seeds."""
    tables = 1000
    # each kind of table is at least an eighth of all; 99.9% of Poisson counts are
    # within 3 SD
    expected = RARE * tables / 8
    assert (
        max(counted(2, tables).values(), default=0)
        <= expected + 3.1 * np.sqrt(expected) + 1
    )
