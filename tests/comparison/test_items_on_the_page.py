"""Scores per item: the page says what `replib compare items.csv` says, and has the same numbers."""

import numpy as np
import pandas as pd
import pytest
from on_the_page import NODE, answers, of_items, told

from replib.comparison import item_files
from replib.variance import difference_test

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="needs node"),
    pytest.mark.filterwarnings("ignore:.*statistic is infinite:RuntimeWarning"),
]


def long(a, b, rng, groups=None, head=("item", "run", "model", "score", "group"), names="AB"):
    """A table of two blocks of runs x items; its rows are in random order."""
    rows = [
        (f"q{i}", s + 1, name, x[s, i], None if groups is None else f"g{groups[i]}")
        for name, x in zip(names, (a, b)) for s in range(len(x)) for i in range(x.shape[1])
    ]
    frame = pd.DataFrame(rows, columns=head).iloc[rng.permutation(len(rows))]
    return frame if groups is not None else frame.drop(columns=head[4])


def experiment(rng, runs, items, kind, clusters):
    """Answers of two models to the same items."""
    groups = rng.integers(clusters, size=items) if clusters else None
    hard = rng.normal(size=items) + (rng.normal(size=max(clusters, 1))[groups] if clusters else 0)
    drawn = [
        hard + rng.normal(mean, 1, (n, items)) + rng.normal(0, 0.2, (n, 1))
        for n, mean in zip(runs, rng.normal(0.4, 0.4, 2))
    ]
    write = {
        "right": lambda x: (x > 0) * 1, "real": lambda x: x, "coarse": lambda x: x.round(1),
        "shifted": lambda x: hard + (x is drawn[0]) * rng.choice([0, 1 / 4]) + 0 * x,
    }
    return [write[kind](x) for x in drawn], groups


def experiments():
    rng = np.random.default_rng(12)
    for runs in ((1, 1), (2, 2), (3, 3), (5, 5), (1, 3), (5, 2)):
        for kind in ("right", "real", "coarse", "shifted"):
            for clusters in (0, 10, 11):
                question = str(rng.choice(["", "", "both", "items", "seeds"]))
                (a, b), groups = experiment(rng, runs, rng.integers(8, 90), kind, clusters)
                paired = bool(runs[0] == runs[1] and rng.random() < 0.4)
                table = long(a, b, rng, groups)
                yield table.to_csv(index=False), {"generalize": question, "paired": paired}


@pytest.mark.slow
def test_the_page_has_the_sentence_the_notes_and_the_numbers_of_python(tmp_path):
    given = list(experiments())
    refused = 0
    for (text, options), page in zip(given, answers(given)):
        python = of_items(text, options, tmp_path / "items.csv")
        assert told(page) == str(python), options
        if isinstance(python, str):
            refused += 1
            continue
        close = lambda x: pytest.approx(x, rel=1e-8, abs=1e-10)
        for one in page["answers"]:
            test = difference_test(python.squares, generalize=one["question"])
            limits = test.confidence_interval()
            if python.test is not None:
                test, limits = python.recommended, python.confidence_interval()
                assert one["estimate"] == close(python.estimate)
            else:
                assert one["df"] == close(test.df) and one["estimate"] == close(test.estimate)
                assert float(one["statistic"]) == close(test.statistic)
            assert (one["low"], one["high"]) == close(tuple(limits))
            assert one["pvalue"] == close(test.pvalue)
        assert {one["question"] for one in page["answers"]} == (
            {"items"} if min(python.squares.runs) < 2 else {"both", "items", "seeds"})
        again = python.agreement
        assert page["agreement"] == (again and close([again.point, again.low, again.high]))
        again = python.replication_probability()
        assert page["replication"] == close([again.point, again.low, again.high])
        parts = python.components.to_frame().set_index("component").variance
        assert list(page["components"].values()) == close(parts.tolist())
    assert 0 < refused < 0.5 * len(given)


def test_both_tell_scores_per_item_from_scores_per_split(tmp_path):
    heads = [
        "item,model,score", '"Item"; "Model" ;"score"', "item,a,b", "question,a,b", "doc_id|method",
        "# item,model\n\n fold,tree\nitem,model", "\ufeffdoc_id\tclassifier\tvalue", "model,score",
        "", "\n", "a,item ,b", "prompt_id, learner", "items,model", '{"item": 1, "model": 2}',
    ]
    found = []
    for head in heads:
        (tmp_path / "scores.csv").write_text(head, encoding="utf-8")
        found.append(item_files.holds_items(tmp_path / "scores.csv"))
    assert found == answers([(head, {}) for head in heads], "items.holdsItems(text)")
    assert len(set(found)) == 2  # heads of both kinds were tried
