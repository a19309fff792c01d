"""The long runs of the studies, for the catalogue of `companion.stored`."""

import os
from functools import partial

from companion.lab import datasets
from companion.lab.experiments.long_run import (
    LongRun,
    Results,
    if_data_sets_are_here,
    of_few_instances,
)
from companion.studies import (
    five_seeds,
    one_experiment,
    replication_of_benchmarks,
    reruns,
    rules_for_seeds,
    trained_seeds,
)
from companion.studies.adaptive_design import experiments as adaptive_design
from companion.studies.correlation_map import equal_size
from companion.studies.correlation_map import plans as correlation_map
from companion.studies.since_2024 import experiments as since_2024
from companion.studies.since_2024 import on_the_map as sharp_on_the_map
from companion.studies.since_the_papers import plans as since_the_papers
from companion.studies.since_the_papers.populations import plans as populations

#: Items and runs of the largest cell that a spot check draws again in a build.
MOST_ITEMS = 100
MOST_RUNS = 3


def _without_uci(results: Results) -> Results:
    """Leave out samples of UCI data sets where these are not at hand."""
    if os.environ.get(datasets.FOLDER_VARIABLE):
        return results
    return {
        name: result for name, result in results.items() if not name.startswith("uci.")
    }


def _cheap_cells(results: Results) -> Results:
    """Leave out what takes long: many items, many runs, and metrics that are functions."""
    return {
        name: result
        for name, result in results.items()
        if _is_cheap(result.experiment.parameters)
    }


def _is_cheap(parameters: dict) -> bool:
    is_function = parameters.get("metric") == "function"
    few_items = parameters.get("items", 0) <= MOST_ITEMS
    return few_items and parameters["runs"] <= MOST_RUNS and not is_function


#: The stored runs by name, which is also the name of their files.
RUNS: dict[str, LongRun] = {
    "adaptive_design": LongRun(
        "forty networks: where adaptive designs stop", adaptive_design.plan
    ),
    "reruns_scikit_learn": LongRun(
        "seven data sets of scikit-learn: 200 experiments each",
        reruns.plan_scikit_learn,
    ),
    "one_experiment": LongRun(
        "the experiment of Part I: 500 seeds on the same data, and on data of their own",
        one_experiment.plan,
    ),
    "reruns_sources": LongRun(
        "a data set of each network: 200 experiments each", reruns.plan_sources
    ),
    "since_the_papers": LongRun(
        "later methods on the bench",
        partial(since_the_papers.plan, False),
        at_hand=of_few_instances,
    ),
    "since_the_papers_costly": LongRun(
        "later methods on the bench, the costly ones",
        partial(since_the_papers.plan, True),
        at_hand=of_few_instances,
    ),
    "since_the_papers_uci": LongRun(
        "later methods on samples of UCI data sets",
        populations.plan,
        at_hand=if_data_sets_are_here,
    ),
    "trained_seeds": LongRun(
        "three small networks, fifty seeds each: right on which test instances",
        trained_seeds.plan,
    ),
    "trained_seeds_held_out": LongRun(
        "three other networks, fifty seeds each, on another split",
        trained_seeds.plan_held_out,
    ),
    "five_seeds": LongRun(
        "Type I error of three questions about models with seeds",
        five_seeds.plan,
        at_hand=_cheap_cells,
    ),
    "five_seeds_metrics": LongRun(
        "the same for metrics that are not means over items",
        five_seeds.metrics_plan,
        at_hand=_cheap_cells,
    ),
    "rules_for_seeds": LongRun(
        "Type I error of rules with one score per seed",
        rules_for_seeds.plan,
        at_hand=_cheap_cells,
    ),
    "replication_of_benchmarks": LongRun(
        "simulated benchmarks: intervals of the replication probability",
        replication_of_benchmarks.plan,
    ),
    "equal_size": LongRun(
        "widths of the intervals of the bench, for calibration", equal_size.plan
    ),
    "since_2024": LongRun(
        "SHARP, runs of ten folds and a conservative interval on the networks",
        since_2024.plan,
    ),
    "sharp_on_the_map": LongRun(
        "SHARP on three populations of the map: correct predictions in each half",
        sharp_on_the_map.plan,
    ),
    "correlation_map": LongRun(
        "pairs of learners on samples of many populations: correct predictions in each fold",
        correlation_map.plan,
        at_hand=_without_uci,
    ),
}
