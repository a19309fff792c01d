"""The JavaScript of the interactive figures computes the same numbers as `replib`."""

import html
import itertools
import json
import re
import shutil
import subprocess
from importlib import resources

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from companion import stored
from companion.engine.show.pictures import explorers
from companion.papers import correlated_differences
from companion.papers.bouckaert2005 import figure_1, limits, models
from companion.studies import (
    own_experiment,
    short_book,
    teams_with_seeds,
    which_test,
)
from replib import adaptive, replicability, rerun, schemes
from replib.significance import corrected_resampled_t
from replib.variance import VarianceComponents

SHIFTS = [0, 0.3, 1, 1.96, 2.5, 4, 7, 12]
GRID = (
    [
        ({"kind": "mcnemar", "testFraction": t}, models.McNemar(t))
        for t in (0.05, 0.1, 0.5, 0.8)
    ]
    + [
        (
            {"kind": "resampling", "testFraction": t, "samples": n},
            models.Resampling(n, t),
        )
        for t, n in itertools.product((0.05, 0.1, 0.8), (5, 10, 500))
    ]
    + [
        ({"kind": kind, "runs": runs, "folds": folds}, design(runs, folds))
        for kind, design in (
            ("cross-validation", models.CrossValidation),
            ("sorted", models.SortedCrossValidation),
        )
        for runs, folds in itertools.product((1, 2, 10, 100), explorers.FOLDS)
    ]
)
LEVELS = (0.005, 0.05, 0.2)
TABLE = pd.DataFrame({"a": [1]})


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
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return html.unescape(
        re.search(r"<pre id=\"out\">(.*?)</pre>", done.stdout, re.S)[1]
    )


def source(*names: str) -> str:
    folder = resources.files("companion.engine") / "templates"
    return "\n".join(
        (folder / f"{name}.js").read_text(encoding="utf-8") for name in names
    )


@pytest.mark.slow
def test_power_replicability_and_trainings_on_a_grid(tmp_path):
    cases = [(design, alpha) for (design, _), alpha in itertools.product(GRID, LEVELS)]
    output = run_javascript(
        f"""{source("statistics", "designs")}
        const constants = {json.dumps(explorers.constants())};
        console.log(JSON.stringify({json.dumps(cases)}.map(([design, alpha]) => {{
            const at = replibDesigns.profile(design, alpha, constants, 12);
            return [replibDesigns.trainings(design),
                    {json.dumps(SHIFTS)}.map((shift) => Object.values(at(shift)))];
        }})));""",
        tmp_path,
    )
    cases = itertools.product(GRID, LEVELS)
    for (trainings, values), ((_, design), alpha) in zip(json.loads(output), cases):
        power, replicability = np.array(values).T
        assert trainings == design.trainings
        np.testing.assert_allclose(
            power, models.power(design, SHIFTS, alpha=alpha), atol=1e-6
        )
        np.testing.assert_allclose(
            replicability, models.replicability(design, SHIFTS, alpha=alpha), atol=1e-6
        )


@pytest.mark.parametrize("alpha", LEVELS)
def test_replicability_at_a_power(alpha, tmp_path):
    """The page joins the points of a curve by lines: that changes at most the third decimal."""
    shares, powers = [0.05, 0.1, 1 / 3, 0.8], [0.25, 0.4, 0.5, 0.75, 0.95, 0.99]
    output = run_javascript(
        f"""{source("statistics", "designs", "explore_over_power")}
        console.log(JSON.stringify({json.dumps(shares)}.map((share) => {{
            const curve = replibOverPower(replibDesigns, share, {alpha});
            return {json.dumps(powers)}.map((power) => replibInterpolated(curve, power));
        }})));""",
        tmp_path,
    )
    expected = figure_1.limit_at_power(powers, shares, alpha=alpha).drop(
        columns="independent"
    )
    np.testing.assert_allclose(
        np.array(json.loads(output)).T, expected / 100, atol=5e-4
    )


def test_probability_of_significance_on_new_data(tmp_path):
    pvalues = [0.0001, 0.003, 0.05, 0.2, 0.5]
    output = run_javascript(
        f"""{source("statistics", "designs", "explore_again")}
        console.log(JSON.stringify({json.dumps(LEVELS)}.map((alpha) => {json.dumps(pvalues)}.map(
            (p) => replibAgain(replibDesigns, p, alpha)))));""",
        tmp_path,
    )
    for found, alpha in zip(json.loads(output), LEVELS):
        expected = own_experiment.again(pvalues, alpha=alpha)
        np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.fixture(scope="module")
def measured() -> pd.DataFrame:
    return which_test.measured(stored.load("synthetic_decisions"))


def shown(page: str, tmp_path) -> tuple[str, str]:
    """Picture and reading that the script makes on a stand-in for the page."""
    script = re.search(r"<script>(.*)</script>", page, re.S)[1]
    form = re.search(r"<form(.*?)</form>", page, re.S)[1]
    controls = [
        {"name": control, "value": value}
        for control, value in re.findall(
            r'<input [^>]*name="(\w+)".*? value="([^"]+)">', form
        )
    ]
    selects = re.findall(r'<select name="(\w+)">(.*?)</select>', form, re.S)
    options = {
        select: {"value": re.search(r'value="([^"]+)" selected', offered)[1]}
        for select, offered in selects
    }
    output = run_javascript(
        f"""
        const inputs = {json.dumps(controls)}.map((one) => ({{...one, setAttribute: () => 0,
            parentElement: {{querySelector: () => ({{}})}}}}));
        const elements = {json.dumps(options)};
        for (const one of inputs) elements[one.name] = one;
        const form = {{elements, dataset: {{alpha: 0.05}}, addEventListener: () => 0,
            querySelectorAll: (what) => /^input(\\[|$)/.test(what) ? inputs : []}};
        const svg = {{setAttribute: () => 0}}, reading = {{}};
        const document = {{getElementById: () => ({{
            querySelector: (what) => ({{form, svg, ".reading": reading}})[what]}})}};
        {script}
        console.log(JSON.stringify([svg.innerHTML, reading.textContent]));""",
        tmp_path,
    )
    drawn, words = json.loads(output)
    for one in (drawn, words):
        assert "NaN" not in one and "undefined" not in one and "Infinity" not in one
    assert "<noscript><table" in page
    return drawn, words


def test_a_cross_for_each_false_discovery_in_a_hundred(measured, tmp_path):
    page = explorers.false_discoveries(
        measured, which_test.shown(measured)
    )._repr_html_()
    drawn, words = shown(page, tmp_path)
    expected = round(measured["type_1"].iloc[-1])
    assert drawn.count("<path") == expected and drawn.count("<circle") == 100 - expected
    assert f"nothing to find, {expected} find something" in words


# ------------------------------------------------------------------ the short book


def test_agreement_from_counts(tmp_path):
    counts = [[100, 100], [7, 3], [200, 0], [1, 1]]
    output = run_javascript(
        f"""{source("experiments")}
        console.log(JSON.stringify({json.dumps(counts)}.map(replibAgreement)));""",
        tmp_path,
    )
    expected = [replicability.r2_from_counts(a, a + b) for a, b in counts]
    np.testing.assert_allclose(json.loads(output), expected, atol=1e-12)


def test_type_1_error_of_correlated_differences(tmp_path):
    cases = list(itertools.product((2, 10, 1000), (0, 0.1, 0.5), (0, 1 / 9)))
    output = run_javascript(
        f"""{source("statistics", "explore_correlated")}
        console.log(JSON.stringify({json.dumps(cases)}.map(([n, rho, extra]) =>
            replibTypeI(replibStatistics, n, rho, extra, 0.05))));""",
        tmp_path,
    )
    expected = [
        correlated_differences.equicorrelated_type1_error(
            rho, n, alpha=0.05, test_train_ratio=extra
        )
        for n, rho, extra in cases
    ]
    np.testing.assert_allclose(json.loads(output), expected, atol=1e-7)


def test_p_value_at_other_odds(tmp_path):
    cases = list(itertools.product((0.5, -2.2, 4.0), (10, 100), (0.0, 1 / 9, 0.3)))
    output = run_javascript(
        f"""{source("statistics", "explore_odds")}
        console.log(JSON.stringify({json.dumps(cases)}.map(([t, n, odds]) =>
            replibAtOdds(replibStatistics, t, n, odds))));""",
        tmp_path,
    )
    expected = []
    for t, n, odds in cases:
        x = stats.zscore(np.arange(float(n)), ddof=1) + t * np.sqrt(1 / n + 1 / 9)
        expected.append(corrected_resampled_t(x, test_train_ratio=odds or 1e-12).pvalue)
    np.testing.assert_allclose(json.loads(output), expected, atol=1e-7)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_valley_moves_and_keeps_its_depth(share, tmp_path):
    output = run_javascript(
        f"""{source("statistics", "designs", "explore_more_data")}
        console.log(JSON.stringify([300, 300000].map((size) =>
            replibValley(replibDesigns, size, {share}, 0.05))));""",
        tmp_path,
    )
    small, large = map(np.array, json.loads(output))
    depth = replicability.normalized(limits.worst_case_replicability(share))
    for valley in (small, large):
        assert valley[:, 1].min() == pytest.approx(depth, abs=2e-3)
    place = [valley[valley[:, 1].argmin(), 0] for valley in (small, large)]
    assert place[0] / place[1] == pytest.approx(np.sqrt(1000), rel=0.07)
    some = small[::30]
    shift = some[:, 0] * np.sqrt(300 / 0.5) * np.sqrt(share)
    expected = replicability.normalized(limits.replicability(share, shift))
    np.testing.assert_allclose(some[:, 1], expected, atol=1e-3)


#: Mistakes of two learners in the folds of a few seeds, and the sizes of the folds.
MISTAKES = np.random.default_rng(8).binomial(20, 0.2, size=(6, 4, 5, 2))
MISTAKES[..., 1] += np.arange(6)[:, np.newaxis, np.newaxis] % 3
SIZES = np.array([20, 20, 20, 19, 19])
DIFFERENCES = (MISTAKES[..., 1] - MISTAKES[..., 0]) / SIZES
RATIO = 1 / 4


def machine(kind: str, **options) -> explorers.Explorer:
    return explorers.machine(
        TABLE, kind, {"all": (MISTAKES, SIZES)}, alpha=0.05, **options
    )


def of_experiments(program: str, tmp_path, **options) -> object:
    """What a program makes of the experiments of a machine."""
    values = json.loads(machine("seeds", **options).values["values"])
    output = run_javascript(
        f"""{source("statistics", "experiments", "explore_machine")}
        const experiments = new ReplibExperiments({json.dumps(values["patients"]["p0"])});
        const test = {{ratio: {RATIO}, alpha: 0.05}};
        const all = (compute) => Array.from({{length: experiments.number}}, (_, i) => compute(i));
        console.log(JSON.stringify((() => {{{program}}})()));""",
        tmp_path,
    )
    return json.loads(output)


def test_a_machine_deals_the_stored_experiments(tmp_path):
    blocks = of_experiments("return all((i) => experiments.block(i, 4));", tmp_path)
    np.testing.assert_allclose(blocks, DIFFERENCES, atol=1e-12)
    joined = short_book.long_experiments(DIFFERENCES, 10)
    long = "return all((i) => experiments.block(i, 10));"
    np.testing.assert_allclose(of_experiments(long, tmp_path, runs=10), joined)


def test_more_mistakes_than_letters_are_refused():
    with pytest.raises(ValueError, match="must number 0 to 51, not 0 to 60"):
        explorers.machine(
            TABLE, "seeds", {"all": (np.array([[[[0, 60]]]]), SIZES)}, alpha=0.05
        )


def test_a_machine_tests_predicts_and_forecasts_as_the_library(tmp_path):
    found = of_experiments(
        """return all((i) => {
          const rows = experiments.block(i, 4);
          const first = rows.slice(0, 3);
          return [
            replibTTest(replibStatistics, rows, test).p,
            replibTTest(replibStatistics, rows, {ratio: 0, truth: 0.03}).p,
            replibDecision(replibTTest(replibStatistics, rows, test), 0.05),
            replibPrediction(replibStatistics, rows, test),
            ...Object.values(replibForecast(replibStatistics, first, 4, test)),
            replibForecast(replibStatistics, rows, 4, test).certainty,
          ];
        });""",
        tmp_path,
    )
    p, p_of_truth, decision, predicted, forecast, certainty, at_end = np.transpose(
        found
    )
    expected = corrected_resampled_t(DIFFERENCES, test_train_ratio=RATIO, axis=(-2, -1))
    np.testing.assert_allclose(p, expected.pvalue, atol=1e-7)
    plain = stats.ttest_1samp(DIFFERENCES.reshape(6, -1), 0.03, axis=1)
    np.testing.assert_allclose(p_of_truth, plain.pvalue, atol=1e-7)
    again = rerun.predict(DIFFERENCES, test_train_ratio=RATIO)
    assert decision.tolist() == again.decision.tolist() and set(decision) == {0, 1}
    np.testing.assert_allclose(predicted, again.point, atol=1e-6)
    course = adaptive.course(DIFFERENCES[:, :3], test="corrected", max_runs=4)
    assert forecast.tolist() == course.forecast[:, -1].tolist()
    np.testing.assert_allclose(certainty, course.confidence[:, -1], atol=1e-6)
    assert at_end.tolist() == [1] * 6


def test_experiments_stop_where_the_library_stops(tmp_path):
    blocks = np.random.default_rng(5).normal(0.02, 0.05, size=(6, 30, 5))
    course = adaptive.course(blocks, test="corrected")
    wanted = [0.7, 0.9, 0.99]
    output = run_javascript(
        f"""{source("experiments")}
        console.log(JSON.stringify({json.dumps(wanted)}.map((level) =>
            {json.dumps(course.confidence.tolist())}.map((one) =>
                replibStop(one.map((certainty) => ({{certainty}})), level, 3)))));
        """,
        tmp_path,
    )
    expected = [
        adaptive.stop(course, level, rule="curtailed").runs.tolist() for level in wanted
    ]
    assert json.loads(output) == expected


def test_each_state_of_a_machine_is_one_of_the_stored_runs(tmp_path):
    """Whatever is pressed: runs and seeds exist, nothing lands early or twice, and it ends."""
    presses = np.random.default_rng(3).integers(0, 3, size=60).tolist()
    states = of_experiments(
        f"""const machine = new ReplibMachine(6);
        machine.begin(4, 4, experiments.number);
        const state = () => [machine.current, machine.run, machine.dealt, machine.landed];
        const states = [state()];
        machine.restart();
        for (const press of {json.dumps(presses)}) {{
          if (press === 0) machine.step(0.25);
          else if (press === 1) machine.step();
          else machine.finish();
          states.push(state());
        }}
        return states;""",
        tmp_path,
    )
    assert states[0] == [4, 4, 1, [4]]
    lengths = [len(landed) for *_, landed in states[1:]]
    assert lengths == sorted(lengths) and max(np.diff(lengths)) == 1
    for current, run, dealt, landed in states:
        assert 0 <= current < 6 and 1 <= run <= 4 and 0 < dealt <= 1
        assert landed == [(4 + i) % 6 for i in range(len(landed))]
        assert (current in landed) == (run == 4 and dealt == 1)
    assert states[-1] == [3, 4, 1, [4, 5, 0, 1, 2, 3]]


def test_the_threshold_is_the_edge_of_two_bins(tmp_path):
    pvalues = [*np.geomspace(1e-5, 1, 99), 0.0499999, 0.05]
    bins = of_experiments(f"return replibBins({json.dumps(pvalues)}, 0.05);", tmp_path)
    assert sum(one["count"] for one in bins) == len(pvalues)
    found = [one for one in bins if one["isFound"]]
    assert sum(one["count"] for one in found) == sum(p < 0.05 for p in pvalues)
    assert max(one["high"] for one in found) == pytest.approx(0.05)


@pytest.mark.parametrize(
    "item, seed, mixed", [(0.04, 3e-5, 0.12), (0.1, 0, 0.05), (0, 1e-3, 0.3)]
)
def test_agreement_of_teams_with_a_few_seeds(item, seed, mixed, tmp_path):
    cases = list(itertools.product((2, 5, 50), (100, 100_000), (0.01, 0.05)))
    differences = [0, 0.001, 0.01, 0.03, 0.1]
    pair = json.dumps({"item": item, "seed": seed, "mixed": mixed})
    output = run_javascript(
        f"""{source("statistics", "explore_teams")}
        console.log(JSON.stringify({json.dumps(cases)}.map(([runs, items, alpha]) => {{
            const at = replibTeamForecast(replibStatistics, {pair}, runs, items, alpha);
            return {json.dumps(differences)}.map((one) => Object.values(at(one)));
        }})));""",
        tmp_path,
    )
    parts = VarianceComponents(item, 0.0, seed, mixed, items=1, units=1, runs=1)
    for found, (runs, items, alpha) in zip(json.loads(output), cases):
        expected = teams_with_seeds.forecast(
            np.array(differences), parts, runs=runs, items=items, alpha=alpha
        )
        np.testing.assert_allclose(np.transpose(found), expected, atol=1e-6)


def test_explorers_begin_with_words_and_a_picture(tmp_path):
    pair = {
        "title": "x: A or B",
        "difference": -0.01,
        "item": 0.04,
        "seed": 3e-5,
        "mixed": 0.1,
    }
    trees = [{"title": "trees", 1: [0, 0.05, 0.1], 10: [0.09, 0.12, 0.16]}]
    low, high = (
        2 * stats.t.sf(2.2 * np.sqrt((0.01 + 1 / 9) / (0.01 + odds)), 99)
        for odds in (0.09, 0.16)
    )
    for explorer, said in (
        (
            explorers.designs(TABLE, alpha=0.01, test_fraction=0.25),
            "Each learner is trained 10",
        ),
        (
            explorers.over_power(TABLE, alpha=0.05, test_fraction=0.5),
            "at power one half: 33.3%.",
        ),
        (explorers.again(TABLE, alpha=0.05), "p\u00a0=\u00a00.05"),
        (
            explorers.odds(TABLE, trees),
            f"trees, p\u00a0=\u00a0{low:.3f} to {high:.3f}.",
        ),
        (machine("seeds"), "Seed 1, after 4 runs: p\u00a0="),
        (machine("beliefs"), "predicts that a rerun agrees with probability"),
        (machine("truth", truth=0.01), "The plain t test rejects it for"),
        (
            machine("stops", runs=10, least=3, wanted=0.9, words=["a", "b", "c"]),
            "Seed 1 stops after",
        ),
        (
            explorers.correlated(TABLE, rho=0.1, alpha=0.05),
            "100 differences with correlation 0.10",
        ),
        (
            explorers.more_data(TABLE, size=1000, test_fraction=0.1, alpha=0.05),
            "1,000 instances",
        ),
        (
            explorers.teams(TABLE, [pair], seeds=5, items=1500, alpha=0.05),
            (
                "5 seeds, 1,500 items: the standard error is 0.68 points "
                "(variance: items 58%, seeds 13%"
            ),
        ),
    ):
        page = explorer._repr_html_()
        assert len(page.encode()) <= 40_000
        drawn, words = shown(page, tmp_path)
        assert "<" in drawn and said in words, words


def test_cells_slide_into_the_sample_of_each_scheme(tmp_path):
    block = np.random.default_rng(2).normal(0, 0.05, size=(4, 5)).round(3)
    samples = {
        scheme: schemes.sample(block, scheme=scheme) for scheme in schemes.SCHEMES
    }
    sizes = [len(sample) for sample in samples.values()]
    table = pd.DataFrame({"n": sizes, "p": "p = 0.2", "type_1": 5.2}, index=[*samples])
    explorer = explorers.schemes(block, table)
    for row, sample in zip(
        json.loads(explorer.values["values"])["schemes"], samples.values()
    ):
        cells = (
            pd.Series(block.ravel())
            .groupby(row["slots"] or [*range(20)])
            .mean()
            .loc[0:]
        )
        order = (
            np.sort if row["slots"] is None else np.asarray
        )  # all cells, in any order
        np.testing.assert_allclose(order(cells), order(sample), atol=1e-12)
    drawn, words = shown(explorer._repr_html_(), tmp_path)
    assert drawn.count("<rect") == 20 and words.startswith(
        "use all data: 20 values, p\u00a0="
    )
    # all data are the sample: no row below the block waits for one
    assert re.findall("<text[^>]*>([^<]*)<", drawn) == ["sample", ""]


def test_the_bench_names_the_chosen_method_and_marks_those_that_were_measured(tmp_path):
    rows = [
        {
            "method": name,
            "title": title,
            "trainings": trainings,
            "power": [20.0, 60.0],
            "replicability": [50.0, replicability],
            "type_1": [[4.0, error], [3.0, 2.0]],
        }
        for name, title, trainings, error, replicability in (
            ("a", "first", 1, 4.2, 80.0),
            ("b", "second", 100, 8.1, 70.0),
            ("c", "third", 10, None, 60.0),
            ("d", "fourth", 10, 4.0, None),
        )
    ]
    for chosen, words in (
        ("b", "Second, 300 instances: finds a difference in 8.1% of experiments"),
        ("c", "Third, 300 instances: not measured here. Power 60.0%"),
        ("d", "Fourth, 300 instances: finds a difference in 4.0%"),
    ):
        page = explorers.bench(
            TABLE, rows, nulls=["coins", "twins"], sizes=[100, 300], chosen=chosen
        )._repr_html_()
        drawn, read = shown(page, tmp_path)
        assert read.startswith(words) and read.endswith("of each learner.")
        assert len(page.encode()) <= 30_000
        assert drawn.count("<circle") == 2 and drawn.count("fill:none;stroke") == 1
