"""Studies of the adaptive scheme: long experiments from short ones, laws of the border, coins."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from replib import adaptive, replicability
from replib.experiments import engine
from replib.experiments.results import load_results, save_results, spot_check
from replib.papers import networks, stored, uci
from replib.papers.topics.adaptive_design import border as border_model
from replib.papers.topics.adaptive_design import experiments, on_datasets, on_sources, rules

SPEC = {"seed": 3, "attributes": 4, "arrows": 2}


@pytest.fixture(scope="module")
def few():
    """Experiments of eight runs on the UCI data sets, from twenty stored ones."""
    return on_datasets.uci_blocks(stored.load("uci_cross_validation", size=20), 8, shuffles=2,
                                  seed=1)


# ---------------------------------------------------------------- stored cross-validations


def test_each_run_is_in_one_experiment_of_a_shuffle(few):
    cells, blocks = few
    assert blocks.shape == (81, 2, 25, 8, 10)  # 200 runs make 25 experiments of eight
    differences = uci.differences(
        stored.load("uci_cross_validation", size=20), "uci_cross_validation", "c45_nn"
    )
    for cell in np.flatnonzero(cells["pair"] == "c45_nn")[::5]:
        runs = differences[cells.at[cell, "dataset"]].reshape(-1, 10)
        for shuffle in blocks[cell]:
            ours = shuffle.reshape(-1, 10)
            assert_array_equal(ours[np.lexsort(ours.T)], runs[np.lexsort(runs.T)])
        assert not np.array_equal(*blocks[cell])


def test_the_three_pairs_see_the_same_runs(few):
    cells, blocks = few
    of = {pair: blocks[cells["pair"] == pair] for pair in uci.PAIRS}
    assert_allclose(of["nb_c45"] + of["c45_nn"], of["nb_nn"], atol=1e-12)


def test_cells_and_averages_are_those_of_the_estimators(few):
    seen = rules.course(few[1], test="corrected")
    levels = {"fixed": (3, 8), "curtailed": (0.9,)}
    compared = on_datasets.compare(seen, levels)
    stops = [adaptive.fixed(seen, 3), adaptive.fixed(seen, 8), adaptive.curtailed(seen, 0.9)]
    for row, stopped in zip(compared.itertuples(), stops, strict=True):
        r = replicability.r2(stopped.decision != 0)
        assert_allclose(row.replicability, 2 * r.mean() - 1)
        assert_allclose(row.disagree, 100 * (1 - r.mean()))
        assert_allclose(row.runs, stopped.runs.mean())
        assert_allclose(row.as_all, 100 * (stopped.decision == stops[1].decision).mean())
    assert compared["as_all"].iloc[1] == 100


def test_error_of_the_averages_is_their_deviation():
    """Over 600 made-up books of 81 cells: their deviation is known to 3 %, four times that."""
    rng = np.random.default_rng(np.random.SeedSequence(8))
    p, n = rng.beta(0.3, 0.3, 81), 20
    accepted = rng.binomial(n, p, (600, 81))
    frames = [
        pd.DataFrame({"runs": 1, "rejects": 1 - a / n, "as_all": 1,
                      "replicability": replicability.r2_from_counts(a, n), "experiments": n})
        for a in accepted
    ]
    found = pd.DataFrame([on_datasets._averages(f) for f in frames], columns=on_datasets._AVERAGES)
    expected = np.sqrt(replicability.r2_variance(p**2 + (1 - p) ** 2, n).sum()) / 81
    assert_allclose(found["disagree"].std(), 100 * expected, rtol=0.12)
    # estimated from 20 experiments a cell, it is off by less than a tenth on average
    assert_allclose(found["disagree_error"].mean(), 100 * expected, rtol=0.1)
    assert_allclose(found["standard_error"], found["disagree_error"] / 50)


def test_beside_fixed_by_hand():
    every = pd.DataFrame({
        "rule": "fixed", "level": [1, 2, 3, 4], "replicability": [0.2, 0.6, 0.5, 0.8],
    })
    compared = pd.DataFrame({
        "rule": ["fixed", "agreeing", "curtailed", "curtailed"], "level": [1, 2, 0.9, 0.99],
        "runs": [1, 1.5, 3.5, 2.0], "replicability": [0.2, 0.55, 0.1, 0.9],
    })
    found = on_datasets.beside_fixed(compared, every)
    assert_allclose(found["at_equal_cost"], [0.4, 0.65, 0.6])
    assert_array_equal(found["equivalent"], [4, 1, np.nan])


def test_paths_are_the_course_of_one_cell(few):
    cells, blocks = few
    seen = rules.course(blocks, test="sorted_runs")
    frame = on_datasets.paths(cells, seen, "nb_nn", "vote", "curtailed", 0.9, experiments=2)
    cell = cells.query("pair == 'nb_nn' and dataset == 'vote'").index[0]
    alone = adaptive.course(blocks[cell, 0, 1], test="sorted_runs")
    second = frame[frame["experiment"] == 1]
    assert_allclose(second["pvalue"], alone.pvalue)
    assert second["stops"].sum() == 1
    assert second.loc[second["stops"], "runs"].item() == adaptive.curtailed(alone, 0.9).runs
    with pytest.raises(ValueError, match="none of the stored"):
        on_datasets.paths(cells, seen, "nb_nn", "weather", "curtailed", 0.9)


def test_too_few_runs_are_refused():
    with pytest.raises(ValueError, match="too few for two"):
        on_datasets.uci_blocks(stored.load("uci_cross_validation", size=10), 60)


# ---------------------------------------------------------------- the border model


@pytest.mark.parametrize("distance", [-0.4, 0.0, 0.25])
@pytest.mark.parametrize("runs", [1, 4, 20])
def test_fixed_designs_of_the_border_model_are_normal(distance, runs):
    walks = 20_000
    found = border_model.border("fixed", [runs], 20, distances=[distance], walks=walks,
                                seed=3).iloc[0]
    p = stats.norm.cdf(distance * np.sqrt(runs))
    assert abs(found["rejects"] - p) < 4.5 * np.sqrt(p * (1 - p) / walks)
    q = found["rejects"]
    assert_allclose(found["disagree"], 2 * q * (1 - q) * walks / (walks - 1))


def test_forecast_of_the_border_model_ends_in_its_decision():
    seen = border_model.border_course(0.1, 12, walks=100)
    assert_array_equal(seen.forecast[:, -1], seen.margin[:, -1] > 0)
    by_hand = [m.std(ddof=1) for m in np.diff(seen.margin * np.arange(1, 13), prepend=0)]
    assert_allclose(seen.deviation[:, -1], by_hand)


@pytest.mark.parametrize("runs", [1, 10, 50])
def test_law_of_fixed_designs_by_quadrature(runs):
    u = np.linspace(-40, 40, 200_001)
    probability = 2 * stats.norm.cdf(u * np.sqrt(runs)) * stats.norm.cdf(-u * np.sqrt(runs))
    assert_allclose(
        border_model.disagreement_of_fixed(0.3, runs), 30 * np.trapezoid(probability, u), rtol=1e-7
    )


def test_a_rule_without_freedom_has_the_price_of_a_fixed_design():
    """Ten runs at least and at most; 0.05 is five standard errors of the integral of 4000 walks."""
    (row,) = border_model.prices([10], [0.9], 0.2, min_runs=10, walks=4000).itertuples()
    assert row.runs == 10
    assert_allclose(row.disagree, border_model.disagreement_of_fixed(0.2, 10), rtol=0.05)
    assert_allclose(row.fixed, 10, rtol=0.1)


def test_density_is_found_again():
    runs = np.array([1, 3, 50])
    exact = pd.DataFrame({"level": runs,
                          "disagree": border_model.disagreement_of_fixed(0.17, runs)})
    assert_allclose(border_model.density_at_border(exact), 0.17)


def test_distance_of_data_sets_of_the_border_model():
    seen = [border_model.border_course(d, 40, walks=500, seed=i) for i, d in enumerate((-1.0, 0.5))]
    stack = lambda name: np.stack([getattr(one, name) for one in seen])[:, None]
    together = adaptive.Course(
        *(stack(n) for n in ("decision", "pvalue", "forecast", "confidence", "margin",
                             "deviation")),
        max_runs=40,
    )
    # 20 000 contributions: the mean is known to 0.007, and four times that
    assert_allclose(on_datasets.distance_from_border(together), [-1.0, 0.5], atol=0.04)


# ---------------------------------------------------------------- coins


def of_sequence(sequence, bias):
    """Probability; under the uniform prior the integral of t^h (1-t)^l, by expanding (1-t)^l."""
    heads, tails = sum(sequence), len(sequence) - sum(sequence)
    if bias is not None:
        return bias**heads * (1 - bias) ** tails
    return sum(Fraction((-1) ** i * comb(tails, i), heads + i + 1) for i in range(tails + 1))


def coin_by_enumeration(tosses, needed, confidence, bias):
    """Every sequence of tosses, and for every beginning of it all its ends."""
    cost = wrong = Fraction(0)
    for sequence in product((0, 1), repeat=tosses):
        for seen in range(tosses + 1):
            ends = [sequence[:seen] + end for end in product((0, 1), repeat=tosses - seen)]
            weight = {end: of_sequence(end, None) for end in ends}
            rejects = sum(w for end,
                          w in weight.items() if sum(end) >= needed) / sum(weight.values())
            if max(rejects, 1 - rejects) >= confidence:
                break
        p = of_sequence(sequence, bias)
        cost += p * seen
        wrong += p * ((rejects >= Fraction(1, 2)) != (sum(sequence) >= needed))
    return cost, wrong


@pytest.mark.parametrize("tosses, needed, confidence", [
    (5, 3, Fraction(4, 5)), (6, 3, Fraction(9, 10)), (6, 5, Fraction(19, 20)),
])
def test_coin_by_enumeration(tosses, needed, confidence):
    bias = Fraction(2, 3)
    found = border_model.curtailed_coin(tosses, needed, confidence, [bias])
    for row, b in zip(found.itertuples(), (None, bias)):
        assert (row.tosses, row.not_as_all) == coin_by_enumeration(tosses, needed, confidence, b)


@given(st.integers(1, 14), st.data(), st.fractions(Fraction(1, 2), 1))
def test_curtailment_errs_no_more_than_it_says(tosses, data, confidence):
    needed = data.draw(st.integers(0, tosses + 1))
    (row,) = border_model.curtailed_coin(tosses, needed, confidence).itertuples()
    assert row.not_as_all <= 1 - confidence
    assert 0 <= row.tosses <= tosses


# ---------------------------------------------------------------- sources


SETTING = {"instances": 40, "experiments": 5, "max_runs": 6, "min_runs": 2, "folds": 4}
LEVELS = {"fixed": [1, 6], "agreeing": [2], "curtailed": [0.9], "first_rejection": [1]}
DESIGNS = [(rule, level) for rule, values in LEVELS.items() for level in values]


def made_up_results(datasets=30):
    """Two sources of two networks each, with made-up differences."""
    results = {}
    for name in ("source1.0", "source1.1", "source3.0", "source3.4"):
        experiment = experiments.source_experiment(name, **SETTING, alpha=0.1, levels=LEVELS)
        rng = np.random.default_rng(experiment.stream)
        shift = 0.0 if name.startswith("source1") else 0.05
        blocks = rng.normal(shift, 0.1, (datasets, 5, 6, 4)) + rng.normal(0, 0.03,
                                                                          (datasets, 1, 1, 1))
        counts = np.stack([experiments._outcomes(b, 0.1, 2, DESIGNS) for b in blocks])
        results[name] = engine.Replications(experiment, counts, {}), blocks
    return {k: r for k, (r, _) in results.items()}, {k: b for k, (_, b) in results.items()}


def test_outcomes_are_those_of_the_rules_on_the_simulated_blocks(monkeypatch):
    rng = np.random.default_rng(1)
    counts = rng.integers(4, 10, (5, 6, 4, 2))
    asked = {}
    monkeypatch.setattr(networks.experiments, "correct_counts", lambda rng,
                        **k: asked.update(k) or counts)
    found = experiments.source_outcomes(
        rng, source="source2.1", **SETTING, alpha=0.3, designs=DESIGNS
    )
    assert asked == {
        "source": "source2.1", "instances": 40, "experiments": 5, "runs": 6, "folds": 4,
        "learners": ("naive_bayes", "c45"),
    }
    blocks = (counts[..., 0] - counts[..., 1]) / 10
    assert found.shape == (3, 5, 5, 2)
    for t, test in enumerate(adaptive.TESTS):
        seen = adaptive.course(blocks, test=test, alpha=0.3)
        stops = [adaptive.fixed(seen, 1), adaptive.fixed(seen, 6),
                 adaptive.agreeing(seen, 2, min_runs=2), adaptive.curtailed(seen, 0.9, min_runs=2),
                 adaptive.first_rejection(seen)]
        for d, stopped in enumerate(stops):
            assert_array_equal(found[t, d, :, 0], stopped.runs)
            assert_array_equal(found[t, d, :, 1], stopped.decision)


def test_an_experiment_survives_being_written_down(tmp_path, monkeypatch):
    """What the engine stores, in files with sorted keys, is what the experiment gives again."""
    experiment = experiments.source_experiment("source1.0", **SETTING, levels=LEVELS)
    monkeypatch.setitem(experiment.parameters, "source", SPEC)
    done = engine.replicate(experiment, 2, cache=tmp_path / "cache")
    save_results(tmp_path / "results", {"source1.0": done})
    assert len(spot_check(load_results(tmp_path / "results"), 2)) == 2


def test_real_outcomes_are_reproducible():
    setting = {**SETTING, "source": SPEC, "alpha": 0.05, "designs": DESIGNS}
    one, same, other = (
        experiments.source_outcomes(np.random.default_rng(seed), **setting) for seed in (1, 1, 2)
    )
    assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_sources_by_plain_means():
    results, blocks = made_up_results()
    frame = on_sources.on_sources(results).set_index(["source", "test", "rule", "level"])
    assert sorted(set(frame.index.get_level_values("source"))) == [1, 3]
    together = np.concatenate([blocks["source3.0"], blocks["source3.4"]])
    seen = adaptive.course(together, test="corrected", alpha=0.1)
    rejects = adaptive.curtailed(seen, 0.9, min_runs=2).decision != 0
    row = frame.loc[(3, "corrected", "curtailed", 0.9)]
    assert_allclose(row["rejects"], 100 * rejects.mean())
    assert_allclose(row["rejects_error"], 100 * stats.sem(rejects.mean(axis=1)))
    r = replicability.r2(rejects)
    assert_allclose([row["replicability"], row["standard_error"]],
                    [2 * r.mean() - 1, 2 * stats.sem(r)])
    longest = seen.decision[..., -1]
    assert_allclose(frame.loc[(3, "corrected", "fixed", 6), "as_all"], 100)
    change = on_sources.change_by_rule(results, "corrected", "curtailed", 0.9).loc[3]
    by_set = rejects.mean(axis=1) - (longest != 0).mean(axis=1)
    assert_allclose(change[["change", "change_error"]],
                    [100 * by_set.mean(), 100 * stats.sem(by_set)])


def test_greed_starts_at_one_run_and_ends_at_the_rule():
    results, _ = made_up_results()
    greed = on_sources.ever_rejected(results, 1).set_index(["test", "runs"])["rejects"]
    frame = on_sources.on_sources(results).set_index(["source", "test", "rule", "level"])["rejects"]
    for test in adaptive.TESTS:
        assert_allclose(greed[test, 1], frame[1, test, "fixed", 1])
        assert_allclose(greed[test, 6], frame[1, test, "first_rejection", 1])
        assert (greed[test].diff().dropna() >= 0).all()
        assert greed[test, 6] >= frame[1, test, "agreeing", 2]


def test_fixed_designs_that_disagree_alike():
    """Exact under the law of the border; nothing where the longest design is not enough."""
    fixed = pd.DataFrame({"rule": "fixed", "level": [1, 4, 50]})
    fixed = fixed.assign(disagree=30 / np.sqrt(fixed["level"]), runs=fixed["level"])
    ours = pd.DataFrame({"rule": "curtailed", "level": 0.9, "disagree": [30 / np.sqrt(17)],
                         "runs": 5})
    good = ours.assign(disagree=1.0)
    frame = pd.concat([
        fixed.assign(source=1), ours.assign(source=1),
        fixed.assign(source=2), good.assign(source=2),
    ])
    found = on_sources.fixed_alike(frame, "curtailed", 0.9)
    assert_allclose(found["fixed_alike"], [17, np.nan])
    assert_allclose(found["runs"], 5)


def test_table_of_rejections_keeps_the_order_of_the_designs():
    results, _ = made_up_results()
    frame = on_sources.on_sources(results)
    plain = frame[frame["test"] == "plain"]
    table = on_sources.rejections(plain)
    assert list(table.index) == ["1 run", "6 runs", "2 agree", "curtailed 0.9", "first rejection"]
    assert list(table.columns) == ["source 1", "source 3"]
    for source, design in product((1, 3), range(5)):
        row = plain[plain["source"] == source].iloc[design]
        assert table[f"source {source}"].iloc[design] == (
            f"{row['rejects']:.1f} ± {2 * row['rejects_error']:.1f}"
        )


def test_stored_results_are_found_by_their_experiment(monkeypatch):
    results, _ = made_up_results()
    found, is_stored = experiments.source_results(
        results, ["source1.1"], 20, **SETTING, alpha=0.1, levels=LEVELS
    )
    assert is_stored and len(found["source1.1"].counts) == 20
    assert_array_equal(found["source1.1"].counts, results["source1.1"].counts[:20])
    asked = []
    monkeypatch.setattr(engine, "replicate", lambda e, n: asked.append((e.parameters["alpha"], n)))
    for datasets, alpha in ((20, 0.2), (31, 0.1)):
        assert not experiments.source_results(
            results, ["source1.1"], datasets, **SETTING, alpha=alpha, levels=LEVELS
        )[1]
    assert asked == [(0.2, 20), (0.1, 31)]


def test_default_levels_are_those_that_are_stored():
    assert rules.levels(50) == {k: list(v) for k, v in rules.LEVELS.items()}
    assert rules.levels(50, "curtailed", 0.95) == rules.levels(50)
    assert rules.levels(30, "agreeing", 7)["agreeing"] == [2, 3, 5, 7, 10, 20]
    with pytest.raises(ValueError, match="rule must be one of"):
        rules.levels(30, "patience", 7)
    with pytest.raises(ValueError, match="rule must be one of"):
        rules.stop(border_model.border_course(0, 5, walks=3), "patience", 7)
