"""What differs between two executions: rows of the ledger, numbers and words of the text."""

import math

import nbformat
import pytest

from companion.engine.build import chapters
from companion.engine.build.differences import difference


def test_the_same_numbers_differ_in_nothing(notebook, tmp_path):
    both = notebook(tmp_path / "a.ipynb"), notebook(tmp_path / "b.ipynb")
    assert difference(*both).empty


def test_every_number_of_ledger_and_prose_is_listed_the_verdict_first_then_the_largest_change(
    notebook, tmp_path
):
    default = notebook(tmp_path / "a.ipynb")
    yours = notebook(tmp_path / "b.ipynb", rebuilt=0.06, n=20, share=51.0)
    rows = difference(default, yours).to_dict("records")
    assert [(row["default"], row["yours"]) for row in rows] == [
        ("0.0488", "0.06"),
        ("10", "20"),
        ("50.0", "51.0"),
    ]
    assert rows[0]["paper"] == "0.0488" and rows[0]["verdict"] == "exact → differs"
    assert {row["verdict"] for row in rows[1:]} == {""}
    assert rows[1]["words"] == "Of [20] runs 51.0 % agree."
    changes = [row["change"] for row in rows]
    assert changes == pytest.approx([0.06 / 0.0488 - 1, 1.0, 0.02])
    # a number that repeats a parameter is no finding
    for wins, left in (((10, 20), 2), ((10, 21), 3)):
        assert len(difference(default, yours, {"wins": wins})) == left


def test_a_glued_value_made_of_parameters_alone_is_no_finding(notebook, tmp_path):
    """The code shows which it is; a value from a function of the library may be a finding."""
    paths = [notebook(tmp_path / f"{n}.ipynb", n=n, share=2.0 * n) for n in (10, 20)]
    for code, found in (
        ("book.glue(n=round(wins), share=f(wins))", {20}),
        ("book.glue(n=f(wins), share=[100 * wins][0])", {10}),
    ):
        for path in paths:
            whole = nbformat.read(path, as_version=4)
            cells = [cell for cell in whole.cells if cell.cell_type == "code"]
            cells[0].source = "wins: int = 10  # wins; any; how many"
            cells[0].metadata["tags"] = ["parameters"]
            cells[1].source = code
            nbformat.write(whole, path)
        rows = difference(*paths)
        assert {float(row.default) for row in rows.itertuples()} == found


def errors_of(path, errors):
    """Give the rows of the ledger of a notebook other values and standard errors."""
    whole = nbformat.read(path, as_version=4)
    [output] = [
        output
        for cell in whole.cells
        for output in cell.get("outputs", ())
        if chapters.METADATA_KEY in output.metadata
    ]
    rows = output.metadata[chapters.METADATA_KEY]["ledger"]
    output.metadata[chapters.METADATA_KEY]["ledger"] = [
        rows[0]
        | {"id": f"{place}", "rebuilt": x, "standard_error": error, "verdict": verdict}
        for place, (x, error, verdict) in enumerate(errors)
    ]
    nbformat.write(whole, path)
    return path


def test_changes_are_ranked_by_surprise(notebook, tmp_path):
    default = errors_of(
        notebook(tmp_path / "a.ipynb"),
        [
            (0.5, 0.03, "within noise"),
            (0.5, 0.003, "within noise"),
            (0.5, None, "exact"),
            (0.5, 0.3, "within noise"),
            (0.5, 0.3, "differs"),
            (0.5, 0.3, "exact"),
        ],
    )
    yours = errors_of(
        notebook(tmp_path / "b.ipynb"),
        [
            (0.55, 0.04, "within noise"),
            (0.515, 0.004, "within noise"),
            (0.6, None, "exact"),
            (0.5, 0.3, "differs"),
            (0.6, 0.3, "within noise"),
            (0.6, 0.3, "differs"),
        ],
    )
    rows = difference(default, yours)
    assert rows["verdict"].tolist() == [
        "exact → differs",
        "within noise → differs",
        "differs → within noise",
        "",
        "",
        "",
    ]
    noise = 0.1 / math.hypot(0.3, 0.3)
    known = [noise, 0.0, noise, 3.0, math.nan, 1.0]
    assert rows["errors"].tolist() == pytest.approx(known, nan_ok=True)


@pytest.mark.parametrize(
    "before, after, shown",
    [
        (50.0, 50.001, None),  # the page shows both as 50.0
        (0.0, 1.0, ("0.0", "1.0")),
        (50.0, 50.0 + 1e-13, None),  # noise of the last bits
        (float("nan"), 1.0, ("", "1.0")),
        (True, False, ("True", "False")),
    ],
)
def test_a_change_in_the_text_is_shown_as_on_the_page(
    notebook, tmp_path, before, after, shown
):
    default = notebook(tmp_path / "a.ipynb", share=before)
    rows = difference(default, notebook(tmp_path / "b.ipynb", share=after))
    assert [(r.default, r.yours) for r in rows.itertuples()] == (
        [shown] if shown else []
    )


def test_words_come_before_numbers_and_what_the_page_does_not_show_is_left_out(
    notebook, tmp_path
):
    files = []
    for decision, share, hidden in (("accepts", 50.0, 1.0), ("rejects", 99.0, 9.0)):
        rebuilt = share / 1000  # with another verdict
        files.append(notebook(tmp_path / decision, share=share, rebuilt=rebuilt))
        whole = nbformat.read(files[-1], as_version=4)
        share = whole.cells[-1].outputs[-1]
        for name, value in (("decision", decision), ("hidden", hidden)):
            whole.cells[-1].outputs.append(
                nbformat.from_dict(
                    share
                    | {
                        "data": {"text/plain": repr(value)},
                        "metadata": {"scrapbook": {"name": name}},
                    }
                )
            )
        whole.cells[-1].metadata["mystnb"] = {
            "figure": {
                "caption": "A.\n\n- The test {glue:text}`decision`: see below.\n- B."
            }
        }
        nbformat.write(whole, files[-1])
    found = difference(*files)
    assert found["yours"].tolist() == ["rejects", "0.099", "99.0"]
    assert found["words"][0] == "The test rejects: see below."
