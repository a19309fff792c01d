"""If something is missing, a build leaves the same bits or says in a sentence what is missing."""

import json
import os
import resource
import subprocess
from functools import partial

import numpy as np
import pandas as pd
import pytest
from harness import ROOT, Command, copy_of_checkout, forget, is_a_sentence, pages_of, results_of

pytestmark = pytest.mark.campaign

BUILD = ["build", "--preset", "quick", "--jobs", "1"]
GIGABYTE = 2**30


def limited(kind: int, most: int) -> None:
    resource.setrlimit(kind, (most, most))


#: Options of the command in each setting; whether it can succeed there at all.
SETTINGS = {
    "python -O": ({"PYTHONOPTIMIZE": "1"}, True),
    "another time zone": ({"TZ": "Pacific/Chatham"}, True),
    "another hash seed": ({"PYTHONHASHSEED": "4711"}, True),
    "LC_ALL=C, no UTF-8": (
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, True,
    ),
    "no home": ({"HOME": "/proc/nowhere"}, True),
    "nowhere to keep compiled code": ({"NUMBA_CACHE_DIR": "/proc/nowhere"}, True),
    "one core": ({"before": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})}, True),
    "2 GB of addresses": (
        {"before": partial(limited, resource.RLIMIT_AS, 2 * GIGABYTE)}, False,
    ),
    "no file above 20 kB": (
        {"before": partial(limited, resource.RLIMIT_FSIZE, 20_000)}, False,
    ),
}


@pytest.fixture(scope="module")
def expected(small_book) -> dict[str, bytes]:
    code, said = Command(small_book, *BUILD).ended()
    assert code == 0, said
    return results_of(small_book) | pages_of(small_book)


@pytest.mark.parametrize("setting", SETTINGS)
def test_setting(setting, expected, small_book, record):
    options, can_succeed = SETTINGS[setting]
    forget(small_book)
    code, said = Command(small_book, *BUILD, **options).ended()
    left = results_of(small_book) | pages_of(small_book)
    same = code == 0 and left == expected
    whole = all(expected[name] == content for name, content in left.items())
    refused = not can_succeed and code in (1, 2) and whole and is_a_sentence(said)
    if not (same or refused):
        print(code, said[-3000:])
    record("Resources", setting, 1, int(same or refused), "same bits" if same else "a sentence")


def test_a_path_with_spaces_and_umlauts(tmp_path, expected, record):
    book = copy_of_checkout(tmp_path / "Bücher über Zufall")
    code, said = Command(book, *BUILD).ended()
    print(said[-2000:])
    fine = code == 0 and results_of(book) | pages_of(book) == expected
    record("Resources", "a path with spaces and umlauts", 1, int(fine), "same bits")


def test_compare_without_utf_8(tmp_path, record):
    """With names that the terminal and the file system cannot show."""
    drawn = np.random.default_rng(1).normal(0.8, 0.02, (20, 2))
    scores = pd.DataFrame(drawn, columns=["Bäume", "\u2212naïve"])
    scores.to_csv(tmp_path / "scores.csv", index=False)
    page, numbers = tmp_path / "page.html", tmp_path / "numbers.json"
    code, said = Command(
        ROOT, "compare", str(tmp_path / "scores.csv"), "--cv", "2x10", "--report", str(page),
        "--json", str(numbers), **SETTINGS["LC_ALL=C, no UTF-8"][0],
    ).ended()
    print(code, said[-2000:])
    fine = code == 0 and "Bäume" in page.read_text("utf-8") and "\u2212naïve" in str(
        json.loads(numbers.read_text("utf-8"))
    )
    record("Resources", "compare with LC_ALL=C, no UTF-8", 1, int(fine), "names are kept in files")


@pytest.fixture
def mounted(tmp_path):
    """A file system of a few megabytes; `remount` makes it read-only."""
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "none", tmp_path], capture_output=True,
    ).returncode:
        pytest.skip("only the superuser can mount a file system")
    yield tmp_path
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


def test_a_full_disk(mounted, record):
    book = copy_of_checkout(mounted / "book")
    with (mounted / "filling").open("wb", buffering=0) as file, pytest.raises(OSError):
        while True:
            file.write(bytes(4096))
    code, said = Command(book, *BUILD).ended()
    fine = code == 1 and is_a_sentence(said) and not results_of(book)
    print(code, said[-2000:])
    record("Resources", "a full disk", 1, int(fine), "a sentence, nothing half-written")


def test_a_read_only_checkout(mounted, record):
    book = copy_of_checkout(mounted / "book")
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
    code, said = Command(book, *BUILD).ended()
    print(code, said[-2000:])
    record("Resources", "a read-only checkout", 1, int(code == 1 and is_a_sentence(said)),
           "a sentence")
