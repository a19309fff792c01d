"""The house style: sizes, inks, and the output of a figure to the page."""

import hashlib
import html
import io
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from . import kept_figures

# Colours of the light page.  `show` turns each into a CSS variable with this value as
# its default; book/_static/replib.css has those of the dark page.  INK and PAPER become
# the page's colours.
INK = "#010101"
PAPER = "#fefefe"
BLUE = "#0072b2"
RED = "#c84a00"
GREEN = "#00805e"
PURPLE = "#a5488c"
AMBER = "#b07500"
GREY = "#777d86"
_VARIABLES = {
    INK: "currentColor",
    PAPER: "var(--pst-color-background, #ffffff)",
    BLUE: f"var(--replib-blue, {BLUE})",
    RED: f"var(--replib-red, {RED})",
    GREEN: f"var(--replib-green, {GREEN})",
    PURPLE: f"var(--replib-purple, {PURPLE})",
    AMBER: f"var(--replib-amber, {AMBER})",
    GREY: f"var(--replib-grey, {GREY})",
    # Matplotlib's defaults for ink and paper
    "#000000": "currentColor",
    "#ffffff": "var(--pst-color-background, #ffffff)",
}

#: Accents, each with its line style, for pictures with several series.
SERIES = (
    (BLUE, "-"),
    (RED, "--"),
    (GREEN, "-."),
    (PURPLE, (0, (1, 1))),
    (AMBER, (0, (5, 1, 1, 1, 1, 1))),
    (GREY, (0, (3, 2))),
)

#: Shades of an amount, and steps from too little (blue) to too much (red) about a
#: desired range.
SHADES = "cividis"
STEPS = ("#08519c", "#6baed6", "#e8e4d8", "#e0955c", "#a03000")

#: Width in inches: 342 points in the 358 CSS pixels of the column of a phone.
COLUMN = 4.75

#: Size in points of ticks, legends and notes, which are 10.5 CSS pixels high there.  No
#: letters are smaller (`.ci/open_pages.py` checks this).
SMALL = 10.1

#: Width in inches of a table of digits: it scrolls on a phone, where
#: `.replib-wide` keeps it 560 CSS pixels wide and its letters of 9 pt above 10.5 pixels.
WIDE = 6.5

_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.labelsize": 11,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.title_fontsize": SMALL,
    "legend.columnspacing": 1,
    "legend.handletextpad": 0.4,
    "legend.frameon": False,
    "figure.labelsize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.facecolor": "none",
    "axes.prop_cycle": mpl.cycler(
        color=[c for c, _ in SERIES], linestyle=[s for _, s in SERIES]
    ),
    "figure.facecolor": "none",
    "figure.constrained_layout.use": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "lines.linewidth": 1.8,
    "savefig.facecolor": "none",
    "path.simplify_threshold": 0.2,  # points that move a line by less, in 1/72 inch, are left out
    "axes.formatter.min_exponent": 5,  # a power only if the number would be long
    "svg.fonttype": "none",  # text that can be searched, selected and read aloud
    "svg.hashsalt": "replib",
}


_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))

# Fallbacks of the same width, for a page without the book's style sheet.
_FONTS = "'DejaVu Sans',Verdana,sans-serif"

#: Decorator of a drawing function: all that it draws, also legends and labels, has the
#: house style.
in_house_style = mpl.rc_context(_STYLE)


class show:
    """A figure as the last expression of a cell, with an alternative text.

    Parameters
    ----------
    fig : Figure
    alt : str
        What a reader who cannot see the figure should know about it: its axes and its
        message.

    Raises
    ------
    ValueError
        If `alt` is empty.
    """

    def __init__(self, fig: Figure, *, alt: str):
        if not alt.strip():
            raise ValueError(
                "a figure needs an alternative text that says what it shows"
            )
        self.alt = " ".join(alt.split())
        self.width = fig.get_figwidth()
        buffer = io.StringIO()
        with mpl.rc_context(_STYLE):
            fig.savefig(buffer, format="svg", metadata=_NO_METADATA)
        self.svg = self._themed(buffer.getvalue())
        kept_figures.keep(fig, self.alt, self._repr_html_())
        plt.close(fig)

    def _themed(self, svg: str) -> str:
        # only the element itself, without its rules, which would hold for the whole
        # page
        svg = re.sub("<style.*?</style>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
        # several figures share a page: their marks and clip paths must not share names
        digest = hashlib.sha1(svg.encode(), usedforsecurity=False).hexdigest()
        svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\1f{digest[:6]}-", svg)
        for color, variable in _VARIABLES.items():
            svg = svg.replace(color, variable)
        svg = re.sub("font-family: 'DejaVu Sans';? ?", "", svg)
        # text without its own colour takes that of the page
        size = (
            f'style="max-width: {self.width:.2f}in; fill: currentColor; font-family: {_FONTS}; '
            f'stroke-linejoin: round" '
            f'role="img" aria-label="{html.escape(self.alt)}"'
        )
        svg = re.sub(r'<svg ([^>]*?)height="[^"]*"', r"<svg \1", svg, count=1)
        return re.sub(r'width="[^"]*"', size, svg, count=1)

    def _repr_html_(self) -> str:
        wide = " replib-wide" if self.width > COLUMN + 0.1 else ""
        return f'<div class="replib-figure{wide}">{self.svg}</div>'

    def __repr__(self) -> str:
        return f"Figure: {self.alt}"
