"""Lists of contents made of titles are those that Sphinx makes of all headings."""


from sphinx.application import Sphinx

from companion.engine.extensions import contents

PAGES = {
    "index": (
        "Book\n====\n\n.. toctree::\n   :numbered:\n   :caption: Part\n\n   one\n   more/two\n"
    ),
    "one": "One *word*\n==========\n\nA\n-\n\nB\n~\n\nC\n-\n",
    "more/two": "Two\n===\n\n.. toctree::\n\n   three\n\nD\n-\n\n.. toctree::\n\n   four\n",
    "more/three": "Three\n=====\n\nE\n-\n\nF\n-\n",
    "more/four": "Four\n====\n",
}
#: Not documents: pages of source code are such.
OTHERS = ("code/x", "code/y", "z")
WAYS = (
    {"titles_only": True, "collapse": False, "includehidden": True, "maxdepth": 4},
    {"titles_only": True, "collapse": True}, {"collapse": False}, {},
)


def lists_of(folder, *, extension=None):
    """The list on each page, made in each of several ways, twice."""
    for name, text in PAGES.items():
        file = folder / f"{name}.rst"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    app = Sphinx(
        folder, None, folder / "out", folder / "doctrees", "html", status=None, freshenv=True,
        confoverrides={"html_theme": "basic"},
    )
    found = {}

    def note(app, page, template, context, doctree):
        found[page] = [context["toctree"](**way) for way in WAYS * 2]

    if extension:
        extension.setup(app)
    app.connect("html-collect-pages", lambda app: [(page, {}, "page.html") for page in OTHERS])
    app.connect("html-page-context", note, priority=900)
    app.build()
    return found


def test_lists_are_those_of_sphinx(tmp_path):
    plain = lists_of(tmp_path / "plain")
    assert plain.keys() >= {*PAGES, *OTHERS}
    assert "1.1. A" in plain["index"][2] and "1.1. A" not in plain["index"][0]
    assert lists_of(tmp_path / "with", extension=contents) == plain
