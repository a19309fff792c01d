"""Assignments that mark themselves, in the format of nbgrader, which needs no server for that.

The source of an assignment, ``course/assignments/NAME.md``, holds its solutions and its tests.
The student's notebook has neither the solutions nor the hidden tests.  To mark a submission its
answers, and nothing else of it, are put into the source: a test that a student changed counts for
nothing.  Once an answer has been tested the solution takes its place, and the test is run again
with it, so that a mistake costs its own points only.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbclient
import nbformat

from companion.engine import chapters, parameters

SOURCES = chapters.ROOT / "course" / "assignments"
#: The data pack, which assignments look for here, or else in the folder `data` beside them.
DATA = chapters.ROOT / "course" / "data"
#: Seconds that a cell of a submission may take.
_PATIENCE = 300


def find(name: str) -> Path:
    """The source of an assignment.

    Raises
    ------
    ParameterError
        If there is none of that name.
    """
    known = {file.stem: file for file in sorted(SOURCES.glob("*.md"))}
    return parameters.choose("assignment", name, known)


def write_all(folder: Path) -> Iterator[Path]:
    """Write each assignment for students and with ``_solution`` in its name, and the data pack."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(DATA, folder / "data", dirs_exist_ok=True)
    for source in sorted(SOURCES.glob("*.md")):
        for name, notebook in (
            (source.stem, for_students(source)), (f"{source.stem}_solution", _read(source)),
        ):
            nbformat.write(notebook, folder / f"{name}.ipynb")
            yield folder / f"{name}.ipynb"


def for_students(source: Path) -> nbformat.NotebookNode:
    """An assignment without its solutions and its hidden tests."""
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

    notebook = _read(source)
    for preprocessor in (ClearSolutions(), ClearHiddenTests()):
        notebook, _ = preprocessor.preprocess(notebook, {})
    return notebook


def mark(source: Path, submission: Path) -> dict[str, tuple[float, float]]:
    """Points of a submission and those that could be had, by the name of each graded cell.

    Raises
    ------
    ParameterError
        If the submission is no notebook, or not one of this assignment, or if it ends its kernel.
    """
    from nbgrader.utils import determine_grade, is_grade

    notebook = _read(source)
    fill_in(notebook, _answers(submission), submission)
    for is_last in (False, True):  # on a busy machine another program may take a port of the kernel
        try:
            nbclient.NotebookClient(
                notebook, allow_errors=True, timeout=_PATIENCE, interrupt_on_timeout=True,
                extra_arguments=["--IPKernelApp.log_level=50"],
                resources={"metadata": {"path": str(submission.parent)}},
            ).execute(env=os.environ | {"COURSE_DATA": str(DATA)})
            break
        except RuntimeError as problem:
            if is_last:
                raise parameters.ParameterError(
                    f"{submission} could not be executed: {problem}"
                ) from problem
    return {
        cell.metadata.nbgrader.grade_id: determine_grade(cell)
        for cell in notebook.cells if is_grade(cell)
    }


def _answers(submission: Path) -> dict[str, str]:
    """What a student wrote, by the names of the cells."""
    try:
        handed_in = nbformat.read(submission, as_version=4)
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, UnicodeDecodeError):
        raise parameters.ParameterError(f"{submission} is not a notebook") from None
    return {
        cell.metadata["nbgrader"]["grade_id"]: cell.source
        for cell in handed_in.cells if cell.metadata.get("nbgrader", {}).get("solution")
    }


def fill_in(notebook: nbformat.NotebookNode, answers: dict[str, str], submission: Path) -> None:
    """Replace solutions by answers, each until it has been tested and the next answer comes."""
    from nbgrader.utils import is_grade, is_solution

    names = {cell.metadata.nbgrader.grade_id for cell in notebook.cells if is_solution(cell)}
    if missing := names - answers.keys():
        raise parameters.ParameterError(
            f"{submission} has no cell {', '.join(sorted(missing))}: is it of this assignment?"
        )
    cells: list[nbformat.NotebookNode] = []
    solutions: list[nbformat.NotebookNode] = []  # of what has not been tested yet
    right: list[nbformat.NotebookNode] = []  # what makes up for mistakes before the next answer
    for cell in notebook.cells:
        again = nbformat.v4.new_code_cell(cell.source)
        if is_solution(cell):
            cells += right
            right = []
            if "BEGIN SOLUTION" in cell.source:
                solutions.append(again)
            cell.source = answers[cell.metadata.nbgrader.grade_id]
        elif is_grade(cell):
            right += [*solutions, again]
            solutions = []
        cells.append(cell)
    notebook.cells = cells


def _read(source: Path) -> nbformat.NotebookNode:
    return chapters.read_source(source, source.stem)
