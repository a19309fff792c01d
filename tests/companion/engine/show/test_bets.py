"""Bets of the short book: one before each picture, and a table of all on the last page."""

import html
import json
import re

import pytest

from companion.engine.build import chapters, last_fold
from companion.engine.show.bets import bet, bets

SHORT = [
    chapter
    for chapter in chapters.chapters()
    if chapter.number <= last_fold.LAST_SHORT_CHAPTER
]


def terms(one: bet) -> dict:
    quoted = re.search('data-terms="(.*?)"', one._repr_html_())[1]
    return json.loads(html.unescape(quoted))


def test_a_bet_carries_its_answer_and_waits_for_the_slider():
    one = bet("x", "How many?", answer=281.2, high=1000, unit="of 1,000 people")
    assert terms(one) == {
        "chapter": "x",
        "answer": 281.0,
        "low": 0,
        "high": 1000,
        "unit": "of 1,000 people",
        "digits": 0,
    }
    slider = re.search("<input[^>]*>", one._repr_html_())[0]
    assert 'value="0"' in slider and 'step="10.0"' in slider
    assert '<button type="submit" disabled>' in one._repr_html_()
    assert repr(one) == "How many? 281 of 1,000 people."


def test_a_step_is_no_finer_than_the_answer():
    assert 'step="1.0"' in bet("x", "?", answer=3, high=50)._repr_html_()
    assert 'step="0.1"' in bet("x", "?", answer=0.3, high=5, digits=1)._repr_html_()


@pytest.mark.parametrize("answer", [-0.1, 100.5, float("nan")])
def test_an_answer_outside_the_scale_is_refused(answer):
    with pytest.raises(ValueError, match="must lie between 0 and 100"):
        bet("x", "How many?", answer=answer)


@pytest.mark.parametrize("chapter", SHORT, ids=lambda chapter: chapter.name)
def test_each_picture_of_the_short_book_waits_for_one_bet(chapter):
    places = {
        kind: [i for i, code in enumerate(chapter.code) if call.search(code)]
        for kind, call in (
            ("bet", re.compile(r"^book\.bet\(", re.M)),
            ("picture", re.compile(r"^explorers\.\w+\(", re.M)),
        )
    }
    assert len(places["bet"]) == 1
    assert places["picture"][0] == places["bet"][0] + 1
    bet = chapter.code[places["bet"][0]]
    assert re.search(rf'^book\.bet\(\s*"{chapter.name}"', bet, re.M)


#: Pictures that have the seed box of their page.
WITH_BOX = ("explorers.machine(",)


@pytest.mark.parametrize("chapter", SHORT, ids=lambda chapter: chapter.name)
def test_a_page_of_the_short_book_has_at_most_one_seed_box(chapter):
    code = "\n".join(chapter.code)
    boxes = sum(code.count(picture) for picture in WITH_BOX)
    sentences = code.count("book.your_seed(")
    assert boxes + sentences - code.count("with_box=False") == bool(boxes or sentences)


def test_the_last_page_lists_the_bets_of_all_chapters():
    page = bets()._repr_html_()
    assert re.findall('data-chapter="(.*?)"', page) == [one.name for one in SHORT]
    assert "book.bets()" in "\n".join(SHORT[-1].code)
