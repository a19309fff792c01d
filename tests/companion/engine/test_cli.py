"""The command line: what it refuses before any kernel starts, and what it prints."""

import json
import os
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool

import pandas as pd
import pytest
from click.testing import CliRunner

from companion import stored
from companion.engine import verification
from companion.engine.build import chapters as book
from companion.engine.build import differences, execution, pages, reruns
from companion.engine.cli import main
from companion.engine.problems import answer
from companion.studies import which_test


@pytest.fixture
def no_kernel(monkeypatch):
    """Fail the test if anything would be executed or rendered."""

    def started(*args, **options):
        raise AssertionError("work began although the input is bad")

    for module, name in (
        (execution, "execute"),
        (reruns, "execute_all"),
        (pages, "render"),
        (pages, "one_page"),
    ):
        monkeypatch.setattr(module, name, started)


REFUSED = [
    # arguments, what the sentence says
    ("nonsense", "No such command"),
    ("build nonsense", "there is no chapter 'nonsense'; there are another_seed, "),
    ("run estimator", "there is no chapter 'estimator': did you mean estimators?"),
    (f"run estimators -f {book.SOURCES / '09_estimators.md'}", "is not plain YAML"),
    (
        f"run estimators -f {book.SOURCES / 'costs.yml'}",
        "has no parameter 'adaptive_design'",
    ),
    (
        f"run estimators -f {book.ROOT / 'book/_static/screenshot.png'}",
        "not plain YAML in UTF-8",
    ),
    ("build --preset nonsense", "there is no preset 'nonsense'; there are quick"),
    ("build --jobs 0", "1<=x<=64"),
    ("build --pages estimators", "--pages cannot be combined with CHAPTER"),
    ("run", "Missing argument 'CHAPTER'"),
    ("run estimators -p n", "requires 2 arguments"),
    (
        "run estimators -p m 10",
        "no parameter 'm'; it has n, accepts, confidence_level, pair",
    ),
    (
        "run estimators -p n ten",
        "n must be a whole number, even, 2 to 200 (repetitions), not 'ten'",
    ),
    ("run scoreboard -p n 10", "it has none at all"),
    ("check estimators", "a MODULE needs --compute"),
    ("check --compute --accept berrar2024", "cannot be accepted on its own"),
    ("check --compute nonsense", "no module 'nonsense' has rows: begin with one of "),
    ("list all", "unexpected extra argument"),
    ("results weather", "there is no 'weather'; names begin with uci, "),
    ("results uci --size 0", "1<=x<=100000"),
    ("results all", "all needs --into FOLDER"),
    ("results uci --size 3", "--size needs --into FOLDER"),
    ("results all --verify 3 --into mine", "--verify cannot be combined"),
    ("results ''", "there is no ''"),
    (
        f"results sweep_runs --into {book.ROOT / 'book' / 'results'}",
        "must be another folder",
    ),
    ("run estimators -p n 10 -p n 20", "n is given twice"),
    ("run estimators -f", "requires an argument"),
    ("run estimators -p n " + "[" * 900, "a whole number"),
    ("run mcnemar_theory -p sizes " + "[" * 900 + "]" * 900, "a whole number"),
    (
        "run estimators -p pair '!!python/object/apply:os.system [date]'",
        "one of nb_c45",
    ),
    (
        "run what_moves_replicability -p live_sweep alpha",
        "the sweep alpha must be between 0 and 1",
    ),
    ("run " + "x" * 5000, "there is no chapter 'xxx"),
    ("build --preset " + "x" * 5000, "there is no preset 'xxx"),
]


@pytest.mark.parametrize(
    "arguments, sentence", REFUSED, ids=[a[:60] for a, _ in REFUSED]
)
def test_bad_input_is_answered_in_one_sentence_with_exit_2(
    no_kernel, arguments, sentence
):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2, result.output
    assert sentence in result.output
    assert len(result.output.strip().splitlines()) == 1 and len(result.output) < 800
    assert "Traceback" not in result.output


WRONG_FILES = [
    # text of a file of parameters of `estimators`, what the sentence says
    ("", "gives no parameter"),
    ("n = 10\n", "maps names to values"),
    ("n: [10\n", "is not plain YAML"),
    ("n: 1:30\n", "n must be a whole number"),
    ("estimators:\n  n: 10\n", "no parameter 'estimators'; it has n, "),
    ("10: n\n", "no parameter '10'"),
    ("n: !!python/object/apply:os.system [date]\n", "n must be a whole number"),
    ("n: 10\n---\nn: 20\n", "is not plain YAML"),
    ("n: 10\nn: 20\n", "a name is given twice"),
    (b"n: \xff\xfe\n", "is not plain YAML in UTF-8"),
]


@pytest.mark.parametrize(
    "text, sentence", WRONG_FILES, ids=[f"{t!r:.40}" for t, _ in WRONG_FILES]
)
def test_a_wrong_file_is_answered_in_one_sentence(no_kernel, tmp_path, text, sentence):
    file = tmp_path / "mine.yml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = CliRunner().invoke(main, ["run", "estimators", "-f", str(file)])
    assert result.exit_code == 2, result.output
    assert sentence in result.output
    assert len(result.output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "name, sentence",
    [
        (".", "is not a file"),
        ("none.yml", "No such file"),
        ("pipe.yml", "is not a file"),  # to read it would never end
        ("zero.yml", "is not a file"),
        ("sparse.yml", "has 1074 MB, and at most 1 are read"),
    ],
)
def test_a_file_of_parameters_that_cannot_be_read_is_named(
    no_kernel, tmp_path, name, sentence
):
    os.mkfifo(tmp_path / "pipe.yml")
    (tmp_path / "zero.yml").symlink_to("/dev/zero")
    with open(tmp_path / "sparse.yml", "wb") as file:
        file.truncate(2**30)
    result = CliRunner().invoke(main, ["run", "estimators", "-f", str(tmp_path / name)])
    assert result.exit_code == 2 and f"{tmp_path / name}" in result.output.replace(
        "/. ", " "
    )
    assert sentence in result.output


@pytest.fixture
def runs_asked(monkeypatch, tmp_path):
    """The chapter, values and base of each run; nothing is executed, and no number differs."""
    asked = []

    def run(rerun):
        asked.append((rerun.chapter.name, rerun.values, rerun.base))
        none = pd.DataFrame(columns=differences.COLUMNS)
        return reruns.Answer(tmp_path / "page.html", none, "nothing changed")

    monkeypatch.setattr(reruns, "run", run)
    return asked


def test_a_file_gives_values_and_options_go_before_it(runs_asked, tmp_path):
    file = tmp_path / "mine.yml"
    file.write_text("n: 020\nconfidence_level: 9e-1\npair: 'c45_nn'\n")
    result = CliRunner().invoke(
        main, ["run", "estimators", "-f", str(file), "-p", "pair", "nb_nn"]
    )
    assert result.exit_code == 0, result.output
    assert runs_asked == [
        ("estimators", {"n": 20, "confidence_level": 0.9, "pair": "nb_nn"}, {})
    ]


def test_quick_values_are_those_of_both_runs_and_yours_go_before_them(runs_asked):
    result = CliRunner().invoke(main, "run studies_2_to_4 --quick -p seed 7")
    assert result.exit_code == 0, result.output
    quick = book.preset("quick")["studies_2_to_4"]
    assert (
        runs_asked == [("studies_2_to_4", {"seed": 7}, quick)]
        and quick["replications"] == 10
    )


def test_a_chapter_without_quick_values_says_so(runs_asked):
    result = CliRunner().invoke(main, "run wins_and_losses --quick")
    assert result.exit_code == 0 and runs_asked == [("wins_and_losses", {}, {})]
    assert "no quick values" in result.output


@pytest.mark.parametrize(
    "problem, code, sentence",
    [
        (KeyboardInterrupt(), 130, "finished work is kept"),
        (BrokenProcessPool(), 1, "the same command resumes"),
        (MemoryError(), 1, "REPLIB_WORKERS=1"),
        (
            OSError(28, "No space left on device", "page"),
            1,
            "No space left on device: page",
        ),
        (execution.ChapterFailed("chapter x failed"), 1, "chapter x failed"),
        (
            stored.StoredResultsInvalid("counts.json is missing"),
            1,
            "counts.json is missing",
        ),
    ],
)
def test_a_failure_has_its_own_exit_code_and_sentence(problem, code, sentence):
    found, said = answer(problem)
    assert found == code and sentence in str(said)


def test_what_nobody_expected_is_shown_whole():
    with pytest.raises(ValueError, match="a mistake of the program"):
        answer(ValueError("a mistake of the program"))


@pytest.mark.slow
def test_it_starts_without_a_parser_of_addresses_and_a_database():
    """Each would cost every command, kernel and worker a second, and none of them needs it."""
    heavy = "import sys, companion.engine.cli; print({'lark', 'sqlalchemy'} & set(sys.modules))"
    found = subprocess.run(
        [sys.executable, "-c", heavy], capture_output=True, text=True
    )
    assert found.stdout == "set()\n", found


def test_list_names_every_chapter_with_its_parameters():
    result = CliRunner().invoke(main, ["list"])
    assert result.exit_code == 0
    for chapter in book.chapters():
        assert chapter.name in result.output
        for p in chapter.parameters.values():
            assert (
                f"{p.name}: {p.type} = {p.default!r}  ({p.unit}; {p.range})"
                in result.output
            )


def test_check_computes_a_module_alone():
    """A row per fact, and a verdict only where all of it was computed."""
    result = CliRunner().invoke(main, "check --compute bouckaert2005.section_2 --json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0 and rows
    assert {row["id"].partition(".")[0] for row in rows} == {"bouckaert2005"}
    assert "open" not in {row["verdict"] for row in rows}


def test_check_notices_a_changed_table_of_printed_facts(monkeypatch, tmp_path):
    """A flipped digit changes the digest; here a digit of the digest is flipped."""
    first, *rest = verification.DIGESTS.read_text()
    (tmp_path / "digests").write_text("".join(["1" if first == "0" else "0", *rest]))
    monkeypatch.setattr(verification, "DIGESTS", tmp_path / "digests")
    result = CliRunner().invoke(main, "check --compute bouckaert2005.section_2")
    assert result.exit_code == 1 and "published/cells.csv" in result.stderr


@pytest.mark.slow
def test_evidence_waits_for_all_runs_that_are_made_again(monkeypatch):
    """A run of the bench cannot be read after its plan has changed and before it is made again."""
    made, evidence = [], []
    monkeypatch.setattr(stored, "run", made.append)
    monkeypatch.setattr(
        which_test, "write_evidence", lambda load: evidence.append(list(made))
    )
    done = CliRunner().invoke(main, ["results", "since_the_papers", "--into", ""])
    assert done.exit_code == 2 and not made
    names = stored.names("since_the_papers")
    assert CliRunner().invoke(main, ["results", *names]).exit_code == 0
    assert evidence == [names]

    def not_yet(load):
        raise stored.StoredResultsInvalid("the other run cannot be used")

    monkeypatch.setattr(which_test, "write_evidence", not_yet)
    done = CliRunner().invoke(main, ["results", names[0]])
    assert done.exit_code == 1 and "Error: the other run cannot be used" in done.output
