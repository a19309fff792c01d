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

#: Standard deviations of difficulty, and of how much an item favours a model.
DIFFICULTY, FAVOUR = 1.0, 0.6


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
    >>> found = answers([0, 1], items=6, runs=2, rng=np.random.default_rng(1), size=3, icc=0.5)
    >>> found.shape
    (1, 2, 2, 6)
    """
    clusters = -(-items // size)

    def effects(sd: float, models: int) -> np.ndarray:
        own = rng.standard_normal((experiments, models, items)) * np.sqrt(1 - icc)
        common = rng.standard_normal((experiments, models, clusters)) * np.sqrt(icc)
        return sd * (own + np.repeat(common, size, axis=-1)[..., :items])

    theta = np.asarray(abilities, float)
    p = special.ndtr(
        theta[:, None] - effects(DIFFICULTY, 1) + effects(favour, theta.size)
    )
    shape = (experiments, theta.size, runs, items)
    return rng.random(shape) < p[:, :, None, :]


def signs_and_mean_squares(
    item: Sequence[float] = (2, 1),
    seed: Sequence[float] = (1, 3),
    interaction: Sequence[float] = (3, 1),
) -> dict[str, tuple[float, float]]:
    """Expected mean squares by enumeration, next to the formula.

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
    q, s, e = np.split(signs, [4, 8], axis=1)
    q = q.reshape(-1, 2, 1, 2) * np.reshape(item, (2, 1, 1))
    s = s.reshape(-1, 2, 2, 1) * np.reshape(seed, (2, 1, 1))
    e = e.reshape(-1, 2, 2, 2) * np.reshape(interaction, (2, 1, 1))
    y = q + s + e
    found = mean_squares(y[:, 0], y[:, 1])
    runs = n = 2
    i, v, m = ((np.square(x)).sum() for x in (item, seed, interaction))
    crossed = m / (runs * n)
    return {
        "I": (found.item.mean(), i / n + crossed),
        "S": (found.seed.sum(0).mean(), v / runs + crossed),
        "M": (found.interaction.sum(0).mean(), crossed),
        "Var D": (found.estimate.var(), i / n + v / runs + crossed),
    }


def type_1_grid(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Type I errors of the stored run ``five_seeds``: a row per cell."""
    found = five_seeds.type_1_errors(results)
    bound = np.where(found["clusters"].isin([0, 20, 60]), 0.06, 0.07)
    return found.assign(error=found["rejections"] / found["experiments"], bound=bound)


def ignoring_clusters(
    clusters: int,
    size: int,
    *,
    icc: float,
    favour: float,
    experiments: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Type I error of McNemar's exact test, and of the t test by cluster, for equal models.

    `correlation` is that between the differences of two items in a cluster.
    """
    y = answers(
        [0.5, 0.5],
        items=clusters * size,
        runs=1,
        rng=rng,
        size=size,
        icc=icc,
        favour=favour,
        experiments=experiments,
    )[:, :, 0]
    wins, losses = ((y[:, i] & ~y[:, 1 - i]).sum(-1) for i in (0, 1))
    groups = np.repeat(np.arange(clusters), size)
    a, b = (y[:, i, None].astype(float) for i in (0, 1))
    by_cluster = difference_test(
        mean_squares(a, b, groups=groups), generalize="items"
    ).pvalue
    d = (a - b).reshape(experiments, clusters, size)
    between, within = d.mean(-1).var(-1, ddof=1).mean(), d.var(-1, ddof=1).mean()
    cluster = between - within / size
    return {
        "clusters": clusters,
        "items each": size,
        "correlation": float(cluster / (cluster + within)),
        "McNemar": float((mcnemar(wins, losses).pvalue < 0.05).mean()),
        "by cluster": float((by_cluster < 0.05).mean()),
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
    """Number of items that a paired comparison needs, by the formula of Miller (2024).

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
    return float(z**2 * (between + within / answers_each) / difference**2)
