"""The published files: complete, consistent, and equal to the transcription they come from."""

import pandas as pd
import pytest

from companion.papers import published


def test_every_fact_belongs_to_a_listed_item_and_paper():
    facts, items = published.facts(), published.items()
    assert set(facts["item_id"]) <= set(items["id"])
    assert set(facts["paper"]) == set(published.PAPERS)


def test_printed_text_and_number_are_the_same():
    facts = published.facts()
    numbers = facts[facts["value"].notna() & (facts["printed"] != "2/3")]
    parsed = pd.to_numeric(numbers["printed"].str.replace(",", ""), errors="coerce")
    readable = parsed.notna()
    assert (parsed[readable] == numbers.loc[readable, "value"]).all()
    assert readable.mean() > 0.99


def test_errata_concern_published_facts_and_are_numbered_once():
    errata, facts = published.errata(), published.facts()
    assert errata["id"].is_unique
    # one count for all sources: `e05` alone says which erratum is meant
    numbers = [int(erratum.rsplit("e", 1)[1]) for erratum in errata["id"]]
    assert sorted(numbers) == list(range(1, len(errata) + 1))
    for affected in errata["affects"]:
        assert {i for i in affected.split(";") if i} <= set(facts.index)


#: Facts whose description did not say what is judged: changed after the papers were
#: read again.
RELABELLED = {
    "bouckaert2005.cl.13",
    "berrar2024.ex01.P_b",
    "berrar2024.ex01.P_lo",
    "berrar2024.ex01.P_hi",
    "berrar2024.ex02.P_lo",
    "berrar2024.ex02.P_hi",
    "berrar2024.txt24.P_b",
    *(
        f"bouckaert2004.txt.repl_{x}"
        for x in ("below", "sorted_over", "sign", "t", "ranksum")
    ),
}


@pytest.mark.parametrize(
    "name, file, key",
    [
        ("cells", "all_table_cells.csv", "cell_id"),
        ("values", "intext_values.csv", "value_id"),
        ("claims", "claims.csv", "claim_id"),
        ("items", "items.csv", "id"),
    ],
)
def test_files_equal_the_transcription(shared, name, file, key):
    ours = pd.read_csv(
        published.__path__[0] + f"/{name}.csv", dtype=str, keep_default_na=False
    ).set_index(key)
    theirs = pd.read_csv(
        shared / "published" / file, dtype=str, keep_default_na=False
    ).set_index(key)
    # facts that the transcription overlooked are added; of none is changed what the
    # paper prints
    same, printed = (
        theirs.index.difference(RELABELLED),
        ours.columns.intersection(["printed"]),
    )
    pd.testing.assert_frame_equal(ours.loc[same], theirs.loc[same, ours.columns])
    pd.testing.assert_frame_equal(ours.loc[theirs.index, printed], theirs[printed])


def test_unknown_ids_are_refused():
    with pytest.raises(KeyError, match="no number is published"):
        published.value("berrar2024.ex01.nothing")
    with pytest.raises(ValueError, match="there are"):
        published.cells("berrar2024.tab99")


def test_judgements_speak_of_published_facts():
    judgements = published.judgements()
    assert judgements.keys() == {
        "note",
        "recounted",
        "evidence",
        "in_kind",
        "not_comparable",
        "cannot_fail",
        "tried",
        "settles",
        "criterion",
        "weight",
        "in_words",
        "finding",
        "change",
    }
    assert judgements["tried"].keys() == judgements["settles"].keys()
    for words in judgements.values():
        assert set(words) <= set(published.facts().index)
    # no row brings numbers for these: assess takes them as they are
    sentences = ("in_words", "finding", "change")
    for column in ("tried", "settles", "not_comparable", "cannot_fail", *sentences):
        assert not any("{" in text for text in judgements[column].values())


def test_one_text_may_speak_of_several_facts_but_no_fact_has_two(monkeypatch):
    table = pd.DataFrame(
        {
            "fact_id": [
                "berrar2024.ex01.p;berrar2024.fig09.wins_*",
                "berrar2024.cl.0?",
            ],
            "column": "note",
            "text": ["of five", "of claims"],
        }
    )
    read = published._read
    monkeypatch.setattr(
        published,
        "_read",
        lambda name: table if name == "judgements" else read(name),
    )
    notes = published.judgements.__wrapped__()["note"]
    assert notes["berrar2024.cl.01"] == "of claims" and "berrar2024.cl.10" not in notes
    five = {fact for fact, text in notes.items() if text == "of five"}
    wins = {f"berrar2024.fig09.wins_{n}" for n in (15, 16, 17, 18)}
    assert five == {"berrar2024.ex01.p"} | wins
    table.loc[1, "fact_id"] = "berrar2024.ex01.*"
    with pytest.raises(ValueError, match=r"two texts for note of berrar2024\.ex01\.p"):
        published.judgements.__wrapped__()


def test_the_criterion_of_a_claim_can_be_met_or_not():
    """A place to look at, as "compare" or "Table 5 rows", is no criterion."""
    claims = published.facts().query("kind == 'claim'")["how_to_test"]
    criteria = (
        claims.index.to_series().map(published.judgements()["criterion"]).fillna(claims)
    )
    words = criteria.str.split().str.len()
    assert (
        not criteria.str.contains("^(?:compare|sweep)", regex=True).any()
        and words.min() >= 5
    )


def test_a_slip_is_certain_and_in_what_the_fact_says():
    """Each way in which an erratum does not count, and each in which it does."""
    slips = published.slips()
    named = published.errata().set_index("id").query("affects != ''")
    beside = named[
        (named["certainty"] != "certain") | named["kind"].isin(published.BESIDE)
    ]
    assert set(beside["kind"]) >= {"proof", "reference", "remark", "name"}
    known = {"certain", "inferred", "text layer", "simulation"}
    assert set(beside["certainty"]) == known
    assert not set(slips.values()) & set(beside.index)
    for erratum, facts in named.drop(beside.index)["affects"].str.split(";").items():
        assert all(fact in slips for fact in facts), erratum
    for erratum, fact in published.corrections().index:
        assert slips[fact] == erratum
    assert "bouckaert2004.thm3_2" not in slips and slips["bouckaert2004.eq_schemes"]
