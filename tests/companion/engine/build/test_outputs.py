"""Contents of executed notebooks: ledger rows and glued numbers."""

from companion.engine.build import outputs


def test_glued_values_are_numbers_where_they_read_as_such(notebook, tmp_path):
    path = notebook(tmp_path / "n.ipynb", n=True, share="three")
    assert outputs.glued(path) == {"n": True, "share": "three"}
    assert outputs.glued(notebook(path, n=10, share=1e-5)) == {"n": 10, "share": 1e-5}
    assert outputs.glued_texts(path) == {"n": "10", "share": "1e-05"}


def test_of_two_chapters_that_judge_a_fact_the_worse_verdict_stays(notebook, tmp_path):
    both = [notebook(tmp_path / "a.ipynb", rebuilt=0.3), notebook(tmp_path / "b.ipynb")]
    assert outputs.ledger_rows(both)["verdict"].tolist() == ["differs"]
    assert outputs.ledger_rows(both[::-1])["verdict"].tolist() == ["differs"]
