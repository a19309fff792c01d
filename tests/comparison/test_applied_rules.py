"""Which rule of the gate applies, with which facts, on either side of each threshold.

Each row is a call, the rule, and facts that it names; None where the rule must not apply.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import make_scorer, mean_squared_error
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from replib.comparison import gate, rules
from replib.comparison.gate import data, entrances, items, labels

RNG = np.random.default_rng(5)


def applied(call):
    """Rules that a call applies, with their facts."""
    found, apply = {}, rules.apply
    with pytest.MonkeyPatch.context() as patch:
        def noted(rule, **facts):
            found.setdefault(rule, facts)
            return apply(rule, **facts)

        patch.setattr(rules, "apply", noted)
        try:
            call()
        except ValueError as refusal:
            assert found, refusal
    return found


def scores(*shape):
    return RNG.random(shape)


def of_items(a, b, groups=None, paired=False, metric="score"):
    return lambda: items.item_scores(a, b, groups=groups, paired_runs=paired, names=("A", "B"),
                                     metric=metric)


def rows_alike(correlation, runs=64, count=3, column=0.0):
    """Two blocks whose row means have this correlation, exactly."""
    z = RNG.normal(size=(2, runs))
    z -= z.mean(axis=1, keepdims=True)
    z[1] -= z[0] * (z[0] @ z[1]) / (z[0] @ z[0])
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    z[1] = correlation * z[0] + np.sqrt(1 - correlation**2) * z[1]
    noise = 0.01 * RNG.normal(size=(2, runs, count))
    return z[..., None] + noise - noise.mean(axis=2, keepdims=True)


def copies_with(correlation, items_of_one, count):
    """Scores of A in which `count` parts have this correlation, and a constant B."""
    common = RNG.normal(size=items_of_one)
    own = RNG.normal(size=(count, items_of_one))
    a = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    return a.reshape(1, -1), np.zeros((1, a.size))


S = scores(5, 30)
GROUPS = np.arange(30) // 3
CODES = lambda *values: np.tile(values, 40)
ONE, OTHER = scores(2, 1, 30)


def with_cells(x, value, count):
    x = np.array(x, dtype=float)
    x.flat[:count] = value
    return x


def classes(n=30, values=(1, 2, 3), agree=0.8):
    """Two rows of whole numbers that agree on this share of places, each value as often."""
    a = np.resize(values, n)
    b = a.copy()
    for i in range(n - round(agree * n)):
        b[i] = values[(values.index(a[i]) + max(1, len(values) // 2)) % len(values)]
    return a[None], b[None]


def ceilings(top_a, top_b, n=50, hits=(5, 5), least=0):
    a, b = RNG.integers(least, top_a, n), RNG.integers(least, top_b, n)
    a[: hits[0]], b[: hits[1]], a[-1], b[-1] = top_a, top_b, least, least
    return a[None].astype(float), b[None].astype(float)


ITEMS = [
    (of_items(scores(10, 4), S, np.arange(10)), "items-transposed",
     {"name": "A", "shape": (10, 4), "n": 10}),
    (of_items(scores(10, 10), scores(10, 10), np.arange(10) // 2), "items-transposed", None),
    (of_items(scores(10, 4), scores(10, 4), np.arange(4) // 2), "items-transposed", None),
    (of_items(S, S[:, :29]), "items-differ", {"a": "A", "na": 30, "b": "B", "nb": 29}),
    (of_items(*rows_alike(0.55)), "items-like-runs", {"shape": (64, 3)}),
    (of_items(*rows_alike(0.45)), "items-like-runs", None),
    (of_items(*rows_alike(0.55), paired=True), "items-like-runs", None),
    (of_items(*rows_alike(0.9, 64, 64)), "items-like-runs", None),
    (of_items(np.tile(scores(3), (64, 1)) + [[0], [1]] * 32, np.tile(scores(3), (64, 1))),
     "items-like-runs", None),
    (of_items(S, S[:4], paired=True), "paired-runs", {"a": "A", "na": 5, "b": "B", "nb": 4}),
    (of_items(S, S[:4]), "paired-runs", None),
    (of_items(scores(9), scores(9)), "items-few", {"n": 9}),
    (of_items(scores(10), scores(10)), "items-few", None),
    (of_items(scores(1, 2, 5), S), "items-shape", {"name": "A", "shape": (1, 2, 5)}),
    (of_items(S, scores(5, 1)), "items-shape", {"name": "B", "shape": (5, 1)}),
    (of_items(scores(0, 5), S), "items-shape", {"name": "A", "shape": (0, 5)}),
    (of_items(scores(2, 2), scores(2, 2)), "items-shape", None),
    (of_items(np.where(np.arange(150).reshape(5, 30) == 32, np.inf, S), S), "items-missing",
     {"count": 1, "n": 150, "name": "A", "run": 2, "item": 3}),
    (of_items(S, np.ma.masked_greater(S, 0.5)), "items-masked",
     {"name": "B", "count": int((S > 0.5).sum())}),
    (of_items(S, np.ma.masked_greater(S, 2)), "items-masked", None),
    # copies
    (of_items(S[[0, 0]], S[[1, 1, 1]]), "items-copies", {"n": 2}),
    (of_items(S[[0, 0]], S[:2]), "items-deterministic", {"n": 2, "name": "A"}),
    (of_items(S[:2], S[[3, 3, 3]]), "items-deterministic", {"n": 3, "name": "B"}),
    (of_items(S[:1], S[1:2]), "items-copies", None),
    (of_items(S[:1], S[:2]), "items-deterministic", None),
    (of_items(S[[0, 1, 0, 1]], S), "items-some-copies", {"count": 2, "n": 4, "name": "A"}),
    (of_items(S[:4], S), "items-some-copies", None),
    (of_items(np.array([S[0], S[0] + 9e-4 * np.ptp(S[0])]), S), "items-near-copies",
     {"name": "A", "most": pytest.approx(9e-4 * np.ptp(S[0]), rel=1e-6)}),
    (of_items(np.array([S[0], S[0] + 1.1e-3 * np.ptp(S[0])]), S), "items-near-copies", None),
    (of_items(50 * np.array([S[0], S[0] + 9e-4 * np.ptp(S[0])]), 50 * S), "items-near-copies",
     {"name": "A"}),
    (of_items(S, S[::-1]), "items-same-model", {"a": "A", "b": "B"}),
    (of_items(S, S[:4]), "items-same-model", None),
    (of_items(S[:1], S[:1]), "items-same-model", {}),
    # scales
    (of_items(S, S, metric="rmse"), "items-error", {"metric": "rmse"}),
    (of_items(S, S, metric="my_loss"), "items-error", {"metric": "my_loss"}),
    (of_items(-S, -S, metric="neg my loss"), "items-error", None),
    (of_items(-S, -S, metric="neg_log_loss"), "items-error", None),
    (of_items(S, S, metric="accuracy"), "items-error", None),
    (of_items(S, S, metric="ROC AUC"), "items-not-a-mean", {"metric": "ROC AUC"}),
    (of_items(S, S, metric="F1-macro"), "items-not-a-mean", None),
    (of_items(S, S, metric="precision"), "items-not-a-mean", None),
    (of_items(with_cells(S, 1, 1), with_cells(S, 10.5, 1)), "items-scale",
     {"a": "A", "ma": 1.0, "b": "B", "mb": 10.5}),
    (of_items(with_cells(S, 1, 1), with_cells(S, 10, 1)), "items-scale", None),
    (of_items(with_cells(S, 1.5, 1), 20 * S), "items-scale", None),
    (of_items(0 * S, with_cells(S, 10.5, 1)), "items-scale", None),
    (of_items(S, with_cells(S, 10, 1), metric="accuracy"), "out-of-range",
     {"name": "B", "score": 10.0, "metric": "accuracy", "low": 0, "high": 1}),
    (of_items(80 * S + 15, with_cells(90 * S, 101, 1), metric="accuracy"), "out-of-range",
     {"name": "B", "score": 101.0, "low": 0, "high": 100}),
    (of_items(80 * S + 15, with_cells(90 * S, -1, 1), metric="accuracy"), "out-of-range",
     {"name": "B", "score": -1.0}),
    (of_items(80 * S, with_cells(90 * S, 100, 1), metric="accuracy"), "out-of-range", None),
    (of_items(80 * S, with_cells(90 * S, -99, 1), metric="specificity"), "out-of-range", {}),
    (of_items(S, with_cells(S, 1 + 5e-10, 1), metric="accuracy"), "out-of-range", None),
    (of_items(S, with_cells(S, 1 + 5e-9, 1), metric="accuracy"), "out-of-range", {}),
    (of_items(S, with_cells(S, -5e-10, 1), metric="accuracy"), "out-of-range", None),
    (of_items(S, with_cells(S, -5e-9, 1), metric="accuracy"), "out-of-range", {}),
    (of_items(50 * S, 50 * S[::-1] - 1, metric="r2"), "out-of-range",
     {"low": "minus infinity", "high": 1}),
    (of_items(-50 * S, -50 * S[::-1] - 1, metric="r2"), "out-of-range", None),
    (of_items(-S, with_cells(-S, 0.1, 1), metric="neg_log_loss"), "out-of-range",
     {"high": 0, "low": "minus infinity"}),
    (of_items(with_cells(0 * S, 1, 9), S + 0.5), "items-coded",
     {"a": "A", "b": "B", "value": pytest.approx((S + 0.5)[S > 0.5][0])}),
    (of_items(S - 0.5, with_cells(0 * S, 1, 9)), "items-coded", {"a": "B", "b": "A"}),
    (of_items(with_cells(0 * S, 1, 9), S), "items-coded", None),
    (of_items(0 * S + 1, S + 0.5), "items-coded", None),
    # classes, ranks and codes
    (of_items(scores(1, 10), scores(1, 10)), "constant-sum", None),
    (of_items(ONE[:, :10], 2 - ONE[:, :10]), "constant-sum",
     {"a": "A", "b": "B", "unit": "item", "sum": pytest.approx(2)}),
    (of_items(ONE[:, :9], 2 - ONE[:, :9]), "constant-sum", None),
    (of_items(ONE, 2 - ONE + with_cells(0 * ONE, 5e-10, 1)), "constant-sum", {}),
    (of_items(ONE, 2 - ONE + with_cells(0 * ONE, 5e-9, 1)), "constant-sum", None),
    (of_items(0 * ONE + 0.5, 0 * ONE + 0.25), "constant-sum", None),
    (of_items(np.vstack([ONE, S[:2]]), 2 - ONE), "constant-sum", {}),
    (of_items(2 - ONE, np.vstack([ONE, S[:2]])), "constant-sum", {}),
    (of_items(*ceilings(5, 10)), "items-ceilings", {"a": "A", "ma": 5.0, "b": "B", "mb": 10.0}),
    (of_items(*ceilings(10, 5)), "items-ceilings", {"ma": 10.0, "mb": 5.0}),
    (of_items(*ceilings(3, 6)), "items-ceilings", {}),
    (of_items(*ceilings(2, 4)), "items-ceilings", None),
    (of_items(*ceilings(5, 11)), "items-ceilings", None),
    (of_items(*ceilings(5, 15)), "items-ceilings", None),
    (of_items(*ceilings(5, 10, n=49)), "items-ceilings", None),
    (of_items(*ceilings(5, 10, hits=(2, 2))), "items-ceilings", {}),
    (of_items(*ceilings(5, 10, hits=(1, 5))), "items-ceilings", None),
    (of_items(*ceilings(5, 10, hits=(5, 1))), "items-ceilings", None),
    (of_items(*(x + (x == 10) / 2 for x in ceilings(5, 10))), "items-ceilings", None),
    (of_items(*(x + (x == 3) / 2 for x in ceilings(5, 10))), "items-ceilings", None),
    (of_items(*ceilings(5, 10), metric="rating"), "items-ceilings", None),
    (of_items(ceilings(5, 10)[0], ceilings(5, 10, least=1)[1]), "items-ceilings", None),
    (of_items(*classes()), "item-classes", {"a": "A", "b": "B", "n": 3}),
    (of_items(*classes(29)), "item-classes", None),
    (of_items(*classes(30), metric="rating"), "item-classes", None),
    (of_items(*(x + 0.5 for x in classes())), "item-classes", None),
    (of_items(classes()[0], classes()[1] + (classes()[1] == 3)), "item-classes", None),
    (of_items(*classes(values=(1, 2))), "item-classes", {"n": 2}),
    (of_items(*classes(values=(0, 1))), "item-classes", None),
    (of_items(*classes(values=(0, 5))), "item-classes", None),
    (of_items(*classes(values=(7,))), "item-classes", None),
    (of_items(*classes(300, range(1, 101))), "item-classes", {"n": 100}),
    (of_items(*classes(303, range(1, 102))), "item-classes", None),
    (of_items(*classes(agree=0.76)), "item-classes", {}),
    (of_items(*classes(agree=0.7)), "item-classes", None),
    (of_items(*classes(40, (1, 2, 3, 3, 3), agree=1)), "item-classes", {}),
    (of_items(*classes(40, (1, 2, 3, 3, 3, 3, 3, 3), agree=1)), "item-classes", None),
    (of_items(*classes(60, (1, 2, 3, 4, 5, 6), agree=1)), "item-classes", {}),
    (of_items(with_cells(S[:1, :20], -1, 1), S[1:2, :20]), "item-code",
     {"name": "A", "score": -1.0}),
    (of_items(S[1:2, :19], with_cells(S[:1, :19], -1, 1)), "item-code", None),
    (of_items(S[1:2], with_cells(S[:1], -9, 1)), "item-code", {"name": "B", "score": -9.0}),
    (of_items(with_cells(S, -1, 2) - with_cells(0 * S, 1, 1), S), "item-code", None),
    (of_items(with_cells(S, -1, 2), S), "item-code", {}),
    (of_items(with_cells(S, -0.5, 1), S), "item-code", None),
    (of_items(with_cells(np.round(9 * S), -1, 1), S), "item-code", None),
    (of_items(np.sort(S[:1, :10]), np.sort(S[1:2, :10])), "sorted", {"unit": "item"}),
    # constant
    (of_items(0 * S + 0.5, S), "items-constant", {"name": "A", "score": 0.5}),
    (of_items(S, 0 * S), "items-constant", {"name": "B", "score": 0.0}),
    (of_items(0 * S + 1, S), "items-constant", None),
    (of_items(0 * S + 100, 50 + S), "items-constant", None),
    (of_items(0 * S + 101, 50 + S), "items-constant", {}),
    (of_items(0 * S + 2, S), "items-constant", {}),
    (of_items(np.vstack([S, 0 * ONE + 0.5]), S), "items-failed-run",
     {"run": 6, "name": "A", "score": 0.5}),
    (of_items(S[:2] * 0 + [[0.25], [0.5]], S), "items-failed-run", {"run": 1, "score": 0.25}),
    (of_items(np.vstack([S, 0 * ONE + 1]), S), "items-failed-run", None),
    # pooled scores
    (of_items(*copies_with(0.6, 200, 2)), "items-pooled-scores", {"n": 200, "copies": 2}),
    (of_items(*copies_with(0.3, 200, 2)), "items-pooled-scores", None),
    *((of_items(*(unit * x for x in copies_with(r, 200, 2))), "items-pooled-scores", facts)
      for r, facts in ((0.6, {"n": 200}), (0.3, None)) for unit in (0.05, 20)),
    (of_items(*copies_with(0.28, 2000, 2)), "items-pooled-scores", {"n": 2000}),
    (of_items(*copies_with(0.12, 2000, 2)), "items-pooled-scores", None),
    (of_items(*copies_with(0.25, 200, 3)), "items-pooled-scores", None),
    (of_items(*copies_with(0.5, 200, 3)), "items-pooled-scores", {"n": 200, "copies": 3}),
    (of_items(*copies_with(1, 30, 20)), "items-pooled-scores", {"n": 30, "copies": 20}),
    (of_items(*copies_with(1, 20, 20)), "items-pooled-scores", {"n": 20, "copies": 20}),
    (of_items(*copies_with(1, 20, 21)), "items-pooled-scores", None),
    (of_items(*copies_with(1, 19, 20)), "items-pooled-scores", None),
    (of_items(*copies_with(0.6, 200, 2)[::-1]), "items-pooled-scores", {"n": 200}),
    (of_items(*copies_with(0.6, 200, 2), groups=np.arange(400) % 200), "items-pooled-scores", None),
    (of_items(*copies_with(0.6, 200, 2), groups=np.arange(400) // 2), "items-pooled-scores", {}),
    (of_items(np.tile(np.cumsum(RNG.normal(size=200)), 2), np.zeros(400)), "items-pooled-scores",
     None),
    (of_items(np.repeat(copies_with(0.6, 200, 2)[0], 2, 0) + [[0.0], [0.1]], np.zeros((1, 400))),
     "items-pooled-scores", None),
    (of_items(np.full(60, 0.5), np.full(60, 0.25)), "items-pooled-scores", None),
]

Y20 = np.array([0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0])
GROUPED = lambda groups, n: lambda: items.clusters(groups, n)
POOLED = lambda y: lambda: items.pooled(y)
FRAME = pd.DataFrame(S, columns=[f"q{i}" for i in range(30)])

OF_GROUPS = [
    (GROUPED([1, 2, 1], 4), "groups-shape", {"shape": (3,), "n": 4}),
    (GROUPED([[1, 2, 1]], 3), "groups-shape", {"shape": (1, 3)}),
    (GROUPED(["a", " ", "b", "NaN", "none", "<NA>", "NaT"], 7), "groups-missing",
     {"count": 5, "n": 7}),
    (GROUPED([1.0, np.nan, 2.0], 3), "groups-missing", {"count": 1}),
    (GROUPED([None, "b", "c"], 3), "groups-missing", {"count": 1}),
    (GROUPED(["nano", "b", "b"], 3), "groups-missing", None),
    (GROUPED([3, 3, 3], 3), "one-group", {"n": 3}),
    (GROUPED([3, 3, 4], 3), "one-group", None),
    (GROUPED([3, 5, 4], 3), "groups-own", {"n": 3}),
    (GROUPED([3, 4, 4], 3), "groups-own", None),
    (GROUPED([True, False, True], 3), "groups-own", None),
    (GROUPED(["b", "A", "a", "b"], 4), "groups-variants", {"a": "A", "b": "a"}),
    (GROUPED(["b", "a", "a", "b"], 4), "groups-variants", None),
    (POOLED(np.tile(Y20, 2)), "items-pooled", {"n": 20, "copies": 2}),
    (POOLED(np.tile(Y20[:19], 2)), "items-pooled", None),
    (POOLED(np.tile(Y20, 20)), "items-pooled", {"n": 20, "copies": 20}),
    (POOLED(np.tile(Y20, 21)), "items-pooled", None),
    (POOLED(np.repeat(Y20, 3)), "items-pooled", {"n": 20, "copies": 3}),
    (POOLED(np.append(np.tile(Y20, 2), 1)), "items-pooled", None),
    (POOLED(np.tile([0] * 5 + [1] * 9 + [0] * 7, 2)), "items-pooled", None),
    (POOLED(np.tile([0] * 5 + [1] * 9 + [0] * 6 + [1] * 3, 2)), "items-pooled", {"n": 23}),
    (POOLED(np.tile([0, 1, 1], 20)), "items-pooled", None),
    (of_items(FRAME, FRAME.set_axis([0, 1, 2, 3, 7]), paired=True), "run-labels", {"run": 4}),
    (of_items(FRAME, FRAME.set_axis([0, 1, 2, 3, 7])), "run-labels", None),
    (of_items(FRAME, FRAME[:4], paired=True), "run-labels", None),
    (of_items(FRAME.iloc[:, ::-1], S), "items-one-ordered", {"a": "A", "b": "B"}),
    (of_items(S, FRAME.iloc[:, ::-1]), "items-one-ordered", {"a": "B", "b": "A"}),
    (of_items(S, S, pd.Series(GROUPS, FRAME.columns[::-1])), "items-one-ordered",
     {"a": "groups", "b": "A"}),
    (of_items(FRAME, S), "items-one-ordered", None),
    (of_items(FRAME.set_axis([f"q{i}x" for i in range(30)][::-1], axis=1), S),
     "items-one-ordered", None),
    (of_items(FRAME.iloc[:, ::-1], FRAME), "items-one-ordered", None),
]

Y = np.resize([0, 1, 1, 0, 1], 40)


def predicted(*given, label=1, **more):
    return lambda: items.scores_of(items.predicted(*given, **more), label)


def as_classes(*given, classes=None):
    return lambda: items.classes_of(items.predicted(*given), classes)


P = scores(2, 40)
WORDS = np.where(Y == 1, "yes", "no").tolist()
ROWS = lambda x, n: lambda: items.rows_of(x, n, "pred_a")

OF_PREDICTIONS = [
    (predicted(Y, P[0], P[1], groups=Y), "groups-classes", {}),
    (predicted(Y, P[0], P[1], groups=1 - Y), "groups-classes", None),
    (predicted(Y, np.ma.masked_less(P[0], 0.5), P[1]), "masked",
     {"name": "pred_a", "count": int((P[0] < 0.5).sum())}),
    (predicted(Y, P[0], np.where(Y, "a", "b"), label=7), "auc-text",
     {"label": 7, "name": "pred_b"}),
    (predicted(Y, P[0], np.column_stack([P[1], 1 - P[1]])), "auc-columns",
     {"name": "pred_b", "shape": (40, 2), "label": 1}),
    (predicted(Y, P[0], P[1][:, None]), "auc-columns", None),
    (predicted(Y, P[0], P[1][:39]), "lengths", {"n": 40, "name": "pred_b", "m": 39}),
    (predicted(Y, P[0], np.where(P[1] < 0.5, np.nan, P[1])), "auc-missing",
     {"name": "pred_b", "count": int((P[1] < 0.5).sum())}),
    (predicted(Y, 0 * P[0] + 0.25, P[1]), "items-constant", {"name": "A", "score": 0.25}),
    (predicted(Y, P[0], Y * 0.5), "auc-of-labels", {"name": "B", "n": 2}),
    (predicted(Y, P[0], np.resize([0.1, 0.2, 0.3], 40)), "auc-of-labels", None),
    (ROWS(np.resize([[1, 1, 0], [0, 1, 1]], (5, 3)), 5), "items-transposed",
     {"name": "pred_a", "shape": (5, 3), "n": 5}),
    (ROWS(np.full((5, 3), "a"), 5), "items-transposed", {}),
    (ROWS(np.full((5, 3), True), 5), "items-transposed", {}),
    (ROWS(np.full((5, 3), 2.5), 5), "items-transposed", None),
    (ROWS(np.eye(5, 3, dtype=int)[[0, 1, 2, 0, 1]], 5), "items-transposed", None),
    (ROWS(np.ones((5, 5), int), 5), "items-transposed", None),
    (ROWS(np.ones((5, 1), int), 5), "items-transposed", None),
    (as_classes(Y, Y[:39], Y), "lengths", {"n": 40, "name": "pred_a", "m": 39}),
    (as_classes(WORDS, WORDS, WORDS[:39]), "lengths", {"n": 40, "name": "pred_b", "m": 39}),
    (as_classes(Y + 1, 3 * Y + 1, Y + 1), "unknown-label", {"name": "pred_a"}),
    (as_classes(Y + 1, 3 * Y + 1, Y + 1, classes=[1, 2, 4]), "unknown-label", None),
    (as_classes(Y, 1 - Y, Y), "inverted", {"name": "A", "right": 0, "n": 40}),
    (as_classes(Y, Y, [1 - Y, 1 - Y]), "inverted", {"name": "B", "right": 0, "n": 80}),
    (as_classes(Y, Y, np.where(np.arange(40) < 21, Y, 1 - Y)), "inverted", None),
]


def frame(n=8, k=3, **columns):
    names = ["tree", "forest", "bayes", "knn", "svm", "mlp", "lda", "qda", "rf", "nb"][:k]
    x = pd.DataFrame(RNG.integers(520, 980, (n, k)) / 1000 + 1e-4, columns=names)
    return x.assign(**columns).set_axis([f"data {i}" for i in range(n)])


def of_benchmark(wide, less=False):
    return lambda: gate.benchmark(wide, greater_is_better=not less)


def long_of(wide):
    return wide.rename_axis("dataset").reset_index().melt("dataset", var_name="model",
                                                          value_name="score")


F = frame()
LONG = long_of(F)
RANKS = F.rank(axis=1)
TIED = RANKS.where(RANKS != 3, 2.5).where(RANKS != 2, 2.5)

BENCHMARKS = [
    (of_benchmark(frame(5)), "few-datasets", {"n": 5}),
    (of_benchmark(frame(6)), "few-datasets", None),
    (of_benchmark(frame(6, 7).set_axis(range(7), axis=1).add_prefix("c")), "swapped-benchmark",
     {"k": 7, "n": 6}),
    (of_benchmark(frame(6, 6).set_axis(range(6), axis=1).add_prefix("c")), "swapped-benchmark",
     None),
    (of_benchmark(frame(6, 7)), "swapped-benchmark", None),
    (of_benchmark(RANKS), "ranks", {"k": 3}),
    (of_benchmark(RANKS, less=True), "ranks", None),
    (of_benchmark(TIED), "ranks", {"k": 3}),
    (of_benchmark(RANKS.replace({1: 1.25, 3: 2.75})), "ranks", None),
    (of_benchmark(RANKS + 1), "ranks", None),
    (of_benchmark(RANKS.iloc[:, :2].rank(axis=1)), "ranks", None),
    (of_benchmark(F.set_axis([f"fold {i}" for i in range(8)])), "rows-are-splits", {}),
    (of_benchmark(F.set_axis([f"seeds{i}" for i in range(8)])), "rows-are-splits", {}),
    (of_benchmark(F.set_axis(["fold", *(f"fold {i}" for i in range(7))])), "rows-are-splits", None),
    (of_benchmark(F.assign(mean=F.mean(axis=1) * 1.005)), "summary-column", {"label": "mean"}),
    (of_benchmark(F.assign(mean=F.mean(axis=1) * 1.02)), "summary-column", None),
    (of_benchmark(F.assign(middle=F.mean(axis=1) * 1.005)), "summary-column", None),
    (of_benchmark(F[["tree"]].assign(mean=F["tree"] * 1.005)), "summary-column", None),
    (of_benchmark(F.assign(copy=F["bayes"])), "same-scores",
     {"a": "bayes", "b": "copy", "unit": "data set", "rounded": ""}),
    (of_benchmark(F.iloc[[0, 1, 2, 3, 4, 5, 6, 0]].set_axis(F.index)), "copied-datasets",
     {"a": "data 0", "b": "data 7"}),
    (of_benchmark(F.round(2).iloc[[0, 1, 2, 3, 4, 5, 6, 0]].set_axis(F.index)), "copied-datasets",
     None),
    (of_benchmark(F.iloc[[0, 1, 2, 3, 4, 5, 6, 0], :2].set_axis(F.index)), "copied-datasets", None),
    (of_benchmark(F.set_axis(["tree", "forest", "svm", "mlp", "knn", "a", "b", "c"]).set_axis(
        ["iris", "zoo", "car"], axis=1)), "transposed-benchmark", {}),
    (of_benchmark(F.set_axis(["tree", "forest", "svm", "mlp", "x", "a", "b", "c"]).set_axis(
        ["iris", "zoo", "car"], axis=1)), "transposed-benchmark", None),
    (of_benchmark(F.set_axis(["tree", "forest", "svm", "mlp", "knn", "a", "b", "c"])),
     "transposed-benchmark", None),
    (of_benchmark(frame(5).set_axis(["my-tree", "RF 2", "xgb_1", "a", "b"]).set_axis(
        ["iris", "zoo", "car"], axis=1)), "transposed-benchmark", {}),
    (of_benchmark(frame(5).set_axis(["my-tree", "turf", "dtx", "a", "b"]).set_axis(
        ["iris", "zoo", "car"], axis=1)), "transposed-benchmark", None),
    (of_benchmark(F.rename_axis(columns="dataset")), "transposed-benchmark", {}),
    (of_benchmark(F.rename_axis("Model")), "transposed-benchmark", {}),
    (of_benchmark(LONG.iloc[:-1]), "gap",
     {"count": 1, "scores_word": "score is", "classifier": "bayes", "dataset": "data 7"}),
    (of_benchmark(LONG.drop(index=[20, 21])), "gap", {"count": 2, "scores_word": "scores are"}),
    (of_benchmark(pd.concat([LONG, LONG[:1]])), "uneven-repetitions",
     {"a": "tree on data 0", "na": 2, "b": "tree on data 1", "nb": 1}),
    (of_benchmark(pd.concat([LONG, LONG])), "uneven-repetitions", None),
    (of_benchmark(pd.concat([F, F[:1]])), "uneven-repetitions",
     {"a": "data 0", "na": 2, "b": "data 1", "nb": 1}),
    (of_benchmark(pd.concat([F, F])), "uneven-repetitions", None),
    (of_benchmark(LONG.assign(time=1, other=2)), "unused",
     {"columns": "time, other", "columns_word": "columns"}),
    (of_benchmark(LONG.assign(fold=1)), "unused", None),
    (of_benchmark(F.assign(id=range(8))), "unused", None),
    (of_benchmark(F.assign(id=range(5, 13))), "unused",
     {"columns": "id", "columns_word": "column"}),
    (of_benchmark(F.assign(metric="acc")), "unused", None),
    (of_benchmark(F.assign(run=1)), "unused", {"columns": "run"}),
    (of_benchmark(pd.concat([F.assign(run=1), F.assign(run=2)])), "unused", None),
    (of_benchmark(LONG.drop(columns="score")), "long-without",
     {"label": "model", "missing": "score"}),
    (of_benchmark(LONG.drop(columns="dataset")), "long-without", {"missing": "dataset"}),
    (of_benchmark(LONG.drop(columns="model")), "long-without",
     {"label": "score", "missing": "classifier"}),
    (of_benchmark(F.T.rename_axis("model").reset_index()), "transposed-benchmark", {}),
    (of_benchmark(LONG.rename(columns={"score": "error"})), "error-metric", {"metric": "error"}),
    (of_benchmark(LONG.rename(columns={"score": "accuracy"}), less=True), "score-metric",
     {"metric": "accuracy"}),
    (of_benchmark(LONG, less=True), "score-metric", None),
    (of_benchmark(F.assign(metric="rmse")), "error-metric", {"metric": "rmse"}),
    (of_benchmark(F.rename(index={"data 7": "mean"})), "summary-row", {"label": "mean"}),
    (of_benchmark(F.rename(index={"data 7": "Data 6"})), "name-variants", {}),
    (of_benchmark(F.set_axis(pd.MultiIndex.from_product([["a"], list("xyz")]), axis=1)),
     "two-level-columns", {"label": ("a", "x")}),
    (of_benchmark(F.rename(columns={"tree": "x_acc", "forest": "x_auc"})), "measures-in-names",
     {"a": "x_acc", "b": "x_auc"}),
]

TRUE = np.array(["yes", "no", "yes", "no"], dtype=object)
coded = lambda truth, *rows, labels_=None: lambda: labels.check_coding(
    np.array(truth, dtype=object), [np.array(row, dtype=object) for row in rows],
    [f"pred_{of}" for of, _ in zip("abc", rows)], labels_)
read = lambda x: lambda: labels.classes(x, "y")
T30 = np.resize([0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0], 30)
RARE = np.repeat([1, 0], [2000, 18_000])
LONG_TRUE = RNG.integers(0, 2, 60)
EVEN = np.random.default_rng(2).permutation([0, 1] * 15)


def wrong(truth, count):
    out = truth.copy()
    out[:count] = 1 - out[:count]
    return out


LABELS = [
    (read("yes no"), "text", {"what": "y", "given": "'yes no'"}),
    (read(b"yes"), "text", {}),
    (read("x" * 40), "text", {"given": repr("x" * 30)}),
    (read(np.ma.masked_equal([1, 2, 2], 2)), "masked", {"name": "y", "count": 2}),
    (read(np.ma.masked_equal([1, 2, 2], 3)), "masked", None),
    (read([]), "empty", {"name": "y"}),
    (read([1, None, float("nan"), np.nan, pd.NA, pd.NaT]), "missing-classes", {"count": 5}),
    (read(["a", "nan"]), "missing-classes", None),
    (read([[1, 0], [0, 1], [0, 1]]), "not-1d-onehot", {"shape": (3, 2)}),
    (read([[1, 1], [0, 1]]), "not-1d-multilabel", {}),
    (read([[0.2, 0.8], [0.5, 0.5009]]), "not-1d-probabilities", {}),
    (read([[0.2, 0.8], [0.5, 0.502]]), "not-1d-scores", {}),
    (read([[-0.2, 1.2], [0.5, 0.5]]), "not-1d-scores", {}),
    (read([[0.0, 1.0], [0.5, 0.5]]), "not-1d-probabilities", {}),
    (read([["a", "b"], ["b", "a"]]), "not-1d", {"shape": (2, 2)}),
    (read(np.zeros((2, 2, 2))), "not-1d", {}),
    (read([[1], [0]]), "not-1d", None),
    (read([[1, 0, 1]]), "not-1d", None),
    (coded(TRUE, ["Yes", "no"]), "coded-variants",
     {"name": "pred_a", "predicted": "'Yes'", "true": "'yes'"}),
    (coded([0, 1], [0, 1], ["0", "1"]), "coded-text",
     {"name": "pred_b", "predicted": "'0'", "true": "0"}),
    (coded(["0", "1"], [0, 1]), "coded-text", {"predicted": "0", "true": "'0'"}),
    (coded(["true", "false"], [True, False, True]), "marks", {"name": "pred_a"}),
    (coded([1, 0], [True, False]), "marks", None),
    (coded([2, 1], [True, False]), "marks", {"true": "1, 2"}),
    (coded(["True", "False"], [1, 0]), "coded-text", {}),
    (coded([0, 1], [-1, 1]), "coded-signs", {"predicted": "-1, 1", "true": "0, 1"}),
    (coded([-1, 1], [0, 1]), "coded-signs", {}),
    (coded([2, 3], [-1, 1]), "coded-signs", {}),
    (coded([2, 3], [0, 1]), "coded-signs", {}),
    (coded([0, 1, 2], [0, 3]), "coded-signs", None),
    (coded([1, 2], [1, 2, 3]), "unknown-label",
     {"name": "pred_a", "predicted": "3", "true": "1, 2"}),
    (coded([1, 2], [1, 2, 3], labels_=[3]), "unknown-label", None),
    (coded([1, 2, 3, 4, 5], [9]), "unknown-label", {"true": "1, 2, 3, 4, …"}),
    (coded([1, 2], [0.25, 1]), "probabilities", {"name": "pred_a", "value": 0.25}),
    (coded([1, 2], [0.25, 0.0]), "probabilities", {}),
    (coded([1, 2], [0.25, -0.5]), "decision-scores", {}),
    (coded([1, 2], [0.25, 1.5]), "decision-scores", {}),
    (coded([*np.arange(7) + 0.5, 4, 5, 6, 7, 8], [0.25]), "regression-predictions", {"n": 12}),
    (coded([*np.arange(6) + 0.5, 4, 5, 6, 7, 8, 9], [0.25]), "regression-predictions", None),
    (coded(np.arange(11) + 0.5, [0.25]), "regression-predictions", {}),
    (coded(np.arange(10) + 0.5, [0.25]), "regression-predictions", None),
    (lambda: labels.check_spelling(["a", "A", "b"], "y"), "name-variants", None),
    (lambda: labels.check_spelling(["a", "a ", "b"], "y"), "name-variants",
     {"a": "a", "b": "a ", "source": "y"}),
    (lambda: labels.check_spelling(["no", "No"], "y"), "name-variants", {"a": "No", "b": "no"}),
    (lambda: labels.doubts(T30, [T30, T30], "ab"), "same-predictions", None),
    (lambda: labels.doubts(T30, [wrong(T30, 1)] * 2, "ab"), "same-predictions",
     {"a": "a", "b": "b"}),
    (lambda: labels.doubts(LONG_TRUE, [wrong(LONG_TRUE, 50)], "a"), "inverted",
     {"name": "a", "right": 10, "n": 60}),
    (lambda: labels.doubts(LONG_TRUE, [wrong(LONG_TRUE, 45)], "a"), "inverted", None),
    (lambda: labels.doubts(np.ones(30), [np.ones(30)], "a"), "inverted", None),
    # 80% are right where guesses with the same shares would be right in 82%
    (lambda: labels.doubts(RARE, [np.roll(RARE, 2000)], "a"), "inverted",
     {"right": 16_000, "n": 20_000}),
    (lambda: labels.doubts(RARE[::10], [np.roll(RARE[::10], 200)], "a"), "inverted", None),
    (lambda: labels.unrelated(LONG_TRUE, [LONG_TRUE, np.roll(LONG_TRUE, 1)], "ab"), "moved",
     {"name": "b", "how": "moved by a row"}),
    (lambda: labels.unrelated(LONG_TRUE, [np.roll(LONG_TRUE, -1), LONG_TRUE], "ab"), "moved",
     {"name": "a", "how": "moved by a row"}),
    (lambda: labels.unrelated(LONG_TRUE, [LONG_TRUE[::-1], LONG_TRUE], "ab"), "moved",
     {"name": "a", "how": "reversed"}),
    (lambda: labels.unrelated(EVEN, [np.roll(EVEN, 1)] * 2, "ab"), "moved", {}),
    (lambda: labels.unrelated(EVEN[:29], [np.roll(EVEN[:29], 1)] * 2, "ab"), "moved", None),
    (lambda: labels.unrelated(LONG_TRUE, [np.roll(LONG_TRUE, 7), wrong(np.roll(LONG_TRUE, 7), 5)],
                              "ab"), "unrelated-truth", {"a": "a", "b": "b"}),
    (lambda: labels.unrelated(LONG_TRUE, [np.roll(LONG_TRUE, 7)] * 2, "ab"), "unrelated-truth",
     None),
    (lambda: labels.unrelated(LONG_TRUE, [wrong(LONG_TRUE, 9)] * 2, "ab"), "unrelated-truth", None),
]


class Silent(ClassifierMixin, BaseEstimator):
    """A classifier that is not trained here."""

    def fit(self, X, y):
        return self


X = scores(60, 3)
LABEL = np.arange(60) % 2
NUMBER = scores(60)


def plan(y=LABEL, given=None, X=X, cv=5, names=("A", "B"), **more):
    given = given or [GaussianNB(), DummyClassifier()]
    return lambda: data.estimators(given, names, X, y, cv=cv, **more)


INDEX = pd.RangeIndex(100, 160)
XS, YS = pd.DataFrame(X, INDEX), pd.Series(LABEL, INDEX)
SORTED = np.sort(LABEL)
REGRESSORS = [LinearRegression(), DummyRegressor()]
folds_of = lambda *sizes: PredefinedSplit(np.repeat(range(len(sizes)), sizes))
rows = np.arange(60)
pairs = lambda *tests: [(np.setdiff1d(rows, test), np.array(test)) for test in tests]

DATA = [
    (plan(YS.iloc[::-1], X=XS), "x-and-y", {"name": "y"}),
    (plan(YS, X=XS), "x-and-y", None),
    (plan(YS.set_axis(range(60)), X=XS.set_axis(list(INDEX))), "x-and-y-labels", None),
    (plan(YS.set_axis(list(INDEX + 1)), X=XS.set_axis(list(INDEX))), "x-and-y-labels",
     {"name": "y", "label": 100}),
    (plan(YS, X=XS, groups=pd.Series(LABEL, INDEX).iloc[::-1], cv=GroupKFold(2)), "x-and-y",
     {"name": "groups"}),
    (plan(given=[GaussianNB(), LinearRegression()]), "scorers-differ",
     {"a": "A", "b": "B", "kind_a": "a classifier", "kind_b": "a regressor",
      "metric_a": "accuracy", "metric_b": "R²"}),
    (plan(given=[GaussianNB(), KMeans(2)]), "scorers-differ",
     {"kind_b": "a clusterer", "metric_b": "its own score"}),
    (plan(given=[GaussianNB(), LinearRegression()], scoring="r2"), "scorers-differ", None),
    (plan(given=[GaussianNB(), make_pipeline(StandardScaler(), GaussianNB())]), "scorers-differ",
     None),
    (plan(NUMBER), "continuous-y", {"name": "A"}),
    (plan(NUMBER, given=REGRESSORS), "continuous-y", None),
    (plan(np.arange(60) % 20, cv=3), "continuous-y", None),
    (plan(np.arange(60) % 21, cv=2), "continuous-y", {}),
    (plan(np.array([f"c{i % 21}" for i in range(60)]), cv=2), "continuous-y", None),
    (plan(np.resize(np.arange(21), 63), X=scores(63, 3), cv=3), "continuous-y", None),
    (plan(np.ones(60)), "one-class", {"label": 1.0}),
    (plan(np.where(LABEL, "Yes", "yes")), "name-variants", {}),
    (plan(SORTED, cv=KFold(2)), "class-untrained", {"place": 1, "label": 0}),
    (plan(np.repeat([0, 1, 2], 20), cv=folds_of(30, 30)), "class-untrained", None),
    (plan(np.repeat([0, 1, 2], 20), cv=folds_of(40, 20)), "class-untrained",
     {"place": 1, "label": 0}),
    (plan(np.repeat([0, 1, 2], 20), cv=folds_of(10, 30, 20)), "class-untrained",
     {"place": 3, "label": 2}),
    (plan(SORTED, cv=KFold(4)), "sorted-classes", {"count": 4, "n": 4}),
    (plan(SORTED, cv=KFold(5)), "sorted-classes", None),
    (plan(SORTED, cv=pairs(range(15), range(15, 45), range(45, 60))), "sorted-classes",
     {"count": 2, "n": 3}),
    (plan(SORTED, cv=pairs(range(14), range(46, 60))), "sorted-classes", None),
    (plan(SORTED, cv=GroupKFold(4), groups=np.arange(60) // 15), "sorted-classes", None),
    (plan(groups=GROUPS.repeat(2)), "groups-ignored", {"cv": "cv=5"}),
    (plan(groups=GROUPS.repeat(2), cv=KFold(5)), "groups-ignored", {"cv": "KFold"}),
    (plan(groups=GROUPS.repeat(2), cv=GroupKFold(5)), "groups-ignored", None),
    (plan(NUMBER, given=REGRESSORS, scoring=make_scorer(mean_squared_error)), "error-metric",
     {"metric": "mean_squared_error", "say": "make_scorer(..., greater_is_better=False)"}),
    (plan(NUMBER, given=REGRESSORS,
          scoring=make_scorer(mean_squared_error, greater_is_better=False)), "error-metric", None),
    (plan(given=[GaussianNB(), GaussianNB()]), "same-settings", {"a": "A", "b": "B"}),
    (plan(given=[GaussianNB(), GaussianNB(var_smoothing=0.1)]), "same-settings", None),
    (plan(given=REGRESSORS), "regressors-of-classes", {"name": "A"}),
    (plan(NUMBER, given=REGRESSORS), "regressors-of-classes", None),
    (plan(np.arange(60) % 3, given=REGRESSORS), "regressors-of-classes", None),
    (plan(X=np.column_stack([X, LABEL])), "leak", {"column": 3}),
    (plan(X=pd.DataFrame(X).assign(target=LABEL)), "leak", {"column": "target"}),
    (plan(), "leak", None),
    (plan(X=np.vstack([X[:56], X[:4]])), "copied-rows", {"count": 4, "n": 60}),
    (plan(X=np.vstack([X[:57], X[:3]])), "copied-rows", None),
    (plan(X=np.vstack([X[:56], X[:4]])[:, :2]), "copied-rows", {}),
    (plan(X=np.vstack([X[:56], X[:4]])[:, :1]), "copied-rows", None),
    (plan(X=np.vstack([X[:56], X[:4]]).round(1)), "copied-rows", None),
    (plan(X=pd.DataFrame(np.vstack([X[:56], X[:4]])).assign(new=True)), "copied-rows", None),
    (plan(cv=ShuffleSplit(5, test_size=0.56, random_state=0)), "large-test-fraction",
     {"fraction": pytest.approx(34 / 60), "other": pytest.approx(26 / 60)}),
    (plan(cv=ShuffleSplit(5, test_size=0.55, random_state=0)), "large-test-fraction", None),
    (plan(cv=ShuffleSplit(5, train_size=0.4, random_state=0)), "large-test-fraction", None),
    (plan(cv=folds_of(13, 20, 27)), "unequal-folds", {"least": 13, "most": 27}),
    (plan(cv=folds_of(13, 21, 26)), "unequal-folds", None),
    (plan(groups=LABEL, cv=GroupKFold(2)), "groups-own", None),
    (plan(groups=np.arange(60), cv=GroupKFold(2)), "groups-own", {"n": 60}),
]

READ = lambda given, **more: lambda: gate.scores(given, **more)
ROW = scores(3, 10)
NAMED = [pd.Series(ROW[0], name="tree"), pd.Series(ROW[1], name="bayes")]
PLAIN = lambda truth, *given, **more: lambda: entrances.predictions(truth, *given, **more)
RIGHT = [np.where(np.arange(10) == i, 1 - Y20[:10], Y20[:10]) for i in range(2)]

ENTRANCES = [
    (READ([ROW[0], ROW[1][:9]], cv=10), "unequal", {"a": "A", "b": "B", "na": "10", "nb": "9"}),
    (READ([scores(2, 5), scores(5, 2)], cv="2x5"), "unequal", {"na": "2 x 5", "nb": "5 x 2"}),
    (READ([scores(5, 2)] * 2, cv="2x5"), "block-shape",
     {"name": "A", "shape": (5, 2), "expected": (2, 5), "advice": ": transpose it"}),
    (READ([scores(5, 3)] * 2, cv="2x5"), "block-shape", {"advice": ""}),
    (READ([scores(5, 2)] * 2, test_fraction=0.1), "block-of-random-splits", {"shape": (5, 2)}),
    (READ(list(scores(10, 2)), cv=10), "transposed", {"n": 2, "k": 10}),
    (READ(list(scores(3, 2)), cv=10), "not-the-design", {"n": 2, "expected": 10}),
    (READ(list(ROW[:2]), test_fraction=0.51), "large-test-fraction",
     {"fraction": 0.51, "other": pytest.approx(0.49)}),
    (READ(list(ROW[:2]), test_fraction=0.5), "large-test-fraction", None),
    (READ([Y20[:10], 1 - Y20[:10]], cv=10), "leave-one-out", {}),
    (READ([Y20[:9], 1 - Y20[:9]], cv=9), "leave-one-out", None),
    (READ([Y20[:10], ROW[0]], cv=10), "leave-one-out", None),
    (READ([Y20[:10], 0 * Y20[:10]], cv=10), "leave-one-out", None),
    (READ(ROW, cv=10), "bare-array", {"shape": (3, 10)}),
    (READ([ROW[0]], cv=10), "too-few", {}),
    (READ({"test_a": ROW[0], "fit_time": ROW[1]}, cv=10), "one-dict", {}),
    (READ({"fit_time": ROW[0], "tree": ROW[1]}, cv=10), "one-dict", {}),
    (READ({"params": ROW[0], "tree": ROW[1]}, cv=10), "search-results", {}),
    (READ({"mean_test_score": ROW[0]}, cv=10), "search-results", {}),
    (READ([{"test_f1": ROW[0], "test_auc": ROW[1]}] * 2, cv=10), "which-scores",
     {"name": "A", "there": "test_f1, test_auc"}),
    (READ([{"test_f1": ROW[0]}, {"test_f1": ROW[1]}], cv=10), "which-scores", None),
    (READ([{"test_f1": ROW[0]}, {"test_f1": ROW[1]}], cv=10, metric="f1"), "which-scores", None),
    (READ([{"test_f1": ROW[0]}, {"test_f1": ROW[1]}], cv=10, metric="test_f1"), "which-scores",
     None),
    (READ([{"test_f1": ROW[0]}, {"test_auc": ROW[1]}], cv=10), "scores-of-dicts",
     {"a": "A", "key_a": "test_f1", "b": "B", "key_b": "test_auc"}),
    (READ([{"test_score": ROW[0]}, {"test_auc": ROW[1]}], cv=10), "scores-of-dicts", None),
    (READ([{"test_auc": ROW[0]}, {"test_score": ROW[1]}], cv=10), "scores-of-dicts", None),
    (READ([{"test_auc": ROW[0]}, ROW[1]], cv=10), "scores-of-dicts", None),
    (READ([{"test_f1": ROW[0]}, ROW[1]], cv=10, metric="f1"), "metric-without-dict", {"name": "B"}),
    (READ([NAMED[0].iloc[::-1], NAMED[1].to_numpy()], cv=10), "one-ordered", {"a": "A", "b": "B"}),
    (READ([NAMED[0], NAMED[1].to_numpy()], cv=10), "one-ordered", None),
    (READ([pd.DataFrame(scores(2, 5), index=[1, 0]), scores(2, 5)], cv="2x5"), "one-ordered", None),
    (READ([np.ma.masked_less(ROW[0], 0.5), ROW[1]], cv=10), "masked",
     {"name": "A", "count": int((ROW[0] < 0.5).sum())}),
    (READ([np.where(np.arange(10) > 6, np.nan, ROW[0]), ROW[1]], cv=10), "missing",
     {"name": "A", "count": 3, "n": 10, "place": 8}),
    (READ(["abc" * 20, ROW[1]], cv=10), "text",
     {"what": "the scores of A", "given": repr(("abc" * 20)[:30])}),
    (READ([ROW[0] * 1j, ROW[1]], cv=10), "not-numbers", {"name": "A"}),
    (READ([ROW[0], ROW[1], ["a"]], cv=10, names=["x"]), "not-numbers", {"name": "C"}),
    (READ([ROW[0], ["a"]], cv=10, names=["x", "y", "z"]), "not-numbers", {"name": "y"}),
    (READ([ROW[0], ROW[1]], cv=10, names=["x"]), "names", {"count": "two", "given": "['x']"}),
    (READ([pd.Series(ROW[0], name="a"), pd.Series(1j * ROW[1], name="a").to_numpy()], cv=10),
     "not-numbers", {"name": "B"}),
    (READ([0.9, 0.8], cv=10), "too-few", {"count": 1}),
    (READ([np.array(0.9), np.array(0.8)], cv=10), "too-few", {"count": 1}),
    (READ([], cv=10), "too-few", {"count": "none"}),
    (READ([[0.9], [0.8]], cv=2), "too-few", None),
    (READ([ROW[0], ROW[1]], cv=10, names=["tree", "fold"]), "reserved", {"name": "fold"}),
    (READ([scores(2, 2, 2), ROW[1]], cv=10), "shape", {"name": "A", "shape": (2, 2, 2)}),
    (READ([[], []], cv=10), "shape", {"shape": (0,)}),
    (lambda: gate.check_alpha(0.51), "alpha", {"alpha": 0.51, "other": pytest.approx(0.49)}),
    (lambda: gate.check_alpha(0.5), "alpha", None),
    (lambda: entrances.either("f1", "f1"), "scoring-twice", {}),
    (lambda: entrances.classifier_names("ab", ("x", "y")), "names", {"count": "two"}),
    (lambda: entrances.classifier_names(["a", "b"], ("x", "y", "z")), "names", {"count": 3}),
    (lambda: entrances.classifier_names(["a", "A "], ("x", "y")), "names", {}),
    (PLAIN(Y20[:10], *RIGHT, RIGHT[1]), "same-predictions", {"a": "B", "b": "C"}),
    (PLAIN(Y20[:10], Y20[:10], 1 - Y20[:10]), "never-agree", {"a": "A", "b": "B", "n": 10}),
    (PLAIN(Y20[:9], Y20[:9], 1 - Y20[:9]), "never-agree", None),
    (PLAIN(Y20[:10], *RIGHT), "never-agree", None),
    (PLAIN(Y20, Y20, 1 - Y20, names=("x", "y")), "is-the-truth", {"name": "x"}),
    (PLAIN(Y20, Y20.copy(), 1 - Y20), "is-the-truth", None),
    (PLAIN(Y20, Y20[:19], Y20), "lengths", {"n": 20, "name": "pred_a", "m": 19}),
]



@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "call, rule, facts",
    [*ITEMS, *OF_GROUPS, *OF_PREDICTIONS, *BENCHMARKS, *LABELS, *DATA, *ENTRANCES],
)
def test_a_rule_applies_on_one_side_of_its_threshold_with_its_facts(call, rule, facts):
    found = applied(call)
    if facts is None:
        assert rule not in found
    else:
        assert rule in found, found
        assert facts.items() <= found[rule].items() or {
            name: found[rule][name] for name in facts
        } == facts
