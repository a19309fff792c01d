"""The winner of a hyperparameter search: is it better, and would other splits choose it?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from replib.comparison import agreement, gate, pictures, report, rules, tests_in_use, words
from replib.comparison.design import Design, read_design
from replib.comparison.gate import doubts
from replib.significance import corrected_resampled_t
from replib.validation import check_flag, check_instance, check_level, whole_number

if TYPE_CHECKING:  # pandas would take longer to load than a comparison takes
    import pandas as pd

_DRAWS = 20_000
#: Short names of measures.
_SHORT = {"acc": "accuracy", "auc": "roc_auc", "mcc": "matthews_corrcoef", "r²": "r2"}


@dataclass(frozen=True, eq=False)
class SearchComparison(report.Result):
    """The best candidate of a search compared with the second, and with a baseline.

    The scores choose the second as much as the best.  This makes the two-sided test between them
    conservative if all candidates are equal, and keeps its level if two are ahead of all others
    (Hung and Fithian 2019).  The baseline is fixed beforehand; the best is tested against it as
    the largest of the differences between all candidates and the baseline.

    Attributes
    ----------
    candidates : tuple of dict
        Parameters of each candidate.
    scores : ndarray, shape (candidates, runs, folds)
    design : Design
        How the splits were made.
    baseline : int or None
        Index of the candidate with which the best is compared.
    alpha : float
        Level of each of the two tests.
    metric : str
        Name of the scores.
    greater_is_better : bool
    seed : int
        Seed of the simulations.
    notes : tuple of str
        What looks wrong, in sentences.
    record : dict of str
        What was compared, and by which call.

    References
    ----------
    Hung, K. and Fithian, W. (2019). Rank verification for exponential families. Annals of
    Statistics 47, 758-782.
    """

    candidates: tuple[dict[str, Any], ...]
    scores: np.ndarray
    design: Design
    baseline: int | None
    alpha: float = 0.05
    metric: str = "score"
    greater_is_better: bool = True
    seed: int = 0
    notes: tuple[str, ...] = ()
    record: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _advantages(self) -> np.ndarray:
        """Scores with a sign such that the greatest is the best."""
        return self.scores if self.greater_is_better else -self.scores

    @cached_property
    def ranking(self) -> np.ndarray:
        """Indices of the candidates, the best first; ties in their order."""
        return np.argsort(-self._advantages.mean(axis=(1, 2)), kind="stable")

    @property
    def best(self) -> dict[str, Any]:
        """Parameters of the best candidate."""
        return self.candidates[int(self.ranking[0])]

    def _better_than(self, other: int) -> Any:
        """Return the corrected resampled t test of the best against another candidate."""
        return tests_in_use.quietly(
            corrected_resampled_t, self._advantages[self.ranking[0]] - self._advantages[other],
            test_train_ratio=self.design.test_train_ratio, axis=(-2, -1),
        )

    @cached_property
    def versus_second(self) -> Any:
        """The best against the second: the corrected resampled t test, two-sided."""
        return self._better_than(int(self.ranking[1]))

    @cached_property
    def versus_baseline(self) -> Any:
        """The best against the baseline, *not adjusted* for the choice; None without a baseline."""
        return None if self.baseline is None else self._better_than(self.baseline)

    @cached_property
    def _largest(self) -> np.ndarray:
        r"""Draws of the largest :math:`|t|` of all candidates against the baseline under equality.

        The statistics are multivariate t with the correlations of the differences over the splits;
        the largest has Dunnett's distribution for these correlations.
        """
        x = self._advantages.reshape(len(self.scores), -1)
        others = np.arange(len(x)) != self.baseline
        differences = x[others] - x[~others]
        differences -= differences.mean(axis=1, keepdims=True)
        norm = np.linalg.norm(differences, axis=1, keepdims=True)
        unit = differences[norm[:, 0] > 1e-10 * np.abs(x).max()]
        unit = unit / np.linalg.norm(unit, axis=1, keepdims=True)
        rng = np.random.default_rng(np.random.SeedSequence(self.seed))
        df, largest = x.shape[1] - 1, []
        for _ in range(_DRAWS // 1000):
            z = np.abs(rng.standard_normal((1000, x.shape[1])) @ unit.T).max(axis=1, initial=0)
            largest.append(z / np.sqrt(rng.chisquare(df, 1000) / df))
        return np.concatenate(largest)

    @cached_property
    def pvalue(self) -> float | None:
        """P-value of the best against the baseline, adjusted for the choice of the best.

        It is the probability, if all are equal, that the largest :math:`|t|` of all candidates
        against the baseline is at least as large as that of the best; from 20 000 draws.  None
        without a baseline, or if the baseline is the best.
        """
        if self.baseline is None or self.baseline == self.ranking[0]:
            return None
        one = self.versus_baseline
        drawn = (1 + np.count_nonzero(self._largest >= abs(one.statistic))) / (1 + _DRAWS)
        # Monte Carlo noise must not lead outside the known bounds
        return float(min(max(drawn, one.pvalue), 1, (len(self.scores) - 1) * one.pvalue))

    @property
    def decision(self) -> int | None:
        """1 if the best is significantly better than the baseline, else 0; None if no p-value."""
        return None if self.pvalue is None else int(self.pvalue < self.alpha)

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float] | None:
        """Return an interval of the difference from the baseline that allows for the choice."""
        check_level("confidence_level", confidence_level)
        if self.pvalue is None:
            return None
        one = self.versus_baseline
        reach = float(np.quantile(self._largest, confidence_level)) * one.standard_error
        return one.estimate - reach, one.estimate + reach

    @cached_property
    def _predicted(self) -> tuple[agreement.Agreement, np.ndarray] | None:
        means = self._advantages.mean(axis=2)
        ahead = means - means[self.ranking[0]]
        if self.design.runs < 2 or np.ptp(ahead, axis=1).max() <= 1e-10 * np.abs(means).max():
            return None
        return agreement.of_choice(means, seed=self.seed)

    @property
    def agreement(self) -> agreement.Agreement | None:
        """Predicted probability that a search on other splits makes the same choice.

        None where it cannot be predicted: for a single run, and for runs that are all equal.
        """
        return self._predicted[0] if self._predicted else None

    def to_frame(self) -> "pd.DataFrame":
        """Return a table of the candidates.

        Returns
        -------
        DataFrame
            One row per candidate, the best first: `candidate`, `mean`; `role` (best, second,
            baseline); `difference`, the advantage of the best; for the second and the baseline
            `statistic`, `df`, `unadjusted`, `pvalue` (for the baseline adjusted for the choice)
            and `decision`; `chosen`, the predicted probability that other splits choose it.
        """
        import pandas as pd

        means = self.scores.mean(axis=(1, 2))
        frame = pd.DataFrame({
            "candidate": [text(one) for one in self.candidates], "mean": means,
            "role": "", "difference": np.abs(means - means[self.ranking[0]]),
            **dict.fromkeys(("statistic", "df", "unadjusted", "pvalue", "decision"), np.nan),
            "chosen": self._predicted[1] if self._predicted else np.nan,
        })
        frame.loc[self.ranking[0], "role"] = "best"
        for role, place, one, p in (
            ("second", self.ranking[1], self.versus_second, self.versus_second.pvalue),
            ("baseline", self.baseline, self.versus_baseline, self.pvalue),
        ):
            if place is None:
                continue
            before = frame.loc[place, "role"]
            frame.loc[place, "role"] = f"{before}, {role}" if before else role
            if p is not None:
                values = (one.statistic, one.df, one.pvalue, p, float(p < self.alpha))
                frame.loc[place, ["statistic", "df", "unadjusted", "pvalue", "decision"]] = values
        return frame.iloc[self.ranking].reset_index(drop=True)

    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""
        best, second = self.ranking[:2]
        superlative = {"higher": "highest", "lower": "lowest"}[words.better(self)]
        means = self.scores.mean(axis=(1, 2))
        one, n = self.versus_second, len(self.scores)
        said = (
            f"Of {n} candidates, {text(self.best)} had the {superlative} "
            f"{words.mean_of(self.metric)} ({words.number(means[best])}). "
            f"It was {'' if one.pvalue < self.alpha else 'not '}significantly better than the "
            f"second, {text(self.candidates[second])} (difference {words.number(one.estimate)}; "
            f"corrected resampled t test on {self.design}, t({one.df}) = "
            f"{words.number(one.statistic, 2)}, {words.p_value(one.pvalue)}). "
        )
        if self.baseline == best:
            said += "The baseline is the best candidate itself. "
        elif self.baseline is not None and self.pvalue is not None:
            one = self.versus_baseline
            low, high = self.confidence_interval() or (np.nan, np.nan)
            said += (
                f"It was {'' if self.decision else 'not '}significantly better than the baseline, "
                f"{text(self.candidates[self.baseline])} (difference "
                f"{words.number(one.estimate)}, 95% confidence interval {words.number(low)} to "
                f"{words.number(high)}; t({one.df}) = {words.number(one.statistic, 2)}, "
                f"{words.p_value(self.pvalue)}, adjusted for the choice among {n} candidates). "
            )
        return f"{said}{words.SPEAKS_OF} {words.rerun(self, 'the same choice')}"

    def contents(self) -> report.Contents:
        """Return what the page of this comparison shows."""
        import pandas as pd

        frame = self.to_frame()
        shown = pd.DataFrame({
            "candidate": frame["candidate"],
            words.mean_of(self.metric): frame["mean"].map(words.number),
            "": frame["role"],
            "p": ["–" if p != p else f"{p:.3g}" for p in frame["pvalue"]],
            "chosen again": frame["chosen"].map(words.share),
        }).set_index("candidate")
        methods = (
            f"{len(frame)} candidates were scored on the same splits, {self.design}. The best was "
            "compared with the second by the corrected resampled t test (Nadeau and Bengio 2003), "
            f"two-sided at the level {self.alpha:g}; for the two leaders of a ranking the test "
            "needs no adjustment (Hung and Fithian 2019). "
        )
        if self.baseline is None:
            methods += "No baseline was named. "
        elif self.pvalue is not None:
            methods += (
                "Against the baseline, which was fixed before, its p-value and interval are those "
                "of the largest |t| of all candidates against the baseline (Dunnett 1955), whose "
                f"joint distribution was drawn {_DRAWS} times with the correlations of the "
                f"differences over the splits (seed {self.seed}). "
            )
        methods += "The mean of the best is optimistic, because it was chosen for its mean. "
        if self.agreement is not None:
            methods += (
                "That a search on other splits of the same data makes the same choice was "
                "predicted by simulating it from the spread of the runs."
            )
        return report.Contents(
            f"{text(self.best)} and {len(frame) - 1} other candidates", {"Candidates": shown},
            methods, ("nadeau_bengio2003", "hung_fithian2019", "dunnett1955"),
            alt=f"The {words.mean_of(self.metric)} of the best candidates: diamonds, with a dot "
                "for each run. Next to a name, the predicted probability to be chosen again.",
        )

    def draw(self) -> Any:
        """Draw the best candidates with their runs, and how often each may be chosen."""
        places = list(self.ranking[:_DRAWN])
        if self.baseline is not None and self.baseline not in places:
            places[-1] = self.baseline
        labels = []
        fig, (ax,) = pictures.figure(0.9 + 0.5 * len(places))
        for row, place in enumerate(places):
            runs = self.scores[place].mean(axis=1)
            ax.plot(runs, np.full(len(runs), row), "o", color=pictures.GREY, ms=4, alpha=0.5)
            ax.plot(runs.mean(), row, "D", color=pictures.BLUE, ms=7)
            chosen = f"; again {self._predicted[1][place]:.2f}" if self._predicted else ""
            labels.append(fill(f"{text(self.candidates[place])}{chosen}", 30, max_lines=3))
        ax.set(yticks=range(len(places)), yticklabels=labels, ylim=(len(places) - 0.5, -0.5),
               xlabel=words.mean_of(self.metric))
        ax.tick_params(axis="y", length=0, labelsize=9)
        ax.locator_params(axis="x", nbins=5)
        ax.spines["left"].set_visible(False)
        return fig


_DRAWN = 8


def text(candidate: Mapping[str, Any]) -> str:
    """Write the parameters of a candidate in one line.

    >>> text({"kernel": "rbf", "C": 10})
    "kernel='rbf', C=10"
    """
    return ", ".join(f"{name}={value!r}" for name, value in candidate.items()) or "no parameters"


def compare_search(
    search: Any,
    *,
    cv: Any = None,
    baseline: Mapping[str, Any] | int | None = None,
    metric: str | None = None,
    greater_is_better: bool = True,
    alpha: float = 0.05,
    dataset: str | None = None,
    seed: int = 0,
) -> SearchComparison:
    """Compare the best candidate of a grid or random search with the second and with a baseline.

    It also predicts whether a search on other splits would make the same choice.

    Parameters
    ----------
    search : fitted GridSearchCV or RandomizedSearchCV, or its `cv_results_`
    cv : splitter, str or int, optional
        With `cv_results_`: the splitter that was used, or a text such as "10x10".
    baseline : dict or int, optional
        The candidate to compare with, such as the simplest or the default one, chosen without
        looking at the scores: its parameters, or its index in `cv_results_`.  Parameters that were
        not searched do no harm: ``estimator.get_params()`` gives the default candidate.
    metric : str, optional
        Which of several scores; if there is only one, its name.
    greater_is_better : bool, default True
        False if a score is an error; scikit-learn's names of errors, such as
        "neg_mean_squared_error", are recognised.
    alpha : float, default 0.05
    dataset : str, optional
        Name of the data set, for the report.
    seed : int, default 0
        Seed of the simulations.

    Returns
    -------
    SearchComparison

    Raises
    ------
    ValueError
        If there are not at least two candidates with scores on each split, the splits are not
        given, or the baseline is not exactly one of the candidates.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = make_moons(80, noise=0.4, random_state=0)
    >>> cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    >>> search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 15]}, cv=cv)
    >>> result = compare_search(search.fit(X, y), baseline={"n_neighbors": 1})
    >>> result.best, result.scores.shape
    ({'n_neighbors': 15}, (3, 4, 5))
    """
    given = dict(locals())
    gate.check_alpha(alpha)
    check_flag("greater_is_better", greater_is_better)
    check_instance("dataset", dataset, str, type(None))
    if metric is not None and not isinstance(metric, str):
        rules.apply("search-metric-kind", given=repr(metric))
    seed = whole_number("seed", seed, at_least=0)
    record = {"data set": dataset} if dataset else {}
    scoring, refitted = getattr(search, "scoring", None), None
    if hasattr(search, "get_params") and hasattr(search, "fit"):
        if not hasattr(search, "cv_results_"):
            rules.apply("search-unfitted")
        if cv is not None:
            rules.apply("search-cv")
        from sklearn.base import is_classifier, is_regressor

        cv = search.cv if search.cv is not None else 5
        default = "accuracy" if is_classifier(search) else "R²" if is_regressor(search) else None
        scoring = scoring or default
        _check_measure(search, scoring, metric)
        record["search"] = " ".join(repr(search).split())
        if metric is None and isinstance(search.refit, str):
            metric = search.refit
        refitted = getattr(search, "best_index_", None)
        search = search.cv_results_
    if not (isinstance(search, Mapping) or hasattr(search, "columns")) or "params" not in search:
        rules.apply("search-kind", kind=type(search).__name__)
    if "iter" in search:
        rules.apply("search-halving")
    if bad := [one for one in search["params"] if not isinstance(one, Mapping)]:
        raise ValueError(f"params must hold a dict for each candidate, not {bad[0]!r}")
    candidates = [dict(one) for one in search["params"]]
    scores = _scores(search, metric)
    design = read_design(cv, splits=scores.shape[1])
    if design.splits != scores.shape[1]:
        rules.apply("search-splits", splits=design.splits, design=design, scored=scores.shape[1])
    place = _place(baseline, candidates)
    failed = ~np.isfinite(scores).all(axis=1)
    notes = []
    means = scores.mean(axis=1)
    if refitted is not None and means[refitted] < np.nanmax(means):
        notes.append(
            f"The search chose {text(candidates[refitted])}, which has not the best mean: here the "
            "best is that with the best mean."
        )
    if failed.any():
        if place is not None and failed[place]:
            raise ValueError(f"baseline {text(candidates[place])} has no score on some split")
        some = "; ".join(text(candidates[i]) for i in np.flatnonzero(failed)[:5])
        notes.append(f"{failed.sum()} of {len(failed)} candidates failed and are left out: {some}.")
        place = None if place is None else int(np.count_nonzero(~failed[:place]))
        candidates = [one for one, out in zip(candidates, failed) if not out]
        scores = scores[~failed]
    if len(scores) < 2:
        rules.apply("search-one", n=len(scores))
    if np.ptp(scores, axis=0).max() == 0:
        notes.append("All candidates have the same scores: what was searched made no difference.")
    name = metric or (scoring if isinstance(scoring, str) else "score")
    if greater_is_better and doubts.names_an_error(name) and np.nanmax(scores) > 0:
        rules.apply("error-metric", metric=name)
    is_error = name.startswith("neg_") or not greater_is_better
    return SearchComparison(
        candidates=tuple(candidates),
        scores=(-scores if name.startswith("neg_") else scores).reshape(
            len(scores), design.runs, design.folds
        ),
        design=design, baseline=place, alpha=alpha,
        metric=name.removeprefix("neg_").replace("_", " "), greater_is_better=not is_error,
        seed=seed, notes=tuple(notes),
        record=record | {"call": report.call(compare_search, given, data=("search",))},
    )


def _check_measure(search: Any, scoring: Any, metric: str | None) -> None:
    """Refuse a measure that the search did not use, and errors for which more was called better."""
    plain = [_SHORT.get(name := rules.simple(x), name) for x in (scoring, metric)]
    kinds = [(rules.metric_range(name) or [""])[0] for name in plain]
    if kinds == ["score", "score"] and plain[0] != plain[1]:
        rules.apply("search-measure", scoring=scoring, metric=metric)
    measure = getattr(getattr(scoring, "_score_func", None), "__name__", "")
    found = rules.metric_range(measure)
    if found and found[0] == "error" and getattr(scoring, "_sign", 1) > 0:
        rules.apply("error-metric", metric=measure, say="make_scorer(..., greater_is_better=False)")


def _scores(results: Any, metric: str | None) -> np.ndarray:
    """Return the scores on each split, shape (candidates, splits)."""
    there = [key.removeprefix("mean_test_") for key in results if key.startswith("mean_test_")]
    if (there != ["score"] or metric == "train_score") and metric not in there:
        there_is = ", ".join(there) or "those of a search"
        rules.apply("search-metric", there=there_is, given=repr(metric))
    name = "score" if there == ["score"] else metric
    columns: list[np.ndarray] = []
    while (key := f"split{len(columns)}_test_{name}") in results:
        columns.append(np.asarray(results[key], dtype=float))
    if not columns:
        rules.apply("search-no-splits", name=name)
    return np.stack(columns, axis=1)


def _place(baseline: Any, candidates: list[dict[str, Any]]) -> int | None:
    """Return the index of the baseline among the candidates."""
    if baseline is None:
        return None
    if not isinstance(baseline, Mapping):
        return whole_number("baseline", baseline, at_least=0, at_most=len(candidates) - 1)
    fits = [
        place for place, one in enumerate(candidates)
        if all(name in baseline and baseline[name] == value for name, value in one.items())
    ]
    if len(fits) != 1:
        some = "; ".join(text(one) for one in candidates[:5]) + " …" * (len(candidates) > 5)
        raise ValueError(
            f"baseline must be the parameters of one candidate, and fits {len(fits)} of "
            f"{len(candidates)}: {some}"
        )
    return fits[0]
