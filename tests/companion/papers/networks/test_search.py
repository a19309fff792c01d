"""The search for the committed networks: it finds the same ones again, and it can resume."""

import json

import numpy as np
import pytest

from companion.lab import sources
from companion.papers import networks
from companion.papers.networks import margins, search


@pytest.mark.slow
def test_a_committed_measurement_can_be_repeated_to_the_last_bit():
    row = networks.table().loc["source2.0"]
    for name, value in search.examine(2, int(row["candidate"])).items():
        assert row[name] == value


def test_candidates_before_an_accepted_one_were_refused():
    """As many of them as time allows: the first of each source."""
    table, terms = networks.table(), networks.search_terms()
    for source in (2, 3, 4):
        accepted = set(table.loc[networks.names(source), "candidate"])
        assert terms["examined"][str(source)] == max(accepted) + 1
        first = [number for number in range(15) if number not in accepted]
        assert [search.examine(source, number) for number in first] == [None] * len(
            first
        )
    assert table.loc[networks.names(1), "candidate"].tolist() == list(range(10))


def test_terms_of_the_search_are_those_of_the_code():
    terms = networks.search_terms()
    assert terms["seed"] == margins.SEED and terms["tolerance"] == search.TOLERANCE
    assert terms["targets"] == {str(k): v for k, v in margins.targets().items()}
    assert terms["priors"] == {str(k): search.prior(k) for k in margins.targets()}


def test_written_networks_are_read_again(tmp_path, monkeypatch):
    """With fewer training sets and a wide tolerance the search is soon done."""
    monkeypatch.setattr(search, "STAGES", (20,))
    monkeypatch.setattr(search, "TOLERANCE", 3.0)
    search.write_networks(tmp_path / "networks.json", networks=2)
    written = json.loads((tmp_path / "networks.json").read_text())
    assert list(written["networks"]) == [
        f"source{s}.{i}" for s in range(1, 5) for i in range(2)
    ]
    record = written["networks"]["source4.1"]
    network = sources.BayesianNetwork.from_dict(record)
    again = search.candidate(4, record["candidate"])
    assert all(map(np.array_equal, network.tables, again.tables))
    assert abs(record["margin"] - 11.27) <= 3
    assert written["search"]["examined"]["4"] == record["candidate"] + 1
