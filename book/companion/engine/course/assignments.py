"""Assignments that are marked automatically, in the format of nbgrader, but without its server.

The source of an assignment, ``course/assignments/NAME.md``, holds its solutions and its tests.
The student's notebook has neither the solutions nor the hidden tests.  To mark a submission, only
its answers are put into the source, so a test that a student changed has no effect.  Once an answer
has been tested, the solution replaces it and the test is run again with the solution, so that a
mistake costs only its own points.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbclient
import nbformat

from companion.engine.build import chapters, parameters

SOURCES = chapters.ROOT / "course" / "assignments"
#: The data pack, which assignments look for here, or else in a folder `data` next to them.
DATA = chapters.ROOT / "course" / "data"
#: Seconds that a cell of a submission may run.
_PATIENCE = 300


def find(name: str) -> Path:
    """Return the source of an assignment.

    Raises
    ------
    ParameterError
        If there is no assignment of that name.
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
    """Return an assignment without its solutions and its hidden tests."""
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

    notebook = _read(source)
    for preprocessor in (ClearSolutions(), ClearHiddenTests()):
        notebook, _ = preprocessor.preprocess(notebook, {})
    return notebook


def mark(source: Path, submission: Path) -> dict[str, tuple[float, float]]:
    """Return the points of a submission and the possible points, by graded cell.

    Raises
    ------
    ParameterError
        If the submission is not a notebook, is not of this assignment, or ends its kernel.
    """
    from nbgrader.utils import determine_grade, is_grade

    notebook = _read(source)
    fill_in(notebook, _answers(submission), submission)
    try:
        nbclient.NotebookClient(
            notebook, allow_errors=True, timeout=_PATIENCE, interrupt_on_timeout=True,
            extra_arguments=["--IPKernelApp.log_level=50"],
            resources={"metadata": {"path": str(submission.parent)}},
        ).execute(env=os.environ | {"COURSE_DATA": str(DATA)})
    except RuntimeError as problem:
        raise parameters.ParameterError(
            f"{submission} could not be executed: {problem}"
        ) from problem
    return {
        cell.metadata.nbgrader.grade_id: determine_grade(cell)
        for cell in notebook.cells if is_grade(cell)
    }


def _answers(submission: Path) -> dict[str, str]:
    """Return what a student wrote, by the names of the cells."""
    try:
        handed_in = nbformat.read(submission, as_version=4)
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, UnicodeDecodeError):
        raise parameters.ParameterError(f"{submission} is not a notebook") from None
    return {
        cell.metadata["nbgrader"]["grade_id"]: cell.source
        for cell in handed_in.cells if cell.metadata.get("nbgrader", {}).get("solution")
    }


def fill_in(notebook: nbformat.NotebookNode, answers: dict[str, str], submission: Path) -> None:
    """Replace each solution by an answer until it has been tested and the next answer comes."""
    from nbgrader.utils import is_grade, is_solution

    names = {cell.metadata.nbgrader.grade_id for cell in notebook.cells if is_solution(cell)}
    if missing := names - answers.keys():
        raise parameters.ParameterError(
            f"{submission} has no cell {', '.join(sorted(missing))}: is it of this assignment?"
        )
    cells: list[nbformat.NotebookNode] = []
    solutions: list[nbformat.NotebookNode] = []  # for answers that have not been tested yet
    right: list[nbformat.NotebookNode] = []  # cells that undo mistakes before the next answer
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
