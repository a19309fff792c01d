"""The picture of a result."""

import numpy as np
import pytest

from replib import Metric, compare
from replib._presentation import pictures, standings

ANY = Metric("score", better="higher")
RNG = np.random.default_rng(3)
SCORES = {
    name: RNG.normal(0.8 + 0.01 * place, 0.03, (10, 10))
    for place, name in enumerate(["tree", "bayes", "forest"])
}


def test_intervals_runs_and_the_margin_lie_where_they_are():
    result = compare(SCORES, design="10x10", metric=ANY, equivalence=0.02)
    (ax,) = pictures.figure(result).axes
    assert ax.patches[0].get_x() == -0.02 and ax.patches[0].get_width() == 0.04
    pairs = result.pairs.sort_values(
        "difference", key=abs, ascending=False, kind="stable"
    )
    drawn = [line.get_xdata() for line in ax.lines[1:]]  # the first is zero
    for row, (dots, limits, point) in zip(pairs.itertuples(), zip(*[iter(drawn)] * 3)):
        assert [*limits, *point] == [row.low, row.high, row.difference]
        runs = (result.advantage(row.a) - result.advantage(row.b)).mean(axis=1)
        np.testing.assert_allclose(dots, runs)
    assert "margin of equivalence, 0.02" in pictures.caption(result, "pairs")


def test_of_many_pairs_the_largest_are_drawn():
    scores = {f"m{i}": RNG.random(30) < 0.5 + 0.02 * i for i in range(9)}
    result = compare(scores, design="items", metric="accuracy")
    assert len(pictures.figure(result, "pairs").axes[0].get_yticks()) == 15
    caption = pictures.caption(result, "pairs")
    assert "The 21 pairs with smaller differences are not drawn" in caption


def test_many_models_are_drawn_in_their_order_with_a_bar_along_each_set():
    hardness = RNG.random(90)
    scores = {f"m{i}": hardness < 0.2 + 0.08 * i for i in range(9)}
    result = compare(scores, design="items", metric="accuracy")
    (ax,) = result.plot().axes
    dots, *bars = ax.lines
    assert dots.get_xdata().tolist() == result.mean_scores.tolist()
    assert [label.get_text() for label in ax.get_yticklabels()] == [*result.means.index]
    spans = [tuple(np.round(bar.get_ydata()).astype(int)) for bar in bars]
    assert spans == standings.contiguous_sets(result, [*result.means.index])
    assert len(spans) > 1 and "Within a bar" in pictures.caption(result, "ranks")


@pytest.mark.parametrize("kind", ["ranks", "pairs"])
@pytest.mark.parametrize("name", ["net", "a network with a long name"])
@pytest.mark.parametrize("metric", ["loss", "mean squared logarithmic error of demand"])
def test_no_label_is_cut_off(kind, name, metric):
    rng = np.random.default_rng(4)
    scores = {f"{name} {i}": rng.normal(0.8 + i / 20, 0.02, 6) for i in range(4)}
    result = compare(scores, design="seeds", metric=Metric(metric, better="lower"))
    figure = pictures.figure(result, kind)
    figure.draw_without_rendering()
    label = figure.axes[0].xaxis.label.get_window_extent()
    assert figure.bbox.x0 <= label.x0 and label.x1 <= figure.bbox.x1
    assert figure.bbox.y0 <= label.y0
