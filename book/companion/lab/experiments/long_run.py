"""A run that is too long for a build: its plan, and which part of it can be repeated soon.

Papers and studies list theirs in a module `runs` each; `companion.stored` puts them into one
catalogue, and reads and writes their files.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass

from companion.lab import datasets
from companion.lab.experiments.results import Plan
from companion.lab.experiments.runner import Replications

#: Results by the name of their experiment.
Results = Mapping[str, Replications]

#: Instances of the largest data set that a spot check draws again in a build.
MOST_INSTANCES = 3000


@dataclass(frozen=True)
class LongRun:
    """An entry of the catalogue of stored runs.

    Attributes
    ----------
    title : str
        What the run is for.
    plan : callable
        Returns the experiments and how often each is repeated.
    at_hand : callable
        Takes results and returns those that a spot check can repeat on this machine.
    """

    title: str
    plan: Callable[[], Plan]
    _: KW_ONLY
    at_hand: Callable[[Results], Results] = dict


def if_data_sets_are_here(results: Results) -> Results:
    """Leave out everything where the UCI data sets are not at hand."""
    return results if os.environ.get(datasets.FOLDER_VARIABLE) else {}


def of_few_instances(results: Results) -> Results:
    """Leave out data sets that are too large to draw again in every build."""
    return {
        name: result
        for name, result in results.items()
        if result.experiment.parameters["instances"] <= MOST_INSTANCES
    }
