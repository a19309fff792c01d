"""One source of settings: what `conf.py` takes from _config.yml is what jupyter-book takes."""

import runpy
from pathlib import Path

import pytest
from jupyter_book.config import get_final_config

from companion.engine.build import chapters
from companion.engine.build.configuration import settings

#: What jupyter-book loads beside: for other books, or in place of what Sphinx does by itself.
NOT_NEEDED = {
    "jupyter_book", "sphinx_thebe", "sphinx_comments", "sphinx_book_theme",
    "sphinx.ext.intersphinx", "sphinx_jupyterbook_latex", "sphinx_multitoc_numbering",
}


@pytest.fixture(scope="module")
def theirs():
    root = chapters.ROOT
    found, _ = get_final_config(
        user_yaml=root / "_config.yml", sourcedir=root, validate=True, raise_on_invalid=True,
        cli_config={"latex_individualpages": False}, use_external_toc=True,
    )
    return found


@pytest.fixture(scope="module")
def ours():
    return settings(chapters.ROOT)


def test_the_settings_of_the_book_are_jupyter_book_s(ours, theirs):
    by_full_path = {"bibtex_bibfiles", "html_static_path", "templates_path", "html_favicon",
                    "external_toc_path", "extensions", "html_theme_options", "exclude_patterns"}
    same = (ours.keys() & theirs.keys()) - by_full_path
    assert len(same) > 20
    assert {name: ours[name] for name in same} == {name: theirs[name] for name in same}
    assert set(theirs["exclude_patterns"]) >= set(ours["exclude_patterns"])
    footer = "extra_footer"
    assert ours["html_theme_options"][footer] == theirs["html_theme_options"][footer]


def test_the_extensions_are_those_that_this_book_needs(ours, theirs):
    assert set(theirs["extensions"]) - set(ours["extensions"]) == NOT_NEEDED
    assert set(ours["extensions"]) <= set(theirs["extensions"])


def test_files_are_found_from_any_folder(ours):
    for name in ("html_static_path", "templates_path", "bibtex_bibfiles"):
        assert ours[name] and all(Path(file).is_absolute() for file in ours[name])
    assert all(Path(file).exists() for file in (*ours["bibtex_bibfiles"], ours["html_favicon"]))


def test_conf_py_has_these_settings(ours):
    found = runpy.run_path(str(chapters.ROOT / "conf.py"))
    assert {name: found[name] for name in ours} == ours
