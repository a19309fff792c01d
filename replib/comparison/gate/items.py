"""Scores and predictions per run and item, and clusters: aligned and checked, or refused."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from replib.checks import real_array
from replib.comparison import rules
from replib.comparison.gate import entrances, labels
from replib.comparison.gate.pairing import index_of


def item_scores(
    a: Any, b: Any, *, groups: Any, paired_runs: bool, names: Sequence[str]
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, list[str]]:
    """Read the scores of two models as blocks of runs x items.

    Parameters
    ----------
    a, b : array_like, Series or DataFrame, shape (items,) or (runs, items)
    groups : array_like or None
    paired_runs : bool
    names : sequence of two str

    Returns
    -------
    names : tuple of two str
    a, b : ndarray, shape (runs, items)
    notes : list of str

    Raises
    ------
    ValueError
        If anything is refused; the message is one sentence.

    Examples
    --------
    >>> item_scores([1, 0, 1], [[0, 0, 1], [0, 1, 1]], groups=None, paired_runs=False,
    ...             names=("new", "old"))[2].shape
    (2, 3)
    """
    names = entrances.classifier_names(names, ("A", "B"))
    blocks = [_block(x, name) for x, name in zip(_same_items(a, b, names), names)]
    for block, name in zip(blocks, names):
        if groups is not None and block.shape[1] < block.shape[0] == len(groups):
            rules.apply("items-transposed", name=name, shape=block.shape, n=len(groups))
    (runs_a, items_a), (runs_b, items_b) = (block.shape for block in blocks)
    if items_a != items_b:
        rules.apply("items-differ", a=names[0], na=items_a, b=names[1], nb=items_b)
    if runs_a == runs_b > items_a and not paired_runs:
        of_rows = [block.mean(axis=1) for block in blocks]
        if min(map(np.ptp, of_rows)) > 0 and np.corrcoef(of_rows)[0, 1] > 4 / np.sqrt(runs_a):
            rules.apply("items-like-runs", shape=blocks[0].shape)
    most = [float(np.abs(block).max()) for block in blocks]
    if 0 < min(most) <= 1 and max(most) > 10:
        rules.apply("items-scale", a=names[0], ma=most[0], b=names[1], mb=most[1])
    return names, blocks[0], blocks[1], copies(blocks[0], blocks[1], names)


def runs_of_predictions(
    y_true: Any, *predictions: Any, names: Sequence[str] | None, classes: Any = None
) -> tuple[tuple[str, ...], list[np.ndarray], list[str]]:
    """Tell which predictions are right, for one or more runs of each of two models.

    Parameters
    ----------
    y_true : array_like, shape (items,)
    *predictions : array_like or DataFrame, shape (items,) or (runs, items)
    names : sequence of two str, optional
    classes : array_like, optional
        All classes, where the test set lacks some that may be predicted.

    Returns
    -------
    names : tuple of two str
    right : list of ndarray of float, shape (runs, items)
        1 where a prediction is right, else 0.
    notes : list of str

    Examples
    --------
    >>> runs_of_predictions([0, 1, 1], [0, 1, 0], [[1, 1, 1], [0, 1, 1]], names=None)[1][1]
    array([[0., 1., 1.],
           [1., 1., 1.]])
    """
    names = entrances.classifier_names(names, ("A", "B"))
    rows = [rows_of(x, len(y_true), f"pred_{of}") for x, of in zip(predictions, "ab")]
    every, y = [row for of in rows for row in of], np.asarray(y_true)
    plain = all(np.asarray(x).dtype.kind in "iu" and np.shape(x) == y.shape for x in (y, *every))
    labelled = any(index_of(x) is not None for x in (y_true, *every))
    if plain and not labelled and np.isin(np.array(every), np.unique(y)).all():  # much faster
        right = np.array(every) == y
    else:
        _, right, _ = entrances.predictions(y_true, *every, classes=classes)
    parts = [right[: len(rows[0])], right[len(rows[0]) :]]
    notes = []
    for part, of, name in zip(parts, rows, names):
        if part.mean() < 0.5:  # it may be worse than chance
            truth, predicted = (
                labels.classes(np.concatenate([np.asarray(x) for x in many]), name)
                for many in ([y] * len(of), of)
            )
            notes += labels.doubts(truth, [predicted], [name])
    return names, [part.astype(float) for part in parts], notes


def rows_of(given: Any, items: int, name: str) -> list[Any]:
    """Return the runs of predictions, each a row of items, or refuse a transposed block."""
    shape = np.shape(given)
    if len(shape) != 2 or 1 in shape:
        return [given]
    if shape[1] != items == shape[0]:
        values = np.asarray(given)
        numbers = values.dtype.kind in "biuf"
        per_class = numbers and ((values % 1).any() or (values.sum(axis=1) == 1).all())
        if not per_class:
            rules.apply("items-transposed", name=name, shape=shape, n=items)
        return [given]  # probabilities, or one column per class, which the labels refuse
    return [given.iloc[i] for i in range(shape[0])] if hasattr(given, "iloc") else list(given)


def copies(a: np.ndarray, b: np.ndarray, names: Sequence[str]) -> list[str]:
    """Refuse or note runs that are copies of each other, and a model that is one of the other."""
    alike = [len(x) > 1 and bool((x == x[0]).all()) for x in (a, b)]
    if all(alike):
        rules.apply("items-copies", n=len(a))
    notes = []
    for x, name, identical in zip((a, b), names, alike):
        if identical:
            notes.append(rules.apply("items-deterministic", n=len(x), name=name))
        elif count := len(x) - len({row.tobytes() for row in x}):
            notes.append(rules.apply("items-some-copies", count=count, n=len(x), name=name))
    if a.shape == b.shape and np.array_equal(a, b):
        notes.append(rules.apply("items-same-model", a=names[0], b=names[1]))
    return notes


def clusters(groups: Any, items: int) -> np.ndarray | None:
    """Number the clusters of the items.

    Raises
    ------
    ValueError
        If the labels are not one per item, some are missing, or all are the same.

    Examples
    --------
    >>> clusters(["b", "a", "b"], 3).tolist()
    [1, 0, 1]
    """
    if groups is None:
        return None
    given = np.asarray(groups)
    if given.shape != (items,):
        rules.apply("groups-shape", shape=given.shape, n=items)
    if given.dtype.kind in "fO":
        if missing := sum(x is None or x != x for x in given.tolist()):
            rules.apply("groups-missing", count=missing)
        given = np.array([str(x) for x in given.tolist()])
    found, numbers = np.unique(given, return_inverse=True)
    if len(found) < 2:
        rules.apply("one-group", n=items)
    return numbers


def pooled(y_true: Any) -> list[str]:
    """Note labels that repeat themselves, as those of pooled runs do.

    Examples
    --------
    >>> y = np.random.default_rng(0).integers(0, 2, 50)
    >>> pooled(y), pooled(np.tile(y, 4))[0][:40]
    ([], 'The labels are the same 50, 4 times over')
    """
    y = np.asarray(y_true).reshape(-1)
    for count in range(2, 21):
        items, rest = divmod(y.size, count)
        if rest or items < 20:
            continue
        rows = y.reshape(count, items)
        if (rows == rows[0]).all() and _irregular(rows[0]):
            return [rules.apply("items-pooled", n=items, copies=count)]
    return []


def _irregular(y: np.ndarray) -> bool:
    """Whether labels are neither sorted nor periodic, as those of a random order."""
    changes = int((y[1:] != y[:-1]).sum())
    periodic = any((y[p:] == y[:-p]).all() for p in range(1, len(y) // 2 + 1))
    return changes > len(set(y.tolist())) and not periodic


def _same_items(a: Any, b: Any, names: Sequence[str]) -> tuple[Any, Any]:
    """Bring labelled scores into one order of items; the rows of frames are runs."""
    axes = [index_of(x, "columns" if np.ndim(x) == 2 else "index") for x in (a, b)]
    if any(index is None for index in axes) or axes[0].equals(axes[1]):
        return a, b
    for index, name in zip(axes, names):
        if index.has_duplicates:
            rules.apply("label-twice", label=index[index.duplicated()][0], name=name)
    if only := set(axes[0]) ^ set(axes[1]):
        rules.apply("labels-differ", a=names[0], b=names[1], label=sorted(only, key=str)[0])
    return a, b[list(axes[0])] if np.ndim(b) == 2 else b.loc[list(axes[0])]


def _block(scores: Any, name: str) -> np.ndarray:
    if np.ma.isMaskedArray(scores) and (count := int(np.ma.getmaskarray(scores).sum())):
        rules.apply("items-masked", name=name, count=count)
    x = np.atleast_2d(real_array(f"the scores of {name}", scores))
    if x.ndim != 2 or x.shape[1] < 2 or not len(x):
        rules.apply("items-shape", name=name, shape=np.shape(scores))
    if not np.isfinite(x).all():
        bad = np.argwhere(~np.isfinite(x))
        rules.apply("items-missing", count=len(bad), n=x.size, name=name, run=int(bad[0][0] + 1),
                    item=int(bad[0][1] + 1))
    return x
