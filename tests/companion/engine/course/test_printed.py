"""The book on paper: pages in order, each once, with links that stay inside."""

import re

import pytest
from bs4 import BeautifulSoup

from companion.engine.course import printed


@pytest.fixture
def site(page, tmp_path):
    for name in ("book/intro", "book/chapters/10_a", "book/notation"):
        file = tmp_path / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page())
    return tmp_path


def test_pages_are_printed_in_the_order_of_the_contents(site):
    assert printed.pages_in_order(site) == [
        "book/intro.html",
        "book/chapters/10_a.html",
        "book/notation.html",
    ]


def test_a_document_has_its_pages_once_with_links_that_lead(site):
    addresses = ["book/chapters/10_a.html", "book/notation.html"]
    text = printed.document(site, addresses, "T")
    found = BeautifulSoup(text, "html.parser")
    ids = [tag["id"] for tag in found.find_all(id=True) if not tag.find_parent("svg")]
    assert len(ids) == len(set(ids)) and len(found.find_all("article")) == 2
    link = found.find("article").find("a")
    assert link["href"] == "#page1-s"
    assert "Done." in text
    assert not re.search(r"headerlink|above-input", text)
