"""Right uses as people have them every day: none may draw a note or a refusal.

Scores are correlated, since models are tried on the same data, and rounded as they are
printed.  ``test_mistakes.py`` has the mistakes that must not pass.
"""

import io
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection as ms
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import replib
from replib import CV, Datasets, Items, Metric, RandomSplits, Scores, Seeds, compare

IRIS, WINE, CANCER, SUGAR = (
    load(return_X_y=True)
    for load in (load_iris, load_wine, load_breast_cancer, load_diabetes)
)
SCALED_SVC = make_pipeline(StandardScaler(), SVC())
SCALED_LOGISTIC = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
PERCENT = Metric("accuracy", better="higher", low=0, high=100)
ROUGE = Metric("rouge", better="higher", low=0, high=100)
BLEU = Metric("BLEU", better="higher", low=0, high=100)
LATENCY = Metric("latency", better="lower", low=0)
PERPLEXITY = Metric("perplexity", better="lower", low=1)
ELO = Metric("Elo", better="higher")
LLMS = ["mistral-7b", "llama-3-8b", "qwen2-7b", "gemma-9b", "phi-3", "yi-9b"]
UCI = ["abalone", "adult", "balance", "bupa", "car", "cmc", "credit-a", "credit-g"]
UCI += ["ecoli", "glass", "heart", "hepatitis", "ionosphere", "iris", "sonar", "zoo"]


def correlated(seed, shape, n_models=2, *, center=0.8, spread=0.03, gap=0.01):
    """Scores of models that share most of what is easy and hard, shape (models, ...)."""
    rng = np.random.default_rng(seed)
    common = spread * rng.normal(size=shape)
    own = spread / 3 * rng.normal(size=(n_models, *shape))
    skill = gap * np.arange(n_models).reshape(-1, *[1] * len(shape))
    return center + skill + common + own


def by_name(scores, names="abcdefgh", digits=3):
    return dict(zip(names, np.round(scores, digits)))


def answers(seed, n_models=2, n=300, *, easy=1.0, alike=2.0, runs=None):
    """1 for each item that a model gets right, and 0 for the others."""
    rng = np.random.default_rng(seed)
    shape = (n_models, n) if runs is None else (n_models, runs, n)
    latent = easy + alike * rng.normal(size=n) + rng.normal(size=shape)
    return (latent > 0).astype(int)


def arrays(scores, design, metric="accuracy", **options):
    return compare(scores, design=design, metric=metric, **options)


def cross_validated(models, data, cv, scoring="accuracy", **options):
    """Results of cross_validate by model, compared."""
    results = {
        name: ms.cross_validate(model, *data, cv=cv, scoring=scoring, **options)
        for name, model in models.items()
    }
    return compare(replib.from_cross_validate(results, design=cv, metric=scoring))


def searched(model, grid, data, cv, scoring="accuracy", kind=ms.GridSearchCV, **more):
    """A search whose candidates are compared."""
    search = kind(model, grid, cv=cv, scoring=scoring, **more).fit(*data)
    return compare(replib.from_search(search, design=cv), pairs="best")


def out_of_fold(models, data, cv, metric="accuracy"):
    """Predictions of cross_val_predict, compared."""
    x, y = data
    predictions = {
        name: ms.cross_val_predict(model, x, y, cv=cv) for name, model in models.items()
    }
    fold_of_item = np.empty(len(y), dtype=int)
    for fold, (_, tested) in enumerate(cv.split(x, y)):
        fold_of_item[tested] = fold
    design = Items(predicted="by_fold")
    return predicted(y, predictions, metric, design=design, clusters=fold_of_item)


def predicted(truth, predictions, metric="accuracy", **options):
    return compare(
        replib.from_predictions(truth, predictions, metric=metric, **options)
    )


def wide(text, design, metric="accuracy", **options):
    """A table that was copied from a page."""
    frame = pd.read_csv(io.StringIO(text))
    return compare(replib.from_wide(frame, design=design, metric=metric, **options))


def table_of_paper(seed, n_sets, n_models, digits, metric="accuracy", scale=1.0):
    """Rows of data sets, columns of models, printed with few digits."""
    rng = np.random.default_rng(seed)
    hardness = rng.normal(1.3, 0.8, (n_sets, 1))
    skill = np.linspace(0, 0.4, n_models)
    x = 1 / (1 + np.exp(-hardness - skill - 0.2 * rng.normal(size=(n_sets, n_models))))
    names = [f"model {i + 1}" for i in range(n_models)]
    sets = (UCI * 4)[:n_sets]
    sets = [name if i < len(UCI) else f"{name}{i}" for i, name in enumerate(sets)]
    frame = pd.DataFrame((scale * x).round(digits), index=sets, columns=names)
    return compare(replib.from_wide(frame, design="datasets", metric=metric))


def harness(seed, n, models=2, easy=1.0, **design):
    """Samples of an evaluation harness, in a long table."""
    frame = pd.DataFrame(answers(seed, models, n, easy=easy).T, columns=LLMS[:models])
    frame["item"] = [f"q{i:05}" for i in range(n)]
    for name, labels in design.items():
        frame[name] = labels
    keys = ["item", *design]
    long = frame.melt(keys, var_name="model", value_name="score")
    declared = Items(cluster=next(iter(design))) if design else "items"
    return compare(Scores(long, design=declared, metric="accuracy"))


def errors(seed, n_models=2, n=200):
    """Absolute errors of regressions on the same items, of prices."""
    rng = np.random.default_rng(seed)
    hard = np.exp(rng.normal(5, 1, n))
    return (hard * np.exp(0.3 * rng.normal(size=(n_models, n)))).round(2)


def rmse_of_sets(seed, n_sets, n_models):
    rng = np.random.default_rng(seed)
    unit = 10.0 ** rng.integers(-3, 5, (n_sets, 1))
    x = unit * np.exp(0.15 * rng.normal(size=(n_sets, n_models)))
    frame = pd.DataFrame(x, index=UCI[:n_sets], columns=list("abcdefgh")[:n_models])
    frame = frame.map(lambda value: float(f"{value:.3g}"))
    return compare(replib.from_wide(frame, design="datasets", metric="rmse"))


def classes(seed, n=400, n_models=2, labels=("neg", "neutral", "pos")):
    """A truth and predictions that are wrong in some of the same places."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(labels, n)
    hard = rng.normal(size=n)
    predictions = {}
    for name in LLMS[:n_models]:
        wrong = hard + 0.7 * rng.normal(size=n) > 0.9
        predictions[name] = np.where(wrong, rng.choice(labels, n), truth)
    return truth, predictions


def seeds_in_long(seed, n, digits, metric="accuracy", paired=False):
    scores = correlated(seed, (n,), 3, center=0.9, spread=0.006, gap=0.003)
    frame = pd.DataFrame(scores.round(digits).T, columns=["cnn", "vit", "mixer"])
    frame["run"] = [42, 1234, 2023, 7, 99, 3, 11, 17, 23, 5][:n]
    long = frame.melt("run", var_name="model", value_name="score")
    return compare(Scores(long, design=Seeds(paired=paired), metric=metric))


CLASSIFIERS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "svm": SCALED_SVC,
}
TWO = {"bayes": GaussianNB(), "logistic": SCALED_LOGISTIC}
REGRESSIONS = {
    "ridge": Ridge(),
    "lasso": Lasso(),
    "tree": DecisionTreeRegressor(max_depth=3, random_state=0),
    "neighbours": KNeighborsRegressor(),
}
REPEATED = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
FIVE = ms.StratifiedKFold(5, shuffle=True, random_state=0)
PATIENTS = np.arange(len(SUGAR[1])) % 60
SHUFFLED = ms.StratifiedShuffleSplit(12, test_size=0.2, random_state=0)

RIGHT = {
    # scikit-learn
    "three classifiers on wine": partial(cross_validated, CLASSIFIERS, WINE, REPEATED),
    "three classifiers on iris": partial(cross_validated, CLASSIFIERS, IRIS, REPEATED),
    "one run on cancer": partial(cross_validated, TWO, CANCER, FIVE),
    "random splits of wine": partial(cross_validated, CLASSIFIERS, WINE, SHUFFLED),
    "f1_macro on wine": partial(
        cross_validated, CLASSIFIERS, WINE, REPEATED, "f1_macro"
    ),
    "AUC on cancer": partial(cross_validated, TWO, CANCER, REPEATED, "roc_auc"),
    "log loss on cancer": partial(cross_validated, TWO, CANCER, FIVE, "neg_log_loss"),
    "regressions": partial(
        cross_validated,
        REGRESSIONS,
        SUGAR,
        ms.RepeatedKFold(n_splits=5, n_repeats=4, random_state=0),
        "neg_root_mean_squared_error",
    ),
    "R2 of regressions": partial(
        cross_validated,
        REGRESSIONS,
        SUGAR,
        ms.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0),
        "r2",
    ),
    "groups of patients": partial(
        cross_validated,
        REGRESSIONS,
        SUGAR,
        ms.GroupKFold(6),
        "neg_mean_absolute_error",
        groups=PATIENTS,
    ),
    "a dummy beside a classifier": partial(
        cross_validated,
        {"dummy": DummyClassifier(), "bayes": GaussianNB()},
        WINE,
        REPEATED,
    ),
    "neighbours with ties": partial(
        searched,
        KNeighborsClassifier(),
        {"n_neighbors": [1, 2, 3, 4, 5, 6, 7, 8, 9]},
        IRIS,
        REPEATED,
    ),
    "depths beyond need": partial(
        searched,
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 2, 3, 5, 8, 13, None]},
        IRIS,
        REPEATED,
    ),
    "a grid of a support vector machine": partial(
        searched,
        SCALED_SVC,
        {"svc__C": [0.1, 1, 10, 100], "svc__gamma": [0.01, 0.1]},
        WINE,
        REPEATED,
    ),
    "a grid that saturates": partial(
        searched,
        SCALED_LOGISTIC,
        {"logisticregression__C": [1, 3, 10, 30, 100, 300]},
        IRIS,
        FIVE,
    ),
    "a random search": partial(
        searched,
        RandomForestClassifier(10, random_state=0),
        {"max_features": [1, 2, 3, 4], "min_samples_leaf": [1, 2, 4]},
        IRIS,
        FIVE,
        kind=ms.RandomizedSearchCV,
        n_iter=6,
        random_state=0,
    ),
    "a search of regressions": partial(
        searched,
        Ridge(),
        {"alpha": [0.001, 0.01, 0.1, 1, 10]},
        SUGAR,
        ms.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0),
        "neg_mean_squared_error",
    ),
    "predictions by fold": partial(out_of_fold, CLASSIFIERS, WINE, FIVE),
    "predictions by fold on cancer": partial(out_of_fold, TWO, CANCER, FIVE),
    "leave one out": partial(
        out_of_fold,
        {"bayes": GaussianNB(), "3": KNeighborsClassifier(3)},
        IRIS,
        ms.LeaveOneOut(),
    ),
    "regressions by fold": partial(
        out_of_fold,
        REGRESSIONS,
        SUGAR,
        ms.KFold(5, shuffle=True, random_state=0),
        "mae",
    ),
    # arrays of splits
    "10x10 of three digits": partial(
        arrays, by_name(correlated(1, (10, 10), 3)), "10x10"
    ),
    "10x10 of two digits": partial(
        arrays, by_name(correlated(2, (10, 10), 3), digits=2), "10x10"
    ),
    "5x2": partial(arrays, by_name(correlated(3, (5, 2))), CV(5, 2)),
    "percent of one digit": partial(
        arrays,
        by_name(100 * correlated(4, (5, 5)), digits=1),
        "5x5",
        PERCENT,
    ),
    "near the ceiling": partial(
        arrays,
        by_name(correlated(5, (10, 10), center=0.99, spread=0.02).clip(0, 1)),
        "10x10",
    ),
    "25 random splits of two digits": partial(
        arrays, by_name(correlated(6, (25,), 4), digits=2), RandomSplits(25, test=0.3)
    ),
    "AUC of four digits": partial(
        arrays,
        by_name(correlated(7, (3, 10), center=0.95, spread=0.01), digits=4),
        "3x10",
        "roc_auc",
    ),
    "a loss": partial(
        arrays,
        by_name(correlated(8, (3, 5), center=0.45, spread=0.05)),
        "3x5",
        "log_loss",
    ),
    "RMSE in thousands": partial(
        arrays,
        by_name(1e4 * correlated(9, (2, 10), center=2), digits=0),
        "2x10",
        "rmse",
    ),
    "coarse folds of leaving ten out": partial(
        arrays,
        by_name(correlated(10, (10, 10), 2, spread=0.1).clip(0, 1), digits=1),
        "10x10",
    ),
    "correlation coefficients below zero": partial(
        arrays,
        by_name(correlated(11, (5, 5), center=0.02, spread=0.1)),
        "5x5",
        "matthews_corrcoef",
    ),
    # seeds
    "three seeds": partial(seeds_in_long, 12, 3, 4),
    "five seeds of three digits": partial(seeds_in_long, 13, 5, 3),
    "ten seeds of two digits": partial(seeds_in_long, 14, 10, 2),
    "paired seeds": partial(seeds_in_long, 15, 8, 4, paired=True),
    "seeds of percent": partial(
        arrays,
        {
            "base": [91.2, 91.5, 91.2, 90.9, 91.4],
            "large": [92.0, 92.3, 92.0, 92.1, 91.8],
        },
        "seeds",
        PERCENT,
    ),
    "perplexities": partial(
        arrays,
        {"gpt": [18.3, 18.4, 18.2], "mamba": [17.9, 18.1, 17.9]},
        "seeds",
        PERPLEXITY,
    ),
    "unequal numbers of seeds": partial(
        arrays,
        {"old": [0.71, 0.73, 0.72], "new": [0.74, 0.75, 0.72, 0.76, 0.75]},
        "seeds",
    ),
    "returns of reinforcement learning": partial(
        arrays,
        {
            "ppo": [212, 187, 500, 431, 329, 500, 500, 268],
            "dqn": [98, 500, 144, 322, 187, 201, 276, 119],
        },
        "seeds",
        Metric("return", better="higher"),
    ),
    "latencies": partial(
        arrays,
        {"int8": [12.1, 12.3, 12.0, 12.2], "fp16": [15.6, 15.5, 15.9, 15.5]},
        "seeds",
        LATENCY,
    ),
    # items
    "a harness of 100": partial(harness, 16, 100),
    "a harness of 2000": partial(harness, 17, 2000),
    "a harness that is nearly solved": partial(harness, 18, 1000, easy=4.5),
    "a harness that is nearly unsolved": partial(harness, 19, 1000, easy=-4.0),
    "six models of a harness": partial(harness, 20, 500, 6),
    "questions about texts": partial(harness, 21, 300, text=np.arange(300) // 5),
    "subjects of many sizes": partial(
        harness, 22, 300, subject=np.sqrt(np.arange(300)).astype(int)
    ),
    "very similar models": partial(
        arrays, dict(zip(LLMS, answers(23, 2, 400, alike=8.0))), "items"
    ),
    "several trainings": partial(
        arrays, dict(zip(LLMS, answers(24, 2, 150, runs=4))), "items"
    ),
    "samples of a temperature": partial(
        arrays, dict(zip(LLMS, answers(25, 2, 150, runs=5))), Items(runs="samples")
    ),
    "Likert scores of a judge": partial(
        arrays,
        dict(zip(LLMS, 1 + answers(26, 2, 80, runs=4).sum(axis=1))),
        "items",
        Metric("rating", better="higher", low=1, high=5),
    ),
    "ROUGE of items": partial(
        arrays,
        by_name(correlated(27, (120,), center=35, spread=12).clip(0, 100), LLMS, 2),
        "items",
        ROUGE,
    ),
    "BLEU with zeros": partial(
        arrays,
        by_name(correlated(28, (120,), center=8, spread=12).clip(0, 100), LLMS, 2),
        "items",
        BLEU,
    ),
    "absolute errors": partial(arrays, dict(zip("ab", errors(29))), "items", "mae"),
    "predictions of three classes": lambda: predicted(*classes(30)),
    "F1 of three classes": lambda: predicted(*classes(31), "f1_macro"),
    "predictions of five models": lambda: predicted(*classes(32, n_models=5)),
    "predictions coded 0 and 1": lambda: predicted(*classes(33, labels=(0, 1))),
    "MCC of two classes": lambda: predicted(
        *classes(34, labels=(0, 1)), "matthews_corrcoef"
    ),
    # data sets
    "ten sets of three digits": partial(table_of_paper, 35, 10, 3, 3),
    "sixteen sets of two digits": partial(table_of_paper, 36, 16, 4, 2),
    "percent of two digits": partial(table_of_paper, 37, 14, 5, 2, PERCENT, 100),
    "percent without digits": partial(table_of_paper, 38, 16, 3, 0, PERCENT, 100),
    "forty sets": partial(table_of_paper, 39, 40, 6, 3),
    "RMSE of many units": partial(rmse_of_sets, 40, 12, 4),
    "RMSE of two models": partial(rmse_of_sets, 41, 10, 2),
    "a leaderboard whose holes were filled": lambda: compare(
        replib.from_wide(
            pd.DataFrame(
                correlated(42, (12,), 4, center=0.7, spread=0.1).T.round(2),
                index=UCI[:12],
                columns=LLMS[:4],
            )
            .mask(lambda frame: frame > 0.83)
            .fillna(0.7),
            design=Datasets(),
            metric="accuracy",
        )
    ),
    "Elo of seasons": partial(
        arrays,
        by_name(1200 + 1000 * correlated(43, (9,)), digits=0),
        "datasets",
        ELO,
    ),
    "a table copied from a page": partial(
        wide,
        "dataset,c4.5,naive Bayes,knn\nanneal,98.6,86.6,99.1\naudio,77.3,72.6,76.1\n"
        "autos,81.8,57.4,74.5\nbreast,74.3,72.7,73.5\ncolic,85.2,78.7,81.0\n"
        "diabetes,74.5,75.8,70.6\nglass,67.6,49.5,69.9\nheart,78.2,83.6,75.7\n"
        "hepatitis,79.2,83.8,81.4\niris,94.7,95.5,95.4\nsoybean,91.8,92.9,91.2\n"
        "vehicle,72.3,44.7,69.6\nvote,96.6,90.0,92.6\nzoo,92.6,95.0,96.6\n",
        "datasets",
        PERCENT,
    ),
}


@pytest.mark.parametrize("use", RIGHT)
def test_a_right_use_draws_neither_note_nor_refusal(use):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        result = RIGHT[use]()
    assert list(result.notes) == []
    assert str(result)
