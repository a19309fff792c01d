"""Pictures of comparisons, drawn by Matplotlib if it is installed."""

import html
import io
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # pandas would take longer to load than a comparison takes
    import pandas as pd

BLUE, RED, GREY, INK = "#0072b2", "#c84a00", "#777d86", "#010101"
_VARIABLES = {INK: "currentColor", BLUE: "var(--blue)", RED: "var(--red)", GREY: "var(--grey)"}
#: Most dots that are drawn; a million would make a page of 150 MB.
MOST_DOTS = 500
_WIDTH = 4.75  # inches: at this width a point is about a pixel on a phone


def styled(draw: Callable[[], Any]) -> Any:
    """Draw a figure in the style of the pages.

    Raises
    ------
    ModuleNotFoundError
        If Matplotlib is not installed; the message says how to install it.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "pictures need Matplotlib: pip install 'replib[report]'", name="matplotlib"
        ) from None
    style: dict[Any, Any] = {
        "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "text.color": INK,
        "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
        "figure.facecolor": "none", "axes.facecolor": "none", "figure.constrained_layout.use": True,
    }
    with mpl.rc_context(style):
        return draw()


def as_svg(figure: Any, alt: str) -> str:
    """Return a figure as SVG whose colours are those of the page, light or dark."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "replib"}):  # the same names of parts each time
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg"):], flags=re.DOTALL)
    for color, variable in _VARIABLES.items():
        svg = svg.replace(color, variable)
    named = f'<svg role="img" aria-label="{html.escape(alt)}" fill="currentColor" '
    return svg.replace("<svg ", named, 1)


def figure(*heights: float) -> tuple[Any, list[Any]]:
    """Return a figure with axes one above the other, of these heights in inches, and the axes."""
    from matplotlib.figure import Figure

    fig = Figure(figsize=(_WIDTH, sum(heights)))
    return fig, list(np.atleast_1d(fig.subplots(len(heights), height_ratios=heights)))


def difference(
    ax: Any, names: Sequence[str], label: str, estimate: float, limits: tuple[float, float],
    parts: Sequence[float] = (), of: str = "", level: str = "95%",
) -> None:
    """Draw a difference with its interval, and the differences of its parts as dots.

    If there are more parts than `MOST_DOTS`, a random sample of that size is drawn.
    """
    a, b = names
    dots = np.asarray(parts)
    if len(dots) > MOST_DOTS:
        dots = np.random.default_rng(0).choice(dots, MOST_DOTS, replace=False)
    rows = np.linspace(-0.25, 0.25, len(dots)) if len(dots) > 1 else np.zeros(len(dots))
    if len(dots):
        ax.plot(dots, rows + 1, "o", color=GREY, ms=4, alpha=0.7)
    ax.plot(limits, [0, 0], color=BLUE, lw=2.5, solid_capstyle="butt")
    ax.plot(estimate, 0, "D", color=BLUE, ms=7)
    ax.axvline(0, ymax=0.93, color=INK, lw=1, ls=":")
    some = len(parts) > 0
    ax.set(yticks=[1, 0][not some:], yticklabels=[of, f"{level} interval"][not some:],
           ylim=(-0.6, 1.6 if some else 0.6), xlabel=label)
    higher = 1.13 if some else 1.25
    for x, y, text, align in (
        (0, 1, f"← {b} better", "left"), (1, higher, f"{a} better →", "right")
    ):
        ax.text(x, y, text, transform=ax.transAxes, ha=align, color=GREY, fontsize=9)
    ax.locator_params(axis="x", nbins=5)
    _without_left_edge(ax)


def thinned(parts: int) -> str:
    """Return what a caption says if not all parts are drawn as dots.

    Examples
    --------
    >>> thinned(100), thinned(1_000_000)
    ('', ' (500 of them, drawn at random)')
    """
    return f" ({MOST_DOTS} of them, drawn at random)" if parts > MOST_DOTS else ""


def shares(ax: Any, parts: Sequence[tuple[str, float]], name: str, label: str) -> None:
    """Draw three probabilities, which sum to 1, as one bar with a label above each part."""
    left = 0.0
    places = ((RED, 0, "left"), (GREY, 0.5, "center"), (BLUE, 1, "right"))
    for line, ((text, p), (color, x, align)) in enumerate(zip(parts, places)):
        ax.barh(0, p, left=left, color=color, height=0.6)
        if p >= 0.005:  # names may be long: each has its own line
            ax.text(x, 0.42 + 0.4 * line, f"{text} {p:.2f}", ha=align, va="bottom",
                    fontsize=9, color=color)
        left += p
    ax.set(xlim=(0, 1), ylim=(-0.35, 1.75), yticks=[0], yticklabels=[name], xlabel=label)
    _without_left_edge(ax)


def groups(
    values: "pd.Series", pairs: "pd.DataFrame", label: str, form: str,
    limits: tuple[float, float] | None = None,
) -> Any:
    """Draw classifiers on an axis, and bars over those that do not differ.

    A set in which no pair differs is a thick bar if its members are neighbours.  If it skips a
    classifier, it is a dotted line with a mark at each of its members.

    Parameters
    ----------
    values : Series
        Indexed by name.
    pairs : DataFrame
        With the columns `a`, `b` and `decision`, which is 0 if the two do not differ.
    label : str
        Label of the axis.
    form : str
        Format of the values.
    limits : tuple of two float, optional
        Limits of the axis; by default just beyond the values.
    """
    values = values.sort_values(kind="stable")
    n, at = len(values), values.to_numpy()
    half = (n + 1) // 2
    if limits is None:
        room = 0.04 * np.ptp(at) or 0.1
        limits = (at[0] - room, at[-1] + room)
    reach = 0.01 * (limits[1] - limits[0])
    place_of = {name: place for place, name in enumerate(values.index)}
    alike = np.zeros((n, n), dtype=bool)
    for pair in pairs[pairs["decision"] == 0].itertuples():
        a, b = place_of[pair.a], place_of[pair.b]
        alike[a, b] = alike[b, a] = True
    joined = cliques(alike)
    fig, (ax,) = figure(1.2 + 0.3 * half + 0.15 * len(joined))
    for place, (name, value) in enumerate(values.items()):
        on_left, shown = place < half, form.format(value)
        y = -0.6 * (place + 1 if on_left else n - place)
        edge = limits[0] - 3 * reach if on_left else limits[1] + 3 * reach
        ax.plot([value, value, edge], [0, y, y], color=GREY, lw=1)
        ax.plot(value, 0, "o", color=BLUE, ms=5)
        ax.text(edge, y, f"{name} {shown} " if on_left else f" {shown} {name}",
                ha="right" if on_left else "left", va="center", fontsize=10)
    for row, clique in enumerate(joined):
        y = 0.25 + 0.22 * row
        if clique[-1] - clique[0] == len(clique) - 1:
            ends = [at[clique[0]] - reach, at[clique[-1]] + reach]
            ax.plot(ends, [y, y], color=RED, lw=3, solid_capstyle="butt")
        else:
            ax.plot(at[clique], [y] * len(clique), "o:", color=RED, lw=1.5, ms=4)
    ax.set(xlim=limits, ylim=(-0.6 * half - 0.3, 0.6 + 0.22 * len(joined)), yticks=[], xlabel=label)
    ax.spines["left"].set_visible(False)
    return fig


def cliques(alike: np.ndarray) -> list[list[int]]:
    """Find the maximal sets of at least two in which no pair differs (Bron and Kerbosch).

    Examples
    --------
    >>> cliques(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool))
    [[0, 1], [1, 2]]
    """
    found = []
    near = [set(np.flatnonzero(row)) - {place} for place, row in enumerate(alike)]

    def extend(chosen: list[int], candidates: set[int], done: set[int]) -> None:
        if not candidates | done and len(chosen) > 1:
            found.append(sorted(map(int, chosen)))
        for one in sorted(candidates):
            extend([*chosen, one], candidates & near[one], done & near[one])
            candidates, done = candidates - {one}, done | {one}

    extend([], set(range(len(alike))), set())
    return sorted(found)


def _without_left_edge(ax: Any) -> None:
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
