"""What a parameter of a chapter can change, found by following its name through the code cells.

A name is tainted if its value may depend on the parameter: a statement, such as an assignment or a
whole loop, that mentions a tainted name taints all that it assigns or changes.  A name that is
assigned again from clean names is clean.  A parameter that is said to change nothing therefore
changes nothing; one that can change something may still leave it unchanged.
"""

import ast
from collections import Counter
from collections.abc import Sequence

from companion.engine.build.chapters import Chapter

#: What a chapter can show, with the words for one and for several.
KINDS = {
    "ledger": ("the ledger", "the ledger"),
    "number": ("1 number of the text", "{} numbers of the text"),
    "figure": ("1 figure", "{} figures"),
    "table": ("1 table", "{} tables"),
    "line": ("1 printed line", "{} printed lines"),
}


def of_parameters(chapter: Chapter) -> dict[str, str]:
    """Return, for each parameter of a chapter, what it can change, in words."""
    cells = [
        cell.source for cell in chapter.notebook.cells
        if cell.cell_type == "code" and "parameters" not in cell.metadata.get("tags", ())
    ]
    has_ledger = any("book.ledger(" in source for source in cells)
    return {
        name: in_words(reached_by(name, cells), has_ledger=has_ledger)
        for name in chapter.parameters
    }


def in_words(found: Counter, *, has_ledger: bool) -> str:
    """Say what can change, and if there is a ledger, also if it cannot change."""
    parts = [
        (one if found[kind] == 1 else many).format(found[kind])
        for kind, (one, many) in KINDS.items() if found[kind]
    ]
    if not parts:
        return "nothing that is shown"
    words = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    return words if found["ledger"] or not has_ledger else f"{words}, but not the ledger"


def reached_by(name: str, cells: Sequence[str]) -> Counter:
    """Count how many things of each of `KINDS` the cells show that depend on a name."""
    shown: Counter = Counter()
    tainted, imported, ledgers = {name}, set(), set()
    for source in cells:
        body = ast.parse(source).body
        for statement in body:
            depends = bool(_names(statement, ast.Load) & tainted)
            stored, changed = _names(statement, ast.Store), _changed_within(statement)
            match statement:
                case ast.Import() | ast.ImportFrom():
                    imported |= {a.asname or a.name.split(".")[0] for a in statement.names}
                case ast.FunctionDef() | ast.ClassDef():
                    stored = {statement.name}
                case ast.Assign() if "ledger" in _called(statement):
                    ledgers |= stored
                case ast.AugAssign():
                    depends = depends or bool(stored & tainted)
                case ast.Expr() if statement is body[-1]:  # shown, even if it is a method call
                    called, changed = _called(statement), set()
                    if depends and not called & {"glue", "print"}:
                        is_ledger = "ledger" in called or _names(statement) & ledgers
                        kind = "ledger" if is_ledger else "figure" if "show" in called else "table"
                        shown[kind] += 1
            if depends:
                tainted |= stored | (changed - imported)
            elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.FunctionDef):
                tainted -= stored
            for call in (n for n in ast.walk(statement) if isinstance(n, ast.Call)):
                if _attribute(call.func) == "glue":
                    shown["number"] += sum(bool(_names(k.value) & tainted) for k in call.keywords)
                elif _attribute(call.func) == "print":
                    shown["line"] += bool(_names(call) & tainted)
    return shown


def _changed_within(statement: ast.stmt) -> set[str]:
    """Return names whose content a statement may change: ``x`` in ``x[i] = 1``, ``x.append(1)``."""
    places = [n for n in ast.walk(statement) if isinstance(getattr(n, "ctx", None), ast.Store)]
    calls = [
        call.func for n in ast.walk(statement) if isinstance(n, ast.Expr)
        for call in ast.walk(n) if isinstance(call, ast.Call)
    ]
    return {
        name for n in (*places, *calls) if isinstance(n, ast.Attribute | ast.Subscript)
        for name in _names(n.value)
    }


def _names(node: ast.AST, context: type[ast.expr_context] = ast.expr_context) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}


def _called(node: ast.AST) -> set[str]:
    return {_attribute(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}


def _attribute(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))
