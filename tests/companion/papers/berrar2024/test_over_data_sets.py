"""Studies #1 and #2: ties, Z, s*, estimates, from counts made by hand and from stored ones."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from companion import stored
from companion.lab.experiments.runner import Replications
from companion.papers import published
from companion.papers.berrar2024 import (
    over_data_sets,
    section_2_statistics,
    study_1,
    study_2,
)

HAND = over_data_sets.Study(1, (90,), 4)


def by_hand(*experiments: list[list[int]]) -> dict[int, Replications]:
    """Counts of correct predictions of A and B on data sets of 100, 110, 120 and 130 cases."""
    return {
        1: Replications(over_data_sets.experiment(HAND, 1), np.array(experiments), {})
    }


def test_sizes_are_the_papers():
    assert over_data_sets.sizes(study_1.STUDY).at[2, 3] == 410
    cells = published.cells("berrar2024.tab02").set_index("cell_id")["value"]
    ours = over_data_sets.sizes(study_2.STUDY)
    assert ours.at[3, 2] == 130 == cells["berrar2024.tab02.dataset03.group02"]


def test_ties_in_three_readings():
    counts = [[60, 50], [70, 60], [50, 50], [80, 90]]
    expected = {"dropped": (2 / 3, 3), "half": (2 / 3, 3), "losses": (2 / 4, 4)}
    for ties, (theta, n) in expected.items():
        one = over_data_sets.outcomes(by_hand(counts), ties=ties).iloc[0]
        assert (one["wins"], one["losses"], one["ties"]) == (2, 1, 1)
        assert one["theta"] == pytest.approx(theta)
        wins = round(theta * n)
        p = min(1, 2 * stats.binom.sf(max(wins, n - wins) - 1, n, 0.5))
        assert one["p_binomial"] == pytest.approx(p)


def test_two_ties_are_a_win_for_each():
    one = over_data_sets.outcomes(
        by_hand([[60, 50], [70, 60], [50, 50], [80, 80]]), ties="half"
    ).iloc[0]
    assert one["theta"] == pytest.approx(3 / 4)


def test_equal_shares_of_different_sizes_are_tied_ranks():
    # 11/110 and 12/120 are the same difference: the ranks of a tie are shared
    one = over_data_sets.outcomes(
        by_hand([[55, 50], [61, 50], [72, 60], [70, 90]])
    ).iloc[0]
    z = section_2_statistics.printed_signed_rank_z([5, 10, 10, -15.3])
    assert one["z"] == pytest.approx(z)


def test_significance_is_of_a():
    better, worse = [[90, 10]] * 4, [[10, 90]] * 4
    seen = over_data_sets.outcomes(by_hand(better, worse), alpha=0.2)
    assert seen["is_binomial"].tolist() == [True, False]
    assert seen["is_wilcoxon"].tolist() == [True, False]


def test_equation_16_leaves_the_first_experiment_out():
    seen = over_data_sets.outcomes(
        by_hand(*[[[90, 10]] * 4] * 3, [[10, 90]] * 4), alpha=0.2
    )
    groups = over_data_sets.by_group(seen, over_data_sets.deviations({}), 4, alpha=0.2)
    assert groups.at[1, "F_binomial"] == pytest.approx((3 - 1) / (4 - 1))
    none = over_data_sets.outcomes(by_hand(*[[[10, 90]] * 4] * 3))
    assert (
        over_data_sets.by_group(none, over_data_sets.deviations({}), 4).at[
            1, "F_wilcoxon"
        ]
        == 0
    )


def test_s_is_the_deviation_of_z_over_bootstrap_samples():
    results = stored.load("berrar2024_study_1")
    of_bootstraps = over_data_sets.of_bootstraps(results)
    frame = over_data_sets.deviations(of_bootstraps)
    key, one = next(iter(of_bootstraps.items()))
    z = over_data_sets.outcomes({key[0]: one})["z"]
    assert frame.iloc[0]["s"] == pytest.approx(np.std(z, ddof=1))
    assert len(frame) == len(of_bootstraps) and frame["s"].between(0.1, 1.6).all()


def test_errors_of_a_mean_are_those_of_its_experiments():
    seen = over_data_sets.outcomes(
        over_data_sets.of_groups(stored.load("berrar2024_study_1"))
    )
    nothing = over_data_sets.deviations({})
    frames = over_data_sets.redrawn(seen, nothing, 20, draws=300)
    found = np.std([frame.at[3, "z"] for frame in frames])
    expected = seen.loc[seen["group"] == 3, "z"].sem()
    # the deviation of 300 draws has a relative error of 4 %: four of them are allowed,
    # and an error that is 23% off is found with probability 0.9
    assert found == pytest.approx(expected, rel=0.17)


def test_the_estimate_of_a_mean_agrees_with_the_share():
    results = stored.load("berrar2024_study_1")
    groups = over_data_sets.by_group(
        over_data_sets.outcomes(over_data_sets.of_groups(results)),
        over_data_sets.deviations(over_data_sets.of_bootstraps(results)),
        20,
    )
    gap, without = (
        over_data_sets.deviance(groups, name) for name in ("P_wilcoxon", "P_null")
    )
    assert gap["mean"] < 0.03 < 0.06 < without["mean"] < 0.09
    assert isinstance(over_data_sets.agrees_better_for_small_p(groups), bool)


def test_figure_7b_has_fourteen_wins_and_no_tie():
    frame = study_1.figure_7b(stored.load("berrar2024_study_1"))
    assert (frame["naive Bayes"] > frame["SVM"]).sum() == 14
    assert (frame["naive Bayes"] != frame["SVM"]).all() and len(frame) == 20


def test_another_level_reaches_the_ledger():
    results = {"berrar2024_study_2": stored.load("berrar2024_study_2")}
    usual, strict = (
        study_2.ledger_rows(results=results, alpha=alpha).set_index("id")["rebuilt"]
        for alpha in (0.05, 0.01)
    )
    assert strict["berrar2024.fig12.F"] < usual["berrar2024.fig12.F"]
    assert pd.isna(strict["berrar2024.fig12.P"]) or (
        strict["berrar2024.fig12.P"] < usual["berrar2024.fig12.P"]
    )
