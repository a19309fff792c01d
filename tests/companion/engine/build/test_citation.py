"""One file says how the book is cited; the addresses come from the settings."""

import json

import pytest
import yaml
from pybtex.database import parse_string

from companion.engine.build import chapters, citation

PERSON = {"family-names": "Doe", "given-names": "A. B.", "orcid": "https://orcid.example.org/0"}
REPOSITORY, SITE = "https://code.example.org/someone/a-book", "https://example.org/book"


@pytest.fixture
def project(tmp_path):
    for name in ("CITATION.cff", "pyproject.toml"):
        (tmp_path / name).write_text((chapters.ROOT / name).read_text(encoding="utf-8"))
    (tmp_path / "_config.yml").write_text("title: A book\n")
    return tmp_path


def test_without_an_address_none_is_named(project):
    found = citation.given(project)
    meta = json.loads(citation.codemeta(found, project))
    assert not {"url", "repository-code"} & found.keys()
    assert not {"url", "codeRepository"} & meta.keys()
    assert "url" not in parse_string(citation.bibtex(found), "bibtex").entries["replib"].fields


def test_addresses_and_people_get_into_all_forms(project):
    (project / "_config.yml").write_text(
        f'repository: {{url: "{REPOSITORY}/"}}\nhtml: {{baseurl: "{SITE}"}}\n'
    )
    found = citation.given(project) | {"authors": [PERSON, {"name": "The group and others"}]}
    entry = parse_string(citation.bibtex(found), "bibtex").entries["replib"]
    assert [str(person) for person in entry.persons["author"]] == [
        "Doe, A. B.", "{The group and others}",
    ]
    assert (entry.fields["url"], entry.fields["version"]) == (SITE, found["version"])
    meta = json.loads(citation.codemeta(found, project))
    assert (meta["codeRepository"], meta["url"]) == (REPOSITORY, SITE)
    assert [author["@type"] for author in meta["author"]] == ["Person", "Organization"]
    again = yaml.safe_load(citation.cff(found))
    assert again == found and again["repository-code"] == REPOSITORY


def test_both_distributions_have_the_same_licence():
    first, second = (chapters.ROOT / folder / "LICENSE" for folder in (".", "book"))
    assert first.read_bytes() == second.read_bytes()
