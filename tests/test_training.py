"""Estimators share their splits, fits survive an interruption, and failures are named."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn import model_selection as ms
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from replib.designs import CV, Datasets, RandomSplits
from replib.scores import Metric
from replib.training import train

X, Y = load_iris(return_X_y=True)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
GROUPED = list(ms.GroupKFold(5).split(X, Y, np.arange(150) // 3))
SEEDED = ms.KFold(5, shuffle=True, random_state=3)
NUMBERS = load_diabetes(return_X_y=True)
LINEAR = {"ridge": Ridge(), "least squares": LinearRegression()}


class Fragile(DummyClassifier):
    """Counts its fits, and fails at one of them if it is told to."""

    fits = fails_at = 0

    def fit(self, X, y):
        Fragile.fits += 1
        if Fragile.fits == Fragile.fails_at:
            raise RuntimeError("out of\nmemory")
        return super().fit(X, y)


@pytest.mark.parametrize(
    ("design", "metric", "cv", "shape"),
    [
        (
            "2x5",
            None,
            ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0),
            (2, 5),
        ),
        (
            CV(2, 3),
            "f1_macro",
            ms.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
            (2, 3),
        ),
        (
            "4 x 20%",
            Metric("balanced_accuracy"),
            ms.StratifiedShuffleSplit(4, test_size=0.2, train_size=0.8, random_state=0),
            (4, 1),
        ),
        (GROUPED, "neg_log_loss", GROUPED, (1, 5)),
        (SEEDED, "accuracy", SEEDED, (1, 5)),
    ],
)
def test_scores_are_those_of_scikit_learn(design, metric, cv, shape):
    data = train(MODELS, X, Y, design=design, metric=metric)
    name = "accuracy" if metric is None else getattr(metric, "name", metric)
    for model, estimator in MODELS.items():
        assert np.array_equal(
            data.blocks[model].ravel(),
            ms.cross_val_score(estimator, X, Y, cv=cv, scoring=name),
        )
    assert data.metric == Metric(name) and data.design.shape == shape


def test_unseeded_splits_searches_regressors_and_scorers_of_ones_own():
    splitter = ms.ShuffleSplit(3, test_size=0.2)
    twins = {"a": GaussianNB(), "b": GaussianNB()}
    data = train(twins, X, Y, design=splitter)  # drawn once
    assert np.array_equal(data.blocks["a"], data.blocks["b"])
    assert isinstance(data.design, RandomSplits)
    search = ms.GridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}, cv=2
    )
    assert train({"search": search, **twins}, X, Y, design="1x2").blocks[
        "search"
    ].shape == (1, 2)
    lines = {"ols": LinearRegression(), "ridge": Ridge()}
    diabetes = load_diabetes(return_X_y=True)
    assert train(lines, *diabetes, design="1x3").metric == Metric("r2")

    def bias(model, X, y):
        return -abs(float(np.mean(model.predict(X) - y)))

    assert train(lines, *diabetes, design="1x3", metric=bias).metric == Metric(
        "bias", "higher"
    )


def test_many_data_sets_are_rows():
    data = train(
        MODELS, {"iris": (X, Y), "wine": load_wine(return_X_y=True)}, design="2x3"
    )
    assert data.design == Datasets(CV(2, 3)) and data.units == ["iris", "wine"]
    alone = train(MODELS, *load_wine(return_X_y=True), design="2x3")
    assert data.blocks["tree"][1] == pytest.approx(
        alone.blocks["tree"].mean(), abs=1e-15
    )


def test_fits_before_a_failure_are_kept(tmp_path):
    models = {"bayes": GaussianNB(), "fragile": Fragile()}
    data = {"one": (X, Y), "two": (X[::2], Y[::2])}
    Fragile.fits, Fragile.fails_at = 0, 3
    with pytest.raises(
        ValueError, match="on .two., split 1 failed: RuntimeError: out of m"
    ):
        train(models, data, design="1x2", cache=tmp_path)
    Fragile.fits = Fragile.fails_at = 0
    train(models, data, design="1x2", cache=tmp_path)
    assert Fragile.fits == 2
    train(models, X + 1, Y, design="1x2", cache=tmp_path)
    assert Fragile.fits == 4
    unnamed = {"fragile": make_pipeline(FunctionTransformer(lambda x: x), Fragile())}
    with pytest.raises(ValueError, match="cache needs functions .*lambda"):
        train(MODELS | unnamed, X, Y, design="1x2", cache=tmp_path)


def test_a_changed_function_is_fitted_anew(tmp_path, monkeypatch):
    """A notebook runs a cell again in which the body of a function was edited."""
    written = "def worth(estimator, X, y):\n    return {} * estimator.score(X, y)"
    scores = []
    for factor in (1, 10):
        exec(written.format(factor), globals())
        trained = train(MODELS, X, Y, design="1x2", metric=worth, cache=tmp_path)  # noqa: F821
        scores.append(trained.blocks["bayes"])
    np.testing.assert_allclose(scores[1], 10 * scores[0])
    monkeypatch.delitem(globals(), "worth")


SHUFFLED = pd.Series(Y).sample(frac=1, random_state=0)


@pytest.mark.parametrize(
    ("models", "y", "how", "message"),
    [
        ({}, Y, {}, "must be a dict of models"),
        ({"a": GaussianNB, "b": 1}, Y, {}, "estimator"),
        (MODELS, Y[1:], {}, "row per instance"),
        (
            MODELS,
            np.array([1, "a", "b"] * 50, object),
            {},
            "y .* kind, not int and str",
        ),
        (MODELS, np.array(["a", None] * 75, object), {}, "y .* one kind, not NoneType"),
        (MODELS, SHUFFLED, {}, "different labels"),
        (MODELS, Y, {"design": "seeds"}, "can be split"),
        (MODELS, Y, {"n_jobs": 0}, "other than 0"),
        (MODELS, Y, {"design": 5}, "no splits"),
        (MODELS, Y, {"metric": "speed"}, "get_scorer_names"),
        (MODELS, Y, {"design": ms.LeaveOneOut()}, "leaves out one row"),
        (MODELS, Y, {"design": list(ms.LeaveOneOut().split(X))}, "leaves out one row"),
        (MODELS, Y, {"design": ms.TimeSeriesSplit(3)}, "follows time"),
        (
            MODELS,
            Y,
            {"design": ms.KFold(3)},
            "only on class 0, which its training set lacks",
        ),
        (
            MODELS,
            Y,
            {"design": [([0, 1], [150]), ([1, 150], [0])]},
            "rows other than 0 to 149",
        ),
        (
            MODELS,
            Y,
            {"metric": lambda model, X, y: np.nan},
            "bayes, split 1 has the score nan",
        ),
        (MODELS | {"line": Ridge()}, Y, {}, "not None"),
        (MODELS, Y, {"cache": "/dev/null/x"}, "Not a directory"),
    ],
)
def test_refusals_are_one_sentence(models, y, how, message):
    with pytest.raises(ValueError, match=message) as refused:
        train(models, pd.DataFrame(X), y, **({"design": "1x2"} | how))
    assert "\n" not in str(refused.value)


def test_classes_that_some_training_sets_lack_are_noted():
    rare = np.where(np.arange(150) == 7, 9, Y)
    assert train(MODELS, X, rare, design=ms.KFold(5)).notes == (
        "1 of 5 splits test on a class that they do not train on.",
    )


def test_a_bar_with_its_times_is_shown_to_a_terminal_only(capfd):
    """Two builds of one commit are equal: no notebook holds the time of its bar."""
    train(MODELS, X, Y, design="1x2")
    assert capfd.readouterr().err == ""


# ---------------------------------------------------------------- what X must not tell


@pytest.mark.parametrize(
    ("function", "turned", "fix"),
    [
        (metrics.mean_squared_error, False, "greater_is_better=False"),
        (metrics.log_loss, False, "greater_is_better=False"),
        (metrics.r2_score, True, "greater_is_better=True"),
        (metrics.mean_squared_error, True, None),
        (metrics.r2_score, False, None),
    ],
)
def test_the_sign_of_a_scorer_fits_the_name_of_its_function(function, turned, fix):
    scorer = metrics.make_scorer(function, greater_is_better=not turned)
    models = MODELS if function is metrics.log_loss else LINEAR
    if fix is None:
        found = train(models, *NUMBERS, design="1x3", metric=scorer)
        assert found.models == tuple(models)
        return
    with pytest.raises(
        ValueError, match=f"give make_scorer.{function.__name__}, {fix}"
    ):
        train(models, X, Y, design="1x3", metric=scorer)


def test_a_scorer_of_a_function_of_ones_own_may_have_any_sign():
    def profit_by_class(y, predicted):
        return float(np.mean(y == predicted))

    scorer = metrics.make_scorer(profit_by_class)
    found = train(MODELS, X, Y, design="1x3", metric=scorer)
    assert found.models == tuple(MODELS)
