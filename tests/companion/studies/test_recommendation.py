"""One recommendation: its numbers by hand, its rules, and that all pages take them from it."""

import re

import numpy as np
import pandas as pd
import pytest

from companion import stored
from companion.engine.build import chapters
from companion.engine.sphinx import landing
from companion.studies import recommendation
from companion.studies.correlation_map import distribution, equal_size
from companion.studies.since_the_papers import measures
from replib import CV, compare, methods

ROOT = chapters.ROOT


@pytest.fixture(scope="module")
def measured():
    return recommendation.on_networks(stored.load)


@pytest.mark.slow
def test_the_tables_of_the_library_are_what_the_stored_runs_say(measured):
    table = recommendation.designs(stored.load)
    assert list(table.index) == list(methods.DESIGNS)
    for name, row in table.iterrows():
        design = methods.DESIGNS[name]._asdict()
        for field, value in row.items():
            if isinstance(value, float):
                assert design[field] == pytest.approx(value, abs=6e-5, nan_ok=True)
            else:
                assert design[field] == value
    for row in recommendation.decisions(table, measured).itertuples():
        chosen = methods.recommended(row.fear, row.trainings)
        assert row.design in [design.name for design in chosen]


@pytest.mark.slow
def test_rates_on_the_bench_are_those_of_the_table_of_the_bench(measured):
    results = stored.load("since_the_papers"), stored.load("since_the_papers_costly")
    drawn = measures.table(measures.measures(*results), 300)
    by_network = measures.by_network(*results)
    for name in ("corrected_t_all", "clt_all_pairs", "nested_cv"):
        coins = measured[name].type_1[0, :, 0]
        assert 100 * coins.mean() == pytest.approx(drawn.at[name, "type_1"])
        pair = by_network.loc["twins", "c45-c45", 300][name].dropna()
        of_trees = measured[name].type_1[1, :, 1].mean()
        assert 100 * of_trees == pytest.approx(pair.mean())


@pytest.mark.slow
def test_at_equal_size_five_percent_of_true_zeros_are_outside():
    null, _ = recommendation._new_widths(stored.load("since_2024"), "sharp_30")
    at = equal_size.threshold(null, "on average")
    assert np.mean(null <= at) == pytest.approx(0.05, abs=0.001)
    assert np.mean(null <= at) <= 0.05


@pytest.mark.slow
def test_odds_widen_intervals_and_leave_their_order(measured):
    for runs in (1, 30):
        wider = recommendation.widened_by_odds(runs)
        n = 10 * runs
        odds = recommendation.odds_of_map(runs)
        assert wider**2 * (1 / n + 1 / 9) == pytest.approx(1 / n + odds)
    plain, with_odds = measured["corrected_t_30"], measured["corrected_t_30.odds"]
    assert with_odds.equal == pytest.approx(plain.equal)
    assert (with_odds.nominal[:, 0] <= plain.nominal[:, 0]).all()


def test_the_map_is_summed_over_comparisons_and_judged_by_pairs():
    pairs = distribution.read().query("n == 300 and a in ['tree', 'ridge', 'stump']")
    found = recommendation.on_the_map(pairs, 1, 1 / 9)
    levels = distribution.level(pairs, 1, 1 / 9)
    assert found["map_type_1"] == pytest.approx(levels.mean())
    of_pairs = pairs.assign(level=levels).groupby(["a", "b"])["level"]
    verdicts = [
        methods.level_held(
            level.mean(), standard_error=level.sem(), populations=len(level)
        )
        for _, level in of_pairs
        if len(level) >= recommendation.LEAST_POPULATIONS
    ]
    assert found["map_held"] == pytest.approx(np.mean(np.array(verdicts) == "held"))
    assert found["map_not_held"] == np.mean(np.array(verdicts) == "not held")


def values(power: float, spread: float = 0.01) -> np.ndarray:
    """Power on thirty networks, in the shape of a nominal level."""
    of_networks = np.random.default_rng(1).normal(0, spread, (1, 30))
    return power + of_networks - of_networks.mean()


def test_a_gain_counts_above_the_margin_and_above_its_error():
    assert recommendation.is_separated(values(0.43), values(0.40))
    assert not recommendation.is_separated(values(0.415), values(0.40))
    noise = np.random.default_rng(2).normal(0, 0.1, (1, 30))
    assert not recommendation.is_separated(values(0.43) + noise, values(0.40))


def test_a_more_expensive_design_stands_only_if_it_is_clearly_better():
    trainings = pd.Series({"a": 100, "b": 10, "c": 10, "d": 1})
    power = {"a": values(0.41), "b": values(0.40), "c": values(0.402), "d": values(0.2)}
    assert recommendation.best_by_cost(power, trainings) == ["b", "c"]
    power["a"] = values(0.5)
    assert recommendation.best_by_cost(power, trainings) == ["a"]
    # not separated from the cheapest, but worse than what took its place
    power["a"] = values(0.41)
    power["d"] = values(0.37)
    assert recommendation.best_by_cost(power, trainings) == ["b", "c"]
    assert recommendation.best_by_cost({}, trainings) == []


def test_a_safe_design_holds_its_level_wherever_it_was_examined():
    design = pd.Series(
        {
            "pairs_held": 6,
            "pairs": 6,
            "map_populations": 0,
            "map_held": np.nan,
            "map_not_held": np.nan,
        }
    )
    assert recommendation.is_safe(design)
    for changed, safe in (
        ({"map_populations": 27, "map_held": 0.96}, True),
        ({"map_populations": 27, "map_held": 0.94}, False),
        ({"pairs_held": 5}, False),
        # on few populations most is not settled, and failures count
        ({"map_populations": 3, "map_held": 0.4, "map_not_held": 0.04}, True),
        ({"map_populations": 3, "map_held": 0.4, "map_not_held": 0.06}, False),
    ):
        assert recommendation.is_safe(pd.Series(design.to_dict() | changed)) == safe


def at_equal_size(power: float) -> recommendation.OnNetworks:
    """Measurements of a design whose thresholds have no error."""
    of_networks = np.repeat(values(power), 21, axis=0)
    both = np.stack([of_networks, of_networks], axis=-1)
    return recommendation.OnNetworks(np.zeros((2, 10, 3)), both[0], both)


def test_ranks_are_as_wide_as_the_errors_between_networks():
    powers = {
        "corrected_t_all": 0.45,
        "sorted_runs_t": 0.44,  # not separated by the margin
        "corrected_t_folds": 0.30,
        "clt_all_pairs": 0.90,  # about fitted models: another question
    }
    measured = {name: at_equal_size(power) for name, power in powers.items()}
    measured["corrected_t_all.odds"] = measured["corrected_t_all"]
    found = recommendation.ranks(measured)
    assert list(found) == list(powers)
    ranks = [
        (row["power_best_rank"], row["power_worst_rank"]) for row in found.values()
    ]
    assert ranks == [(1, 2), (1, 2), (3, 3), (1, 1)]


def test_ranks_in_the_library_leave_open_what_is_not_separated():
    designs = [it for it in methods.DESIGNS.values() if it.power_best_rank >= 1]
    again = [it for it in designs if it.about == "training again"]
    assert len(again) > 5
    for measure in ("power", "rerun"):
        for design in again:
            best = getattr(design, f"{measure}_best_rank")
            worst = getattr(design, f"{measure}_worst_rank")
            assert 1 <= best <= worst <= len(again)
            value = getattr(design, f"{measure}_equal")
            higher = sum(getattr(it, f"{measure}_equal") > value for it in again)
            assert best <= 1 + higher <= worst


def test_designs_that_speak_of_models_compete_only_for_one_training():
    for fear in methods.decision_table().columns:
        for trainings in recommendation.TRAININGS:
            about = {it.about for it in methods.recommended(fear, trainings)}
            expected = "these models" if trainings == 1 else "training again"
            assert about == {expected}
            paid = [it.trainings for it in methods.recommended(fear, trainings)]
            assert max(paid) <= trainings


# ------------------------------------------------------------------ on the pages


@pytest.mark.parametrize(
    "chapter", ["02_which_test", "21_since_the_papers", "22_correlation_map"]
)
def test_chapters_take_their_numbers_from_the_one_function(chapter):
    text = (ROOT / "notebooks" / f"{chapter}.md").read_text(encoding="utf-8")
    called = re.search(r"recommendation\.numbers\(([^)]*)\)", text)[1]
    shorts = re.findall(r'"(\w+)"', called)
    known = recommendation.numbers(*shorts)
    names = "|".join(recommendation.NAMED)
    fields = "|".join(methods.Design._fields)
    quoted = re.findall(rf"\{{glue:text\}}`((?:{names})_(?:{fields})):", text)
    assert len(quoted) > 3
    assert set(quoted) <= set(known)


def test_chapters_and_pages_show_the_one_table():
    for chapter in ("02_which_test", "21_since_the_papers"):
        text = (ROOT / "notebooks" / f"{chapter}.md").read_text(encoding="utf-8")
        assert re.search(r"\.decision_table\(\)\n", text)
    for page in ("intro", "compare", "library"):
        text = (ROOT / "book" / f"{page}.md").read_text(encoding="utf-8")
        assert "{{ decision_table }}" in text


@pytest.mark.slow
def test_the_first_page_has_the_table_and_its_numbers():
    found = landing.substitutions()
    table = methods.decision_table()
    for trainings, row in table.iterrows():
        assert f"| {trainings} | " + " | ".join(row) + " |" in found["decision_table"]
    ten = recommendation.numbers("ten")
    assert found["ten_map_held"] == f"{ten['ten_map_held']:.0f}"
    assert found["ten_map_type_1"] == f"{ten['ten_map_type_1']:.1f}"


@pytest.mark.parametrize("page", ["README.md", "paper/paper.md"])
def test_the_readme_and_the_paper_say_the_same(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    found = recommendation.numbers("one", "ten", "odds")
    for words in (
        "for {ten_map_held:.0f}% of pairs of learners",
        "one run for {one_map_held:.0f}%",
        "for {odds_map_held:.0f}%",
        "for {ten_map_not_held:.0f}%",
        "not settled",
    ):
        assert words.format(**found) in text


def test_the_methods_of_a_result_say_what_the_table_says():
    rng = np.random.default_rng(1)
    for runs, name in ((1, "corrected_t_folds"), (10, "corrected_t_all")):
        scores = {model: rng.normal(0.9, 0.02, 10 * runs) for model in "ab"}
        result = compare(scores, design=CV(runs, 10), metric="accuracy")
        evidence = result.methods()["evidence"]["corrected t on all differences"]
        assert evidence.startswith(methods.DESIGNS[name].words())
        assert f"{100 * methods.DESIGNS[name].map_type_1:.1f}%" in evidence
