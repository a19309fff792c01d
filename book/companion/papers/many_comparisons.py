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

#: The learners by their places in a pair, as tables show them.
_LEARNERS = ("NB", "C4.5", "NN")

#: A data set is contested if more papers list it than rarely, and fewer than nearly always.
_RARELY = 0.05
_NEARLY_ALWAYS = 0.95

#: Outcomes of an experiment with several learners.
OUTCOMES = (
    "best",
    "ranking",
    "significantly_best",
    "all_pairs",
    "all_pairs_holm",
)


# ------------------------------------------------------------------ agreement of two repetitions


def _same_outcome(outcomes: np.ndarray) -> np.ndarray:
    """Return the kernel that is 1 for repetitions with the same outcome, and 0 for others."""
    return (outcomes[:, np.newaxis] == outcomes).astype(float)


def _n_shared(entries: np.ndarray, signs: Sequence[int]) -> np.ndarray:
    """Count, for every two rows, the places at which both have the same one of `signs`."""
    indicators = [(entries == sign).astype(float) for sign in signs]
    return sum(indicator @ indicator.T for indicator in indicators)


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

    >>> reported = outcomes(np.array([30, 10, -20]), np.array([0.01, 0.4, 0.04]), 0.05)
    >>> int(reported["best"]), int(reported["significantly_best"])
    (1, 0)
    """
    n_pairs = differences.shape[-1]
    learners = next(k for k in range(2, 100) if comb(k, 2) == n_pairs)
    signs = np.sign(differences).astype(int)
    decisions = signs * (pvalues < alpha)
    holm_decisions = signs * (adjusted_pvalues(pvalues, method="holm") < alpha)
    return {
        "best": _winner(signs, learners),
        "ranking": _codes(signs),
        "significantly_best": _winner(holm_decisions, learners),
        "all_pairs": _codes(decisions),
        "all_pairs_holm": _codes(holm_decisions),
    }


def _winner(signs: np.ndarray, learners: int) -> np.ndarray:
    """Number the learner that beats all others, from 1; 0 where no learner does."""
    wins = np.zeros((*signs.shape[:-1], learners), dtype=int)
    for i, (a, b) in enumerate(pairs(learners)):
        wins[..., a] += signs[..., i] == 1
        wins[..., b] += signs[..., i] == -1
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
        n_listed = (entries != 0).sum(axis=1)
        share = (entries != 0).mean(axis=0)
        same, same_error = agreement_over_pairs(_same_outcome(_codes(entries)))
        confirmed, confirmed_error = _confirmed(entries, n_listed)
        agreeing_share = _n_shared(entries, (-1, 0, 1)) / entries.shape[1]
        dataset, dataset_error = agreement_over_pairs(agreeing_share)
        rows[correction] = {
            "listed": n_listed.mean(),
            "deviation": n_listed.std(ddof=1),
            "contested": ((share > _RARELY) & (share < _NEARLY_ALWAYS)).sum(),
            "same": 100 * same,
            "same_error": 100 * same_error,
            "confirmed": 100 * confirmed,
            "confirmed_error": 100 * confirmed_error,
            "dataset": 100 * normalized(dataset),
            "dataset_error": 200 * dataset_error,
        }
    return pd.DataFrame(rows).T.rename_axis("correction").astype({"contested": int})


def _confirmed(entries: np.ndarray, n_listed: np.ndarray) -> tuple[float, float]:
    """Estimate the probability that an entry is on another paper's list, with its error."""
    if not n_listed.any():
        # no entry waits for a confirmation
        return 1.0, 0.0
    return agreement_over_pairs(_n_shared(entries, (-1, 1)), n_listed)


def agreement_over_pairs(
    kernel: np.ndarray, scale: np.ndarray | float = 1
) -> tuple[float, float]:
    """Mean of a symmetric function of two papers over all pairs, and its jackknife standard error.

    `kernel` holds the function, whose diagonal does not count.  The mean is divided by
    that of `scale`; its error is NaN if `scale` is zero for all other papers.
    """
    n = len(kernel)
    row_sum = kernel.sum(axis=1) - np.diagonal(kernel)
    scale = np.broadcast_to(scale, n)
    estimate = row_sum.sum() / (n * (n - 1)) / scale.mean()
    # the estimates without one paper at a time
    kernel_without = (row_sum.sum() - 2 * row_sum) / ((n - 1) * (n - 2))
    scale_without = (scale.sum() - scale) / (n - 1)
    without = kernel_without / np.where(scale_without > 0, scale_without, np.nan)
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    return float(estimate), float(error)


def across_datasets(papers: Papers, *, alpha: float = 0.05) -> pd.DataFrame:
    """Replicability of one conclusion from all data sets together.

    Each paper has the mean accuracies of the three learners on the 27 data sets.

    Indexed by conclusion: `commonest` outcome, the `share` of the papers that have it,
    and `replicability` r with its `standard_error`; percent. The conclusions are the
    order of the average ranks; Friedman's test on the ranks (Demšar 2006); and
    Wilcoxon's signed-rank test on the 27 differences of each pair, with Holm's
    correction for the three pairs.
    """
    n_scored = [np.sum(uci.test_sizes(_SPLIT, name)) for name in papers]
    accuracy = _correct(papers) / np.array(n_scored)[:, np.newaxis]
    conclusions = {
        "order of average ranks": _orders(accuracy),
        "Friedman's test": _friedman(accuracy, alpha),
        **_wilcoxon(accuracy, alpha),
    }
    rows = {}
    for conclusion, outcome in conclusions.items():
        counts = pd.Series(outcome).value_counts()
        r, error = agreement_over_pairs(_same_outcome(np.array(outcome)))
        share = 100 * counts.iloc[0] / len(outcome)
        rows[conclusion] = counts.index[0], share, 100 * r, 100 * error
    columns = ["commonest", "share", "replicability", "standard_error"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def _orders(accuracy: np.ndarray) -> list[str]:
    """Order the learners of each paper by their average ranks over its data sets."""
    ranks = stats.rankdata(-accuracy, axis=-1)  # the best has rank 1
    orders = np.argsort(ranks.mean(axis=-2), axis=-1, kind="stable")
    return [" > ".join(_LEARNERS[i] for i in order) for order in orders]


def _friedman(accuracy: np.ndarray, alpha: float) -> list[str]:
    """Decide each paper by Friedman's test, with the data sets as blocks."""
    pvalue = [stats.friedmanchisquare(*paper.T).pvalue for paper in accuracy]
    return ["reject" if p < alpha else "accept" for p in pvalue]


def _wilcoxon(accuracy: np.ndarray, alpha: float) -> dict[str, list[str]]:
    """Decide each paper and pair by Wilcoxon's test over the data sets, by conclusion."""
    index_pairs = list(uci.PAIRS.values())
    tests = [signed_rank(accuracy[..., a] - accuracy[..., b]) for a, b in index_pairs]
    pvalue = np.stack([test.pvalue for test in tests], axis=-1)
    direction = np.stack([test.direction for test in tests], axis=-1)
    decision = direction * (adjusted_pvalues(pvalue, method="holm") < alpha)
    conclusions = {}
    for i, (a, b) in enumerate(index_pairs):
        name_a = _LEARNERS[a]
        name_b = _LEARNERS[b]
        words = {0: "no difference", 1: f"{name_a} better", -1: f"{name_b} better"}
        outcome = [words[int(sign)] for sign in decision[:, i]]
        conclusions[f"Wilcoxon's test, {name_a} vs {name_b}"] = outcome
    return conclusions


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
    correct = [result.counts.sum(axis=(1, 2), dtype=int) for result in papers.values()]
    return np.stack(correct, axis=1)


def _entries(
    difference: np.ndarray, pvalue: np.ndarray, correction: str, alpha: float
) -> np.ndarray:
    """Winner on each data set: 1 for A, -1 for B, 0 if the data set is not on the list."""
    listed = adjusted_pvalues(pvalue, method=correction) < alpha
    return np.where(listed, np.sign(difference), 0).astype(int)
