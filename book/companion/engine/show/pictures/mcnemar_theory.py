"""Pictures of the theory of McNemar's test: spread over data sets, worst case, second rejection."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from . import style
from .style import BLUE, GREY, RED, SERIES, in_house_style


@in_house_style
def spread_of_rejection(spread: pd.DataFrame) -> Figure:
    """Draw the distribution over data sets of p(D): `appendix.spread_of_rejection`."""
    fig, ax = style.figure(height=3.5)
    for (color, line), (fraction, curve) in zip(SERIES, spread.groupby("test_fraction")):
        ax.plot(curve["p"], 100 * curve["cdf"], color=color, ls=line,
                label=rf"$\tau$ = {fraction:.2g}")
    ax.legend(loc="upper left")
    ax.set(xlabel=r"$\pi_D$: chance that an experiment on the data set rejects", xlim=(0, 1),
           ylabel="data sets (%)", ylim=(0, 100))
    return fig


@in_house_style
def worst_case(laws: pd.DataFrame) -> Figure:
    """Draw worst cases against the test share: `appendix.errata_of_worst_case`."""
    fig, ax = style.figure(height=3.4)
    t = 100 * laws["test_fraction"]
    at = np.abs(t - 80).argmin()
    for column, color, line, text, offset, side in (
        ("correct", BLUE, "-", r"$2\arcsin(\tau)/\pi$", (-6, 4), "right"),
        ("printed", RED, "--", "as printed", (6, -12), "left"),
    ):
        normalized = 100 * (2 * laws[column] - 1)
        ax.plot(t, normalized, color=color, ls=line)
        style.note(ax, text, (t[at], normalized[at]), offset, color=color, ha=side,
                   va="top" if offset[1] < 0 else "baseline")
    ax.set(xlabel=r"share of the data used for testing, $\tau$ (%)", xlim=(0, 100), ylim=(0, 102),
           ylabel="worst-case normalised\nreplicability (%)")
    return fig


@in_house_style
def second_rejection(curve: pd.DataFrame, alpha: float) -> Figure:
    """Draw the second rejection after a first, printed and true: `section_3.second_rejection`."""
    fig, ax = style.figure(height=3.4)
    t = 100 * curve["test_fraction"]
    at = np.abs(t - 62).argmin()
    for column, color, line, text, offset, side in (
        ("limit", BLUE, "-", "true, any size", (14, -12), "left"),
        ("mean_only", GREY, ":", "corrected, at the mean", (-8, 2), "right"),
        ("surplus_only", RED, "--", "surplus as printed", (-60, -14), "center"),
    ):
        ax.plot(t, 100 * curve[column], color=color, ls=line)
        style.note(ax, text, (t[at], 100 * curve[column][at]), offset, color=color, ha=side)
    ax.axhline(100 * alpha, color=GREY, lw=0.7)
    style.note(ax, r"level $\alpha$", (100, 100 * alpha), (0, -2), color=GREY, ha="right", va="top")
    ax.set(xlabel=r"share of the data used for testing, $\tau$ (%)", xlim=(0, 100), ylim=(-4, 102),
           ylabel="probability of a second\nrejection (%)")
    return fig
