"""Estimators share their splits, fits survive an interruption, and failures are named."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn import model_selection as ms
from sklearn.compose import ColumnTransformer
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
    with pytest.raises(ValueError, match="PicklingError"):
        train(MODELS | unnamed, X, Y, design="1x2", cache=tmp_path)


SHUFFLED = pd.Series(Y).sample(frac=1, random_state=0)


@pytest.mark.parametrize(
    ("models", "y", "how", "message"),
    [
        ({}, Y, {}, "must be a dict of models"),
        ({"a": GaussianNB, "b": 1}, Y, {}, "estimator"),
        (MODELS, Y[1:], {}, "row per instance"),
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

RNG = np.random.default_rng(9)
PATIENTS = np.repeat(np.arange(30), 4)
FRAME = pd.DataFrame(RNG.normal(size=(120, 3)), columns=["age", "dose", "bmi"])
READMITTED = pd.Series(
    (FRAME["age"] + RNG.normal(size=120) > 0).astype(int), name="y30"
)
COST = pd.Series(FRAME["dose"] + RNG.normal(size=120), name="cost")
LINEAR = {"ridge": Ridge(), "least squares": LinearRegression()}


def trained(X, y=READMITTED, models=MODELS, design="1x3", **options):
    return train(models, X, y, design=design, **options)


@pytest.mark.parametrize(
    ("column", "y", "what"),
    [
        (READMITTED, READMITTED, "values"),
        (READMITTED.rename("outcome"), READMITTED, "values"),
        (READMITTED.astype(float), READMITTED, "values"),
        (READMITTED.map({0: -1, 1: 5}), READMITTED, "name"),
        (READMITTED.rename("label"), READMITTED.map({0: "0", 1: "1"}), "values"),
        (COST, COST, "values"),
        (np.exp(COST), COST, "name"),
    ],
)
def test_the_truth_among_the_features_is_refused(column, y, what):
    models = LINEAR if y is COST else MODELS
    with pytest.raises(
        ValueError, match=rf"column '{column.name}' of X has the {what}"
    ):
        trained(FRAME.join(column), y, models)
    with pytest.raises(ValueError, match="^data set 'a': column"):
        train(models, {"a": (FRAME.join(column), y)}, design="1x3")
    # a transformer of columns may leave it out
    chosen = ColumnTransformer([("features", "passthrough", ["age", "dose"])])
    (first, chooser), (second, other) = models.items()
    models = {first: make_pipeline(chosen, chooser), second: other}
    assert trained(FRAME.join(column), y, models).models == (first, second)


def test_a_column_that_tells_the_truth_is_noted():
    X = FRAME.assign(code=READMITTED.map({0: 7, 1: 3}))
    (note,) = trained(X).notes
    assert note == "Column 'code' of X tells y exactly: is it the truth?"
    (note,) = trained(FRAME.assign(cents=100 * COST + 3), COST, LINEAR).notes
    assert "'cents' of X tells y" in note


@pytest.mark.parametrize(
    ("name", "values", "is_noted"),
    [
        ("patient_id", PATIENTS, True),
        ("SubjectID", PATIENTS * 10 + 3, True),
        ("site", PATIENTS % 9, True),
        ("hospital nr", PATIENTS % 2, True),
        ("user", RNG.permutation(PATIENTS), True),
        ("patient_id", np.arange(120), False),  # each row its own
        ("school", PATIENTS % 2, False),  # a feature of two values
        ("group_size", PATIENTS, False),
        ("session", RNG.normal(size=120), False),
        ("visit", PATIENTS % 7, False),
    ],
)
def test_rows_of_one_group_in_training_and_test_sets_are_noted(name, values, is_noted):
    X = FRAME.assign(**{name: values})
    notes = trained(X).notes
    assert [f"same '{name}'" in note for note in notes] == [True] * is_noted
    by_index = trained(X.set_index(name), READMITTED.to_numpy()).notes
    assert len(by_index) == is_noted
    if is_noted and len(np.unique(values)) > 2:
        grouped = list(ms.GroupKFold(3).split(X, READMITTED, values))
        assert trained(X, design=grouped).notes == ()


def test_features_of_the_shipped_data_tell_nothing():
    for load, models in ((load_iris, MODELS), (load_wine, MODELS)):
        assert trained(*load(return_X_y=True, as_frame=True), models).notes == ()
    assert trained(*load_diabetes(return_X_y=True, as_frame=True), LINEAR).notes == ()


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
        assert trained(FRAME, COST, models, metric=scorer).models == tuple(models)
        return
    with pytest.raises(
        ValueError, match=f"give make_scorer.{function.__name__}, {fix}"
    ):
        trained(FRAME, READMITTED, models, metric=scorer)


def test_a_scorer_of_a_function_of_ones_own_may_have_any_sign():
    def profit_by_class(y, predicted):
        return float(np.mean(y == predicted))

    scorer = metrics.make_scorer(profit_by_class)
    assert trained(FRAME, metric=scorer).models == tuple(MODELS)
