"""Data that a disk returns changed are refused by name or computed again."""

import json
import random
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest
from harness import Command, results_of

from companion.engine.build import chapters
from companion.lab.experiments import engine
from companion.papers import stored

pytestmark = pytest.mark.campaign
COINS = engine.Experiment("numpy.random:Generator.binomial", 1, {"n": 1000, "p": 0.5})


def emptied(data: bytes, chance: random.Random) -> bytes:
    return b""


def truncated(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def one_bit_flipped(data: bytes, chance: random.Random) -> bytes:
    damaged, place = bytearray(data), chance.randrange(len(data))
    damaged[place] ^= 1 << chance.randrange(8)
    return bytes(damaged)


DAMAGES = (emptied, truncated, one_bit_flipped)


def called(damage) -> str:
    return damage.__name__.replace("_", " ")


def same(one: dict, other: dict) -> bool:
    return one.keys() == other.keys() and all(
        one[key].experiment == other[key].experiment
        and one[key].counts.dtype == other[key].counts.dtype
        and np.array_equal(one[key].counts, other[key].counts) for key in one
    )


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("ending", ["npz", "json"])
def test_stored_results(damage, ending, moments, tmp_path, monkeypatch, record):
    chance, survived, times = random.Random(), 0, 0
    for name in stored.names():
        right = stored._read(name, stored.FOLDER)
        for kind in ("npz", "json"):
            shutil.copy(stored.FOLDER / f"{name}.{kind}", tmp_path)
        for _ in range(1 if damage is emptied else -(-moments // 10)):
            file = tmp_path / f"{name}.{ending}"
            file.write_bytes(damage((stored.FOLDER / file.name).read_bytes(), chance))
            stored._read.cache_clear()
            times += 1
            try:  # what a file says of the machine and the date that made it may be damaged
                survived += same(stored._read(name, tmp_path), right)
            except stored.StoredResultsInvalid as refusal:
                survived += name in str(refusal) and "\n" not in str(refusal)
    stored._read.cache_clear()
    record("Corruption", f"stored results, .{ending}: {called(damage)}", times, survived,
           "refused by name in a sentence, or the same counts")


def with_another_shape(path: Path, key: str) -> None:
    with np.load(path) as file:
        arrays = dict(file)
    arrays[key] = arrays[key][..., :-1]
    np.savez_compressed(path, **arrays)


def test_stored_results_of_another_form(tmp_path, record):
    survived, names = 0, stored.names()
    for name in names:
        for ending in ("npz", "json"):
            shutil.copy(stored.FOLDER / f"{name}.{ending}", tmp_path)
        with_another_shape(tmp_path / f"{name}.npz", next(iter(stored.CATALOGUE[name].plan())))
        stored._read.cache_clear()
        with pytest.raises(stored.StoredResultsInvalid, match=name):
            stored._read(name, tmp_path)
        survived += 1
    stored._read.cache_clear()
    record("Corruption", "stored results: other shapes", len(names), survived, "refused by name")


def test_stored_results_of_another_version(tmp_path, record):
    names = stored.names()
    for name in names:
        for ending in ("npz", "json"):
            shutil.copy(stored.FOLDER / f"{name}.{ending}", tmp_path)
        file = tmp_path / f"{name}.json"
        origins = json.loads(file.read_text())
        next(iter(origins.values()))["seed"] += 1
        file.write_text(json.dumps(origins))
        stored._read.cache_clear()
        with pytest.raises(stored.StoredResultsInvalid, match=name):
            stored._read(name, tmp_path)
    stored._read.cache_clear()
    record("Corruption", "stored results: of another experiment", len(names), len(names),
           "refused by name")


@pytest.mark.parametrize("damage", DAMAGES)
def test_chunks_of_a_long_run(damage, moments, tmp_path, record):
    chance, survived = random.Random(), 0
    right = engine.replicate(COINS, 2000, chunk_size=500, cache=tmp_path).counts
    for _ in range(moments):
        file = chance.choice(sorted(tmp_path.rglob("output.pkl")))
        file.write_bytes(damage(file.read_bytes(), chance))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            again = engine.replicate(COINS, 2000, chunk_size=500, cache=tmp_path).counts
        survived += np.array_equal(again, right)
    record("Corruption", f"chunks of a long run: {called(damage)}", moments, survived,
           "computed again, in silence")


@pytest.mark.parametrize("damage", DAMAGES)
def test_executed_chapters(damage, small_book, moments, record):
    build = ["build", "--preset", "quick", "--jobs", "1"]
    code, said = Command(small_book, *build).ended()
    assert code == 0, said
    good, chance, survived = results_of(small_book), random.Random(), 0
    executed = small_book / "book" / "chapters" / "10_small.ipynb"
    content = json.loads(executed.read_text())
    for _ in range(moments):  # most damages need no kernel to be noticed
        executed.write_bytes(damage(good["book/chapters/10_small.ipynb"], chance))
        try:
            harmless = json.loads(executed.read_text()) == content
        except ValueError:
            harmless = False
        survived += harmless or chapters.executed_metadata(executed) == {}
    code, said = Command(small_book, *build).ended()
    survived -= code != 0 or (not harmless and results_of(small_book) != good)
    record("Corruption", f"executed chapters: {called(damage)}", moments, survived,
           "executed again, with the same bits")
