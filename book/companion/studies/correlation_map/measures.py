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
    if population in TWINS:
        return [*learners, *(f"{name}, copy" for name in learners)], pairs + [
            (place, place + k) for place in range(k)
        ]
    return learners, pairs


def sizes(of: Mapping) -> np.ndarray:
    """Return the sizes of the test sets of one run, from the parameters of `outcomes`."""
    if of.get("test_percent"):
        return np.array([size_of_test_set(of["instances"], of["test_percent"] / 100)])
    return fold_sizes(of["instances"], of["folds"])


def differences(one: runner.Replications) -> dict[tuple[str, str], np.ndarray]:
    """Differences in accuracy of each pair, shape (data sets, runs, folds), by names."""
    of = one.experiment.parameters
    accuracies = one.counts[:, : of["runs"]] / sizes(of)[:, np.newaxis]
    names, pairs = pair_names(of["population"], of["learners"])
    return {
        (names[a], names[b]): accuracies[..., a] - accuracies[..., b] for a, b in pairs
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
    inside = x.var(axis=-1, ddof=1).mean(axis=(-1, -2)) if folds > 1 else 0 * run_mean
    variance = run_mean + inside * (folds - 1) / folds + added
    within, between = variance - inside, between + added
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack(
            [
                within / (variance - within) if folds > 1 else np.nan * variance,
                between / (variance - between),
                1 - between / (run_mean + added),
                within / variance if folds > 1 else np.nan * variance,
                between / variance,
                np.sqrt(variance),
                (run_mean - between + added) / (inside / folds)
                if folds > 1
                else np.nan * variance,
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
    left_out = _moments(np.stack([x[one] for one in keep]), fraction)
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
    found = []
    for one in results.values():
        of = one.experiment.parameters
        n, population = of["instances"], of["population"]
        design = next(name for name, it in DESIGNS.items() if it.items() <= of.items())
        mean = (one.counts[:, : of["runs"]] / sizes(of)[:, np.newaxis]).mean(
            axis=(0, 1, 2)
        )
        names, _ = pair_names(population, of["learners"])
        accuracy = dict(zip(names, mean))
        for (a, b), x in differences(one).items():
            if not x.any():
                continue
            of_pair, errors = measures(x, n / rows(population))
            row = {
                "population": population,
                "n": n,
                "design": design,
                "a": a,
                "b": b,
                "datasets": len(x),
                "accuracy_a": accuracy[a],
                "accuracy_b": accuracy[b],
            }
            for name, value, error in zip(MEASURES, of_pair, errors):
                row |= {name: value, f"{name}_error": error}
            rho = row["rho_within"], row["rho_between"]
            mean_rho = (9 * rho[0] + 90 * rho[1]) / 99
            row["effective"] = mean_rho / (1 - mean_rho)
            row["disagreement"] = (1 - rho[0]) * row["sd_fold"] ** 2 * sizes(of).mean()
            row["missed_one"], row["missed_two"] = _missed(x)
            found.append(row)
    return pd.DataFrame(found)


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
    one = corrected_resampled_t(centred[:, 0], test_train_ratio=1 / (folds - 1))
    two = corrected_resampled_t(
        centred, test_train_ratio=1 / (folds - 1), axis=(-2, -1)
    )
    return float(np.mean(one.pvalue < 0.05)), float(np.mean(two.pvalue < 0.05))


def write(results: Results, path: Path) -> None:
    """Write the map as CSV, with four significant digits."""
    table(results).to_csv(path, index=False, float_format="%.4g", lineterminator="\n")


def ten_runs(results: Results) -> pd.DataFrame:
    """Compare the odds of the mean of ten runs with those that the first two runs predict.

    A row per pair and cell of ten runs: `counted`, from the variance of the mean of all
    ten, and `predicted`.
    """
    rows_found = []
    for one in results.values():
        if (
            one.experiment.parameters["runs"] != 10
            or one.experiment.parameters["folds"] != 10
        ):
            continue
        for x in differences(one).values():
            if x.any():
                whole = x.reshape(len(x), -1)
                counted = (
                    whole.mean(axis=1).var(ddof=1) / whole.var(axis=1, ddof=1).mean()
                    - 0.01
                )
                rho_within, rho_between = _moments(x[:, :2], 0.0)[3:5]
                mean = (9 * rho_within + 90 * rho_between) / 99
                rows_found.append((counted, mean / (1 - mean)))
    return pd.DataFrame(rows_found, columns=["counted", "predicted"])


def training_share(results: Results) -> pd.DataFrame:
    """Share of the variance of one run's mean that is the true difference of its fitted models.

    For cells with fresh test sets, a row per pair: `splits` (the share that another
    seed redraws) and `models`, from the covariance of the two fresh sets, whose
    instances are independent.
    """
    found = []
    for name, one in results.items():
        of = one.experiment.parameters
        if not of["fresh"]:
            continue
        fresh = one.counts[:, of["runs"] :].mean(axis=2) / of["fresh"]
        first = (one.counts[:, 0] / sizes(of)[:, np.newaxis]).mean(axis=1)
        for a, b in combinations(range(len(of["learners"])), 2):
            true = fresh[..., a] - fresh[..., b]
            variance = (first[:, a] - first[:, b]).var(ddof=1)
            x = one.counts[:, : of["runs"]] / sizes(of)[:, np.newaxis]
            splits = _moments(x[..., a] - x[..., b], 0.0)[2]
            found.append((name, np.cov(true.T)[0, 1], variance, splits))
    return pd.DataFrame(found, columns=["cell", "models", "variance", "splits"])
