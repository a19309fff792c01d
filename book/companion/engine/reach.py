"""What a parameter of a chapter can change: found by following its name through the code cells.

A name is tainted if its value may depend on the parameter: it was assigned from an expression with
a tainted name, in a loop or a condition that depends on one, or by a method that was given one.
Assigned anew from clean names, it is clean again.  So a parameter that is said to change nothing
does change nothing; one that can change something may still leave it as it was.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Sequence

from companion.engine.chapters import Chapter

#: What a chapter can show, with the words for one and for several of them.
KINDS = {
    "ledger": ("the ledger", "the ledger"),
    "number": ("1 number of the text", "{} numbers of the text"),
    "figure": ("1 figure", "{} figures"),
    "table": ("1 table", "{} tables"),
    "line": ("1 printed line", "{} printed lines"),
}


def of_parameters(chapter: Chapter) -> dict[str, str]:
    """For each parameter of a chapter what it can change, in words."""
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
    """What can change; where there is a ledger that cannot, this is said."""
    parts = [
        (one if found[kind] == 1 else many).format(found[kind])
        for kind, (one, many) in KINDS.items() if found[kind]
    ]
    if not parts:
        return "nothing that is shown"
    words = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    return words if found["ledger"] or not has_ledger else f"{words}, but not the ledger"


def reached_by(name: str, cells: Sequence[str]) -> Counter:
    """How many things of each of `KINDS` the cells show that depend on a name."""
    flow = _Flow(name)
    for source in cells:
        *body, last = ast.parse(source).body or [ast.Pass()]
        flow.run(body)
        if isinstance(last, ast.Expr):
            flow.show(last.value)
        else:
            flow.run([last])
    return flow.shown


class _Flow:
    """The names that depend on one name, and what was shown of them."""

    def __init__(self, name: str):
        self.tainted = {name}
        self.imported: set[str] = set()
        self.ledgers: set[str] = set()
        self.shown: Counter = Counter()

    def run(self, body: Iterable[ast.stmt], tainted: bool = False) -> None:
        """Follow statements; `tainted` if it depends on the name whether they are executed."""
        for statement in body:
            self._step(statement, tainted)

    def show(self, value: ast.expr) -> None:
        """Note what the last expression of a cell displays."""
        called = _called(value)
        self._counted(value)
        if not called & {"glue", "print"} and self._depends(value):
            is_ledger = "ledger" in called or bool(_names(value) & self.ledgers)
            kind = "ledger" if is_ledger else "figure" if "show" in called else "table"
            self.shown[kind] += 1

    def _step(self, statement: ast.stmt, tainted: bool) -> None:
        match statement:
            case ast.Import() | ast.ImportFrom():
                self.imported |= {a.asname or a.name.split(".")[0] for a in statement.names}
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if statement.value is not None:
                self._assign(statement, tainted or self._depends(statement.value))
            case ast.For() | ast.While() | ast.If() | ast.With() | ast.Try():
                self._block(statement, tainted)
            case ast.FunctionDef() | ast.ClassDef():
                self._bind({statement.name}, tainted or self._depends(statement))
            case _:
                if tainted or self._depends(statement):
                    self._called_with_it(statement)
        self._counted(statement)

    def _assign(self, statement, tainted: bool) -> None:
        targets = getattr(statement, "targets", None) or [statement.target]
        whole = {n for target in targets for n in _names(target, ast.Store)}
        parts = {n for target in targets for n in _names(target, ast.Load)}  # of x[i] and x.y
        if isinstance(statement, ast.AugAssign):
            tainted = tainted or bool(whole & self.tainted)
        tainted = tainted or bool(parts & self.tainted)
        self._bind(whole, tainted)
        if tainted:
            self.tainted |= parts - self.imported
        if "ledger" in _called(statement.value):
            self.ledgers |= whole

    def _block(self, statement, tainted: bool) -> None:
        heads = [getattr(statement, field, None) for field in ("test", "iter", "subject")]
        heads += [item.context_expr for item in getattr(statement, "items", ())]
        if isinstance(statement, ast.Try):
            heads += statement.body  # whether it raises
        tainted = tainted or any(self._depends(head) for head in heads if head is not None)
        blocks = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
        blocks += [handler.body for handler in getattr(statement, "handlers", ())]
        seen = set(self.tainted)  # no branch cleans a name: it may not be taken
        shown = self.shown.copy()
        for _ in range(2):  # what the end of a loop taints is there at its beginning
            self.shown = shown.copy()
            if tainted:
                self._bind(_names(statement, ast.Store), tainted=True)
            for block in blocks:
                self.run(block, tainted)
                seen |= self.tainted
                self.tainted = set(seen)

    def _called_with_it(self, statement: ast.stmt) -> None:
        """A method that is called for what it does may put a tainted value into its object."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                self.tainted |= _names(node.func) - self.imported

    def _counted(self, statement: ast.AST) -> None:
        """Count what is glued and printed."""
        if isinstance(statement, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
            return  # what is inside has been counted
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and _attribute(node.func) == "glue":
                self.shown["number"] += sum(self._depends(k.value) for k in node.keywords)
            elif isinstance(node, ast.Call) and _attribute(node.func) == "print":
                self.shown["line"] += self._depends(node)

    def _bind(self, names: set[str], tainted: bool) -> None:
        self.tainted = self.tainted | names if tainted else self.tainted - names

    def _depends(self, node: ast.AST) -> bool:
        return bool(_names(node) & self.tainted)


def _names(node: ast.AST, context: type[ast.expr_context] | None = None) -> set[str]:
    return {
        n.id for n in ast.walk(node)
        if isinstance(n, ast.Name) and (context is None or isinstance(n.ctx, context))
    }


def _called(node: ast.AST) -> set[str]:
    return {_attribute(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}


def _attribute(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))
