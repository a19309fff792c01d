"""The sweeps as experiments: what is varied, on which sources, and how much is stored.

An experiment compares two learners on one data set by sorted runs, and also by the
corrected t test, and is repeated ten times.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from operator import contains

from companion.lab.experiments import runner
from companion.papers import networks
from replib._validation import check_choice

SEED = 2004
#: Repetitions of an experiment on one data set.
EXPERIMENTS = 10
#: Tests of an experiment: the paper's three on sorted runs, the sign test without the
#: error in its printed rule, and the corrected t test of repeated cross-validation.
DESIGNS = {
    "signed_rank": "average_over_sorted_runs.signed_rank",
    "sign_test": "average_over_sorted_runs.sign_test",
    "paired_t": "average_over_sorted_runs.paired_t",
    "exact_sign_test": "average_over_sorted_runs.exact_sign_test",
    "corrected_t": "corrected_repeated_cv",
}
#: The tests that the paper's claims are about.
TESTS_OF_THE_PAPER = ("signed_rank", "sign_test", "paired_t")
#: The sources of the papers, by number.
SOURCES = ("1", "2", "3", "4")
#: Significance level of the sweeps that vary something else.
LEVEL = 0.05

_BASE = {
    "instances": 300,
    "experiments": EXPERIMENTS,
    "designs": list(DESIGNS.values()),
    "runs": [10],
    "alphas": [LEVEL],
    "folds": 10,
    "learners": ["naive_bayes", "c45"],
}
#: Random networks per class cardinality; the other sweeps use the committed networks.
_RANDOM_NETWORKS = 20


@dataclass(frozen=True)
class Sweep:
    """A quantity that varies, and how much of its sweep is stored.

    Attributes
    ----------
    values : tuple of float
        The values of the quantity.
    parameters : callable
        Takes a source and a sequence of values, and returns the parameters of
        :func:`companion.lab.experiments.on_sources.decisions_over_grid` that differ from the usual
        ones.
    data_sets : callable
        Takes a source and a value, and returns how many data sets of each network are
        stored.
    sources : tuple of str
    is_axis : bool
        Whether one experiment covers all values on the same splits; if not, each value
        has an experiment of its own.
    """

    values: tuple[float, ...]
    parameters: Callable[[str, Sequence[float]], dict]
    data_sets: Callable[[str, float], int]
    sources: tuple[str, ...] = SOURCES
    is_axis: bool = False


def networks_of(
    source: str, class_probability: float | None = None
) -> list[str | dict]:
    """List the ten committed networks of a source, or them with another first class probability."""
    names = networks.names(int(source))
    if class_probability is None:
        return names
    p = [class_probability, round(1 - class_probability, 10)]
    return [{"network": name, "class_probabilities": p} for name in names]


def _random_networks(source: str, classes: int) -> list[dict]:
    """List random networks like the committed ones, with any number of equally likely classes."""
    return [
        {
            "seed": SEED,
            "stream": [classes, number],
            "class_probabilities": [1 / classes] * classes,
            "arrows": None if source == "1" else [0, 45],
        }
        for number in range(_RANDOM_NETWORKS)
    ]


def _networks_of_size(source: str, instances: float) -> int:
    """Count the networks that have data sets of a size; large data sets take seconds each.

    Where one learner is better, large data sets leave no doubt, so most of them are
    from source 1.
    """
    if instances <= 10_000:
        return 10
    return 3 if source == "1" else 1


def _alpha_parameters(source: str, alphas: Sequence[float]) -> dict:
    return {"sources": networks_of(source), "alphas": list(alphas)}


def _runs_parameters(source: str, runs: Sequence[float]) -> dict:
    return {"sources": networks_of(source), "runs": [int(n) for n in runs]}


def _class_probability_parameters(source: str, values: Sequence[float]) -> dict:
    (probability,) = values
    return {"sources": networks_of(source, probability)}


def _class_cardinality_parameters(source: str, values: Sequence[float]) -> dict:
    (classes,) = values
    return {"sources": _random_networks(source, int(classes))}


def _instances_parameters(source: str, values: Sequence[float]) -> dict:
    (instances,) = values
    sources = networks_of(source)[: _networks_of_size(source, instances)]
    return {"sources": sources, "instances": int(instances)}


def _data_sets(on_source_1: int, elsewhere: int, source: str, _: float) -> int:
    """Count the data sets of a network in a sweep where only the source matters."""
    return on_source_1 if source == "1" else elsewhere


#: Data sets of each network by their size, on source 1 and elsewhere; two beyond these.
_DATA_SETS_OF_SIZE = {
    100: (20, 20),
    300: (20, 20),
    1000: (12, 12),
    3000: (5, 5),
    10_000: (4, 1),
    30_000: (4, 2),
}


def _data_sets_of_size(source: str, instances: float) -> int:
    on_source_1, elsewhere = _DATA_SETS_OF_SIZE.get(int(instances), (2, 2))
    return on_source_1 if source == "1" else elsewhere


#: The sweeps, by the quantity that varies.
SWEEPS = {
    "alpha": Sweep(
        (0.01, 0.025, 0.05, 0.1),
        _alpha_parameters,
        partial(_data_sets, 100, 30),
        is_axis=True,
    ),
    "runs": Sweep(
        tuple(range(10, 101, 10)),
        _runs_parameters,
        partial(_data_sets, 30, 12),
        is_axis=True,
    ),
    "class_probability": Sweep(
        (0.5, 0.4, 0.3, 0.2, 0.1),
        _class_probability_parameters,
        partial(_data_sets, 80, 25),
    ),
    "class_cardinality": Sweep(
        (2, 3, 4),
        _class_cardinality_parameters,
        partial(_data_sets, 40, 15),
        sources=("1", "random"),
    ),
    "instances": Sweep(
        (100, 300, 1000, 3000, 10_000, 30_000, 100_000),
        _instances_parameters,
        _data_sets_of_size,
    ),
}
#: The learners of the paper, in the order of the last axis of the stored counts.
SIX = ("naive_bayes", "c45", "nearest_neighbour", "tan", "decision_stump", "linear_svm")
#: By source: data sets of each network, and experiments on each data set.  Source 1 has
#: twice as many experiments in all, on more data sets, for a more precise Type I error
#: rate.
_PAIRS_DATA_SETS = {"1": (30, 2), "2": (3, 10), "3": (3, 10), "4": (3, 10)}
#: Stored runs: the sweeps, and the pairs of learners.
STORED = (*SWEEPS, "pairs")


def experiment(
    sweep: str, source: str, values: Sequence[float], **parameters
) -> runner.Experiment:
    """Return the experiment of a sweep on the networks of one source.

    All values of a sweep have the same random numbers, so that their data sets are as
    similar as the values allow.
    """
    check_choice("sweep", sweep, tuple(SWEEPS))
    check_choice("source", source, SWEEPS[sweep].sources)
    stream = list(SWEEPS).index(sweep), SWEEPS[sweep].sources.index(source)
    return runner.Experiment(
        "companion.papers.networks.experiments:decisions_over_grid",
        seed=SEED,
        stream=stream,
        parameters=_BASE | SWEEPS[sweep].parameters(source, values) | parameters,
    )


def pairs_experiment(network: str, experiments: int, **parameters) -> runner.Experiment:
    """Return the experiment that compares all learners on data sets of a committed network."""
    return runner.Experiment(
        "companion.papers.networks.experiments:correct_counts",
        seed=SEED,
        stream=(len(SWEEPS), networks.names().index(network)),
        parameters={
            "source": network,
            "instances": _BASE["instances"],
            "experiments": experiments,
            "runs": _BASE["runs"][0],
            "folds": _BASE["folds"],
            "learners": list(SIX),
        }
        | parameters,
    )


def groups(sweep: str, values: Sequence[float]) -> list[tuple[float, ...]]:
    """Return the values of each experiment of a sweep."""
    if SWEEPS[sweep].is_axis:
        return [tuple(values)]
    return [(value,) for value in values]


def key_of(sweep: str, source: str, values: Sequence[float]) -> str:
    """Return the key of an experiment in a stored sweep.

    >>> key_of("class_probability", "2", [0.1]), key_of("runs", "2", [10, 20])
    ('source2.0.1', 'source2')
    """
    key = f"source{source}"
    return key if SWEEPS[sweep].is_axis else f"{key}.{values[0]:g}"


def plan(name: str) -> dict[str, tuple[runner.Experiment, int]]:
    """Return the experiments of one of `STORED`, and the number of data sets of each network."""
    return _plan_of_pairs() if name == "pairs" else _plan_of_sweep(name)


def _plan_of_sweep(name: str) -> dict[str, tuple[runner.Experiment, int]]:
    sweep = SWEEPS[name]
    experiments = {}
    for source, values in product(sweep.sources, groups(name, sweep.values)):
        data_sets = sweep.data_sets(source, values[0])
        key = key_of(name, source, values)
        experiments[key] = experiment(name, source, values), data_sets
    return experiments


def _plan_of_pairs() -> dict[str, tuple[runner.Experiment, int]]:
    experiments = {}
    for network in networks.names():
        data_sets, repetitions = _PAIRS_DATA_SETS[source_of(network)]
        experiments[network] = pairs_experiment(network, repetitions), data_sets
    return experiments


def source_of(network: str) -> str:
    """Return the number of a network's source.

    >>> source_of("source3.07")
    '3'
    """
    return network.removeprefix("source").split(".")[0]


def _is_between_0_and_1(value: float) -> bool:
    return 0 < value < 1


#: The values that a sweep allows, in words and as a predicate.
_ALLOWED: dict[str, tuple[str, Callable[[float], bool]]] = {
    "alpha": ("between 0 and 1", _is_between_0_and_1),
    "runs": ("whole numbers from 2 to 1000", partial(contains, range(2, 1001))),
    "class_probability": ("between 0 and 1", _is_between_0_and_1),
    "class_cardinality": (
        "whole numbers from 2 to 10",
        partial(contains, range(2, 11)),
    ),
    "instances": (
        "whole numbers from 20 to 100000",
        partial(contains, range(20, 100_001)),
    ),
}


def check_live(sweep: str, values: Sequence[float], source: str) -> None:
    """Raise an error for anything that :func:`live` cannot run, before anything runs.

    >>> check_live("runs", [5, 10], "2")
    >>> check_live("alpha", [5], "2")
    Traceback (most recent call last):
    ...
    ValueError: values of the sweep alpha must be between 0 and 1, not [5]
    """
    check_choice("sweep", sweep, tuple(SWEEPS))
    check_choice(f"the source of the sweep {sweep}", source, SWEEPS[sweep].sources)
    words, is_allowed = _ALLOWED[sweep]
    if not values or not all(map(is_allowed, values)):
        raise ValueError(
            f"values of the sweep {sweep} must be {words}, not {list(values)}"
        )


def check_parameters(
    *, live_sweep: str, live_values: Sequence[float], live_source: str, **_: object
) -> None:
    """Raise an error if the reader's own sweep, a parameter of the chapter, could not run."""
    if live_sweep != "none":
        check_live(live_sweep, live_values, live_source)


def live(
    sweep: str,
    values: Sequence[float],
    *,
    source: str = "2",
    data_sets: int = 5,
    **parameters,
) -> dict[str, runner.Replications]:
    """Run a sweep over the reader's own values; results by setting, as they are stored."""
    check_live(sweep, values, source)
    return {
        f"source{source}.{group[0]:g}": runner.replicate(
            experiment(sweep, source, group, **parameters), data_sets
        )
        for group in groups(sweep, values)
    }
