"""Glued numbers have minus signs and no exponents, and p-values do not break."""

from docutils import nodes

from companion.engine.sphinx import minus_signs


def test_glued_numbers_have_a_minus_sign():
    doctree = nodes.container()
    doctree += nodes.paragraph(
        "", "from -1 to ", nodes.inline("", "-0.6", classes=["pasted-text"])
    )
    doctree += nodes.inline("", "5x2-fold, -.5 to 3", classes=["pasted-text"])
    minus_signs.write_numbers(None, doctree, "any")
    assert doctree[0].astext() == "from -1 to −0.6"  # what an author writes stays
    assert doctree[1].astext() == "5x2-fold, −.5 to 3"


def test_glued_numbers_have_no_exponent_but_a_power_of_ten():
    for value, shown in (
        ("2e-05", "0.00002"),
        ("needs p = 1.5e-06 or less", "needs p = 0.0000015 or less"),
        ("1e+02", "100"),
        ("-3.40e-12", "−3.40_×_10⁻¹²"),
        ("a1e-05, 1e-05b", "a1e-05, 1e-05b"),
    ):
        doctree = nodes.inline("", value, classes=["pasted-text"])
        minus_signs.write_numbers(None, doctree, "any")
        assert doctree.astext().replace("\u00a0", "_") == shown


def test_a_p_value_stays_on_one_line():
    doctree = nodes.paragraph("", "with p = ")
    doctree += nodes.inline("", "0.04")
    doctree += nodes.Text(", or p < 0.001 in step = 3; ")
    doctree += nodes.literal("", "p = 0.5")
    doctree += nodes.raw("", "<p>(p = 0.2)</p>", format="html")
    minus_signs.keep_together(None, doctree, "any")
    whole = doctree.astext().replace("\u00a0", "_")
    assert whole == "with p_=_0.04, or p_<_0.001 in step = 3; p = 0.5<p>(p_=_0.2)</p>"


def test_two_numbers_with_a_sign_stay_on_one_line():
    doctree = nodes.paragraph("", "on 10 × 2 × 5 folds, by 0.022")
    doctree += [
        nodes.Text(" ± "),
        nodes.inline("", "0.004"),
        nodes.Text(" seed × item"),
    ]
    doctree += nodes.literal("", "1 × 1")
    minus_signs.keep_together(None, doctree, "any")
    whole = doctree.astext().replace("\u00a0", "_")
    assert whole == "on 10_×_2_×_5 folds, by 0.022_±_0.004 seed × item1 × 1"
