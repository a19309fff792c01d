"""Section 4 of Berrar (2024)."""



from replib.papers.berrar2024 import (
    summary,
)


def test_e40_rows_of_table_1():
    frame = summary.studies_in_table_1()
    assert frame[frame["design"] == "cross-validation"]["study"].tolist() == ["#3", "#4"]
