"""Columns and labels that by their names are of another kind than their role are found."""

import tomllib
from importlib import resources

import numpy as np
import pandas as pd
import pytest

from replib import CV, Datasets, Items, Metric, RandomSplits, Scores, Seeds
from replib._labels import notes_about_labels
from replib._names.things.kinds import is_setting, kind_of_amounts, kind_of_name
from replib.readers import from_wide

RNG = np.random.default_rng(3)
ANY = Metric("quality", better="higher")
VALUES = [0.1, 0.4, 0.2, 0.5, 0.3, 0.7]
SPLITS = RandomSplits(6, 0.2)
GROUPS = CV(1, 6, groups=True)
SAMPLES = Items(runs="samples")


def table(role, name, design, labels=range(6)):
    """Scores of two models in which the labels of a role stand in a column with a name."""
    rows = [(model, label, RNG.random()) for model in ("nb", "svm") for label in labels]
    frame = pd.DataFrame(rows, columns=["model", name, "score"])
    return Scores(frame, design=design, metric=ANY, columns={role: name})


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("train_seed", "seed"),
        ("config.random_state", "seed"),
        ("Patient ID", "person"),
        ("testYear", "date"),
        ("boosting_round", "iteration"),
        ("num_fewshot", "shot"),
        ("seeds", "seed"),
        ("test_set", "data set"),
        ("bootstrap_round", "bootstrap sample"),
        ("boot_iter", "bootstrap sample"),
        (".imp", "imputation"),
        ("qid", "item"),
        ("attempt", "sample"),
        ("decoding_seed", "sample"),
        ("segid", "item"),
        ("docid", "item"),
        ("model_version", "model"),
        ("score_decile", "bin"),
        ("version", None),
        ("segment", None),
        ("grid", None),
        ("presentation_order", "order"),
        ("m_imp", "imputation"),
        ("preorder", None),
        ("bootstrap_model", None),
        ("seedling", None),
        ("personality", None),
        ("test", None),
        ("arch", None),
        (3, None),
    ],
)
def test_what_a_name_says(name, kind):
    assert kind_of_name(name) == kind


@pytest.mark.parametrize(
    ("role", "name", "design", "things"),
    [
        ("run", "learning_rate", Seeds(), "settings"),
        ("run", "batch_idx", Seeds(), "batches"),
        ("run", "mc_pass", Seeds(), "passes of one trained network"),
        ("run", "tta_view", Items(), "passes of one trained network"),
        ("run", "patient_id", Seeds(), "persons"),
        ("run", "judge", Seeds(), "judges"),
        ("run", "lang", Seeds(), "languages"),
        ("run", "boosting_round", Seeds(), "iterations"),
        ("run", "set", SPLITS, "parts of the data"),
        ("run", "bootstrap", SPLITS, "bootstrap samples"),
        ("run", "task", Seeds(), "tasks"),
        ("run", "boot_rep", Seeds(), "bootstrap samples"),
        ("run", "imp", Seeds(), "imputations"),
        ("run", "qid", Seeds(), "items"),
        ("run", "query", Seeds(), "queries"),
        ("run", "slice", SPLITS, "slices of time or data"),
        ("run", "time_window", SPLITS, "windows of time"),
        ("dataset", "qid", Datasets(), "items"),
        ("fold", "random_state", CV(1, 6), "seeds"),
        ("fold", "test_year", CV(1, 6), "dates"),
        ("fold", "rank", CV(1, 6), "ranks"),
        ("fold", "epoch", GROUPS, "epochs"),
        ("dataset", "subgroup", Datasets(), "subgroups"),
        ("dataset", "threshold", Datasets(), "thresholds"),
        ("dataset", "imputation", Datasets(), "imputations"),
        ("item", "fold_id", Items(), "folds"),
        ("item", "horizon", Items(), "horizons"),
        ("item", "rank", Items(), "ranks"),
        ("dataset", "metric", Datasets(), "metrics"),
        ("run", "unique_id", Seeds(), "series"),
        ("run", "reader", Items(), "judges"),
        ("fold", "origin", CV(1, 6), "origins"),
        ("run", "submission", Seeds(), "submissions"),
        ("run", "model_version", Seeds(), "models"),
        ("dataset", "segid", Datasets(), "items"),
        ("dataset", "utt_id", Datasets(), "items"),
        ("item", "decile", Items(), "bins"),
        ("item", "percentile", Items(), "bins"),
        ("run", "cutoff", Seeds(), "thresholds"),
        ("run", "comm_round", Seeds(), "rounds of one training"),
        ("run", "global_round", SPLITS, "rounds of one training"),
        ("run", "env_step", Seeds(), "checkpoints"),
        ("run", "hospital_id", Seeds(), "clients or sites"),
        ("run", "silo", Seeds(), "clients or sites"),
        ("run", "station", SPLITS, "places"),
        ("run", "molecule", Seeds(), "cases"),
        ("run", "player", Seeds(), "persons"),
        ("run", "ticker", Seeds(), "series"),
        ("fold", "catchment", CV(1, 6), "places"),
        ("fold", "left_out_farm", CV(1, 6), "places"),
        ("fold", "withheldHospital", CV(1, 6), "clients or sites"),
        ("run", "spatial_fold", Seeds(), "folds"),
        ("run", "buffered block", Seeds(), "blocks"),
        ("run", "held_out_speaker", Seeds(), "persons"),
        ("fold", "scene", CV(1, 6), "cases"),
        ("fold", "clinic", CV(1, 6), "clients or sites"),
        ("fold", "vintage", CV(1, 6), "dates"),
        ("dataset", "object_class", Datasets(), "classes"),
        ("dataset", "land_cover", Datasets(), "classes"),
        ("dataset", "forecast_hour", Datasets(), "horizons"),
        ("dataset", "lead_day", Datasets(), "horizons"),
        ("dataset", "n_train", Datasets(), "sizes"),
        ("dataset", "sample_size", Datasets(), "sizes"),
        ("dataset", "label_fraction", Datasets(), "sizes"),
        ("dataset", "noise_level", Datasets(), "settings"),
        ("dataset", "snr_db", Datasets(), "settings"),
        ("run", "seq_len", Seeds(), "settings"),
        ("run", "param_svc__C", Seeds(), "settings"),
        ("run", "n_shot", Seeds(), "shots"),
        ("run", "VPN", Seeds(), "persons"),
        ("run", "data_id", Seeds(), "data sets"),
        ("fold", "endpoint", CV(1, 6), "tasks"),
        ("run", "num_layers", Seeds(), "settings"),
        ("fold", "severity", CV(1, 6), "settings"),
        ("dataset", "kpi", Datasets(), "metrics"),
    ],
)
def test_a_column_of_another_kind_is_refused(role, name, design, things):
    with pytest.raises(ValueError, match=f"has ({things}) by its name, and no"):
        table(role, name, design)


@pytest.mark.parametrize(
    ("role", "name", "design"),
    [
        ("run", "trial", Seeds()),
        ("run", "rng_seed", Seeds()),
        ("run", "sample", SPLITS),
        ("dataset", "crop", Datasets()),
        ("item", "view", Items()),
        ("dataset", "batch", Datasets()),  # of an experiment in a laboratory
        ("run", "job_id", Seeds()),
        ("run", "repeat", SPLITS),
        ("run", "split", SPLITS),
        ("run", "iteration", SPLITS),
        ("run", "iter", SPLITS),
        ("run", "order", Seeds()),
        ("item", "qid", Items()),
        ("item", "topic", Items()),
        ("fold", "outer_fold", CV(1, 6)),
        ("fold", "iteration", CV(1, 6)),
        ("fold", "site", GROUPS),
        ("fold", "year", GROUPS),
        ("fold", "subject", CV(1, 6)),
        ("dataset", "language", Datasets()),
        ("dataset", "subject", Datasets()),
        ("dataset", "set", Datasets()),
        ("dataset", "test_set", Datasets()),
        ("dataset", "task", Datasets()),
        ("dataset", "corpus", Datasets()),
        ("item", "image_id", Items()),
        ("item", "patient_id", Items()),
        ("item", "trial", Items()),
        ("item", "position", Items()),
        ("fold", "partition", CV(1, 6)),
        ("dataset", "place", Datasets()),
        ("dataset", "series_id", Datasets()),
        ("dataset", "segment", Datasets()),
        ("item", "segid", Items()),
        ("item", "submission_id", Items()),
        ("run", "version", Seeds()),
        ("fold", "grid", CV(1, 6)),
        ("run", "round", Seeds()),
        ("run", "number", Seeds()),
        ("run", "run_number", Seeds()),
        ("run", "run_count", Seeds()),
        ("run", "n_run", Seeds()),
        ("run", "model_seed", Seeds()),
        ("run", "experiment", Seeds()),
        ("run", "level", Seeds()),
        ("fold", "k", CV(1, 6)),
        ("fold", "block", CV(1, 6)),
        ("fold", "spatial_block", CV(1, 6)),
        ("fold", "temporal_fold", CV(1, 6)),
        ("fold", "held_out_fold", CV(1, 6)),
        ("fold", "held_out_chunk", CV(1, 6)),
        ("fold", "left_out_part", CV(1, 6)),
        ("fold", "held_out_donor", GROUPS),
        ("run", "manifold", Seeds()),
        ("run", "n_fold", Seeds()),
        ("fold", "n_fold", CV(1, 6)),
        ("fold", "tile", GROUPS),
        ("fold", "hospital", GROUPS),
        ("dataset", "region", Datasets()),
        ("dataset", "scene", Datasets()),
        ("dataset", "molecule", Datasets()),
        ("dataset", "hospital", Datasets()),
        ("dataset", "asset_class", Datasets()),
        ("dataset", "openml_id", Datasets()),
        ("fold", "assay", GROUPS),
        ("run", "param_random_state", Seeds()),
        ("item", "molecule", Items()),
        ("item", "customer_id", Items()),
        ("item", "filename", Items()),
        ("item", "word_count", Items()),
    ],
)
def test_a_column_of_a_kind_that_fits_is_read(role, name, design):
    assert not [*notes_about_labels(table(role, name, design))]


@pytest.mark.parametrize(
    ("role", "name", "labels", "design", "things"),
    [
        ("fold", "Resample", "Fold0{}", CV(1, 6), None),
        ("fold", "bootstrap", "fold {}", CV(1, 6), None),
        ("run", "epoch", "seed{}", Seeds(), None),
        ("run", "Resample", "Fold0{}", Seeds(), "folds by its labels"),
        ("run", "Resample", "Fold{}.Rep1", SPLITS, "folds by its labels"),
        ("run", "Resample", "Bootstrap0{}", Seeds(), "bootstrap samples by its name"),
        ("run", "iteration", "{}00", SPLITS, "iterations by its name"),
        ("run", "iteration", "{}", Seeds(), "iterations by its name"),
    ],
)
def test_labels_decide_over_the_name_of_their_column(
    role, name, labels, design, things
):
    labels = numbered(labels)
    if things is None:
        assert not [*notes_about_labels(table(role, name, design, labels))]
    else:
        with pytest.raises(ValueError, match=f"has {things}, and no"):
            table(role, name, design, labels)


@pytest.mark.parametrize(
    ("role", "name", "labels"),
    [
        ("dataset", "n_train", ["adult", "bank", "credit"]),
        ("dataset", "noise", ["babble", "street", "white"]),
        ("dataset", "size", ["S", "M", "L"]),
        ("run", "sweep_level", ["a1", "b2", "c3"]),
    ],
)
def test_names_in_a_column_that_is_called_like_a_quantity(role, name, labels):
    design = Datasets() if role == "dataset" else Seeds()
    assert not [*notes_about_labels(table(role, name, design, labels))]


@pytest.mark.parametrize(
    "labels",
    [
        ["1%", "5%", "10%"],
        ["1/16", "1/8", "1/4"],
        ["10k", "100k", "1e6"],
        ["<5", "5", "50"],
    ],
)
def test_shares_and_quantities_are_amounts(labels):
    with pytest.raises(ValueError, match="has sizes by its name"):
        table("dataset", "label_fraction", Datasets(), labels)


@pytest.mark.parametrize(
    "pattern",
    ["wo_press0{}", "without_press{}", "lomo_machine{}", "w/o site {}", "loso_{}"]
    + ["leave_press{}_out", "loo_machine{}", "leave_one_site_out_{}"],
)
def test_folds_that_left_out_a_group_by_their_labels(pattern):
    labels = numbered(pattern)
    (note,) = notes_about_labels(table("fold", "fold", CV(1, 6), labels))
    assert "did each leave out a group as a whole? Then the design says" in note
    assert not [*notes_about_labels(table("fold", "fold", GROUPS, labels))]


@pytest.mark.parametrize(
    "pattern",
    ["loo_{}", "without_fold{}", "wo_chunk{}", "holdout_{}", "wood_{}", "logo{}"]
    + ["leave_one_out_{}", "local_{}"],
)
def test_folds_of_any_cross_validation_leave_something_out(pattern):
    assert not [*notes_about_labels(table("fold", "fold", CV(1, 6), numbered(pattern)))]


def test_cutoffs_of_dates_follow_time():
    days = [f"2022-{month:02}-28" for month in range(1, 7)]
    with pytest.raises(ValueError, match="has dates by its labels, .* splitter"):
        table("fold", "cutoff", CV(1, 6), days)
    (note,) = notes_about_labels(table("fold", "fold", CV(1, 6), days))
    assert "are they times of one series?" in note
    assert not [*notes_about_labels(table("fold", "cutoff", GROUPS, days))]


def test_resamples_of_a_split_may_be_drawn_without_replacement():
    (note,) = notes_about_labels(table("run", "Resample", SPLITS))
    assert "drawn without replacement" in note


@pytest.mark.parametrize(
    ("label", "n_notes"), [("Resample{:02}", 0), ("Bootstrap{:02}", 1)]
)
def test_random_splits_are_called_resamples_in_r(label, n_notes):
    labels = [label.format(number) for number in range(1, 7)]
    assert len([*notes_about_labels(table("run", "id", SPLITS, labels))]) == n_notes
    with pytest.raises(ValueError, match="has bootstrap samples by its labels"):
        table("run", "id", Seeds(), labels)


@pytest.mark.parametrize(
    ("labels", "n_notes"),
    [
        (["s1", "s2", "s3", "s4", "s5", "pilot"], 1),
        (["s1", "s2", "s3", "s4", "s5", "s6b"], 0),
        (["x0.0", "x0.2", "x0.4", "x0.6", "x0.8", "x1.0"], 0),
        (["s1", "s2", "s3", "s4", "s5", "default"], 0),
    ],
)
def test_a_run_without_a_number_among_numbered_ones(labels, n_notes):
    notes = [*notes_about_labels(table("run", "run", Seeds(), labels))]
    asked = [note for note in notes if "is the only run that is not numbered" in note]
    assert len(asked) == n_notes


def of_items(run, labels):
    rows = [
        (model, item, label, RNG.random())
        for model in ("nb", "svm")
        for item in range(9)
        for label in labels
    ]
    return pd.DataFrame(rows, columns=["model", "item", run, "score"])


@pytest.mark.parametrize("labels", [["AB", "BA"], ["gpt-llama", "llama-gpt"]])
def test_orders_in_which_answers_were_shown_are_no_trainings(labels):
    with pytest.raises(ValueError, match='say Items\\(runs="samples"\\)'):
        frame = of_items("order", labels)
        Scores(frame, design=Items(), metric=ANY, columns={"run": "order"})
    (note,) = notes_about_labels(
        Scores(of_items("run", labels), design=Items(), metric=ANY)
    )
    assert "are they orders" in note
    for others in (["main", "rerun"], ["r12", "r21"]):
        found = Scores(of_items("run", others), design=Items(), metric=ANY)
        assert not [*notes_about_labels(found)]


PASSES = [
    "tta_{}",
    "crop_{}",
    "view{}",
    "augmentation {}",
    "mc_dropout_{}",
    "mc_pass_{}",
]
PASSES += [
    "forward_pass_{}",
    "posterior_sample_{}",
    "TTA view {}",
    "Monte Carlo sample {}",
]


@pytest.mark.parametrize("pattern", [*PASSES, "sample_{}", "draw_{}", "Answer {}"])
def test_passes_of_one_network_are_no_trainings(pattern):
    labels = numbered(pattern)
    (note,) = notes_about_labels(table("run", "run", Seeds(), labels))
    assert "passes of one trained network" in note or "samples of one trained" in note
    frame = of_items("run", labels)
    (note,) = notes_about_labels(Scores(frame, design=Items(), metric=ANY))
    assert 'say Items(runs="samples")' in note
    assert not [*notes_about_labels(Scores(frame, design=SAMPLES, metric=ANY))]


@pytest.mark.parametrize(
    "pattern",
    [
        "member_{}",
        "try {}",
        "attempt {}",
        "MC run {}",
        "snapshot_{}",
        "init_{}",
        "password{}",
    ],
)
def test_trainings_that_are_called_nearly_as_passes_are(pattern):
    labels = numbered(pattern)
    assert not [*notes_about_labels(table("run", "run", Seeds(), labels))]
    splits = [*numbered("mc {}")], [*numbered("sample_{}")]
    for labels in splits:
        assert not [*notes_about_labels(table("run", "run", SPLITS, labels))]


def test_prompts_under_which_all_models_were_asked_are_samples():
    found = Scores(of_items("run", numbered("prompt_{}")), design=SAMPLES, metric=ANY)
    assert not [*notes_about_labels(found)]


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["AK", "BM", "JS"], True),
        (["de", "fr", "ja"], True),
        (["aa", "ab", "ac"], False),
    ],
)
def test_runs_have_no_initials(labels, is_noted):
    found = [*notes_about_labels(table("run", "run", Seeds(), labels))]
    assert bool(found) == is_noted
    assert all("are they persons, places or languages?" in note for note in found)


@pytest.mark.parametrize("key", ["fold", "cv_fold", "group"])
def test_folds_as_clusters(key):
    labels = numbered("fold {}", 5) if key == "group" else [*range(5)]
    frame = of_items("run", [0]).assign(**{key: [labels[i % 5] for i in range(9)] * 2})
    found = Scores(frame, design=Items(cluster=key), metric=ANY)
    (note,) = notes_about_labels(found)
    assert 'Items(predicted="by_fold")' in note
    others = frame.assign(**{key: [f"p{i % 5}" for i in range(9)] * 2})
    found = Scores(
        others.rename(columns={key: "patient"}),
        design=Items(cluster="patient"),
        metric=ANY,
    )
    assert not [*notes_about_labels(found)]


@pytest.mark.parametrize(
    ("name", "labels", "is_noted"),
    [
        ("query_id", range(301, 310), True),
        ("topic", [f"q{i}" for i in range(9)], True),
        ("topic", ["law", "medicine", "news"], False),
    ],
)
def test_queries_are_no_data_sets(name, labels, is_noted):
    found = [*notes_about_labels(table("dataset", name, Datasets(), labels))]
    assert len(found) == is_noted


def test_a_column_called_run_may_have_the_models():
    frame = of_items("measure", ["map", "ndcg"]).rename(columns={"model": "run"})
    found = Scores(
        frame,
        design=Items(),
        metric=ANY,
        columns={"model": "run"},
        where={"measure": "ndcg"},
    )
    assert found.models == ("nb", "svm")


@pytest.mark.parametrize("key", ["visit", "random_state", "epoch", "threshold"])
def test_clusters_group_items(key):
    frame = pd.DataFrame(
        {"model": "nb", "item": range(12), "score": 1.0, key: [*"abc"] * 4}
    )
    with pytest.raises(ValueError, match="say which column has the clusters"):
        Scores(frame, design=Items(cluster=key), metric=ANY)


def numbered(pattern, n=6):
    return [pattern.format(i + 1) for i in range(n)]


@pytest.mark.parametrize(
    ("role", "labels", "design", "things"),
    [
        ("dataset", numbered("imputation {}"), Datasets(), "imputations"),
        ("dataset", numbered("mmlu {}-shot"), Datasets(), "shots"),
        ("dataset", numbered("cutoff={}"), Datasets(), "thresholds"),
        ("run", numbered("prompt_{}"), Seeds(), "prompts"),
        ("run", numbered("bootstrap_{}"), Seeds(), "bootstrap samples"),
        ("run", numbered("epoch=0{}-step=1955.ckpt"), Seeds(), "epochs"),
        ("run", numbered("checkpoint-{}00"), Seeds(), "checkpoints"),
        ("run", numbered("Slice0{}"), SPLITS, "slices of time or data"),
        (
            "run",
            [f"{name}/seed{i}" for name in ("cifar10", "svhn") for i in range(3)],
            Seeds(),
            "seeds of several things",
        ),
        ("fold", numbered("year {}"), CV(1, 6), "dates"),
        ("run", numbered("hospital {}"), Seeds(), "clients or sites"),
        ("run", numbered("site-{}"), Seeds(), "places"),
        ("run", numbered("episode_0{}"), Seeds(), "cases"),
        ("fold", numbered("tile{}"), CV(1, 6), "places"),
        ("item", numbered("run{}_fold1"), Items(), "folds"),
        ("item", numbered("Fold0{}.Rep1"), Items(), "folds"),
        ("dataset", numbered("iter1-cv{}"), Datasets(), "folds"),
        ("run", numbered("width={}0"), Seeds(), "settings"),
        ("run", numbered("n_train={}00"), SPLITS, "settings"),
        ("dataset", numbered("snr={}5"), Datasets(), "settings"),
        (
            "run",
            [f"lr=0.{a},bs={b}" for a in (1, 2) for b in (8, 16)],
            Seeds(),
            "settings",
        ),
    ],
)
def test_labels_of_another_kind_are_noted(role, labels, design, things):
    (note,) = notes_about_labels(table(role, role, design, labels))
    assert note.endswith(f"are they {things}?")


@pytest.mark.parametrize(
    ("role", "labels", "design"),
    [
        ("run", numbered("seed{}-epoch=100.ckpt"), Seeds()),
        ("run", numbered("resnet50/seed{}"), Seeds()),
        ("run", numbered("job_{}"), Seeds()),
        ("dataset", numbered("set {}"), Datasets()),
        ("dataset", numbered("monks-{}"), Datasets()),
        ("dataset", numbered("task {}"), Datasets()),
        ("dataset", numbered("subject {}"), Datasets()),
        ("dataset", ["arc 25-shot", "gsm8k 5-shot", "mmlu 5-shot"], Datasets()),
        ("item", numbered("image{}.png"), Items()),
        ("item", numbered("episode {}"), Items()),
        ("dataset", numbered("site {}"), Datasets()),
        ("dataset", numbered("n={}00,p=5") + ["n=100,p=50"], Datasets()),
        ("dataset", ["job_s=1", "job_s=7", "job_s=9"], Datasets()),
        ("dataset", ["s=0.2", "s=0.5", "s=0.9"], Datasets()),
        ("fold", numbered("region {}"), GROUPS),
        ("run", numbered("round {}"), Seeds()),
        ("run", numbered("seed={},lr=0.1"), Seeds()),
        ("run", numbered("gpu=1,seed={}"), Seeds()),
        ("run", numbered("job={}7"), Seeds()),
        ("run", numbered("s={}0"), Seeds()),
        ("run", numbered("x={}"), Seeds()),
        ("run", numbered("seed1_rep{}"), SPLITS),
    ],
)
def test_labels_of_a_kind_that_fits_are_not(role, labels, design):
    assert not [*notes_about_labels(table(role, role, design, labels))]


@pytest.mark.parametrize(
    ("name", "design", "is_noted"),
    [
        ("sample_idx", Items(), True),
        ("attempt", Items(), True),
        ("attempt", SAMPLES, False),
        ("sample_idx", SAMPLES, False),
        ("train_seed", SAMPLES, True),
        ("train_seed", Items(), False),
        ("seed", SAMPLES, False),
        ("prompt", SAMPLES, False),
        ("cv_repeat", Seeds(), True),
        ("split", Seeds(), True),
        ("repeat", Seeds(), False),
    ],
)
def test_runs_are_made_as_the_design_says(name, design, is_noted):
    one = table("run", "run", Seeds()).frame.rename(columns={"run": name})
    frame = one.assign(item=0)
    if isinstance(design, Items):
        frame = pd.concat([frame, frame.assign(item=1)])
        found = Scores(frame, design=design, metric=ANY, columns={"run": name})
    else:
        found = Scores(one, design=design, metric=ANY, columns={"run": name})
    notes = [*notes_about_labels(found)]
    assert len(notes) == is_noted
    assert not is_noted or repr(name) in notes[0]


def test_an_index_is_of_a_kind_too():
    frame = pd.DataFrame(
        RNG.random((6, 2)), columns=["nb", "svm"], index=numbered("x{}")
    )
    for name in ("subgroup", "threshold", "random_state", "lead_time"):
        with pytest.raises(ValueError, match=f"has an index called '{name}'"):
            from_wide(frame.rename_axis(name), design="datasets", metric=ANY)
    assert from_wide(frame.rename_axis("language"), design="datasets", metric=ANY)


@pytest.mark.parametrize(
    ("name", "design", "things"),
    [
        ("cutoff", "1x6", "thresholds by its name, and no folds"),
        ("noise_level", "1x6", "settings by its name, and no folds"),
        ("train_size", "datasets", "sizes by its name, and no data sets"),
        ("month", "6 x 20%", "dates by its name, and no runs"),
        ("epoch_no", "seeds", "epochs by its name, and no runs"),
    ],
)
def test_an_index_of_numbers_says_what_the_rows_are(name, design, things):
    frame = pd.DataFrame(RNG.random((6, 2)), columns=["nb", "svm"])
    index = pd.Index([1, 2, 5, 10, 20, 50], name=name)
    with pytest.raises(ValueError, match=f"index called '{name}', which has {things}"):
        from_wide(frame.set_axis(index), design=design, metric=ANY)


#: Each role in a design that needs it, and whose kinds are known.
ROLES = [
    ("run", "seeds"),
    ("run", "6 x 20%"),
    ("fold", "1x6"),
    ("dataset", "datasets"),
    ("item", "items"),
]


@pytest.mark.parametrize(("role", "design"), ROLES)
def test_an_index_is_refused_as_a_column_is(role, design):
    known = {
        name: is_refused(name, role, design, in_index=False)
        for name in names_of_kinds()
        if name not in ("split", "step")  # an index that is called so has other labels
    }
    in_index = {name: is_refused(name, role, design, in_index=True) for name in known}
    assert in_index == known
    assert len({*known.values()}) == 2


def names_of_kinds():
    """The first and the last name of each kind in each way."""
    file = resources.files("replib").joinpath("data", "names", "kinds.toml")
    lists = ("words", "in_role", "amounts", "uncounted")
    return [
        words.replace(" ", "_")
        for kind in tomllib.loads(file.read_text("utf-8")).values()
        for name in lists
        for words in {*kind.get(name, ())[:1], *kind.get(name, ())[-1:]}
    ]


def is_refused(name, role, design, *, in_index):
    frame = pd.DataFrame({"nb": VALUES, "svm": VALUES[::-1]})
    frame.index = pd.Index([50, 100, 200, 350, 500, 900], name=name)
    columns = None
    if not in_index:
        frame = frame.reset_index()
        columns = {role: name}
    try:
        from_wide(frame, design=design, metric=ANY, columns=columns)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize(
    ("name", "labels", "things"),
    [
        ("num_boost_round", [50, 100, 150, 200], "iterations"),
        ("nrounds", [10, 20, 50, 90], "iterations"),
        ("round", [5, 10, 15, 20], "rounds of one training"),
        ("k", [1, 3, 5, 11], "settings"),
        ("max_depth", [2, 4, 6, 8], "settings"),
        ("n", [100, 250, 900, 1500], "sizes"),
    ],
)
def test_numbers_that_do_more_than_count(name, labels, things):
    frame = pd.DataFrame(RNG.random((4, 2)), columns=["nb", "svm"])
    with pytest.raises(ValueError, match=f"has {things} by its name, and no runs"):
        from_wide(
            frame.set_axis(pd.Index(labels, name=name)), design="seeds", metric=ANY
        )


@pytest.mark.parametrize("name", ["round", "cycle", "k", "n"])
def test_numbers_of_runs_may_only_count(name):
    frame = pd.DataFrame(RNG.random((4, 2)), columns=["nb", "svm"])
    counted = frame.set_axis(pd.Index([1, 2, 3, 4], name=name))
    assert from_wide(counted, design="seeds", metric=ANY)


@pytest.mark.parametrize(
    ("name", "design"),
    [
        ("row", "1x6"),
        ("k", "1x6"),
        ("id", "seeds"),
        ("split", "6 x 20%"),
        (None, "1x6"),
    ],
)
def test_an_index_may_count_rows(name, design):
    frame = pd.DataFrame(RNG.random((6, 2)), columns=["nb", "svm"])
    index = pd.Index(range(1, 7), name=name)
    assert from_wide(frame.set_axis(index), design=design, metric=ANY)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("n_labels", "size"),
        ("num_examples", "size"),
        ("train_frac", "size"),
        ("tree_depth", "setting"),
        ("dropout_rate", "setting"),
        ("seed_count", None),
        ("n_split", None),
        ("noisy", None),
        ("level", None),
    ],
)
def test_what_numbers_in_a_column_are(name, kind):
    assert kind_of_amounts(name) == kind


@pytest.mark.parametrize("name", ["tuned_lr", "params", "params_seed", "config_id"])
def test_what_was_chosen_is_no_setting_of_a_trial(name):
    assert not is_setting(name)


REPORT = ["accuracy", "macro avg", "weighted avg"]


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["setosa", "virginica", *REPORT], True),
        (["Benign", "Malignant"], True),
        (["Cropland", "Built-up", "Bare soil", "Water", "Shrubland"], True),
        (["road", "sidewalk", "person", "rider", "mIoU"], True),
        (["PER", "LOC", "ORG", "MISC"], True),
        (["N1", "N2", "N3", "REM", "Wake"], True),
        (["car", "vehicle", "glass", "iris"], False),
        (["car", "bus", "truck", "adult"], False),
        (["water", "forest", "urban"], False),
        (["good", "bad", "iris"], False),
        (["books", "dvd", "electronics", "kitchen"], False),
        (["liver", "pancreas", "spleen", "colon"], False),
        (["PERS", "LOC", "ORG", "PROD"], True),
        (["PER", "LOC", "ORG"], True),
        (["B-LOC", "I-LOC", "B-ORG", "I-ORG", "O"], True),
        (["NN", "NNS", "VBD", "JJ", "RB"], True),
        (["BBB+", "BBB", "BBB-", "BB+", "BB"], True),
        (["A+", "A", "A-", "B+"], True),
        (["A00-B99", "C00-D48", "E00-E90"], True),
        (["positive", "neutral", "negative"], True),
        (["admiration", "grief", "relief", "pride"], True),
        (["H", "D", "A"], True),
        (["A", "B", "C", "D"], False),
        (["AA", "BB", "CC", "DD"], False),
        (["B-1", "B-2", "I-1", "I-2"], False),
        (["Art", "Clipart", "Product", "Real World"], False),
        (["mouse", "rat", "dog", "monkey"], False),
        (["bottle", "cable", "capsule", "pill"], False),
        (["positive", "neutral"], False),
    ],
)
def test_data_sets_that_are_called_like_classes(labels, is_noted):
    found = notes_about_labels(table("dataset", "dataset", Datasets(), labels))
    assert (
        any("are they classes of one data set?" in note for note in found) == is_noted
    )


@pytest.mark.parametrize(
    ("key", "name", "design", "piece"),
    [
        ("run", "cv_repeat", Seeds(), "cross-validation by its name"),
        ("run", "resample", SPLITS, "may have bootstrap samples"),
        ("dataset", "query_id", Datasets(), "queries by its name"),
    ],
)
def test_columns_of_wide_tables_keep_their_names(key, name, design, piece):
    frame = pd.DataFrame(RNG.random((6, 2)), columns=["nb", "svm"])
    frame = frame.assign(**{name: range(301, 307)})
    scores = from_wide(frame, design=design, metric=ANY, columns={key: name})
    (note,) = notes_about_labels(scores)
    assert piece in note
