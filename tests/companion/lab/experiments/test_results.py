"""Results in files: read as they were written, refused if changed, and run again."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import runner_kernels

from companion.lab.experiments import runner
from companion.lab.experiments.results import (
    ResultsDiffer,
    load_results,
    results_for,
    save_results,
    spot_check,
)
from companion.lab.experiments.runner import Experiment, replicate

WALK = Experiment(runner_kernels.walk, seed=7, parameters={"steps": 50}, stream=(3, 1))


@pytest.fixture
def results(tmp_path):
    return {
        "short": replicate(WALK, 6, cache=tmp_path / "cache"),
        "long": replicate(
            replace(WALK, parameters={"steps": 400}), 9, cache=tmp_path / "cache"
        ),
    }


def test_stored_and_read_again(results, tmp_path):
    save_results(tmp_path / "book" / "walks", results)
    stored = load_results(tmp_path / "book" / "walks")
    assert list(stored) == ["short", "long"]
    for name, result in results.items():
        np.testing.assert_array_equal(stored[name].counts, result.counts)
        assert stored[name].counts.dtype == np.int8
        assert stored[name].experiment == result.experiment
        assert stored[name].provenance == result.provenance
    assert {p.name for p in (tmp_path / "book").iterdir()} == {
        "walks.npz",
        "walks.json",
    }
    origin = json.loads((tmp_path / "book" / "walks.json").read_text())["long"]
    assert origin["function"] == "runner_kernels:walk" and origin["seed"] == 7
    assert origin["provenance"].keys() == {
        "code_version",
        "source_digest",
        "packages",
        "machine",
        "finished",
        "seconds",
    }
    assert str(Path.home()) not in json.dumps(origin) and str(
        tmp_path
    ) not in json.dumps(origin)


@pytest.mark.parametrize(
    "values, dtype",
    [
        ([0, 255], "uint8"),
        ([0, 256], "uint16"),
        ([-1, 127], "int8"),
        ([-1, 128], "int16"),
        ([-128, 0], "int8"),
        ([-129, 0], "int16"),
        ([0, 2**40], "uint64"),
        ([False, True], "bool"),
    ],
)
def test_stored_in_the_smallest_type(values, dtype, tmp_path):
    counts = np.array(values)
    save_results(tmp_path / "r", {"a": runner.Replications(WALK, counts, {})})
    stored = load_results(tmp_path / "r")["a"].counts
    assert stored.dtype == dtype
    np.testing.assert_array_equal(stored, counts)


def test_stored_results_are_found_by_their_experiment(results, tmp_path, monkeypatch):
    monkeypatch.setenv(runner.CACHE_VARIABLE, str(tmp_path / "other"))
    other = replace(WALK, parameters={"steps": 60})
    for experiment, count, is_there in (
        (WALK, 4, True),
        (other, 4, False),
        (WALK, 7, False),
    ):
        found, is_stored = results_for({"short": (experiment, count)}, results)
        assert is_stored == is_there and found["short"].experiment == experiment
        again = [experiment.replication(i) for i in range(count)]
        np.testing.assert_array_equal(found["short"].counts, again)


def test_a_full_disk_leaves_what_was_stored_or_a_refusal(results, tmp_path, full_disks):
    path = tmp_path / "book" / "walks"
    old = {"short": results["short"]}
    save_results(path, results)
    good = {file: file.read_bytes() for file in path.parent.iterdir()}
    for disk in full_disks:
        save_results(path, old)
        try:
            with disk:
                save_results(path, results)
        except OSError as problem:
            assert problem.strerror and {*path.parent.iterdir()} == good.keys()
            with suppress(ValueError):
                assert load_results(path).keys() == old.keys()
        else:
            break
    assert (
        disk not in full_disks[:4]
        and {file: file.read_bytes() for file in good} == good
    )


def test_stored_files_must_belong_together(results, tmp_path):
    save_results(tmp_path / "walks", results)
    (tmp_path / "walks.json").write_text("{}")
    with pytest.raises(
        ValueError, match="walks.npz and walks.json are not of the same"
    ):
        load_results(tmp_path / "walks")


def test_spot_check_runs_what_it_says(results):
    everything = spot_check(results, 1000)
    assert everything["name"].tolist() == ["short"] * 6 + ["long"] * 9
    assert everything["replication"].tolist() == [*range(6), *range(9)]
    some = spot_check(results, 4, rng=1)
    assert len(some.drop_duplicates()) == 4 and some.equals(
        spot_check(results, 4, rng=1)
    )
    assert len({tuple(spot_check(results, 2)["replication"]) for _ in range(20)}) > 1


def test_spot_check_finds_any_single_wrong_number(results):
    for name, index in [("short", 0), ("short", 5), ("long", 0), ("long", 8)]:
        counts = results[name].counts.copy()
        counts[index, 1] += 1
        wrong = results | {name: replace(results[name], counts=counts)}
        sentence = f"replication {index} of '{name}' is stored as"
        with pytest.raises(ResultsDiffer, match=sentence):
            spot_check(wrong, 1000)


def test_changed_counts_are_refused(results, tmp_path):
    save_results(tmp_path / "walks", results)
    counts = {name: one.counts.astype(np.int8) for name, one in results.items()}
    counts["long"][3, 1] += 1
    np.savez_compressed(tmp_path / "walks.npz", **counts)
    with pytest.raises(ValueError, match="other counts of 'long' than were written"):
        load_results(tmp_path / "walks")
