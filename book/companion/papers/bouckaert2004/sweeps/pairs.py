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
    frames = []
    for source in dict.fromkeys(map(source_of, results)):
        of_source = {
            name: one for name, one in results.items() if source_of(name) == source
        }
        counts = np.stack([one.counts for one in of_source.values()])
        instances = next(iter(of_source.values())).experiment.parameters["instances"]
        index = pd.MultiIndex.from_product(
            [of_source, range(counts.shape[1])], names=["network", "data_set"]
        )
        for pair, places in PAIRS.items():
            block = differences(counts, instances, pair=places)
            n = block.shape[2]
            for test, design in DESIGNS.items():
                method = methods_of_2004.find(design)
                accepted = (pvalues(block, method=method) >= LEVEL).sum(axis=2).ravel()
                r = replicability.normalized(replicability.r2_from_counts(accepted, n))
                frames.append(
                    pd.DataFrame(
                        {
                            "source": source,
                            "value": pair,
                            "test": test,
                            "rejected": 100 * (1 - accepted / n),
                            "replicability": 100 * r,
                        },
                        index=index,
                    ).reset_index()
                )
    return pd.concat(frames, ignore_index=True)


def claimed_and_true_errors(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """The standard error that the t test on sorted runs claims on source 1, and the true one.

    All learners are equally good there, so any mean difference is error.

    Indexed by pair, in percentage points: `true`, the root mean square of the
    experiments' mean differences; `claimed`, the root mean square of their standard
    errors; and `ratio`, true over claimed.
    """
    null = [one for name, one in results.items() if source_of(name) == "1"]
    rows = {}
    for pair, places in PAIRS.items():
        block = np.concatenate(
            [
                differences(
                    one.counts, one.experiment.parameters["instances"], pair=places
                )
                for one in null
            ]
        )
        values = 100 * sample(block, scheme="average_over_sorted_runs")
        true = np.sqrt((values.mean(axis=-1) ** 2).mean())
        claimed = np.sqrt((values.var(axis=-1, ddof=1) / values.shape[-1]).mean())
        rows[pair] = {"true": true, "claimed": claimed, "ratio": true / claimed}
    return pd.DataFrame(rows).T.rename_axis("pair")


def outcomes_by_number_of_learners(
    results: Mapping[str, runner.Replications],
) -> pd.DataFrame:
    """Replicability of the outcomes that an experiment with two to six learners reports.

    One row per source, number of learners and outcome: `source`, `learners`, `outcome`,
    `replicability` (r in percent, averaged over all choices of that many of the six
    learners and over data sets) and its `standard_error`, over data sets.
    """
    of_data_sets = {}
    for network, one in results.items():
        instances = one.experiment.parameters["instances"]
        correct = one.counts.sum(
            axis=(-3, -2), dtype=int
        )  # (data sets, experiments, learners)
        margin = np.stack(
            [correct[..., a] - correct[..., b] for a, b in PAIRS.values()], axis=-1
        )
        pvalue = np.stack(
            [
                pvalues(
                    differences(one.counts, instances, pair=places),
                    method=DESIGNS["paired_t"],
                )
                for places in PAIRS.values()
            ],
            axis=-1,
        )
        for size in range(2, len(SIX) + 1):
            chosen = list(combinations(range(len(SIX)), size))
            r = dict.fromkeys(many_comparisons.OUTCOMES, 0.0)
            for some in chosen:
                places = [
                    list(PAIRS.values()).index(pair) for pair in combinations(some, 2)
                ]
                found = many_comparisons.outcomes(
                    margin[..., places], pvalue[..., places], LEVEL
                )
                for outcome, codes in found.items():
                    r[outcome] = r[outcome] + replicability.r2(codes) / len(chosen)
            for outcome, values in r.items():
                key = source_of(network), size, outcome
                of_data_sets.setdefault(key, []).extend(100 * np.atleast_1d(values))
    return pd.DataFrame(
        [
            (*key, np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values)))
            for key, values in of_data_sets.items()
        ],
        columns=["source", "learners", "outcome", "replicability", "standard_error"],
    )
