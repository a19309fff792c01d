"""The reader's own learner, another share of test data: the splits are the stored ones."""

import warnings

import numpy as np
import pytest

from companion.lab import datasets
from companion.papers import stored, uci
from companion.papers.topics import uci_variations
from replib import significance


@pytest.fixture
def weka(shared, monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(shared / "uci"))


def test_fourth_learner_has_the_splits_of_the_stored_experiments(weka):
    """The three learners beside it have the accuracies of the experiment as stored."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        ours = uci_variations.fourth_learner("DecisionTreeClassifier", ["labor"], experiments=1)
    counts = uci.experiment("uci_cross_validation", "labor").replication(0)
    sizes = uci.test_sizes("uci_cross_validation", "labor")
    stored = 100 * (counts / sizes[:, None]).mean(axis=(0, 1))
    assert np.allclose(ours.loc["labor"].iloc[:3].astype(float), stored, rtol=1e-12)
    assert set(ours.loc["labor"].iloc[4:]) <= {0, 1}


def test_a_tenth_of_test_data_gives_the_stored_experiments(weka):
    """At 10 percent the acceptances are those that the book stores."""
    differences = uci.differences(
        stored.load("uci_resampling", size=uci.TABLE), "uci_resampling", "nb_c45"
    )
    expected = uci.acceptances(
        {"labor": differences["labor"]},
        lambda x: significance.corrected_resampled_t(x, test_train_ratio=1 / 9),
    )
    ours = uci_variations.acceptances_by_test_fraction("nb_c45", ["labor"], [10, 50])
    assert ours.columns.tolist() == [10, 50]
    assert 0 < ours.loc["labor", 10] == expected.loc["labor", 0] < uci.TABLE
