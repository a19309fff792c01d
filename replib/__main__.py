"""``python -m replib``, and the command ``replib``: its own commands and those of plug-ins."""

import sys
from importlib import import_module
from importlib.metadata import entry_points

#: Commands of the library: their module and function, and a description.
COMMANDS = {
    "compare": ("replib.command", "main_compare", "Compare models by scores in files or logs."),
    "plan": ("replib.command", "main_plan", "How many runs, seeds or items does it take?"),
    "bench": ("replib.bench", "main", "Measure a test of your own, next to those in use."),
}

#: Commands of the book's package, for a help text that loads nothing; a test compares them.
OF_THE_BOOK = {
    "build": "Execute the stale CHAPTERs (all by default) and make the site.",
    "run": "Execute your own copy of CHAPTER with other parameters, under runs/.",
    "notebook": "Write CHAPTERs (all by default) as notebooks that run in JupyterLab.",
    "course": "Make what a course needs: editions, a PDF, marks of assignments.",
    "list": "Show the chapters, their parameters and their costs.",
    "check": "Print the ledger; exit 1 if a verdict is worse than the committed one.",
    "data": "Show the 27 data sets, and fetch those that are not here.",
    "results": "Run the long experiments NAME... again and store their counts; without a name, "
               "list them.",
}

_HOW_TO_GET_THE_BOOK = "install it from a checkout, with: pip install . ./book"


def main() -> None:
    """Run a command of the library, or one that another package provides."""
    first = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if first in ("-h", "--help"):
        print(_help())
        return
    try:
        if first in COMMANDS:
            module, function, _ = COMMANDS[first]
            sys.exit(getattr(import_module(module), function)(sys.argv[2:]))
        plugged = {entry.name: entry for entry in entry_points(group="replib.commands")}
        if first in plugged:
            command = plugged[first].load()
        elif first in OF_THE_BOOK:
            sys.exit(f"Error: {first} belongs to the book: {_HOW_TO_GET_THE_BOOK}")
        else:
            print(f"Error: No such command {first!r}; replib --help lists them", file=sys.stderr)
            sys.exit(2)
    except KeyboardInterrupt:  # while a module was still being loaded
        print("Error: interrupted before anything began", file=sys.stderr)
        sys.exit(130)
    command()


def _help() -> str:
    rows = {name: what for name, (*_, what) in COMMANDS.items()} | OF_THE_BOOK
    lines = [f"  {name:10}{what}" for name, what in rows.items()]
    return "\n".join([
        "Usage: replib COMMAND [OPTIONS]...", "",
        "  Compare models of your own, or build, rerun and check the book on replicability.",
        "", "Commands:", *lines, "",
        "replib COMMAND --help explains a command.",
        f"{', '.join(COMMANDS)} belong to the library; the others to the book:",
        f"  {_HOW_TO_GET_THE_BOOK}",
    ])


if __name__ == "__main__":
    main()
