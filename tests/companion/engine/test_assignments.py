"""Assignments: the solution has full marks, a wrong submission fewer, whatever else it changed."""

import nbformat
import pytest
from click.testing import CliRunner

from companion.engine import assignments, chapters, course
from companion.engine.parameters import ParameterError

NAMES = [file.stem for file in sorted(assignments.SOURCES.glob("*.md"))]


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Folder of all notebooks; kernels import the library of this checkout."""
    monkeypatch.setenv("PYTHONPATH", str(chapters.ROOT))
    list(assignments.write_all(tmp_path))
    return tmp_path


def submission(folder, name, changes):
    """The solution of an assignment with other code in some cells."""
    notebook = nbformat.read(folder / f"{name}_solution.ipynb", as_version=4)
    for cell in notebook.cells:
        given = cell.metadata.get("nbgrader", {}).get("grade_id")
        if given in changes:
            old, new = changes[given]
            assert old in cell.source
            cell.source = cell.source.replace(old, new)
    nbformat.write(notebook, folder / "submission.ipynb")
    return folder / "submission.ipynb"


def marks(name, file):
    found = assignments.mark(assignments.find(name), file)
    return sum(got for got, _ in found.values()), sum(most for _, most in found.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_student_gets_no_solution_and_no_hidden_test(written, name):
    text = (written / f"{name}.ipynb").read_text()
    assert "YOUR CODE HERE" in text and "BEGIN" not in text and "replib.significance" not in text
    assert "BEGIN SOLUTION" in (written / f"{name}_solution.ipynb").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_has_full_marks_on_data_of_any_student(written, name):
    file = submission(written, name, {"data": ("my_number = 1", "my_number = 4711")})
    assert marks(name, file) == (10, 10)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_submission_has_none(written, name):
    assert marks(name, written / f"{name}.ipynb") == (0, 10)


@pytest.mark.parametrize("name, changes, points", [
    ("session_1", {"p-value": ("(1 / n + 1 / 9)", "(1 / n)")}, 8),
    ("session_1", {"replicability": ("a**2 + (1 - a) ** 2", "(2 * a - 1) ** 2")}, 8),
    ("session_1", {"agreement": ("(k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1))",
                                 "(k / n) ** 2 + (1 - k / n) ** 2")}, 8),
    ("session_2", {"corrected": ("1 / (k - 1)", "1 / k")}, 8),
    ("session_2", {"mcnemar": ("2 * stats", "stats")}, 8),
    ("session_2", {"own": ("len(blocks)", "100")}, 8),
    ("session_3", {"smallest": ("2 * stats", "stats")}, 8),
    ("session_3", {"again": ("- 1, n", ", n")}, 7),
    ("session_3", {"limits": ("proportion_ci(0.95)", "proportion_ci(0.9)")}, 7),
])
def test_a_wrong_submission_has_fewer(written, name, changes, points):
    got, most = marks(name, submission(written, name, changes))
    assert got <= points < most


def test_a_test_that_a_student_changed_counts_for_nothing(written):
    file = submission(written, "session_3", {
        "smallest": ("2 * stats", "stats"), "test-smallest": ("smallest(44) == 29", "True"),
    })
    assert marks("session_3", file)[0] < 10


def test_what_is_no_submission_is_refused_in_a_sentence(written):
    (written / "text.ipynb").write_text("hello")
    with pytest.raises(ParameterError, match="text.ipynb is no notebook"):
        assignments.mark(assignments.find("session_1"), written / "text.ipynb")
    with pytest.raises(ParameterError, match="session_2.ipynb has no cell agreement"):
        assignments.mark(assignments.find("session_1"), written / "session_2.ipynb")
    with pytest.raises(ParameterError, match="no assignment 'x'; there are session_1"):
        assignments.find("x")


def test_one_submission_that_cannot_be_marked_does_not_stop_the_others(tmp_path, monkeypatch):
    files = [tmp_path / f"{name}.ipynb" for name in "abc"]
    for file in files:
        file.touch()

    def mark(source, submission):
        if submission.stem == "b":
            raise ParameterError("b.ipynb is no notebook")
        return {"test": (1, 2)}

    monkeypatch.setattr(assignments, "mark", mark)
    done = CliRunner().invoke(course.course, ["mark", "session_1", *map(str, files)])
    assert done.exit_code == 1
    assert [name for name in "abc" if f"{name}.ipynb: 1 of 2 points" in done.output] == ["a", "c"]
    assert "not marked: b.ipynb is no notebook" in done.output
    assert "1 of 3 submissions were not marked" in done.output
