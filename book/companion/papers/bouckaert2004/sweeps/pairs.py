"""All pairs of the six learners, and experiments that compare more than two learners."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.lab.experiments.on_sources import differences
from companion.papers import many_comparisons, methods_of_2004
from companion.papers.bouckaert2004.sweeps.experiments import (
    DESIGNS,
    LEVEL,
    SIX,
    source_of,
)
from replib import replicability
from replib.methods import pvalues
from replib.schemes import sample

_SHORT = dict(zip(SIX, ("NB", "C4.5", "NN", "TAN", "stump", "SVM")))
#: Names of the pairs of the six, in the order of `many_comparisons.pairs`.
PAIRS = {
    f"{_SHORT[SIX[a]]} – {_SHORT[SIX[b]]}": (a, b)
    for a, b in many_comparisons.pairs(len(SIX))
}


def pairs_scores(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """:func:`companion.papers.bouckaert2004.sweeps.scores.scores` for pairs of learners."""
    networks: dict[str, list[str]] = {}
    for name in results:
        networks.setdefault(source_of(name), []).append(name)
    frames = []
    for source, names in networks.items():
        counts = np.stack([results[name].counts for name in names])
        instances = results[names[0]].experiment.parameters["instances"]
        index = pd.MultiIndex.from_product(
            [names, range(counts.shape[1])], names=["network", "data_set"]
        )
        for pair, learners in PAIRS.items():
            block = differences(counts, instances, pair=learners)
            n = block.shape[2]
            for test, design in DESIGNS.items():
                pvalue = pvalues(block, method=methods_of_2004.find(design))
                accepted = (pvalue >= LEVEL).sum(axis=2).ravel()
                r = replicability.normalized(replicability.r2_from_counts(accepted, n))
                columns = {
                    "source": source,
                    "value": pair,
                    "test": test,
                    "rejected": 100 * (1 - accepted / n),
                    "replicability": 100 * r,
                }
                frames.append(pd.DataFrame(columns, index=index).reset_index())
    return pd.concat(frames, ignore_index=True)


def claimed_and_true_errors(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Return the standard error that t on sorted runs claims on source 1, and the true one.

    All learners are equally good there, so any mean difference is error.

    Indexed by pair, in percentage points: `true`, the root mean square of the
    experiments' mean differences; `claimed`, the root mean square of their standard
    errors; and `ratio`, true over claimed.
    """
    null = [result for name, result in results.items() if source_of(name) == "1"]
    rows = {}
    for pair, learners in PAIRS.items():
        blocks = [_differences(result, learners) for result in null]
        values = 100 * sample(np.concatenate(blocks), scheme="average_over_sorted_runs")
        true = np.sqrt((values.mean(axis=-1) ** 2).mean())
        claimed = np.sqrt((values.var(axis=-1, ddof=1) / values.shape[-1]).mean())
        rows[pair] = {"true": true, "claimed": claimed, "ratio": true / claimed}
    return pd.DataFrame(rows).T.rename_axis("pair")


def _differences(result: runner.Replications, learners: tuple[int, int]) -> np.ndarray:
    """Return the differences of two learners in all folds of a stored network."""
    instances = result.experiment.parameters["instances"]
    return differences(result.counts, instances, pair=learners)


def outcomes_by_number_of_learners(
    results: Mapping[str, runner.Replications],
) -> pd.DataFrame:
    """Return the replicability of what an experiment with two to six learners reports.

    One row per source, number of learners and outcome: `source`, `learners`, `outcome`,
    `replicability` (r in percent, averaged over all choices of that many of the six
    learners and over data sets) and its `standard_error`, over data sets.
    """
    by_key: dict[tuple[str, int, str], list[float]] = {}
    for network, result in results.items():
        margin, pvalue = _margins_and_pvalues(result)
        for size in range(2, len(SIX) + 1):
            r = _mean_replicability(margin, pvalue, size)
            for outcome, values in r.items():
                key = source_of(network), size, outcome
                by_key.setdefault(key, []).extend(100 * np.atleast_1d(values))
    rows = []
    for (source, size, outcome), values in by_key.items():
        row = {
            "source": source,
            "learners": size,
            "outcome": outcome,
            "replicability": np.mean(values),
            "standard_error": np.std(values, ddof=1) / np.sqrt(len(values)),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def _margins_and_pvalues(result: runner.Replications) -> tuple[np.ndarray, np.ndarray]:
    """Return differences of correct predictions, and p-values, (data sets, experiments, pairs)."""
    correct = result.counts.sum(axis=(-3, -2), dtype=int)
    margins = []
    tests = []
    for a, b in PAIRS.values():
        margins.append(correct[..., a] - correct[..., b])
        block = _differences(result, (a, b))
        tests.append(pvalues(block, method=DESIGNS["paired_t"]))
    return np.stack(margins, axis=-1), np.stack(tests, axis=-1)


def _mean_replicability(
    margin: np.ndarray, pvalue: np.ndarray, size: int
) -> dict[str, np.ndarray]:
    """Average the replicability of each outcome over all choices of that many learners."""
    all_pairs = list(PAIRS.values())
    choices = list(combinations(range(len(SIX)), size))
    r = dict.fromkeys(many_comparisons.OUTCOMES, np.zeros(len(margin)))
    for learners in choices:
        columns = [all_pairs.index(pair) for pair in combinations(learners, 2)]
        outcomes = many_comparisons.outcomes(
            margin[..., columns], pvalue[..., columns], LEVEL
        )
        for outcome, codes in outcomes.items():
            r[outcome] = r[outcome] + replicability.r2(codes) / len(choices)
    return r
