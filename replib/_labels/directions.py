"""Notes about rows, and refusals of metrics, that are better in another direction than declared."""

from collections.abc import Iterator

from replib._labels.texts import texts_like_names
from replib._names.metrics.directions import direction_of_row
from replib._names.metrics.energies import is_energy_of_bond
from replib._names.metrics.ideals import is_ratio_to_ideal, is_signed
from replib._names.metrics.mixed_units import different_units
from replib._names.metrics.quantities import quantity_of_metric
from replib._validation import listed, refusal, shown
from replib.scores import Metric, Predictions, Scores

#: Errors in the unit of what is predicted, or its square.
_IN_UNITS = ("absolute error", "root of squared error", "squared error")

#: Ratios that are far larger are in percent, or of other things.
_LARGEST_RATIO = 20.0


def notes_about_directions(table: Scores | Predictions) -> Iterator[str]:
    """Note a row whose label names another direction, or another unit of an error.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str

    Raises
    ------
    ValueError
        If zero, or 1, is the best score, and the better direction leads away from it, or if
        energies are below zero, and higher ones are declared to be better.
    """
    if isinstance(table, Scores):
        _refuse_signed(table)
        _refuse_ratios(table)
        _refuse_energies(table)
    tasks = [] if table.strata is None else table.strata.tasks
    labels = [*tasks, *texts_like_names(table, "dataset")]
    yield from _other_direction(labels, table.metric)
    yield from _other_units(labels, table.metric)


def _refuse_signed(table: Scores) -> None:
    """Refuse scores such as a bias that are beyond zero, where they are best."""
    metric = table.metric
    if not is_signed(metric.name):
        return
    distances = [-metric.sign * block for block in table.blocks.values()]
    if min(distance.min() for distance in distances) < 0:
        name = f"absolute {metric.name}"
        raise refusal(
            f"metric {shown(metric.name)} is best at 0, and there are scores beyond it",
            f'give the distance from it, as Metric({shown(name)}, better="lower")',
            f"give the distance from it, as --metric {shown(name)} --better lower",
        )


def _refuse_ratios(table: Scores) -> None:
    """Refuse ratios below 1 and above it, where they are best at 1."""
    metric = table.metric
    if not is_ratio_to_ideal(metric.name):
        return
    low = min(block.min() for block in table.blocks.values())
    high = max(block.max() for block in table.blocks.values())
    if low < 1 < high <= _LARGEST_RATIO:
        raise refusal(
            f"metric {shown(metric.name)} is a ratio that is best at 1, and there are "
            "scores on both sides of it",
            'give the distance from it, as Metric("distance from 1", better="lower")',
            'give the distance from it, as --metric "distance from 1" --better lower',
        )


def _refuse_energies(table: Scores) -> None:
    """Refuse energies of bonds that are all below zero, if higher ones are to be better."""
    metric = table.metric
    if metric.better == "lower" or not is_energy_of_bond(metric.name):
        return
    if max(block.max() for block in table.blocks.values()) < 0:
        raise refusal(
            f"metric {shown(metric.name)} is an energy by its name, and all scores are "
            "below 0, where lower is better",
            'say better="lower"',
            "say --better lower",
        )


def _other_direction(labels: list[str], metric: Metric) -> Iterator[str]:
    """Note the first label that names the other direction than a metric has.

    Gains alone may be something else, such as the data of an accelerometer.
    """
    directions = [direction_of_row(label) for label in labels]
    if metric.better == "lower" and "lower" not in directions:
        return
    for label, direction in zip(labels, directions):
        if direction not in (None, metric.better):
            yield (
                f"{shown(label)} is by its label better {direction}, and {metric} better "
                f"{metric.better}: do all rows have one metric?"
            )
            return


def _other_units(labels: list[str], metric: Metric) -> Iterator[str]:
    """Note data sets in different units, of which errors in these units are compared."""
    if quantity_of_metric(metric.name) not in _IN_UNITS:
        return
    pair = different_units(labels)
    if pair is not None:
        yield (
            f"{listed(pair)} have different units by their labels: can a {metric} of one "
            "be compared with that of another?"
        )
