r"""Two models by any metric of their predictions: ROC AUC, F1, Matthews' correlation, a function.

*Pseudo-values* turn a metric that is not a mean over items into one, to first order; their mean is
:math:`\hat\theta`.  For the area under the ROC curve they are the placement values of DeLong et al.
(1988), scaled so that their variance is DeLong's; otherwise those of the jackknife,
:math:`G\hat\theta-(G-1)\hat\theta_{(-g)}`, where g is an item or a cluster.  The model of
`replib.variance` therefore answers its three questions for any metric.  For trained models on new
items there are better answers: for the area DeLong's test, otherwise a permutation test that
exchanges the two models' predictions for an item (or cluster), and the BCa bootstrap interval.
"""

import math
import reprlib
from collections.abc import Callable, Sequence
from functools import cache, partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from replib.comparison import gate, items, rules
from replib.comparison.gate import items as checked
from replib.comparison.gate import labels
from replib.intervals import ConfidenceInterval
from replib.significance import TestResult
from replib.significance.t import student
from replib.validation import as_number, check_choice, check_level, whole_number
from replib.variance import mean_squares

Array = NDArray[np.float64]


def _recalls(c: Array) -> tuple[Array, Array]:
    of = c.sum(-1)
    return np.diagonal(c, axis1=-2, axis2=-1) / np.maximum(of, 1), of > 0


def _balanced_accuracy(c: Array) -> Array:
    recall, there = _recalls(c)
    return recall.sum(-1) / np.maximum(there.sum(-1), 1)


def _f1_of_classes(c: Array) -> tuple[Array, Array]:
    either = c.sum(-1) + c.sum(-2)
    return 2 * np.diagonal(c, axis1=-2, axis2=-1) / np.maximum(either, 1), either > 0


def _f1_macro(c: Array) -> Array:
    f1, there = _f1_of_classes(c)
    return f1.sum(-1) / np.maximum(there.sum(-1), 1)


def _matthews(c: Array) -> Array:
    true, predicted, n = c.sum(-1), c.sum(-2), c.sum((-2, -1))
    covariance = np.trace(c, axis1=-2, axis2=-1) * n - (true * predicted).sum(-1)
    spread = np.sqrt((n**2 - (true**2).sum(-1)) * (n**2 - (predicted**2).sum(-1)))
    return covariance / np.where(spread > 0, spread, np.inf)


#: Metrics that are functions of the confusion matrix, with one row per true class.
OF_CONFUSION: dict[str, Callable[[Array], Array]] = {
    "balanced_accuracy": _balanced_accuracy,
    "f1": lambda c: _f1_of_classes(c)[0][..., 1],
    "f1_macro": _f1_macro,
    "matthews_corrcoef": _matthews,
}
_NAMES = {
    "roc_auc": "ROC AUC", "f1": "F1", "f1_macro": "macro-averaged F1", "<lambda>": "metric",
    "matthews_corrcoef": "Matthews correlation", "": "metric",
}
_MOST_CLASSES = 30  # with more, the counts of confusion matrices take too much memory


def compare(
    y_true: ArrayLike, a: ArrayLike, b: ArrayLike, *, metric: str | Callable[..., float],
    groups: Any = None, paired_runs: bool = False, generalize: str | None = None,
    names: Sequence[str] | None = None, classes: Any = None, alpha: float = 0.05,
    resamples: int | None = None, seed: int = 0, record: Any = None,
) -> items.ItemComparison:
    """Compare two models by a metric; see :func:`replib.comparison.compare_predictions`."""
    gate.check_alpha(alpha)
    called = metric if isinstance(metric, str) else getattr(metric, "__name__", "")
    if not callable(metric):
        check_choice("metric", metric, ("accuracy", "roc_auc", *OF_CONFUSION))
    elif (rules.metric_range(called) or ["score"])[0] == "error":
        rules.apply("items-error", metric=called)
    seed = whole_number("seed", seed, at_least=0)
    if resamples is not None:
        resamples = whole_number("resamples", resamples, at_least=99)
    read = checked.predicted(y_true, a, b, groups=groups, names=names)
    y = np.array(read.truth.tolist())
    if metric == "roc_auc":
        label = _positive(y)
        predicted, notes = checked.scores_of(read, label)
    elif callable(metric):
        predicted, notes = [np.array(of) for of in read.each(partial(_row, y.size))], []
        if called == "roc_auc_score":
            notes = checked.few_values(predicted, read.names)
    else:
        predicted, _, notes = checked.classes_of(read, classes)
    of_a, of_b = predicted
    notes += [*checked.copies(of_a, of_b, read.names), *checked.pooled(y)]
    notes += [rules.apply("is-the-truth", name=name)
              for name, x in zip(read.names, (a, b)) if x is y_true]
    clusters, _ = checked.clusters(read.groups, y.size)
    asked = items.question(generalize, of_a, of_b)
    test: dict[str, Any] = {}
    if metric == "roc_auc":
        parts = [_placements(y == label, x) for x in predicted]
        for part, name in zip(parts, read.names):
            far = part.mean() - 0.5
            if far < -5 * np.sqrt(part.mean(0).var() / y.size):
                notes.append(rules.apply("auc-inverted", name=name, area=float(part.mean()),
                                         label=label))
        if asked == "items" and clusters is None and max(map(len, parts)) == 1:
            test = _delong(*parts)
    else:
        resampled = _Resampled(y, of_a, of_b, clusters, metric)
        parts = resampled.pseudo_values()
        if asked == "items":
            if len(of_a) != len(of_b):
                rules.apply("permutation-runs", na=len(of_a), nb=len(of_b))
            test = resampled.test(resamples or (1999 if resampled.slow else 9999), seed)
    return items.compared(
        read.names, *parts, groups=read.groups, paired_runs=paired_runs, generalize=asked,
        alpha=alpha, metric=_NAMES.get(called, called.replace("_", " ")), notes=notes,
        record=record or {}, **{"test": None} | test,
    )


def _row(n: int, given: Any, name: str) -> np.ndarray:
    """Return one value per item, of any kind that a function may take."""
    row = labels.classes(given, name)
    if len(row) != n:
        rules.apply("lengths", n=n, name=name, m=len(row))
    return np.array(row.tolist())


def _positive(y: np.ndarray) -> Any:
    """Return the positive class of the ROC curve: the greater of the two."""
    classes, counts = np.unique(y, return_counts=True)
    if len(classes) != 2:
        rules.apply("auc-classes", n=len(classes))
    if counts.min() < 2:
        rules.apply("auc-few", n=counts.min(), label=classes[counts.argmin()])
    return classes[1].item()


def _placements(positive: NDArray[np.bool_], scores: np.ndarray) -> Array:
    """Return pseudo-values of the area under the ROC curve, for each run."""
    n, counts = positive.size, (int(positive.sum()), int((~positive).sum()))
    placed = np.empty(scores.shape)
    overall = stats.rankdata(scores, axis=1)
    for which, mine, others in ((positive, *counts), (~positive, *counts[::-1])):
        below = (overall[:, which] - stats.rankdata(scores[:, which], axis=1)) / others
        area = below if which is positive else 1 - below
        mean = area.mean(axis=1, keepdims=True)
        # the mean square of all items is then the sum of DeLong's two mean squares
        scale = n / mine * np.sqrt(mine / (mine - 1) * (n - 1) / n)
        placed[:, which] = mean + scale * (area - mean)
    return placed


def _delong(a: Array, b: Array) -> dict[str, Any]:
    squares = mean_squares(a, b)
    test = student(
        estimate=squares.estimate, standard_error=np.sqrt(squares.item), scale=squares.scale,
        n=squares.items, df=np.inf, alternative="two-sided",
    )
    return {"test": test, "how": "DeLong's test"}


class _Resampled:
    """A metric of both models with items, or clusters, omitted, repeated or exchanged."""

    def __init__(
        self, y: np.ndarray, a: np.ndarray, b: np.ndarray, clusters: np.ndarray | None,
        metric: str | Callable[..., float],
    ) -> None:
        self.unit = np.arange(y.size) if clusters is None else clusters
        self.units = int(self.unit.max()) + 1
        self.y, self.predicted, self.metric = y, (a, b), metric
        self.slow = callable(metric)
        if not callable(metric):
            classes, codes = np.unique(np.concatenate([y, a.ravel(), b.ravel()]),
                                       return_inverse=True)
            if metric == "f1" and len(classes) != 2:
                rules.apply("f1-classes", n=len(classes))
            k = len(classes)
            true, rest = codes[: y.size], codes[y.size :]
            of = (rest[: a.size].reshape(a.shape), rest[a.size :].reshape(b.shape))
            self.slow = k > _MOST_CLASSES
            self.k, self.y, self.predicted = k, true, of
            if not self.slow:
                cells = [true * k + x for x in of]
                self.counts = [np.stack([_table(self.unit, row, self.units, k * k) for row in x])
                               for x in cells]
        self.both = np.array([self._of(model, np.ones((1, self.units)))[:, 0].mean()
                              for model in (0, 1)])
        self.left_out = [self._of(model, 1 - np.eye(self.units)) for model in (0, 1)]

    def _of(self, model: int, weights: Array) -> Array:
        """Return the metric of each run with units counted by weight, shape (runs, weights)."""
        if not self.slow:
            return self._of_counts(weights @ self.counts[model])
        return np.array([[self._direct(np.repeat(self.y, w), np.repeat(row, w))
                          for w in weights.astype(int)[:, self.unit]]
                         for row in self.predicted[model]])

    def _of_counts(self, counts: Array) -> Array:
        return OF_CONFUSION[str(self.metric)](counts.reshape(*counts.shape[:-1], self.k, self.k))

    def _direct(self, y: np.ndarray, predicted: np.ndarray) -> float:
        if callable(self.metric):
            return _value_of(self.metric, y, predicted)
        return float(OF_CONFUSION[self.metric](_table(y, predicted, self.k, self.k)))

    def pseudo_values(self) -> list[Array]:
        """Return the jackknife pseudo-values for each run and item; equal within a cluster."""
        found = []
        share = self.unit.size / self.units / np.bincount(self.unit)
        for left_out, model in zip(self.left_out, (0, 1)):
            whole = self._of(model, np.ones((1, self.units)))
            change = (self.units - 1) * (left_out.mean(1, keepdims=True) - left_out)
            found.append(whole + (change * share)[:, self.unit])
        return found

    def _exchanged(self, swap: NDArray[np.bool_]) -> Array:
        """Return the difference after exchanging the predictions of some units, shape (swaps,)."""
        if not self.slow:
            a, b = self.counts
            moved = swap.astype(float) @ (b - a)
            difference = (self._of_counts(a.sum(1, keepdims=True) + moved)
                          - self._of_counts(b.sum(1, keepdims=True) - moved))
            return difference.mean(0)
        a, b = self.predicted
        found = []
        for one in swap[:, self.unit]:
            pairs = ((np.where(one, q, p), np.where(one, p, q)) for p, q in zip(a, b))
            found.append(np.mean([self._direct(self.y, p) - self._direct(self.y, q)
                                  for p, q in pairs]))
        return np.array(found)

    def test(self, resamples: int, seed: int) -> dict[str, Any]:
        """Return the permutation test of the difference, and the BCa interval."""
        rng = np.random.default_rng(seed)
        observed = float(self.both[0] - self.both[1])
        found = self._drawn(
            resamples, lambda n: self._exchanged(rng.random((n, self.units)) < 0.5)
        )
        exceeding = np.abs(found) >= abs(observed) - 1e-12
        pvalue = (1 + int(exceeding.sum())) / (1 + resamples)
        result = TestResult(
            statistic=observed, pvalue=pvalue, alternative="two-sided", estimate=observed,
            n=self.unit.size,
        )
        how = f"permutation test with {resamples} exchanges, BCa interval"
        limits = cache(lambda level: self._bca(level, resamples, seed))
        return {"test": result, "how": how, "limits": limits}

    def _drawn(self, resamples: int, draw: Callable[[int], Array]) -> Array:
        """Draw `resamples` differences in blocks of a few megabytes."""
        block = max(1, 2_000_000 // self.units)
        return np.concatenate([
            draw(min(block, resamples - start)) for start in range(0, resamples, block)
        ])

    def _bca(self, confidence_level: float, resamples: int, seed: int) -> ConfidenceInterval:
        check_level("confidence_level", confidence_level)
        rng = np.random.default_rng([seed, 1])
        observed = self.both[0] - self.both[1]

        def differences(n: int) -> Array:
            weights = rng.multinomial(self.units, np.full(self.units, 1 / self.units), size=n)
            a, b = (self._of(model, weights.astype(float)).mean(0) for model in (0, 1))
            return a - b

        found = self._drawn(resamples, differences)
        left_out = self.left_out[0].mean(0) - self.left_out[1].mean(0)
        influence = left_out.mean() - left_out
        spread = (influence**2).sum()
        if spread == 0:
            return ConfidenceInterval(float(observed), float(observed))
        below = ((found < observed).sum() + (found == observed).sum() / 2) / resamples
        bias = special.ndtri(np.clip(below, 1 / (resamples + 1), resamples / (resamples + 1)))
        acceleration = (influence**3).sum() / (6 * spread**1.5)
        z = special.ndtri(np.array([1 - confidence_level, 1 + confidence_level]) / 2)
        levels = special.ndtr(bias + (bias + z) / (1 - acceleration * (bias + z)))
        low, high = np.quantile(found, levels)
        return ConfidenceInterval(float(low), float(high))


def _value_of(metric: Callable[..., Any], y: np.ndarray, predicted: np.ndarray) -> float:
    """Return the value of a function for one row of predictions; refuse what is not a number."""
    try:
        value = metric(y, predicted)
    except Exception as problem:
        rules.apply("metric-fails", kind=type(problem).__name__,
                    problem=str(problem).partition("\n")[0] or "no reason given")
    plain = as_number(value) if isinstance(value, (np.ndarray, np.generic)) else value
    if not isinstance(plain, Real) or not math.isfinite(plain):
        rules.apply("metric-returns", value=reprlib.repr(value).partition("\n")[0])
    return float(plain)


def _table(rows: np.ndarray, columns: np.ndarray, n: int, k: int) -> Array:
    return np.bincount(rows * k + columns, minlength=n * k).reshape(n, k).astype(float)
