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
#: The position of a decision in a prediction of `recurrence`.
_POSITION = {1: 0, -1: 1, 0: 2}
#: Numbers of quantiles that represent a mean square and the luck of the items in
#: :func:`forecast`.
SQUARES = 10
LUCK = 24


def pairs(results: Mapping[str, Replications], kind: str = "seeds") -> Pairs:
    """Collect scores (seeds, test instances) of every two networks, by data set and names.

    Parameters
    ----------
    results
        The result of `stored.load` for ``trained_seeds`` or ``trained_seeds_held_out``.
    kind : {"seeds", "initialisation", "splits", "held_out"}
    """
    by_names = {}
    networks = "held out" if kind == "held_out" else "first"
    for dataset in trained_seeds.TRAINING:
        bits = results[f"{dataset}_{kind}"].counts
        scores = trained_seeds.unpacked(bits, dataset, networks)
        for a, b in combinations(scores, 2):
            by_names[dataset, a, b] = scores[a], scores[b]
    return by_names


def deviations(results: Mapping[str, Replications]) -> pd.DataFrame:
    """Return the standard deviation of a network's accuracy (points), by source of variation.

    Columns `initialisation`, `seed` (initialisation and order) and `split` (a seed that
    also draws training and test instances); a row per data set and network.
    """
    columns = {"initialisation": "initialisation", "seeds": "seed", "splits": "split"}
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for dataset in trained_seeds.TRAINING:
        for kind, column in columns.items():
            bits = results[f"{dataset}_{kind}"].counts
            for network, right in trained_seeds.unpacked(bits, dataset).items():
                row = rows.setdefault((dataset, network), {})
                row[column] = 100 * right.mean(axis=1).std(ddof=1)
    return pd.DataFrame(rows).T.rename_axis(["dataset", "network"])


def decomposition(scores: Pairs, *, runs: int = 5) -> pd.DataFrame:
    """Return the difference, its standard error with `runs` seeds, and shares of its variance.

    A negative component counts as 0.
    """
    rows = {}
    for (dataset, a, b), (x, y) in scores.items():
        parts = variance_components(x, y)
        scale = parts.runs / runs
        components = [parts.item, parts.seed * scale, parts.interaction * scale]
        variances = np.maximum(components, 0)
        item, seed, interaction = 100 * variances / variances.sum()
        rows[dataset.replace("_", " "), f"{a} − {b}"] = {
            "difference (points)": 100 * (x.mean() - y.mean()),
            "standard error (points)": 100 * np.sqrt(variances.sum()),
            "item (%)": item,
            "seed (%)": seed,
            "seed × item (%)": interaction,
        }
    return pd.DataFrame(rows).T.rename_axis(["data set", "networks"])


def unit_variances(scores: Pairs) -> list[dict[str, object]]:
    """Return the difference of each pair, and its variances for one item and one seed."""
    rows = []
    for (dataset, a, b), (x, y) in scores.items():
        parts = variance_components(x, y)
        row = {
            "title": f"{dataset.replace('_', ' ')}: {a} or {b}",
            "difference": float(x.mean() - y.mean()),
            "item": max(parts.item, 0.0) * parts.items,
            "seed": max(parts.seed, 0.0) * parts.runs,
            "mixed": max(parts.interaction, 0.0) * parts.items * parts.runs,
        }
        rows.append(row)
    return rows


def forecasts(scores: Pairs, *, runs: int = 5, alpha: float = 0.05) -> pd.DataFrame:
    """Forecast each pair at its own difference, with the test instances at hand."""
    rows = {}
    for (dataset, a, b), (x, y) in scores.items():
        probabilities = forecast(
            x.mean() - y.mean(),
            variance_components(x, y),
            runs=runs,
            items=x.shape[1],
            alpha=alpha,
        )
        key = dataset.replace("_", " "), f"{a} − {b}"
        rows[key] = probabilities._asdict()
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
    for i, ((dataset, a, b), models) in enumerate(scores.items()):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(runs, i)))
        stored = np.arange(len(models[0]))
        order = rng.permuted(np.tile(stored, (2, teams, 1)), axis=-1)
        first = _mean_squares_of_teams(models, order[..., :runs])
        second = _mean_squares_of_teams(models, order[..., runs : 2 * runs])
        for question in QUESTIONS:
            decision = _decisions(first, question, alpha)
            second_decision = _decisions(second, question, alpha)
            predicted = [
                _predicted_agreement(first, team, question, alpha, decision[team])
                for team in range(min(predicting, teams))
            ]
            row = {
                "dataset": dataset,
                "a": a,
                "b": b,
                "question": question,
                "predicted": float(np.mean(predicted)),
                "counted": float((decision == second_decision).mean()),
                "significant": float((decision != 0).mean()),
            }
            rows.append(row)
    return pd.DataFrame(rows)


def _mean_squares_of_teams(
    models: tuple[np.ndarray, np.ndarray], seeds: np.ndarray
) -> MeanSquares:
    """Compute the mean squares of each team, whose seeds are in an array (2, teams, runs)."""
    scores_a, scores_b = models
    seeds_a, seeds_b = seeds
    return mean_squares(scores_a[seeds_a], scores_b[seeds_b])


def _decisions(squares: MeanSquares, question: str, alpha: float) -> np.ndarray:
    """Decide each experiment: 1 if A is significantly better, -1 if B is, 0 if neither."""
    test = difference_test(squares, generalize=question)
    return np.where(test.pvalue < alpha, np.sign(squares.estimate), 0).astype(int)


def _predicted_agreement(
    squares: MeanSquares, team: int, question: str, alpha: float, decision: int
) -> float:
    """Predict the probability that a team's decision, which is given, is reached again."""
    of_team = replace(
        squares,
        estimate=squares.estimate[team],
        item=squares.item[team],
        seed=squares.seed[:, team],
        interaction=squares.interaction[:, team],
        scale=squares.scale[team],
    )
    prediction = recurrence(of_team, generalize=question, alpha=alpha)
    return prediction.point[_POSITION[int(decision)]]


def _middles(n: int) -> np.ndarray:
    """Return the middles of n equal parts of a probability."""
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
    run_scale = components.runs / runs
    item = max(components.item, 0.0) * components.items / items
    mixed = max(components.interaction, 0.0) * components.items / items * run_scale
    seed = max(components.seed, 0.0) * run_scale + mixed
    seed_squares, seed_df = _seed_squares(seed, runs - 1)
    border = _border(item, mixed, seed_squares, seed_df, items=items, alpha=alpha)
    luck = np.sqrt(item) * special.ndtri(_middles(LUCK))
    # axes: the difference, the sign of the decision, luck, the mean square of the seeds
    expected = np.asarray(difference, float)[..., None] + luck
    sign = np.array([1, -1])[:, None, None]
    distance = border - sign * expected[..., None, :, None]
    probability = special.ndtr(-distance / np.sqrt(seed)).mean(axis=-1)
    a_better, b_better = np.moveaxis(probability, -2, 0)
    outcomes = np.array([a_better, b_better, 1 - a_better - b_better])
    return Forecast(
        significant=(a_better + b_better).mean(axis=-1),
        same_items=(outcomes**2).sum(axis=0).mean(axis=-1),
        new_items=(outcomes.mean(axis=-1) ** 2).sum(axis=0),
    )


def _seed_squares(seed: float, df: int) -> tuple[np.ndarray, np.ndarray]:
    """Return equally likely sums of both models' mean squares of seeds, with Welch's df.

    Each model has half of the variance `seed`, and its mean square has `df` degrees of
    freedom.
    """
    chi_square = 2 * special.gammaincinv(df / 2, _middles(SQUARES))
    mean_square = seed / 2 * chi_square / df
    a, b = (axis.ravel() for axis in np.meshgrid(mean_square, mean_square))
    return a + b, df * (a + b) ** 2 / (a**2 + b**2)


def _border(
    item: float,
    mixed: float,
    seed_squares: np.ndarray,
    seed_df: np.ndarray,
    *,
    items: int,
    alpha: float,
) -> np.ndarray:
    """Return the least significant difference, as in `replib.variance.difference_test`."""
    inflated = (1 + 2 / seed_df**2) * seed_squares
    total = np.maximum(item + mixed, item + inflated)
    seed_share = inflated / total
    item_share = (item + mixed) / total
    df = 1 / (seed_share**2 / seed_df + item_share**2 / (items - 1))
    standard_error = np.sqrt(item + np.maximum(mixed, seed_squares))
    return special.stdtrit(df, 1 - alpha / 2) * standard_error
