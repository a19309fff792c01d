"""``python -m replib``, and the command ``replib``: its own commands and those of plug-ins."""

import sys
from importlib import import_module
from importlib.metadata import entry_points

#: Commands of the library.
COMMANDS = {
    "compare": "Compare models by scores in files or logs.",
    "plan": "How many runs, seeds or items does it take?",
    "bench": "Measure a test of your own, next to those in use.",
}

#: Commands of the book's package, for a help text that loads nothing; a test compares
#: them.
OF_THE_BOOK = ["build", "run", "notebook", "course", "list", "check", "data", "results"]

_HOW_TO_GET_THE_BOOK = "install it from a checkout, with: pip install . ./book"


def main() -> None:
    """Run a command of the library, or one that another package provides."""
    try:
        _run(sys.argv[1] if len(sys.argv) > 1 else "--help")
    except KeyboardInterrupt:  # while packages were imported
        sys.exit(130)


def _run(first: str) -> None:
    if first in ("-h", "--help"):
        print(_help())
    elif first in COMMANDS:
        sys.exit(import_module("replib._command").main(first, sys.argv[2:]))
    elif plugged := entry_points(group="replib.commands", name=first):
        next(iter(plugged)).load()()
    else:
        what = (
            f"{first} belongs to the book: {_HOW_TO_GET_THE_BOOK}"
            if first in OF_THE_BOOK
            else (f"No such command {first!r}; replib --help lists them")
        )
        print(f"Error: {what}", file=sys.stderr)
        sys.exit(2)


def _help() -> str:
    lines = [f"  {name:10}{what}" for name, what in COMMANDS.items()]
    return "\n".join(
        [
            "Usage: replib COMMAND [OPTIONS]...",
            "",
            "Commands (COMMAND --help explains one):",
            *lines,
            "",
            f"Commands of the book: {', '.join(OF_THE_BOOK)}",
            f"  {_HOW_TO_GET_THE_BOOK}",
        ]
    )


if __name__ == "__main__":
    main()
