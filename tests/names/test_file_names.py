"""Files of models: names that speak of other data, and two files with one name inside."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replib import compare, read
from replib._command import main
from replib._names.models.files import notes_about_file_names

RNG = np.random.default_rng(6)


@pytest.mark.parametrize(
    ("first", "second", "is_noted"),
    [
        ("resnet_train_acc.csv", "vit_val_acc.csv", True),
        ("internal_test.csv", "external_validation.csv", True),
        ("holdout/scores.csv", "dev/scores.csv", True),
        ("resultsTrain.csv", "resultsTest.csv", True),
        ("acc-seen.csv", "acc-unseen.csv", True),
        ("out_of_domain.csv", "in_domain.csv", True),
        ("net-trainset.csv", "tree-testset.csv", True),
        ("offset.csv", "valset.csv", False),
        ("ppo_train.csv", "sac_eval.csv", True),
        ("glm-fit.csv", "gbm-holdout.csv", True),
        ("dev/net.csv", "blind/tree.csv", True),
        ("net_eval.csv", "tree_test.csv", False),
        ("lm_fit.csv", "gam_fit.csv", False),
        ("net_fold1.csv", "tree_fold02.csv", True),
        ("net_split-3.parquet", "tree_split-4.parquet", True),
        ("champion_dev.csv", "challenger_oot.csv", True),
        ("champion-itv.csv", "challenger-out-of-time.csv", True),
        ("champion_hold-out.csv", "challenger_dev.csv", True),
        ("champion_oot_2022Q4.csv", "challenger_oot_2023Q2.csv", True),
        ("cora/gcn.csv", "citeseer/gat.csv", True),
        ("cifar10/log.csv", "mnist/log.csv", True),
        ("librispeech/whisper.csv", "tedlium/conformer.csv", True),
        ("FD001/lstm.csv", "FD003/cnn.csv", True),
        ("sdss/rf.csv", "lsst/gbm.csv", True),
        ("Alps_2020/oa.csv", "Andes_2020/oa.csv", True),
        ("out/kenya/f1.csv", "out/uganda/f1.csv", True),
        ("new_york.csv", "Los-Angeles.csv", True),
        ("kits23/unet.csv", "lits17/umamba.csv", True),
        ("BTCV/dice.csv", "AMOS22/dice.csv", True),
        ("messidor-2/vit.csv", "aptos2019/cnn.csv", True),
        ("dqn-train.csv", "ppo-evaluation.csv", True),
        ("rollout/dqn.csv", "eval/ppo.csv", True),
        ("dqn_eval.csv", "ppo_evaluation.csv", False),
        ("dqn_eval.csv", "ppo_test.csv", False),  # may be one
        ("eval/dqn_trained.csv", "eval/ppo.csv", False),
        ("kits23/unet.csv", "kits23/umamba.csv", False),
        ("site_A/unet.csv", "site_B/umamba.csv", False),  # where they were trained
        ("vgg16/dice.csv", "resnet50/dice.csv", False),
        # two words for one part, the same part, or none
        ("resnet_val.csv", "vit_dev.csv", False),
        ("test_heldout.csv", "holdout.csv", False),
        ("champion_oot.csv", "challenger_out_of_time.csv", False),
        ("champion_oos.csv", "challenger_test.csv", False),
        ("champion_2022Q4.csv", "challenger_2023Q2.csv", False),
        ("oot_2023.csv", "oot_2023_v2.csv", False),
        ("robot.csv", "root_test.csv", False),
        ("net_fold1.csv", "tree_fold01.csv", False),
        ("train_test.csv", "test.csv", False),
        ("new.csv", "test.csv", False),
        ("pretrained_test.csv", "test.csv", False),
        ("training-free_test.csv", "retrained_test.csv", False),
        ("2024-01-02.csv", "2024-03-04.csv", False),
        ("seed0.csv", "seed1.csv", False),
        ("exp3/val/a.csv", "exp4/val/b.csv", False),
        ("contest.csv", "valley.csv", False),
        ("ours/gcn.csv", "baselines/gat.csv", False),
        ("imagenet/vit.csv", "jft/vit.csv", False),  # what they were trained on
        ("snli/predicted.csv", "mnli/predicted.csv", False),
        ("whisper_librispeech.csv", "conformer_tedlium.csv", False),
        ("librispeech/whisper.csv", "librispeech/conformer.csv", False),
        ("librispeech/whisper.csv", "results/conformer.csv", False),
        ("iris/rf.csv", "wine/gbm.csv", False),
        ("ami/whisper.csv", "visa/conformer.csv", False),
        ("cora/gcn.csv", "cora/gat.csv", False),
        ("cora/gcn.csv", "run2/gat.csv", False),
        ("Alps_2020/rf.csv", "Alps_2020/gam.csv", False),
        ("georgia/rf.csv", "jordan/gam.csv", False),  # who made them
        ("forest_2020/oa.csv", "additive_2020/oa.csv", False),
        ("paris/oa.csv", "results/oa.csv", False),
        ("ridge_oos.csv", "lstm_insample.csv", True),
        ("ridge_is.csv", "lstm_oos.csv", True),
        ("a_test.csv", "b_in-sample.csv", True),
        ("a_outsample.csv", "b_resubstitution.csv", True),
        ("a_live.csv", "b_backtest.csv", True),
        ("a_oos.csv", "b_out-of-sample.csv", False),
        ("a_is.csv", "b_insample.csv", False),
        ("a_holdout.csv", "b_oos.csv", False),
    ],
)
def test_names_of_files_that_speak_of_other_data(first, second, is_noted):
    files = {"a": [Path(first)], "b": [Path(second)]}
    notes = list(notes_about_file_names(files))
    assert len(notes) == is_noted
    assert all(Path(first).name in note and "same data?" in note for note in notes)


def test_a_file_is_called_after_its_model_and_the_data():
    files = {"bert": [Path("bert_sst2.csv")], "roberta": [Path("cola-roberta.csv")]}
    (note,) = notes_about_file_names(files)
    assert "bert_sst2.csv and cola-roberta.csv" in note
    files["roberta"] = [Path("roberta_SST-2.csv")]
    assert list(notes_about_file_names(files)) == []


def test_words_of_a_model_speak_of_no_data():
    files = {"val-tuned": [Path("val_tuned.csv")], "test-time": [Path("test_time.csv")]}
    assert list(notes_about_file_names(files)) == []


def test_all_files_of_a_model_count():
    folds = [Path(f"net_fold{i}.csv") for i in range(3)]
    others = [Path(f"tree_fold{i}.csv") for i in range(3)]
    assert list(notes_about_file_names({"net": folds, "tree": others})) == []
    assert len([*notes_about_file_names({"net": folds, "tree": others[:2]})]) == 1


def saved(folder, name, **columns):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    frame = pd.DataFrame({"item": range(50), "score": RNG.integers(0, 2, 50)})
    frame.assign(**columns).to_csv(path, index=False)
    return str(path)


def test_a_note_on_files_is_part_of_the_result(tmp_path):
    options = {"design": "items", "metric": "accuracy"}
    a, b = saved(tmp_path, "a_dev.csv"), saved(tmp_path, "b_test.csv")
    (note,) = compare(read(f"a={a}", f"b={b}", **options)).notes
    assert (
        note
        == "Files are called a_dev.csv and b_test.csv: are they about the same data?"
    )
    inside = [saved(tmp_path, f"{x}_{y}.csv", model=x) for x, y in ("cv", "dt")]
    assert read(*inside, **options).notes == ()
    inside = [
        saved(tmp_path, f"{x}-{y}.csv", model=x)
        for x, y in (("c", "val"), ("d", "test"))
    ]
    assert len(read(*inside, **options).notes) == 1


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("new.csv", "old.csv"), ("new=", "old=")),
        (("x/out.csv", "y/out.csv"), ("x=", "y=")),
    ],
)
def test_two_files_with_one_name_inside_are_to_be_named(tmp_path, capsys, names, says):
    paths = [saved(tmp_path, name, model="ckpt-final") for name in names]
    with pytest.raises(
        ValueError, match="same rows of one model, 'ckpt-final'"
    ) as seen:
        read(*paths, design="items", metric="accuracy")
    named = [f"{name}{path}" for name, path in zip(says, paths)]
    assert str(seen.value).endswith(f"as in read({named[0]!r}, {named[1]!r})")
    options = ["--design", "items", "--metric", "accuracy"]
    assert main("compare", [*paths, *options]) == 2
    assert " ".join(named) in capsys.readouterr().err
    assert read(*named, design="items", metric="accuracy").models == (
        says[0][:-1],
        says[1][:-1],
    )


def test_rows_that_occur_twice_may_be_copies(tmp_path):
    path = saved(tmp_path, "all.csv", model="a")
    frame = pd.read_csv(path)
    other = frame.assign(model="b")
    for more, says in (
        (frame, "are they copies, or"),
        (frame.assign(score=2), "is a col"),
    ):
        pd.concat([frame, other, more]).to_csv(path, index=False)
        with pytest.raises(ValueError, match=f"50 rows occur twice, .*: {says}"):
            read(path, design="items", metric="rmse")


@pytest.mark.parametrize(
    ("first", "second", "is_noted"),
    [
        ("bpr_ndcg@5.csv", "ease_ndcg@20.csv", True),
        ("lightgcn-at-20.csv", "ngcf-at-50.csv", True),
        ("nbeats_h24.csv", "ets_h48.csv", True),
        ("gfs_lead3d.csv", "ecmwf_lead5d.csv", True),
        ("prophet_24h.csv", "arima_48h.csv", True),
        ("llama_0shot.csv", "qwen_5-shot.csv", True),
        ("llama_prompt1.csv", "qwen_prompt3.csv", True),
        ("llama_t0.2.csv", "qwen_t0.8.csv", True),
        ("yolo_iou50.csv", "detr_iou75.csv", True),
        ("asr_snr5.csv", "whisper_snr20.csv", True),
        ("bpr_neg100.csv", "ease_full.csv", True),
        ("lgb_f1.csv", "cat_auc.csv", True),
        # other ways of splitting
        ("gcn_random_split.csv", "grover_scaffold-split.csv", True),
        ("gcn_scaffold.csv", "gin_random_split.csv", True),
        ("xgb_temporal_split.csv", "lgb_stratified_kfold.csv", True),
        ("maxent_spatial_cv.csv", "brt_random_cv.csv", True),
        ("eeg_loso.csv", "tcn_5fold.csv", True),
        ("svm_loo.csv", "rf_kfold.csv", True),
        ("net-subject-independent.csv", "svm-random-split.csv", True),
        ("mf_cold_start.csv", "ncf_warm_start.csv", True),
        ("deepdta_warm.csv", "graphdta_cold.csv", True),
        ("best_ckpt/cnn.csv", "last_ckpt/vit.csv", True),
        ("top5/cnn.csv", "out/vit_top10.csv", True),
        ("best_ckpt/vit.csv", "last_ckpt/vit.csv", False),
        ("top5/cnn.csv", "top5/vit.csv", False),
        ("top5/cnn.csv", "out/vit.csv", False),
        ("rf_random_split.csv", "rf_scaffold_split.csv", False),
        ("gcn_scaffold_split.csv", "gat_scaffold_split.csv", False),
        ("gcn_stratified_cv.csv", "gat_random_split.csv", False),
        ("random_forest.csv", "scaffold_gnn.csv", False),
        ("random_forest.csv", "temporal_fusion_transformer.csv", False),
        ("gcn_spatial.csv", "lstm_temporal.csv", False),
        ("cluster_gcn.csv", "random_walk.csv", False),
        ("loo_stack.csv", "ridge.csv", False),
        ("group_lasso.csv", "stratified_bagging.csv", False),
        # the same, or the settings themselves are compared, or none
        ("nbeats_h24.csv", "ets_h24.csv", False),
        ("knn_k5.csv", "knn_k10.csv", False),
        ("llama_0shot.csv", "llama_5shot.csv", False),
        ("lstm_h64.csv", "gru_h128.csv", False),
        ("resnet50.csv", "resnet101.csv", False),
        ("cnn_1d.csv", "unet_3d.csv", False),
        ("llama_7b.csv", "mistral_8b.csv", False),
        ("pythia_70m.csv", "opt_125m.csv", False),
        ("llama_4k.csv", "mistral_8k.csv", False),
        ("vit_patch16_224.csv", "swin_384.csv", False),
        ("rf_500trees.csv", "gbm_100trees.csv", False),
        ("focal_loss.csv", "dice_loss.csv", False),
        ("mae_vitb.csv", "dino_vits.csv", False),
        ("sasrec_d64_l2.csv", "caser_d32_l1.csv", False),
        ("lgb_v2.csv", "cat_v3.csv", False),
        ("t5.csv", "t0.csv", False),
    ],
)
def test_names_of_files_that_speak_of_other_settings(first, second, is_noted):
    files = {"a": [Path(first)], "b": [Path(second)]}
    notes = list(notes_about_file_names(files))
    assert len(notes) == is_noted
    assert all(note.endswith("are they scored in the same way?") for note in notes)


def test_settings_that_models_are_called_after_are_compared():
    files = {"zero shots": [Path("a_0shot.csv")], "five (5)": [Path("b_5shot.csv")]}
    assert list(notes_about_file_names(files)) == []
    names = [f"{x}_{n}shot" for x in ("llama", "qwen") for n in (0, 5)]
    crossed = {chr(97 + i): [Path(f"{name}.csv")] for i, name in enumerate(names)}
    assert list(notes_about_file_names(crossed)) == []
