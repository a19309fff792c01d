"""What drawing functions are made of: panels, lines with errors, marks, notes, a legend."""

import functools
from collections.abc import Callable, Iterable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from .style import COLUMN, GREY, SMALL, in_house_style


def picture(
    *grid: int,
    height: float = 3.6,
    legend: int = 0,
    sharex: bool = False,
    sharey: bool = False,
    ratios: tuple[float, ...] | None = None,
    **properties,
) -> Callable[[Callable[..., None]], Callable[..., Figure]]:
    """Decorate a drawing function: it is given panels and fills them, the caller gets the figure.

    Parameters
    ----------
    *grid : int
        Rows, and columns, of panels.  The function is given the panel if there is one,
        or their array; with 0 rows the figure, for :func:`panels` whose number depends
        on the data.
    height : float
        In inches.
    legend : int
        Columns of one legend for all panels, above them; by default there is none.
    sharex, sharey : bool
        Whether panels share an axis.
    ratios : tuple of float, optional
        Relative heights of the rows.
    **properties
        Of every panel, as for `Axes.set`, after drawing; `xlabel` is for the lowest
        row, `ylabel` for the first column: one for all, or one a row.
    """
    labels = {name: properties.pop(name, None) for name in ("xlabel", "ylabel")}

    def decorate(draw: Callable[..., None]) -> Callable[..., Figure]:
        @functools.wraps(draw)
        @in_house_style
        def drawn(*args, **options) -> Figure:
            fig = plt.figure(figsize=(COLUMN, height))
            place = (
                fig
                if grid == (0,)
                else fig.subplots(
                    *grid, sharex=sharex, sharey=sharey, height_ratios=ratios
                )
            )
            draw(place, *args, **options)
            for ax in fig.axes:
                ax.set(**properties)
                spec = ax.get_subplotspec()
                if labels["xlabel"] and spec.is_last_row():
                    ax.set_xlabel(labels["xlabel"])
                if labels["ylabel"] and spec.is_first_col():
                    of_rows = np.atleast_1d(labels["ylabel"])
                    ax.set_ylabel(of_rows[min(spec.rowspan.start, len(of_rows) - 1)])
            if legend:
                legend_outside(fig, *fig.axes, ncols=legend)
            return fig

        return drawn

    return decorate


def panels(
    fig: Figure, rows: int, columns: int = 1, *, height: float, **options
) -> np.ndarray:
    """Divide a figure into panels and return them, row by row; options as for `subplots`."""
    fig.set_figheight(height)
    return fig.subplots(rows, columns, squeeze=False, **options).ravel()


def series(
    ax: Axes,
    x,
    y,
    label: str | None,
    color: str,
    line="-",
    marker: str = "",
    *,
    error=None,
    **options,
) -> None:
    """Draw a line with marks, and its error, on either side, as bars."""
    look = {
        "color": color,
        "ls": line,
        "marker": marker,
        "label": label,
        "lw": 1.6,
        "ms": 4.5,
    }
    if error is None:
        ax.plot(x, y, **look | options)
    else:
        ax.errorbar(x, y, error, **look | {"elinewidth": 1} | options)


def band(ax: Axes, x, y, color: str, *, error) -> None:
    """Draw the error of a line, on either side, as a band behind it."""
    ax.fill_between(x, y - error, y + error, color=color, alpha=0.2, lw=0)


def marks(
    ax: Axes,
    x,
    y,
    label: str | None,
    color: str,
    marker: str = "o",
    *,
    xerr=None,
    yerr=None,
    **options,
) -> None:
    """Draw marks, and their errors as bars."""
    look = {"color": color, "ls": "none", "marker": marker, "label": label, "ms": 5}
    if xerr is None and yerr is None:
        ax.plot(x, y, **look | options)
    else:
        ax.errorbar(x, y, yerr, xerr, **look | {"elinewidth": 1} | options)


def bars(ax: Axes, y, low, high, color: str, **options) -> None:
    """Draw broad bars from low to high, behind marks."""
    ax.hlines(
        y, low, high, color=color, **{"lw": 5, "alpha": 0.3, "zorder": 1} | options
    )


def rule(
    ax: Axes, *, x: float | None = None, y: float | None = None, **options
) -> None:
    """Draw a thin line through the panel, at a value of one axis."""
    look = {"color": GREY, "lw": 0.9, "ls": ":"} | options
    if x is not None:
        ax.axvline(x, **look)
    if y is not None:
        ax.axhline(y, **look)


def note(
    ax: Axes,
    text: str,
    at: tuple[float, float],
    shift: tuple[float, float] = (0, 0),
    **options,
) -> None:
    """Write a text next to a place in data units, shifted by that many points."""
    look = {"fontsize": SMALL, "annotation_clip": False} | options
    ax.annotate(text, at, xytext=shift, textcoords="offset points", **look)


def log_ticks(axis: Axis, ticks: Iterable[float], spec: str = "g") -> None:
    """Make an axis logarithmic, with only these ticks."""
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    axis.set_ticks(list(ticks), [f"{tick:{spec}}" for tick in ticks])
    axis.set_ticks([], minor=True)


def legend_outside(fig: Figure, *axes: Axes, **options) -> None:
    """Put above all panels a legend of these, with each label once."""
    found = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels()):
            found.setdefault(label, handle)
    fig.legend(found.values(), found, loc="outside upper center", **options)
