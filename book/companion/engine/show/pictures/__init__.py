"""Pictures: the house style, and one module of drawing functions for each part of the book.

A drawing function takes a tidy frame from `companion.papers` and returns a Matplotlib figure; a
chapter displays it with :func:`show`.  It is decorated with `in_house_style` and never computes
anything that a study could return.

Figures are shown as inline SVG whose ink is the page's text colour and whose accents are CSS
variables, so that one picture is legible in light and in dark mode.  The accents are safe for
colour-blind readers and are never the only sign of a difference: line styles, markers or direct
labels show the same.
"""

from . import names
from .style import show

__all__ = ["names", "show"]
