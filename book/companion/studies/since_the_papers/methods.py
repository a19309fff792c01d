"""The methods on the bench: the evidence that each needs, its decision and its interval.

A method takes the :class:`Evidence` of experiments and returns an :class:`Answer`.  A
new method is a function and an entry in `METHODS`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from replib import schemes, significance
from replib.significance import MeanTestResult, TestResult

#: Significance level; the intervals have the confidence level 1 - ALPHA.
ALPHA = 0.05
#: The method with a region of equivalence takes smaller differences as practically
#: equal.
ROPE = 0.01

#: Runs and folds of repeated cross-validation.
RUNS = 10
FOLDS = 10
#: Runs and folds of nested cross-validation.
NESTED_RUNS = 10
NESTED_FOLDS = 5
#: Random splits, with a tenth of the data for testing, and bisections of the data.
SPLITS = 10
BISECTIONS = 10


@dataclass(frozen=True)
class Evidence:
    """Results of experiments, always A minus B; leading axes are pairs, data sets, experiments.

    The methods in :data:`CHEAP` need the first five, and those in :data:`COSTLY` the
    others.

    Attributes
    ----------
    hits : ndarray, shape (..., RUNS, n)
        Correct (1) or not (0) for A minus the same for B, for each instance in each
        run.
    folds : ndarray of int, shape (..., RUNS, n)
        The test fold of each instance; leading axes broadcast.
    block : ndarray, shape (..., RUNS, FOLDS)
        Differences of accuracies in the folds.
    five_by_two : ndarray, shape (..., 5, 2)
    held_out : ndarray, shape (..., m)
        Like `hits`, on the test set of one random split, a third of the data.
    splits, halves : ndarray, shapes (..., SPLITS) and (..., BISECTIONS, 2, SPLITS)
        Differences of accuracies on random splits, of all the data and inside each
        half.
    nested, nested_folds : ndarray, shapes (..., NESTED_RUNS, NESTED_FOLDS, n) and
        (..., NESTED_RUNS, n)
        Input for :func:`nested_cv`.
    """

    hits: np.ndarray | None = None
    folds: np.ndarray | None = None
    block: np.ndarray | None = None
    five_by_two: np.ndarray | None = None
    held_out: np.ndarray | None = None
    splits: np.ndarray | None = None
    halves: np.ndarray | None = None
    nested: np.ndarray | None = None
    nested_folds: np.ndarray | None = None


@dataclass(frozen=True)
class Answer:
    """A method's answer for each experiment.

    Attributes
    ----------
    outcome : ndarray of int
        +1 where A is significantly better, -1 where B is, else 0.
    low, high : ndarray, optional
        95% interval for the difference in accuracy, if the method has one.
    """

    outcome: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None

    @classmethod
    def of_test(cls, result: TestResult, alpha: float = ALPHA) -> "Answer":
        outcome = np.where(np.asarray(result.pvalue) < alpha, result.direction, 0)
        if not hasattr(result, "confidence_interval"):
            return cls(outcome)
        return cls(outcome, *result.confidence_interval(1 - alpha))


@dataclass(frozen=True)
class Method:
    """A method on the bench.

    Attributes
    ----------
    title, source : str
        Its name in tables, and where it comes from.
    test : callable
        Takes :class:`Evidence` and returns a :class:`TestResult`, or an :class:`Answer`
        if the method is no test.
    trainings : int
        How often each learner is trained for one experiment.
    of_one_run : bool
        Whether it uses only one cross-validation, so that its fitted models are those
        of one run.
    """

    title: str
    source: str
    test: Callable[[Evidence], TestResult | Answer]
    trainings: int
    of_one_run: bool = False

    def answer(self, evidence: Evidence) -> Answer:
        """Return the answer of the method for each experiment."""
        result = self.test(evidence)
        return result if isinstance(result, Answer) else Answer.of_test(result)


def _corrected(
    sample: np.ndarray, folds: int, axis: int | tuple[int, ...]
) -> TestResult:
    return significance.corrected_resampled_t(
        sample, test_train_ratio=1 / (folds - 1), axis=axis
    )


def _mcnemar(hits: np.ndarray) -> TestResult:
    return significance.mcnemar((hits > 0).sum(axis=-1), (hits < 0).sum(axis=-1))


def clt_within_folds(hits: np.ndarray, folds: np.ndarray) -> TestResult:
    """Test one cross-validation with the mean over folds of the variance inside a fold."""
    in_fold = folds[..., np.newaxis, :] == np.unique(folds)[:, np.newaxis]
    shape = (*hits.shape[:-1], *in_fold.shape[-2:])
    x = np.broadcast_to(hits[..., np.newaxis, :], shape)
    squared = x.var(axis=-1, ddof=1, where=in_fold).mean(axis=-1)
    mean = hits.mean(axis=-1)
    n = hits.shape[-1]
    return MeanTestResult.from_estimate(
        estimate=mean,
        standard_error=np.sqrt(squared / n),
        scale=np.abs(mean),
        n=n,
        alternative="two-sided",
    )


def conservative_z(splits: np.ndarray, halves: np.ndarray) -> TestResult:
    r"""Test random splits with the conservative variance of Nadeau and Bengio (2003).

    .. math:: z = \frac{\bar x}{\hat\sigma}, \qquad \hat\sigma^2 =
              \frac{1}{2M} \sum_{m=1}^M \left(\bar x_{m,1} - \bar x_{m,2}\right)^2

    The data are bisected at random M times; :math:`\bar x_{m,h}` is the mean difference
    of random splits *inside* half h, so the two means of a bisection are independent.
    They vary more than means on all the data, so the variance tends to be too large and
    the test conservative.
    """
    # rounded, so that means that are equal differ by no rounding of their sums
    means = halves.mean(axis=-1).round(12)
    x = splits.mean(axis=-1).round(12)
    error = np.sqrt(((means[..., 0] - means[..., 1]) ** 2).mean(axis=-1) / 2)
    return MeanTestResult.from_estimate(
        estimate=x,
        standard_error=error,
        scale=np.abs(x),
        n=splits.shape[-1],
        alternative="two-sided",
    )


def nested_cv(losses: np.ndarray, folds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""Estimate an error, and its standard error, by nested cross-validation (Bates et al. 2024).

    In each run and for each fold g of K, the mean loss e_in of a (K-1)-fold
    cross-validation on the other folds is compared with the mean loss e_out on fold g
    of the model trained on those folds:

    .. math:: \widehat{\text{MSE}} = \text{mean of } (e_\text{in} - e_\text{out})^2 -
              \frac{s_g^2}{n_g}

    over all folds of all runs, where :math:`s_g^2` is the variance of the losses in fold g and
    :math:`n_g` its size.  The standard error is :math:`\sqrt{\max(\widehat{\text{MSE}}, 0)
    (K-1)/K}`, kept from :math:`s/\sqrt n` to :math:`\sqrt K s/\sqrt n`, where s is the standard
    deviation of all inner losses.  The inner models learn from fewer instances: as in the paper,
    (1 + (K-2)/K) (inner mean - outer mean) is subtracted.

    Parameters
    ----------
    losses : ndarray, shape (..., runs, K, n)
        ``losses[r, g, i]`` is the loss on instance i of the model trained without fold
        g and without i's own fold ``folds[r, i]``; if g is i's own fold, of the model
        trained without this fold alone.  For a comparison, losses (or scores) of A
        minus those of B.
    folds : ndarray of int, shape (..., runs, n)
    """
    *_, k, n = losses.shape
    in_fold = folds[..., np.newaxis, :] == np.arange(k)[:, np.newaxis]
    x, in_fold = np.broadcast_arrays(losses, in_fold)
    gap = x.mean(axis=-1, where=~in_fold) - x.mean(axis=-1, where=in_fold)
    variance = x.var(axis=-1, ddof=1, where=in_fold) / in_fold.sum(axis=-1)
    mse = (gap**2 - variance).mean(axis=(-2, -1))
    everything = (-3, -2, -1)
    inner = x.mean(axis=everything, where=~in_fold)
    outer = x.mean(axis=everything, where=in_fold)
    least = x.std(axis=everything, ddof=1, where=~in_fold) / np.sqrt(n)
    error = np.sqrt(np.maximum(mse, 0) * (k - 1) / k)
    error = np.clip(error, least, np.sqrt(k) * least)
    return inner - (1 + (k - 2) / k) * (inner - outer), error


def _first_run(blocks: np.ndarray) -> np.ndarray:
    """Return the first of the runs, which are the second axis from the end."""
    return blocks[..., 0, :]


def _paired_t_folds(evidence: Evidence) -> TestResult:
    return significance.paired_t(_first_run(evidence.block))


def _paired_t_all(evidence: Evidence) -> TestResult:
    return significance.paired_t(evidence.block, axis=(-2, -1))


def _sign_folds(evidence: Evidence) -> TestResult:
    return significance.sign_test(_first_run(evidence.block))


def _signed_rank_folds(evidence: Evidence) -> TestResult:
    return significance.signed_rank(_first_run(evidence.block), method="normal")


def _signed_rank_all(evidence: Evidence) -> TestResult:
    return significance.signed_rank(evidence.block, axis=(-2, -1), method="normal")


def _sorted_runs_t(evidence: Evidence) -> TestResult:
    means = schemes.sample(evidence.block, scheme="average_over_sorted_runs")
    return significance.paired_t(means)


def _corrected_t_folds(evidence: Evidence) -> TestResult:
    return _corrected(_first_run(evidence.block), FOLDS, -1)


def _corrected_t_all(evidence: Evidence) -> TestResult:
    return _corrected(evidence.block, FOLDS, (-2, -1))


def _with_rope(evidence: Evidence) -> Answer:
    """Bayesian correlated t: a difference beyond the region has a probability above 1 - ALPHA.

    The posterior is Student's t about the estimate, with the standard error of the
    corrected t test.
    """
    result = _corrected(evidence.block, FOLDS, (-2, -1))
    error = np.maximum(result.standard_error, np.finfo(float).tiny)
    a_better = special.stdtr(result.df, (result.estimate - ROPE) / error)
    b_better = special.stdtr(result.df, (-ROPE - result.estimate) / error)
    return Answer((a_better > 1 - ALPHA).astype(int) - (b_better > 1 - ALPHA))


def _nested(evidence: Evidence) -> Answer:
    estimate, error = nested_cv(evidence.nested, evidence.nested_folds)
    reach = special.ndtri(1 - ALPHA / 2) * error
    low = estimate - reach
    high = estimate + reach
    return Answer((low > 0).astype(int) - (high < 0), low, high)


def _five_by_two_t(evidence: Evidence) -> TestResult:
    return significance.five_by_two_cv_t(evidence.five_by_two)


def _five_by_two_f(evidence: Evidence) -> TestResult:
    return significance.five_by_two_cv_f(evidence.five_by_two)


def _clt_all_pairs(evidence: Evidence) -> TestResult:
    return significance.cv_clt(_first_run(evidence.hits))


def _clt_within_fold(evidence: Evidence) -> TestResult:
    return clt_within_folds(_first_run(evidence.hits), _first_run(evidence.folds))


def _z_instance_means(evidence: Evidence) -> TestResult:
    return significance.cv_clt(evidence.hits.mean(axis=-2))


def _mcnemar_pooled(evidence: Evidence) -> TestResult:
    return _mcnemar(_first_run(evidence.hits))


def _mcnemar_held_out(evidence: Evidence) -> TestResult:
    return _mcnemar(evidence.held_out)


def _z_held_out(evidence: Evidence) -> TestResult:
    return significance.cv_clt(evidence.held_out)


def _corrected_t_splits(evidence: Evidence) -> TestResult:
    return _corrected(evidence.splits, 10, -1)


def _conservative_z(evidence: Evidence) -> TestResult:
    return conservative_z(evidence.splits, evidence.halves)


_ALL = RUNS * FOLDS

#: Methods that use one or ten cross-validations, 5x2 folds or a hold-out set.
CHEAP = {
    "paired_t_folds": Method(
        "t on 10 folds",
        "common practice",
        _paired_t_folds,
        FOLDS,
        of_one_run=True,
    ),
    "paired_t_all": Method(
        "t on 10 × 10 folds",
        "common practice",
        _paired_t_all,
        _ALL,
    ),
    "sign_folds": Method(
        "sign test on 10 folds",
        "common practice",
        _sign_folds,
        FOLDS,
        of_one_run=True,
    ),
    "signed_rank_folds": Method(
        "signed rank on 10 folds",
        "common practice",
        _signed_rank_folds,
        FOLDS,
        of_one_run=True,
    ),
    "signed_rank_all": Method(
        "signed rank on 10 × 10 folds",
        "common practice",
        _signed_rank_all,
        _ALL,
    ),
    "sorted_runs_t": Method(
        "t on sorted runs, 10 × 10",
        "Bouckaert 2004",
        _sorted_runs_t,
        _ALL,
    ),
    "corrected_t_folds": Method(
        "corrected t on 10 folds",
        "Nadeau and Bengio 2003",
        _corrected_t_folds,
        FOLDS,
        of_one_run=True,
    ),
    "corrected_t_all": Method(
        "corrected t on 10 × 10 folds",
        "Bouckaert and Frank 2004",
        _corrected_t_all,
        _ALL,
    ),
    "bayesian_t_rope": Method(
        f"Bayesian correlated t, beyond ± {100 * ROPE:g} points",
        "Corani and Benavoli 2015",
        _with_rope,
        _ALL,
    ),
    "five_by_two_t": Method(
        "5 × 2 cv t",
        "Dietterich 1998",
        _five_by_two_t,
        10,
    ),
    "five_by_two_f": Method(
        "5 × 2 cv F",
        "Alpaydin 1999",
        _five_by_two_f,
        10,
    ),
    "clt_all_pairs": Method(
        "cross-validation CLT, all pairs",
        "Bayle et al. 2020",
        _clt_all_pairs,
        FOLDS,
        of_one_run=True,
    ),
    "clt_within_fold": Method(
        "cross-validation CLT, within folds",
        "Bayle et al. 2020",
        _clt_within_fold,
        FOLDS,
        of_one_run=True,
    ),
    "z_instance_means": Method(
        "z on means of instances, 10 runs",
        "common practice",
        _z_instance_means,
        _ALL,
    ),
    "mcnemar_pooled": Method(
        "McNemar on pooled predictions",
        "common practice",
        _mcnemar_pooled,
        FOLDS,
        of_one_run=True,
    ),
    "mcnemar_held_out": Method(
        "McNemar on a held-out third",
        "Dietterich 1998",
        _mcnemar_held_out,
        1,
    ),
    "z_held_out": Method(
        "z on a held-out third",
        "common practice",
        _z_held_out,
        1,
    ),
}

#: Methods that train on splits of their own, at several times the cost.
COSTLY = {
    "corrected_t_splits": Method(
        "corrected t on 10 random splits",
        "Nadeau and Bengio 2003",
        _corrected_t_splits,
        SPLITS,
    ),
    "conservative_z": Method(
        "conservative z, 10 bisections",
        "Nadeau and Bengio 2003",
        _conservative_z,
        SPLITS * (1 + 2 * BISECTIONS),
    ),
    "nested_cv": Method(
        "nested cross-validation, 10 × 5 folds",
        "Bates et al. 2024",
        _nested,
        NESTED_RUNS * NESTED_FOLDS * (NESTED_FOLDS + 1) // 2,
    ),
}

METHODS = CHEAP | COSTLY


def answers(evidence: Evidence, methods: dict[str, Method]) -> list[Answer]:
    """Apply methods in order."""
    return [method.answer(evidence) for method in methods.values()]
