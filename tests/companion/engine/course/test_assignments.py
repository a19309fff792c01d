"""Assignments: the solution gets full marks and a wrong submission fewer, whatever it changes."""

import contextlib
import io
import re
from collections.abc import Iterator

import nbformat
import pytest
from click.testing import CliRunner

from companion.engine.build import chapters
from companion.engine.build.parameters import ParameterError
from companion.engine.course import assignments, sessions

NAMES = [file.stem for file in sorted(assignments.SOURCES.glob("*.md"))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("assignments")
    list(assignments.write_all(folder))
    return folder


@pytest.fixture
def written(folder, monkeypatch):
    """Folder of all notebooks; kernels import the library of this checkout."""
    monkeypatch.setenv("PYTHONPATH", str(chapters.ROOT))
    return folder


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


#: Wrong answers: assignment, cell, and what is changed in its solution.
WRONG = [
    ("session_01", "p-value", "(1 / n + 1 / 9)", "(1 / n)"),
    ("session_01", "replicability", "a**2 + (1 - a) ** 2", "(2 * a - 1) ** 2"),
    ("session_01", "agreement", "(k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1))",
     "(k / n) ** 2 + (1 - k / n) ** 2"),
    ("session_02", "r1", "outcomes[::2], outcomes[1::2]", "outcomes[:-1], outcomes[1:]"),
    ("session_02", "variance", "(2 * n - 3)", "(2 * n - 2)"),
    ("session_02", "interval", "nearest = np.clip(0.5, limits.low, limits.high)",
     "nearest = limits.low"),
    ("session_03", "corrected", "1 / (k - 1)", "1 / k"),
    ("session_03", "mcnemar", "2 * stats", "stats"),
    ("session_03", "own", "len(blocks)", "100"),
    ("session_04", "sorted", "np.sort(block, axis=1)", "np.sort(block, axis=0)"),
    ("session_04", "corrected", "1 / (folds - 1)", "1 / folds"),
    ("session_04", "own", "experiments[:, :2]", "experiments[:, :, :2]"),
    ("session_05", "counts", ">= alpha", "> alpha"),
    ("session_05", "consistent", "a**n + (1 - a) ** n", "a**n"),
    ("session_05", "errors", "np.std(values, ddof=1) / np.sqrt(len(values))",
     "np.std(values, ddof=1) / 10"),
    ("session_06", "best", "3 * q**2 * (1 - q)", "q**2 * (1 - q)"),
    ("session_06", "source", "rng.random((n, 3))", "rng.random((n, 1))"),
    ("session_06", "bayes", "len(own) + 2", "len(own) + 1"),
    ("session_07", "replicability", "1 - 4 * power", "1 - 2 * power"),
    ("session_07", "holm", "alpha / left", "alpha / len(pvalues)"),
    ("session_07", "own", "- 1)", ")"),
    ("session_08", "forecast", "J - 1)", "J)"),
    ("session_08", "stop", "range(3, len(x))", "range(2, len(x))"),
    ("session_08", "own", "range(1, 11)", "range(10, 11)"),
    ("session_09", "law", "/ np.pi", "/ np.pi * 2"),
    ("session_09", "draw", "replace=False", "replace=True"),
    ("session_09", "inverse", "np.pi * r / 2", "np.pi * r"),
    ("session_10", "rejects", "2 * stats", "stats"),
    ("session_10", "pi", "special.comb(N - n01 - n10, m - i - j)", "1"),
    ("session_10", "limit", "np.sqrt(1 - tau)", "1"),
    ("session_11", "smallest", "2 * stats", "stats"),
    ("session_11", "again", "- 1, n", ", n"),
    ("session_11", "limits", "proportion_ci(0.95)", "proportion_ci(0.9)"),
    ("session_12", "test", "1 / (K - 1)", "1 / K"),
    ("session_12", "interval", "0.025", "0.05"),
    ("session_12", "items", "len(by_run)", "1"),
]


def graded(notebook) -> Iterator[tuple[str, float, bool]]:
    """Name, points and success of each graded cell, run in this process: kernels take minutes."""
    names = {"__name__": "__main__"}
    for cell in notebook.cells:
        own = cell.metadata.get("nbgrader", {"grade": False})
        if cell.cell_type != "code":
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(cell.source, own.get("grade_id", "solution"), "exec"), names)
            passed = True
        except Exception:
            passed = False
        if own["grade"]:
            yield own["grade_id"], own["points"], passed


def changed(name, cell_id, old, new):
    """The solution of an assignment with other code in one cell."""
    notebook = chapters.read_source(assignments.find(name), name)
    cell = next(cell for cell in notebook.cells
                if cell.metadata.get("nbgrader", {}).get("grade_id") == cell_id)
    assert old in cell.source
    cell.source = cell.source.replace(old, new)
    return notebook


@pytest.fixture
def data(monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(assignments.DATA))


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_has_full_marks_on_data_of_any_student(data, name):
    found = list(graded(changed(name, "data", "my_number = 1", "my_number = 4711")))
    assert all(passed for *_, passed in found), found
    assert sum(most for _, most, _ in found) == 10 and len(found) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_submission_has_none(data, name):
    notebook = assignments.for_students(assignments.find(name))
    assert not any(passed for *_, passed in graded(notebook))


@pytest.mark.parametrize("name, cell, old, new", WRONG)
def test_a_wrong_answer_fails_its_test_and_no_other(data, name, cell, old, new):
    answers = {
        own["grade_id"]: answer.source for answer in changed(name, cell, old, new).cells
        if (own := answer.metadata.get("nbgrader", {})).get("solution")
    }
    notebook = chapters.read_source(assignments.find(name), name)
    assignments.fill_in(notebook, answers, "submission.ipynb")
    failed = [test for test, _, passed in graded(notebook) if not passed]
    assert failed == ["test-standard-error" if new == "100" else f"test-{cell}"]


@pytest.mark.parametrize("name", ["session_05"])
def test_marking_in_a_kernel_gives_the_same_points(written, name):
    right = submission(written, name, {"data": ("my_number = 1", "my_number = 4711")})
    assert marks(name, right) == (10, 10)
    assert marks(name, written / f"{name}.ipynb") == (0, 10)


def test_the_data_pack_is_beside_the_notebooks(written):
    packed = {file.name for file in (written / "data").glob("*.csv")}
    assert packed == {file.name for file in assignments.DATA.glob("*.csv")}
    for name in NAMES:
        text = assignments.find(name).read_text()
        assert {*re.findall(r'DATA / "(\w+\.csv)"', text)} <= packed


def test_a_test_that_a_student_changed_counts_for_nothing(written):
    file = submission(written, "session_11", {
        "smallest": ("2 * stats", "stats"), "test-smallest": ("smallest(44) == 29", "True"),
    })
    assert marks("session_11", file)[0] < 10


def test_what_is_no_submission_is_refused_in_a_sentence(written):
    (written / "text.ipynb").write_text("hello")
    with pytest.raises(ParameterError, match="text.ipynb is not a notebook"):
        assignments.mark(assignments.find("session_01"), written / "text.ipynb")
    with pytest.raises(ParameterError, match="session_03.ipynb has no cell agreement"):
        assignments.mark(assignments.find("session_01"), written / "session_03.ipynb")
    with pytest.raises(ParameterError, match="no assignment 'x'; there are session_01"):
        assignments.find("x")


def test_one_submission_that_cannot_be_marked_does_not_stop_the_others(tmp_path, monkeypatch):
    files = [tmp_path / f"{name}.ipynb" for name in "abc"]
    for file in files:
        file.touch()

    def mark(source, submission):
        if submission.stem == "b":
            raise ParameterError("b.ipynb is not a notebook")
        return {"test": (1, 2)}

    monkeypatch.setattr(assignments, "mark", mark)
    done = CliRunner().invoke(sessions.course, ["mark", "session_01", *map(str, files)])
    assert done.exit_code == 1
    assert [name for name in "abc" if f"{name}.ipynb: 1 of 2 points" in done.output] == ["a", "c"]
    assert "not marked: b.ipynb is not a notebook" in done.output
    assert "1 of 3 submissions were not marked" in done.output
