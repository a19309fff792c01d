"""Results in sentences that a person could paste into a paper."""

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from replib._numbers import confidence, limit, number, p_value
from replib._pair_tests.datasets import SignedRankTests
from replib._pair_tests.means import mean_over_tasks
from replib._presentation import standings
from replib._validation import joined
from replib.designs import CV, Datasets, Items, RandomSplits
from replib.rerun import Rerun
from replib.results import MOST_PREDICTED, Result
from replib.scores import Predictions

#: Of more pairs a sentence only counts those that differ.
_MOST_LISTED = math.comb(standings.MOST_IN_SENTENCES, 2)
#: From fewer runs or seeds no rerun is predicted.  The choice is by design: to print a
#: prediction if its interval is narrow would select the overconfident ones.
_FEWEST_RUNS = 6


def sentences(result: Result) -> list[str]:
    """Return sentences: what was found, of what it speaks, would it be found again."""
    pairs = result.pairs
    if len(pairs) == 1:
        finding = _finding_of_pair(result, pairs.iloc[0])
    else:
        finding = _finding_of_pairs(result, pairs)
    if result.equivalence is not None:
        finding += f" {_equivalence(result, pairs)}"
    repetition = [_single_runs(result), _repetition(result, pairs)]
    return [finding, result.tests.about, *(text for text in repetition if text)]


def text(result: Result) -> str:
    """Return what is printed: the sentences, the ranks of many models, the notes."""
    finding, *rest = sentences(result)
    lines = [finding]
    if standings.are_many(result):
        lines += _ranks(result)
    notes = [f"Note: {note}" for note in result.notes]
    return "\n".join([*lines, *rest, *notes])


def _ranks(result: Result) -> list[str]:
    """Return the table of ranks, and how to read it."""
    table = standings.standings(result)
    reading = "A rank is the interval that these decisions allow"
    if "group" in table:
        reading += "; models that share a letter are not separated"
    return [
        "",
        *table.reset_index().to_string(index=False).splitlines(),
        f"{reading}.",
        "",
    ]


# ---------------------------------------------------------------- what was found


def _finding_of_pair(result: Result, pair: Any) -> str:
    """Say what was decided about a pair, and on which evidence."""
    sign = -1 if pair.decision < 0 else 1  # in the direction of the sentence
    low, high = sorted((sign * pair.low, sign * pair.high))
    written = partial(number, width=high - low)
    interval = "no spread shows an interval"
    if not np.isnan(low):
        level = confidence(1 - result.level)
        written_low, written_high = (limit(x, high - low) for x in (low, high))
        interval = f"{level} confidence interval {written_low} to {written_high}"
    difference = written(sign * pair.difference)
    estimate = f"{result.tests.estimand} {difference}, {interval}"
    test = (
        f"{result.tests.name} on {result.tests.on}, {_test_value(pair, sign)}"
        f"{p_value(pair.adjusted_p)}{_choice(result)}"
    )
    evidence = [estimate, *_wins(pair), test, *_contradiction(pair)]
    return f"{_decision(result, pair, written)} ({'; '.join(evidence)})."


def _decision(result: Result, pair: Any, written: Callable[[float], str]) -> str:
    """Say which of two models is better, each with its mean if means are compared."""
    if isinstance(result.tests, SignedRankTests):
        # what differs are not the means over data sets, which need not have one unit
        metric = str(result.data.metric)
        a, b = pair.a, pair.b
    else:
        metric = _mean_metric(result)
        a, b = (f"{m} ({written(result.mean_scores[m])})" for m in (pair.a, pair.b))
    if not pair.decision:
        return f"The {metric} of {a} and {b} did not differ significantly"
    better, worse = (a, b) if pair.decision > 0 else (b, a)
    comparative = result.data.metric.better
    return f"{better} had a significantly {comparative} {metric} than {worse}"


def _wins(pair: Any) -> list[str]:
    """Say on how many units each is ahead, if units were counted."""
    if "wins" not in pair:
        return []
    return [f"{pair.a} ahead on {pair.wins}, {pair.b} on {pair.losses}"]


def _test_value(pair: Any, sign: int) -> str:
    """Return the statistic, such as "t(9) = 2.3, ", if the test has degrees of freedom."""
    if np.isnan(pair.df):
        return ""
    name = "z" if np.isinf(pair.df) else f"t({pair.df:.4g})"
    return f"{name} = {number(sign * pair.statistic, 2)}, "


def _choice(result: Result) -> str:
    """Say that the p-value allows for the choice of the best model."""
    if result.selection != "baseline":
        return ""
    return f", adjusted for the choice among {len(result.mean_scores)} models"


def _contradiction(pair: Any) -> list[str]:
    """Say that the test decides otherwise than the interval, which is not its inverse."""
    outside = pair.low > 0 or pair.high < 0
    if np.isnan(pair.low) or bool(outside) == bool(pair.decision):
        return []
    return ["borderline, as test and interval disagree"]


def _finding_of_pairs(result: Result, pairs: pd.DataFrame) -> str:
    """Say which model is best, and which pairs differ."""
    comparative = str(result.data.metric.better)
    best = result.mean_scores.index[0]
    overall = ""
    if result.tests.overall is not None:
        name, pvalue = result.tests.overall
        overall = f"; {name}: {p_value(pvalue)}"
    superlative = f"{comparative.removesuffix('er')}est"
    differing = _differing(pairs)
    if len(pairs) > _MOST_LISTED:
        n_differing = len(differing) or "None"
        decisions = f"{n_differing} of the {len(pairs)} pairs differed significantly"
    else:
        decisions = differing_pairs(comparative, differing, len(pairs))
    return (
        f"{best} had the {superlative} {_mean_metric(result)} of "
        f"{len(result.mean_scores)} models "
        f"({standings.means_as_text(result).iloc[0]}{overall}). {decisions} "
        f"({_in_plural(result.tests.name)} on {result.tests.on}, "
        f"{adjustment(result.correction, len(pairs))}, level {result.alpha:g})."
    )


def _in_plural(test: str) -> str:
    """Write the name of a test for several.

    >>> _in_plural("paired t test"), _in_plural("t test over clusters")
    ('paired t tests', 't tests over clusters')
    """
    return re.sub(r" (test|interval)\b", r" \1s", test, count=1)


class Difference(NamedTuple):
    """A significant difference: the better model, the worse one, and the p-value."""

    better: str
    worse: str
    pvalue: float


def _differing(pairs: pd.DataFrame) -> list[Difference]:
    """Return the pairs that differ significantly."""
    differing = []
    for pair in pairs[pairs["decision"] != 0].itertuples():
        better, worse = (pair.a, pair.b) if pair.decision > 0 else (pair.b, pair.a)
        differing.append(Difference(better, worse, pair.adjusted_p))
    return differing


def differing_pairs(comparative: str, differing: Sequence[Difference], n: int) -> str:
    """Say which of n pairs differ.

    >>> found = [Difference("svm", "tree", 0.004), Difference("svm", "bayes", 0.0001)]
    >>> differing_pairs("better", found, 3)
    'Significantly better: svm than tree (p = 0.004) and bayes (p < 0.001); not the other pair'
    """
    if not differing:
        return f"None of the {n} pairs differed significantly"
    worse: dict[str, list[str]] = {}
    for pair in differing:
        worse.setdefault(pair.better, []).append(
            f"{pair.worse} ({p_value(pair.pvalue)})"
        )
    parts = [f"{better} than {joined(names)}" for better, names in worse.items()]
    n_rest = n - len(differing)
    if n_rest == 1:
        parts.append("not the other pair")
    elif n_rest > 1:
        parts.append(f"not the {n_rest} other pairs")
    return f"Significantly {comparative}: {'; '.join(parts)}"


def _mean_metric(result: Result) -> str:
    """Return what the means are called."""
    metric = str(result.data.metric)
    tasks = mean_over_tasks(result.data)
    if tasks:
        return tasks
    if _single_values(result) or metric.startswith("mean "):
        return metric
    return f"mean {metric}"


def _single_values(result: Result) -> bool:
    """Return whether each model has one value of the metric, not a mean over runs."""
    if isinstance(result.data, Predictions):
        return True
    if not isinstance(result.data.design, Items):
        return False
    return max(len(block) for block in result.data.blocks.values()) == 1


def adjustment(correction: str, n: int) -> str:
    """Say how the p-values of n pairs were adjusted.

    >>> adjustment("holm", 10)
    'Holm-adjusted for 10 pairs'
    """
    method = {
        "holm": "Holm-adjusted",
        "bonferroni": "Bonferroni-adjusted",
        "none": "not adjusted",
    }
    return f"{method[correction]} for {n} pairs"


# ---------------------------------------------------------------- equivalence


def _equivalence(result: Result, pairs: pd.DataFrame) -> str:
    """Say which pairs are equivalent."""
    margin = f"{result.equivalence:g}"
    if len(pairs) == 1:
        return _equivalence_of_pair(margin, pairs.iloc[0])
    equivalent = pairs[pairs["equivalent"]]
    if equivalent.empty:
        return f"Equivalence within {margin} was not shown for any pair."
    names = [f"{pair.a} and {pair.b}" for pair in equivalent.itertuples()]
    return f"Equivalent within {margin}: {joined(names)}."


def _equivalence_of_pair(margin: str, pair: Any) -> str:
    """Say whether two models are equivalent, or at least one is not worse."""
    pvalue = p_value(pair.p_equivalent)
    if pair.equivalent:
        return f"They are equivalent within {margin} ({pvalue})."
    not_shown = f"quivalence within {margin} was not shown ({pvalue})."
    if not pair.not_worse and not pair.b_not_worse:
        return f"E{not_shown}"
    a, b = (pair.a, pair.b) if pair.not_worse else (pair.b, pair.a)
    return f"{a} is not worse than {b} by more than {margin}; e{not_shown}"


# ---------------------------------------------------------------- would it be found again


#: What a smaller experiment has one of, and what is counted, by the design's own word.
_SINGLES = {
    "run": ("one run", "of {n}"),
    "split": ("one split", "of {n}"),
    "seed": ("one seed of each", "of {n} pairings"),
    "training": ("one training of each", "of {n} pairings"),
}


#: Probability that two experiments agree whose three outcomes are equally probable.
_LEAST_AGREEMENT = 1 / 3


def _single_runs(result: Result) -> str:
    """Say what the single runs or seeds of a pair would have said; nothing of many pairs."""
    counted = result.counted
    if len(counted) != 1 or counted["single"][0] not in _SINGLES:
        return ""
    (count,) = counted.itertuples()
    single, total = _SINGLES[count.single]
    text = f"With {single}, {joined(_outcomes(count, total.format(n=count.n)))}"
    if np.isnan(count.agreement):
        return f"{text}."
    agree = f"{text}; two such experiments agree with probability"
    # R2 is unbiased, and so may lie below the least that is possible
    if np.isnan(count.agreement_low):
        return f"{agree} {max(count.agreement, _LEAST_AGREEMENT):.2f}."
    point = max(count.agreement, count.agreement_low)
    limits = f"{count.agreement_low:.2f} to {count.agreement_high:.2f}"
    return f"{agree} {point:.2f} (95% interval {limits})."


def _outcomes(count: Any, total: str) -> list[str]:
    """Say how often each model would have won, and how often neither; the total comes first."""
    is_test = count.single in ("run", "training")
    ahead = "significantly better" if is_test else "ahead"
    level = "undecided" if is_test else "level"
    wins = [(count.a, count.a_better), (count.b, count.b_better)]
    winners = [(model, n) for model, n in wins if n]
    if not winners:
        return [f"the comparison would have been {level} in {count.neither} {total}"]
    (first, n_first), *other_winners = winners
    outcomes = [f"{first} would have been {ahead} in {n_first} {total}"]
    outcomes += [f"{model} in {n}" for model, n in other_winners]
    if count.neither:
        outcomes.append(f"{level} in {count.neither}")
    return outcomes


def _n_runs(result: Result) -> float:
    """Return how many runs, splits or seeds show the spread; infinite over data sets."""
    design = result.data.design
    if isinstance(design, CV | RandomSplits):
        return design.shape[0]
    if isinstance(design, Datasets):
        return np.inf
    data = result.data
    if isinstance(data, Predictions):
        return min(len(block) for block in data.predicted.values())
    return min(len(block) for block in data.blocks.values())


def rerun_of_pair(result: Result) -> Rerun | None:
    """Return the prediction for a rerun of the only pair, if the words have one."""
    if len(result.compared) > 1 or _n_runs(result) < _FEWEST_RUNS:
        return None
    return None if result.reruns is None else result.reruns.each


class _Prediction(NamedTuple):
    """What is predicted, up to "with probability", and the probability with its limits."""

    text: str
    point: float
    low: float
    high: float


def _repetition(result: Result, pairs: pd.DataFrame) -> str:
    """Say how likely a rerun, or else a replication, is to agree; nothing if nobody can."""
    design = result.data.design
    if len(pairs) > MOST_PREDICTED and _n_runs(result) > 1:
        return (
            f"Reruns and replications are predicted for at most {MOST_PREDICTED} pairs, and "
            f"these are {len(pairs)}: compare fewer."
        )
    prediction = _prediction(result, pairs)
    if prediction is None:
        if isinstance(design, CV) and design.runs == 1:
            return "A single run shows no spread between seeds, so a rerun cannot be predicted."
        return ""
    text, point, low, high = prediction
    return (
        f"{text} with probability {point:.2f} (95% interval {low:.2f} to {high:.2f})."
    )


def _prediction(result: Result, pairs: pd.DataFrame) -> _Prediction | None:
    """Return what is predicted of a rerun, or else of new data; None if nobody can."""
    design = result.data.design
    if _n_runs(result) < _FEWEST_RUNS:
        return None
    is_choice = result.selection in ("best", "baseline")
    if is_choice and isinstance(design, CV | RandomSplits) and result.choice:
        rerun, _ = result.choice
        return _prediction_of_rerun(result, "have the same best model", rerun)
    if result.reruns is not None and len(pairs) > 1:
        agreement = f"reach the same decision about all {len(pairs)} pairs"
        return _prediction_of_rerun(result, agreement, result.reruns.together)
    if result.reruns is not None:
        return _prediction_of_rerun(
            result, "reach the same decision", result.reruns.each
        )
    if not isinstance(design, Datasets) or len(pairs) > 1:
        return None
    pair = pairs.iloc[0]
    return _Prediction(
        "On as many other data sets, the difference is predicted to be significant again",
        pair.replication,
        pair.replication_low,
        pair.replication_high,
    )


def _prediction_of_rerun(result: Result, agreement: str, rerun: Rerun) -> _Prediction:
    """Return the prediction that a rerun agrees in some way."""
    design = result.data.design
    same = "items" if isinstance(design, Items) else "data"
    new = "other splits" if isinstance(design, CV | RandomSplits) else "new seeds"
    text = f"On the same {same}, a rerun with {new} is predicted to {agreement}"
    limits = (rerun.point, rerun.low, rerun.high)
    return _Prediction(text, *(float(np.ravel(x)[0]) for x in limits))
