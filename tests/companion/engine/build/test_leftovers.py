"""What a killed command left: it is removed, and nothing that somebody uses."""

import os
import time

import pytest

from companion.engine.build import chapters, leftovers


def test_only_working_folders_that_no_process_uses_are_removed(project):
    with leftovers.working_folder("10_sample") as used:
        abandoned = used.with_name("10_sample.killed")
        abandoned.mkdir()  # its process is gone, and with it the lock
        (abandoned / "part.ipynb").touch()
        leftovers.remove()
        assert used.exists() and not abandoned.exists()
    assert not used.exists()


@pytest.mark.parametrize("hours, stays", [(0.7, True), (1.4, False)])
def test_a_file_that_was_never_put_in_place_is_removed_after_an_hour(
    project, hours, stays
):
    written = time.time() - 3600 * hours
    begun = []
    for folder in (chapters.RUNS / "sample" / "1234", chapters.BUILD / "html" / "book"):
        folder.mkdir(parents=True)
        for name in (".replib-0123456789abcdef", "page.html"):
            (folder / name).touch()
            os.utime(folder / name, (written, written))
        begun.append(folder / ".replib-0123456789abcdef")
    leftovers.remove()
    assert [file.exists() for file in begun] == [stays, stays]
    assert len([*project.rglob("page.html")]) == 2
