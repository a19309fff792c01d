"""Data sets that are made of each other draw a question; other names draw none."""

import re

import numpy as np
import pandas as pd
import pytest

from replib import Scores
from replib._labels.versions import notes_about_versions

RNG = np.random.default_rng(7)


def notes(labels):
    frame = pd.DataFrame({"dataset": labels, "score": RNG.random(len(labels))})
    both = pd.concat([frame.assign(model=name) for name in ("vit", "cnn")])
    table = Scores(both, design="datasets", metric="accuracy")
    return [*notes_about_versions(table)]


def stems(pattern, things, suffixes):
    return [pattern.format(thing, suffix) for thing in things for suffix in suffixes]


@pytest.mark.parametrize(
    "labels",
    [
        stems("{}_{}", ["Oslo", "Lund"], range(2015, 2022)),
        stems("{} {}", ["cards", "auto", "small business"], ["2020", "2021", "2022"]),
        stems("{}-{}", ["news", "legal", "medical"], ["en", "de", "fr"]),
        stems("{}/{}", ["KITTI", "nuScenes"], ["day", "night", "rain"]),
        stems("{}_{}", ["adult", "bank", "german credit"], ["1h8c", "4h8c"])[::-1],
        sorted(stems("{}_{}", ["a-b", "c", "d"], [1, 2]), key=lambda x: x[-1]),
    ],
    ids=lambda labels: labels[0],
)
def test_data_sets_of_each_thing_with_each_ending(labels):
    (note,) = notes(labels)
    assert "come in groups of the same kinds" in note
    first, second = re.findall("'(.*?)'", note)
    assert re.split("[_ /-]", first)[0] == re.split("[_ /-]", second)[0]


@pytest.mark.parametrize(
    "labels",
    [
        ["heart-c", "heart-h", "breast-w", "breast-c"],
        ["monks-1", "monks-2", "monks-3", "led-7", "led-24"],
        ["en-de", "de-en", "en-fr", "fr-en", "en-cs", "cs-en"],
        ["A-W", "A-D", "W-A", "W-D", "D-A", "D-W"],
        ["hopper-medium", "hopper-expert", "walker2d-medium", "ant-replay"],
        ["CIFAR-10", "CIFAR-100", "SVHN", "MNIST"],
        stems("{}_{}", ["sleep"], range(9)),
    ],
    ids=lambda labels: labels[0],
)
def test_data_sets_whose_names_are_not_crossed(labels):
    assert notes(labels) == []


@pytest.mark.parametrize("version", ["{}_v{}", "{} (v{})", "{}.V{}.0", "{}-version-{}"])
def test_versions_of_several_data_sets(version):
    names = ["adult", "credit-g", "vehicle", "phoneme", "sick", "splice"]
    labels = [version.format(name, 1) for name in names]
    labels += [version.format(name, 2) for name in names[:2]]
    (note,) = notes(labels)
    assert note.startswith("2 data sets have several versions by their labels")
    assert notes(labels[:-1]) == []  # as SQuAD has
    assert notes(labels[: len(names)]) == []


@pytest.mark.parametrize(
    ("labels", "n"),
    [
        (["Adult", "Adult (corrected)", "Bank"], 1),
        (["CoNLL03", "conll03 relabeled", "WNUT"], 1),
        (["ECG5000", "ECG5000_dedup", "PTB", "PTB-cleaned"], 2),
        (["fraud", "fraud_balanced", "churn", "churn_balanced"], 2),
        (["musk", "musk (v2)", "letter", "letter (v2)"], 2),
        (["adult", "adult(1)", "wine"], 1),
        (["iris_copy", "iris", "wine-dup", "wine"], 2),
        (["mnist", "mnist_rot", "usps"], 0),
        (["HumanEval", "HumanEval+", "MBPP", "MBPP+"], 2),
        (["gsm8k", "gsm8k_cot", "arc", "arc_chat"], 2),
        (["C", "C++", "C#", "Python"], 0),
        (["ImageNet", "ImageNet-V2", "ImageNet-A", "ImageNet-R"], 0),
        (["AudioSet", "AudioSet-balanced", "ESC-50"], 0),
        (["SWE-bench", "SWE-bench Verified", "SWE-bench Lite"], 0),
        (["CIFAR-10", "CIFAR-10-C", "CIFAR-10.1"], 0),
        (["FB15k", "FB15k-237", "WN18", "WN18RR"], 0),
        (["LibriSpeech clean", "LibriSpeech other", "Adult_corrected"], 0),
    ],
)
def test_data_sets_beside_their_revisions(labels, n):
    found = notes(labels)
    assert len(found) == bool(n)
    assert all(note.startswith(f"{n} data set") for note in found)


@pytest.mark.parametrize("release", ["{}-{}", "{} {}", "{}_{}rc1"])
def test_releases_of_several_projects(release):
    labels = [
        release.format(name, number)
        for name, number in [
            ("tomcat", "6.0"),
            ("tomcat", "7.0.1"),
            ("mylyn", "1.0"),
            ("mylyn", "2.3"),
            ("pde", "3.1"),
        ]
    ]
    (note,) = notes(labels)
    assert note.startswith("2 data sets have several versions by their labels")
    assert notes(labels[1:]) == []
    (note,) = notes([*labels[:2], release.format("tomcat", "8.5"), "pde", "ivy"])
    assert note.startswith("1 data set has several versions by their labels")


@pytest.mark.parametrize(
    "labels",
    [
        ["ivy-2.0", "log4j-1.2", "poi-3.0", "xalan-2.6"],
        ["squad 1.1", "squad 2.0", "mrpc", "rte"],
        ["moons 0.1", "moons 0.2", "moons 0.3", "iris"],
        ["CIFAR-10", "CIFAR-100", "CIFAR-20", "SVHN"],
    ],
    ids=lambda labels: labels[0],
)
def test_one_release_of_each_project(labels):
    assert notes(labels) == []


@pytest.mark.parametrize(
    "labels",
    [
        [
            "OC20 val_id",
            "OC20 val_ood_ads",
            "OC20 val_ood_cat",
            "OC22 val_id",
            "OC22 val_ood",
        ],
        ["ID", "OOD Ads", "OOD Cat", "OOD Both", "val ID"],
        ["iWildCam (ID)", "iWildCam (OOD)", "QM9", "MD17", "ZINC"],
        ["FMoW in-domain", "FMoW out-of-domain", "QM9", "MD17", "ZINC"],
    ],
    ids=lambda labels: labels[0],
)
def test_domains_of_one_data_set(labels):
    (note,) = notes(labels)
    assert "do both count as data sets of their own?" in note


@pytest.mark.parametrize(
    "labels",
    [
        ["FMoW OOD", "Camelyon OOD", "Amazon OOD", "CivilComments OOD", "Poverty OOD"],
        ["XCOPA id", "XCOPA et", "XCOPA ht", "XCOPA it", "XCOPA qu"],
        ["LibriSpeech test-clean", "LibriSpeech test-other", "TED-LIUM", "AMI", "SPGI"],
        ["MNLI matched", "MNLI mismatched", "QQP", "SST-2", "RTE"],
        ["OC20", "OC22", "QM9", "MD17", "ODAC23"],
        ["openml id 3", "openml id 5", "OOD-CV", "ObjectNet", "DTD"],
    ],
    ids=lambda labels: labels[0],
)
def test_data_sets_that_are_no_domains_of_one(labels):
    assert notes(labels) == []


# ---------------------------------------------------------------- classes against others

KEEL = [f"{stem}{i}" for stem in ("glass", "ecoli", "yeast") for i in range(1, 6)]


@pytest.mark.parametrize(
    "labels",
    [
        KEEL,
        [*KEEL, "haberman"],
        [f"digits {i} vs rest" for i in range(10)],
        [f"cifar10_class{i}" for i in range(10)],
        [f"letter-ova-{i}" for i in range(5)],
        ["wine-0-1_vs_2", "wine-0_vs_2", "wine-1_vs_2", "car-0_vs_3", "car-1_vs_3"]
        + ["car-2_vs_3"],
    ],
)
def test_data_sets_that_are_classes_of_few_data_sets(labels):
    (note,) = notes(labels)
    assert "by their labels" in note and note.endswith("data sets of their own?")


@pytest.mark.parametrize(
    "labels",
    [
        [*KEEL[:5], "haberman", "pima", "sonar", "wdbc", "heart"],
        ["pc1", "pc2", "pc3", "kc1", "kc2", "kc3", "jm1"],
        ["monks-1", "monks-2", "monks-3"],
        ["WMT14", "WMT16", "WMT19", "CIFAR-10", "CIFAR-100", "MNIST"],
        [f"subject{i}" for i in range(12)],
        ["ETTh1", "ETTh2", "ETTm1", "ETTm2", "ECL"],
        ["kr-vs-kp", "cat-vs-dog", "iris"],
    ],
)
def test_numbered_data_sets_that_are_their_own(labels):
    assert notes(labels) == []


def test_groups_of_data_sets_of_which_the_first_one_is_not_whole():
    labels = stems("{}_{}", [f"city{x}" for x in range(20)], ["day", "night"])
    (note,) = notes([labels[0], *labels[2:]])
    assert "such as 'city1_day' and 'city1_night'" in note


def test_blanks_around_labels_are_no_part_of_them():
    labels = stems("{}_{}", ["adult", "bank", "iris", "wine"], (1, 2))
    (note,) = notes([f"{labels[0]} ", *labels[1:]])
    assert "such as 'adult_1 ' and 'adult_2'" in note
