"""Which decisions of sweeps on the networks at a level are stored."""

from collections.abc import Sequence
from dataclasses import replace

from companion.lab.experiments import runner
from companion.papers.bouckaert2004.sweeps import experiments as by_margin
from companion.papers.levels import committed, search

#: The sweeps that claims about the sources with a margin rest on, and the data sets of
#: each network: as many as of a network of the margin alone.
DATA_SETS = {"class_probability": 25, "runs": 12}

#: Keeps the random numbers apart from those of other experiments with this seed.
STREAM = 5413


def stored_as(sweep: str) -> str:
    """Return the name of the stored run of a sweep at the levels.

    >>> stored_as("runs")
    'sweep_runs_at_levels'
    """
    return f"sweep_{sweep}_at_levels"


def experiment(sweep: str, source: int, values: Sequence[float]) -> runner.Experiment:
    """Return the experiment of a sweep on the networks of a source, whatever their level.

    All values of a sweep have the same random numbers.
    """
    alike = by_margin.experiment(sweep, str(source), values)
    specs: list[str | dict] = list(committed.names(source))
    if sweep == "class_probability":
        (first,) = values
        probabilities = [first, round(1 - first, 10)]
        specs = [
            {"network": name, "class_probabilities": probabilities} for name in specs
        ]
    return replace(
        alike,
        function="companion.papers.levels.sweep_experiments:decisions_over_grid",
        parameters={**alike.parameters, "sources": specs},
        stream=(STREAM, *alike.stream),
    )


def plan(sweep: str) -> dict[str, tuple[runner.Experiment, int]]:
    """Return the experiments of a sweep and the number of data sets, keyed as by margin.

    >>> list(plan("runs"))
    ['source2', 'source3', 'source4']
    """
    values = by_margin.SWEEPS[sweep].values
    return {
        by_margin.key_of(sweep, str(source), group): (
            experiment(sweep, source, group),
            DATA_SETS[sweep],
        )
        for source in search.MIDDLES
        for group in by_margin.groups(sweep, values)
    }
