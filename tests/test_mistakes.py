"""Mistakes and right uses, in the formats that people have.

A row of MISTAKES is a piece of what must be said, a refusal or a note, and a call; a
row of RIGHT or SILENT is a call that nothing may be said about.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection as ms
from sklearn.tree import DecisionTreeClassifier

import replib
from replib import Items, Metric, Scores, Seeds, compare

RNG = np.random.default_rng(8)
ANY, LOSS = Metric("quality", better="higher"), Metric("cost", better="lower")
PERCENT = Metric("accuracy", high=100)


def folds(skill, runs=10, k=10, test=40, noise=0.7):
    """Accuracies of repeated cross-validation: items are right or wrong as they are hard."""
    return (
        np.array(
            [
                HARD[RNG.permutation(test * k)] + noise * RNG.normal(size=test * k)
                < skill
                for _ in range(runs)
            ]
        )
        .reshape(runs, k, test)
        .mean(axis=2)
    )


def answers(skill, n=200, runs=1):
    """0 or 1 for each item."""
    return (HARD[:n] + RNG.normal(size=(runs, n)) < skill).astype(float)


def cells(frame, column, value, *rows):
    """A copy of a frame with other values in a column."""
    frame = frame.astype({column: object}) if isinstance(value, str) else frame.copy()
    frame.loc[frame.index[list(rows or range(len(frame)))], column] = value
    return frame


HARD = RNG.normal(size=400)
A, B, C = folds(1.1), folds(0.8), folds(0.6)
AB, AUC = {"tree": A, "bayes": B}, A + 0.1 * RNG.random(A.shape) - 0.1
LONG = pd.concat(
    [
        pd.DataFrame(
            {
                "model": name,
                "run": np.repeat(range(10), 10),
                "fold": np.tile(range(10), 10),
                "score": x.ravel(),
            }
        )
        for name, x in AB.items()
    ],
    ignore_index=True,
)
S30 = {name: x.ravel()[:30] for name, x in AB.items()}  # 30 random splits
WANDB = pd.DataFrame(
    {  # as exported by wandb.Api().runs
        "Name": [f"fresh-sun-{i}" for i in range(16)],
        "State": "finished",
        "config.arch": ["resnet"] * 8 + ["vit"] * 8,
        "config.seed": [*range(8)] * 2,
        "val_acc": np.r_[
            0.912 + 0.006 * RNG.normal(size=8), 0.921 + 0.005 * RNG.normal(size=8)
        ],
    }
)
W = {
    "columns": {
        "model": "config.arch",
        "run": "config.seed",
        "score": "val_acc",
        "ignored": "Name",
    },
    "metric": "accuracy",
    "design": "seeds",
}
ACC = WANDB["val_acc"].to_numpy().reshape(2, 8)
EPOCHS = 0.93 - 0.4 * np.exp(-np.arange(20) / 6) + 0.002 * RNG.normal(size=(2, 20))
HISTORY = [
    {"val_accuracy": x.tolist(), "val_loss": (2 - 2 * x).tolist()} for x in EPOCHS
]
HARNESS = pd.concat(
    [
        pd.DataFrame(
            {
                "model": name,
                "doc_id": range(200),
                "task": "arc",
                "acc": answers(skill)[0],
            }
        )
        for name, skill in (("llama", 0.5), ("qwen", 0.7))
    ],
    ignore_index=True,
)
H = {"columns": {"item": "doc_id", "score": "acc"}, "metric": "acc", "design": "items"}
COPIED = (RNG.random(400) < 0.6).astype(float)
IT = {"llama": answers(0.5)[0], "qwen": answers(0.7)[0]}
SAMPLES = {"llama": answers(0.5, runs=4), "qwen": answers(0.7, runs=4)}
TEXTS = np.repeat(range(40), 5)
HARDNESS = RNG.normal(1.3, 0.8, size=(12, 1))
PAPER = pd.DataFrame(  # a table of a paper
    (
        1 / (1 + np.exp(-HARDNESS - [0, 0.1, 0.25] - 0.2 * RNG.normal(size=(12, 3))))
    ).round(3),
    index=[f"uci{i}" for i in range(12)],
    columns=["c45", "nb", "svm"],
)
NAMES_OF_SETS = "anneal", "autos", "breast", "colic"
Y = RNG.choice(["cat", "dog", "owl"], 150, p=[0.5, 0.3, 0.2])
miss = lambda y, share: np.where(RNG.random(len(y)) < share, RNG.permutation(y), y)
CNN, MLP = miss(Y, 0.2), miss(Y, 0.35)
Z = RNG.integers(0, 2, 150)
PROBA = np.clip(0.5 + 0.25 * (2 * Z - 1) + 0.25 * RNG.normal(size=(2, 150)), 0.01, 0.99)
PRICE = np.exp(RNG.normal(5, 0.5, 120))
GUESS = PRICE * np.exp(0.2 * RNG.normal(size=(2, 120)))


def cv(x, y=None, design="10x10", metric="accuracy"):
    return compare(
        {"tree": x, "bayes": B if y is None else y}, design=design, metric=metric
    )


def long(frame, design="10x10", metric="accuracy", **more):
    return compare(Scores(frame, design=design, metric=metric, **more))


def seeds(a, b=ACC[1], metric="accuracy", **more):
    return compare({"resnet": a, "vit": b}, design=Seeds(**more), metric=metric)


def items(a, b=IT["qwen"], clusters=None, metric="acc", **more):
    return compare(
        replib.from_arrays(
            {"llama": a, "qwen": b},
            design=Items(**more),
            metric=metric,
            clusters=clusters,
        )
    )


def paper(frame, metric="accuracy", **more):
    return compare(replib.from_wide(frame, design="datasets", metric=metric, **more))


def percent(**more):
    """Accuracies of seeds in percent."""
    models = {"resnet": 100 * ACC[0], "vit": 100 * ACC[1]}
    return compare(models, design="seeds", metric=PERCENT, **more)


def labels(y, a, b, metric="accuracy", **more):
    return compare(
        replib.from_predictions(y, {"cnn": a, "mlp": b}, metric=metric, **more)
    )


def at(x, value, *place):
    """A copy with another value at a place."""
    x = np.array(x, dtype=float)
    x[place] = value
    return x


def scored(column):
    """Accuracies of seeds in a column with this name."""
    columns = W["columns"] | {"score": column}
    return long(WANDB.rename(columns={"val_acc": column}), **(W | {"columns": columns}))


def roles(**columns):
    """Scores of two runs of five folds, whose columns have these roles."""
    splits = LONG[(LONG["run"] < 2) & (LONG["fold"] < 5)]
    frame = splits.rename(
        columns={"model": "arch", "run": "seed", "fold": "inner_fold"}
    )
    return long(frame, "2x5", columns={"model": "arch"} | columns)


def with_row(label):
    """The table of a paper, with one row more."""
    return pd.concat([PAPER, PAPER[:1].set_axis([label]).round(1)])


def wide_seeds(rows=None, models=PAPER.columns):
    frame = PAPER.set_axis(models, axis=1).set_axis(rows or range(12))
    return compare(replib.from_wide(frame, design="seeds", metric="accuracy"))


def cv_by_rows(rows):
    return compare(
        replib.from_wide(PAPER.set_axis(rows), design="1x12", metric="accuracy")
    )


def cv_of_rows(design):
    frame = LONG[LONG["run"] < 1].replace({"fold": {9: 11}})
    more = frame[frame["fold"] < 2].assign(fold=frame["fold"] + 20)
    return long(pd.concat([frame, more]), design)


def of_tasks(tasks):
    """Answers to a hundred items of each of two tasks."""
    return compare(
        replib.from_arrays(
            IT, design="items", metric="acc", tasks=np.repeat(tasks, 100)
        )
    )


def tasks_twice():
    twice = {name: np.tile(x[:100], 2) for name, x in IT.items()}
    tasks = np.repeat(["arc", "obqa"], 100)
    return compare(replib.from_arrays(twice, design="items", metric="acc", tasks=tasks))


def swapped():
    frame = (
        PAPER.rename_axis("dataset")
        .reset_index()
        .melt("dataset", None, "model", "score")
    )
    columns = {"model": "dataset", "dataset": "model"}
    return long(frame, "datasets", columns=columns)


TREE = DecisionTreeClassifier(random_state=0)
STATE = RNG.bit_generator.state
MISTAKES = [
    # cross-validation, as a long frame
    ("has no score for run 3, fold 4", lambda: long(LONG.drop(134))),
    ("occur twice", lambda: long(pd.concat([LONG, LONG[:1]]))),
    ("not finite", lambda: long(cells(LONG, "score", np.inf, 7))),
    ("not a number in row 7", lambda: long(cells(LONG, "score", "0.91 ± 0.02", 7))),
    (
        "'set' has training rows",
        lambda: long(pd.concat([LONG.assign(set="test"), LONG.assign(set="train")])),
    ),
    (
        "all are computed from those of the others",
        lambda: compare(AB | {"all": (A + B) / 2}, design="10x10", metric="accuracy"),
    ),
    ("at least two models", lambda: long(LONG[LONG["model"] == "tree"])),
    (
        "10 runs",
        lambda: long(
            pd.concat(
                [
                    LONG,
                    pd.DataFrame(
                        {
                            "model": ["tree", "bayes"],
                            "run": "mean",
                            "fold": "mean",
                            "score": [0.8, 0.7],
                        }
                    ),
                ]
            )
        ),
    ),
    ("case or blanks", lambda: long(cells(LONG, "model", "tree ", 0))),
    # cross-validation, as arrays
    ("same scores in every model", lambda: cv(at(A, A[2], 7), at(B, B[2], 7))),
    ("same score on every split", lambda: cv(A, A)),
    ("training rows", lambda: long(LONG.assign(split="train"))),
    ("without any spread", lambda: cv(A, A - 0.02)),
    (
        "fractions and percent",
        lambda: cv(at(A, 100 * A[4], 4), at(B, 100 * B[4], 4), metric=ANY),
    ),
    ("No score is above", lambda: cv(A, metric=PERCENT)),
    # random splits and splitters
    ("repeated", lambda: cv(np.tile(A[0], 3), np.tile(B[0], 3), "30 x 10%")),
    ("share for training", lambda: cv(*S30.values(), "30 x 90%")),
    (
        "tests on rows of its training set",
        lambda: cv(
            A[0, :2],
            B[0, :2],
            [(np.arange(10), np.arange(5)), (np.arange(5), np.arange(5, 10))],
        ),
    ),
    (
        "copies among",
        lambda: cv(A[0, :4], B[0, :4], [*ms.KFold(2).split(np.zeros(10))] * 2),
    ),
    ("design must", lambda: cv(A, B, ms.KFold)),
    # seeds, as wandb and MLflow export them
    ("no role", lambda: long(cells(WANDB, "State", "crashed", 3), **W)),
    (
        "occur twice",
        lambda: long(pd.concat([WANDB, WANDB[3:4].assign(Name="resumed")]), **W),
    ),
    ("one seed", lambda: long(WANDB.iloc[[*range(8), 8]], **W)),
    (
        "was the seed changed",
        lambda: long(WANDB.assign(val_acc=[0.91234] * 8 + [0.93211] * 8), **W),
    ),
    ("same score on every seed", lambda: seeds(ACC[0], ACC[0])),
    (
        "All seeds of resnet have the same score",
        lambda: seeds(np.full(8, 0.9), ACC[1]),
    ),
    (
        "'mean' is labelled like a summary",
        lambda: long(
            pd.concat(
                [
                    WANDB,
                    pd.DataFrame(
                        {
                            "Name": "summary",
                            "State": "finished",
                            "config.arch": ["resnet", "vit"],
                            "config.seed": "mean",
                            "val_acc": ACC.mean(axis=1),
                        }
                    ),
                ]
            ),
            **W,
        ),
    ),
    # items, as from lm-evaluation-harness
    ("lacks 1 of 200 items", lambda: long(HARNESS.drop(5), **H)),
    (
        "not a number",
        lambda: long(HARNESS.assign(acc=np.where(HARNESS["acc"] > 0, "C", "I")), **H),
    ),
    ("one run repeated", lambda: items(*(np.tile(x, (5, 1)) for x in IT.values()))),
    ("two clusters", lambda: items(IT["llama"], clusters=np.zeros(200, int))),
    ("fractions and percent", lambda: items(100 * IT["llama"], metric=ANY)),
    ("same score on every item", lambda: items(COPIED, COPIED)),
    (
        "All runs of llama have the same scores",
        lambda: items(np.tile(IT["llama"], (5, 1)), answers(0.7, runs=5)),
    ),
    # tables of papers and spreadsheets
    ("is no number", lambda: paper(cells(PAPER, "nb", "–", 3))),
    (
        "fractions and percent",
        lambda: paper(pd.concat([100 * PAPER[:1], PAPER[1:]]), ANY),
    ),
    (
        "'Avg' is labelled like a summary",
        lambda: paper(pd.concat([PAPER, PAPER.mean().round(3).to_frame("Avg").T])),
    ),
    (
        "'avg. rank' is labelled like a summary",
        lambda: paper(
            pd.concat([PAPER, PAPER.rank(axis=1).mean().to_frame("avg. rank").T]), ANY
        ),
    ),
    # predictions
    (
        "predictions of cnn are the truth",
        lambda: labels(PRICE, PRICE, GUESS[1], "rmse"),
    ),
    (
        "predictions of y_true are the truth",
        lambda: compare(
            replib.from_predictions(Y, {"y_true": Y, "mlp": MLP}, metric="accuracy")
        ),
    ),
    ("predict the same for every", lambda: labels(PRICE, GUESS[0], GUESS[0], "rmse")),
    ("code them alike", lambda: labels(Y, CNN, np.char.upper(MLP))),
    ("function", lambda: labels(Y, CNN, MLP, "jaccard")),
    ("say f1_macro", lambda: labels(Y, CNN, MLP, "f1")),
    ("numbers", lambda: labels(Y, CNN, MLP, "rmse")),
    (
        "The classes of mlp are by one smaller",
        lambda: labels(Z + 1, Z[::-1] + 1, np.where(PROBA[1] > 0.5, 1, 0)),
    ),
    (
        "of mlp are 0 and 1, and those of the truth -1 and 1",
        lambda: labels(2 * Z - 1, 2 * Z[::-1] - 1, np.where(PROBA[1] > 0.5, 1, 0)),
    ),
    ("two values only", lambda: labels(Z, *(PROBA > 0.5).astype(int), "log_loss")),
    ("far below that of chance", lambda: labels(Z, PROBA[0], 1 - PROBA[1], "log_loss")),
    # labels of rows and columns
    (
        "'Adam' and 'adam' differ only in case: are they one model?",
        lambda: compare(
            {"Adam": A, "adam": B, "sgd": C}, design="10x10", metric="accuracy"
        ),
    ),
    (
        "'uci-0' and 'uci 0' differ only in case or in signs: are they one data set?",
        lambda: paper(PAPER.rename({"uci1": "uci 0", "uci0": "uci-0"})),
    ),
    (
        "and 'Bert base' differ only in case or in signs: are they one model?",
        lambda: paper(PAPER.set_axis(["bert-base", "svm", "Bert base"], axis=1)),
    ),
    (
        "Models 'k-NN' and 'KNN' differ only in case or in signs: are they one model?",
        lambda: paper(PAPER.set_axis(["k-NN", "svm", "KNN"], axis=1)),
    ),
    (
        "differ only in case, and no run has both",
        lambda: long(
            WANDB.replace("vit", "ResNet").assign(**{"config.seed": range(16)}), **W
        ),
    ),
    (
        "differ only in the signs",
        lambda: long(
            cells(WANDB, "config.arch", "res-net", *range(4)).replace(
                "resnet", "res net"
            ),
            **W,
        ),
    ),
    (
        "are they folds?",
        lambda: paper(PAPER.rename(lambda name: name.replace("uci", "fold "))),
    ),
    (
        "are they data sets?",
        lambda: compare(
            replib.from_wide(
                PAPER[:4].set_axis([*NAMES_OF_SETS], axis=0),
                design="seeds",
                metric="accuracy",
            )
        ),
    ),
    (
        "are the same number",
        lambda: long(WANDB.astype({"config.seed": str}).replace("4", "03"), **W),
    ),
    (
        "has epochs by its name, and no runs: choose",
        lambda: long(
            WANDB.rename(columns={"config.seed": "epoch"}),
            **(W | {"columns": W["columns"] | {"run": "epoch"}}),
        ),
    ),
    (
        "has folds by its name",
        lambda: long(
            WANDB.rename(columns={"config.seed": "fold"}),
            **(W | {"columns": W["columns"] | {"run": "fold"}}),
        ),
    ),
    (
        "has times by its name, and the metric",
        lambda: long(
            WANDB.rename(columns={"val_acc": "Runtime"}),
            **(W | {"columns": W["columns"] | {"score": "Runtime"}}),
        ),
    ),
    ("has sizes by its name", lambda: paper(PAPER.assign(n_instances=150), "rmse")),
    (
        "computed from those",
        lambda: paper(PAPER.assign(Mean=PAPER.mean(axis=1).round(3))),
    ),
    # the column of the scores is, by its name, another one
    ("'val_loss' is by its name better lower", lambda: scored("val_loss")),
    ("of the training data by its name", lambda: scored("train_acc")),
    ("column 'val_f1', and the metric is accuracy", lambda: scored("val_f1")),
    ("'acc_std' has standard deviations", lambda: scored("acc_std")),
    ("of the training data by its name", lambda: scored("acc_apparent")),
    ("column 'gini', and the metric is", lambda: scored("gini")),
    ("'confidence' has confidences", lambda: scored("confidence")),
    ("'mean_rank' has ranks", lambda: scored("mean_rank")),
    ("'ci_low' has limits of an interval", lambda: scored("ci_low")),
    ("'best_epoch' has settings", lambda: scored("best_epoch")),
    ("'gpu_hours' has times", lambda: scored("gpu_hours")),
    ("'inner_score' has scores of inner splits", lambda: scored("inner_score")),
    ("'_step' has labels", lambda: scored("_step")),
    ("'lr' has settings", lambda: scored("lr")),
    ("'epoch' has labels", lambda: scored("epoch")),
    ("'y_pred' has predictions", lambda: scored("y_pred")),
    (
        "'mean_train_score' has scores of the training",
        lambda: scored("mean_train_score"),
    ),
    ("says 'f1', and the metric is", lambda: long(WANDB.assign(metric="f1"), **W)),
    (
        "those of the training data",
        lambda: long(WANDB.assign(split="train"), **W, where={"split": "train"}),
    ),
    # a column has other labels than its role
    ("'seed' has seeds by its name", lambda: roles(model="seed", run="arch")),
    (
        "'inner_fold' has splits by its name",
        lambda: roles(run="seed", fold="inner_fold"),
    ),
    ("'dataset' has data sets by its name", lambda: swapped()),
    # columns that are no models
    (
        "'# inst.' has whole numbers",
        lambda: paper(PAPER.assign(**{"# inst.": 50}), ANY),
    ),
    ("'n_test' has whole numbers", lambda: paper(PAPER.assign(n_test=50), ANY)),
    ("error of nb", lambda: paper(PAPER.assign(**{"nb ±": 0.02}))),
    ("error of nb", lambda: paper(PAPER.assign(std_nb=0.02))),
    ("error of nb", lambda: paper(PAPER.assign(**{"nb std.": 0.02}))),
    ("has intervals by its name", lambda: paper(PAPER.assign(CI95=0.02))),
    ("the rank of nb", lambda: paper(PAPER.assign(**{"nb (rank)": 1.0}), ANY)),
    (
        "index 'method' has models by its name",
        lambda: paper(PAPER.T.rename_axis("method")),
    ),
    ("'openml_id' has whole numbers", lambda: paper(PAPER.assign(openml_id=50), ANY)),
    (
        "val_loss is called like a metric",
        lambda: paper(PAPER.assign(val_loss=PAPER["nb"] / 9)),
    ),
    (
        "parts of the data",
        lambda: paper(PAPER.set_axis(["a_val", "b_test", "c-test"], axis=1)),
    ),
    ("'size' has whole numbers", lambda: paper(PAPER.assign(size=range(50, 62)), ANY)),
    (
        "nb minus those of c45",
        lambda: paper(
            PAPER.assign(**{"nb-c45": (PAPER["nb"] - PAPER["c45"]).round(3)}), ANY
        ),
    ),
    ("oracle are computed", lambda: paper(PAPER.assign(oracle=PAPER.max(axis=1)))),
    (
        "c45 minus those of nb",
        lambda: paper(PAPER.assign(gain=(PAPER["c45"] - PAPER["nb"]).round(3)), ANY),
    ),
    ("the rank of nb", lambda: paper(PAPER.assign(rank_nb=1.0), ANY)),
    ("has years by its name", lambda: paper(PAPER.assign(year=1999), ANY)),
    (
        "are they metrics?",
        lambda: paper(PAPER.set_axis(["nb_acc", "nb_f1", "svm_acc"], axis=1)),
    ),
    (
        "are they metrics?",
        lambda: paper(PAPER.set_axis(["acc@1", "acc@5", "acc"], axis=1)),
    ),
    ("are they metrics?", lambda: paper(PAPER.set_axis(["auc", "f1", "acc"], axis=1))),
    (
        "label is named like the truth",
        lambda: compare(IT | {"label": COPIED[:200]}, design="items", metric="acc"),
    ),
    (
        "All scores are ranks",
        lambda: paper(PAPER.rank(axis=1), Metric("accuracy", high=100)),
    ),
    # rows that are other units, or none
    ("'p-value' is labelled", lambda: paper(with_row("p-value"))),
    ("'#instances' is labelled", lambda: paper(with_row("#instances"))),
    ("'Std. dev.' is labelled", lambda: paper(with_row("Std. dev."))),
    ("'Mittelwert' is labelled", lambda: paper(with_row("Mittelwert"))),
    ("'Mean over all sets' is labelled", lambda: paper(with_row("Mean over all sets"))),
    ("'Improvement' is labelled", lambda: paper(with_row("Improvement"))),
    ("'Avg. rank ↓' is labelled", lambda: paper(with_row("Avg. rank ↓"))),
    ("'accuracy' is called like a metric", lambda: paper(with_row("accuracy"))),
    ("are they models?", lambda: paper(PAPER[:3].set_axis(["SVM", "k-NN", "C4.5"]))),
    ("'macro-average' is labelled", lambda: paper(with_row("macro-average"))),
    ("'Number of wins' is labelled", lambda: paper(with_row("Number of wins"))),
    (
        "'Run time (s)' is called like a measure",
        lambda: paper(with_row("Run time (s)")),
    ),
    ("'#params (M)' is called like a measure", lambda: paper(with_row("#params (M)"))),
    ("'Avg (UCI)' is labelled", lambda: paper(with_row("Avg (UCI)"))),
    ("'# best' is labelled", lambda: paper(with_row("# best"))),
    ("'W/T/L' is labelled", lambda: paper(with_row("W/T/L"))),
    ("'Wilcoxon p' is labelled", lambda: paper(with_row("Wilcoxon p"))),
    (
        "are they classes?",
        lambda: paper(PAPER.set_axis([*map("class {}".format, range(12))])),
    ),
    (
        "are they seeds?",
        lambda: paper(PAPER.set_axis([*map("cifar (seed {})".format, range(12))])),
    ),
    ("are they persons?", lambda: wide_seeds([*map("subject {}".format, range(12))])),
    ("are they dates?", lambda: wide_seeds([*map("week {}".format, range(12))])),
    ("have the same scores: is one a copy?", lambda: tasks_twice()),
    (
        "are they folds?",
        lambda: paper(PAPER.set_axis([*map("a_fold{}".format, range(12))])),
    ),
    (
        "are they settings?",
        lambda: paper(PAPER.set_axis([*map("lr={}".format, range(12))])),
    ),
    ("are they items?", lambda: wide_seeds([*map("question {}".format, range(12))])),
    (
        "are they splits?",
        lambda: wide_seeds(models=[f"split{i}_test_score" for i in range(3)]),
    ),
    (
        "are the rows models?",
        lambda: wide_seeds([*"abcdefghijkl"], models=["s0", "s1", "s2"]),
    ),
    ("are they seeds?", lambda: wide_seeds(models=["seed 0", "seed 1", "seed 2"])),
    ("are the rows models?", lambda: wide_seeds([*"abcdefghijkl"], models=[0, 1, 2])),
    ("are they folds?", lambda: of_tasks(["fold 1", "fold 2"])),
    ("'average' is labelled", lambda: of_tasks(["arc", "average"])),
    ("differ only in type, case", lambda: of_tasks(["arc", "ARC"])),
    ("1 task has several versions", lambda: of_tasks(["gsm8k", "gsm8k_cot"])),
    # a table that was turned
    (
        "a column for each of the 12 splits",
        lambda: compare(replib.from_wide(PAPER.T, design="1x12", metric="accuracy")),
    ),
    (
        "a row for each model",
        lambda: long(PAPER.T.rename_axis("model").reset_index(), "1x12"),
    ),
    ("is it seeds?", lambda: cv(A, design="seed")),
    ("is it 10x10?", lambda: cv(A, design="10*10")),
    ("one run of folds is 1x10", lambda: cv(A, design="10-fold")),
    ("are 1 run of 12 folds", lambda: cv_of_rows("1x10")),
    # clusters
    (
        "clusters must be labels",
        lambda: labels(Y, CNN, MLP, clusters=PRICE[:1] + np.arange(150)),
    ),
    ("clusters are the classes", lambda: labels(Y, CNN, MLP, clusters=Y)),
    (
        "the same estimator",
        lambda: compare(
            replib.train(
                {"a": TREE, "b": TREE}, Z[:, None], Z, design="1x5", metric="accuracy"
            )
        ),
    ),
    # values outside of all others, in another unit, or twice
    ("Score -1 of nb", lambda: paper(cells(PAPER, "nb", -1, 3), ANY)),
    ("Score 999 of nb", lambda: paper(cells(PAPER, "nb", 999, 3), "rmse")),
    ("Score 0 of resnet", lambda: seeds(at(ACC[0], 0, 3))),
    ("The margin is 0.01 of 100", lambda: percent(equivalence=0.01)),
    (
        "Data sets 'uci2' and 'uci7' have the same scores",
        lambda: paper(pd.concat([PAPER[:7], PAPER[2:3].set_axis(["uci7"]), PAPER[8:]])),
    ),
    (
        "c45 has the scores of copy, rounded",
        lambda: paper(PAPER.assign(c45=PAPER["c45"].round(2), copy=PAPER["c45"])),
    ),
    ("given twice", lambda: items(*(np.tile(x[:100], 2) for x in IT.values()))),
    (
        "by its name better lower",
        lambda: paper(PAPER, Metric("mean rank", better="higher")),
    ),
]


#: Mistakes that only a coincidence of values could show: silent on purpose.
SILENT = [
    lambda: cv(at(A, A[3, 4] / 10, 3, 4)),  # a slip of the decimal
    lambda: cv(A, 1 - A),  # an error rate
    lambda: cv(np.sort(A), np.sort(B)),
    lambda: cv(A.T, B.T),
    lambda: paper(PAPER.assign(svm=PAPER[["c45", "nb"]].max(axis=1))),
    lambda: paper(PAPER.rank(axis=1), ANY),
    lambda: items(IT["qwen"]),  # similar models may have 200 answers in common
    lambda: labels(Y, Y, miss(Y, 0.6)),  # a perfect model beside a poor one
    lambda: labels(Y, CNN, np.roll(MLP, 1)),
    # learners of few optima have two equal seeds, too
    lambda: seeds(at(ACC[0], ACC[0, 1], 4), at(ACC[1], ACC[1, 1], 4)),
    lambda: compare(
        AB | {"other order": A[:, ::-1]}, design="10x10", metric="accuracy"
    ),
    lambda: labels(PRICE, GUESS[0], np.log(GUESS[1]), "rmse"),
    # what is perfect may be 0, and what cannot be answered -1
    lambda: seeds(at(1 - ACC[0], 0, 3), 1 - ACC[1], metric="error"),
    lambda: items(IT["llama"] - (IT["qwen"] < 1), metric=ANY),
    # of a thousand classes, a tenth of a percent is chance
    lambda: replib.estimate(
        {"vit": 100 * ACC[1]}, design="seeds", metric=PERCENT, chance=0.1
    ),
]


RIGHT = [
    # cross-validation and random splits
    lambda: cv(A),
    lambda: compare(AB | {"rule": C}, design="10x10", metric="accuracy"),
    lambda: long(LONG),
    lambda: long(LONG.rename(columns={"score": "acc"}), columns={"score": "acc"}),
    lambda: long(
        LONG.assign(fold=LONG["fold"] + 1),
        ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=1),
    ),
    lambda: long(LONG.assign(score=100 * LONG["score"]), metric=PERCENT),
    lambda: long(LONG.assign(score=-np.log(LONG["score"])), metric="log_loss"),
    lambda: long(LONG.assign(score=np.log(LONG["score"])), metric="neg_log_loss"),
    lambda: cv(A[0, :5], B[0, :5], "1x5"),
    lambda: cv(folds(3, test=10), folds(2.5, test=10)),  # hardly ever wrong
    lambda: cv(np.ones((10, 10)), A),  # never wrong
    lambda: cv(np.full((10, 10), 0.6), A),  # always says the most frequent class
    lambda: cv(A, A + (RNG.random(A.shape) < 0.1) / 40),  # nearly the same
    lambda: cv(*S30.values(), ms.ShuffleSplit(30, test_size=0.2, random_state=3)),
    lambda: cv(A[0], B[0], ms.GroupKFold(10)),
    lambda: cv(AUC, B - 0.05, metric="roc_auc"),
    lambda: cv(AUC - 1.2, AUC - 1.2 + 0.1 * RNG.normal(size=A.shape), metric="r2"),
    # seeds
    lambda: long(WANDB, **W),
    lambda: long(
        WANDB.sample(frac=1, random_state=2), **(W | {"design": Seeds(paired=True)})
    ),
    lambda: seeds(ACC[0, :3], ACC[1, :3]),
    lambda: seeds(*(1 - ACC), metric="error"),
    lambda: seeds(
        *[[x["val_accuracy"][-1] + d for d in RNG.normal(0, 0.004, 6)] for x in HISTORY]
    ),
    lambda: seeds(*RNG.lognormal(-2, 0.5, (2, 10)), metric=LOSS),
    # items
    lambda: long(HARNESS, **H),
    lambda: long(
        pd.concat([HARNESS, HARNESS.assign(task="mmlu")]), **H, where={"task": "arc"}
    ),
    lambda: items(IT["llama"]),
    lambda: items(IT["llama"], clusters=TEXTS),
    lambda: items(*SAMPLES.values(), runs="samples"),
    lambda: items(*SAMPLES.values(), paired=True),
    lambda: items(SAMPLES["llama"][:3], SAMPLES["qwen"]),
    lambda: items(
        *np.exp(RNG.normal(size=(2, 100))), metric=Metric("bits", better="lower")
    ),
    lambda: items(np.ones(200), IT["qwen"]),
    lambda: items(IT["llama"], clusters=np.arange(200) % 10, predicted="by_fold"),
    # data sets
    lambda: paper(PAPER),
    lambda: paper(100 * PAPER, PERCENT),
    lambda: paper(PAPER.reset_index(names="data"), columns={"dataset": "data"}),
    lambda: paper(PAPER.round(2)),
    lambda: paper(
        pd.DataFrame(
            RNG.lognormal(0, 2, (12, 1)) * RNG.lognormal(0, 0.2, (12, 3)),
            columns=list("abc"),
        ),
        "rmse",
    ),
    lambda: paper(
        pd.DataFrame(1 / (1 + np.exp(-RNG.normal(1, 1, (14, 20))))).rename(columns=str)
    ),
    # predictions
    lambda: labels(Y, CNN, MLP),
    lambda: labels(Y, CNN, MLP, "f1_macro"),
    lambda: labels(Y, np.full(150, "cat"), MLP),  # always says the most frequent class
    lambda: labels(Y, Y, Y),  # never wrong
    lambda: cv(
        A[:3].ravel(),
        B[:3].ravel(),
        ms.ShuffleSplit(30, train_size=0.1, random_state=0),
    ),
    lambda: paper(PAPER.rank(axis=1, ascending=False), Metric("rank", better="lower")),
    lambda: labels(Y, CNN, MLP, clusters=np.arange(150) // 5),
    lambda: labels(
        np.sort(Y), CNN[np.argsort(Y)], MLP[np.argsort(Y)], "balanced_accuracy"
    ),
    lambda: labels(Z, *(5 * PROBA).round(), "roc_auc"),  # ratings
    lambda: labels(PRICE, *GUESS, "rmse"),
    lambda: labels(PRICE, *GUESS, ANY, function=lambda y, p: -np.median(np.abs(y - p))),
    lambda: labels(
        Y, np.where(RNG.random(150) < 0.02, "?", CNN), MLP
    ),  # two unparsed answers
    # names that are nearly those of something else
    lambda: paper(PAPER.rename({"uci1": "uci 1-3", "uci0": "uci 13"})),
    lambda: paper(PAPER.set_axis(["lr 1e-3", "lr 1e3", "A-B"], axis=1)),
    lambda: paper(PAPER.set_axis(["support", "memory", "id"], axis=1)),
    lambda: paper(PAPER.assign(id=range(100, 112)).reset_index(drop=True)),
    lambda: paper(PAPER.set_axis(["mse", "mae", "huber_loss"], axis=1)),
    lambda: paper(PAPER.set_axis(["svm_acc", "knn", "nb_f1"], axis=1)),
    lambda: paper(PAPER.set_axis([0, 1, 2], axis=1)),
    lambda: paper(PAPER.set_axis([*map("noise={}".format, range(12))])),
    lambda: paper(PAPER.set_axis([*map("monks_{}".format, range(12))])),
    lambda: paper(PAPER.set_axis([f"{x}_fold1" for x in range(12)])),
    lambda: paper(with_row("all")),
    lambda: paper(with_row("friedman")),
    lambda: paper(PAPER.set_axis(["d", "n", "p"], axis=1)),
    lambda: paper(PAPER.set_axis(["learner", "method", "loss-aware"], axis=1)),
    lambda: paper(
        PAPER.set_axis(["val-tuned", "test-tuned", "test-time training"], axis=1)
    ),
    lambda: paper(PAPER.set_axis(["mse", "log_loss", "huber"], axis=1)),
    lambda: paper(PAPER.set_axis(["↑", "↓", "*"], axis=1)),
    lambda: scored("best_score"),
    lambda: paper(PAPER.assign(oracle=PAPER["nb"] + 0.001)),
    lambda: paper(PAPER.assign(**{"c45-nb": PAPER["nb"] - 0.001})),
    lambda: paper(PAPER.set_axis([*map("user {}".format, range(12))])),
    lambda: cv_by_rows([*map("subject {}".format, range(12))]),
    lambda: seeds(*ACC, metric=Metric("steps to the goal", better="lower")),
    lambda: seeds(*ACC, metric=Metric("duration", better="higher")),
    lambda: of_tasks(["mmlu", "mmlu_pro"]),
    lambda: scored("val/acc"),
    lambda: scored("post_training_acc"),
    lambda: long(WANDB.assign(metric="acc"), **W),
    lambda: long(WANDB.assign(split="test"), **W, where={"split": "test"}),
    lambda: long(WANDB.assign(n_params=[7] * 8 + [9] * 8, id=range(16)), **W),
    lambda: labels(Y, CNN, MLP, clusters=np.arange(150) // 5 / 1),
    lambda: seeds(*ACC, metric=Metric("attack success rate", better="lower")),
    lambda: seeds(*ACC, metric=Metric("time to accuracy", better="lower")),
    lambda: paper(PAPER.rename(lambda name: name.replace("uci", "task "))),
    lambda: paper(PAPER.set_axis(["10 features", "all features", "time"], axis=1)),
    lambda: paper(PAPER.set_axis(["lr=1e-3", "lr=1e-2", "v1.1"], axis=1)),
    lambda: long(
        WANDB.assign(**{"config.seed": [f"run_{i % 8}" for i in range(16)]}), **W
    ),
    lambda: paper(PAPER.assign(mean=PAPER["nb"].mean() + PAPER["svm"] / 50), ANY),
    # values that are far from others, or equal, for a reason
    lambda: paper(cells(PAPER, "nb", 0.0, 3), "exact_match"),
    lambda: seeds(at(ACC[0], 0, 3), metric=Metric("success rate", better="higher")),
    lambda: paper(cells(PAPER, ["c45", "nb", "svm"], 1.0, 2, 9)),
    lambda: items(RNG.integers(-1, 2, 200), RNG.integers(-1, 2, 200), metric=ANY),
    lambda: percent(equivalence=0.1),
]


def said(call):
    """The refusal or the notes that a call gives."""
    RNG.bit_generator.state = STATE
    try:
        return "\n".join(call().notes)
    except ValueError as refusal:
        return f"refused: {refusal}"


@pytest.mark.parametrize(
    "piece, call", MISTAKES, ids=lambda x: x if isinstance(x, str) else ""
)
def test_a_mistake_is_refused_or_noted(piece, call):
    assert piece in said(call)


@pytest.mark.parametrize("call", RIGHT)
def test_a_right_use_draws_no_note(call):
    assert said(call) == ""


@pytest.mark.parametrize("call", SILENT)
def test_a_coincidence_of_values_draws_no_note(call):
    assert said(call) == ""
