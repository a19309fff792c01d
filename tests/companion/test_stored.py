"""The catalogue of stored runs: the contents of its files, and its message about a wrong file."""

import shutil

import numpy as np
import pytest

from companion import stored
from companion.lab import datasets
from companion.lab.experiments import runner
from companion.lab.experiments.results import load_results


@pytest.mark.parametrize("name", stored.CATALOGUE)
def test_every_run_is_stored_as_often_as_the_catalogue_says(name):
    results = stored.load(name)
    for key, (experiment, replications) in stored.CATALOGUE[name].plan().items():
        assert results[key].experiment == experiment
        assert len(results[key].counts) == replications


@pytest.mark.slow
@pytest.mark.parametrize("name", stored.CATALOGUE)
def test_a_replication_of_each_run_is_made_again(name):
    said = stored.spot_check(name, 1, rng=0)  # raises if it differs
    if not stored.CATALOGUE[name].at_hand(stored.load(name)):
        pytest.skip(said)
    assert said.endswith("run again: identical.")


def test_without_a_spot_check_a_run_says_when_it_was_made():
    assert stored.spot_check("profiles", 0).startswith("profiles: stored on 20")


def test_every_file_is_in_the_catalogue():
    files = {file.stem for file in stored.FOLDER.iterdir()}
    assert files == {
        *stored.names(),
        "printed_reruns",
        "recomputed",
        "README",
    }  # the minutes of all, the columns


def test_a_size_takes_the_first_replications():
    whole, few = stored.load("sweep_runs"), stored.load("sweep_runs", size=3)
    for name, one in few.items():
        assert np.array_equal(one.counts, whole[name].counts[:3])


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A folder with the files of one run, which a test may damage."""
    for ending in ("json", "npz"):
        shutil.copy(stored.FOLDER / f"sweep_runs.{ending}", tmp_path)
    monkeypatch.setattr(stored, "FOLDER", tmp_path)
    return tmp_path


def test_a_missing_file_is_named(copy):
    (copy / "sweep_runs.json").unlink()
    with pytest.raises(
        stored.StoredResultsInvalid, match=r"sweep_runs\.json is missing"
    ):
        stored.load("sweep_runs")


@pytest.mark.parametrize("ending", ["json", "npz"])
def test_a_truncated_file_is_named(copy, ending):
    file = copy / f"sweep_runs.{ending}"
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(
        stored.StoredResultsInvalid, match=rf"sweep_runs\.{ending} is truncated"
    ):
        stored.load("sweep_runs")


def test_an_edited_parameter_is_noticed(copy):
    file = copy / "sweep_runs.json"
    file.write_text(file.read_text().replace('"instances": 300', '"instances": 310', 1))
    with pytest.raises(
        stored.StoredResultsInvalid, match="'source1' is not stored as the cat"
    ):
        stored.load("sweep_runs")


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="name must be one of 'uci_five_by_two_cv'"):
        stored.load("uci")


def test_without_data_nothing_is_recomputed(monkeypatch):
    monkeypatch.delenv(datasets.FOLDER_VARIABLE, raising=False)
    assert stored.spot_check("uci_five_by_two_cv", 2) == stored.spot_check(
        "uci_five_by_two_cv", 0
    )


def few_of(name, key, size):
    one = stored.load(name, size=size)[key]
    return {key: runner.Replications(one.experiment, one.counts.copy(), one.provenance)}


def test_what_runs_anew_is_what_is_stored(tmp_path, monkeypatch):
    monkeypatch.setenv(runner.CACHE_VARIABLE, str(tmp_path / "cache"))
    few = few_of("sweep_alpha", "source4", 2)["source4"]
    run = stored.LongRun("", lambda: {"source4": (few.experiment, 30)})
    monkeypatch.setitem(stored.CATALOGUE, "sweep_alpha", run)
    stored.run("sweep_alpha", size=2, folder=tmp_path)
    again = load_results(tmp_path / "sweep_alpha")["source4"]
    assert again.experiment == few.experiment and np.array_equal(
        again.counts, few.counts
    )
