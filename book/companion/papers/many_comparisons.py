"""More than two classifiers, and more than one data set: how replicable are the conclusions?

Bouckaert (2004, Section 5) leaves both open.  The outcome of an experiment is then no
longer one decision: it may be the best of several learners, their order, all pairwise
decisions at once, or the list of data sets on which two learners differ significantly.
Replicability keeps its definition: the probability that two repetitions of the
experiment have the same outcome.

A *paper* here is one experiment on each of the 27 UCI data sets; the stored experiments
are a couple of hundred papers that differ only in their random splits.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
from scipy import stats

from companion.lab.experiments import runner
from companion.papers import uci
from replib.methods import pvalues
from replib.multiple_comparisons import METHODS, adjusted_pvalues
from replib.replicability import normalized
from replib.significance import signed_rank

#: The test on one data set: a design of `replib.methods`, on ten runs of ten folds.
DESIGN = "average_over_sorted_runs.paired_t"

_SPLIT = "uci_cross_validation"

#: Stored cross-validations by data set; one experiment on each data set is a paper.
Papers = Mapping[str, runner.Replications]

#: Outcomes of an experiment with several learners.
OUTCOMES = (
    "best",
    "ranking",
    "significantly_best",
    "all_pairs",
    "all_pairs_holm",
)


# ------------------------------------------------------------------ agreement of two repetitions


def _same(outcomes: np.ndarray) -> np.ndarray:
    """Kernel that is 1 for repetitions with the same outcome."""
    return (outcomes[:, np.newaxis] == outcomes).astype(float)


def _codes(signs: np.ndarray) -> np.ndarray:
    """Encode each vector of signs -1, 0, 1 along the last axis as a whole number."""
    return (signs + 1) @ 3 ** np.arange(signs.shape[-1])


# ------------------------------------------------------------------ several learners


def pairs(learners: int) -> list[tuple[int, int]]:
    """List pairs of learners by place, in the order of the last axis of all decisions.

    Examples
    --------
    >>> pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(learners), 2))


def outcomes(
    differences: np.ndarray, pvalues: np.ndarray, alpha: float
) -> dict[str, np.ndarray]:
    """Encode the outcomes that an experiment with several learners may report.

    By the names in `OUTCOMES`:

    ``best``
        the learner with the highest mean accuracy, counted from 1; 0 if there is a tie;
    ``ranking``
        the order of all mean accuracies;
    ``significantly_best``
        the learner that is significantly better than every other one, with Holm's
        correction; 0 if there is none;
    ``all_pairs``, ``all_pairs_holm``
        all pairwise decisions, each at level `alpha`, or with Holm's correction.

    >>> found = outcomes(np.array([30, 10, -20]), np.array([0.01, 0.4, 0.04]), 0.05)
    >>> int(found["best"]), int(found["significantly_best"])
    (1, 0)
    """
    learners = next(k for k in range(2, 100) if comb(k, 2) == differences.shape[-1])
    signs = np.sign(differences).astype(int)
    by_holm = adjusted_pvalues(pvalues, method="holm")
    each, together = signs * (pvalues < alpha), signs * (by_holm < alpha)
    return {
        "best": _winner(signs, learners),
        "ranking": _codes(signs),
        "significantly_best": _winner(together, learners),
        "all_pairs": _codes(each),
        "all_pairs_holm": _codes(together),
    }


def _winner(signs: np.ndarray, learners: int) -> np.ndarray:
    wins = np.zeros((*signs.shape[:-1], learners), dtype=int)
    for place, (a, b) in enumerate(pairs(learners)):
        wins[..., a] += signs[..., place] == 1
        wins[..., b] += signs[..., place] == -1
    beats_all = wins == learners - 1
    return np.where(beats_all.any(axis=-1), beats_all.argmax(axis=-1) + 1, 0)


# ------------------------------------------------------------------ several data sets


def lists_of_significant(
    papers: Papers,
    pair: str,
    *,
    alpha: float = 0.05,
    corrections: Sequence[str] = METHODS,
) -> pd.DataFrame:
    """Replicability of the list of data sets on which two learners differ significantly.

    An entry in the list is a data set with its winner.

    Indexed by correction. `listed`: mean number of entries, with its standard
    `deviation` between papers; `contested`: data sets listed by more than 5% and less
    than 95% of the papers; and in percent, each with its standard error
    ``<name>_error``: `same` (probability that two papers have the same list),
    `confirmed` (probability that an entry of one paper is on the list of another) and
    `dataset` (normalised replicability 2r - 1, mean over data sets).
    """
    difference, pvalue = _differences_and_pvalues(papers, pair)
    rows = {}
    for correction in corrections:
        entries = _entries(difference, pvalue, correction, alpha)
        size = (entries != 0).sum(axis=1)
        share = (entries != 0).mean(axis=0)
        same, same_error = agreement_over_pairs(_same(_codes(entries)))
        both = sum((entries == s).astype(float) @ (entries == s).T for s in (-1, 1))
        confirmed, confirmed_error = (
            agreement_over_pairs(both, size) if size.any() else (1.0, 0.0)
        )
        matches = sum(
            (entries == s).astype(float) @ (entries == s).T for s in (-1, 0, 1)
        )
        dataset, dataset_error = agreement_over_pairs(matches / entries.shape[1])
        rows[correction] = {
            "listed": size.mean(),
            "deviation": size.std(ddof=1),
            "contested": ((share > 0.05) & (share < 0.95)).sum(),
            "same": 100 * same,
            "same_error": 100 * same_error,
            "confirmed": 100 * confirmed,
            "confirmed_error": 100 * confirmed_error,
            "dataset": 100 * normalized(dataset),
            "dataset_error": 200 * dataset_error,
        }
    return pd.DataFrame(rows).T.rename_axis("correction").astype({"contested": int})


def agreement_over_pairs(
    kernel: np.ndarray, scale: np.ndarray | float = 1
) -> tuple[float, float]:
    """Mean of a symmetric function of two papers over all pairs, and its jackknife standard error.

    `kernel` holds the function, whose diagonal does not count.  The mean is divided by
    that of `scale`; its error is NaN if `scale` is zero for all other papers.
    """
    n, rows = len(kernel), kernel.sum(axis=1) - np.diagonal(kernel)
    scale = np.broadcast_to(scale, n)
    others = (scale.sum() - scale) / (n - 1)
    left_out = (
        (rows.sum() - 2 * rows)
        / ((n - 1) * (n - 2))
        / np.where(others > 0, others, np.nan)
    )
    error = np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    return float(rows.sum() / (n * (n - 1)) / scale.mean()), float(error)


def across_datasets(papers: Papers, *, alpha: float = 0.05) -> pd.DataFrame:
    """Replicability of one conclusion from all data sets together.

    Each paper has the mean accuracies of the three learners on the 27 data sets.

    Indexed by conclusion: `commonest` outcome, the `share` of the papers that have it,
    and `replicability` r with its `standard_error`; percent. The conclusions are the
    order of the average ranks; Friedman's test on the ranks (Demšar 2006); and
    Wilcoxon's signed-rank test on the 27 differences of each pair, with Holm's
    correction for the three pairs.
    """
    size = [np.sum(uci.test_sizes(_SPLIT, name)) for name in papers]
    accuracy = _correct(papers) / np.array(size)[:, np.newaxis]
    names = ("NB", "C4.5", "NN")
    ranks = stats.rankdata(-accuracy, axis=-1).mean(
        axis=-2
    )  # 1 the best, over data sets
    friedman = [stats.friedmanchisquare(*paper.T).pvalue for paper in accuracy]
    found = {
        "order of average ranks": [
            " > ".join(names[place] for place in np.argsort(row, kind="stable"))
            for row in ranks
        ],
        "Friedman's test": ["reject" if p < alpha else "accept" for p in friedman],
    }
    results = [
        signed_rank(accuracy[..., a] - accuracy[..., b]) for a, b in uci.PAIRS.values()
    ]
    pvalue = np.stack([one.pvalue for one in results], axis=-1)
    sign = np.stack([one.direction for one in results], axis=-1)
    decided = sign * (adjusted_pvalues(pvalue, method="holm") < alpha)
    for place, (a, b) in enumerate(uci.PAIRS.values()):
        says = {0: "no difference", 1: f"{names[a]} better", -1: f"{names[b]} better"}
        found[f"Wilcoxon's test, {names[a]} vs {names[b]}"] = [
            says[int(sign)] for sign in decided[:, place]
        ]
    rows = {}
    for conclusion, outcome in found.items():
        counts = pd.Series(outcome).value_counts()
        r, error = agreement_over_pairs(_same(np.array(outcome)))
        share = 100 * counts.iloc[0] / len(outcome)
        rows[conclusion] = counts.index[0], share, 100 * r, 100 * error
    columns = ["commonest", "share", "replicability", "standard_error"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


# ------------------------------------------------------------------ the stored experiments


def _differences_and_pvalues(
    papers: Papers, pair: str
) -> tuple[np.ndarray, np.ndarray]:
    """Differences of correct predictions in all runs, and p-values; (papers, data sets)."""
    blocks = uci.differences(papers, _SPLIT, pair)
    a, b = uci.PAIRS[pair]
    correct = _correct(papers)
    pvalue = [pvalues(block, method=DESIGN) for block in blocks.values()]
    return correct[..., a] - correct[..., b], np.stack(pvalue, axis=-1)


def _correct(papers: Papers) -> np.ndarray:
    """Correct predictions in all runs, shape (papers, data sets, learners)."""
    return np.stack(
        [one.counts.sum(axis=(1, 2), dtype=int) for one in papers.values()], axis=1
    )


def _entries(
    difference: np.ndarray, pvalue: np.ndarray, correction: str, alpha: float
) -> np.ndarray:
    """Winner on each data set: 1 for A, -1 for B, 0 if the data set is not on the list."""
    listed = adjusted_pvalues(pvalue, method=correction) < alpha
    return np.where(listed, np.sign(difference), 0).astype(int)
