"""Scorers against scikit-learn's functions: of either class, under any labels, and of losses."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from replib import Metric, train

X, TRUTH = (array[:200] for array in load_breast_cancer(return_X_y=True))
#: The labels of classes 0 and 1 of the data.
LABELS = {
    "numbers": np.array([0, 1]),
    "signs": np.array([-1, 1]),
    "booleans": np.array([False, True]),
    "one and two": np.array([1, 2]),
    "texts": np.array(["benign", "malignant"]),
    "texts in another order": np.array(["positive", "negative"]),
}
FUNCTIONS = {
    "f1": metrics.f1_score,
    "jaccard": metrics.jaccard_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "average_precision": metrics.average_precision_score,
    "roc_auc": metrics.roc_auc_score,
    "brier": metrics.brier_score_loss,
    "neg_brier_score": lambda y, p: -metrics.brier_score_loss(y, p),
    "log_loss": metrics.log_loss,
    "neg_log_loss": lambda y, p: -metrics.log_loss(y, p),
}
OF_DECISIONS = ("f1", "jaccard", "precision", "recall")
#: Its probabilities are never 0 or 1.
BAYES = GaussianNB(var_smoothing=0.1)
SPLITTER = ms.StratifiedKFold(3, shuffle=True, random_state=1)


def trained(labels, metric):
    """Scores of naive Bayes by fold, with other labels in place of 0 and 1."""
    scores = train(
        {"bayes": BAYES, "naive": GaussianNB()},
        X,
        labels[TRUTH],
        design=SPLITTER,
        metric=metric,
    )
    return scores.blocks["bayes"].ravel()


def by_hand(metric, positive):
    """The same from predictions of 0 and 1, of which `positive` is the class in question."""
    values = []
    for rows, test in SPLITTER.split(X, TRUTH):
        model = clone(BAYES).fit(X[rows], TRUTH[rows])
        if metric in OF_DECISIONS:
            predicted = model.predict(X[test]) == positive
        else:
            predicted = model.predict_proba(X[test])[:, positive]
        values.append(FUNCTIONS[metric](TRUTH[test] == positive, predicted))
    return values


@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("metric", FUNCTIONS)
def test_the_declared_class_is_scored(metric, labels, positive):
    label = LABELS[labels][positive].item()
    scores = trained(LABELS[labels], Metric(metric, positive=label))
    np.testing.assert_allclose(scores, by_hand(metric, positive))
    if metric in (*OF_DECISIONS, "average_precision"):
        assert not np.allclose(scores, by_hand(metric, 1 - positive))


@pytest.mark.parametrize("labels", ["numbers", "signs", "booleans"])
@pytest.mark.parametrize("metric", FUNCTIONS)
def test_of_plain_labels_the_second_class_is_scored(metric, labels):
    np.testing.assert_allclose(trained(LABELS[labels], metric), by_hand(metric, 1))


@pytest.mark.parametrize("labels", ["one and two", "texts"])
@pytest.mark.parametrize("metric", [*OF_DECISIONS, "average_precision"])
def test_of_other_labels_the_class_must_be_declared(metric, labels):
    first = LABELS[labels][0].item()
    with pytest.raises(ValueError, match=f'Metric."{metric}", positive={first!r}'):
        trained(LABELS[labels], metric)


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "log_loss"])
def test_what_is_no_class_is_refused(metric):
    with pytest.raises(ValueError, match="positive must be one of the classes 0 and 1"):
        trained(LABELS["numbers"], Metric(metric, positive="malignant"))


def test_a_metric_of_one_class_needs_two():
    models = {"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.1)}
    iris = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="needs two classes, not 0, 1 and 2: say f1_m"):
        train(models, *iris, design="1x3", metric="f1")
    with pytest.raises(ValueError, match="log loss of 1 needs two classes"):
        train(models, *iris, design="1x3", metric=Metric("log_loss", positive=1))
    assert (
        train(models, *iris, design="1x3", metric="log_loss").metric.better == "lower"
    )


@pytest.mark.parametrize(
    "metric", ["accuracy", "f1_macro", "matthews_corrcoef", "rmse"]
)
def test_a_metric_of_all_classes_has_no_positive_one(metric):
    with pytest.raises(ValueError, match="is about no single class: leave positive=1"):
        Metric(metric, positive=1)


@pytest.mark.parametrize(
    ("metric", "scorer"),
    [
        ("rmse", "neg_root_mean_squared_error"),
        ("mae", "neg_mean_absolute_error"),
        ("mse", "neg_mean_squared_error"),
        ("max_error", "neg_max_error"),
    ],
)
def test_losses_are_scored_by_their_short_names(metric, scorer):
    X, y = load_diabetes(return_X_y=True)
    models = {
        "line": LinearRegression(),
        "origin": LinearRegression(fit_intercept=False),
    }
    scores = train(models, X, y, design=ms.KFold(3), metric=metric)
    assert scores.metric == Metric(metric) and scores.metric.better == "lower"
    negative = ms.cross_val_score(models["line"], X, y, cv=ms.KFold(3), scoring=scorer)
    np.testing.assert_allclose(scores.blocks["line"].ravel(), -negative)
