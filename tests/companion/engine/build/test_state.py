"""The state of this book: new measurements replace old ones, and missing ones are named."""

import importlib.util
import json
import os
import subprocess

import pytest

from companion.engine.build import chapters, state

SCRIPT = chapters.ROOT / ".ci" / "check_everything.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("check_everything", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_nobody_measured_says_so(tmp_path):
    file = tmp_path / "state.csv"
    assert state.page(file).count(": not measured.") == len(state.PARTS)
    state.record("tests", {"passed": 41, "failed": 1}, file)
    state.record("links", {"checked": "1,000", "dead": 0}, file)
    page = state.page(file)
    assert "| passed | 41 |" in page and "| skipped | not measured |" in page
    assert page.count(": not measured.") == len(state.PARTS) - 2


def test_a_measurement_replaces_that_of_its_part_only(tmp_path):
    file = tmp_path / "state.csv"
    state.record("tests", {"passed": 41, "failed": 1}, file)
    state.record("links", {"dead": 2}, file)
    state.record("tests", {"passed": 42}, file)
    assert {key: row["value"] for key, row in state.read(file).items()} == {
        ("tests", "passed"): "42", ("links", "dead"): "2",
    }
    row = state.read(file)["tests", "passed"]
    assert row["commit"] and row["measured"].startswith("20") and "cores" in row["machine"]


@pytest.mark.parametrize("part, name", [("tests", "passd"), ("testing", "passed")])
def test_only_what_the_page_shows_is_recorded(part, name, tmp_path):
    with pytest.raises(ValueError, match=f"^{part} must have rows that PARTS lists, not {name}$"):
        state.record(part, {name: 1}, tmp_path / "state.csv")


def test_the_committed_file_has_rows_of_the_page_only():
    assert set(state.read()) <= {(part, what) for part, (_, names) in state.PARTS.items()
                                 for what in names}


def test_each_part_can_be_measured(script):
    assert all(callable(getattr(script, part)) for part in state.PARTS)


def test_a_report_of_pytest_is_counted(script, tmp_path):
    report = tmp_path / "tests.xml"
    report.write_text(
        '<testsuites><testsuite tests="9" failures="2" errors="1" skipped="3" time="90"/>'
        '<testsuite tests="1" failures="0" errors="0" skipped="0" time="30"/></testsuites>'
    )
    assert script.counts(report) == {"passed": 4, "failed": 3, "skipped": 3, "minutes": "2.0"}
    with pytest.raises(script.NotHere):
        script.counts(tmp_path / "none.xml")


def test_dead_links_are_found(script, monkeypatch, tmp_path):
    folder = tmp_path / "html"
    (folder / "a").mkdir(parents=True)
    (folder / "index.html").write_text(
        '<a href="a/b.html#here">1</a><a href="#top">dead</a><a href="https://example.org/x">no</a>'
        '<a class="x" href="a/none.html">dead</a><a href="a/b.html#gone">dead</a>'
    )
    (folder / "a" / "b.html").write_text('<h1 id="here"><a href="../index.html">2</a></h1>')
    monkeypatch.setattr(script.chapters, "BUILD", tmp_path)
    assert script.links() == {"checked": "5", "dead": 3}


def test_lines_of_code_leave_out_documentation(script, tmp_path):
    (tmp_path / "a.py").write_text(
        '"""Two lines of\ndocumentation."""\n\n# a comment\nimport os\n\n\n'
        'def f():\n    """Say."""\n    return """\n    two lines"""\n'
    )
    assert script.lines_of_code(tmp_path) == 4


def test_every_pin_has_a_licence_in_the_list(script, monkeypatch, tmp_path):
    monkeypatch.setattr(script, "LICENCES", tmp_path / "licences.csv")
    found = script.licences()
    rows = (tmp_path / "licences.csv").read_text().splitlines()
    assert found["packages"] == len(rows) - 1 and found["not stated"] == 0
    assert found["packages"] == sum(found[kind] for kind in state.PARTS["licences"][1][1:])
    assert any(row.startswith("numpy,") and "BSD" in row for row in rows)


def test_a_package_that_was_not_looked_up_is_not_called_safe(script, capsys):
    numpy = {"name": "numpy", "version": "2", "vulns": [{"id": "PYSEC-0"}]}
    scipy, other = {"name": "scipy", "version": "1", "vulns": []}, {"name": "x", "skip_reason": "-"}
    said = json.dumps({"dependencies": [numpy, scipy, other]})
    assert script.audited(said, "") == {"audited": 2, "not audited": 1, "vulnerable": 1}
    assert capsys.readouterr().err == "numpy 2 PYSEC-0\n"
    for said in (json.dumps({"dependencies": [other, other]}), "no JSON"):
        with pytest.raises(script.NotHere):
            script.audited(said, "")


def test_a_wrong_part_is_refused_in_a_sentence(script, capsys):
    assert script.main(["tests", "speed"]) == 2
    assert capsys.readouterr().err.startswith("there is no part 'speed': choose from tests, ")


def test_what_cannot_be_measured_keeps_the_older_date(script, monkeypatch, capsys, tmp_path):
    def nothing():
        raise script.NotHere("no site is built here")

    monkeypatch.setattr(script, "links", nothing)
    monkeypatch.setattr(script.state, "record", lambda *_: pytest.fail("nothing was measured"))
    assert script.main(["links"]) == 1
    assert capsys.readouterr().err == "links: not measured, no site is built here\n"


def test_runs_made_again_have_a_clock_only_if_nothing_interrupted_them(
    script, tmp_path, monkeypatch
):
    head = "name,replications,minutes,stored,outcome\na,20,1.5,2,identical\n"

    def ran(*command):
        folder = command[-1]
        assert os.environ["REPLIB_CACHE"] == str(folder / "cache")
        if kills:
            (folder / "table.csv").write_text(kills.pop())
            return subprocess.CompletedProcess(command, -9, stdout="")
        (folder / "table.csv").write_text(f"{head}b,1000,2.0,2,differs\n")
        return subprocess.CompletedProcess(command, 1, stdout="3.5 min of one core, 2.0 min by the "
                                           "clock this time; the table is in ...")

    monkeypatch.setenv("REPLIB_CACHE", "")
    monkeypatch.setattr(script, "ran", ran)
    monkeypatch.setattr(script, "RECOMPUTED", tmp_path / "recomputed.csv")
    monkeypatch.setattr(script.stored, "CATALOGUE", {"a": None, "b": None})
    whole = {"runs": "2 of 2", "identical": 1, "replications": "1,020", "minutes of one core": "4"}
    part = {"runs": "1 of 2", "identical": 1, "replications": "20", "minutes of one core": "2"}
    for kills in ([], [head]):
        monkeypatch.setattr(script.chapters, "BUILD", tmp_path / f"{len(kills)}")
        if was_killed := bool(kills):
            assert script.recomputed() == part
            assert script.RECOMPUTED.read_text() == head
        clock = {} if was_killed else {"minutes by the clock": "2"}
        assert script.recomputed() == whole | clock
    monkeypatch.setattr(script.chapters, "BUILD", tmp_path / "nothing")
    monkeypatch.setattr(script, "ran", lambda *_: subprocess.CompletedProcess((), -9, stdout=""))
    with pytest.raises(script.NotHere, match="before the end of the first run"):
        script.recomputed()
