"""Figure 1: exact curves, and the statements about them."""

import pytest

from companion.papers.bouckaert2005 import figure_1


@pytest.mark.slow
def test_claims_fail_where_the_curves_do():
    """The checks of the claims are not vacuous: spoiled curves fail them."""
    profile, lowest = figure_1.figure_1(), figure_1.lowest_replicability()
    holds = lambda p, low: figure_1.claims_of_figure_1(p, low).set_index("id")[
        "rebuilt"
    ]
    by_size = profile.copy()
    by_size["power"] = profile["power"].where(
        profile["size"] < 10_000, profile["power"] / 2
    )
    assert not holds(by_size, lowest)["bouckaert2005.cl.01"]
    flat = profile.assign(replicability=profile["replicability"].iloc[0])
    assert not holds(flat, lowest)["bouckaert2005.cl.02"]
    uneven = lowest.assign(
        replicability=lowest["replicability"] + 0.1 * (lowest["size"] == 2000)
    )
    assert not holds(profile, uneven)["bouckaert2005.cl.03"]
    uncorrected = figure_1.figure_1(method="uncorrected")
    assert not holds(uncorrected, lowest)["bouckaert2005.cl.04"]


@pytest.mark.parametrize(
    "sizes, shares, message",
    [
        ([1000], [0.0], "between 0 and 1"),
        ([1000], [1.2], "between 0 and 1"),
        ([1], [0.5], "none is left"),
        ([1000, 4], [0.1], "none is left"),
    ],
)
def test_bad_input_is_refused(sizes, shares, message):
    with pytest.raises(ValueError, match=message):
        figure_1.figure_1(sizes, shares)
