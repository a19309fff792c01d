"""The page of a result."""

import hashlib
import json
import re
import shlex
from html.parser import HTMLParser

import numpy as np
import pytest

from replib import Items, Metric, compare, from_arrays, from_predictions
from replib._command import main
from replib._presentation import report

ANY = Metric("score", better="higher")
RNG = np.random.default_rng(3)
SCORES = {
    name: RNG.normal(0.8 + 0.01 * place, 0.03, (10, 10))
    for place, name in enumerate(["tree", "bayes", "<b>forest</b>"])
}


@pytest.fixture(scope="module")
def result():
    return compare(SCORES, design="10x10", metric=ANY, equivalence=0.02)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.loads, self.cells = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.loads += [value for name, value in attributes if name in ("src", "href")]

    def handle_data(self, data):
        self.cells.append(data.replace("\xa0", " ").strip())


def test_the_page_is_whole_and_loads_nothing(result):
    text = report.page(result)
    page = Page(text)
    assert not [link for link in page.loads if not link.startswith("#")]
    assert page.tags.count("svg") == 2 and "b" not in page.tags  # names are text
    best = result.means.iloc[0]
    assert f"{best['mean']:.3f} ({best['low']:.3f} to {best['high']:.3f})" in page.cells
    for row in result.pairs.itertuples():
        assert f"{row.adjusted_p:.2g}" in page.cells
    for key in ("nadeau_bengio2003", "holm1979"):
        assert key in text


def test_a_wide_table_is_cards_on_a_phone_and_a_narrow_one_stays_a_table(result):
    ranks, means, pairs = re.findall("<table.*?</table>", report.page(result), re.S)
    assert 'class="plain"' in ranks and 'class="plain"' in means
    assert 'class="cards"' in pairs
    cells = re.findall('<td class="(.*?)" data-head="(.*?)">', pairs)
    assert {"a": "text", "adjusted p": "number"}.items() <= {
        head: kind for kind, head in cells
    }.items()


@pytest.mark.parametrize(
    ("design", "dots"),
    [("2x5", "runs"), ("10 x 10%", "random splits"), ("datasets", "data sets")],
)
def test_the_caption_says_what_the_dots_are(design, dots):
    scores = {name: RNG.uniform(size=10) for name in "ab"}
    result = compare(scores, design=design, metric="accuracy")
    assert f"Grey dots are {dots}." in report.page(result)


def test_what_each_test_rests_on_is_in_the_literature():
    truth = RNG.integers(0, 2, 40)
    areas = from_predictions(
        truth, {name: truth + RNG.normal(size=40) for name in "ab"}, metric="roc_auc"
    )
    results = [compare(areas)]
    for shape, design in (
        ((10, 10), "10x10"),
        ((8,), "datasets"),
        ((3, 40), "items"),
    ):
        scores = {name: RNG.normal(size=shape) for name in "abc"}
        results.append(compare(scores, design=design, metric=ANY))
    by_fold = from_arrays(
        {name: RNG.normal(size=40) for name in "ab"},
        design=Items(predicted="by_fold"),
        metric=ANY,
        clusters=range(40),
    )
    results.append(compare(by_fold))
    results.append(
        compare({"a": truth, "b": 1 - truth}, design="items", metric="accuracy")
    )
    for result in results:
        assert result.tests.cites and set(report.cited(result)) <= set(report.bibtex())


@pytest.mark.parametrize("n_models", [2, 8])
def test_the_page_and_its_numbers_have_what_single_runs_would_have_said(n_models):
    rng = np.random.default_rng(n_models)
    scores = {f"m{i}": rng.normal(0.9 - 0.01 * i, 0.02, 50) for i in range(n_models)}
    counted_result = compare(scores, design="5x10", metric="accuracy")
    counted = counted_result.counted
    rows = counted_result.to_dict()["counted"]
    assert [row["neither"] for row in rows] == counted["neither"].tolist()
    table = report.tables(counted_result)["Pairs"]
    column = table["with one run: a, b, neither"]
    for (a, text), b in zip(column.items(), table["b"], strict=True):
        row = counted.set_index(["a", "b"]).loc[(a, b)]
        assert text == f"{row['a_better']}, {row['b_better']}, {row['neither']}"
    assert "with one run: a, b, neither" in report.page(counted_result)
    once = compare({"a": [1, 0, 1], "b": [0, 0, 1]}, design="items", metric="accuracy")
    assert once.to_dict()["counted"] == []


def test_the_methods_say_how_pairs_were_selected():
    texts = {
        "best": "two leaders of a ranking",
        (("best", "tree"),): "choice of the best",
        "all": "Holm-adjusted for 3 pairs",
    }
    for pairs, says in texts.items():
        result = compare(
            SCORES,
            design="10x10",
            metric=ANY,
            pairs=pairs if isinstance(pairs, str) else list(pairs),
        )
        assert re.search(says, report.methods(result))


def test_the_record_names_files_their_digests_and_the_command(tmp_path, capsys):
    """With the same files and the same command, a reader gets the same result."""
    tables = [tmp_path / "a table.csv", tmp_path / "b.csv"]
    for table in tables:
        rows = "\n".join(
            f"{run},{score:.3f}" for run, score in enumerate(RNG.random(9))
        )
        table.write_text(f"run,score\n{rows}\n")
    words = [f"m{i}={table}" for i, table in enumerate(tables)]
    words += ["--design", "seeds", "--metric", "accuracy"]
    assert main("compare", [*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)["record"]
    for table in tables:
        digest = hashlib.sha256(table.read_bytes()).hexdigest()
        assert f"{table} (SHA-256 {digest})" in record["files"]
    assert shlex.split(record["command"]) == ["replib", "compare", *words, "--json"]


def small_errors(n_models):
    """Errors of 0.00001 that differ in their second digit."""
    rng = np.random.default_rng(3)
    return {
        name: rng.normal(0.8 + 0.05 * place, 0.02, 8) * 1e-5
        for place, name in zip(range(n_models), "pqrstuvw")
    }


@pytest.mark.parametrize("n_models", [3, 7])
def test_tables_have_the_digits_of_small_scores(n_models):
    metric = Metric("mse", better="lower")
    result = compare(small_errors(n_models), design="seeds", metric=metric)
    means = report.tables(result)["Ranks"]["mean"].astype(float)
    np.testing.assert_allclose(means, result.means["mean"], rtol=0.01)
    for table, column in (("Means", 0), ("Pairs", 1)):
        texts = report.tables(result)[table].iloc[:, column]
        assert all(re.search(r"[1-9]", text) for text in texts)
    assert "(0.000)" not in result.sentence()


def test_a_table_of_pairs_says_which_p_value_and_interval_it_has():
    models = dict(zip("cab", small_errors(3).values()))
    result = compare(models, design="seeds", metric=Metric("mse", better="lower"))
    table = report.tables(result)["Pairs"]
    assert [*table.columns[:4]] == [
        "b",
        "a is better by (98.33% interval)",
        "adjusted p",
        "better",
    ]
    for (first, row), pair in zip(table.iterrows(), result.pairs.itertuples()):
        better = {1: first, -1: row["b"], 0: "–"}[pair.decision]
        assert (first, row["b"], row["better"]) == (pair.a, pair.b, better)
    of_two = compare(small_errors(2), design="seeds", metric="mse")
    columns = report.tables(of_two)["Pairs"].columns
    assert [*columns[1:3]] == ["a is better by (95% interval)", "p"]
