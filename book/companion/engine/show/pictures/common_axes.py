"""The pictures of two runs, drawn on common axes so that they can be compared by eye."""

from collections.abc import Iterator

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import kept_figures
from .style import show


def on_common_axes(default: str, yours: str) -> tuple[str, str]:
    """Draw the pictures of two runs again, with limits that hold both.

    They are returned as they are if the limits agree already, if a figure was not kept
    (`kept_figures`), or if the panels are not of the same kinds.

    Parameters
    ----------
    default, yours : str
        HTML of one figure of a chapter in the two runs.
    """
    first, second = kept_figures.find(default), kept_figures.find(yours)
    if not (first and second and _is_same_kind(first[0], second[0])):
        return default, yours
    if not _share_limits(first[0], second[0]):
        return default, yours
    before, after = (show(fig, alt=alt)._repr_html_() for fig, alt in (first, second))
    return before, after


def _is_same_kind(first: Figure, second: Figure) -> bool:
    kinds = [
        [(ax.name, ax.get_xscale(), ax.get_yscale()) for ax in fig.axes]
        for fig in (first, second)
    ]
    return kinds[0] == kinds[1]


def _share_limits(first: Figure, second: Figure) -> bool:
    """Give both figures the limits that hold both; return whether that changed one."""
    changed = False
    for before, after in zip(first.axes, second.axes):
        for (limits, set_first), (other_limits, set_second) in zip(
            _limits(before), _limits(after)
        ):
            common = _hull(limits, other_limits)
            if common is None or limits == other_limits:
                continue
            set_first(common)
            set_second(common)
            changed = True
    return changed


def _limits(ax: Axes) -> Iterator[tuple]:
    """Yield the limits of each axis, and the method that sets them."""
    yield ax.get_xlim(), ax.set_xlim
    yield ax.get_ylim(), ax.set_ylim
    if ax.name == "3d":
        yield ax.get_zlim(), ax.set_zlim


def _hull(
    first: tuple[float, float], second: tuple[float, float]
) -> tuple[float, float] | None:
    """Return the limits that hold both; None if one axis runs the other way.

    >>> _hull((0, 10), (5, 20)), _hull((10, 0), (20, 5)), _hull((0, 1), (1, 0))
    ((0, 20), (20, 0), None)
    """
    rises = first[0] < first[1]
    if rises != (second[0] < second[1]):
        return None
    low, high = min(*first, *second), max(*first, *second)
    return (low, high) if rises else (high, low)
