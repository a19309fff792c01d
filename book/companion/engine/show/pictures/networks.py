"""Pictures of Bayesian networks: stronger arrows are wider and darker."""

from collections.abc import Mapping

import numpy as np
from matplotlib.patches import FancyArrowPatch

from companion.lab.sources import BayesianNetwork

from .drawing import panels, picture, series
from .style import BLUE, COLUMN, INK, PAPER

_STRONG = 0.5  # bits from which an arrow has its full width
_BEND = 0.55  # of an arc between attributes, relative to the distance
_HEIGHT = 2.2  # of the class above the attributes, whose distance is one


@picture()
def network(ax, drawn: BayesianNetwork) -> None:
    """Draw one network: arrows from the class to the row of attributes, arcs between them below.

    An arc runs from left to right, from the lower number to the higher.

    Parameters
    ----------
    drawn : BayesianNetwork
        Small enough for its joint distribution to be enumerated: the strengths of the arrows
        (`BayesianNetwork.strengths`) decide their width and darkness.
    """
    ax.figure.set_figheight(_panel_height(drawn, COLUMN) + 0.45)
    _draw(ax, drawn, node_size=20, font_size=10, width=2.6)
    for bits in (0.01, 0.1, _STRONG):
        label = f"{bits:g}" if bits < _STRONG else f"{bits:g} or more"
        series(ax, [], [], label, INK, **_look(bits, 2.6))
    ax.figure.legend(title="conditional mutual information (bits)", loc="outside lower center",
                     ncols=3)


@picture(0)
def small_multiples(fig, networks: Mapping[str, BayesianNetwork]) -> None:
    """Draw several networks, two per row, as :func:`network` does, but without the numbers.

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
        _draw(ax, drawn, node_size=5, font_size=None, width=1.6)
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


def _look(bits: float, width: float) -> dict[str, float]:
    """Return width and darkness of an arrow; the square root keeps weak ones visible."""
    share = min(1.0, np.sqrt(bits / _STRONG))
    return {"lw": 0.4 + (width - 0.4) * share, "alpha": 0.1 + 0.9 * share}


def _draw(
    ax, drawn: BayesianNetwork, *, node_size: float, font_size: float | None, width: float
) -> None:
    """Draw into a panel; if `font_size` is None, nodes are dots."""
    places = np.zeros((drawn.n_attributes + 1, 2))
    places[:, 0] = np.arange(len(places))
    places[0] = (drawn.n_attributes + 1) / 2, _HEIGHT
    for arrow in drawn.strengths().sort_values("bits", kind="stable").itertuples():
        from_class = arrow.parent == 0
        ax.add_patch(FancyArrowPatch(
            places[arrow.parent], places[arrow.child], shrinkA=node_size / 2 + 0.5,
            shrinkB=node_size / 2 + 0.5,
            arrowstyle="-|>", mutation_scale=2.5 * width + 2, color=BLUE if from_class else INK,
            connectionstyle=f"arc3,rad={0 if from_class else _BEND}", zorder=1,
            linestyle="-", capstyle="butt", **_look(arrow.bits, width),
        ))
    for v, (x, y) in enumerate(places):
        color = BLUE if v == 0 else INK
        ax.plot(x, y, "o", ms=node_size, color=PAPER if font_size else color, mec=color, mew=1,
                zorder=2)
        if font_size:
            ax.text(x, y, "C" if v == 0 else str(v), fontsize=font_size, color=color, zorder=3,
                    ha="center", va="center_baseline")
    left, right, bottom, top = _extent(drawn)
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    ax.set_axis_off()
