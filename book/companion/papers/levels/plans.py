"""Which decisions on the networks at a level are stored."""

from companion.lab.experiments import runner
from companion.papers import methods_of_2004, synthetic
from companion.papers.levels import committed

#: Data sets of each network, as many as the papers had.
DATASETS = 1000


def experiment(name: str) -> runner.Experiment:
    """Decisions of all designs on data sets of a network, at the papers' setting.

    >>> experiment("source2.at_level.7").stream
    (54, 2, 7)
    """
    source, place = committed.source_and_place(name)
    parameters = {
        "network": name,
        "designs": list(methods_of_2004.METHODS),
        **synthetic.SETTING,
    }
    return runner.Experiment(
        "companion.papers.levels.experiments:decisions",
        seed=synthetic.SEED,
        parameters=parameters,
        stream=(committed.STREAM, source, place),
    )


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """Return every experiment and the number of its data sets, by the name of the network."""
    return {name: (experiment(name), DATASETS) for name in committed.names()}
