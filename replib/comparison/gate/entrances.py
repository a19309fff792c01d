"""The input of each kind of comparison: aligned, checked and named."""

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np

from replib.comparison import rules
from replib.comparison.design import Design, read_design
from replib.comparison.gate import doubts, labels, tables
from replib.comparison.gate.pairing import aligned, index_of
from replib.validation import check_level


@dataclass(frozen=True, eq=False)
class Gated:
    """Scores of k classifiers on the same splits, in the order of the splits.

    Attributes
    ----------
    names : tuple of str
    blocks : tuple of ndarray, shape (runs, folds)
        Scores of each classifier.
    design : Design
    metric : str
    notes : tuple of str
        What may be wrong, in sentences.
    """

    names: tuple[str, ...]
    blocks: tuple[np.ndarray, ...]
    design: Design
    metric: str
    notes: tuple[str, ...]


def scores(
    given: Any,
    *,
    cv: Any = None,
    runs: int | None = None,
    folds: int | None = None,
    test_fraction: float | None = None,
    metric: str | None = None,
    names: Sequence[str] | None = None,
    greater_is_better: bool = True,
) -> Gated:
    """Read scores of two or more classifiers.

    Parameters
    ----------
    given : Table, DataFrame, mapping or sequence
        Columns (or keys) are classifiers; or a sequence of array_like, Series or dicts from
        `sklearn.model_selection.cross_validate`.
    cv, runs, folds, test_fraction
        As in :func:`replib.comparison.compare_scores`.
    metric : str, optional
        Which scores of a dict, or the name of the scores.
    names : sequence of str, optional
    greater_is_better : bool, default True

    Returns
    -------
    Gated

    Raises
    ------
    ValueError
        If the input is refused; the message is one sentence.

    Examples
    --------
    >>> gated = scores({"tree": [.91, .87, .95, .90], "bayes": [.88, .85, .96, .89]}, cv="2x2")
    >>> gated.names, gated.blocks[0].shape, str(gated.design)
    (('tree', 'bayes'), (2, 2), '2 runs of 2-fold cross-validation')
    """
    if metric is not None and not isinstance(metric, str):
        raise ValueError(f"metric must be the name of a score, not {metric!r}")
    table, blocks, own = _read(given, metric, names)
    notes = list(table.notes)
    names = classifier_names(names, own)
    n = blocks[0].size
    said = {"cv": cv, "runs": runs, "folds": folds, "test_fraction": test_fraction}
    design = _design(said, table, n)
    if test_fraction is not None and test_fraction > 0.5:
        notes.append(rules.apply("large-test-fraction", fraction=float(test_fraction),
                                 other=float(1 - test_fraction)))
    blocks = as_blocks(blocks, names, design)
    one_each = all(np.isin(block, (0, 1)).all() and np.ptp(block) for block in blocks)
    if one_each and design.splits >= 10:
        rules.apply("leave-one-out")
    metric = metric or table.metric
    notes += tables.measures_in_names(names)
    notes += doubts.examine(blocks, names, metric=metric, greater_is_better=greater_is_better)
    return Gated(names, tuple(blocks), design, metric or "score", tuple(notes))


def _read(
    given: Any, metric: str | None, names: Sequence[str] | None
) -> tuple[tables.Table, list[np.ndarray], list[str]]:
    """Return what the columns say besides scores; the scores; and their names."""
    if isinstance(given, tables.Table):
        return _of_table(given)
    if isinstance(given, (str, bytes, PathLike)):
        rules.apply("text", what="a", given=reprlib.repr(str(given)))
    if hasattr(given, "columns"):
        return _of_table(tables.read(tables.columns_of(given), "the frame", metric=metric))
    if isinstance(given, np.ndarray) and given.ndim > 1:
        rules.apply("bare-array", shape=given.shape)
    if not isinstance(given, Mapping):
        parts = list(map(only_column, given)) if hasattr(given, "__iter__") else []
        return _parts(parts, metric, names)
    keys = [str(key) for key in given]
    if any(key in ("params", "mean_test_score") for key in keys):
        rules.apply("search-results", keys=rules.listed(keys))
    if any(key.startswith(("test_", "fit_time")) for key in keys):
        rules.apply("one-dict", keys=rules.listed(keys))
    if any(map(rules.role, keys)):  # some columns give order and design
        columns = {str(name): tables.as_list(values) for name, values in given.items()}
        return _of_table(tables.read(columns, "the dict", metric=metric))
    return _parts(list(map(only_column, given.values())), metric, keys)


def _of_table(table: tables.Table) -> tuple[tables.Table, list[np.ndarray], list[str]]:
    _check_finite(table.scores)
    return table, list(table.scores.values()), list(table.scores)


def _parts(
    parts: list[Any], metric: str | None, names: Sequence[str] | None
) -> tuple[tables.Table, list[np.ndarray], list[str]]:
    scalars = bool(parts) and all(
        isinstance(part, Real) or (isinstance(part, np.ndarray) and not part.ndim) for part in parts
    )
    if len(parts) < 2 or scalars:
        rules.apply("too-few", count=1 if scalars else len(parts) or "none")
    own = [name if isinstance(name := getattr(p, "name", None), str) else "" for p in parts]
    if len(set(own)) < len(own) or not all(own):
        own = [chr(65 + i) for i in range(len(parts))]
    for name in (own := own if names is None else [str(name) for name in names]):
        if rules.role(name):
            rules.apply("reserved", name=name)
    tables.no_measures(own, "these scores")
    own = [*own, *(chr(65 + i) for i in range(len(own), len(parts)))][: len(parts)]
    if any(isinstance(part, Mapping) for part in parts):
        keys = [_key_of_dict(part, name, metric) for part, name in zip(parts, own)]
        for key, name in zip(keys, own):
            if key != keys[0] and not {None, "test_score"} & {key, keys[0]}:
                rules.apply("scores-of-dicts", a=own[0], key_a=keys[0], b=name, key_b=key)
        tests = [part["indices"]["test"] for part in parts if "indices" in part]
        for rows, name in zip(tests[1:], own[1:]) if len(tests) == len(parts) else ():
            if not all(map(np.array_equal, tests[0], rows)):
                rules.apply("indices-differ", a=own[0], b=name)
        parts = [part if key is None else part[key] for part, key in zip(parts, keys)]
        metric = None
    parts = aligned(parts, own)
    if len({len(p) for p in parts if hasattr(p, "__len__")}) == 1 and all(
        index_of(part) is not None and part.ndim == 1 for part in parts
    ):
        columns = tables.levels_of(parts[0].index, own[0])
        columns |= dict(zip(own, map(tables.as_list, parts)))
        return _of_table(tables.read(columns, "the Series"))
    loose = [name for part, name in zip(parts, own) if index_of(part) is None]
    for part, name in zip(parts, own):
        ordered = index_of(part) is None or part.ndim > 1 or tables.in_order(list(part.index))
        if loose and not ordered:
            rules.apply("one-ordered", a=name, b=loose[0])
    read = [read_scores(_sorted_block(part), name) for part, name in zip(parts, own)]
    _check_finite(dict(zip(own, read)))
    return tables.Table({}), read, own


def only_column(part: Any) -> Any:
    """Return the Series in a DataFrame of one column; anything else unchanged."""
    return part.iloc[:, 0] if hasattr(part, "iloc") and part.shape[1:] == (1,) else part


def _key_of_dict(part: Any, name: str, metric: str | None) -> str | None:
    """Return the key of the scores in a dict, or None for other types."""
    if not isinstance(part, Mapping):
        if metric is not None:
            rules.apply("metric-without-dict", name=name)
        return None
    tests = [key for key in part if str(key).startswith("test_")]
    key = tests[0] if len(tests) == 1 else "test_score"
    if metric is not None:
        key = metric if metric in tests else f"test_{metric}"
    if key not in part and all(isinstance(value, Real) for value in part.values()):
        rules.apply("dict-of-numbers", name=name, keys=rules.listed(part, 3))
    if key not in part:
        there = rules.listed(tests) or f"none (it has {rules.listed(part)})"
        rules.apply("which-scores", name=name, there=there)
    return key


def _sorted_block(part: Any) -> Any:
    """Return a DataFrame of runs x folds in the order of its labels."""
    if getattr(part, "ndim", 1) != 2 or index_of(part) is None:
        return part
    for axis in ("index", "columns"):
        keys = list(index_of(part, axis))
        order = sorted(range(len(keys)), key=lambda i: tables.natural(keys[i]))
        part = part.iloc[order] if axis == "index" else part.iloc[:, order]
    roles = [rules.role(index.name or "?") for index in (part.index, part.columns)]
    return part.T if roles == ["fold", "run"] else part


def classifier_names(names: Any, own: Sequence[str]) -> tuple[str, ...]:
    """Return the given names, or those of the scores, without control characters.

    Raises
    ------
    ValueError
        If two are equal, or there are too few or too many.
    """
    if names is None:
        return tuple(map(rules.printable, own))
    in_order = not isinstance(names, (str, set, frozenset))
    found = [str(name) for name in names] if in_order else []
    if len(found) != len(own) or len(set(map(rules.simple, found))) < len(found):
        count = {2: "two"}.get(len(own), len(own))
        rules.apply("names", count=count, given=repr(names))
    return tuple(map(rules.printable, found))


def check_alpha(alpha: Any) -> None:
    """Refuse a value that is not a significance level."""
    check_level("alpha", alpha)
    if alpha > 0.5:
        rules.apply("alpha", alpha=float(alpha), other=float(1 - alpha))


def either(metric: Any, scoring: Any) -> Any:
    """Return the argument that was given, of two that mean the same."""
    if metric is not None and scoring is not None:
        rules.apply("scoring-twice")
    return scoring if metric is None else metric


def read_scores(scores: Any, name: str) -> np.ndarray:
    """Return the scores of one classifier as floats with one or two dimensions."""
    if isinstance(scores, (str, bytes)):
        rules.apply("text", what=f"the scores of {name}", given=repr(scores[:30]))
    if np.ma.isMaskedArray(scores) and (count := int(np.ma.getmaskarray(scores).sum())):
        rules.apply("masked", name=name, count=count)
    try:
        values = np.asarray(scores)
        if values.dtype.kind in "cMm":
            raise TypeError
        values = values.astype(float)
    except (TypeError, ValueError):
        rules.apply("not-numbers", name=name, given=reprlib.repr(scores))
    if values.ndim not in (1, 2) or not values.size:
        rules.apply("shape", name=name, shape=values.shape)
    return values


def _check_finite(read: Mapping[str, np.ndarray]) -> None:
    for name, values in read.items():
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size:
            rules.apply("missing", name=name, count=int(bad.size), n=values.size,
                        place=int(bad[0] + 1))


def _design(said: Mapping[str, Any], table: tables.Table, n: int) -> Design:
    silent = all(value is None for value in said.values())
    if table.seeds and said["test_fraction"] is None:
        random = not silent and read_design(**said, splits=n).folds == 1
        if not random:
            rules.apply("seeds", column=table.seeds, n=n)
    if table.design is None:
        return read_design(**said, splits=n)
    runs, folds = table.design
    found = read_design(runs=runs, folds=folds)
    if not silent:
        stated = read_design(**said, splits=n)
        if (stated.runs, stated.folds) != (runs, folds):
            rules.apply("design-contradicts", found=found, said=stated)
    return found


def as_blocks(
    scores: Sequence[np.ndarray], names: Sequence[str], design: Design
) -> list[np.ndarray]:
    """Return all scores as blocks of runs x folds; refuse those that do not fit the design.

    The flat order is scikit-learn's: all folds of the first run, then those of the second.
    """
    shape = scores[0].shape
    for other, name in zip(scores[1:], names[1:]):
        if other.shape != shape:
            rules.apply("unequal", a=names[0], b=name, na=_size(shape), nb=_size(other.shape))
    expected = (design.runs, design.folds)
    if len(shape) == 2 and shape != expected:
        if design.folds == 1:
            rules.apply("block-of-random-splits", shape=shape)
        advice = ": transpose it" if shape == expected[::-1] else ""
        rules.apply("block-shape", name=names[0], shape=shape, design=design, expected=expected,
                    advice=advice)
    if len(shape) == 1 and shape[0] != design.splits:
        if len(scores) == design.splits:
            rules.apply("transposed", n=shape[0], k=len(scores), design=design)
        rules.apply("not-the-design", n=shape[0], design=design, expected=design.splits)
    return [x.reshape(expected) for x in scores]


def finite_blocks(
    scores: Mapping[str, np.ndarray], design: Design
) -> tuple[np.ndarray, ...]:
    """Return scores computed here as blocks of runs x folds; refuse those of failed fits."""
    _check_finite(scores)
    return tuple(as_blocks(list(scores.values()), list(scores), design))


def _size(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))


def predictions(
    y_true: Any, *given: Any, names: Sequence[str] | None = None, classes: Any = None
) -> tuple[tuple[str, ...], np.ndarray, tuple[str, ...]]:
    """Read the classes of a test set and the predictions of k classifiers for it.

    Parameters
    ----------
    y_true : array_like
    *given : array_like
        Predicted classes, in the same order or with the same index labels.
    names : sequence of str, optional
    classes : array_like, optional
        All classes, if the test set lacks some that may be predicted.

    Returns
    -------
    names : tuple of str
    right : ndarray of bool, shape (k, instances)
        Whether each classifier was right.
    notes : tuple of str

    Examples
    --------
    >>> predictions([0, 1, 1], [0, 1, 0], [1, 1, 1])[1].astype(int).tolist()
    [[1, 1, 0], [0, 1, 1]]
    """
    own = [chr(65 + i) for i in range(len(given))]
    called = ["y_true", *(f"pred_{letter.lower()}" for letter in own)]
    parts = aligned(map(only_column, (y_true, *given)), called)
    truth, *predicted = (labels.classes(part, name) for part, name in zip(parts, called))
    for of, name in zip(predicted, called[1:]):
        if len(of) != len(truth):
            rules.apply("lengths", n=len(truth), name=name, m=len(of))
    labels.check_coding(truth, predicted, called[1:], classes)
    found = classifier_names(names, own)
    notes = [rules.apply("is-the-truth", name=name)
             for name, of in zip(found, given) if of is y_true]
    notes += labels.doubts(truth, predicted, found)
    if len(predicted) == 2:
        notes += labels.unrelated(truth, predicted, found)
        if len(truth) >= 10 and not (predicted[0] == predicted[1]).any():
            notes.append(rules.apply("never-agree", a=found[0], b=found[1], n=len(truth)))
    return found, np.array([of == truth for of in predicted], dtype=bool), tuple(notes)
