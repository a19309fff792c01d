"""Notes about fractions beside percent, or in place of the percent that were declared."""

from collections.abc import Iterator, Mapping

import numpy as np

from replib._labels.nouns import SURE
from replib._labels.summaries import rows_of_statistics
from replib._names.metrics.definitions import is_share
from replib._names.things.measures import is_measure
from replib._names.things.nouns import noun_of_name
from replib._validation import Array
from replib.scores import Metric, Predictions, Scores

#: Scores of two models, or of two data sets, rarely differ by more than this factor, so
#: if one is 50 to 200 times the other, it is in percent.
MOST_DIFFERENT = 2.0
#: Nothing in percent is below this, so that fractions and percent lie far apart.
LEAST_PERCENT = 10.0
#: Losses that are shares, and so may be in percent, too.
SHARES_OF_ERRORS = frozenset(
    ["cer", "mape", "mean_absolute_percentage_error", "smape", "wape", "wer"]
)
#: Scores of a model that show the range in which all lie.
FEWEST_FRACTIONS = 20


def notes_about_percent(table: Scores | Predictions) -> Iterator[str]:
    """Note fractions beside percent, or instead of the percent that were declared."""
    metric = table.metric
    if isinstance(table, Predictions):
        return
    if metric.sign < 0 and metric.name not in SHARES_OF_ERRORS:
        return  # a loss has any size
    blocks = _blocks_of_models(table)
    if not blocks or rows_of_statistics(table):
        return  # what is no score has a note of its own
    values = np.concatenate([block.ravel() for block in blocks.values()])
    largest = values.max()
    fractions_in = _model_of_fractions(blocks, metric)
    if fractions_in is not None:
        yield (
            f"No score of {fractions_in} is above 1, and others are up to {largest:g}: "
            "are fractions and percent mixed?"
        )
        return
    if metric.high == 100 and 0 < largest <= 1:
        yield f"No score is above {largest:g}, and {metric} goes up to 100: are they fractions?"
    yield from _fractions_beside_percent(values, blocks, metric)


def _fractions_beside_percent(
    values: Array, blocks: Mapping[str, Array], metric: Metric
) -> Iterator[str]:
    """Note scores up to 1 among others that are a hundred times as large."""
    if values.min() < 0 or not 1 < values.max() <= 100:
        return
    fractions = values[(values > 0) & (values <= 1)]
    percent = values[values > 1]
    if not fractions.size:
        return
    if percent.min() <= LEAST_PERCENT and not _are_apart(blocks, metric):
        return
    if _is_hundredfold(np.median(percent), np.median(fractions)):
        both = " and ".join(_score_of(x, blocks) for x in (fractions[0], percent[0]))
        yield f"Scores are {both}: are fractions and percent mixed?"


def _is_hundredfold(percent: float, fraction: float) -> bool:
    """Return whether of two scores one may be the other in percent."""
    return 100 / MOST_DIFFERENT <= percent / fraction <= 100 * MOST_DIFFERENT


def _score_of(score: float, blocks: Mapping[str, Array]) -> str:
    """Return a score with the first model that has it, such as "0.91 of tree"."""
    model = next(name for name, block in blocks.items() if score in block)
    return f"{score:g} of {model}"


def _blocks_of_models(table: Scores) -> dict[str, Array]:
    """Return the scores of what may be a model by its name: no time, price or confidence."""
    return {
        name: block
        for name, block in table.blocks.items()
        if not is_measure(name) and noun_of_name(name, *SURE) is None
    }


def _model_of_fractions(blocks: Mapping[str, Array], metric: Metric) -> str | None:
    """Return a model whose scores are fractions by their whole range, and the others' percent."""
    may_be_percent = metric.name in SHARES_OF_ERRORS or is_share(metric.name)
    if metric.high != 100 and not (metric.high == np.inf and may_be_percent):
        return None
    fractions = [name for name, x in blocks.items() if _is_below_one(x)]
    percent = [x.ravel() for name, x in blocks.items() if name not in fractions]
    if not fractions or not percent:
        return None
    shares = np.concatenate([blocks[name].ravel() for name in fractions])
    other_scores = np.concatenate(percent)
    if other_scores.min() < 0 or other_scores.max() > 100:
        return None
    # a poor model is hardly 100 times worse than others both on average and at its best
    is_on_average = _is_hundredfold(other_scores.mean(), shares.mean())
    is_at_best = _is_hundredfold(other_scores.max(), shares.max())
    return fractions[0] if is_on_average and is_at_best else None


def _is_below_one(scores: Array) -> bool:
    """Return whether scores of many units lie between 0 and 1, and most are no end."""
    if scores.min() < 0 or scores.max() > 1:
        return False
    is_between = (scores > 0) & (scores < 1)
    return scores.size >= FEWEST_FRACTIONS and bool(is_between.mean() > 0.5)


def _are_apart(blocks: Mapping[str, Array], metric: Metric) -> bool:
    """Return whether each model has shares of errors up to 1, or else only above 1."""
    return metric.name in SHARES_OF_ERRORS and all(
        block.max() <= 1 or block.min() > 1 for block in blocks.values()
    )
