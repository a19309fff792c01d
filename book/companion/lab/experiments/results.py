"""Results of experiments in files: counts, their origin, and spot checks."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab.experiments.runner import Experiment, Replications, replicate_all
from companion.lab.locks import one_at_a_time
from companion.lab.workers import processes
from replib._files import replacing

#: By name, an experiment and how often it is repeated.
Plan = Mapping[str, tuple[Experiment, int]]


class ResultsDiffer(RuntimeError):
    """A stored replication differs from what its experiment gives now."""


def save_results(path: str | os.PathLike, results: Mapping[str, Replications]) -> None:
    """Write results: ``path.npz`` has the counts, ``path.json`` their origin.

    Parameters
    ----------
    path : path
        Without a suffix, such as ``book/results/uci_resampling``.
    results : mapping of str to Replications
        By name, for instance that of a data set.

    Examples
    --------
    As in :func:`load_results`.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays = {name: _smallest(result.counts) for name, result in results.items()}
    origins = {
        name: {
            **asdict(result.experiment),
            "provenance": result.provenance,
            "digest": _digest(arrays[name]),
        }
        for name, result in results.items()
    }
    both = (path.with_name(f"{path.name}.{ending}") for ending in ("npz", "json"))
    with one_at_a_time(path.parent), replacing(*both) as (counts, origin):
        with counts.open("wb") as file:
            np.savez_compressed(file, **arrays)
        origin.write_bytes(json.dumps(origins, indent=1).encode() + b"\n")


def load_results(path: str | os.PathLike) -> dict[str, Replications]:
    """Read results that `save_results` wrote.

    Parameters
    ----------
    path : path
        Without a suffix.

    Returns
    -------
    dict of str to Replications
        The counts in the smallest integer type that holds them.

    Raises
    ------
    FileNotFoundError
        If one of the two files is missing.
    ValueError
        If a file is damaged, the two do not have the same names, or the counts differ
        from those that were written.

    Examples
    --------
    >>> import tempfile
    >>> from companion.lab.experiments.runner import replicate
    >>> folder = Path(tempfile.mkdtemp())
    >>> coins = {"n": 10, "p": 0.5}
    >>> heads = Experiment("numpy.random:Generator.binomial", seed=1, parameters=coins)
    >>> save_results(folder / "coins", {"fair": replicate(heads, 5, cache=folder)})
    >>> stored = load_results(folder / "coins")
    >>> stored["fair"].counts.tolist(), stored["fair"].experiment == heads
    ([6, 5, 4, 3, 5], True)
    >>> len(spot_check(stored, 2))
    2
    """
    path = Path(path)
    origins = json.loads(
        path.with_name(f"{path.name}.json").read_text(encoding="utf-8")
    )
    archive = path.with_name(f"{path.name}.npz")
    try:
        with np.load(archive, allow_pickle=False) as arrays:
            counts = dict(arrays)
    except FileNotFoundError:
        raise
    except Exception as problem:  # reading a damaged archive can raise any exception
        raise ValueError(
            f"{archive.name} is truncated, damaged or no archive"
        ) from problem
    if counts.keys() != origins.keys():
        raise ValueError(
            f"{path.name}.npz and {path.name}.json are not of the same experiments"
        )
    results = {}
    for name, origin in origins.items():
        found = origin.pop("provenance")
        if origin.pop("digest") != _digest(counts[name]):
            raise ValueError(
                f"{path.name}.npz has other counts of {name!r} than were written"
            )
        results[name] = Replications(Experiment(**origin), counts[name], found)
    return results


def results_for(
    plan: Plan, stored: Mapping[str, Replications], *, chunk_size: int | None = None
) -> tuple[dict[str, Replications], bool]:
    """Return results for a plan: stored ones where the experiments are the same, else new ones.

    The first value has, by name, as many replications of each experiment as planned;
    the second says whether all of them were stored.  What is missing is run on all
    cores, in a chapter on one.
    """
    found = {
        name: replace(known, counts=known.counts[:count])
        for name, (experiment, count) in plan.items()
        if (known := stored.get(name))
        and known.experiment == experiment
        and len(known.counts) >= count
    }
    missing = {name: plan[name] for name in plan if name not in found}
    if missing:
        with processes(-1):
            found |= replicate_all(missing, chunk_size=chunk_size)
    return {name: found[name] for name in plan}, not missing


def spot_check(
    results: Mapping[str, Replications],
    k: int,
    *,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Run k randomly drawn stored replications again, and require the same results.

    Parameters
    ----------
    results : mapping of str to Replications
        Those that can be run here, for instance on the available data sets.
    k : int
        At least 1; at most all are run.
    rng : Generator or int, optional
        Chooses the replications; by default they differ from call to call.

    Returns
    -------
    DataFrame
        One row per checked replication: `name`, `replication`.

    Raises
    ------
    ResultsDiffer
        If a replication differs; the message says which.

    Examples
    --------
    As in :func:`load_results`.
    """
    rng = np.random.default_rng(rng)
    names = list(results)
    ends = np.cumsum([0] + [len(results[name].counts) for name in names])
    chosen = rng.choice(int(ends[-1]), size=min(k, int(ends[-1])), replace=False)
    checked = []
    for position in np.sort(chosen):
        which = int(np.searchsorted(ends, position, side="right")) - 1
        name, index = names[which], int(position - ends[which])
        stored, now = (
            results[name].counts[index],
            results[name].experiment.replication(index),
        )
        if not np.array_equal(now, stored):
            raise ResultsDiffer(
                f"replication {index} of {name!r} is stored as {_short(stored)} but gives "
                f"{_short(now)}; the code, its packages or the data have changed"
            )
        checked.append((name, index))
    return pd.DataFrame(checked, columns=["name", "replication"])


def _digest(counts: np.ndarray) -> str:
    """Return a hash of counts, which shows whether a file was changed later."""
    content = np.ascontiguousarray(counts)
    form = f"{content.dtype.str} {content.shape}"
    return hashlib.sha256(form.encode() + content.tobytes()).hexdigest()


def _smallest(counts: np.ndarray) -> np.ndarray:
    """Return the same numbers in the smallest type that holds them."""
    if counts.dtype == bool or not counts.size:
        return counts
    low, high = int(counts.min()), int(counts.max())
    return counts.astype(np.min_scalar_type(high if low >= 0 else min(low, -high - 1)))


def _short(result: np.ndarray) -> str:
    return np.array2string(result, threshold=10, separator=", ").replace("\n", " ")
