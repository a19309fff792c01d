"""The experiment of Part I with many seeds: naive Bayes against a small decision tree.

The data are the 569 tumours of scikit-learn's *breast cancer*, and the design is ten
runs of 10-fold cross-validation.  A reader's seed s gives the splits of
``replib.train(..., random_state=s)``, so anyone can repeat what is stored.  In the
second experiment a seed also draws its own 200 tumours, as a team would that had other
patients.
"""

import numpy as np

from companion.lab.experiments import runner

#: Seeds 1 to 1,000.
SEEDS = 1000
SETTING = {"runs": 10, "folds": 10}
#: Tumours that a team draws of its own.
SAMPLE = 200
LEARNERS = ("naive Bayes", "tree")


def learners():
    """Make the two learners, in the order of `LEARNERS`; neither of them draws anything."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)


def data(seed: int = 0, size: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Load all tumours, or those that a seed draws."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    if size is None:
        return X, y
    chosen = np.random.default_rng(seed).choice(len(y), size, replace=False)
    return X[chosen], y[chosen]


def counts(
    rng: np.random.Generator, *, size: int | None, runs: int, folds: int
) -> np.ndarray:
    """Count correct predictions in the cross-validation of one seed: (runs, folds, 2).

    The seed is the number of the replication, counted from 1; nothing is drawn from
    `rng`.
    """
    from sklearn import config_context
    from sklearn.model_selection import RepeatedStratifiedKFold

    seed = rng.bit_generator.seed_seq.spawn_key[-1] + 1
    X, y = data(seed, size)
    splits = RepeatedStratifiedKFold(n_splits=folds, n_repeats=runs, random_state=seed)
    correct = []
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for train, test in splits.split(X, y):
            for learner in learners():
                predicted = learner.fit(X[train], y[train]).predict(X[test])
                correct.append(np.count_nonzero(predicted == y[test]))
    return np.array(correct).reshape(runs, folds, len(LEARNERS))


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments: each seed on all tumours, and each on a sample of its own."""
    experiments = {}
    sizes = {"all": None, "samples": SAMPLE}
    for i, (name, size) in enumerate(sizes.items()):
        experiment = runner.Experiment(
            counts, seed=1000, stream=(i,), parameters={"size": size, **SETTING}
        )
        experiments[name] = experiment, SEEDS
    return experiments
