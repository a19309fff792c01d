"""Two models on the items of one test set, in one or more runs, with or without clusters."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replib.comparison import gate, pictures, report, rules, words
from replib.comparison.agreement import Agreement
from replib.comparison.gate import items as checked
from replib.comparison.words import number, p_value
from replib.intervals import ConfidenceInterval
from replib.replication_probability import ReplicationProbability
from replib.significance import TestResult
from replib.validation import (
    check_choice,
    check_flag,
    check_instance,
    rectangular_array,
)
from replib.variance import (
    QUESTIONS,
    MeanSquares,
    VarianceComponents,
    difference_test,
    mean_squares,
    recurrence,
    variance_components,
)

#: What the test is about, by question.
SPEAKS_OF = {
    "both": "The test is about training with a new seed, and about new items.",
    "items": "The test is about these two trained models on new items, not about training them "
    "again.",
    "seeds": "The test is about training with a new seed on these very items, not about new items.",
}


@dataclass(frozen=True, eq=False)
class ItemComparison(report.Result):
    """Two models compared on the items of one test set.

    Attributes
    ----------
    names : tuple of two str
    scores : tuple of two ndarray, shape (runs, items)
        Score of each run on each item; pseudo-values for a metric that is not a mean.
    groups : ndarray or None, shape (items,)
        Cluster of each item.
    generalize : {"both", "items", "seeds"}
        What is drawn again in the question that the test answers.
    squares : MeanSquares
        Mean squares of item, seed and seed × item (`replib.variance.mean_squares`).
    paired_runs : bool
    alpha : float
        Significance level.
    metric : str
        Name of the mean of the scores.
    test : TestResult or None
        A test of these trained models other than Student's t, with its name in `how`.
    limits : callable or None
        The confidence interval of that test.
    notes : tuple of str
        What looks wrong, in sentences.
    record : dict of str
        What was compared, and by which call.
    """

    names: tuple[str, ...]
    scores: tuple[np.ndarray, np.ndarray]
    groups: np.ndarray | None
    generalize: str
    squares: MeanSquares
    paired_runs: bool = False
    alpha: float = 0.05
    metric: str = "score"
    test: TestResult | None = None
    how: str = ""
    limits: Any = None
    notes: tuple[str, ...] = ()
    record: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def recommended(self) -> TestResult:
        """Result of the test that answers the question."""
        return self.test or difference_test(self.squares, generalize=self.generalize)

    @cached_property
    def components(self) -> VarianceComponents:
        """Components of the variance of the difference (`replib.variance.variance_components`)."""
        return variance_components(*self.scores, groups=self.groups, paired_runs=self.paired_runs)

    @property
    def statistic(self) -> float:
        return float(self.recommended.statistic)

    @property
    def df(self) -> float | None:
        """Degrees of freedom; None for a test that has none."""
        df = getattr(self.recommended, "df", None)
        return None if df is None else float(df)

    @property
    def pvalue(self) -> float:
        return float(self.recommended.pvalue)

    @property
    def estimate(self) -> float:
        """Mean of A minus mean of B, in the unit of the scores."""
        return float(self.squares.estimate)

    @property
    def decision(self) -> int:
        """+1 if A is significantly better, -1 if B is, 0 if neither."""
        return int(np.sign(self.estimate)) if self.pvalue < self.alpha else 0

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return an interval of the difference, in the unit of the scores; by default 1 - alpha."""
        confidence_level = 1 - self.alpha if confidence_level is None else confidence_level
        recommended: Any = self.recommended  # a t test, where there is no exact interval
        limits = self.limits or recommended.confidence_interval
        return limits(confidence_level)

    @cached_property
    def agreement(self) -> Agreement | None:
        """Predicted probability that new seeds on the same items lead to the same decision.

        None where it cannot be predicted: for a single run, for runs that have no spread, and for
        a permutation test.
        """
        if self.test is not None or min(self.squares.runs) < 2 or not self.squares.seed.any():
            return None
        a, b, neither = zip(*recurrence(
            self.squares, generalize=self.generalize, alpha=self.alpha
        ))
        seen = {1: a, -1: b, 0: neither}[self.decision]
        point, low, high = map(float, seen)
        return Agreement(point, low, high, self.decision, (float(a[0]), float(b[0])))

    def replication_probability(self, confidence_level: float = 0.95) -> ReplicationProbability:
        """Predict whether the model ahead is significantly better again on new items.

        With two or more runs, the seeds are also new; see `replib.variance.recurrence`.
        """
        found = recurrence(
            self.squares, generalize=self.generalize, new_items=True, alpha=self.alpha,
            confidence_level=confidence_level,
        )
        return ReplicationProbability(*(float(x[int(self.estimate < 0)]) for x in found))

    def design(self) -> str:
        """Return items, clusters and runs in words."""
        squares = self.squares
        independent = (
            "taken to be independent" if self.groups is None else f"in {squares.units} clusters"
        )
        runs, others = (("one run" if n == 1 else f"{n} runs") for n in map(len, self.scores))
        of = "each model" if runs == others else f"{self.names[0]} and {others} of {self.names[1]}"
        return f"{squares.items} items, {independent}, in {runs} of {of}"

    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""
        a, b = (f"{name} ({number(x.mean())})" for name, x in zip(self.names, self.scores))
        single = max(map(len, self.scores)) == 1 and self.metric != "score"
        metric = self.metric if single else f"mean {self.metric}"
        what = {
            0: f"the {metric} of {a} and {b} did not differ significantly",
            1: f"{a} had a significantly higher {metric} than {b}",
            -1: f"{b} had a significantly higher {metric} than {a}",
        }[self.decision]
        sign = -1 if self.decision < 0 else 1
        low, high = sorted(sign * limit for limit in self.confidence_interval())
        text = (
            f"On {self.design()}, {what} (difference {number(sign * self.estimate)}, "
            f"{words.level(self.alpha)} confidence interval {number(low)} to {number(high)}; "
            f"{self._test(sign)}). "
            f"{SPEAKS_OF[self.generalize]}"
        )
        if self.agreement is not None:
            text += (
                " With new seeds on the same items, the same decision is predicted with "
                f"probability {self.agreement.point:.2f} (95% interval {self.agreement.low:.2f} to "
                f"{self.agreement.high:.2f})."
            )
        return text

    def _test(self, sign: int = 1) -> str:
        if self.test is not None:
            return f"{self.how}, {p_value(self.pvalue)}"
        t, df = number(sign * self.statistic, 2), f"{self.df:.4g}"
        return f"t({df}) = {t}, {p_value(self.pvalue)}"

    def to_frame(self) -> Any:
        """Return everything in one row of a DataFrame."""
        import pandas as pd  # slow to load

        low, high = self.confidence_interval()
        again, agreement = self.replication_probability(), self.agreement
        parts = self.components
        return pd.DataFrame([{
            "a": self.names[0],
            "b": self.names[1],
            "metric": self.metric,
            "generalize": self.generalize,
            "items": self.squares.items,
            "clusters": np.nan if self.groups is None else self.squares.units,
            "runs": min(len(x) for x in self.scores),
            "mean_a": self.scores[0].mean(),
            "mean_b": self.scores[1].mean(),
            "difference": self.estimate,
            "low": low,
            "high": high,
            "statistic": self.statistic,
            "df": np.nan if self.df is None else self.df,
            "pvalue": self.pvalue,
            "decision": self.decision,
            "agreement": np.nan if agreement is None else agreement.point,
            "agreement_low": np.nan if agreement is None else agreement.low,
            "agreement_high": np.nan if agreement is None else agreement.high,
            "replication": again.point,
            "replication_low": again.low,
            "replication_high": again.high,
            **{f"variance_{x}": getattr(parts, x)
               for x in ("item", "cluster", "seed", "interaction")},
        }])

    def contents(self) -> report.Contents:
        """Return what the page of this comparison shows."""
        a, b = self.names
        rows = {
            f"mean {self.metric} of {a}": number(self.scores[0].mean()),
            f"mean {self.metric} of {b}": number(self.scores[1].mean()),
            f"{a} is better by": words.with_limits(self.estimate, *self.confidence_interval()),
            "test": words.with_minus(self._test()),
        }
        if self.agreement is not None:
            rows["new seeds, same items: same decision"] = words.of_interval(self.agreement)
        new = "items" if min(self.squares.runs) < 2 else "seeds and items"
        rows[f"new {new}: significant again"] = words.of_interval(self.replication_probability())
        parts = self.components.to_frame()
        parts.index = ["item", "cluster", "seed", "seed × item"]
        tables = {
            "Result": report.two_columns(rows),
            "Variance of the difference": parts[["variance", "share"]].map("{:.3g}".format),
        }
        return report.Contents(
            f"{a} and {b}", tables, self._methods(),
            ("miller2024", "brennan2001", *["delong1988"] * ("DeLong" in self.how)),
            alt="Difference of the models with its confidence interval, next to zero. Below, the "
                "shares of item, cluster, seed and seed × item in its variance.",
            shown=("Result",),
        )

    def _methods(self) -> str:
        how = {
            "both": "The variance of the difference is the largest of the mean squares of item, "
            "of seed, and of their sum less that of seed × item, with Satterthwaite's degrees of "
            "freedom.",
            "items": "The mean differences of the items were tested by Student's t.",
            "seeds": "The mean scores of the runs were tested by Welch's t.",
        }[self.generalize] if self.test is None else f"The test is {self.how}."
        of_items = (
            "The items are taken to be independent; items from one source (a text, a patient, a "
            "template) are not, and need groups." if self.groups is None else
            "The variance is robust to dependence within clusters (CR1)."
        )
        negative = " and ".join(self.components.negative)
        said = f" The estimate is negative, which means near 0, for {negative}." if negative else ""
        return (
            f"{self.names[0]} and {self.names[1]} were compared on {self.design()}, two-sided at "
            f"the level {self.alpha:g}. {how} {of_items} {SPEAKS_OF[self.generalize]} The "
            f"components of variance are unbiased estimates from mean squares.{said}"
        )

    def draw(self) -> Any:
        """Draw the difference with its interval, and the components of its variance."""
        fig, axes = pictures.figure(1.7, 1.5)
        runs = [x.mean(axis=1) for x in self.scores]
        paired = self.paired_runs and len(runs[0]) > 1
        pictures.difference(
            axes[0], self.names, f"difference in mean {self.metric}", self.estimate,
            self.confidence_interval(), runs[0] - runs[1] if paired else (), "runs",
            level=words.level(self.alpha),
        )
        parts = self.components.to_frame()
        labels = ["item", "cluster", "seed", "seed × item"]
        axes[1].barh(labels[::-1], parts["share"][::-1], color=pictures.BLUE, height=0.6)
        axes[1].set(xlim=(0, 1), xlabel="share of the variance of the difference")
        return fig


def compare_item_scores(
    a: ArrayLike,
    b: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    paired_runs: bool = False,
    generalize: str | None = None,
    names: Sequence[str] = ("A", "B"),
    metric: str = "score",
    alpha: float = 0.05,
) -> ItemComparison:
    """Compare two models by their scores on the items of one test set.

    Parameters
    ----------
    a, b : array_like, shape (items,) or (runs, items)
        Score of each run on each item; higher is better.  A run is one training, or one set of
        answers, with its own seed.  Series and columns of DataFrames are aligned by their labels;
        so are `groups`, and the rows of DataFrames if the runs are paired.
    groups : array_like, shape (items,), optional
        Cluster of each item, if items from the same source depend on each other.
    paired_runs : bool, default False
        Whether run s of A and run s of B share their seed, or what the seed decides.
    generalize : {"both", "items", "seeds"}, optional
        The question: the same two *learners* with new seeds on new items ("both", the default if
        there are two or more runs), these trained models on new items ("items", the default for one
        run), or new seeds on these items ("seeds").
    names : tuple of two str
    metric : str
        Name of the scores.
    alpha : float, default 0.05

    Returns
    -------
    ItemComparison

    Raises
    ------
    ValueError
        If the two arrays of scores do not match, or they cannot answer the question.

    Notes
    -----
    One run of right and wrong answers to independent items is tested by McNemar's exact test;
    everything else by Student's t, with the variance that the question asks for
    (`replib.variance.variance_of_difference`).

    Examples
    --------
    >>> rng = np.random.default_rng(7)
    >>> difficulty = rng.normal(size=300)
    >>> answers = lambda mean: difficulty + rng.normal(mean, 1, size=(5, 300)) > 0
    >>> result = compare_item_scores(answers(0.9), answers(0.7), names=("new", "old"))
    >>> print(result.sentence())  # doctest: +ELLIPSIS
    On 300 items, taken to be independent, in 5 runs of each model, new (0.714) had a ...
    >>> round(result.pvalue, 4)
    0.0036
    """
    given = dict(locals())
    check_flag("paired_runs", paired_runs)
    check_instance("metric", metric, str)
    for name, x in (("a", a), ("b", b), ("groups", () if groups is None else groups)):
        rectangular_array(name, x)
    names, a, b, groups, notes = checked.item_scores(
        a, b, groups=groups, paired_runs=paired_runs, names=names, metric=metric
    )
    return compared(
        names, a, b, groups=groups, paired_runs=paired_runs, generalize=generalize, alpha=alpha,
        metric=rules.printable(metric), notes=notes,
        record={"call": report.call(compare_item_scores, given, ("a", "b", "groups"))},
    )


def compared(
    names: tuple[str, ...], a: np.ndarray, b: np.ndarray, *, groups: Any, paired_runs: bool,
    generalize: str | None, alpha: float, notes: Iterable[str] = (), **others: Any,
) -> ItemComparison:
    """Compare blocks of runs x items that are already checked; see :func:`compare_item_scores`."""
    gate.check_alpha(alpha)
    asked = question(generalize, a, b)
    if paired_runs and len(a) != len(b):
        rules.apply("paired-runs", a=names[0], na=len(a), b=names[1], nb=len(b))
    clusters, of_groups = checked.clusters(groups, a.shape[1])
    squares = mean_squares(a, b, groups=clusters, paired_runs=paired_runs)
    notes = (*notes, *of_groups, *doubts(squares, asked, clusters is not None))
    if "test" not in others:
        others |= _exact_test(a, b, clusters)
    return ItemComparison(
        (names[0], names[1]), (a, b), clusters, asked, squares, paired_runs, alpha, notes=notes,
        **others,
    )


def _exact_test(a: np.ndarray, b: np.ndarray, groups: np.ndarray | None) -> dict[str, Any]:
    """Return McNemar's exact test where it applies: one run, independent items, right or wrong."""
    if groups is not None or len(a) + len(b) > 2 or not np.isin((a, b), (0, 1)).all():
        return {}
    from replib.comparison.predictions import compare_counts

    wins, losses = int((a > b).sum()), int((a < b).sum())
    counts = compare_counts(wins, losses, a.size - wins - losses)
    return {"test": counts.recommended, "how": "McNemar's exact test",
            "limits": counts.confidence_interval}


def doubts(squares: MeanSquares, asked: str, clustered: bool) -> list[str]:
    """Note where the design has too few clusters or runs."""
    notes, inexact = [], "the Type I error can be up to 7% at a nominal 5%"
    if clustered and asked != "seeds" and squares.effective < 10:
        unequal = squares.units - squares.effective > 0.5
        worth = f" of unequal size, worth {squares.effective:.1f} equal ones," if unequal else ""
        notes.append(
            f"{squares.units} clusters{worth} are few: the variance between clusters is uncertain, "
            f"and {inexact}."
        )
    if asked != "items" and min(squares.runs) == 2:
        notes.append(
            f"Two runs tell little about the spread between seeds: {inexact}, and the power is low."
        )
    return notes


def question(generalize: str | None, a: np.ndarray, b: np.ndarray) -> str:
    """Return the question, by default the widest that the runs can answer."""
    runs = min(len(a), len(b))
    if generalize is None:
        return "both" if runs > 1 else "items"
    check_choice("generalize", generalize, QUESTIONS)
    if runs == 1 and generalize != "items":
        raise ValueError(
            f"generalize={generalize!r} asks about new seeds, and one run shows no spread between "
            "seeds: give two or more runs of each model, or ask about 'items'"
        )
    return generalize
