"""A light site: only the icons that it shows, only files that some page asks for, few requests.

The theme brings every icon of Font Awesome, as fonts in two formats and as rules of its
style, source maps and translations.  After the pages are written, its style keeps the
rules and the letters of the icons in use, as a font within the style; styles that import
others hold them; and files of ``_static`` that nothing asks for are removed.

A page asks for one style instead of a dozen, and shows itself before its scripts have
come: on a slow phone each request costs as much as 30 kB.  Long scripts within pages, most
of which are the data of a picture, become files that pages share.
"""

import base64
import hashlib
import io
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from fontTools import subset
from fontTools.ttLib import TTFont

from companion.engine.build import chapters

#: Where the theme has its style.
_STYLE = Path("_static/styles/pydata-sphinx-theme.css")
#: The styles that every page has, in this order, which are joined in one file.  The
#: pages of reruns, which are made one at a time, still ask for each.
_STYLES = (
    "styles/theme.css",
    "styles/pydata-sphinx-theme.css",
    "pygments.css",
    "styles/sphinx-book-theme.css",
    "togglebutton.css",
    "copybutton.css",
    "mystnb.*.css",
    "proof.css",
    "exercise.css",
    "sphinx-design.min.css",
    "replib.css",
    "course.css",
)
_JOINED = Path("_static/styles/joined.css")
_LINK = re.compile(r'[ \t]*<link\b[^>]*\brel="stylesheet"[^>]*>\n?')
#: A script in the head that need not run before the page is shown.
_SCRIPT = re.compile(r"<script (?=[^>]*\bsrc=)(?![^>]*\b(?:defer|async)\b)")
#: The one that is needed at once, by a script in the page, and has a few lines.
_OPTIONS = Path("_static/documentation_options.js")
_ASKED_OPTIONS = re.compile(rf'<script src="[^"]*{_OPTIONS}[^"]*"></script>')
#: A script within a page; the group is its text.
_OWN_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
#: Characters of a script that costs more within a page than a request does.
_LONG_SCRIPT = 20_000
_OWN_SCRIPTS = Path("_static/scripts/of_pages")
#: A face of the icons in the style of the theme; the group is its file.
_FACE = re.compile(r"@font-face\{[^}]*?url\(([^)]*/fa-[a-z]+-\d+)\.woff2\)[^}]*\}")
#: The rule of an icon, which may have several names.
_ICON = re.compile(r'((?:\.fa-[\w-]+:before,?)+)\{content:"\\[0-9a-f]+"\}')
#: A letter of the private areas, in which icons stand.
_LETTER = re.compile(r'"\\((?:e|f)[0-9a-f]{3})"')
_IMPORT = re.compile(r"""@import ["']([^"']+)["'];""")
_ADDRESS = re.compile(r"""url\(["']?([^"')]+)["']?\)""")
_SOURCE_MAP = re.compile(
    r"\s*(?:/\*# sourceMappingURL=\S+ ?\*/|//# sourceMappingURL=\S+)"
)
#: What a page or a style asks for.
_ASKED = {
    ".html": re.compile(r'(?:href|src)="([^"#?]+)'),
    ".css": re.compile(r"(?:url\(|@import )['\"]?([^'\")#?]+)"),
}


def lighten(app, exception) -> None:
    """Cut the icons, join styles, move long scripts, remove the files that nothing asks for."""
    if exception or app.builder.format != "html" or Path(app.srcdir) != chapters.ROOT:
        return
    site = Path(app.outdir)
    cut_icons(site)
    for style in sorted(site.glob("_static/styles/*.css")):
        style.write_text(with_imports(style), encoding="utf-8")
    join_styles(site)
    move_scripts(site)
    for file in unasked(site, own=chapters.ROOT / "book" / "_static"):
        file.unlink()


def cut_icons(site: Path) -> None:
    """Leave in the theme's style the icons that pages and scripts of a site name."""
    file = site / _STYLE
    style = file.read_text(encoding="utf-8")
    in_use = set(_names_of_icons(site))

    def kept(rule: re.Match) -> str:
        names = set(re.findall(r"\.(fa-[\w-]+):", rule[1]))
        return rule[0] if names & in_use else ""

    style = _ICON.sub(kept, style)
    styles = [other.read_text("utf-8") for other in site.glob("_static/**/*.css")]
    letters = {
        int(code, 16)
        for text in (style, *(_ICON.sub("", other) for other in styles))
        for code in _LETTER.findall(text)
    }

    def embedded(face: re.Match) -> str:
        font = _with_letters(file.parent / f"{face[1]}.ttf", letters)
        data = base64.b64encode(font).decode()
        source = f'src:url(data:font/woff;base64,{data}) format("woff")'
        return re.sub(r"src:[^}]*", lambda _: source, face[0])

    style = _FACE.sub(embedded, style)
    file.write_text(style, encoding="utf-8")


def with_imports(file: Path) -> str:
    """Return a style with the styles that it imports in their place.

    A browser that must first read an import waits once more before it shows anything.
    """

    def imported(rule: re.Match) -> str:
        other = file.parent / rule[1]
        return _with_addresses(with_imports(other), other, file)

    return _IMPORT.sub(imported, file.read_text(encoding="utf-8"))


def join_styles(site: Path) -> None:
    """Let the pages of a site ask for one style, and for their scripts later."""
    styles = _styles(site)
    joined = site / _JOINED
    text = "\n".join(
        _with_addresses(style.read_text("utf-8"), style, joined) for style in styles
    )
    joined.write_text(text, encoding="utf-8")
    version = hashlib.sha256(text.encode()).hexdigest()[:8]
    options = (site / _OPTIONS).read_text("utf-8")
    for page in _pages(site):
        root = os.path.relpath(site, page.parent)
        new = f'<link rel="stylesheet" href="{root}/{_JOINED}?v={version}" />\n'
        head, end, body = page.read_text("utf-8").partition("</head>")
        files = {*styles, joined}
        links = [link for link in _LINK.finditer(head) if _file_of(link, page) in files]
        for link in reversed(links):
            head = head[: link.start()] + new + head[link.end() :]
            new = ""  # it is in the place of the last one
        head = _ASKED_OPTIONS.sub(lambda _: f"<script>{options}</script>", head)
        head = _SCRIPT.sub("<script defer ", head)
        page.write_text(head + end + body, encoding="utf-8")


def move_scripts(site: Path) -> None:
    """Let the pages of a site ask for their long scripts, which then wait until they are shown."""
    for page in _pages(site):
        root = os.path.relpath(site, page.parent)

        def moved(script: re.Match) -> str:
            if len(script[1]) < _LONG_SCRIPT:
                return script[0]
            name = f"{hashlib.sha256(script[1].encode()).hexdigest()[:16]}.js"
            file = site / _OWN_SCRIPTS / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(script[1], encoding="utf-8")
            return f'<script defer src="{root}/{_OWN_SCRIPTS}/{name}"></script>'

        text = page.read_text("utf-8")
        page.write_text(_OWN_SCRIPT.sub(moved, text), encoding="utf-8")


def _styles(site: Path) -> list[Path]:
    """Return the styles that every page has."""
    return [file for name in _STYLES for file in sorted(site.glob(f"_static/{name}"))]


def _pages(site: Path) -> list[Path]:
    static = site / "_static"
    return [page for page in site.rglob("*.html") if not page.is_relative_to(static)]


def _file_of(link: re.Match, page: Path) -> Path:
    """Return the file to which a link in a page leads."""
    (address,) = re.findall(r'\bhref="([^"?]*)', link[0])
    return Path(os.path.normpath(page.parent / unquote(address)))


def _with_addresses(text: str, style: Path, place: Path) -> str:
    """Return the text of a style with its addresses as another file has them."""

    def of_place(address: re.Match) -> str:
        moved = _from(style, address[1], place)
        return address[0] if moved == address[1] else f"url({moved})"

    return _ADDRESS.sub(of_place, text)


def _from(other: Path, address: str, file: Path) -> str:
    """Return an address in one style as another style has it."""
    if re.match(r"\w+:|//|#|%", address):
        return address
    return os.path.relpath(other.parent / address, file.parent)


def _names_of_icons(site: Path) -> Iterator[str]:
    """Yield the classes of icons that pages and scripts name."""
    for file in (*site.rglob("*.html"), *site.glob("_static/**/*.js")):
        if file.name != "fontawesome.js":  # it names every icon, and no page loads it
            yield from re.findall(r"fa-[a-z0-9-]+", file.read_text(encoding="utf-8"))


def _with_letters(file: Path, letters: set[int]) -> bytes:
    """Return a font with some of its letters; the same bytes whenever it is made."""
    options = subset.Options(
        flavor="woff", layout_features=[], name_IDs=[], recalc_timestamp=False
    )
    font = TTFont(file, recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters & font.getBestCmap().keys())
    subsetter.subset(font)
    written = io.BytesIO()
    font.flavor = "woff"
    font.save(written)
    return written.getvalue()


def unasked(site: Path, own: Path) -> list[Path]:
    """Return the files of ``_static`` that no page, style or script asks for.

    Links to source maps, which only a debugger follows, are taken out.  A script asks for
    each file whose name it has.  What this book has put there (`own`) is not in question.
    """
    static = site / "_static"
    files = {file.resolve() for file in static.rglob("*") if file.is_file()}
    asked: set[Path] = {
        file for file in files if (own / file.relative_to(static.resolve())).exists()
    }
    of_reruns = [*_styles(site), site / _OPTIONS]
    asked |= {file.resolve() for file in of_reruns} & files
    waiting = [*_pages(site), *asked]
    while waiting:
        file = waiting.pop()
        more = set(_asked_by(file, files - asked)) & files - asked
        asked |= more
        waiting += more
    return sorted(files - asked)


def _asked_by(file: Path, files: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that a page, a style or a script asks for."""
    if file.suffix not in (".html", ".css", ".js"):
        return
    text = file.read_text(encoding="utf-8")
    if file.suffix in _ASKED:
        for address in _ASKED[file.suffix].findall(text):
            if not re.match(r"\w+:|//", address):
                yield (file.parent / unquote(address)).resolve()
    if file.suffix != ".html" and "sourceMappingURL" in text:
        text = _SOURCE_MAP.sub("", text)
        file.write_text(text, encoding="utf-8")
    if file.suffix == ".js":
        yield from (other for other in files if other.name in text)


def setup(app):
    # after all that copies files
    app.connect("build-finished", lighten, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
