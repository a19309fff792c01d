"""The book's own Sphinx extension: executes stale chapters, and makes the site work offline."""

import importlib.metadata
import os
import shutil
from pathlib import Path

from replib.book import chapters as book


def execute_stale_chapters(app) -> list[str]:
    """Execute what is stale, so that `jupyter-book build .` alone works on a fresh clone."""
    preset = os.environ.get(book.PRESET_VARIABLE, "")
    if preset == book.EXECUTE_NOTHING:
        return []
    seconds = book.execute_stale(preset_name=preset or None)
    book.remember_seconds(seconds)
    return list(seconds)


def all_pages_if_executed(app, env, added, changed, removed):
    """Reread every page after an execution: a page that quotes another one's numbers looks unchanged."""
    return env.found_docs if app.config.replib_executed else []


def copy_mathjax(app, exception) -> None:
    """Put MathJax beside the pages: the few files that TeX input needs, not the wheel's 24 MB."""
    if exception or app.builder.format != "html":
        return
    files = importlib.metadata.files("sphinx-mathjax-offline")
    base = next(Path(f.locate()).parent for f in files if f.name == "tex-chtml.js")
    target = Path(app.outdir) / "_static" / "mathjax"
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(base / "tex-chtml.js", target)
    fonts = Path("output", "chtml", "fonts")
    shutil.copytree(base / fonts, target / fonts, dirs_exist_ok=True)


def drop_thebe(app, pagename, templatename, context, doctree) -> None:
    """Leave out the live-code scripts, which need a server and log an error on every page."""
    context["script_files"] = [
        script for script in context.get("script_files", ())
        if "thebe" not in f"{script} {getattr(script, 'attributes', {}).get('body', '')}".lower()
    ]


def setup(app):
    app.add_config_value("replib_executed", execute_stale_chapters(app), "")
    app.config.mathjax_path = "mathjax/tex-chtml.js"
    app.connect("env-get-outdated", all_pages_if_executed)
    app.connect("html-page-context", drop_thebe, priority=990)
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
