"""The short book is short: the counted minutes are the declared ones, and few."""

import re

import pytest

from companion.engine.build import chapters, editions
from companion.engine.build.directives import replace

SHORT = [chapter for chapter in chapters.chapters() if chapter.number <= 7]

_NO_WORDS = re.compile(r"\$\$.*?\$\$|\{[\w:]+\}|[`*#|:-]+", flags=re.DOTALL)
#: Chapters in which teams with patients of their own have a picture, too.
WITH_TEAMS = ("dependent_folds", "significant_again")
WORDS_A_MINUTE, LINES_A_MINUTE = 200, 12
MINUTES_BY_STARS = (0, 1, 2, 4)


def counted(chapter) -> tuple[float, int, int]:
    """Minutes, explorers and exercises of a chapter, without solutions, notes and hidden code."""
    directives, words, lines, explorers = [], 0, 0, 0
    for cell in editions.for_readers(
        chapter.notebook, editions.EDITIONS["student"]
    ).cells:
        if cell.cell_type == "markdown":
            replace(cell.source, directives.append)
            words += len(_NO_WORDS.sub(" ", cell.source).split())
            continue
        explorers += "explorers." in cell.source and "import" not in cell.source
        if not {"hide-input", "remove-input", "parameters"} & {
            *cell.metadata.get("tags", ())
        }:
            lines += sum(bool(line.strip()) for line in cell.source.splitlines())
    stars = [one.argument.count("★") for one in directives if one.name == "exercise"]
    minutes = words / WORDS_A_MINUTE + lines / LINES_A_MINUTE + explorers
    return minutes + sum(MINUTES_BY_STARS[n] for n in stars), explorers, len(stars)


@pytest.mark.parametrize("chapter", SHORT, ids=lambda chapter: chapter.name)
def test_a_chapter_of_the_short_book_is_short_and_has_a_picture_that_moves(chapter):
    minutes, explorers, exercises = counted(chapter)
    assert abs(minutes - chapter.minutes_to_read) <= 1
    assert chapter.minutes_to_read <= 15
    assert explorers == 1 + (chapter.name in WITH_TEAMS) and exercises == 3
    checked = [cell for cell in chapter.code if "assert " in cell]
    assert any("library" in cell or "the book's package" in cell for cell in checked)
    assert not any("book.ledger(" in cell for cell in chapter.code)


def test_the_short_book_takes_two_hours():
    assert sum(counted(chapter)[0] for chapter in SHORT) <= 120
