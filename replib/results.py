"""The result of a comparison: estimates, decisions, ranks, and whether they would come again."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib import _ahead, methods, rerun
from replib._by_task import by_task
from replib._cliques import MOST_SETS, TooManySets, maximal_cliques
from replib._counted import Counted, Rule, as_frame, counted
from replib._decisions import Decisions, largest_statistics
from replib._pair_tests import PairTests, Question, advantages
from replib._pair_tests.base import QuestionOfMeans, Reruns
from replib._pair_tests.datasets import ranks_of_models
from replib._pair_tests.means import means_with_limits, model_means
from replib._validation import Array, check_choice, is_rounding_noise
from replib.designs import CV, Datasets, Items, RandomSplits
from replib.intervals import Prediction
from replib.rerun import Rerun
from replib.scores import Predictions, Scores

if TYPE_CHECKING:
    from matplotlib.figure import Figure


#: Most pairs of which reruns and replications are predicted: two seconds.
MOST_PREDICTED = 45


class _Presentation(Protocol):
    """Words, page and picture of a result, which are functions of it and stand above it."""

    def sentences(self, result: "Result") -> list[str]:
        """Return what was found, what that is about, and whether it would be found again."""

    def text(self, result: "Result") -> str:
        """Return what is printed: the sentences, the ranks of many models, the notes."""

    def latex(self, result: "Result", table: str | None) -> str:
        """Return a table of the page for LaTeX."""

    def markdown(self, result: "Result", table: str | None) -> str:
        """Return a table of the page in Markdown."""

    def excerpt(self, result: "Result") -> str:
        """Return what a notebook shows, as HTML."""

    def write_page(self, result: "Result", path: str | Path) -> Path:
        """Write the page to a file."""

    def figure(self, result: "Result", kind: str | None) -> "Figure":
        """Draw the differences with their intervals, or the models in their order."""

    def as_dict(self, result: "Result") -> dict[str, Any]:
        """Return everything as text, numbers, lists and dicts."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Result:
    """Models compared: estimates, intervals, tests, and whether a repetition would agree.

    ``print(result)`` says in two or three sentences what was found, what that is about,
    and whether it would be found again.

    Attributes
    ----------
    data : Scores or Predictions
    mean_scores : Series
        Mean score (or value of the metric) of each model, the best first.
    tests : PairTests
        The test of each pair, without correction.
    compared : list of pair of str
    alpha : float
        Error rate of all decisions together.
    correction : str
        How p-values are adjusted for the number of pairs: see :func:`replib.comparison.compare`.
    equivalence : float or None
        Margin within which a difference does not matter.
    selection : {"all", "best", "baseline", "list"}
        Which pairs were compared: all, the best and the second, the best and a
        baseline, a list.
    about : str or None
        What was asked of items: see :func:`replib.comparison.compare`.
    notes : tuple of str
        What looks wrong in the data.
    record : dict of str
        What was compared, and how.
    presentation : object
        What shows the result: its words, its page and its picture.
    """

    data: Scores | Predictions
    mean_scores: "pd.Series[float]"
    tests: PairTests
    compared: list[tuple[str, str]]
    alpha: float
    correction: str
    equivalence: float | None
    selection: str
    presentation: _Presentation
    about: str | None = None
    notes: tuple[str, ...] = ()
    record: dict[str, str] = field(default_factory=dict)

    # ------------------------------------------------------------ decisions

    @cached_property
    def _corrected_decisions(self) -> Decisions:
        """Decisions about all pairs, at one error rate."""
        from_baseline = self.selection == "baseline"
        return Decisions(
            tests=self.tests,
            alpha=self.alpha,
            correction=self.correction,
            equivalence=self.equivalence,
            n_choices=len(self.mean_scores) - 1 if from_baseline else None,
            largest=self._largest if from_baseline else None,
        )

    @property
    def _largest(self) -> Array | None:
        """Draws of the largest statistic of all models against the baseline, on splits."""
        if not isinstance(self.data.design, CV | RandomSplits):
            return None
        models = self.data.models
        scores = np.array([self.advantage(model).ravel() for model in models])
        baseline = models.index(self.compared[0][1])
        differences = np.delete(scores, baseline, axis=0) - scores[baseline]
        return largest_statistics(differences, float(np.abs(scores).max()))

    @property
    def decisions(self) -> NDArray[np.int64]:
        """For each pair +1 if the first is significantly better, -1 if the second, 0 if neither."""
        return self._corrected_decisions.decision

    @property
    def level(self) -> float:
        """Confidence level of each interval, such that together they have 1 - `alpha`."""
        return self._corrected_decisions.level

    @cached_property
    def means(self) -> pd.DataFrame:
        """Every model with the interval of its own mean, the best first.

        Returns
        -------
        DataFrame
            Indexed by model: `mean`, `low`, `high`, as
            :func:`replib.estimation.estimate` gives them.  Each interval has the level
            1 - `alpha` of its own, and says nothing about differences.
        """
        question = QuestionOfMeans.of_table(self.data, self.about)
        table = means_with_limits(self.data, model_means(question), self.alpha)
        return table.loc[self.mean_scores.index]

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
        low, high = self._corrected_decisions.limits.within(self.data.metric)
        columns: dict[str, Any] = {
            "a": [a for a, _ in self.compared],
            "b": [b for _, b in self.compared],
            "difference": self.tests.estimate,
            "low": low,
            "high": high,
            "statistic": self.tests.statistic,
            "df": self.tests.df,
            "p": self.tests.pvalue,
            "adjusted_p": self._corrected_decisions.adjusted_pvalue,
            "decision": self.decisions,
        }
        columns |= self.tests.counts
        columns |= self._corrected_decisions.equivalences()
        predictions = {
            "rerun": self.reruns.each if self.reruns else None,
            "replication": self._replications,
        }
        for name, prediction in predictions.items():
            columns[name] = getattr(prediction, "point", np.nan)
            columns[f"{name}_low"] = getattr(prediction, "low", np.nan)
            columns[f"{name}_high"] = getattr(prediction, "high", np.nan)
        return pd.DataFrame(columns)

    @cached_property
    def tasks(self) -> pd.DataFrame:
        """Every pair on every task of a suite, tested on the items of the task alone.

        Returns
        -------
        DataFrame
            `task`, `a`, `b`; `items`, the number of them; `difference` with `low` and
            `high`, `p`, `adjusted_p` and `decision` as in `pairs`, with one error rate
            for all tasks and pairs together.  Empty if there are not several tasks.
        """
        return by_task(self._question, alpha=self.alpha, correction=self.correction)

    @property
    def _question(self) -> Question:
        """What was compared."""
        return Question(self.data, self.compared, self.about)

    # ------------------------------------------------------------ many models

    def ranks(self) -> pd.DataFrame:
        """Return the rank of each model, with the interval that the corrected decisions allow.

        Returns
        -------
        DataFrame
            Indexed by model, the best first, on average or by its mean rank: `mean`;
            `low` and `high`, one more than the number of models that are significantly
            better, and the number of models less those that are significantly worse;
            for data sets `mean_rank`.

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
        n_better = (ahead < 0).sum(axis=1)
        n_worse = (ahead > 0).sum(axis=1)
        ranks = pd.DataFrame(
            {
                "mean": self.mean_scores,
                "low": n_better + 1,
                "high": len(self.mean_scores) - n_worse,
            }
        )
        if isinstance(self.data.design, Datasets):
            scores = advantages(self.data)
            of_models = ranks_of_models(np.array(list(scores.values())))
            ranks["mean_rank"] = pd.Series(of_models.mean(axis=1), list(scores))
            return ranks.sort_values("mean_rank", kind="stable")
        return ranks

    def tied(self) -> list[list[str]]:
        """Return the largest sets of models that are not separated.

        Within a set no pair differs significantly, which does not show that its models
        are equal.

        Returns
        -------
        list of list of str
            In the order of `ranks`; a model may belong to several sets, or to none.

        Raises
        ------
        ValueError
            If not all pairs were compared, without a correction, or if there are more
            than a thousand such sets.
        """
        ranks = self.ranks()
        order = self.mean_scores.index.get_indexer(ranks.index)
        alike = self._ahead[np.ix_(order, order)] == 0
        models = list(ranks.index)
        try:
            sets = maximal_cliques(alike)
        except TooManySets:
            raise ValueError(
                f"more than {MOST_SETS} sets of models are not separated: see ranks()"
            ) from None
        return [[models[i] for i in indices] for indices in sets]

    @property
    def _ahead(self) -> NDArray[np.int64]:
        """+1 where the model of the row is significantly better than that of the column.

        Models are in the order of `mean_scores`.
        """
        row = self.mean_scores.index.get_indexer([a for a, _ in self.compared])
        column = self.mean_scores.index.get_indexer([b for _, b in self.compared])
        ahead = np.zeros((len(self.mean_scores), len(self.mean_scores)), int)
        ahead[row, column] = self.decisions
        ahead[column, row] = -self.decisions
        return ahead

    # ------------------------------------------------------------ once more

    @cached_property
    def _counts(self) -> Counted | None:
        """Outcomes of the single runs, seeds, trainings or data sets."""
        return counted(self._question, Rule(self.alpha, self.correction))

    @property
    def counted(self) -> pd.DataFrame:
        """What the single runs, seeds, trainings or data sets would have said.

        The counts are the papers' own estimator of replicability.  They speak of single
        runs, never of this experiment, which has several of them.

        Returns
        -------
        DataFrame
            A row per pair, none if there is nothing to count: `a`, `b`; `single`, what a
            smaller experiment has one of; `n`, how many there are; `a_better`,
            `b_better`, `neither`; `agreement`, the probability that two such
            experiments agree, estimated by R2 (Bouckaert 2004), with
            limits where only two of the three outcomes occur.  R2 has no bias, and may
            therefore lie below 1/3, the least that three outcomes allow.  The outcome of
            a run of cross-validation is that of its own corrected t test; of a pairing
            of trainings, McNemar's or the t test on the items, by Bonferroni for the
            number of pairs; otherwise it only says who is ahead, and has no agreement.
        """
        return as_frame(self._question, self._counts)

    @property
    def ahead(self) -> pd.DataFrame:
        """How probable it is that the first of each pair is ahead, a size without a unit.

        Returns
        -------
        DataFrame
            A row per pair, none for folds and random splits, which are not independent
            of each other: `a`, `b`; `unit`, an item, a data set or a seed; `n` of them,
            or of pairings of seeds; `probability`, of which a unit where neither is
            ahead counts half; `low` and `high`, at the level of the intervals in
            `pairs`: by Tango's score for paired units, by Newcombe's method 5 for
            seeds, by Student's t with clusters.
        """
        effect = _ahead.ahead(self._question, self.level)
        return _ahead.as_frame(self._question, effect)

    @property
    def tail_areas(self) -> "pd.Series[float]":
        """P(worse), P(equivalent) and P(better) of the first of two models on splits.

        These are the posterior probabilities of the Bayesian correlated t test with a
        flat prior (Corani and Benavoli 2015), and the three tail areas of the corrected
        t test; they are those of one pair, without a correction for several.

        Returns
        -------
        Series
            `worse` and `better` by more than `equivalence`, and `equivalent` within it.

        Raises
        ------
        ValueError
            If there are several pairs, other scores, or no margin of equivalence.
        """
        design = self.data.design
        if len(self.compared) > 1 or not isinstance(design, CV | RandomSplits):
            raise ValueError(
                "tail_areas are those of two models on splits of one data set"
            )
        if self.equivalence is None:
            raise ValueError(
                "tail_areas need a margin: compare with equivalence=, such as 0.01"
            )
        above, _ = self.tests.tails(-self.equivalence)
        _, below = self.tests.tails(self.equivalence)
        worse, better = float(above[0]), float(below[0])
        areas = {"worse": worse, "equivalent": 1 - worse - better, "better": better}
        return pd.Series(areas, name="probability")

    def flips(self, a: str, b: str) -> pd.DataFrame:
        """Return the items on which two models have different scores or predictions.

        Parameters
        ----------
        a, b : str
            Two models with one run each.

        Returns
        -------
        DataFrame
            Indexed by item, with a column per model, and the task and the truth if
            there are any.

        Raises
        ------
        ValueError
            If there are no items, no such models, or several runs.
        """
        if not isinstance(self.data.design, Items):
            raise ValueError(
                f"flips are items on which models differ, and the design is {self.data.design}"
            )
        columns: dict[str, Any] = {}
        if self.data.strata is not None:
            tasks = self.data.strata.tasks
            columns["task"] = np.array(tasks)[self.data.strata.task]
        if isinstance(self.data, Predictions):
            blocks = self.data.predicted
            columns["truth"] = self.data.truth
        else:
            blocks = self.data.blocks
        for model in (a, b):
            check_choice("model", model, blocks)
            if len(blocks[model]) > 1:
                raise ValueError(
                    f"flips are of one run, and {model} has {len(blocks[model])}"
                )
            columns[model] = blocks[model][0]
        if a == b:
            raise ValueError(f"flips are of two different models, not of {a} and {b}")
        items = pd.DataFrame(columns, index=pd.Index(self.data.units, name="item"))
        return items[items[a] != items[b]]

    @cached_property
    def reruns(self) -> Reruns | None:
        """Predicted agreement of a rerun with another seed, on each pair and on all together.

        None where the scores cannot show it, such as for a single run, and for more
        than `MOST_PREDICTED` pairs.
        """
        if self.selection == "baseline" or len(self.compared) > MOST_PREDICTED:
            return None
        return self.tests.rerun(self.alpha, self.correction)

    @cached_property
    def _replications(self) -> Prediction | None:
        """Predicted significance of each pair on new data."""
        if len(self.compared) > MOST_PREDICTED:
            return None
        return self.tests.replication(self.alpha)

    @cached_property
    def choice(self) -> tuple[Rerun, Array] | None:
        """Predicted probability that a rerun has the same best model, and that it has each.

        None where the scores cannot show it.
        """
        if not isinstance(self.data.design, CV | RandomSplits):
            return None
        runs = np.array(
            [self.advantage(model).mean(axis=1) for model in self.data.models]
        )
        n_runs = runs.shape[1]
        if n_runs < 2:
            return None
        best = runs[runs.mean(axis=1).argmax()]
        spread = np.ptp(runs - best, axis=1).max()
        if is_rounding_noise(spread, np.abs(runs).max()):
            return None
        return rerun.predict_choice(runs)

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
        design = self.data.design
        if not isinstance(design, CV | RandomSplits) or self.reruns is None:
            return None
        return rerun.runs_needed(
            self.differences,
            test_train_ratio=design.ratio,
            alpha=self.alpha,
            wanted=wanted,
        )

    def methods(self) -> pd.DataFrame:
        """Apply the tests in use to a pair on splits of one data set: see `replib.methods.in_use`.

        The column `evidence` says what is known about each, in the numbers of
        `replib.methods.design_table`; `replib.methods.decision_table` says which design
        to use.

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

    # ------------------------------------------------------------ scores

    @property
    def differences(self) -> Array:
        """Advantage of the first of the first pair, in the shape of its scores."""
        a, b = self.compared[0]
        return self.advantage(a) - self.advantage(b)

    def advantage(self, model: str) -> Array:
        """Return the scores of a model, with a sign such that more is better.

        Parameters
        ----------
        model : str

        Returns
        -------
        ndarray
            In the shape of the design: for cross-validation (runs, folds), for items
            (runs, items), else one number per seed or data set.

        Raises
        ------
        ValueError
            If there is no such model, or the metric is no mean of scores.
        """
        blocks = advantages(self.data)
        if not blocks:
            raise ValueError(
                f"{self.data.metric} is no mean over items, so there are no scores of them"
            )
        check_choice("model", model, blocks)
        return blocks[model]

    # ------------------------------------------------------------ on paper

    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""
        return " ".join(self.presentation.sentences(self))

    def to_frame(self) -> pd.DataFrame:
        """Return `pairs`."""
        return self.pairs

    def to_dict(self) -> dict[str, Any]:
        """Return everything as text, numbers, lists and dicts, ready for `json.dumps`.

        Values that are unknown, undefined or infinite are None.
        """
        return self.presentation.as_dict(self)

    def report(self, path: str | Path) -> Path:
        """Write everything to one HTML file, which needs no network.

        Parameters
        ----------
        path : str or Path
            Name of the file.

        Returns
        -------
        Path
            Of the file.

        Raises
        ------
        ValueError
            If this cannot be the name of a file.
        """
        return self.presentation.write_page(self, path)

    def to_latex(self, table: str | None = None) -> str:
        """Return a table for a paper that uses the LaTeX package booktabs.

        Parameters
        ----------
        table : {"ranks", "pairs", "tasks"}, optional
            By default the ranks of three models or more, if there are any.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If there is no such table.
        """
        return self.presentation.latex(self, table)

    def to_markdown(self, table: str | None = None) -> str:
        """Return a table in Markdown, such as for a page of a repository.

        Parameters
        ----------
        table : {"ranks", "pairs", "tasks"}, optional
            By default the ranks of three models or more, if there are any.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If there is no such table.
        """
        return self.presentation.markdown(self, table)

    def plot(self, kind: str | None = None) -> "Figure":
        """Draw the result as a Matplotlib figure.

        Parameters
        ----------
        kind : {"ranks", "pairs"}, optional
            "pairs" draws differences with their intervals.  "ranks" draws the models in
            their order, with a bar along those that are not separated: a diagram of
            critical differences, by the corrected decisions of this result.  By default
            "ranks" for more than six models.

        Returns
        -------
        Figure

        Raises
        ------
        ModuleNotFoundError
            If Matplotlib is not installed.
        ValueError
            If there are no ranks, or the kind is unknown.
        """
        return self.presentation.figure(self, kind)

    def __str__(self) -> str:
        return self.presentation.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.presentation.excerpt(self)
