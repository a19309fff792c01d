"""``python -m replib``, and the command ``replib``: the command line of the book."""

import sys


def main() -> None:
    """Hand over to the book, or say what is missing."""
    try:
        from replib.book.cli import main as book
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] == "replib":
            raise
        sys.exit(f"Error: the book needs {missing.name}: pip install 'replib[book]'")
    book()


if __name__ == "__main__":
    main()
