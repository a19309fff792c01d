"""Rows that are times draw a question: days as seeds, quarters as data sets, a trajectory."""

import numpy as np
import pandas as pd
import pytest

from replib import CV, Items, Metric, Scores
from replib._labels import notes_about_labels

RNG = np.random.default_rng(11)
ANY = Metric("quality", better="higher")
DAYS = pd.date_range("2025-03-03", periods=14)
QUARTERS = [(year, quarter) for year in (2015, 2016) for quarter in range(1, 5)]


def notes(key, labels, design, name=None):
    labels = [*labels]
    rows = [(model, x, RNG.random()) for model in ("nb", "svm") for x in labels]
    frame = pd.DataFrame(rows, columns=["model", name or key, "score"])
    columns = {key: name} if name else {}
    return list(
        notes_about_labels(Scores(frame, design=design, metric=ANY, columns=columns))
    )


def of_quarters(pattern):
    return [pattern.format(*quarter) for quarter in QUARTERS]


def windows(pattern):
    return [pattern.format(1990, year, year + 1) for year in range(1999, 2004)]


@pytest.mark.parametrize(
    ("key", "labels", "design", "times"),
    [
        (
            "dataset",
            ["Mon", "Tue", "Wed", "Thu", "Fri"],
            "datasets",
            "days of the week",
        ),
        (
            "dataset",
            ["Mo", "Di", "Mi", "Do", "Fr", "Sa"],
            "datasets",
            "days of the week",
        ),
        ("dataset", ["lundi", "mardi", "jeudi"], "datasets", "days of the week"),
        ("dataset", ["January", "February", "March"], "datasets", "months"),
        ("dataset", ["Jan 2024", "Feb 2024", "Mar 2024"], "datasets", "months"),
        ("run", ["jan", "feb", "mar", "apr"], "seeds", "months"),
        ("dataset", ["Spring", "Summer", "Autumn"], "datasets", "seasons"),
        ("dataset", ["KW 12", "KW 13", "KW 14"], "datasets", "times of one series"),
        ("dataset", ["day1", "day2", "day3"], "datasets", "times of one series"),
        ("dataset", ["1/2020", "2/2020", "3/2020"], "datasets", "parts of years"),
        ("dataset", of_quarters("{}T{}"), "datasets", "parts of years"),
        ("dataset", of_quarters("{}-Q{}"), "datasets", "parts of years"),
        ("dataset", of_quarters("Q{1} {0}"), "datasets", "parts of years"),
        ("dataset", of_quarters("{1}T{0}"), "datasets", "parts of years"),
        ("dataset", of_quarters("{}-W0{}"), "datasets", "parts of years"),
        ("run", of_quarters("{}Q{}"), "8 x 10%", "parts of years"),
        ("dataset", DAYS.astype(str), "datasets", "times of one series"),
        ("run", DAYS.astype(str), "seeds", "times of one series"),
        ("run", DAYS.strftime("%d.%m.%Y"), "seeds", "times of one series"),
        ("dataset", ["lead_6h", "lead_12h", "lead_24h"], "datasets", "horizons"),
        ("dataset", ["T+1", "T+2", "T+3"], "datasets", "horizons"),
        ("dataset", ["+6h", "+12h", "+18h"], "datasets", "horizons"),
        ("dataset", ["24 hours", "48 hours", "72 hours"], "datasets", "horizons"),
        ("dataset", ["3 months", "6 months", "12 months"], "datasets", "horizons"),
        ("run", ["5 min ahead", "10 min ahead", "15 min ahead"], "seeds", "horizons"),
        ("fold", range(2011, 2017), "1x6", "years"),
        ("fold", ["2011", "2012", "2013"], "1x3", "years"),
        ("fold", [f"holdout {year}" for year in range(1998, 2004)], "1x6", "years"),
        ("fold", ["2019/valid", "2020/valid", "2021/valid"], "1x3", "years"),
        ("dataset", ["DJF", "MAM", "JJA", "SON"], "datasets", "seasons"),
        ("dataset", ["gas_jan", "gas_feb", "gas_mar"], "datasets", "months"),
        (
            "run",
            ["load lead 6h", "load lead 12h", "load lead 24h"],
            "seeds",
            "horizons",
        ),
        ("fold", windows("train{0}-{1}_test{2}"), "1x5", "windows of time"),
        ("run", windows("{}..{} -> {}"), "5 x 10%", "windows of time"),
    ],
)
def test_rows_that_are_times(key, labels, design, times):
    found = notes(key, labels, design)
    assert any(note.endswith(f"and so on: are they {times}?") for note in found)


@pytest.mark.parametrize(
    ("key", "labels", "design"),
    [
        ("dataset", ["sun", "may", "iris"], "datasets"),
        ("dataset", ["Mo", "Di", "Mi"], "datasets"),
        ("dataset", ["STS12", "STS13", "STS14", "STS15"], "datasets"),
        ("dataset", ["2014", "2015", "2016", "2017", "2018"], "datasets"),
        ("dataset", ["2014-2015", "2015-2016", "2016-2017"], "datasets"),
        ("dataset", ["1D", "2D", "3D"], "datasets"),
        ("dataset", ["M4 Daily", "M4 Weekly", "M4 Monthly", "M4 Yearly"], "datasets"),
        ("dataset", ["ISIC 2017", "ISIC 2018", "ISIC 2019"], "datasets"),
        ("fold", ["set 101", "set 102", "set 103"], "1x3"),
        ("dataset", ["10m", "30m", "60m"], "datasets"),
        ("dataset", ["h1", "h2", "h3"], "datasets"),
        ("run", [2021, 2022, 2023, 2024], "seeds"),
        ("fold", range(2011, 2017), CV(1, 6, groups=True)),
        ("fold", [2008, 2013, 2021], "1x3"),
        ("dataset", ["MBPP 2021", "APPS 2021", "HE 2021"], "datasets"),
        ("run", ["20240101-1", "20240305-2", "20240306-1"], "seeds"),
        ("run", ["2024-01-01", "2024-01-07", "2024-03-01", "2024-03-02"], "seeds"),
        ("run", DAYS.astype(str), "14 x 10%"),
        ("fold", of_quarters("{}Q{}"), CV(1, 8, groups=True)),
    ],
)
def test_rows_that_are_no_times(key, labels, design):
    assert notes(key, labels, design) == []


@pytest.mark.parametrize(
    ("labels", "name", "is_noted"),
    [
        (np.arange(60) * 0.5, "time_fs", True),
        (np.arange(60) * 0.04, None, True),
        (range(60), "frame", True),
        (range(0, 6000, 100), "t_time", True),
        (range(60), "frame_of_mind", False),
        (range(60), None, False),
        (np.arange(60) ** 1.5, "time_s", False),
        (RNG.permutation(60) ** 2, "frame", False),
        ([1.0, 2.0, *range(3, 61)], None, False),
        (range(60000, 60060), "MJD", True),
        (range(1, 60), "doy", True),
        ([f"frame_{n:05d}" for n in range(0, 600, 10)], None, True),
        ([f"frame_{n}" for n in range(60)], None, True),
        ([f"Frame{n:04d}.png" for n in range(1, 61)], None, True),
        ([f"md step {n}" for n in range(500, 9000, 500)], None, True),
        ([f"run1/snapshot-{n}.xyz" for n in range(3, 40)], None, True),
        ([f"image_{n:05d}.png" for n in range(60)], None, False),
        ([f"aspirin_{n:04d}" for n in range(60)], None, False),
        ([f"q{n}" for n in range(60)], None, False),
        ([f"time{n}_frame" for n in range(60)], None, False),
        ([f"frame_{n}" for n in RNG.permutation(60) ** 2], None, False),
        ([f"keyframes {n}" for n in range(9)], None, False),
        (["frame_a", *(f"frame_{n}" for n in range(60))], None, False),
    ],
)
def test_items_of_a_trajectory(labels, name, is_noted):
    found = notes("item", labels, "items", name)
    assert len(found) == is_noted
    assert all("do neighbours depend on each other?" in note for note in found)


def test_blocks_of_time_are_clusters():
    frame = pd.DataFrame(
        {"item": np.arange(40) / 2, "score": 0.5, "block": np.arange(40) // 8}
    )
    both = pd.concat([frame.assign(model=model) for model in ("nb", "svm")])
    table = Scores(both, design=Items(cluster="block"), metric=ANY)
    assert list(notes_about_labels(table)) == []
