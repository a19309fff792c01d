"""Many classifiers on many data sets: who is better, and would another collection say so too?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from replib.checks import check_flag, check_level, whole_number
from replib.comparison import pictures, report, words
from replib.multiple_comparisons import adjusted_pvalues
from replib.significance import sign_test, signed_rank

if TYPE_CHECKING:
    import pandas as pd

_BOOTSTRAP = 2000


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
    seed : int
        Of the bootstrap in `pairs`.
    notes : tuple of str
        What looks wrong about the scores, in sentences.
    record : dict of str
        What was compared, and by which call.
    splits : DataFrame, optional
        Scores on each split, with the index `dataset`, `run`, `fold`, where they were computed.
    """

    scores: "pd.DataFrame"
    alpha: float
    greater_is_better: bool
    seed: int
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

    def sentence(self) -> str:
        """The result in words that can go into a paper."""
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
        """The same as `pairs`."""
        return self.pairs

    def contents(self) -> report.Contents:
        """What the page of this comparison shows."""
        import pandas as pd

        pairs = self.pairs
        shown = pd.DataFrame({
            "better": pairs["a"], "than": pairs["b"],
            "wins-losses-draws": [f"{r.wins}-{r.losses}-{r.draws}" for r in pairs.itertuples()],
            "median difference": pairs["difference"].map(words.number),
            "p (Holm)": pairs["holm"].map("{:.3g}".format),
            "says": pairs["decision"].map({1: "better", 0: "no difference"}),
            "significant again": [
                f"{words.share(r.replication)} ({words.share(r.replication_low)} to "
                f"{words.share(r.replication_high)})" for r in pairs.itertuples()
            ],
        }).set_index("better")
        ranks = self.mean_ranks.map("{:.2f}".format).to_frame().rename_axis("classifier")
        methods = (
            "Classifiers were compared over data sets by Friedman's test in the F form of Iman and "
            "Davenport (1980), each pair by Wilcoxon's signed-rank test (1945), exact, with Holm's "
            f"correction (1979), two-sided at the level {self.alpha:g} (Demsar 2006). The "
            "probability that a pair is significant again on as many other data sets is that of "
            "Berrar (2024), with the bootstrap's deviation of z."
        )
        return report.Contents(
            f"{len(ranks)} classifiers on {len(self.scores)} data sets",
            {"Mean ranks": ranks, "Pairs": shown}, methods,
            ("demsar2006", "iman_davenport1980", "wilcoxon1945", "holm1979", "berrar2024"),
            alt="Mean ranks on an axis, the best on the left. Bars join classifiers of which no "
                "pair differs significantly after Holm's correction.",
        )

    def draw(self) -> Any:
        """The picture: mean ranks, and bars over classifiers that do not differ."""
        return pictures.groups(
            self.mean_ranks.to_dict(), pictures.cliques(alike(self.pairs, list(self.mean_ranks.index))),
            "mean rank, 1 the best", "{:.2f}",
        )


def alike(pairs: "pd.DataFrame", order: list[Any]) -> np.ndarray:
    """Return which pairs do not differ after correction, by the places of their names.

    Parameters
    ----------
    pairs : DataFrame
        With the columns `a`, `b`, `decision`.
    order : list
        Names.

    Returns
    -------
    ndarray of bool, shape (classifiers, classifiers)
    """
    place = {name: i for i, name in enumerate(order)}
    same = np.ones((len(order), len(order)), dtype=bool)
    for row in pairs[pairs["decision"] != 0].itertuples():
        same[place[row.a], place[row.b]] = same[place[row.b], place[row.a]] = False
    return same


def compare_benchmark(
    frame: "pd.DataFrame", *, greater_is_better: bool = True, alpha: float = 0.05, seed: int = 0
) -> Benchmark:
    """Compare classifiers over data sets.

    Parameters
    ----------
    frame : DataFrame
        Wide, with one row per data set and one column per classifier, and the data sets as index or as the
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
    import pandas as pd

    check_level("alpha", alpha)
    check_flag("greater_is_better", greater_is_better)
    seed = whole_number("seed", seed, at_least=0)
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(f"frame must be a DataFrame of scores, not a {type(frame).__name__}")
    wide = _wide(frame)
    n, k = wide.shape
    if k < 2:
        raise ValueError(
            f"there is only one classifier, {wide.columns[0]!r}: give a column for each"
        )
    if n < 2:
        raise ValueError("there is only one data set: compare its scores with compare_scores")
    notes = []
    if n < 6:
        notes.append(
            f"With {n} data sets no signed-rank test can be significant at 5%: six are the fewest."
        )
    if k > n:
        notes.append(
            f"There are more classifiers ({k}) than data sets ({n}): are rows and columns swapped?"
        )
    top = wide.abs().max()
    if top.max() > 1.5 and top.min() <= 1 and top.max() > 20 * top.min() > 0:
        raise ValueError(
            f"the scores of {top.idxmax()} look like percent and those of {top.idxmin()} like "
            "fractions: bring all to one scale"
        )
    return Benchmark(wide, alpha, greater_is_better, seed, tuple(notes))


def bootstrap_sd(
    differences: np.ndarray, rng: np.random.Generator, samples: int = _BOOTSTRAP
) -> float:
    """Standard deviation of the signed-rank z over redrawn data sets (Berrar 2024)."""
    n = len(differences)
    drawn = differences[rng.integers(n, size=(samples, n))]
    return float(np.std(signed_rank(drawn, method="normal").zstatistic, ddof=1))


_LONG = ("dataset", "classifier", "score")


def _wide(frame: "pd.DataFrame") -> "pd.DataFrame":
    import pandas as pd

    names = [str(name).lower() for name in frame.columns]
    if frame.columns.duplicated().any():
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(
            f"two columns are called {twice!r}: give each classifier a name of its own"
        )
    if {"classifier", "score"} & set(names):
        missing = [name for name in _LONG if name not in names]
        if missing:
            raise ValueError(
                f"a long frame has the columns dataset, classifier and score; {', '.join(missing)} "
                f"is missing among {', '.join(map(str, frame.columns))}"
            )
        long = frame.set_axis(names, axis=1)
        long = long.assign(score=_numeric(long[["score"]])["score"])
        wide = long.pivot_table("score", "dataset", "classifier", aggfunc="mean", sort=False)
    else:
        if "dataset" in names:
            frame = frame.set_index(frame.columns[names.index("dataset")])
        wide = _numeric(frame)
        wide = wide.groupby(level=0, sort=False).mean() if wide.index.has_duplicates else wide
    gaps = wide.isna()
    if gaps.to_numpy().any():
        dataset, classifier = next(iter(gaps.stack().loc[lambda x: x].index))
        raise ValueError(
            f"{int(gaps.to_numpy().sum())} scores are missing, such as that of {classifier} on "
            f"{dataset}: every classifier needs a score on every data set"
        )
    if not np.isfinite(wide.to_numpy()).all():
        raise ValueError("a score is infinite")
    return pd.DataFrame(wide)


def _numeric(frame: "pd.DataFrame") -> "pd.DataFrame":
    for column in frame:
        if frame[column].dtype.kind not in "biuf":
            raise ValueError(
                f"column {column!r} holds {frame[column].iloc[0]!r}, no number: name the column of "
                "the data sets 'dataset', or make it the index"
            )
    # a mean over repetitions would skip what is missing in silence
    incomplete = frame.columns[frame.isna().any()]
    if len(incomplete):
        row = frame.index[frame[incomplete[0]].isna()][0]
        raise ValueError(
            f"column {incomplete[0]!r} has no score in row {row!r}: every classifier needs a score "
            "on every data set"
        )
    return frame.astype(float)
