"""Mutants: a module with one comparison, sign, operator, constant, condition or return changed."""

import ast
from collections.abc import Callable, Iterator
from functools import partial

OTHER_COMPARISON = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}
OTHER_OPERATOR = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.MatMult: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
OTHER_FUNCTION = {"minimum": "maximum", "ceil": "floor", "min": "max", "any": "all", "sin": "cos"}
OTHER_FUNCTION |= {other: name for name, other in OTHER_FUNCTION.items()}


class _Sites(ast.NodeVisitor):
    """Nodes of running code: no annotation, no text of a refusal, no documentation."""

    def __init__(self) -> None:
        self.nodes: list[ast.AST] = []

    def generic_visit(self, node: ast.AST) -> None:
        self.nodes.append(node)
        for name, child in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_params", "decorator_list"):
                continue
            for one in child if isinstance(child, list) else [child]:
                if isinstance(one, ast.AST):
                    self.visit(one)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Nothing: tests need not know the words by heart."""

    visit_Import = visit_ImportFrom = visit_Raise

    def visit_Assign(self, node: ast.Assign) -> None:
        """A name for a type is no running code."""
        if not any(isinstance(name, ast.Name) and name.id == "__all__" for name in node.targets):
            self.generic_visit(node)


def changes(source: str) -> Iterator[tuple[str, Callable[[], ast.Module]]]:
    """Every change of one node: the line, what and where, and what makes the changed module."""
    lines = source.splitlines()
    for place, node in enumerate(_nodes(ast.parse(source))):
        for what, change in _changes(node):
            line = getattr(node, "lineno", 0)
            made = partial(_changed, source, place, change)
            yield f"{line}: {what}: {lines[line - 1].strip()}", made


def _changed(source: str, place: int, change: Callable) -> ast.Module:
    tree = ast.parse(source)
    change(_nodes(tree)[place])
    return ast.fix_missing_locations(tree)


def _nodes(tree: ast.Module) -> list[ast.AST]:
    sites = _Sites()
    sites.visit(tree)
    return sites.nodes


def _changes(node: ast.AST):
    put = lambda field, value: lambda other: setattr(other, field, value)
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in OTHER_COMPARISON:
            new = OTHER_COMPARISON[type(op)]
            yield f"{_name(op)} to {_name(new())}", lambda other: other.ops.__setitem__(0, new())
        case ast.BinOp(op=op) if type(op) in OTHER_OPERATOR:
            new = OTHER_OPERATOR[type(op)]
            yield f"{_name(op)} to {_name(new())}", put("op", new())
        case ast.AugAssign(op=op) if type(op) in OTHER_OPERATOR:
            yield f"{_name(op)} to other", put("op", OTHER_OPERATOR[type(op)]())
        case ast.BoolOp(op=op):
            new = ast.Or if isinstance(op, ast.And) else ast.And
            yield f"{_name(op)} to {_name(new())}", put("op", new())
        case ast.UnaryOp(op=ast.USub() as op):
            yield f"no {_name(op)}", put("op", ast.UAdd())
        case ast.UnaryOp(op=ast.Invert() as op, operand=operand):
            yield f"no {_name(op)}", put("operand", ast.UnaryOp(op=op, operand=operand))
        case ast.Constant(value=bool() as value):
            yield f"{value} to {not value}", put("value", not value)
        case ast.Constant(value=int() | float() as value):
            yield f"{value} to {value + 1}", put("value", value + 1)
        case ast.If() | ast.IfExp():
            yield "condition turned round", put(
                "test", ast.UnaryOp(op=ast.Not(), operand=node.test)
            )
        case ast.Attribute(attr=attr) if attr in OTHER_FUNCTION:
            yield f"{attr} to {OTHER_FUNCTION[attr]}", put("attr", OTHER_FUNCTION[attr])
        case ast.Return(value=ast.AST() as value) if ast.unparse(value) != "None":
            yield "returns nothing", put("value", None)


def _name(op: ast.AST) -> str:
    return type(op).__name__
