"""The explorer's JavaScript computes what `replib.theory.designs` computes."""

import html
import itertools
import json
import re
import shutil
import subprocess
from importlib import resources

import numpy as np
import pytest

from replib.book.pictures import resampling_and_cv_profiles as pictures
from replib.theory import designs

SHIFTS = [0, 0.3, 1, 1.96, 2.5, 4, 7, 12]
GRID = [
    ({"kind": "mcnemar", "testFraction": t}, designs.McNemar(t)) for t in (0.05, 0.1, 0.5, 0.8)
] + [
    ({"kind": "resampling", "testFraction": t, "samples": n}, designs.Resampling(n, t))
    for t, n in itertools.product((0.05, 0.1, 0.8), (5, 10, 500))
] + [
    ({"kind": kind, "runs": runs, "folds": folds}, design(runs, folds))
    for kind, design in (
        ("cross-validation", designs.CrossValidation), ("sorted", designs.SortedCrossValidation),
    )
    for runs, folds in itertools.product((1, 2, 10, 100), pictures.FOLDS)
]
LEVELS = (0.005, 0.05, 0.2)


def run_javascript(program: str, tmp_path) -> str:
    """What the program writes, by node or else by a browser."""
    if node := shutil.which("node"):
        return subprocess.run(
            [node, "-"], input=program, capture_output=True, text=True, check=True
        ).stdout
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("neither node nor a browser is here")
    page = tmp_path / "page.html"
    page.write_text(
        "<pre id=out></pre><script>const console = {log: (text) => "
        f"document.getElementById('out').textContent = text}};\n{program}</script>",
        encoding="utf-8",
    )
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, check=True, timeout=120,
    )
    return html.unescape(re.search(r"<pre id=\"out\">(.*?)</pre>", done.stdout, re.S)[1])


@pytest.fixture(scope="module")
def source() -> str:
    return (resources.files("replib.book") / "templates" / "designs.js").read_text(encoding="utf-8")


def test_power_and_replicability_on_a_grid(source, tmp_path):
    cases = [(design, alpha) for (design, _), alpha in itertools.product(GRID, LEVELS)]
    output = run_javascript(f"""{source}
        console.log(JSON.stringify({json.dumps(cases)}.map(([design, alpha]) => {{
            const at = replibDesigns.profile(design, alpha, {json.dumps(pictures.constants())}, 12);
            return {json.dumps(SHIFTS)}.map((shift) => Object.values(at(shift)));
        }})));""", tmp_path)
    for values, ((_, design), alpha) in zip(json.loads(output), itertools.product(GRID, LEVELS)):
        power, replicability = np.array(values).T
        np.testing.assert_allclose(power, designs.power(design, SHIFTS, alpha=alpha), atol=1e-6)
        np.testing.assert_allclose(
            replicability, designs.replicability(design, SHIFTS, alpha=alpha), atol=1e-6
        )


def test_trainings_on_the_grid(source, tmp_path):
    output = run_javascript(f"""{source}
        console.log(JSON.stringify({json.dumps([given for given, _ in GRID])}.map(
            (design) => replibDesigns.trainings(design))));""", tmp_path)
    assert json.loads(output) == [design.trainings for _, design in GRID]


def test_page_has_every_control_and_starts_with_the_chapters_values():
    page = pictures.explorer(alpha=0.01, test_fraction=0.25)._repr_html_()
    assert "{{" not in page and 'value="0.25"' in page and 'value="0.01"' in page
    for name in ("kind", "testFraction", "folds", "samples", "runs", "alpha", "size", "difference"):
        assert f'name="{name}"' in page
    assert json.loads(re.search(r'"replib-explorer"\), (\{.*?\})\);', page)[1]).keys() == {
        str(folds) for folds in pictures.FOLDS
    }
