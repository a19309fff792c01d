"""Many classifiers on many data sets: which is better, and would another collection agree?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from replib.comparison import gate, pictures, report, rules, running, words
from replib.multiple_comparisons import adjusted_pvalues
from replib.significance import sign_test, signed_rank
from replib.validation import check_flag, file_path

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Benchmark(report.Result):
    """Classifiers compared over data sets.

    Attributes
    ----------
    scores : DataFrame
        One row per data set and one column per classifier: means over repetitions.
    alpha : float
        Significance level.
    greater_is_better : bool
    notes : tuple of str
        What looks wrong with the scores, in sentences.
    record : dict of str
        What was compared, and by which call.
    splits : DataFrame, optional
        Scores on each split, indexed by `dataset`, `run`, `fold`, where they were computed here.
    """

    scores: "pd.DataFrame"
    alpha: float
    greater_is_better: bool
    notes: tuple[str, ...]
    record: Mapping[str, str] = field(default_factory=dict)
    splits: "pd.DataFrame | None" = None

    @cached_property
    def mean_ranks(self) -> "pd.Series":
        """Mean rank of each classifier, 1 the best, ties shared; the best first."""
        ranks = self.scores.rank(axis=1, ascending=not self.greater_is_better)
        return ranks.mean().sort_values(kind="stable").rename("mean rank")

    @cached_property
    def friedman_pvalue(self) -> float:
        """P-value of Friedman's test that all classifiers are equal; for two, of the sign test.

        Friedman's test has the F form of Iman and Davenport, less conservative than chi-square.
        """
        from scipy import stats  # slow to load

        n, k = self.scores.shape
        if k == 2:
            return float(sign_test(self.scores.iloc[:, 0] - self.scores.iloc[:, 1]).pvalue)
        if (self.scores.nunique(axis=1) == 1).all():
            return 1.0
        chi2 = stats.friedmanchisquare(*self.scores.to_numpy().T).statistic
        if np.isclose(chi2, n * (k - 1)):
            return 0.0  # the same order on every data set
        f = (n - 1) * chi2 / (n * (k - 1) - chi2)
        return float(special.fdtrc(k - 1, (k - 1) * (n - 1), f))

    @cached_property
    def pairs(self) -> "pd.DataFrame":
        """Each pair of classifiers, the better one named first.

        Returns
        -------
        DataFrame
            `a`, `b`; `wins`, `losses`, `draws` of a; `difference`, the median of a minus b;
            `signed_rank` and `sign`, the p-values of the two exact tests; `holm`, the first of
            them adjusted for all pairs; `decision`, 1 if that is below alpha; `replication` with
            `replication_low` and `_high`, the probability that on as many other data sets of the
            same kind a is significantly better, again after Holm's correction
            (:func:`replib.replication_probability.signed_rank`).  If `decision` is 1, the
            probability allows for having looked at the pair because it is significant.
        """
        import pandas as pd

        from replib.replication_probability import signed_rank as replicated

        rows, differences = [], []
        for a, b in combinations(self.mean_ranks.index, 2):
            d = (self.scores[a] - self.scores[b]).to_numpy()
            d = d if self.greater_is_better else -d
            ranked = signed_rank(d)
            if ranked.estimate < 0:
                a, b, d, ranked = b, a, -d, signed_rank(-d)
            differences.append(d)
            rows.append({
                "a": a, "b": b,
                "wins": (d > 0).sum(), "losses": (d < 0).sum(), "draws": (d == 0).sum(),
                "difference": np.median(d),
                "signed_rank": ranked.pvalue, "sign": sign_test(d).pvalue,
            })
        frame = pd.DataFrame(rows)
        frame["holm"] = adjusted_pvalues(frame["signed_rank"], method="holm")
        frame["decision"] = (frame["holm"] < self.alpha).astype(int)
        again = replicated(np.array(differences), alpha=self.alpha, selected=True)
        return frame.assign(
            replication=again.point, replication_low=again.low, replication_high=again.high
        )

    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""
        n, k = self.scores.shape
        test = "Friedman's test (F form)" if k > 2 else "sign test"
        found = [(row.a, row.b, row.holm) for row in self.pairs.itertuples() if row.decision]
        best = self.mean_ranks
        return (
            f"On {n} data sets {best.index[0]} had the best mean rank of {k} classifiers "
            f"({best.iloc[0]:.2f}; {test}: {words.p_value(self.friedman_pvalue)}). "
            f"{words.of_pairs('better', found, len(self.pairs))} "
            f"(Wilcoxon's signed-rank tests, {words.adjusted('holm', len(self.pairs))}, level "
            f"{self.alpha:g}). The tests are about other data sets of the same kind."
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return `pairs`."""
        return self.pairs

    def contents(self) -> report.Contents:
        """Return what the page of this comparison shows."""
        import pandas as pd

        pairs = self.pairs
        shown = pd.DataFrame({
            "better": pairs["a"], "than": pairs["b"],
            "wins-losses-draws": [f"{r.wins}-{r.losses}-{r.draws}" for r in pairs.itertuples()],
            "median difference": pairs["difference"].map(words.number),
            "p (Holm)": pairs["holm"].map("{:.3g}".format),
            "says": pairs["decision"].map({1: "better", 0: "no difference"}),
            "significant again": words.shares(pairs, "replication"),
        }).set_index("better")
        ranks = self.mean_ranks.map("{:.2f}".format).to_frame().rename_axis("classifier")
        methods = (
            "Classifiers were compared over data sets by Friedman's test in the F form of Iman and "
            "Davenport (1980), each pair by Wilcoxon's signed-rank test (1945), exact, with Holm's "
            f"correction (1979), two-sided at the level {self.alpha:g} (Demsar 2006). The "
            "probability that a pair is significant again on as many other data sets (Berrar 2024) "
            "was estimated from the signed ranks, for significant pairs given their significance."
        )
        return report.Contents(
            f"{len(ranks)} classifiers on {len(self.scores)} data sets",
            {"Mean ranks": ranks, "Pairs": shown}, methods,
            ("demsar2006", "iman_davenport1980", "wilcoxon1945", "holm1979", "berrar2024"),
            alt="Mean ranks on an axis, the best on the left. Bars join classifiers of which no "
                "pair differs significantly after Holm's correction.",
        )

    def draw(self) -> Any:
        """Draw mean ranks, and bars over classifiers that do not differ."""
        n = len(self.mean_ranks)
        fig = pictures.groups(
            self.mean_ranks, self.pairs, "mean rank, 1 the best", "{:.2f}", (1, n)
        )
        fig.axes[0].set_xticks(range(1, n + 1))
        return fig


def compare_benchmark(
    frame: "pd.DataFrame", *, greater_is_better: bool = True, alpha: float = 0.05
) -> Benchmark:
    """Compare classifiers over data sets.

    Parameters
    ----------
    frame : DataFrame
        Wide, with one row per data set and one column per classifier, and the data sets in the
        index or a column `dataset`; or long, with the columns `dataset`, `classifier`, `score`.
        Several rows for one data set (and classifier) are repetitions, and are averaged.
    greater_is_better : bool, default True
        False for errors and losses.
    alpha : float, default 0.05

    Returns
    -------
    Benchmark

    Raises
    ------
    ValueError
        If a score is missing or not a number, or there are too few data sets or classifiers.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({
    ...     "tree": [.71, .64, .83, .90, .58, .77],
    ...     "forest": [.78, .70, .88, .91, .66, .79],
    ...     "bayes": [.70, .66, .80, .85, .60, .70],
    ... }, index=list("abcdef"))
    >>> result = compare_benchmark(scores)
    >>> result.mean_ranks.round(2).to_dict()
    {'forest': 1.0, 'tree': 2.33, 'bayes': 2.67}
    >>> round(result.friedman_pvalue, 4)
    0.0005
    """
    given = dict(locals())
    gate.check_alpha(alpha)
    check_flag("greater_is_better", greater_is_better)
    wide, notes = gate.benchmark(frame, greater_is_better=greater_is_better)
    record = {"call": report.call(compare_benchmark, given, data=("frame",))}
    return Benchmark(wide, alpha, greater_is_better, notes, record=record)


def run_benchmark(
    estimators: Mapping[str, Any],
    datasets: Mapping[str, Any],
    *,
    cv: Any,
    scoring: Any = None,
    metric: Any = None,
    cache: str | Path | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    alpha: float = 0.05,
    progress: bool = True,
) -> Benchmark:
    """Train each classifier once per split of each data set, and compare them over data sets.

    Each finished fit is kept in `cache`: after an interruption the same call continues where it
    stopped.  A classifier is trained again if its parameters or code, the data or the version of
    a package have changed; see `replib.comparison.running.keys`.

    Parameters
    ----------
    estimators : mapping of estimators
        Their names and the estimators.
    datasets : mapping of pairs (X, y), or of objects with `data` and `target`
        Their names and the data.
    cv : splitter, str or int
        As for :func:`replib.comparison.compare_classifiers`; with `cache`, a splitter with a seed.
    scoring : str or callable, optional
        As in scikit-learn; by default each estimator's own score.  `metric` is another name for it.
    cache : str or Path, optional
        A folder, which is created if it does not exist.
    n_jobs : int, optional
        Number of processes, as in joblib; if a joblib backend is set, such as dask, it is used.
    random_state : int, default 0
        Seed of the splits if `cv` is a text or a number.
    alpha
        As for :func:`compare_benchmark`.
    progress : bool, default True
        Show a progress bar with the remaining time.

    Returns
    -------
    Benchmark
        Its `splits` are the scores on each split.

    Raises
    ------
    ValueError
        If a fit fails: the message names classifier, data set and split, and all earlier fits are
        in the cache.  If there is a cache and the splitter has no seed.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> moons = {f"moons {i}": make_moons(60, noise=0.3, random_state=i) for i in range(6)}
    >>> result = run_benchmark(
    ...     {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}, moons, cv=5,
    ...     progress=False)
    >>> result.splits.shape, result.scores.shape
    ((30, 2), (6, 2))
    """
    given = dict(locals())
    import pandas as pd

    scoring = gate.either(metric, scoring)
    check_flag("progress", progress)
    names, _ = running.named("estimators", estimators), running.named("datasets", datasets)
    trained = list(estimators.values())
    options = {"cv": cv, "scoring": scoring,
               "random_state": random_state if isinstance(cv, (str, int, np.integer)) else None}
    plan: Callable[..., Any] = lambda data: gate.estimators(trained, names, *data, **options)
    pairs = {str(name): _data(name, data) for name, data in datasets.items()}
    for a, b in combinations(pairs, 2):
        if _same_data(pairs[a], pairs[b]):
            rules.apply("same-data", a=a, b=b)
    plans = {name: plan(data) for name, data in pairs.items()}
    if cache is not None:
        cache = file_path("cache", cache)
        if cache.exists() and not cache.is_dir():
            raise ValueError(f"cache must be a folder, and {rules.shown(cache)} is a file")
        cache.mkdir(parents=True, exist_ok=True)
    tasks, keys = [], []
    for name, one in plans.items():
        tasks += running.tasks(name, names, trained, one)
        if cache is not None:
            own = running.keys(trained, one, scoring)
            if own != running.keys(trained, plan(pairs[name]), scoring):
                raise ValueError(
                    f"cv must have a seed where there is a cache, and {cv!r} splits {name} "
                    "differently each time: give it random_state="
                )
            keys += own
    found = iter(running.run(tasks, n_jobs=n_jobs, progress=progress, cache=cache, keys=keys))
    called, is_error = running.metric(next(iter(plans.values())))
    frames = {}
    for name, one in plans.items():
        index = pd.MultiIndex.from_product(
            [range(one.design.runs), range(one.design.folds)], names=["run", "fold"]
        )
        of_names = {each: [next(found) for _ in index] for each in names}
        frames[name] = (-1 if is_error else 1) * pd.DataFrame(of_names, index=index)
    splits = pd.concat(frames, names=["dataset"])
    result = compare_benchmark(
        splits.groupby(level="dataset", sort=False).mean(), alpha=alpha,
        greater_is_better=not is_error,
    )
    record = {
        "call": report.call(run_benchmark, given, data=("estimators", "datasets")),
        "design": str(one.design), "metric": called,
        **{name: running.size(one) for name, one in plans.items()},
        **{name: running.settings(one) for name, one in zip(names, trained)},
    }
    notes = [f"{name}: {note}" for name, one in plans.items() for note in one.notes]
    return replace(result, record=record, splits=splits, notes=(*result.notes, *notes))


def _same_data(one: tuple[Any, Any], other: tuple[Any, Any]) -> bool:
    return all(a is b or (
        np.shape(a) == np.shape(b) != () and np.array_equal(np.asarray(a), np.asarray(b))
    ) for a, b in zip(one, other))


def _data(name: str, data: Any) -> tuple[Any, Any]:
    if hasattr(data, "data") and hasattr(data, "target"):
        return data.data, data.target
    if isinstance(data, (tuple, list)) and len(data) == 2:
        return data[0], data[1]
    raise ValueError(
        f"data set {name!r} must be a pair (X, y) or an object with data and target, not a "
        f"{type(data).__name__}"
    )
