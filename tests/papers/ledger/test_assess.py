"""One row for every fact, and which verdicts fell."""

import pandas as pd

from replib.papers import ledger, published

PRINTED = "berrar2024.ex01.p"  # 0.0488


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
    one = pd.DataFrame([{"id": PRINTED, "rebuilt": 0.0488}])
    assessed = ledger.assess(ledger.compare(one, chapter="t"))
    assert assessed.at["bouckaert2004.txt.cited_2of3", "verdict"] == "not comparable"
    assert assessed.at["bouckaert2004.txt_intro", "verdict"] == "not comparable"


def test_worse_names_exactly_the_verdicts_that_fell():
    before = pd.Series({"a": "exact", "b": "open", "c": "differs", "d": "exact"})
    now = pd.Series({"a": "differs", "b": "exact", "c": "differs", "d": "exact"})
    assert ledger.worse(now, before).index.tolist() == ["a"]
