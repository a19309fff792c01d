"""What may be compared."""

import numpy as np
import pandas as pd
import pytest
from same_scores import same

from replib.readers import as_data
from replib.scores import Predictions

RNG = np.random.default_rng(7)


WIDE = pd.DataFrame({"a": RNG.random(12), "b": RNG.random(12)})


def test_data_is_one_of_few_things(tmp_path):
    seeds = dict(design="seeds", metric="accuracy")
    (tmp_path / "a.csv").write_text("run,score\n1,.5\n2,.6\n")
    (tmp_path / "b.csv").write_text("run,score\n1,.5\n2,.7\n")
    paths = [f"{name}={tmp_path / name}.csv" for name in "ab"]
    data = as_data({"a": [0.5, 0.6], "b": [0.5, 0.7]}, **seeds)
    frame = pd.DataFrame(
        {"model": list("aabb"), "run": [1, 2] * 2, "score": [0.5, 0.6, 0.5, 0.7]}
    )
    assert same(data, as_data(paths, **seeds)) and same(data, as_data(frame, **seeds))
    by_model = {name: tmp_path / f"{name}.csv" for name in "ab"}
    assert same(data, as_data(by_model, **seeds))
    frame = pd.DataFrame(
        {
            "model": list("aabb"),
            "item": [1, 2] * 2,
            "truth": [0, 1] * 2,
            "prediction": [1, 1, 0, 0],
        }
    )
    assert isinstance(as_data(frame, metric="f1"), Predictions)
    for wrong, how, message in (
        (data, {"design": "3x3"}, "leave design= out"),
        (data, {"metric": "f1"}, "leave metric="),
        (WIDE, seeds, "call from_wide"),
        ([[1, 2], [3, 4]], seeds, "data must be"),
        ({"a": paths[0][2:], "b": ""}, seeds, "b must be the name of a file, not ''"),
        ({"a": paths[0][2:]} | {"b": tmp_path / "a.csv"}, seeds, "and different"),
        ({"a": "0.8 0.9", "b": "0.8 0.7"}, seeds, "a must be .* no file '0.8 0.9'"),
        ({"a": [0.5, 0.6], "b": "b.csv"}, seeds, "b must form a rectangular array"),
        (3, {}, "data"),
    ):
        with pytest.raises(ValueError, match=message):
            as_data(wrong, **how)
