"""The class that a metric of one of two classes is about."""

from typing import Any

from numpy.typing import NDArray

from replib._tables.arguments import quoted
from replib._validation import listed, refusal, shown
from replib.scores import Metric

#: Pairs of classes, as text in lower case, of which the second is plainly the positive one.
_PLAIN = (("0", "1"), ("-1", "1"), ("0.0", "1.0"), ("-1.0", "1.0"), ("false", "true"))


def positive_class(metric: Metric, classes: NDArray[Any]) -> Any:
    """Return the class that a metric is about: declared, or plain from the two labels.

    Parameters
    ----------
    metric : Metric
    classes : ndarray, shape (2,)
        In their order.

    Raises
    ------
    ValueError
        If it is neither, or the declared one is no class.

    Examples
    --------
    >>> import numpy as np
    >>> str(positive_class(Metric("f1", positive="spam"), np.array(["ham", "spam"])))
    'spam'
    """
    labels = [str(label) for label in classes.tolist()]
    if metric.positive is None:
        if tuple(label.lower() for label in labels) in _PLAIN:
            return classes[1]
        raise refusal(
            f"{metric} is about one of the two classes {listed(classes)}",
            f'say which, as in Metric("{metric.name}", positive={shown(classes[0])})',
            f"say which, as in --positive {quoted(classes[0])}",
        )
    if str(metric.positive) not in labels:
        raise ValueError(
            f"positive must be one of the classes {listed(classes)}, not "
            f"{shown(metric.positive)}"
        )
    return classes[labels.index(str(metric.positive))]
