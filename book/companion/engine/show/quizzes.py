"""Quizzes: questions of a chapter with answers that explain at once why they are right or wrong.

They are written in ``notebooks/quizzes/NN_name.yml``.  They use only HTML and CSS, so
formulas are set, dark mode works and nothing is loaded.
"""

import re
from dataclasses import dataclass

import nbformat

from companion.engine.build import chapters, parameters
from companion.engine.build.chapters import Chapter
from companion.engine.show import display, markup

#: Sections of a chapter; the quiz comes before the first of them that the chapter has.
_LATE = re.compile(
    r"^(?:\([\w-]+\)=\s*\n+)?## (?:Exercises|In practice|What next)\s*$",
    flags=re.MULTILINE,
)
_HEADING = "## Check yourself"


@dataclass(frozen=True)
class Answer:
    text: str
    feedback: str
    correct: bool = False


@dataclass(frozen=True)
class Question:
    question: str
    answers: tuple[Answer, ...]


def of_chapter(chapter: Chapter) -> list[Question]:
    """Return the questions of a chapter; none if it has no quiz.

    Raises
    ------
    ParameterError
        If a question does not have three or four answers with feedback, one of them
        correct.
    """
    file = chapters.SOURCES / "quizzes" / f"{chapter.source.stem}.yml"
    if not file.exists():
        return []
    owner = f"the quiz of chapter {chapter.name}"
    questions = parameters.read_yaml(file, owner)
    if not isinstance(questions, list):
        raise parameters.ParameterError(f"{owner}, is no list of questions")
    return [
        _question(one, f"{owner}, question {number},")
        for number, one in enumerate(questions, start=1)
    ]


def _question(given: dict, owner: str) -> Question:
    try:
        answers = tuple(Answer(**answer) for answer in given["answers"])
        question = Question(given["question"], answers)
    except (TypeError, KeyError) as problem:
        raise parameters.ParameterError(
            f"{owner} is not of the right form: {problem}"
        ) from None
    texts = [
        question.question,
        *(part for a in answers for part in (a.text, a.feedback)),
    ]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise parameters.ParameterError(f"{owner} has a text that is empty or no text")
    if not 3 <= len(answers) <= 4 or sum(answer.correct for answer in answers) != 1:
        raise parameters.ParameterError(
            f"{owner} needs three or four answers, one of them correct"
        )
    return question


def on_page(questions: list[Question], page: str) -> str:
    """Return the section of a page; its name distinguishes the questions of several pages."""
    filled = display.html(
        "quiz",
        questions=questions,
        page=page,
        markdown=markup.inline,
        verdict=verdict,
    )
    return f"{_HEADING}\n\n```{{raw}} html\n{filled}\n```"


def verdict(answer: Answer) -> str:
    return "Right." if answer.correct else "Not so."


def insert(notebook: nbformat.NotebookNode, section: str) -> None:
    """Insert the section of a quiz before the exercises, or another late section of the chapter."""
    for cell in notebook.cells:
        late = _LATE.search(cell.source) if cell.cell_type == "markdown" else None
        if late:
            before, after = cell.source[: late.start()], cell.source[late.start() :]
            cell.source = f"{before}{section}\n\n{after}"
            return
    notebook.cells.append(nbformat.v4.new_markdown_cell(section, id="quiz"))
