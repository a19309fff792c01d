"""The test that a design calls for, of every pair of models at once.

=============================  ====================================================================
design                         test
=============================  ====================================================================
CV, RandomSplits               corrected resampled t test (Nadeau and Bengio 2003)
Seeds                          Welch's t test, or the paired t test
Items: right or wrong          McNemar's exact test, for one run of independent items
Items                          Student's t with the variance of :mod:`replib.variance`
Items, predicted by fold       central limit theorem of cross-validation (Bayle et al. 2020)
Datasets                       exact signed-rank test
=============================  ====================================================================
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib import metrics, rerun, significance, variance
from replib._validation import Array, check_choice
from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
from replib.intervals import Prediction
from replib.replication_probability import binomial, cv_t, signed_rank
from replib.rerun import Rerun
from replib.scores import Predictions, Scores

Pairs = Sequence[tuple[str, str]]
Limits = tuple[Array, Array]

#: What may be asked of items in several runs, and the question of
#: :mod:`replib.variance`.
ABOUT = {"models": "items", "training": "seeds", "both": "both"}


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTests:
    """Tests of several pairs of models by one method.  Arrays have one entry per pair.

    Attributes
    ----------
    name : str
        The test, in words.
    on : str
        What it was done on, in words.
    about : str
        Of what it speaks, in a sentence.
    estimand : str
        What the estimate is, in words.
    statistic, df, pvalue : ndarray
        Degrees of freedom are NaN where the test has none.
    ahead : ndarray
        Positive where the first is better by the test, as the estimate nearly always
        is.
    estimate : ndarray
        Advantage of the first of each pair, in the unit of the scores.
    limits : callable
        From a confidence level to the limits of each estimate.
    tails : callable
        From a shift to the one-sided p-values against "the advantage is at most the
        shift", and "is at least the shift".
    rerun : callable, optional
        From a level and a correction to the predictions for each pair, and for all
        decisions.
    replication : callable, optional
        From a level to the predicted probability that each pair is significant on new
        data.
    counts : dict of ndarray
        Units on which only the first, and only the second, is better.
    overall : pair of str and float, optional
        A test that all models are equal, in words, and its p-value.
    """

    name: str
    on: str
    about: str
    estimate: Array
    statistic: Array
    df: Array
    pvalue: Array
    ahead: Array
    limits: Callable[[float], Limits]
    tails: Callable[[float], Limits]
    rerun: Callable[[float, str], tuple[Rerun, Rerun] | None] | None = None
    replication: Callable[[float], Prediction | None] | None = None
    counts: dict[str, Array] = field(default_factory=dict)
    overall: tuple[str, float] | None = None
    estimand: str = "difference"


def advantages(table: Scores | Predictions) -> dict[str, Array]:
    """Return scores, or predictions as scores of items, with a sign such that more is better."""
    blocks = (
        table.blocks if isinstance(table, Scores) else metrics.item_scores(table) or {}
    )
    return {name: table.metric.sign * block for name, block in blocks.items()}


def of_data(table: Scores | Predictions, pairs: Pairs, about: str | None) -> PairTests:
    """Test pairs of the models of a table by the test that its design calls for."""
    design, blocks = table.design, advantages(table)
    if not isinstance(design, Items):
        if about is not None:
            raise ValueError(
                f"about is a question for items in several runs, not for {design}"
            )
        if isinstance(design, Seeds):
            return of_seeds(blocks, pairs, design)
        return (
            of_datasets(blocks, pairs)
            if isinstance(design, Datasets)
            else (of_splits(blocks, pairs, design))
        )
    parts = table.blocks if isinstance(table, Scores) else table.predicted
    spread = (
        design.runs == "trainings"
        and design.predicted != "by_fold"
        and (min(map(len, parts.values())) > 1)
    )
    if about is not None:
        check_choice("about", about, ABOUT)
    if about not in (None, "models") and not spread:
        raise ValueError(
            f'about="{about}" asks about new trainings, of which these scores show no spread: '
            'give two or more trainings of each model, or ask about="models"'
        )
    if isinstance(table, Predictions) and not blocks:
        return _of_metric(table, pairs, about)
    return of_items(blocks, pairs, design, table.clusters, about)


def _of_metric(table: Predictions, pairs: Pairs, about: str | None) -> PairTests:
    """Test pairs by a metric that is no mean over items."""
    if table.design.predicted == "by_fold":
        raise ValueError(
            f"{table.metric} is no mean over items, and no test is known for it if each item was "
            "predicted by the model of its fold: give the score of each fold"
        )
    runs = max(map(len, table.predicted.values()))
    if runs > 1 and (about or "both") != "models" and table.design.runs == "trainings":
        blocks = {
            name: table.metric.sign * x
            for name, x in metrics.pseudo_values(table).items()
        }
        return of_items(blocks, pairs, table.design, table.clusters, about)
    results = [
        metrics.metric_test(table, *pair[:: table.metric.sign]) for pair in pairs
    ]
    return _pair_tests(
        results,
        name=results[0].name,
        on=_items(len(table.truth), table.clusters),
        about=_SPEAKS_OF["items"],
    )


def _pair_tests(results: Sequence[Any], **given: Any) -> PairTests:
    """Return the tests of pairs from a result for each, or one for all, but for what is given."""

    def of_both(method: str) -> Callable[[float], Limits]:
        def sides(argument: float) -> Limits:
            low, high = np.hstack(
                [
                    np.reshape(getattr(result, method)(argument), (2, -1))
                    for result in results
                ]
            )
            return low, high

        return sides

    numbers = {
        name: np.hstack(
            [
                np.full(np.shape(result.estimate), getattr(result, name, np.nan), float)
                for result in results
            ]
        )
        for name in ("estimate", "statistic", "df", "pvalue")
    }
    limits, tails = map(of_both, ("confidence_interval", "tails"))
    numbers["ahead"] = numbers["estimate"]
    return PairTests(**numbers | {"limits": limits, "tails": tails} | given)


def _items(n: int, clusters: NDArray[np.int64] | None) -> str:
    """Say how many items there are, and whether they are in clusters."""
    if clusters is None:
        return f"{n} items, taken to be independent"
    return f"{n} items, in {clusters.max() + 1} clusters"


def of_splits(
    blocks: dict[str, Array], pairs: Pairs, design: CV | RandomSplits
) -> PairTests:
    """Test pairs on the splits of one data set."""
    x = np.array([blocks[a] - blocks[b] for a, b in pairs])
    ratio = design.ratio
    result = significance.corrected_resampled_t(
        x, test_train_ratio=ratio, axis=(-2, -1)
    )
    runs, folds = design.shape

    def again(alpha: float, correction: str) -> tuple[Rerun, Rerun] | None:
        if runs > 1 and len(x) > 1:
            return rerun.predict_decisions(
                x, test_train_ratio=ratio, correction=correction, alpha=alpha
            )
        both = rerun.of_spread(x, test_train_ratio=ratio, test="corrected", alpha=alpha)
        return None if both is None else (both, both)

    def replicated(alpha: float) -> Prediction | None:
        if np.isinf(result.statistic).any():
            return None
        scale = 1.0 if runs > 1 or folds == 1 else None
        return cv_t(np.abs(result.statistic), runs * folds, alpha=alpha, scale=scale)

    new = "new groups" if design.groups else "new data of this size"
    return _pair_tests(
        [result],
        name="corrected resampled t test",
        on=str(design),
        rerun=again,
        about=f"The test is about training again on {new}; it is approximate.",
        replication=replicated,
    )


def of_seeds(blocks: dict[str, Array], pairs: Pairs, design: Seeds) -> PairTests:
    """Test pairs by one number for each seed."""
    squares = []
    for a, b in (
        (blocks[a][:, None], blocks[b][:, None]) for a, b in pairs
    ):  # one unit
        models = [a - b] if design.paired else [a, b]
        scale = np.maximum(np.abs(a).max(), np.abs(b).max())
        squares.append(
            variance.squares_of_totals(models, np.ones(1), scale=scale, effective=1.0)
        )
    counts = sorted({len(block) for block in blocks.values()})
    each = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return _by_variance(
        squares,
        "seeds",
        "paired t test" if design.paired else "Welch's t test",
        f"{each} {'paired ' if design.paired else ''}seeds of each model on one test set",
        "The test is about training with a new seed on this test set, not about new test items.",
        has_items=False,
    )


_SPEAKS_OF = {
    "both": "The test is about training with a new seed, and about new items.",
    "items": "The test is about these trained models on new items, not about training them again.",
    "seeds": "The test is about training with a new seed on these very items, not about new items.",
}


def of_items(
    blocks: dict[str, Array],
    pairs: Pairs,
    design: Items,
    clusters: NDArray[np.int64] | None,
    about: str | None,
) -> PairTests:
    """Test pairs by their scores on items."""
    lengths, n = [len(x) for x in blocks.values()], next(iter(blocks.values())).shape[1]
    runs, most, samples = min(lengths), max(lengths), design.runs == "samples"
    what = "samples" if samples else "trainings"
    of_runs = (
        ""
        if most == 1
        else f", in {runs if runs == most else f'{runs} to {most}'} {what}"
    )
    if design.predicted == "by_fold":
        return _pair_tests(
            [significance.cv_clt([(blocks[a] - blocks[b])[0] for a, b in pairs])],
            name="z test of one cross-validation",
            on=f"{n} items, each predicted by its own fold",
            about="The test is about the models that were trained for the folds, not about "
            "training again; for learners that change much with their training data it is not "
            "examined.",
        )
    on = f"{_items(n, clusters)}{of_runs}{' of each model' if of_runs else ''}"
    question = ABOUT[about or ("both" if runs > 1 and not samples else "models")]
    if most == 1 and clusters is None and _right_or_wrong(list(blocks.values())):
        return _of_counts(blocks, pairs, on)
    squares = [
        variance.mean_squares(
            blocks[a], blocks[b], groups=clusters, paired_runs=design.paired
        )
        for a, b in pairs
    ]
    name = {
        "both": "t test over seeds and items",
        "items": "paired t test" if clusters is None else "t test over clusters",
        "seeds": "paired t test of runs" if design.paired else "Welch's t test of runs",
    }[question]
    return _by_variance(squares, question, name, on, _SPEAKS_OF[question])


def _by_variance(
    squares: list[variance.MeanSquares],
    question: str,
    name: str,
    on: str,
    about: str,
    *,
    has_items: bool = True,
) -> PairTests:
    """Test pairs by Student's t with the variance that the question asks for."""
    results = [variance.difference_test(one, generalize=question) for one in squares]

    def predicted(alpha: float, new_items: bool) -> Array:
        """Return point, low and high of the three decisions, shape (3, 3, pairs)."""
        found = [
            variance.recurrence(
                one, generalize=question, new_items=new_items, alpha=alpha
            )
            for one in squares
        ]
        return np.stack([[one.point, one.low, one.high] for one in found], axis=-1)

    def again(alpha: float, correction: str) -> tuple[Rerun, Rerun] | None:
        if len(squares) > 1 or min(squares[0].runs) < 2 or not squares[0].seed.any():
            return None
        test = results[0]
        decision = int(test.direction) if test.pvalue < alpha else 0
        point, low, high = predicted(alpha, False)[:, {1: 0, -1: 1, 0: 2}[decision]]
        both = Rerun(point, low, high, np.array([decision]))
        return both, both

    def replicated(alpha: float) -> Prediction:
        ahead = [int(result.estimate < 0) for result in results]
        return Prediction(*predicted(alpha, True)[:, ahead, np.arange(len(squares))])

    return _pair_tests(
        results,
        name=name,
        on=on,
        about=about,
        rerun=again,
        replication=replicated if has_items else None,
    )


def _right_or_wrong(scores: list[Array]) -> bool:
    """Return whether all scores are 0 or 1, or all 0 or -1, where less is better."""
    return any(all(np.isin(x, (0, sign)).all() for x in scores) for sign in (1, -1))


def _of_counts(blocks: dict[str, Array], pairs: Pairs, on: str) -> PairTests:
    """Test pairs by McNemar's exact test: one run, independent items, right or wrong."""
    wins = np.array([int((blocks[a] > blocks[b]).sum()) for a, b in pairs])
    losses = np.array([int((blocks[a] < blocks[b]).sum()) for a, b in pairs])
    n = next(iter(blocks.values())).size
    result = significance.mcnemar(wins, losses)

    def limits(level: float) -> Limits:
        """Agresti and Min (2005): Wald's interval with half an item added to each count."""
        middle = (wins - losses) / (n + 2)
        error = np.sqrt((wins + losses + 1) / (n + 2) - middle**2) / np.sqrt(n + 2)
        reach = special.ndtri((1 + level) / 2) * error
        return np.maximum(middle - reach, -1), np.minimum(middle + reach, 1)

    def replicated(alpha: float) -> Prediction | None:
        if not (wins + losses).all():
            return None
        return binomial(np.maximum(wins, losses), wins + losses, alpha=alpha)

    return _pair_tests(
        [result],
        name="McNemar's exact test",
        on=on,
        about=_SPEAKS_OF["items"],
        estimate=(wins - losses) / n,
        limits=limits,
        replication=replicated,
        tails=lambda shift: significance.tango(wins, losses, n, shift=shift),
        counts={"wins": wins, "losses": losses},
    )


def of_datasets(blocks: dict[str, Array], pairs: Pairs) -> PairTests:
    """Test pairs by their scores on several data sets."""
    x = np.array([blocks[a] - blocks[b] for a, b in pairs])
    result = significance.signed_rank(x)

    def replicated(alpha: float) -> Prediction:
        ahead = np.where(result.estimate < 0, -1, 1)[:, None]
        return signed_rank(ahead * x, alpha=alpha, selected=True)

    return _pair_tests(
        [significance.hodges_lehmann(d) for d in x],
        name="signed-rank test",
        estimand="Hodges-Lehmann estimate of the difference",
        on=f"{x.shape[1]} data sets",
        about="The test is about other data sets of the same kind.",
        statistic=result.statistic,
        pvalue=result.pvalue,
        replication=replicated,
        ahead=result.estimate,  # the Hodges-Lehmann estimate is 0 if most differences are
        counts={"wins": (x > 0).sum(axis=1), "losses": (x < 0).sum(axis=1)},
        overall=("Friedman's test (F form)", friedman(np.array(list(blocks.values()))))
        if len(blocks) > 2
        else None,
    )


def friedman(scores: Array) -> float:
    """Return the p-value of Friedman's test in the F form of Iman and Davenport (1980).

    Parameters
    ----------
    scores : ndarray, shape (models, data sets)
        Three or more models.

    Returns
    -------
    float

    Examples
    --------
    >>> round(friedman(np.array([[.9, .8, .7, .9], [.8, .7, .6, .7], [.7, .75, .5, .6]])), 4)
    0.0066
    """
    from scipy import stats  # slow to load, and needed only here

    k, n = scores.shape
    with np.errstate(invalid="ignore"):
        chi2 = stats.friedmanchisquare(*scores).statistic
    if np.isnan(chi2):
        return 1.0  # all models tie on every data set
    if np.isclose(chi2, n * (k - 1)):
        return 0.0  # the same order on every data set
    f = (n - 1) * chi2 / (n * (k - 1) - chi2)
    return float(special.fdtrc(k - 1, (k - 1) * (n - 1), f))
