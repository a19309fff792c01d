"""Tables in files: what is read does not depend on how."""

import pandas as pd
import pytest

from replib import _sources

ROWS = [f"q{i},{i % 2}" for i in range(9)]


@pytest.mark.parametrize("place", range(10))
@pytest.mark.parametrize(
    "row", ["x,1,2", "x", "", ",,", '"x', '"x\ny",1', "7,1", "x,nan", "x,0.5", "8,true"]
)
def test_the_parts_in_which_a_file_is_read_do_not_show(
    monkeypatch, tmp_path, row, place
):
    file = tmp_path / "file.csv"
    for rows in (ROWS, [row.removeprefix("q") for row in ROWS]):
        file.write_text("\n".join(["item,a", *rows[:place], row, *rows[place:]]))
        answers = []
        for n_rows in (100, 3):
            monkeypatch.setattr(_sources, "_ROWS_OF_A_PART", n_rows)
            try:
                answers.append(_sources.table(file))
            except ValueError as refusal:
                answers.append(str(refusal))
        if isinstance(answers[0], str):
            assert answers[1] == answers[0]
        else:
            pd.testing.assert_frame_equal(answers[1], answers[0])
