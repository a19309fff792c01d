"""The course: every chapter, section and file that it names exists under that name."""

import re
from pathlib import Path

import pytest

from companion.engine.build import chapters
from companion.engine.cli import main

COURSE = chapters.ROOT / "course"
SYLLABI = sorted(COURSE.glob("syllabus_*.md"))
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def links(file: Path) -> list[tuple[str, str]]:
    found = [
        (" ".join(text.split()), target)
        for text, target in _LINK.findall(file.read_text())
    ]
    return [(text, target) for text, target in found if not target.startswith("http")]


@pytest.mark.parametrize(
    "file", sorted(COURSE.glob("*.md")), ids=lambda file: file.stem
)
def test_links_lead_to_files_and_name_chapters_by_their_titles(file):
    assert links(file)
    titles = {chapter.source: chapter.title for chapter in chapters.chapters()}
    for text, target in links(file):
        path = (file.parent / target).resolve()
        assert path.is_file(), target
        if path.parent == chapters.SOURCES:
            assert text == titles[path]


@pytest.mark.parametrize("file", sorted((COURSE / "assignments").glob("*.md")))
def test_assignments_name_chapters_by_their_titles(file):
    reading = re.search(
        r"^Read (.*?) first\.", file.read_text(), flags=re.MULTILINE | re.DOTALL
    )
    named = re.findall(r"\*([^*]+)\*", reading[1])
    assert named and {*named} <= {chapter.title for chapter in chapters.chapters()}


@pytest.mark.parametrize("file", SYLLABI, ids=lambda file: file.stem)
def test_each_session_has_its_parts_and_takes_ninety_minutes(file):
    sessions = re.split(r"^## Session ", file.read_text(), flags=re.MULTILINE)[1:]
    assert len(sessions) == int(file.stem.split("_")[1])
    for number, session in enumerate(sessions, start=1):
        assert session.startswith(f"{number}. ")
        assert re.findall(r"^\*\*([^*]+)\.\*\*", session, flags=re.MULTILINE) == [
            "Goals",
            "Reading",
            "In class",
            "Homework",
            "Skip",
            "For the instructor",
        ]
        in_class = session.split("**In class.**")[1].split("**Homework.**")[0]
        assert sum(map(int, re.findall(r"\((\d+) min\)", in_class))) == 90, number


def test_twelve_sessions_name_every_chapter():
    named = {target for _, target in links(COURSE / "syllabus_12.md")}
    for chapter in chapters.chapters():
        assert f"../notebooks/{chapter.source.name}" in named, chapter.title


@pytest.mark.parametrize(
    "file", [COURSE / "README.md", chapters.ROOT / "book" / "teaching.md"]
)
def test_commands_that_are_named_exist(file):
    makefile = (chapters.ROOT / "Makefile").read_text()
    rules = {
        name
        for line in makefile.splitlines()
        if re.match(r"[a-z ]+:(?!=)", line)
        for name in line.split(":")[0].split()
    }
    named = set(re.findall(r"`make (\w+)", file.read_text()))
    assert named and named <= rules
    for command in re.findall(r"-m replib ([a-z]+(?: [a-z]+)?)", file.read_text()):
        group, *rest = command.split()
        command = main.get_command(None, group)
        assert command is not None
        for name in rest if hasattr(command, "commands") else ():
            assert name in command.commands
