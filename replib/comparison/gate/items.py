"""Scores and predictions per run and item, and clusters: aligned and checked, or refused."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from replib.comparison import rules
from replib.comparison.gate import doubts, entrances, labels, tables
from replib.comparison.gate.pairing import aligned, index_of
from replib.validation import real_array

_MISSING = ("", "nan", "none", "<na>", "nat")
#: Measures of a whole set of predictions that are not the mean of the items' scores.
_NOT_MEANS = ("roc_auc", "auc", "matthews_corrcoef", "mcc", "balanced_accuracy", "kappa",
              "cohen_kappa", "average_precision", "f1_macro", "f1_micro", "f1_weighted")


def item_scores(
    a: Any, b: Any, *, groups: Any, paired_runs: bool, names: Sequence[str], metric: str = "score"
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, Any, list[str]]:
    """Read the scores of two models as blocks of runs x items.

    Parameters
    ----------
    a, b : array_like, Series or DataFrame, shape (items,) or (runs, items)
    groups : array_like or None
        A Series is aligned by the item labels.
    paired_runs : bool
    names : sequence of two str
    metric : str

    Returns
    -------
    names : tuple of two str
    a, b : ndarray, shape (runs, items)
    groups
        In the order of the items.
    notes : list of str

    Raises
    ------
    ValueError
        If the input is refused; the message is one sentence.

    Examples
    --------
    >>> item_scores([1, 0, 1], [[0, 0, 1], [0, 1, 1]], groups=None, paired_runs=False,
    ...             names=("new", "old"))[2].shape
    (2, 3)
    """
    names = entrances.classifier_names(names, ("A", "B"))
    *parts, groups = _same_items([a, b, groups], [*names, "groups"], paired_runs)
    blocks = [_block(x, name) for x, name in zip(parts, names)]
    for block, name in zip(blocks, names):
        if groups is not None and block.shape[1] < block.shape[0] == np.size(groups):
            rules.apply("items-transposed", name=name, shape=block.shape, n=len(groups))
    (runs_a, items_a), (runs_b, items_b) = (block.shape for block in blocks)
    if items_a != items_b:
        rules.apply("items-differ", a=names[0], na=items_a, b=names[1], nb=items_b)
    if runs_a == runs_b > items_a and not paired_runs:
        of_rows = [block.mean(axis=1) for block in blocks]
        if min(map(np.ptp, of_rows)) > 0 and np.corrcoef(of_rows)[0, 1] > 4 / np.sqrt(runs_a):
            rules.apply("items-like-runs", shape=blocks[0].shape)
    if paired_runs and runs_a != runs_b:
        rules.apply("paired-runs", a=names[0], na=runs_a, b=names[1], nb=runs_b)
    notes = [
        *_scale(blocks, names, metric), *copies(blocks[0], blocks[1], names),
        *_constant(blocks, names), *_pooled_scores(blocks[0], blocks[1], groups),
        *_coded(blocks[0], blocks[1], names, metric),
    ]
    if items_a < 10:
        notes.append(rules.apply("items-few", n=items_a))
    return names, blocks[0], blocks[1], groups, notes


class Predicted(NamedTuple):
    """Classes of a test set and what two models predict, in one order of items.

    Attributes
    ----------
    names : tuple of two str
    truth : ndarray of object, shape (items,)
    rows : list of two lists
        Predictions of each run of each model, shape (items,).
    groups
        As given, but in the order of the items.
    """

    names: tuple[str, ...]
    truth: np.ndarray
    rows: list[list[Any]]
    groups: Any

    def each(self, read: Callable[[Any, str], np.ndarray]) -> list[list[np.ndarray]]:
        """Return the results of applying `read` to each row and its name."""
        return [[read(row, f"pred_{of}") for row in rows] for rows, of in zip(self.rows, "ab")]


def predicted(
    y_true: Any, a: Any, b: Any, *, groups: Any = None, names: Sequence[str] | None = None
) -> Predicted:
    """Align classes, predictions and groups by their labels, if they have any.

    Parameters
    ----------
    y_true : array_like, shape (items,)
    a, b : array_like or DataFrame, shape (items,) or (runs, items)
    groups : array_like or None
    names : sequence of two str, optional

    Returns
    -------
    Predicted

    Examples
    --------
    >>> predicted([0, 1], [0, 0], [[1, 1], [0, 1]]).rows
    [[[0, 0]], [[1, 1], [0, 1]]]
    """
    names = entrances.classifier_names(names, ("A", "B"))
    n = len(labels.classes(y_true, "y_true"))
    rows = [rows_of(x, n, f"pred_{of}") for x, of in zip((a, b), "ab")]
    called = ["y_true", *(f"pred_{of}" for of, many in zip("ab", rows) for _ in many), "groups"]
    parts = aligned(map(entrances.only_column, (y_true, *rows[0], *rows[1], groups)), called)
    y, *every, groups = parts
    truth = labels.classes(y, "y_true")
    if np.shape(groups) == truth.shape and list(map(str, groups)) == list(map(str, truth)):
        rules.apply("groups-classes")
    return Predicted(names, truth, [every[: len(rows[0])], every[len(rows[0]) :]], groups)


def classes_of(
    given: Predicted, classes: Any = None
) -> tuple[list[np.ndarray], list[np.ndarray], list[str]]:
    """Read predictions as classes with the same coding as the truth.

    Parameters
    ----------
    given : Predicted
    classes : array_like, optional
        All classes, if the test set lacks some that may be predicted.

    Returns
    -------
    predicted : list of two ndarray, shape (runs, items)
    right : list of two ndarray of float, shape (runs, items)
        1 where a prediction is right, else 0.
    notes : list of str

    Examples
    --------
    >>> classes_of(predicted([0, 1, 1], [0, 1, 0], [[1, 1, 1], [0, 1, 1]]))[1][1]
    array([[0., 1., 1.],
           [1., 1., 1.]])
    """
    y, plain = given.truth, np.array(given.truth.tolist())
    arrays = [np.asarray(row) for rows in given.rows for row in rows]
    fast = all(x.dtype.kind in "iu" and x.shape == y.shape and not np.ma.isMaskedArray(row)
               for x, row in zip((plain, *arrays), (plain, *given.rows[0], *given.rows[1])))
    if fast and np.isin(arrays, np.unique(plain)).all():
        found = [np.array(arrays[: len(given.rows[0])]), np.array(arrays[len(given.rows[0]) :])]
    else:
        read = given.each(labels.classes)
        for rows, of in zip(read, "ab"):
            for row in rows:
                if len(row) != len(y):
                    rules.apply("lengths", n=len(y), name=f"pred_{of}", m=len(row))
            labels.check_coding(y, rows, [f"pred_{of}"] * len(rows), classes)
        found = [np.array([np.array(row.tolist()) for row in rows]) for rows in read]
    right = [(of == plain).astype(float) for of in found]
    notes = []
    for part, block, name in zip(right, found, given.names):
        if part.mean() < 0.5:  # only then can it be worse than chance
            truth = labels.classes(np.concatenate([plain] * len(block)), name)
            notes += labels.doubts(truth, [labels.classes(block.reshape(-1), name)], [name])
    notes += labels.unrelated(plain, [of[0] for of in found], given.names)
    return found, right, notes


def scores_of(given: Predicted, label: Any) -> tuple[list[np.ndarray], list[str]]:
    """Read predictions as scores or probabilities of one class.

    Examples
    --------
    >>> scores_of(predicted([0, 1], [0.2, 0.6], [0.5, 0.4]), 1)[0][0]
    array([[0.2, 0.6]])
    """
    def read(row: Any, name: str) -> np.ndarray:
        if np.ma.isMaskedArray(row) and (count := int(np.ma.getmaskarray(row).sum())):
            rules.apply("masked", name=name, count=count)
        if np.asarray(row).dtype.kind not in "biufO":
            rules.apply("auc-text", label=label, name=name)
        if np.ndim(row) > 1 and 1 not in np.shape(row):
            rules.apply("auc-columns", name=name, shape=np.shape(row), label=label)
        x = real_array(name, row).reshape(-1)
        if len(x) != len(given.truth):
            rules.apply("lengths", n=len(given.truth), name=name, m=len(x))
        if count := int((~np.isfinite(x)).sum()):
            rules.apply("auc-missing", name=name, count=count)
        return x

    found = [np.array(rows) for rows in given.each(read)]
    return found, few_values(found, given.names)


def few_values(predicted: Sequence[np.ndarray], names: Sequence[str]) -> list[str]:
    """Note scores that are all equal, or look like predicted classes."""
    notes = []
    for of, name in zip(predicted, names):
        if (n := len(np.unique(of))) == 1:
            notes.append(rules.apply("items-constant", name=name, score=float(of.flat[0])))
        elif n <= 2:
            notes.append(rules.apply("auc-of-labels", name=name, n=n))
    return notes


def rows_of(given: Any, items: int, name: str) -> list[Any]:
    """Return the runs of predictions, each as a row of items, or refuse a transposed block."""
    shape = np.shape(given)
    if len(shape) != 2 or 1 in shape:
        return [given]
    if shape[1] != items == shape[0]:
        values = np.asarray(given)
        numbers = values.dtype.kind in "biuf"
        per_class = numbers and ((values % 1).any() or (values.sum(axis=1) == 1).all())
        if not per_class:
            rules.apply("items-transposed", name=name, shape=shape, n=items)
        return [given]  # probabilities, or one column per class, which reading the labels refuses
    return [given.iloc[i] for i in range(shape[0])] if hasattr(given, "iloc") else list(given)


def copies(a: np.ndarray, b: np.ndarray, names: Sequence[str]) -> list[str]:
    """Refuse or note runs that are copies of each other, and a model that copies the other."""
    alike = [len(x) > 1 and bool((x == x[0]).all()) for x in (a, b)]
    if all(alike):
        rules.apply("items-copies", n=len(a))
    notes = []
    for x, name, identical in zip((a, b), names, alike):
        if identical:
            notes.append(rules.apply("items-deterministic", n=len(x), name=name))
        elif count := len(x) - len({run.tobytes() for run in x}):
            # where seeds differ on few items, two may agree on all of them by chance
            distinct = np.unique(x, axis=0)
            differing = (distinct[1:] != distinct[0]).sum(axis=1).mean()
            if len(x) * (len(x) - 1) / 2 * np.exp(-differing) < 1e-3:
                notes.append(rules.apply("items-some-copies", count=count, n=len(x), name=name))
        elif x.dtype.kind == "f" and 0 < (most := np.ptp(x, axis=0).max()) < 1e-3 * np.ptp(x):
            notes.append(rules.apply("items-near-copies", name=name, most=float(most)))
    if a.shape == b.shape and {x.tobytes() for x in a} == {x.tobytes() for x in b}:
        notes.append(rules.apply("items-same-model", a=names[0], b=names[1]))
    return notes


def clusters(groups: Any, items: int) -> tuple[np.ndarray | None, list[str]]:
    """Number the clusters of the items.

    Returns
    -------
    clusters : ndarray or None
    notes : list of str

    Raises
    ------
    ValueError
        If there is not one label per item, some are missing, or all are the same.

    Examples
    --------
    >>> clusters(["b", "a", "b"], 3)[0].tolist()
    [1, 0, 1]
    """
    if groups is None:
        return None, []
    given, notes = np.asarray(groups), []
    if given.shape != (items,):
        rules.apply("groups-shape", shape=given.shape, n=items)
    if given.dtype.kind not in "iub":
        values = given.tolist()
        text = [str(x).strip() for x in values]
        if missing := sum(labels.is_missing(x) or simple.lower() in _MISSING
                          for x, simple in zip(values, text)):
            rules.apply("groups-missing", count=missing, n=items)
        given = np.array(text)
    found, numbers = np.unique(given, return_inverse=True)
    if len(found) < 2:
        rules.apply("one-group", n=items)
    if len(found) == items:
        notes.append(rules.apply("groups-own", n=items))
    elif given.dtype.kind == "U":
        seen: dict[str, str] = {}
        for name in found.tolist():
            if (other := seen.setdefault(rules.simple(name), name)) != name:
                notes.append(rules.apply("groups-variants", a=other, b=name))
                break
    return numbers, notes


def pooled(y_true: Any) -> list[str]:
    """Note labels that repeat, as they do when runs are pooled.

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
        for rows in (y.reshape(count, items), y.reshape(items, count).T):
            if (rows == rows[0]).all() and _irregular(rows[0]):
                return [rules.apply("items-pooled", n=items, copies=count)]
    return []


def _irregular(y: np.ndarray) -> bool:
    """Return whether labels are in random order: neither sorted nor periodic."""
    changes = int((y[1:] != y[:-1]).sum())
    periodic = any((y[p:] == y[:-p]).all() for p in range(1, len(y) // 2 + 1))
    return changes > len(set(y.tolist())) and not periodic


def _pooled_scores(a: np.ndarray, b: np.ndarray, groups: Any) -> list[str]:
    """Note scores of one run that correlate more at a lag of n / count items than before."""
    n = a.shape[1]
    if len(a) + len(b) > 2 or n < 40 or np.ptp(a + b) < 1e-9:
        return []
    s = (a + b)[0] - (a + b).mean()
    power = np.abs(np.fft.rfft(s, 2 * n)) ** 2
    together = np.fft.irfft(power)[: n // 2 + 1] / (n - np.arange(n // 2 + 1)) / s.var()
    for count in range(20, 1, -1):
        items, rest = divmod(n, count)
        if rest or items < 20:
            continue
        known = groups is not None and np.array_equal(
            np.asarray(groups)[items:], np.asarray(groups)[:-items]
        )
        least = max(0.2, 6 / np.sqrt(n - items), together[1:items].max() + 3 / np.sqrt(n))
        if together[items] > least and not known:
            return [rules.apply("items-pooled-scores", n=items, copies=count)]
    return []


def _scale(blocks: Sequence[np.ndarray], names: Sequence[str], metric: str) -> list[str]:
    """Refuse or note mixed scales, losses, and scores outside the range of the metric."""
    known, plain = rules.metric_range(metric), rules.simple(metric).replace("_", " ")
    most = [float(np.abs(block).max()) for block in blocks]
    if doubts.names_an_error(metric) and max(block.max() for block in blocks) > 0:
        rules.apply("items-error", metric=metric)
    if plain.replace(" ", "_") in _NOT_MEANS:
        rules.apply("items-not-a-mean", metric=metric)
    if 0 < min(most) <= 1 and max(most) > 10:
        rules.apply("items-scale", a=names[0], ma=most[0], b=names[1], mb=most[1])
    if known:
        _, low, high = known
        unit = 100 if high == 1 and low >= -1 and max(most) > 10 else 1  # in percent
        for block, name in zip(blocks, names):
            outside = (block < unit * low - 1e-9) | (block > unit * high + 1e-9)
            if outside.any():
                rules.apply("out-of-range", name=name, score=float(block[outside][0]),
                            metric=metric, high=unit * high,
                            low="minus infinity" if np.isinf(low) else unit * low)
    for one, other in ((0, 1), (1, 0)):
        outside = (blocks[other] < 0) | (blocks[other] > 1)
        if outside.any() and set(np.unique(blocks[one])) == {0.0, 1.0}:
            return [rules.apply("items-coded", a=names[one], b=names[other],
                                value=float(blocks[other][outside][0]))]
    return []


def _coded(a: np.ndarray, b: np.ndarray, names: Sequence[str], metric: str) -> list[str]:
    """Note scores that are sorted, or look like classes, ranks or codes."""
    notes = doubts.in_order(np.concatenate([a, b]), names, "item")
    one, other = a[: len(b)], b[: len(a)]  # run by run
    if one.size >= 10 and np.ptp(one + other) < 1e-9 < np.ptp(one):
        notes.append(rules.apply("constant-sum", a=names[0], b=names[1], unit="item",
                                 sum=float(one.flat[0] + other.flat[0])))
    if not np.array_equal(one, other):
        notes += doubts.on_a_line(one.ravel(), other.ravel(), names[0], names[1], "item")
    tops = a.max(), b.max()
    if rules.simple(metric) == "score" and not ((a % 1).any() or (b % 1).any()) and (
        min(tops) > 2 and max(tops) == 2 * min(tops) and a.min() == b.min() and a.size >= 50
        and min((a == tops[0]).mean(), (b == tops[1]).mean()) > 0.03
    ):
        notes.append(rules.apply("items-ceilings", a=names[0], ma=float(tops[0]), b=names[1],
                                 mb=float(tops[1])))
    elif rules.simple(metric) == "score" and _looks_like_classes(one, other):
        found = np.unique([one, other])
        notes.append(rules.apply("item-classes", a=names[0], b=names[1], n=len(found),
                                 some=rules.listed(found[:3])))
    for x, name in zip((a, b), names):
        below = x[x < 0]
        if 0 < len(below) <= 0.05 * x.size and len(np.unique(below)) == 1 and (
            below[0] == np.round(below[0]) and (x % 1).any()
        ):
            notes.append(rules.apply("item-code", name=name, score=float(below[0])))
    return notes


def _looks_like_classes(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether models give the same whole numbers, often agree, and otherwise differ a lot.

    Ratings that differ are usually close to each other; classes that differ can be far apart.
    """
    if (a % 1).any() or (b % 1).any() or a.size < 30 or not np.array_equal(
        values := np.unique(a), np.unique(b)
    ) or not 2 <= len(values) <= 100:
        return False
    if len(values) == 2:
        return bool(values[0] != 0)
    shares = [(x[..., None] == values).reshape(-1, len(values)).mean(axis=0) for x in (a, b)]
    luck, agree = float(shares[0] @ shares[1]), float((a == b).mean())
    if max(shares[0].max(), shares[1].max()) > 0.6 or agree - luck < 0.6 * (1 - luck):
        return False
    gaps, weights = np.abs(values[:, None] - values), np.outer(*shares)
    np.fill_diagonal(weights, 0)
    apart = a != b
    return bool(not apart.any() or np.abs(a - b)[apart].mean() > (
        0.7 * (gaps * weights).sum() / weights.sum()))


def _constant(blocks: Sequence[np.ndarray], names: Sequence[str]) -> list[str]:
    """Note a model, or a run, with the same score on every item that is not the maximum."""
    notes = []
    for block, name in zip(blocks, names):
        same = (np.ptp(block, axis=1) == 0) & ~np.isin(block[:, 0], (1, 100))
        if same.all() and np.ptp(block) == 0:
            notes.append(rules.apply("items-constant", name=name, score=float(block[0, 0])))
        elif same.any():
            run = int(same.argmax())
            notes.append(rules.apply("items-failed-run", run=run + 1, name=name,
                                     score=float(block[run, 0])))
    return notes


def _same_items(parts: list[Any], names: list[str], paired_runs: bool) -> list[Any]:
    """Bring labelled scores and groups into the same order; rows of frames are runs."""
    frames = [np.ndim(x) == 2 and index_of(x) is not None for x in parts]
    for x, name in zip([x for x, frame in zip(parts, frames) if frame], names):
        if column := next((c for c in x.columns if rules.role(c) in ("run", "item", "row")), None):
            rules.apply("items-described", name=name, column=column)
    if paired_runs and frames[0] and frames[1]:
        runs = [part.index for part in parts[:2]]
        if len(runs[0]) == len(runs[1]) and (only := set(runs[0]) ^ set(runs[1])):
            rules.apply("run-labels", run=sorted(only, key=str)[0])
        parts = [*aligned(parts[:2], names, axes=("index",)), parts[2]]
    # items become rows, in frames as in Series
    parts = [x.T if frame else x for x, frame in zip(parts, frames)]
    loose = [name for x, name in zip(parts[:2], names) if index_of(x) is None]
    for x, name in zip(parts, names):
        if loose and index_of(x) is not None and _counted_otherwise(list(index_of(x))):
            rules.apply("items-one-ordered", a=name, b=loose[0])
    parts = aligned(parts, names, axes=("index",))
    return [x.T if frame else x for x, frame in zip(parts, frames)]


def _counted_otherwise(cells: list[Any]) -> bool:
    """Return whether labels such as 3 or q3 count all items, but in another order."""
    cells = [re.sub(r"^[A-Za-z_ -]+(?=[0-9]+$)", "", str(x)) for x in cells]
    return tables.counts_rows(cells) and not tables.in_order(cells)


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
