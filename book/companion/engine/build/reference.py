"""The reference of the papers: one page for each module, written in each build."""

import ast
from pathlib import Path

import companion.papers
from companion.engine.build import files

# Not searched: the search would load a quarter more, for modules that chapters link to.
_PAGE = """---
nosearch: true
---

# {name}

```{{eval-rst}}
.. automodule:: {name}
   :members:
```
"""


def write(folder: Path) -> None:
    """Write the pages into a folder, and remove those of modules that no longer exist."""
    wanted = {folder / f"{name}.md": _PAGE.format(name=name) for name in modules()}
    folder.mkdir(parents=True, exist_ok=True)
    for page in set(folder.glob("*.md")) - wanted.keys():
        page.unlink()
    for page, text in wanted.items():
        files.write(page, text)


def modules() -> list[str]:
    """Return the papers' modules that show something which no package shows."""
    found = []
    root = Path(companion.papers.__path__[0])
    for path in sorted(root.rglob("*.py")):  # read instead of imported, which takes seconds
        is_package = path.stem == "__init__"
        place = path.parent if is_package else path.with_suffix("")
        parts = place.relative_to(root).parts
        own, exported = _public(path)
        shown = _public(place.parent / "__init__.py")[1]
        hidden = "kernels" in parts or place.name.startswith("_") or not parts
        if (exported or own - shown) and not hidden:
            found.append(".".join(("companion.papers", *parts)))
    return found


def _public(source: Path) -> tuple[set[str], set[str]]:
    """Return public functions and classes that a module defines, and the names in ``__all__``."""
    defined, exported = set(), set()
    for node in ast.parse(source.read_bytes()).body:
        match node:
            case ast.FunctionDef() | ast.ClassDef() if not node.name.startswith("_"):
                defined.add(node.name)
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                exported = set(ast.literal_eval(node.value))
    return defined, exported
