"""Your own experiment: which classifier is better, and would a rerun reach the same decision?

=============================  ===============================================================
:func:`compare_scores`         scores of two or more classifiers on the same splits of a data set
:func:`compare_classifiers`    two or more scikit-learn estimators and a data set
:func:`compare_predictions`    predictions of two classifiers for one test set
:func:`compare_item_scores`    scores of two models per run and item, with clusters or without
:func:`compare_benchmark`      scores of classifiers on many data sets
:func:`run_benchmark`          estimators and data sets
:func:`compare_search`         a search over hyperparameters: its winner and the others
=============================  ===============================================================
"""

from replib.comparison.benchmark import Benchmark, compare_benchmark, run_benchmark
from replib.comparison.classifiers import compare_classifiers, compare_scores
from replib.comparison.design import Design
from replib.comparison.items import ItemComparison, compare_item_scores
from replib.comparison.many_classifiers import MultipleComparison
from replib.comparison.predictions import (
    PredictionComparison,
    compare_counts,
    compare_predictions,
)
from replib.comparison.result import Comparison
from replib.comparison.search import SearchComparison, compare_search

__all__ = [
    "Benchmark", "Comparison", "Design", "ItemComparison", "MultipleComparison",
    "PredictionComparison", "SearchComparison", "compare_benchmark", "compare_classifiers",
    "compare_counts", "compare_item_scores", "compare_predictions", "compare_scores",
    "compare_search", "run_benchmark",
]
