"""Ledger rows from tables of what is rebuilt."""

from collections.abc import Mapping

import numpy as np
import pandas as pd


def rows(
    paper: str, rebuilt: Mapping[str, object], **columns: Mapping[str, object]
) -> pd.DataFrame:
    """Make ledger rows of rebuilt values, or of pairs of a value and its standard error, by id.

    Ids are without the paper's prefix.  Further columns of :func:`compare` (`note`,
    `erratum`, `holds`, ...) are mappings from some of these ids.
    """
    pairs = {
        key: one if isinstance(one, tuple) else (one, np.nan)
        for key, one in rebuilt.items()
    }
    frame = pd.DataFrame(
        {
            "id": [f"{paper}.{key}" for key in pairs],
            "rebuilt": pd.Series([value for value, _ in pairs.values()], dtype=object),
            "standard_error": [error for _, error in pairs.values()],
        }
    )
    for name, values in columns.items():
        if unknown := values.keys() - pairs.keys():
            raise ValueError(
                f"{name} names what is not rebuilt here: {', '.join(sorted(unknown))}"
            )
        frame[name] = pd.Series([values.get(key) for key in pairs], dtype=object)
    return frame
