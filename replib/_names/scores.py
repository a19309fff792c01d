"""Which column has the scores of a metric, as far as names say."""

from replib._names.columns import measured_by_name, no_score_by_name
from replib._names.metrics import direction_of_metric, is_turned
from replib._validation import refusal, shown


def refuse_column(column: object, metric: str, better: str | None) -> None:
    """Refuse a column that by its name has no scores of a metric, such as times or losses.

    Parameters
    ----------
    column : object
        Its name.
    metric : str
    better : {"higher", "lower"} or None

    Raises
    ------
    ValueError
        If it has times, sizes, ranks or standard deviations, or scores of which the
        other direction is better.
    """
    if not isinstance(column, str) or column.casefold() in metric.casefold():
        return  # the steps of "steps to the goal", for instance
    problem = _other_measure(column, metric) or _other_direction(column, metric, better)
    if problem:
        raise refusal(
            f"column {shown(column)} {problem}",
            "give the column of its scores, or call the metric after the column",
            "give the column of its scores, or call --metric after the column",
        )


def _other_measure(column: str, metric: str) -> str:
    """Say that a column has other numbers than scores; empty if it does not say so."""
    other = no_score_by_name(column)
    if other is not None and no_score_by_name(metric) != other:
        return f"has {other} by its name, and the metric is {_words(metric)}"
    measured = measured_by_name(column)
    if measured is None or measured_by_name(metric) is not None:
        return ""
    if direction_of_metric(metric) == "lower":
        return ""  # a latency, for instance
    return f"has {measured} by its name, and the metric is {_words(metric)}"


def _other_direction(column: str, metric: str, better: str | None) -> str:
    """Say that the other direction of a column is better; empty if its name does not say so."""
    by_name = direction_of_metric(column)
    if by_name in (None, better) or is_turned(metric):
        return ""
    return f"is by its name better {by_name}, and {_words(metric)} better {better}"


def _words(metric: str) -> str:
    return metric.replace("_", " ")
