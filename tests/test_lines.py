"""The project stays small: ceilings of lines per room, module and function, and of packages."""

import ast
import re

import lines
import pytest
from packaging.requirements import Requirement

ENGINE = [
    pytest.param(file, id=file.stem) for file in lines.files("book/companion/engine")
]


@pytest.mark.parametrize("room", lines.CEILINGS)
def test_a_room_is_below_its_ceiling(room):
    found = sum(map(lines.lines_of_code, lines.files(room)))
    assert 0 < found <= lines.CEILINGS[room]


@pytest.mark.parametrize("file", ENGINE)
def test_a_module_of_the_engine_has_300_lines_and_a_function_60(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < 60, node.name


def test_what_counts_as_a_line(tmp_path):
    file = tmp_path / "a.py"
    file.write_text(
        '"""Two\n\nlines."""\n\n# a remark\nx = (3\n     * 4)\n\ndef f():\n    """One."""\n'
    )
    assert lines.lines_of_code(file) == 3
    script = tmp_path / "a.js"
    script.write_text("// a remark\n/* and\n * another */\nlet x = 3;\n\nf(x);\n")
    assert lines.lines_of_code(script) == 2


def test_the_book_installs_115_packages():
    text = (lines.ROOT / "requirements.txt").read_text(encoding="utf-8")
    linux = {
        "sys_platform": "linux",
        "python_full_version": "3.11.7",
        "python_version": "3.11",
    }
    pins = map(
        Requirement, re.findall(r"^([a-z0-9-]+==[^\\\n]+)", text, flags=re.MULTILINE)
    )
    installed = [
        pin.name for pin in pins if not pin.marker or pin.marker.evaluate(linux)
    ]
    assert {"numpy", "papermill"} < set(installed)
    assert len(installed) <= 115
