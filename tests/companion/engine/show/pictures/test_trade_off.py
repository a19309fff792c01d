"""Designs that never err have a place on the logarithmic axis of errors."""

import warnings

import pandas as pd
import pytest

from companion.engine.show.pictures import sampling_schemes_compared as pictures

DESIGNS = ["use_all_data.paired_t", "k_fold.paired_t", "five_by_two_cv"]


def points(errors: tuple[float, ...]) -> pd.DataFrame:
    """Return a table like that of `table_1.trade_off`, with these Type I errors."""
    columns = {"type_1": errors, "power": 50.0, "replicability_normalized": 80.0}
    deviations = {f"{column}_deviation": 1.0 for column in columns}
    return pd.DataFrame(columns | deviations, index=DESIGNS)


@pytest.mark.parametrize(
    "errors, drawn",
    [
        ((0.0, 5.0, 20.0), {2.5, 5.0, 20.0}),
        ((0.0, 0.0, 0.0), {2.0}),
        ((1.0, 5.0, 20.0), {1.0, 5.0, 20.0}),
    ],
)
def test_a_design_without_errors_is_drawn_and_named(errors, drawn):
    fig = pictures.trade_off(points(errors), 4.0, {DESIGNS[0]: ((8, 6), "left")})
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the layout collapses around a name at zero
        fig.draw_without_rendering()
    for ax in fig.axes[:2]:
        marked = {
            float(line.get_xdata()[0])
            for line in ax.get_lines()
            if len(line.get_xdata()) == 1 and line.get_marker() not in ("|", "_")
        }
        assert drawn <= marked and min(marked) > 0
