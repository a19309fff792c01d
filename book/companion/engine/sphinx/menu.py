"""The navigation menu, made once for all pages; the theme resolves the whole contents for each."""

import posixpath
import re

#: An address from the root of the site, before it is made relative to a page.
_FROM_ROOT = 'href="@'


def use_one_menu(app, pagename, templatename, context, doctree) -> None:
    """Replace the theme's function for the menu; the list of headings of a page stays its own."""
    make = context.get("generate_toctree_html")
    if make is None:
        return

    def menu(kind: str, **options) -> str:
        if kind != "sidebar":
            return make(kind=kind, **options)
        if not hasattr(app, "replib_menu"):
            app.replib_menu = without_page(str(make(kind=kind, **options)), pagename)
        return for_page(app.replib_menu, pagename)

    context["generate_toctree_html"] = menu


def without_page(menu: str, pagename: str) -> str:
    """Return the menu of a page with addresses from the root and no current entry.

    >>> menu = '<li class="toctree-l1 current active"><a class="current reference" href="#">A'
    >>> without_page(menu, "book/a")
    '<li class="toctree-l1"><a class="reference" href="@book/a.html">A'
    """

    def address(match: re.Match) -> str:
        target = match[1]
        if ":" in target:
            return match[0]
        folder = posixpath.dirname(pagename)
        page = f"{pagename}.html" if target == "#" else posixpath.join(folder, target)
        return f'{_FROM_ROOT}{posixpath.normpath(page)}"'

    menu = re.sub(r'href="([^"]*)"', address, menu)
    menu = re.sub(r' ?\b(current|active)\b(?=[^"<>]*")', "", menu)
    menu = menu.replace('class=" ', 'class="')
    return re.sub(r"<details[^>]*>", "<details>", menu)


def for_page(menu: str, pagename: str) -> str:
    """Return the menu with addresses from a page, its entry marked and the list around it open.

    >>> for_page('<li class="toctree-l1"><a href="@book/a.html">A</a></li>', "book/a")
    '<li class="toctree-l1 current active"><a href="../book/a.html">A</a></li>'
    """
    here = f'{_FROM_ROOT}{pagename}.html"'
    before, found, after = menu.partition(here)
    if found:
        start, item, rest = before.rpartition('<li class="toctree-l')
        level, quote, rest = rest.partition('"')
        before = f"{start}{item}{level} current active{quote}{rest}"
        if int(level[0]) > 1:
            start, _, rest = before.rpartition("<details>")
            before = f'{start}<details open="open">{rest}'
    up = "../" * pagename.count("/")
    return (before + found + after).replace(_FROM_ROOT, f'href="{up}')


def setup(app):
    app.connect("html-page-context", use_one_menu, priority=950)  # after the theme's
    return {"parallel_read_safe": True, "parallel_write_safe": True}
