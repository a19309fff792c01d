"""All runs recomputed elsewhere: what is identical, what differs, what an interruption leaves."""

from functools import cache

import pandas as pd
import pytest

from companion import stored
from companion.engine import recomputation
from companion.lab import datasets
from companion.lab.experiments import runner

NAME, KEYS, SIZE = "tosses", ("source1", "source4"), 2


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A run of two experiments, two replications each; the folder of the cache is new."""
    monkeypatch.setenv(runner.CACHE_VARIABLE, str(tmp_path / "cache"))
    tosses = [
        runner.Experiment("numpy.random:Generator.binomial", seed, {"n": 99, "p": 0.5})
        for seed in range(len(KEYS))
    ]
    few = {
        key: runner.replicate(toss, SIZE, cache=tmp_path / "before")
        for key, toss in zip(KEYS, tosses)
    }
    plan = {key: (one.experiment, SIZE) for key, one in few.items()}
    monkeypatch.setitem(stored.CATALOGUE, NAME, stored.LongRun("", lambda: plan))
    monkeypatch.setattr(stored, "_read", cache(lambda name, folder: few))
    return few


@pytest.fixture
def made(monkeypatch):
    """Experiments of which a replication was made, in their order."""
    replication, asked = runner.Experiment.replication, []
    monkeypatch.setattr(
        runner.Experiment,
        "replication",
        lambda self, index: asked.append(self) or replication(self, index),
    )
    return asked


def test_what_is_made_again_is_identical_and_a_complete_run_is_kept(
    small, made, tmp_path
):
    rows = recomputation.recompute([NAME], tmp_path)
    assert rows.loc[NAME, ["replications", "outcome"]].tolist() == [
        SIZE * len(KEYS),
        "identical",
    ]
    assert (rows.loc[NAME, ["minutes", "stored"]] >= 0).all()  # in tenths of a second
    first = list(made)
    assert len(first) == SIZE * len(KEYS)
    again = recomputation.recompute([NAME], tmp_path)
    assert made == first and again.at[NAME, "outcome"] == "identical"


def test_a_count_that_differs_is_named(small, tmp_path):
    small["source4"].counts[1] ^= 1
    rows = recomputation.recompute([NAME], tmp_path)
    assert (
        rows.at[NAME, "outcome"]
        == "differs in source4: 1 of 2 replications, the first is 1"
    )


def test_an_interrupted_run_goes_on_where_it_was(small, made, tmp_path, monkeypatch):
    replication = runner.Experiment.replication

    def interrupted(experiment, index):
        if experiment == small["source4"].experiment:
            raise KeyboardInterrupt
        return replication(experiment, index)

    with monkeypatch.context() as until, pytest.raises(KeyboardInterrupt):
        until.setattr(runner.Experiment, "replication", interrupted)
        recomputation.recompute([NAME], tmp_path)
    assert not (tmp_path / f"{NAME}.json").exists()
    n_made = len(made)
    made.clear()
    assert recomputation.recompute([NAME], tmp_path).at[NAME, "outcome"] == "identical"
    # what the other experiment had finished was found
    assert n_made > 0 and len(made) == SIZE * len(KEYS) - n_made
    assert made.count(small["source4"].experiment) == SIZE


def test_a_damaged_file_is_made_again(small, tmp_path):
    (tmp_path / f"{NAME}.json").write_text("{")
    assert recomputation.recompute([NAME], tmp_path).at[NAME, "outcome"] == "identical"


def test_another_size_is_made_again(small, tmp_path):
    recomputation.recompute([NAME], tmp_path, size=1)
    assert recomputation.recompute([NAME], tmp_path).at[
        NAME, "replications"
    ] == SIZE * len(KEYS)


def test_a_size_beyond_what_is_stored_is_that_of_the_book(small, tmp_path):
    assert (
        recomputation.recompute([NAME], tmp_path, size=99).at[NAME, "outcome"]
        == "identical"
    )


def test_without_data_the_run_is_named_and_the_others_are_made(
    small, tmp_path, monkeypatch
):
    replicate_all = runner.replicate_all
    fails = iter([True])

    def without(*args, **options):
        if next(fails, False):
            raise datasets.DataUnavailable("not here")
        return replicate_all(*args, **options)

    monkeypatch.setattr(runner, "replicate_all", without)
    monkeypatch.setitem(stored.CATALOGUE, "again", stored.CATALOGUE[NAME])
    rows = recomputation.recompute([NAME, "again"], tmp_path / "new")
    assert rows["outcome"].tolist() == [recomputation.NO_DATA, "identical"]


def test_what_is_killed_leaves_a_table_of_the_runs_that_it_finished(
    small, tmp_path, monkeypatch
):
    def killed(name, again):
        if name == "again":
            raise SystemExit
        return compared(name, again)

    compared = recomputation._compared
    monkeypatch.setattr(recomputation, "_compared", killed)
    monkeypatch.setitem(stored.CATALOGUE, "again", stored.CATALOGUE[NAME])
    with pytest.raises(SystemExit):
        recomputation.recompute([NAME, "again"], tmp_path)
    rows = pd.read_csv(tmp_path / "table.csv", index_col="name")
    assert rows["outcome"].to_dict() == {NAME: "identical"}
