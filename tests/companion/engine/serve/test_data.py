"""*My data* with the server: the library's answer for every design, and what is refused."""

import json
import re
import tempfile
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import replib
from companion.engine.serve import command, data
from replib._presentation.report import methods

RNG = np.random.default_rng(58)


def csv(frame):
    return frame.to_csv(index=False)


def log(scores):
    """Return a log of lm-evaluation-harness."""
    lines = [
        {"doc_id": i, "target": "x", "filter": "none", "metrics": ["acc"], "acc": score}
        for i, score in enumerate(scores)
    ]
    return "\n".join(map(json.dumps, lines))


SPLITS = pd.DataFrame(
    0.8 + RNG.normal(0, 0.02, (20, 2)).round(3), columns=["tree", "bayes"]
)
SEEDS = pd.DataFrame(
    0.9 + RNG.normal(0, 0.01, (6, 3)).round(3), columns=["a", "b", "c"]
)
ITEMS = pd.DataFrame(RNG.integers(0, 2, (60, 2)), columns=["a", "b"])
OVER_DATA = pd.DataFrame(
    {"dataset": [f"set {i}" for i in range(12)]}
    | {name: RNG.random(12).round(3) for name in "ab"}
)
PREDICTED = pd.DataFrame(
    {
        "model": np.repeat(["a", "b"], 50),
        "item": np.tile(np.arange(50), 2),
        "truth": np.tile(RNG.integers(0, 2, 50), 2),
        "prediction": RNG.integers(0, 2, 100),
    }
)
RIGHT = {name: RNG.integers(0, 2, 40).tolist() for name in ("small", "large")}
LOGS = {
    f"out/{name}/samples_task_2026-01-01.jsonl": log(x) for name, x in RIGHT.items()
}


@pytest.mark.parametrize(
    "files, options, expected",
    [
        (
            {"scores.csv": csv(SPLITS)},
            {"design": ["2x10"], "metric": ["accuracy"], "equivalence": ["0.05"]},
            lambda: replib.compare(
                replib.from_wide(SPLITS, design="2x10", metric="accuracy"),
                equivalence=0.05,
            ),
        ),
        (
            {"scores.csv": csv(SEEDS)},
            {"design": ["seeds"], "metric": ["score"], "better": ["lower"]},
            lambda: replib.compare(
                replib.from_wide(
                    SEEDS, design="seeds", metric=replib.Metric("score", better="lower")
                )
            ),
        ),
        (
            {"scores.csv": csv(ITEMS)},
            {"design": ["items"], "metric": ["accuracy"]},
            lambda: replib.compare(dict(ITEMS), design="items", metric="accuracy"),
        ),
        (
            {"scores.csv": csv(OVER_DATA)},
            {"design": ["datasets"], "metric": ["accuracy"], "alpha": ["0.1"]},
            lambda: replib.compare(
                replib.from_wide(OVER_DATA, design="datasets", metric="accuracy"),
                alpha=0.1,
            ),
        ),
        (
            {"scores.csv": csv(PREDICTED)},
            {"design": ["items"], "metric": ["f1"]},
            lambda: replib.compare(PREDICTED, design="items", metric="f1"),
        ),
        (
            LOGS,
            {},
            lambda: replib.compare(RIGHT, design="items", metric="acc"),
        ),
    ],
    ids=["splits", "seeds", "items", "datasets", "predictions", "logs"],
)
def test_every_design_is_compared_by_the_library(files, options, expected):
    result, expected = data.result_of(files, options), expected()
    assert result.sentence() == expected.sentence()
    pd.testing.assert_frame_equal(result.pairs, expected.pairs)
    assert data.words(result)["methods"] == methods(expected)


@pytest.mark.parametrize(
    "frame, design, is_shown",
    [
        (SPLITS, "20 x 10%", True),
        (SPLITS, "2x10", False),  # of so few runs no sentence predicts a rerun
        (SEEDS[["a", "b"]], "seeds", True),
        (SEEDS, "seeds", False),  # three pairs
        (OVER_DATA, "datasets", False),  # a rerun of these is a replication
    ],
)
def test_reruns_are_shown_where_a_sentence_predicts_them(frame, design, is_shown):
    options = {"design": [design], "metric": ["accuracy"]}
    result = data.result_of({"scores.csv": csv(frame)}, options)
    shown = data.reruns(result)
    assert (shown is not None) == is_shown
    if not is_shown:
        return
    a, b = shown["models"]
    (pair,) = result.pairs.itertuples()
    assert (pair.a, pair.b) == (a, b) and sum(shown["shares"]) == pytest.approx(1)
    of_decision = {1: 0, 0: 1, -1: 2}[pair.decision]
    assert shown["shares"][of_decision] == pytest.approx(pair.rerun)
    assert shown["limits"] == pytest.approx([pair.rerun_low, pair.rerun_high])
    text = (
        f"{pair.rerun:.2f} (95% interval {pair.rerun_low:.2f} to {pair.rerun_high:.2f})"
    )
    assert text in result.sentence()


def test_several_tables_are_a_model_each_called_after_their_files():
    tables = {
        f"{name}.csv": csv(pd.DataFrame({"seed": range(6), "score": SEEDS[name]}))
        for name in "ab"
    }
    options = {"design": ["seeds"], "metric": ["accuracy"], "column": ["run=seed"]}
    means = data.result_of(tables, options).means["mean"]
    assert means.to_dict() == pytest.approx(SEEDS[["a", "b"]].mean().to_dict())


def test_columns_and_conditions_may_be_several():
    frame = SPLITS.assign(part="test", note=1)
    frame = pd.concat([frame, frame.assign(part="train")])
    options = {
        "design": ["2x10"],
        "metric": ["accuracy"],
        "column": ["ignored=note", "ignored=part"],
        "where": ["part=test"],
    }
    result = data.result_of({"scores.csv": csv(frame)}, options)
    assert result.means["mean"].to_dict() == pytest.approx(SPLITS.mean().to_dict())


@pytest.mark.parametrize(
    "text, options, sentence",
    [
        (csv(SPLITS), {}, "design must be given"),
        (csv(SPLITS), {"design": ["2x10"]}, "metric"),
        (csv(SPLITS), {"design": ["2x10"], "metric": ["fit"]}, "say --better"),
        (
            csv(SPLITS),
            {"design": ["3x10"], "metric": ["accuracy"]},
            "3 runs of 10-fold",
        ),
        (csv(SPLITS), {"design": ["2x10"], "alpha": ["no"]}, "--alpha"),
        (
            "",
            {"design": ["2x10"], "metric": ["accuracy"]},
            "'scores.csv' cannot be read",
        ),
        ("a,b\n1\ud800,2", {"design": ["2x10"], "metric": ["accuracy"]}, "no number"),
    ],
)
def test_a_refusal_is_that_of_the_command_and_names_no_folder(text, options, sentence):
    with pytest.raises(ValueError) as refusal:
        data.result_of({"scores.csv": text}, options)
    assert sentence in str(refusal.value)
    assert tempfile.gettempdir() not in str(refusal.value)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "../scores.csv",
        "a/../../scores.csv",
        ".bashrc",
        "a/.b/c.csv",
        "a/b/c/d/e/f/g/h/i.csv",
        "a\0.csv",
        "a\n.csv",
        "\ud800.csv",
        "a" * 300,
    ],
)
def test_no_name_leads_out_of_its_folder(name, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(ValueError, match="a plain name"):
        data.result_of({name: csv(SPLITS)}, {"design": ["2x10"]})
    assert list(tmp_path.iterdir()) == []


def test_nothing_stays_of_what_was_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    data.result_of(LOGS, {})
    assert list(tmp_path.iterdir()) == []


ORDER = {
    "files": {"scores.csv": csv(SPLITS)},
    "options": {"design": ["2x10"], "metric": ["accuracy"]},
}


def test_the_page_asks_for_words_and_for_the_report(server):
    result = data.result_of(**ORDER)

    def ask():
        text = server.ask("/book/compare.html")[2]
        assert "my data" in text and text.index("serve.js") < text.index("data.js")
        status, headers, text = server.ask("/data", ORDER)
        assert status == 200 and headers["Content-Type"].startswith("application/json")
        assert json.loads(text) == data.words(result)
        page = json.loads(server.ask("/data/report", ORDER)[2])["page"]
        assert page.startswith("<!DOCTYPE html>") and "<svg" in page
        assert ">tree</td>" in page and ">bayes</td>" in page

    server(ask)


def test_names_with_html_are_text(server):
    frame = SPLITS.set_axis(["a", "b <img src=x onerror=alert(1)>"], axis=1)
    order = ORDER | {"files": {"scores.csv": csv(frame)}}

    def ask():
        for path in ("/data", "/data/report"):
            answer = json.loads(server.ask(path, order)[2])
            shown = answer.get("html", answer.get("page"))
            assert "&lt;img src=x" in shown and "<img" not in shown

    server(ask)


@pytest.mark.parametrize(
    "changed",
    [
        {"options": {"report": ["x.html"]}},
        {"options": {"fail_if": ["worse"]}},
        {"options": {"design": "2x10"}},
        {"options": {"design": [2]}},
        {"options": ["design"]},
        {"files": {}},
        {"files": {"scores.csv": 1}},
        {"files": None},
    ],
)
def test_damaged_orders_are_refused(server, changed):
    def ask():
        assert server.ask("/data", ORDER | changed)[0] == 400
        assert server.ask("/data", body="{")[0] == 400

    server(ask)


def test_a_refusal_is_one_sentence(server):
    def ask():
        status, _, text = server.ask("/data", ORDER | {"options": {}})
        assert status == 400
        assert json.loads(text)["sentence"].startswith("design must be given")

    server(ask)


def test_an_option_cannot_become_a_file_or_another_option(server):
    """A value stands behind its own option, whatever it begins with."""
    for value in ("--report=/tmp/x", "-h", "--", "/etc/passwd"):
        with pytest.raises(ValueError, match="design"):
            data.result_of(ORDER["files"], {"design": [value]})
    assert not Path("/tmp/x").exists()


def test_the_page_knows_how_much_the_server_reads():
    script = resources.files("companion.engine.serve").joinpath("data.js").read_text()
    (most,) = re.findall(r"MOST_BYTES = ([\d_]+);", script)
    assert int(most) == command.MOST_BYTES
