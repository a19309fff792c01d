"""The stored experiments of the bench, and their numbers of data sets."""

from companion.lab.experiments import runner
from companion.papers import networks
from companion.studies.since_the_papers.experiments import (
    SIZES,
    experiment,
    twin_names,
)

#: Steps of Task I; the first has no difference.
TASK_1_STEPS = (0, 10, 20, 40)

#: Data sets of each source, by kind or name and by size of a data set.  There are most
#: where the learners are equally good, for Type I error.  Anything missing here has not
#: been run.
DATASETS = {
    "source1": dict.fromkeys(SIZES, 450),
    **dict.fromkeys(("source2", "source3", "source4"), dict.fromkeys(SIZES, 40)),
    "twins": {100: 460, 300: 460, 1000: 480, 3000: 480},
    "task_1": {100: 600, 300: 600, 1000: 300, 3000: 300},
    "task_1.0": dict.fromkeys(SIZES, 5000),
}
#: The same for the methods in `methods.COSTLY`.
COSTLY_DATASETS = {
    "source1": {100: 160, 300: 160, 1000: 80},
    **dict.fromkeys(("source2", "source3", "source4"), dict.fromkeys(SIZES[:3], 20)),
    "twins": {100: 100, 300: 100, 1000: 40},
    "task_1": {300: 300},
}
#: Data sets per replication.
AT_ONCE = 10


def plan(costly: bool = False) -> dict[str, tuple[runner.Experiment, int]]:
    """Return the stored experiments by source and size, and how often each is repeated.

    >>> {AT_ONCE * number for name, (_, number) in plan().items() if name.startswith("source1.")}
    {450}
    """
    numbers = COSTLY_DATASETS if costly else DATASETS
    task_1 = [f"task_1.{step}" for step in TASK_1_STEPS]
    found = {}
    for n in SIZES:
        for source in [*networks.names(), *twin_names(), *task_1]:
            of_source = numbers.get(source) or numbers[source.split(".")[0]]
            if n in of_source:
                one = experiment(source, n, costly=costly, datasets=AT_ONCE)
                found[f"{source} n={n}"] = one, of_source[n] // AT_ONCE
    return found
