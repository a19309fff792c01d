"""Errata: each has its section, with a cell, on the page of its paper."""

import re

import jupytext
import pytest

from companion.engine.build import chapters as book
from companion.engine.show.display import address_of_erratum
from companion.papers import published


@pytest.fixture(scope="module")
def sections() -> dict[str, list]:
    """Heading of each section of an erratum and the code cells beneath it, by its address."""
    found = {}
    for page in book.SOURCES.glob("*.md"):
        current = None
        for cell in jupytext.read(page).cells:
            if cell.cell_type == "code":
                if current:
                    found[current].append(cell.source)
                continue
            for part in re.split(r"(?m)^(?=\(erratum-|##? )", cell.source):
                target = re.match(r"\((erratum-[\w-]+)\)=\n### (e\d\d): (\S.+)", part)
                if target:
                    current = f"{page.stem}.html#{target[1]}"
                    assert current.endswith(f"-{target[2]}") and current not in found
                    found[current] = [target[3]]
                elif re.match(r"##? ", part):
                    current = None
    return found


def test_errata_stand_on_the_page_of_their_paper_in_the_order_of_the_list(sections):
    assert sorted(sections) == sorted(map(address_of_erratum, published.errata()["id"]))
    for paper in published.PAPERS:
        wanted = (
            published.errata().query("paper == @paper")["id"].map(address_of_erratum)
        )
        page = f"{book.find(f'verdicts_{paper}').source.stem}.html#"
        assert [
            address for address in sections if address.startswith(page)
        ] == wanted.tolist()


def test_every_erratum_is_shown_by_a_cell(sections):
    for address, (_, *cells) in sections.items():
        assert any("table(" in source for source in cells), address


def test_references_to_errata_lead_somewhere(sections):
    targets = {address.partition("#")[2] for address in sections}
    numbers = {target[-3:] for target in targets}
    for source in book.SOURCES.glob("*.md"):
        text = source.read_text()
        assert {*re.findall(r"\{ref\}`[^`]*<(erratum-[\w-]+)", text)} <= targets
        assert {*re.findall(r"\{erratum\}`([^`]*)`", text)} <= numbers
        # a reference without words would put the title of the erratum into a sentence
        assert "{ref}`erratum-" not in text
