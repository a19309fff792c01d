"""Two teams train the same two networks with a few seeds each: how often do they agree?

There are three answers: a count in the stored runs and a team's prediction from its own
seeds (both in :func:`same_decisions`), and a forecast from the components of variance
(:func:`forecast`).
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.experiments.runner import Replications
from companion.studies import trained_seeds
from replib.variance import (
    QUESTIONS,
    MeanSquares,
    VarianceComponents,
    difference_test,
    mean_squares,
    recurrence,
    variance_components,
)

SEED = 2030
#: By data set and names of two networks: their scores, of shape (seeds, test
#: instances).
Pairs = Mapping[tuple[str, str, str], tuple[np.ndarray, np.ndarray]]
#: The place of a decision in a prediction of `recurrence`.
_PLACE = {1: 0, -1: 1, 0: 2}
#: Numbers of quantiles that represent a mean square and the luck of the items in
#: :func:`forecast`.
SQUARES, LUCK = 10, 24


def pairs(results: Mapping[str, Replications], kind: str = "seeds") -> Pairs:
    """Collect scores (seeds, test instances) of every two networks, by data set and names.

    Parameters
    ----------
    results
        The result of `stored.load` for ``trained_seeds`` or ``trained_seeds_held_out``.
    kind : {"seeds", "initialisation", "splits", "held_out"}
    """
    found = {}
    networks = "held out" if kind == "held_out" else "first"
    for dataset in trained_seeds.TRAINING:
        scores = trained_seeds.unpacked(
            results[f"{dataset}_{kind}"].counts, dataset, networks
        )
        for a, b in combinations(scores, 2):
            found[dataset, a, b] = scores[a], scores[b]
    return found


def deviations(results: Mapping[str, Replications]) -> pd.DataFrame:
    """Standard deviation of a network's accuracy (percentage points), by source of variation.

    Columns `initialisation`, `seed` (initialisation and order) and `split` (a seed that
    also draws training and test instances); a row per data set and network.
    """
    rows = {}
    for dataset in trained_seeds.TRAINING:
        for kind, name in (
            ("initialisation", "initialisation"),
            ("seed", "seeds"),
            ("split", "splits"),
        ):
            scores = trained_seeds.unpacked(
                results[f"{dataset}_{name}"].counts, dataset
            )
            for network, right in scores.items():
                rows.setdefault((dataset, network), {})[kind] = 100 * right.mean(1).std(
                    ddof=1
                )
    return pd.DataFrame(rows).T.rename_axis(["dataset", "network"])


def decomposition(scores: Pairs, *, runs: int = 5) -> pd.DataFrame:
    """Difference, its standard error with `runs` seeds, and shares of its variance.

    A negative component counts as 0.
    """
    rows = {}
    for (dataset, a, b), (x, y) in scores.items():
        parts = variance_components(x, y)
        fewer = parts.runs / runs
        each = np.maximum(
            [parts.item, parts.seed * fewer, parts.interaction * fewer], 0
        )
        item, seed, interaction = 100 * each / each.sum()
        rows[dataset.replace("_", " "), f"{a} − {b}"] = {
            "difference (points)": 100 * (x.mean() - y.mean()),
            "standard error (points)": 100 * np.sqrt(each.sum()),
            "item (%)": item,
            "seed (%)": seed,
            "seed × item (%)": interaction,
        }
    return pd.DataFrame(rows).T.rename_axis(["data set", "networks"])


def per_unit(scores: Pairs) -> list[dict[str, object]]:
    """Difference of each pair, and its variances for one item and one seed, for the explorer."""
    found = []
    for (dataset, a, b), (x, y) in scores.items():
        parts = variance_components(x, y)
        found.append(
            {
                "title": f"{dataset.replace('_', ' ')}: {a} or {b}",
                "difference": float(x.mean() - y.mean()),
                "item": max(parts.item, 0.0) * parts.items,
                "seed": max(parts.seed, 0.0) * parts.runs,
                "mixed": max(parts.interaction, 0.0) * parts.items * parts.runs,
            }
        )
    return found


def forecasts(scores: Pairs, *, runs: int = 5, alpha: float = 0.05) -> pd.DataFrame:
    """Forecast each pair at its own difference, with the test instances at hand."""
    rows = {}
    for (dataset, a, b), (x, y) in scores.items():
        rows[dataset.replace("_", " "), f"{a} − {b}"] = forecast(
            x.mean() - y.mean(),
            variance_components(x, y),
            runs=runs,
            items=x.shape[1],
            alpha=alpha,
        )._asdict()
    return pd.DataFrame(rows).T.astype(float).rename_axis(["data set", "networks"])


def same_decisions(
    scores: Pairs,
    *,
    runs: int = 5,
    teams: int = 400,
    predicting: int = 100,
    alpha: float = 0.05,
    seed: int = SEED,
) -> pd.DataFrame:
    """Compare the agreement that a team predicts with how often two teams actually agree.

    Each team draws its seeds for each network from the stored ones, without
    replacement; two teams that are compared share no seeds.  All teams have the same
    test instances.

    Parameters
    ----------
    scores
        The result of :func:`pairs`.
    runs : int
        Seeds per network and team.
    teams : int
        Number of pairs of teams.
    predicting : int
        Number of first teams whose predictions are averaged.
    alpha : float
    seed : int

    Returns
    -------
    DataFrame
        A row per pair of networks and question: `predicted` (mean), `counted`, and
        `significant`, the share of teams that find a significant difference.
    """
    rows = []
    for place, (key, models) in enumerate(scores.items()):
        rng = np.random.default_rng(
            np.random.SeedSequence(seed, spawn_key=(runs, place))
        )
        stored = len(models[0])
        drawn = rng.permuted(np.tile(np.arange(stored), (2, teams, 1)), axis=-1)[
            ..., : 2 * runs
        ]
        first, second = (
            mean_squares(*(x[i[:, k : k + runs]] for x, i in zip(models, drawn)))
            for k in (0, runs)
        )
        for question in QUESTIONS:
            found, others = (
                _decisions(one, question, alpha) for one in (first, second)
            )
            predicted = [
                recurrence(_one(first, team), generalize=question, alpha=alpha).point[
                    _PLACE[seen]
                ]
                for team, seen in enumerate(found[:predicting].tolist())
            ]
            rows.append(
                {
                    "dataset": key[0],
                    "a": key[1],
                    "b": key[2],
                    "question": question,
                    "predicted": float(np.mean(predicted)),
                    "counted": float((found == others).mean()),
                    "significant": float((found != 0).mean()),
                }
            )
    return pd.DataFrame(rows)


def _decisions(squares: MeanSquares, question: str, alpha: float) -> np.ndarray:
    """Decide each experiment: 1 if A is significantly better, -1 if B is, 0 if neither."""
    test = difference_test(squares, generalize=question)
    return np.where(test.pvalue < alpha, np.sign(squares.estimate), 0).astype(int)


def _one(squares: MeanSquares, place: int) -> MeanSquares:
    """Take the mean squares of one of several experiments."""
    return replace(
        squares,
        estimate=squares.estimate[place],
        item=squares.item[place],
        seed=squares.seed[:, place],
        interaction=squares.interaction[:, place],
        scale=squares.scale[place],
    )


def _middles(n: int) -> np.ndarray:
    """Middles of n equal parts of a probability."""
    return (np.arange(n) + 0.5) / n


class Forecast(NamedTuple):
    """Probabilities that follow from the components of variance.

    Attributes
    ----------
    significant : ndarray
        Probability of a significant difference.
    same_items, new_items : ndarray
        Probability that two teams reach the same decision, on the same items or each on
        its own.
    """

    significant: np.ndarray
    same_items: np.ndarray
    new_items: np.ndarray


def forecast(
    difference: np.ndarray,
    components: VarianceComponents,
    *,
    runs: int,
    items: int,
    alpha: float = 0.05,
) -> Forecast:
    """Forecast how often two teams agree, from a known difference and known components.

    Both teams test the difference for new seeds and new items by
    `replib.variance.difference_test`. All effects are normal, both models vary equally,
    and the mean squares of item and of seed x item are replaced by their expectations:
    only the difference and the mean squares of the seeds vary.

    Parameters
    ----------
    difference : ndarray
        True difference of the models.
    components : VarianceComponents
        A negative component counts as 0.
    runs, items : int
        Runs and items of each team.
    alpha : float

    Returns
    -------
    Forecast
        Each field has the shape of `difference`.
    """
    of_items = max(components.item, 0.0) * components.items / items
    fewer = components.runs / runs
    mixed = max(components.interaction, 0.0) * components.items / items * fewer
    of_seeds = max(components.seed, 0.0) * fewer + mixed
    # the mean squares of each model's seeds give S and Welch's degrees of freedom
    df = runs - 1
    one = of_seeds / 2 * 2 * special.gammaincinv(df / 2, _middles(SQUARES)) / df
    a, b = (x.ravel() for x in np.meshgrid(one, one))
    squares, its_df = a + b, df * (a + b) ** 2 / (a**2 + b**2)
    inflated = (1 + 2 / its_df**2) * squares
    total = np.maximum(of_items + mixed, of_items + inflated)
    shares = inflated / total, (of_items + mixed) / total
    its_df = 1 / (shares[0] ** 2 / its_df + shares[1] ** 2 / (items - 1))
    border = special.stdtrit(its_df, 1 - alpha / 2) * np.sqrt(
        of_items + np.maximum(mixed, squares)
    )
    luck = np.sqrt(of_items) * special.ndtri(_middles(LUCK))
    # axes: the difference, the luck of the items, the mean square of the seeds
    here = np.asarray(difference, float)[..., None] + luck
    distance = border - np.array([[1], [-1]])[..., None] * here[..., None, :, None]
    a, b = np.moveaxis(special.ndtr(-(distance / np.sqrt(of_seeds))).mean(-1), -2, 0)
    outcomes = np.array([a, b, 1 - a - b])
    return Forecast(
        significant=(a + b).mean(-1),
        same_items=(outcomes**2).sum(0).mean(-1),
        new_items=(outcomes.mean(-1) ** 2).sum(0),
    )
