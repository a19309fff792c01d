"""An e-number is a superscript link to its erratum, whose title it shows on hover."""

from types import SimpleNamespace

from docutils import nodes

from companion.engine.sphinx import errata
from companion.papers import published


def test_each_erratum_has_a_number_of_its_own_and_a_target():
    assert len(errata.targets()) == len(published.errata())
    assert errata.targets()["e45"] == "erratum-bouckaert2004-e45"


def test_the_title_of_the_erratum_is_shown_on_hover():
    domain = SimpleNamespace(
        labels={errata.targets()["e45"]: ("page", "id", "e45: the same digits")}
    )
    app = SimpleNamespace(env=SimpleNamespace(get_domain=lambda name: domain))
    link = nodes.reference("e45", "e45", refuri="page.html#id")
    other = nodes.reference("45", "45", refuri="elsewhere")
    page = nodes.paragraph(
        "",
        "",
        nodes.superscript("", "", link, classes=["replib-erratum"]),
        nodes.superscript("", "", other),
    )
    errata.put_titles(app, page, "page")
    assert link["reftitle"] == "e45: the same digits"
    assert "reftitle" not in other
