"""The stored samples of UCI data sets, and the true accuracies of the learners.

A population is one of the 27 data sets with at least `TIMES` as many rows as a sample,
and fewer attributes than a sample has rows (this excludes *arrhythmia*, which would
take nearly half of all the time).
"""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from companion.lab import datasets
from companion.lab.experiments import runner
from companion.studies.since_the_papers import experiments as bench
from companion.studies.since_the_papers.populations.experiments import (
    fitted_differences,
    outcomes,
)

#: A population has at least this many times the rows of a sample.
TIMES = 3
#: Samples of each population, by size and whether they are drawn with replacement.
SAMPLES = {(100, False): 20, (300, False): 8, (100, True): 12}
#: Samples per replication.
AT_ONCE = 4

#: By experiment, what `truth` returns in units of 1 / `bench.UNIT`; written by
#: `write_truth`.
TRUTH = Path(__file__).with_name("truth.json")


def populations(instances: int) -> list[str]:
    """List the data sets from which samples of a size are drawn.

    >>> populations(300)
    ['credit-g', 'vowel']
    """
    of = datasets.table().loc[list(datasets.names())]
    large = of["instances"] >= TIMES * instances
    return list(of.index[large & (of["numeric"] + of["nominal"] < instances)])


def _experiments(
    function: Callable, **parameters: object
) -> dict[str, runner.Experiment]:
    return {
        f"{name} n={n}{', with replacement' * again}": runner.Experiment(
            function,
            seed=bench.SEED,
            stream=(datasets.names().index(name), n, int(again)),
            parameters={"source": f"uci.{name}", "instances": n, "replacement": again}
            | parameters,
        )
        for n, again in SAMPLES
        for name in populations(n)
    }


def write_truth(samples: int = 300) -> None:
    """Measure the learners' mean true differences over samples, and write them to `TRUTH`."""
    lines = []
    for key, one in _experiments(fitted_differences).items():
        found = runner.replicate(one, samples, chunk_size=samples).counts
        rows = np.rint(
            [found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(samples)]
        )
        lines.append(f" {json.dumps(key)}: {json.dumps(rows.astype(int).tolist())}")
    TRUTH.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


@cache
def truth() -> dict[str, np.ndarray]:
    """Return the mean true difference of each pair after training on a sample, and its error.

    >>> truth()["vowel n=300"].shape
    (2, 5)
    """
    stored = json.loads(TRUTH.read_text(encoding="utf-8"))
    return {key: np.array(rows) / bench.UNIT for key, rows in stored.items()}


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """Return the stored experiments by population and size, and how often each is repeated."""
    found = {}
    for key, one in _experiments(outcomes, datasets=AT_ONCE, experiments=2).items():
        of = {**one.parameters, "truth": truth()[key][0].tolist()}
        number = SAMPLES[of["instances"], of["replacement"]] // AT_ONCE
        found[key] = replace(one, parameters=of), number
    return found
