"""The difference of two executions: every number that changed, the largest change first."""

import math

import pytest

from companion.engine.difference import difference


def test_the_same_numbers_differ_in_nothing(notebook, tmp_path):
    both = notebook(tmp_path / "a.ipynb"), notebook(tmp_path / "b.ipynb")
    assert difference(*both).empty


def test_every_kind_of_number_is_listed_the_largest_change_first(notebook, tmp_path):
    default = notebook(tmp_path / "a.ipynb")
    yours = notebook(
        tmp_path / "b.ipynb", rebuilt=0.2, n=20, share=51.0, cells=((1.0, 3.0), (4.0, 5.0))
    )
    rows = difference(default, yours).to_dict("records")
    assert [(row["kind"], row["default"], row["yours"]) for row in rows] == [
        ("ledger", "0.0488", "0.2"), ("text", "10", "20"), ("table", "2.0", "3.0"),
        ("text", "50.0", "51.0"), ("table", "", "4.0"), ("table", "", "5.0"),
    ]
    assert rows[0]["paper"] == "0.0488"
    assert rows[1]["words"] == "Of [20] runs 51.0 % agree."
    assert rows[2]["words"] == "Title › r0 › q"
    changes = [row["change"] for row in rows]
    assert changes[:4] == pytest.approx([0.2 / 0.0488 - 1, 1.0, 0.5, 0.02])
    assert all(map(math.isnan, changes[4:]))


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
