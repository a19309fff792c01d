"""Reports: their numbers are those of the comparison, and pictures show them where they lie."""

import re

import numpy as np
import pandas as pd
import pytest

from replib import report
from replib.comparison import compare_benchmark, compare_predictions, compare_scores

RNG = np.random.default_rng(8)
B = 0.8 + RNG.normal(0, 0.02, (4, 5))
A = B + RNG.normal(0.02, 0.02, (4, 5))
COMPARISON = compare_scores(A, B, runs=4, folds=5, names=("tree", "bayes"))
PREDICTIONS = compare_predictions(
    [0, 1] * 20, [0, 1] * 15 + [1, 1] * 5, [0, 1] * 8 + [1, 0] * 12, names=("tree", "bayes")
)


def benchmark(classifiers: int):
    frame = RNG.normal(np.arange(classifiers) / 3, 0.5, size=(12, classifiers))
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
    rows = report.contents(COMPARISON).tables["Result"][""]
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


def test_a_comparison_without_reruns_does_not_speak_of_them():
    one_run = compare_scores(A[:1], B[:1], runs=1, folds=5)
    it = report.contents(one_run)
    assert not any("rerun" in row for row in it.tables["Result"].index)
    assert "another seed" not in it.methods
    assert "another seed" in report.contents(COMPARISON).methods


@pytest.mark.parametrize("shift", [-0.1, 0, 0.1])
def test_all_tests_are_told_with_what_they_decide(shift):
    comparison = compare_scores(A + shift, B, runs=4, folds=5, names=("tree", "bayes"))
    shown, tests = report.contents(comparison).tables["All tests"], comparison.tests()
    says = {1: "tree better", -1: "bayes better", 0: "no difference"}
    assert shown["says"].tolist() == [says[decision] for decision in tests["decision"]]
    for column, of in (("rerun agrees", "agreement"), ("Type I error", "type_1_error")):
        found = [np.nan if text == "–" else float(text) for text in shown[column]]
        assert found == pytest.approx(tests[of].tolist(), abs=0.006, nan_ok=True)


def test_the_numbers_of_two_sets_of_predictions():
    rows = report.contents(PREDICTIONS).tables["Result"][""]
    assert (rows["only tree right"], rows["only bayes right"]) == (19, 0)
    assert (rows["both right"], rows["both wrong"]) == (16, 5)
    found = numbers(rows["accuracy of tree minus that of bayes"])
    assert found == pytest.approx([19 / 40, *PREDICTIONS.confidence_interval()], abs=6e-4)
    none = report.contents(compare_predictions([0, 1], [0, 1], [0, 1])).tables["Result"].index
    assert len(none) == len(rows) - 1 and not any("again" in row for row in none)


def test_the_numbers_of_a_benchmark():
    c = benchmark(4)
    it = report.contents(c)
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
        it, text = report.contents(comparison), report.page(comparison)
        assert it.title in text and ("<figure>" in text) == bool(it.alt)
        for table in it.tables.values():
            assert all(str(row) in text for row in table.index)
        assert "border=" not in text  # pages have lines of their own
        paper = re.findall(r'id="patch_1">\s*<path d="[^"]*" style="(.*?)"', text)
        assert paper == ["fill: none"] * bool(it.alt)  # so that it is dark where the page is
        assert re.findall(r"@\w+\{(\w+),", text) == list(it.cited)
        shown = report.fragment(comparison)
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
    assert ticks == {"runs": 1, "95 % interval": 0}
    assert inside(ax) and ax.get_xlabel() == "difference in score"
    sides = {text.get_text(): (text.get_position()[0], text.get_ha()) for text in ax.texts}
    assert sides == {"← bayes better": (0, "left"), "tree better →": (1, "right")}


def test_what_a_rerun_finds_is_a_bar_of_length_one():
    rerun = report.picture(COMPARISON).axes[1]
    better_tree, better_bayes = COMPARISON.agreement.better
    widths = [better_bayes, 1 - better_tree - better_bayes, better_tree]
    assert [bar.get_width() for bar in rerun.patches] == pytest.approx(widths)
    assert [bar.get_x() for bar in rerun.patches] == pytest.approx([0, *np.cumsum(widths)[:2]])
    assert rerun.get_xlim() == (0, 1) and rerun.get_yticks() == [0]
    low, high = rerun.get_ylim()
    tops = [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in rerun.patches]
    assert all(low < below < above < high for below, above in tops)
    places = [(0, "left"), (0.5, "center"), (1, "right")]
    names = ["bayes better", "no difference", "tree better"]
    expected = {
        f"{name} {p:.2f}": place for name, p, place in zip(names, widths, places) if p >= 0.005
    }
    found = {text.get_text(): (text.get_position()[0], text.get_ha()) for text in rerun.texts}
    assert found == expected and len(found) > 1
    assert all(tops[0][1] < text.get_position()[1] < high for text in rerun.texts)


def test_one_run_is_one_dot_and_random_splits_are_called_so():
    axes = report.picture(compare_scores(A[:1], B[:1], runs=1, folds=5)).axes
    assert len(axes) == 1
    assert drawn(axes[0])[0] == [[pytest.approx((A - B)[0].mean()), 1]]
    splits = compare_scores(A.ravel(), B.ravel(), runs=20, test_fraction=0.1)
    labels = report.picture(splits).axes[0].get_yticklabels()
    assert [label.get_text() for label in labels] == ["splits", "95 % interval"]


@pytest.mark.parametrize("classifiers", [3, 4, 5, 6])
def test_ranks_are_joined_where_the_critical_difference_does_not_part_them(classifiers):
    c = benchmark(classifiers)
    ranks, n = c.mean_ranks, classifiers
    (ax,) = report.picture(c).axes
    lines = drawn(ax)
    leaders, dots, bars = lines[0:2 * n:2], lines[1:2 * n:2], lines[2 * n:]
    assert dots == [[[rank, 0]] for rank in ranks]
    texts = {text.get_text().strip(): text for text in ax.texts}
    left = []
    for (name, rank), leader in zip(ranks.items(), leaders):
        on_left = f"{name} {rank:.2f}" in texts
        text = texts[f"{name} {rank:.2f}" if on_left else f"{rank:.2f} {name}"]
        edge, y = text.get_position()
        assert leader == [[rank, 0], [rank, y], [edge, y]] and y < 0
        assert (edge < 1, edge > n, text.get_ha()) == (
            on_left, not on_left, "right" if on_left else "left"
        )
        left.append(on_left)
    # the better half on the left, the best and the worst on top; no two names in one place
    assert left == sorted(left, reverse=True) and sum(left) - n / 2 in (0, 0.5)
    heights = [leader[-1][1] for leader in leaders]
    of_left, of_right = heights[:sum(left)], heights[sum(left):]
    assert (np.diff(of_left) < 0).all() and (np.diff(of_right) > 0).all()
    assert of_left[0] == of_right[-1]
    # bars: the longest stretches of neighbours within the critical difference
    values = ranks.to_numpy()
    near = [
        (i, j) for i in range(n) for j in range(i + 1, n)
        if values[j] - values[i] <= c.critical_difference
    ]
    longest = [
        (i, j) for i, j in near
        if not any((a, b) != (i, j) and a <= i and j <= b for a, b in near)
    ]
    assert [bar[0][0] for bar in bars] == pytest.approx([values[i] - 0.03 for i, _ in longest])
    assert [bar[1][0] for bar in bars] == pytest.approx([values[j] + 0.03 for _, j in longest])
    above = [bar[0][1] for bar in bars]
    assert above == sorted(set(above)) and all(y > 0 for y in above)
    assert inside(ax) and ax.get_xlim() == (1, n)
    assert ax.get_xticks().tolist() == list(range(1, n + 1))


def test_a_bar_joins_two_ranks_at_least_and_lies_in_no_other():
    rng = np.random.default_rng(5)
    orders = rng.permuted(np.tile([0.7, 0.8, 0.9], (40, 1)), axis=1)
    c = compare_benchmark(pd.DataFrame(orders, columns=list("abc")).assign(worst=0.1))
    assert np.ptp(c.mean_ranks[:3]) < c.critical_difference < 4 - c.mean_ranks.iloc[2]
    (ax,) = report.picture(c).axes
    (bar,) = drawn(ax)[2 * 4:]
    assert bar[0][0] == pytest.approx(c.mean_ranks.iloc[0] - 0.03)
    assert bar[1][0] == pytest.approx(c.mean_ranks.iloc[2] + 0.03)
