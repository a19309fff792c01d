"""Exercises say how hard they are and what they ask for; enough of them are not proofs."""

import re

import pytest

from companion.engine.build import chapters
from companion.engine.build.directives import Directive, replace

_MARK = re.compile(r".+ \((★{1,3}), (code|data|proof)\)")


def directives(chapter: chapters.Chapter) -> list[Directive]:
    found: list[Directive] = []
    for cell in chapter.notebook.cells:
        if cell.cell_type == "markdown":
            replace(cell.source, found.append)
    return found


@pytest.mark.parametrize(
    "chapter", chapters.chapters(), ids=lambda chapter: chapter.name
)
def test_each_exercise_is_marked_and_has_one_solution(chapter):
    found = directives(chapter)
    exercises = [one for one in found if one.name == "exercise"]
    assert bool(exercises) != chapter.is_appendix
    for one in exercises:
        assert _MARK.fullmatch(one.argument), one.argument
    assert sorted(one.options["label"] for one in exercises) == sorted(
        one.argument for one in found if one.name == "solution"
    )
    assert sum("teacher" in one.classes for one in found) == bool(exercises)


def test_at_least_a_third_of_the_exercises_compute_something():
    kinds = [
        _MARK.fullmatch(one.argument)[2]
        for chapter in chapters.chapters()
        for one in directives(chapter)
        if one.name == "exercise"
    ]
    assert len([kind for kind in kinds if kind != "proof"]) >= len(kinds) / 3
