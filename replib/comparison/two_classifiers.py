"""Two classifiers on one data set: is the difference real, and would another seed say so too?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib import schemes
from replib.checks import check_level
from replib.comparison import agreement
from replib.comparison.design import (
    Design,
    as_blocks,
    check_indices,
    read_design,
    read_scores,
    suspicions,
)
from replib.significance import corrected_resampled_t, paired_t, signed_rank

if TYPE_CHECKING:  # pandas would take longer to load than a comparison takes
    import pandas as pd


class Interval(NamedTuple):
    """A probability with the limits of its interval."""

    point: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two classifiers compared on the splits of one data set.

    What is asked of it first is in `pvalue`, `estimate`, :meth:`confidence_interval`, `decision`
    and `agreement`; they are those of the corrected resampled t test.

    Attributes
    ----------
    names : tuple of two str
    scores : tuple of two ndarray, shape (runs, folds)
    design : Design
        How the splits were made.
    alpha : float
        Significance level.
    metric : str
        What the scores are called.
    greater_is_better : bool
    notes : tuple of str
        What looks wrong about the scores, in sentences.
    """

    names: tuple[str, str]
    scores: tuple[np.ndarray, np.ndarray]
    design: Design
    alpha: float = 0.05
    metric: str = "score"
    greater_is_better: bool = True
    notes: tuple[str, ...] = ()

    @property
    def differences(self) -> np.ndarray:
        """By how much A is better on each split, shape (runs, folds)."""
        a, b = self.scores
        return a - b if self.greater_is_better else b - a

    @cached_property
    def recommended(self):
        """Result of the corrected resampled t test "
        "(:func:`replib.significance.corrected_resampled_t`)."""
        return _quietly(
            corrected_resampled_t,
            self.differences,
            test_train_ratio=self.design.test_train_ratio,
            axis=(-2, -1),
        )

    @property
    def statistic(self) -> float:
        return self.recommended.statistic

    @property
    def pvalue(self) -> float:
        return self.recommended.pvalue

    @property
    def estimate(self) -> float:
        """By how much A is better, in the unit of the scores; negative where B is better."""
        return self.recommended.estimate

    @property
    def decision(self) -> int:
        """+1 if A is significantly better, -1 if B is, 0 if neither."""
        return _decision(self.pvalue, self.estimate, self.alpha)

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Interval of the difference that the test would not reject."""
        return self.recommended.confidence_interval(confidence_level)

    @cached_property
    def agreement(self) -> agreement.Agreement | None:
        """Predicted probability that a rerun with another seed decides the same; None for a "
        "single run."""
        if self.design.runs < 2:
            return None
        return agreement.predict(
            self.differences, test_train_ratio=self.design.test_train_ratio, alpha=self.alpha
        )

    @property
    def is_stable(self) -> bool | None:
        """Whether a rerun is predicted to decide the same with at least 95 %; None for a single "
        "run."""
        return None if self.agreement is None else bool(self.agreement.point >= 0.95)

    @cached_property
    def runs_needed(self) -> float | None:
        """Runs, or random splits, with which 95 of 100 pairs of experiments would decide alike.

        Infinite beyond 100 000, None for a single run.  See
        :func:`replib.comparison.agreement.runs_needed`; :func:`replib.adaptive.curtailed` is the
        rule that spends runs one by one.
        """
        if self.design.runs < 2:
            return None
        return agreement.runs_needed(
            self.differences, test_train_ratio=self.design.test_train_ratio, alpha=self.alpha
        )

    def replication_probability(self, confidence_level: float = 0.95) -> Interval:
        r"""Probability of a significant result in the same direction on *new data* of this size.

        With the statistic T and its n - 1 degrees of freedom, T of new data is taken for noncentral
        t whose noncentrality is the observed one (Berrar 2024, Proposition 2, with the interval
        that covers).

        Notes
        -----
        What this assumes, no single data set can show: that the correction allows for the variance
        between data sets.  For repeated cross-validation on simulated sources it nearly does; for a
        single cross-validation T varies less than the law says.  And as it takes the observed
        effect for the true one, it is too high for a result that was looked at because it was
        significant.
        """
        check_level("confidence_level", confidence_level)
        df, t = self.recommended.df, abs(self.statistic)
        critical = -special.stdtrit(df, self.alpha / 2)
        if np.isinf(t):
            return Interval(1.0, 1.0, 1.0)
        tail = (1 - confidence_level) / 2
        effects = [
            t,
            *(agreement.noncentrality_limit(np.array(t), df, q) for q in (1 - tail, tail)),
        ]
        # the farthest limits are beyond what the distribution function is made for
        return Interval(*(float(special.nctdtr(df, -min(e, 500.0), -critical)) for e in effects))

    def probabilities(self, rope: float = 0.0) -> dict[str, float]:
        """Posterior probabilities that A is better, that neither is in practice, that B is.

        The Bayesian correlated t test of Corani and Benavoli: Student's t about the estimate, with
        the corrected standard error.

        Parameters
        ----------
        rope : float
            Half the width of the region of practical equivalence, in the unit of the scores.
        """
        if not np.isfinite(rope) or rope < 0:
            raise ValueError(f"rope is a difference too small to matter, 0 or above, not {rope}")
        result = self.recommended
        above = lambda x: float(
            special.stdtr(result.df, (result.estimate - x) / result.standard_error)
            if result.standard_error > 0
            else (result.estimate > x) + 0.5 * (result.estimate == x)
        )
        a, b = above(rope), 1 - above(-rope)
        return {self.names[0]: a, "equivalent": max(1 - a - b, 0.0), self.names[1]: b}

    def tests(self) -> "pd.DataFrame":
        """The recommended test and the others that are in use, with what is known of them.

        Returns
        -------
        DataFrame
            Index: test.  `statistic`, `pvalue`, `decision` as in `decision`; `agreement`, predicted
            as in `agreement` for the t tests; `type_1_error`, the fraction of false discoveries at
            this level if the differences correlate as Nadeau and Bengio assume, by their test
            fraction (missing where that is not a formula); `verdict`.
        """
        import pandas as pd

        rows = []
        for name, scheme, test, kind in self._candidates():
            result = _quietly(test, schemes.sample(self.differences, scheme))
            size = (
                _type_1_error(scheme, self.design, self.alpha)
                if kind == "plain"
                else (self.alpha if kind == "corrected" else np.nan)
            )
            rows.append(
                {
                    "test": name,
                    "statistic": result.statistic,
                    "pvalue": result.pvalue,
                    "decision": _decision(result.pvalue, result.estimate, self.alpha),
                    "agreement": self._agreement_of(scheme, kind),
                    "type_1_error": size,
                    "verdict": _verdict(kind, size, self.alpha),
                }
            )
        return pd.DataFrame(rows).set_index("test")

    def _candidates(self) -> list[tuple[str, str, Callable, str]]:
        corrected = lambda sample: corrected_resampled_t(
            sample, test_train_ratio=self.design.test_train_ratio
        )
        if self.design.folds == 1:
            return [
                ("corrected resampled t", "resampling", corrected, "corrected"),
                ("paired t on all splits", "resampling", paired_t, "plain"),
            ]
        found = [("corrected t on all differences", "use_all_data", corrected, "corrected")]
        if self.design.runs > 1:
            found += [
                ("t on sorted runs", "average_over_sorted_runs", paired_t, "sorted_runs"),
                ("signed rank on sorted runs", "average_over_sorted_runs", signed_rank, "other"),
            ]
        found.append(("paired t on the first run", "k_fold", paired_t, "plain"))
        if self.design.runs > 1:
            found += [
                ("paired t on means by fold", "average_over_runs", paired_t, "plain"),
                ("paired t on all differences", "use_all_data", paired_t, "plain"),
            ]
        return found

    def _agreement_of(self, scheme: str, kind: str) -> float:
        test = (
            "plain"
            if (scheme, kind) in (("use_all_data", "plain"), ("resampling", "plain"))
            else kind
        )
        if (
            self.agreement is None
            or test not in agreement.TESTS
            or scheme in ("k_fold", "average_over_runs")
        ):
            return np.nan
        return agreement.predict(
            self.differences,
            test_train_ratio=self.design.test_train_ratio,
            alpha=self.alpha,
            test=test,
        ).point

    def to_frame(self) -> "pd.DataFrame":
        """Everything in one row: to keep, or to stack with those of other data sets."""
        import pandas as pd

        low, high = self.confidence_interval()
        again = self.replication_probability()
        row = {
            "a": self.names[0],
            "b": self.names[1],
            "metric": self.metric,
            "design": str(self.design),
            "mean_a": self.scores[0].mean(),
            "mean_b": self.scores[1].mean(),
            "difference": self.estimate,
            "low": low,
            "high": high,
            "statistic": self.statistic,
            "df": self.recommended.df,
            "pvalue": self.pvalue,
            "decision": self.decision,
            **_flat("agreement", self.agreement),
            "runs_needed": np.nan if self.runs_needed is None else self.runs_needed,
            **_flat("replication", again),
        }
        return pd.DataFrame([row])

    def sentence(self) -> str:
        """The result in words that can go into a paper."""
        from replib.comparison.words import sentence

        return sentence(self)

    def __str__(self) -> str:
        return "\n".join([self.sentence(), *(f"Note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        from replib import report

        return report.fragment(self)

    def plot(self):
        """Differences of each run with the interval, and the prediction for a rerun: a "
        "Matplotlib figure."""
        from replib import report

        return report.picture(self)

    def report(self, path: str | Path) -> Path:
        """Write one HTML file with everything, which needs no network."""
        from replib import report

        return report.write(self, path)


def compare_scores(
    a: ArrayLike,
    b: ArrayLike,
    *,
    cv: Any = None,
    runs: int | None = None,
    folds: int | None = None,
    test_fraction: float | None = None,
    metric: str | None = None,
    names: Sequence[str] | None = None,
    greater_is_better: bool = True,
    alpha: float = 0.05,
) -> Comparison:
    """Compare two classifiers by their scores on the same splits.

    Parameters
    ----------
    a, b : array_like, Series, or dict of `sklearn.model_selection.cross_validate`
        Scores on the same splits: flat in scikit-learn's order, which is all folds of the first
        run, then all of the second; or blocks of runs x folds.
    cv : splitter, str or int, optional
        The scikit-learn splitter that was used, or "10x10" for ten runs of ten folds, or the
        number of folds of a single run.
    runs, folds : int, optional
        Instead of `cv`, for cross-validation.
    test_fraction : float, optional
        Instead of `cv`, for random splits: the share of test instances, between 0 and 1.
    metric : str, optional
        Which scores of a dict, "accuracy" for "test_accuracy"; without a dict, what they are
        called.
    names : sequence of two str, optional
        Of the classifiers; those of the Series, or A and B.
    greater_is_better : bool, default True
        False for errors and losses.
    alpha : float, default 0.05

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If shape or ratio are not said or do not fit, or a score is missing.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> a, b = 0.9 + rng.normal(0.02, 0.03, 100), 0.9 + rng.normal(0, 0.03, 100)
    >>> result = compare_scores(a, b, cv="10x10")
    >>> result.decision, round(result.pvalue, 3), round(result.agreement.point, 2)
    (0, 0.153, 0.9)
    """
    check_level("alpha", alpha)
    check_indices(a, b)
    names = _names(names, a, b)
    is_dict = isinstance(a, dict) or isinstance(b, dict)
    read = [read_scores(x, name, metric if is_dict else None) for x, name in zip((a, b), names)]
    design = read_design(cv, runs=runs, folds=folds, test_fraction=test_fraction)
    design, blocks = as_blocks(read, names, design)
    return Comparison(
        names=names,
        scores=tuple(blocks),
        design=design,
        alpha=alpha,
        metric=metric or "score",
        greater_is_better=greater_is_better,
        notes=tuple(suspicions(blocks, names, greater_is_better)),
    )


def compare_classifiers(
    a: Any,
    b: Any,
    X: Any,
    y: Any,
    *,
    cv: Any,
    scoring: Any = None,
    n_jobs: int | None = None,
    names: Sequence[str] | None = None,
    groups: Any = None,
    alpha: float = 0.05,
    progress: bool = True,
) -> Comparison:
    """Compare two scikit-learn estimators on the same splits of a data set.

    Parameters
    ----------
    a, b : estimators
        Anything with `fit` that scikit-learn can clone; neither is changed.
    X, y : array_like, DataFrame, ...
        The data.
    cv : splitter, str or int
        A scikit-learn splitter, "10x10" for ten runs of ten stratified folds, or a number of
        stratified folds.
    scoring : str or callable, optional
        As in scikit-learn; the estimator's own score by default.
    n_jobs : int, optional
        Processes, as in joblib.
    names : sequence of two str, optional
        Those of the classes by default.
    groups : array_like, optional
        For splitters that keep groups together.
    alpha : float, default 0.05
    progress : bool, default True
        Show a bar.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If the splitter or the estimators cannot be used, or a fit gives no score.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> result = compare_classifiers(
    ...     GaussianNB(), DecisionTreeClassifier(random_state=0), X, y, cv="3x5", progress=False)
    >>> result.names, result.scores[0].shape
    (('GaussianNB', 'DecisionTreeClassifier'), (3, 5))
    """
    from joblib import Parallel, delayed
    from sklearn.base import is_classifier
    from sklearn.metrics import check_scoring
    from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold
    from sklearn.utils import indexable
    from tqdm import tqdm

    check_level("alpha", alpha)
    for which, estimator in zip("ab", (a, b)):
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") and hasattr(estimator, "get_params")
        ):
            raise ValueError(
                f"{which} must be a scikit-learn estimator, an object with fit and get_params, "
                f"not {estimator!r}"
            )
    names = _names(names, a, b, of_class=True)
    X, y, groups = indexable(X, y, groups)
    design = read_design(cv)
    if isinstance(cv, str):
        cv = RepeatedStratifiedKFold(n_splits=design.folds, n_repeats=design.runs)
    elif isinstance(cv, (int, np.integer)):
        cv = StratifiedKFold(design.folds, shuffle=True)
    splits = list(cv.split(X, y, groups))  # once: without a seed each call would give others
    if design.folds == 1:  # the sizes as they are, rounded to whole instances
        train, test = splits[0]
        design = Design(design.runs, 1, len(test) / len(train))
    scorers = [check_scoring(estimator, scoring=scoring) for estimator in (a, b)]
    tasks = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_scores_of_split)((a, b), scorers, X, y, train, test) for train, test in splits
    )
    found = list(
        tqdm(tasks, total=len(splits), desc=" and ".join(names), unit="split", disable=not progress)
    )
    one, other = np.array(found, dtype=float).T
    metric = scoring if isinstance(scoring, str) else "score"
    read = [read_scores(x, name) for x, name in zip((one, other), names)]
    design, blocks = as_blocks(read, names, design)
    notes = suspicions(blocks, names, True)
    return Comparison(
        names=names,
        scores=tuple(blocks),
        design=design,
        alpha=alpha,
        metric="accuracy" if scoring is None and is_classifier(a) else metric,
        notes=tuple(notes),
    )


def _scores_of_split(estimators, scorers, X, y, train, test) -> list[float]:
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    part = lambda data, rows: _safe_indexing(data, rows)
    return [
        scorer(clone(estimator).fit(part(X, train), part(y, train)), part(X, test), part(y, test))
        for estimator, scorer in zip(estimators, scorers)
    ]


def _names(names: Sequence[str] | None, a: Any, b: Any, of_class: bool = False) -> tuple[str, str]:
    if names is None:
        own = [type(x).__name__ if of_class else getattr(x, "name", None) for x in (a, b)]
        if all(isinstance(name, str) for name in own) and own[0] != own[1]:
            return tuple(own)
        return ("A", "B") if not of_class else (f"{own[0]} A", f"{own[1]} B")
    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"names are two different names, not {names!r}")
    return str(names[0]), str(names[1])


def _decision(pvalue: float, estimate: float, alpha: float) -> int:
    return int(np.sign(estimate)) if pvalue < alpha else 0


def _quietly(test: Callable, *args, **options):
    """The result of a test, without its warning of infinite statistics: the report says it in "
    "its words."""
    import warnings

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        return test(*args, **options)


def _type_1_error(scheme: str, design: Design, alpha: float) -> float:
    r"""Size of the plain t test if any two differences have the correlation of the test fraction.

    Means over r of them by fold number have the correlation
    :math:`\rho / (\rho + (1-\rho)/r)`.
    """
    from replib.theory import equicorrelated_type1_error  # slow to load

    rho = design.test_fraction
    sizes = {"k_fold": design.folds, "average_over_runs": design.folds}
    if scheme == "average_over_runs":
        rho = rho / (rho + (1 - rho) / design.runs)
    return equicorrelated_type1_error(rho, sizes.get(scheme, design.splits), alpha=alpha)


def _verdict(kind: str, size: float, alpha: float) -> str:
    if kind == "corrected":
        return "recommended"
    if np.isnan(size):
        return "keeps its level in the simulations of this book"
    return "finds differences that are not there" if size > 1.5 * alpha else "keeps its level"


def _flat(name: str, value) -> dict[str, float]:
    parts = (np.nan,) * 3 if value is None else (value.point, value.low, value.high)
    return {name: parts[0], f"{name}_low": parts[1], f"{name}_high": parts[2]}
