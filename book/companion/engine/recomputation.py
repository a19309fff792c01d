"""All stored runs recomputed from scratch, in another folder, and compared with the book's."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from companion import stored
from companion.lab import datasets
from companion.lab.experiments import results, runner

NO_DATA = "the data sets are not here"


def recompute(
    names: Sequence[str], folder: Path, *, size: int | None = None
) -> pd.DataFrame:
    """Recompute stored runs and compare their counts with those of the book.

    What today's code has already run is taken from the cache of `runner.replicate`, so
    that an interrupted run resumes where it was.  After each run the file ``table.csv``
    in the folder has all rows so far.

    Parameters
    ----------
    names : sequence of str
        Names in `companion.stored.CATALOGUE`.
    folder : Path
        Where to write the counts, in files like those of the book.
    size : int, optional
        Maximum replications of each experiment; by default as many as in the catalogue.

    Returns
    -------
    DataFrame
        Indexed by name: `replications`; `minutes` of one core, and `stored`, the
        minutes for as many replications when they were stored; and `outcome`:
        ``"identical"``, or what differs.
    """
    rows: dict[str, dict[str, object]] = {}
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in tqdm(names, unit="run", disable=None):
        try:
            stored.run(name, size=size, folder=folder)
            rows[name] = _compared(name, results.load_results(Path(folder) / name))
        except datasets.DataUnavailable:
            rows[name] = {"outcome": NO_DATA}
        table = pd.DataFrame.from_dict(
            rows,
            orient="index",
            columns=["replications", "minutes", "stored", "outcome"],
        ).rename_axis("name")
        table.round(2).to_csv(Path(folder) / "table.csv")
    return table


def _compared(name: str, again: dict[str, runner.Replications]) -> dict[str, object]:
    """Make a row: the time of a run, and whether its counts are those of the book."""
    of_book = stored.load(name)
    replications, seconds, stored_seconds, differences = 0, 0.0, 0.0, []
    for key, result in again.items():
        before = of_book[key]
        n = len(result.counts)
        replications += n
        seconds += result.provenance["seconds"]
        stored_seconds += before.provenance["seconds"] * n / len(before.counts)
        places = _places_that_differ(result.counts, before.counts)
        if places:
            differences.append(
                f"{key}: {len(places)} of {n} replications, the first is {places[0]}"
            )
    is_identical = not differences
    return {
        "replications": replications,
        "minutes": seconds / 60,
        "stored": stored_seconds / 60,
        "outcome": "identical"
        if is_identical
        else "differs in " + "; ".join(differences),
    }


def _places_that_differ(counts: np.ndarray, stored_counts: np.ndarray) -> list[int]:
    """Return the replications whose counts differ; there may be fewer than are stored."""
    pairs = zip(counts, stored_counts, strict=False)
    return [i for i, (new, old) in enumerate(pairs) if not np.array_equal(new, old)]
