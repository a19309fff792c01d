"""The committed networks: drawn again, and their margins confirmed on new training sets."""

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from companion.papers import networks
from companion.papers.networks import margins, search

# Below this probability under the hypothesis that the code is right, a statistical test
# fails.
RARE = 1e-5


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
    """Fewer of them, from another seed: standardised differences are normal.

    Accuracies that are all 1.04 joint errors too large are found with probability 0.9.
    """
    names = [name for source in (2, 3, 4) for name in networks.names(source)]
    table = networks.table().loc[names]
    new = [
        margins.margin(networks.load(name), training_sets=400, seed=1) for name in names
    ]
    for quantity in ("margin", "naive_bayes", "c45"):
        error = np.array([found[f"{quantity}_error"] for found in new])
        difference = np.array([found[quantity] for found in new]) - table[quantity]
        z = difference / np.hypot(error, table[f"{quantity}_error"])
        assert stats.chi2.sf((z**2).sum(), len(z)) > RARE
        assert stats.norm.sf(abs(z.sum()) / np.sqrt(len(z))) > RARE / 2


@pytest.mark.parametrize("name", networks.names())
def test_committed_network_is_drawn_again_from_its_seed_and_number(name):
    row, network = networks.table().loc[name], networks.load(name)
    again = search.candidate(int(row["source"]), int(row["candidate"]))
    assert network.parents == again.parents
    for table, redrawn in zip(network.tables, again.tables, strict=True):
        assert_array_equal(table, redrawn)


def test_there_are_ten_different_networks_a_source():
    table = networks.table()
    assert table["source"].value_counts().to_dict() == {1: 10, 2: 10, 3: 10, 4: 10}
    assert not table.duplicated(["source", "candidate"]).any()
    assert (table.loc[networks.names(1), "arrows"] == 0).all()
    for name in networks.names():
        network = networks.load(name)
        assert network.cardinality == (2,) * 11
        assert network.class_probabilities.tolist() == [0.5, 0.5]


def test_a_source_is_plain_data():
    assert networks.source("source3.1") is networks.load("source3.1")
    spec = {
        "seed": 3,
        "arrows": 4,
        "cardinality": [2, 3],
        "attributes": 2,
        "stream": [1],
    }
    with pytest.raises(ValueError, match="room for 0 to 1 arrows"):
        networks.source(spec)
    drawn = networks.source(json.loads(json.dumps({**spec, "arrows": 1})))
    assert drawn.parents == ((), (0,), (0, 1)) and drawn.cardinality == (2, 2, 3)
    given_ = {"network": "source3.1", "class_probabilities": [0.3, 0.7]}
    stored = networks.load("source3.1")
    assert networks.source(given_).tables[2].tolist() == stored.tables[2].tolist()


def test_an_unknown_network_is_refused():
    with pytest.raises(
        ValueError, match="no network 'source5.0'; there are source1.0, source1.1"
    ):
        networks.load("source5.0")
