"""Section 2: the statistics as printed and as they should be."""

import numpy as np
from scipy import stats

from companion.papers import published
from companion.papers.bouckaert2005 import section_2


def test_printed_statistic_is_wrong_at_ties_only():
    frame = section_2.errata_of_mcnemar_statistic()
    is_tie = frame["n10"] == frame["n01"]
    others, ties = frame[~is_tie], frame[is_tie]
    assert (others["printed"] == others["correct"]).all()
    assert (others["printed_p"] == others["correct_p"]).all()
    assert (ties["printed"] == 1 / (2 * ties["n10"])).all()
    assert np.allclose(ties["printed_p"], stats.chi2.sf(ties["printed"], 1))
    assert (ties["correct"] == 0).all() and (ties["correct_p"] == 1).all()


def test_printed_statistic_without_a_discordant_pair_accepts():
    result = section_2.mcnemar_as_printed([0, 3], [0, 3])
    assert result.statistic.tolist() == [0, 1 / 6] and result.pvalue[0] == 1


def test_sorted_and_repeated_cross_validation_have_the_wrong_size_as_printed():
    frame = section_2.errata_of_cross_validation(datasets=1000).set_index(
        ["test", "runs"]
    )
    sorted_runs, repeated = (
        frame.loc["sorted runs"],
        frame.loc["repeated cross-validation"],
    )
    assert sorted_runs.loc[1, "printed"] < 1 and sorted_runs.loc[50, "printed"] > 25
    assert sorted_runs.loc[10, "printed"] == sorted_runs.loc[10, "correct"]
    assert sorted_runs["correct"].between(1, 9).all()
    ten = repeated.loc[10]
    assert ten["printed"] < ten["correct"] - 4 * ten["correct_error"]


def test_e31_the_number_stands_in_no_table():
    raw = 50 + published.cells("bouckaert2004.tab01")["value"] / 2
    minima = published.cells("bouckaert2004.tab01")["column"] == "min_norm_repl"
    assert raw[minima].min() > 66.5


def test_correction_as_printed_is_upside_down():
    frame = section_2.errata_of_correction(9, 1, runs=10)
    assert (frame["printed_value"] * frame["correct_value"])[0] == 1
    assert (frame["printed_value"] / frame["correct_value"])[1] == 10  # folds
