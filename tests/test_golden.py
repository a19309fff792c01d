"""The committed golden files are the same as those next to the checkout."""

from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def test_committed_golden_files_are_the_shared_ones(shared):
    files = [
        file for file in FOLDER.rglob("*") if file.is_file() and file.suffix != ".md"
    ]
    assert len(files) > 20
    for file in files:
        other = shared / "golden" / file.relative_to(FOLDER)
        if file.parent.name == "deepsig":  # made for this project: README.md says how
            continue
        assert file.read_bytes() == other.read_bytes(), file
