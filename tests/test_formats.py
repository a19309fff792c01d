"""What people's tools write is recognised by its structure, read, or refused in a sentence.

The files in ``tests/data`` have the shape that the sources of the tools give them, which
the modules of ``replib._formats`` name, with content of our own.
"""

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from logs_by_hand import harness

from replib import Items, Metric, _formats, compare, read
from replib._formats import documents
from replib._validation import told_apart
from replib.designs import Datasets, Seeds

DATA = Path(__file__).parent / "data"
SEEDS = dict(design="seeds")


def means(data):
    return {model: data.blocks[model].mean() for model in data.models}


# ---------------------------------------------------------------- each tool


def inspect_scores(path):
    with zipfile.ZipFile(path) as archive:
        summaries = json.loads(archive.read("summaries.json"))
    return np.mean([s["scores"]["match"]["value"] == "C" for s in summaries])


def of_inspect():
    logs = sorted((DATA / "inspect").iterdir())
    return dict(zip(("openai/large", "openai/small"), map(inspect_scores, logs)))


def of_swebench():
    reports = [json.loads(f.read_text()) for f in (DATA / "swebench").iterdir()]
    names = [f.name.removesuffix(".my_run.json") for f in (DATA / "swebench").iterdir()]
    return {
        name: len(report["resolved_ids"]) / len(report["submitted_ids"])
        for name, report in zip(names, reports)
    }


def of_lighteval():
    files = (DATA / "lighteval").glob("**/*.jsonl")
    return {
        file.parents[1].name: pd.json_normalize(
            [json.loads(line) for line in file.read_text().splitlines()]
        )["metric.acc"].mean()
        for file in files
    }


def of_helm():
    found = {}
    for file in (DATA / "helm").glob("*/per_instance_stats.json"):
        stats = [
            stat["mean"]
            for entry in json.loads(file.read_text())
            for stat in entry["stats"]
            if stat["name"]["name"] == "exact_match" and "perturbation" not in entry
        ]
        assert len(stats) == 40
        found[f"org/{file.parent.name}"] = np.mean(stats)
    return found


def last_of_keras(model):
    files = (DATA / "keras" / model).iterdir()
    return np.mean([pd.read_csv(file)["val_accuracy"].iloc[-1] for file in files])


def best_of_keras(model):
    files = (DATA / "keras" / model).iterdir()
    return np.mean([pd.read_csv(file)["val_accuracy"].max() for file in files])


def of_lightning_s_test(model):
    files = (DATA / "lightning" / model).glob("*/metrics.csv")
    return np.mean([pd.read_csv(file)["test_acc"].dropna().iloc[0] for file in files])


def last_of_chart(model):
    chart = pd.read_csv(DATA / "wandb_chart.csv")
    return chart[[f"{model}-seed{run} - val_acc" for run in range(4)]].iloc[-1].mean()


def by_model(file, model, score):
    frame = pd.read_csv(DATA / file)
    values = frame[score].astype(str).str.lstrip("'").astype(float)
    return values.groupby(frame[model]).mean().to_dict()


TOOLS = {
    "Inspect": (["inspect"], {}, Items(runs="samples"), of_inspect),
    "SWE-bench": (["swebench"], {}, Items(runs="samples"), of_swebench),
    "lighteval": (["lighteval"], {}, Items(runs="samples"), of_lighteval),
    "HELM": (["helm"], {"metric": "exact_match"}, Items(runs="samples"), of_helm),
    "W&B runs": (
        ["wandb_runs.csv"],
        SEEDS
        | {"metric": "accuracy", "columns": {"model": "optimizer", "score": "val_acc"}},
        Seeds(),
        lambda: by_model("wandb_runs.csv", "optimizer", "val_acc"),
    ),
    "W&B chart": (
        ["wandb_chart.csv"],
        SEEDS | {"metric": "accuracy", "where": {"Step": "last"}},
        Seeds(),
        lambda: {model: last_of_chart(model) for model in ("adamw", "sgd")},
    ),
    "MLflow, in Python": (
        ["mlflow.csv"],
        {"design": "2x5", "metric": "roc_auc", "columns": {"run": "params.repeat"}},
        None,
        lambda: by_model("mlflow.csv", "params.model", "metrics.roc_auc"),
    ),
    "MLflow, from its page": (
        ["mlflow_page.csv"],
        SEEDS | {"metric": "neg_log_loss"},
        Seeds(),
        lambda: by_model("mlflow_page.csv", "model", "neg_log_loss"),
    ),
    "Keras, last epoch": (
        ["keras"],
        SEEDS
        | {
            "metric": "accuracy",
            "columns": {"score": "val_accuracy"},
            "where": {"epoch": "last"},
        },
        Seeds(),
        lambda: {model: last_of_keras(model) for model in ("cnn", "mlp")},
    ),
    "Keras, best epoch": (
        ["a=keras/cnn", "b=keras/mlp"],
        SEEDS
        | {
            "metric": "accuracy",
            "columns": {"score": "val_accuracy"},
            "where": {"epoch": "best"},
        },
        Seeds(),
        lambda: {"a": best_of_keras("cnn"), "b": best_of_keras("mlp")},
    ),
    "Lightning": (
        ["lightning/wide", "lightning/deep"],
        SEEDS | {"metric": "accuracy", "columns": {"score": "test_acc"}},
        Seeds(),
        lambda: {model: of_lightning_s_test(model) for model in ("wide", "deep")},
    ),
    "OpenCompass": (
        ["opencompass"],
        {"columns": {}, "where": {"model": ["model-a", "model-b"]}},
        Datasets(),
        lambda: (
            pd.read_csv(DATA / "opencompass/summary/summary_20260501_101112.csv")
            .iloc[1:][["model-a", "model-b"]]
            .astype(float)
            .mean()
            .to_dict()
        ),
    ),
}


@pytest.mark.parametrize("paths, how, design, expected", TOOLS.values(), ids=TOOLS)
def test_the_scores_are_those_in_the_files(paths, how, design, expected, monkeypatch):
    monkeypatch.chdir(DATA)
    data = read(*paths, **how)
    assert means(data) == pytest.approx(expected())
    assert design in (None, data.design)
    assert len(compare(data).pairs) == 1


def test_every_format_is_tried():
    paths = {path.rpartition("=")[2] for paths, *_ in TOOLS.values() for path in paths}
    tried = {
        _formats._recognised((None, DATA / path)).format for path in (*paths, "harness")
    }
    modules = ("harness", "helm", "inspect", "lighteval", "swebench")
    summaries = {getattr(_formats, module).SUMMARY for module in modules}
    assert set(_formats.FORMATS) - tried == summaries


# ---------------------------------------------------------------- Inspect


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as target:
        for name, content in members.items():
            target.writestr(name, json.dumps(content))
    return path


def log(model, scores, *, epochs=1, status="success", **about):
    """A header of a log, and summaries whose scores are the values of one scorer."""
    header = {
        "version": 2,
        "status": status,
        "eval": {"task": "arith", "model": model} | about,
    }
    summaries = [
        {"id": i, "epoch": epoch, "input": "?", "target": "x", "scores": score}
        for epoch in range(1, epochs + 1)
        for i, score in enumerate(scores)
    ]
    return header, summaries


def written(folder, model, scores, name=None, **options):
    header, summaries = log(model, scores, **options)
    members = {"header.json": header, "summaries.json": summaries}
    return archive(folder / f"{name or model}.eval", members)


def value_of(*values):
    return [{"match": {"value": value}} for value in values]


def test_letters_words_and_numbers_are_the_values_of_inspect(tmp_path):
    a = written(tmp_path, "a", value_of("C", "I", "P", "N", "yes", "no", True, 0.25))
    b = written(tmp_path, "b", value_of(*[0.5] * 8))
    data = read(a, b, metric=Metric("match", better="higher"))
    assert data.blocks["a"].tolist() == [[1, 0, 0.5, 0, 1, 0, 1, 0.25]]


def test_a_log_that_has_not_ended_is_read_from_its_journal_with_a_note(tmp_path):
    header, summaries = log("b", value_of(*"CICI"), status="started")
    whole = written(tmp_path, "a", value_of(*"CCCI"))
    journal = {
        "_journal/start.json": header,
        "_journal/summaries/1.json": summaries[:2],
        "_journal/summaries/2.json": summaries[2:],
    }
    begun = archive(tmp_path / "b.eval", journal)
    data = read(whole, begun, metric=Metric("match", better="higher"))
    assert data.blocks["b"].tolist() == [[1, 0, 1, 0]]
    assert data.notes == ("the run of b.eval has the status 'started'",)
    assert read(tmp_path, metric=data.metric).models == ("a", "b")


def test_epochs_and_second_logs_are_samples(tmp_path):
    a = written(tmp_path, "a", value_of(*"CICI"), epochs=2)
    again = written(tmp_path, "a", value_of(*"IIII"), name="again")
    b = written(tmp_path, "b", value_of(*"CCII"))
    data = read(a, again, b, metric=Metric("match", better="higher"))
    assert {model: len(block) for model, block in data.blocks.items()} == {
        "a": 3,
        "b": 1,
    }
    assert data.design.runs == "samples"


def test_logs_in_json_and_values_with_parts(tmp_path):
    paths = []
    for model, share in (("a", 1.0), ("b", 0.5)):
        header, samples = log(model, [{"s": {"value": {"x": share, "y": 0}}}] * 3)
        path = tmp_path / f"{model}.json"
        path.write_text(json.dumps(header | {"samples": samples}))
        paths.append(path)
    data = read(*paths, metric=Metric("s/x", better="higher"))
    assert means(data) == {"a": 1.0, "b": 0.5}
    paths[1].write_text(json.dumps(header))
    with pytest.raises(ValueError, match="give files of one kind"):
        read(*paths, metric=data.metric)
    with pytest.raises(ValueError, match="no samples: give the whole log"):
        read(paths[1], metric=data.metric)


@pytest.mark.parametrize(
    "members, says",
    [
        ({"header.json": {}, "summaries.json": []}, "does not say its task"),
        ({"header.json": log("a", [])[0], "summaries.json": [{}]}, "without an id"),
        ({"header.json": log("a", [])[0], "summaries.json": []}, "no samples"),
        ({"header.json": [1], "summaries.json": {}}, "does not say its task"),
        (
            {"header.json": {"eval": {"task": 1, "model": 2}, "results": 3}},
            "no samples",
        ),
        (
            {
                "header.json": log("a", [])[0],
                "summaries.json": [{"id": 1, "scores": [3]}],
            },
            "looks like a log of Inspect",
        ),
        ({"other.json": {}}, "not text"),
    ],
)
def test_hostile_archives_are_refused_in_a_sentence(tmp_path, members, says):
    path = archive(tmp_path / "a.zip", members)
    with pytest.raises(ValueError, match=says) as refused:
        read(path, metric="accuracy")
    assert str(refused.value).isprintable() and len(str(refused.value)) < 400


def test_an_archive_is_bounded_and_never_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "MOST_BYTES", 100_000)
    bomb = archive(
        tmp_path / "a.eval",
        {"header.json": log("a", [])[0], "summaries.json": "0" * 200_000},
    )
    assert bomb.stat().st_size < 10_000
    with pytest.raises(ValueError, match="more than 0 MB when it is unpacked"):
        read(bomb)
    monkeypatch.undo()
    header, summaries = log("a", value_of(*"CI"))
    climbing = {
        "header.json": header,
        "summaries.json": summaries,
        "../../climbed.json": {},
        "/tmp/climbed.json": {},
    }
    archive(bomb, climbing)
    other = written(tmp_path, "b", value_of(*"CC"))
    read(bomb, other, metric=Metric("match", better="higher"))
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.eval", "b.eval"]
    whole = bomb.read_bytes()
    for broken in (whole[:200], whole[:-30], whole[:60] + b"\xff" * 40 + whole[100:]):
        bomb.write_bytes(broken)
        with pytest.raises(ValueError, match="not a complete zip file|is not JSON"):
            read(bomb, other)


def test_zstandard_is_read_or_named(tmp_path, monkeypatch):
    """A member that is stored, and then marked as packed by Zstandard (method 93)."""
    header, summaries = log("a", value_of(*"CI"))
    members = {"header.json": header, "summaries.json": summaries}
    path = archive(tmp_path / "a.eval", members, zipfile.ZIP_STORED)
    stored = path.read_bytes()
    marked = bytearray(stored)
    for signature, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = 0
        while (start := stored.find(signature, start)) >= 0:
            marked[start + place] = 93
            start += 4
    path.write_bytes(marked)
    if hasattr(zipfile, "ZIP_ZSTANDARD"):
        pytest.skip("this Python unpacks Zstandard itself")

    class Stored:
        """Stands for the package zstandard where nothing is packed."""

        @staticmethod
        def ZstdDecompressor():
            return Stored

        @staticmethod
        def stream_reader(stream):
            return stream

    monkeypatch.setattr(documents, "import_module", lambda name: Stored)
    other = written(tmp_path, "b", value_of(*"CC"))
    data = read(path, other, metric=Metric("match", better="higher"))
    assert means(data) == {"a": 0.5, "b": 1.0}

    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(documents, "import_module", missing)
    with pytest.raises(
        ValueError, match=r"needs Python 3\.14 or the package zstandard"
    ):
        read(path, other)


# ---------------------------------------------------------------- lighteval

WHEN = "2026-01-01T00-00-00.000000"


def details(folder, values, *, ids=None, task="arc"):
    """Details of a model as lighteval writes them, below the folder of the model."""
    place = folder / WHEN
    place.mkdir(parents=True)
    ids = range(len(values)) if ids is None else ids
    lines = [
        json.dumps({"doc": {"id": i, "query": f"q{i}"}, "metric": {"acc": value}})
        for i, value in zip(ids, values)
    ]
    (place / f"details_{task}_{WHEN}.jsonl").write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("folders", "models"),
    [
        (["details/org/a", "details/org/b"], {"a": 1, "b": 1}),
        (["details/orgA/m", "details/orgB/m"], {"orgA/m": 1, "orgB/m": 1}),
        (["details/m", "details/org/m"], {"m": 1, "org/m": 1}),
        (
            ["details/orgA/m", "details/orgB/m", "details/orgB/n"],
            {"orgA/m": 1, "orgB/m": 1, "n": 1},
        ),
        # the same model, in the folders of two calls
        (["x/details/org/m", "y/details/org/m", "y/details/org/n"], {"m": 2, "n": 1}),
        (["orgA/m", "orgB/n"], {"m": 1, "n": 1}),
    ],
)
def test_models_of_lighteval_have_their_owners_where_names_are_alike(
    tmp_path, folders, models
):
    for number, folder in enumerate(folders):
        details(tmp_path / folder, [0, 1, number % 2, 1])
    data = read(*[tmp_path / folder for folder in folders], metric="acc")
    assert {model: len(block) for model, block in data.blocks.items()} == models


def test_two_folders_of_lighteval_with_one_name_are_to_be_named(tmp_path):
    folders = [tmp_path / "orgA/m", tmp_path / "orgB/m"]
    for folder in folders:
        details(folder, [0, 1, 1, 0])
    with pytest.raises(
        ValueError, match=f"called 'm': name both, as in a={folders[0]}"
    ):
        read(tmp_path, metric="acc")
    named = read(f"a={folders[0]}", f"b={folders[1]}", metric="acc")
    assert named.models == ("a", "b")
    for owner in ("orgA", "orgB"):
        details(tmp_path / "all/details" / owner / "m", [0, 1, 1, 0])
    with pytest.raises(ValueError, match="several models, 'orgA/m' and 'orgB/m'"):
        read(f"a={tmp_path / 'all'}", f"b={folders[1]}", metric="acc")


def test_details_that_lie_in_no_folder_of_a_model(tmp_path):
    """Files that were copied out of their folders, several tasks of each model."""
    for model in "ab":
        for task in ("arc", "gsm8k"):
            details(tmp_path / f"{model}_{task}", [0, 1, 1, 0], task=task)
            (file,) = (tmp_path / f"{model}_{task}").glob("*/*.jsonl")
            (tmp_path / model).mkdir(exist_ok=True)
            file.rename(tmp_path / model / file.name)
    data = read(f"a={tmp_path / 'a'}", f"b={tmp_path / 'b'}", metric="acc")
    assert data.models == ("a", "b") and len(data.frame) == 16
    with pytest.raises(
        ValueError, match="name both, as in a=.*/[ab]/details_arc_.*jsonl"
    ):
        read(*tmp_path.glob("[ab]/details_arc*"), metric="acc")


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([0, 1, 2], ["arc/0", "arc/1", "arc/2"]),
        (["0", "1", "2"], ["arc/0", "arc/1", "arc/2"]),
        (["", "", ""], ["arc/1", "arc/2", "arc/3"]),
        ([None, None, None], ["arc/1", "arc/2", "arc/3"]),
        # a line number beside identifiers could be one of them
        (["", 1, 7], ["arc/1", "arc/2", "arc/3"]),
    ],
)
def test_documents_of_lighteval_may_be_counted_from_0(tmp_path, ids, expected):
    for model in "ab":
        details(tmp_path / "details/org" / model, [0, 1, int(model == "a")], ids=ids)
    data = read(tmp_path, metric="acc")
    assert list(data.frame["item"].unique()) == expected


# ---------------------------------------------------------------- SWE-bench


def reports(folder, *names):
    for number, name in enumerate(names):
        submitted = [f"i{i}" for i in range(6)]
        report = {"submitted_ids": submitted, "resolved_ids": submitted[: number + 1]}
        (folder / f"{name}.json").write_text(json.dumps(report))


@pytest.mark.parametrize(
    ("names", "models"),
    [
        (["gpt-4.1.run1", "gpt-4.5.run1"], {"gpt-4.1": 1, "gpt-4.5": 1}),
        (["gpt-4.1.run1", "gpt-4.1.run2", "b.run1"], {"gpt-4.1": 2, "b": 1}),
        (["gpt-4.20250114", "gpt-4.20250201", "b.1"], {"gpt-4": 2, "b": 1}),
        (["agent.1", "agent.2", "other.1"], {"agent": 2, "other": 1}),
        (["gpt-4.1", "claude.run"], {"gpt-4.1": 1, "claude": 1}),
        (["gemini-2.5-pro", "claude.run"], {"gemini-2.5-pro": 1, "claude": 1}),
        (["gpt-4.1.1", "gpt-4.5.1"], {"gpt-4.1.1": 1, "gpt-4.5.1": 1}),
    ],
)
def test_models_of_swebench_are_called_as_before_the_run(tmp_path, names, models):
    reports(tmp_path, *names)
    data = read(tmp_path)
    assert {model: len(block) for model, block in data.blocks.items()} == models


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("gpt-4.1", "gpt-4.5"),
        ("gemini-2.5-flash", "gemini-2.5-pro"),
        ("agent-2.1", "agent-2.run"),
    ],
)
def test_reports_of_versions_or_of_runs_are_to_be_named(tmp_path, first, second):
    reports(tmp_path, first, second, "claude.run")
    with pytest.raises(ValueError, match="may be two models or two runs of .*name all"):
        read(tmp_path)
    paths = [tmp_path / f"{name}.json" for name in (first, second, "claude.run")]
    named = read(*[f"{name}={path}" for name, path in zip("abc", paths)])
    assert named.models == ("a", "b", "c")
    runs = read(*[f"{name}={path}" for name, path in zip("aab", paths)])
    assert [len(block) for block in runs.blocks.values()] == [2, 1]


# ---------------------------------------------------------------- HELM


def instances(folder, model, *entries):
    """Statistics of four instances: entries are a metric, a split and values."""
    place = folder / model
    place.mkdir()
    stats = [
        {
            "instance_id": f"id{i}",
            "train_trial_index": 0,
            "stats": [{"name": {"name": metric, "split": split}, "count": 1, "sum": x}],
        }
        for metric, split, values in entries
        for i, x in enumerate(values)
    ]
    (place / "per_instance_stats.json").write_text(json.dumps(stats))
    spec = {"name": "mmlu", "adapter_spec": {"model": model}}
    (place / "run_spec.json").write_text(json.dumps(spec))


ANSWERS, OTHERS = [1, 0, 1, 1], [0, 1, 0, 0]


@pytest.mark.parametrize("metric", ["exact_match", None])
def test_a_statistic_of_helm_that_is_there_twice_must_be_equal(tmp_path, metric):
    own = ("exact_match", "test", ANSWERS)
    instances(tmp_path, "a", own, ("exact_match", "test", OTHERS))
    instances(tmp_path, "b", own)
    with pytest.raises(
        ValueError, match="exact_match of instance 'id0' twice .*1 and 0"
    ):
        read(tmp_path, metric=metric)


@pytest.mark.parametrize(
    "more",
    [
        [],
        [("exact_match", "test", ANSWERS)],
        [("num_tokens", "test", [5, 6, 7, 8])],
        # two metrics of HELM count the same in other ways, and nobody asks for it
        [("num_tokens", "test", [5, 6, 7, 8]), ("num_tokens", "test", [5, 6, 7, 9])],
        [("exact_match", "valid", OTHERS)],
    ],
)
def test_statistics_of_helm_that_may_be_there_twice(tmp_path, more):
    for model in "ab":
        instances(tmp_path, model, ("exact_match", "test", ANSWERS), *more)
    data = read(tmp_path, metric="exact_match")
    assert data.blocks["a"].tolist() == [ANSWERS]
    has_valid = any(split == "valid" for _, split, _ in more)
    note = "instances of the split valid are left out, and those of test count"
    assert (note in data.notes) == has_valid


def test_splits_of_helm_are_not_mixed(tmp_path):
    instances(tmp_path, "a", ("exact_match", "valid", ANSWERS))
    instances(tmp_path, "b", ("exact_match", "valid", OTHERS))
    assert read(tmp_path, metric="exact_match").notes == ()
    instances(tmp_path, "c", ("exact_match", "test", OTHERS))
    with pytest.raises(ValueError, match="differs from another row of the item"):
        read(tmp_path, metric="exact_match")
    parts = [("exact_match", split, ANSWERS) for split in ("valid", "train")]
    instances(tmp_path, "d", *parts)
    with pytest.raises(ValueError, match="'valid' and 'train', and none of test: keep"):
        read(tmp_path / "d", metric="exact_match")


# ---------------------------------------------------------------- what is missing or asked


def test_a_metric_of_a_corpus_is_named_with_those_of_items(tmp_path):
    for model in "ab":
        harness(
            tmp_path,
            model,
            metrics=["word_perplexity", "skill"],
            word_perplexity=[-10.0, 4],
        )
    with pytest.raises(
        ValueError, match="whole corpus.*the metrics skill: say metric="
    ):
        read(tmp_path, metric="word_perplexity")
    assert read(tmp_path, metric="skill").metric.name == "skill"


@pytest.mark.parametrize(
    "content, says",
    [
        ({"results": {}, "higher_is_better": {}}, "give the files samples_"),
        ({"config_general": {}, "results": {}}, "give the files details_"),
        ([{"name": {"name": "em"}, "count": 1, "sum": 1}], "per_instance_stats.json"),
        ({"resolved": ["x"], "no_logs": [], "no_generation": []}, "the report"),
        ({"acc": 0.8}, "of no tool that is known; looked for samples_"),
    ],
)
def test_a_summary_says_which_file_has_the_items(tmp_path, content, says):
    (tmp_path / "results.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match=says):
        read(tmp_path / "results.json")
    if "known" not in says:
        with pytest.raises(ValueError, match=says):
            read(tmp_path)


@pytest.mark.parametrize(
    "paths, how, says",
    [
        (["wandb_runs.csv"], SEEDS, "may be the model, 'optimizer': say which"),
        (
            ["wandb_runs.csv"],
            SEEDS | {"columns": {"model": "optimizer"}, "metric": "accuracy"},
            "may be the score, .*'val_acc'",
        ),
        (["wandb_chart.csv"], SEEDS | {"metric": "accuracy"}, 'where={"Step": "last"}'),
        (
            ["keras"],
            SEEDS | {"metric": "accuracy", "where": {"epoch": "last"}},
            "accuracy is that of the training data, and val_accuracy",
        ),
        (["keras"], SEEDS | {"metric": "f1"}, "may be the score, 'accuracy', 'loss'"),
        (
            ["keras"],
            SEEDS | {"metric": "accuracy", "columns": {"score": "val_accuracy"}},
            'say which counts, as in where={"epoch": "last"}',
        ),
        (
            ["keras"],
            SEEDS
            | {
                "metric": "accuracy",
                "columns": {"score": "val_accuracy"},
                "where": {"epoch": 9},
            },
            "no row has epoch '9': there are 0 to 3",
        ),
        (["opencompass"], {}, "model-c"),
        (["keras", "lightning"], SEEDS, "give files of one kind, not both"),
        (["before.json"], {}, "no tool that is known"),
    ],
)
def test_what_cannot_be_known_is_asked_for(paths, how, says, monkeypatch):
    monkeypatch.chdir(DATA)
    with pytest.raises(ValueError, match=says):
        read(*paths, **how)


def test_a_folder_that_cannot_be_read_is_refused(tmp_path, monkeypatch):
    def closed(folder, pattern):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "glob", closed)
    with pytest.raises(ValueError, match="cannot be read: Permission denied"):
        read(tmp_path)


def test_a_run_that_has_not_finished_is_noted(tmp_path):
    frame = pd.read_csv(DATA / "wandb.csv")
    frame.loc[0, "State"] = "crashed"
    frame.to_csv(tmp_path / "a.csv", index=False)
    how = SEEDS | {"metric": "accuracy", "columns": {"score": "val_acc"}}
    assert read(DATA / "wandb.csv", **how).notes == ()
    assert read(tmp_path / "a.csv", **how).notes == (
        "some runs have not finished: 1 crashed ('State')",
    )
    finished = read(tmp_path / "a.csv", **how, where={"State": "finished"})
    assert finished.notes == () and len(finished.blocks["resnet18"]) == 4


def test_scores_of_the_training_data_are_not_taken_for_those_of_the_metric(tmp_path):
    """Keras logs the accuracy on the training data beside val_accuracy."""
    frame = pd.read_csv(DATA / "wandb_runs.csv")
    frame = frame.rename(columns={"val_acc": "val_accuracy"})
    frame.assign(accuracy=frame["val_accuracy"] + 0.05).to_csv(
        tmp_path / "a.csv", index=False
    )
    how = SEEDS | {"metric": "accuracy", "columns": {"model": "optimizer"}}
    with pytest.raises(ValueError, match="say which, .*'score': 'val_accuracy'"):
        read(tmp_path / "a.csv", **how)
    trained = frame.rename(columns={"val_accuracy": "accuracy"})
    trained.assign(train_accuracy=0.99 * frame["val_accuracy"]).to_csv(
        tmp_path / "b.csv", index=False
    )
    assert read(tmp_path / "b.csv", **how).models == ("adamw", "sgd")


def test_a_setting_that_varies_within_a_model_has_to_be_chosen(tmp_path):
    frame = pd.read_csv(DATA / "wandb_runs.csv")
    frame["lr"] = np.tile([0.1, 0.2], 5)
    frame.to_csv(tmp_path / "a.csv", index=False)
    how = SEEDS | {
        "metric": "accuracy",
        "columns": {"model": "optimizer", "score": "val_acc"},
    }
    with pytest.raises(ValueError, match="'lr' has no role.*choose rows by where"):
        read(tmp_path / "a.csv", **how)


def test_runs_of_a_chart_that_do_not_say_their_model(tmp_path):
    chart = pd.read_csv(DATA / "wandb_chart.csv")
    chart.columns = [name.replace("-seed", "-sun-") for name in chart]
    chart.to_csv(tmp_path / "chart.csv", index=False)
    how = SEEDS | {"metric": "accuracy", "where": {"Step": "last"}}
    with pytest.raises(ValueError, match="'adamw-sun-0' does not say its model"):
        read(tmp_path / "chart.csv", **how)
    shutil.copy(DATA / "wandb_chart.csv", tmp_path / "other.csv")
    named = read(f"a={tmp_path / 'chart.csv'}", f"b={tmp_path / 'other.csv'}", **how)
    assert {len(block) for block in named.blocks.values()} == {8}


@pytest.mark.parametrize(
    ("ends", "is_noted"),
    [
        ({"sgd-seed2": 0.3}, True),
        ({}, False),
        ({"sgd-seed2": 0.7}, False),
        # runs that stop early end at many steps
        (
            {
                f"{model}-seed{i}": 0.5 + i / 10
                for model in ("sgd", "adamw")
                for i in (0, 1)
            },
            False,
        ),
    ],
)
def test_a_run_that_ends_early(tmp_path, ends, is_noted):
    chart = pd.read_csv(DATA / "wandb_chart.csv")
    steps = np.linspace(1000, 1_000_000, 40).round()
    chart = chart.iloc[np.arange(40) % len(chart)].assign(Step=steps)
    for run, end in ends.items():
        own = [name for name in chart if name.startswith(run)]
        chart.loc[chart["Step"] > end * 1_000_000, own] = np.nan
    chart.to_csv(tmp_path / "chart.csv", index=False)
    how = SEEDS | {"metric": "accuracy", "where": {"Step": "last"}}
    notes = read(tmp_path / "chart.csv", **how).notes
    assert len(notes) == is_noted
    if is_noted:
        assert notes[0].startswith("Run 2 of sgd ends at Step 2")
        assert "and 7 of 8 runs at 1000000: is it complete?" in notes[0]


# ---------------------------------------------------------------- OpenCompass


def opencompass(folder, *rows, name="summary_1", models=("a", "b")):
    """A summary with twelve data sets, or fewer, and further rows."""
    head = ",".join(("dataset,version,metric,mode", *models))
    file = folder / f"{name}.csv"
    file.write_text("\n".join((head, *rows)))
    return file


ACCURACIES = [f"d{i},v{i},accuracy,gen,{60 + i},{50 + 2 * i}" for i in range(12)]
PERPLEXITIES = ["wikitext,1,perplexity,ppl,40,20", "lambada,1,average_ppl,ppl,30,20"]


@pytest.mark.parametrize(
    "rows",
    [
        PERPLEXITIES,
        ["pile,1,bpb,ppl,0.9,0.8"],
        ["speech,1,wer,gen,9,8"],
        ["toxic,1,toxicity,gen,9,8"],
        ["held,1,error_rate,gen,9,8"],
    ],
)
def test_metrics_of_other_directions_are_not_compared_together(tmp_path, rows):
    opencompass(tmp_path, *ACCURACIES, *rows)
    says = r'several directions or units.*where={"metric": \["accuracy"\]}'
    with pytest.raises(ValueError, match=says):
        read(tmp_path)
    data = read(tmp_path, where={"metric": ["accuracy"]})
    assert len(data.units) == 12 and data.metric.better == "higher"


@pytest.mark.parametrize(
    "metric",
    [
        *("naive_average", "weighted_average", "humaneval_pass@1", "score", "EM", "f1"),
        *("rouge1", "bleu", "auc_score", "matthews_correlation", "G-Pass@16_0.0"),
        *("Prompt-level-strict-accuracy", "pass@1", "follow_rate", "extract_rate"),
        *("accuracy (4 runs average)", "classic_score", "winrate", "correct_score"),
    ],
)
def test_shares_in_percent_of_one_direction_are_compared_together(tmp_path, metric):
    opencompass(tmp_path, *ACCURACIES, f"other,1,{metric},gen,40,30")
    data = read(tmp_path)
    assert len(data.units) == 13
    assert data.metric == Metric("score", better="higher", low=0, high=100)


def test_metrics_that_are_better_lower_say_so(tmp_path):
    opencompass(tmp_path, *PERPLEXITIES)
    metric = Metric("perplexity and average_ppl", better="lower")
    assert read(tmp_path).metric == metric
    assert read(tmp_path, metric=Metric("ppl", better="lower")).notes == ()
    (note,) = read(tmp_path, metric=Metric("score", better="higher")).notes
    assert note.startswith("by their metrics, rows are better lower")
    opencompass(tmp_path, *group_rows("harm", "risk"))  # of which nothing is known
    assert read(tmp_path, metric=Metric("harm", better="lower")).notes == ()
    opencompass(tmp_path, *PERPLEXITIES, "pile,1,bpb,ppl,0.9,0.8")
    with pytest.raises(ValueError, match="several directions or units"):
        read(tmp_path)
    opencompass(tmp_path, "toxic,1,toxicity,gen,9,8", "rude,1,error_rate,gen,9,8")
    assert (read(tmp_path).metric.better, read(tmp_path).metric.high) == ("lower", 100)


@pytest.mark.parametrize(
    "row, second_file, says",
    [
        (
            "d3,v3,f1,gen,1,2",
            False,
            r"metrics 'accuracy' and 'f1': choose rows by where=",
        ),
        (
            "d3,w3,accuracy,gen,1,2",
            False,
            r"d3 occurs in the versions 'v3' and 'w3': .*where={\"version\": \[...\]}$",
        ),
        (
            "d3,w3,accuracy,gen,1,2",
            True,
            r"the versions 'v3' and 'w3': .*, or give one of the files .*_1.csv' and ",
        ),
        ("d3,v3,accuracy,ppl,1,2", False, r"the modes 'gen' and 'ppl': .*\"mode\""),
        ("d3,v3,accuracy,gen,1,2", True, r"d3 of a is in the files .*_1.csv' and .*_2"),
        ("d3,v3,accuracy,gen,1,2", False, "d3 of a has 2 rows in .*_1.csv': keep one"),
    ],
)
def test_a_data_set_that_is_there_twice_is_refused(tmp_path, row, second_file, says):
    files = [opencompass(tmp_path, *ACCURACIES, *([] if second_file else [row]))]
    if second_file:
        files.append(opencompass(tmp_path, row, name="summary_2"))
    with pytest.raises(ValueError, match=says):
        read(*files)


def test_versions_modes_and_files_are_chosen(tmp_path):
    other = "d3,w3,accuracy,gen,1,2"
    file = opencompass(tmp_path, *ACCURACIES, other)
    versions = [f"v{i}" for i in range(12)]
    data = read(file, where={"version": versions})
    assert len(data.units) == 12 and data.notes == ()
    data = read(file, where={"prompt_version": versions, "mode": "gen"})
    assert len(data.units) == 12
    files = {
        model: opencompass(tmp_path, *ACCURACIES, name=model, models=(model, "b"))
        for model in ("new", "old")
    }
    with pytest.raises(ValueError, match="d0 of b is in the files"):
        read(*files.values())


def group_rows(*groups):
    return [f"{group},-,naive_average,gen,50,40" for group in groups]


def rows_of(*data_sets):
    return [f"{data_set},1a2b,accuracy,gen,51,41" for data_set in data_sets]


@pytest.mark.parametrize(
    "groups, data_sets, left_out",
    [
        (["mmlu", "mmlu-stem"], ["mmlu_a", "mmlu_b"], ["mmlu", "mmlu-stem"]),
        (["mmlu"], ["lukaemon_mmlu_law", "lukaemon_mmlu_art"], ["mmlu"]),
        (["mmlu", "mmlu-stem", "mmlu-other"], [], ["mmlu"]),
        (["bbh"], ["bbh-snarks", "bbh-navigate"], ["bbh"]),
        (["GaokaoBench"], ["GaokaoBench_Math", "GaokaoBench_Bio"], ["GaokaoBench"]),
        # groups whose parts are not shown, and other benchmarks
        (["mmlu", "cmmlu", "ceval", "bbh", "agieval"], [], []),
        (["mmlu", "mmlu_pro", "mmlu_redux"], [], []),
        (["mmlu", "mmlu_pro"], ["mmlu_pro_law", "mmlu_pro_art"], ["mmlu_pro"]),
        (["math"], ["math_500", "gsm8k"], []),
        (["ceval"], ["ceval_law"], []),
        ([], ["arc", "arc-c", "arc-e", "math", "math_agent", "math_hard"], []),
    ],
)
def test_groups_beside_their_parts_are_left_out_with_a_note(
    tmp_path, groups, data_sets, left_out
):
    file = opencompass(
        tmp_path, *ACCURACIES, *group_rows(*groups), *rows_of(*data_sets)
    )
    data = read(file)
    labels = [f"d{i}" for i in range(12)] + groups + data_sets
    kept = [label for label in labels if label not in left_out]
    assert sorted(data.units) == sorted(kept)
    assert len(data.notes) == bool(left_out)
    assert all(repr(group) in data.notes[0] for group in left_out)
    chosen = read(file, where={"dataset": labels})
    assert len(chosen.units) == len(labels) and chosen.notes == ()


# ---------------------------------------------------------------- several tasks


def harness_of_tasks(folder, model, tasks, *, groups=None, values=None):
    """A folder of the harness with answers by task, and what its summary says of groups."""
    place = folder / model
    place.mkdir(parents=True)
    results = {
        task: {"alias": task, "acc,none": float(np.mean(answers))}
        for task, answers in tasks.items()
    }
    about = {
        "results": results
        | {group: {"acc,none": value} for group, value in (values or {}).items()},
        "higher_is_better": {task: {"acc": True} for task in tasks},
        "group_subtasks": (groups or {}) | {task: [] for task in tasks},
        "n-samples": {task: {"effective": len(x)} for task, x in tasks.items()},
    }
    date = "2026-01-01T00-00-00.000000"
    (place / f"results_{date}.json").write_text(json.dumps(about))
    for task, answers in tasks.items():
        lines = [
            json.dumps({"doc_id": i, "target": "x", "metrics": ["acc"], "acc": answer})
            for i, answer in enumerate(answers)
        ]
        (place / f"samples_{task}_{date}.jsonl").write_text("\n".join(lines))


RNG = np.random.default_rng(41)
SIZES = {"arc": 30, "mmlu_law": 60, "mmlu_art": 20}
NESTED_TASKS = ["mmlu_law", "mmlu_art"]
NESTED = {"mmlu": ["mmlu_humanities"], "mmlu_humanities": NESTED_TASKS}


def answers_of(rate):
    return {
        task: (RNG.random(n) < rate).astype(int).tolist() for task, n in SIZES.items()
    }


def test_a_folder_with_several_tasks_is_a_suite(tmp_path):
    answers = {model: answers_of(rate) for model, rate in (("a", 0.8), ("b", 0.6))}
    for model, tasks in answers.items():
        harness_of_tasks(tmp_path, model, tasks)
    data = read(tmp_path)
    assert data.design == Items(runs="samples", suite="task")
    result = compare(data)
    for model, tasks in answers.items():
        expected = np.mean([np.mean(x) for x in tasks.values()])
        assert result.mean_scores[model] == pytest.approx(expected)
    assert "3 tasks" in str(result)
    one = read(tmp_path, where={"task": "arc"})
    assert one.design == Items(runs="samples") and len(one.units) == 30
    of_items = read(tmp_path, design=Items(suite="task", mean="items"))
    pooled = np.mean(np.concatenate([*answers["a"].values()]))
    assert compare(of_items).mean_scores["a"] == pytest.approx(pooled)


@pytest.mark.parametrize("weighted", [True, False])
def test_a_group_counts_as_one_task_as_the_harness_weights_it(tmp_path, weighted):
    answers = {model: answers_of(rate) for model, rate in (("a", 0.8), ("b", 0.5))}
    of_group = {}
    for model, tasks in answers.items():
        parts = [tasks["mmlu_law"], tasks["mmlu_art"]]
        mean = (
            np.mean(np.concatenate(parts))
            if weighted
            else np.mean([*map(np.mean, parts)])
        )
        of_group[model] = mean
        values = {"mmlu": mean, "mmlu_humanities": mean}
        harness_of_tasks(tmp_path, model, tasks, groups=NESTED, values=values)
    data = read(tmp_path)
    equal = () if weighted else ("mmlu",)
    assert (data.design.strata, data.design.equal_strata) == ("stratum", equal)
    scores = compare(data).mean_scores
    for model, tasks in answers.items():
        expected = (np.mean(tasks["arc"]) + of_group[model]) / 2
        assert scores[model] == pytest.approx(expected)
    whole = read(tmp_path, where={"task": "mmlu"})
    assert compare(whole).mean_scores["a"] == pytest.approx(of_group["a"])
    parts = read(tmp_path, where={"task": ["mmlu_law", "mmlu_art"]})
    assert parts.design == Items(runs="samples", suite="task")
    assert set(parts.frame["task"]) == {"mmlu_law", "mmlu_art"}


@pytest.mark.parametrize(
    "place, first, second, shown",
    [
        ("", "a.json", "b.json", ("'a.json'", "'b.json'")),
        (
            "results/meta__small/",
            *("samples_2026-01-01T00-00-00.jsonl", "samples_2026-01-02T00-00-00.jsonl"),
            (
                "'samples_2026-01-01T00-00-00.jsonl'",
                "'samples_2026-01-02T00-00-00.jsonl'",
            ),
        ),
        (
            "of_a_long_name/" * 9,
            *("new/seed_1.csv", "old/seed_1.csv"),
            ("'new/seed_1.csv'", "'old/seed_1.csv'"),
        ),
        ("of_a_long_name\\" * 9, "a.csv", "b.csv", ("'a.csv'", "'b.csv'")),
        (
            "folder/",
            *("x" * 90 + "1.csv", "x" * 90 + "2.csv"),
            ("'..." + "x" * 20 + "1.csv'", "'..." + "x" * 20 + "2.csv'"),
        ),
    ],
)
def test_two_files_are_named_so_that_they_differ(place, first, second, shown):
    assert told_apart(place + first, place + second) == shown


def test_a_group_in_a_group_is_chosen_by_its_name(tmp_path):
    groups = {"mmlu": ["mmlu_humanities", "arc"], "mmlu_humanities": NESTED_TASKS}
    answers = {model: answers_of(rate) for model, rate in (("a", 0.8), ("b", 0.5))}
    of_inner = {}
    for model, tasks in answers.items():
        inner = np.concatenate([tasks[task] for task in NESTED_TASKS])
        of_inner[model] = inner.mean()
        outer = np.concatenate([inner, tasks["arc"]]).mean()
        values = {"mmlu": outer, "mmlu_humanities": inner.mean()}
        harness_of_tasks(tmp_path, model, tasks, groups=groups, values=values)
    means = compare(read(tmp_path, where={"task": "mmlu_humanities"})).mean_scores
    assert means.to_dict() == pytest.approx(of_inner)
    both = read(tmp_path, where={"task": ["mmlu_humanities", "arc"]})
    expected = (of_inner["a"] + np.mean(answers["a"]["arc"])) / 2
    assert compare(both).mean_scores["a"] == pytest.approx(expected)
    assert set(read(tmp_path, where={"task": "mmlu"}).frame["task"]) == {"mmlu"}
    for wrong, says in (
        (["mmlu_sum"], "'mmlu_sum': .*, and groups 'mmlu' and 'mmlu_humanities'"),
        (["arc", "mmlu_sum"], "no row has 'task' = 'mmlu_sum'"),
        (["mmlu", "mmlu_humanities"], "mmlu_humanities is a part of mmlu: choose one"),
        (["mmlu_humanities", "mmlu_law"], "mmlu_law is a part of mmlu_humanities"),
    ):
        with pytest.raises(ValueError, match=says):
            read(tmp_path, where={"task": wrong})


def test_a_group_without_a_mean_of_its_own_is_only_a_list_of_tasks(tmp_path):
    for model, rate in (("a", 0.8), ("b", 0.5)):
        harness_of_tasks(tmp_path, model, answers_of(rate), groups=NESTED)
    assert read(tmp_path).design == Items(runs="samples", suite="task")


def test_tasks_may_have_metrics_of_their_own():
    metric = {"arc_easy": "acc", "gsm8k": "exact_match"}
    how = dict(where={"filter": ["none", "strict-match"]})
    data = read(DATA / "harness", metric=metric, **how)
    assert data.metric == Metric("acc and exact_match", better="higher", low=0, high=1)
    assert data.design.suite == "task" and data.notes == ()
    alone = [
        read(DATA / "harness", metric=name, **how).blocks["meta__tiny-1b"].mean()
        for name in ("acc", "exact_match")
    ]
    scores = compare(data).mean_scores
    assert scores["meta__tiny-1b"] == pytest.approx(np.mean(alone))
    for wrong, says in (
        ({"arc_easy": "exact_match"}, "items of arc_easy have no 'exact_match'"),
        ({"arc": "acc"}, "there is no task 'arc': there are 'arc_easy' and 'gsm8k'"),
    ):
        with pytest.raises(ValueError, match=says):
            read(DATA / "harness", metric=wrong, **how)


def test_metrics_of_other_ranges_are_not_averaged(tmp_path):
    for model in "ab":
        harness_of_tasks(tmp_path, model, {"arc": [1, 0], "wiki": [3.0, 4.0]})
        file = next(tmp_path.glob(f"{model}/samples_wiki*"))
        file.write_text(file.read_text().replace('"acc"', '"perplexity"'))
    with pytest.raises(ValueError, match="have not one direction and range"):
        read(tmp_path, metric={"arc": "acc", "wiki": "perplexity"})
