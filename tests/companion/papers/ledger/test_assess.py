"""One row for every fact, and the verdicts that became worse."""

import pandas as pd

from companion.papers import ledger, published

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
    assert without_one.at["berrar2024.ex03", "chapter"] == "test"


def test_a_cited_number_is_not_open_and_does_not_hold_up_its_item():
    one = pd.DataFrame([{"id": PRINTED, "rebuilt": 0.0488}])
    assessed = ledger.assess(ledger.compare(one, chapter="t"))
    assert assessed.at["bouckaert2004.txt.cited_2of3", "verdict"] == "not comparable"
    assert assessed.at["bouckaert2004.txt_intro", "verdict"] == "not comparable"


def test_worse_names_exactly_the_verdicts_that_fell():
    before = pd.Series({"a": "exact", "b": "open", "c": "differs", "d": "exact"})
    now = pd.Series({"a": "differs", "b": "exact", "c": "differs", "d": "exact"})
    assert ledger.worse(now, before).index.tolist() == ["a"]


def test_of_two_rows_of_a_fact_the_worse_stays_and_counts_are_in_order():
    one, other = (
        ledger.compare(pd.DataFrame([{"id": PRINTED, "rebuilt": value}]), chapter=chapter)
        for value, chapter in ((0.0488, "a"), (0.07, "b"))
    )
    for rows in ((one, other), (other, one)):
        assert ledger.worst(pd.concat(rows))["chapter"].tolist() == ["b"]
    both = pd.concat([other, one], ignore_index=True)
    assert list(ledger.counts(both).items()) == [("exact", 1), ("differs", 1)]
    assert not ledger.worse(pd.Series({"a": "exact"}), pd.Series({"a": "exact", "b": "open"})).size


def test_an_item_with_a_check_of_its_own_is_no_better_than_that():
    values = published.values("berrar2024.ex03")
    rows = [{"id": i, "rebuilt": v} for i, v in zip(values["value_id"], values["value"])]
    own = {"id": "berrar2024.ex03", "rebuilt": False, "note": "by hand"}
    assessed = ledger.assess(ledger.compare(pd.DataFrame([*rows, own]), chapter="test"))
    assert assessed.at["berrar2024.ex03", "verdict"] == "differs"
    assert assessed.at["berrar2024.ex03", "note"] == "by hand"
    assert assessed.at["berrar2024.ex02", "verdict"] == "open"
    assert assessed.at["berrar2024.ex02", "chapter"] == assessed.at["berrar2024.ex02", "note"] == ""


def test_an_item_that_a_chapter_checked_belongs_to_that_chapter():
    value = published.values("berrar2024.ex03").iloc[0]
    parts = pd.DataFrame([{"id": value["value_id"], "rebuilt": value["value"]}])
    own = pd.DataFrame([{"id": "berrar2024.ex03", "rebuilt": True}])
    both = [ledger.compare(parts, chapter="parts"), ledger.compare(own, chapter="own")]
    assessed = ledger.assess(pd.concat(both, ignore_index=True))
    assert assessed.at["berrar2024.ex03", "chapter"] == "own"
    assert assessed.at[value["value_id"], "chapter"] == "parts"


def test_the_count_by_paper_has_every_fact_once_and_every_verdict():
    one = pd.DataFrame([{"id": PRINTED, "rebuilt": 0.0488}])
    assessed = ledger.assess(ledger.compare(one, chapter="t"))
    table = ledger.counts_by_paper(assessed)
    assert table.to_numpy().sum() == len(assessed)
    assert tuple(table.columns) == ledger.VERDICTS
    assert table.at[("berrar2024", "value"), "exact"] == 1
    papers = list(dict.fromkeys(table.index.get_level_values("paper")))
    assert papers == list(published.PAPERS)


def test_facts_that_say_one_thing_count_once():
    count, share = "berrar2024.s3.n_sig3", "berrar2024.s3.F3"
    rows = pd.DataFrame([{"id": count, "rebuilt": 1.0}, {"id": share, "rebuilt": 0.001},
                         {"id": PRINTED, "rebuilt": 0.0488}])
    assessed = ledger.assess(ledger.compare(rows, chapter="t"))
    assert assessed.loc[[count, share, PRINTED], "independent"].tolist() == [count, count, PRINTED]
    assert (assessed["verdict"] == "differs").sum() == 2
    assert len(ledger.disagreements(assessed)) == 1
    assert ledger.expected_by_chance(assessed) == ledger.LEVEL
    items = assessed["kind"] == "item"
    assert (assessed.loc[items, "independent"] == "").all()


def test_what_repeats_a_fact_repeats_one_that_stands_for_itself():
    facts = published.facts()
    said_again = [fact for fact in facts.index if published.independent(fact) != fact]
    assert len(said_again) > 30
    for fact in said_again:
        first = published.independent(fact)
        assert published.independent(first) == first
        assert facts.at[first, "paper"] == facts.at[fact, "paper"]
