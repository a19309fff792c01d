"""The cells of the map: populations, sizes, designs and learners.

A new learner or population gets the designs of its kind; only its own cells have to be
run.
"""

from collections.abc import Iterator
from zlib import crc32

from companion.lab.datasets import table
from companion.lab.experiments import runner
from companion.studies.correlation_map.experiments import (
    FINITE,
    LEARNERS,
    NETWORKS,
    OURS,
    POPULATIONS,
    TWINS,
    outcomes,
)

SEED = 2026
#: Data sets of each cell.
DATASETS = 200

#: Designs by name: parameters of `outcomes`.
DESIGNS: dict[str, dict[str, int]] = {
    "2x10": {"runs": 2, "folds": 10},
    "10x10": {"runs": 10, "folds": 10},
    "2x5": {"runs": 2, "folds": 5},
    "random 10%": {"runs": 20, "folds": 1, "test_percent": 10},
    "random 33%": {"runs": 20, "folds": 1, "test_percent": 33},
}
#: Learners that take long.
SLOW = ("forest", "boosting", "network")
#: Populations on which the slow learners also run, and models get two fresh test sets.
FULL = ("source4.0", "hastie")
FRESH = 500
#: Populations with larger data sets, by size.
LARGER = {
    300: tuple(POPULATIONS),
    1000: ("friedman1", "hastie", "classification", "quantiles", "source4.1"),
    3000: ("friedman1", "quantiles"),
}
#: Populations with other designs.
OTHER = ("quantiles", "source4.1")


def cells() -> Iterator[tuple[str, int, str]]:
    """Yield population, instances and design of each cell, the most important ones first."""
    yield from ((name, 100, "2x10") for name in POPULATIONS)
    yield from ((name, 100, design) for design in list(DESIGNS)[1:] for name in OTHER)
    yield from ((name, n, "2x10") for n, names in LARGER.items() for name in names)


def rows(population: str) -> float:
    """Return the number of rows of a population: infinite if it is not in `FINITE`.

    >>> rows("hastie"), rows("digits"), rows("uci.vowel")
    (inf, 1797, 990)
    """
    if population.startswith("uci."):
        return int(table().at[population.removeprefix("uci."), "instances"])
    return 1797 if population in FINITE else float("inf")


def learners_of(population: str, instances: int, design: str) -> list[str]:
    """List the learners of a cell; on twins, all of them come twice."""
    full = population in FULL and instances == 100 and design == "2x10"
    names = [name for name in LEARNERS if full or name not in SLOW]
    return names + list(OURS) * (population in NETWORKS + TWINS)


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """Return the experiment of each cell, and its number of data sets."""
    found = {}
    for population, n, design in cells():
        names = learners_of(population, n, design)
        fresh = FRESH if set(SLOW) & set(names) else 0
        stream = crc32(population.encode()), n, list(DESIGNS).index(design)
        found[f"{population} n={n} {design}"] = (
            runner.Experiment(
                outcomes,
                seed=SEED,
                stream=stream,
                parameters={
                    "population": population,
                    "instances": n,
                    "learners": names,
                    "fresh": fresh,
                    **DESIGNS[design],
                },
            ),
            DATASETS,
        )
    return found
