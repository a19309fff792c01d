"""One experiment with many seeds, as the chapters of Part I tell it: one entry per seed."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments.runner import Replications
from companion.studies import one_experiment
from replib import adaptive, rerun, significance

RATIO = 1 / (one_experiment.SETTING["folds"] - 1)
#: Numbers of runs for which :func:`beliefs` has predictions.
LOOKS = (2, 5, 10)


def differences(results: Mapping[str, Replications], which: str = "all") -> np.ndarray:
    """Accuracy of naive Bayes minus that of the tree, of shape (seeds, runs, folds).

    `which` is "all", where every seed has all tumours, or "samples", where each has its
    own.
    """
    counts = results[which].counts.astype(int)
    return (counts[..., 0] - counts[..., 1]) / fold_sizes(which)


def fold_sizes(which: str = "all") -> np.ndarray:
    """Count the tumours of each fold, which for stratified folds is the same for any seed."""
    n_tumours = one_experiment.SAMPLE
    if which == "all":
        n_tumours = len(one_experiment.data()[1])
    folds = one_experiment.SETTING["folds"]
    return n_tumours // folds + (np.arange(folds) < n_tumours % folds)


def mistakes(
    results: Mapping[str, Replications], which: str = "all"
) -> tuple[np.ndarray, np.ndarray]:
    """Count mistakes of both learners, (seeds, runs, folds, 2), and the tumours of each fold."""
    sizes = fold_sizes(which)
    return sizes[:, np.newaxis] - results[which].counts.astype(int), sizes


def corrected(block: np.ndarray, ratio: float = RATIO) -> significance.TestResult:
    """Test blocks of shape (..., runs, folds) by the corrected t test; ratio 0 is the plain one."""
    if ratio == 0:
        return significance.paired_t(block, axis=(-2, -1))
    return significance.corrected_resampled_t(
        block, test_train_ratio=ratio, axis=(-2, -1)
    )


def decisions(block: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Decide by the corrected t test: 1 where naive Bayes is better, -1 where the tree is, or 0."""
    test = corrected(block)
    return np.where(test.pvalue < alpha, np.sign(test.estimate), 0).astype(int)


def decisions_by_runs(block: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Decide after one run, after two, and so on: shape (runs, seeds)."""
    n_runs = block.shape[1]
    return np.array(
        [decisions(block[:, :runs], alpha) for runs in range(1, n_runs + 1)]
    )


def decision_counts(by_runs: np.ndarray) -> pd.DataFrame:
    """Count the seeds with each decision: a row per number of runs."""
    words = {1: "naive Bayes better", 0: "neither", -1: "tree better"}
    columns = {text: (by_runs == kind).sum(axis=1) for kind, text in words.items()}
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(by_runs) + 1, name="runs"))


def agreeing(decisions: np.ndarray) -> np.ndarray:
    """Count for each decision how many of the others are the same."""
    return (decisions[:, np.newaxis] == decisions).sum(axis=1) - 1


def beliefs(block: np.ndarray, alpha: float = 0.05) -> dict[int, pd.DataFrame]:
    """Return what each seed predicts about a rerun, after each number of runs in `LOOKS`.

    Columns `p`, `decision`, `predicted`, `low`, `high`, and `counted`, the share of the
    other seeds that reach the same decision.
    """
    tables = {}
    seeds = pd.RangeIndex(1, len(block) + 1, name="seed")
    for runs in LOOKS:
        first_runs = block[:, :runs]
        forecast = rerun.predict(first_runs, test_train_ratio=RATIO, alpha=alpha)
        columns = {
            "p": corrected(first_runs).pvalue,
            "decision": forecast.decision,
            "predicted": forecast.point,
            "low": forecast.low,
            "high": forecast.high,
            "counted": agreeing(forecast.decision) / (len(block) - 1),
        }
        tables[runs] = pd.DataFrame(columns, index=seeds)
    return tables


def runs_needed(block: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Return the runs with which two experiments are predicted to agree in 95 of 100 pairs.

    One number per seed.
    """
    needed = [
        rerun.runs_needed(experiment, test_train_ratio=RATIO, alpha=alpha)
        for experiment in block
    ]
    return np.array(needed)


def long_experiments(block: np.ndarray, max_runs: int) -> np.ndarray:
    """Join the runs of each seed to those of the next seeds, up to `max_runs`, in a circle."""
    parts = -(-max_runs // block.shape[1])
    joined = [np.roll(block, -part, axis=0) for part in range(parts)]
    return np.concatenate(joined, axis=1)[:, :max_runs]


def stops(
    block: np.ndarray, *, max_runs: int, confidence: float, min_runs: int, alpha: float
) -> tuple[adaptive.Course, adaptive.Stop]:
    """Follow the long experiment of each seed, and stop where its forecast is certain enough."""
    long = long_experiments(block, max_runs)
    course = adaptive.course(long, test="corrected", alpha=alpha)
    return course, adaptive.stop(
        course, confidence, rule="curtailed", min_runs=min_runs
    )


def errors(samples: np.ndarray, alpha: float = 0.05) -> pd.DataFrame:
    """Return how often tests reject the true difference, the mean over all samples, in percent.

    A row per number of differences; columns `plain` and `corrected`, the standard error
    of `plain` (`error`), and `correlation`: with that between any two differences,
    their mean would vary as much as it does.
    """
    deviations = samples - samples.mean()
    rows = {}
    for runs in (1, samples.shape[1]):
        x = deviations[:, :runs]
        n = x[0].size
        plain = 100 * (corrected(x, 0.0).pvalue < alpha).mean()
        variance_of_means = x.mean(axis=(1, 2)).var(ddof=1)
        mean_variance = x.reshape(len(x), n).var(axis=1, ddof=1).mean()
        ratio = variance_of_means / mean_variance
        rows[n] = {
            "plain": plain,
            "corrected": 100 * (corrected(x).pvalue < alpha).mean(),
            "error": np.sqrt(plain * (100 - plain) / len(x)),
            "ratio": ratio,
            "correlation": max(0.0, (ratio - 1 / n) / (1 + ratio - 1 / n)),
        }
    return pd.DataFrame(rows).T.rename_axis("differences")
