"""The book on paper: all pages in one PDF, printed by Chromium."""

import os
import posixpath
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from click import ClickException
from markupsafe import Markup

from companion.engine.build import pages
from companion.engine.show import display

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
#: Milliseconds that drawing the formulas may take.
_PATIENCE = 600_000


def pages_in_order(site: Path) -> list[str]:
    """Return the addresses of the pages of a site, in the order of its table of contents."""
    first = "book/intro.html"
    page = BeautifulSoup((site / first).read_text(encoding="utf-8"), "html.parser")
    links = [link["href"] for link in page.select("nav.bd-links a.internal")]
    found = [
        posixpath.normpath(posixpath.join("book", link))
        for link in links
        if link != "#"
    ]
    return list(dict.fromkeys([first, *found]))


def document(site: Path, addresses: Sequence[str], title: str) -> str:
    """Return several pages of a site as one HTML page for the folder of the site."""
    names = {address: f"page{number}" for number, address in enumerate(addresses)}
    articles, contents, scripts = [], [], ""
    for address in addresses:
        page = BeautifulSoup(
            (site / address).read_text(encoding="utf-8"), "html.parser"
        )
        article = page.select_one("article.bd-article")
        pages.strip_controls(article)
        for fold in article.select(".replib-card details"):
            del fold["open"]
        for figure in article.select(".replib-explorer"):
            figure.string = "Here the page of this chapter has a figure with controls."
        _make_at_home(article, address, names)
        articles.append(Markup(str(article)))
        contents.append((names[address], Markup(article.h1.decode_contents())))
        found = pages.what_draws_formulas(page).replace("../", "")
        scripts = found if len(found) > len(scripts) else scripts
    return display.html(
        "printed",
        title=title,
        articles=articles,
        scripts=Markup(scripts),
        contents=contents,
    )


def _make_at_home(article: Tag, address: str, names: Mapping[str, str]) -> None:
    """Make the links and pictures of an article point to their new places."""
    own, folder = names[address], posixpath.dirname(address)
    article["id"] = own
    for tag in article.find_all(id=True):
        if tag is not article and not tag.find_parent("svg") and tag.name != "svg":
            tag["id"] = f"{own}-{tag['id']}"
    for tag in article.find_all(src=True):
        tag["src"] = posixpath.normpath(posixpath.join(folder, tag["src"]))
    for link in article.find_all("a", href=True):
        if re.match(r"\w+:", link["href"]):
            continue
        page, _, anchor = link["href"].partition("#")
        where = posixpath.normpath(posixpath.join(folder, page)) if page else address
        if where in names:
            link["href"] = f"#{names[where]}-{anchor}" if anchor else f"#{names[where]}"
        else:
            link.unwrap()


def write(site: Path, addresses: Sequence[str], title: str, file: Path) -> Path:
    """Print pages of a site to one PDF.

    Raises
    ------
    ClickException
        If Chromium is not installed, or printed nothing.
    """
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise ClickException("printing needs Chromium, which is not installed")
    source = site / f"{file.stem}.print.html"
    part = file.with_suffix(".part.pdf")
    file.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(document(site, addresses, title))
    try:
        done = subprocess.run(
            [
                browser,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-pdf-header-footer",
                "--generate-pdf-document-outline",
                "--run-all-compositor-stages-before-draw",
                f"--virtual-time-budget={_PATIENCE}",
                f"--print-to-pdf={part}",
                source.resolve().as_uri(),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if not part.exists():
            raise ClickException(
                f"Chromium printed nothing: {done.stderr.strip()[-300:]}"
            )
        os.replace(part, file)
    finally:
        source.unlink()
    return file
