"""Margins: exact accuracies against plain learners, committed ones against new samples."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from replib import sources
from replib.learners import C45, NaiveBayes
from replib.papers import networks
from replib.papers.networks import margins, search
from replib.sources import random_network

# Below this probability under the hypothesis that the code is right, a statistical test fails.
RARE = 1e-5


@pytest.mark.parametrize(("spec", "instances"), [
    ({"arrows": 20}, 300),
    ({"attributes": 5, "cardinality": [2, 3, 4, 2, 3], "arrows": 6}, 150),
    ({"attributes": 4, "class_probabilities": [0.5, 0.3, 0.2], "cardinality": 3, "arrows": 3}, 97),
    ({"attributes": 3, "class_probabilities": [0.1, 0.9], "arrows": 1}, 5),
])
def test_bit_sets_give_the_accuracies_of_the_plain_learners(spec, instances):
    network = random_network(seed=1, **spec)
    packed, plain = (
        margins.exact_accuracies(
            network, np.random.default_rng(2), training_sets=20, instances=instances,
            learners=learners,
        ) for learners in (margins.PAIR, [NaiveBayes(), C45()])
    )
    assert_array_equal(packed, plain)
    assert len(np.unique(packed)) > 5


def test_exact_accuracy_is_that_on_a_test_set_as_the_paper_has_it():
    """Bouckaert and Frank measure on 20 000 test cases what is exact here."""
    network = networks.load("source4.0")
    exact = margins.exact_accuracies(
        network, np.random.default_rng(3), training_sets=3, learners=[NaiveBayes(), C45()]
    )
    rng = np.random.default_rng(3)
    labels, columns = network.sample(20_000, np.random.default_rng(4))
    X_test, y_test = network.frame(labels, columns)
    for row in exact:
        X, y = network.frame(*network.sample(300, rng))
        for expected, learner in zip(row, (NaiveBayes(), C45())):
            hits = int((learner.fit(X, y).predict(X_test) == y_test).sum())
            assert stats.binomtest(hits, 20_000, expected).pvalue > RARE


def test_more_training_sets_continue_fewer():
    network = random_network(seed=5, attributes=8, arrows=6)
    many = margins.exact_accuracies(network, np.random.default_rng(6), training_sets=2500)
    rng = np.random.default_rng(6)
    parts = [
        margins.exact_accuracies(network, rng, training_sets=sets) for sets in (1, 1499, 1000)
    ]
    assert_array_equal(many, np.concatenate(parts))


def test_summary_of_accuracies():
    found = margins.Margin.of(np.array([[0.5, 0.75], [0.25, 0.25], [0.75, 0.5]]))
    assert (found.naive_bayes, found.c45, found.margin) == (50, 50, 0)
    assert found.margin_error == pytest.approx(25 / np.sqrt(3))
    assert found.training_sets == 3


def test_targets_are_the_published_margins():
    assert margins.targets() == {1: 0, 2: 2.77, 3: 5.83, 4: 11.27}


# ---------------------------------------------------------------- the committed networks


def test_margins_of_independent_attributes_are_exactly_zero():
    table = networks.table().loc[networks.names(1)]
    assert (table["margin"] == 0).all() and (table["margin_error"] == 0).all()
    np.testing.assert_allclose(table["c45"], 50, rtol=0, atol=1e-12)


def test_committed_margins_are_within_the_tolerance():
    table = networks.table()
    distance = (table["margin"] - table["source"].map(margins.targets())).abs()
    assert distance.max() <= search.TOLERANCE == 0.1
    assert table["margin_error"].max() <= 0.03
    assert (table["training_sets"] == search.STAGES[-1]).all()
    assert (table[["naive_bayes", "c45"]].max(axis=1) < table["bayes"] + 1e-9).all()


def test_committed_accuracies_hold_on_new_training_sets():
    """Fewer of them, from another seed: standardised differences are normal."""
    names = [name for source in (2, 3, 4) for name in networks.names(source)]
    table = networks.table().loc[names]
    new = [margins.margin(networks.load(name), training_sets=400, seed=1) for name in names]
    for quantity in ("margin", "naive_bayes", "c45"):
        error = np.array([getattr(found, f"{quantity}_error") for found in new])
        difference = np.array([getattr(found, quantity) for found in new]) - table[quantity]
        z = difference / np.hypot(error, table[f"{quantity}_error"])
        assert stats.chi2.sf((z**2).sum(), len(z)) > RARE
        assert stats.norm.sf(abs(z.sum()) / np.sqrt(len(z))) > RARE / 2


def test_a_committed_measurement_can_be_repeated_to_the_last_bit():
    row = networks.table().loc["source2.0"]
    number = int(row["candidate"])
    found = search.examine(2, number)
    assert found == margins.margin(
        search.candidate(2, number), training_sets=search.STAGES[-1], stream=(2, number, 0)
    )
    for name, value in vars(found).items():
        assert row[name] == value


def test_candidates_before_an_accepted_one_were_refused():
    """As many of them as time allows: the first of each source."""
    table, terms = networks.table(), networks.search_terms()
    for source in (2, 3, 4):
        accepted = set(table.loc[networks.names(source), "candidate"])
        assert terms["examined"][str(source)] == max(accepted) + 1
        first = [number for number in range(15) if number not in accepted]
        assert [search.examine(source, number) for number in first] == [None] * len(first)
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
    search.write_networks(tmp_path / "networks.json", networks=2, seed=8)
    written = json.loads((tmp_path / "networks.json").read_text())
    assert list(written["networks"]) == [f"source{s}.{i}" for s in range(1, 5) for i in range(2)]
    record = written["networks"]["source4.1"]
    network = sources.BayesianNetwork.from_dict(record)
    again = search.candidate(4, record["candidate"], seed=8)
    assert all(map(np.array_equal, network.tables, again.tables))
    assert abs(record["margin"] - 11.27) <= 3
    assert written["search"]["examined"]["4"] == record["candidate"] + 1


def test_a_search_resumes_with_what_it_has_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(search, "STAGES", (20,))
    monkeypatch.setattr(search, "TOLERANCE", 3.0)
    first = search.find_networks(2, networks=2, seed=8, cache=tmp_path)
    monkeypatch.setattr(search, "examine", None)  # a candidate examined again would be an error
    again = search.find_networks(2, networks=2, seed=8, cache=tmp_path)
    assert [hit[0] for hit in again] == [hit[0] for hit in first]
    assert [hit[2] for hit in again] == [hit[2] for hit in first]
    monkeypatch.setattr(search.provenance, "source_digest", lambda module: "other code")
    with pytest.raises(TypeError, match="not callable"):
        search.find_networks(2, networks=2, seed=8, cache=tmp_path)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(("call", "message"), [
    (lambda n: margins.margin(n, training_sets=1),
     "training_sets must be a whole number of at least 2"),
    (lambda n: margins.margin(n, instances=0),
     "instances must be a whole number of at least 1, not 0"),
    (lambda n: margins.exact_accuracies(n, np.random.default_rng(0), training_sets=0),
     "training_sets must be a whole number of at least 1, not 0"),
    (lambda n: margins.exact_accuracies(n, None, training_sets=1, learners=["c4.5"]),
     "each of learners must be one of 'naive_bayes'"),
    (lambda n: search.find_networks(5), "source must be 1, 2, 3 or 4, not 5"),
    (lambda n: search.candidate(0, 1), "source must be 1, 2, 3 or 4, not 0"),
])
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(random_network(seed=1, attributes=2))
