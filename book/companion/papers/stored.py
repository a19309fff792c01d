"""The one catalogue of runs that are too long for a build, and the only reader of their files.

An entry of `CATALOGUE` says which experiments a run consists of and how often each is repeated;
their integer counts are in ``book/results``.  :func:`load` reads them, :func:`run` recomputes them,
and :func:`spot_check` repeats a few of them.  Functions of `companion.papers` take the result of
:func:`load`; a module that defines experiments for this catalogue must not import it.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from companion.lab import datasets
from companion.lab.experiments import engine, provenance, results
from companion.papers import synthetic, uci
from companion.papers.berrar2024 import study_1, study_2, study_3, study_4
from companion.papers.bouckaert2004.sweeps import experiments as sweeps
from companion.papers.bouckaert2005 import simulation
from companion.papers.bouckaert_frank2004 import readings
from companion.papers.networks import witnesses
from companion.papers.topics import (
    five_seeds,
    one_experiment,
    replication_of_benchmarks,
    reruns,
    rules_for_seeds,
    trained_seeds,
)
from companion.papers.topics.adaptive_design import experiments as adaptive_design
from companion.papers.topics.correlation_map import equal_size
from companion.papers.topics.correlation_map import plans as correlation_map
from companion.papers.topics.since_the_papers import plans as since_the_papers
from companion.papers.topics.since_the_papers.populations import plans as populations
from replib import methods
from replib._validation import check_choice

#: The folder of the files: ``<name>.npz`` has the counts, ``<name>.json`` their
#: provenance.
FOLDER = Path(__file__).resolve().parents[2] / "results"

#: The results for a plan: stored ones, else new ones.
results_for = results.results_for


class StoredResultsInvalid(RuntimeError):
    """A stored file is missing, truncated or edited, or does not match the catalogue."""


@dataclass(frozen=True)
class LongRun:
    """An entry of the catalogue.

    Attributes
    ----------
    title : str
        What the run is for.
    plan : callable
        Returns the experiments and how often each is repeated.
    chunk_size : int
        Replications that a worker runs in one go.
    at_hand : callable
        Takes results and returns those that a spot check can repeat on this machine.
    """

    title: str
    plan: Callable[[], results.Plan]
    chunk_size: int
    at_hand: Callable[[Mapping], Mapping] = dict


def _of_data_sets_here(found: Mapping) -> Mapping:
    return found if os.environ.get(datasets.FOLDER_VARIABLE) else {}


def _without_uci(found: Mapping) -> Mapping:
    """Leave out samples of UCI data sets where these are not at hand."""
    return {
        name: one
        for name, one in found.items()
        if os.environ.get(datasets.FOLDER_VARIABLE) or not name.startswith("uci.")
    }


def _quick_ones(found: Mapping) -> Mapping:
    """Leave out data sets of more than 3000 instances, too slow to redraw in every build."""
    return {
        name: one
        for name, one in found.items()
        if one.experiment.parameters["instances"] <= 3000
    }


def _cheap_cells(found: Mapping) -> Mapping:
    """Leave out what takes long: more than 100 items or three runs, and metrics as functions."""
    return {
        name: one
        for name, one in found.items()
        if one.experiment.parameters.get("items", 0) <= 100
        and one.experiment.parameters.get("metric") != "function"
        and one.experiment.parameters["runs"] <= 3
    }


def _uci(split: str, neighbour: str | None = None) -> LongRun:
    which = (
        f"one of equally near neighbours, {neighbour.replace('_', ' ')}"
        if neighbour
        else ("three learners")
    )
    return LongRun(
        f"27 UCI data sets, {split.removeprefix('uci_').replace('_', ' ')}: {which}",
        lambda: {
            name: (uci.experiment(split, name, neighbour=neighbour), uci.EXPERIMENTS)
            for name in datasets.names()
        },
        uci.TABLE // 2,
        _of_data_sets_here,
    )


#: The stored runs by name, which is also the name of their files.
CATALOGUE: dict[str, LongRun] = {
    **{split: _uci(split) for split in uci.SPLITS},
    **{
        f"{split}_{neighbour}": _uci(split, neighbour)
        for neighbour, (_, splits) in uci.NEIGHBOURS.items()
        for split in splits
    },
    "synthetic_decisions": LongRun(
        "forty networks: decisions of all designs", synthetic.plan, 10
    ),
    **{
        f"decisions_{name}": LongRun(
            f"forty networks: decisions of {design.describe()}",
            partial(synthetic.plan, designs=[name]),
            10,
        )
        for name, design in methods.LATER.items()
    },
    "table_5_readings": LongRun(
        "forty networks: 5x2cv and ten resamplings, read in other ways",
        readings.plan,
        1,
    ),
    "witness_search": LongRun(
        "networks of the printed margins compared with print", witnesses.search_plan, 1
    ),
    "witness_decisions": LongRun(
        "the nearest of them on new data sets", witnesses.confirmation_plan, 5
    ),
    **{
        f"sweep_{sweep}": LongRun(
            f"what moves replicability: {sweep.replace('_', ' ')}",
            partial(sweeps.plan, sweep),
            1,
            _quick_ones,
        )
        for sweep in sweeps.STORED
    },
    "adaptive_design": LongRun(
        "forty networks: where adaptive designs stop", adaptive_design.plan, 1
    ),
    "profiles": LongRun(
        "Task I: McNemar's test, resampling and cross-validation by data set size",
        simulation.plan,
        1,
    ),
    "reruns_scikit_learn": LongRun(
        "seven data sets of scikit-learn: 200 experiments each",
        reruns.plan_scikit_learn,
        5,
    ),
    "one_experiment": LongRun(
        "the experiment of Part I: 500 seeds on the same data, and on data of their own",
        one_experiment.plan,
        20,
    ),
    "reruns_sources": LongRun(
        "a data set of each network: 200 experiments each", reruns.plan_sources, 1
    ),
    "since_the_papers": LongRun(
        "later methods on the bench",
        partial(since_the_papers.plan, False),
        1,
        _quick_ones,
    ),
    "since_the_papers_costly": LongRun(
        "later methods on the bench, the costly ones",
        partial(since_the_papers.plan, True),
        1,
        _quick_ones,
    ),
    "since_the_papers_uci": LongRun(
        "later methods on samples of UCI data sets",
        populations.plan,
        1,
        _of_data_sets_here,
    ),
    "trained_seeds": LongRun(
        "three small networks, fifty seeds each: right on which test instances",
        trained_seeds.plan,
        5,
    ),
    "trained_seeds_held_out": LongRun(
        "three other networks, fifty seeds each, on another split",
        trained_seeds.plan_held_out,
        5,
    ),
    "five_seeds": LongRun(
        "Type I error of three questions about models with seeds",
        five_seeds.plan,
        1,
        _cheap_cells,
    ),
    "five_seeds_metrics": LongRun(
        "the same for metrics that are not means over items",
        five_seeds.metrics_plan,
        1,
        _cheap_cells,
    ),
    "rules_for_seeds": LongRun(
        "Type I error of rules with one score per seed",
        rules_for_seeds.plan,
        1,
        _cheap_cells,
    ),
    "replication_of_benchmarks": LongRun(
        "simulated benchmarks: intervals of the replication probability",
        replication_of_benchmarks.plan,
        1,
    ),
    "equal_size": LongRun(
        "widths of the intervals of the bench, for calibration", equal_size.plan, 1
    ),
    "correlation_map": LongRun(
        "pairs of learners on samples of many populations: correct predictions in each fold",
        correlation_map.plan,
        25,
        _without_uci,
    ),
    study_1.NEEDS[0]: LongRun(
        "two classifiers on 20 data sets, 21 groups", study_1.plan, 10
    ),
    study_2.NEEDS[0]: LongRun(
        "two classifiers on 44 data sets, ten groups", study_2.plan, 10
    ),
    study_3.NEEDS[0]: LongRun(
        "a support vector machine against itself with an oracle", study_3.plan, 10
    ),
    study_4.NEEDS[0]: LongRun(
        "a support vector machine against forests of 500 trees",
        study_4.plan_default_forest,
        2,
    ),
    study_4.NEEDS[1]: LongRun(
        "the same against forests of ten trees", study_4.plan, 10
    ),
}


def names(prefix: str = "") -> list[str]:
    """List the names in the catalogue that begin with a prefix.

    Examples
    --------
    >>> names("sweep_class")
    ['sweep_class_probability', 'sweep_class_cardinality']
    """
    return [name for name in CATALOGUE if name.startswith(prefix)]


def load(name: str, *, size: int | None = None) -> dict[str, engine.Replications]:
    """Load the stored results of a run: by experiment, the first `size` replications at most.

    Raises `StoredResultsInvalid` if a file is missing, truncated or edited, or if its
    experiments are not those of the catalogue.
    """
    check_choice("name", name, tuple(CATALOGUE))
    return {
        key: replace(one, counts=one.counts[:size])
        for key, one in _read(name, FOLDER).items()
    }


@cache
def _read(name: str, folder: Path) -> dict[str, engine.Replications]:
    try:
        found = results.load_results(folder / name)
    except FileNotFoundError as problem:
        raise _invalid(name, f"{Path(problem.filename).name} is missing") from problem
    except (
        json.JSONDecodeError,
        KeyError,
        TypeError,
        AttributeError,
        UnicodeDecodeError,
    ) as problem:
        raise _invalid(name, f"{name}.json is truncated or edited") from problem
    except ValueError as problem:
        raise _invalid(name, str(problem)) from problem
    planned = CATALOGUE[name].plan()
    for key in {**planned, **found}:
        if (
            key not in found
            or key not in planned
            or found[key].experiment != planned[key][0]
        ):
            raise _invalid(name, f"{key!r} is not stored as the catalogue describes it")
    return found


def _invalid(name: str, problem: str) -> StoredResultsInvalid:
    return StoredResultsInvalid(
        f"the stored results {name} cannot be used: {problem}; take the file from the repository, "
        f"or make it again with python -m replib results {name}"
    )


def run(name: str, *, size: int | None = None, folder: Path = FOLDER) -> None:
    """Run the experiments of an entry and write their counts.

    An interrupted run resumes where it was.  `size` is the largest number of
    replications of each experiment; by default there are as many as in the catalogue.
    """
    check_choice("name", name, tuple(CATALOGUE))
    it = CATALOGUE[name]
    results.save_results(
        Path(folder) / name,
        {
            key: engine.replicate(
                experiment, min(size or planned, planned), chunk_size=it.chunk_size
            )
            for key, (experiment, planned) in tqdm(
                it.plan().items(), desc=name, disable=None
            )
        },
    )
    _read.cache_clear()


def spot_check(
    name: str, k: int, *, rng: np.random.Generator | int | None = None
) -> str:
    """Run k stored replications again, drawn at random, and report the outcome in a sentence.

    With k = 0, or if the run needs data sets that this machine has not, say when this
    was done last.  Raises `companion.lab.experiments.results.ResultsDiffer` if one
    differs from the stored one.
    """
    found = CATALOGUE[name].at_hand(load(name)) if k else {}
    if not found:
        return f"{name}: {_when(load(name))}"
    checked = results.spot_check(found, k, rng=rng)
    return f"{name}: {_drawn(len(checked))} identical."


def _when(stored: Mapping[str, engine.Replications]) -> str:
    """Return when a run was made, and when some of it was last made again."""
    made = max(one.provenance["finished"] for one in stored.values())
    notes = [one.provenance.get("verified") for one in stored.values()]
    if not all(notes):
        return f"stored on {made}, and not run again since."
    last = min(notes, key=lambda note: note["finished"])
    return f"stored on {made}; on {last['finished']} {_drawn(last['replications'])} identical."


def _drawn(number: int) -> str:
    what = (
        "1 stored repetition was"
        if number == 1
        else f"{number} stored repetitions were"
    )
    return f"{what} drawn at random and run again:"


def changed() -> list[str]:
    """List the runs whose stored results were made by code other than today's."""
    known = {name: load(name).values() for name in CATALOGUE}
    by_modules = {
        one.experiment.modules: one.experiment for run in known.values() for one in run
    }
    now = {modules: engine.source_digest(one) for modules, one in by_modules.items()}
    return [
        name
        for name, run in known.items()
        if any(
            one.provenance.get("source_digest") != now[one.experiment.modules]
            for one in run
        )
    ]


def verify(name: str, k: int, *, folder: Path = FOLDER) -> str:
    """Run k stored replications again; if all are identical, record that today's code makes them.

    The stored counts are kept, and the digest of the source is renewed.  Raises
    `companion.lab.experiments.results.ResultsDiffer` if one differs from the stored
    one, and `companion.lab.datasets.DataUnavailable` if they need data sets that are
    not on this machine.
    """
    stored = results.load_results(Path(folder) / name)
    at_hand = CATALOGUE[name].at_hand(stored)
    if not at_hand:
        raise datasets.DataUnavailable(
            f"{name} needs the data sets: set {datasets.FOLDER_VARIABLE} to their folder"
        )
    checked = results.spot_check(at_hand, k)
    note = {
        "replications": len(checked),
        "code_version": provenance.code_version(),
        "finished": datetime.now(UTC).date().isoformat(),
    }
    results.save_results(
        Path(folder) / name,
        {
            key: replace(
                one,
                provenance={
                    **one.provenance,
                    "source_digest": engine.source_digest(one.experiment),
                    "verified": note,
                },
            )
            for key, one in stored.items()
        },
    )
    _read.cache_clear()
    return f"{name}: {_drawn(len(checked))} identical; the stored counts are those of this code."


def seconds(name: str) -> float:
    """Return the seconds of one core that the stored results of a run took."""
    return sum(one.provenance["seconds"] for one in load(name).values())


def table() -> pd.DataFrame:
    """Tabulate the catalogue: what each run is for, its experiments, replications, size and cost.

    Indexed by name; columns `title`, `experiments`, `replications` (stored, over all
    experiments), `planned`, `kilobytes`, `minutes` (of one core, when it was stored).
    """
    return pd.DataFrame(
        {
            name: {
                "title": it.title,
                "experiments": len(it.plan()),
                "replications": sum(len(one.counts) for one in load(name).values()),
                "planned": sum(count for _, count in it.plan().values()),
                "kilobytes": round((FOLDER / f"{name}.npz").stat().st_size / 1000),
                "minutes": round(seconds(name) / 60, 1),
            }
            for name, it in CATALOGUE.items()
        }
    ).T.rename_axis("name")
