"""Citations of the book: CITATION.cff, with the addresses of ``_config.yml``, in three forms."""

import json
import tomllib
from pathlib import Path
from typing import Any

import yaml


def given(project: Path) -> dict[str, Any]:
    """Return the content of CITATION.cff, with the addresses from ``_config.yml``."""
    found = yaml.safe_load((project / "CITATION.cff").read_text(encoding="utf-8"))
    config = yaml.safe_load((project / "_config.yml").read_text(encoding="utf-8"))
    named = zip(("repository-code", "url"), addresses(config))
    return found | {name: address for name, address in named if address}


def addresses(config: dict[str, Any]) -> tuple[str, str]:
    """Return the addresses of the repository and of the site, without a slash at the end.

    Parameters
    ----------
    config : dict
        The content of ``_config.yml``.  An address that it does not give is empty.
    """
    repository, page = config.get("repository") or {}, config.get("html") or {}
    return tuple(
        (section.get(name) or "").rstrip("/")
        for section, name in ((repository, "url"), (page, "baseurl"))
    )


def bibtex(found: dict[str, Any]) -> str:
    """Return the entry for BibTeX."""
    fields = {
        "author": " and ".join(map(_name, found["authors"])),
        "title": found["title"], "version": found["version"],
        "year": str(found["date-released"])[:4],
    }
    if address := found.get("url", found.get("repository-code")):
        fields["url"] = address
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@software{{replib,\n{lines}}}"


def _name(author: dict[str, str]) -> str:
    """Write an author for BibTeX; the name of a group is kept together."""
    if "name" in author:
        return f"{{{author['name']}}}"
    return f"{author['family-names']}, {author['given-names']}"


def cff(found: dict[str, Any]) -> str:
    """Return the text of a CITATION.cff."""
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True, width=100)


def codemeta(found: dict[str, Any], project: Path) -> str:
    """Return codemeta.json, with the description of the library from ``pyproject.toml``."""
    text = (project / "pyproject.toml").read_text(encoding="utf-8")
    library = tomllib.loads(text)["project"]
    addresses = {"codeRepository": found.get("repository-code"), "url": found.get("url")}
    return json.dumps({
        "@context": "https://w3id.org/codemeta/3.0", "@type": "SoftwareSourceCode",
        "name": found["title"], "description": library["description"],
        "version": found["version"], "dateModified": str(found["date-released"]),
        "author": [
            {"@type": "Organization", "name": author["name"]} if "name" in author else
            {"@type": "Person", "@id": author.get("orcid"), "givenName": author["given-names"],
             "familyName": author["family-names"]}
            for author in found["authors"]
        ],
        "license": [f"https://spdx.org/licenses/{name}" for name in found["license"]],
        "keywords": found["keywords"], "programmingLanguage": "Python",
        "runtimePlatform": f"Python {library['requires-python']}",
        "softwareRequirements": library["dependencies"],
        "citation": [work["title"] for work in found["references"]],
        **{name: address for name, address in addresses.items() if address},
    }, indent=2, ensure_ascii=False) + "\n"
