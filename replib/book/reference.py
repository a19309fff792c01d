"""The reference of the papers: a page for each module, written by each build."""

import ast
import pkgutil
from pathlib import Path

import replib.papers
from replib.book import files

_PAGE = """# {name}

```{{eval-rst}}
.. automodule:: {name}
   :members:
```
"""


def write(folder: Path) -> None:
    """Write the pages into a folder, and remove those of modules that are no more."""
    wanted = {folder / f"{name}.md": _PAGE.format(name=name) for name in modules()}
    folder.mkdir(parents=True, exist_ok=True)
    for page in set(folder.glob("*.md")) - wanted.keys():
        page.unlink()
    for page, text in wanted.items():
        files.write(page, text)


def modules() -> list[str]:
    """Names of the modules of the papers that have something to show."""
    found = []
    for module in pkgutil.walk_packages(replib.papers.__path__, "replib.papers.", onerror=_never):
        parts = module.name.split(".")
        path = Path(replib.papers.__path__[0]).joinpath(*parts[2:])
        source = path / "__init__.py" if module.ispkg else path.with_suffix(".py")
        if "kernels" not in parts and not parts[-1].startswith("_") and _shows_something(source):
            found.append(module.name)
    return found


def _shows_something(source: Path) -> bool:
    """Whether a module has public functions or classes, its own or by ``__all__``."""
    return any(
        isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
        or isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for node in ast.parse(source.read_bytes()).body
    )


def _never(name: str) -> None:
    raise ImportError(f"{name} cannot be imported")
