"""Stored error rates of the three questions: a handful of cells is simulated again."""

import shutil

import numpy as np
import pytest

from companion.papers.topics import five_seeds
from companion.papers.topics.five_seeds import Cell, CountsDiffer


@pytest.mark.parametrize("name, k, experiments", [
    ("five_seeds", 12, 200), ("five_seeds_metrics", 3, 40),
])
def test_cells_drawn_at_random_agree_with_the_stored_table(name, k, experiments):
    """A right table is refused less than once in 80,000 runs; here the draw is fixed."""
    sentence = five_seeds.spot_check(name, k, experiments=experiments, rng=3)
    assert sentence.startswith(f"{name}: {k} cells were drawn") and "within Monte Carlo" in sentence


@pytest.mark.parametrize("row", [
    Cell("items", 1, 100, 0, 0.0, 1, 0.0), Cell("items", 0, 100, 5, 0.3, 2, 0.0),
    Cell("both", 1, 100, 0, 0.0, 2, 0.6), Cell("seeds", 0, 100, 0, 0.0, 3, 0.3),
])
def test_a_stored_cell_is_made_again_to_the_last_count(row):
    stored = (five_seeds.FOLDER / "five_seeds.csv").read_text()
    (line,) = [one for one in stored.splitlines() if one.startswith(",".join(map(str, row)) + ",")]
    experiments, rejections = map(int, line.split(",")[-2:])
    assert five_seeds.rejections(row, experiments) == rejections


@pytest.mark.parametrize("name, cells", [
    ("five_seeds", five_seeds.grid()), ("five_seeds_metrics", five_seeds.metric_grid()),
])
def test_stored_cells_are_those_of_the_grid(name, cells):
    """Every cell once; of the metrics, whose bootstraps are slow, at most once."""
    lines = (five_seeds.FOLDER / f"{name}.csv").read_text().splitlines()[1:]
    found = [tuple(line.split(",")[:-2]) for line in lines]
    wanted = {tuple(map(str, cell)) for cell in cells}
    assert len(set(found)) == len(found) and set(found) <= wanted
    assert set(found) == wanted or name == "five_seeds_metrics"


@pytest.fixture
def edited(tmp_path):
    """A folder with a copy of a table, which a test may damage."""
    shutil.copy(five_seeds.FOLDER / "five_seeds.csv", tmp_path)
    return tmp_path / "five_seeds.csv"


@pytest.mark.parametrize("factor", [0, 4])
def test_wrong_counts_are_found(edited, factor):
    """With no rejections, or four times as many, at least one of six cells raises an error."""
    header, *lines = edited.read_text().splitlines()
    wrong = [
        ",".join([*line.split(",")[:-1], str(factor * int(line.split(",")[-1]))])
        for line in lines if line.startswith("items")
    ]
    edited.write_text("\n".join([header, *wrong]))
    with pytest.raises(CountsDiffer, match=r"five_seeds, Cell\(.*experiments reject in the stored"):
        five_seeds.spot_check("five_seeds", 6, experiments=400, rng=1, folder=edited.parent)


def test_equal_rates_are_rarely_told_apart():
    """Fisher's exact test, so the stated rate of false complaints is an upper limit."""
    rng = np.random.default_rng(0)
    for stored, again in zip(rng.binomial(4000, 0.05, 300), rng.binomial(200, 0.05, 300)):
        five_seeds.check_counts("x", (int(stored), 4000), (int(again), 200))


@pytest.mark.parametrize("name", ["five", "", None, 3])
def test_other_tables_are_refused(name):
    with pytest.raises(ValueError, match="name must be one of 'five_seeds', 'five_seeds_metrics'"):
        five_seeds.spot_check(name, 1)


def test_a_table_is_filled_where_it_is_empty(tmp_path):
    path, asked = tmp_path / "some.csv", []

    def counted(cell):
        asked.append(cell)
        return [cell[0] + 1]

    for cells in ([(1, 2)], [(1, 2), (3, 4)], [(3, 4)]):
        five_seeds.fill(path, ["a", "b", "count"], cells, counted)
    assert path.read_text() == "a,b,count\n1,2,2\n3,4,4\n" and asked == [(1, 2), (3, 4)]
