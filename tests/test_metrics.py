"""Metrics of predictions: other programs' values, stored ones, all permutations, error rates."""

import dataclasses
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import special, stats
from sklearn import metrics as sk

from replib import compare, estimate
from replib._metrics import (
    AREA,
    area_tests,
    exchange_test,
    item_scores,
    pseudo_values,
    values,
)
from replib._metrics.outcomes import Kinds, all_outcomes
from replib._metrics.weighted import MetricOfTotals, weighted_metric
from replib.designs import Items
from replib.readers import from_predictions
from replib.scores import KNOWN, Metric, Predictions

RNG = np.random.default_rng(17)
N = 120
Y = RNG.integers(0, 3, N)
noisy = lambda rate, y: np.where(RNG.random(N) < rate, y, RNG.integers(0, 3, N))
P, Q = noisy(0.6, Y), noisy(0.45, Y)
Y2 = (Y > 0).astype(int)
S, T = (Y2 + RNG.normal(0, sd, N) for sd in (0.8, 1.4))
OTHER = np.random.default_rng(18)
SHARES = np.clip(0.5 + (Y2 - 0.5) * OTHER.random(N), 0, 0.9)  # probabilities of class 1
PRICES = np.exp(OTHER.normal(5, 0.5, N))
GROUPS = np.minimum(np.arange(N) // 3, 35)  # the last of 15 items


def table(y, a, b, metric="mine", *, groups=None, function=None):
    """Predictions of models a and b, of one run or several."""
    parts = [
        pd.DataFrame(
            {
                "model": model,
                "run": run,
                "item": np.arange(len(y)),
                "truth": y,
                "prediction": row,
            }
            | ({} if groups is None else {"group": groups})
        )
        for model, block in (("a", a), ("b", b))
        for run, row in enumerate(np.atleast_2d(block))
    ]
    return Predictions(
        pd.concat(parts, ignore_index=True),
        function=function,
        metric=Metric(metric, better=None if metric in KNOWN else "higher"),
        design=Items(cluster=None if groups is None else "group"),
    )


def metric_test(predictions, a, b, **options):
    """The test of one pair, by DeLong or by exchange."""
    if predictions.function is not None or predictions.metric.name != AREA:
        return exchange_test(predictions, a, b, **options)
    name, result = area_tests(predictions, [(a, b)])
    numbers = ("statistic", "pvalue", "estimate", "standard_error", "df")
    test = dataclasses.replace(
        result, **{n: float(np.ravel(getattr(result, n))[0]) for n in numbers}
    )
    return SimpleNamespace(
        name=name,
        confidence_interval=test.confidence_interval,
        tails=test.tails,
        **{n: getattr(test, n) for n in numbers},
    )


def value(predictions, model):
    return values(predictions)[model]


def data(metric):
    if metric in ("f1", "precision", "recall"):
        return [np.minimum(x, 1) for x in (Y, P, Q)]
    if metric == "average_precision":
        return Y2, S, T
    if metric in ("brier", "log_loss"):
        return Y2, *(special.expit(x) for x in (S, T))
    return (
        (Y2, S, T) if metric in ("roc_auc", "rmse", "r2", "mae", "mse") else (Y, P, Q)
    )


REFERENCE = {
    "accuracy": sk.accuracy_score,
    "error": lambda y, p: sk.zero_one_loss(y, p),
    "mae": sk.mean_absolute_error,
    "mse": sk.mean_squared_error,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "f1": lambda y, p: sk.f1_score(y, p),
    "f1_weighted": lambda y, p: sk.f1_score(y, p, average="weighted"),
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1_macro": lambda y, p: sk.f1_score(y, p, average="macro"),
    "matthews_corrcoef": sk.matthews_corrcoef,
    "rmse": sk.root_mean_squared_error,
    "r2": sk.r2_score,
    "roc_auc": sk.roc_auc_score,
    "average_precision": sk.average_precision_score,
    "brier": sk.brier_score_loss,
    "log_loss": sk.log_loss,
}


@pytest.mark.parametrize("metric", REFERENCE)
def test_values_are_those_of_scikit_learn(metric):
    y, a, b = data(metric)
    expected = [
        np.mean([REFERENCE[metric](y, row) for row in rows])
        for rows in ([a, b, a], [b])
    ]
    for groups in (None, GROUPS):
        predictions = table(y, [a, b, a], b, metric, groups=groups)
        assert_allclose(
            [value(predictions, model) for model in "ab"], expected, atol=1e-12
        )
        scores = item_scores(predictions)
        if scores is None:
            scores = pseudo_values(predictions)
            one = table(y, a, b, metric, groups=groups)
            assert metric_test(one, "a", "b", resamples=99).estimate == pytest.approx(
                value(one, "a") - value(one, "b")
            )
        assert_allclose([scores[model].mean() for model in "ab"], expected, atol=1e-12)


LABELS = {
    "0 and 1": ([0, 1], None),
    "-1 and 1": ([-1, 1], None),
    "booleans": ([False, True], None),
    "text of numbers": (["0", "1"], None),
    "text, first": (["cancer", "healthy"], "cancer"),
    "text, second": (["cancer", "healthy"], "healthy"),
    "1 and 2": ([1, 2], 1),
    "0 and 1, turned": ([0, 1], 0),
}
OF_POSITIVE = {
    "f1": lambda y, p, positive: sk.f1_score(y, p, pos_label=positive),
    "precision": lambda y, p, positive: sk.precision_score(y, p, pos_label=positive),
    "recall": lambda y, p, positive: sk.recall_score(y, p, pos_label=positive),
    "roc_auc": lambda y, p, positive: sk.roc_auc_score(y == positive, p),
    "average_precision": lambda y, p, positive: sk.average_precision_score(
        y == positive, p
    ),
    "brier": lambda y, p, positive: sk.brier_score_loss(y == positive, p),
    "log_loss": lambda y, p, positive: sk.log_loss(y == positive, p),
}
#: Of them, those whose predictions are scores, and those that need probabilities.
OF_SCORES = ("roc_auc", "average_precision", "brier", "log_loss")


@pytest.mark.parametrize("metric", OF_POSITIVE)
@pytest.mark.parametrize("labels, positive", LABELS.values(), ids=LABELS)
def test_a_metric_of_one_class_is_about_the_positive_one(metric, labels, positive):
    rng = np.random.default_rng(5)
    for _ in range(10):
        truth = np.array(labels)[(rng.random(60) < 0.2).astype(int)]
        if metric in OF_SCORES:
            # a float is no certainty: 0 and 1 have a logarithm, too
            answers = np.clip(rng.normal(0.5, 0.5, size=60), 0, 1).round(2)
        else:
            answers = np.where(rng.random(60) < 0.7, truth, rng.permutation(truth))
        predictions = table(truth, answers, answers, "accuracy")
        declared = Metric(metric, positive=positive)
        predictions = dataclasses.replace(predictions, metric=declared)
        shown = truth[0].dtype.type(labels[1] if positive is None else positive)
        expected = OF_POSITIVE[metric](truth, answers, shown)
        assert value(predictions, "a") == pytest.approx(expected)
    assert str(declared).endswith("" if positive is None else f" of {positive}")


@pytest.mark.parametrize("metric", OF_POSITIVE)
@pytest.mark.parametrize(
    "labels, positive, says",
    [
        (["cancer", "healthy"], None, "about one of the two classes .*: say which"),
        ([1, 2], None, "about one of the two classes 1 and 2: say which"),
        (["cancer", "healthy"], "ill", "positive must be one of the classes .*'ill'"),
        (["healthy", "healthy"], "healthy", "needs items of two classes"),
    ],
)
def test_an_unknown_positive_class_is_asked_for(metric, labels, positive, says):
    truth = np.array(labels)[np.arange(20) % 2]
    answers = RNG.random(20) if metric in OF_SCORES else truth
    predictions = dataclasses.replace(
        table(truth, answers, answers, "accuracy"),
        metric=Metric(metric, positive=positive),
    )
    with pytest.raises(ValueError, match=says):
        value(predictions, "a")


@pytest.mark.parametrize(
    "metric", ["f1", "f1_macro", "balanced_accuracy", "matthews_corrcoef", "r2"]
)
def test_a_truth_that_does_not_vary_is_refused(metric):
    answers = np.arange(20) % 2
    with pytest.raises(ValueError, match="all (are|items are) 0"):
        value(table(np.zeros(20, int), answers, answers, metric), "a")


@pytest.mark.parametrize("decimals", [8, 0])
def test_the_area_is_tested_by_delong(decimals):
    """Against the variance of DeLong et al. (1988), pair by pair."""
    columns = []
    for scores in (np.round(S, decimals), np.round(T, decimals)):
        x, z = scores[Y2 == 1][:, None], scores[Y2 == 0]
        psi = (x > z) + 0.5 * (x == z)
        columns.append((psi.mean(1), psi.mean(0), psi.mean()))
    (v10, v01, a), (w10, w01, b) = columns
    error = np.sqrt(
        np.var(v10 - w10, ddof=1) / len(v10) + np.var(v01 - w01, ddof=1) / len(v01)
    )
    result = metric_test(
        table(Y2, np.round(S, decimals), np.round(T, decimals), "roc_auc"), "a", "b"
    )
    assert result.name == "DeLong's test" and result.df == np.inf
    assert_allclose(
        (result.estimate, result.statistic, result.pvalue),
        (a - b, (a - b) / error, 2 * stats.norm.sf(abs(a - b) / error)),
        rtol=1e-10,
    )
    z = (a - b - 0.1) / error
    assert_allclose(result.tails(0.1), stats.norm.sf([z, -z]))


def all_exchanges(of, a, b, unit):
    """Differences of a metric after each exchange of units, those that change nothing, too."""
    units = np.unique(unit)
    for which in product([False, True], repeat=len(units)):
        swap = np.isin(unit, units[np.array(which)])
        first, second = np.where(swap, b, a), np.where(swap, a, b)
        yield np.mean([of(x) for x in first]) - np.mean([of(x) for x in second])


#: Items, of which some are alike, some are so with the models exchanged, and some are equal.
FEW = np.r_[0:6, 3:5]


@pytest.mark.parametrize("groups", [None, np.arange(8) // 2], ids=["items", "groups"])
@pytest.mark.parametrize("n_runs", [1, 2])
@pytest.mark.parametrize(
    "metric",
    ["f1", "recall", "f1_macro", "balanced_accuracy", "matthews_corrcoef", "rmse", "r2"]
    + ["average_precision", "function"],
)
def test_p_is_that_of_all_exchanges(metric, n_runs, groups):
    y, a, b = (x[FEW] for x in data("f1_macro" if metric == "function" else metric))
    y[0] = y.max()  # two classes
    a, b = (
        np.stack([np.roll(x, shift) for shift in range(n_runs)])
        for x in (np.append(a[:6], b[6:]), np.append(b[:6], a[6:]))
    )
    function = None
    if metric == "function":
        function = lambda y, x: np.mean((y == x) * np.arange(1, 4)[x])
    reference = REFERENCE.get(metric, function)
    few = table(
        y, a, b, "mine" if function else metric, groups=groups, function=function
    )
    if metric == "average_precision":
        a, b = stats.rankdata(a, axis=-1), stats.rankdata(b, axis=-1)
    unit = np.arange(8) if groups is None else groups
    sizes = np.abs([*all_exchanges(lambda x: reference(y, x), a, b, unit)])
    result = exchange_test(few, "a", "b", resamples=9999)
    exact = np.mean(sizes >= sizes[0] - 1e-12)
    smallest = np.mean(sizes >= sizes.max() - 1e-12)
    assert result.name.startswith("exact permutation test")
    assert result.pvalue == pytest.approx(exact, rel=1e-12)
    assert result.smallest_pvalue == pytest.approx(smallest, rel=1e-12)


@pytest.mark.parametrize("groups", [None, np.arange(80) // 4], ids=["items", "groups"])
def test_drawn_exchanges_have_about_the_p_of_all(groups, monkeypatch):
    """Five standard errors: one other seed in 10^6 fails; a p-value off by 0.032 is found with
    probability 0.9.
    """
    y, a, b = (x[:80] for x in data("f1"))
    few = table(y, a, b, "f1", groups=groups)
    result = exchange_test(few, "a", "b")
    assert result.is_exact
    exact = result.pvalue
    monkeypatch.setattr(MetricOfTotals, "most_outcomes", 1)
    drawn = exchange_test(few, "a", "b")
    assert not drawn.is_exact
    error = np.sqrt(exact * (1 - exact) / 9999)
    assert drawn.pvalue == pytest.approx(exact, abs=5 * error)


#: Metrics with the items of which exchanges are drawn, or gone through, and with a tie.
PAIRS = {
    "f1": data("f1"),
    "f1_macro": data("f1_macro"),
    "rmse": data("rmse"),
    "r2, few items": [x[:9] for x in data("r2")],
    "average_precision": data("average_precision"),
    "matthews_corrcoef, a tie": (Y, P, np.where(P == 2, 1, np.where(P == 1, 2, 0))),
    "recall, a tie": [
        np.repeat([0, 1], 6),
        np.tile([0, 1, 1], 4),
        np.tile([1, 1, 0], 4),
    ],
    "function": data("f1_macro"),
}


@pytest.mark.parametrize("with_groups", [False, True], ids=["items", "groups"])
@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_the_other_way_round_has_the_mirrored_result(name, with_groups):
    y, a, b = PAIRS[name]
    metric = name.split(",")[0]
    function = (lambda y, x: np.mean(y * x)) if metric == "function" else None
    options = {
        "metric": "mine" if function else metric,
        "function": function,
        "groups": np.arange(len(y)) // 2 if with_groups else None,
    }
    there = exchange_test(table(y, a, b, **options), "a", "b", resamples=199)
    results = [
        exchange_test(table(y, a, b, **options), "b", "a", resamples=199),
        exchange_test(table(y, b, a, **options), "a", "b", resamples=199),
    ]
    for back in results:
        assert back.estimate == -there.estimate
        assert back.pvalue == there.pvalue
        assert back.smallest_pvalue == there.smallest_pvalue
        low, high = there.confidence_interval(0.9)
        assert tuple(back.confidence_interval(0.9)) == (-high, -low)
        for shift in (-0.1, 0, 0.05):
            assert tuple(back.tails(-shift)) == tuple(there.tails(shift))[::-1]


@pytest.mark.parametrize("metric", ["f1_macro", "rmse", "average_precision"])
def test_names_and_order_of_models_change_nothing(metric):
    y, a, b = data(metric)
    models = {"a": a, "b": b, "c": np.roll(a, 1)}
    names = {"a": "z", "b": "y", "c": "x"}
    turned = {names[model]: models[model] for model in reversed(models)}
    plain, other = (
        compare(from_predictions(y, x, metric=metric)) for x in (models, turned)
    )
    columns = ["difference", "low", "high", "p", "decision"]
    for pair in plain.pairs.itertuples():
        first, second = names[pair.a], names[pair.b]
        same = other.pairs.set_index(["a", "b"]).loc[(first, second)]
        assert [same[name] for name in columns] == [getattr(pair, n) for n in columns]


@pytest.mark.parametrize("metric", ["f1_macro", "rmse"])
def test_the_order_of_items_changes_nothing(metric):
    """One truth, two sets of labels."""
    order = np.random.default_rng(1).permutation(N)
    there, other = (
        exchange_test(table(*(x[rows] for x in data(metric)), metric), "a", "b")
        for rows in (np.arange(N), order)
    )
    assert there.pvalue == other.pvalue
    assert_allclose(there.confidence_interval(), other.confidence_interval())


@pytest.mark.parametrize("n", [1, 7, 1000, 1001, 1100, 60_000])
def test_outcomes_of_one_kind_are_binomial(n):
    """Coefficients up to n = 1029 are floats; those of larger n are not."""
    kinds = Kinds(np.array([0]), like=np.array([n - 1]), opposite=np.array([1]))
    lent, probability = all_outcomes(kinds)
    assert lent[:, 0].tolist() == [*range(-1, n)]
    assert_allclose(probability, stats.binom.pmf(np.arange(n + 1), n, 0.5), rtol=1e-9)


@pytest.mark.parametrize("n_differing", [16, 17])
def test_outcomes_are_gone_through_while_they_are_few(n_differing):
    worse = S + (np.arange(N) < n_differing) * (1 + np.arange(N) / 7)
    result = exchange_test(table(S, S, worse, "rmse"), "a", "b")
    assert result.is_exact == (n_differing == 16)
    assert result.n_differing == n_differing
    if result.is_exact:
        assert result.pvalue == pytest.approx(2.0**-15)
        assert result.name == "exact permutation test"


@pytest.mark.parametrize("n_differing", [11, 12])
def test_sorting_and_functions_take_longer_and_go_through_fewer(n_differing):
    ranks = np.arange(N) - 1000 * (np.arange(N) < n_differing)
    order = np.append(np.roll(np.arange(n_differing), 1), np.arange(n_differing, N))
    ordered = exchange_test(
        table(Y2, ranks, ranks[order], "average_precision"), "a", "b"
    )
    of_function = exchange_test(
        table(Y2, S, np.where(np.arange(N) < n_differing, T, S), function=np.vdot),
        "a",
        "b",
    )
    for result in (ordered, of_function):
        assert result.is_exact == (n_differing == 11)
        assert result.n_differing == n_differing


@pytest.mark.parametrize("unit", [1e-15, 1.0, 1e12])
@pytest.mark.parametrize("n", [10, N])
def test_a_unit_changes_no_p(n, unit):
    y, a, b = (x[:n] for x in data("rmse"))
    plain, other = (
        exchange_test(table(y * by, a * by, b * by, "rmse"), "a", "b", resamples=999)
        for by in (1, unit)
    )
    assert other.pvalue == pytest.approx(plain.pvalue)
    assert_allclose(
        other.confidence_interval(), unit * np.array(plain.confidence_interval())
    )


def test_items_that_a_metric_is_not_about_do_not_count():
    """Four items of the positive class, which is found by one model, and 30 of the other."""
    y = np.repeat([1, 1, 0, 0], [4, 30, 30, 30])
    a = np.repeat([1, 1, 0, 0], [4, 30, 30, 30])
    b = np.repeat([0, 1, 1, 0], [4, 30, 30, 30])
    few = compare(from_predictions(y, {"a": a, "b": b}, metric="recall"))
    assert few.pairs["p"][0] == pytest.approx(2 / 2**4)
    assert any("could give is 0.12" in note for note in few.notes)
    more = compare(from_predictions(y, {"a": a, "b": b}, metric="f1"))
    assert more.pairs["p"][0] < 1e-9 and not more.notes


@pytest.mark.parametrize("power", [1, 2])
def test_ranks_that_differ_count_for_average_precision(power):
    a = np.sort(np.random.default_rng(1).random(30))
    y = np.repeat([0, 1], [18, 12])
    y[15:22] = [1, 0, 1, 0, 1, 0, 1]
    b = a[[*range(16), 17, 16, 19, 18, *range(20, 30)]] ** power
    result = compare(from_predictions(y, {"a": a, "b": b}, metric="average_precision"))
    assert result.tests.n_differing == [4]
    assert result.tests.name == "exact permutation test of ranks"
    assert any("could give is 0.12" in note for note in result.notes)
    assert result.pairs["p"][0] >= 0.125


def test_several_pairs_say_whether_some_are_exact():
    near = np.where(np.arange(N) < 3, Q, P)
    models = {"a": P, "near": near, "b": Q}
    data = from_predictions(Y, models, metric="f1_macro")
    lists = ("all", [("a", "near")], [("a", "b")])
    names = [compare(data, pairs=pairs).tests.name for pairs in lists]
    assert names == [
        "permutation test, exact or with 9999 exchanges",
        "exact permutation test",
        "permutation test with 9999 exchanges",
    ]


def probabilities(y, sharpness, n_classes=3):
    """Probabilities of all classes, the higher for the true one the sharper they are."""
    scores = OTHER.normal(size=(len(y), n_classes)) + sharpness * np.eye(n_classes)[y]
    return special.softmax(scores, axis=1)


@pytest.mark.parametrize("labels", [[0, 1, 2], ["cat", "dog", "eel"]])
def test_the_area_of_several_classes_is_that_of_scikit_learn(labels):
    y = np.array(labels)[Y]
    models = {"a": probabilities(Y, 1.5), "b": probabilities(Y, 0.7)}
    data = from_predictions(y, models, metric="roc_auc_ovr")
    expected = {
        name: sk.roc_auc_score(y, p, multi_class="ovr") for name, p in models.items()
    }
    assert values(data) == pytest.approx(expected)
    runs = {"a": np.stack([models["a"], models["b"]]), "b": models["b"]}
    several = values(from_predictions(y, runs, metric="roc_auc_ovr"))
    assert several["a"] == pytest.approx(np.mean([*expected.values()]))
    result = exchange_test(data, "a", "b", resamples=199)
    assert result.estimate == pytest.approx(expected["a"] - expected["b"])
    assert result.pvalue < 0.05 and result.confidence_interval().low > 0
    logits = {"a": models["a"], "b": np.log(models["b"])}
    other = from_predictions(y, logits, metric="roc_auc_ovr")
    assert exchange_test(other, "a", "b", resamples=199).pvalue == result.pvalue


def test_areas_of_weighted_samples_are_those_by_hand():
    data = from_predictions(
        Y[:20],
        {name: probabilities(Y[:20], 1).round(1) for name in "ab"},
        metric="roc_auc_ovr",
    )
    metric = weighted_metric(data, "a", "b")
    weights = OTHER.integers(1, 3, (3, 20))
    for model, name in enumerate("ab"):
        scores = np.array(data.predicted[name][0].tolist())
        for found, weight in zip(metric.values(weights)[model, 0], weights):
            by_hand = [
                sk.roc_auc_score(np.repeat(Y[:20] == c, weight), np.repeat(x, weight))
                for c, x in enumerate(scores.T)
            ]
            assert found == pytest.approx(np.mean(by_hand))
    alone = np.zeros((1, 20), int)
    alone[0, 0] = 1
    assert metric.values(alone)[0, 0, 0] == 0.5


def test_probabilities_of_classes_have_to_be_those_of_the_truth():
    two = {name: probabilities(Y % 2, 1, 2) for name in "ab"}
    with pytest.raises(ValueError, match="0, 1 and 2, and a has 2 for an item"):
        values(from_predictions(Y, two, metric="roc_auc_ovr"))
    data = from_predictions(Y % 2, two, metric="roc_auc_ovr")
    for metric in ("roc_auc", "accuracy", "rmse"):
        with pytest.raises(ValueError, match="takes one prediction for an item"):
            values(dataclasses.replace(data, metric=Metric(metric)))


@pytest.mark.parametrize("groups", [None, GROUPS])
def test_average_precision_is_about_the_order_of_the_scores(groups):
    """A model may give probabilities and another one logits: p and interval are the same."""
    results = [
        metric_test(
            table(Y2, S, b, "average_precision", groups=groups), "a", "b", resamples=99
        )
        for b in (T, 100 + np.exp(T))
    ]
    assert results[0].pvalue == results[1].pvalue
    assert results[0].confidence_interval() == results[1].confidence_interval()


def test_exchanges_and_resamples_of_average_precision_are_those_by_hand():
    """Each weighted sample is what scikit-learn says of its items, one for each time."""
    predictions = table(Y2[:15], S[:15].round(1), T[:15].round(1), "average_precision")
    metric = weighted_metric(predictions, "a", "b")
    scores = [stats.rankdata(x[:15].round(1)) for x in (S, T)]
    weights = OTHER.integers(0, 3, (4, 15)) + (np.arange(15) == Y2[:15].argmax())
    for model, ranks in enumerate(scores):
        by_hand = [
            sk.average_precision_score(np.repeat(Y2[:15], w), np.repeat(ranks, w))
            for w in weights
        ]
        assert_allclose(metric.values(weights)[model, 0], by_hand)
    lent = OTHER.integers(0, 2, (4, 15)).astype(float)
    twice = np.tile(Y2[:15], 2)
    for of_a, of_b, moved in zip(*metric.exchanged(lent)[:, 0], lent):
        own = np.append(1 - moved, moved)
        both = np.append(*scores)
        for found, weight in ((of_a, own), (of_b, 1 - own)):
            by_hand = sk.average_precision_score(twice, both, sample_weight=weight)
            assert found == pytest.approx(by_hand)


def test_numbers_may_be_classes_and_answers():
    stars = OTHER.integers(2, 11, N) / 2
    answers = OTHER.integers(0, 4000, N) / 8
    for truth in (Y.astype(float), stars, answers):
        right = np.where(OTHER.random(N) < 0.6, truth, truth + 0.25)
        found = values(table(truth, right, truth, "accuracy"))
        assert found == pytest.approx({"a": np.mean(right == truth), "b": 1})


@pytest.mark.parametrize("groups", [None, GROUPS])
def test_a_function_gives_what_the_named_metric_gives(groups):
    """p within four standard errors: one other seed in 10^4 fails; one off by 0.084 is found with
    probability 0.9.
    """
    mean_recall = lambda y, p: np.mean(
        [np.mean(p[y == label] == label) for label in set(y)]
    )
    options = {"groups": groups}
    named = table(Y, [P, Q], [Q, Q], "balanced_accuracy", **options)
    function = table(Y, [P, Q], [Q, Q], function=mean_recall, **options)
    results = [metric_test(x, "a", "b", resamples=1999) for x in (named, function)]
    p = results[0].pvalue
    assert results[1].pvalue == pytest.approx(
        p, abs=4 * np.sqrt(2 * p * (1 - p) / 1999)
    )
    intervals = [result.confidence_interval(0.9) for result in results]
    assert_allclose(*intervals, atol=0.08 * (intervals[0].high - intervals[0].low))
    for model in "ab":
        assert_allclose(pseudo_values(function)[model], pseudo_values(named)[model])
        assert value(function, model) == pytest.approx(value(named, model))


@pytest.mark.slow
@pytest.mark.parametrize("groups", [None, GROUPS])
@pytest.mark.parametrize("metric", ["f1_macro", "r2"])
def test_pseudo_values_are_those_of_the_jackknife(groups, metric):
    y, p, q = data(metric)
    unit = np.arange(N) if groups is None else groups
    units = unit.max() + 1
    found = pseudo_values(table(y, [p, q, np.roll(p, 1)], q, metric, groups=groups))[
        "a"
    ]
    for row, pseudo in zip((p, q, np.roll(p, 1)), found):
        of = lambda keep: REFERENCE[metric](y[keep], row[keep])
        left_out = np.array([of(unit != i) for i in range(units)])
        share = N / units / np.bincount(unit)
        by_hand = of(unit >= 0) + (units - 1) * (left_out.mean() - left_out) * share
        assert_allclose(pseudo, by_hand[unit], atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("exchanged, copies", [(False, 1), (True, 1), (False, 3)])
def test_a_skewed_interval_is_that_of_scipy_whichever_model_is_better(
    exchanged, copies
):
    """The mean of few large losses; copies of an item are a cluster, and add nothing.

    All of 20 other data sets agree with SciPy; with 8 of them the plain interval is
    nearer than the last line wants, which makes sure that it would be found.
    """
    loss = np.random.default_rng(3).lognormal(0, 0.8, 60)
    a, b = (0 * loss, loss) if exchanged else (loss, 0 * loss)
    expected, plain = (
        stats.bootstrap(
            (a - b,), np.mean, n_resamples=9999, method=method, rng=1
        ).confidence_interval
        for method in ("BCa", "basic")
    )
    predictions = table(
        *(np.repeat(x, copies) for x in (np.arange(60), a, b)),
        function=lambda y, p: p.mean(),
        groups=np.arange(60 * copies) // copies,
    )
    found = metric_test(predictions, "a", "b", resamples=9999).confidence_interval()
    assert_allclose(found, expected, atol=0.05 * np.ptp(expected))
    assert abs(plain.high - expected.high) > 0.1 * np.ptp(expected)


@pytest.mark.parametrize("metric", ["roc_auc", "r2", "matthews_corrcoef"])
def test_tails_are_the_levels_at_which_the_limits_pass_a_shift(metric):
    result = metric_test(table(*data(metric), metric), "a", "b")
    for level in (0.3, 0.9, 0.98):
        low, high = result.confidence_interval(level)
        assert result.tails(low).greater == pytest.approx((1 - level) / 2, rel=0.02)
        assert result.tails(high).less == pytest.approx((1 - level) / 2, rel=0.02)
    assert sorted(result.tails(shift).greater for shift in (-1, 0, 1)) == [
        result.tails(shift).greater for shift in (-1, 0, 1)
    ]


def test_equal_models_have_no_difference_for_certain():
    result = exchange_test(table(Y, Y, Y, "f1_macro"), "a", "b", resamples=99)
    assert result.estimate == result.statistic == 0
    assert result.pvalue == result.smallest_pvalue == 1 and np.isnan(result.df)
    assert tuple(result.confidence_interval()) == (0, 0)


OF_CLASS = ["f1", "recall", "precision", "matthews_corrcoef"]


@pytest.mark.parametrize("metric", [*OF_CLASS, "function"])
def test_without_any_spread_there_is_no_interval(metric):
    """A perfect model against one that never finds the positive class."""
    y = np.arange(20) % 2
    models = {"right": y, "never": 0 * y}
    function = (lambda y, x: float(np.all(y == x))) if metric == "function" else None
    name = Metric("mine", better="higher") if function else metric
    data = from_predictions(y, models, metric=name, function=function)
    result = compare(data, equivalence=0.1)
    (pair,) = result.pairs.itertuples()
    assert pair.p == pytest.approx(2.0**-9, rel=0.5) and pair.decision == 1
    assert np.isnan([pair.low, pair.high]).all()
    assert not pair.not_worse and not pair.equivalent
    assert "(difference 1.000, no spread shows an interval; " in result.sentence()
    assert "borderline" not in result.sentence()
    assert "was not shown (no p-value)" in result.sentence()
    assert "1.000 (–)" in result.to_markdown()
    assert np.isnan(estimate(data).means["low"]["right"])


@pytest.mark.parametrize(
    ("n", "n_positive", "has_interval"), [(20, 3, True), (30, 4, False)]
)
def test_samples_that_differ_are_enough_for_an_interval(n, n_positive, has_interval):
    """All positive items are left out by a share (1 - k/n)^n of samples: 0.039, and 0.014."""
    y = (np.arange(n) < n_positive).astype(int)
    result = exchange_test(table(y, y, 0 * y, "f1"), "a", "b")
    assert np.isfinite(result.confidence_interval()).all() == has_interval
    assert np.isfinite(result.tails(0.5)).all() == has_interval


@pytest.mark.parametrize("metric", OF_CLASS)
def test_models_that_nearly_have_no_spread_keep_their_interval(metric):
    y = np.arange(60) % 2
    nearly = np.where(np.arange(60) // 2 == 3, 1 - y, y)  # one item of each class
    for other in (np.roll(nearly, 4), 0 * y, 1 - y, y):
        result = exchange_test(table(y, nearly, other, metric), "a", "b")
        low, high = result.confidence_interval()
        assert low <= result.estimate <= high and low < high


def test_an_interval_is_finite_where_all_resamples_are_on_one_side():
    """One item of 40 is right in A only: a third of the resamples lack it, none has less."""
    y = np.tile([0, 1], 20)
    b = np.where(np.arange(40) == 7, 1 - y, y)
    result = metric_test(table(y, y, b, "matthews_corrcoef"), "a", "b", resamples=999)
    for level in (0.5, 0.95, 0.999):
        low, high = result.confidence_interval(level)
        assert 0 <= low <= result.estimate <= high < 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "metric", ["roc_auc", "f1_macro", "average_precision"]
)  # DeLong's test, and by exchange
def test_equal_models_err_as_often_as_they_may(metric):
    """400 null experiments of 80 items: at most 6%, with four standard errors of 1.2%.

    At 6% one other seed in 10^4 fails; a rate of 14% is found with probability 0.97.
    """
    rejected = 0
    for seed in range(400):
        rng = np.random.default_rng([seed, 23])
        y = rng.integers(0, 2, 80)
        a, b = y + rng.normal(0, 0.5, 80) + rng.normal(0, 0.7, (2, 80))
        if metric == "f1_macro":
            a, b = (a > 0.5).astype(int), (b > 0.5).astype(int)
        rejected += (
            metric_test(table(y, a, b, metric), "a", "b", resamples=399).pvalue <= 0.05
        )
    assert 0.02 < rejected / 400 < 0.06 + 4 * 0.012


@pytest.mark.parametrize(
    ("y", "a", "b", "metric", "function", "message"),
    [
        (Y, P, Q, "explained_variance", None, "not one of those of predictions"),
        (Y, P, Q, "log_loss", None, "log_loss needs two classes, not 0, 1 and 2"),
        (Y2, SHARES, S, "brier", None, "probabilities of the positive class, and b"),
        (Y, S, T, "roc_auc", None, "two classes of two items or more, not 0, 1 and 2"),
        (np.arange(N) < 1, S, T, "roc_auc", None, "two classes of two items"),
        (
            Y2,
            np.array(["a", "b"])[Y2],
            T,
            "roc_auc",
            None,
            "a's predictions must .* real numbers",
        ),
        (
            Y,
            P,
            Q.astype(str),
            "f1_macro",
            None,
            "b predicts '0', '1' and '2', .* code them alike",
        ),
        (Y, P, Q, "f1", None, "f1 needs two classes, not 0, 1 and 2: say f1_macro"),
        (
            Y2,
            Y2,
            2 * Y2 - 1,
            "f1",
            None,
            "b predicts -1 and 1, and the classes are 0 and 1: code them alike",
        ),
        (Y, [P, Q], [P, Q, P], "f1_macro", None, "a and b must have equally many runs"),
        (Y, P, Q, "mine", lambda y, p: "high", "values of function must"),
        (
            Y,
            P,
            Q,
            "rmse",
            lambda y, p: -np.mean((y - p) ** 2),
            "function gives -.* for 'a', outside the range of rmse, 0 to inf: is its sign",
        ),
        (
            Y,
            P,
            Q,
            "accuracy",
            lambda y, p: 100 * np.mean(y == p),
            "outside the range of accuracy, 0 to 1: is its sign turned, or its unit",
        ),
        (
            Y2,
            SHARES,
            Y2,
            "accuracy",
            None,
            "about classes, and a predicts numbers such",
        ),
        (Y2, Y2, SHARES.round(2), "f1", None, "about classes, and b predicts numbers"),
        (PRICES, PRICES * 1.1, PRICES * 0.9, "accuracy", None, "numbers such as"),
        (
            Y,
            P,
            Q,
            "mine",
            lambda y, p: np.nan,
            "function gives NaN for all items: let it return a number there, such as 0",
        ),
        (Y.astype(str), P, Q, "rmse", None, "truth must form .* real numbers"),
    ],
)
def test_predictions_that_do_not_fit_a_metric_are_refused(
    y, a, b, metric, function, message
):
    with pytest.raises(ValueError, match=message):
        data = table(y, a, b, metric, function=function)
        values(data)
        float(metric_test(data, "a", "b").pvalue)


def undefined_where(is_sample):
    """A share of right items that is undefined for some samples."""
    return lambda y, p: np.nan if is_sample(y, p) else np.mean(y == p)


def test_a_function_that_is_undefined_for_a_sample_is_told_for_which():
    y = np.arange(8) % 2
    a, b = y.copy(), y.copy()
    a[[0, 2]] = 1
    b[[1, 3]] = 0
    is_constant = undefined_where(lambda y, p: np.ptp(p[:4]) == 0 and len(set(p)) == 2)
    says = "function gives NaN for a sample with exchanged predictions: let it return a"
    data = table(y, np.where(np.arange(8) < 4, 1 - y, y), y, function=is_constant)
    values(data)
    never = table(y, a, b, function=undefined_where(lambda y, p: p.sum() in (3, 5)))
    with pytest.raises(ValueError, match=says):
        float(exchange_test(never, "a", "b").pvalue)
    of_sample = table(y, a, b, function=undefined_where(lambda y, p: y.sum() != 4))
    result = exchange_test(of_sample, "a", "b")
    assert 0 < result.pvalue <= 1
    with pytest.raises(ValueError, match="gives NaN for a bootstrap sample of the"):
        result.confidence_interval()
    with pytest.raises(ValueError, match="gives NaN for a sample without one item"):
        pseudo_values(of_sample)


@pytest.mark.parametrize("labels", [[0, 1, 2], ["x", "y", "z"], ["n/a", "yes", "no"]])
def test_probabilities_of_all_classes_are_read_under_any_labels(labels):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 90)
    order = np.argsort(labels)  # columns of probabilities are those of sorted classes
    models = {}
    for name, weight in (("net", 0.6), ("tree", 0.3)):
        scores = rng.dirichlet([1, 1, 1], 90) + weight * np.eye(3)[y]
        models[name] = (scores / scores.sum(axis=1, keepdims=True))[:, order]
    truth = np.array(labels)[y]
    table = from_predictions(truth, models, metric="roc_auc_ovr")
    result = compare(table)
    for name, probabilities in models.items():
        expected = sk.roc_auc_score(truth, probabilities, multi_class="ovr")
        assert result.means["mean"][name] == pytest.approx(expected)
