"""A light site: only the icons that it shows, and only the files that some page asks for.

The theme brings every icon of Font Awesome, as fonts in two formats and as rules of its
style, source maps and translations.  After the pages are written, its style keeps the
rules and the letters of the icons in use, as a font within the style; styles that import
others hold them; and files of ``_static`` that nothing asks for are removed.
"""

import base64
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
    """Cut the icons, and remove the files that nothing asks for."""
    if exception or app.builder.format != "html" or Path(app.srcdir) != chapters.ROOT:
        return
    site = Path(app.outdir)
    cut_icons(site)
    for style in sorted(site.glob("_static/styles/*.css")):
        style.write_text(with_imports(style), encoding="utf-8")
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
        return _ADDRESS.sub(
            lambda address: f"url({_from(other, address[1], file)})",
            with_imports(other),
        )

    return _IMPORT.sub(imported, file.read_text(encoding="utf-8"))


def _from(other: Path, address: str, file: Path) -> str:
    """Return an address in one style as another style has it."""
    if re.match(r"\w+:|//", address):
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
    pages = [page for page in site.rglob("*.html") if not page.is_relative_to(static)]
    asked: set[Path] = {
        file for file in files if (own / file.relative_to(static.resolve())).exists()
    }
    waiting = [*pages, *asked]
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
