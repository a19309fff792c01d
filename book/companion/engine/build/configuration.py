"""The settings of Sphinx, made from ``_config.yml`` in the same way as by jupyter-book.

`jupyter-book build .` reads ``_config.yml`` itself.  If it is not installed, or does not work with
the installed Sphinx, ``conf.py`` takes the same settings from here: one source for both.
"""

from pathlib import Path
from typing import Any

import yaml

#: Extensions that jupyter-book loads for every book, without sphinx-comments and sphinx-thebe,
#: which this book does not use.  Chapters have the numbers of their files.
EXTENSIONS = (
    "sphinx_togglebutton", "sphinx_copybutton", "myst_nb", "sphinx_external_toc", "sphinx_design",
    "sphinxcontrib.bibtex",
)


def settings(project: Path) -> dict[str, Any]:
    """Return the settings of Sphinx for a project.

    Parameters
    ----------
    project : Path
        Folder of ``_config.yml`` and ``_toc.yml``.

    Returns
    -------
    dict
        Settings for ``conf.py``.  Files of the book are named by their full paths.
    """
    given = yaml.safe_load((project / "_config.yml").read_text(encoding="utf-8"))
    page, repository = given.get("html", {}), given.get("repository", {})
    own = dict(given.get("sphinx", {}).get("config", {}))
    for name in ("html_static_path", "templates_path"):
        if name in own:
            own[name] = [str(project / path) for path in own[name]]
    return {
        "author": given["author"],
        "bibtex_bibfiles": [str(project / file) for file in given.get("bibtex_bibfiles", ())],
        "copyright": given["copyright"],
        "exclude_patterns": list(given.get("exclude_patterns", ())),
        "extensions": [*EXTENSIONS, *given.get("sphinx", {}).get("extra_extensions", ())],
        "external_toc_exclude_missing": given.get("only_build_toc_files", False),
        "external_toc_path": str(project / "_toc.yml"),
        "html_baseurl": addresses(given)[1],
        "html_favicon": str(project / page["favicon"]) if "favicon" in page else None,
        "html_sourcelink_suffix": "",
        "html_theme": "sphinx_book_theme",
        "html_theme_options": {
            "extra_footer": page.get("extra_footer", ""),
            "home_page_in_toc": page.get("home_page_in_navbar", True),
            "navbar_persistent": [],  # newer themes have a second bar with a second search
            "path_to_docs": repository.get("path_to_book", ""),
            "repository_branch": repository.get("branch", "main"),
            "repository_url": addresses(given)[0],
            "search_bar_text": "Search this book...",
            "use_issues_button": page.get("use_issues_button", False),
            "use_repository_button": page.get("use_repository_button", False),
        },
        "html_title": given["title"],
        "myst_heading_anchors_html_ids": False,  # headings of MyST-Parser 5 have a second id
        "myst_url_schemes": ["mailto", "http", "https"],
        "nb_execution_mode": given["execute"]["execute_notebooks"],
        "project": given["title"],
        "pygments_style": "sphinx",
        "suppress_warnings": ["myst.domains"],
        **{f"myst_{name.removeprefix('myst_')}": value
           for name, value in given.get("parse", {}).items()},
        **own,
    }


def addresses(given: dict[str, Any]) -> tuple[str, str]:
    """Return the addresses of the repository and of the site, without a slash at the end.

    An address that is not given is empty, and nothing that needs it is shown.

    Parameters
    ----------
    given : dict
        The content of ``_config.yml``.
    """
    repository, page = given.get("repository") or {}, given.get("html") or {}
    return tuple((section.get(name) or "").rstrip("/")
                 for section, name in ((repository, "url"), (page, "baseurl")))
