"""Count the notes that right data draw, and the copies that are found in them.

    python tests/benchmarks/false_notes.py tests/data/false_notes.csv

writes a row per kind of table, and continues a file that lacks some.  A kind holds the
promise if the upper 95% limit of its share of tables with a note or a refusal is below
one in a thousand.  Each table has a seed of its own, so any of them can be drawn again:
``tests/notes/test_values.py`` draws the first of each kind.

The scores of simulated tables are correlated as those of models on the same data are,
and rounded as people round them.  The other tables are drawn from real scores: the
stored experiments on 27 UCI data sets, and grid searches and seeds of scikit-learn's
learners on its own data sets, which are computed here.
"""

import csv
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special, stats
from sklearn import datasets
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier, SGDRegressor
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import all_estimators

from companion.papers import uci
from replib import CV, Items, Metric, RandomSplits, Seeds
from replib._notes.values import notes_about_values
from replib.readers import from_arrays, from_predictions, from_search, from_wide
from replib.scores import Predictions, Scores

SEED = 2026
#: Without a note in so many tables the upper limit is 0.75 in a thousand.
TABLES = 4000
#: Tables of each kind in which a copy is made.
COPIES = 500
RESULTS = Path(__file__).resolve().parents[2] / "book" / "results"
COLUMNS = [
    "kind",
    "tables",
    "false notes",
    "upper limit (per thousand)",
    f"copies found (of {COPIES})",
    "note",
]
#: Correlations of the scores of two models.
CORRELATIONS = (0.0, 0.3, 0.6, 0.8, 0.95)
ANY = Metric("quality", better="higher")

Table = Scores | Predictions
Generator = np.random.Generator


# ---------------------------------------------------------------- simulated tables


def n_models(rng: Generator) -> int:
    """Two models in half of all tables, up to thirty in the others."""
    return 2 if rng.random() < 0.5 else int(rng.integers(3, 31))


def correlated(rng: Generator, models: int, units: int, correlation: float):
    """Standard normal scores with this correlation between models."""
    common = rng.normal(size=units)
    own = rng.normal(size=(models, units))
    return np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own


def rounded(rng: Generator, shares: np.ndarray) -> np.ndarray:
    """Shares as two or three digits, or as counts on a test set of 10 to 1000 items."""
    shares = np.clip(shares, 0, 1)
    kind = rng.integers(3)
    if kind == 2:
        n_items = int(np.exp(rng.uniform(np.log(10), np.log(1000))))
        return np.round(shares * n_items) / n_items
    return shares.round(2 + kind)


def named(blocks: np.ndarray) -> dict[str, np.ndarray]:
    """Give each model a name."""
    return {f"model {number}": block for number, block in enumerate(blocks)}


def accuracies(rng: Generator, models: int, units: int, correlation: float):
    """Rounded accuracies of models whose means differ by up to two standard deviations."""
    sd = np.exp(rng.uniform(np.log(0.005), np.log(0.1)))
    mean = rng.uniform(0.55, 0.98) + sd * rng.uniform(-1, 1, size=(models, 1))
    return rounded(rng, mean + sd * correlated(rng, models, units, correlation))


def cross_validation(rng: Generator) -> Table:
    shapes = [(1, 5), (1, 10), (2, 5), (2, 10), (3, 5), (5, 2), (10, 2), (10, 10)]
    design = CV(*shapes[rng.integers(len(shapes))])
    units = design.runs * design.folds
    scores = accuracies(rng, n_models(rng), units, rng.choice(CORRELATIONS))
    return from_arrays(named(scores), design=design, metric="accuracy")


def random_splits(rng: Generator) -> Table:
    design = RandomSplits(int(rng.choice([5, 10, 20, 30, 100])), 0.2)
    scores = accuracies(rng, n_models(rng), design.splits, rng.choice(CORRELATIONS))
    return from_arrays(named(scores), design=design, metric="accuracy")


def seeds(rng: Generator, *, paired: bool = False) -> Table:
    """Seeds of models whose standard deviations between seeds differ up to threefold."""
    models, n_seeds = n_models(rng), int(rng.choice([3, 5, 10, 20]))
    correlation = rng.choice(CORRELATIONS) if paired else 0.0
    sd = np.exp(rng.uniform(np.log(0.002), np.log(0.03)))
    spread = sd * np.exp(rng.uniform(-np.log(3) / 2, np.log(3) / 2, size=(models, 1)))
    mean = rng.uniform(0.55, 0.98) + 3 * sd * rng.uniform(-1, 1, size=(models, 1))
    shares = mean + spread * correlated(rng, models, n_seeds, correlation)
    design = Seeds(paired=paired)
    return from_arrays(named(rounded(rng, shares)), design=design, metric="accuracy")


def paired_seeds(rng: Generator) -> Table:
    return seeds(rng, paired=True)


def data_sets(rng: Generator) -> Table:
    """Accuracies, which differ more between data sets than between models."""
    models, n = n_models(rng), int(rng.choice([4, 6, 8, 12, 20, 50]))
    latent = correlated(rng, models, n, rng.choice(CORRELATIONS))
    shares = special.expit(rng.uniform(0.5, 3) + rng.uniform(0.3, 1.5) * latent)
    return from_arrays(named(rounded(rng, shares)), design="datasets", metric=ANY)


def right_or_wrong(rng: Generator) -> Table:
    """Items that models have right together, as correlated normal thresholds say."""
    models, n = n_models(rng), int(rng.choice([20, 50, 100, 200, 500, 1000]))
    latent = correlated(rng, models, n, rng.choice(CORRELATIONS))
    skill = rng.uniform(-0.5, 2) + rng.uniform(-0.3, 0.3, size=(models, 1))
    scores = (latent < skill).astype(float)
    return from_arrays(named(scores), design="items", metric="accuracy")


def other_metrics(rng: Generator) -> Table:
    """Scores of any size, such as returns or speedups, on splits, seeds or data sets."""
    models, n = n_models(rng), int(rng.choice([5, 10, 20]))
    size = np.exp(rng.uniform(np.log(0.01), np.log(1000)))
    latent = correlated(rng, models, n, rng.choice(CORRELATIONS))
    skill = rng.uniform(-1, 1, size=(models, 1))
    scores = size * np.exp(rng.uniform(0.05, 2) * (skill + latent))
    digits = int(rng.integers(2, 5))
    written = [[float(f"{score:.{digits}g}") for score in row] for row in scores]
    design = ["datasets", "seeds", CV(1, n)][rng.integers(3)]
    return from_arrays(named(np.array(written)), design=design, metric=ANY)


def items_in_runs(rng: Generator) -> Table:
    """Answers of which a part of up to a half is drawn anew in each run."""
    models, n = n_models(rng), int(rng.choice([20, 50, 100, 200, 500]))
    n_runs = int(rng.choice([2, 3, 5]))
    latent = correlated(rng, models, n, rng.choice(CORRELATIONS))
    noise = rng.uniform(0.2, 1, size=(models, 1, 1))
    answers = latent[:, None] + noise * rng.normal(size=(models, n_runs, n))
    skill = rng.uniform(-0.5, 2) + rng.uniform(-0.3, 0.3, size=(models, 1, 1))
    design = Items(runs=str(rng.choice(["samples", "trainings"])))
    scores = (answers < skill).astype(float)
    return from_arrays(named(scores), design=design, metric="accuracy")


def predictions(rng: Generator) -> Table:
    """Classes or numbers that models predict; the best may make no error."""
    models, n = int(rng.integers(2, 9)), int(rng.choice([20, 50, 150, 500]))
    latent = correlated(rng, models, n, rng.choice(CORRELATIONS))
    if rng.random() < 0.3:
        truth = rng.normal(size=n).round(int(rng.choice([1, 2, 12])))
        guesses = truth + np.exp(rng.uniform(-3, 1)) * latent
        return from_predictions(truth, named(guesses.round(2)), metric="rmse")
    n_classes = int(rng.integers(2, 11))
    truth = rng.integers(n_classes, size=n)
    skill = rng.uniform(-0.5, 2.5) + rng.uniform(-0.5, 0.5, size=(models, 1))
    skill[0] += rng.choice([0, 5])  # a model that is never wrong
    other = rng.integers(n_classes, size=n)  # the wrong answer that tempts all models
    guesses = np.where(latent < skill, truth, other)
    return from_predictions(truth, named(guesses), metric="accuracy")


def small_test_set(rng: Generator) -> Table:
    """Seeds or splits on a test set of thirty items or more: shares of it, and F1, in digits."""
    models, n = n_models(rng), int(rng.choice([3, 5, 10, 30]))
    n_items = int(np.exp(rng.uniform(np.log(30), np.log(3000))))
    n_positive = max(5, int(n_items * rng.uniform(0.1, 0.5)))
    recall = rng.uniform(0.5, 0.95) + rng.uniform(0, 0.1, size=(models, 1))
    false_alarms = rng.uniform(0.02, 0.2) + rng.uniform(0, 0.05, size=(models, 1))
    hits = rng.binomial(n_positive, np.minimum(recall, 1), size=(models, n))
    alarms = rng.binomial(n_items - n_positive, false_alarms, size=(models, n))
    metric = str(rng.choice(["accuracy", "f1"]))
    if metric == "f1":
        scores = 2 * hits / (hits + alarms + n_positive)
    else:
        scores = (hits + n_items - n_positive - alarms) / n_items
    digits = int(rng.choice([2, 3, 4, 12]))
    design = ["seeds", RandomSplits(n, 0.2)][rng.integers(2)]
    return from_arrays(named(scores.round(digits)), design=design, metric=metric)


def few_optima(rng: Generator) -> Table:
    """Losses of learners that reach one of five to a hundred optima, as k-means does."""
    models, n_seeds = n_models(rng), int(rng.choice([3, 5, 10, 20]))
    blocks = []
    for _ in range(models):
        n_optima = int(np.exp(rng.uniform(np.log(5), np.log(100))))
        optima = np.exp(0.1 * rng.normal(size=n_optima))
        blocks.append(optima[rng.integers(n_optima, size=n_seeds)])
    design = Seeds(paired=bool(rng.integers(2)))
    digits = int(rng.choice([4, 15]))
    metric = str(rng.choice(["rmse", "log_loss"]))
    return from_arrays(
        named(np.array(blocks).round(digits)), design=design, metric=metric
    )


# ---------------------------------------------------------------- tables with names

#: What people write before and behind the name of a model, or of a data set.
BEFORE = ("", "", "", "my_", "deep-", "tuned ", "best_", "mean-", "max ", "no_", "pre-")
BEHIND = (
    *("", "", "", "-small", "_v2", " (ours)", "-50", "@ep90", "_noaug", "-tuned", "+"),
    *("_lr0.1", " k=5", "-f1", "_avg", "-rank", "_10k", "-seed", " net"),
)
BEHIND_DATA = ("", "", "", "-1", "_small", "-c", "_10k", " 2", ".v1", "-test", "_n50")


@lru_cache
def names_of_learners() -> list[str]:
    """The learners of scikit-learn, as they are written in Python and in tables."""
    names = [
        name for name, _ in all_estimators(type_filter=["classifier", "regressor"])
    ]
    apart = [re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() for name in names]
    return names + apart + [name.replace("_", " ") for name in apart]


def different(rng: Generator, n: int, *parts: Sequence[str]) -> list[str]:
    """So many names of parts that follow each other, of which no two differ in signs only."""
    found: dict[str, str] = {}
    while len(found) < n:
        name = "".join(str(rng.choice(part)) for part in parts).strip()
        found.setdefault(re.sub("[-_ ]", "", name.casefold()), name)
    return list(found.values())


def with_names(rng: Generator) -> Table:
    """Wide tables of learners by data sets, seeds, folds or items, and scikit-learn's metrics."""
    models = different(
        rng, int(rng.integers(2, 9)), BEFORE, names_of_learners(), BEHIND
    )
    n = int(rng.choice([5, 8, 10, 20]))
    scores = correlated(rng, len(models), n, rng.choice(CORRELATIONS))
    frame = pd.DataFrame((0.8 + 0.02 * scores).round(4).T, columns=models)
    design = ["datasets", "seeds", CV(1, n)][rng.integers(3)]
    words = ["seed ", "run_", "trial-"] if design == "seeds" else ["fold ", "split_"]
    if design == "datasets":
        data = list(uci_accuracies("uci_cross_validation"))
        frame.index = different(rng, n, BEFORE, data, BEHIND_DATA)
    elif rng.random() < 0.5:
        frame.index = [f"{rng.choice(words[:1])}{place}" for place in range(n)]
    metric = Metric(str(rng.choice(get_scorer_names())), better="higher")
    if metric.name.startswith("neg_"):
        frame = -frame
    elif metric.high == 1:
        frame = frame.clip(0, 1)
    elif metric.name == "positive_likelihood_ratio":
        frame = 10 * frame  # guessing has 1
    return from_wide(frame, design=design, metric=metric)


def with_mean(table: Table) -> Table:
    """A table with the mean of all rows, which is labelled so."""
    frame = pd.DataFrame({model: x.ravel() for model, x in table.blocks.items()})
    frame.index = [*map("d{}".format, range(len(frame)))]
    frame.loc["Mean"] = frame.mean().round(4)
    return from_wide(frame, design="datasets", metric=table.metric)


# ---------------------------------------------------------------- tables of real scores


@lru_cache
def uci_accuracies(split: str) -> dict[str, np.ndarray]:
    """Stored accuracies by data set, shape (experiments, runs, folds, learners)."""
    with np.load(RESULTS / f"{split}.npz") as stored:
        return {
            name: counts / np.reshape(uci.test_sizes(split, name), (-1, 1))
            for name, counts in stored.items()
        }


def in_digits(rng: Generator, shares: np.ndarray) -> np.ndarray:
    """Shares as they are, or with two or three digits."""
    digits = rng.choice([0, 2, 3])
    return shares.round(digits) if digits else shares


def learners_of_uci(rng: Generator) -> list[int]:
    """Two or all three of naive Bayes, C4.5 and the nearest neighbours."""
    return [[0, 1], [0, 2], [1, 2], [0, 1, 2]][rng.integers(4)]


def uci_cross_validation(rng: Generator) -> Table:
    split = str(rng.choice(["uci_cross_validation", "uci_five_by_two_cv"]))
    stored = uci_accuracies(split)
    experiments = stored[str(rng.choice(list(stored)))]
    scores = experiments[rng.integers(len(experiments))]
    runs = int(rng.choice([1, 2, 3, scores.shape[0]]))
    chosen = scores[rng.permutation(scores.shape[0])[:runs]][..., learners_of_uci(rng)]
    design = CV(runs, scores.shape[1])
    models = named(in_digits(rng, np.moveaxis(chosen, -1, 0)))
    return from_arrays(models, design=design, metric="accuracy")


def uci_data_sets(rng: Generator) -> Table:
    """Mean accuracies of one experiment, or of one run, on some of the data sets."""
    stored = uci_accuracies("uci_cross_validation")
    names = rng.permutation(list(stored))[: rng.integers(6, len(stored) + 1)]
    rows = []
    for name in names:
        scores = stored[name][rng.integers(len(stored[name]))]
        runs = scores if rng.random() < 0.5 else scores[:1]
        rows.append(runs.mean(axis=(0, 1)))
    table = np.transpose(rows)[learners_of_uci(rng)]
    percent = 100 * table
    if rng.random() < 0.5:
        metric = Metric("accuracy", high=100)
        scores = percent.round(int(rng.choice([1, 2])))
    else:
        metric, scores = Metric("accuracy"), table.round(3)
    return from_arrays(named(scores), design="datasets", metric=metric)


def searches() -> list[tuple[str, BaseEstimator, dict[str, list], str]]:
    """Ten searches: data set, estimator, grid, scoring."""
    tree = DecisionTreeClassifier(random_state=0)
    neighbours = KNeighborsClassifier()
    machine = make_pipeline(StandardScaler(), SVC())
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200))
    regression_tree = DecisionTreeRegressor(random_state=0)
    rmse = "neg_root_mean_squared_error"
    return [
        ("iris", tree, {"max_depth": [1, 2, 3, 5, 10, None]}, "accuracy"),
        ("breast_cancer", tree, {"max_depth": [1, 2, 5, 10, None]}, "accuracy"),
        ("wine", tree, {"min_samples_leaf": [1, 2, 5, 10]}, "balanced_accuracy"),
        ("iris", neighbours, {"n_neighbors": [1, 3, 5, 7, 9]}, "accuracy"),
        (
            "wine",
            machine,
            {"svc__C": [0.1, 1, 10, 100], "svc__kernel": ["linear", "rbf"]},
            "accuracy",
        ),
        (
            "breast_cancer",
            logistic,
            {"logisticregression__C": [0.01, 0.1, 1, 10]},
            "f1",
        ),
        (
            "breast_cancer",
            GaussianNB(),
            {"var_smoothing": [1e-12, 1e-9, 1e-6, 1e-3]},
            "roc_auc",
        ),
        (
            "digits",
            neighbours,
            {"n_neighbors": [1, 3, 5], "weights": ["uniform", "distance"]},
            "accuracy",
        ),
        ("diabetes", Ridge(), {"alpha": [0.001, 0.01, 0.1, 1, 10]}, "r2"),
        (
            "diabetes",
            regression_tree,
            {"max_depth": [1, 2, 3, None], "min_samples_leaf": [1, 5]},
            rmse,
        ),
    ]


def loaded(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a data set of scikit-learn, of the digits the first 600."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X[:600], y[:600]


#: Splits into ten folds of which each search has been made.
SEARCH_RUNS = 10


@lru_cache
def search_results() -> list[tuple[dict, str]]:
    """Results of ten grid searches on ten runs of ten folds."""
    results = []
    for name, estimator, grid, scoring in searches():
        X, y = loaded(name)
        kind = KFold if name == "diabetes" else StratifiedKFold
        splits = [
            split
            for seed in range(SEARCH_RUNS)
            for split in kind(10, shuffle=True, random_state=seed).split(X, y)
        ]
        search = GridSearchCV(estimator, grid, scoring=scoring, cv=splits)
        results.append((search.fit(X, y).cv_results_, scoring))
    return results


def grid_searches(rng: Generator) -> Table:
    """Some candidates of a search, on some runs."""
    results, scoring = search_results()[rng.integers(len(searches()))]
    n_candidates = len(results["params"])
    size = int(rng.integers(2, n_candidates + 1))
    candidates = np.sort(rng.permutation(n_candidates)[:size])
    n_runs = int(rng.choice([1, 2, 3, 10]))
    runs = rng.permutation(SEARCH_RUNS)[:n_runs]
    columns = [10 * run + fold for run in runs for fold in range(10)]
    digits = int(rng.choice([2, 3, 12]))
    chosen = {"params": [results["params"][number] for number in candidates]}
    for place, column in enumerate(columns):
        scores = results[f"split{column}_test_score"][candidates]
        chosen[f"split{place}_test_score"] = scores.round(digits)
    chosen["mean_test_score"] = np.zeros(size)
    return from_search(chosen, metric=scoring, design=CV(n_runs, 10))


CLASSIFIERS = {
    "forest": RandomForestClassifier(20),
    "trees": ExtraTreesClassifier(20),
    "line": SGDClassifier(),
    "net": MLPClassifier((16,), max_iter=60),
}
REGRESSORS = {
    "forest": RandomForestRegressor(10),
    "trees": ExtraTreesRegressor(10),
    "line": SGDRegressor(),
}


@lru_cache
def seed_results() -> list[dict[str, np.ndarray]]:
    """Scores of learners with forty seeds on four test sets of each data set, by learner."""
    results = []
    for name in ("iris", "wine", "breast_cancer", "digits", "diabetes"):
        X, y = loaded(name)
        X = StandardScaler().fit_transform(X)
        learners = REGRESSORS if name == "diabetes" else CLASSIFIERS
        for number in range(4):
            split = train_test_split(X, y, test_size=0.3, random_state=number)
            scores = {
                learner: np.array(
                    [trained_score(model, seed, *split) for seed in range(40)]
                )
                for learner, model in learners.items()
            }
            results.append(scores)
    return results


def trained_score(model, seed, train_x, test_x, train_y, test_y) -> float:
    """Train a copy of the model with a seed, and return its score on the test set."""
    trained = clone(model).set_params(random_state=seed).fit(train_x, train_y)
    return trained.score(test_x, test_y)


def real_seeds(rng: Generator) -> Table:
    """Some seeds of two or more learners on one test set."""
    results = seed_results()[rng.integers(len(seed_results()))]
    n_learners = int(rng.integers(2, len(results) + 1))
    learners = rng.permutation(list(results))[:n_learners]
    n_seeds = int(rng.choice([3, 5, 10, 20]))
    digits = int(rng.choice([2, 3, 12]))
    models = {
        str(name): results[name][rng.permutation(40)[:n_seeds]].round(digits)
        for name in learners
    }
    return from_arrays(models, design="seeds", metric=ANY)


# ---------------------------------------------------------------- counts


def copied_model(table: Table) -> Table:
    """A table of the first model and a copy of it."""
    first = table.models[0]
    if isinstance(table, Predictions):
        block = table.predicted[first]
        copies = {"model": block, "copy": block}
        return from_predictions(
            table.truth, copies, metric=table.metric, design=table.design
        )
    copies = {"model": table.blocks[first], "copy": table.blocks[first]}
    return from_arrays(copies, design=table.design, metric=table.metric)


def copied_runs(table: Table) -> Table:
    """A table in which all runs of the first model, or all first halves, are copies."""
    first, *others = table.models
    block = table.blocks[first]
    copied = np.broadcast_to(block[:1], block.shape)
    rest = {name: table.blocks[name] for name in others}
    return from_arrays(
        {first: copied, **rest}, design=table.design, metric=table.metric
    )


#: Kinds of right data, and a mistake that is made in each table of the kind.
KINDS: dict[str, tuple[Callable[[Generator], Table], Callable[[Table], Table]]] = {
    "cross-validation, simulated": (cross_validation, copied_model),
    "random splits, simulated": (random_splits, copied_model),
    "seeds, simulated": (seeds, copied_runs),
    "paired seeds, simulated": (paired_seeds, copied_runs),
    "data sets, simulated": (data_sets, copied_model),
    "other metrics, simulated": (other_metrics, copied_model),
    "items, right or wrong, simulated": (right_or_wrong, copied_model),
    "items in runs, simulated": (items_in_runs, copied_runs),
    "predictions, simulated": (predictions, copied_model),
    "cross-validation, UCI": (uci_cross_validation, copied_model),
    "data sets, UCI": (uci_data_sets, copied_model),
    "grid searches, scikit-learn": (grid_searches, copied_model),
    "seeds, scikit-learn": (real_seeds, copied_runs),
    "small test sets, simulated": (small_test_set, copied_model),
    "seeds with few optima, simulated": (few_optima, copied_runs),
    "names of learners, data sets and metrics": (with_names, with_mean),
}


def has_spread(table: Table) -> bool:
    """Return whether the seeds of each model differ; of others the note says that they do not."""
    if not isinstance(table.design, Seeds):
        return True
    return all(np.ptp(block) > 0 for block in table.blocks.values())


def tables(kind: str, n: int) -> Iterator[Table | ValueError]:
    """Draw the first tables of a kind, each from a seed of its own; refusals are of names."""
    draw = KINDS[kind][0]
    for number in range(n):
        rng = np.random.default_rng([SEED, list(KINDS).index(kind), number])
        try:
            table = draw(rng)
            while not has_spread(table):
                table = draw(rng)
        except ValueError as refusal:
            yield refusal
        else:
            yield table


def notes(table: Table | ValueError) -> list[str]:
    """Return notes, or the refusal."""
    if isinstance(table, ValueError):
        return [str(table)]
    try:
        return notes_about_values(table)
    except ValueError as refusal:
        return [str(refusal)]


def false_notes(kind: str, n: int) -> list[str]:
    """Return the first note on each of the first n tables of a kind that draws one."""
    return [text for table in tables(kind, n) for text in notes(table)[:1]]


def copies_found(kind: str, n: int) -> int:
    """Return in how many of the first n tables of a kind a copy that is made is found."""
    with_copy = KINDS[kind][1]
    drawn = [table for table in tables(kind, n) if not isinstance(table, ValueError)]
    return sum(bool(notes(with_copy(table))) for table in drawn)


def row(kind: str) -> list[str]:
    """Return the row of a kind."""
    false = false_notes(kind, TABLES)
    n_false = len(false)
    upper = stats.beta.ppf(0.95, n_false + 1, TABLES - n_false)
    n_found = copies_found(kind, COPIES)
    first = false[0] if false else ""
    numbers = [TABLES, n_false, f"{1000 * upper:.2f}", n_found]
    return [kind, *map(str, numbers), first]


def main(file: Path) -> None:
    warnings.simplefilter("ignore")  # that small networks have not converged
    done = []
    if file.exists():
        done = list(csv.reader(file.read_text(encoding="utf-8").splitlines()))[1:]
    rows = {cells[0]: cells for cells in done}
    for kind in KINDS:
        if kind in rows:
            continue
        rows[kind] = row(kind)
        with file.open("w", newline="", encoding="utf-8") as stream:
            in_order = [rows[name] for name in KINDS if name in rows]
            csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *in_order])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
