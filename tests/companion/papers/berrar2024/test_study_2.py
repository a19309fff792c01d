"""Study #2 of Berrar (2024)."""

from companion.papers import published
from companion.papers.berrar2024 import study_2


def test_table_2_follows_from_its_first_row():
    cells = published.cells("berrar2024.tab02").set_index("cell_id")["value"]
    rows = study_2.table_2().set_index("id")["rebuilt"]
    assert (rows[cells.index] == cells).all() and len(cells) == 440
