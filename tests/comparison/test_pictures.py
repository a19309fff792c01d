"""Sets of classifiers that are alike, and figures that fit a page of either colour."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from replib.comparison import compare_scores, pictures


@pytest.mark.parametrize("seed", range(20))
def test_cliques_are_all_the_sets_to_which_nothing_can_be_added(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    alike = np.triu(rng.random((n, n)) < 0.6, 1)
    alike |= alike.T
    sets = [
        set(some) for size in range(2, n + 1) for some in combinations(range(n), size)
        if all(alike[pair] for pair in combinations(some, 2))
    ]
    maximal = [sorted(one) for one in sets if not any(one < other for other in sets)]
    assert pictures.cliques(alike) == sorted(maximal)


def test_a_picture_has_the_colours_of_its_page_and_a_name():
    a, b = np.random.default_rng(0).normal(0.8, 0.02, (2, 20))
    svg = pictures.as_svg(compare_scores(a, b, cv="4x5").plot(), 'dots & "bars"')
    assert svg.startswith("<svg ") and 'aria-label="dots &amp; &quot;bars&quot;"' in svg
    assert "var(--blue)" in svg and pictures.BLUE not in svg and "<metadata>" not in svg


@pytest.mark.parametrize("splits, drawn, said", [
    (pictures.MOST_DOTS, pictures.MOST_DOTS, False), (20_000, pictures.MOST_DOTS, True),
])
def test_of_many_differences_some_are_drawn_and_the_caption_says_so(splits, drawn, said):
    scores = np.random.default_rng(4).random((2, splits))
    result = compare_scores(*scores, test_fraction=0.1, names=["a", "b"])
    alt = result.contents().alt
    assert ("500 of them, drawn at random" in alt) is said
    dots = result.plot().axes[0].lines[0].get_xdata()
    assert len(dots) == drawn and set(dots) <= set(scores[0] - scores[1])


# ------------------------------------------------------------------ what is drawn where


def drawn(ax):
    """Lines of axes: the places, marker, line style, colour and sizes."""
    return [
        (np.round(line.get_xdata(), 9).tolist(), np.round(line.get_ydata(), 9).tolist(),
         line.get_marker(), line.get_linestyle(), line.get_color(), line.get_linewidth(),
         line.get_markersize())
        for line in ax.lines
    ]


def written(ax):
    return [(text.get_text(), *np.round(text.get_position(), 9).tolist(), text.get_ha(),
             text.get_fontsize(), text.get_color()) for text in ax.texts]


def framed(ax):
    """Limits, ticks, and whether there is a line at the left."""
    labels = [label.get_text() for label in ax.get_yticklabels()]
    return (*np.round([*ax.get_xlim(), *ax.get_ylim()], 9).tolist(), ax.get_yticks().tolist(),
            labels, ax.get_xlabel(), ax.spines["left"].get_visible())


def of_pairs(alike, names):
    return pd.DataFrame([(a, b, int(a + b not in alike)) for a, b in combinations(names, 2)],
                        columns=["a", "b", "decision"])


def test_classifiers_stand_on_an_axis_with_a_bar_over_neighbours_that_do_not_differ():
    """b, a and c are alike; so are c and d; e is alike to none of its neighbours, but to a."""
    values = pd.Series({"a": 2.0, "b": 1.0, "c": 3.0, "d": 6.0, "e": 11.0})
    pairs = of_pairs({"ab", "ac", "bc", "cd", "ae"}, "abcde")
    fig = pictures.groups(values, pairs, "rank", "{:.1f}")
    (ax,) = fig.axes
    assert fig.get_size_inches().tolist() == pytest.approx([4.75, 1.2 + 3 * 0.3 + 3 * 0.15])
    room, reach = 0.4, 0.108  # 4% of the range of 10, and 1% of the axis
    low, high = 1 - room, 11 + room
    edges = [low - 3 * reach] * 3 + [high + 3 * reach] * 2
    grey, blue, red = pictures.GREY, pictures.BLUE, pictures.RED
    expected = []
    for value, y, edge in zip([1.0, 2.0, 3.0, 6.0, 11.0], [-0.6, -1.2, -1.8, -1.2, -0.6], edges):
        expected += [([value, value, round(edge, 9)], [0, y, y], "None", "-", grey, 1, 6),
                     ([value], [0], "o", "None", blue, 1.5, 5)]
    expected += [
        ([1 - reach, 3 + reach], [0.25, 0.25], "None", "-", red, 3, 6),
        ([2, 11], [0.47, 0.47], "o", ":", red, 1.5, 4),
        ([3 - reach, 6 + reach], [0.69, 0.69], "None", "-", red, 3, 6),
    ]
    assert drawn(ax) == expected
    texts = [("b 1.0 ", "right"), ("a 2.0 ", "right"), ("c 3.0 ", "right"), (" 6.0 d", "left"),
             (" 11.0 e", "left")]
    assert [(one[0], one[3]) for one in written(ax)] == texts
    assert [one[1] for one in written(ax)] == pytest.approx(edges)
    assert {one[4] for one in written(ax)} == {10}
    assert framed(ax)[:4] == pytest.approx((low, high, -0.6 * 3 - 0.3, 0.6 + 3 * 0.22))
    assert framed(ax)[4:] == ([], [], "rank", False)


def test_an_axis_has_the_limits_that_are_given_and_room_where_all_are_equal():
    pairs = of_pairs({"ab"}, "ab")
    fig = pictures.groups(pd.Series({"a": 1.0, "b": 1.5}), pairs, "", "{:g}", (1, 3))
    assert fig.axes[0].get_xlim() == (1, 3)
    assert fig.axes[0].lines[-1].get_xdata() == pytest.approx([0.98, 1.52])
    fig = pictures.groups(pd.Series({"a": 1.0, "b": 1.0}), pairs, "", "{:g}")
    assert fig.axes[0].get_xlim() == pytest.approx((0.9, 1.1))


@pytest.mark.parametrize("parts", [[], [0.5], [0.5, -0.25, 0.75]])
def test_a_difference_has_its_interval_below_its_parts(parts):
    _, (ax,) = pictures.figure(2.0)
    pictures.difference(ax, ("a", "b"), "difference", 0.25, (-0.5, 1.0), parts, "runs")
    rows = {0: None, 1: [1.0], 3: [0.75, 1.0, 1.25]}[len(parts)]
    dots = [(parts, rows, "o", "None", pictures.GREY, 1.5, 4)] if parts else []
    assert drawn(ax) == [
        *dots, ([-0.5, 1.0], [0, 0], "None", "-", pictures.BLUE, 2.5, 6),
        ([0.25], [0], "D", "None", pictures.BLUE, 1.5, 7), ([0, 0], [0, 0.93], "None", ":",
        pictures.INK, 1, 6),
    ]
    if parts:
        assert ax.lines[0].get_alpha() == 0.7
    higher = 1.13 if parts else 1.25
    assert written(ax) == [("← b better", 0, 1, "left", 9, pictures.GREY),
                           ("a better →", 1, higher, "right", 9, pictures.GREY)]
    *_, low, high, ticks, labels, label, edge = framed(ax)
    assert (low, high, ticks, labels, label, edge) == (
        (-0.6, 1.6, [1, 0], ["runs", "95% interval"], "difference", False) if parts else
        (-0.6, 0.6, [0], ["95% interval"], "difference", False))
    assert len(ax.get_xticks()) <= 7 and ax.yaxis.get_tick_params()["length"] == 0


def test_shares_are_one_bar_and_each_has_its_name_above():
    fig, (ax, other) = pictures.figure(1.5, 1.0)
    assert fig.get_size_inches().tolist() == [4.75, 2.5]
    pictures.shares(ax, [("b", 0.25), ("none", 0.004), ("a", 0.746)], "a rerun", "probability")
    bars = [(bar.get_x(), bar.get_width(), bar.get_y(), bar.get_height()) for bar in ax.patches]
    assert bars == [pytest.approx(bar) for bar in (
        (0, 0.25, -0.3, 0.6), (0.25, 0.004, -0.3, 0.6), (0.254, 0.746, -0.3, 0.6))]
    assert written(ax) == [("b 0.25", 0, 0.42, "left", 9, pictures.RED),
                           ("a 0.75", 1, 1.22, "right", 9, pictures.BLUE)]
    assert {text.get_va() for text in ax.texts} == {"bottom"}
    assert framed(ax) == (0, 1, -0.35, 1.75, [0], ["a rerun"], "probability", False)
    pictures.shares(other, [("b", 0.2), ("none", 0.005), ("a", 0.795)], "", "")
    assert written(other)[1] == ("none 0.01", 0.5, 0.82, "center", 9, pictures.GREY)


def test_figures_are_drawn_in_the_colours_that_a_page_replaces():
    fig = pictures.styled(lambda: pictures.figure(1.0)[0])
    (ax,) = fig.axes
    assert not ax.spines["top"].get_visible() and not ax.spines["right"].get_visible()
    assert fig.get_layout_engine() is not None and ax.xaxis.label.get_color() == pictures.INK
    assert fig.get_facecolor()[3] == ax.get_facecolor()[3] == 0 and ax.xaxis.label.get_size() == 10
    svg = pictures.as_svg(fig, "a")
    assert svg == pictures.as_svg(pictures.styled(lambda: pictures.figure(1.0)[0]), "a")
    assert "currentColor" in svg and pictures.INK not in svg
