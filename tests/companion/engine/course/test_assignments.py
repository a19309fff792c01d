"""Assignments: the solution gets full marks and a wrong submission fewer, whatever it changes."""

import contextlib
import io
import os
import re
from collections.abc import Iterator

import nbformat
import numpy as np
import pytest
from click.testing import CliRunner

from companion.engine.build import chapters
from companion.engine.build.parameters import ParameterError
from companion.engine.course import assignments, sessions

# Numbers that solutions and slips are compared by come from no division by zero.
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

NAMES = [file.stem for file in sorted(assignments.SOURCES.glob("*.md"))]


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A folder for notebooks; kernels import the library of this checkout."""
    monkeypatch.setenv("PYTHONPATH", str(chapters.ROOT))
    return tmp_path


def submission(folder, name, changes):
    """The solution of an assignment with other code in some cells."""
    notebook = chapters.read_source(assignments.find(name), name)
    for cell in notebook.cells:
        given = cell.metadata.get("nbgrader", {}).get("grade_id")
        if given in changes:
            old, new = changes[given]
            assert old in cell.source
            cell.source = cell.source.replace(old, new)
    nbformat.write(notebook, folder / "submission.ipynb")
    return folder / "submission.ipynb"


@pytest.mark.parametrize("name", NAMES)
def test_a_student_gets_no_solution_and_no_hidden_test(name):
    text = nbformat.writes(assignments.for_students(assignments.find(name)))
    assert (
        "YOUR CODE HERE" in text
        and "BEGIN" not in text
        and "replib.significance" not in text
    )
    assert "my_number = 1" in text


def run(code, names):
    """Run code in this process, because kernels take minutes."""
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "a cell", "exec"), names)


def graded(notebook) -> Iterator[tuple[str, float, bool]]:
    """Name, points and success of each graded cell."""
    names = {"__name__": "__main__"}
    for cell in notebook.cells:
        own = cell.metadata.get("nbgrader", {"grade": False})
        if cell.cell_type != "code":
            continue
        try:
            run(cell.source, names)
            passed = True
        except Exception:
            passed = False
        if own["grade"]:
            yield own["grade_id"], own["points"], passed


def changed(name, cell_id, old, new):
    """The solution of an assignment with other code in one cell."""
    notebook = chapters.read_source(assignments.find(name), name)
    cell = next(
        cell
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") == cell_id
    )
    assert old in cell.source
    cell.source = cell.source.replace(old, new)
    return notebook


@pytest.fixture
def data(monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(assignments.DATA))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_solution_has_full_marks_on_data_of_any_student(data, name):
    found = list(graded(changed(name, "data", "my_number = 1", "my_number = 4711")))
    assert all(passed for *_, passed in found), found
    assert sum(most for _, most, _ in found) == 10 and len(found) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_submission_has_none(data, name):
    notebook = assignments.for_students(assignments.find(name))
    assert not any(passed for *_, passed in graded(notebook))


#: What a wrong answer ends with; one that divides by zero warns before it is wrong.
LOSSES = (AssertionError, ArithmeticError, RuntimeWarning, TypeError)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_typical_wrong_answer_loses_its_points_and_hears_why(data, name):
    known = assignments.slips(assignments.find(name))
    names, met = {"__name__": "__main__"}, set()
    known_results = {}
    for cell in chapters.read_source(assignments.find(name), name).cells:
        if cell.cell_type != "code":
            continue
        run(cell.source, names)
        remember(names, known_results)
        own = cell.metadata.get("nbgrader", {})
        if own.get("grade"):
            met.add(own["grade_id"])
            test = known[own["grade_id"]]
            for code, words in test["slips"]:
                run(code, wrong := dict(names))
                assert assignments.likely_slip(wrong, **test) == words
                with pytest.raises(LOSSES):
                    run(cell.source, wrong)
            assert assignments.likely_slip(names, **test).startswith(
                "Not a slip that we know"
            )
    assert (
        met == known.keys() and sum(len(test["slips"]) for test in known.values()) >= 5
    )


NUMBERS = range(1, 201)
#: Of how many numbers sessions are asked whose answers take long: some five seconds each.
#: With ``REPLIB_ALL_NUMBERS`` set, all are asked of all, in seven minutes and more.
FEWER = {
    "session_01": 10,
    "session_02": 60,
    "session_03": 4,
    "session_06": 4,
    "session_08": 3,
    "session_09": 20,
    "session_10": 20,
    "session_11": 20,
    "session_12": 60,
}
#: What takes longest in a test, and defines nothing by which answers are compared.
HIDDEN = re.compile(r"(?ms)^### BEGIN HIDDEN TESTS$.*?^### END HIDDEN TESTS$")


#: Functions of a seed that train hundreds of classifiers on the data of all students.
TRAINING = ("differences", "reference")


def remembering(function):
    """The function, which computes each result only once; its arguments are numbers."""
    known = {}

    def remembered(*arguments):
        if arguments not in known:
            known[arguments] = function(*arguments)
        return known[arguments]

    return remembered


def remember(names, known):
    """Put remembering functions of `known`, by name, in place of those of a notebook.

    A function that is not yet known is added.
    """
    for name in TRAINING:
        if name in names:
            names[name] = known.setdefault(name, remembering(names[name]))


def answers_of(name, number, known):
    """The names of a notebook with its solutions, run for a student number.

    `known` has the functions that :func:`remember` their results for all numbers.
    """
    names = {"__name__": "__main__"}
    for cell in changed(name, "data", "my_number = 1", f"my_number = {number}").cells:
        if cell.cell_type == "code":
            run(HIDDEN.sub("", cell.source), names)
            remember(names, known)
    return names


def probed(names, test):
    """The numbers by which an answer is compared with slips."""
    return [np.asarray(x, float).tolist() for x in eval(test["probe"], dict(names))]


def are_told_apart(names, test):
    """Whether each typical slip gives other numbers than the solution and than slips before it.

    The numbers of each are computed once, and compared as :func:`assignments.likely_slip` does.
    """
    answers = []
    known = []
    for place, (code, words) in enumerate(test["slips"]):
        run(code, wrong := dict(names))
        answers.append(probed(wrong, test))
        known.append((f"answer = answers[{place}]", words))
    likely = [
        assignments.likely_slip({"answers": answers, "answer": answer}, "answer", known)
        for answer in (*answers, probed(names, test))
    ]
    *of_slips, of_solution = likely
    return of_slips == [words for _, words in test["slips"]] and of_solution.startswith(
        "Not a slip that we know"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_typical_slips_are_told_apart_for_nearly_every_student_number(data, name):
    known = {}
    tests = assignments.slips(assignments.find(name)).values()
    first, second = (answers_of(name, number, known) for number in NUMBERS[:2])
    personal = [test for test in tests if probed(first, test) != probed(second, test)]
    if personal:
        asked_all = "REPLIB_ALL_NUMBERS" in os.environ
        numbers = NUMBERS if asked_all else NUMBERS[: FEWER.get(name)]
        others = (answers_of(name, number, known) for number in numbers[2:])
        told_apart = [
            all(are_told_apart(names, test) for test in personal)
            for names in (first, second, *others)
        ]
        assert sum(told_apart) >= 0.95 * len(numbers)


def test_an_answer_that_stops_hears_of_its_error():
    assert assignments.likely_slip({}, "[answer]", []) == (
        "Your answer stopped: NameError name 'answer' is not defined"
    )


def test_an_answer_that_python_cannot_read_hears_where_and_why():
    source = assignments.find("session_01")
    notebook = chapters.read_source(source, source.stem)
    answers = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    assert assignments.syntax_errors(notebook, answers) == {}
    answers["agreement"] = "def agreement(outcomes)\n    return 1"
    assert assignments.syntax_errors(notebook, answers) == {
        "test-agreement": "Python cannot read line 1, `def agreement(outcomes)`: expected ':'."
    }
    answers["data"] = "my_number ="  # without it nothing can be marked
    every = assignments.syntax_errors(notebook, answers)
    assert len(every) == 5
    assert {*every.values()} == {
        "Cell `data`: Python cannot read line 1, `my_number =`: invalid syntax."
    }


def test_the_data_pack_has_what_assignments_read():
    packed = {file.name for file in assignments.DATA.glob("*.csv")}
    for name in NAMES:
        text = assignments.find(name).read_text()
        assert {*re.findall(r'DATA / "(\w+\.csv)"', text)} <= packed


@pytest.mark.slow
def test_a_test_that_a_student_changed_counts_for_nothing(written):
    file = submission(
        written,
        "session_11",
        {
            "smallest": ("2 * stats", "stats"),
            "test-smallest": ("smallest(44) == 29", "True"),
        },
    )
    found = assignments.mark(assignments.find("session_11"), file)
    assert found["test-smallest"] == (0, 2, "Your test is one-sided: double the tail.")
    assert all(
        got == most and not words
        for name, (got, most, words) in found.items()
        if name != "test-smallest"
    )


def test_what_is_no_submission_is_refused_in_a_sentence(written):
    (written / "text.ipynb").write_text("hello")
    with pytest.raises(ParameterError, match="text.ipynb is not a notebook"):
        assignments.mark(assignments.find("session_01"), written / "text.ipynb")
    (written / "zero.ipynb").symlink_to("/dev/zero")
    with pytest.raises(ParameterError, match="zero.ipynb is not a file"):
        assignments.mark(assignments.find("session_01"), written / "zero.ipynb")
    other = submission(written, "session_03", {})
    with pytest.raises(ParameterError, match="submission.ipynb has no cell agreement"):
        assignments.mark(assignments.find("session_01"), other)
    with pytest.raises(ParameterError, match="no assignment 'x'; there are session_01"):
        assignments.find("x")


def test_one_submission_that_cannot_be_marked_does_not_stop_the_others(
    tmp_path, monkeypatch
):
    files = [tmp_path / f"{name}.ipynb" for name in "abc"]
    for file in files:
        file.touch()

    def mark(source, submission):
        if submission.stem == "b":
            raise ParameterError("b.ipynb is not a notebook")
        return {"test-x": (1, 2, "You forgot y.")}

    monkeypatch.setattr(assignments, "mark", mark)
    done = CliRunner().invoke(sessions.course, ["mark", "session_01", *map(str, files)])
    assert done.exit_code == 1
    assert [
        name for name in "abc" if f"{name}.ipynb: 1 of 2 points" in done.output
    ] == ["a", "c"]
    assert "  x 1/2: You forgot y." in done.output
    assert "not marked: b.ipynb is not a notebook" in done.output
    assert "1 of 3 submissions were not marked" in done.output


def test_a_slip_that_changes_nothing_is_refused(monkeypatch, tmp_path):
    """As when the solution was laid out anew, and the table of slips was forgotten."""
    table = tmp_path / "slips.yml"
    table.write_text("session_02: {test-r1: {probe: '[]', slips: [[x y, z, words]]}}")
    monkeypatch.setattr(assignments, "SLIPS", table)
    with pytest.raises(ValueError, match="a slip replaces 'x y', which is not in"):
        assignments.slips(assignments.find("session_02"))
