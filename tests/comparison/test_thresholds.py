"""Doubts that weigh numbers: each on either side of its threshold.

Each row is a call, a rule, and whether it must apply; the catalogue has an example of every rule.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, PredefinedSplit, ShuffleSplit
from sklearn.naive_bayes import GaussianNB

from replib.comparison import gate, rules
from replib.comparison.gate import data, entrances, items, labels

RNG = np.random.default_rng(5)


def applied(call):
    """Rules that a call applies."""
    found, apply = set(), rules.apply
    with pytest.MonkeyPatch.context() as patch:
        def noted(rule, **facts):
            found.add(rule)
            return apply(rule, **facts)

        patch.setattr(rules, "apply", noted)
        try:
            call()
        except ValueError as refusal:
            assert found, refusal
    return found


def scores(*shape):
    return RNG.random(shape)


def of_items(a, b, groups=None, metric="score"):
    return lambda: items.item_scores(a, b, groups=groups, paired_runs=False, names=("A", "B"),
                                     metric=metric)


def rows_alike(correlation, runs=64, count=3):
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


def with_cells(x, value, count):
    x = np.array(x, dtype=float)
    x.flat[:count] = value
    return x


def classes(agree):
    """Two rows of three classes that agree on this share of 30 places, each class as often."""
    a = np.resize([1, 2, 3], 30)
    b = np.where(np.arange(30) < 30 - round(agree * 30), a % 3 + 1, a)
    return a[None], b[None]


def ceilings(top_a, top_b):
    a, b = RNG.integers(0, top_a, 50), RNG.integers(0, top_b, 50)
    a[:5], b[:5], a[-1], b[-1] = top_a, top_b, 0, 0
    return a[None].astype(float), b[None].astype(float)


S = scores(5, 30)
ONE = scores(1, 30)
NEAR = lambda share: np.array([S[0], S[0] + share * np.ptp(S[0])])
Y20 = np.array([0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0])
OF_ITEMS = [
    (of_items(*rows_alike(0.55)), "items-like-runs", True),
    (of_items(*rows_alike(0.45)), "items-like-runs", False),
    (of_items(NEAR(9e-4), S), "items-near-copies", True),
    (of_items(NEAR(1.1e-3), S), "items-near-copies", False),
    (of_items(with_cells(S, 1, 1), with_cells(S, 10.5, 1)), "items-scale", True),
    (of_items(with_cells(S, 1, 1), with_cells(S, 10, 1)), "items-scale", False),
    (of_items(S, with_cells(S, 1 + 5e-9, 1), metric="accuracy"), "out-of-range", True),
    (of_items(S, with_cells(S, 1 + 5e-10, 1), metric="accuracy"), "out-of-range", False),
    (of_items(ONE, 2 - ONE + with_cells(0 * ONE, 5e-10, 1)), "constant-sum", True),
    (of_items(ONE, 2 - ONE + with_cells(0 * ONE, 5e-9, 1)), "constant-sum", False),
    (of_items(*ceilings(3, 6)), "items-ceilings", True),
    (of_items(*ceilings(2, 4)), "items-ceilings", False),
    (of_items(*classes(0.76)), "item-classes", True),
    (of_items(*classes(0.7)), "item-classes", False),
    (of_items(*copies_with(0.6, 200, 2)), "items-pooled-scores", True),
    (of_items(*copies_with(0.3, 200, 2)), "items-pooled-scores", False),
    (of_items(*copies_with(0.28, 2000, 2)), "items-pooled-scores", True),
    (of_items(*copies_with(0.12, 2000, 2)), "items-pooled-scores", False),
    (of_items(*copies_with(0.5, 200, 3)), "items-pooled-scores", True),
    (of_items(*copies_with(0.25, 200, 3)), "items-pooled-scores", False),
    (lambda: items.pooled(np.tile(Y20, 2)), "items-pooled", True),
    (lambda: items.pooled(np.tile(Y20[:19], 2)), "items-pooled", False),
]

F = pd.DataFrame(RNG.integers(520, 980, (8, 3)) / 1000 + 1e-4, columns=["tree", "rule", "bayes"],
                 index=[f"data {i}" for i in range(8)])
RANKS = F.rank(axis=1)
benchmark = lambda frame: lambda: gate.benchmark(frame, greater_is_better=True)
BENCHMARKS = [
    (benchmark(F[:5]), "few-datasets", True),
    (benchmark(F[:6]), "few-datasets", False),
    (benchmark(RANKS), "ranks", True),
    (benchmark(RANKS.replace({1: 1.25, 3: 2.75})), "ranks", False),
    (benchmark(F.assign(mean=F.mean(axis=1) * 1.005)), "summary-column", True),
    (benchmark(F.assign(mean=F.mean(axis=1) * 1.02)), "summary-column", False),
    (benchmark(F.iloc[[0, 1, 2, 3, 4, 5, 6, 0]].set_axis(F.index)), "copied-datasets", True),
    (benchmark(F.iloc[[0, 1, 2, 3, 4, 5, 6, 0], :2].set_axis(F.index)), "copied-datasets", False),
]

TRUTH = RNG.integers(0, 2, 60)
RARE = np.repeat([1, 0], [2000, 18_000])
EVEN = np.random.default_rng(2).permutation([0, 1] * 15)


def wrong(truth, count):
    return np.where(np.arange(len(truth)) < count, 1 - truth, truth)


def right_on(count):
    return lambda: entrances.predictions(Y20[:count], Y20[:count], 1 - Y20[:count])


PREDICTIONS = [
    (lambda: labels.doubts(TRUTH, [wrong(TRUTH, 50)], "a"), "inverted", True),
    (lambda: labels.doubts(TRUTH, [wrong(TRUTH, 45)], "a"), "inverted", False),
    # 80% are right where guesses with the same shares would be right in 82%
    (lambda: labels.doubts(RARE, [np.roll(RARE, 2000)], "a"), "inverted", True),
    (lambda: labels.doubts(RARE[::10], [np.roll(RARE[::10], 200)], "a"), "inverted", False),
    (lambda: labels.unrelated(EVEN, [np.roll(EVEN, 1)] * 2, "ab"), "moved", True),
    (lambda: labels.unrelated(EVEN[:29], [np.roll(EVEN[:29], 1)] * 2, "ab"), "moved", False),
    (lambda: labels.unrelated(TRUTH, [np.roll(TRUTH, 7), wrong(np.roll(TRUTH, 7), 5)], "ab"),
     "unrelated-truth", True),
    (lambda: labels.unrelated(TRUTH, [wrong(TRUTH, 9)] * 2, "ab"), "unrelated-truth", False),
    (right_on(10), "never-agree", True),
    (right_on(9), "never-agree", False),
]

X = scores(60, 3)
LABEL = np.arange(60) % 2


def plan(y=LABEL, X=X, cv=5, given=None):
    given = given or [GaussianNB(), GaussianNB(var_smoothing=0.1)]
    return lambda: data.estimators(given, ("A", "B"), X, y, cv=cv)


folds_of = lambda *sizes: PredefinedSplit(np.repeat(range(len(sizes)), sizes))
DATA = [
    (plan(np.arange(60) % 21, cv=2), "continuous-y", True),
    (plan(np.arange(60) % 20, cv=3), "continuous-y", False),
    (plan(np.repeat([0, 1, 2], 20), cv=folds_of(40, 20)), "class-untrained", True),
    (plan(np.repeat([0, 1, 2], 20), cv=folds_of(30, 30)), "class-untrained", False),
    (plan(np.sort(LABEL), cv=KFold(4)), "sorted-classes", True),
    (plan(np.sort(LABEL), cv=KFold(5)), "sorted-classes", False),
    (plan(X=np.column_stack([X, LABEL])), "leak", True),
    (plan(), "leak", False),
    (plan(X=np.vstack([X[:56], X[:4]])), "copied-rows", True),
    (plan(X=np.vstack([X[:57], X[:3]])), "copied-rows", False),
    (plan(cv=ShuffleSplit(5, test_size=0.56, random_state=0)), "large-test-fraction", True),
    (plan(cv=ShuffleSplit(5, test_size=0.55, random_state=0)), "large-test-fraction", False),
    (plan(cv=folds_of(13, 20, 27)), "unequal-folds", True),
    (plan(cv=folds_of(13, 21, 26)), "unequal-folds", False),
    (plan(given=[GaussianNB(), LinearRegression()]), "scorers-differ", True),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("call, rule, applies", [*OF_ITEMS, *BENCHMARKS, *PREDICTIONS, *DATA])
def test_a_rule_applies_on_one_side_of_its_threshold(call, rule, applies):
    assert (rule in applied(call)) is applies
