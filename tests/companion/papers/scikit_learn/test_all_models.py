"""The table of all pairs: order, adjustment, and what another level would say."""

import numpy as np
import pandas as pd
import pytest

from companion.papers.scikit_learn import all_models

SCORES = pd.DataFrame(
    np.random.default_rng(3).normal([0.9, 0.7, 0.8, 0.5], 0.1, size=(100, 4)),
    columns=["linear", "3_poly", "rbf", "2_poly"],
)


def test_pairs_are_in_the_order_of_the_scores():
    table = all_models.table_4(SCORES)
    assert table.index[0] == "linear.rbf" and len(table) == 6
    assert (table["t"] >= 0).all()
    assert table[["worse", "better", "rope"]].sum(axis=1).tolist() == pytest.approx(
        [1] * 6
    )


def test_a_one_sided_p_is_adjusted_for_six_tests_and_at_most_one():
    equal = SCORES - SCORES.mean()
    assert (all_models.table_4(equal)["p"] == 1).all()


def test_the_claims_need_their_level():
    rows = all_models.ledger_rows().set_index("id")["rebuilt"]
    assert rows["scikit_learn.cl.06"] is True or rows["scikit_learn.cl.06"]
    lax = all_models.ledger_rows(alpha=0.5).set_index("id")["rebuilt"]
    assert not lax["scikit_learn.cl.06"]
