"""Your own experiment: which classifier is better, and would you decide the same again?

=============================  ===============================================================
:func:`compare_scores`         scores of two classifiers on the same splits of one data set
:func:`compare_classifiers`    two scikit-learn estimators and a data set
:func:`compare_predictions`    predictions of two classifiers for one test set
:func:`compare_item_scores`    scores of two models per run and item, with clusters or without
:func:`compare_benchmark`      many classifiers on many data sets
=============================  ===============================================================
"""

from replib.comparison.benchmark import Benchmark, compare_benchmark
from replib.comparison.design import Design
from replib.comparison.items import ItemComparison, compare_item_scores
from replib.comparison.predictions import (
    PredictionComparison,
    compare_counts,
    compare_predictions,
)
from replib.comparison.result import Comparison
from replib.comparison.two_classifiers import compare_classifiers, compare_scores

__all__ = [
    "Benchmark", "Comparison", "Design", "ItemComparison", "PredictionComparison",
    "compare_benchmark", "compare_classifiers", "compare_counts",
    "compare_item_scores", "compare_predictions",
    "compare_scores",
]
