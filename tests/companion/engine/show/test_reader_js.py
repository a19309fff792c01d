"""What pages do in the browser: seeds are typed, bets are counted, wide tables become cards."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.engine.show import display
from companion.engine.show.bets import bet, bets
from companion.engine.show.seeds import your_seed

STATIC = Path(__file__).resolve().parents[4] / "book" / "_static"


def run_on_page(
    body: str,
    program: str,
    folder: Path,
    *,
    script: str = "reader.js",
    width: int = 800,
) -> object:
    """Return what a program gives on a page in a browser, after one of the book's scripts."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("there is no browser here")
    page = folder / "page.html"
    source = (STATIC / script).read_text(encoding="utf-8")
    page.write_text(
        f"<!doctype html><pre id=out></pre>{body}<script>{source}\n"
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
            f"--window-size={width},900",
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
        html.unescape(
            re.search(r'<pre id="out"[^>]*>(.*?)</pre>', done.stdout, re.S)[1]
        )
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


@pytest.mark.slow  # a browser starts
@pytest.mark.parametrize(("width", "is_phone"), [(500, True), (1280, False)])
def test_on_a_phone_less_than_a_screen_is_blurred_before_a_bet(
    tmp_path, width, is_phone
):
    blocks = "".join(
        f'<div class="answer" style="height: {height}px">It is 300.</div>'
        for height in (700, 100, 300, 0, 300)
    )
    style = (STATIC / "replib.css").read_text(encoding="utf-8")
    question = bet("another_seed", "How many?", answer=300, high=1000)
    result = run_on_page(
        f"<style>{style}</style><section><div>{question._repr_html_()}</div>"
        f"{blocks}<h2>What follows</h2></section>",
        """
        const answers = [...document.querySelectorAll(".answer")];
        const heights = () => answers.map((one) => one.getBoundingClientRect().height);
        const waiting = heights();
        const inert = answers.every((one) => one.inert);
        document.querySelector("[value=skip]").click();
        return { waiting, inert, shown: heights() };
        """,
        tmp_path,
        width=width,
    )
    assert result["inert"]  # all of them wait, on a phone too
    assert result["shown"] == [700, 100, 300, 0, 300]
    if not is_phone:
        assert result["waiting"] == result["shown"]
        return
    picture, words, *others = result["waiting"]
    assert 100 < picture < 300 and words == 100 and not any(others)


@pytest.mark.slow  # a browser starts
@pytest.mark.parametrize(("width", "is_phone"), [(500, True), (1280, False)])
def test_a_wide_table_in_a_fold_becomes_cards_on_a_phone(tmp_path, width, is_phone):
    table = (
        '<table style="width: 900px"><thead><tr><th>group</th><th>value</th></tr></thead>'
        '<tbody><tr><th rowspan="2">g</th><td>1</td></tr><tr><td>2</td></tr></tbody></table>'
    )
    result = run_on_page(
        '<div class="cell_output"><div class="text_html" style="width: 200px; overflow: auto">'
        f"<details><summary>Open</summary>{table}</details></div></div>",
        """
        const table = document.querySelector("table");
        const fold = document.querySelector("details");
        const before = table.matches(".replib-cards");
        fold.open = true;
        fold.dispatchEvent(new Event("toggle"));
        const cells = [...table.rows].slice(1).map((row) => [...row.cells]);
        return { before, after: table.matches(".replib-cards"),
          words: cells.map((row) => row.map((cell) => cell.textContent)),
          labels: cells[1].map((cell) => cell.dataset.label ?? null) };
        """,
        tmp_path,
        script="page.js",
        width=width,
    )
    assert (result["before"], result["after"]) == (False, is_phone)
    if is_phone:  # each card has the head of its group
        assert result["words"] == [["g", "1"], ["g", "2"]]
        assert result["labels"] == ["group", "value"]


@pytest.mark.slow
@pytest.mark.parametrize(("letters", "is_card"), [(40, False), (41, True)])
def test_a_sentence_in_a_narrow_column_gets_a_card(tmp_path, letters, is_card):
    words = ("abc " * 11)[:letters].rstrip().ljust(letters, "x")
    result = run_on_page(
        f"""<table style="width: 150px"><thead><tr><th>verdict</th><th>meaning</th></tr></thead>
        <tbody><tr><td>exact</td><td>{words}</td></tr></tbody></table>""",
        """
        const table = document.querySelector("table");
        const cells = [...table.tBodies[0].rows[0].cells];
        return { card: table.matches(".replib-cards"),
          sentences: cells.map((cell) => cell.matches(".replib-sentence")) };
        """,
        tmp_path,
        script="page.js",
        width=390,
    )
    assert result == {"card": is_card, "sentences": [False, is_card]}


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 800])
def test_on_a_phone_printed_sentences_are_broken_and_columns_are_not(tmp_path, width):
    """Code is never broken, and output is not where a line has columns."""
    sentences = run_on_page(
        """<div class="highlight-text"><pre>forest (0.932) had a higher accuracy.
    It is approximate.</pre></div>
        <div class="cell_output"><pre>stored on a day: identical.</pre></div>
        <div class="cell_output"><pre>both  p = 0.1
With new seeds, the same decision.</pre></div>
        <div class="cell_output"><pre>            mean  low  high  mean rank  decision
naive Bayes  0.9  0.8   1.0        1.5         1</pre></div>
        <div class="highlight-python"><pre>print("a long line")</pre></div>""",
        """
        const printed = [...document.querySelectorAll("div > pre")];
        return printed.map((one) => one.matches(".replib-sentences"));
        """,
        tmp_path,
        script="page.js",
        width=width,
    )
    is_phone = width == 390
    assert sentences == [is_phone, is_phone, is_phone, False, False]


@pytest.mark.slow
def test_a_form_knows_its_chapter_and_takes_a_decimal_comma(tmp_path):
    """A parameter of the chapter is called dataset, as is a property of every form."""
    result = run_on_page(
        display.card("adaptive_design")._repr_html_(),
        """
        const form = document.querySelector(".replib-form");
        const typed = (name, text) => {
          const field = form.elements[name];
          field.value = text;
          for (const name of ["input", "change"])
            field.dispatchEvent(new Event(name, { bubbles: true }));
          return field.value;
        };
        const values = [typed("confidence", "0,8"), typed("repeats", "1,000")];
        const command = form.querySelector("pre code").textContent;
        return { values, command };
        """,
        tmp_path,
        script="form.js",
    )
    assert result["values"] == [
        "0.8",
        "1,000",
    ]  # what a whole number means is not guessed
    assert result["command"] == (
        "python -m replib run adaptive_design -p confidence 0.8 -p repeats 1,000"
    )
