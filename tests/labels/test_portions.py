"""Data sets that are portions of one by their labels draw a question; others draw none."""

import numpy as np
import pandas as pd
import pytest

from replib import Scores
from replib._labels.units import notes_about_units

RNG = np.random.default_rng(11)
SIZES = "are they sizes, shares or levels of one data set?"
GROUPS = "are they groups of the rows of one data set?"
PARTS = "are they parts of one data set"
SETTINGS = "are they thresholds, or settings, of one data set?"


def notes(labels):
    frame = pd.DataFrame({"dataset": labels, "score": RNG.random(len(labels))})
    both = pd.concat([frame.assign(model=name) for name in ("nb", "svm")])
    table = Scores(both, design="datasets", metric="accuracy")
    return list(notes_about_units(table))


@pytest.mark.parametrize(
    ("labels", "asks"),
    [
        (["5%", "20 %", "80%"], SIZES),
        (["1/16", "1/8", "1/4", "full"], SIZES),
        (["1%", "10%", "All"], SIZES),
        (["2x", "3x", "4x"], SIZES),
        (["5k", "50k", "500k"], SIZES),
        (["10k", "100k", "1M"], SIZES),
        (["20 molecules", "50 molecules", "90 molecules"], SIZES),
        (["1% annotations", "5% annotations", "10% annotations"], SIZES),
        (["train-500", "train-1000", "train-5000"], SIZES),
        (["sample size 12", "sample size 31", "sample size 57"], SIZES),
        ([100, 300, 1000, 3000], SIZES),
        (["16", "32", "64", "128"], SIZES),
        (["0 to 10 km", "10 to 50 km", "50+ km"], GROUPS),
        (["[0, 5)", "[5, 20)", "[20, inf)"], GROUPS),
        (["Head items", "Torso items", "Tail items", "All items"], GROUPS),
        (["new customers", "loyal customers", "lapsed customers"], GROUPS),
        (["few-shot classes", "medium-shot classes", "many-shot classes"], GROUPS),
        ([f"jester/s{i}" for i in range(5)], PARTS),
        ([f"german credit ({i})" for i in range(1, 11)], PARTS),
        ([f"toys_p{i}" for i in (3, 1, 2)], PARTS),
        (["LibriSpeech 1%", "LibriSpeech 10%", "LibriSpeech 100%"], SIZES),
        (["NA12878_30x", "NA12878_60x", "NA12878_100x"], SIZES),
        (["yelp-5pct", "yelp-20pct", "yelp-full"], SIZES),
        (["loans (100 rows)", "loans (500 rows)", "loans (900 rows)"], SIZES),
        (["1/16 of Cityscapes", "1/8 of Cityscapes", "1/4 of Cityscapes"], SIZES),
        (["churn 18-24", "churn 25-34", "churn 35+"], GROUPS),
        (["0.0<z<0.2", "0.2<z<0.4", "0.4<z<0.6"], GROUPS),
        (["i<20", "20<i<21", "21<i<22", "i>22"], GROUPS),
        (["-22<M<-21", "-21<M<-20", "-20<M<-19"], GROUPS),
        (["0 ≤ age < 18", "18 ≤ age < 65", "age ≥ 65"], GROUPS),
        (["z=0.0-0.2", "z=0.2-0.4", "z=0.4-0.6"], GROUPS),
        (["SNR: 0-5", "SNR: 5-10", "SNR: 10+"], GROUPS),
        (["COSMOS 0<z<1", "COSMOS 1<z<2", "COSMOS 2<z<3"], GROUPS),
        (["EuroSAT 5/class", "EuroSAT 10/class", "EuroSAT full"], SIZES),
        (["5 samples per class", "10 samples per class", "all"], SIZES),
        (["AID 1 per class", "AID 5 per class", "AID 10 per class"], SIZES),
        (["2/cls", "5/cls", "10/cls"], SIZES),
        (["MP 1k", "MP 2k", "MP 5k"], SIZES),
        (["OQMD-1k", "OQMD-2k", "OQMD-4k", "OQMD-8k"], SIZES),
        (["-5dB", "0dB", "5dB", "clean"], SIZES),
        (["SNR 5 dB", "SNR 10 dB", "SNR 15 dB"], SIZES),
        (["babble −5 db", "babble 0 db", "babble 5 db"], SIZES),
        (["300 K", "600 K", "900 K"], SIZES),
        (["10 m", "20 m", "30 m"], SIZES),
        (["0 GPa", "5 GPa", "10 GPa"], SIZES),
        (["8kHz", "16kHz", "44.1kHz"], SIZES),
        (["25 °C", "45 °C", "60 °C"], SIZES),
        (["clean", "SNR 20", "SNR 10", "SNR -5"], SIZES),
        (["inf dB", "20 dB", "0 dB"], SIZES),
        (["30°", "60°", "90°"], SIZES),
        (["z<0.2", "0.2<z<0.4", "0.4<z"], GROUPS),
        (["0-20%", "20-40%", "40-60%"], GROUPS),
        (["M<-21", "-21<M<-20", "M>-20"], GROUPS),
        (["FP16 baseline", "INT8", "INT4"], "are they settings?"),
        (["FP16", "INT8", "NF4", "INT4", "INT3"], "are they settings?"),
        (["fp32", "bf16", "int8-dynamic"], "are they settings?"),
        (["W8A8", "W4A16", "W4A4"], "are they settings?"),
        (["Q8_0", "Q5_K_M", "Q4_K_M"], "are they settings?"),
        (["llama INT8", "llama INT4", "llama FP16"], "are they settings?"),
        (["fake rate 0.1", "fake rate 0.25", "fake rate 0.5"], SETTINGS),
        (["NIR/0.05", "NIR/0.10", "NIR/1.0"], SETTINGS),
    ],
    ids=lambda x: str(x[0]) if isinstance(x, list) else "",
)
def test_data_sets_that_are_portions_of_one(labels, asks):
    (note,) = notes(labels)
    assert asks in note


@pytest.mark.parametrize(
    "labels",
    [
        [3, 6, 11, 12, 14],
        [30, 40, 44, 50],
        [10, 101, 1000],
        [2, 4, 8],
        ["2010", "2020", "2000"],
        ["2012 election", "2016 election", "2020 election"],
        ["10x PBMC", "5k PBMC", "8k PBMC"],
        ["CIFAR-10", "CIFAR-100", "SVHN"],
        ["20 Newsgroups", "5 Authors", "4 Universities"],
        ["100-plants-margin", "100-plants-shape", "100-plants-texture"],
        ["train-A", "train-B", "train-C"],
        ["1-1", "1-2", "2-1", "3-1"],
        ["2019-2020", "2020-2021", "2021-2022"],
        ["books", "movies", "songs"],
        ["long", "short", "iris"],
        ["10m", "20m", "60m"],
        ["cold users", "iris", "wine"],
        ["monks-1", "monks-2", "monks-3"],
        [f"cec2020/f{i}" for i in range(1, 11)],
        [f"babi/q{i}" for i in range(1, 11)],
        [f"dream4/net{i}" for i in range(1, 6)],
        [f"problem/{i}" for i in range(1, 6)],
        ["ml-100k/u1", "ml-100k/u2", "ml-1m/u1"],
        ["FD001", "FD002", "FD003"],
        ["ml-100k", "ml-1m", "ml-10m"],
        ["pbmc-3k", "pbmc-6k", "pbmc-68k"],
        ["5k cells PBMC", "8k cells PBMC", "10x PBMC"],
        ["CASP 11 targets", "CASP 12 targets", "CASP 13 targets"],
        ["Kinetics-400", "Kinetics-600", "Kinetics-700"],
        ["vit-s/8", "vit-s/16", "vit-s/32"],
        ["DCASE 2019 Task 1", "DCASE 2020 Task 1", "DCASE 2021 Task 1"],
        ["lucene-2.0", "xerces-1.2", "ivy-1.1"],
        ["ETTh1", "ETTm1", "ETTh2", "ETTm2"],
        ["x<y", "y<z", "z<x"],
        ["z1", "z2", "z3"],
        ["k=3", "wine", "iris"],
        ["pbmc 3k", "pbmc 4k", "pbmc 8k"],
        ["ml-1m", "ml-10m", "ml-20m"],
        ["1M", "10 M", "25 M"],
        ["COCO 1k", "Flickr 1k", "IAPR 1k"],
        ["1 T", "2 T", "3 T"],
        ["task 1 A", "task 2 A", "task 3 A"],
        ["2 B", "7 B", "13 B"],
        ["NAIP 1 m", "Sentinel-2 10 m", "Landsat 30 m"],
        ["clean", "other", "noisy"],
        ["int2", "int3", "int4"],
        ["FP1", "FP2", "FP3"],
        ["INT8-COCO", "FP32-VOC", "NF4"],
        ["Q1", "Q2", "Q3"],
        ["float", "int", "double"],
        ["noise 1", "noise 2", "noise 3"],
        ["clean", "noise", "wine"],
        ["depth", "length", "width"],
        ["Kinetics 400", "Kinetics 600", "Kinetics 700"],
        ["2<x", "wine", "iris"],
    ],
    ids=lambda labels: str(labels[0]),
)
def test_data_sets_that_are_no_portions(labels):
    assert notes(labels) == []


def test_horizons_are_asked_about_once():
    assert notes(["5 min", "10 min", "30 min"]) == []  # by their times
