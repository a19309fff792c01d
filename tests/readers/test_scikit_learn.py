"""Results of cross-validation and of searches."""

import numpy as np
import pandas as pd
import pytest
from same_scores import same
from sklearn import model_selection as ms
from sklearn.datasets import load_diabetes, make_moons
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier as Near

from replib import readers
from replib.comparison import compare
from replib.designs import CV
from replib.readers import from_cross_validate, from_search

RNG = np.random.default_rng(7)


X, Y = make_moons(90, noise=0.3, random_state=0)


def models(index):
    """Series of two models with an index."""
    return {name: pd.Series(RNG.random(len(index)), index) for name in "ab"}


def test_cross_validation_is_read_with_its_splits():
    cv = ms.RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1)
    models = {"nb": GaussianNB(), "near": Near()}
    done = {
        name: ms.cross_validate(model, X, Y, cv=cv, return_indices=True)
        for name, model in models.items()
    }
    data = readers.from_cross_validate(done, metric="accuracy")
    assert data.design == CV(3, 4)
    assert np.array_equal(data.blocks["nb"].ravel(), done["nb"]["test_score"])
    assert same(data, readers.from_cross_validate(done, metric="accuracy", design=cv))
    other = ms.cross_validate(
        GaussianNB(), X, Y, cv=ms.StratifiedKFold(12), return_indices=True
    )
    several = {
        name: ms.cross_validate(model, X, Y, cv=cv, scoring=["accuracy", "f1"])
        for name, model in models.items()
    }
    assert same(
        data, readers.from_cross_validate(several, metric="accuracy", design=cv)
    )
    for results, more, message in (
        (done | {"nb": other}, {}, "other splits"),
        (done, {"design": "4x3"}, "indices are"),
        (
            several,
            {"metric": "recall"},
            "no test score 'test_recall': it has 'test_accuracy'",
        ),
        ({"a": done["nb"]["test_score"], "b": 1}, {}, "a must be an object of Mapping"),
    ):
        with pytest.raises(ValueError, match=message):
            readers.from_cross_validate(results, **{"metric": "accuracy"} | more)


def test_a_search_is_its_candidates():
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    grid = {"n_neighbors": [1, 5, -1], "weights": ["uniform"]}
    search = ms.GridSearchCV(Near(), grid, cv=cv)
    with pytest.warns(match="fits failed"), pytest.warns(match="non-finite"):
        search.fit(X, Y)
    data = from_search(search)
    assert data.models == (
        "n_neighbors=1, weights='uniform'",
        "n_neighbors=5, weights='uniform'",
    )
    assert (data.design, data.metric.name) == (CV(2, 5), "accuracy")
    assert data.blocks[data.models[1]].mean() == pytest.approx(search.best_score_)
    assert "1 of 3 candidates failed" in data.notes[0] in compare(data).notes
    assert same(data, from_search(search.cv_results_, metric="accuracy", design=cv))
    assert same(
        data,
        from_search(pd.DataFrame(search.cv_results_), metric="accuracy", design=cv),
    )
    ridge = ms.GridSearchCV(
        Ridge(),
        {"alpha": [1, 9]},
        scoring="neg_mean_squared_error",
        cv=ms.KFold(3, shuffle=True),
    ).fit(*load_diabetes(return_X_y=True))
    data = from_search(
        ridge
    )  # all candidates have the same splits, also without a seed
    assert (
        data.metric.name == "neg_mean_squared_error"
        and (data.blocks["alpha=1"] < 0).all()
    )
    several = ms.RandomizedSearchCV(
        Near(),
        {"n_neighbors": [1, 5]},
        n_iter=2,
        cv=3,
        scoring=["f1", "accuracy"],
        refit="f1",
    ).fit(X, Y)
    assert from_search(several).metric.name == "f1"
    assert from_search(several, metric="accuracy").design == CV(1, 3)
    groups = ms.GridSearchCV(Near(), {"n_neighbors": [1, 5]}, cv=ms.GroupKFold(3))
    assert from_search(groups.fit(X, Y, groups=np.arange(90) // 3)).design.groups
    halving = ms.HalvingGridSearchCV(Near(), {"n_neighbors": [1, 5]}).fit(X, Y)
    for wrong, how, message in (
        (halving, {}, "halving"),
        (ms.GridSearchCV(Ridge(), {}), {}, "fitted"),
        (ridge, {"metric": "r2"}, "scored 'neg_mean_squared_error'"),
        (several, {"metric": "recall"}, "scored 'f1' and 'accuracy'"),
        (
            search.cv_results_,
            {"design": "2x5"},
            "metric must be given",
        ),
        (
            search.cv_results_,
            {"design": "5x5", "metric": "accuracy"},
            "must have shape",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            from_search(wrong, **how)


@pytest.mark.parametrize(
    "entry, metric, asks",
    [
        ("test_r2", "accuracy", True),
        ("test_roc_auc", "f1", True),
        ("test_acc", "accuracy", False),
        ("test_score", "accuracy", False),
    ],
)
def test_an_entry_of_cross_validate_is_called_after_its_metric(entry, metric, asks):
    results = {"a": {entry: [0.8, 0.9, 0.7]}, "b": {entry: [0.7, 0.6, 0.8]}}
    scores = from_cross_validate(results, metric=metric, design="1x3", score=entry)
    assert any("which is it?" in note for note in scores.notes) == asks
    assert scores.notes == compare(scores).notes[: len(scores.notes)]


def test_an_entry_of_cross_validate_that_is_a_loss_is_refused():
    results = {"a": {"test_log_loss": [0.8, 0.9]}, "b": {"test_log_loss": [0.7, 0.6]}}
    with pytest.raises(ValueError, match="by its name better lower"):
        from_cross_validate(
            results, metric="accuracy", design="1x2", score="test_log_loss"
        )


@pytest.mark.parametrize(
    "cv",
    [
        ms.StratifiedShuffleSplit(6, test_size=0.2, random_state=0),
        ms.ShuffleSplit(6, test_size=0.1, train_size=0.4, random_state=0),
        ms.KFold(5, shuffle=True, random_state=0),
    ],
)
def test_rows_that_are_given_say_the_ratio_better_than_the_splitter(cv):
    """Of 43 rows a fifth is 9, so that the ratio is 9 to 34 and not 1 to 4."""
    rows = slice(43)
    done = {
        name: ms.cross_validate(model, X[rows], Y[rows], cv=cv, return_indices=True)
        for name, model in {"nb": GaussianNB(), "near": Near()}.items()
    }
    of_rows = from_cross_validate(done, metric="accuracy").design
    declared = from_cross_validate(done, metric="accuracy", design=cv).design
    train, test = next(iter(cv.split(X[rows], Y[rows])))
    assert declared == of_rows
    if not isinstance(cv, ms.KFold):
        assert declared.ratio == pytest.approx(len(test) / len(train))
