"""Pictures: the house style, and one module of drawing functions for each part of the book.

A drawing function takes a tidy frame of `companion.papers` and returns a Matplotlib figure; a
chapter shows it with :func:`show`.  It is decorated with `in_house_style` and never computes what a
study could return.

Figures are shown as inline SVG whose ink is the page's own text colour and whose accents are CSS
variables, so that one picture reads well in light and in dark.  The accents are safe for
colour-blind readers and are never the only carrier of a difference: line styles, markers or direct
labels say the same.
"""

from . import names
from .style import show

__all__ = ["names", "show"]
