"""The networks at a level: margins, levels, and that the file has what the search finds."""

import numpy as np
import pytest

from companion.papers.levels import committed, plans, search
from companion.papers.networks import margins


def test_every_source_has_its_networks_within_the_terms_of_the_search():
    table = committed.table()
    for source in search.MIDDLES:
        own = table[table["source"] == source]
        low, high = search.window(source)
        assert len(own) == search.NETWORKS
        assert own["naive_bayes"].between(low, high).all()
        off = (own["margin"] - margins.targets()[source]).abs()
        assert (off <= search.TOLERANCE).all()
        assert own["candidate"].is_monotonic_increasing
        assert committed.names(source) == list(own.index)


@pytest.mark.slow
def test_margin_and_level_are_found_again_on_other_training_sets():
    """The first network of each source; four standard errors, and the selection by the margin."""
    for source in search.MIDDLES:
        name = committed.name_of(source, 0)
        known = committed.table().loc[name]
        again = margins.margin(committed.load(name), training_sets=400)
        for measure in ("margin", "naive_bayes"):
            error = np.hypot(again[f"{measure}_error"], known[f"{measure}_error"])
            slack = search.TOLERANCE if measure == "margin" else 0
            assert abs(again[measure] - known[measure]) < 4 * error + slack


def test_a_network_is_its_candidate_weakened():
    name = committed.names(3)[0]
    record = committed.table().loc[name]
    whole = committed.whole_candidate(3, int(record["candidate"]))
    assert committed.load(name).parents == whole.parents
    assert 0 < record["strength"] <= 1


@pytest.mark.slow
def test_the_search_accepts_the_committed_candidate_and_not_the_one_before():
    name = committed.names(2)[0]
    record = committed.table().loc[name]
    number = int(record["candidate"])
    found = search.examine(2, number)
    assert found is not None
    assert found["strength"] == record["strength"]
    assert found["naive_bayes"] == pytest.approx(record["naive_bayes"], rel=1e-12)
    assert number == 0 or search.examine(2, number - 1) is None


def test_disagreement_is_a_share_that_bounds_the_margin():
    """Exactly one is right at least as often as one is right more often."""
    table = committed.table()
    assert (table["disagreement"] >= table["margin"] - 0.5).all()
    assert (table["disagreement"] <= 100).all()


def test_an_unknown_network_is_refused():
    with pytest.raises(ValueError, match="there is no network 'source9'"):
        committed.load("source9")


def test_streams_of_networks_are_their_own():
    streams = [experiment.stream for experiment, _ in plans.plan().values()]
    assert len(set(streams)) == len(streams) == len(committed.names())
