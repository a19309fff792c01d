"""What a page says about itself: description, mark, and links to run it.

Two lines of ``_config.yml`` are enough for all links.  ``repository: {url: …}`` gives
the links to the code, to Binder and to the source of a page; ``html: {baseurl: …}``
gives the addresses in the tags and the map of the site; both together give Colab.
Without them the pages have no such links.
"""

import html
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from companion.engine.build import chapters

_LONGEST = 200
_GITHUB = "https://github.com/"
#: Jupyter Book's default if ``_config.yml`` names no repository.
_NO_REPOSITORY = "https://github.com/executablebooks/jupyter-book"
#: Key under which the address is hidden from the theme.
_KEPT = "replib_repository"


def commit() -> str:
    """Return the short name of the commit from which the site is made; empty outside git."""
    try:
        asked = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],
            cwd=chapters.ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return asked.stdout.strip()


class Commit(SphinxDirective):
    """``{commit}``: from which commit the site is made; read again whenever it is."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        return [
            nodes.paragraph(
                "", f"These pages were made at commit {commit() or 'unknown'}."
            )
        ]


def repository(config) -> str:
    """Return the address of the repository without a final slash; empty if not configured."""
    return config.html_context.get(_KEPT, "")


def address_of(file: str, config) -> str:
    """Return the address of a file at the commit of the site; empty without a repository."""
    address = repository(config)
    return address and f"{address}/blob/{commit() or _branch(config)}/{file}"


def name_book(app, config) -> None:
    options = config.html_theme_options
    address = (options.get("repository_url") or "").rstrip("/")
    config.html_context[_KEPT] = "" if address == _NO_REPOSITORY else address
    options["repository_url"] = (
        ""  # the theme knows three hosts, and fails on any other
    )
    options["logo"] = {
        "text": config.html_title or config.project,
        "image_light": "book/_static/mark.svg",
        "image_dark": "book/_static/mark.svg",
    }
    options["navigation_with_keys"] = True


def describe(app, pagename, templatename, context, doctree) -> None:
    """Add description and Open Graph tags, and buttons that link to the code and run it."""
    first = doctree and next(
        (p for p in doctree.findall(nodes.paragraph) if len(p.astext()) > 60), None
    )
    text = " ".join(first.astext().split()) if first else ""
    if len(text) > _LONGEST:
        text = text[:_LONGEST].rsplit(" ", 1)[0] + " …"
    title = re.sub("<[^>]*>", "", context.get("title", "")) or app.config.project
    tags = {
        "og:type": "article",
        "og:site_name": app.config.html_title,
        "og:title": title,
    }
    if text:
        tags |= {"description": text, "og:description": text}
    if base := app.config.html_baseurl.rstrip("/"):
        tags |= {
            "og:url": f"{base}/{pagename}.html",
            "og:image": f"{base}/_static/screenshot.png",
        }
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<meta {"property" if ":" in tag else "name"}="{tag}" content="{html.escape(words)}" />\n'
        for tag, words in tags.items()
    )
    if address := repository(app.config):
        buttons = context.setdefault("header_buttons", [])
        buttons[:0] = [
            {
                "type": "link",
                "icon": f"fa-solid fa-{icon}",
                "tooltip": words,
                "url": url,
            }
            for icon, words, url in links(pagename, address, base, _branch(app.config))
        ]


def _branch(config) -> str:
    return config.html_theme_options.get("repository_branch") or "main"


def links(
    pagename: str, address: str, base: str, branch: str
) -> Iterator[tuple[str, str, str]]:
    """Yield icon, words and address of each link from a page to its code and to places to run it.

    Colab reads notebooks only from GitHub, so those of the site must be on
    ``gh-pages``.
    """
    name = Path(pagename).name
    on_github = address.removeprefix(_GITHUB) if address.startswith(_GITHUB) else ""
    if "/chapters/" in pagename:
        where = f"gh/{on_github}" if on_github else f"git/{quote(address, safe='')}"
        urlpath = quote(f"replib/{pagename}.html")  # the served book
        yield (
            "rocket",
            "Run this chapter on Binder",
            f"https://mybinder.org/v2/{where}/{branch}?urlpath={urlpath}",
        )
        if on_github and base:
            file = f"{on_github}/blob/gh-pages/_sources/{pagename}.ipynb"
            yield (
                "cloud",
                "Open this chapter in Colab",
                f"https://colab.research.google.com/github/{file}",
            )
    source = f"notebooks/{name}.md" if "/chapters/" in pagename else f"{pagename}.md"
    is_written = (chapters.ROOT / source).exists()
    if is_written:
        yield "pencil", "Edit this page", f"{address}/edit/{branch}/{source}"
    yield "code", "See the code of this book", address


def write_site_map(app, exception) -> None:
    """Write the full addresses of all pages for search engines."""
    base = app.config.html_baseurl.rstrip("/")
    if exception or app.builder.format != "html" or not base:
        return
    pages = "".join(
        f"<url><loc>{base}/{quote(name)}.html</loc></url>\n"
        for name in sorted(app.env.found_docs)
    )
    Path(app.outdir, "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{pages}</urlset>\n'
    )


def lead_to_first_page(app, exception) -> None:
    """Let the address of the site lead to its first page, with the mark of the book.

    A browser asks for ``favicon.ico`` where a page names no mark.
    """
    first_page = f"{app.config.root_doc}.html"
    if exception or app.builder.format != "html" or first_page == "index.html":
        return
    Path(app.outdir, "index.html").write_text(
        f'<meta http-equiv="Refresh" content="0; url={first_page}" />\n'
        '<link rel="icon" href="_static/mark.svg" />\n'
    )


def setup(app):
    app.add_js_file("page.js")
    app.add_js_file("form.js")
    app.add_js_file("reader.js")
    app.add_directive("commit", Commit)
    app.connect("config-inited", name_book)
    app.connect("html-page-context", describe, priority=900)
    app.connect("build-finished", write_site_map)
    app.connect("build-finished", lead_to_first_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
