"""A reader's own experiment: three classifiers of scikit-learn on its own data."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import integrate, special, stats
from threadpoolctl import threadpool_limits

from companion.papers.topics.reruns import scikit_learn_data
from replib import schemes, significance
from replib.replication_probability import wilcoxon

LEARNERS = ("naive_bayes", "tree", "neighbours", "logistic", "forest", "svm", "majority")


def learner(name: str, seed: int = 0):
    """Make an estimator of scikit-learn by a short name, one of `LEARNERS`."""
    from sklearn.dummy import DummyClassifier
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    made = {
        "naive_bayes": GaussianNB, "majority": DummyClassifier,
        "tree": lambda: DecisionTreeClassifier(random_state=seed),
        "neighbours": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier()),
        "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "forest": lambda: RandomForestClassifier(30, random_state=seed),
        "svm": lambda: make_pipeline(StandardScaler(), SVC(random_state=seed)),
    }
    return made[name]()


def scores(
    learners: Sequence[str], dataset: str, *, runs: int = 10, folds: int = 10, seed: int = 0
) -> pd.DataFrame:
    """Measure accuracies on the same splits: columns `run`, `fold`, and one per learner."""
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

    X, y = scikit_learn_data(dataset)
    cv = RepeatedStratifiedKFold(n_splits=folds, n_repeats=runs, random_state=seed)
    run, fold = np.divmod(np.arange(runs * folds), folds)
    with threadpool_limits(1):  # small fits are slower on several threads
        return pd.DataFrame({"run": run + 1, "fold": fold + 1} | {
            name: cross_val_score(learner(name, seed), X, y, cv=cv) for name in learners
        })


def misreadings(a: np.ndarray, b: np.ndarray, *, runs: int, folds: int) -> pd.DataFrame:
    """Test the same scores rightly and wrongly: `pvalue` by reading.

    The first reading is right.  Wrong ones take columns for runs, forget the correction, or take
    the ratio of a split into halves.
    """
    block = (a - b).reshape(runs, folds)
    by_columns = (a - b).reshape(folds, runs).T
    corrected = lambda ratio: significance.corrected_resampled_t(
        block, test_train_ratio=ratio, axis=(-2, -1)
    ).pvalue
    of_sorted = lambda x: significance.paired_t(
        schemes.sample(x, scheme="average_over_sorted_runs")
    ).pvalue
    return pd.DataFrame({"pvalue": {
        "corrected t, ratio 1 / (folds - 1)": corrected(1 / (folds - 1)),
        "corrected t, ratio of a split into halves": corrected(1.0),
        "no correction": significance.paired_t(block, axis=(-2, -1)).pvalue,
        "sorted runs": of_sorted(block),
        "sorted runs, runs taken for columns": of_sorted(by_columns),
    }})


def written(table: pd.DataFrame, path: Path) -> Path:
    """Write a table of scores to a CSV file, and return its path."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False)
    return path


def prediction_by_integration(t: float, runs: int) -> float:
    r"""Posterior mean of :math:`\Phi(\lambda)` given the margin in standard errors, by quadrature.

    With the prior :math:`d\gamma\,d\tau/\tau`, the posterior of :math:`\lambda` is that of
    :math:`t\,S + Z`, where :math:`(r-1)S^2` is chi-square with r - 1 degrees of freedom.

    Examples
    --------
    >>> from scipy import special
    >>> round(prediction_by_integration(2.0, 10), 6), round(float(special.stdtr(9, 2 / 2**0.5)), 6)
    (0.904526, 0.904526)
    """
    df = runs - 1
    # the mean over Z of Phi(t s + Z) is Phi(t s / sqrt 2)
    inner = lambda s: special.ndtr(t * s / np.sqrt(2)) * stats.chi.pdf(s * np.sqrt(df), df)
    return float(np.sqrt(df) * integrate.quad(inner, 0, 6)[0])


def again(pvalues: Sequence[float], *, alpha: float = 0.05) -> pd.DataFrame:
    """What a p-value says about new data: the probability of a significant result, with limits.

    Columns `point`, `low`, `high`, indexed by the two-sided p-value of a normal statistic.
    """
    p = np.asarray(pvalues)
    found = wilcoxon(special.ndtri(1 - p / 2), 1.0, alpha=alpha)
    return pd.DataFrame(
        {"point": found.point, "low": found.low, "high": found.high},
        index=pd.Index(p, name="p-value"),
    )


def by_run(scores: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return blocks of runs x folds as a table with a column per model, and a column `run`."""
    runs, folds = next(iter(scores.values())).shape
    flat = {name: block.ravel() for name, block in scores.items()}
    return pd.DataFrame(flat).assign(run=np.repeat(np.arange(runs), folds))
