"""``replib bench``: its stored differences, what it says of tests whose size is known, refusals."""

import sys

import numpy as np
import pytest

from companion.studies.since_the_papers import stored_differences
from replib import _command, bench, significance


def test_stored_differences_are_what_is_drawn_again():
    """Three of the data sets of each size, on both sides of the file."""
    rng = np.random.default_rng()  # others at each run
    with np.load(stored_differences.FILE) as stored:
        for instances, numbers in stored_differences.DATASETS.items():
            for source in (1, 4, 2):
                number = numbers[source > 1]
                kept = stored[f"n{instances}_source{source}"]
                assert kept.shape == (10 * number, 2, 10, 10) and kept.dtype == np.int8
                network, index = rng.integers(10), rng.integers(number)
                drawn = stored_differences.differences(
                    f"source{source}.{network}", instances, int(index)
                )
                np.testing.assert_array_equal(kept[network * number + index], drawn)
    assert stored_differences.FILE.stat().st_size <= 300_000


def test_a_test_that_does_not_look_has_its_own_size():
    """Uniform p-values: 10%, on ten networks and within 5.7 standard errors (t, one in 3,000).

    A size of 16% is found with probability 0.98 under the null, and 0.8 under the
    alternative.
    """
    rng = np.random.default_rng(6)
    row = bench.measure(lambda x: rng.random(), alpha=0.1)
    assert abs(row.type_1[0] - 10) < 5.7 * row.type_1[1]
    assert abs(row.power[0] - 10) < 5.7 * row.power[1]
    assert row.datasets == (1000, 600)
    expected = 100 * (2 * (0.1**2 + 0.9**2) - 1)
    assert (
        row.replicability[0] < expected + 5.7 * row.replicability[1]
    )  # the least of four


@pytest.mark.slow
@pytest.mark.parametrize("instances", [100, 300])
def test_own_test_is_measured_as_the_reference_is(instances):
    own = bench.measure(
        lambda x: significance.corrected_resampled_t(
            x, test_train_ratio=1 / 9, axis=(-2, -1)
        ),
        name="corrected t, 10 × 10 folds",
        instances=instances,
    )
    assert own in bench.references(instances, 0.05)
    assert own.holds(0.05) and not own.holds(0.001)


def test_fewer_data_sets_are_the_first_of_each_network():
    seen = []
    row = bench.measure(lambda x: seen.append(x) or 0.5, datasets=1)
    assert row.datasets == (10, 30) and row.type_1[0] == 0
    with np.load(stored_differences.FILE) as stored:
        first = stored["n300_source1"][::100, 0] / 30
    np.testing.assert_allclose(seen[:20:2], first)


def test_two_networks_by_hand():
    """Both experiments on a data set of the first network reject, and one of the second."""
    rejected = [np.array([[[True, True]], [[True, False]]])] * 4
    row = bench._row("by hand", rejected)
    assert row.type_1 == (75, 25) and row.replicability == (0, 100)
    assert row.power == (75, pytest.approx(25 / 3**0.5)) and row.datasets == (2, 6)


MODULE = """
import numpy as np
def mean(x): return float(abs(x.mean()) < 0.02)
def wrong(x): return 1.5
def fails(x): return x[100]
def spoils(x):
    x[:] = 0
    return 0.5
number = 3
def prints(x):
    print("a line")
    return 0.5
def decides(x): return x.mean() > 0.02
def leaves(x): raise SystemExit
def several(x): return np.array([0.1, 0.2])
def without(x): pass
def unknown(x): return float("nan")
def other(a, b): return 0.5
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "of_mine.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("def test(x: return 0.5")
    (tmp_path / "fails_early.py").write_text("import absent")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "of_mine", raising=False)


def test_the_command_places_the_test_in_the_table(module, capsys):
    assert (
        _command.main("bench", ["of_mine:mean", "--size", "100", "--datasets", "2"])
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("* of_mine:mean") for line in lines) == 1
    assert len(lines) > 8 and max(map(len, lines)) <= 100
    above = [line.endswith("above its level") for line in lines[1:8]]
    assert above == sorted(above)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (
            ["of_mine:wrong"],
            "p-value of the test must be one number from 0 to 1, not 1.5",
        ),
        (["of_mine:fails"], "failed on an array of 10 runs x 10 folds"),
        (["of_mine:absent"], "MODULE:FUNCTION"),
        (["of_mine"], "MODULE:FUNCTION"),
        (["not_there:mean"], "MODULE:FUNCTION"),
        (["./of_mine.py:mean"], "MODULE:FUNCTION"),
        (["broken:test"], "not 'broken:test': "),
        (["fails_early:test"], "No module named 'absent'"),
        (["of_mine:number"], "must be a function"),
        (["of_mine:decides"], "must be one number from 0 to 1, not True"),
        (["of_mine:several"], "must be one number from 0 to 1, not array([0.1, 0.2])"),
        (["of_mine:without"], "must be one number from 0 to 1, not None"),
        (["of_mine:leaves"], "failed on an array of 10 runs x 10 folds: SystemExit()"),
        (["of_mine:other"], "missing 1 required positional argument"),
        (["of_mine:mean", "--size", "200"], "instances must be one of"),
        (["of_mine:mean", "--alpha", "5"], "alpha"),
        (["of_mine:mean", "--datasets", "0"], "datasets"),
    ],
)
def test_the_command_refuses(module, capsys, arguments, words):
    assert _command.main("bench", arguments) == 2
    shown = capsys.readouterr()
    assert words in shown.err and shown.err.count("\n") == 1 and not shown.out


def test_a_p_value_that_is_not_defined_rejects_nothing():
    assert bench.measure(lambda x: np.float64("nan"), datasets=1).type_1 == (0, 0)


def test_what_a_test_prints_is_not_shown(module, capsys):
    assert _command.main("bench", ["of_mine:prints", "--datasets", "1"]) == 0
    assert "a line" not in capsys.readouterr().out


def test_a_test_cannot_spoil_the_differences(module):
    spoils = bench.find("of_mine:spoils")
    assert bench.measure(spoils, datasets=1).type_1[0] == 0
    assert bench._blocks(300)[0].any()
