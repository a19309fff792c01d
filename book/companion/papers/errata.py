"""How errata are shown.

Each erratum is demonstrated by a function in the module of its section or table; the
docstring begins with the id of the erratum in
:func:`companion.papers.published.errata`. The function returns a tidy frame in which
*printed* is the result of the paper's formula, rule or sentence as it stands, next to
the right value.  Wherever possible, the right value is found without either formula: by
enumeration in exact fractions, or from the published tables themselves.  For an erratum
that can only be read (a wrong line number, a sentence that stops), the frame has the
rows that a reader should compare.
"""

import pandas as pd

from companion.papers import published


def printed(*facts: str) -> pd.DataFrame:
    """List facts for a reader to compare: `paper`, `where`, `quantity`, `printed`.

    >>> printed("bouckaert2005.txt.z")["printed"].item()
    '1.96'
    """
    columns = ["paper", "where", "quantity", "printed"]
    return published.facts().loc[list(facts), columns].reset_index(drop=True)
