"""The book: chapters, their parameters and pictures, the command line.

Names that a chapter uses are here:

>>> from companion import engine as book
>>> card = book.card("estimators")
"""

import sys

# jsonschema, which nbformat imports, compiles a grammar of internationalised addresses
# if this package is installed: three seconds per process, for a format that no notebook
# uses.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

from companion.engine.build.outputs import current_rows  # noqa: E402
from companion.engine.show.bets import bet, bets  # noqa: E402
from companion.engine.show.display import (  # noqa: E402
    card,
    check_parameters,
    disagreements,
    facts,
    glue,
    ledger,
    table,
)
from companion.engine.show.seeds import all_or_none, words, your_seed  # noqa: E402
from companion.engine.show.tables import show_in_words  # noqa: E402
from replib._numbers import p_value, with_minus  # noqa: E402

__all__ = [
    "all_or_none",
    "bet",
    "bets",
    "card",
    "check_parameters",
    "current_rows",
    "disagreements",
    "facts",
    "glue",
    "ledger",
    "p_value",
    "table",
    "with_minus",
    "words",
    "your_seed",
]

show_in_words()
