"""Declarations of parameters: every chapter's, and what each kind of range allows."""

import ast
from collections.abc import Iterator

import nbformat
import pytest

from companion.engine.build import chapters as book
from companion.engine.build import parameters
from companion.engine.build.parameters import Parameter, ParameterError


def parameter(type_: str, range_: str) -> Parameter:
    return Parameter("x", type_, "units", range_, "help", None)


@pytest.mark.parametrize(
    "type_, range_, value, expected",
    [
        ("int", "2 to 10", 2, 2),
        ("int", "2 to 10", 10, 10),
        ("int", "even, 2 to 10", 4, 4),
        ("float", "above 0, below 1", 0.5, 0.5),
        ("float", "0 to 1", 1, 1.0),
        ("float", "at least 0", 0.0, 0.0),
        ("float", "at most 0", -3, -3.0),
        ("bool", "any", True, True),
        ("str", "a name", "SVC", "SVC"),
        ("str", "a class as in module:Class", "a.b:C", "a.b:C"),
        ("str", "one of a | b", "b", "b"),
        ("str", "one of the UCI data sets", "glass", "glass"),
        ("list[int]", "1 to 3", [1, 3], [1, 3]),
        ("list[float]", "any", (1, 2.5), [1.0, 2.5]),
    ],
)
def test_allowed_values_come_back_in_their_type(type_, range_, value, expected):
    checked = parameter(type_, range_).check(value)
    assert checked == expected and type(checked) is type(expected)


@pytest.mark.parametrize(
    "type_, range_, value",
    [
        ("int", "2 to 10", 1),
        ("int", "2 to 10", 11),
        ("int", "2 to 10", 2.0),
        ("int", "any", True),
        ("int", "even, 2 to 10", 3),
        ("int", "any", "3"),
        ("float", "above 0, below 1", 0),
        ("float", "above 0, below 1", 1.0),
        ("float", "any", None),
        ("float", "0 to 1", float("nan")),
        ("bool", "any", 1),
        ("str", "one of a | b", "c"),
        ("str", "a name", "a b"),
        ("str", "a name", "<b>"),
        ("str", "a name", ""),
        ("str", "a class as in module:Class", "a.b.C"),
        ("str", "a class as in module:Class", "a:b:C"),
        ("str", "a class as in module:Class", "a..b:C"),
        ("str", "a class as in module:Class", "a:C()"),
        ("str", "one of the UCI data sets", "weather"),
        ("str", "any", 3),
        ("str", "any", "\udcff"),
        ("list[int]", "1 to 3", [1, 4]),
        ("list[int]", "any", []),
        ("list[int]", "any", 3),
        ("list[int]", "any", [1.5]),
    ],
)
def test_other_values_are_refused_naming_what_is_allowed(type_, range_, value):
    with pytest.raises(ParameterError, match="x must be .*units.*, not "):
        parameter(type_, range_).check(value)


@pytest.mark.parametrize(
    "type_, text, expected",
    [
        ("int", "7", 7),
        ("float", "1e-3", 0.001),
        ("float", "7", 7.0),
        ("list[int]", "1, 2", [1, 2]),
        ("list[int]", "[1, 2]", [1, 2]),
        ("str", "true", "true"),
        ("bool", "yes", True),
    ],
)
def test_values_of_the_command_line_are_read_in_their_type(type_, text, expected):
    assert parameter(type_, "any").read(text) == expected


@pytest.mark.parametrize(
    "comment, sentence",
    [
        ("repetitions", "unit; range; what it does"),
        ("repetitions; even; how many", "even"),
    ],
)
def test_a_declaration_has_unit_range_and_help_and_its_default_lies_in_the_range(
    comment, sentence
):
    cell = nbformat.v4.new_code_cell(
        f"n: int = 3  # {comment}", metadata={"tags": ["parameters"]}
    )
    with pytest.raises(ParameterError, match=sentence):
        parameters.declared(nbformat.v4.new_notebook(cells=[cell]))


def chapter_with(second: str) -> dict[str, Parameter]:
    source = f"n: int = 10  # items; 1 to 20; how many\n{second}"
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": ["parameters"]})
    return parameters.declared(nbformat.v4.new_notebook(cells=[cell]))


@pytest.mark.parametrize("given", [{"k": 11}, {"n": 4}, {"n": 12, "k": 13}])
def test_a_parameter_may_be_bounded_by_another(given):
    declared = chapter_with("k: int = 5  # items; at least 0, at most n; chosen")
    assert parameters.check({"n": 12, "k": 12}, declared, "here") == {"n": 12, "k": 12}
    n = given.get("n", 10)
    with pytest.raises(
        ParameterError, match=f"k must be .*at most n .*, not .*, with n = {n}"
    ):
        parameters.check(given, declared, "here")


@pytest.mark.parametrize(
    "second",
    [
        "k: int = 5  # items; at most m; chosen",
        "k: int = 15  # items; at most n; chosen",
    ],
)
def test_a_bound_is_a_number_of_the_chapter_and_holds_for_the_defaults(second):
    with pytest.raises(ParameterError, match="k (is bounded|must be)"):
        chapter_with(second)


@pytest.mark.parametrize("chapter", book.chapters(), ids=lambda c: c.name)
def test_every_chapter_declares_its_parameters_fully(chapter):
    source = "".join(
        cell.source
        for cell in chapter.notebook.cells
        if "parameters" in cell.metadata.get("tags", ())
    )
    assert len(chapter.parameters) == source.count(": ")
    assert chapter.minutes_to_read > 0


SCOPES = (
    ast.FunctionDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def assigned(node: ast.AST) -> Iterator[str]:
    """Yield the names that a cell sets for the cells below it."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, SCOPES):
            yield from assigned(child)


@pytest.mark.parametrize("chapter", book.chapters(), ids=lambda c: c.name)
def test_no_cell_sets_a_parameter_again(chapter):
    # From there on, what a reader asks for would move nothing.
    for cell in chapter.notebook.cells:
        if cell.cell_type == "code" and "parameters" not in cell.metadata.get(
            "tags", ()
        ):
            again = chapter.parameters.keys() & set(assigned(ast.parse(cell.source)))
            assert not again, f"{sorted(again)} in {cell.source}"


def test_names_that_a_loop_sets_are_found_and_those_of_a_comprehension_are_not():
    cell = "for a, b in c:\n    d = [e for e in a]\nf = lambda g: g"
    assert set(assigned(ast.parse(cell))) == {"a", "b", "d", "f"}


def test_what_every_preset_gives_is_allowed():
    for file in (book.SOURCES / "presets").glob("*.yml"):
        for name, values in book.preset(file.stem).items():
            assert book.find(name).check(values) == values
