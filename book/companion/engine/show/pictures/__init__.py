"""Pictures: the house style, and one module of drawing functions for each part of the book.

A drawing function is decorated with `drawing.picture`, which makes the panels, hands
them over as the first argument, sets labels, limits and the legend, and returns the
figure; a chapter calls it with a tidy frame from `companion.papers` and displays the
figure with :func:`show`.  It says what is drawn, with the few helpers of `drawing`;
colours stand in `style` only.  It never computes anything that a study could return.

Figures are shown as inline SVG whose ink is the page's text colour and whose accents
are CSS variables, so that one picture is legible in light and in dark mode.  The
accents are safe for colour-blind readers and are never the only sign of a difference:
line styles, markers or direct labels show the same.
"""

from . import names
from .style import show

__all__ = ["names", "show"]
