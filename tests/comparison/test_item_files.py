"""Scores per item from files, in Python and on the command line."""

import json

import numpy as np
import pytest

from replib.comparison import compare_item_scores, item_files
from replib.comparison.command import main

RNG = np.random.default_rng(2)
A, B = (RNG.random((3, 40)) < 0.8).astype(int), (RNG.random((3, 40)) < 0.6).astype(int)
GROUPS = [f"text {i // 3}" for i in range(40)]


def _csv(path, separator=",", runs=3, groups=True, shuffle=True):
    rows = [
        [str(i), *([str(s)] if runs > 1 else []), model, str(x[s, i]),
         *([GROUPS[i]] if groups else [])]
        for model, x in (("new", A), ("old", B)) for s in range(runs) for i in range(40)
    ]
    if shuffle:
        RNG.shuffle(rows)
    head = ["item", *(["run"] if runs > 1 else []), "model", "score", *(["group"] * groups)]
    path.write_text("\n".join(separator.join(row) for row in [head, *rows]) + "\n")
    return path


def _harness(folder, model, x, filters=("none",)):
    folder = folder / model
    folder.mkdir()
    for s, run in enumerate(x):
        lines = [
            json.dumps({
                "doc_id": i, "doc": {"question": "?", "text": GROUPS[i]}, "target": "4",
                "filter": name, "metrics": ["acc", "f1"], "doc_hash": "x",
                "acc": float(score) if name == filters[0] else 0.0, "f1": [1, 2],
            })
            for i, score in enumerate(run) for name in filters
        ]
        (folder / f"samples_sums_2025-0{s + 1}-01.jsonl").write_text("\n".join(lines))
    return sorted(folder.iterdir())


def _inspect(path, model, x, letters=True):
    value = (lambda score: "CI"[1 - score]) if letters else float
    path.write_text(json.dumps({
        "version": 2, "status": "success", "eval": {"model": model, "task": "sums"},
        "samples": [
            {"id": f"q{i}", "epoch": s + 1, "metadata": {"text": GROUPS[i]},
             "scores": {"match": {"value": value(int(score)), "answer": "4"}}}
            for s, run in enumerate(x) for i, score in enumerate(run)
        ],
    }))
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_long_csv_is_read_in_any_order_of_rows(tmp_path, separator):
    path = _csv(tmp_path / "runs.csv", separator)
    assert item_files.holds_items(path)
    found = item_files.read(path)
    assert set(found.scores) == {"new", "old"} and found.metric == "score"
    order = np.argsort([int(item) for item in found.items])
    for name, x in (("new", A), ("old", B)):
        assert sorted(map(tuple, found.scores[name][:, order])) == sorted(map(tuple, x))
    assert found.groups[order].tolist() == GROUPS
    result = compare_item_scores(found.scores["new"], found.scores["old"], groups=found.groups)
    assert result.pvalue == pytest.approx(compare_item_scores(A, B, groups=GROUPS).pvalue)


@pytest.mark.parametrize("filters", [("none",), ("strict", "flexible")])
def test_samples_of_lm_evaluation_harness(tmp_path, filters):
    files = _harness(tmp_path, "new", A, filters) + _harness(tmp_path, "old", B, filters)
    metric = "acc" if len(filters) == 1 else "acc,strict"
    found = item_files.read(*files, metric=metric, group="text")
    np.testing.assert_array_equal(found.scores["new"], A)
    np.testing.assert_array_equal(found.scores["old"], B)
    assert found.groups.tolist() == GROUPS
    if len(filters) > 1:
        with pytest.raises(ValueError, match="under 2 filters"):
            item_files.read(*files)


def test_tasks_of_lm_evaluation_harness_are_items_and_not_runs(tmp_path):
    files = _harness(tmp_path, "new", A) + _harness(tmp_path, "old", B)
    for file in files:  # a second task with the same numbers of its documents
        other = file.with_name(file.name.replace("sums", "history"))
        other.write_text(file.read_text())
        files = [*files, other]
    found = item_files.read(*files)
    assert found.scores["new"].shape == (3, 80) and len(found.items) == 80
    np.testing.assert_array_equal(found.scores["old"], np.hstack([B, B]))


def test_paired_runs_of_a_file_are_put_in_one_order(tmp_path):
    path = _csv(tmp_path / "runs.csv", shuffle=False)
    head, *lines = path.read_text().splitlines()
    path.write_text("\n".join([head, *lines[:120], *reversed(lines[120:])]))
    found = item_files.read(path)
    assert found.runs == {"new": ("0", "1", "2"), "old": ("2", "1", "0")}
    a, b = found.pair("new", "old", paired_runs=True)
    expected = compare_item_scores(A, B, groups=GROUPS, paired_runs=True).pvalue
    result = compare_item_scores(a, b, groups=found.groups, paired_runs=True)
    assert result.pvalue == pytest.approx(expected)


@pytest.mark.parametrize("letters", [True, False])
def test_logs_of_inspect(tmp_path, letters):
    files = [_inspect(tmp_path / f"{name}.json", name, x, letters)
             for name, x in (("new", A), ("old", B))]
    found = item_files.read(*files, group="text")
    np.testing.assert_array_equal(found.scores["new"], A)
    assert found.groups.tolist() == GROUPS and found.metric == "match"


def test_the_command_recognises_scores_per_item(tmp_path, capsys):
    path = _csv(tmp_path / "runs.csv")
    assert main([str(path), "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    path.write_text("# of two models\n" + path.read_text())
    assert item_files.holds_items(path)
    expected = compare_item_scores(A, B, groups=GROUPS)
    assert told["result"] == "ItemComparison"
    assert told["table"][0]["pvalue"] == pytest.approx(expected.pvalue)
    assert main([str(path), "--generalize", "items", "--pair", "old", "new"]) == 0
    said = capsys.readouterr().out
    assert "these two trained models" in said and "in 14 clusters" in said
    files = _harness(tmp_path, "one", A) + _harness(tmp_path, "two", B)
    assert main([*map(str, files), "--metric", "acc", "--csv", str(tmp_path / "out.csv")]) == 0
    assert "in 3 runs of each model" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,model,score\n1,a,1\n1,a,0\n1,b,1\n", "twice in one run"),
        ("item,model,score\n1,a,1\n2,a,0\n1,b,1\n", "lacks 1 of the 2 items, such as 2"),
        ("item,model,run,score\n1,a,1,1\n2,a,1,0\n1,b,1,1\n2,b,2,0\n", "lacks 1 of the 2"),
        ("item,model,score,group\n1,a,1,x\n2,a,0,x\n1,b,1,y\n2,b,1,x\n", "in two groups"),
        ("item,model,points\n1,a,1\n1,b,1\n", "no column score"),
        ("item,model,score\n1,a,1\n2,a\n", "line 3"),
        ("item,model,score\n1,a,x\n2,a,1\n", "'x'"),
        ("item,model,score\n1,a,1\n2,a,0\n1,b,1\n2,b,0\n1,c,1\n2,c,0\n", "two models are compared"),
        ("item,model,score\n1,a,1\n2,a,0\n", "two models are compared"),
    ],
)
def test_mistakes_in_csv_are_refused(tmp_path, capsys, text, message):
    path = tmp_path / "runs.csv"
    path.write_text(text)
    assert main([str(path)]) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"score": 1}\n', "no 'doc_id'"),
        ("a.jsonl", '{"doc_id": 1, "metrics": ["acc"], "acc": 1', "is not JSON"),
        ("a.jsonl", '{"doc_id": 1, "metrics": ["bypass"], "bypass": null}', "no score that"),
        ("a.json", "[]", "not a log of Inspect"),
        ("a.json", '{"status": "error", "samples": []}', "ended with 'error'"),
        ("a.json", '{"samples": [{"id": 1, "scores": {"m": {"value": {"x": 1}}}}]}', "expected a"),
        ("a.json", '{"samples": [{"id": 1, "scores": {"m": {"value": NaN}}}]}', "expected a"),
        ("a.json", '{"samples": [{"id": 1}]}', "has the scores none"),
    ],
)
def test_mistakes_in_logs_are_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=message):
        item_files.read(tmp_path / name)


def test_each_letter_and_truth_value_has_its_score(tmp_path):
    letters = {"C": 1, "P": 0.5, "I": 0, "N": 0, "true": 1, "False": 0, "0.25": 0.25}
    path = tmp_path / "items.csv"
    path.write_text("item,model,score\n" + "".join(
        f"q{i},{model},{letter}\n" for model in "ab" for i, letter in enumerate(letters)))
    assert item_files.read(path).scores["a"].tolist() == [list(letters.values())]
    samples = [{"id": i, "scores": {"match": {"value": letter}}} for i, letter in
               enumerate([*list(letters)[:4], 0.25, True])]
    log = tmp_path / "log.json"
    log.write_text(json.dumps({"eval": {"model": "a"}, "samples": samples}))
    assert item_files.read(log).scores["a"].tolist() == [[1, 0.5, 0, 0, 0.25, 1]]
