"""The one catalogue of runs that are too long for a build, and the only reader of their files.

An entry of `CATALOGUE` says which experiments a run consists of and how often each is repeated;
their integer counts are in ``book/results``.  :func:`load` reads them, :func:`run` recomputes them,
and :func:`spot_check` repeats a few of them.

The papers and the studies list their runs (`companion.papers.runs`, `companion.studies.runs`),
and their functions take the result of :func:`load`; this module is above both.
"""

import json
import operator
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab import datasets
from companion.lab.experiments import provenance, results, runner
from companion.lab.experiments.long_run import LongRun
from companion.papers import runs as runs_of_papers
from companion.studies import runs as runs_of_studies
from replib._validation import check_choice

#: The folder of the files: ``<name>.npz`` has the counts, ``<name>.json`` their
#: provenance.
FOLDER = Path(__file__).resolve().parents[1] / "results"

#: The stored runs by name, which is also the name of their files.
CATALOGUE: dict[str, LongRun] = {**runs_of_papers.RUNS, **runs_of_studies.RUNS}

#: The results for a plan: stored ones, else new ones.
results_for = results.results_for


class StoredResultsInvalid(RuntimeError):
    """A stored file is missing, truncated or edited, or does not match the catalogue."""


def names(prefix: str = "") -> list[str]:
    """List the names in the catalogue that begin with a prefix.

    Examples
    --------
    >>> names("reruns_s")
    ['reruns_scikit_learn', 'reruns_sources']
    """
    return [name for name in CATALOGUE if name.startswith(prefix)]


def load(name: str, *, size: int | None = None) -> dict[str, runner.Replications]:
    """Load the stored results of a run: by experiment, the first `size` replications at most.

    Raises `StoredResultsInvalid` if a file is missing, truncated or edited, or if its
    experiments are not those of the catalogue.
    """
    check_choice("name", name, tuple(CATALOGUE))
    return {
        key: replace(result, counts=result.counts[:size])
        for key, result in _read(name, FOLDER).items()
    }


@cache
def _read(name: str, folder: Path) -> dict[str, runner.Replications]:
    try:
        stored = results.load_results(folder / name)
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
    for key in {**planned, **stored}:
        is_both = key in planned and key in stored
        if not is_both or stored[key].experiment != planned[key][0]:
            raise _invalid(name, f"{key!r} is not stored as the catalogue describes it")
    return stored


def _invalid(name: str, problem: str) -> StoredResultsInvalid:
    return StoredResultsInvalid(
        f"the stored results {name} cannot be used: {problem}; take the file from the "
        f"repository, or make it again with python -m replib results {name}"
    )


def run(name: str, *, size: int | None = None, folder: Path = FOLDER) -> None:
    """Run the experiments of an entry and write their counts.

    An interrupted run resumes where it was.  `size` is the largest number of
    replications of each experiment; by default there are as many as in the catalogue.
    """
    check_choice("name", name, tuple(CATALOGUE))
    plan = {
        key: (experiment, min(size or planned, planned))
        for key, (experiment, planned) in CATALOGUE[name].plan().items()
    }
    results.save_results(Path(folder) / name, runner.replicate_all(plan))
    _read.cache_clear()


def spot_check(
    name: str, k: int, *, rng: np.random.Generator | int | None = None
) -> str:
    """Run k stored replications again, drawn at random, and report the outcome in a sentence.

    With k = 0, or if the run needs data sets that this machine has not, say when this
    was done last.  Raises `companion.lab.experiments.results.ResultsDiffer` if one
    differs from the stored one.
    """
    at_hand = CATALOGUE[name].at_hand(load(name)) if k else {}
    if not at_hand:
        return f"{name}: {_when(load(name))}"
    checked = results.spot_check(at_hand, k, rng=rng)
    return f"{name}: {_drawn(len(checked))} identical."


def _when(stored: Mapping[str, runner.Replications]) -> str:
    """Return when a run was made, and when some of it was last made again."""
    origins = [result.provenance for result in stored.values()]
    made = max(origin["finished"] for origin in origins)
    notes = [origin.get("verified") for origin in origins]
    if not all(notes):
        return f"stored on {made}, and not run again since."
    oldest = min(notes, key=operator.itemgetter("finished"))
    drawn = _drawn(oldest["replications"])
    return f"stored on {made}; on {oldest['finished']} {drawn} identical."


def _drawn(number: int) -> str:
    repetitions = "repetition was" if number == 1 else "repetitions were"
    return f"{number} stored {repetitions} drawn at random and run again:"


def changed() -> list[str]:
    """List the runs whose stored results were made by code other than today's."""
    digests: dict[tuple[str, ...], str] = {}  # the same for the same modules
    stale = []
    for name in CATALOGUE:
        for result in load(name).values():
            modules = result.experiment.modules
            if modules not in digests:
                digests[modules] = runner.source_digest(result.experiment)
            if result.provenance.get("source_digest") != digests[modules]:
                stale.append(name)
                break
    return stale


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
    renewed = {}
    for key, result in stored.items():
        digest = runner.source_digest(result.experiment)
        origin = {**result.provenance, "source_digest": digest, "verified": note}
        renewed[key] = replace(result, provenance=origin)
    results.save_results(Path(folder) / name, renewed)
    _read.cache_clear()
    drawn = _drawn(len(checked))
    return f"{name}: {drawn} identical; the stored counts are those of this code."


def seconds(name: str) -> float:
    """Return the seconds of one core that the stored results of a run took."""
    return sum(result.provenance["seconds"] for result in load(name).values())


def table() -> pd.DataFrame:
    """Tabulate the catalogue: what each run is for, its experiments, replications, size and cost.

    Indexed by name; columns `title`, `experiments`, `replications` (stored, over all
    experiments), `planned`, `kilobytes`, `minutes` (of one core, when it was stored).
    """
    rows = {}
    for name, long_run in CATALOGUE.items():
        plan = long_run.plan()
        size = (FOLDER / f"{name}.npz").stat().st_size
        rows[name] = {
            "title": long_run.title,
            "experiments": len(plan),
            "replications": sum(len(result.counts) for result in load(name).values()),
            "planned": sum(planned for _, planned in plan.values()),
            "kilobytes": round(size / 1000),
            "minutes": round(seconds(name) / 60, 1),
        }
    return pd.DataFrame(rows).T.rename_axis("name")
