"""Glossary terms in chapters: the first mention on a page shows the definition on hover."""

import re

from docutils import nodes

GLOSSARY = "book/glossary"
_NO_TERMS = (
    nodes.title,
    nodes.reference,
    nodes.literal,
    nodes.caption,
    nodes.math,
    nodes.raw,
)


def link_first_mentions(app, doctree, docname) -> None:
    """Link each term where it first appears in a paragraph of a chapter."""
    if "/chapters/" not in docname or GLOSSARY not in app.env.found_docs:
        return
    left = _definitions(app.env)
    for text in list(doctree.findall(nodes.Text)):
        in_paragraph = isinstance(
            text.parent, nodes.paragraph | nodes.emphasis | nodes.strong
        )
        if not left or not in_paragraph or _is_within(text, _NO_TERMS):
            continue
        pattern = "|".join(sorted(map(re.escape, left), key=len, reverse=True))
        if found := re.search(
            rf"(?<![\w-])({pattern})(?![\w-])", text.astext(), re.IGNORECASE
        ):
            anchor, definition = left.pop(found[1].lower())
            link = nodes.reference(
                found[1],
                found[1],
                internal=True,
                reftitle=definition,
                classes=["replib-term"],
                refuri=f"{app.builder.get_relative_uri(docname, GLOSSARY)}#{anchor}",
            )
            before, after = text.astext()[: found.start()], text.astext()[found.end() :]
            parts = [nodes.Text(before), link, nodes.Text(after)]
            text.parent.replace(text, [part for part in parts if part.astext()])


def _definitions(env) -> dict[str, tuple[str, str]]:
    """Return the anchor and the first definition of each term."""
    found = {}
    for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        term = next(item.findall(nodes.term))
        text = " ".join(next(item.findall(nodes.definition)).astext().split())
        found[term.astext().lower()] = (term["ids"][0], text)
    return found


def _is_within(node, kinds) -> bool:
    while node is not None:
        if isinstance(node, kinds):
            return True
        node = node.parent
    return False


def setup(app):
    app.connect("doctree-resolved", link_first_mentions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
