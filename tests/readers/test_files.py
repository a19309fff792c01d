"""Files: tables, exports of tools, and what is refused before and after reading."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from same_scores import same

from replib.designs import Items, Seeds
from replib.readers import as_data, from_wide, read
from replib.scores import Metric

DATA = Path(__file__).parents[1] / "data"


RNG = np.random.default_rng(7)


def models(index):
    """Series of two models with an index."""
    return {name: pd.Series(RNG.random(len(index)), index) for name in "ab"}


WIDE = pd.DataFrame({"a": RNG.random(12), "b": RNG.random(12)})


RUNS = {"run": "seed", "ignored": ["Name", "Created", "Runtime", "val_loss"]}


PARAMS = {
    "model": "params.model",
    "score": "metrics.roc_auc",
    "run": "params.repeat",
    "fold": "params.fold",
    "ignored": ["run_id", "start_time", "end_time"],
}


KERAS = {
    "score": "val_accuracy",
    "run": "seed",
    "ignored": ["accuracy", "loss", "val_loss"],
}


@pytest.mark.parametrize(
    ("name", "how", "models", "shape", "mean"),
    [
        (
            "wandb.csv",
            dict(
                design="seeds", metric="accuracy", columns=RUNS | {"score": "val_acc"}
            ),
            ("resnet18", "vit_tiny"),
            (5,),
            0.9111,
        ),
        (
            "mlflow.csv",
            dict(design="2x5", metric="roc_auc", columns=PARAMS),
            ("forest", "logistic"),
            (2, 5),
            0.8232,
        ),
        (
            "keras_history.csv",
            dict(
                design=Seeds(paired=True),
                metric="accuracy",
                columns=KERAS,
                where={"epoch": 2},
            ),
            ("adam", "sgd"),
            (5,),
            0.8339,
        ),
        (
            "paper_table.csv",
            dict(
                design="datasets",
                metric=Metric("accuracy", high=100),
                columns={"dataset": "Data set"},
            ),
            ("NB", "C4.5", "k-NN", "SVM"),
            (20,),
            80.7890,
        ),
        (
            "harness",
            dict(metric="acc", where={"task": "arc_easy"}),
            ("meta__small-3b", "meta__tiny-1b"),
            (1, 24),
            0.8333,
        ),
        (
            "harness",
            dict(
                metric="exact_match", where={"task": "gsm8k", "filter": "strict-match"}
            ),
            ("meta__small-3b", "meta__tiny-1b"),
            (1, 10),
            0.5000,
        ),
    ],
)
def test_exports_of_peoples_tools(name, how, models, shape, mean):
    data = read(DATA / name, **how)
    assert data.models == models and {x.shape for x in data.blocks.values()} == {shape}
    assert data.blocks[models[0]].mean() == pytest.approx(mean, abs=5e-5)
    assert same(data, as_data(data)) and as_data(data, metric=data.metric) is data


def test_logs_are_files_folders_and_names(tmp_path):
    small, tiny = (
        DATA / "harness" / name for name in ("meta__small-3b", "meta__tiny-1b")
    )
    how = dict(metric="acc", where={"task": "arc_easy"})
    whole = read(DATA / "harness", **how)
    assert same(whole, read(small, tiny, **how))
    named = read(f"a={small}", next(iter(tiny.glob("samples_arc*"))), **how)
    assert named.models == ("a", "meta__tiny-1b")
    without_task = read(DATA / "harness", metric="acc")
    assert np.array_equal(without_task.blocks["meta__tiny-1b"], whole.blocks[tiny.name])
    assert without_task.notes == ("task gsm8k is left out, which has no acc",)
    by_text = read(small, tiny, design=Items(cluster="passage"), **how)
    assert len(set(by_text.clusters)) == 8
    for paths, more, message in (
        (
            [DATA / "harness"],
            {},
            r"acc and acc_norm \(arc_easy\); exact_match \(gsm8k\): say metric=",
        ),
        (
            [DATA / "harness"],
            {"metric": "exact_match", "where": {"task": "gsm8k"}},
            "'strict-match' and 'flexible-extract': choose",
        ),
        ([small, small], how, "different"),
        ([f"a={DATA / 'harness'}"], how, "logs of several models"),
        ([tmp_path], {}, "no files samples_"),
        ([small, DATA / "wandb.csv"], how, "not both"),
        (
            [small, tiny],
            how | {"design": Items(cluster="author")},
            "column 'author' is missing",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            read(*paths, **more)


GOOD = {"doc_id": 1, "filter": "none", "target": "x", "metrics": ["acc"], "acc": 1.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "not JSON"),
        ('{"a":' * 100_000, "not JSON"),
        ("[3]", "no doc_id"),
        (
            json.dumps(GOOD)[:-4] + "1" + "0" * 400 + "}",
            "score of 'a' and 'b' is not a number in row .a/samples.*:1",
        ),
        (json.dumps(GOOD | {"metrics": [["acc"]]}), "list of names"),
        (json.dumps(GOOD | {"acc": "x"}), "score of 'a' and 'b' is not a number"),
        (json.dumps(GOOD | {"acc": [1, 2]}), "acc is a metric of a whole corpus"),
        ("", "no samples"),
        (
            f"{json.dumps(GOOD)}\n{json.dumps(GOOD | {'target': 'y'})}",
            "document differs from .*:2",
        ),
        ("\0", "not text"),
    ],
)
def test_hostile_logs_are_refused_in_a_sentence(tmp_path, text, message):
    paths = [tmp_path / f"samples_t_2026-01-0{day}.jsonl" for day in (1, 2)]
    for path in paths:
        path.write_text(text)
    with pytest.raises(ValueError, match=message) as refused:
        read(*(f"{name}={path}" for name, path in zip("ab", paths)))
    assert str(refused.value).isprintable() and len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a;b\n1,812;1,700\n1,900;1,800\n", "commas, which may be decimal"),
        ("a;b\n0,81;0.7\n0,9;0.8\n", "'a' has numbers with commas"),
        ("a,b\n81.5%,70%\n90%,80%\n", "percent signs"),
        ("a b\n.81 .7\n.9  .8\n", "separated by blanks"),
        ("a,,b\n.8,.7,.6\n.9,.8,.7\n", "column 2 has no name"),
        ("0.81,0.7\n0.9,0.8\n0.7,0.6\n", "not numbers"),
        (",0.81,0.7\n0.9,0.8,0.7\n0.7,0.6,0.8\n", "not numbers"),
        (",1,0\n1,1,0\n0,1,1\n1,0,0\n", "not numbers"),
        ("10,50,100\n0.9,0.8,0.7\n0.7,0.6,0.8\n", "not numbers"),
        ("a,a\n0.8,0.7\n0.9,0.8\n", "two columns"),
        ("a,b\n0.8,0.7,3\n0.9,0.8,4\n", "more cells"),
        ("a,b\n0.8,0.7\n0.9,0.8,4\n", "more cells"),
        ("a,b\n0.8\n0.9,0.8\n", "missing"),
        ("", "cannot be read"),
        ("PK\3\4", "not text"),
        ("a,b\n0.8,nan\n0.9,0.8\n", "'nan' in row 1 of 'b' is no number"),
        ("model,fold,score\na,0,.5\na,1,x\nb,0,.5\nb,1,.6\n", "in row 3$"),
        ("a\x1b[2J,b\n0.8,x\n0.9,y\n", r"\\x1b|'b'"),
        (",".join(map(str, range(3000))) + "\n", "3000 columns"),
        ("a,b\n", "no row below"),
        (json.dumps([{"acc": i} for i in range(1511)]), "it is JSON, not a table"),
        (" <!doctype html><p>1,2,3", "it is HTML or XML"),
    ],
)
def test_tables_that_are_none_are_refused_in_a_sentence(tmp_path, text, message):
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as refused:
        read(path, design="1x2", metric="accuracy")
    assert str(refused.value).isprintable()


def test_a_column_of_numbers_of_patients_is_not_taken_for_percent():
    table = WIDE.assign(patient=[*range(2, 13), 1])
    with pytest.raises(
        ValueError, match=r"score 2 of 'patient' .* is it no model"
    ) as no:
        from_wide(table, design="seeds", metric="accuracy")
    assert "percent say" not in str(no.value)


def test_files_of_another_kind_are_refused(tmp_path):
    (tmp_path / "results.json").write_text('{"acc": 0.8}')
    (tmp_path / "line.json").write_text(json.dumps({f"m{i}": i for i in range(1511)}))
    for name in ("results.json", "line.json"):
        with pytest.raises(ValueError, match="tables end with '.csv'"):
            read(tmp_path / name, design="1x2", metric="accuracy")


@pytest.mark.parametrize(
    "key, labels, design",
    [
        ("item", [0, 1, 2, 3], "items"),
        ("item", ["q1", "q2", "q3", "q4"], "items"),
        ("seed", [42, 7, 13, 5], "seeds"),
        ("dataset", ["iris", "wine", "zoo", "car"], "datasets"),
        ("fold", [1, 2, 3, 4], "1x4"),
        # as a DataFrame with an index writes it
        ("", [0, 1, 2, 3], "1x4"),
        ("", [1, 2, 3, 4], "seeds"),
        ("", ["q1", "q2", "q3", "q4"], "items"),
        ("", ["iris", "wine", "zoo", "car"], "datasets"),
    ],
)
@pytest.mark.parametrize("models", [(10, 50, 100), (1, 2, 3), (0.1, 0.5, 1.0)])
def test_models_may_be_called_by_numbers(tmp_path, key, labels, design, models):
    scores = [[0.8, 0.7, 0.9, 0.6], [0.9, 0.6, 0.7, 0.8], [0.7, 0.8, 0.6, 0.9]]
    frame = pd.DataFrame(dict(zip(models, scores)), index=pd.Index(labels, name=key))
    frame.to_csv(tmp_path / "a.csv")
    table = read(tmp_path / "a.csv", design=design, metric="accuracy")
    assert table.models == tuple(map(str, models))
    in_order = np.sort(labels) if key == "seed" else labels
    expected = frame.loc[in_order].to_numpy().T
    assert_array_equal([block.ravel() for block in table.blocks.values()], expected)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n.8,.7\n.9,.8\n",
        "\ufeffa;b\n.8;.7\n.9;.8\n",
        "a\tb\r\n.8\t.7\r\n.9\t.8\r\n",
        "a|b\n.8|.7\n.9|.8",
        ",a,b\n0,.8,.7\n1,.9,.8\n",
        "a,b,,\n.8,.7,,\n.9,.8,,\n,,,\n",
        "model;fold;score\na;1;.8\na;2;.9\nb;2;.8\nb;1;.7\n",
    ],
)
def test_tables_in_many_spellings_are_the_same(tmp_path, text):
    path = tmp_path / ("a.CSV" if ";" in text else "a.csv")
    path.write_text(text, encoding="utf-8")
    data = read(path, design="1x2", metric="accuracy")
    assert data.blocks["a"].tolist() == [[0.8, 0.9]] and data.blocks["b"].tolist() == [
        [0.7, 0.8]
    ]


def test_what_is_no_file_is_refused_before_reading(tmp_path):
    os.mkfifo(tmp_path / "fifo.csv")
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    with open(tmp_path / "sparse.csv", "wb") as file:
        file.truncate(2**30)
    for name, message in (
        ("fifo.csv", "not a file"),
        ("zero.jsonl", "not a file"),
        ("sparse.csv", "1074 MB"),
        ("nowhere.csv", "No such file"),
        ("a\0b", "name of a file"),
        ("\ud800", "name of a file"),
    ):
        with pytest.raises(ValueError, match=message):
            read(tmp_path / name, design="1x2", metric="accuracy")


@pytest.mark.parametrize("n_rows, is_refused", [(4, False), (5, True), (9, True)])
def test_five_rows_are_counted_by_a_column_that_counts_them(n_rows, is_refused):
    """Of four, a model may have the scores 1, 2, 3 and 4."""
    frame = pd.DataFrame({"a": [0.5, 2.5, 1.5] * 3, "b": range(1, 10)})[:n_rows]
    metric = Metric("points", better="higher")
    if is_refused:
        with pytest.raises(ValueError, match="column 'b' counts the rows"):
            from_wide(frame, design="seeds", metric=metric)
    else:
        table = from_wide(frame, design="seeds", metric=metric)
        assert table.models == ("a", "b")
