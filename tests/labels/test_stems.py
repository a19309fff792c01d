"""Items of one stem, and days in a row, draw a question; other labels draw none."""

import uuid

import numpy as np
import pandas as pd
import pytest

from replib import Items, Scores
from replib._labels.stems import notes_about_stems

RNG = np.random.default_rng(7)
GROUPS = "do items of a group depend on each other?"
REPEATED = "is each an item of its own?"
TIME = "do neighbours depend on each other?"
DAYS = pd.date_range("2023-12-20", periods=60)


def notes(labels, design="items", **columns):
    labels = [*labels]
    frame = pd.DataFrame({"item": labels, "score": RNG.random(len(labels)), **columns})
    both = pd.concat([frame.assign(model=name) for name in ("vit", "cnn")])
    return list(notes_about_stems(Scores(both, design=design, metric="accuracy")))


TASKS = ["open-door", "stack", "pour", "wipe table", "peg_in_hole", "push-button"]


def stems(pattern, things, suffixes):
    return [pattern.format(thing, suffix) for thing in things for suffix in suffixes]


def with_codes(pattern, things, alphabet="0123456789abcdef"):
    """Return items of each thing with a code of their own: a barcode, or a hash."""
    letters = np.array([*alphabet])
    codes = ("".join(RNG.choice(letters, 12)) for _ in range(20 * len(things)))
    return [pattern.format(thing, next(codes)) for thing in things for _ in range(20)]


@pytest.mark.parametrize(
    ("labels", "asks"),
    [
        (stems("P{:03}_{}", range(30), ["OD", "OS"]), GROUPS),
        (stems("P{:03}_v{}", range(30), (1, 2, 3)), GROUPS),
        (stems("sub-{:02}_ses-{:02}", range(30), (1, 2)), GROUPS),
        (stems("Patient {} (Visit {})", range(9), (1, 2)), GROUPS),
        (stems("{:05}-{}", range(30), ["left", "right"]), GROUPS),
        (stems("mt_bench {}.turn{}", range(80), (1, 2)), GROUPS),
        (stems("{}{}", range(30), "ab"), GROUPS),
        (stems("knee_{:03}_{}", range(30), (0, 1)), GROUPS),
        (stems("anna{:02}:{}", range(30), ["de", "en", "fr"]), GROUPS),
        (stems("P{:03}_{}", range(30), ["OD", "OS"])[:-1], GROUPS),  # one eye is lost
        (stems("P{:06}_{}", range(20_000), ["OD", "OS"]), GROUPS),
        (stems("val_{:05}_seed{}", range(30), (0, 1, 2)), REPEATED),
        (stems("q{}/sample_{}", range(30), range(5)), REPEATED),
        (stems("img{}-run {}", range(30), (1, 2)), REPEATED),
        (stems("x{} epoch={}", range(30), (1, 5, 9)), REPEATED),
        (stems("rep{}_row{}", range(5), range(80)), REPEATED),
        (stems("repeat{:02}-{}", range(4), range(30)), REPEATED),
        (stems("seed {} / query{}", range(3), range(30)), REPEATED),
        (stems("Run{}:{}", range(2), [f"house{x}" for x in range(30)]), REPEATED),
        (stems("t{}.doc{}", range(4), range(30)), REPEATED),
        # counted anew in each of a few things
        (stems("{}_ep{:02}", TASKS, range(10)), GROUPS),
        (stems("{}/rollout-{}", TASKS, range(30)), GROUPS),
        (stems("{}_t{:03}", TASKS, range(30)), GROUPS),
        (stems("task{}_episode{:02}", range(10), range(10)), GROUPS),
        (stems("frame{:03}-{}", range(30), TASKS), GROUPS),
        (stems("{}.utt{}", TASKS, range(30)), GROUPS),
        (stems("seed{}_ep{:02}", range(5), range(20)), GROUPS),
        (stems("VP{:02}-Durchgang{:02}", range(1, 13), range(1, 31)), GROUPS),
        (stems("sujet{}/essai {}", range(1, 9), range(1, 31)), GROUPS),
        (stems("sub-{:02}_trial-{:03}", range(9), range(40)), GROUPS),
        (stems("{}-135089-{:04}", (1089, 1188, 121, 1221, 237), range(30)), GROUPS),
        (
            stems("{}_{}", [f"{x:032x}" for x in range(9**9, 9**9 + 9)], range(40)),
            GROUPS,
        ),
        (stems("S{}T{}", range(9), range(40)), GROUPS),
        (stems("clip{}_frame{:05}", range(9), range(0, 400, 10)), GROUPS),
        ([f"doc{i}:s{j}" for i in range(40) for j in range(3 + i)], GROUPS),
        (stems("fold{}_{}", range(10), range(30)), "did the model of its fold"),
        # of things that have identifiers, or a date each
        (with_codes("donor{:02}_{}-1", range(1, 9), "ACGT"), GROUPS),
        (with_codes("GSM45{:05}_{}", range(7, 400, 60), "ACGT"), GROUPS),
        (with_codes("S{}/{}.wav", range(1, 13)), GROUPS),
        (with_codes("u{}_i{}", range(1, 13)), GROUPS),
        (with_codes("store_{}:{}", range(1, 9)), GROUPS),
        (with_codes("WT{:02} alarm {}", range(1, 7)), GROUPS),
        (
            with_codes(
                "{}-{}", ["DEBB021", "DEBE010", "DEHE040", "DENI054", "DENW094"]
            ),
            GROUPS,
        ),
        (
            stems("{}_{:%Y-%m-%d}", ["Rome", "Oslo", "Lima", "Bern", "Accra"], DAYS),
            GROUPS,
        ),
        (stems("{}/{:%Y%m%d}", ["AAPL", "MSFT", "GE", "IBM", "T"], DAYS), GROUPS),
        ([f"{day:%Y-%m-%dT%H:%M} {buoy}" for day in DAYS for buoy in TASKS], GROUPS),
        (stems("obama{}/msg_{:04}.eml", range(220, 226), range(50)), GROUPS),
        (
            stems(
                "{}/{:04}.frame.png",
                ["cam07", "cam11", "cam12", "cam15", "cam20"],
                range(9),
            ),
            GROUPS,
        ),
        (DAYS, TIME),
        (DAYS.date, TIME),
        (DAYS.strftime("%Y-%m-%d"), TIME),
        (DAYS.strftime("%d.%m.%Y"), TIME),
        (DAYS.strftime("%m/%d/%Y"), TIME),
        (DAYS.strftime("%Y%m%d").astype(int), TIME),
        (pd.bdate_range("2024-01-01", periods=60).strftime("%Y-%m-%d"), TIME),
        (pd.date_range("2024-01-01", periods=60, freq="h").astype(str), TIME),
        (pd.date_range("2001-01-01", periods=60, freq="MS").strftime("%Y-%m"), TIME),
    ],
    ids=lambda x: str(x[1]) if not isinstance(x, str) else "",
)
def test_items_that_belong_together_by_their_labels(labels, asks):
    (note,) = notes(labels)
    assert asks in note and note.endswith(".")
    groups = np.arange(len(labels)) // 2
    assert notes(labels, Items(cluster="group"), group=groups) == []


@pytest.mark.parametrize(
    "labels",
    [
        [f"mmlu/{i}" for i in range(200)],
        stems("{}/{}", [f"task{i}" for i in range(30)], range(10)),
        stems(
            "{}_{}",
            ["law", "bio", "math", "art", "physics", "chemistry", "geography"],
            range(5),
        ),
        [str(uuid.UUID(int=int(x) << 64)) for x in RNG.integers(0, 2**60, 99)],
        [f"chr{1 + i % 22}_{1000 * i}" for i in range(200)],
        [f"img_{i:05}.jpg" for i in range(99)],
        [f"django__django-{i}" for i in RNG.permutation(999)[:99]],
        [f"{1089 + i // 7}-134686-{i:04}" for i in range(99)],
        [f"MMLU anatomy/{i}" for i in range(99)],
        [f"HumanEval/{i}" for i in range(99)],
        stems("{}/q{}", TASKS, range(30)),
        stems("v{}-query{}", range(3), range(30)),
        stems("aime{}_t{}", range(2020, 2026), range(15)),
        [f"frame{i}-{x}" for i, x in enumerate(RNG.permutation(99))],
        [f"test-{i:04}" for i in range(99)],
        stems("mmlu_{}_{}", ["law", "bio", "math", "art", "physics"], range(30)),
        stems("task_{:03}_{}", range(20), range(30)),
        stems("AIME{}-{}", range(15, 26), range(1, 16)),
        stems("newstest{}_{}", range(2012, 2020), range(40)),
        stems("amc12_{}_{}", range(2010, 2020), range(1, 26)),
        stems("batch{}_{}", range(20), range(32)),
        stems("class{}_{}", range(10), range(32)),
        stems("level {}/{}", range(1, 6), range(32)),
        stems("{}.{}", range(1, 12), range(1, 9)),  # sections
        stems("{}.{:02}", range(100, 110), range(100)),  # decimals
        stems("v{}.{}", range(9), range(9)),
        stems("x{}_y{}", range(9), range(12)),
        stems("{}-{}", ["aime24", "amc23", "math500", "gsm8k", "aime25"], range(30)),
        [f"u{a}_i{b}" for a, b in RNG.permutation([*np.ndindex(99, 99)])[:300]],
        [f"sentence {i}" for i in range(99)],
        [f"A{i}_{x}" for i, x in enumerate(RNG.permutation(99))],
        stems("{}_{}", range(1, 4), [f"v{i}" for i in range(20)]),  # few things
        stems("{}-Q{}", range(1990, 2020), (1, 2, 3, 4)),
        [str(x) for x in range(1001, 1101)],
        range(20240000, 20240099),
        pd.DatetimeIndex(RNG.permutation(pd.date_range("2000", "2020"))[:60]),
        [str(x)[:10] for x in RNG.permutation(pd.date_range("2000", "2020"))[:60]],
        ["2024-01-01", "2024-01-02", "2024-01-03"],
        [f"{a}_{b}" for a, b in RNG.permutation([*np.ndindex(40, 40)])[:60]],
        ["a_1", "b", *map(str, range(9))],
        # codes behind tasks, classes, settings, exams and norms
        with_codes("task{:03}_{}", range(1, 20)),
        with_codes("level_{}_{}", range(1, 6)),
        with_codes("c{}/{}.jpg", range(10)),
        with_codes("n{:08}_{}.JPEG", range(1440764, 1440794)),
        with_codes("chr{}:{}", range(1, 23)),
        with_codes("STS{}_{}", range(12, 17)),
        with_codes("{}/{}", ["gsm8k", "math500", "aime24", "mmlu", "gpqa"]),
        with_codes("{}_{}", ["MATH101", "PHYS101", "CHEM101", "BIOL101", "HIST101"]),
        with_codes("USAMO{}_{}", range(2000, 2010)),
        with_codes("ISO{}_{}", [9001, 14001, 27001, 45001, 50001]),
        with_codes("{}_{}", ["A1", "A2", "B1", "B2", "C1", "C2"]),
        with_codes("{}/{}", TASKS),
        with_codes("P{:02}_{}", range(1, 5)),  # few patients
        [f"P{i // 2:03}_{x:x}" for i, x in enumerate(RNG.integers(0, 2**40, 99))],
        [f"abc{i}_{x}" for i in range(300, 330) for x in "abcdefg"[: 3 + i % 5]],
        [f"{RNG.integers(7000, 9999)}-{i}" for i in range(99)],
        [f"LIDC-IDRI-{i:04}" for i in range(99)],
        [f"TCGA-{2 * (i % 7):02}-{i:04}-01A" for i in range(99)],
        stems("cat/{:03}.{}", range(99), ["jpg"]),
        stems("{}/{:04}.png", TASKS, range(30)),
    ],
    ids=lambda labels: str(labels[0]),
)
def test_items_with_endings_of_their_own(labels):
    assert notes(labels) == []


def test_names_of_splits_may_be_days():
    frame = pd.DataFrame({"run": [*DAYS.astype(str)] * 2, "score": RNG.random(120)})
    frame["model"] = np.repeat(["a", "b"], 60)
    table = Scores(frame, design="60 x 10%", metric="accuracy")
    assert list(notes_about_stems(table)) == []


@pytest.mark.parametrize(
    "pattern", ["BAD_{}", "{}_low", "{} (repeat)", "control:{}", "REF-{}"]
)
def test_items_that_have_the_label_of_another_and_a_word(pattern):
    labels = [f"en-ru_{number:04}" for number in range(60)]
    (note,) = notes([*labels, *map(pattern.format, labels[3:40:5])])
    assert "8 items have the label of another" in note
    # of two, it may be chance
    assert notes([*labels, *map(pattern.format, labels[3:5])]) == []
    assert notes([*labels, *(pattern.format(f"en-de_{i}") for i in range(9))]) == []


@pytest.mark.parametrize(
    "pattern",
    [
        "{} (1).wav",
        "{}_copy.wav",
        "{} - Copy.wav",
        "{} - Copy (2).wav",
        "{}_hflip.wav",
        "{}_rot90.wav",
        "{}-dup.wav",
        "{}_sp0.9.wav",
        "{}_snr10dB.wav",
        "sp1.1-{}.wav",
        "speed0.9_{}.wav",
        "noisy-{}.wav",
        "pitch+2_{}.wav",
    ],
)
def test_files_that_are_called_like_copies_of_others(pattern):
    stems_of_files = [f"bird_{number:04}" for number in range(60)]
    labels = [f"{stem}.wav" for stem in stems_of_files]
    copies = [pattern.format(stem) for stem in stems_of_files[3:40:5]]
    (note,) = notes([*labels, *copies])
    assert note.startswith("8 items have the label of another and a sign of a copy")
    # what has no twin may be called so
    assert notes([*labels, *(pattern.format(f"owl_{i}") for i in range(9))]) == []


@pytest.mark.parametrize(
    "labels",
    [
        [f"sp{n}-utt1" for n in range(80)],
        [f"spk{n}" for n in range(60)] + [f"spk{n}-spk{n + 1}" for n in range(50)],
        [f"img{n}" for n in range(60)] + [f"sp2-pic{n}" for n in range(30)],
        [f"scale-{n}" for n in range(60)] + [f"scale-{n}-b{n}" for n in range(40)],
        [f"speed{n}" for n in range(60)],
        [f"atlas{n}" for n in range(60)] + [f"atlas{n}-vol2" for n in range(40)],
        [f"utt{n}" for n in range(60)] + [f"ascot7-utt{n}" for n in range(60)],
    ],
    ids=lambda labels: labels[-1],
)
def test_signs_of_copies_may_be_parts_of_names(labels):
    assert not any("copy" in note for note in notes(labels))


def test_numbers_in_brackets_may_tell_items_apart():
    assert notes([f"{word} ({i})" for word in "abcdef" for i in (1, 2)][::2]) == []


def test_folds_are_no_groups_of_items():
    assert notes(stems("rep{}_fold{}", range(1, 11), range(1, 6))) == []


def test_items_may_be_words_of_which_some_begin_others():
    trees = ["apple", "pear", "plum", "lime", "fig"]
    assert notes([*trees, *(f"{tree} tree" for tree in trees), "oak", "elm"]) == []


def test_items_of_which_the_first_one_was_lost():
    rows = stems("rep{}_row{}", range(5), range(80))
    (note,) = notes([rows[0], *(row for row in rows if not row.endswith("_row0"))])
    assert "such as 'rep0_row1' and 'rep1_row1'" in note


def test_stems_of_which_one_begins_another():
    eyes = [f"P{number}_{eye}" for eye in ("OD", "OS") for number in range(1, 31)]
    (note,) = notes([eyes[0], *eyes[9:], *eyes[1:9]])
    assert "such as 'P1_OD' and 'P1_OS'" in note
