"""The page and the picture of a result."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from replib import Metric, compare, report

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
    assert page.tags.count("svg") == 1 and "b" not in page.tags  # names are text
    assert f"{result.means.iloc[0]:.3f}" in page.cells
    for row in result.pairs.itertuples():
        assert f"{row.adjusted_p:.3g}" in page.cells
    for key in ("nadeau_bengio2003", "holm1979"):
        assert key in text


@pytest.mark.parametrize("name, keys", report._CITED.items())
def test_what_a_test_rests_on_is_in_the_literature(name, keys):
    assert report.bibtex().keys() >= set(keys)


def test_intervals_runs_and_the_margin_lie_where_they_are(result):
    (ax,) = report.figure(result).axes
    assert ax.patches[0].get_x() == -0.02 and ax.patches[0].get_width() == 0.04
    pairs = result.pairs.sort_values(
        "difference", key=abs, ascending=False, kind="stable"
    )
    drawn = [line.get_xdata() for line in ax.lines[1:]]  # the first is zero
    for row, (dots, limits, point) in zip(pairs.itertuples(), zip(*[iter(drawn)] * 3)):
        assert [*limits, *point] == [row.low, row.high, row.difference]
        runs = (result.advantage(row.a) - result.advantage(row.b)).mean(axis=1)
        np.testing.assert_allclose(dots, runs)
    assert "margin of equivalence, 0.02" in report.caption(result)


def test_of_many_pairs_the_largest_are_drawn():
    scores = {f"m{i}": RNG.random(30) < 0.5 + 0.02 * i for i in range(9)}
    result = compare(scores, design="items", metric="accuracy")
    assert len(report.figure(result).axes[0].get_yticks()) == 15
    assert "The 21 pairs with smaller differences are not drawn" in report.caption(
        result
    )


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
