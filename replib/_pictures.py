"""The picture of a result, for which Matplotlib must be installed."""

import html
import io
import math
import re
import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from replib._numbers import confidence
from replib._validation import Array
from replib.designs import CV, Datasets, RandomSplits
from replib.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE = "#0072b2"
GREY = "#777d86"
INK = "#010101"
#: The colours of the page, light or dark, in the place of those that are drawn.
_VARIABLES = {INK: "currentColor", BLUE: "var(--blue)", GREY: "var(--grey)"}
#: Most pairs that are drawn; the table has them all.
_MOST_PAIRS = 15
#: Most runs of a pair that are drawn as dots.
_MOST_DOTS = 200
#: Most letters of a name beside the axis.
_MOST_LETTERS = 18
#: Designs whose runs or data sets are drawn as dots.
_WITH_DOTS = (CV, RandomSplits, Datasets)
#: Matplotlib's settings are those of all threads.
_DRAWING = threading.Lock()

_STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "figure.constrained_layout.use": True,
    "text.parse_math": False,  # a dollar in a name is a dollar
}


def figure(result: Result) -> "Figure":
    """Draw the difference of each pair with its interval, its runs, and the margin.

    Raises
    ------
    ModuleNotFoundError
        If Matplotlib is not installed; the message says how to install it.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "pictures need Matplotlib: pip install 'replib[report]'", name="matplotlib"
        ) from None
    pairs = _drawn_pairs(result)
    with _DRAWING, mpl.rc_context(_STYLE):
        fig = Figure(figsize=(4.75, 1.0 + 0.45 * len(pairs)))
        ax = fig.subplots()
        if result.equivalence is not None:
            margin = result.equivalence
            ax.axvspan(-margin, margin, color=GREY, alpha=0.2, lw=0)
        ax.axvline(0, color=INK, lw=1, ls=":")
        for row, pair in enumerate(pairs.itertuples()):
            _draw_pair(ax, row, pair, _dots(result, pair))
        metric = result.data.metric
        ax.set(
            yticks=range(len(pairs)),
            ylim=(len(pairs) - 0.5, -0.6),
            yticklabels=[
                f"{_short(pair.a)} and {_short(pair.b)}" for pair in pairs.itertuples()
            ],
            xlabel=f"advantage of the first: its {metric.better} {metric}",
        )
        ax.tick_params(axis="y", length=0)
        ax.locator_params(axis="x", nbins=5)
    return fig


def _drawn_pairs(result: Result) -> pd.DataFrame:
    """Return the pairs with the largest differences."""
    sizes = result.pairs["difference"].abs()
    order = sizes.sort_values(ascending=False, kind="stable").index
    return result.pairs.loc[order[:_MOST_PAIRS]]


def _dots(result: Result, pair: Any) -> Array:
    """Return the differences of the runs, or on the data sets, that are drawn."""
    if not isinstance(result.data.design, _WITH_DOTS):
        return np.empty(0)
    differences = result.advantage(pair.a) - result.advantage(pair.b)
    runs = differences.mean(axis=1) if differences.ndim == 2 else differences
    step = max(1, math.ceil(len(runs) / _MOST_DOTS))
    return runs[::step]


def _draw_pair(ax: "Axes", row: int, pair: Any, dots: Array) -> None:
    color = BLUE if pair.decision else GREY
    if dots.size:
        height = np.full(len(dots), row - 0.25)
        ax.plot(dots, height, "o", color=GREY, ms=3.5, alpha=0.6)
    interval = [pair.low, pair.high]
    ax.plot(interval, [row, row], color=color, lw=2.5, solid_capstyle="butt")
    ax.plot(pair.difference, row, "D", color=color, ms=6)


def _short(name: str) -> str:
    if len(name) <= _MOST_LETTERS:
        return name
    return f"{name[: _MOST_LETTERS - 1]}…"


def caption(result: Result) -> str:
    """Describe the picture."""
    n_drawn = min(len(result.compared), _MOST_PAIRS)
    n_rest = len(result.compared) - n_drawn
    pairs = "each pair" if n_drawn > 1 else "the pair"
    level = confidence(1 - result.level)
    metric = result.data.metric
    text = [
        f"The difference in {metric} of {pairs} with its {level} interval, next to zero."
    ]
    if isinstance(result.data.design, _WITH_DOTS):
        text.append("Grey dots are runs.")
    if result.equivalence is not None:
        text.append(f"The band is the margin of equivalence, {result.equivalence:g}.")
    if n_rest:
        text.append(f"The {n_rest} pairs with smaller differences are not drawn.")
    return " ".join(text)


def as_svg(fig: "Figure", alt: str) -> str:
    """Return a figure as SVG whose colours are those of the page, light or dark."""
    import matplotlib as mpl

    buffer = io.StringIO()
    settings: dict[Any, Any] = {
        "svg.hashsalt": "replib",  # gives the parts the same names each time
        "svg.fonttype": "none",  # letters of all scripts, by the fonts of the reader
    }
    with _DRAWING, mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        fig.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    svg = text[text.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for color, variable in _VARIABLES.items():
        svg = svg.replace(color, variable)
    label = html.escape(alt)
    opening = f'<svg role="img" aria-label="{label}" fill="currentColor" '
    return svg.replace("<svg ", opening, 1)
