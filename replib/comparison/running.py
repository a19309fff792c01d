"""Classifiers trained and scored once per split, in as many processes as joblib allows."""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from replib.comparison import gate, output
from replib.validation import whole_number


@dataclass(frozen=True, eq=False)
class Task:
    """One fit: a classifier, a data set and a split, all named for messages."""

    dataset: str
    classifier: str
    split: int
    estimator: Any
    scorer: Any
    X: Any
    y: Any
    train: np.ndarray
    test: np.ndarray

    def score(self) -> float:
        """Train a clone and score it.

        Raises
        ------
        ValueError
            If it cannot be trained or scored, or its score is not a finite number.
        """
        from sklearn.base import clone
        from sklearn.utils import _safe_indexing as part

        X, y = self.X, self.y
        try:
            fitted = clone(self.estimator).fit(part(X, self.train), part(y, self.train))
            score = float(self.scorer(fitted, part(X, self.test), part(y, self.test)))
        except Exception as problem:
            raise ValueError(
                f"{self.classifier} failed on {self.dataset}, split {self.split + 1}: "
                f"{type(problem).__name__}: {' '.join(str(problem).split())}"
            ) from problem
        if not np.isfinite(score):
            raise ValueError(
                f"{self.classifier} has the score {score} on {self.dataset}, split "
                f"{self.split + 1}: every score must be a finite number"
            )
        return score


def tasks(
    dataset: str, names: Sequence[str], estimators: Sequence[Any], plan: gate.Plan
) -> list[Task]:
    """Return all fits on a data set: one classifier on every split, then the next."""
    return [
        Task(dataset, name, split, estimator, scorer, plan.X, plan.y, train, test)
        for name, estimator, scorer in zip(names, estimators, plan.scorers)
        for split, (train, test) in enumerate(plan.splits)
    ]


def named(name: str, given: Any) -> tuple[str, ...]:
    """Return the names of two or more things in a mapping, as text.

    Raises
    ------
    ValueError
        If the argument is not such a mapping.

    Examples
    --------
    >>> named("datasets", {"iris": ..., 3: ...})
    ('iris', '3')
    """
    names = tuple(map(str, given)) if isinstance(given, Mapping) else ()
    if len(set(names)) < max(2, len(names)):
        what = f"one of {len(names)}" if names else f"a {type(given).__name__}"
        raise ValueError(f"{name} must be a dict of two or more with different names, not {what}")
    return names


def metric(plan: gate.Plan) -> tuple[str, bool]:
    """Return the name of the scores, and whether they are errors, whose sign the scorer flips."""
    name = plan.metric.removeprefix("neg_")
    return name.replace("_", " "), name != plan.metric


def size(plan: gate.Plan) -> str:
    """Describe the size of a data set, for the record."""
    shape = getattr(plan.X, "shape", (len(plan.y),))
    features = [f" with {count} features" for count in shape[1:2]]
    return "".join([f"{shape[0]} instances", *features])


def settings(estimator: Any) -> str:
    """Write an estimator with its non-default parameters, for the record."""
    from sklearn import config_context

    with config_context(print_changed_only=True):
        return " ".join(repr(estimator).split())


def run(
    tasks: Sequence[Task], *, n_jobs: int | None = None, progress: bool = True,
    cache: Path | None = None, keys: Sequence[str] = (),
) -> np.ndarray:
    """Return the scores of tasks in order; read those in `cache`, and store the others there.

    Parameters
    ----------
    tasks : sequence of Task
    n_jobs : int, optional
        As in joblib; a joblib backend that is set, such as dask, is used.
    progress : bool
        Show a progress bar with the remaining time.
    cache : Path, optional
        Folder with one file per finished task.
    keys : sequence of str
        One per task, from :func:`keys`; needed with `cache`.

    Returns
    -------
    ndarray, shape (tasks,)

    Raises
    ------
    ValueError
        If a fit fails; the message names classifier, data set and split.
    """
    from joblib import Parallel, delayed
    from tqdm import tqdm

    if n_jobs is not None:
        whole_number("n_jobs", n_jobs, at_least=-1000, at_most=1000)
    scores = np.full(len(tasks), np.nan)
    if cache is not None:
        scores[:] = [_kept(cache / f"{one}.json") for one in keys]
    missing = np.flatnonzero(np.isnan(scores))
    found = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
        delayed(_placed_score)(place, tasks[place]) for place in missing.tolist()
    )
    bar = tqdm(
        found, total=len(tasks), initial=len(tasks) - len(missing), unit="fit",
        disable=not progress,
    )
    for place, score in bar:
        scores[place] = score
        if cache is not None:
            _keep(cache / f"{keys[place]}.json", tasks[place], score)
    return scores


def _placed_score(place: int, task: Task) -> tuple[int, float]:
    return place, task.score()


# ------------------------------------------------------------------ the cache


def keys(estimators: Sequence[Any], plan: gate.Plan, scoring: Any) -> list[str]:
    """Return a digest for each of :func:`tasks`, of everything on which its score depends.

    That is the classes and parameters of the estimator with the code of their methods, functions
    among the parameters, the data, the split, the scoring, and the versions of Python and of the
    packages.  Changes to other code that your own class calls are not noticed.

    Raises
    ------
    ValueError
        If an estimator cannot be serialised, such as one with a lambda.
    """
    data = _digest("the data", (plan.X, plan.y))
    of_splits = [_digest("a split", split) for split in plan.splits]
    found = []
    for estimator in estimators:
        parameters = estimator.get_params(deep=True)
        code = [_code(part) for part in (estimator, *parameters.values(), scoring)]
        kind = (type(estimator).__module__, type(estimator).__qualname__)
        own = _digest(kind[1], (kind, parameters, scoring, code, sys.version))
        found += [
            hashlib.sha256(f"{own} {data} {split}".encode()).hexdigest() for split in of_splits
        ]
    return found


def _digest(name: str, value: Any) -> str:
    from joblib import hash as digest

    try:
        return str(digest(value, hash_name="sha1"))
    except Exception as problem:
        raise ValueError(
            f"{name} cannot be kept in a cache: {problem}; leave cache= out, or give functions "
            "with a name"
        ) from problem


def _code(part: Any) -> list[Any]:
    """Return the package version and the code of the methods of an object, or of a function."""
    classes = type(part).__mro__ if not hasattr(part, "__code__") else ()
    functions = [part] + [one for kind in classes for one in vars(kind).values()]
    package = sys.modules.get(type(part).__module__.split(".")[0])
    codes = [_of_code(one.__code__) for one in functions if hasattr(one, "__code__")]
    return [getattr(package, "__version__", ""), codes]


def _of_code(code: Any) -> list[Any]:
    constants = [_of_code(c) if hasattr(c, "co_code") else repr(c) for c in code.co_consts]
    return [code.co_code, code.co_names, constants]


def _keep(path: Path, task: Task, score: float) -> None:
    """Write the score of a task, with a checksum."""
    text = json.dumps({
        "classifier": task.classifier, "dataset": task.dataset, "split": task.split, "score": score,
    })
    output.write(path, json.dumps([text, _checksum(text)]))


def _kept(path: Path) -> float:
    """Return the score in a file, or NaN if the file does not exist or is damaged."""
    try:
        text, checksum = json.loads(path.read_text(encoding="utf-8"))
        return float(json.loads(text)["score"]) if checksum == _checksum(text) else np.nan
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return np.nan


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
