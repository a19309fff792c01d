"""The book: chapters, their parameters and pictures, the command line.

What a chapter calls stands here:

>>> from replib import book
>>> card = book.card("estimators")
"""

import sys

# jsonschema, which nbformat imports, compiles a grammar of internationalised addresses wherever
# this package is installed: three seconds of each process, for a format that no notebook has.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

from replib.book.display import (  # noqa: E402
    card,
    check_parameters,
    errata_list,
    glue,
    ledger,
    scoreboard,
    table,
)
from replib.book.executed import current_ledger, current_rows  # noqa: E402
from replib.book.tables import show_in_words  # noqa: E402

__all__ = [
    "card", "check_parameters", "current_ledger", "current_rows", "errata_list", "glue", "ledger",
    "scoreboard",
    "table",
]

show_in_words()
