"""Notes about labels: of rows or models that summarise others, and of another unit.

A label is structure where a value is a coincidence: rows that are all called "fold 1",
"fold 2" and so on are no data sets, whatever their scores.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from replib._validation import Array, listed, shown
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds
from replib.scores import Predictions, Scores

#: What a score belongs to, by design.
UNITS: dict[type, str] = {
    CV: "split",
    RandomSplits: "split",
    Seeds: "seed",
    Items: "item",
    Datasets: "data set",
}
#: A label of these words alone is that of a row that summarises the others.
_SUMMARY_WORDS = frozenset(
    ["average", "avg", "best", "max", "maximum", "mean", "median", "min", "minimum"]
    + [
        "overall",
        "rank",
        "ranks",
        "sd",
        "std",
        "stdev",
        "sum",
        "total",
        "wins",
        "worst",
    ]
)
#: Words that may stand beside these.
_QUALIFIERS = frozenset(
    ["acc", "accuracy", "arithmetic", "error", "f1", "geometric", "harmonic", "macro"]
    + ["micro", "score", "weighted"]
)
#: What a summary of other scores may be.  A name alone is none: a model that always
#: predicts the mean is called so, too.
_SUMMARIES: dict[str, Callable[..., Any]] = {
    "mean": np.mean,
    "average": np.mean,
    "avg": np.mean,
    "overall": np.mean,
    "median": np.median,
    "best": np.max,
    "max": np.max,
    "maximum": np.max,
    "min": np.min,
    "minimum": np.min,
    "worst": np.min,
    "sum": np.sum,
    "total": np.sum,
}
#: Others that a summary must have been computed from.
_FEWEST_SUMMARISED = 2
#: A model with such a name that is never wrong is the column of the truth.
_TRUTH_NAMES = frozenset(
    ["actual", "gold", "ground truth", "label", "labels", "target", "truth", "y"]
    + ["y true"]
)

#: Labels such as "fold 3" and "seed=42", and what they number.
_NUMBERED = re.compile(
    r"(?P<word>[a-z]+(?:[ _]?(?:set|seed|state))?)[ _.:=#-]*\d+", re.IGNORECASE
)
#: One word for each unit.
_WORDS = {
    **dict.fromkeys(["fold", "cvfold", "cv"], "fold"),
    **dict.fromkeys(["split"], "split"),
    **dict.fromkeys(["seed", "randomseed", "randomstate"], "seed"),
    **dict.fromkeys(["run", "rep", "repeat", "repetition", "trial"], "run"),
    **dict.fromkeys(["iter", "iteration"], "iteration"),
    **dict.fromkeys(["epoch"], "epoch"),
    **dict.fromkeys(["step", "globalstep", "checkpoint", "ckpt"], "checkpoint"),
    **dict.fromkeys(["dataset"], "data set"),
}
#: Labels of these units are no labels of a key.
_OTHER_UNITS = {
    "dataset": {"fold", "split", "seed", "run", "epoch", "checkpoint", "iteration"},
    "item": {"fold", "seed", "epoch", "iteration"},
    "run": {"fold", "epoch", "checkpoint", "data set"},
    "fold": {"seed", "run", "epoch", "checkpoint", "data set"},
}
#: Names of the data that are trained on, and of those that are not.
_TRAINED = {"train", "training"}
_TESTED = {"test", "testing", "val", "valid", "validation", "dev"}
#: Fewer rows with names in words may be anything.
_FEWEST_NAMED = 3


def notes_about_labels(table: Scores | Predictions) -> Iterator[str]:
    """Note labels of rows or models that are no units or models, but others or summaries.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str
    """
    if isinstance(table.frame, pd.DataFrame):  # arrays have no labels
        yield from _summary_rows(table)
        yield from _rows_of_other_units(table)
        yield from _parts_of_data_sets(table)
    if isinstance(table, Scores):
        yield from _parts_as_models(table)
        yield from _summary_models(table)
        yield from _perfect_truth(table)


def is_name_of_truth(model: str) -> bool:
    """Return whether a model is named as the column of the truth is.

    >>> is_name_of_truth("Y_true")
    True
    """
    return " ".join(_words(model)) in _TRUTH_NAMES


def _words(label: object) -> list[str]:
    """Return the words of a label in lower case."""
    return str(label).casefold().replace("_", " ").replace(".", " ").split()


def _texts(table: Scores | Predictions, key: str) -> list[str]:
    """Return the labels of a key that are texts; a million numbers need not be looked at."""
    if key not in table.frame or pd.api.types.is_numeric_dtype(table.frame[key]):
        return []
    labels = table.frame[key].unique()
    return [label for label in labels if isinstance(label, str)]


# ---------------------------------------------------------------- summaries


def _summary_rows(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are labelled as means, ranks or sums of the others."""
    for key in ("dataset", "item", "run", "fold"):
        for text in _texts(table, key):
            if _is_summary(text) or _is_mean_of_others(text, table):
                unit = UNITS[type(table.design)]
                yield (
                    f"{shown(text)} is labelled like a summary of the rows: is it a "
                    f"{unit}?"
                )
                return


def _is_summary(label: str) -> bool:
    """Return whether a label has no words but those of a summary."""
    words = set(_words(label))
    if words == {"samples", "avg"}:
        return True  # a row of scikit-learn's report
    return bool(words & _SUMMARY_WORDS) and words <= _SUMMARY_WORDS | _QUALIFIERS


def _is_mean_of_others(label: str, table: Scores | Predictions) -> bool:
    """Return whether a data set has a word for a summary in its name, and its values."""
    if not isinstance(table, Scores) or not isinstance(table.design, Datasets):
        return False
    place = table.units.index(label) if label in table.units else -1
    if place < 0:
        return False
    scores = np.stack([*table.blocks.values()])
    others = np.delete(scores, place, axis=1)
    return _summarises(label, scores[:, place], others.T)


def _summary_models(table: Scores) -> Iterator[str]:
    """Note models that by name and values are the mean, the best or so of the others."""
    shapes = {block.shape for block in table.blocks.values()}
    if len(shapes) > 1 or len(table.blocks) <= _FEWEST_SUMMARISED:
        return
    for model, block in table.blocks.items():
        others = [other for name, other in table.blocks.items() if name != model]
        # "min" and "max" are words of settings, too
        is_summary = _is_summary(model) and np.ptp(block) > 0
        if is_summary and _summarises(model, block, np.stack(others)):
            yield f"The scores of {model} are computed from those of the others."


def _summarises(label: str, scores: Array, others: Array) -> bool:
    """Return whether scores are the summary of others of which a label speaks.

    Parameters
    ----------
    label : str
    scores : ndarray, shape (...)
    others : ndarray, shape (n, ...)
    """
    functions = {_SUMMARIES[word] for word in _words(label) if word in _SUMMARIES}
    if not functions or len(others) < _FEWEST_SUMMARISED:
        return False
    unit = 10.0 ** -decimals(scores)
    return any(
        bool((np.abs(function(others, axis=0) - scores) <= unit).all())
        for function in functions
    )


def decimals(scores: Array) -> int:
    """Return how many decimals scores are written with, at most twelve.

    Parameters
    ----------
    scores : ndarray

    Returns
    -------
    int

    Examples
    --------
    >>> decimals(np.array([0.5, 0.125]))
    3
    """
    size = max(1.0, float(np.abs(scores).max()))
    for decimals in range(12):
        if (np.abs(scores - scores.round(decimals)) <= 1e-12 * size).all():
            return decimals
    return 12


def _perfect_truth(table: Scores) -> Iterator[str]:
    """Note a model that is named the truth and is right on every item."""
    if not isinstance(table.design, Items):
        return
    for model, block in table.blocks.items():
        if is_name_of_truth(model) and (block == table.metric.high).all():
            yield f"{model} is right on every item and named like the truth: is it a model?"


# ---------------------------------------------------------------- other units


def _rows_of_other_units(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are numbered as other units are, or named as data sets are."""
    for key in ("dataset", "item", "run", "fold"):
        if key not in table.design.roles or key not in table.frame:
            continue
        labels = _texts(table, key)
        if len(labels) != table.frame[key].nunique():
            continue
        unit = {"dataset": "data set", "run": _word_of_run(table.design)}.get(key, key)
        numbered = _numbered_unit(labels)
        if numbered in _OTHER_UNITS[key] or (key == "run" and numbered == "split"):
            if numbered != unit:
                yield _note_on_units(labels, unit, numbered)
        elif key in ("run", "fold") and _are_names(
            labels, table.frame[["model", key]], table.design
        ):
            yield _note_on_units(labels, unit, "data set")


def _note_on_units(labels: list[str], unit: str, other: str) -> str:
    return f"The {unit}s are called {listed(labels[:2])} and so on: are they {other}s?"


def _word_of_run(design: Design) -> str:
    """Return what a design calls a run."""
    repeated = design.within if isinstance(design, Datasets) else design
    words = {RandomSplits: "split", Seeds: "seed"}
    return words.get(type(repeated), "run")


def _numbered_unit(labels: Iterable[str]) -> str | None:
    """Return what all labels number, or None.

    >>> _numbered_unit(["fold 1", "Fold_2"]), _numbered_unit(["iris", "fold 2"])
    ('fold', None)
    """
    numbered = None
    for label in labels:
        match = _NUMBERED.fullmatch(label.strip())
        word = re.sub("[ _]", "", match["word"]).casefold() if match else ""
        unit = _WORDS.get(word)
        if unit is None or numbered not in (None, unit):
            return None  # most labels number nothing: the first one tells
        numbered = unit
    return numbered


def _are_names(labels: list[str], rows: pd.DataFrame, design: Any) -> bool:
    """Return whether labels that all models share are words without a number."""
    if len(labels) < _FEWEST_NAMED or getattr(design, "groups", False):
        return False
    if isinstance(design, Items | Datasets):
        return False
    if any(re.search(r"\d", label) or len(label) < 3 for label in labels):
        return False
    return len(rows.drop_duplicates()) == len(labels) * rows["model"].nunique()


def _parts_as_models(table: Scores) -> Iterator[str]:
    """Note models that are called like parts of the data: train and test, svm_val and svm_test."""
    stems: dict[str, set[str]] = {}
    for model in table.models:
        words = _words(model.replace("-", " "))
        parts = [word for word in words if word in _TRAINED | _TESTED]
        stem = " ".join(word for word in words if word not in parts)
        if len(parts) == 1:
            stems.setdefault(stem, set()).update(parts)
    if any(len(parts) > 1 for parts in stems.values()):
        yield f"The models are called {listed(table.models)}: are they parts of the data?"


def _parts_of_data_sets(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets of which there is a part for training and one for testing."""
    labels = {text.casefold(): text for text in _texts(table, "dataset")}
    for plain, text in labels.items():
        other = re.sub(r"(?<![a-z])train(?:ing)?(?![a-z])", "test", plain)
        if other != plain and other in labels:
            yield (
                f"{shown(text)} and {shown(labels[other])} are parts of one data set: "
                "choose the rows of test data."
            )
            return
