"""The first mention of a term in a chapter leads to the glossary; the second does not."""

from types import SimpleNamespace

from docutils import nodes

from companion.engine.sphinx import terms


def glossary():
    listed = nodes.definition_list()
    for term, meaning in {
        "power": "Finds what is there.",
        "p-value": "How far.",
    }.items():
        item = nodes.definition_list_item()
        item += nodes.term(term, term, ids=[f"term-{term}"])
        item += nodes.definition("", nodes.paragraph(text=meaning))
        listed += item
    document = nodes.container()
    document += listed
    return document


def linked(*parts, page="book/chapters/10_sample"):
    app = SimpleNamespace(
        env=SimpleNamespace(
            found_docs={terms.GLOSSARY}, get_doctree=lambda name: glossary()
        ),
        builder=SimpleNamespace(
            get_relative_uri=lambda here, there: "../glossary.html"
        ),
    )
    doctree = nodes.container()
    doctree += list(parts)
    terms.link_first_mentions(app, doctree, page)
    return doctree


def test_the_first_mention_says_what_it_means():
    found = linked(
        nodes.title(text="Power"),
        nodes.paragraph(text="Power and powerful; power again."),
        nodes.paragraph(text="A p-value."),
    )
    links = [
        (x.astext(), x["refuri"], x["reftitle"]) for x in found.findall(nodes.reference)
    ]
    assert links == [
        ("Power", "../glossary.html#term-power", "Finds what is there."),
        ("p-value", "../glossary.html#term-p-value", "How far."),
    ]
    assert not list(found[0].findall(nodes.reference))
    assert found.astext().count("Power and powerful; power again.") == 1


def test_code_links_and_other_pages_are_left_alone():
    code = nodes.paragraph("", "", nodes.literal(text="power"))
    assert not list(linked(code).findall(nodes.reference))
    text = nodes.paragraph(text="power")
    assert not list(linked(text, page="book/notation").findall(nodes.reference))
