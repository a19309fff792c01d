"""No page uses anything that is left out of the site."""


import pytest
import tinycss2
from pygments.styles import get_style_by_name
from pygments.token import Name, Punctuation, Text, Whitespace

from companion.engine.sphinx import lean


@pytest.mark.parametrize("css, used, kept", [
    (".a{x:1}.b{x:2}", {"a"}, ".a{x:1}"),
    (".a,.b p,c{x:1}", {"a"}, ".a,c{x:1}"),
    (".a.b{x:1}.a .b{x:2}", {"a"}, ""),
    (".a:not(.b){x:1}", {"a"}, ".a:not(.b){x:1}"),
    (":is(.a,.b) p{x:1}", set(), ":is(.a,.b) p{x:1}"),
    ("@media print{.a{x:1}.b{x:2}}", {"b"}, "@media print{.b{x:2}}"),
    ("@media print{.a{x:1}}", set(), ""),
    ("@font-face{font-family:F}", set(), "@font-face{font-family:F}"),
    (r".w-1\/2{x:1}", {"w-1/2"}, r".w-1\/2{x:1}"),
    ('h1{x:1}#id{x:2}[data-a=".b"]{x:3}', set(), 'h1{x:1}#id{x:2}[data-a=".b"]{x:3}'),
])
def test_rules_in_use(css, used, kept):
    rules = tinycss2.parse_stylesheet(css, True, True)
    assert "".join(lean._rules_in_use(rules, used)) == kept


def test_a_cut_font_has_the_letters_asked_for(tmp_path):
    from fontTools.ttLib import TTFont
    from matplotlib import get_data_path

    source = f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf"
    lean._cut(source, tmp_path / "cut.woff", map(ord, "αz"))
    font = TTFont(tmp_path / "cut.woff")
    assert set(font.getBestCmap()) == {ord("α"), ord("z")}
    widths, before = font["hmtx"].metrics, TTFont(source)["hmtx"].metrics
    assert widths["z"] == before["z"]  # as wide as when the figure was laid out


@pytest.mark.parametrize("name", ["a11y-high-contrast-light", "a11y-high-contrast-dark"])
def test_code_without_marks_has_the_colour_of_what_loses_them(name):
    style = get_style_by_name(name)
    for token in (Name, Punctuation, Whitespace):
        assert style.style_for_token(token) == style.style_for_token(Text)
    context = {"body": '<span class="n">a</span><span class="k">if</span><span class="p">(</span>'}
    lean.leave_plain_code_plain(None, "", "", context, None)
    assert context["body"] == 'a<span class="k">if</span>('


def test_of_bootstrap_only_the_parts_that_pages_have_are_kept(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "bootstrap.js").write_text('"carousel modal tooltip-inner show"')
    (tmp_path / "_static" / "other.js").write_text('"modal"')
    assert set(lean._words_in(tmp_path)) == {"tooltip-inner", "show", "modal"}
