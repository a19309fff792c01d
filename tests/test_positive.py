"""The positive class: as declared, or plain from the labels."""

import numpy as np
import pytest

from replib import Metric
from replib._positive import positive_class


@pytest.mark.parametrize(
    ("classes", "positive"),
    [
        ([0, 1], 1),
        ([-1, 1], 1),
        ([0.0, 1.0], 1.0),
        ([False, True], True),
        (["0", "1"], "1"),
        (["False", "True"], "True"),
    ],
)
def test_of_plain_classes_the_second_is_positive(classes, positive):
    assert positive_class(Metric("f1"), np.array(classes)) == positive


@pytest.mark.parametrize("classes", [[1, 2], ["no", "yes"], [0, 2], ["a", "b"]])
def test_of_other_classes_one_must_be_declared(classes):
    classes = np.array(classes)
    with pytest.raises(ValueError, match="is about one of the two classes"):
        positive_class(Metric("f1"), classes)
    for label in classes.tolist():
        assert positive_class(Metric("f1", positive=label), classes) == label
    with pytest.raises(ValueError, match="positive must be one of the classes"):
        positive_class(Metric("f1", positive="c"), classes)
