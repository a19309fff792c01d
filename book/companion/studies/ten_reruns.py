"""The experiment on the first page: ten reruns that differ only in their random splits."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.papers import uci
from companion.papers.bouckaert_frank2004 import section_3

#: The stored runs that the functions take.
NEEDS = ("uci_five_by_two_cv", "uci_cross_validation")

#: The two tests shown, by name in `section_3.TESTS`, with the trainings that each
#: needs.
TRAININGS = {"five_by_two_cv": 10, "cross_validation": 100}

PAIR = "nb_c45"
RERUNS = uci.TABLE


def decisions(
    results: Mapping[str, uci.Results], test: str, *, alpha: float = 0.05
) -> pd.DataFrame:
    """Decide ten experiments on each data set.

    One row per data set, one column per rerun: 1 if naive Bayes is significantly better,
    -1 if C4.5 is, 0 if neither.
    """
    split, decide = section_3.TESTS[test]
    rows = {}
    for name, block in uci.differences(results[split], split, PAIR).items():
        reruns = block[:RERUNS]
        better = np.sign(reruns.mean(axis=(-2, -1))).astype(int)
        rows[name] = np.where(decide(reruns).pvalue < alpha, better, 0)
    return pd.DataFrame(rows).T


def not_unanimous(results: Mapping[str, uci.Results], test: str) -> pd.Series:
    """Count the data sets on which ten reruns do not all agree, for each stored ten."""
    split, _ = section_3.TESTS[test]
    consistent = uci.summaries(section_3.acceptances(results, test, PAIR))["consistent"]
    return len(results[split]) - consistent


def deviation_of_not_unanimous(results: Mapping[str, uci.Results], test: str) -> float:
    """Return the standard deviation of :func:`not_unanimous` for one ten, as Chapter 11 has it.

    It is that of the distribution which all stored frequencies imply, because the
    spread between the few stored tens is itself uncertain.
    """
    accepted = section_3.acceptances(results, test, PAIR)
    return float(uci.judged_summaries(accepted).at["consistent", "published_error"])
