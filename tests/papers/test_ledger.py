"""Verdicts: each of the rules, at and on either side of its boundary."""

import pandas as pd
import pytest

from replib.papers import ledger, published

PRINTED = "berrar2024.ex01.p"  # 0.0488: four decimals
MONTE_CARLO = "bouckaert2004.tab01.ranksum.resampling.source1"  # 14.8, half-width 0.4


def verdict(**row) -> str:
    return ledger.compare(pd.DataFrame([row]), chapter="test")["verdict"].item()


@pytest.mark.parametrize("rebuilt, expected", [
    (0.0488, "exact"), (0.04875, "exact"), (0.04885, "exact"),
    (0.0487499, "differs"), (0.0488501, "differs"), (-0.0488, "differs"),
])
def test_a_formula_agrees_to_the_last_printed_digit(rebuilt, expected):
    assert verdict(id=PRINTED, rebuilt=rebuilt) == expected


@pytest.mark.parametrize("rebuilt, expected", [
    (14.8, "within noise"), (15.6, "within noise"), (16.2, "differs"), (13.4, "differs"),
])
def test_monte_carlo_agrees_within_three_joint_standard_errors(rebuilt, expected):
    # half a digit is 0.05; the joint error is hypot(0.4/1.96, 0.2) = 0.286
    assert verdict(id=MONTE_CARLO, rebuilt=rebuilt, standard_error=0.2) == expected


def test_an_error_of_the_print_can_be_supplied_where_none_is_printed():
    far = dict(id="berrar2024.g3.F_b", rebuilt=0.56, standard_error=0.001)
    assert verdict(**far) == "differs"
    assert verdict(**far, published_error=0.016) == "within noise"


def test_an_exact_value_is_judged_by_the_noise_of_the_print():
    simulated = dict(id="berrar2024.g3.F_b", rebuilt=0.56)
    assert verdict(**simulated) == "differs"
    assert verdict(**simulated, published_error=0.016) == "within noise"
    assert verdict(**simulated, published_error=0.005) == "differs"


def test_an_erratum_needs_a_disagreement():
    known = "berrar2024.e36"
    assert verdict(id="berrar2024.ex01.P_b", rebuilt=0.5696, erratum=known) == "erratum"
    assert verdict(id="berrar2024.ex01.P_b", rebuilt=0.5746, erratum=known) == "exact"


def test_claims_items_and_bounds_hold_or_fail():
    assert verdict(id="berrar2024.cl.01", rebuilt=True) == "exact"
    assert verdict(id="berrar2024.cl.01", rebuilt=False) == "differs"
    bound = dict(id="bouckaert_frank2004.txt.almost_lt", rebuilt=62.9)
    assert verdict(**bound, holds=True) == "exact"
    assert verdict(**bound, holds=False) == "differs"


def test_unpublished_inputs_and_rows_without_comparison():
    assert verdict(id=PRINTED, rebuilt=0.0488, in_kind="its seeds are unpublished") == "in kind"
    assert verdict(id=PRINTED, rebuilt=1.0, not_comparable="of another scale") == "not comparable"


@pytest.mark.parametrize("frame, said", [
    (pd.DataFrame({"id": ["nothing"], "rebuilt": [1.0]}), "not among the published"),
    (pd.DataFrame({"id": [PRINTED] * 2, "rebuilt": [1.0, 2.0]}), "rebuilt twice"),
    (pd.DataFrame({"id": [PRINTED], "rebuilt": [1.0], "erratum": ["e99"]}), "not in the list"),
])
def test_bad_frames_are_refused(frame, said):
    with pytest.raises(ValueError, match=said):
        ledger.compare(frame, chapter="test")


def test_every_fact_has_one_row_and_an_item_is_as_good_as_its_worst_part():
    values = published.values("berrar2024.ex03")
    rows = [{"id": i, "rebuilt": v} for i, v in zip(values["value_id"], values["value"])]
    assessed = ledger.assess(ledger.compare(pd.DataFrame(rows), chapter="test"))
    assert list(assessed.index) == list(published.facts().index)
    assert assessed.at["berrar2024.ex03", "verdict"] == "exact"
    assert assessed.at["berrar2024.ex03", "chapter"] == "test"
    rows[0]["rebuilt"] = 99.0
    assessed = ledger.assess(ledger.compare(pd.DataFrame(rows), chapter="test"))
    assert assessed.at["berrar2024.ex03", "verdict"] == "differs"
    without_one = ledger.assess(ledger.compare(pd.DataFrame(rows[1:]), chapter="test"))
    assert without_one.at["berrar2024.ex03", "verdict"] == "open"


def test_a_cited_number_is_not_open_and_does_not_hold_up_its_item():
    assessed = ledger.assess(ledger.compare(pd.DataFrame([{"id": PRINTED, "rebuilt": 0.0488}]), chapter="t"))
    assert assessed.at["bouckaert2004.txt.cited_2of3", "verdict"] == "not comparable"
    assert assessed.at["bouckaert2004.txt_intro", "verdict"] == "not comparable"


def test_worse_names_exactly_the_verdicts_that_fell():
    before = pd.Series({"a": "exact", "b": "open", "c": "differs", "d": "exact"})
    now = pd.Series({"a": "differs", "b": "exact", "c": "differs", "d": "exact"})
    assert ledger.worse(now, before).index.tolist() == ["a"]
