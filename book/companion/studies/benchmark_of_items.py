"""A benchmark of items: clusters and repeated answers.

No public answers of language models are stored with the book, so answers are simulated
from an item-response model.  Model m answers item i of cluster c correctly,
independently each time, with probability

.. math:: P(\\text{correct}) = \\Phi(\\theta_m - b_i + f_{mi}),

where the difficulty b is normal with standard deviation 1, and f, how much the item
favours the model, is normal with standard deviation 0.6 unless stated otherwise; both
are correlated within a cluster.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.experiments import runner
from companion.studies import five_seeds
from replib.significance import mcnemar
from replib.variance import difference_test, mean_squares

#: Standard deviation of difficulty.
DIFFICULTY = 1.0
#: Standard deviation of how much an item favours a model.
FAVOUR = 0.6


def answers(
    abilities: Sequence[float],
    *,
    items: int,
    runs: int,
    rng: np.random.Generator,
    size: int = 1,
    icc: float = 0.0,
    favour: float = FAVOUR,
    experiments: int = 1,
) -> np.ndarray:
    """Simulate answers of models to items, right or wrong.

    Parameters
    ----------
    abilities : sequence of float
        One per model, on the scale of the item-response model.
    items, runs : int
        Runs are repeated answers to the same items.
    rng : numpy.random.Generator
    size : int
        Items per cluster.
    icc : float
        Correlation of difficulty, and of favour, within a cluster.
    favour : float
        Standard deviation of how much an item favours a model.
    experiments : int
        Experiments have different items.

    Returns
    -------
    ndarray of bool, shape (experiments, models, runs, items)

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> answers([0, 1], items=6, runs=2, rng=rng, size=3, icc=0.5).shape
    (1, 2, 2, 6)
    """
    clusters = -(-items // size)

    def effects(sd: float, models: int) -> np.ndarray:
        by_item = rng.standard_normal((experiments, models, items)) * np.sqrt(1 - icc)
        by_cluster = rng.standard_normal((experiments, models, clusters)) * np.sqrt(icc)
        return sd * (by_item + np.repeat(by_cluster, size, axis=-1)[..., :items])

    theta = np.asarray(abilities, float)
    difficulty = effects(DIFFICULTY, 1)
    p = special.ndtr(theta[:, None] - difficulty + effects(favour, theta.size))
    shape = (experiments, theta.size, runs, items)
    return rng.random(shape) < p[:, :, None, :]


def signs_and_mean_squares(
    item: Sequence[float] = (2, 1),
    seed: Sequence[float] = (1, 3),
    interaction: Sequence[float] = (3, 1),
) -> dict[str, tuple[float, float]]:
    """Compute expected mean squares by enumeration, next to the formula.

    With two models, two runs and two items, where each random effect is plus or minus
    its standard deviation, there are 65,536 equally likely experiments.

    Parameters
    ----------
    item, seed, interaction : sequence of two float
        Standard deviations for the two models.

    Returns
    -------
    dict
        By quantity: the mean over all experiments, and the formula.
    """
    signs = np.array(list(product((-1.0, 1.0), repeat=16)))
    # axes: the experiment, model, run, item
    item_signs = signs[:, :4].reshape(-1, 2, 1, 2)
    seed_signs = signs[:, 4:8].reshape(-1, 2, 2, 1)
    interaction_signs = signs[:, 8:].reshape(-1, 2, 2, 2)
    y = (
        item_signs * np.reshape(item, (2, 1, 1))
        + seed_signs * np.reshape(seed, (2, 1, 1))
        + interaction_signs * np.reshape(interaction, (2, 1, 1))
    )
    squares = mean_squares(y[:, 0], y[:, 1])
    # variances of a mean over two runs or two items, summed over the models
    by_item = np.square(item).sum() / 2
    by_seed = np.square(seed).sum() / 2
    by_both = np.square(interaction).sum() / (2 * 2)
    return {
        "I": (squares.item.mean(), by_item + by_both),
        "S": (squares.seed.sum(axis=0).mean(), by_seed + by_both),
        "M": (squares.interaction.sum(axis=0).mean(), by_both),
        "Var D": (squares.estimate.var(), by_item + by_seed + by_both),
    }


def type_1_grid(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Tabulate Type I errors of the stored run ``five_seeds``: a row per cell."""
    grid = five_seeds.type_1_errors(results)
    bound = np.where(grid["clusters"].isin([0, 20, 60]), 0.06, 0.07)
    return grid.assign(error=grid["rejections"] / grid["experiments"], bound=bound)


def ignoring_clusters(
    clusters: int,
    size: int,
    *,
    icc: float,
    favour: float,
    experiments: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Return Type I errors of McNemar's exact test and of the t test by cluster, for equal models.

    `correlation` is that between the differences of two items in a cluster.
    """
    right = answers(
        [0.5, 0.5],
        items=clusters * size,
        runs=1,
        rng=rng,
        size=size,
        icc=icc,
        favour=favour,
        experiments=experiments,
    )
    right_a = right[:, 0]
    right_b = right[:, 1]
    wins = (right_a & ~right_b).sum(axis=(-2, -1))
    losses = (right_b & ~right_a).sum(axis=(-2, -1))
    a = right_a.astype(float)
    b = right_b.astype(float)
    groups = np.repeat(np.arange(clusters), size)
    by_cluster = difference_test(mean_squares(a, b, groups=groups), generalize="items")
    differences = (a - b).reshape(experiments, clusters, size)
    between = differences.mean(axis=-1).var(axis=-1, ddof=1).mean()
    within = differences.var(axis=-1, ddof=1).mean()
    cluster = between - within / size
    return {
        "clusters": clusters,
        "items each": size,
        "correlation": float(cluster / (cluster + within)),
        "McNemar": float((mcnemar(wins, losses).pvalue < five_seeds.ALPHA).mean()),
        "by cluster": float((by_cluster.pvalue < five_seeds.ALPHA).mean()),
    }


def items_for(
    difference: float,
    *,
    between: float,
    within: float = 0.0,
    answers_each: float = 1,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """Return the number of items that a paired comparison needs, by the formula of Miller (2024).

    Parameters
    ----------
    difference : float
        The difference to be detected.
    between : float
        Variance, over items, of the difference of the models' expected scores.
    within : float
        Variance of an answer about its expectation, summed over both models.
    answers_each : float
        Answers per item and model.
    alpha, power : float

    Examples
    --------
    >>> round(items_for(0.03, between=1 / 9))
    969
    """
    z = special.ndtri(1 - alpha / 2) + special.ndtri(power)
    variance = between + within / answers_each
    return float(z**2 * variance / difference**2)
