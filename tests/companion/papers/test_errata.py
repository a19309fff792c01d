"""Each erratum in a way other than the book's, and the page as a whole."""

import re

import jupytext
import pytest

from companion.engine.build import chapters as book
from companion.engine.show.display import anchor, errata_list
from companion.papers import published

# ------------------------------------------------------------------ the page


@pytest.fixture(scope="module")
def sections() -> dict[str, list]:
    """Heading of each section of the page and the code cells beneath it, by its target."""
    found, current = {}, None
    for cell in jupytext.read(book.SOURCES / "27_errata.md").cells:
        if cell.cell_type == "code":
            if current:
                found[current].append(cell.source)
            continue
        for part in re.split(r"(?m)^(?=\(erratum-|##? )", cell.source):
            target = re.match(r"\((erratum-[\w-]+)\)=\n### (e\d\d): (\S.+)", part)
            if target:
                current = target[1]
                assert current.endswith(f"-{target[2]}") and current not in found
                found[current] = [target[3]]
            elif re.match(r"##? ", part):
                current = None
    return found


def test_every_erratum_has_its_section_and_no_other_has(sections):
    assert set(sections) == {anchor(i, "erratum") for i in published.errata()["id"]}


def test_every_erratum_is_shown_by_a_cell(sections):
    for target, (_, *cells) in sections.items():
        assert any("table(" in source for source in cells), target


def test_errata_stand_under_their_paper_in_the_order_of_the_list(sections):
    wanted = [
        anchor(i, "erratum")
        for paper in published.PAPERS for i in published.errata().query("paper == @paper")["id"]
    ]
    assert list(sections) == wanted


def test_references_to_errata_lead_somewhere(sections):
    for source in book.SOURCES.glob("*.md"):
        assert set(re.findall(r"\{ref\}`(erratum-[\w-]+)`", source.read_text())) <= set(sections)


def test_the_list_of_a_paper_has_its_errata_and_no_others():
    linked = re.findall(r"27_errata[.]html#([\w-]+)", errata_list("berrar2024").data)
    own = published.errata().query("paper == 'berrar2024'")["id"]
    assert linked == [anchor(i, "erratum") for i in own]
