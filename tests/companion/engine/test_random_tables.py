"""The page *My data* and the library decide alike on tables as people have them, right or wrong."""

import json
import shutil

import numpy as np
import pytest

import replib
from companion.engine.serve import data
from replib import results
from tests.companion.engine.test_compare_js import on_the_page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="needs node"),
]

#: A thousand of the same draw were tried, too: a minute.
N_TABLES = 300
DESIGNS = ("2x5", "3x4", "1x10", "6x5", "12 x 20%", "10 x 60%", "2x6")
NAMES = ("tree", "bayes", "svm", "knn 3")


class Table:
    """A table as text: names, and rows of cells, to be spoiled."""

    def __init__(self, rng):
        self.rng = rng
        self.design = str(rng.choice(DESIGNS))
        self.folds = replib.designs.find_design(self.design).shape[-1]
        shape = replib.designs.find_design(self.design).shape
        n_models = int(rng.integers(2, 5))
        scores = 0.8 + rng.normal(0, 0.03, (int(np.prod(shape)), n_models))
        self.scores = scores.round(int(rng.choice([1, 2, 3, 6])))
        self.rows = [[repr(float(x)) for x in row] for row in self.scores]
        self.names = list(NAMES[:n_models])
        self.separator, self.end = ",", "\n"

    def text(self):
        lines = [self.names, *self.rows]
        return "".join(self.separator.join(line) + self.end for line in lines)

    def cell(self, text):
        """Put a text into some cell."""
        row = self.rows[self.rng.integers(len(self.rows))]
        row[self.rng.integers(len(row))] = str(text)

    def every_cell(self, form):
        self.rows = [[form.format(x) for x in row] for row in self.rows]

    def second_run(self, of_first):
        """Let the second run have rows of the first one."""
        first = self.rows[: self.folds]
        if len(self.rows) > self.folds > 1:
            self.rows[self.folds : 2 * self.folds] = [first[i] for i in of_first]


def permuted(table):
    table.second_run(table.rng.permutation(table.folds))


def copied(table):
    table.second_run(range(table.folds))


def labelled(table):
    """Labels of run and fold, in another order."""
    if table.folds == 1:
        return
    labels = [divmod(i, table.folds) for i in range(len(table.rows))]
    table.rows = [[*map(str, label), *row] for label, row in zip(labels, table.rows)]
    table.rows = [table.rows[i] for i in table.rng.permutation(len(table.rows))]
    table.names = ["run", "fold", *table.names]


def in_percent(table):
    for row, scores in zip(table.rows, table.scores):
        row[0] = f"{100 * scores[0]:.4g}"


def with_index(table):
    table.names.insert(0, "")
    table.rows = [[str(i), *row] for i, row in enumerate(table.rows)]


def with_commas(table):
    table.separator = ";"
    table.rows = [[cell.replace(".", ",") for cell in row] for row in table.rows]


def without_spread(table):
    for row, scores in zip(table.rows, table.scores):
        row[1] = repr(float(scores[0] + 0.25))


def with_a_name(table):
    strange = [
        "",
        "model",
        "run",
        "item",
        "truth",
        "a\u200b",
        "a\u2060",
        '"b ""c"""',
        '"d',
    ]
    table.names[0] = str(table.rng.choice(strange))


def counted(table):
    table.names = [str(i) for i in range(len(table.names))]


def longer(table):
    table.rows[table.rng.integers(len(table.rows))].append("0.5")


def shorter(table):
    table.rows[table.rng.integers(len(table.rows))].pop()


def fewer(table):
    table.rows.pop()


def separated(table):
    table.separator = str(table.rng.choice([";", "\t", "|", " ", "  "]))


CELLS = (
    *("", "nan", "NA", "null", "n/a", "inf", "-Infinity", "1e308", "1e400", "1e-90"),
    *(
        "abc",
        "1_0",
        "0x1",
        "0,8",
        '"0,8"',
        '"0.8',
        "+0.8",
        " 0.8 ",
        "0.8\u00a0",
        "\u22120.8",
    ),
    *("82.1%", "-0.8", "8e-1", ".8", "8."),
)
SPOILERS = (
    *(permuted, copied, labelled, in_percent, with_index, with_commas, without_spread),
    *(with_a_name, counted, longer, shorter, fewer, separated),
    lambda table: table.cell(table.rng.choice(CELLS)),
    lambda table: table.every_cell(
        str(table.rng.choice(['"{}"', " {} ", "{}%", "-{}"]))
    ),
    lambda table: setattr(table, "end", str(table.rng.choice(["\r\n", "\r", "\n\n"]))),
)


def calls():
    """Yield arguments of *My data*: texts, designs and directions."""
    rng = np.random.default_rng(11)
    for _ in range(N_TABLES):
        table = Table(rng)
        for spoil in rng.choice(SPOILERS, rng.integers(0, 3), replace=False):
            spoil(table)
        yield table.text(), table.design, str(rng.choice(["higher", "lower"]))


def of_library(text, design, better):
    """Return sentence and notes; None of a table that is refused."""
    options = {"design": [design], "metric": ["score"], "better": [better]}
    try:
        result = data.result_of({"scores.csv": text}, options)
    except ValueError:
        return None
    return result.sentence(), list(result.notes)


def of_page(answer):
    return (
        None
        if isinstance(answer, str)
        else (" ".join(answer["lines"]), answer["notes"])
    )


def test_the_page_and_the_library_decide_alike(monkeypatch):
    # only Python simulates reruns of all pairs
    monkeypatch.setattr(results, "MOST_PREDICTED", 1)
    tables = [list(call) for call in calls()]
    answers = on_the_page([["splits", table] for table in tables])
    pages = [of_page(answer) for answer in answers]
    libraries = [of_library(*table) for table in tables]
    differing = [
        (json.dumps(table), page, library)
        for table, page, library in zip(tables, pages, libraries)
        if page != library
    ]
    assert not differing, f"{len(differing)} tables, the first: {differing[0]}"
    refused = sum(library is None for library in libraries)
    assert 0.1 * N_TABLES < refused < 0.9 * N_TABLES
