"""Compare models: a table in, a result out.

:func:`compare` takes scores, or what a reader makes of files and objects, applies the test that
the design calls for to every pair of models, and returns one :class:`Result` for all designs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from replib import files, methods, metrics, pair_tests, report, rerun, words
from replib._validation import (
    Array,
    check_choice,
    check_level,
    listed,
    positive_number,
    shown,
)
from replib.designs import CV, Datasets, RandomSplits
from replib.doubts import doubts
from replib.multiple_comparisons import adjusted_pvalues
from replib.pair_tests import PairTests
from replib.readers import as_data
from replib.rerun import CORRECTIONS, Rerun
from replib.scores import Metric, Predictions, Scores

_DRAWS = 20_000
#: Most models of which all pairs are compared.
_MOST_MODELS = 100


@dataclass(frozen=True, eq=False)
class Result:
    """Models compared: estimates, intervals, tests, and whether a repetition would agree.

    Attributes
    ----------
    data : Scores or Predictions
    means : Series
        Mean score (or value of the metric) of each model, the best first.
    tests : PairTests
        The test of each pair, without correction.
    compared : list of pair of str
    alpha : float
    correction : str
        How p-values are adjusted for the number of pairs: see :func:`compare`.
    equivalence : float or None
        Margin within which a difference does not matter.
    selection : {"all", "best", "baseline", "list"}
        Which pairs were compared: all, the best and the second, the best and a
        baseline, a list.
    notes : tuple of str
        What looks wrong in the data.
    record : dict of str
        What was compared, and how.
    """

    data: Scores | Predictions
    means: "pd.Series[float]"
    tests: PairTests
    compared: list[tuple[str, str]]
    alpha: float
    correction: str
    equivalence: float | None
    selection: str
    notes: tuple[str, ...] = ()
    record: dict[str, str] = field(default_factory=dict)

    @property
    def metric(self) -> Metric:
        """What the scores are."""
        return self.data.metric

    @cached_property
    def adjusted(self) -> Array:
        """P-values adjusted for the number of pairs, or for the choice of the best."""
        p = self.tests.pvalue
        if self.selection != "baseline":
            return np.asarray(adjusted_pvalues(p, method=self.correction))
        bonferroni = np.minimum(1, (len(self.means) - 1) * p)
        if self._largest is None:
            return bonferroni
        exceeding = np.count_nonzero(self._largest >= np.abs(self.tests.statistic))
        # Monte Carlo noise must not lead outside the known bounds
        return np.asarray(np.clip((1 + exceeding) / (1 + _DRAWS), p, bonferroni))

    @cached_property
    def decisions(self) -> NDArray[np.int64]:
        """For each pair +1 if the first is significantly better, -1 if the second, 0 if neither."""
        return np.where(
            self.adjusted < self.alpha, np.sign(self.tests.ahead), 0
        ).astype(int)

    @property
    def level(self) -> float:
        """Confidence level of each interval, such that together they have 1 - `alpha`."""
        if self.selection == "baseline":
            return 1 - self.alpha / (
                len(self.means) - 1 if self._largest is None else 1
            )
        return 1 - self.alpha / (1 if self.correction == "none" else len(self.compared))

    @cached_property
    def reruns(self) -> tuple[Rerun, Rerun] | None:
        """Predicted agreement of a rerun with another seed: on each pair, and on all together.

        None where the scores cannot show it, such as for a single run.
        """
        if self.tests.rerun is None or self.selection == "baseline":
            return None
        return self.tests.rerun(self.alpha, self.correction)

    @cached_property
    def choice(self) -> tuple[Rerun, Array] | None:
        """Predicted probability that a rerun has the same best model, and that it has each."""
        if not isinstance(self.data, Scores) or not isinstance(
            self.data.design, CV | RandomSplits
        ):
            return None
        runs = np.array(
            [self.advantage(name).mean(axis=1) for name in self.data.models]
        )
        ahead = runs - runs[runs.mean(axis=1).argmax()]
        if (
            runs.shape[1] < 2
            or np.ptp(ahead, axis=1).max() <= 1e-10 * np.abs(runs).max()
        ):
            return None
        return rerun.predict_choice(runs)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Every pair of models that was compared.

        Returns
        -------
        DataFrame
            `a`, `b`; `difference`, the advantage of a, with `low` and `high`;
            `statistic`, `df`, `p` and `adjusted_p`; `decision`, +1 if a is
            significantly better, -1 if b is, 0 if neither; with a margin of equivalence
            `p_equivalent` (adjusted), `equivalent` and `not_worse` (a is not worse than
            b by more than the margin); `rerun` and `replication` with limits:
            probabilities that a rerun with another seed makes the same decision, and
            that new data make the pair significant again.
        """
        t, (low, high) = self.tests, self.tests.limits(self.level)
        if self._largest is not None:  # from quartiles to Dunnett's distribution
            low, high = t.limits(0.5)
            error = (high - low) / 2 / special.stdtrit(t.df, 0.75)
            reach = np.quantile(self._largest, 1 - self.alpha) * error
            low, high = t.estimate - reach, t.estimate + reach
        frame = pd.DataFrame(self.compared, columns=["a", "b"]).assign(
            **{
                "difference": t.estimate,
                "low": low,
                "high": high,
                "statistic": t.statistic,
                "df": t.df,
                "p": t.pvalue,
                "adjusted_p": self.adjusted,
                "decision": self.decisions,
            }
            | t.counts
        )
        if self.equivalence is not None:
            above, below = t.tails(-self.equivalence)[0], t.tails(self.equivalence)[1]
            p = adjusted_pvalues(np.maximum(above, below), method=self.correction)
            frame["p_equivalent"], frame["equivalent"] = p, p < self.alpha
            frame["not_worse"], frame["b_not_worse"] = (
                above < self.alpha,
                below < self.alpha,
            )
        again = self.reruns[0] if self.reruns else None
        replicated = t.replication(self.alpha) if t.replication else None
        for name, predicted in (("rerun", again), ("replication", replicated)):
            for end, attribute in (("", "point"), ("_low", "low"), ("_high", "high")):
                frame[name + end] = getattr(predicted, attribute, np.nan)
        return frame

    @cached_property
    def _largest(self) -> Array | None:
        r"""Draws of the largest :math:`|t|` of all models against a baseline, if all are equal.

        The statistics are multivariate t with the correlations of the differences over
        the splits; the largest has Dunnett's distribution for these correlations.
        """
        if self.selection != "baseline" or not isinstance(
            self.data.design, CV | RandomSplits
        ):
            return None
        x = np.array([self.advantage(name).ravel() for name in self.data.models])
        baseline = self.data.models.index(self.compared[0][1])
        differences = np.delete(x, baseline, axis=0) - x[baseline]
        differences -= differences.mean(axis=1, keepdims=True)
        norm = np.linalg.norm(differences, axis=1, keepdims=True)
        unit = differences[norm[:, 0] > 1e-10 * np.abs(x).max()]
        unit = unit / np.linalg.norm(unit, axis=1, keepdims=True)
        rng = np.random.default_rng(np.random.SeedSequence(0))
        df, largest = x.shape[1] - 1, []
        for _ in range(_DRAWS // 1000):
            z = np.abs(rng.standard_normal((1000, x.shape[1])) @ unit.T).max(
                axis=1, initial=0
            )
            largest.append(z / np.sqrt(rng.chisquare(df, 1000) / df))
        return np.concatenate(largest)

    def ranks(self) -> pd.DataFrame:
        """Return the rank of each model, with the interval that the corrected decisions allow.

        Returns
        -------
        DataFrame
            Indexed by model, the best first: `mean`; `low` and `high`, one more than
            the number of models that are significantly better, and the number of models
            less those that are significantly worse; for data sets `mean_rank`.

        Raises
        ------
        ValueError
            If not all pairs were compared, or without a correction.
        """
        if self.selection != "all" or self.correction == "none":
            raise ValueError(
                "ranks need the corrected decisions about all pairs: compare with "
                'pairs="all" and a correction'
            )
        ahead = self._ahead
        better, worse = (ahead < 0).sum(axis=1), (ahead > 0).sum(axis=1)
        frame = pd.DataFrame(
            {"mean": self.means, "low": better + 1, "high": len(self.means) - worse}
        )
        if isinstance(self.data.design, Datasets):
            wide = pd.DataFrame(pair_tests.advantages(self.data))
            frame["mean_rank"] = wide.rank(axis=1, ascending=False).mean()
        return frame.sort_values(["low", "high"], kind="stable")

    def tied(self) -> list[list[str]]:
        """Return the largest sets of models among which no pair differs significantly."""
        names = self.ranks().index
        alike = self._ahead.loc[names, names] == 0
        return [list(names[clique]) for clique in words.cliques(alike.to_numpy())]

    @property
    def _ahead(self) -> pd.DataFrame:
        """+1 where the model of the row is significantly better than that of the column."""
        ahead = pd.DataFrame(0, self.means.index, self.means.index)
        for (a, b), decision in zip(self.compared, self.decisions):
            ahead.loc[a, b] = decision
        return ahead - ahead.T

    def methods(self) -> pd.DataFrame:
        """Apply the tests in use to a pair on splits of one data set: see `replib.methods.in_use`.

        Raises
        ------
        ValueError
            If there are several pairs, or the design has no other tests.
        """
        design = self.data.design
        if len(self.compared) > 1 or not isinstance(design, CV | RandomSplits):
            raise ValueError(
                "methods compares tests of two models on splits of one data set"
            )
        return methods.in_use(self.differences, design=design, alpha=self.alpha)

    def runs_needed(self, wanted: float = 0.95) -> float | None:
        """Return the runs with which two experiments are predicted to agree on the pair.

        Parameters
        ----------
        wanted : float
            Probability of agreement.

        Returns
        -------
        float or None
            Infinite above 100 000 runs.  None where no rerun can be predicted.

        Raises
        ------
        ValueError
            If there are several pairs.
        """
        if len(self.compared) > 1:
            raise ValueError("runs_needed is about one pair: compare two models")
        if not isinstance(self.data.design, CV | RandomSplits) or self.reruns is None:
            return None
        return rerun.runs_needed(
            self.differences,
            test_train_ratio=self.data.design.ratio,
            alpha=self.alpha,
            wanted=wanted,
        )

    @property
    def differences(self) -> Array:
        """Advantage of the first of the first pair, in the shape of its scores."""
        a, b = self.compared[0]
        return self.advantage(a) - self.advantage(b)

    def advantage(self, model: str) -> Array:
        """Return the scores of a model, with a sign such that more is better.

        Raises
        ------
        ValueError
            If there is no such model, or the metric is no mean of scores.
        """
        blocks = pair_tests.advantages(self.data)
        if not blocks:
            raise ValueError(
                f"{self.metric} is no mean over items, so there are no scores of them"
            )
        check_choice("model", model, blocks)
        return blocks[model]

    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""
        return " ".join(words.lines(self))

    def to_frame(self) -> pd.DataFrame:
        """Return `pairs`."""
        return self.pairs

    def to_dict(self) -> dict[str, Any]:
        """Return everything as text, numbers, lists and dicts, ready for `json.dumps`.

        Values that are unknown, undefined or infinite are None.
        """
        return report.plain(
            {
                "sentence": self.sentence(),
                "notes": self.notes,
                "alpha": self.alpha,
                "metric": self.metric.name,
                "better": self.metric.better,
                "design": str(self.data.design),
                "means": self.means.to_dict(),
                "pairs": self.pairs.to_dict("records"),
                "record": self.record,
            }
        )

    def report(self, path: str | Path) -> Path:
        """Write everything to one HTML file, which needs no network."""
        return files.write(path, report.page(self))

    def plot(self) -> Any:
        """Draw the differences with their intervals as a Matplotlib figure.

        Raises
        ------
        ModuleNotFoundError
            If Matplotlib is not installed.
        """
        return report.figure(self)

    def __str__(self) -> str:
        return "\n".join(
            [*words.lines(self), *(f"Note: {note}" for note in self.notes)]
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return report.short(self)


def compare(
    data: Any,
    *,
    design: Any = None,
    metric: Any = None,
    about: str | None = None,
    equivalence: float | None = None,
    alpha: float = 0.05,
    pairs: str | Sequence[tuple[str, str]] = "all",
    correction: str = "holm",
) -> Result:
    """Compare models by the test that the design of their scores calls for.

    Parameters
    ----------
    data : Scores, Predictions, DataFrame, mapping of arrays, or path
        A table that a reader made; a long frame with the columns of
        :class:`~replib.scores.Scores`; arrays by model, as for
        :func:`replib.readers.from_arrays`; or files, as for :func:`replib.readers.read`.
    design : design, str or splitter
        How the scores were made, as for :func:`replib.designs.find_design`; not given
        if `data` is a table, which has one.
    metric : str or Metric
        What the scores are; not given if `data` is a table.
    about : {"models", "training", "both"}, optional
        For items in several trainings, what the question is about: these trained models
        on new items, training again on these items, or both (the default).
    equivalence : float, optional
        Margin, in the unit of the scores, within which a difference does not matter.
        On splits, equivalence is declared wrongly more often than `alpha` says: the
        guide has the rates.
    alpha : float, default 0.05
        Level of all decisions together.
    pairs : "all", "best" or list of pairs
        All pairs; the best model against the second; or pairs that were fixed before
        the scores were seen.  ``[("best", "tree")]`` is the best against a baseline.
    correction : {"holm", "bonferroni", "none"}
        How p-values are adjusted for the number of pairs.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        If the data do not fit the design, or an argument lies outside its range.

    Examples
    --------
    >>> a = [.71, .74, .70, .79, .75, .73, .72, .77, .76, .74]
    >>> b = [.70, .70, .69, .73, .72, .70, .71, .71, .73, .71]
    >>> result = compare({"a": a, "b": b}, design="1x10", metric="accuracy")
    >>> print(result.pairs[["difference", "p", "decision"]].round(4).to_string(index=False))
     difference      p  decision
          0.031 0.0054         1
    """
    table = as_data(data, design=design, metric=metric)
    check_level("alpha", alpha, at_most=0.5)
    check_choice("correction", correction, CORRECTIONS)
    if equivalence is not None:
        positive_number("equivalence", equivalence)
        if equivalence >= (table.metric.high - table.metric.low) / 2:
            raise ValueError(
                f"equivalence must be a difference that does not matter, and {equivalence:g} is at "
                f"least half the range of {table.metric}: give it in the unit of the scores"
            )
    values = {
        name: metrics.value(table, name)
        if isinstance(table, Predictions)
        else float(table.blocks[name].mean())
        for name in table.models
    }
    means = pd.Series(values, name=f"mean {table.metric}").sort_values(
        ascending=table.metric.sign < 0, kind="stable"
    )
    compared, selection = _pairs(pairs, means)
    notes = (*getattr(table, "notes", ()), *doubts(table))
    if equivalence is not None and selection in ("best", "baseline"):
        raise ValueError(
            "equivalence is about pairs that were not chosen by their scores: compare "
            "all pairs, or a list"
        )
    tests = pair_tests.of_data(table, compared, about)
    return Result(
        table,
        means,
        tests,
        compared,
        alpha,
        correction,
        equivalence,
        selection,
        notes,
        {
            "design": str(table.design),
            "metric": table.metric.name,
            "versions": report.versions(),
        },
    )


def _pairs(
    given: str | Sequence[tuple[str, str]], means: "pd.Series[float]"
) -> tuple[list[tuple[str, str]], str]:
    """Return the pairs that are compared, and how they were selected."""
    names = list(means.index)
    if isinstance(given, str):
        check_choice("pairs", given, ("all", "best"))
        if given == "all" and len(names) > _MOST_MODELS:
            raise ValueError(
                f"{len(names)} models make {len(names) * (len(names) - 1) // 2:,} "
                f"pairs, and at most {_MOST_MODELS} models are compared: say "
                'pairs="best", or give a list'
            )
        return list(combinations(names if given == "all" else names[:2], 2)), given
    try:
        pairs = [(str(a), str(b)) for a, b in given]
    except (TypeError, ValueError):
        pairs = []
    if not pairs:
        raise ValueError(
            f'pairs must be "all", "best" or a list of pairs of names, not '
            f"{shown(given)}"
        )
    selection, (first, other) = "list", pairs[0]
    if len(pairs) == 1 and first == "best" and "best" not in names:
        selection, pairs = "baseline", [(names[names[0] == other], other)]
    if unknown := [name for pair in pairs for name in pair if name not in names]:
        raise ValueError(
            f"there is no model {shown(unknown[0])}: there are {listed(names)}"
        )
    if any(a == b for a, b in pairs) or len(set(map(frozenset, pairs))) < len(pairs):
        raise ValueError(
            "pairs must be of two different models, and each pair only once"
        )
    return pairs, selection
