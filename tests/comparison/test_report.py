"""Reports: their numbers are those of the comparison, and pictures show them where they lie."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from replib.comparison import (
    MultipleComparison,
    compare_benchmark,
    compare_predictions,
    compare_scores,
    report,
)
from replib.comparison.design import read_design

RNG = np.random.default_rng(8)
B = 0.8 + RNG.normal(0, 0.02, (4, 5))
A = B + RNG.normal(0.02, 0.02, (4, 5))
COMPARISON = compare_scores(A, B, runs=4, folds=5, names=("tree", "bayes"))
PREDICTIONS = compare_predictions(
    [0, 1] * 20, [0, 1] * 15 + [1, 1] * 5, [0, 1] * 8 + [1, 0] * 12, names=("tree", "bayes")
)


def benchmark(classifiers: int):
    rng = np.random.default_rng(classifiers)  # its own: the same, whichever tests run before
    frame = rng.normal(np.arange(classifiers) / 3, 0.5, size=(12, classifiers))
    return compare_benchmark(pd.DataFrame(frame, columns=list("abcdef")[:classifiers]))


def numbers(text: str) -> list[float]:
    text = text.replace("\N{MINUS SIGN}", "-")
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+(?:e-?\d+)?)?", text)]


def drawn(ax) -> list[list]:
    return [line.get_xydata().tolist() for line in ax.lines]


def inside(ax) -> bool:
    """Whether all that is drawn lies within the axes, with some room."""
    low, high = ax.get_ylim()
    ys = [y for line in ax.lines for y in np.atleast_1d(line.get_ydata()) if line.get_marker()]
    return all(low < y < high for y in ys)


# ---------------------------------------------------------------- what is said


def test_the_numbers_of_a_comparison_of_two():
    rows = COMPARISON.contents().tables["Result"][""]
    again = COMPARISON.replication_probability()
    expected = {
        "mean score of tree": [A.mean()], "mean score of bayes": [B.mean()],
        "tree is better by": [COMPARISON.estimate, *COMPARISON.confidence_interval()],
        "a rerun with another seed decides the same": [
            COMPARISON.agreement.point, COMPARISON.agreement.low, COMPARISON.agreement.high,
        ],
        "significant again, on new data of this size": [again.point, again.low, again.high],
    }
    for row, values in expected.items():
        assert numbers(rows[row]) == pytest.approx(values, abs=0.0051)
    df, statistic, *_ = numbers(rows["corrected resampled t test"])
    assert df == 4 * 5 - 1 and statistic == pytest.approx(COMPARISON.statistic, abs=6e-4)


def test_the_numbers_of_a_benchmark():
    c = benchmark(4)
    it = c.contents()
    ranks, pairs = it.tables["Mean ranks"]["mean rank"], it.tables["Pairs"]
    assert ranks.astype(float).to_dict() == pytest.approx(c.mean_ranks.to_dict(), abs=0.006)
    assert list(zip(pairs.index, pairs["than"])) == list(zip(c.pairs["a"], c.pairs["b"]))
    for text, row in zip(pairs["wins-losses-draws"], c.pairs.itertuples()):
        assert text == f"{row.wins}-{row.losses}-{row.draws}"
        assert row.wins + row.losses + row.draws == 12
    for text, row in zip(pairs["significant again"], c.pairs.itertuples()):
        expected = [row.replication, row.replication_low, row.replication_high]
        found = numbers(text.replace("–", "-1"))
        assert found == pytest.approx(np.nan_to_num(expected, nan=-1), abs=0.006)


def test_a_page_has_the_title_the_tables_and_the_literature():
    for comparison in (COMPARISON, PREDICTIONS, benchmark(3)):
        it, text = comparison.contents(), comparison.page()
        assert it.title in text and ("<figure>" in text) == bool(it.alt)
        for table in it.tables.values():
            assert all(str(row) in text for row in table.index)
        assert "border=" not in text  # pages have lines of their own
        paper = re.findall(r'id="patch_1">\s*<path d="[^"]*" style="(.*?)"', text)
        assert paper == ["fill: none"] * bool(it.alt)  # so that it is dark where the page is
        assert re.findall(r"@\w+\{(\w+),", text) == list(it.cited)
        shown = comparison._repr_html_()
        for head, table in it.tables.items():
            here = str(table.iloc[0, -1]) in shown
            assert here == (head in (it.shown or it.tables))


# ---------------------------------------------------------------- what is drawn


def test_runs_and_the_interval_lie_where_they_are():
    ax = COMPARISON.plot().axes[0]
    dots, interval, mean, zero = drawn(ax)
    assert [x for x, _ in dots] == pytest.approx((A - B).mean(axis=1))
    heights = np.array([y for _, y in dots])
    assert (np.diff(heights) > 0).all() and heights.mean() == 1
    low, high = COMPARISON.confidence_interval()
    assert interval == [[low, 0], [high, 0]] and mean == [[COMPARISON.estimate, 0]]
    assert [x for x, _ in zero] == [0, 0]
    ticks = dict(zip([label.get_text() for label in ax.get_yticklabels()], ax.get_yticks()))
    assert ticks == {"runs": 1, "95% interval": 0}
    assert inside(ax) and ax.get_xlabel() == "difference in score"
    sides = {text.get_text(): (text.get_position()[0], text.get_ha()) for text in ax.texts}
    assert sides == {"← bayes better": (0, "left"), "tree better →": (1, "right")}


def alike(c) -> set:
    """Pairs of names that do not differ after correction."""
    return {frozenset((row.a, row.b)) for row in c.pairs.itertuples() if not row.decision}


@pytest.mark.parametrize("classifiers", [3, 4, 5, 6])
def test_ranks_are_joined_where_the_corrected_tests_do_not_part_them(classifiers):
    c = benchmark(classifiers)
    ranks, n = c.mean_ranks, classifiers
    (ax,) = c.plot().axes
    assert drawn(ax)[1:2 * n:2] == [[[rank, 0]] for rank in ranks]
    assert joined(ax.lines[2 * n:], ranks) == maximal(alike(c), list(ranks.index))
    assert {text.get_text().strip() for text in ax.texts} == {
        f"{name} {rank:.2f}" if place < n / 2 else f"{rank:.2f} {name}"
        for place, (name, rank) in enumerate(ranks.items())
    }
    assert inside(ax) and ax.get_xlim() == (1, n)


def joined(bars, values) -> set:
    """Names under each bar, and at each mark of a dotted line."""
    found = set()
    for bar in bars:
        xs = bar.get_xdata()
        if bar.get_marker() == "o":
            found.add(frozenset(values.index[np.isclose(values, x)][0] for x in xs))
        else:
            inside = (values >= min(xs)) & (values <= max(xs))
            found.add(frozenset(values.index[inside]))
    return found


def maximal(pairs: set, names: list) -> set:
    """All sets of names of which every pair is there and to which no name can be added."""
    subsets = {
        frozenset(some) for size in range(2, len(names) + 1)
        for some in combinations(names, size)
        if all(frozenset(pair) in pairs for pair in combinations(some, 2))
    }
    return {one for one in subsets if not any(one < other for other in subsets)}


def test_the_picture_of_means_has_the_bars_of_the_sentence():
    rng = np.random.default_rng(9)
    blocks = 0.8 + rng.normal(0, 0.02, (6, 4, 5)) + rng.normal(0, 0.02, (6, 1, 1))
    c = MultipleComparison(tuple("abcdef"), tuple(blocks), read_design("4x5"))
    (ax,) = c.plot().axes
    assert joined(ax.lines[12:], c.means) == maximal(alike(c), list("abcdef"))
    assert 0 < c.pairs["decision"].sum() < len(c.pairs)
    said = c.sentence().split("Significantly higher: ")[1].split("; not")[0]
    said = {
        frozenset((part[0], other)) for part in said.split("; ")
        for other in re.findall(r"\b([a-f]) \(p", part)
    }
    pairs = {frozenset((row.a, row.b)) for row in c.pairs.itertuples()}
    assert said == pairs - alike(c)


def test_plain_data_keeps_numbers_and_has_none_for_what_is_no_number():
    given = {"a": 1.5, 2: [np.nan, np.inf, -np.inf, None, True, "x"], "b": np.array([1, 2]),
             "c": (np.float64(0.25), np.int64(3)), "d": read_design("2x2")}
    assert report._plain(given) == {
        "a": 1.5, "2": [None, None, None, None, True, "x"], "b": [1, 2], "c": [0.25, 3],
        "d": "2 runs of 2-fold cross-validation",
    }
    plain = COMPARISON.to_dict()
    assert plain["table"][0]["pvalue"] == COMPARISON.pvalue and plain["alpha"] == 0.05
