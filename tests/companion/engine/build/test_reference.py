"""The reference: a page for every public module of the papers, a place for every room."""

import pkgutil
import re

import replib
from companion.engine.build import chapters, reference


def test_every_public_module_of_the_papers_has_a_page(tmp_path):
    (tmp_path / "companion.papers.gone.md").touch()
    reference.write(tmp_path)
    written = {file.stem for file in tmp_path.iterdir()}
    assert {"companion.papers.published", "companion.papers.bouckaert2004.table_1"} <= written
    assert written == set(reference.modules())


def test_every_room_of_the_library_is_on_a_page():
    pages_ = (chapters.ROOT / "book" / "reference").glob("*.md")
    text = "\n".join(page.read_text() for page in pages_)
    shown = set(re.findall(r"automodule:: replib\.(\w+)", text))
    rooms = {module.name for module in pkgutil.iter_modules(replib.__path__)}
    # the bench is a command with a page of its own
    elsewhere = {"__main__", "bench", "checks"}
    assert rooms - elsewhere == shown
