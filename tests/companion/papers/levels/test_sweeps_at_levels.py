"""The sweeps at a level: whose level it is, which networks are near it, and who is judged."""

import numpy as np
import pandas as pd
import pytest

from companion import stored
from companion.papers import networks, synthetic
from companion.papers.bouckaert2004 import table_1
from companion.papers.bouckaert2004.sweeps import claims
from companion.papers.bouckaert2004.sweeps import experiments as by_margin
from companion.papers.bouckaert_frank2004 import table_5
from companion.papers.levels import (
    committed,
    plans,
    sweep_experiments,
    sweep_plans,
    sweeps,
    tables,
)

LEVELS = {2: 74.0, 3: 72.0, 4: 82.0}
VALUES = by_margin.SWEEPS["class_probability"].values


def test_all_networks_of_a_source_take_part_and_differ_in_the_class_probability_alone():
    for sweep, data_sets in sweep_plans.DATA_SETS.items():
        for experiment, stored_sets in sweep_plans.plan(sweep).values():
            assert stored_sets == data_sets
            assert len(experiment.parameters["sources"]) == len(committed.names(2))
    rare = sweep_plans.experiment("class_probability", 3, [0.1])
    alike = by_margin.experiment("class_probability", "3", [0.1])
    apart = {
        name
        for name, value in rare.parameters.items()
        if alike.parameters[name] != value
    }
    assert apart == {"sources"}
    spec = rare.parameters["sources"][4]
    network, usual = sweep_experiments.network_of(spec), committed.load(spec["network"])
    assert spec["network"] == "source3.at_level.4"
    assert network.class_probabilities.tolist() == [0.1, 0.9]
    assert all(
        np.array_equal(one, other)
        for one, other in zip(network.tables[1:], usual.tables[1:], strict=True)
    )


def test_data_sets_of_a_network_are_as_many_as_of_one_with_the_margin_alone():
    for sweep, data_sets in sweep_plans.DATA_SETS.items():
        alike = {by_margin.SWEEPS[sweep].data_sets("2", v) for v in (0.5, 0.1)}
        assert alike == {data_sets}


def test_random_numbers_are_those_of_no_other_experiment():
    """The values of a sweep share theirs; the leading number keeps all others apart."""
    streams = {
        sweep: {one.stream for one, _ in sweep_plans.plan(sweep).values()}
        for sweep in sweep_plans.DATA_SETS
    }
    assert [len(of_sweep) for of_sweep in streams.values()] == [3, 3]
    assert not set.intersection(*streams.values())
    others = {one.stream[0] for one, _ in plans.plan().values()}
    others |= {
        one.stream[0]
        for name in by_margin.STORED
        for one, _ in by_margin.plan(name).values()
    }
    assert sweep_plans.STREAM not in others


def test_the_nearest_networks_are_as_many_as_those_of_the_margin_alone():
    known = committed.table()
    for source, level in LEVELS.items():
        places = sweeps.nearest(source, level)
        assert len(set(places)) == len(networks.names(source))
        names = [committed.name_of(source, place) for place in places]
        away = (known.loc[committed.names(source), "naive_bayes"] - level).abs()
        assert away[names].max() <= away.drop(names).min()


def test_the_levels_are_those_of_the_other_paper(monkeypatch):
    """No printed number of the paper that is judged has a say in the level."""
    assert sweeps.POINTS_TO_LEVELS is table_5.TABLE
    of_levels = stored.load("decisions_at_levels", size=50)
    before = sweeps.levels(of_levels)
    printed = synthetic.printed
    moved_table = table_1.TABLE

    def moved(table):
        frame = printed(table)
        return frame.assign(printed=frame["printed"] + 5.0 * (table is moved_table))

    monkeypatch.setattr(synthetic, "printed", moved)
    assert sweeps.levels(of_levels) == before
    moved_table = table_5.TABLE
    assert sweeps.levels(of_levels) != before
    assert before.keys() == set(tables.SOURCES)


def made_up(rises_on):
    """Scores of class probabilities: replicability rises on some networks, else it falls."""
    rng = np.random.default_rng(13)
    keys = ["source", "network", "data_set", "value", "test"]
    rows = pd.MultiIndex.from_product(
        [["1"], range(10), range(5), VALUES, by_margin.DESIGNS], names=keys
    ).to_frame(index=False)
    for source in ("2", "3", "4"):
        more = pd.MultiIndex.from_product(
            [[source], range(30), range(5), VALUES, by_margin.DESIGNS], names=keys
        )
        rows = pd.concat([rows, more.to_frame(index=False)], ignore_index=True)
    sign = np.array(
        [1 if rises_on(s, n) else -1 for s, n in zip(rows["source"], rows["network"])]
    )
    noise = rng.normal(size=len(rows))
    change = 20 * sign * (VALUES[0] - rows["value"])
    return rows.assign(rejected=5.0, replicability=70 + change + noise)


def test_networks_far_from_the_level_have_no_say(monkeypatch):
    """It rises on the nearest networks only: the sentence holds there and nowhere else."""
    near = {str(s): set(sweeps.nearest(s, level)) for s, level in LEVELS.items()}
    scored = made_up(lambda source, n: source == "1" or n in near[source])
    everywhere = {"class_probability": scored, "runs": scored}
    of_sources = scored[scored["source"] != "1"]
    monkeypatch.setattr(sweeps, "STORED", {"run": "class_probability"})
    monkeypatch.setattr(
        sweeps,
        "scores",
        lambda sweep, one: of_sources[
            of_sources["source"].isin(map(by_margin.source_of, one))
        ],
    )
    results = {"run": dict.fromkeys(("source2", "source3", "source4"))}
    for level_of, holds in (
        (LEVELS, True),
        ({s: level + 8 for s, level in LEVELS.items()}, False),
    ):
        at_levels = sweeps.scores_at(level_of, results)
        both = sweeps.judged(everywhere, at_levels)
        rows = claims.claims(both).set_index("id")["rebuilt"]
        assert rows["bouckaert2004.cl.06"] == holds
        assert not rows["bouckaert2004.cl.07"]  # not at the levels here: all networks


def test_source_1_is_judged_as_before():
    scored = made_up(lambda source, n: True)
    at_levels = {"runs": scored[scored["source"] != "1"].assign(replicability=0.0)}
    both = sweeps.judged({"runs": scored, "alpha": scored}, at_levels)
    assert both["alpha"] is scored
    of_1 = both["runs"]["source"] == "1"
    assert both["runs"][of_1]["replicability"].equals(
        scored[scored["source"] == "1"]["replicability"]
    )
    assert (both["runs"][~of_1]["replicability"] == 0).all()


@pytest.mark.parametrize("run", sweeps.STORED)
def test_every_stored_experiment_has_an_outcome(run):
    planned = stored.CATALOGUE[run].plan()
    for key, one in stored.load(run).items():
        assert len(one.counts) == planned[key][1]
        assert (one.counts.sum(axis=-1) == by_margin.EXPERIMENTS).all()


def test_with_equal_classes_the_power_is_that_of_the_thousand_data_sets():
    """Other random numbers, the same networks: means of each source, four standard errors."""
    run = stored.load(sweep_plans.stored_as("class_probability"))
    of_networks = tables.measured({sweeps.OF_LEVELS: stored.load(sweeps.OF_LEVELS)}).xs(
        by_margin.DESIGNS["signed_rank"], level="design"
    )
    for source in tables.SOURCES:
        scored = sweeps.scores(
            "class_probability", {f"source{source}.0.5": run[f"source{source}.0.5"]}
        )
        of_test = scored[scored["test"] == "signed_rank"].groupby("network")["rejected"]
        apart = of_test.mean() - of_networks.xs(source, level="source")["rejected"]
        error = np.sqrt((of_test.var() / of_test.size()).sum()) / len(apart)
        assert abs(apart.mean()) < 4 * error


@pytest.mark.slow
def test_replicability_falls_on_source_4_with_the_level_and_without():
    """What ``judgements.csv`` and the chapter say of claim 6: it is not the level."""
    results = {name: stored.load(name) for name in sweeps.NEEDS}
    level_of = sweeps.levels(results[sweeps.OF_LEVELS])
    by_margin_alone = claims.scores_of_sweeps(results)
    at_levels = sweeps.scores_at(level_of, results)
    for scored in (by_margin_alone, sweeps.judged(by_margin_alone, at_levels)):
        found = claims.directions(scored["class_probability"])
        of_4 = found.loc[found["source"] == "4", "direction"]
        assert (of_4 == "falls").all() and len(of_4) == len(claims.TESTS_OF_THE_PAPER)
        others = found.loc[found["source"].isin(["1", "2", "3"]), "direction"]
        assert (others == "rises").any() and not (others == "falls").any()
    rows = sweeps.ledger_rows(results=results).set_index("id")["rebuilt"]
    assert not rows["bouckaert2004.cl.06"]
    assert rows["bouckaert2004.cl.07"] and rows["bouckaert2004.cl.24"]
