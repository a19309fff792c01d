"""Pictures of Bayesian networks: stronger arrows are wider and darker."""

from collections.abc import Mapping

import numpy as np
from matplotlib.patches import FancyArrowPatch

from companion.lab.sources import BayesianNetwork

from .drawing import panels, picture
from .style import BLUE, COLUMN, INK

_STRONG = 0.5  # bits from which an arrow has its full width
_BEND = 0.55  # of an arc between attributes, relative to the distance
_NODE = 5
_WIDTH = 1.6  # of the strongest arrow
_HEIGHT = 2.2  # of the class above the attributes, whose distance is one


@picture(0)
def small_multiples(fig, networks: Mapping[str, BayesianNetwork]) -> None:
    """Draw several networks, two per row: arrows from the class to the row of attributes, and arcs.

    An arc runs from left to right; the strengths of the arrows (`BayesianNetwork.strengths`) decide
    their width and darkness.

    Parameters
    ----------
    networks : mapping of str to BayesianNetwork
        By title of the panel.
    """
    rows = -(-len(networks) // 2)
    tallest = max(_panel_height(drawn, COLUMN / 2) for drawn in networks.values())
    deepest = min(_extent(drawn)[2] for drawn in networks.values())
    axes = panels(fig, rows, 2, height=rows * (tallest + 0.3))
    for ax, (title, drawn) in zip(axes, networks.items()):
        _draw(ax, drawn)
        ax.set_ylim(bottom=deepest)  # all rows of attributes at the same height
        ax.set_title(title, fontsize=10)
    for ax in axes[len(networks):]:
        ax.set_axis_off()


def _extent(drawn: BayesianNetwork) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top of a picture whose attributes have distance one."""
    longest = max((v - u for u, v in drawn.arrows()), default=0)
    return 0.4, drawn.n_attributes + 0.6, -_BEND * longest / 2 - 0.6, _HEIGHT + 0.6


def _panel_height(drawn: BayesianNetwork, width: float) -> float:
    """Return the height in inches of a panel of that width with equal scales."""
    left, right, bottom, top = _extent(drawn)
    return width * (top - bottom) / (right - left)


def _look(bits: float) -> dict[str, float]:
    """Return width and darkness of an arrow; the square root keeps weak ones visible."""
    share = min(1.0, np.sqrt(bits / _STRONG))
    return {"lw": 0.4 + (_WIDTH - 0.4) * share, "alpha": 0.1 + 0.9 * share}


def _draw(ax, drawn: BayesianNetwork) -> None:
    """Draw into a panel."""
    places = np.zeros((drawn.n_attributes + 1, 2))
    places[:, 0] = np.arange(len(places))
    places[0] = (drawn.n_attributes + 1) / 2, _HEIGHT
    for arrow in drawn.strengths().sort_values("bits", kind="stable").itertuples():
        from_class = arrow.parent == 0
        ax.add_patch(FancyArrowPatch(
            places[arrow.parent], places[arrow.child], shrinkA=_NODE / 2 + 0.5,
            shrinkB=_NODE / 2 + 0.5,
            arrowstyle="-|>", mutation_scale=2.5 * _WIDTH + 2, color=BLUE if from_class else INK,
            connectionstyle=f"arc3,rad={0 if from_class else _BEND}", zorder=1,
            linestyle="-", capstyle="butt", **_look(arrow.bits),
        ))
    for v, (x, y) in enumerate(places):
        ax.plot(x, y, "o", ms=_NODE, color=BLUE if v == 0 else INK, zorder=2)
    left, right, bottom, top = _extent(drawn)
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    ax.set_axis_off()
