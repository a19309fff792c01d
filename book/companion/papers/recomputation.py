"""All stored runs recomputed from scratch, in another folder, and compared with the book's."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab import datasets
from companion.lab.experiments import engine, results
from companion.papers import stored

NO_DATA = "the data sets are not here"


def recompute(
    names: Sequence[str], folder: Path, *, size: int | None = None
) -> pd.DataFrame:
    """Recompute stored runs and compare their counts with those of the book.

    A run that is already in the folder and was made by today's code is not repeated; an interrupted
    run resumes where it was.  After each run the file ``table.csv`` in the folder has all rows so
    far.

    Parameters
    ----------
    names : sequence of str
        Names in `companion.papers.stored.CATALOGUE`.
    folder : Path
        Where to write the counts, in files like those of the book.
    size : int, optional
        Maximum replications of each experiment; by default as many as in the catalogue.

    Returns
    -------
    DataFrame
        Indexed by name: `replications`; `minutes` of one core, and `stored`, the minutes for as
        many replications when they were stored; and `outcome`: ``"identical"``, or what differs.
    """
    plans = {name: _plan(name, size) for name in names}
    expected = {
        f"{name}/{key}": count * one.provenance["seconds"] / len(one.counts)
        for name in names for key, one in stored.load(name).items()
        for count in [plans[name][key][1]]
    }
    many = "1 run" if len(names) == 1 else f"{len(names)} runs"
    rows: dict[str, dict[str, object]] = {}
    Path(folder).mkdir(parents=True, exist_ok=True)
    with stored.Expected(many, expected) as bar:
        for name in names:
            file = Path(folder) / name
            try:
                if _is_complete(file, plans[name]):
                    bar.update(sum(expected[f"{name}/{key}"] for key in plans[name]))
                else:
                    results.save_results(file, {
                        key: bar.replicate(f"{name}/{key}", *one, stored.CATALOGUE[name].chunk_size)
                        for key, one in plans[name].items()
                    })
                rows[name] = _compared(name, results.load_results(file))
            except datasets.DataUnavailable:
                rows[name] = {"outcome": NO_DATA}
            table = pd.DataFrame.from_dict(
                rows, orient="index", columns=["replications", "minutes", "stored", "outcome"]
            ).rename_axis("name")
            table.round(2).to_csv(Path(folder) / "table.csv")
    return table


def _plan(name: str, size: int | None) -> stored.Plan:
    return {
        key: (experiment, min(size or count, count))
        for key, (experiment, count) in stored.CATALOGUE[name].plan().items()
    }


def _is_complete(file: Path, plan: stored.Plan) -> bool:
    """Return whether a file has all of a plan's experiments, made by today's code."""
    try:
        found = results.load_results(file)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # none, or a damaged one
        return False
    return found.keys() == plan.keys() and all(
        found[key].experiment == experiment and len(found[key].counts) == count
        and found[key].provenance.get("source_digest") == engine.source_digest(experiment)
        for key, (experiment, count) in plan.items()
    )


def _compared(name: str, again: dict[str, engine.Replications]) -> dict[str, object]:
    """Make a row: the time of a run, and whether its counts are those of the book."""
    known = stored.load(name)
    differ = {
        key: np.flatnonzero([
            not np.array_equal(ours, theirs)
            for ours, theirs in zip(one.counts, known[key].counts, strict=False)
        ]) for key, one in again.items()
    }
    words = [
        f"{key}: {len(places)} of {len(again[key].counts)} replications, the first is {places[0]}"
        for key, places in differ.items() if len(places)
    ]
    return {
        "replications": sum(len(one.counts) for one in again.values()),
        "minutes": sum(one.provenance["seconds"] for one in again.values()) / 60,
        "stored": sum(
            known[key].provenance["seconds"] * len(one.counts) / len(known[key].counts)
            for key, one in again.items()
        ) / 60,
        "outcome": f"differs in {'; '.join(words)}" if words else "identical",
    }
