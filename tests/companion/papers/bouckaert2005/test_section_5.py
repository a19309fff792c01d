"""Section 5: prices of designs, in the limit."""

import pandas as pd
import pytest

from companion.papers.bouckaert2005 import models, section_5


@pytest.mark.slow
def test_frontier_rises_and_the_cheapest_is_on_it():
    frontier = section_5.frontier(most=20)
    for _, members in frontier.groupby("family"):
        assert members["worst_case"].is_monotonic_increasing
    cheapest = section_5.cheapest(frontier, (50, 99))
    assert cheapest.loc["10-fold cross-validation", "50%"] == 20
    assert cheapest["99%"].isna().all() and pd.isna(cheapest.loc["McNemar", "50%"])


def test_half_power_is_where_power_is_one_half():
    for design in (models.McNemar(0.3), models.CrossValidation(2)):
        shift = section_5.shift_at_half(design)
        assert models.power(design, shift) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.slow
def test_half_power_at_a_small_level_is_far_out():
    design = models.Resampling(2)
    shift = section_5.shift_at_half(design, alpha=0.005)
    assert shift > 100
    assert models.power(design, shift, alpha=0.005) == pytest.approx(0.5, abs=1e-9)


def test_samples_required_reach_their_target_and_no_fewer_do():
    for row in section_5.samples_required((30, 60)).itertuples():
        worst = [
            200 * models.worst_case(models.Resampling(n))[1] - 100
            for n in (row.samples - 1, row.samples)
        ]
        assert worst[0] < row.target <= worst[1]
