"""What the browser keeps of its reader: any text may be typed as a seed, and bets are counted."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.engine.show.bets import bet, bets
from companion.engine.show.seeds import your_seed

SCRIPT = Path(__file__).resolve().parents[4] / "book" / "_static" / "reader.js"


def run_on_page(body: str, program: str, folder: Path) -> object:
    """Return what a program gives on a page in a browser, after the script of the reader."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("there is no browser here")
    page = folder / "page.html"
    script = SCRIPT.read_text(encoding="utf-8")
    page.write_text(
        f"<!doctype html><pre id=out></pre>{body}<script>{script}\n"
        "const failures = []; addEventListener('error', (one) => failures.push(one.message));\n"
        f"addEventListener('load', () => {{ const result = (() => {{{program}}})();\n"
        "document.getElementById('out').textContent = JSON.stringify({failures, result}); });"
        "</script>",
        encoding="utf-8",
    )
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={folder / 'profile'}",
            "--dump-dom",
            f"{page.as_uri()}?seed=7",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = json.loads(
        html.unescape(re.search(r'<pre id="out">(.*?)</pre>', done.stdout, re.S)[1])
    )
    assert found["failures"] == []
    return found["result"]


@pytest.mark.slow  # a browser starts
def test_the_seed_box_follows_seeds_only(tmp_path):
    sentence = your_seed("Seed {n}.", n=range(1, 1001))._repr_html_()
    result = run_on_page(
        sentence + '<form><input type="hidden" class="replib-seed-value"></form>',
        """
        const input = document.querySelector(".replib-your-seed");
        const value = document.querySelector(".replib-seed-value");
        const state = () => [value.value, input.hasAttribute("aria-invalid"),
          document.querySelector("[data-column]").textContent];
        const states = [state()];
        for (const text of ["0", "1001", "12.5", "", "1000"]) {
          input.value = text;
          input.dispatchEvent(new Event("input", { bubbles: true }));
          states.push(state());
        }
        document.querySelector("button").click();
        const dealt = Number(input.value);
        return { states, dealt, follows: value.value === input.value };
        """,
        tmp_path,
    )
    first, *wrong, last = result["states"]
    assert first == ["7", False, "7"]
    assert wrong == [["7", True, "7"]] * 4
    assert last == ["1000", False, "1000"]
    assert 1 <= result["dealt"] <= 1000 and result["follows"]


@pytest.mark.slow  # a browser starts
def test_a_bet_opens_what_answers_it_and_is_counted(tmp_path):
    question = bet(
        "another_seed", "How many?", answer=300, high=1000, unit="of 1,000 people"
    )
    picture = '<div><div class="replib-explorer"><form></form></div></div>'
    chapter = (
        f"<section><div>{question._repr_html_()}</div>{picture}<p>It is 300.</p>"
        "<section><h2>What follows</h2></section></section>"
    )
    result = run_on_page(
        chapter + bets()._repr_html_(),
        """
        const form = document.querySelector(".replib-bet");
        const picture = document.querySelector(".replib-explorer");
        const hidden = () => [picture, ...document.querySelectorAll("section p, h2")]
          .filter((one) => !form.contains(one)).map((one) => !!one.closest("[inert]"));
        const waited = hidden();
        const slider = form.querySelector("input");
        slider.value = 400;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        form.requestSubmit();
        const words = [form, document.querySelector(".replib-bets")]
          .map((one) => one.querySelector("[role=status]").textContent);
        const placed = [...hidden(), picture.dataset.bet];
        form.querySelector("[value=again]").click();
        return { waited, words, placed, again: hidden() };
        """,
        tmp_path,
    )
    assert result["waited"] == result["again"] == [True, True, False]
    assert result["placed"] == [False, False, False, "400"]
    mine, all_bets = result["words"]
    assert mine == "You bet 400 of 1,000 people. It is 300 of 1,000 people."
    assert "10% of the scale away" in all_bets and "have been 20% away" in all_bets
