"""What is found of two classifiers on one data set, and what can be asked of it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from replib.comparison import agreement, tests_in_use
from replib.comparison.design import Design
from replib.significance import TTestResult, corrected_resampled_t

if TYPE_CHECKING:  # these take longer to load than a comparison takes
    import pandas as pd

    from replib.replication_probability import ReplicationProbability


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
    def recommended(self) -> TTestResult:
        """Result of :func:`replib.significance.corrected_resampled_t` on all differences."""
        return tests_in_use.quietly(
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
        return self.recommended.direction if self.pvalue < self.alpha else 0

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Interval of the difference that the test would not reject."""
        return self.recommended.confidence_interval(confidence_level)

    @cached_property
    def agreement(self) -> agreement.Agreement | None:
        """Predicted probability that a rerun decides the same; None for a single run."""
        if self.design.runs < 2:
            return None
        return agreement.predict(
            self.differences, test_train_ratio=self.design.test_train_ratio, alpha=self.alpha
        )

    @property
    def is_stable(self) -> bool | None:
        """Whether that probability is at least 95 %; None for a single run."""
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

    def replication_probability(self, confidence_level: float = 0.95) -> "ReplicationProbability":
        r"""Probability of a significant result in the same direction on *new data* of this size.

        :func:`replib.replication_probability.cv_t` with the interval that covers: the statistic of
        new data is taken for noncentral t with n - 1 degrees of freedom, whose noncentrality is the
        observed statistic (Berrar 2024, Proposition 2).

        Notes
        -----
        What this assumes, no single data set can show: that the correction allows for the variance
        between data sets.  For repeated cross-validation on simulated sources it nearly does; for a
        single cross-validation T varies less than the law says.  And as it takes the observed
        effect for the true one, it is too high for a result that was looked at because it was
        significant.
        """
        from replib.replication_probability import cv_t  # slow to load

        return cv_t(
            abs(self.statistic), self.design.splits, alpha=self.alpha,
            confidence_level=confidence_level,
        )

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
        return tests_in_use.table(self)

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
        from replib.comparison import report

        return report.fragment(self)

    def plot(self):
        """A Matplotlib figure: differences of each run, their interval, what a rerun may say."""
        from replib.comparison import report

        return report.picture(self)

    def report(self, path: str | Path) -> Path:
        """Write one HTML file with everything, which needs no network."""
        from replib.comparison import report

        return report.write(self, path)


def _flat(name: str, value) -> dict[str, float]:
    parts = (np.nan,) * 3 if value is None else (value.point, value.low, value.high)
    return {name: parts[0], f"{name}_low": parts[1], f"{name}_high": parts[2]}
