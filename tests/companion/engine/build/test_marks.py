"""The page of a rerun: what changed is marked in the text, in tables and beside figures."""

import re

import nbformat
import pytest

from companion.engine.build.marks import in_place, marked
from companion.engine.show import pictures as plotting
from companion.engine.show.bets import bet
from companion.engine.show.pictures.drawing import picture, series


@pytest.fixture
def run(notebook, tmp_path):
    """Writes an executed chapter whose cells `c0` … show these outputs besides the ledger."""

    def write(name, *shown, **numbers):
        file = notebook(tmp_path / name, **numbers)
        whole = nbformat.read(file, as_version=4)
        for position, texts in enumerate(shown):
            cell = nbformat.v4.new_code_cell("show()", id=f"shown-{position}")
            cell.outputs = [
                nbformat.v4.new_output("stream", text=text)
                if not text.startswith("<")
                else nbformat.v4.new_output("display_data", {"text/html": text})
                for text in texts
            ]
            whole.cells.append(cell)
        nbformat.write(whole, file)
        return file

    return write


def shown_by(cell):
    return "".join(
        output.get("text") or output.data.get("text/html", "")
        for output in cell.outputs
    )


def test_a_changed_number_stands_beside_the_default_and_others_stay(run):
    text = marked(run("a", share=-50.0), run("b", share=51.0)).notebook.cells[0].source
    assert "Of {glue:text}`n` runs <del" in text
    marks = re.search(r"<del.*?>(.*?)</del> <ins.*?>(.*?)</ins> % ag", text)
    assert marks[1].endswith("</span>&#8722;50&#46;0")
    assert marks[2] == "{glue:text}`share:.1f`"
    assert text.count("replib-change") == 1
    same = run("a", share=51.0)
    assert marked(same, run("b", share=51.04)).notebook.cells[0].source.count("<") == 0


def test_a_number_that_repeats_a_parameter_is_no_stop(run):
    files = [run("a", n=10), run("b", n=20)]
    for file in files:
        whole = nbformat.read(file, as_version=4)
        whole.cells[1].source = "wins: int = 10  # wins; any; how many"
        whole.cells[1].metadata["tags"] = ["parameters"]
        whole.cells[2].source = "book.glue(n=round(wins))"
        nbformat.write(whole, file)
    text = marked(*files).notebook.cells[0].source
    assert '<ins class="replib-yours">' in text and "10</del>" in text


def test_a_default_is_shown_as_it_is(run):
    files = run("a", share="*<b>*"), run("b", share="c")
    text = marked(*files).notebook.cells[0].source
    assert "&#42;&#60;b&#62;&#42;</del>" in text


def test_captions_are_marked(run):
    files = run("a", ["<b>1</b>"]), run("b", ["<b>1</b>"], share=51.0)
    for file in files:
        whole = nbformat.read(file, as_version=4)
        caption = "In {glue:text}`share:.1f` %."
        whole.cells[-1].metadata["mystnb"] = {"figure": {"caption": caption}}
        nbformat.write(whole, file)
    caption = marked(*files).notebook.cells[-1].metadata["mystnb"]["figure"]["caption"]
    assert "</del> <ins" in caption


def test_a_table_is_marked_cell_by_cell():
    row = "<table><tr><th>{}</th><td>{}</td><td>{}</td></tr></table>"
    text = in_place(row.format("a", "1.50", "<2"), row.format("a", "1.5", "&lt;3"))
    assert text.startswith('<div class="replib-change">')
    assert text.count("<ins") == 1 and "&lt;2</del> <ins" in text and "&lt;3<" in text


@pytest.mark.parametrize(
    "default, yours",
    [
        ("<tr><td>a</td><td>1</td></tr>", "<tr><td>b</td><td>2</td></tr>"),
        ("<p>1</p>", "<p>1</p><p>2</p>"),
        ("<p>1</p>", "<b>1</b>"),
        ('<p id="1">1</p>', '<p id="2">2</p>'),
        ("<p><b>1</b></p>", "<p>1</p>"),
        ("<script>1</script>", "<script>2</script>"),
    ],
)
def test_what_differs_in_more_than_texts_is_not_marked_in_place(default, yours):
    assert in_place(default, yours) is None


def test_other_outputs_have_a_switch_and_no_id_is_there_twice(run):
    of_run = '<div id="x"><i for="x"></i><script>f("x", {})</script></div>'
    files = run("a", [of_run.format(1)]), run("b", [of_run.format(2)])
    text = shown_by(marked(*files).notebook.cells[-1])
    assert 'value="default"' in text and 'value="yours" checked' in text
    assert text.count('id="x"') == 1 and 'f("x-default", 1)' in text
    assert text.index("x-default") < text.index('f("x", 2)')


def test_printed_text_is_marked_and_escaped_and_counted(run):
    found = marked(run("a", ["2 & 3\n"]), run("b", ["4 & 3\n"]))
    text = shown_by(found.notebook.cells[-1])
    assert (found.figures, found.tables) == (0, 1)
    # your line begins at the margin of the output, as the other does
    assert re.search("2 &amp; 3\n</del><ins .*>4 &amp; 3\n</ins>", text)


def test_other_numbers_of_outputs_are_compared_as_a_whole(run):
    text = shown_by(
        marked(run("a", ["<p>1</p>"]), run("b", ["<p>1</p>", "2"])).notebook.cells[-1]
    )
    assert text.count("<p>1</p>") == 2 and "<pre>2</pre>" in text


def test_no_bet_hides_what_has_changed(run):
    answers = [bet("a", "How many?", answer=x)._repr_html_() for x in (1, 2)]
    found = marked(*(run(name, [html]) for name, html in zip("ab", answers)))
    assert found.notebook.cells[-1].outputs == []
    assert (found.figures, found.tables) == (0, 0)


def test_what_is_not_shown_is_not_marked(run):
    files = run("a", ["<p>1</p>"]), run("b", ["<p>2</p>"])
    whole = nbformat.read(files[1], as_version=4)
    whole.cells[-1].metadata["tags"] = ["remove-output"]
    nbformat.write(whole, files[1])
    assert shown_by(marked(*files).notebook.cells[-1]) == "<p>2</p>"


@picture()
def rising(ax, top: float) -> None:
    series(ax, [0, 1], [0, top], None, "#0072b2")


def test_figures_are_counted_and_drawn_on_common_axes(run, monkeypatch, tmp_path):
    from companion.engine.build import chapters

    monkeypatch.setenv(chapters.VARIABLE, "1")
    monkeypatch.setattr(chapters, "BUILD", tmp_path / "build")
    drawn = [plotting.show(rising(top), alt="A line.")._repr_html_() for top in (1, 9)]
    for kept in (True, False):
        found = marked(run("a", [drawn[0]]), run("b", [drawn[1]]))
        text = shown_by(found.notebook.cells[-1])
        ticks = [float(t) for t in re.findall(r">([\d.]+)</text>", text)]
        # each axis of the default goes to 1 by itself, and to 9 in common
        assert (found.figures, found.tables) == (1, 0)
        assert ticks.count(8) == (2 if kept else 1)
        for file in (tmp_path / "build" / "figures").iterdir():
            file.write_bytes(b"damaged")
