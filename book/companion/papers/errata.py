"""The list of errata, and what a chapter shows beside it.

What is wrong in print is shown by a function beside what it corrects: in the module of that section
or table, its docstring begins with the id of the erratum in
:func:`companion.papers.published.errata`. It returns a tidy frame in which *printed* is what the
paper's formula, rule or sentence gives as it stands, beside the right value, found without either
wherever that is possible: by enumeration in exact fractions, or from the published tables
themselves.  What can only be read (a wrong line number, a sentence that stops) is returned as the
rows that a reader should compare.
"""

import pandas as pd

from companion.papers import published


def overview() -> pd.DataFrame:
    """The list for a table of contents: `id`, `paper`, `place`, `kind`, `certainty`, `printed`.

    >>> overview()["id"].iloc[0]
    'bouckaert2004.e01'
    """
    return published.errata()[["id", "paper", "place", "kind", "certainty", "printed"]]


def counts() -> pd.DataFrame:
    """How many errata each paper has by certainty, `all` of them, and how many `remarks` beside."""
    listed = published.errata()
    is_remark = listed["kind"] == "remark"
    found = listed[~is_remark]
    table = pd.crosstab(found["paper"], found["certainty"])
    table = table.reindex(list(published.PAPERS), fill_value=0).rename_axis(columns=None)
    table = table.rename_axis("paper").assign(all=table.sum(axis=1))
    remarks = listed.loc[is_remark, "paper"].value_counts()
    return table.assign(remarks=remarks.reindex(table.index, fill_value=0))
