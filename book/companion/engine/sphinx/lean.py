"""A small site, without style rules, icons and letters that no page uses.

The theme has a style sheet of 390 kB and icon fonts of 700 kB; the pages need a quarter of the
sheet and two dozen glyphs of the fonts.
"""

import logging
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import matplotlib
import tinycss2
from fontTools import subset

from companion.engine.build import chapters

#: Files of the theme that no page of this book uses.
_UNUSED = (
    "**/*.map", "locales", "images", "scripts/fontawesome.js",
)
#: Letters that a figure may contain: Latin, Greek, accents and signs of formulas, marks.
_LETTERS = [
    *range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x300, 0x308), *range(0x391, 0x3D7),
    *range(0x2010, 0x2027), *range(0x2032, 0x2034), *range(0x2070, 0x2090),
    *map(ord, "←↑→↓↔⇒∂∅∆∈∉∏∑−√∞∩∪∫∼≈≠≡≤≥⋅⌈⌉⌊⌋ℓ▎■□▲△▼◀▶◆◇○●✓✗"),
]
_OTHER_FORMATS = re.compile(r',url\([^)]*\) format\("(woff|truetype)"\)')
#: Parts of Bootstrap's script that the theme's pages use: menus, and tooltips.
_BOOTSTRAP = re.compile(r"(bs-)?(tooltip|drop)[\w-]*|show|fade|collaps\w+|active|disabled")
_ICON_FONT = re.compile(
    r'url\(([^)]*)\.woff2\) format\("woff2"\),url\([^)]*\.ttf\) format\("truetype"\)'
)
#: The menu's list of the papers' modules, which only their own pages and "studies" need.
_MODULES = re.compile(
    r'<details[^>]*><summary>(?:(?!</summary>).)*</summary><ul>\s*'
    r'(?:<li class="toctree-l2"><a class="reference internal" href="[^"]*reference/papers/[^"]*">'
    r"[^<]*</a></li>\s*)+</ul>\s*</details>", re.DOTALL,
)
_FACES = {
    "DejaVuSans": ("normal", 400), "DejaVuSans-Oblique": ("oblique", 400),
    "DejaVuSans-Bold": ("normal", 700),
}


#: Names, punctuation and blanks, which have the default colour of code.
_PLAIN = re.compile(r'<span class="(?:n|p|w)">([^<]*)</span>')


def leave_plain_code_plain(app, pagename, templatename, context, doctree) -> None:
    """Remove the markup from parts of code that look the same without it."""
    context["body"] = _PLAIN.sub(r"\1", context.get("body", ""))


def write_letters(app, exception) -> None:
    """Write the font of the figures, with which Matplotlib has measured their texts."""
    if exception or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "letters"
    folder.mkdir(exist_ok=True)
    used = set(map(ord, "".join(_pages_with_figures(Path(app.outdir)))))
    letters = [letter for letter in _LETTERS if letter in used or letter < 0x7F]
    rules = []
    for name, (style, weight) in _FACES.items():
        source = Path(matplotlib.get_data_path(), "fonts", "ttf", f"{name}.ttf")
        _cut(source, folder / f"{name}.woff", letters)
        rules.append(
            f'@font-face {{ font-family: "DejaVu Sans"; font-style: {style}; font-weight: {weight};'
            f' src: url({name}.woff) format("woff"); }}\n'
        )
    (folder / "letters.css").write_text("".join(rules))


def _pages_with_figures(site: Path) -> Iterator[str]:
    for page in site.rglob("*.html"):
        text = page.read_text()
        if "replib-figure" in text or "replib-explorer" in text:
            yield text


def leave_out(app, exception) -> None:
    """Reduce the files of the theme and the extensions to what the pages of the site use."""
    whole_book = Path(app.srcdir) == chapters.ROOT  # style and scripts of copies serve many pages
    if exception or app.builder.format != "html" or not whole_book:
        return
    site = Path(app.outdir)
    static = site / "_static"
    for page in site.rglob("*.html"):
        if page.parent.name != "papers" and page.stem != "studies":
            page.write_text(_MODULES.sub("", page.read_text()))
    used = set(_words_in(site))
    icons = set()
    for sheet in static.rglob("*.css"):
        if not {"katex", "letters"} & set(sheet.parts):
            rules = tinycss2.parse_stylesheet(sheet.read_text(), True, True)
            text = "".join(_rules_in_use(rules, used))
            icons |= {int(code, 16) for code in re.findall(r'"\\(f[0-9a-f]{3})"', text)}
            icons |= {ord(sign) for sign in re.findall("[\uf000-\uf8ff]", text)}
            sheet.write_text(_ICON_FONT.sub(r'url(\1.woff) format("woff")', text))
    sheet = static / "katex" / "katex.min.css"
    sheet.write_text(_OTHER_FORMATS.sub("", sheet.read_text()))
    for font in static.glob("vendor/fontawesome/webfonts/*.ttf"):  # newer themes have only WOFF2
        _cut(font, font.with_suffix(".woff"), icons)
        font.unlink()
        font.with_suffix(".woff2").unlink()
    for pattern in _UNUSED:
        for file in static.glob(pattern):
            shutil.rmtree(file) if file.is_dir() else file.unlink()


def _words_in(site: Path) -> Iterator[str]:
    """Yield every word that may be a class of an element, in pages or added by scripts."""
    for page in site.rglob("*.html"):
        for value in re.findall(r'class="([^"]*)"', page.read_text()):
            yield from value.split()
    for script in site.glob("_static/**/*.js"):
        words = re.findall(r"[\w-]+", script.read_text())
        is_bootstrap = script.name == "bootstrap.js"
        yield from filter(_BOOTSTRAP.fullmatch, words) if is_bootstrap else words


def _rules_in_use(rules: Iterable, used: set[str]) -> Iterator[str]:
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = _split(tinycss2.serialize(rule.prelude))
            kept = [s for s in selectors if _classes(s) <= used]
            if kept:
                yield f"{','.join(kept)}{{{tinycss2.serialize(rule.content)}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports"):
            inner = "".join(_rules_in_use(tinycss2.parse_rule_list(rule.content, True, True), used))
            if inner:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}"
        else:
            yield tinycss2.serialize([rule])


def _split(selectors: str) -> list[str]:
    """Split at commas that are not in brackets."""
    return re.split(r",(?![^(\[]*[)\]])", selectors)


def _classes(selector: str) -> set[str]:
    """Return the classes that an element must have, ignoring those that it may or must not have."""
    required = re.sub(r"\[[^]]*\]|:(not|is|where|has)\((?:[^()]|\([^()]*\))*\)", "", selector)
    return {name.replace("\\", "") for name in re.findall(r"\.((?:[\w-]|\\.)+)", required)}


def _cut(source: Path, target: Path, letters: Iterable[int]) -> None:
    """Write the font with only these letters."""
    options = subset.Options(flavor="woff", hinting=False, layout_features=["kern"])
    options.drop_tables += ["FFTM"]
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    subset.save_font(font, target, options)


def setup(app):
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it lists every table that it drops
    app.add_css_file("letters/letters.css")
    app.connect("html-page-context", leave_plain_code_plain)
    app.connect("build-finished", write_letters)
    app.connect("build-finished", leave_out, priority=900)  # after all files have been written
    return {"parallel_read_safe": True, "parallel_write_safe": True}
