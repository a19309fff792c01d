"""Below each table and figure of a chapter, folded: the functions of the papers that computed it.

Cells are read, not run.  A variable is traced to the functions that the statements
which assign it call, so a table that one cell computes and another shows still names
its function.
"""

import ast
import html
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import nbformat

import companion

_ROOT = Path(companion.__path__[0]).parent
_PAPERS = "companion.papers"
#: Parts of the papers that read or judge results, and compute none.
_PLUMBING = ("stored", "ledger", "published")
_SHOWN = ("text/html", "image/svg+xml")

#: Module and name of a function.
Function = tuple[str, str]


def insert(notebook: nbformat.NotebookNode, link: str = "") -> None:
    """Insert a folded cell of source code after each cell that shows something computed.

    Parameters
    ----------
    notebook : NotebookNode
        An executed chapter; changed in place.
    link : str
        Address of the folder of the packages in the repository; without it there are no
        links.
    """
    trace, told = Trace(), set[Function]()
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        if cell.cell_type != "code":
            continue
        functions = trace.run(cell.source)
        if functions and _shows(cell):
            text = _fold(functions, told, link)
            told |= set(functions)
            cells.append(nbformat.v4.new_markdown_cell(text, id=f"by-{cell.id}"[:64]))
    notebook.cells = cells


class Trace:
    """What the names of a notebook stand for, and which functions computed them."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.computed: dict[str, tuple[Function, ...]] = {}

    def run(self, source: str) -> tuple[Function, ...]:
        """Follow a cell; return the functions behind what it displays."""
        shown: list[Function] = []
        for statement in ast.parse(source).body:
            match statement:
                case ast.ImportFrom(module=package, names=names):
                    self.modules |= {
                        n.asname or n.name: f"{package}.{n.name}" for n in names
                    }
                case ast.Expr():
                    if not _only_glues(statement):
                        shown += self._behind(statement)
                case _:
                    behind = self._behind(statement)
                    assigned = {
                        node.id
                        for node in ast.walk(statement)
                        if isinstance(node, ast.Name)
                        and isinstance(node.ctx, ast.Store)
                    }
                    if isinstance(statement, ast.FunctionDef):
                        assigned = {statement.name}
                    self.computed |= dict.fromkeys(assigned, behind)
        return tuple(dict.fromkeys(shown))

    def _behind(self, statement: ast.AST) -> tuple[Function, ...]:
        found: list[Function] = []
        for node in ast.walk(statement):
            match node:
                case ast.Attribute(value=ast.Name(id=alias), attr=name):
                    module = self.modules.get(alias, "")
                    if _is_of_papers(module) and definition(module, name):
                        found.append((module, name))
                case ast.Name(id=name, ctx=ast.Load()):
                    found += self.computed.get(name, ())
        return tuple(dict.fromkeys(found))


def _is_of_papers(module: str) -> bool:
    parts = module.removeprefix(f"{_PAPERS}.").split(".")
    return module.startswith(f"{_PAPERS}.") and parts[0] not in _PLUMBING


def _only_glues(statement: ast.Expr) -> bool:
    match statement.value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="book"), attr=name)):
            return name in ("glue", "card", "check_parameters", "ledger")
    return False


def _shows(cell: nbformat.NotebookNode) -> bool:
    hidden = {"remove-cell", "remove-output"} & set(cell.metadata.get("tags", ()))
    return not hidden and any(
        kind in output.get("data", {})
        for output in cell.get("outputs", ())
        for kind in _SHOWN
    )


def _names(module: str, name: str) -> tuple[str, str]:
    label = html.escape(f"{module.removeprefix('companion.')}.{name}")
    return label, f"computed-by-{label.replace('.', '-')}"


def _fold(functions: Iterable[Function], told: Iterable[Function], link: str) -> str:
    """Return the Markdown of folded sources; a source that was told has only a link to it."""
    first, *others = functions
    more = f" and {len(others)} more" if others else ""
    return (
        f'<details class="replib-computed"><summary>Computed by <code>{_names(*first)[0]}</code>'
        f"{more}</summary>\n\n"
        + "".join(
            f'<p><a href="#{_names(*function)[1]}">{_names(*function)[0]}</a></p>\n\n'
            if function in told
            else _source(*function, link)
            for function in functions
        )
        + "</details>\n\n"
    )


def _source(module: str, name: str, link: str) -> str:
    label, anchor = _names(module, name)
    file, code = sources(module, name)
    where = file.relative_to(_ROOT).as_posix()
    address = f' in <a href="{link}/{where}">{where}</a>' if link else ""
    return f'<p id="{anchor}"><code>{label}</code>{address}</p>\n\n```python\n{code}\n```\n\n'


def sources(module: str, name: str) -> tuple[Path, str]:
    """Return the file of a function, and its source with that of its module which it calls.

    >>> file, code = sources("companion.papers.bouckaert2004.table_1", "half_widths")
    >>> file.name, code.startswith("def half_widths(")
    ('table_1.py', True)
    """
    file, first = definition(module, name)
    lines = file.read_text(encoding="utf-8").splitlines()
    defined = dict(_definitions(file))
    wanted = [first.name]
    for own in wanted:  # grows while it is read
        used = {
            node.id for node in ast.walk(defined[own]) if isinstance(node, ast.Name)
        }
        wanted += [other for other in defined if other in used and other not in wanted]
    return file, "\n\n\n".join(_text(defined[own], lines) for own in wanted)


def definition(module: str, name: str) -> tuple[Path, ast.FunctionDef] | None:
    """Return the file that defines a function of a module or package, and its syntax tree."""
    file = _file(module)
    if file is None:
        return None
    if found := dict(_definitions(file)).get(name):
        return file, found
    for node in _parsed(file).body:
        if isinstance(node, ast.ImportFrom) and any(n.name == name for n in node.names):
            return definition(node.module or "", name)
    return None


def _file(module: str) -> Path | None:
    place = _ROOT.joinpath(*module.split("."))
    candidates: Iterable[Path] = (place.with_suffix(".py"), place / "__init__.py")
    return next((file for file in candidates if file.is_file()), None)


def _definitions(file: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    yield from (
        (n.name, n) for n in _parsed(file).body if isinstance(n, ast.FunctionDef)
    )


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _text(function: ast.FunctionDef, lines: list[str]) -> str:
    first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
    return "\n".join(lines[first - 1 : function.end_lineno])
