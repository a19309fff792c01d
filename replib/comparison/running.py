"""Classifiers trained and scored, each once per split, in as many processes as there are."""

import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from replib.checks import whole_number
from replib.comparison.design import Design, read_design


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
                f"{type(problem).__name__}: {problem}"
            ) from problem
        if not np.isfinite(score):
            raise ValueError(
                f"{self.classifier} has the score {score} on {self.dataset}, split "
                f"{self.split + 1}: every score must be a finite number"
            )
        return score


@dataclass(frozen=True, eq=False)
class Experiment:
    """Classifiers and a data set, checked, with the splits on which they are scored."""

    estimators: Mapping[str, Any]
    X: Any
    y: Any
    splits: Sequence[tuple[np.ndarray, np.ndarray]]
    design: Design
    scorers: Sequence[Any]
    metric: str
    notes: tuple[str, ...] = field(default=())

    @property
    def is_error(self) -> bool:
        """Whether the metric is an error, whose scorer has the opposite sign."""
        return self.metric.startswith("neg_")

    @property
    def name(self) -> str:
        """What the scores are called."""
        return self.metric.removeprefix("neg_").replace("_", " ")

    def tasks(self, dataset: str) -> list[Task]:
        """All fits: each classifier on every split, then the next classifier."""
        return [
            Task(dataset, name, split, estimator, scorer, self.X, self.y, train, test)
            for (name, estimator), scorer in zip(self.estimators.items(), self.scorers)
            for split, (train, test) in enumerate(self.splits)
        ]

    def record(self) -> dict[str, str]:
        """What a report says of data and classifiers: sizes, and settings that are no defaults."""
        shape = getattr(self.X, "shape", (len(self.y),))
        features = f" with {shape[1]} features" if len(shape) > 1 else ""
        return {
            "size": f"{shape[0]} instances{features}",
            **{name: " ".join(repr(one).split()) for name, one in self.estimators.items()},
        }


def prepare(
    estimators: Mapping[str, Any], X: Any, y: Any, *, cv: Any, groups: Any = None,
    scoring: Any = None, random_state: int | None = None,
) -> Experiment:
    """Check estimators and data by the gate before anything is trained."""
    from sklearn.base import is_classifier
    from sklearn.metrics import check_scoring
    from sklearn.model_selection import RepeatedStratifiedKFold
    from sklearn.utils import indexable

    for which, estimator in zip("ab" if len(estimators) == 2 else estimators, estimators.values()):
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") and hasattr(estimator, "get_params")
        ):
            raise ValueError(
                f"{which} must be a scikit-learn estimator, an object with fit and get_params, "
                f"not {estimator!r}"
            )
    if random_state is not None:
        random_state = whole_number("random_state", random_state, at_least=0, at_most=2**32 - 1)
    X, y, groups = indexable(X, y, groups)
    design = read_design(cv)
    if isinstance(cv, (str, int, np.integer)):
        cv = RepeatedStratifiedKFold(
            n_splits=design.folds, n_repeats=design.runs, random_state=random_state
        )
    elif random_state is not None:
        raise ValueError(
            f"random_state= is for cv= as a text or a number; {type(cv).__name__} has its own"
        )
    splits = list(cv.split(X, y, groups))  # once: without a seed each call would give others
    if design.folds == 1:  # the sizes as they are, rounded to whole instances
        train, test = splits[0]
        design = Design(design.runs, 1, len(test) / len(train))
    scorers = [check_scoring(estimator, scoring=scoring) for estimator in estimators.values()]
    metric = scoring if isinstance(scoring, str) else "score"
    if scoring is None and is_classifier(next(iter(estimators.values()))):
        metric = "accuracy"
    return Experiment(estimators, X, y, splits, design, scorers, metric)


def run(
    tasks: Sequence[Task], *, n_jobs: int | None = None, progress: bool = True,
    cache: Path | None = None, keys: Sequence[str] = (),
) -> np.ndarray:
    """Scores of tasks, in their order; those in `cache` are read, all others kept there at once.

    Parameters
    ----------
    tasks : sequence of Task
    n_jobs : int, optional
        As in joblib; its backend may be set outside, such as dask.
    progress : bool
        Show a bar with the time that is left.
    cache : Path, optional
        Folder with one file per finished task.
    keys : sequence of str
        Of :func:`key`, one per task; with `cache`.

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
        delayed(_placed_score)(place, tasks[place]) for place in missing
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


# ------------------------------------------------------------------ what is kept


def keys(experiment: Experiment, scoring: Any) -> list[str]:
    """A digest for each task of an experiment, of all on which its score depends.

    These are the classes and parameters of the estimator with the code of their methods, functions
    among the parameters, the data, the split, the scoring, and the versions of Python and of the
    packages.  Code that these call in modules without a version is not seen.

    Raises
    ------
    ValueError
        If an estimator cannot be written down, as one with a lambda.
    """
    data = _digest("the data", (experiment.X, experiment.y))
    of_splits = [_digest("a split", split) for split in experiment.splits]
    found = []
    for name, estimator in experiment.estimators.items():
        parts = [estimator, *estimator.get_params(deep=True).values(), scoring]
        of_code = [_code(part) for part in parts]
        own = _digest(name, (estimator.get_params(deep=True), str(type(estimator)), scoring,
                             of_code, sys.version))
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
    """Version of the package and code of the methods of an object, or of a function."""
    classes = type(part).__mro__ if not hasattr(part, "__code__") else ()
    functions = [part] + [one for kind in classes for one in vars(kind).values()]
    package = sys.modules.get(type(part).__module__.split(".")[0])
    codes = [_of_code(one.__code__) for one in functions if hasattr(one, "__code__")]
    return [getattr(package, "__version__", ""), codes]


def _of_code(code: Any) -> list[Any]:
    constants = [_of_code(c) if hasattr(c, "co_code") else repr(c) for c in code.co_consts]
    return [code.co_code, code.co_names, constants]


def _keep(path: Path, task: Task, score: float) -> None:
    """Write the score of a task: aside, then put in place, so that no file is ever half written."""
    text = json.dumps({
        "classifier": task.classifier, "dataset": task.dataset, "split": task.split, "score": score,
    })
    aside = path.with_suffix(f".{os.getpid()}")
    aside.write_text(json.dumps([text, _checksum(text)]), encoding="utf-8")
    aside.replace(path)


def _kept(path: Path) -> float:
    """The score in a file, or NaN if there is none or it is damaged."""
    try:
        text, checksum = json.loads(path.read_text(encoding="utf-8"))
        return float(json.loads(text)["score"]) if checksum == _checksum(text) else np.nan
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return np.nan


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
