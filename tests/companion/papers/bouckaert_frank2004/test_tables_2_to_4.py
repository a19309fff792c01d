"""Tables 2 to 4: what is wrong in print, read off the printed tables."""

import numpy as np
import pandas as pd

from companion.papers import ledger, uci
from companion.papers.bouckaert_frank2004 import section_3, tables_2_to_4


def test_e33_two_decreases_neither_in_the_last_row():
    table = tables_2_to_4.printed_table(2)
    found = tables_2_to_4.decreases(table)
    assert set(zip(found["pair"], found["measure"])) == {
        ("nb_c45", "consistent"),
        ("c45_nn", "almost_consistent"),
    }
    assert (found["before"] - found["after"] == 1).all()
    assert table.loc[("c45_nn", "replicability_R")].is_monotonic_increasing


def test_a_table_has_the_summaries_of_its_columns(made_up):
    frame = tables_2_to_4.table(3, made_up, alpha=0.2).set_index(
        ["pair", "measure", "column"]
    )
    accepted = section_3.acceptances(
        made_up, "cross_validation", "nb_nn", runs=2, alpha=0.2
    )
    ours = uci.judged_summaries(accepted)
    for measure, row in ours.iterrows():
        found = frame.loc["nb_nn", measure, "runs2"]
        assert np.isclose(found["rebuilt"], row["rebuilt"])
        assert np.isclose(found["published_error"], row["published_error"])
    assert not np.allclose(
        frame["rebuilt"], tables_2_to_4.table(3, made_up, alpha=0.01)["rebuilt"]
    )


def test_claims_hold_of_tables_made_to_hold_them():
    """Rows that rise between columns, with cross-validation ahead; and the same with a decrease."""

    def table(number, values):
        rows = []
        for pair in uci.PAIRS:
            for measure, scale in (
                ("consistent", 20),
                ("almost_consistent", 25),
                ("replicability_R", 1),
            ):
                columns = tables_2_to_4.columns(number)
                rows += [(pair, measure, c, scale * v) for c, v in zip(columns, values)]
        frame = pd.DataFrame(rows, columns=["pair", "measure", "column", "rebuilt"])
        return frame.assign(standard_error=0.02)

    plain = lambda mean: pd.DataFrame(
        {"pair": list(uci.PAIRS), "runs": 1, "rebuilt": mean, "standard_error": 0.2}
    )
    strata = pd.DataFrame({"difference": [0.01, -0.02], "deviation": [0.02, 0.02]})
    resampling, repeated = (
        table(2, [0.5, 0.6, 0.7, 0.8]),
        table(3, [0.6, 0.7, 0.8, 0.9]),
    )
    levels = table(4, [0.95, 0.94, 0.93, 0.92])
    claims = lambda *frames: tables_2_to_4.claims(*frames).set_index("id")["rebuilt"]
    right = claims(resampling, repeated, levels, plain(12.0), strata)
    of_print = ["bouckaert_frank2004.cl.01", "bouckaert_frank2004.cl.14"]
    assert right.drop(of_print).all() and not right[of_print].any()
    wrong = claims(
        repeated.assign(column=resampling["column"]),
        resampling.assign(column=repeated["column"]),
        table(4, [0.9] * 4),
        plain(10.0),
        strata.assign(deviation=0.019),
    )
    assert not wrong.any()
    noisy = claims(resampling, repeated, levels, plain(9.5), strata)
    assert noisy[
        "bouckaert_frank2004.cl.08"
    ]  # behind ten resamplings, but not significantly


def test_a_cell_is_judged_by_its_exact_chance(made_up):
    frame = tables_2_to_4.table(4, made_up)
    assert (frame["holds"] == (frame["chance"] > ledger.LEVEL)).all()
    counts = frame[frame["measure"] != "replicability_R"]
    assert not counts[
        "holds"
    ].any()  # the printed tables have 27 data sets, these have two
