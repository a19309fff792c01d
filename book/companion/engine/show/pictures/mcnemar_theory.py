"""Pictures of the theory of McNemar's test: spread over data sets, worst case, second rejection."""

import numpy as np
import pandas as pd

from .drawing import note, picture, rule, series
from .style import BLUE, GREY, RED, SERIES

_SHARE = r"share of the data used for testing, $\tau$ (%)"


@picture(
    xlabel=r"$\pi_D$: chance that an experiment on the data set rejects",
    xlim=(0, 1),
    ylabel="data sets (%)",
    ylim=(0, 100),
)
def spread_of_rejection(ax, spread: pd.DataFrame) -> None:
    """Draw the distribution over data sets of p(D): `appendix.spread_of_rejection`."""
    for look, (fraction, curve) in zip(SERIES, spread.groupby("test_fraction")):
        series(ax, curve["p"], 100 * curve["cdf"], rf"$\tau$ = {fraction:.2g}", *look)
    ax.legend(loc="upper left")


@picture(
    height=3.4,
    xlabel=_SHARE,
    xlim=(0, 100),
    ylim=(0, 102),
    ylabel="worst-case normalised\nreplicability (%)",
)
def worst_case(ax, laws: pd.DataFrame) -> None:
    """Draw worst cases against the test share: `appendix.errata_of_worst_case`."""
    t = 100 * laws["test_fraction"]
    at = np.abs(t - 80).argmin()
    for column, color, line, text, shift, side, va in (
        ("correct", BLUE, "-", r"$2\arcsin(\tau)/\pi$", (-6, 4), "right", "baseline"),
        ("printed", RED, "--", "as printed", (6, -12), "left", "top"),
    ):
        normalized = 100 * (2 * laws[column] - 1)
        series(ax, t, normalized, None, color, line)
        note(ax, text, (t[at], normalized[at]), shift, color=color, ha=side, va=va)


@picture(
    height=3.4,
    xlabel=_SHARE,
    xlim=(0, 100),
    ylim=(-4, 102),
    ylabel="probability of a second\nrejection (%)",
)
def second_rejection(ax, curve: pd.DataFrame, alpha: float) -> None:
    """Draw the second rejection after a first, printed and true: `section_3.second_rejection`."""
    t = 100 * curve["test_fraction"]
    at = np.abs(t - 62).argmin()
    for column, color, line, text, shift, side in (
        ("limit", BLUE, "-", "true, any size", (14, -12), "left"),
        ("mean_only", GREY, ":", "corrected, at the mean", (-8, 2), "right"),
        ("surplus_only", RED, "--", "surplus as printed", (-60, -14), "center"),
    ):
        series(ax, t, 100 * curve[column], None, color, line)
        note(ax, text, (t[at], 100 * curve[column][at]), shift, color=color, ha=side)
    rule(ax, y=100 * alpha, ls="-")
    note(
        ax,
        r"level $\alpha$",
        (100, 100 * alpha),
        (0, -2),
        color=GREY,
        ha="right",
        va="top",
    )
