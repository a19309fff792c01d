"""The catalogue of mistakes and right uses: in Python, on the command line and in the browser."""

import re

import numpy as np
import pandas as pd
import pytest
from mistakes import catalogue, make
from on_the_page import NODE, answers, of_items, told

from replib.comparison import compare_scores, item_files, rules, scores_file

MISTAKES, RIGHT = catalogue.rows("mistakes"), catalogue.rows("right_uses")


@pytest.mark.slow
@pytest.mark.parametrize("row", MISTAKES, ids=lambda row: row["title"])
@pytest.mark.filterwarnings("ignore")
def test_a_mistake_is_refused_or_noted_in_the_words_of_the_table(row):
    kind, text = catalogue.answer(row["code"])
    if row["rule"] == "aligned":
        assert kind == "answered" and "Note:" not in text
        return
    assert kind == ("answered" if make.verdict(row) == "noted" else "refused"), text
    if row["rule"] != "-":
        lines = [line.removeprefix("Note: ") for line in text.splitlines()]
        assert any(make.pattern(row["rule"]).fullmatch(line) for line in lines), text
    if kind == "refused":
        assert "\n" not in text and len(text) < 400


@pytest.mark.slow
@pytest.mark.parametrize("row", RIGHT, ids=lambda row: row["code"].strip().splitlines()[-1][:80])
@pytest.mark.filterwarnings("ignore")
def test_a_right_use_is_neither_refused_nor_noted(row):
    kind, text = catalogue.answer(row["code"])
    assert kind == "answered" and "Note:" not in text, text


def test_the_catalogue_is_large_and_has_no_row_twice():
    assert len(MISTAKES) >= 100 and len(RIGHT) >= 100
    for rows in (MISTAKES, RIGHT):
        assert len({row["code"] for row in rows}) == len(rows)


def test_what_is_put_in_order_gives_the_result_of_the_right_order():
    names = catalogue.prelude()
    expected = str(compare_scores(names["tree"], names["bayes"], cv="10x10"))
    for row in MISTAKES:
        if row["rule"] == "aligned":
            said = catalogue.answer(row["code"])[1]
            assert said.replace("tree (", "A (").replace("bayes (", "B (") == expected


@pytest.mark.slow
def test_the_page_and_the_script_are_made_from_the_table():
    assert make.SCRIPT.read_text("utf-8") == make.script()
    assert make.PAGE.read_text("utf-8") == make.page()


# ------------------------------------------------------------------ the browser


def recorded(code):
    """Text and settings for the page, from an example that compares plain scores; else None."""
    found = []

    def command(text, *arguments, name=None):
        plain = [one for one in arguments if one not in ("--errors", "--paired-runs")]
        options = dict(zip(plain[::2], plain[1::2]))
        try:
            text = text if isinstance(text, str) else text.decode("utf-8-sig")
        except UnicodeDecodeError:
            return
        known = set(options) <= {"--cv", "--test-fraction", "--generalize"}
        if known and text[:2] != "PK" and "\0" not in text:
            share = options.get("--test-fraction")
            found.append((text, {
                "cv": options.get("--cv", ""), "share": None if share is None else float(share),
                "less": "--errors" in arguments, "paired": "--paired-runs" in arguments,
                "generalize": options.get("--generalize", "")}))

    def scores(a, b=None, *, cv="", test_fraction=None, greater_is_better=True, **more):
        flat = [isinstance(x, (list, np.ndarray)) and np.shape(x) == np.shape(a)
                and not np.ma.isMaskedArray(x) for x in (a, b)]
        if all(flat) and not more and isinstance(cv, str) and np.asarray(a).dtype.kind in "fi":
            found.append((pd.DataFrame({"A": np.ravel(a), "B": np.ravel(b)}).to_csv(index=False), {
                "cv": cv, "share": test_fraction, "less": not greater_is_better}))

    def items(a, b, *, groups=None, metric=None, names=("A", "B"), paired_runs=False, **more):
        plain = [isinstance(x, (list, np.ndarray)) and np.asarray(x).dtype.kind in "bfi"
                 and not np.ma.isMaskedArray(x) for x in (a, b)]
        if all(plain) and not isinstance(groups, pd.Series):
            rows = [
                (i, run, name, score, "" if groups is None else groups[i], metric)
                for name, x in zip(names, (a, b)) for run, of in enumerate(np.atleast_2d(x) + 0.0)
                for i, score in enumerate(of)
            ]
            columns = ["item", "run", "model", "score", "group", "metric"]
            unused = [name for name, x in (("group", groups), ("metric", metric)) if x is None]
            found.append((
                pd.DataFrame(rows, columns=columns).drop(columns=unused).to_csv(index=False),
                {"paired": paired_runs, "generalize": more.get("generalize", "")}))

    try:
        catalogue.run(
            code, command=command, compare_scores=scores, compare_item_scores=items
        )
    except Exception:
        return None
    return found[0] if found else None


def in_python(text, options, path):
    """What Python says about a file with this text."""
    path.write_text(text, encoding="utf-8", newline="")
    if item_files.holds_items(path):
        return str(of_items(text, options, path))
    try:
        table = scores_file.read(path)
        if not options["cv"] and options["share"] is None and not (table.design or table.seeds):
            raise ValueError("how were the splits made?")
        said = str(compare_scores(
            table, cv=options["cv"] or None, test_fraction=options["share"],
            greater_is_better=not options["less"],
        ))
    except ValueError as refusal:
        said = f"refused: {refusal}"
    return said.replace(str(path), "the table").replace("greater_is_better=False", "less is better")


def same(python, page):
    """Whether both say the same; of three or more, the page does not predict reruns."""
    page = told(page)
    if python == page:
        return True
    first, *notes = page.split("\n")
    own, *its = python.split("\n")
    return " classifiers (" in first and own.startswith(first) and notes == its


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.filterwarnings("ignore")
def test_the_browser_says_the_same_about_mistakes_and_right_uses(tmp_path):
    kept = [(row, recorded(row["code"])) for row in [*MISTAKES, *RIGHT]]
    kept = [(row, given) for row, given in kept if given]
    assert len(kept) > 80
    said = answers([given for _, given in kept])
    for (row, given), page in zip(kept, said):
        python = in_python(*given, tmp_path / "scores.csv")
        if "how were the" not in python:
            assert same(python, page), (row, python, page)
    reached = {row["rule"] for row, _ in kept if "rule" in row}
    for_page = {name for name, rule in rules.table()["rules"].items() if "page" in rule["where"]}
    in_catalogue = {row["rule"] for row in MISTAKES} & for_page
    assert in_catalogue <= reached


#: What happens to a table of two or three classifiers on so many splits; None does nothing.
DAMAGES = [
    None, lambda x, rng: np.tile(x[: len(x) // 2], (2, 1)),
    lambda x, rng: np.where(np.arange(x.shape[1]) == 0, 0.5, x), lambda x, rng: 100 * x,
    lambda x, rng: x * [1, 100, 1][: x.shape[1]], lambda x, rng: np.sort(x, axis=0),
    lambda x, rng: x[:, :1] + np.arange(x.shape[1]) / 16, lambda x, rng: 1 - x,
    lambda x, rng: np.where(rng.random(x.shape) < 0.05, rng.choice([0, -1, 1.25, 9, 0.5]), x),
    lambda x, rng: np.vstack([x[:-1], x[:-1].mean(axis=0)]),
    lambda x, rng: np.round(16 * x) / 16,  # no sum of these is rounded, so ties are ties in both
    lambda x, rng: np.column_stack([x[:, 0], 1 - x[:, 0]]), lambda x, rng: x[:-1],
    lambda x, rng: (x > 0.8) * 1.0, lambda x, rng: np.column_stack([x, x[:, 0].round(3)]),
    lambda x, rng: np.column_stack([x, x.max(axis=1)]), lambda x, rng: x - 0.9,
]


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.filterwarnings("ignore")
def test_the_browser_says_the_same_about_any_table(tmp_path):
    rng = np.random.default_rng(8)
    inputs = []
    for place in range(3 * len(DAMAGES)):
        runs, folds = [(10, 10), (2, 5), (1, 10), (5, 2), (3, 10), (30, 1)][place % 6]
        x = (0.8 + rng.normal(0, 0.03, (runs * folds, k := rng.integers(2, 4)))
             + rng.choice([0, 0.01, 0.05]) * np.arange(k)).round(rng.choice([2, 4, 12]))
        if damage := DAMAGES[place % len(DAMAGES)]:
            x = damage(x, rng)
        table = pd.DataFrame(x, columns=["tree", "naive Bayes", "svm", "knn"][: x.shape[1]])
        share = 0.1 if folds == 1 else None
        options = {"cv": "" if share else f"{runs}x{folds}", "share": share,
                   "less": bool(rng.random() < 0.2)}
        inputs.append((table.to_csv(index=False), options))
    for given, page in zip(inputs, answers(inputs)):
        python = in_python(*given, tmp_path / "scores.csv")
        assert same(python, page), (given[1], python, page)


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_browser_reads_the_forms_of_files_that_python_reads(tmp_path):
    rows = [(0.91, 0.88), (0.9, 0.87), (0.95, 0.9), (0.93, 0.91)]
    write = lambda head, mark, cell=str, end="\n": end.join(
        [mark.join(head), *(mark.join(map(cell, row)) for row in rows)]) + end
    texts = [
        write(("tree", "bayes"), ","), write(("tree", "bayes"), "\t", end="\r\n"),
        write(("tree", "bayes"), ";", lambda x: str(x).replace(".", ",")),
        write(("tree", "bayes"), " | "), write(('"tree, pruned"', '"naive ""B"""'), ","),
        write(("tree", "bayes"), ",", lambda x: f"{100 * x:g} %"),
        "# a remark\n\n" + write(("tree", "bayes"), ","), write(("t\x1b[31m", "=1+1"), ","),
        "tree\n.9\n", "", "tree,bayes\n", "tree,bayes\n.9,.8\n.9\n", "tree,bayes\n.9,\n.8,.7\n",
        "tree,bayes\nnan,.8\n.9,.7\n.9,.7\n.9,.6\n", ".9,.8\n.9,.7\n",
    ]
    inputs = [(text, {"cv": "2x2", "share": None, "less": False}) for text in texts]
    for given, page in zip(inputs, answers(inputs)):
        python = in_python(*given, tmp_path / "scores.csv")
        said = [re.sub(r"one column, .*?: ", "", text) for text in (told(page), python)]
        assert said[0] == said[1]
