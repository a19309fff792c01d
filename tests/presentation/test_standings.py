"""Ranks, groups and bars of many models, against the decisions from which they follow."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from replib import Metric, compare
from replib._presentation import standings
from replib._presentation.markup import as_latex, as_markdown


def systems(n, seed, items=60):
    rng = np.random.default_rng(seed)
    hardness = rng.random(items)
    return {
        f"m{i}": hardness + rng.normal(0, 0.2, items) < 0.4 + 0.06 * i for i in range(n)
    }


@pytest.fixture(scope="module", params=[(8, 0), (12, 1), (20, 2)])
def result(request):
    n, seed = request.param
    return compare(systems(n, seed), design="items", metric="accuracy")


def separated(result):
    pairs = result.pairs[result.pairs["decision"] != 0]
    return {frozenset((pair.a, pair.b)) for pair in pairs.itertuples()}


def test_models_share_a_letter_if_and_only_if_they_are_not_separated(result):
    group = standings.standings(result)["group"]
    apart = separated(result)
    assert apart and len(apart) < len(result.pairs)
    for a, b in combinations(group.index, 2):
        assert bool({*group[a]} & {*group[b]}) == (frozenset((a, b)) not in apart)
    assert group.iloc[0].startswith("a")


def test_a_bar_joins_neighbours_of_which_no_two_are_separated(result):
    order = list(result.means.index)
    apart = separated(result)
    for first, last in standings.contiguous_sets(result, order):
        members = order[first : last + 1]
        assert len(members) > 1
        assert not any(frozenset(pair) in apart for pair in combinations(members, 2))
        for more in (order[max(first - 1, 0) : last + 1], order[first : last + 2]):
            if len(more) > len(members):
                assert any(frozenset(pair) in apart for pair in combinations(more, 2))


def test_many_models_are_printed_as_ranks_and_few_as_pairs():
    many = compare(systems(7, 3), design="items", metric="accuracy")
    few = compare(systems(6, 3), design="items", metric="accuracy")
    n_differing = (many.pairs["decision"] != 0).sum()
    assert f"{n_differing} of the 21 pairs differed significantly" in many.sentence()
    lines = str(many).splitlines()
    for model in many.means.index:
        (line,) = [line for line in lines if re.match(rf" *{model} +0[.]", line)]
        assert line.split()[2] == standings.standings(many)["rank"][model]
    assert "better: m" in few.sentence().lower() or "higher: m" in few.sentence()
    assert "share a letter" not in str(few)


def test_without_ranks_there_is_no_table_of_them():
    best = compare(systems(8, 4), design="items", metric="accuracy", pairs="best")
    assert "rank" not in str(best)
    assert best.to_markdown() == best.to_markdown("pairs")
    with pytest.raises(ValueError, match='pairs="all"'):
        best.to_latex("ranks")
    with pytest.raises(ValueError, match="table"):
        best.to_latex("means")


def test_pairs_are_sorted_by_rank(result):
    rows = result.to_markdown("pairs").splitlines()[2:]
    order = {model: i for i, model in enumerate(result.ranks().index)}
    ranks = [
        sorted(order[cell.strip()] for cell in row.split("|")[1:3]) for row in rows
    ]
    assert ranks == sorted(ranks) and len(ranks) == len(result.pairs)


def test_data_sets_are_ordered_by_their_ranks():
    rng = np.random.default_rng(5)
    table = rng.normal(0, 1, (12, 7)) + np.arange(7)
    models = {f"m{i}": column for i, column in enumerate(table.T)}
    metric = Metric("utility", better="higher")
    ranks = standings.standings(compare(models, design="datasets", metric=metric))
    expected = pd.DataFrame(models).rank(axis=1, ascending=False).mean()
    for model, rank in ranks["mean rank"].items():
        assert float(rank) == pytest.approx(expected[model], abs=0.005)


NAMES = ["a_b & 50%", r"$x\y$", "{#1}~^", "p < 0.05 | q", "−1–2\nlines"]


def test_latex_has_no_character_that_it_would_read_as_a_command():
    table = pd.DataFrame({"mean": "1"}, index=pd.Index(NAMES, name="model"))
    text = as_latex(table)
    body = text.split("\\midrule\n")[1].split("\n\\bottomrule")[0].splitlines()
    assert len(body) == len(NAMES)
    commands = r"\\[a-z]+\{\}|\\[&%$#_{}]|\$(?:-|<|>|\||\\infty)\$| & 1 \\\\"
    for line in body:
        assert not re.search(r"[\\&%$#_{}~^<>|\n]", re.sub(commands, "", line)), line


def test_markdown_has_one_line_and_two_cells_for_each_name():
    table = pd.DataFrame({"mean": "1"}, index=pd.Index(NAMES, name="model"))
    rows = as_markdown(table).splitlines()[2:]
    assert len(rows) == len(NAMES)
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in rows)
    assert not any(re.search(r"(?<!\\)[$*_<>`]", row) for row in rows)
