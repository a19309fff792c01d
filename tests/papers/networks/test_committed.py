"""The committed networks: their margins are those of the papers, and hold on new samples."""

import numpy as np
from scipy import stats

from replib.papers import networks
from replib.papers.networks import margins, search

# Below this probability under the hypothesis that the code is right, a statistical test fails.
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
