"""The paper about the library says what the book says, within its limit of words."""

import re

import numpy as np
import pytest
from pybtex.database import parse_string

from companion.engine.build import chapters
from companion.engine.sphinx import landing
from companion.studies.correlation_map import distribution

FOLDER = chapters.ROOT / "paper"
TEXT = " ".join(
    (FOLDER / "paper.md").read_text(encoding="utf-8").split("---\n", 2)[2].split()
)


def test_the_paper_has_at_most_1000_words():
    assert 500 < len(TEXT.split()) <= 1000


def test_its_references_are_those_of_the_book_and_all_are_cited():
    own, book = (
        parse_string(file.read_text(encoding="utf-8"), "bibtex").entries
        for file in (FOLDER / "paper.bib", chapters.ROOT / "book" / "references.bib")
    )
    assert set(re.findall(r"@(\w+)", TEXT)) == set(own)
    assert all(own[key] == book[key] for key in own if key in book)
    assert set(own) - set(book) == {"raschka2018", "herbold2020"}


@pytest.mark.slow
def test_its_numbers_are_those_of_the_first_page():
    found = landing.substitutions()
    for words in (
        "On {torn_5x2} of the {data_sets} UCI data sets",
        "corrected t test, it was {torn_10x10} of {data_sets}",
    ):
        assert words.format(**found) in TEXT
    least = int(
        re.search(r"more than ([\d,]+) printed facts", TEXT)[1].replace(",", "")
    )
    assert least < int(found["facts"].replace(",", "")) < least + 500


def test_it_names_nobody_yet():
    head = (FOLDER / "paper.md").read_text(encoding="utf-8").split("---\n", 2)[1]
    assert re.findall(r"- name: (.*)", head) == [
        "The replib authors",
        "To be given by the authors",
    ]


def test_both_distributions_have_the_same_licence():
    first, second = (chapters.ROOT / folder / "LICENSE" for folder in (".", "book"))
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.slow
def test_its_numbers_of_the_map_are_those_of_the_map():
    pairs = distribution.read()
    of_ten, within, between = (
        distribution.summary(pairs, runs) for runs in (10, 1, np.inf)
    )
    ten, one = (100 * distribution.level(pairs, runs, 1 / 9).mean() for runs in (10, 1))
    for words in (
        f"{len(pairs):,} cells of pairs",
        f"on {pairs['population'].nunique()} populations",
        f"odds are {between['mean']:.2f} ±",
        f"within a run {within['mean']:.2f} ±",
        f"for {100 * of_ten['above']:.0f}% of pairs",
        f"test is {ten:.1f}%",
        f"it is {one:.1f}%",
        f"explain {100 * distribution.predictors(pairs)['all of these']:.0f}%",
        f"redraws {100 * pairs['splits'].median():.0f}%",
    ):
        assert words in TEXT
