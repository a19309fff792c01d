"""The short book is short: the counted minutes are the declared ones, and few."""

import pytest

from companion.engine.build import chapters
from companion.engine.course import reading

SHORT = [chapter for chapter in chapters.chapters() if chapter.number <= reading.SHORT_BOOK]


def test_minutes_add_up():
    assert reading.Reading(400, 24, 1, (1, 3)).minutes == 2 + 2 + 1 + 5


@pytest.mark.parametrize("chapter", SHORT, ids=lambda chapter: chapter.name)
def test_a_chapter_of_the_short_book_takes_at_most_fifteen_minutes(chapter):
    counted = reading.of_chapter(chapter).minutes
    assert abs(counted - chapter.minutes_to_read) <= 1
    assert chapter.minutes_to_read <= 15


@pytest.mark.parametrize("chapter", SHORT, ids=lambda chapter: chapter.name)
def test_a_chapter_of_the_short_book_has_a_picture_that_moves_and_three_exercises(chapter):
    found = reading.of_chapter(chapter)
    assert found.explorers == 1 and len(found.exercises) == 3
    assert any("assert " in cell and "library" in cell for cell in chapter.code)
    assert not any("book.ledger(" in cell for cell in chapter.code)


def test_the_short_book_takes_two_hours():
    assert sum(reading.of_chapter(chapter).minutes for chapter in SHORT) <= 120
