"""Chapters and presets: declarations are found, and wrong ones are refused in a sentence."""

import re

import pytest

from companion.engine.build import chapters
from companion.engine.build.parameters import ParameterError


@pytest.mark.parametrize("chapter", chapters.chapters(), ids=lambda c: c.name)
def test_code_is_that_of_the_notebook(chapter):
    cells = [cell.source for cell in chapter.notebook.cells if cell.cell_type == "code"]
    assert chapter.code == [code.strip("\n") for code in cells]


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("sample: {n: 10}", "1 to 9"),
        ("sample: {m: 1}", "no parameter 'm'; it has n"),
        ("weather: {n: 1}", "there is no chapter 'weather'; there are sample"),
        ("- sample", "preset wrong maps names to values"),
        ("sample: [n]", "preset wrong gives no values by name for chapter sample"),
        ("sample: {n: 1", "preset wrong is not plain YAML"),
        ("[" * 5000, "preset wrong is not plain YAML"),
        ("sample: {n: " + "9" * 9000 + "}", "preset wrong is not plain YAML|1 to 9"),
    ],
)
def test_a_bad_preset_is_refused_in_a_sentence(project, text, sentence):
    (project / "notebooks" / "presets" / "wrong.yml").write_text(text)
    with pytest.raises(ParameterError, match=sentence) as refusal:
        chapters.preset("wrong")
    assert len(str(refusal.value)) < 300 and "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["x" * 5000, "../quick", "", "folder", "latin"])
def test_a_preset_that_cannot_be_read_is_refused_in_a_sentence(project, name):
    folder = project / "notebooks" / "presets"
    (folder / "folder.yml").mkdir()
    (folder / "latin.yml").write_bytes(b"sample: {n: 4}  # f\xfcr")
    with pytest.raises(ParameterError, match="preset") as refusal:
        chapters.preset(name)
    assert len(str(refusal.value)) < 300


def test_the_chapters_of_a_preset_are_known_without_its_values(project):
    preset = chapters.SOURCES / "presets" / "mine.yml"
    preset.parent.mkdir(exist_ok=True)
    preset.write_text("10_sample: {n: no number}\n")
    assert chapters.in_preset("mine") == {"sample"}


def test_an_empty_preset_changes_nothing(project):
    (project / "notebooks" / "presets" / "empty.yml").write_text("# nothing")
    assert chapters.preset("empty") == {} == chapters.preset(None)


@pytest.mark.parametrize(
    "chapter", chapters.chapters(), ids=lambda chapter: chapter.name
)
def test_a_folded_cell_says_what_it_does(chapter):
    folded = [
        cell
        for cell in chapter.notebook.cells
        if "hide-input" in cell.metadata.get("tags", ())
    ]
    for cell in folded:
        title = cell.metadata.get("mystnb", {}).get("code_prompt_show", "")
        assert 10 <= len(title) <= 90, cell.source


def test_chapters_are_numbered_without_gaps_in_the_order_of_the_contents():
    contents = (chapters.ROOT / "_toc.yml").read_text(encoding="utf-8")
    listed = re.findall(r"book/chapters/(\d+_\w+)", contents)
    assert listed == [chapter.source.stem for chapter in chapters.chapters()]
    numbers = [chapter.number for chapter in chapters.chapters()]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
