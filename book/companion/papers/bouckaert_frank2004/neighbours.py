"""Which of Weka's nearest neighbours the papers of 2004 used: IB1 or IBk.

Both papers compare "the nearest neighbor classifier, with default settings as
implemented in Weka", which had two of them.  Of several equally near training
instances, IB1 takes "the first one found", as its documentation says, and IBk lets all
of them vote.  Neither is named, so the choice is made on the printed counts of one pair
of learners, C4.5 and the nearest neighbour, and judged on the other.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.papers import uci
from companion.papers.bouckaert2004 import table_2
from companion.papers.bouckaert_frank2004 import table_1, tables_2_to_4

#: The stored runs that the functions take.
NEEDS = (
    "uci_five_by_two_cv",
    "uci_five_by_two_cv_first_neighbour",
    "uci_five_by_two_cv_weka_order",
    "uci_cross_validation",
    "uci_cross_validation_first_neighbour",
    "uci_cross_validation_weka_order",
)

#: The candidates, and IB1 with the instances in random order, for comparison.
IBK, IB1, IB1_SHUFFLED = "IBk, all vote", "IB1, Weka's order", "IB1, random order"

#: Tests on sorted runs whose rule is not in doubt (e54).
_TESTS = ("ranksum", "t")


def candidates(results: Mapping[str, uci.Results]) -> dict[str, dict[str, uci.Results]]:
    """Return the stored experiments with each nearest neighbour."""
    return {
        IBK: dict(results),
        IB1_SHUFFLED: {**results, **uci.first_neighbour(results)},
        IB1: uci.as_judged(results),
    }


def evidence(
    results: Mapping[str, uci.Results], *, alpha: float = 0.05
) -> pd.DataFrame:
    """Return how probable each candidate makes the printed counts of each pair of learners.

    Decimal logarithms, as if the counts were independent.  Indexed by `candidate` and
    `pair`: ``five_by_two_cv`` (Table 1 of Bouckaert and Frank 2004), ``sorted_runs``
    (Table 2 of Bouckaert 2004, two tests) and ``both``.
    """
    rows = {}
    for candidate, of_candidate in candidates(results).items():
        draws = table_1.draws(of_candidate, alpha=alpha)
        chance = np.array(
            [law[printed] for law, printed in zip(draws["law"], draws["printed"])]
        )
        five = pd.Series(np.log10(chance)).groupby(draws["pair"]).sum()
        samples = table_2.samples(of_candidate["uci_cross_validation"])
        cells = table_2.cells(table_2.counts(samples, alpha=alpha))
        cells = cells[cells["test"].isin(_TESTS)]
        runs = np.log10(cells["probability"]).groupby(cells["pair"]).sum()
        for pair in ("c45_nn", "nb_nn"):
            rows[candidate, pair] = {
                "five_by_two_cv": five[pair],
                "sorted_runs": runs[pair],
                "both": five[pair] + runs[pair],
            }
    return pd.DataFrame(rows).T.rename_axis(["candidate", "pair"])


def by_level(results: Mapping[str, uci.Results]) -> pd.DataFrame:
    """Return Table 4 with both candidates, and with IB1 in random order: means of our tables.

    One row per pair, level and measure; columns `printed` and those of
    :func:`candidates`.
    """
    tables = {
        name: tables_2_to_4.table(4, of_candidate).set_index(
            ["pair", "measure", "alpha"]
        )
        for name, of_candidate in candidates(results).items()
    }
    printed = tables[IBK]["printed"]
    means = pd.DataFrame({name: table["rebuilt"] for name, table in tables.items()})
    frame = pd.concat([printed, means], axis=1).drop(index="nb_c45", level="pair")
    return frame.reset_index().rename(columns={"alpha": "level"})
