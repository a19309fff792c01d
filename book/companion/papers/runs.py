"""The long runs that the papers need, for the catalogue of `companion.stored`."""

from functools import partial

from companion.lab import datasets
from companion.lab.experiments.long_run import (
    LongRun,
    if_data_sets_are_here,
    of_few_instances,
)
from companion.lab.experiments.results import Plan
from companion.papers import synthetic, uci, witnesses
from companion.papers.berrar2024 import study_1, study_2, study_3, study_4
from companion.papers.bouckaert2004.sweeps import experiments as sweeps
from companion.papers.bouckaert2005 import simulation
from companion.papers.bouckaert_frank2004 import readings
from companion.papers.levels import plans, sweep_plans
from replib import methods


def _uci(split: str, neighbour: str | None = None) -> LongRun:
    how_split = split.removeprefix("uci_").replace("_", " ")
    learners = "three learners"
    if neighbour:
        choice = neighbour.replace("_", " ")
        learners = f"one of equally near neighbours, {choice}"
    return LongRun(
        f"27 UCI data sets, {how_split}: {learners}",
        partial(_uci_plan, split, neighbour),
        at_hand=if_data_sets_are_here,
    )


def _uci_plan(split: str, neighbour: str | None) -> Plan:
    return {
        name: (uci.experiment(split, name, neighbour=neighbour), uci.EXPERIMENTS)
        for name in datasets.names()
    }


_ON_UCI = {split: _uci(split) for split in uci.SPLITS}

_WITH_ONE_NEIGHBOUR = {
    f"{split}_{neighbour}": _uci(split, neighbour)
    for neighbour, (_, splits) in uci.NEIGHBOURS.items()
    for split in splits
}

_LATER_DESIGNS = {
    f"decisions_{name}": LongRun(
        f"forty networks: decisions of {design.describe()}",
        partial(synthetic.plan, designs=[name]),
    )
    for name, design in methods.LATER.items()
}

_SWEEPS = {
    f"sweep_{sweep}": LongRun(
        f"what moves replicability: {sweep.replace('_', ' ')}",
        partial(sweeps.plan, sweep),
        at_hand=of_few_instances,
    )
    for sweep in sweeps.STORED
}

_SWEEPS_AT_LEVELS = {
    sweep_plans.stored_as(sweep): LongRun(
        f"networks of the printed margins at levels in question: {sweep.replace('_', ' ')}",
        partial(sweep_plans.plan, sweep),
    )
    for sweep in sweep_plans.DATA_SETS
}

_FOUR_STUDIES = {
    study_1.NEEDS[0]: LongRun(
        "two classifiers on 20 data sets, 21 groups", study_1.plan
    ),
    study_2.NEEDS[0]: LongRun(
        "two classifiers on 44 data sets, ten groups", study_2.plan
    ),
    study_3.NEEDS[0]: LongRun(
        "a support vector machine against itself with an oracle", study_3.plan
    ),
    study_4.NEEDS[0]: LongRun(
        "a support vector machine against forests of 500 trees",
        study_4.plan_default_forest,
    ),
    study_4.NEEDS[1]: LongRun("the same against forests of ten trees", study_4.plan),
}

#: The stored runs by name, which is also the name of their files.
RUNS: dict[str, LongRun] = {
    **_ON_UCI,
    **_WITH_ONE_NEIGHBOUR,
    "synthetic_decisions": LongRun(
        "forty networks: decisions of all designs", synthetic.plan
    ),
    **_LATER_DESIGNS,
    "decisions_at_levels": LongRun(
        "networks of the printed margins at levels in question: decisions of all designs",
        plans.plan,
    ),
    "table_5_readings": LongRun(
        "forty networks: 5x2cv and ten resamplings, read in other ways", readings.plan
    ),
    "witness_search": LongRun(
        "networks of the printed margins compared with print", witnesses.search_plan
    ),
    "witness_decisions": LongRun(
        "the nearest of them on new data sets", witnesses.confirmation_plan
    ),
    **_SWEEPS,
    **_SWEEPS_AT_LEVELS,
    "profiles": LongRun(
        "Task I: McNemar's test, resampling and cross-validation by data set size",
        simulation.plan,
    ),
    **_FOUR_STUDIES,
}
