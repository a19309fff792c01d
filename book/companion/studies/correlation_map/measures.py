"""From counts to the map: variances and correlations of each pair in each cell, with errors.

Of a pair, let x be the difference in accuracy in a fold.  With sigma^2 its variance
over data sets and folds, rho_w its correlation with another fold of the same run and
rho_b with a fold of another run, the *odds* of a correlation are rho / (1 - rho).  No
true difference is needed: variances are about the mean over data sets.
"""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.lab.experiments.splits import fold_sizes, size_of_test_set
from companion.studies.correlation_map.experiments import TWINS
from companion.studies.correlation_map.plans import DESIGNS, rows
from replib.significance import corrected_resampled_t

Results = Mapping[str, runner.Replications]

#: Measures of a pair, in the order in which `_moments` gives them.
MEASURES = (
    "odds_within",
    "odds_between",
    "splits",
    "rho_within",
    "rho_between",
    "sd_fold",
    "seeds",
)
#: Learners that predict by a linear rule; all others are flexible, except the stump.
LINEAR = ("logistic", "ridge", "linear SVM")


def pair_names(
    population: str, learners: list[str]
) -> tuple[list[str], list[tuple[int, int]]]:
    """Return names of learners and places of pairs; on twins also each learner with its copy."""
    k = len(learners)
    pairs = list(combinations(range(k), 2))
    if population not in TWINS:
        return learners, pairs
    copies = [f"{name}, copy" for name in learners]
    return [*learners, *copies], pairs + [(a, a + k) for a in range(k)]


def sizes(cell: Mapping) -> np.ndarray:
    """Return the sizes of the test sets of one run, from the parameters of `outcomes`."""
    n = cell["instances"]
    if cell.get("test_percent"):
        return np.array([size_of_test_set(n, cell["test_percent"] / 100)])
    return fold_sizes(n, cell["folds"])


def accuracies(result: runner.Replications) -> np.ndarray:
    """Accuracies of the learners of a cell, shape (data sets, runs, folds, learners)."""
    cell = result.experiment.parameters
    return result.counts[:, : cell["runs"]] / sizes(cell)[:, np.newaxis]


def differences(result: runner.Replications) -> dict[tuple[str, str], np.ndarray]:
    """Differences in accuracy of each pair, shape (data sets, runs, folds), by names."""
    cell = result.experiment.parameters
    of_learners = accuracies(result)
    names, pairs = pair_names(cell["population"], cell["learners"])
    return {
        (names[a], names[b]): of_learners[..., a] - of_learners[..., b]
        for a, b in pairs
    }


def _moments(x: np.ndarray, fraction: float) -> np.ndarray:
    """Measures of differences (..., data sets, runs, folds) of samples without replacement.

    `fraction` is the share of a finite population that is in a sample.  It lowers what
    varies from data set to data set, the covariance between runs, by the factor 1 -
    fraction (exactly so for means); this is added again to all three covariances.
    """
    runs, folds = x.shape[-2:]
    of_runs = x.mean(axis=-1)
    of_all = of_runs.mean(axis=-1)
    run_mean = of_runs.var(axis=-2, ddof=1).mean(axis=-1)
    between = (runs * of_all.var(axis=-1, ddof=1) - run_mean) / (runs - 1)
    added = between * fraction / (1 - fraction)
    over_data_sets = between + added
    with np.errstate(divide="ignore", invalid="ignore"):
        if folds == 1:  # which says nothing about two folds of one run
            variance = run_mean + added
            odds_within = rho_within = seeds = np.full_like(variance, np.nan)
        else:
            inside = x.var(axis=-1, ddof=1).mean(axis=(-1, -2))
            variance = run_mean + inside * (folds - 1) / folds + added
            within = variance - inside
            odds_within = within / (variance - within)
            rho_within = within / variance
            seeds = (run_mean - over_data_sets + added) / (inside / folds)
        return np.stack(
            [
                odds_within,
                over_data_sets / (variance - over_data_sets),
                1 - over_data_sets / (run_mean + added),
                rho_within,
                over_data_sets / variance,
                np.sqrt(variance),
                seeds,
            ]
        )


def measures(x: np.ndarray, fraction: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return `MEASURES` of differences (data sets, runs, folds), and their jackknife errors.

    >>> x = np.random.default_rng(1).normal(size=(300, 2, 10))  # independent differences
    >>> found, error = measures(x)
    >>> bool((abs(found[:2]) < 4 * error[:2]).all())
    True
    """
    n = len(x)
    keep = ~np.eye(n, dtype=bool)
    left_out = _moments(np.stack([x[others] for others in keep]), fraction)
    spread = left_out - left_out.mean(axis=-1, keepdims=True)
    return _moments(x, fraction), np.sqrt((n - 1) / n * (spread**2).sum(axis=-1))


def table(results: Results) -> pd.DataFrame:
    """The map: a row per pair and cell.

    Columns: `population`, `n`, `design`, `a`, `b`, `datasets`; `accuracy_a`,
    `accuracy_b`; `MEASURES`, each with its standard error over data sets (``_error``):
    the odds; `splits`, the share of the variance of a run's mean that another seed
    redraws; the correlations; the standard deviation in a fold; and `seeds`, that
    variance from seeds over the one that independent folds would give, which anyone can
    see in an experiment with several runs; `effective`, the odds that are right for ten
    runs of ten folds; `disagreement`, the variance inside a fold times its size, which
    is near the share of instances on which one of the two models is right; `missed_one`
    and `missed_two`, the share of data sets on which the corrected t test, with the
    ratio of the design, rejects the cell's mean difference, with one run and with two.
    Pairs that never differ are left out.
    """
    rows_of_map = []
    for result in results.values():
        cell = result.experiment.parameters
        names, _ = pair_names(cell["population"], cell["learners"])
        means = accuracies(result).mean(axis=(0, 1, 2))
        accuracy = dict(zip(names, means))
        for (a, b), x in differences(result).items():
            if x.any():
                rows_of_map.append(
                    {
                        "population": cell["population"],
                        "n": cell["instances"],
                        "design": _design(cell),
                        "a": a,
                        "b": b,
                        "datasets": len(x),
                        "accuracy_a": accuracy[a],
                        "accuracy_b": accuracy[b],
                        **_measures_of_pair(x, cell),
                    }
                )
    return pd.DataFrame(rows_of_map)


def _design(cell: Mapping) -> str:
    """Return the name of the design of a cell."""
    return next(name for name, it in DESIGNS.items() if it.items() <= cell.items())


def _measures_of_pair(x: np.ndarray, cell: Mapping) -> dict[str, float]:
    """Return the columns of the map from `MEASURES` on, for the differences of a pair."""
    fraction = cell["instances"] / rows(cell["population"])
    row = {}
    for name, value, error in zip(MEASURES, *measures(x, fraction)):
        row |= {name: value, f"{name}_error": error}
    row["effective"] = _odds_of_ten_runs(row["rho_within"], row["rho_between"])
    inside = (1 - row["rho_within"]) * row["sd_fold"] ** 2
    row["disagreement"] = inside * sizes(cell).mean()
    row["missed_one"], row["missed_two"] = _missed(x)
    return row


def _odds_of_ten_runs(rho_within: float, rho_between: float) -> float:
    """Return the odds of the mean correlation of two folds among ten runs of ten."""
    # a fold shares its run with nine others, and ninety are in other runs
    mean = (9 * rho_within + 90 * rho_between) / 99
    return mean / (1 - mean)


def _missed(x: np.ndarray) -> tuple[float, float]:
    """Share of data sets whose corrected t test rejects the cell's mean difference."""
    folds = x.shape[-1]
    if folds == 1:
        return np.nan, np.nan
    of_all = x.mean(axis=(1, 2), keepdims=True)
    # the distance from a mean that includes the data set itself is too small by this
    # factor
    away = (of_all - of_all.mean()) * np.sqrt(len(x) / (len(x) - 1))
    centred = x - of_all + away
    ratio = 1 / (folds - 1)
    one_run = corrected_resampled_t(centred[:, 0], test_train_ratio=ratio)
    two_runs = corrected_resampled_t(centred, test_train_ratio=ratio, axis=(-2, -1))
    return float(np.mean(one_run.pvalue < 0.05)), float(np.mean(two_runs.pvalue < 0.05))


def write(results: Results, path: Path) -> None:
    """Write the map as CSV, with four significant digits."""
    table(results).to_csv(path, index=False, float_format="%.4g", lineterminator="\n")


def ten_runs(results: Results) -> pd.DataFrame:
    """Compare the odds of the mean of ten runs with those that the first two runs predict.

    A row per pair and cell of ten runs: `counted`, from the variance of the mean of all
    ten, and `predicted`.
    """
    odds = []
    for result in results.values():
        cell = result.experiment.parameters
        if (cell["runs"], cell["folds"]) != (10, 10):
            continue
        for x in differences(result).values():
            if x.any():
                whole = x.reshape(len(x), -1)
                of_mean = whole.mean(axis=1).var(ddof=1)
                counted = of_mean / whole.var(axis=1, ddof=1).mean() - 0.01
                rho_within, rho_between = _moments(x[:, :2], 0.0)[3:5]
                odds.append((counted, _odds_of_ten_runs(rho_within, rho_between)))
    return pd.DataFrame(odds, columns=["counted", "predicted"])


def training_share(results: Results) -> pd.DataFrame:
    """Share of the variance of one run's mean that is the true difference of its fitted models.

    For cells with fresh test sets, a row per pair: `splits` (the share that another
    seed redraws) and `models`, from the covariance of the two fresh sets, whose
    instances are independent.
    """
    shares = []
    for name, result in results.items():
        cell = result.experiment.parameters
        if not cell["fresh"]:
            continue
        fresh = result.counts[:, cell["runs"] :].mean(axis=2) / cell["fresh"]
        of_learners = accuracies(result)
        first_run = of_learners[:, 0].mean(axis=1)
        for a, b in combinations(range(len(cell["learners"])), 2):
            true = fresh[..., a] - fresh[..., b]
            variance = (first_run[:, a] - first_run[:, b]).var(ddof=1)
            splits = _moments(of_learners[..., a] - of_learners[..., b], 0.0)[2]
            shares.append((name, np.cov(true.T)[0, 1], variance, splits))
    return pd.DataFrame(shares, columns=["cell", "models", "variance", "splits"])
