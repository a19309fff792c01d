"""Which part of the data a name speaks of, however its words are joined."""

from itertools import product

import pytest

from replib._names.labels.parts import part_of_name
from replib._names.labels.training_parts import is_of_training, is_scored_on_training

TRAINING = [["in", "sample"], ["train"], ["training"], ["trn"], ["resubstitution"]]
OTHERS = [["out", "of", "sample"], ["hold", "out"], ["oof"], ["test"], ["valid"]]
SEPARATORS = ["-", "_", " "]


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("part", TRAINING + OTHERS, ids=" ".join)
def test_a_part_is_known_beside_a_model_and_a_metric(part, separator):
    joined = separator.join(part)
    for model, metric in product(["svm", "Random Forest"], ["", "acc", "rmse"]):
        name = f"{model} {joined} {metric}".strip()
        assert is_scored_on_training(name) == (part in TRAINING), name
        assert (part_of_name(name) == "training") == (part in TRAINING), name
    assert not is_of_training(joined) or part in TRAINING
