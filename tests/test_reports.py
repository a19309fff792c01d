"""Objects of scikit-learn and skore are data, too."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn import model_selection as ms
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from replib import CV, Metric, compare, from_cross_validate, from_search
from replib.readers import as_data

X, Y = (part[:150] for part in load_breast_cancer(return_X_y=True))
MODELS = {"bayes": GaussianNB(), "near": KNeighborsClassifier(3)}
SPLITTER = ms.StratifiedKFold(5, shuffle=True, random_state=0)


def estimator_report(model, train, test, y=Y):
    """The attributes of skore's EstimatorReport that are read."""
    fitted = model.fit(X[train], y[train])
    return SimpleNamespace(estimator_=fitted, X_test=X[test], y_test=y[test])


def cross_validation_report(model, attribute="reports_"):
    splits = list(SPLITTER.split(X, Y))
    reports = [estimator_report(type(model)(), *split) for split in splits]
    return SimpleNamespace(**{attribute: reports, "split_indices": splits})


@pytest.mark.parametrize("attribute", ["reports_", "estimator_reports_"])
def test_reports_of_cross_validation_are_scored_as_by_cross_validate(attribute):
    reports = {
        name: cross_validation_report(model, attribute)
        for name, model in (("bayes", GaussianNB()), ("near", KNeighborsClassifier()))
    }
    data = as_data(SimpleNamespace(reports_=reports), metric="roc_auc")
    assert data.design == CV(1, 5)
    expected = ms.cross_val_score(GaussianNB(), X, Y, cv=SPLITTER, scoring="roc_auc")
    assert data.blocks["bayes"].ravel() == pytest.approx(expected)
    assert compare(reports, metric="accuracy").data.models == ("bayes", "near")
    reports["near"].split_indices = list(ms.KFold(5).split(X, Y))
    with pytest.raises(ValueError, match="near was scored on other splits"):
        compare(reports, metric="accuracy")
    with pytest.raises(ValueError, match="no scorer of scikit-learn"):
        compare(reports, metric=Metric("skill", better="higher"))


@pytest.mark.parametrize("metric", ["accuracy", "f1", "roc_auc", "brier"])
def test_reports_of_one_test_set_are_predictions(metric):
    train, test = np.arange(100), np.arange(100, 150)
    reports = {
        name: estimator_report(model, train, test) for name, model in MODELS.items()
    }
    result = compare(reports, metric=metric)
    model = MODELS["bayes"]
    probabilities = model.predict_proba(X[test])[:, 1]
    expected = {
        "accuracy": lambda: sk.accuracy_score(Y[test], model.predict(X[test])),
        "f1": lambda: sk.f1_score(Y[test], model.predict(X[test])),
        "roc_auc": lambda: sk.roc_auc_score(Y[test], probabilities),
        "brier": lambda: sk.brier_score_loss(Y[test], probabilities),
    }
    assert result.mean_scores["bayes"] == pytest.approx(expected[metric]())


def test_reports_that_do_not_belong_together_are_refused():
    train, test = np.arange(100), np.arange(100, 150)
    one = estimator_report(GaussianNB(), train, test)
    other = estimator_report(GaussianNB(), train, test[:-1])
    with pytest.raises(ValueError, match="different test sets"):
        compare({"a": one, "b": other}, metric="accuracy")
    with pytest.raises(ValueError, match="of one test set"):
        splits = cross_validation_report(GaussianNB())
        compare({"a": one, "b": splits}, metric="accuracy")
    machine = estimator_report(LinearSVC(), train, test)
    with pytest.raises(ValueError, match="machine predicts no probabilities"):
        compare({"a": one, "machine": machine}, metric="roc_auc")


def test_a_positive_class_chooses_its_probabilities():
    names = np.array(["malignant", "benign"])[Y]
    train, test = np.arange(100), np.arange(100, 150)
    reports = {
        name: estimator_report(model, train, test, names)
        for name, model in MODELS.items()
    }
    with pytest.raises(ValueError, match="say which"):
        compare(reports, metric="roc_auc")
    ill = Metric("average_precision", positive="malignant")
    by_hand = sk.average_precision_score(
        names[test] == "malignant", MODELS["bayes"].predict_proba(X[test])[:, 1]
    )
    assert compare(reports, metric=ill).mean_scores["bayes"] == pytest.approx(by_hand)


def test_what_scikit_learn_returns_is_data():
    found = {
        name: ms.cross_validate(model, X, Y, cv=SPLITTER)
        for name, model in MODELS.items()
    }
    how = dict(design=SPLITTER, metric="accuracy")
    blocks = from_cross_validate(found, **how).blocks
    assert np.array_equal(as_data(found, **how).blocks["near"], blocks["near"])
    grid = ms.GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, cv=5)
    grid.fit(X, Y)
    assert str(compare(grid, pairs="best")) == str(
        compare(from_search(grid), pairs="best")
    )
