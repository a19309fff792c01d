"""The synthetic tables: measures by hand, the rule of the verdicts, bounds, theory of Type I."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replib import replicability
from replib.experiments import engine
from replib.experiments.designs import DESIGNS as ALL_DESIGNS
from replib.experiments.results import ResultsDiffer
from replib.papers import ledger, stored, synthetic
from replib.papers.topics import dependence

DESIGNS = list(ALL_DESIGNS)


def made_up_counts(rng, datasets, experiments=10, designs=len(DESIGNS)):
    """Every other design differs much from network to network, the others hardly."""
    p = rng.dirichlet([1, 1, 1], size=(datasets, designs))
    p[:, ::2] = rng.dirichlet([0.1, 0.1, 0.1], size=(1, p[:, ::2].shape[1]))
    return rng.multinomial(experiments, p)


@pytest.fixture
def made_up(monkeypatch):
    """Forty networks with made-up decisions on thirty data sets each."""
    rng = np.random.default_rng(1)
    results = {}
    for source in synthetic.SOURCES:
        for network in range(synthetic.NETWORKS):
            one = synthetic.experiment(source, network, DESIGNS)
            results[f"source{source}.{network}"] = engine.Replications(
                one, made_up_counts(rng, 30), {}
            )
    monkeypatch.setattr(synthetic, "_stored", lambda: results)
    synthetic.measures_by_network.cache_clear()
    yield results
    synthetic.measures_by_network.cache_clear()


@pytest.fixture
def as_printed(monkeypatch):
    """Ten tables that are all the printed one."""
    def tables_by_network(number):
        table = synthetic.printed(number).rename(columns={"printed": "value"})
        return pd.concat([table.assign(network=network) for network in range(10)])

    monkeypatch.setattr(synthetic, "tables_by_network", tables_by_network)


def test_measures_by_hand():
    counts = made_up_counts(np.random.default_rng(2), 25, experiments=6)
    frame = synthetic.measures(counts, DESIGNS)
    for position, design in enumerate(DESIGNS):
        outcomes = np.array([np.repeat([-1, 0, 1], row) for row in counts[:, position]])
        of_datasets = {
            "rejected": (outcomes != 0).mean(axis=1),
            "c45_better": (outcomes == -1).mean(axis=1),
            "replicability": [2 * replicability.r2(row == 0) - 1 for row in outcomes],
            "consistent": [len(set(row)) == 1 for row in outcomes],
        }
        for name, values in of_datasets.items():
            assert np.isclose(frame.at[design, name], 100 * np.mean(values))
            assert np.isclose(frame.at[design, f"{name}_error"], 100 * stats.sem(values))


def test_error_of_splits_is_that_of_reruns_on_the_same_data_sets():
    """Over 4000 reruns the deviation of the rate is known to 1.1 %; the limit is 4 x that."""
    rng = np.random.default_rng(3)
    p = rng.uniform(0, 1, size=20)
    accepted = rng.binomial(10, p, size=(4000, 20))
    counts = np.stack([np.zeros_like(accepted), accepted, 10 - accepted], axis=-1)
    claimed = [
        synthetic.measures(one[:, np.newaxis], ["x"]).at["x", "rejected_error_of_splits"] ** 2
        for one in counts
    ]
    deviation = (100 - 10 * accepted.mean(axis=1)).std(ddof=1)
    assert abs(np.sqrt(np.mean(claimed)) / deviation - 1) < 4 * 0.011


def test_tables_pick_their_columns():
    rng = np.random.default_rng(4)
    counts = {source: made_up_counts(rng, 12) for source in synthetic.SOURCES}
    measured = synthetic.measures_by_source(counts, DESIGNS)
    table = synthetic.table_1(measured).set_index(["design", "column"])["value"]
    for design in DESIGNS:
        rows = [measured.loc[source, design] for source in synthetic.SOURCES]
        assert table[design, "source3"] == rows[2]["rejected"]
        assert table[design, "min_norm_repl"] == min(row["replicability"] for row in rows)
    table = synthetic.table_5(measured).set_index(["design", "column"])["value"]
    for design in synthetic.TABLE_5.values():
        assert table[design, "min"] == min(table[design, f"source{s}"] for s in (1, 2, 3, 4))
        assert table[design, "source4"] == measured.at[(4, design), "consistent"]


@pytest.mark.parametrize("number", [1, 5])
def test_spread_and_its_verdicts(made_up, number):
    cells = synthetic.spread(number)
    assert len(cells) == {1: 40, 5: 25}[number]
    by_cell = synthetic.tables_by_network(number).groupby(["design", "column"])["value"]
    for row in cells.itertuples():
        ten = by_cell.get_group((row.design, row.column)).to_numpy()
        assert len(ten) == 10
        s = ten.std(ddof=1)
        assert np.isclose(row.rebuilt, ten.mean()) and row.low == ten.min()
        beyond = max(abs(row.printed - ten.mean()) - 0.05, 0)
        assert np.isclose(abs(row.z), beyond / (s * np.sqrt(1.1)))
    verdicts = ledger.compare(cells, chapter="any")["verdict"]
    inside = (cells["z"].abs() <= ledger.MAX_Z).to_numpy()
    assert (verdicts.to_numpy() == np.where(inside, "in kind", "differs")).all()
    assert 0 < inside.sum() < len(inside)


def test_the_printed_tables_meet_their_own_claims(as_printed):
    """Also shows that the claims are read as the papers meant them."""
    assert synthetic.claims_on_table_1()["rebuilt"].all()
    assert synthetic.claims_on_table_5()["rebuilt"].all()
    bounds = synthetic.statements_on_table_1(synthetic.spread(1))
    assert bounds["holds"].dropna().all() and bounds["holds"].count() == 3
    assert (ledger.compare(bounds, chapter="any")["verdict"] == "in kind").all()


def test_claims_can_fail(made_up):
    frame = pd.concat([synthetic.claims_on_table_1(), synthetic.claims_on_table_5()])
    assert not frame["rebuilt"].all()
    assert frame["networks"].between(0, 10).all() and frame["networks"].min() < 10


def test_consistency_by_experiments_is_the_mean_over_all_subsets():
    rng = np.random.default_rng(5)
    counts = made_up_counts(rng, 8, experiments=6, designs=1)
    frame = synthetic.consistency_by_experiments(counts, ["any"]).set_index("experiments")
    for m in range(2, 7):
        share = Fraction(0)
        for row in counts[:, 0]:
            subsets = list(combinations(np.repeat([0, 1, 2], row), m))
            share += Fraction(sum(len(set(subset)) == 1 for subset in subsets), len(subsets))
        assert np.isclose(frame.at[m, "consistent"], float(100 * share / len(counts)))
    # two experiments: the replicability over three outcomes
    r2 = replicability.three_outcome_r2(counts[:, 0, 2], counts[:, 0, 0], counts[:, 0, 1])
    assert np.isclose(frame.at[2, "consistent"], 100 * np.mean(r2))


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(2, 30),
)
def test_mixtures_of_data_sets_keep_to_the_bounds(acceptance, experiments):
    p = np.array(acceptance)
    consistent = (p**experiments + (1 - p) ** experiments).mean()
    bounds = synthetic.consistency_bounds([(p**2 + (1 - p) ** 2).mean()], experiments).iloc[0]
    assert bounds["low"] - 1e-9 <= consistent <= bounds["high"] + 1e-9


def test_bounds_are_attained():
    low = synthetic.consistency_bounds([0.7], 10)["low"][0]
    p = (1 + np.sqrt(0.4)) / 2
    assert np.isclose(low, p**10 + (1 - p) ** 10)
    # half of the data sets always agree, the others toss coins: r = 3/4
    assert np.isclose(synthetic.consistency_bounds([0.75], 10)["high"][0], (1 + 2.0**-9) / 2)


def test_type_1_error_follows_from_two_variances():
    """On Task I both variances are known; 20000 blocks tell their ratio to about 1.5 %."""
    block = dependence.task_1_differences(20000, instances=304)  # folds of two sizes
    ours = synthetic.type_1_from_variances(block)
    exact = dependence.expected_variances().query("test == 'paired_t'").set_index("scheme")
    for scheme in ("resampling", "k_fold", "use_all_data", "average_over_runs"):
        assert abs(ours.at[scheme, "ratio"] / exact.at[scheme, "ratio"] - 1) < 0.06
    assert abs(ours["ahead"]).max() < 4
    near = ours.loc[["resampling", "k_fold", "use_all_data", "average_over_runs"]]
    assert (near["predicted"] - near["observed"]).abs().max() < 2


def test_operating_curves_do_not_depend_on_the_scale_of_p():
    rng = np.random.default_rng(6)
    null, values = rng.uniform(size=300), rng.beta(0.4, 1, size=200)
    type_1, power = synthetic._curve(null, values)
    squared = synthetic._curve(null**2, values**2)
    assert np.array_equal([type_1, power], squared)
    assert (type_1[0], power[0], type_1[-1], power[-1]) == (0, 0, 1, 1)
    assert (np.diff(type_1) >= 0).all() and (np.diff(power) >= 0).all()
    # the area under the curve is the Mann-Whitney probability
    area = np.trapezoid(power, type_1)
    greater = stats.mannwhitneyu(null, values).statistic / (300 * 200)
    assert np.isclose(area, greater)


def test_power_at_equal_type_1_error_of_equivalent_tests():
    """The corrected t is a multiple of the t of the same differences: calibrated, they are one."""
    rng = np.random.default_rng(7)
    shift = {1: 0.0, 2: 0.2, 3: 0.4, 4: 0.8}
    differences = {source: rng.normal(mu, 1, size=(400, 10, 10)) for source, mu in shift.items()}
    frame = synthetic.power_at_equal_type_1(
        differences, ["use_all_data.paired_t", "corrected_repeated_cv"], resamples=20
    )
    plain, corrected = (rows for _, rows in frame.groupby("design", sort=False))
    assert np.allclose(plain["value"], corrected["value"])
    assert (plain["nominal"].to_numpy() < corrected["nominal"].to_numpy()).all()
    curves = synthetic.operating_curves(differences, ["use_all_data.paired_t"])
    at_level = curves.query("source == 2 and type_1 <= 5")["power"].max()
    assert abs(at_level - plain.set_index("column").at["source2", "value"]) < 1


def test_readings_of_the_sign_test(made_up):
    frame = synthetic.readings_of_the_sign_test()
    first = frame[frame["design"] == "average_over_sorted_runs.sign_test"].set_index("column")
    cells = synthetic.spread(1).query("design == 'average_over_sorted_runs.sign_test'")
    cells = cells.set_index("column")
    assert np.allclose(first["mean"], cells["rebuilt"])
    assert (np.sign(first["z"]) == np.sign(cells["printed"] - cells["rebuilt"])).all()
    assert ((first["z"].abs() - cells["z"].abs()).between(0, 0.1)).all()  # less half a digit


def test_spread_of_runs_by_hand():
    """Two runs of two folds: differences 0, 4 and 2, 8 points have variances 8 and, by run, 4.5."""
    frame = synthetic.spread_of_runs({3: np.array([[[0.0, 0.04], [0.02, 0.08]]])})
    assert np.allclose(frame.loc[3] ** 2, [8, 4.5])


def test_decisions_that_differ_from_the_stored_ones_are_noticed(made_up):
    designs = DESIGNS[3:6]
    live = {
        source: made_up[f"source{source}.4"].counts[:7, 3:6].copy() for source in synthetic.SOURCES
    }
    assert "84 counts" in synthetic.agreement(live, designs, 4)
    assert "not the papers' setting" in synthetic.agreement(live, designs, 4, alpha=0.1)
    live[3][2, 1] = live[3][2, 1][::-1] + [1, 0, -1]
    with pytest.raises(ResultsDiffer, match="source3.4"):
        synthetic.agreement(live, designs, 4)


def test_the_stored_decisions_are_whole():
    results = stored.load("synthetic_decisions")
    assert set(results) == {
        f"source{source}.{network}" for source in (1, 2, 3, 4) for network in range(10)
    }
    for name, result in results.items():
        assert result.experiment.parameters["source"] == name
        designs = result.experiment.parameters["designs"]
        assert designs == DESIGNS
        assert result.counts.shape == (synthetic.DATASETS, len(designs), 3)
        assert (result.counts.sum(axis=-1, dtype=int) == 10).all()
