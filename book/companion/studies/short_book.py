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
    folds = one_experiment.SETTING["folds"]
    size = len(one_experiment.data()[1]) if which == "all" else one_experiment.SAMPLE
    return size // folds + (np.arange(folds) < size % folds)


def mistakes(
    results: Mapping[str, Replications], which: str = "all"
) -> tuple[np.ndarray, np.ndarray]:
    """Count the mistakes of both learners, (seeds, runs, folds, 2), and the tumours of each fold."""
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


def by_runs(block: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Decide after one run, after two, and so on: shape (runs, seeds)."""
    return np.array(
        [decisions(block[:, :runs], alpha) for runs in range(1, block.shape[1] + 1)]
    )


def counted(by_runs: np.ndarray) -> pd.DataFrame:
    """Count the seeds with each decision: a row per number of runs."""
    words = {1: "naive Bayes better", 0: "neither", -1: "tree better"}
    columns = {text: (by_runs == kind).sum(axis=1) for kind, text in words.items()}
    return pd.DataFrame(columns, index=pd.RangeIndex(1, len(by_runs) + 1, name="runs"))


def agreeing(found: np.ndarray) -> np.ndarray:
    """Count for each decision how many of the others are the same."""
    return (found[:, np.newaxis] == found).sum(axis=1) - 1


def beliefs(block: np.ndarray, alpha: float = 0.05) -> dict[int, pd.DataFrame]:
    """What each seed predicts about a rerun, after each number of runs in `LOOKS`.

    Columns `p`, `decision`, `predicted`, `low`, `high`, and `counted`, the share of the
    other seeds that reach the same decision.
    """
    found = {}
    for runs in LOOKS:
        seen = block[:, :runs]
        one = rerun.predict(seen, test_train_ratio=RATIO, alpha=alpha)
        found[runs] = pd.DataFrame(
            {
                "p": corrected(seen).pvalue,
                "decision": one.decision,
                "predicted": one.point,
                "low": one.low,
                "high": one.high,
                "counted": agreeing(one.decision) / (len(block) - 1),
            },
            index=pd.RangeIndex(1, len(block) + 1, name="seed"),
        )
    return found


def runs_needed(block: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Runs with which two experiments are predicted to agree in 95 of 100 pairs, by each seed."""
    return np.array(
        [rerun.runs_needed(one, test_train_ratio=RATIO, alpha=alpha) for one in block]
    )


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
    """How often tests reject the true difference, the mean over all samples, in percent.

    A row per number of differences; columns `plain` and `corrected`, the standard error
    of `plain` (`error`), and `correlation`: with that between any two differences,
    their mean would vary as much as it does.
    """
    truth, rows = samples.mean(), {}
    for runs in (1, samples.shape[1]):
        x = samples[:, :runs] - truth
        plain, corrected_ = (
            100 * (corrected(x, ratio).pvalue < alpha).mean() for ratio in (0.0, RATIO)
        )
        n = x[0].size
        ratio = (
            x.mean(axis=(1, 2)).var(ddof=1)
            / x.reshape(len(x), -1).var(axis=1, ddof=1).mean()
        )
        rows[n] = {
            "plain": plain,
            "corrected": corrected_,
            "error": np.sqrt(plain * (100 - plain) / len(x)),
            "ratio": ratio,
            "correlation": max(0.0, (ratio - 1 / n) / (1 + ratio - 1 / n)),
        }
    return pd.DataFrame(rows).T.rename_axis("differences")
