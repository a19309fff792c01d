"""Table 1: winners by hand, data sets against Weka's files."""

from itertools import product

import numpy as np
import pandas as pd

from companion.papers import ledger, published, uci
from companion.papers.bouckaert_frank2004 import table_1
from replib import significance


def test_opposite_winners_by_hand(made_up):
    found = table_1.opposite_winners(made_up, alpha=0.6)
    expected = 0
    for (a, b), (name, one) in product(
        uci.PAIRS.values(), made_up["uci_five_by_two_cv"].items()
    ):
        accuracy = one.counts / uci.test_sizes("uci_five_by_two_cv", name)[:, None]
        for table in (accuracy[:10], accuracy[10:]):
            signs = set()
            for experiment in table:
                t, p = significance.five_by_two_cv_t(
                    experiment[..., a] - experiment[..., b]
                )
                signs.add(0 if p >= 0.6 else np.sign(t))
            expected += {1, -1} <= signs
    assert len(found) == expected > 0


def test_tables_without_opposite_winners_agree_but_have_no_part_in_the_median():
    winners = pd.DataFrame(
        {"table": [0, 0, 2], "a_better": [1, 2, 4], "b_better": [1, 1, 1]}
    )
    ours = pd.DataFrame({"replicas": [[0] * 4]})
    row = table_1._row_of_opposite_winners(winners, ours).iloc[0]
    assert row["rebuilt"] == 4  # of 3 and 5
    found = row["numbers"]
    assert (found["tables"], found["with_both"], found["as_printed"]) == (4, 2, 3)
    assert f"{found['most']}" == "3 to 5"
    none = table_1._row_of_opposite_winners(winners.iloc[:0], ours).iloc[0]
    assert (none["rebuilt"], none["numbers"]["as_printed"]) == (0, 4)


def test_every_row_of_table_1_has_its_own_data_set():
    sizes = table_1.data_sets()
    assert len(sizes) == 81 and sizes["id"].is_unique
    instances = sizes[sizes["column"] == "instances"]
    assert (instances["printed"] == instances["rebuilt"]).all()
    different = sizes[sizes["printed"] != sizes["rebuilt"]]
    assert set(different["dataset"]) == {"arrhythmia", "credit-rating", "ecoli"}
    assert (different["printed"] - different["rebuilt"] == 1).all()
    verdicts = ledger.counts(ledger.compare(sizes, chapter="uci_tests"))
    assert verdicts.to_dict() == {"recounted": 78, "erratum": 3}


def test_e11_estimates_below_one_half_have_four_to_six_acceptances():
    below = table_1.estimates_below_one_half()
    draws = table_1.printed_draws().to_numpy()
    assert (
        below["below_one_half"].iloc[0] == np.isin(draws, (4, 5, 6)).sum()
    )  # 20/45 and 21/45
    assert below["cells"].tolist() == [81, 243]


def test_the_rows_of_print_agree_with_print():
    verdicts = ledger.compare(table_1.rows_of_print(), chapter="estimators")["verdict"]
    assert ledger.counts(verdicts.to_frame()).to_dict() == {
        "exact": 1,
        "holds": 2,
        "recounted": 14,
        "erratum": 1,
    }


def test_rows_and_zeros_by_hand():
    draws = pd.DataFrame(
        {
            "pair": ["nb_c45", "nb_c45", "nb_nn", "nb_nn"],
            "dataset": ["vehicle", "iris", "vehicle", "iris"],
            "probability": [0.1, 0.5, 0.0, 0.0],
            "replicas": [[0, 1, 0], [10, 10, 9], [0, 0, 10], [10, 0, 1]],
        }
    )
    assert table_1.rows_with_an_inconsistent_cell(draws).tolist() == [0, 1, 1]
    right = 0.9**10 * (1 - 0.5**10)  # vehicle never accepts, iris does at least once
    assert np.isclose(table_1.only_vehicle(draws), 100 * right)


def test_the_table_in_its_own_form_has_all_that_is_printed():
    counts = table_1.printed_draws().rename_axis("dataset", axis=0)
    draws = counts.rename_axis("pair", axis=1).stack().rename("printed").reset_index()
    bottom = pd.DataFrame(
        [
            (
                measure,
                pair,
                published.value(f"bouckaert_frank2004.tab01.{measure}.{pair}"),
            )
            for measure in table_1.MEASURES
            for pair in uci.PAIRS
        ],
        columns=["measure", "pair", "printed"],
    )
    whole = table_1.side_by_side(draws.assign(rebuilt=4.96), bottom.assign(rebuilt=0.5))
    assert whole.shape == (27 + 3, 7)
    assert list(whole.columns[4:]) == list(uci.PAIRS)
    body = whole.iloc[:27].set_index("data set")
    printed = body[list(uci.PAIRS)].map(lambda text: int(text.partition(" ")[0]))
    assert (printed == table_1.printed_draws()).all(axis=None)
    sizes = table_1.data_sets().pivot(
        index="dataset", columns="column", values="printed"
    )
    assert (body[list(sizes.columns)] == sizes.loc[body.index]).all(axis=None)
    below = whole.iloc[27:].set_index("data set")
    assert below.at["consistent", "nb_c45"] == "9 (0.5)"
    assert below.at["replicability R", "c45_nn"].endswith(" (0.500)")
    assert body["nb_nn"].str.endswith(" (5.0)").all()
    assert (below["instances"] == "").all()
