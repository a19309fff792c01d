"""Quizzes: every question has one right answer and says why; pages and notebooks show all of it."""

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup

from companion.engine.build import chapters
from companion.engine.build.parameters import ParameterError
from companion.engine.show import quizzes
from companion.engine.show.quizzes import Answer, Question

QUESTIONS = [
    Question(
        "Is $r < 1$?",
        (
            Answer("Yes, *if* $p$ is ½", "By definition.", True),
            Answer("No", "See <above>."),
            Answer("Never", "Once."),
        ),
    )
]


def good() -> list[dict]:
    answers = [{"text": f"t{i}", "feedback": "f", "correct": i == 0} for i in range(3)]
    return [{"question": "q", "answers": answers}]


def change(path: list, value: object) -> list[dict]:
    questions = place = good()
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return questions


@pytest.fixture
def chapter(project):
    (project / "notebooks" / "quizzes").mkdir()
    return chapters.find("sample")


def write(chapter, text):
    (chapter.source.parent / "quizzes" / "10_sample.yml").write_text(text)


def test_a_quiz_is_read(chapter):
    assert quizzes.of_chapter(chapter) == []
    write(chapter, yaml.safe_dump(good()))
    (question,) = quizzes.of_chapter(chapter)
    assert [answer.correct for answer in question.answers] == [True, False, False]


@pytest.mark.parametrize(
    "questions, sentence",
    [
        (
            change([0, "answers", 1, "correct"], True),
            "question 1, needs .* one of them correct",
        ),
        (change([0, "answers", 0, "correct"], False), "one of them correct"),
        (change([0, "answers"], good()[0]["answers"][:2]), "three or four answers"),
        (change([0, "answers", 0, "feedback"], " "), "empty"),
        (change([0, "answers", 0, "text"], 3), "no text"),
        (change([0, "answers", 0, "colour"], "red"), "not of the right form: .*colour"),
        ([{"question": "q"}], "not of the right form: 'answers'"),
        (["q"], "not of the right form"),
        ({"question": "q"}, "no list of questions"),
    ],
)
def test_a_bad_quiz_is_refused_in_a_sentence(chapter, questions, sentence):
    write(chapter, yaml.safe_dump(questions))
    with pytest.raises(ParameterError, match=f"quiz of chapter sample, .*{sentence}"):
        quizzes.of_chapter(chapter)


def test_a_page_shows_questions_with_formulas_and_says_what_each_answer_is():
    text = quizzes.on_page(QUESTIONS, "sample")
    page = BeautifulSoup(text, "html.parser")
    assert page.legend.get_text() == "Is \\(r < 1\\)?"
    assert [label.get_text() for label in page.find_all("label")] == [
        "Yes, if \\(p\\) is ½",
        "No",
        "Never",
    ]
    assert page.select_one(".right .feedback").get_text() == "Right. By definition."
    assert page.select(".wrong .feedback")[0].get_text() == "Not so. See <above>."
    for box in page.find_all("input"):
        assert page.find("label", attrs={"for": box["id"]})
        assert page.find(id=box["aria-describedby"])
    assert len({box["name"] for box in page.find_all("input")}) == 1
    assert "<script" not in text and "http" not in text


@pytest.mark.parametrize(
    "late", ["## Exercises", "(ex)=\n## Exercises", "## What next"]
)
def test_a_quiz_comes_before_the_late_sections(late):
    cells = ["# T", f"Text.\n\n{late}\n\n:::{{exercise}}\n:::", "## Late"]
    notebook = nbformat.v4.new_notebook(
        cells=list(map(nbformat.v4.new_markdown_cell, cells))
    )
    quizzes.insert(notebook, "QUIZ")
    assert notebook.cells[1].source.startswith(f"Text.\n\nQUIZ\n\n{late}")


@pytest.mark.parametrize(
    "chapter", chapters.chapters(), ids=lambda chapter: chapter.name
)
def test_every_chapter_asks_four_questions_or_in_the_short_book_three(chapter):
    least = 0 if chapter.is_appendix else 3 if chapter.number <= 10 else 4
    assert len(quizzes.of_chapter(chapter)) >= least
