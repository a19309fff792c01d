"""The book: chapters, their parameters and pictures, the command line.

What a chapter calls stands here:

>>> from replib import book
>>> card = book.card("estimators")
"""

from replib.book.chapters import card, check_parameters, current_ledger, glue

__all__ = ["card", "check_parameters", "current_ledger", "glue"]
