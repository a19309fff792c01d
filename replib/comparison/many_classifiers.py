"""The result for three or more classifiers on one data set: every pair, corrected for all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from replib.comparison import agreement, pictures, report, tests_in_use, words
from replib.comparison.design import Design
from replib.multiple_comparisons import adjusted_pvalues
from replib.significance import corrected_resampled_t

if TYPE_CHECKING:  # pandas would take longer to load than a comparison takes
    import pandas as pd


@dataclass(frozen=True, eq=False)
class MultipleComparison(report.Result):
    """Three or more classifiers compared on the splits of one data set, pair by pair.

    Pairs are tested with the corrected resampled t test.  Every decision is made after the
    correction for the number of pairs.

    Attributes
    ----------
    names : tuple of str
    scores : tuple of ndarray, shape (runs, folds)
        One for each name.
    design : Design
        How the splits were made.
    alpha : float
        The largest acceptable probability of any false decision among the pairs.
    metric : str
        Name of the scores.
    greater_is_better : bool
    correction : str
        One of :data:`replib.comparison.agreement.CORRECTIONS`.
    notes : tuple of str
        What looks wrong with the scores, in sentences.
    record : dict of str
        What was compared, and by which call.
    """

    names: tuple[str, ...]
    scores: tuple[np.ndarray, ...]
    design: Design
    alpha: float = 0.05
    metric: str = "score"
    greater_is_better: bool = True
    correction: str = "holm"
    notes: tuple[str, ...] = ()
    record: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def means(self) -> "pd.Series":
        """Mean score of each classifier, the best first."""
        import pandas as pd

        means = pd.Series({name: x.mean() for name, x in zip(self.names, self.scores)}, name="mean")
        return means.sort_values(ascending=not self.greater_is_better, kind="stable")

    @cached_property
    def _order(self) -> list[tuple[int, int]]:
        """Indices of each pair, the better mean first."""
        return list(combinations([self.names.index(name) for name in self.means.index], 2))

    @cached_property
    def differences(self) -> np.ndarray:
        """Advantage of the first of each pair, shape (pairs, runs, folds), ordered as `pairs`."""
        sign = 1 if self.greater_is_better else -1
        return np.array([sign * (self.scores[a] - self.scores[b]) for a, b in self._order])

    @cached_property
    def tested(self) -> Any:
        """Result of :func:`replib.significance.corrected_resampled_t` for all pairs, unadjusted."""
        return tests_in_use.quietly(
            corrected_resampled_t, self.differences, axis=(-2, -1),
            test_train_ratio=self.design.test_train_ratio,
        )

    @cached_property
    def pvalue(self) -> Any:
        """P-value of each pair, adjusted for the number of pairs, in the order of `pairs`."""
        return adjusted_pvalues(self.tested.pvalue, method=self.correction)

    @cached_property
    def _predicted(self) -> tuple[agreement.Agreement, agreement.Agreement] | None:
        if self.design.runs < 2:
            return None
        return agreement.of_corrected(
            self.differences, test_train_ratio=self.design.test_train_ratio, alpha=self.alpha,
            correction=self.correction,
        )

    @property
    def agreement(self) -> agreement.Agreement | None:
        """Predicted probability that a rerun reaches all decisions again.

        None where it cannot be predicted: for a single run, and if the runs of a pair are all
        equal.  `pairs` has the probability for each pair.
        """
        if self._predicted is None or np.isnan(self._predicted[1].point):
            return None
        return self._predicted[1]

    @cached_property
    def pairs(self) -> "pd.DataFrame":
        """Each pair of classifiers, the one with the better mean first.

        Returns
        -------
        DataFrame
            `a`, `b`; `difference`, the advantage of a, with `low` and `high`, intervals that
            cover all differences at once with probability 1 - alpha (Bonferroni; with the
            correction "none", each by itself); `statistic`, `df`; `unadjusted` and `pvalue`, the
            p-value before and after the correction; `decision`, 1 if that is below alpha;
            `agreement` with `agreement_low` and `_high`, the predicted probability that a rerun
            makes the same corrected decision.
        """
        import pandas as pd

        one, m = self.tested, len(self._order)
        level = 1 - self.alpha / (1 if self.correction == "none" else m)
        low, high = one.confidence_interval(level)
        again = self._predicted[0] if self._predicted else None
        missing = np.full(m, np.nan)
        return pd.DataFrame({
            "a": [self.names[a] for a, _ in self._order],
            "b": [self.names[b] for _, b in self._order],
            "difference": one.estimate, "low": low, "high": high,
            "statistic": one.statistic, "df": one.df,
            "unadjusted": one.pvalue, "pvalue": self.pvalue,
            "decision": (self.pvalue < self.alpha).astype(int),
            "agreement": again.point if again else missing,
            "agreement_low": again.low if again else missing,
            "agreement_high": again.high if again else missing,
        })

    def to_frame(self) -> "pd.DataFrame":
        """Return `pairs`."""
        return self.pairs

    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""
        pairs = self.pairs
        found = [(row.a, row.b, row.pvalue) for row in pairs.itertuples() if row.decision]
        comparative, best = words.better(self), self.means
        superlative = {"higher": "highest", "lower": "lowest"}[comparative]
        every = f"the same decision about all {len(pairs)} pairs"
        return (
            f"{best.index[0]} had the {superlative} {words.mean_of(self.metric)} of {len(best)} "
            f"classifiers ({words.number(best.iloc[0])}). "
            f"{words.of_pairs(comparative, found, len(pairs))} (corrected resampled t tests on "
            f"{self.design}, {words.adjusted(self.correction, len(pairs))}, level {self.alpha:g}). "
            f"{words.SPEAKS_OF} {words.rerun(self, every)}"
        )

    def contents(self) -> report.Contents:
        """Return what the page of this comparison shows."""
        import pandas as pd

        pairs = self.pairs
        comparative = words.better(self)
        shown = pd.DataFrame({
            "": pairs["a"], "compared with": pairs["b"],
            "difference": [words.with_limits(r.difference, r.low, r.high)
                           for r in pairs.itertuples()],
            "adjusted p": pairs["pvalue"].map("{:.3g}".format),
            "says": pairs["decision"].map({1: comparative, 0: "no difference"}),
            "rerun agrees": words.shares(pairs, "agreement"),
        }).set_index("")
        means = self.means.map(words.number).to_frame(words.mean_of(self.metric))
        adjusted = words.adjusted(self.correction, len(pairs))
        methods = (
            f"{words.listed(list(self.names))} were scored on the same splits, {self.design}. Each "
            f"difference of two means was tested with the corrected resampled t test (Nadeau and "
            "Bengio 2003; for repeated cross-validation Bouckaert and Frank 2004), two-sided, with "
            f"the test/train ratio {self.design.test_train_ratio:.4g}. P-values are {adjusted} "
            f"and compared with {self.alpha:g}. "
        )
        if self.correction != "none":
            methods += (
                "The intervals hold for all pairs at once (Bonferroni). Holm's correction, which "
                "is less strict, can find a difference whose interval just reaches 0. "
                if self.correction == "holm" else "The intervals hold for all pairs at once. "
            )
        if self.agreement is not None:
            methods += (
                "That a rerun with another seed makes the same corrected decisions was predicted "
                "by simulating it from the spread of the runs, which are independent given the "
                "data."
            )
        return report.Contents(
            f"{len(means)} classifiers", {"Means": means, "Pairs": shown}, methods,
            ("nadeau_bengio2003", "bouckaert_frank2004", "holm1979"),
            alt=f"The {words.mean_of(self.metric)} of each classifier on an axis. Bars join "
                "classifiers of which no pair differs significantly after the correction.",
        )

    def draw(self) -> Any:
        """Draw means, and bars over classifiers that do not differ."""
        return pictures.groups(self.means, self.pairs, words.mean_of(self.metric), "{:.3f}")
