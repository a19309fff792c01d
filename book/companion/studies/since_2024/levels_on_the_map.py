"""The Type I error of SHARP on three populations of the map, counted on its own data sets."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.studies.correlation_map import distribution, plans
from companion.studies.since_2024.experiments import FEW_REPETITIONS, RUNS
from companion.studies.since_2024.halves import REPETITIONS
from companion.studies.since_the_papers.methods import ALPHA
from replib.significance import sharp

Results = Mapping[str, runner.Replications]


def levels(results: Results, repetitions: int = REPETITIONS) -> pd.DataFrame:
    """Count how often SHARP rejects where the null hypothesis is true.

    No difference is known to be zero, so the mean of all data sets takes its place, as
    in the count on the map.

    Parameters
    ----------
    results : mapping
        The stored run.
    repetitions : int
        The first of each data set that are used.

    Returns
    -------
    DataFrame
        A row per population and pair of learners: `population`, `a`, `b`, `datasets`
        and `level`. Pairs that are nearly equal are left out, as on the map.
    """
    tables = []
    for result in results.values():
        pairs = pairs_on_map(result)
        rejected = rejections(result, repetitions)
        found = pairs[["population", "a", "b"]].assign(
            datasets=rejected.shape[1],
            level=rejected.mean(axis=1),
        )
        tables.append(found)
    return pd.concat(tables, ignore_index=True)


def table(results: Results) -> pd.DataFrame:
    """Compare mean levels of SHARP and of the corrected t test on the same pairs, in percent.

    Returns
    -------
    DataFrame
        Indexed by `population`, the last for all; `data sets`, `pairs`, and a column
        per design with the mean level over pairs.  Those of SHARP have their standard
        error between data sets; those of the corrected t test follow from the odds on
        the map.
    """
    rows = {}
    for result in results.values():
        pairs = pairs_on_map(result)
        row = {"data sets": len(result.counts), "pairs": len(pairs)}
        for repetitions in (FEW_REPETITIONS, REPETITIONS):
            of_data_sets = 100 * rejections(result, repetitions).mean(axis=0)
            row[f"SHARP, {repetitions} repetitions"] = of_data_sets.mean()
            row[f"error, {repetitions}"] = of_data_sets.std(ddof=1) / np.sqrt(
                len(of_data_sets)
            )
        of_t = 100 * distribution.level(pairs, RUNS, distribution.ASSUMED)
        row[f"corrected t, {RUNS} runs"] = of_t.mean()
        rows[pairs["population"].iloc[0]] = row
    frame = pd.DataFrame(rows).T.rename_axis("population")
    total = frame.mean()
    total[["data sets", "pairs"]] = frame[["data sets", "pairs"]].sum()
    errors = [name for name in frame if name.startswith("error")]
    total[errors] = np.sqrt((frame[errors] ** 2).sum()) / len(frame)
    frame.loc["all"] = total
    return frame.astype({"data sets": int, "pairs": int})


def pairs_on_map(result: runner.Replications) -> pd.DataFrame:
    """Return the pairs of learners on the map that a result has, too."""
    parameters = result.experiment.parameters
    of_map = distribution.read()
    is_same = (of_map["population"] == parameters["population"]) & (
        of_map["n"] == parameters["instances"]
    )
    return of_map[is_same].reset_index(drop=True)


def rejections(result: runner.Replications, repetitions: int) -> np.ndarray:
    """Return whether SHARP rejects a mean of zero where it is true, shape (pairs, data sets)."""
    parameters = result.experiment.parameters
    pairs = pairs_on_map(result)
    named = list(parameters["learners"])
    accuracy = result.counts[:, :repetitions] / (parameters["instances"] / 2)
    of_learner = dict(zip(named, np.moveaxis(accuracy, -1, 0)))
    x = np.stack(
        [of_learner[a] - of_learner[b] for a, b in zip(pairs["a"], pairs["b"])]
    )
    fraction = parameters["instances"] / plans.rows(parameters["population"])
    return np.asarray(sharp(with_mean_zero(x, fraction)).pvalue) < ALPHA


def with_mean_zero(x: np.ndarray, fraction: float = 0.0) -> np.ndarray:
    """Move differences so that their means over data sets are draws around zero.

    Parameters
    ----------
    x : ndarray, shape (..., data sets, repetitions, 2)
    fraction : float
        Share of a finite population that is in a data set.  Samples without replacement
        vary less from one to the next; the missing variance is added, as in
        :func:`companion.studies.correlation_map.measures.measures`.

    Returns
    -------
    ndarray
        Of the same shape.

    Examples
    --------
    >>> x = np.random.default_rng(1).normal(3, 1, size=(20, 5, 2))
    >>> moved = with_mean_zero(x)
    >>> bool(abs(moved.mean()) < 1e-12), bool(abs(moved.std() / x.std() - 1) < 0.05)
    (True, True)
    """
    datasets, repetitions = x.shape[-3:-1]
    of_repetitions = x.mean(axis=-1)
    of_all = of_repetitions.mean(axis=-1)
    variance = of_all.var(axis=-1, ddof=1)
    inside = of_repetitions.var(axis=-1, ddof=1).mean(axis=-1)
    between = (repetitions * variance - inside) / (repetitions - 1)
    missing = np.maximum(between, 0) * fraction / (1 - fraction)
    # the distance from a mean that includes the data set itself is too small as well
    widening = np.sqrt(datasets / (datasets - 1) * (1 + missing / variance))
    away = (of_all - of_all.mean(axis=-1, keepdims=True)) * widening[..., np.newaxis]
    return x + (away - of_all)[..., np.newaxis, np.newaxis]
