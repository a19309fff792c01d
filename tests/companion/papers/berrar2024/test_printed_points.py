"""The printed points of Figures 9 to 14: as published, and on the figures."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from scipy import stats

from companion.engine.show.pictures import replication_studies as pictures
from companion.papers import published
from companion.papers.berrar2024 import printed_points


@pytest.mark.parametrize("figure", printed_points.FACTS)
def test_each_point_has_a_p_value_a_share_and_estimates(figure):
    points = printed_points.of_figure(figure)
    assert points.notna().all(axis=None)
    assert {"p", "F"} < set(points)
    assert ((points > 0) & (points < 1)).all(axis=None)
    # the larger the p-value, the smaller the share
    by_p = points.sort_values("p")
    assert by_p["F"].is_monotonic_decreasing


def test_a_mean_statistic_gives_its_two_sided_p_value():
    z = published.value("berrar2024.g3.Zw")
    assert printed_points.of_figure(10).at[3, "p"] == pytest.approx(
        2 * stats.norm.sf(z)
    )


def test_printed_points_stand_where_they_are_printed():
    printed = printed_points.of_figure(12)
    ours = {"p": 0.002, "F": 0.9, "P_wilcoxon": 0.91}
    limits = {"P_wilcoxon_low": 0.3, "P_wilcoxon_high": 0.99}
    groups = pd.DataFrame([ours | limits, ours | limits | {"p": 0.03}], index=[7, 8])
    figure = pictures.over_p(
        groups, p="p", share="F", estimates=["P_wilcoxon"], printed=printed
    )
    lines = {line.get_label(): line for line in figure.axes[0].get_lines()}
    for label, column in (
        ("printed estimate", "P_wilcoxon"),
        ("printed share", "F"),
    ):
        assert lines[label].get_xdata() == pytest.approx(printed["p"])
        assert lines[label].get_ydata() == pytest.approx(printed[column])
        assert lines[label].get_color() == pictures.PRINTED
    plt.close(figure)
