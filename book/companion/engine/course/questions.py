"""The question bank ``course/questions.yml`` and the exam ``course/exam.yml`` as pages.

A question that asks for a number has two expressions, `answer` and `check`, which
compute the number in different ways: no number in a solution is typed, and a test
compares the two.
"""

import itertools
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import integrate, optimize, stats

from companion.engine.build import chapters, files, parameters
from companion.engine.course import slides
from companion.engine.show import display, markup
from companion.papers import correlated_differences
from companion.papers.bouckaert2005 import models
from replib import (
    intervals,
    multiple_comparisons,
    replicability,
    replication_probability,
    schemes,
    significance,
)

COURSE = chapters.ROOT / "course"
_ANSWER = re.compile(r"\{answer(?::([^{}]*))?\}")


@dataclass(frozen=True)
class Question:
    """A question; in the exam it has one point per minute."""

    id: str
    session: int
    kind: str
    level: int
    minutes: int
    question: str
    solution: str
    answer: str = ""
    check: str = ""

    @property
    def solved(self) -> str:
        """The solution, with the value of its expression."""
        return _ANSWER.sub(
            lambda m: f"{value(self.answer):{m[1] or 'g'}}", self.solution
        )


@cache
def table(name: str) -> pd.DataFrame:
    """Read a file of the data pack."""
    return pd.read_csv(COURSE / "data" / f"{name}.csv")


#: Names that expressions may use.
_NAMES = {
    "np": np,
    "stats": stats,
    "integrate": integrate,
    "optimize": optimize,
    "itertools": itertools,
    "table": table,
    "models": models,
    "intervals": intervals,
    "multiple_comparisons": multiple_comparisons,
    "replicability": replicability,
    "replication_probability": replication_probability,
    "schemes": schemes,
    "significance": significance,
    "correlated_differences": correlated_differences,
}


def value(expression: str) -> float:
    """Return the value of an expression in the question bank."""
    # the expressions are our own, like the code of a chapter
    return float(eval(expression, dict(_NAMES)))  # nosec B307


def bank() -> dict[str, Question]:
    """Return all questions by name."""
    given = parameters.read_yaml(COURSE / "questions.yml", "the question bank")
    return {question["id"]: Question(**question) for question in given}


def exam() -> dict[str, object]:
    """Return the exam: `title`, `rules`, `given` (names and expressions), and its `questions`."""
    paper = parameters.read_mapping(COURSE / "exam.yml", "the exam")
    questions = bank()
    return paper | {"questions": [questions[name] for name in paper["questions"]]}


def write_all(site: Path, *, solutions: bool) -> None:
    """Write bank and exam next to the pages of a site, for students or with solutions."""
    paper = exam()
    given = [
        (name, f"{value(expression):.3f}")
        for name, expression in paper["given"].items()
    ]
    sessions = {
        f"Session {number}": list(of)
        for number, of in itertools.groupby(
            bank().values(), key=lambda one: one.session
        )
    }
    for name, title, rules, parts, constants in (
        ("questions", "Question bank", "", sessions, []),
        ("exam", paper["title"], paper["rules"], {"": paper["questions"]}, given),
    ):
        files.write(
            slides.folder(site) / f"{name}.html",
            display.html(
                "course",
                title=title + ", with solutions" * solutions,
                rules=rules,
                parts=parts,
                given=constants,
                solutions=solutions,
                scripts=slides.scripts_of(site),
                markdown=markup.inline,
                points=sum(one.minutes for of in parts.values() for one in of),
                minutes=int(paper["minutes"]),
            ),
        )
