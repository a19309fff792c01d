"""Study #4 of Berrar (2024)."""

import numpy as np
import pytest
from scipy import stats

from companion import stored
from companion.papers import ledger, published
from companion.papers.berrar2024 import study_4, summary


def test_e43_table_1_needs_more_than_twenty_features():
    text, algorithm, figure, table = study_4.groups_of_study_4()["up to"]
    assert text == 20 < table == 24 <= algorithm == figure == 30


def test_e44_no_t_that_rounds_to_the_printed_one_gives_the_printed_digit():
    frame = study_4.last_digit_of_study_4()
    t = np.linspace(2.26185, 2.26195, 21)
    right = stats.nct.sf(stats.t.isf(0.025, 9), 9, t)
    printed = published.value("berrar2024.s4.P11")
    assert (right.round(4) == round(printed - 0.0001, 4)).all()
    assert frame["exact critical value"].to_numpy() == pytest.approx(right[[0, 10, 20]])
    assert (frame["critical value 2.262"].round(4) == printed).all()


@pytest.fixture(scope="module")
def results() -> dict:
    return {name: stored.load(name) for name in summary.NEEDS}


def test_the_study_is_reproduced_only_with_the_forest_that_was_chosen_to_fit(
    results, few_draws
):
    numbers = [
        f"berrar2024.{fact}"
        for fact in (
            "s4.T11",
            "s4.p11",
            "s4.F11",
            "s4.n_sig11",
            "fig14.p24",
            "fig14.F24",
            "fig14.P24",
        )
    ]
    ten_trees = summary.with_ten_trees(results)
    for given, verdict, holds in (
        (results, "differs", False),
        (ten_trees, "within noise", True),
    ):
        judged = ledger.compare(
            study_4.ledger_rows(results=given), chapter="test"
        ).set_index("id")
        assert (judged.loc[numbers, "verdict"] == verdict).all()
        assert judged.loc[numbers, "note"].str.contains("chosen because they fit").all()
        assert judged.at["berrar2024.cl.06", "rebuilt"] == holds
