"""Assignments that are marked automatically, in the format of nbgrader, but without its server.

The source of an assignment, ``course/assignments/NAME.md``, holds its solutions and its
tests. The student's notebook has neither the solutions nor the hidden tests.  To mark a
submission, only its answers are put into the source, so a test that a student changed
has no effect.  Once an answer has been tested, the solution replaces it and the test is
run again with the solution, so that a mistake costs only its own points.  A wrong
answer is compared with the typical ones of ``course/assignments/slips.yml``: if it
gives the same numbers as one of them, marking says which.
"""

import inspect
import os
import re
from pathlib import Path

import nbclient
import nbformat
import numpy as np

from companion.engine.build import chapters, parameters

SOURCES = chapters.ROOT / "course" / "assignments"
#: Typical wrong answers: the file says how they are written.
SLIPS = SOURCES / "slips.yml"
#: The data pack, which assignments look for here, or else in a folder `data` next to
#: them.
DATA = chapters.ROOT / "course" / "data"
#: What students do not get, and what they get instead.
_FOR_STUDENTS = (
    (
        r"(?ms)^( *)### BEGIN SOLUTION$.*?### END SOLUTION",
        r"\1# YOUR CODE HERE\n\1raise NotImplementedError()",
    ),
    (r"(?ms)\n?^### BEGIN HIDDEN TESTS$.*?### END HIDDEN TESTS", ""),
)
#: Seconds that a cell of a submission may run.
_PATIENCE = 300
#: A larger submission is not read: outputs of a session take a few megabytes.
_MOST_BYTES = 50_000_000


def find(name: str) -> Path:
    """Return the source of an assignment.

    Raises
    ------
    ParameterError
        If there is no assignment of that name.
    """
    known = {file.stem: file for file in sorted(SOURCES.glob("*.md"))}
    return parameters.choose("assignment", name, known)


def for_students(source: Path) -> nbformat.NotebookNode:
    """Return an assignment without its solutions and its hidden tests."""
    notebook = _read(source)
    for cell in notebook.cells:
        for pattern, stub in _FOR_STUDENTS:
            cell.source = re.sub(pattern, stub, cell.source)
    return notebook


def mark(source: Path, submission: Path) -> dict[str, tuple[float, float, str]]:
    """Return the points of a submission, the possible points and the likely slip, by graded cell.

    Raises
    ------
    ParameterError
        If the submission is not a notebook, is not of this assignment, or ends its
        kernel.
    """
    from nbgrader.utils import determine_grade, is_grade

    notebook, answers = _read(source), _answers(submission)
    fill_in(notebook, answers, submission)
    unreadable = syntax_errors(_read(source), answers)
    name_slips(notebook, source)
    try:
        nbclient.NotebookClient(
            notebook,
            allow_errors=True,
            timeout=_PATIENCE,
            interrupt_on_timeout=True,
            extra_arguments=["--IPKernelApp.log_level=50"],
            resources={"metadata": {"path": str(submission.parent)}},
        ).execute(env=os.environ | {"COURSE_DATA": str(DATA)})
    except RuntimeError as problem:
        raise parameters.ParameterError(
            f"{submission} could not be executed: {problem}"
        ) from problem
    words = {
        cell.metadata.slip: "".join(
            output.get("text", "") for output in cell.outputs
        ).strip()
        for cell in notebook.cells
        if "slip" in cell.metadata
    } | unreadable
    return {
        name: (*determine_grade(cell), words.get(name, ""))
        for cell in notebook.cells
        if is_grade(cell)
        for name in [cell.metadata.nbgrader.grade_id]
    }


def slips(source: Path) -> dict[str, dict]:
    """Return the `probe` and the `slips` of each test of an assignment.

    A slip is the code of a wrong answer and the words for it.
    """
    from nbgrader.utils import is_solution

    solutions = {
        f"test-{cell.metadata.nbgrader.grade_id}": cell.source
        for cell in _read(source).cells
        if is_solution(cell)
    }
    tests = parameters.read_yaml(SLIPS, "the table of slips")[source.stem]
    for name, test in tests.items():
        right = solutions[f"test-{test.pop('cell')}" if "cell" in test else name]
        test["slips"] = [
            (_replaced(right, old, new), words) for old, new, words in test["slips"]
        ]
    return tests


def _replaced(solution: str, old: str, new: str) -> str:
    """Return a solution with a slip in it.

    Raises
    ------
    ValueError
        If the solution does not have what the slip replaces.
    """
    if old not in solution:
        raise ValueError(f"a slip replaces {old!r}, which is not in the solution")
    return solution.replace(old, new)


def likely_slip(names: dict, probe: str, slips: list[tuple[str, str]]) -> str:
    """Return the words of the first slip that gives the numbers of the answer in `names`."""

    def numbers(own: dict) -> np.ndarray:
        # the code is that of the table, and of a submission that is executed anyway
        values = eval(probe, own)  # nosec B307
        return np.concatenate([np.ravel(np.asarray(x, float)) for x in values])

    try:
        given = numbers(dict(names))
    except Exception as problem:
        return f"Your answer stopped: {type(problem).__name__} {problem}".strip()
    for code, words in slips:
        own = dict(names)
        exec(code, own)  # nosec B102
        slip = numbers(own)
        if given.shape == slip.shape and np.allclose(given, slip, equal_nan=True):
            return words
    return "Not a slip that we know: compare your answer with the solution."


def name_slips(notebook: nbformat.NotebookNode, source: Path) -> None:
    """Put a cell after each test that prints the likely slip if the test has failed."""
    found = slips(source)
    cells = [
        nbformat.v4.new_code_cell(
            f"import numpy as np\n\n{inspect.getsource(likely_slip)}"
        )
    ]
    for cell in notebook.cells:
        cells.append(cell)
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in found:
            cell.source += f"\npassed = {name!r}"
            probe, known = found[name]["probe"], found[name]["slips"]
            cells.append(
                nbformat.v4.new_code_cell(
                    f"if globals().get('passed') != {name!r}:\n"
                    f"    print(likely_slip(globals(), {probe!r}, {known!r}))",
                    metadata={"slip": name},
                )
            )
    notebook.cells = cells


def syntax_errors(
    notebook: nbformat.NotebookNode, answers: dict[str, str]
) -> dict[str, str]:
    """Return what is wrong with answers that Python cannot read, by the tests that fail with them.

    An answer fails the tests between it and the next answer; one that is not tested,
    such as the student's number, fails all of them.
    """
    from nbgrader.utils import is_grade, is_solution

    found: dict[str, str] = {}
    problems: list[str] = []  # of the answers that the next tests examine
    last_was_tested = False
    for cell in notebook.cells:
        if is_solution(cell):
            name = cell.metadata.nbgrader.grade_id
            problem = syntax_error(answers[name])
            if problem and "BEGIN SOLUTION" not in cell.source:
                tests = [
                    c.metadata.nbgrader.grade_id for c in notebook.cells if is_grade(c)
                ]
                return dict.fromkeys(tests, f"Cell `{name}`: {problem}")
            if last_was_tested:
                problems = []
            problems += [problem] if problem else []
            last_was_tested = False
        elif is_grade(cell):
            last_was_tested = True
            if problems:
                found[cell.metadata.nbgrader.grade_id] = problems[0]
    return found


def syntax_error(code: str) -> str:
    """Return where Python stops reading a cell, and why; empty if it can read all of it.

    Examples
    --------
    >>> syntax_error("def double(x)\\n    return 2 * x")
    "Python cannot read line 1, `def double(x)`: expected ':'."
    >>> syntax_error("%matplotlib inline\\nx = 1")
    ''
    """
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        compile(TransformerManager().transform_cell(code), "the answer", "exec")
    except SyntaxError as problem:
        line = (problem.text or "").strip()
        return f"Python cannot read line {problem.lineno}, `{line}`: {problem.msg}."
    return ""


def _answers(submission: Path) -> dict[str, str]:
    """Return what a student wrote, by the names of the cells."""
    parameters.check_file(submission, str(submission), _MOST_BYTES)
    try:
        handed_in = nbformat.read(submission, as_version=4)
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, UnicodeDecodeError):
        raise parameters.ParameterError(f"{submission} is not a notebook") from None
    return {
        cell.metadata["nbgrader"]["grade_id"]: cell.source
        for cell in handed_in.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }


def fill_in(
    notebook: nbformat.NotebookNode, answers: dict[str, str], submission: Path
) -> None:
    """Replace each solution by an answer until it has been tested and the next answer comes."""
    from nbgrader.utils import is_grade, is_solution

    names = {
        cell.metadata.nbgrader.grade_id for cell in notebook.cells if is_solution(cell)
    }
    if missing := names - answers.keys():
        raise parameters.ParameterError(
            f"{submission} has no cell {', '.join(sorted(missing))}: is it of this assignment?"
        )
    cells: list[nbformat.NotebookNode] = []
    solutions: list[
        nbformat.NotebookNode
    ] = []  # for answers that have not been tested yet
    right: list[
        nbformat.NotebookNode
    ] = []  # cells that undo mistakes before the next answer
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
