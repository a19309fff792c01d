"""Files that others read while they are written: the old one or the new."""

import os

from companion.engine.build import files


def test_a_file_is_written_only_if_it_says_something_else(tmp_path):
    file = tmp_path / "page"
    files.write(file, "old")
    os.utime(file, (1, 1))
    files.write(file, "old")
    assert file.stat().st_mtime == 1
    with file.open() as reader:  # the old file lives while it is read
        files.write(file, "new")
        assert reader.read() == "old"
    assert file.read_text() == "new"


def test_a_page_takes_the_place_of_the_old_one_in_one_step(tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    for folder, text in ((new, "new"), (old, "old")):
        (folder / "in").mkdir(parents=True)
        (folder / "in" / "page").write_text(text)
        (folder / "in" / text).touch()
    with (old / "in" / "page").open() as reader:  # the old file lives while it is read
        files.put_in_place(new, old)
        assert reader.read() == "old"
    assert (old / "in" / "page").read_text() == "new"
    assert sorted(file.name for file in (old / "in").iterdir()) == [
        "new",
        "old",
        "page",
    ]
