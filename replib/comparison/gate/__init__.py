"""The gate: all input is aligned, checked and named here, or refused.

Every entrance (Python, the command line, the page of the book) looks up in the same table,
``rules.json``, whether a mistake is refused or noted, and with which words.

========================  =====================================================
:func:`scores`            scores of k classifiers on the same splits of one data set
:func:`predictions`       predictions of k classifiers for one test set
:func:`benchmark`         scores of k classifiers on many data sets
:func:`estimators`        k scikit-learn estimators and a data set
========================  =====================================================
"""

from replib.comparison.gate.benchmarks import benchmark
from replib.comparison.gate.data import Plan, estimators
from replib.comparison.gate.entrances import (
    Gated,
    check_alpha,
    classifier_names,
    either,
    finite_blocks,
    predictions,
    scores,
)

__all__ = [
    "Gated", "Plan", "benchmark", "check_alpha", "classifier_names", "either", "estimators",
    "finite_blocks", "predictions", "scores",
]
