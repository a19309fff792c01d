"""Compare models: a table in, a result out.

:func:`compare` takes scores, or what a reader makes of files and objects, applies the test that
the design calls for to every pair of models, and returns one :class:`~replib.results.Result` for
all designs.
"""

import math
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import combinations
from typing import Any

import pandas as pd

from replib._levels import check_alpha
from replib._notes.areas import notes_about_areas
from replib._notes.values import notes_about_values
from replib._notes_about_tests import notes_about_few_units, notes_about_spread
from replib._pair_tests import Question, check_question, pair_tests
from replib._pair_tests.means import mean_scores
from replib._presentation.result import ResultPresentation
from replib._validation import (
    check_choice,
    listed,
    positive_number,
    refusal,
    shown,
)
from replib.readers import as_data
from replib.rerun import CORRECTIONS
from replib.results import Result
from replib.scores import Metric, Predictions, Scores

#: Margins of percent up to this one are taken for fractions: as fractions, 0.05 is as
#: large as margins usually are, and in percent it is one item in two thousand.
_LARGEST_FRACTION = 0.05
#: Most models of which all pairs are compared.
_MOST_MODELS = 100

Pairs = list[tuple[str, str]]


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
        :func:`replib.readers.from_arrays`; or files, also by model, as for
        :func:`replib.readers.read`.
    design : design, str or splitter
        How the scores were made, as for :func:`replib.designs.find_design`; not given
        if `data` is a table, which has one.
    metric : str or Metric
        What the scores are; not given if `data` is a table.
    about : {"models", "training", "both", "tasks"}, optional
        For items in several trainings, what the question is about: these trained models
        on new items, training again on these items, or both (the default).  For items
        of several tasks, "tasks" asks about other tasks than these.
    equivalence : float, optional
        Margin, in the unit of the scores, within which a difference does not matter.
        Pairs that were chosen by their scores, as ``pairs="best"`` does, cannot have one.
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
    _check_several(table)
    check_alpha(alpha)
    check_choice("correction", correction, CORRECTIONS)
    check_question(Question(table, [], about))
    means = _means(table)
    compared, selection = _selected_pairs(pairs, list(means.index))
    if equivalence is not None:
        equivalence = positive_number("equivalence", equivalence)
        _check_margin(equivalence, table.metric, selection)
    question = Question(table, compared, about)
    tests = pair_tests(question)
    n_choices = len(means) - 1 if selection == "baseline" else None
    notes = (
        *getattr(table, "notes", ()),
        *notes_about_values(table),
        *notes_about_areas(table, means.to_dict()),
        *_notes_about_margin(equivalence, table.metric, means),
        *notes_about_spread(tests, question),
        *notes_about_few_units(
            tests, question, alpha=alpha, correction=correction, n_choices=n_choices
        ),
    )
    return Result(
        data=table,
        mean_scores=means,
        tests=tests,
        compared=compared,
        alpha=alpha,
        correction=correction,
        equivalence=equivalence,
        selection=selection,
        about=about,
        presentation=ResultPresentation(),
        notes=notes,
        record=_record(table),
    )


def _record(table: Scores | Predictions) -> dict[str, str]:
    """Return what was compared, and by which versions."""
    record = {"design": str(table.design), "metric": table.metric.name}
    if table.origin:
        files = [f"{path} (SHA-256 {digest})" for path, digest in table.origin.items()]
        record["files"] = "; ".join(files)
    return record | {"versions": _versions()}


def _check_several(table: Scores | Predictions) -> None:
    """Refuse a single model."""
    if len(table.models) < 2:
        raise refusal(
            f"there must be at least two models, and there is {listed(table.models)}",
            "estimate() says how good one is",
            "give another one",
        )


def _means(table: Scores | Predictions) -> "pd.Series[float]":
    """Return the mean score, or value of the metric, of each model, the best first."""
    means = pd.Series(mean_scores(table), name=f"mean {table.metric}")
    less_is_better = table.metric.sign < 0
    return means.sort_values(ascending=less_is_better, kind="stable")


def _check_margin(equivalence: float, metric: Metric, selection: str) -> None:
    """Refuse a margin that is no small difference, or one for pairs chosen by their scores."""
    if equivalence >= (metric.high - metric.low) / 2:
        raise ValueError(
            f"equivalence must be a difference that does not matter, and {equivalence:g} is at "
            f"least half the range of {metric}: give it in the unit of the scores"
        )
    if selection in ("best", "baseline"):
        raise ValueError(
            "equivalence is about pairs that were not chosen by their scores: compare "
            "all pairs, or a list"
        )


def _notes_about_margin(
    equivalence: float | None, metric: Metric, means: "pd.Series[float]"
) -> Iterator[str]:
    """Note a margin that seems to be a fraction while the scores are percent, or the reverse."""
    if equivalence is None:
        return
    if metric.high == 100 and equivalence <= _LARGEST_FRACTION:
        yield (
            f"The margin is {equivalence:g} of 100: is {100 * equivalence:g} meant, since "
            "the scores are percent?"
        )
    are_fractions = bool(means.between(0, 1).all())
    if metric.high == math.inf and are_fractions and equivalence >= 1:
        yield (
            f"The margin is {equivalence:g}, and no mean is above 1: is "
            f"{equivalence / 100:g} meant, since the scores are fractions?"
        )


def _versions() -> str:
    """Return the versions of the library and of the packages that compute its numbers."""
    packages = ("replib", "numpy", "scipy", "pandas")
    return ", ".join(f"{name} {import_module(name).__version__}" for name in packages)


def _selected_pairs(
    pairs: str | Sequence[tuple[str, str]], models: list[str]
) -> tuple[Pairs, str]:
    """Return the pairs to be compared, and how they are selected.

    Parameters
    ----------
    pairs
        As for :func:`compare`.
    models : list of str
        The best first.

    Returns
    -------
    pairs : list of (str, str)
    selection : {"all", "best", "baseline", "list"}
    """
    if isinstance(pairs, str):
        check_choice("pairs", pairs, ("all", "best"))
        if pairs == "best":
            return [(models[0], models[1])], "best"
        _check_number(models)
        return list(combinations(models, 2)), "all"
    selected = _pairs_of_names(pairs)
    selection = "list"
    first, second = selected[0]
    if len(selected) == 1 and first == "best" and "best" not in models:
        best = models[1] if models[0] == second else models[0]
        selected = [(best, second)]
        selection = "baseline"
    _check_names(selected, models)
    return selected, selection


def _check_number(models: list[str]) -> None:
    """Refuse all pairs of too many models."""
    n = len(models)
    if n > _MOST_MODELS:
        raise refusal(
            f"{n} models make {n * (n - 1) // 2:,} pairs, and at most {_MOST_MODELS} "
            "models are compared",
            'say pairs="best", or give a list',
            "say --best or --pair A B",
        )


def _pairs_of_names(pairs: Any) -> Pairs:
    """Return pairs as names; refuse anything else."""
    try:
        names = [(str(a), str(b)) for a, b in pairs]
    except (TypeError, ValueError):
        names = []
    if not names:
        raise ValueError(
            f'pairs must be "all", "best" or a list of pairs of names, not {shown(pairs)}'
        )
    return names


def _check_names(pairs: Pairs, models: list[str]) -> None:
    """Refuse pairs of unknown models, of one model, and pairs that are given twice."""
    for name in (name for pair in pairs for name in pair):
        if name not in models:
            raise ValueError(
                f"there is no model {shown(name)}: there are {listed(models)}"
            )
    distinct = {frozenset(pair) for pair in pairs}
    same_model = any(a == b for a, b in pairs)
    if same_model or len(distinct) < len(pairs):
        raise ValueError(
            "pairs must be of two different models, and each pair only once"
        )
