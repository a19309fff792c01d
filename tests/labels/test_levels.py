"""Rows that are cutoffs or levels of one data set."""

import pytest
from labelled import notes, wide


@pytest.mark.parametrize(
    ("labels", "are"),
    [
        (["@5", "@10", "@50"], "cutoffs of one ranking"),
        (["Top 1%", "Top 5%", "Top 10%"], "cutoffs of one ranking"),
        (["H@1", "H@3", "H@10"], "cutoffs of one ranking"),
        (["at 10", "at 20", "at 50"], "cutoffs of one ranking"),
        (["rank-1", "rank-5", "rank-20"], "cutoffs of one ranking"),
        (["IoU>0.5", "IoU>0.75", "IoU>0.9"], "thresholds"),
        (["≥ 5 ratings", "≥ 20 ratings", "≥ 50 ratings"], "thresholds"),
        (["p < 0.05", "p < 1e-4"], "thresholds"),
        (["<18", "18-64", "≥65"], "levels of one data set"),
        (["<1k tokens", "1k-8k tokens", ">8k tokens"], "levels of one data set"),
        (["BI-RADS 2", "BI-RADS 3", "BI-RADS 4"], "levels of one data set"),
        (["KL grade 0", "KL grade 1", "KL grade 2"], "levels of one data set"),
        (["NYHA I", "NYHA II", "NYHA III"], "levels of one data set"),
        (["★", "★★", "★★★"], "levels of one data set"),
        (["5★", "4★", "3★"], "levels of one data set"),
        (["2nd grade", "3rd grade", "4th grade"], "levels of one data set"),
        (["Level 1", "Level 2", "Level 3"], "levels of one data set"),
        (["digit 0", "digit 1", "digit 2"], "classes"),
        (["Mild", "Moderate", "Severe", "None"], "classes of one data set"),
        (["never", "rarely", "often", "always"], "classes of one data set"),
    ],
)
def test_rows_that_are_cutoffs_or_levels_of_one_data_set(labels, are):
    (note,) = notes(wide(labels))
    assert note.endswith(f"are they {are}?")


@pytest.mark.parametrize(
    "labels",
    [
        ["laptop1", "laptop5", "laptop10"],
        ["vit@224", "swin@384", "deit@448"],
        ["mnist->usps", "usps->mnist", "svhn->mnist"],
        ["en>de", "de>en", "fr>en"],
        ["2018-2019", "2019-2020", "north"],
        ["monks-1", "monks-2", "monks-3"],
        ["2 moons", "3 spirals", "4 gaussians"],
        ["upgrade 1", "upgrade 2", "upgrade 3"],
        ["allstar A", "allstar B", "allstar C"],
        ["rank 1", "rank 2", "rank 3"],
        ["Never Mind", "often", "iris", "wine"],
        ["D1", "D2", "D3"],
        ["cat 1 star", "dog", "2 stars"],
    ],
)
def test_rows_that_look_like_cutoffs_or_levels(labels):
    assert notes(wide(labels)) == []
