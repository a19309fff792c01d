"""Predicted classes: recognised, checked for equal coding and order, or refused."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy import special

from replib.comparison import rules


def classes(values: Any, name: str) -> np.ndarray:
    """Return one row of classes, or refuse anything else.

    Parameters
    ----------
    values : array_like, Series, ...
    name : str

    Returns
    -------
    ndarray of object
    """
    if isinstance(values, (str, bytes)):
        rules.apply("text", what=name, given=repr(values[:30]))
    if np.ma.isMaskedArray(values) and (count := int(np.ma.getmaskarray(values).sum())):
        rules.apply("masked", name=name, count=count)
    found = np.asarray(values)
    if found.ndim != 1 and not (found.ndim == 2 and 1 in found.shape):
        _refuse_table(found, name)
    found = found.reshape(-1)
    if not found.size:
        rules.apply("empty", name=name)
    plain = [x.item() if isinstance(x, np.generic) else x for x in found.tolist()]
    if count := sum(map(is_missing, plain)):
        rules.apply("missing-classes", name=name, count=count)
    result = np.empty(len(plain), dtype=object)
    result[:] = plain
    return result


def check_spelling(there: Iterable[Any], source: str) -> None:
    """Refuse classes that differ only in blanks or, if they are words, in case."""
    seen: dict[str, Any] = {}
    for label in (x for x in there if isinstance(x, str)):
        key = rules.simple(label) if len(label.strip()) > 1 else label.strip()
        if (other := seen.setdefault(key, label)) != label:
            a, b = sorted((other, label))
            rules.apply("name-variants", a=a, b=b, source=source)


def is_missing(x: Any) -> bool:
    """Return whether a value is None or one of the values that are not a number."""
    return x is None or type(x).__name__ in ("NAType", "NaTType") or (
        isinstance(x, float) and x != x
    )


def _refuse_table(found: np.ndarray, name: str) -> None:
    shape = found.shape
    if found.ndim == 2 and found.dtype.kind in "biuf":
        binary = np.isin(found, (0, 1)).all()
        sums = np.abs(found.sum(axis=1) - 1).max() < 1e-3
        kind = {
            (True, True): "-onehot", (True, False): "-multilabel",
            (False, True): "-probabilities", (False, False): "-scores",
        }[bool(binary), bool(sums and found.min() >= 0)]
        rules.apply("not-1d" + kind, name=name, shape=shape)
    rules.apply("not-1d", name=name, shape=shape)


def check_coding(
    truth: np.ndarray, predicted: Sequence[np.ndarray], names: Sequence[str], labels: Any
) -> None:
    """Refuse predictions whose coding differs from that of the truth.

    Parameters
    ----------
    truth : ndarray of object
    predicted : sequence of ndarray of object
    names : sequence of str
    labels : array_like or None
        All classes that may be predicted, if the test set lacks some.
    """
    there = set(truth) | (set() if labels is None else set(classes(labels, "labels")))
    check_spelling(there, "y_true")
    if labels is not None and (lacking := set(truth) - set(classes(labels, "labels"))):
        rules.apply("labels-lack", label=_quoted(sorted(lacking, key=str)[:1]))
    for of, name in zip(predicted, names):
        if {type(x) for x in of} == {bool} and there - {False, True}:
            rules.apply("marks", name=name, true=_quoted(sorted(there, key=str)))
        unknown = [x for x in dict.fromkeys(of) if x not in there]
        if unknown:
            _refuse_coding(unknown, set(of), there, truth, name)


def _refuse_coding(
    unknown: list[Any], predicted: set[Any], there: set[Any], truth: np.ndarray, name: str
) -> None:
    one, known = unknown[0], sorted(there, key=str)
    fractions = [x for x in predicted if isinstance(x, float) and x != np.floor(x)]
    if fractions:
        of_truth = [x for x in truth if isinstance(x, float) and x != np.floor(x)]
        if len(of_truth) > 0.5 * len(truth) > 5:
            rules.apply("regression-predictions", n=len(there))
        inside = all(0 <= x <= 1 for x in predicted)
        rules.apply("probabilities" if inside else "decision-scores", name=name,
                    value=float(fractions[0]))
    facts = {"name": name, "predicted": _quoted([one]), "true": _quoted(known)}
    by_text = {rules.simple(x): x for x in there}
    number_like = {_as_number(x): x for x in there} if _as_number(one) is not None else {}
    twin = number_like.get(_as_number(one), by_text.get(rules.simple(one)))
    if twin is not None and isinstance(one, str) and isinstance(twin, str):
        rules.apply("coded-variants", **(facts | {"true": _quoted([twin])}))
    if twin is not None:
        rules.apply("coded-text", **(facts | {"true": _quoted([twin])}))
    if {-1, 1} in (predicted, there) or {0, 1} in (predicted, there):
        rules.apply("coded-signs", **(facts | {"predicted": _quoted(sorted(predicted, key=str))}))
    rules.apply("unknown-label", **facts)


def _as_number(x: Any) -> float | None:
    try:
        return float(x)
    except (TypeError, ValueError):
        return {"true": 1.0, "false": 0.0}.get(rules.simple(x))


def _quoted(values: Iterable[Any]) -> str:
    return rules.listed((repr(x) for x in values), 4)


def doubts(truth: np.ndarray, predicted: Sequence[np.ndarray], names: Sequence[str]) -> list[str]:
    """Note equal predictions of two classifiers, and those wrong far more often than by chance."""
    notes = []
    right = [of == truth for of in predicted]
    for i, name in enumerate(names):
        notes += [
            rules.apply("same-predictions", a=names[j], b=name) for j in range(i)
            if (predicted[i] == predicted[j]).all() and not right[i].all()
        ]
        share = sum((truth == label).mean() * (predicted[i] == label).mean()
                    for label in set(predicted[i]))
        correct = int(right[i].sum())
        if special.bdtr(correct, len(truth), min(share, 1.0)) < 1e-6:
            notes.append(rules.apply("inverted", name=name, right=correct, n=len(truth)))
    return notes


def unrelated(
    truth: np.ndarray, predicted: Sequence[np.ndarray], names: Sequence[str]
) -> list[str]:
    """Note predictions, or classes, that seem to belong to other instances.

    Examples
    --------
    >>> y = np.random.default_rng(0).integers(2, size=60)
    >>> unrelated(y, [y, np.roll(y, 1)], ["tree", "bayes"])[0][:53]
    'bayes fits y_true no better than chance does, and far'
    """
    n = len(truth)
    codes: dict[Any, int] = {}
    y, *rows = (np.array([codes.setdefault(x, len(codes)) for x in of])
                for of in (truth, *predicted))

    def kappa(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
        """Return Cohen's kappa, and its distance from 0 in standard errors."""
        shares = [np.bincount(of, minlength=len(codes)) / n for of in (a, b)]
        luck = float(shares[0] @ shares[1])
        beyond, left = float((a == b).mean()) - luck, max(1 - luck, 1e-12)
        return beyond / left, beyond / float(np.sqrt(max(luck * left, 1e-12) / n))

    if n < 30:
        return []
    found = [kappa(y, row) for row in rows]
    for row, name, (_, z) in zip(rows, names, found):
        again, surely, how = max(
            (*kappa(y, other), how) for other, how in (
                (np.roll(row, -1), "moved by a row"), (np.roll(row, 1), "moved by a row"),
                (row[::-1], "reversed"),
            )
        )
        if z < 2.5 and again > 0.4 and surely > 5:
            return [rules.apply("moved", name=name, how=how)]
    alike, z = kappa(*rows)
    if max(z for _, z in found) < 2.5 and 0.4 < alike < 1 and z > 5:
        return [rules.apply("unrelated-truth", a=names[0], b=names[1])]
    return []
