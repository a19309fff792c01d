"""What a spot check can repeat here: by the data at hand and by size."""

import pytest

from companion.lab import datasets
from companion.lab.experiments import long_run, runner


@pytest.fixture
def results():
    """One replication with as many instances as a build draws again, and one with more."""
    return {
        name: runner.Replications(
            runner.Experiment("builtins:dict", seed=0, parameters={"instances": n}),
            counts=None,
            provenance={},
        )
        for name, n in {"small": 3000, "large": 3001}.items()
    }


def test_data_sets_of_more_than_3000_instances_are_not_drawn_again(results):
    assert list(long_run.of_few_instances(results)) == ["small"]


def test_without_the_folder_of_data_sets_nothing_is_at_hand(results, monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, "anywhere")
    assert long_run.if_data_sets_are_here(results) == results
    monkeypatch.delenv(datasets.FOLDER_VARIABLE)
    assert long_run.if_data_sets_are_here(results) == {}
