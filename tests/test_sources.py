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


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a;b\n0,81;0,7\n0,9;0,8\n", [[0.81, 0.7], [0.9, 0.8]]),
        ("a;b\n93,5;90\n-1;,5\n", [[93.5, 90], [-1, 0.5]]),
        ("a\tb\n1,5e-3;2\n".replace(";", "\t"), [[0.0015, 2]]),
        ('a,b\n"0,812","1,234"\n', [[0.812, 1.234]]),
        ("run;a;b\n1;0,5;\n2;0,25;0,75\n", [[1, 0.5, None], [2, 0.25, 0.75]]),
        (";a;b\n0;0,5;0,25\n1;0,75;0,5\n", [[0.5, 0.25], [0.75, 0.5]]),
        # texts stay, whatever they look like
        ("d;a\n1.5.2024;0,5\n2.5.2024;0,7\n", [["1.5.2024", 0.5], ["2.5.2024", 0.7]]),
        ("a;b\n0,5;n/a\n0,7;0,8\n", [[0.5, "n/a"], [0.7, "0.8"]]),
    ],
)
def test_decimal_commas_are_read_where_no_number_is_written_otherwise(
    tmp_path, text, numbers
):
    file = tmp_path / "file.csv"
    file.write_text(text)
    table = _sources.table(file)
    expected = pd.DataFrame(numbers, columns=table.columns)
    pd.testing.assert_frame_equal(table, expected, check_dtype=False)


@pytest.mark.parametrize(
    "text",
    [
        "a;b\n1,812;1,700\n1,900;1,800\n",  # perhaps thousands
        "a;b\n0,81;0.7\n0,9;0.8\n",
        "a;b\n0,81;1.\n0,9;2.\n",
    ],
)
def test_commas_that_may_be_anything_are_refused(tmp_path, text):
    file = tmp_path / "file.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match="commas, which may be decimal ones or of"):
        _sources.table(file)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("row_with_blanks", [0, 1, 2])
def test_blanks_behind_a_separator_belong_to_no_cell(
    tmp_path, separator, row_with_blanks
):
    rows = [["item", "tree", "note"], ["a", ".8", "hard"], ["b", "", "easy"]]
    lines = [separator.join(row) for row in rows]
    lines[row_with_blanks] = lines[row_with_blanks].replace(separator, f"{separator} ")
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(lines))
    table = pd.DataFrame(rows[1:], columns=rows[0]).assign(tree=[0.8, float("nan")])
    pd.testing.assert_frame_equal(_sources.table(file), table)
