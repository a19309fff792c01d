"""A reader's own experiment: three classifiers of scikit-learn on its own data."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import special
from threadpoolctl import threadpool_limits

from companion.studies.reruns import scikit_learn_data
from replib.replication_probability import wilcoxon


def learner(name: str, seed: int = 0):
    """Make an estimator of scikit-learn: "naive_bayes", "tree" or "logistic"."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    logistic = LogisticRegression(max_iter=1000)
    estimators = {
        "naive_bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=seed),
        "logistic": make_pipeline(StandardScaler(), logistic),
    }
    return estimators[name]


def scores(
    learners: Sequence[str],
    dataset: str,
    *,
    runs: int = 10,
    folds: int = 10,
    seed: int = 0,
) -> pd.DataFrame:
    """Measure accuracies on the same splits: columns `run`, `fold`, and one per learner."""
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

    X, y = scikit_learn_data(dataset)
    cv = RepeatedStratifiedKFold(n_splits=folds, n_repeats=runs, random_state=seed)
    run, fold = np.divmod(np.arange(runs * folds), folds)
    table = pd.DataFrame({"run": run + 1, "fold": fold + 1})
    with threadpool_limits(1):  # small fits are slower on several threads
        for name in learners:
            table[name] = cross_val_score(learner(name, seed), X, y, cv=cv)
    return table


def again(pvalues: Sequence[float], *, alpha: float = 0.05) -> pd.DataFrame:
    """Return the probability of a significant result on new data, with limits, by p-value.

    Columns `point`, `low`, `high`, indexed by the two-sided p-value of a normal
    statistic.
    """
    p = np.asarray(pvalues)
    replication = wilcoxon(special.ndtri(1 - p / 2), 1.0, alpha=alpha)
    columns = {
        "point": replication.point,
        "low": replication.low,
        "high": replication.high,
    }
    return pd.DataFrame(columns, index=pd.Index(p, name="p-value"))
