"""What a page says of itself: description, where its figures are drawn, where it can be run.

One line of ``_config.yml``, ``repository: {url: …}``, is enough for links to the code, to the
commit and to Binder; ``html: {baseurl: …}`` for addresses in the tags.  Without them the pages have
no such links.
"""

import html
import re
import subprocess
from pathlib import Path
from urllib.parse import quote

from docutils import nodes

from companion.engine import chapters

_PICTURES = re.compile(r"from companion\.engine\.pictures import (\w+) as pictures")
_DRAWS = re.compile(r"\bpictures\.(\w+)\(")
_LONGEST = 200
#: What Jupyter Book takes where ``_config.yml`` names no repository.
_NO_REPOSITORY = "https://github.com/executablebooks/jupyter-book"


def commit() -> str:
    """Short name of the commit that the site is made from; empty outside git."""
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=chapters.ROOT, capture_output=True, text=True,
        check=False,
    )
    return asked.stdout.strip()


def repository(config) -> str:
    """Address of the repository, without a slash at its end; empty if none is configured."""
    address = (config.html_theme_options.get("repository_url") or "").rstrip("/")
    return "" if address == _NO_REPOSITORY else address


def name_book(app, config) -> None:
    options = config.html_theme_options
    options["repository_url"] = repository(config)
    options["logo"] = {
        "text": config.html_title or config.project,
        "image_light": "book/_static/mark.svg", "image_dark": "book/_static/mark.svg",
    }
    options["navigation_with_keys"] = True
    options["use_repository_button"] = bool(repository(config))


def say_where_figures_are_drawn(app, doctree, docname) -> None:
    """Beneath each figure of a chapter: the function that drew it, at the commit."""
    code = [(cell, cell.astext()) for cell in doctree.findall(nodes.literal_block)]
    module = next((found[1] for _, text in code if (found := _PICTURES.search(text))), None)
    if module is None:
        return
    file = f"book/companion/engine/pictures/{module}.py"
    version, address = commit(), repository(app.config)
    for cell, text in code:
        drawn = _DRAWS.search(text)
        caption = next(_whole_cell(cell).findall(nodes.caption), None)
        if drawn is None or caption is None:
            continue
        where = nodes.inline(classes=["replib-drawn-by"])
        label = f"{file}, {drawn[1]}"
        where += nodes.Text("Drawn by ")
        where += (
            nodes.reference(
                label, label, refuri=f"{address}/blob/{version or 'main'}/{file}", internal=False
            ) if address else nodes.literal(label, label)
        )
        where += nodes.Text(f" at {version}." if version else ".")
        caption += nodes.Text(" ")
        caption += where


def _whole_cell(code: nodes.Node) -> nodes.Node:
    """The code of a cell with its output."""
    node = code
    while node.parent is not None and "cell" not in node.get("classes", ()):
        node = node.parent
    return node


def describe(app, pagename, templatename, context, doctree) -> None:
    """Description and Open Graph tags, and on chapters a button to Binder."""
    first = doctree and next(
        (p for p in doctree.findall(nodes.paragraph) if len(p.astext()) > 60), None
    )
    text = " ".join(first.astext().split()) if first else ""
    if len(text) > _LONGEST:
        text = text[:_LONGEST].rsplit(" ", 1)[0] + " …"
    title = re.sub("<[^>]*>", "", context.get("title", "")) or app.config.project
    tags = {"og:type": "article", "og:site_name": app.config.html_title, "og:title": title}
    if text:
        tags["og:description"] = text
        context["metatags"] = context.get("metatags", "") + _tag("name", "description", text)
    if base := app.config.html_baseurl:
        tags["og:url"] = f"{base.rstrip('/')}/{pagename}.html"
        tags["og:image"] = f"{base.rstrip('/')}/_static/screenshot.png"
    context["metatags"] = context.get("metatags", "") + "".join(
        _tag("property", *tag) for tag in tags.items()
    )
    address = repository(app.config)
    if address.startswith("https://github.com/") and "/chapters/" in pagename:
        source = quote(f"lab/tree/notebooks/{Path(pagename).name}.md")
        owner_and_name = address.removeprefix("https://github.com/")
        context.setdefault("header_buttons", []).insert(0, {
            "type": "link", "icon": "fa-solid fa-rocket", "tooltip": "Run this chapter on Binder",
            "url": f"https://mybinder.org/v2/gh/{owner_and_name}/HEAD?urlpath={source}",
        })


def _tag(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{html.escape(content)}" />\n'


def setup(app):
    app.add_js_file("page.js")
    app.connect("config-inited", name_book)
    app.connect("doctree-resolved", say_where_figures_are_drawn)
    app.connect("html-page-context", describe, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
