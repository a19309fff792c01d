"""Write the data pack of the course: `python course/data/make.py`, about ten seconds.

Everything comes from data sets that scikit-learn brings along or draws, or from stored
runs on them.  A file holds scores and predictions, never an instance of a data set.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from companion import stored
from companion.studies import own_experiment, reruns, trained_seeds
from replib import schemes, significance

HERE = Path(__file__).parent
#: Reruns of each comparison that the pack has, of the stored ones.
RERUNS = 100
#: Runs after which a rerun is tested.
RUNS = (1, 2, 3, 5, 10)
#: Seeds of each network that the pack has, of the stored ones.
SEEDS = 10


def scores() -> pd.DataFrame:
    """Accuracies of three classifiers in ten runs of 10-fold cross-validation."""
    table = own_experiment.scores(
        ["naive_bayes", "tree", "logistic"], "breast_cancer", seed=1
    )
    return table.round(6)


def rerun_pvalues() -> pd.DataFrame:
    """One row per comparison and rerun: the mean difference, and p-values by test and runs."""
    blocks = reruns.blocks({}, {}, stored.load("reruns_scikit_learn"))
    frames = []
    for (_, dataset, pair), block in blocks.items():
        a, b = pair.split(", ")
        block = block[:RERUNS]
        corrected = {
            f"corrected_{runs}": significance.corrected_resampled_t(
                block[:, :runs], test_train_ratio=1 / 9, axis=(-2, -1)
            ).pvalue
            for runs in RUNS
        }
        averages = schemes.sample(block, scheme="average_over_sorted_runs")
        frames.append(
            pd.DataFrame(
                {
                    "dataset": dataset,
                    "a": a,
                    "b": b,
                    "rerun": np.arange(1, RERUNS + 1),
                    "difference": block.mean(axis=(-2, -1)),
                    **corrected,
                    "sorted_10": significance.paired_t(averages).pvalue,
                    "plain_10": significance.paired_t(block, axis=(-2, -1)).pvalue,
                }
            )
        )
    return pd.concat(frames, ignore_index=True).round(5)


def runs_of_moons() -> pd.DataFrame:
    """One row per experiment and run: by how many of the 30 test instances the tree leads."""
    counts = stored.load("reruns_scikit_learn")["moons"].counts[:RERUNS].astype(int)
    bayes, tree = (reruns.LEARNERS.index(name) for name in ("naive Bayes", "tree"))
    leads = counts[..., tree] - counts[..., bayes]
    experiments, runs, folds = leads.shape
    place = np.indices((experiments, runs)).reshape(2, -1) + 1
    folds_of = leads.reshape(-1, folds).T
    return pd.DataFrame(
        {"experiment": place[0], "run": place[1]}
        | {f"fold_{j}": lead for j, lead in enumerate(folds_of, start=1)}
    )


def predictions() -> pd.DataFrame:
    """True and predicted digits on one test set: two classifiers, trained on 300 digits."""
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    X, X_test, y, y_test = trained_seeds.data("digits", 0)
    return pd.DataFrame(
        {
            "item": np.arange(1, len(y_test) + 1),
            "truth": y_test,
            "neighbours": KNeighborsClassifier(3).fit(X, y).predict(X_test),
            "svm": SVC().fit(X, y).predict(X_test),
        }
    )


def item_runs() -> pd.DataFrame:
    """Whether two networks are right on each test instance of digits, ten seeds each."""
    right = trained_seeds.unpacked(
        stored.load("trained_seeds")["digits_seeds"].counts, "digits"
    )
    small, large = (right[name][:SEEDS, :500] for name in ("16 units", "64 units"))
    run, item = np.indices(small.shape).reshape(2, -1) + 1
    return pd.DataFrame(
        {
            "run": run,
            "item": item,
            "small": small.ravel().astype(int),
            "large": large.ravel().astype(int),
        }
    )


def benchmark() -> pd.DataFrame:
    """Accuracies of two classifiers on thirty drawn data sets, trained and tested on 200 each."""
    from sklearn.datasets import make_classification
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    rows = []
    for number in range(1, 31):
        X, y = make_classification(
            400,
            n_features=10,
            n_informative=4 + number % 4,
            n_clusters_per_class=3,
            class_sep=0.5 + 0.05 * (number % 10),
            random_state=number,
        )
        learners = {"neighbours": KNeighborsClassifier(1), "naive_bayes": GaussianNB()}
        right = {
            name: np.mean(one.fit(X[:200], y[:200]).predict(X[200:]) == y[200:])
            for name, one in learners.items()
        }
        rows.append({"dataset": f"drawn_{number:02d}", **right})
    return pd.DataFrame(rows).round(4)


#: What writes each file.
FILES = {
    "scores.csv": scores,
    "reruns.csv": rerun_pvalues,
    "moons.csv": runs_of_moons,
    "predictions.csv": predictions,
    "item_runs.csv": item_runs,
    "benchmark.csv": benchmark,
}


if __name__ == "__main__":
    for name, made in FILES.items():
        made().to_csv(HERE / name, index=False, lineterminator="\n")
