"""The table of metrics that are known by their names."""

import csv
from importlib import resources

import pytest

from replib._names.metrics import vocabulary
from replib._names.metrics.directions import direction_of_metric
from replib._names.metrics.named import named_metric
from replib.scores import KNOWN

FILE = resources.files("replib").joinpath("data", "names", "named_metrics.csv")
ROWS = [*csv.DictReader(FILE.read_text("utf-8").splitlines())]
NAMES = [name for row in ROWS for name in row["names"].split("|")]


def test_a_name_has_one_meaning():
    words = [" ".join(vocabulary.words_of_name(name)) for name in NAMES]
    assert len(words) == len(set(words)) and "" not in words


def test_what_is_known_fits_itself():
    for row in ROWS:
        assert row["better"] in ("higher", "lower", "")
        assert row["certain"] in ("label", "end", "whole")
    for name, metric in vocabulary.NAMED.items():
        assert metric.low < metric.high, name
        if isinstance(metric.chance, float):
            assert metric.low <= metric.chance <= metric.high, name


@pytest.mark.parametrize("name", KNOWN)
def test_both_tables_agree(name):
    better, low, high = KNOWN[name]
    assert direction_of_metric(name) in (better, None)
    metric = named_metric(name)
    if metric is not None:
        assert metric.low <= max(low, metric.low) and metric.high >= min(high, 1)


def test_names_have_their_direction_in_other_spellings():
    wrong = []
    for name in NAMES:
        better = vocabulary.NAMED[" ".join(vocabulary.words_of_name(name))].better
        spellings = (name.upper(), name.replace(" ", "_"), f"test {name} (%)")
        if better is not None:
            wrong += [x for x in spellings if direction_of_metric(x) != better]
    assert wrong == []
