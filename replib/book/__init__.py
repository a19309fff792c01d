"""The book: chapters, their parameters and pictures, the command line.

What a chapter calls stands here:

>>> from replib import book
>>> card = book.card("estimators")
"""

from replib.book.display import (
    card,
    check_parameters,
    errata_list,
    glue,
    ledger,
    scoreboard,
    table,
)
from replib.book.executed import current_ledger, current_rows

__all__ = [
    "card", "check_parameters", "current_ledger", "current_rows", "errata_list", "glue", "ledger",
    "scoreboard",
    "table",
]
