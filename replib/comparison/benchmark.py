"""Many classifiers on many data sets: who is better, and would another collection say so too?"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from replib.checks import check_flag, check_level, whole_number
from replib.comparison import gate
from replib.multiple_comparisons import adjusted_pvalues
from replib.significance import sign_test, signed_rank

if TYPE_CHECKING:
    import pandas as pd

_BOOTSTRAP = 2000


@dataclass(frozen=True, eq=False)
class Benchmark:
    """Classifiers compared over data sets.

    Attributes
    ----------
    scores : DataFrame
        One row a data set, one column a classifier: means over repetitions.
    alpha : float
        Significance level.
    greater_is_better : bool
    seed : int
        Of the bootstrap in `pairs`.
    notes : tuple of str
        What looks wrong about the scores, in sentences.
    """

    scores: "pd.DataFrame"
    alpha: float
    greater_is_better: bool
    seed: int
    notes: tuple[str, ...]

    @cached_property
    def mean_ranks(self) -> "pd.Series":
        """Mean rank of each classifier, 1 the best, ties shared; the best first."""
        ranks = self.scores.rank(axis=1, ascending=not self.greater_is_better)
        return ranks.mean().sort_values(kind="stable").rename("mean rank")

    @cached_property
    def friedman_pvalue(self) -> float:
        """P-value of Friedman's test that all classifiers are alike; with two, of the sign test.

        In the F form of Iman and Davenport, which is less conservative than chi-square.
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
            `signed_rank` and `sign`, the p-values of the two exact tests; `holm`, the first
            adjusted for all pairs; `decision`, 1 if that is below alpha; `replication` with
            `replication_low` and `_high`, the probability that the signed-rank test is significant
            again on as many other data sets, and `sd`, the bootstrap's standard deviation of z that
            it takes.  Where a wins nearly everywhere, hardly a bootstrap sample shows a loss, and
            the interval is too narrow.
        """
        import pandas as pd

        from replib.replication_probability import wilcoxon

        rng = np.random.default_rng(self.seed)
        rows = []
        for a, b in combinations(self.mean_ranks.index, 2):
            d = (self.scores[a] - self.scores[b]).to_numpy()
            d = d if self.greater_is_better else -d
            ranked = signed_rank(d)
            if ranked.estimate < 0:
                a, b, d, ranked = b, a, -d, signed_rank(-d)
            sd = bootstrap_sd(d, rng)
            again = wilcoxon(ranked.zstatistic, sd, alpha=self.alpha) if sd > 0 else None
            rows.append(
                {
                    "a": a,
                    "b": b,
                    "wins": (d > 0).sum(),
                    "losses": (d < 0).sum(),
                    "draws": (d == 0).sum(),
                    "difference": np.median(d),
                    "signed_rank": ranked.pvalue,
                    "sign": sign_test(d).pvalue,
                    "sd": sd,
                    "replication": again.point if again else np.nan,
                    "replication_low": again.low if again else np.nan,
                    "replication_high": again.high if again else np.nan,
                }
            )
        frame = pd.DataFrame(rows)
        frame.insert(8, "holm", adjusted_pvalues(frame["signed_rank"], method="holm"))
        frame.insert(9, "decision", (frame["holm"] < self.alpha).astype(int))
        return frame

    @cached_property
    def critical_difference(self) -> float:
        """Difference of mean ranks that is significant for all pairs at once (Nemenyi)."""
        from scipy import stats

        n, k = self.scores.shape
        q = stats.studentized_range.isf(self.alpha, k, np.inf) / np.sqrt(2)
        return float(q * np.sqrt(k * (k + 1) / (6 * n)))

    def sentence(self) -> str:
        """The result in words that can go into a paper."""
        from replib.comparison.words import p_value

        n, k = self.scores.shape
        test = "Friedman's test (F form)" if k > 2 else "sign test"
        significant = [f"{row.a} than {row.b}" for row in self.pairs.itertuples() if row.decision]
        found = (
            "better were " + ", ".join(significant)
            if significant
            else "no pair differed significantly"
        )
        best = self.mean_ranks
        return (
            f"On {n} data sets {best.index[0]} had the best mean rank of {k} classifiers "
            f"({best.iloc[0]:.2f}; {test}: {p_value(self.friedman_pvalue)}); by Wilcoxon's "
            f"signed-rank tests with Holm's correction at the level {self.alpha:g}, {found}."
        )

    def __str__(self) -> str:
        return "\n".join([self.sentence(), *(f"Note: {note}" for note in self.notes)])

    def to_frame(self) -> "pd.DataFrame":
        """The same as `pairs`."""
        return self.pairs

    def plot(self):
        """Critical-difference picture: mean ranks, bars over classifiers that do not differ."""
        from replib import report

        return report.picture(self)

    def _repr_html_(self) -> str:
        from replib import report

        return report.fragment(self)

    def report(self, path):
        """Write one HTML file with everything, which needs no network."""
        from replib import report

        return report.write(self, path)


def compare_benchmark(
    frame: "pd.DataFrame", *, greater_is_better: bool = True, alpha: float = 0.05, seed: int = 0
) -> Benchmark:
    """Compare classifiers over data sets.

    Parameters
    ----------
    frame : DataFrame
        Wide, one row a data set and one column a classifier, with the data sets as index or as the
        column `dataset`; or long, with the columns `dataset`, `classifier`, `score`.  Several rows
        of one data set (and classifier) are repetitions, of which the mean is taken.
    greater_is_better : bool, default True
        False for errors and losses.
    alpha : float, default 0.05
    seed : int, default 0
        Of the bootstrap of the replication probability.

    Returns
    -------
    Benchmark

    Raises
    ------
    ValueError
        If a score is missing or no number, or there are too few data sets or classifiers.

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
    check_level("alpha", alpha)
    check_flag("greater_is_better", greater_is_better)
    seed = whole_number("seed", seed, at_least=0)
    wide, notes = gate.benchmark(frame, greater_is_better=greater_is_better)
    return Benchmark(wide, alpha, greater_is_better, seed, notes)


def bootstrap_sd(
    differences: np.ndarray, rng: np.random.Generator, samples: int = _BOOTSTRAP
) -> float:
    """Standard deviation of the signed-rank z over redrawn data sets (Berrar 2024)."""
    n = len(differences)
    drawn = differences[rng.integers(n, size=(samples, n))]
    return float(np.std(signed_rank(drawn, method="normal").zstatistic, ddof=1))
