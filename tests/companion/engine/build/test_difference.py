"""The difference of two executions: every number that changed, the largest change first."""

import math

import nbformat
import pandas as pd
import pytest

from companion.engine.build import chapters
from companion.engine.build.difference import difference


def test_the_same_numbers_differ_in_nothing(notebook, tmp_path):
    both = notebook(tmp_path / "a.ipynb"), notebook(tmp_path / "b.ipynb")
    assert difference(*both).empty


def test_every_kind_of_number_is_listed_the_verdict_first_then_the_largest_change(
    notebook, tmp_path
):
    default = notebook(tmp_path / "a.ipynb")
    yours = notebook(
        tmp_path / "b.ipynb", rebuilt=0.06, n=20, share=51.0, cells=((1.0, 3.0), (4.0, 5.0))
    )
    rows = difference(default, yours).to_dict("records")
    assert [(row["kind"], row["default"], row["yours"]) for row in rows] == [
        ("ledger", "0.0488", "0.06"), ("text", "10", "20"), ("table", "2.0", "3.0"),
        ("text", "50.0", "51.0"), ("table", "", "4.0"), ("table", "", "5.0"),
    ]
    assert rows[0]["paper"] == "0.0488" and rows[0]["verdict"] == "exact → differs"
    assert {row["verdict"] for row in rows[1:]} == {""}
    assert rows[1]["words"] == "Of [20] runs 51.0 % agree."
    assert rows[2]["words"] == "Title › r0 › q"
    changes = [row["change"] for row in rows]
    assert changes[:4] == pytest.approx([0.06 / 0.0488 - 1, 1.0, 0.5, 0.02])
    assert all(map(math.isnan, changes[4:]))


def test_a_number_that_repeats_a_parameter_is_no_finding(notebook, tmp_path):
    default = notebook(tmp_path / "a.ipynb")
    yours = notebook(tmp_path / "b.ipynb", n=20, share=51.0, cells=((1.0, 20.0),))
    wins = {"wins": (10, 20)}
    assert len(difference(default, yours)) == 3
    assert [row.yours for row in difference(default, yours, wins).itertuples()] == ["20.0", "51.0"]
    assert len(difference(default, yours, {"wins": (10, 21)})) == 3


def test_a_glued_value_made_of_parameters_alone_is_no_finding(notebook, tmp_path):
    """The code shows which it is; a value from a function of the library may be a finding."""
    paths = [notebook(tmp_path / f"{n}.ipynb", n=n, share=2.0 * n) for n in (10, 20)]
    for code, found in (
        ("book.glue(n=round(wins), share=f(wins))", {"text 20"}),
        ("book.glue(n=f(wins), share=[100 * wins][0])", {"text 10"}),
    ):
        for path in paths:
            whole = nbformat.read(path, as_version=4)
            cells = [cell for cell in whole.cells if cell.cell_type == "code"]
            cells[0].source = "wins: int = 10  # wins; any; how many"
            cells[0].metadata["tags"] = ["parameters"]
            cells[1].source = code
            nbformat.write(whole, path)
        rows = difference(*paths)
        assert {f"{row.kind} {float(row.default):g}" for row in rows.itertuples()} == found


def errors_of(path, errors):
    """Give the rows of the ledger of a notebook other values and standard errors."""
    whole = nbformat.read(path, as_version=4)
    [output] = [
        output for cell in whole.cells for output in cell.get("outputs", ())
        if chapters.METADATA_KEY in output.metadata
    ]
    rows = output.metadata[chapters.METADATA_KEY]["ledger"]
    output.metadata[chapters.METADATA_KEY]["ledger"] = [
        rows[0] | {"id": f"{place}", "rebuilt": x, "standard_error": error, "verdict": verdict}
        for place, (x, error, verdict) in enumerate(errors)
    ]
    nbformat.write(whole, path)
    return path


def test_changes_are_ranked_by_surprise(notebook, tmp_path):
    default = errors_of(notebook(tmp_path / "a.ipynb"), [
        (0.5, 0.03, "within noise"), (0.5, 0.003, "within noise"), (0.5, None, "exact"),
        (0.5, 0.3, "within noise"), (0.5, 0.3, "differs"), (0.5, 0.3, "exact"),
    ])
    yours = errors_of(notebook(tmp_path / "b.ipynb"), [
        (0.55, 0.04, "within noise"), (0.515, 0.004, "within noise"), (0.6, None, "exact"),
        (0.5, 0.3, "differs"), (0.6, 0.3, "within noise"), (0.6, 0.3, "differs"),
    ])
    rows = difference(default, yours)
    assert rows["verdict"].tolist() == [
        "exact → differs", "within noise → differs", "differs → within noise", "", "", "",
    ]
    noise = 0.1 / math.hypot(0.3, 0.3)
    known = [noise, 0.0, noise, 3.0, math.nan, 1.0]
    assert rows["errors"].tolist() == pytest.approx(known, nan_ok=True)


def test_a_cell_stands_beside_what_the_paper_prints_and_has_its_error(notebook, tmp_path):
    paths = []
    for name, found, error in (("a", 1.0, 0.3), ("b", 3.0, 0.4)):
        path = notebook(tmp_path / f"{name}.ipynb")
        whole = nbformat.read(path, as_version=4)
        frame = pd.DataFrame({
            "source 2 found": [found], "source 2 printed": [1.5], "source 2 error": [error],
            "source 3 found": [found], "source 3 z": [1.0],
        }, index=["t"])
        whole.cells[-1].outputs[0].data["text/html"] = frame.to_html()
        nbformat.write(whole, path)
        paths.append(path)
    rows = difference(*paths).set_index("words")
    two, three = rows.loc["Title › t › source 2 found"], rows.loc["Title › t › source 3 found"]
    assert two["paper"] == "1.5" and two["errors"] == pytest.approx(4)
    assert three["paper"] == "" and math.isnan(three["errors"])
    assert rows.index[0] == two.name
    assert rows.at["Title › t › source 2 error", "paper"] == ""


@pytest.mark.parametrize("before, after, shown", [
    (50.0, 50.001, ("50", "50.001")),  # the format of the page hides it
    (0.0, 1.0, ("0.0", "1.0")),
    (50.0, 50.0 + 1e-13, None),  # noise of the last bits
    (float("nan"), 1.0, ("", "1.0")),
    (True, False, ("True", "False")),
])
def test_a_change_is_shown_with_digits_enough_to_see_it(notebook, tmp_path, before, after, shown):
    default = notebook(tmp_path / "a.ipynb", share=before)
    rows = difference(default, notebook(tmp_path / "b.ipynb", share=after))
    assert [(r.default, r.yours) for r in rows.itertuples()] == ([shown] if shown else [])
