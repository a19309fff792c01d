"""One row for every fact, and the verdicts that became worse."""

import pandas as pd
import pytest

from companion.engine.build import chapters
from companion.papers import ledger, published

PRINTED = "berrar2024.ex01.p"  # 0.0488


@pytest.fixture(scope="module")
def committed() -> pd.Series:
    return pd.read_csv(chapters.ROOT / "book" / "ledger.csv", index_col="id")["verdict"]


def test_every_fact_has_one_row_and_an_item_is_as_good_as_its_worst_part():
    values = published.values("berrar2024.ex03")
    rows = [
        {"id": i, "rebuilt": v} for i, v in zip(values["value_id"], values["value"])
    ]
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
    rows[0]["not_comparable"] = "a random number that no error is known of"
    assessed = ledger.assess(ledger.compare(pd.DataFrame(rows), chapter="test"))
    assert assessed.at["berrar2024.ex03", "verdict"] == "exact"


def test_a_cited_number_is_not_open_and_does_not_hold_up_its_item():
    one = pd.DataFrame([{"id": PRINTED, "rebuilt": 0.0488}])
    assessed = ledger.assess(ledger.compare(one, chapter="t"))
    assert assessed.at["bouckaert2004.txt.cited_2of3", "verdict"] == "not comparable"
    assert assessed.at["bouckaert2004.txt_intro", "verdict"] == "not comparable"


def test_a_failed_claim_is_listed_once_with_what_was_found():
    one = pd.DataFrame([{"id": PRINTED, "rebuilt": 0.0488}])
    assessed = ledger.assess(ledger.compare(one, chapter="t")).assign(verdict="holds")
    assert ledger.failed_claims(assessed).empty
    same = ["bouckaert2004.cl.08", "bouckaert2004.cl.21"]
    assessed.loc[same, ["verdict", "note"]] = "differs", "ten settings exceed it"
    assessed.loc["scikit_learn.cl.05", "verdict"] = "erratum"
    assessed.loc[PRINTED, "verdict"] = "differs"  # a number, not a claim
    found = ledger.failed_claims(assessed)["found"]
    assert list(found.index) == ["bouckaert2004.cl.08", "scikit_learn.cl.05"]
    assert found.iloc[0] == "ten settings exceed it"
    assert found.iloc[1].startswith("two one-sided corrected t tests")


def of_committed(committed: pd.Series) -> pd.DataFrame:
    """Return committed verdicts in the form of `ledger.assess`, without notes."""
    facts = published.facts()
    independent = facts.index.map(published.independent)
    return facts.assign(verdict=committed, independent=independent, note="")


def test_each_failed_claim_is_told_in_words_without_numbers(committed):
    failed = ledger.failed_claims(of_committed(committed))
    words = published.judgements()
    assert len(failed) > 15
    for column in ("in_words", "finding", "change"):
        assert set(failed.index) == set(words[column])
        sentences = failed[column]
        assert sentences.str.fullmatch("[A-Z].*[.]").all(), column
        # what we find is in words: its numbers are in the ledger
        if column != "in_words":
            named = sentences.str.replace("C4.5", "", regex=False)
            assert not named.str.contains(r"\d[.\d]*%|\d[.]\d").any(), column


def test_failed_claims_are_sorted_by_what_they_change(committed):
    failed = ledger.failed_claims(of_committed(committed))
    rank = failed["weight"].map(ledger.WEIGHTS.index)
    assert rank.is_monotonic_increasing and set(rank) == {0, 1, 2}
    in_file = [
        fact for fact in published.judgements()["weight"] if fact in failed.index
    ]
    for weight, own in failed.groupby("weight"):
        assert list(own.index) == [fact for fact in in_file if fact in own.index], (
            weight
        )


def test_a_claim_that_fails_with_other_parameters_only_is_listed_last(committed):
    assessed = of_committed(committed)
    assessed.loc["berrar2024.cl.01", ["verdict", "note"]] = "differs", "by hand"
    last = ledger.failed_claims(assessed).iloc[-1]
    assert last.name == "berrar2024.cl.01"
    assert (last["weight"], last["finding"], last["change"]) == (
        "wording",
        "by hand",
        "",
    )
    assert last["in_words"] == last["claim"]


def test_worse_names_exactly_the_verdicts_that_fell():
    before = pd.Series({"a": "exact", "b": "open", "c": "differs", "d": "exact"})
    now = pd.Series({"a": "differs", "b": "exact", "c": "differs", "d": "exact"})
    assert ledger.worse(now, before).index.tolist() == ["a"]


def test_of_two_rows_of_a_fact_the_worse_stays_and_counts_are_in_order():
    one, other = (
        ledger.compare(
            pd.DataFrame([{"id": PRINTED, "rebuilt": value}]), chapter=chapter
        )
        for value, chapter in ((0.0488, "a"), (0.07, "b"))
    )
    for rows in ((one, other), (other, one)):
        assert ledger.worst(pd.concat(rows))["chapter"].tolist() == ["b"]
    both = pd.concat([other, one], ignore_index=True)
    assert list(ledger.counts(both).items()) == [("exact", 1), ("differs", 1)]
    assert not ledger.worse(
        pd.Series({"a": "exact"}), pd.Series({"a": "exact", "b": "open"})
    ).size


def test_an_item_with_a_check_of_its_own_is_no_better_than_that():
    values = published.values("berrar2024.ex03")
    rows = [
        {"id": i, "rebuilt": v} for i, v in zip(values["value_id"], values["value"])
    ]
    own = {"id": "berrar2024.ex03", "rebuilt": False, "note": "by hand"}
    assessed = ledger.assess(ledger.compare(pd.DataFrame([*rows, own]), chapter="test"))
    assert assessed.at["berrar2024.ex03", "verdict"] == "differs"
    assert assessed.at["berrar2024.ex03", "note"] == "by hand"
    assert assessed.at["berrar2024.ex02", "verdict"] == "open"
    assert (
        assessed.at["berrar2024.ex02", "chapter"]
        == assessed.at["berrar2024.ex02", "note"]
        == ""
    )


def test_an_item_that_a_chapter_checked_belongs_to_that_chapter():
    value = published.values("berrar2024.ex03").iloc[0]
    parts = pd.DataFrame([{"id": value["value_id"], "rebuilt": value["value"]}])
    own = pd.DataFrame([{"id": "berrar2024.ex03", "rebuilt": True}])
    both = [ledger.compare(parts, chapter="parts"), ledger.compare(own, chapter="own")]
    assessed = ledger.assess(pd.concat(both, ignore_index=True))
    assert assessed.at["berrar2024.ex03", "chapter"] == "own"
    assert assessed.at[value["value_id"], "chapter"] == "parts"


def test_facts_that_say_one_thing_count_once_with_the_worst_verdict():
    count, share = "berrar2024.s3.n_sig3", "berrar2024.s3.F3"
    rows = pd.DataFrame(
        [
            {"id": count, "rebuilt": 496.0},
            {"id": share, "rebuilt": 0.001},
            {"id": PRINTED, "rebuilt": 0.0488},
        ]
    )
    assessed = ledger.assess(ledger.compare(rows, chapter="t"))
    assert assessed.loc[[count, share, PRINTED], "independent"].tolist() == [
        count,
        count,
        PRINTED,
    ]
    assert assessed["verdict"][[count, share]].tolist() == ["exact", "differs"]
    few = ledger.tally(assessed["verdict"][[count, share, PRINTED]])
    assert few.loc[("berrar2024", "experiment")].loc[["exact", "differs"]].tolist() == [
        0,
        1,
    ]
    assert (
        few.loc[("berrar2024", "formula"), "exact"] == 1 and few.to_numpy().sum() == 2
    )
    counted = ledger.tally(assessed["verdict"])
    assert tuple(counted.columns) == ledger.VERDICTS
    assert list(counted.index.unique("paper")) == list(published.PAPERS)
    assert (
        counted.to_numpy().sum() == assessed["independent"].replace("", None).nunique()
    )
    assert ledger.expected_by_chance(assessed) == ledger.LEVEL


def test_an_item_counts_if_it_has_no_parts_or_a_slip_of_its_own():
    independent = published.independent
    assert independent("bouckaert2004.tab01") == independent("berrar2024.ex02") == ""
    for fact in ("bouckaert2004.thm3_2", "berrar2024.ex01"):
        assert independent(fact) == fact


def test_what_a_fact_rests_on():
    """A number of an experiment, of a formula, of print; a claim; a theorem; a cited number."""
    verdicts = pd.Series(
        {
            "bouckaert2004.tab01.ranksum.resampling.source1": "in kind",
            PRINTED: "exact",
            "bouckaert2004.tab02.t.all.mean_norm_r2": "erratum",
            "bouckaert2004.cl.01": "holds",
            "bouckaert2004.thm3_2": "holds",
            "bouckaert2004.txt.cited_2of3": "not comparable",
            "berrar2024.s3.t31": "recounted",  # `check_by` none, but a rule gives it
        }
    )
    table = ledger.tally(verdicts).stack()
    found = [basis for _, basis, verdict in table[table > 0].index]
    assert sorted(found) == sorted(
        ["experiment", "formula", "print", "claim", "statement", "cited", "print"]
    )


def test_what_cannot_fail_has_no_verdict_and_no_place_in_a_count():
    """An item without parts, and one row for every other fact of a count."""
    one = pd.DataFrame([{"id": PRINTED, "rebuilt": 0.0488}])
    assessed = ledger.assess(ledger.compare(one, chapter="t"))
    for fact, reason in published.cannot_fail().items():
        row = assessed.loc[fact]
        assert (row["verdict"], row["note"]) == ("not comparable", reason)
        assert row["independent"] == ""
        with pytest.raises(ValueError, match=f"could disagree.*: {fact}"):
            ledger.compare(pd.DataFrame([{"id": fact, "rebuilt": True}]), chapter="t")
    without = assessed["verdict"].drop(list(published.cannot_fail()))
    assert ledger.tally(assessed["verdict"]).equals(ledger.tally(without))


def test_the_numbers_of_pages_are_those_of_the_tally():
    verdicts = pd.Series(
        {f"bouckaert2004.cl.{k:02d}": "holds" for k in range(1, 10)}
        | {
            "bouckaert2005.cl.01": "erratum",
            "bouckaert2005.cl.02": "holds",
            "bouckaert2004.cl.10": "explained",
            PRINTED: "differs",
        }
    )
    found = ledger.in_numbers(verdicts)
    assert (found["facts"], found["claim"]) == ("13", "12")
    # what agrees in another reading only is counted beside agreement
    assert (found["claim_agree"], found["claim_explained"]) == ("10", "1")
    assert (found["claim_erratum"], found["claim_differ"]) == ("1", "0")
    assert (found["paper"], found["paper_claim"], found["paper_fail"]) == (
        published.PAPERS["bouckaert2005"],
        "2",
        "1",
    )
    assert (
        found["errata"],
        found["differ"],
        found["formula"],
        found["formula_agree"],
    ) == ("1", "1", "1", "0")


def test_numbers_with_the_same_words_are_one_disagreement():
    item = "bouckaert2004.tab01"
    sources = [
        f"{item}.ranksum.use_all_data.source3",
        f"{item}.ranksum.average_over_runs.source3",
    ]
    own = [
        "bouckaert_frank2004.cl.06",
        "bouckaert_frank2004.cl.08",
    ]
    assessed = ledger.assess(
        ledger.compare(
            pd.DataFrame(
                {
                    "id": [*sources, *own],
                    "rebuilt": [1.0, 2.0, False, False],
                    "note": "by hand",
                }
            ),
            chapter="t",
        )
    )
    found = ledger.disagreements(assessed)
    assert set(found.index) == {sources[0], *own} or set(found.index) == {
        sources[1],
        *own,
    }
    assert sorted(found["facts"]) == [1, 1, 2]
    assert (found["tried"] != "").all() and (found["settles"] != "").all()


def test_a_fact_is_an_erratum_if_and_only_if_a_certain_slip_is_in_it(committed):
    """An item may also be one for a part of it, and a part may be worse."""
    facts, slips = published.facts(), published.slips()
    is_item = facts["kind"] == "item"
    of_parts = facts.loc[committed.index[committed == "erratum"], "item_id"]
    for fact, verdict in committed.items():
        if not is_item[fact]:
            assert (verdict == "erratum") == (fact in slips), fact
        elif fact in slips:
            assert verdict in ("erratum", "differs"), fact
        elif verdict == "erratum":
            assert fact in set(of_parts[of_parts.index != fact]), fact
    assert set(committed.index) == set(facts.index)


def test_what_differs_has_words_for_what_was_tried_and_would_settle_it(committed):
    found = ledger.disagreements(of_committed(committed))
    assert (
        len(found) and not found[(found["tried"] == "") | (found["settles"] == "")].size
    )


def test_what_repeats_a_fact_repeats_one_that_stands_for_itself():
    facts = published.facts()
    said_again = [
        fact for fact in facts.index if published.independent(fact) not in (fact, "")
    ]
    assert len(said_again) > 30
    for fact in said_again:
        first = published.independent(fact)
        assert published.independent(first) == first
        assert facts.at[first, "paper"] == facts.at[fact, "paper"]
