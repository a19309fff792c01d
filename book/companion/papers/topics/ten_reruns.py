"""The experiment on the first page: ten reruns that differ only in their random splits."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.papers import uci
from companion.papers.bouckaert_frank2004 import section_3
from replib import significance

#: The stored runs that the functions take.
NEEDS = ("uci_five_by_two_cv", "uci_cross_validation")

#: The two tests shown, by name in `section_3.TESTS`, with the trainings that each needs.
TRAININGS = {"five_by_two_cv": 10, "cross_validation": 100}

PAIR = "nb_c45"
RERUNS = uci.TABLE


def decisions(
    results: Mapping[str, uci.Results], test: str, *, alpha: float = 0.05
) -> pd.DataFrame:
    """Decide ten experiments on each data set: 1 if naive Bayes is significantly better, -1 if C4.5
    is, 0 if neither.

    One row per data set, one column per rerun.
    """
    split = section_3.TESTS[test]
    samples = uci.differences(results[split], split, PAIR)
    return pd.DataFrame({
        name: _decision(sample[:RERUNS], test, alpha) for name, sample in samples.items()
    }).T


def _decision(sample: np.ndarray, test: str, alpha: float) -> np.ndarray:
    if test == "five_by_two_cv":
        tested = section_3.quiet(significance.five_by_two_cv_t)
    else:
        tested = section_3.quiet(
            significance.corrected_resampled_t, axis=(-2, -1),
            test_train_ratio=section_3.TEST_TRAIN_RATIO,
        )
    better = np.sign(sample.mean(axis=tuple(range(1, sample.ndim)))).astype(int)
    return np.where(tested(sample).pvalue < alpha, better, 0)


def not_unanimous(results: Mapping[str, uci.Results], test: str) -> float:
    """Number of data sets on which ten reruns do not all agree, a mean over all stored tens."""
    consistent = uci.summaries(section_3.acceptances(results, test, PAIR))["consistent"]
    return len(results[section_3.TESTS[test]]) - consistent.mean()
