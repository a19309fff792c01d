"""The data pack: the script makes the files that are stored; they are described, and small."""

import importlib.util
import re

import pandas as pd
import pytest

from companion.engine.build import chapters

DATA = chapters.ROOT / "course" / "data"
_spec = importlib.util.spec_from_file_location("course_data", DATA / "make.py")
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)


@pytest.mark.slow
@pytest.mark.parametrize("name", make.FILES)
def test_a_file_is_what_the_script_makes(name):
    made, there = make.FILES[name](), pd.read_csv(DATA / name)
    pd.testing.assert_frame_equal(made, there, check_dtype=False, rtol=0, atol=2e-5)


def test_the_pack_is_small_and_has_nothing_else():
    files = {file.name: file.stat().st_size for file in DATA.glob("*.csv")}
    assert files.keys() == make.FILES.keys()
    assert sum(files.values()) < 500_000


@pytest.mark.parametrize("name", make.FILES)
def test_columns_are_described(name):
    row = next(
        line
        for line in (DATA / "README.md").read_text().splitlines()
        if line.startswith(f"| `{name}`")
    )
    words = set(re.findall(r"`(\w+)`", row))
    for column in pd.read_csv(DATA / name, nrows=0).columns:
        stem = re.sub(r"_\d+$", "", column)
        assert column in words or any(word.startswith(stem) for word in words), column
