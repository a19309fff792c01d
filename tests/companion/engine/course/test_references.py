"""References in the text: places with their numbers, works as sentences and lists name them."""

import pytest
from pybtex.database import parse_string

from companion.engine.course import references


def test_numbers_follow_the_order_of_a_chapter():
    targets = references.targets().values()
    numbered = [target for target in targets if target.page == "11_replicability"]
    for kind in ("theorem", "figure", "exercise", "equation"):
        numbers = [target.number for target in numbered if target.kind == kind]
        assert numbers == [f"11.{i}" for i in range(1, len(numbers) + 1)] and numbers


@pytest.mark.parametrize("kind, words", [("theorem", "Theorem 10.1"), ("section", "A title")])
def test_a_section_is_called_by_its_title_and_all_else_by_its_number(kind, words):
    assert references.Target(kind, "A title", "10.1", "10_sample").words == words


def work(fields):
    return parse_string(f"@misc{{key, {fields}}}", "bibtex").entries["key"]


@pytest.mark.parametrize("fields, authors", [
    ("author = {Ada Lovelace}", "Lovelace"),
    (r"author = {van der Berg, Jan and H{\'a}jek, Jaroslav}", "van der Berg and Hájek"),
    ("author = {A One and B Two and C Three}", "One et al."),
    ("author = {{The Group}}, title = {T}", "The Group"),
    ("title = {{R}: A Language}", "R: A Language"),
])
def test_authors_as_a_sentence_has_them(fields, authors):
    assert references.authors(work(fields)) == authors


PAPER = r"""author = {A One}, title = {On ``{SVM}s''}, journal = {B \& C}, volume = 3,
pages = {1--9}, year = 2004, doi = {10.1/a_b}, url = {https://b}"""


@pytest.mark.parametrize("fields, line", [
    (PAPER, "One (2004). On “SVMs”. B & C, 3, 1–9. https://doi.org/10.1/a_b"),
    ("author = {A One}, title = {Why?}, publisher = {P}, url = {https://b/a_b}",
     "One (n.d.). Why? P. https://b/a_b"),
    ("author = {A One}, title = {T.}, year = 1999", "One (1999). T."),
])
def test_a_line_of_the_literature(fields, line):
    assert references.entry(work(fields)) == line


def test_no_line_of_the_literature_has_tex_but_in_formulas():
    for cited in references.literature().values():
        assert not set("\\{}~`") & set(references.entry(cited))
