"""The experiment on the first page: ten reruns that differ only in their random splits."""

from collections.abc import Mapping

import pandas as pd

from companion.papers import uci
from companion.papers.bouckaert_frank2004 import section_3
from replib.designs import decide

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
    design = "five_by_two_cv" if test == "five_by_two_cv" else "corrected_repeated_cv"
    decided = section_3.quiet(decide, design=design, alpha=alpha)
    return pd.DataFrame({name: decided(sample[:RERUNS]) for name, sample in samples.items()}).T


def not_unanimous(results: Mapping[str, uci.Results], test: str) -> float:
    """Number of data sets on which ten reruns do not all agree, a mean over all stored tens."""
    consistent = uci.summaries(section_3.acceptances(results, test, PAIR))["consistent"]
    return len(results[section_3.TESTS[test]]) - consistent.mean()
