"""Files of single models, whose names are to be said."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replib import Metric, read
from replib._command import main

RNG = np.random.default_rng(31)
ANY = Metric("quality", better="higher")


def saved(path, **columns):
    path.parent.mkdir(exist_ok=True)
    pd.DataFrame(columns).to_csv(path, index=False)
    return str(path)


def labels(key, n=10):
    return {key: [f"{key}{number}" for number in range(n)]}


def numbers(*names, n=10):
    return {name: RNG.random(n).round(4) for name in names}


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        (labels("station") | numbers("rmse"), {"design": "datasets", "metric": "rmse"}),
        (
            labels("customer") | numbers("train_auc", "auc"),
            {"design": "items", "metric": Metric("auc", better="higher")},
        ),
        (
            labels("run") | numbers("quality", "seconds"),
            {"design": "seeds", "metric": ANY},
        ),
        (
            labels("patient") | numbers("dice"),
            {
                "design": "items",
                "metric": ANY,
                "columns": {"item": "patient", "score": "dice"},
            },
        ),
        (numbers("wer"), {"design": "1x10", "metric": ANY}),
        (numbers("wer"), {"design": "2x10", "metric": ANY}),
        (
            {"item": range(10), "truth": [0, 1] * 5, "prediction": [0, 0, 1, 1, 0] * 2},
            {"design": "items", "metric": "accuracy"},
        ),
    ],
)
def test_files_of_single_models_are_to_be_named(
    tmp_path, monkeypatch, columns, options
):
    monkeypatch.chdir(tmp_path)
    paths = [saved(Path(f"{name}.csv"), **columns) for name in ("old", "new")]
    with pytest.raises(ValueError, match="have no column of models") as seen:
        read(*paths, **options)
    advice = "name the model of each file, as in read('old=old.csv', 'new=new.csv')"
    assert str(seen.value).endswith(advice)


def test_a_file_without_a_name_beside_one_that_has_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("old", "new"):
        saved(Path(f"{name}.csv"), **labels("seed"), **numbers("accuracy"))
    with pytest.raises(ValueError, match="'new.csv' has no column of models") as seen:
        read("old=old.csv", "new.csv", design="seeds", metric="accuracy")
    assert str(seen.value).endswith("read('old=old.csv', 'new=new.csv')")


def test_the_command_says_what_to_write(tmp_path, capsys):
    columns = labels("seed") | numbers("val_loss")
    paths = [
        saved(tmp_path / name / "log.csv", **columns) for name in ("adamw", "muon")
    ]
    options = ["--design", "seeds", "--metric", "val_loss", "--better", "lower"]
    assert main("compare", [*paths, *options]) == 2
    named = [f"adamw={paths[0]}", f"muon={paths[1]}"]
    error = capsys.readouterr().err
    assert error.endswith(f"name the model of each file, as in {' '.join(named)}\n")
    assert main("compare", [*named, *options]) == 0


def test_a_column_that_is_called_after_the_model_of_its_file(tmp_path):
    paths = [
        saved(tmp_path / f"{name}.csv", **labels("seed"), **numbers(name))
        for name in ("gcn", "gat")
    ]
    says = "call the columns gcn and gat alike, and name the model of each file"
    with pytest.raises(ValueError, match=says):
        read(*paths, design="seeds", metric="accuracy")


@pytest.mark.parametrize(
    "columns",
    [
        labels("seed") | numbers("gcn", "gat"),
        {"model": ["gcn", "gat"] * 5, "seed": np.repeat(range(5), 2)}
        | numbers("accuracy"),
    ],
)
def test_parts_of_a_table_of_several_models_need_no_names(tmp_path, columns):
    parts = []
    for part in (0, 1):
        seeds = [f"{part}-{seed}" for seed in columns["seed"]]
        path = tmp_path / f"part{part}.csv"
        parts.append(saved(path, **{**columns, "seed": seeds}))
    data = read(*parts, design="seeds", metric="accuracy")
    assert {*data.models} == {"gcn", "gat"}
