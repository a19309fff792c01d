"""The result for two classifiers on one data set."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from replib.comparison import agreement, pictures, report, tests_in_use, words
from replib.comparison.design import Design
from replib.significance import TTestResult, corrected_resampled_t

if TYPE_CHECKING:  # these take longer to load than a comparison takes
    import pandas as pd

    from replib.replication_probability import ReplicationProbability


@dataclass(frozen=True, eq=False)
class Comparison(report.Result):
    """Two classifiers compared on the splits of one data set.

    The main results are `pvalue`, `estimate`, :meth:`confidence_interval`, `decision` and
    `agreement`; they are those of the corrected resampled t test.

    Attributes
    ----------
    names : tuple of two str
    scores : tuple of two ndarray, shape (runs, folds)
    design : Design
        How the splits were made.
    alpha : float
        Significance level.
    metric : str
        Name of the scores.
    greater_is_better : bool
    notes : tuple of str
        What looks wrong with the scores, in sentences.
    record : dict of str
        What was compared, and by which call.
    """

    names: tuple[str, ...]
    scores: tuple[np.ndarray, np.ndarray]
    design: Design
    alpha: float = 0.05
    metric: str = "score"
    greater_is_better: bool = True
    notes: tuple[str, ...] = ()
    record: Mapping[str, str] = field(default_factory=dict)

    @property
    def differences(self) -> np.ndarray:
        """Advantage of A on each split, shape (runs, folds)."""
        a, b = self.scores
        return a - b if self.greater_is_better else b - a

    @cached_property
    def recommended(self) -> TTestResult:
        """Result of :func:`replib.significance.corrected_resampled_t` on all differences."""
        return tests_in_use.quietly(
            corrected_resampled_t, self.differences,
            test_train_ratio=self.design.test_train_ratio, axis=(-2, -1),
        )

    @property
    def statistic(self) -> float:
        return self.recommended.statistic

    @property
    def pvalue(self) -> float:
        return self.recommended.pvalue

    @property
    def estimate(self) -> float:
        """Advantage of A, in the unit of the scores; negative if B is better."""
        return self.recommended.estimate

    @property
    def decision(self) -> int:
        """+1 if A is significantly better, -1 if B is, 0 if neither."""
        return int(self.recommended.direction) if self.pvalue < self.alpha else 0

    def confidence_interval(self, confidence_level: float | None = None) -> tuple[float, float]:
        """Return the interval of differences that the test would not reject.

        The confidence level is 1 - `alpha` by default.
        """
        confidence_level = 1 - self.alpha if confidence_level is None else confidence_level
        return self.recommended.confidence_interval(confidence_level)

    @cached_property
    def agreement(self) -> agreement.Agreement | None:
        """Predicted probability that a rerun reaches the same decision.

        None where it cannot be predicted: for a single run, and for runs that are all equal.
        """
        return agreement.of_rerun(
            self.differences, test_train_ratio=self.design.test_train_ratio, alpha=self.alpha
        )

    @property
    def is_stable(self) -> bool | None:
        """Whether `agreement` is at least 95%; None if it cannot be predicted."""
        return None if self.agreement is None else bool(self.agreement.point >= 0.95)

    @cached_property
    def runs_needed(self) -> float | None:
        """Runs, or random splits, with which 95 of 100 pairs of experiments would agree.

        Infinite above 100 000, None where `agreement` is None.  See
        :func:`replib.comparison.agreement.runs_needed`; :func:`replib.adaptive.curtailed` is a
        rule that adds runs one by one.
        """
        if self.agreement is None:
            return None
        return agreement.runs_needed(
            self.differences, test_train_ratio=self.design.test_train_ratio, alpha=self.alpha
        )

    def replication_probability(
        self, confidence_level: float = 0.95, *, scale: float | None = None, selected: bool = False
    ) -> "ReplicationProbability | None":
        r"""Return the probability of significance in the same direction on *new data* of this size.

        None where it cannot be predicted: for a difference that is the same on every split.

        This is :func:`replib.replication_probability.cv_t` with its interval: the statistic of
        new data is taken to be `scale` times a noncentral t with n - 1 degrees of freedom, whose
        noncentrality is the observed statistic divided by `scale` (Berrar 2024, Proposition 2).

        Parameters
        ----------
        confidence_level : float, default 0.95
        scale : float, optional
            How much more T varies between data sets than the correction supposes.  The default
            is that of `cv_t` for a single cross-validation, 0.85 with ten folds, and 1 for
            repeated cross-validation and random splits.
        selected : bool, default False
            Allow for having looked at the result because it is significant.

        Raises
        ------
        ValueError
            If an argument lies outside its range, or `selected` is True for a result that is not
            significant.

        Notes
        -----
        The probability is conditional on the new data being a sample of the same size from the
        same source, and on `scale`, which a single data set cannot show.  Over sources in
        simulations the scale was 0.68 to 0.97 for a single 10-fold cross-validation and 0.91 to
        1.27 for ten; at these the interval covers 91 to 98% and 88 to 97% instead of 95%.
        """
        from replib.replication_probability import cv_t  # slow to load

        if np.isinf(self.statistic):
            return None
        if scale is None and (self.design.runs > 1 or self.design.folds == 1):
            scale = 1.0
        return cv_t(
            abs(self.statistic), self.design.splits, alpha=self.alpha,
            confidence_level=confidence_level, scale=scale, selected=selected,
        )

    def probabilities(self, rope: float = 0.0) -> dict[str, float]:
        """Return the posterior probabilities of A better, practical equivalence, and B better.

        This is the Bayesian correlated t test of Corani and Benavoli: Student's t about the
        estimate, with the corrected standard error.

        Parameters
        ----------
        rope : float
            Half the width of the region of practical equivalence, in the unit of the scores.
        """
        if not isinstance(rope, Real) or not np.isfinite(rope) or rope < 0:
            raise ValueError(f"rope is a difference too small to matter, 0 or above, not {rope!r}")
        if rope >= 1 and 0 <= min(map(np.min, self.scores)) <= max(map(np.max, self.scores)) <= 1:
            raise ValueError(
                f"rope is a difference too small to matter, and no difference of scores from 0 to "
                f"1 is above {rope:g}: give it in the unit of the scores"
            )
        result = self.recommended
        above: Callable[..., Any] = lambda x: float(
            special.stdtr(result.df, (result.estimate - x) / result.standard_error)
            if result.standard_error > 0
            else (result.estimate > x) + 0.5 * (result.estimate == x)
        )
        a, b = above(rope), 1 - above(-rope)
        return {self.names[0]: a, "equivalent": max(1 - a - b, 0.0), self.names[1]: b}

    def tests(self) -> "pd.DataFrame":
        """Apply the recommended test and the other tests in use.

        Returns
        -------
        DataFrame
            One row per test: `statistic`, `pvalue`, `decision` as in `decision`; `agreement`,
            predicted as in `agreement` for the t tests; `type_1_error`, the Type I error rate at
            this level of a t test without correction if the differences correlate by the test
            fraction (missing for other tests: the corrected one assumes just that); `verdict`,
            from stored evidence about these splits and this level, or "not examined".
        """
        return tests_in_use.table(self.differences, self.design, self.alpha)

    def to_frame(self) -> "pd.DataFrame":
        """Return all numbers in one row, which can be stacked with those of other data sets."""
        import pandas as pd

        low, high = self.confidence_interval()
        return pd.DataFrame([{
            "a": self.names[0], "b": self.names[1],
            "metric": self.metric, "design": str(self.design),
            "mean_a": self.scores[0].mean(), "mean_b": self.scores[1].mean(),
            "difference": self.estimate, "low": low, "high": high,
            "statistic": self.statistic, "df": self.recommended.df,
            "pvalue": self.pvalue, "decision": self.decision,
            **_flat("agreement", self.agreement),
            "runs_needed": np.nan if self.runs_needed is None else self.runs_needed,
            **_flat("replication", self.replication_probability()),
        }])

    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""
        return words.sentence(self)

    def contents(self) -> report.Contents:
        """Return what the page of this comparison shows."""
        a, b = self.names
        rows = {
            f"{words.mean_of(self.metric)} of {a}": words.number(self.scores[0].mean()),
            f"{words.mean_of(self.metric)} of {b}": words.number(self.scores[1].mean()),
            f"{a} is better by": words.with_limits(self.estimate, *self.confidence_interval()),
            "corrected resampled t test": words.with_minus(
                f"t({self.recommended.df}) = {self.statistic:.3f}, {words.p_value(self.pvalue)}"
            ),
        }
        if self.agreement is not None:
            rows |= {
                "a rerun with another seed decides the same": words.of_interval(self.agreement),
                "runs for 95 of 100 reruns to agree": words.runs(self.runs_needed or np.inf),
            }
        if (again := self.replication_probability()) is not None:
            rows["significant again, on new data of this size"] = words.of_interval(again)
        return report.Contents(
            f"{a} and {b}", {"Result": report.two_columns(rows), "All tests": self._all_tests()},
            self._methods(),
            ("nadeau_bengio2003", "bouckaert_frank2004", "berrar2024", "corani_benavoli2015"),
            alt=(
                f"The mean difference of each of {self.design.runs} runs"
                f"{pictures.thinned(self.design.runs)} as dots, and their mean "
                "with its confidence interval, next to zero."
                + (" Below, what a rerun may find." if self.agreement else "")
            ),
            shown=("Result",),
        )

    def _all_tests(self) -> "pd.DataFrame":
        import pandas as pd

        a, b = self.names
        tests = self.tests()
        says = {1: f"{a} better", -1: f"{b} better", 0: "no difference"}
        return pd.DataFrame({
            "p": tests["pvalue"].map("{:.3g}".format), "says": tests["decision"].map(says),
            "rerun agrees": tests["agreement"].map(words.share),
            "Type I error": tests["type_1_error"].map(words.share), "verdict": tests["verdict"],
        })

    def _methods(self) -> str:
        a, b = self.names
        methods = (
            f"{a} and {b} were scored on the same splits, {self.design}. The difference of the "
            f"{words.mean_of(self.metric)} was tested with the corrected resampled t test (Nadeau "
            "and Bengio 2003; for repeated cross-validation Bouckaert and Frank 2004), two-sided "
            f"at the level {self.alpha:g}, with the test/train ratio "
            f"{self.design.test_train_ratio:.4g}. "
        )
        if self.agreement is not None:
            methods += (
                "That a rerun with another seed decides the same was predicted from the spread of "
                "the runs: given the data they are independent, and the distance of the statistic "
                "from its critical value was taken for noncentral t with one degree of freedom "
                "less than there are runs. "
            )
        return methods + (
            "The probability of a significant result on new data takes the observed effect for the "
            "true one (Berrar 2024) and the correction for right; both make it optimistic after a "
            "significant result. The Type I errors in the table are formulas for differences that "
            "correlate by the share of test data; a verdict was measured where it says so."
        )

    def draw(self) -> Any:
        """Draw the differences of the runs, their interval, and what a rerun may find."""
        fig, axes = pictures.figure(*([1.85, 1.85] if self.agreement is not None else [2.3]))
        pictures.difference(
            axes[0], self.names, f"difference in {self.metric}", self.estimate,
            self.confidence_interval(), self.differences.mean(axis=1),
            "runs" if self.design.folds > 1 else "splits", level=words.level(self.alpha),
        )
        if self.agreement is not None:
            a, b = self.names
            better_a, better_b = map(float, self.agreement.better)
            parts = ((f"{b} better", better_b), ("no difference", 1 - better_a - better_b),
                     (f"{a} better", better_a))
            pictures.shares(axes[1], parts, "a rerun finds", "predicted probability")
        return fig


def _flat(name: str, value: Any) -> dict[str, float]:
    parts = (np.nan,) * 3 if value is None else (value.point, value.low, value.high)
    return {name: parts[0], f"{name}_low": parts[1], f"{name}_high": parts[2]}
