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


# ------------------------------------------------------------------ on both sides of each threshold


def metric_of(rng, frame, names):
    """The table with a column that names its measure."""
    return frame.assign(metric=str(rng.choice(names)))


def right(rng, runs, items, share=0.7):
    return (rng.random((runs, items)) < share) * 1.0


def copied(rng):
    """Runs that repeat others, by chance or not, and models that repeat each other."""
    items = int(rng.choice([3, 6, 9, 12, 30]))
    a, b = (right(rng, rng.integers(1, 6), items, rng.choice([0.7, 0.95])) for _ in "ab")
    for x in (a, b)[: rng.integers(0, 3)]:
        x[rng.integers(len(x)):] = x[0]
    if rng.random() < 0.2:
        b = a[rng.permutation(len(a))]
    if rng.random() < 0.3:
        a = a + rng.random(items)
        a[1:] = a[0] + rng.choice([1e-6, 9e-4, 1.1e-3]) * np.ptp(a) * (a[1:] != a[0])
    return long(a, b, rng)


def constant(rng):
    a, b = (right(rng, rng.integers(1, 4), rng.integers(2, 15)) for _ in "ab")
    b = right(rng, len(b), a.shape[1])
    x = (a, b)[rng.integers(2)]
    x[rng.integers(len(x)) if rng.random() < 0.6 else slice(None)] = rng.choice([0, 1, 1, 0.25])
    unit = rng.choice([1, 100])
    return long(unit * a, unit * b, rng)


def pooled(rng):
    """One run in which the same items may come several times."""
    items, count = int(rng.integers(18, 26)), int(rng.integers(1, 6))
    hard = rng.normal(size=items)
    noise = rng.uniform(0.3, 1.2)
    a, b = (np.concatenate([hard + rng.normal(0, noise, items) for _ in range(count)])
            for _ in "ab")
    if rng.random() < 0.5:
        a, b = (a > 0) * 1, (b > 0.3) * 1
    groups = [None, np.arange(len(a)) % items, np.arange(len(a)) // items][rng.integers(3)]
    groups = None if groups is None or len(set(groups)) < 2 else groups
    return long(a[None], b[None], rng, groups).sort_index()


def coded(rng):
    """Whole numbers: classes, ratings, codes."""
    shape = rng.integers(1, 3), rng.integers(14, 70)
    values = rng.choice([[0, 1], [1, 2], [0, 1, 2], [1, 2, 3, 7, 9], [0, 5, 10], [0, 1, 2, 3, 4]][
        rng.integers(6)], shape).astype(float)
    a, b = values.copy(), values.copy()
    swap = rng.random(shape) < rng.choice([0.05, 0.2, 0.3, 0.5])
    b[swap] = rng.permutation(values.ravel())[: swap.sum()]
    if rng.random() < 0.3:
        b = b * rng.choice([2, 2, 5, -1])
    if rng.random() < 0.3:
        a = a + rng.choice([0, rng.choice([0, 0.25])], shape)
        a[0, : rng.integers(1, 5)] = rng.choice([-1, -0.5, -99])
    if rng.random() < 0.2:
        b = a.max() - a + (rng.random(shape) < 0.1) * rng.choice([0, 0, 1e-8])
    if rng.random() < 0.2:
        a, b = np.sort(a), np.sort(b) + rng.choice([0, 3]) * np.arange(b.shape[1])
    if rng.random() < 0.2:
        a, b = np.sort(rng.random(shape).round(1)), np.sort(rng.random(shape).round(1))
    return long(a, b, rng).sort_index()


def classes(rng):
    """Whole numbers that often agree, of which one may be more frequent than the others."""
    n = int(rng.integers(28, 60))
    values = np.arange(1, rng.choice([2, 3, 5, 8]) + 1.0) * rng.choice([1, 1, 3])
    a = np.where(rng.random(n) < rng.choice([0, 0.4, 0.55]), values[-1], rng.choice(values, n))
    b = np.where(rng.random(n) < rng.uniform(0.2, 0.6), rng.permutation(a), a)
    if rng.random() < 0.5:  # ratings, which are close where they differ
        b = np.where(a == b, a, np.clip(a + values[0] * rng.integers(-2, 3, n), *values[[0, -1]]))
    return long(a[None], b[None], rng).sort_index()


def ceilings(rng):
    top, items = rng.choice([1, 2, 3, 4, 5]), rng.integers(46, 60)
    a, b = (rng.integers(0, end, (1, items)) * 1.0 for end in (top, 2 * top))
    a[0, : rng.integers(1, 5)], b[0, : rng.integers(1, 5)] = top, 2 * top + (rng.random() < 0.2)
    a[0, -1], b[0, -1] = 0, rng.choice([0, 0, 0, 1])
    return long(a, b, rng)


def repeated(rng):
    """Three runs, two of which are the same; the other differs from these on few items or many."""
    a, b = np.zeros((2, 3, 40))
    a[:, :20] = b[:, 10:25] = 1
    for x in (a, b):
        x[rng.integers(3), rng.permutation(40)[: rng.integers(5, 14)]] = 0.5
    b[2, 0] = 1 - b[2, 0]
    return long(a, b, rng)


def scaled(rng):
    units = [(1, 1), (1, 1), (1, 1.2), (1, 100), (100, 100), (10, 10), (10.5, 10.5)]
    a, b = (right(rng, rng.integers(1, 3), 12) * x for x in units[rng.integers(len(units))])
    if rng.random() < 0.5:
        (a, b)[rng.integers(2)][0, 0] = rng.choice([-1, 0.5, 1 + 2e-9, 1 + 5e-10, 9.5, 101])
    table = long(a, b, rng)
    return metric_of(rng, table, [
        "score", "accuracy", "acc", "r2", "mcc", "neg_log_loss", "rmse", "F1 macro", "test_auc",
        "perplexity", "my loss", "terror", "neg error", "kappa", "f1_macro", "lift", "t\x1b[0m",
    ]) if rng.random() < 0.8 else table


def clustered(rng):
    """Few clusters, of equal and unequal sizes, and names of clusters."""
    items = int(rng.integers(4, 40))
    count = min(items, rng.choice([1, 2, 4, 8, 9, 10, 10, 11, 13]))
    groups = rng.permutation(np.arange(items) % count)
    if rng.random() < 0.5:
        groups = np.minimum(groups, rng.integers(count, size=items))
    a, b = (right(rng, runs, items) for runs in rng.choice([1, 2, 2, 3], 2))
    table = long(a, b, rng, groups)
    change = [("g1", "G1"), ("g1", " g1"), ("g1", ""), ("g1", "NaN"), ("g0", "none"), ("g0", "g0")]
    one, other = change[rng.integers(len(change))]
    if rng.random() < 0.5:
        mine = table.group.eq(one) & (table.item.isin(["q0", "q3"]) | (rng.random() < 0.3))
        table["group"] = table.group.mask(mine, other)
    return table


def more_runs_than_items(rng):
    items, runs = (rng.integers(2, 6), rng.integers(6, 60)) if rng.random() < 0.7 else (
        20, rng.integers(19, 23))
    together = rng.normal(size=(runs, 1)) * rng.choice([0, 0.3, 0.6, 1, 2])
    a, b = (together + rng.normal(size=(runs, items)) for _ in "ab")
    return long(a, b[: runs - rng.choice([0, 0, 0, 1])], rng).sort_index()


def forms(rng):
    """Files with other heads, other cells, and rows that are missing or there twice."""
    a, b = (right(rng, runs, 11) for runs in [(1, 1), (2, 2), (3, 3), (2, 3)][rng.integers(4)])
    groups = np.arange(11) // 3 if rng.random() < 0.5 else None
    pick = lambda *names: str(rng.choice(names))
    table = long(a, b, rng, groups, (
        pick("item", "Item", "doc_id", "question", "item "), pick("run", "seed", "epoch", "Rep"),
        pick("model", "Method", "model"), pick("score", "accuracy", "Value", "score"),
        pick("group", "cluster", "topic")), (pick("new", "C", "é", "new"), pick("old", "New", "I")))
    kind = rng.integers(8)
    if kind == 0:
        letters = {1.0: pick("C", "True", "1", "100%"), 0.0: pick("I", "false", "0", "N", "c", "")}
        table[table.columns[3]] = table.iloc[:, 3].map(letters)
    if kind == 1:
        table.iloc[rng.integers(len(table)), 3] = rng.choice([np.nan, np.inf, 0.5])
    change = rng.integers(18)
    if change == 0:
        table = table.iloc[1:]
    elif change == 1:
        table = pd.concat([table, table[:1]])
    elif change == 2:
        table = pd.concat([table, table.assign(**{table.columns[2]: "third"})])
    elif change == 3:
        table.iloc[0, 0] = "q99"
    elif change == 4:
        table.insert(0, pick("dataset", "metric", "comment", "prompt", "id", "fold", "Score"), [
            pick("x", "y") if rng.random() < 0.02 else "x" for _ in range(len(table))])
    elif change == 5:
        table = table.drop(columns=table.columns[rng.integers(table.shape[1])])
    elif change == 6:
        table = table[table.iloc[:, 2] == table.iloc[0, 2]]
    elif change == 7:
        table.iloc[:, 1] += 2 * (table.iloc[:, 2] == table.iloc[0, 2])
    elif change == 8:
        table = table.rename(columns={table.columns[0]: pick("score", "MODEL", "run", "points")})
    elif change == 13 and groups is not None:
        table.iloc[3, 4] = "g1"
    text = table.to_csv(index=False, sep=pick(",", ",", ";", "\t", "|"), decimal=pick(".", "."))
    if change == 9:
        text = pick("# by hand\n\n", "\ufeff") + text.replace("\n", "\r\n")
    elif change == 10:
        text = text + pick("q1\n", "q1,2,3,4,5,6,7\n", "\n \n")
    elif change == 11:
        text = text.split("\n")[0] + pick("", "\n")
    elif change == 12:
        text = text.replace("old", '"old, ""small"""').replace(",", " ,", 3)
    return text


FAMILIES = [copied, repeated, constant, pooled, coded, classes, ceilings, scaled, clustered,
            more_runs_than_items, forms]


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_python_and_the_page_refuse_and_note_the_same(family, tmp_path):
    rng = np.random.default_rng(len(family.__name__))
    given = []
    for _ in range(100):
        table = family(rng)
        text = table if isinstance(table, str) else table.to_csv(index=False)
        (tmp_path / "items.csv").write_text(text, encoding="utf-8", newline="")
        if item_files.holds_items(tmp_path / "items.csv"):
            given.append((text, {"paired": bool(rng.random() < 0.3)}))
    assert len(given) > 80
    for (text, options), page in zip(given, answers(given, "items.read(text, options)")):
        python = of_items(text, options, tmp_path / "items.csv")
        if isinstance(python, str):
            assert page == python, (text, options)
            continue
        assert page["notes"] == list(python.notes), (text, options)
        assert (page["names"], page["metric"]) == ([*python.names], python.metric)
        assert page["blocks"] == [x.tolist() for x in python.scores]


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
