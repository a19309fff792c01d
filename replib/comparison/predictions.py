"""Two classifiers on one test set: wins, losses and draws."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib.comparison import gate, pictures, report, words
from replib.comparison.gate import items as checked
from replib.comparison.words import number, p_value
from replib.intervals import ConfidenceInterval
from replib.significance import CountTestResult, mcnemar
from replib.validation import check_instance, check_level, rectangular_array, whole_number

if TYPE_CHECKING:
    import pandas as pd

    from replib.comparison.items import ItemComparison


@dataclass(frozen=True)
class PredictionComparison(report.Result):
    """Two classifiers compared on the instances of one test set, by McNemar's exact test.

    Attributes
    ----------
    names : tuple of two str
    wins, losses : int
        Instances that only A, and that only B, classified correctly.
    draws : int
        Instances that both or neither classified correctly.
    both : int or None
        The draws that both classified correctly; None if only the draws are known.
    alpha : float
        Significance level.
    notes : tuple of str
        What looks wrong with the predictions, in sentences.
    record : dict of str
        What was compared, and by which call.

    Notes
    -----
    The test judges these two trained classifiers.  A single test set cannot show how much of the
    difference is due to the luck of the training set.
    """

    names: tuple[str, ...]
    wins: int
    losses: int
    draws: int
    both: int | None = None
    alpha: float = 0.05
    notes: tuple[str, ...] = ()
    record: Mapping[str, str] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Instances of the test set."""
        return self.wins + self.losses + self.draws

    @property
    def neither(self) -> int | None:
        """Instances that neither classified correctly; None if `both` is None."""
        return None if self.both is None else self.draws - self.both

    @cached_property
    def recommended(self) -> CountTestResult:
        """Result of McNemar's exact test (:func:`replib.significance.mcnemar`)."""
        return mcnemar(self.wins, self.losses)

    @property
    def pvalue(self) -> float:
        return float(self.recommended.pvalue)

    @property
    def estimate(self) -> float:
        """Accuracy of A minus accuracy of B, a fraction."""
        return (self.wins - self.losses) / self.n

    @property
    def decision(self) -> int:
        """+1 if A is significantly better, -1 if B is, 0 if neither."""
        return int(np.sign(self.estimate)) if self.pvalue < self.alpha else 0

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return an interval of the difference of the accuracies (Agresti and Min 2005).

        The confidence level is 1 - `alpha` by default.
        It is Wald's interval with half an instance added to each of the four counts, which also
        covers where Wald's own fails: with few discordant instances.
        """
        confidence_level = 1 - self.alpha if confidence_level is None else confidence_level
        check_level("confidence_level", confidence_level)
        n, wins, losses = self.n + 2, self.wins + 0.5, self.losses + 0.5
        middle = (wins - losses) / n
        error = np.sqrt((wins + losses) / n - middle**2) / np.sqrt(n)
        reach = float(special.ndtri((1 + confidence_level) / 2) * error)
        return ConfidenceInterval(max(middle - reach, -1.0), min(middle + reach, 1.0))

    def replication_probability(self, confidence_level: float = 0.95) -> Any:
        """Predict whether the better one is significantly better again on as many new decisions.

        Calls :func:`replib.replication_probability.binomial`, with discordant instances instead
        of data sets; None if there are none.
        """
        from replib.replication_probability import binomial  # slow to load

        if self.wins + self.losses == 0:
            return None
        return binomial(
            max(self.wins, self.losses), self.wins + self.losses, alpha=self.alpha,
            confidence_level=confidence_level,
        )

    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""
        a, b = self.names
        if not self.wins + self.losses:
            return f"{a} and {b} were right and wrong on the same {self.n} instances."
        ahead, behind, more, less = (
            (a, b, self.wins, self.losses) if self.estimate >= 0 else (b, a, self.losses, self.wins)
        )
        verb = f"was {'' if self.decision else 'not '}significantly better than"
        low, high = sorted(np.sign(self.estimate or 1) * np.array(self.confidence_interval()))
        return (
            f"On {self.n} test instances {ahead} {verb} {behind}: only {ahead} was right on "
            f"{more}, only {behind} on {less} (McNemar's exact test, {p_value(self.pvalue)}; "
            f"difference in accuracy {number(abs(self.estimate))}, {words.level(self.alpha)} "
            f"confidence interval {number(low)} to {number(high)}). The test is "
            "about these trained classifiers, not about training them again."
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return everything in one row of a DataFrame."""
        import pandas as pd  # slow to load

        low, high = self.confidence_interval()
        again = self.replication_probability()
        return pd.DataFrame([{
            "a": self.names[0], "b": self.names[1],
            "wins": self.wins, "losses": self.losses, "both": self.both, "neither": self.neither,
            "difference": self.estimate, "low": low, "high": high,
            "pvalue": self.pvalue, "decision": self.decision,
            "replication": np.nan if again is None else again.point,
        }])

    def contents(self) -> report.Contents:
        """Return what the page of this comparison shows."""
        a, b = self.names
        again = self.replication_probability()
        draws = (
            {"both right or both wrong": self.draws} if self.both is None else
            {"both right": self.both, "both wrong": self.neither}
        )
        rows = {
            f"only {a} right": self.wins, f"only {b} right": self.losses,
            **draws,
            f"accuracy of {a} minus that of {b}": words.with_limits(
                self.estimate, *self.confidence_interval()
            ),
            "McNemar's exact test": p_value(self.pvalue),
        }
        if again is not None:
            rows["significant again, on as many new disagreements"] = words.of_interval(again)
        methods = (
            f"The predictions of {a} and {b} for one test set were compared by McNemar's exact "
            f"test (McNemar 1947), two-sided at the level {self.alpha:g}; the interval is that of "
            "Agresti and Min (2005). The test is about these two trained classifiers, not about "
            "the luck of their training set."
        )
        return report.Contents(
            f"{a} and {b}", {"Result": report.two_columns(rows)}, methods,
            ("mcnemar1947", "agresti_min2005", "berrar2024"),
            alt="Difference of the accuracies with its confidence interval, next to zero. Below, "
                "the shares of the test instances that only one of the two got right.",
        )

    def draw(self) -> Any:
        """Draw the difference with its interval, and the discordant instances."""
        a, b = self.names
        fig, axes = pictures.figure(1.5, 1.85)
        pictures.difference(
            axes[0], self.names, "difference in accuracy", self.estimate,
            self.confidence_interval(), level=words.level(self.alpha),
        )
        parts = ((f"only {b} right", self.losses / self.n),
                 ("both right or both wrong", self.draws / self.n),
                 (f"only {a} right", self.wins / self.n))
        pictures.shares(axes[1], parts, "instances", f"share of {self.n} test instances")
        return fig


def compare_predictions(
    y_true: ArrayLike,
    pred_a: ArrayLike,
    pred_b: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    paired_runs: bool = False,
    generalize: str | None = None,
    metric: str | Callable[..., float] | None = None,
    names: Sequence[str] | None = None,
    labels: ArrayLike | None = None,
    alpha: float = 0.05,
    resamples: int | None = None,
    seed: int = 0,
) -> "PredictionComparison | ItemComparison":
    """Compare two classifiers by their predictions for one test set.

    Parameters
    ----------
    y_true : array_like, shape (items,)
        The classes of the test instances.
    pred_a, pred_b : array_like, shape (items,) or (runs, items)
        Predicted classes, in the same order; Series and columns of DataFrames are aligned by
        their labels.  Scores or probabilities if `metric` takes them.
    groups : array_like, shape (items,), optional
        Cluster of each instance, such as its patient or text, if instances depend on each other.
    paired_runs : bool, default False
        Whether run s of A and run s of B share their seed, or what the seed decides.
    generalize : {"both", "items", "seeds"}, optional
        The question: the *learners*, with new seeds on new items ("both", the default if there are
        two or more runs), these trained classifiers on new items ("items", the default for one
        run), or new seeds on these items ("seeds").
    metric : str or callable, optional
        Accuracy by default; "roc_auc", "balanced_accuracy", "f1" (of the second of two classes),
        "f1_macro", "matthews_corrcoef", or a function of `y_true` and one row of predictions; for
        all of them, higher is better.
    names : sequence of two str, optional
    labels : array_like, optional
        All classes, if the test set lacks some that may be predicted.
    alpha : float, default 0.05
    resamples, seed : int, optional
        Number of resamples and seed of permutations and bootstrap: 9999, or 1999 for a function.
        Other tests do not use them.

    Returns
    -------
    PredictionComparison or ItemComparison
        The first for the accuracy of one run on independent instances, by McNemar's exact test.

    Raises
    ------
    ValueError
        If these are not equally coded classes of the same instances, or the data cannot answer
        the question.

    Notes
    -----
    With several runs or with clusters the test is that of :func:`compare_item_scores`.  For one run
    the area under the ROC curve is tested by the method of DeLong et al. (1988); other metrics of
    trained classifiers by exchanging predictions, p = (1 + b) / (1 + B), with a BCa bootstrap
    interval; everything else by the model of `replib.variance` for the pseudo-values of
    `replib.comparison.metrics`.

    Examples
    --------
    >>> y = [0, 0, 0, 1, 1, 1, 1, 1]
    >>> result = compare_predictions(y, [0, 0, 0, 1, 1, 1, 1, 0], [0, 1, 1, 0, 0, 0, 1, 1])
    >>> result.wins, result.losses, result.both, result.neither, round(result.pvalue, 4)
    (5, 1, 2, 0, 0.2188)
    >>> scores = compare_predictions(y, [.1, .4, .2, .8, .6, .7, .9, .3],
    ...                              [.4, .6, .5, .3, .2, .4, .8, .7], metric="roc_auc")
    >>> round(scores.estimate, 4), round(scores.pvalue, 4)
    (0.5, 0.0792)
    """
    given = dict(locals())
    gate.check_alpha(alpha)
    data = {"y_true": y_true, "pred_a": pred_a, "pred_b": pred_b, "labels": labels}
    for name, x in (data | {"groups": groups}).items():
        rectangular_array(name, x if x is not None else ())
    shapes = {len(np.shape(x)) == 2 and 1 not in np.shape(x) for x in (pred_a, pred_b)}
    check_instance("generalize", generalize, str, type(None))
    record = {"call": report.call(compare_predictions, given, (*data, "groups"))}
    plain = metric is None or str(metric) == "accuracy"
    if plain and shapes == {False} and groups is None and generalize in (None, "items"):
        called, (a, b), seen = gate.predictions(
            y_true, pred_a, pred_b, names=names, classes=labels
        )
        count: Callable[..., Any] = lambda which: int(np.count_nonzero(which))
        return PredictionComparison(
            names=tuple(called), wins=count(a & ~b), losses=count(~a & b), draws=count(a == b),
            both=count(a & b), alpha=alpha, notes=(*seen, *checked.pooled(y_true)), record=record,
        )
    from replib.comparison import items, metrics

    design: dict[str, Any] = {
        "groups": groups, "paired_runs": paired_runs, "generalize": generalize,
    }
    if metric is not None and not plain:
        return metrics.compare(
            y_true, pred_a, pred_b, metric=metric, names=names, classes=labels, alpha=alpha,
            record=record, resamples=resamples, seed=seed, **design,
        )
    read = checked.predicted(y_true, pred_a, pred_b, groups=groups, names=names)
    _, (a, b), notes = checked.classes_of(read, labels)
    return items.compared(
        read.names, a, b, alpha=alpha, metric="accuracy", record=record,
        notes=(*notes, *checked.copies(a, b, read.names), *checked.pooled(read.truth)),
        **design | {"groups": read.groups},
    )


def compare_counts(
    wins: int, losses: int, draws: int, *, names: tuple[str, str] = ("A", "B"), alpha: float = 0.05
) -> PredictionComparison:
    """Compare two classifiers by how many instances only A, only B, and both or neither got right.

    Parameters
    ----------
    wins, losses, draws : int
        At least 0; `draws` are the instances that both or neither got right.
    names : tuple of two str
    alpha : float, default 0.05

    Returns
    -------
    PredictionComparison

    Raises
    ------
    ValueError
        If a count is not a whole number of at least 0, or all are 0.

    Examples
    --------
    >>> round(compare_counts(25, 12, 163).pvalue, 6)
    0.047031
    """
    gate.check_alpha(alpha)
    given = {"wins": wins, "losses": losses, "draws": draws}
    wins, losses, draws = (whole_number(name, x, at_least=0) for name, x in given.items())
    if wins + losses + draws == 0:
        raise ValueError("wins, losses and draws are all 0: there is nothing to compare")
    called = gate.classifier_names(names, ("A", "B"))
    return PredictionComparison(called, wins, losses, draws, alpha=alpha)
