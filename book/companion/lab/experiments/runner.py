"""Long experiments: run in parallel, and resumed after an interruption.

An `Experiment` names a function of a random generator, its parameters and a seed.  It
is plain data, so it can be stored with its results
(`companion.lab.experiments.results`) and run again by anyone.  `replicate` runs it many
times.  Replication i has its own random stream,

    ``SeedSequence(seed, spawn_key=(*stream, i))``,

so the numbers are the same bits for any number of workers, any size of chunk, in any
order, and after any interruption.

joblib does the work.  Its processes run the chunks: as many as ``REPLIB_WORKERS`` says,
or as the caller's `joblib.parallel_config` says, which may name a cluster.  The first
replication of an experiment is a chunk of its own, whose seconds say how large the
other chunks are; those of all experiments of a plan are run together.  joblib's
`Memory` stores each finished chunk in one step, so a run that was killed resumes where
it stopped.  Memory by itself checks only the source of the function whose results it
stores.  Here a chunk is stored under a digest of all source that the experiment reaches
(`companion.lab.experiments.provenance`) and of the versions of all that it imports, in
addition to the parameters and the seed; a stale chunk is never read.
"""

import hashlib
import json
import logging
import math
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import resolve_name

import numpy as np
from joblib import Memory, Parallel, delayed, parallel_config
from joblib.memory import MemorizedFunc
from platformdirs import user_cache_path
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from companion.lab.experiments import provenance
from companion.lab.workers import processes
from replib._validation import whole_number

#: Environment variable with a number of processes, or the address of a dask scheduler.
WORKERS_VARIABLE = "REPLIB_WORKERS"
#: Environment variable with the folder of finished chunks.
CACHE_VARIABLE = "REPLIB_CACHE"

#: Seconds that a chunk should take: little against what a kill can lose, and enough that
#: storing it, some 10 ms, costs nothing.
_SECONDS_OF_CHUNK = 3.0
#: Chunks of an experiment whose replications are short: enough to show progress.
_FEWEST_CHUNKS = 100
#: Most chunks, however long the first replication took: the first use of a kernel
#: compiles it.
_MOST_CHUNKS = 1000


@dataclass(frozen=True)
class Experiment:
    """A random experiment that can be named, stored and run again.

    Attributes
    ----------
    function : str or callable
        Stored by its name, ``"module:function"``, by which workers find it.  ``function(rng,
        **parameters)`` runs the experiment once with the given `numpy.random.Generator`; it
        returns an integer or a boolean, or an array of such, always of the same shape and type.
    seed : int
        At least 0.
    parameters : mapping
        Keyword arguments that JSON can hold: text, numbers, booleans, None, lists,
        dicts.
    stream : tuple of int
        At least 0; gives experiments with the same seed different random numbers.

    Raises
    ------
    ValueError
        If the function cannot be found by its name, JSON cannot hold a parameter, or
        the seed or the stream are not whole numbers of at least 0.

    Examples
    --------
    >>> coins = {"n": 10, "p": 0.5}
    >>> heads = Experiment("numpy.random:Generator.binomial", seed=1, parameters=coins)
    >>> int(heads.replication(0)), int(heads.replication(1)), int(heads.replication(0))
    (6, 5, 6)
    """

    function: str | Callable[..., np.ndarray]
    seed: int
    parameters: Mapping[str, object] = field(default_factory=dict)
    stream: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        plain = {
            "function": _name(self.function),
            "seed": whole_number("seed", self.seed, at_least=0),
            "parameters": _as_json(self.parameters),
            "stream": tuple(
                whole_number("stream", part, at_least=0) for part in self.stream
            ),
        }
        for name, value in plain.items():
            object.__setattr__(self, name, value)

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that the function and the parameters name, as in ``"package.module:Class"``.

        No import statement leads from the function to a learner that is only named.
        """
        named = r'"([A-Za-z_]\w*(?:\.\w+)*):\w[\w.]*"'
        modules = re.findall(named, json.dumps([self.function, self.parameters]))
        return tuple(dict.fromkeys(modules))

    def replication(self, index: int) -> np.ndarray:
        """Compute the result of one replication.

        Parameters
        ----------
        index : int
            At least 0.

        Returns
        -------
        ndarray of int or bool

        Raises
        ------
        ValueError
            If the function returns another type.
        """
        sequence = np.random.SeedSequence(self.seed, spawn_key=(*self.stream, index))
        function = resolve_name(self.function)
        result = np.asarray(
            function(np.random.default_rng(sequence), **self.parameters)
        )
        if result.dtype.kind not in "biu":
            raise ValueError(
                f"{self.function} must return integers or booleans, not {result.dtype}"
            )
        return result


@dataclass(frozen=True, eq=False)
class Replications:
    """Results of an experiment.

    Attributes
    ----------
    experiment : Experiment
    counts : ndarray of int or bool, shape (replications, ...)
    provenance : mapping
        `code_version`, `source_digest` (of the code that computed them), `packages`,
        `machine`, `finished` (date) and `seconds` (wall time of the chunks, summed over
        the workers).
    """

    experiment: Experiment
    counts: np.ndarray = field(repr=False)
    provenance: Mapping[str, object] = field(repr=False)


def replicate(
    experiment: Experiment,
    replications: int,
    *,
    chunk_size: int | None = None,
    cache: str | os.PathLike | None = None,
    progress: bool | None = None,
) -> Replications:
    """Run an experiment many times, on all workers, continuing an earlier run.

    The workers are those of the environment variable ``REPLIB_WORKERS``, a number of
    processes or the address of a dask scheduler (``tcp://host:8786``).  Without it,
    `joblib.parallel_config` decides; ``with parallel_config("dask"):`` runs on the
    cluster of the current dask client.  Each worker holds one chunk at a time.

    Parameters
    ----------
    experiment : Experiment
    replications : int
        At least 1.
    chunk_size : int, optional
        Replications that a worker runs in one go, which a kill can lose; by default as
        many as take some seconds, going by the first, and at most a hundredth of all.
        Finished chunks are found again only if it stays the same.
    cache : path, optional
        Folder of finished chunks; by default that of ``REPLIB_CACHE``, or else the
        user's cache folder.  Workers on other machines must see it for a killed run to
        resume.
    progress : bool, optional
        Show the progress and the remaining time; by default only on a terminal.

    Returns
    -------
    Replications

    Raises
    ------
    ValueError
        If the workers are neither a number nor an address, or the results are not
        integers or booleans of one shape and type.
    ConnectionError
        If the dask scheduler is lost; finished chunks are kept.
    DataUnavailable
        If dask workers lack a data set that is not in the folder ``REPLIB_DATA`` here,
        from which they would get it.
    RuntimeError
        If a worker has other code or packages than this process.

    Examples
    --------
    >>> import tempfile
    >>> coins = {"n": 10, "p": 0.5}
    >>> heads = Experiment("numpy.random:Generator.binomial", seed=1, parameters=coins)
    >>> done = replicate(heads, 1000, cache=tempfile.mkdtemp())
    >>> done.counts.shape, done.counts[:5].tolist()
    ((1000,), [6, 5, 4, 3, 5])
    """
    plan = {"": (experiment, replications)}
    done = replicate_all(plan, chunk_size=chunk_size, cache=cache, progress=progress)
    return done[""]


def replicate_all(
    plan: Mapping[str, tuple[Experiment, int]],
    *,
    chunk_size: int | None = None,
    cache: str | os.PathLike | None = None,
    progress: bool | None = None,
) -> dict[str, Replications]:
    """Run experiments together, so that no worker waits for the last chunk of one of them.

    Parameters
    ----------
    plan : mapping
        By name, an experiment and how often it is repeated.
    chunk_size, cache, progress
        As for :func:`replicate`, which also says what is raised.

    Returns
    -------
    dict of str to Replications
    """
    folder = cache or os.environ.get(CACHE_VARIABLE) or user_cache_path("replib")
    runs = {
        name: _Run(experiment, replications, Memory(folder, verbose=0).cache(_sealed))
        for name, (experiment, replications) in plan.items()
    }
    first = {name: run.part(0, chunk_size or 1) for name, run in runs.items()}
    with ExitStack() as open_until_the_end:
        line = _Line(runs, open_until_the_end, progress)
        line.make(first.items())
        rest = [
            (name, part)
            for name, run in runs.items()
            for part in run.rest(chunk_size or run.size_of_chunk)
        ]
        line.make(rest)
    return {name: run.replications for name, run in runs.items()}


class _Run:
    """One experiment of a plan: its chunks, and those that are finished."""

    def __init__(
        self, experiment: Experiment, replications: int, chunk: MemorizedFunc
    ) -> None:
        self.experiment = experiment
        self.n = replications
        self.chunk = chunk
        self.text = _written(experiment)
        self.code = _code(experiment)
        self.finished: dict[int, tuple[int, np.ndarray, float]] = {}

    def part(self, first: int, size: int) -> tuple:
        """Return a chunk as the arguments of :func:`_chunk`."""
        return self.text, self.code, first, min(first + size, self.n)

    def rest(self, size: int) -> list[tuple]:
        """Return the chunks after the first one."""
        (counts,) = (counts for _, counts, _ in self.finished.values())
        return [self.part(first, size) for first in range(len(counts), self.n, size)]

    @property
    def size_of_chunk(self) -> int:
        """How many replications a chunk has, by the seconds of the first one."""
        _, counts, seconds = self.finished[0]
        by_seconds = int(_SECONDS_OF_CHUNK * len(counts) / max(seconds, 1e-9))
        largest = math.ceil(self.n / _FEWEST_CHUNKS)
        smallest = math.ceil(self.n / _MOST_CHUNKS)
        return min(largest, max(smallest, by_seconds))

    @property
    def replications(self) -> Replications:
        parts = [self.finished[first] for first in sorted(self.finished)]
        return Replications(
            self.experiment,
            _joined(self.experiment, [counts for _, counts, _ in parts]),
            {
                "code_version": provenance.code_version(),
                "source_digest": source_digest(self.experiment),
                "packages": provenance.package_versions(),
                "machine": provenance.machine(),
                "finished": datetime.now(UTC).date().isoformat(),
                "seconds": round(sum(seconds for *_, seconds in parts), 1),
            },
        )


class _Line:
    """Chunks of several runs in one line for all workers, who come if there is one to make."""

    def __init__(
        self, runs: Mapping[str, _Run], stack: ExitStack, progress: bool | None
    ) -> None:
        self._runs = runs
        self._stack = stack
        self._progress = progress
        self._bar: tqdm | None = None

    def make(self, parts: Iterable[tuple[str, tuple]]) -> None:
        """Make chunks, each given with the name of its run, unless they were made before."""
        waiting = []
        n_found = 0
        for name, part in parts:
            run = self._runs[name]
            if finished := _finished(run.chunk, part):
                run.finished[finished[0]] = finished
                n_found += len(finished[1])
            else:
                waiting.append(delayed(_named)(name, run.chunk, *part))
        if self._bar is not None:
            self._bar.update(n_found)
        elif waiting:
            self._begin()
        for name, (first, counts, seconds, _) in Parallel(
            return_as="generator_unordered"
        )(waiting):
            self._runs[name].finished[first] = first, counts, seconds
            self._bar.update(len(counts))

    def _begin(self) -> None:
        """Call the workers, and show how far the runs are."""
        runs = self._runs.values()
        self._stack.enter_context(_workers([run.experiment for run in runs]))
        functions = {run.experiment.function.split(":")[-1] for run in runs}
        finished = [part for run in runs for part in run.finished.values()]
        self._bar = self._stack.enter_context(
            tqdm(
                desc=", ".join(sorted(functions)),
                unit="replication",
                total=sum(run.n for run in runs),
                initial=sum(len(counts) for _, counts, _ in finished),
                disable=None if self._progress is None else not self._progress,
            )
        )


def _named(name: str, chunk: MemorizedFunc, *part: object) -> tuple[str, tuple]:
    """Make a chunk, and return it with the name of its run."""
    return name, chunk(*part)


def _chunk(
    text: str, code: str, first: int, last: int
) -> tuple[int, np.ndarray, float]:
    """Run replications `first` to `last` (not included); return counts and seconds.

    `Memory` uses `code` to distinguish results of other versions of the code.
    """
    start = time.perf_counter()
    experiment = Experiment(**json.loads(text))
    if _code(experiment) != code:
        raise RuntimeError(
            f"a worker has other code or packages for {experiment.function} than the "
            "process that asks: bring all machines to one version, and edit nothing during a run"
        )
    # One thread, because the rounding of a sum over threads depends on their number.
    with threadpool_limits(1):
        results = [
            experiment.replication(index)[np.newaxis] for index in range(first, last)
        ]
    return first, _joined(experiment, results), time.perf_counter() - start


def _sealed(
    text: str, code: str, first: int, last: int
) -> tuple[int, np.ndarray, float, str]:
    """Return a chunk with a hash, which later shows whether the disk returned it unchanged."""
    part = _chunk(text, code, first, last)
    return (*part, _seal(*part))


def _seal(first: int, counts: np.ndarray, seconds: float) -> str:
    form = f"{first} {counts.dtype.str} {counts.shape} {seconds!r} "
    return hashlib.sha256(
        form.encode() + np.ascontiguousarray(counts).tobytes()
    ).hexdigest()


def _finished(
    chunk: MemorizedFunc, call: tuple
) -> tuple[int, np.ndarray, float] | None:
    """Return a chunk that was finished earlier, or None; remove a damaged one."""
    if not chunk.check_call_in_cache(*call):
        return None
    stored = chunk.call_and_shelve(*call)
    with suppress(Exception):  # reading a damaged file can raise any exception
        *part, seal = stored.get()
        if seal == _seal(*part):
            return tuple(part)
    stored.clear()
    return None


def _joined(experiment: Experiment, parts: list[np.ndarray]) -> np.ndarray:
    forms = {f"{part.dtype} of shape {part.shape[1:]}" for part in parts}
    if len(forms) > 1:
        raise ValueError(
            f"{experiment.function} must return one shape and type, not {', '.join(sorted(forms))}"
        )
    return np.concatenate(parts)


def source_digest(experiment: Experiment) -> str:
    """Return a hash of the source that an experiment reaches, including this module.

    Parameters
    ----------
    experiment : Experiment

    Returns
    -------
    str

    Examples
    --------
    >>> coins = Experiment("numpy.random:Generator.binomial", seed=1, parameters={"n": 1, "p": 0.5})
    >>> len(source_digest(coins))
    64
    """
    return provenance.digest_of(provenance.closure((*experiment.modules, __name__)))


def _code(experiment: Experiment) -> str:
    """Return all that determines the numbers besides the experiment: source and versions."""
    packages = provenance.versions((*experiment.modules, __name__))
    return json.dumps([source_digest(experiment), packages], sort_keys=True)


@contextmanager
def _workers(experiments: Sequence[Experiment]) -> Iterator[None]:
    setting = os.environ.get(WORKERS_VARIABLE)
    if not setting:
        yield
    elif "://" in setting:
        from distributed import Client  # only a cluster needs it

        # by its name: what it does is no part of the numbers, and so of no digest
        cluster = import_module("companion.lab.cluster")

        # the errors are shorter than what these log
        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            with Client(setting) as client, parallel_config("dask"):
                cluster.provide(client, [one.parameters for one in experiments])
                yield
        except CancelledError as lost:
            raise ConnectionError(
                f"the scheduler {setting} is gone; what was finished is kept, and the same run on "
                "other workers goes on from there"
            ) from lost
    elif setting.isascii() and setting.isdecimal() and int(setting) > 0:
        with processes(int(setting)):
            yield
    else:
        raise ValueError(
            f"{WORKERS_VARIABLE} must be a number of processes or the address of a dask scheduler, "
            f"not {setting!r}"
        )


def _name(function: str | Callable) -> str:
    """Return ``"module:function"``, by which workers find a function."""
    if isinstance(function, str):
        name = function
    else:
        module = getattr(function, "__module__", None)
        name = f"{module}:{getattr(function, '__qualname__', function)}"
    resolved = _resolved(name)
    is_other = not isinstance(function, str) and resolved is not function
    if not callable(resolved) or is_other:
        raise ValueError(
            "function must be found by its name, 'module:function', in an importable module, so "
            f"that workers can find it too, not {name!r}"
        )
    return name


def _resolved(name: str) -> object:
    """Return what a name stands for, or None if a worker cannot import it."""
    if ":" not in name or name.startswith("__main__:"):
        return None
    try:
        return resolve_name(name)
    except (ImportError, AttributeError, ValueError):
        return None


def _as_json(parameters: Mapping[str, object]) -> dict[str, object]:
    try:
        return json.loads(json.dumps(dict(parameters), allow_nan=False))
    except (TypeError, ValueError) as problem:
        raise ValueError(
            f"parameters must be what JSON can hold; {problem}"
        ) from problem


def _written(experiment: Experiment) -> str:
    return json.dumps(asdict(experiment), sort_keys=True)
