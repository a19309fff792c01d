"""The picture of a result, for which Matplotlib must be installed."""

import html
import io
import math
import re
import textwrap
import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from replib._numbers import confidence
from replib._presentation import standings
from replib._validation import Array, check_choice
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
#: Width in inches: that of a column of a paper, and of a phone.
_WIDTH = 4.75
#: Most bars that are drawn beside the models.
_MOST_BARS = 12
#: Most pairs that are drawn; the table has them all.
_MOST_PAIRS = 15
#: Most runs of a pair that are drawn as dots.
_MOST_DOTS = 200
#: Most letters of a name beside the axis.
_MOST_LETTERS = 18
#: Most letters in a line below the axis, beside which stand the names of two models.
_MOST_LETTERS_BELOW = 26
#: What is drawn as dots, by the design.
_DOTS = {CV: "runs", RandomSplits: "random splits", Datasets: "data sets"}
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


def kinds(result: Result) -> list[str]:
    """Return the kinds of pictures that a page shows, in their order."""
    return ["ranks", "pairs"] if standings.has_ranks(result) else ["pairs"]


def figure(result: Result, kind: str | None = None) -> "Figure":
    """Draw the models in their order, or the difference of each pair.

    Parameters
    ----------
    result : Result
    kind : {"ranks", "pairs"}, optional
        By default ranks for many models.

    Raises
    ------
    ModuleNotFoundError
        If Matplotlib is not installed; the message says how to install it.
    ValueError
        If there are no ranks, or the kind is unknown.
    """
    if kind is None:
        kind = "ranks" if standings.are_many(result) else "pairs"
    check_choice("kind", kind, ("ranks", "pairs"))
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "pictures need Matplotlib: pip install 'replib[report]'", name="matplotlib"
        ) from None
    with _DRAWING, mpl.rc_context(_STYLE):
        fig = Figure()
        ax = fig.subplots()
        if kind == "ranks":
            _draw_ranks(ax, result)
            height = 0.28 * len(result.mean_scores)
        else:
            _draw_pairs(ax, result)
            height = 0.45 * min(len(result.compared), _MOST_PAIRS)
        fig.set_size_inches(_WIDTH, 1.0 + height)
        ax.tick_params(axis="y", length=0)
        ax.locator_params(axis="x", nbins=5)
    return fig


def _draw_ranks(ax: "Axes", result: Result) -> None:
    """Draw the models, the best on top, and a bar along each set that is not separated."""
    places = _places(result)
    models = list(places.index)
    rows = range(len(models))
    ax.grid(axis="y", color=GREY, lw=0.5)
    ax.plot(places, rows, "o", color=BLUE, ms=5)
    spans = standings.contiguous_sets(result, models)[:_MOST_BARS]
    for i, (first, last) in enumerate(spans):
        # beside the axes, from the left to the right
        x = 1.03 + 0.03 * i
        ends = [first - 0.3, last + 0.3]
        transform = ax.get_yaxis_transform()
        ax.plot([x, x], ends, color=INK, lw=2.5, transform=transform, clip_on=False)
    ax.set(
        yticks=rows,
        ylim=(len(models) - 0.4, -0.6),
        yticklabels=[_short(model) for model in models],
        xlabel=textwrap.fill(str(places.name), 3 * _MOST_LETTERS_BELOW // 2),
    )


def _places(result: Result) -> "pd.Series[float]":
    """Return what the models are ordered by, the best first; its name says what it is."""
    metric = result.data.metric
    if isinstance(result.data.design, Datasets):
        # means over data sets need not have one unit
        ranks = result.ranks()["mean_rank"].sort_values(kind="stable")
        return ranks.rename("mean rank over data sets (1 is best)")
    return result.mean_scores.rename(f"mean {metric} ({metric.better} is better)")


def _draw_pairs(ax: "Axes", result: Result) -> None:
    """Draw the difference of each pair with its interval, its runs, and the margin."""
    pairs = _drawn_pairs(result)
    if result.equivalence is not None:
        margin = result.equivalence
        ax.axvspan(-margin, margin, color=GREY, alpha=0.2, lw=0)
    ax.axvline(0, color=INK, lw=1, ls=":")
    for row, pair in enumerate(pairs.itertuples()):
        _draw_pair(ax, row, pair, _dots(result, pair))
    metric = result.data.metric
    label = f"advantage of the first: its {metric.better} {metric}"
    ax.set(
        yticks=range(len(pairs)),
        ylim=(len(pairs) - 0.5, -0.6),
        yticklabels=[
            f"{_short(pair.a)} and {_short(pair.b)}" for pair in pairs.itertuples()
        ],
        xlabel=textwrap.fill(label, _MOST_LETTERS_BELOW),
    )


def _drawn_pairs(result: Result) -> pd.DataFrame:
    """Return the pairs with the largest differences."""
    sizes = result.pairs["difference"].abs()
    order = sizes.sort_values(ascending=False, kind="stable").index
    return result.pairs.loc[order[:_MOST_PAIRS]]


def _dots(result: Result, pair: Any) -> Array:
    """Return the differences of the runs, or on the data sets, that are drawn."""
    if type(result.data.design) not in _DOTS:
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


def caption(result: Result, kind: str) -> str:
    """Describe a picture."""
    return _caption_of_ranks(result) if kind == "ranks" else _caption_of_pairs(result)


def _caption_of_ranks(result: Result) -> str:
    """Say what the picture of ranks shows."""
    places = _places(result)
    spans = standings.contiguous_sets(result, list(places.index))
    bars = "Within a bar, no two models differ significantly"
    if not spans:
        bars = "There is no bar, as neighbours differ significantly"
    return (
        f"The {places.name} of each model. {bars}, after correction for all pairs; "
        "a set with a gap in this order has no bar."
    )


def _caption_of_pairs(result: Result) -> str:
    """Say what the picture of pairs shows."""
    n_drawn = min(len(result.compared), _MOST_PAIRS)
    n_rest = len(result.compared) - n_drawn
    pairs = "each pair" if n_drawn > 1 else "the pair"
    level = confidence(1 - result.level)
    metric = result.data.metric
    text = [
        f"The difference in {metric} of {pairs} with its {level} interval, next to zero."
    ]
    dots = _DOTS.get(type(result.data.design))
    if dots is not None:
        text.append(f"Grey dots are {dots}.")
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
