"""Names of columns that hold times or sizes, and of metrics."""

import numpy as np
import pandas as pd
import pytest

from replib import Metric, Scores, compare
from replib._labels.directions import notes_about_directions
from replib._labels.metrics_as_models import notes_about_models_of_metrics
from replib._names.labels.training_parts import is_of_training
from replib._names.metrics.directions import direction_of_metric
from replib._names.models.differences import is_stated_difference
from replib._names.scores import refuse_column
from replib._names.things.columns import measured_by_name
from replib.readers import from_arrays, from_wide


@pytest.mark.parametrize(
    "name, has",
    [
        ("fit_time", "times"),
        ("mean_fit_time", "times"),
        ("Training time (s)", "times"),
        ("time (s)", "times"),
        ("time_ms", "times"),
        ("Runtime", "times"),
        ("seconds", "times"),
        ("n_instances", "sizes"),
        ("#features", "sizes"),
        ("Number of classes", "sizes"),
        ("num_parameters", "sizes"),
        ("params", "sizes"),
        ("FLOPs", "sizes"),
        ("support", "sizes"),
        ("p-value", "results of tests"),
        ("run_id", "identifiers"),
    ],
)
def test_columns_that_are_no_models(name, has):
    assert measured_by_name(name) == has
    frame = pd.DataFrame({"a": [0.7, 0.8], "b": [0.6, 0.9], name: [3.5, 4.5]})
    with pytest.raises(ValueError, match=f"has {has} by its name, and no scores"):
        from_wide(frame, design="datasets", metric="rmse")


@pytest.mark.parametrize(
    "name",
    ["time", "time domain", "10 features", "all features", "realtime", "runtime-bert"]
    + ["params-7b", "seconds order", "lifetime", "n", "no", "timesnet", "memory net"],
)
def test_models_may_be_called_almost_so(name):
    assert measured_by_name(name) is None


@pytest.mark.parametrize(
    "name, better",
    [("ROUGE-L", "lower"), ("FPR", "higher"), ("pearson_r", "lower"), ("EM", "lower")]
    + [("RMSE_log", "higher"), ("bits/dim", "higher"), ("hit@5", "lower")]
    + [
        ("latency p99", "higher"),
        ("time_s", "higher"),
        ("misclassification rate", "higher"),
        ("COMET-err ↓", "higher"),
        ("skill (higher is better)", "lower"),
        ("quality lower-better", "higher"),
        # a unit, or what was predicted, behind an error
        *[
            (name, "higher")
            for name in ("mae_ug_m3", "RMSE mm/day", "rmse_pct", "MAE_K")
        ],
        *[(name, "higher") for name in ("rmse_of_rain", "mse_u10", "WER on AMI")],
        *[(name, "higher") for name in ("MAE_eform", "mae_formation_energy")],
        *[
            (name, "higher")
            for name in ("mae_band_gap", "RMSE_yield", "val/mae_forces")
        ],
        *[
            (name, "higher")
            for name in ("rmse_heart_rate", "wer_librispeech", "mae_free_energy")
        ],
        *[
            ("test_mae_kcal_mol", "higher"),
            ("FPR@95TPR", "higher"),
            ("TPR@FPR=1%", "lower"),
        ],
        # complements, and turned signs
        *[(name, "higher") for name in ("1-AUC", "one minus dice", "100 − accuracy")],
        *[(name, "higher") for name in ("-accuracy", "1 - NSE", "1-Wasserstein")],
        *[(name, "lower") for name in ("MTBF", "profit and loss")],
        *[
            (name, "lower")
            for name in ("1 - WER", "1-CER", "-rmse", "neg mean squared error")
        ],
        # what is spent until a goal
        *[
            (name, "higher")
            for name in ("epochs_to_convergence", "time to 90% accuracy")
        ],
        *[
            (name, "higher")
            for name in ("queries until success", "labels to 95 recall")
        ],
        *[
            (name, "higher")
            for name in ("time_to_first_token", "steps needed to reach 200")
        ],
        # what is saved of a loss
        *[(name, "lower") for name in ("CRPSS", "RPS skill score", "error reduction")],
        *[
            (name, "lower")
            for name in ("d2_pinball_score", "Brier skill", "loss_saved")
        ],
        # of many fields
        *[(name, "lower") for name in ("KGE", "Nash-Sutcliffe", "TSS", "CSI", "POD")],
        *[(name, "lower") for name in ("H-measure", "Qini", "PESQ", "SI-SDRi (dB)")],
        *[(name, "lower") for name in ("c-index", "NMI", "TM-score", "BEDROC", "SPL")],
        *[(name, "higher") for name in ("omission_rate", "commission error", "FAR")],
        *[
            (name, "higher")
            for name in ("false alarm ratio", "ASSD", "minDCF", "regret")
        ],
        *[
            (name, "higher")
            for name in ("ligand RMSD (Å)", "IBS", "id switches", "TER")
        ],
        # of users, patients and products, and of equations
        *[(name, "higher") for name in ("hard bounce rate", "churn_rate", "skipRate")],
        *[(name, "higher") for name in ("30-day readmission rate", "opt-out rate")],
        *[(name, "higher") for name in ("stockout_rate", "monthly attrition rate")],
        *[(name, "higher") for name in ("rmsea.robust", "SRMR", "EBIC", "looic")],
        *[
            (name, "lower")
            for name in ("CTR", "user retention rate", "email open rate")
        ],
        *[(name, "lower") for name in ("add-to-cart rate", "watch_time", "cvr")],
        *[(name, "lower") for name in ("CFI", "tli_robust", "QWK", "elpd_loo", "lppd")],
        *[(name, "lower") for name in ("log marginal likelihood", "NNFI", "csat")],
        # of redshifts, materials, land cover and speed
        *[(name, "higher") for name in ("outlier_fraction", "f_out", "eta_outlier")],
        *[(name, "higher") for name in ("sigma68", "sigma_68", "sigma_MAD")],
        *[(name, "higher") for name in ("catastrophic outlier rate", "kappa_SRME")],
        *[
            (name, "higher")
            for name in ("miscalibration area", "quantity disagreement")
        ],
        *[(name, "lower") for name in ("val EwT", "EFwT", "AFbT", "DAF", "RTFx")],
        *[
            (name, "lower")
            for name in ("SNIa_completeness", "OA (%)", "AA", "UA", "FoM")
        ],
    ],
)
def test_a_direction_that_a_name_contradicts_is_refused(name, better):
    with pytest.raises(ValueError, match="better"):
        Metric(name, better=better)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize(
    "name",
    [
        "mia_auc",
        "membership inference accuracy",
        "reidentification_rate",
        "recall of PII",
    ]
    + ["jailbreak success rate", "duration", "drop in accuracy", "rmse ratio"]
    + ["insertion loss", "weight loss"]
    + ["steps to failure", "queries to break", "time to event", "diversity"]
    + ["Gini", "PSI", "max drawdown", "ATE", "mae_linear_probe", "negative f1"]
    + ["1-shot gap", "novelty", "rmse variance", "days to churn", "correlation"]
    + ["time to solution speedup", "steps to goal success rate"]
    + ["skill ↑↓", "neg_skill ↓", "lower bound", "coverage", "coverage@90", "slope"]
    + ["coverage of the catalogue", "distance of calibration slope from 1", "EO ratio"]
    + ["churn rate in the top decile", "fraud_rate@100", "captured churn rate"]
    + ["churn_rate@10", "pest mortality rate", "default rate", "acceptance rate"]
    + ["return rate", "retention time", "response rate", "incidence rate ratio"]
    # behind an error, a word makes another metric of it, or is that of a gain or a network
    + ["mae_gap", "mae_gender_gap", "rmse_vs_naive", "mae_within_1", "mae_explained"]
    + ["mae_rank", "crps_reliability", "mae_vit_base", "mse_ratio_yield", "mae_corr"]
    + ["lpips_diversity", "mse_inversion", "rmse_rank1", "wape_bias", "mae_transformed"]
    + ["brier_discrimination", "rmse_effect_size"]
    + ["eta", "CPS", "SVM-EWT", "data set AA"]
    + ["rmse_revenue", "mae_throughput", "wer_ami", "aic_weights", "mae_share_below_1"],
)
def test_names_that_may_have_either_direction(name, better):
    assert Metric(name, better=better).better == better


@pytest.mark.parametrize(
    "name",
    ["calibration_slope", "Cal. slope", "calibration-in-the-large", "O:E", "O/E ratio"]
    + ["observed/expected ratio", "coverage_95", "coverage at 95 %", "95% PI coverage"]
    + [
        "calibration slope (CV)",
        "coverage (95%)",
        "PICP",
        "external calibration slope",
    ],
)
def test_a_metric_that_is_best_between_has_no_direction(name):
    with pytest.raises(ValueError, match="is best at .* give the distance from it"):
        Metric(name, better="lower")


@pytest.mark.parametrize(
    ("name", "better", "scores", "is_refused"),
    [
        ("bias", "lower", [0.2, -0.1], True),
        ("mean_error", "lower", [-0.3, -0.1], True),
        ("percent bias", "higher", [0.2, 0.1], True),
        ("bias", "lower", [0.2, 0.1], False),  # its size, or predictions that are high
        ("bias", "higher", [-0.2, -0.1], False),
        ("absolute bias", "lower", [-0.2, 0.1], False),
        ("gender bias", "lower", [-0.2, 0.1], False),
        ("bias_delta_z", "lower", [-0.2, -0.1], True),
        ("mean bias T850", "lower", [-0.2, 0.1], True),
        ("bias_z", "lower", [0.2, 0.1], False),
        ("bias_amplification", "lower", [-0.2, 0.1], False),
        ("bias_score", "lower", [-0.2, 0.1], False),
        ("bias_reduction", "higher", [0.2, -0.1], False),
    ],
)
def test_scores_beyond_zero_where_they_are_best(name, better, scores, is_refused):
    scores = np.array([scores, scores[::-1]]) + 0.01
    table = from_wide(
        pd.DataFrame(scores, columns=["svm", "nb"]),
        design="seeds",
        metric=Metric(name, better=better),
    )
    if not is_refused:
        assert list(notes_about_directions(table)) == []
        return
    with pytest.raises(ValueError, match="is best at 0, and there are scores beyond"):
        list(notes_about_directions(table))


@pytest.mark.parametrize(
    ("name", "scores", "is_refused"),
    [
        ("calibration_ratio", [0.93, 1.08], True),
        ("simulated to measured ratio", [0.8, 1.3], True),
        ("A/E", [0.9, 1.02], True),
        ("COPC", [0.97, 1.11], True),
        ("bias ratio", [0.9, 1.2], True),
        ("disparate_impact", [0.7, 1.1], True),
        ("ensemble spread ratio", [0.6, 1.1], True),
        ("chi2/dof", [0.9, 1.4], True),
        ("demographic_parity_ratio", [0.7, 0.95], False),  # the smaller by the larger
        ("calibration_ratio", [1.03, 1.2], False),
        ("lift ratio", [0.9, 1.4], False),
        ("hit_ratio", [0.9, 1.4], False),
        ("likelihood ratio", [0.9, 1.4], False),
        ("compression ratio", [0.9, 1.4], False),
        ("information_ratio", [0.9, 1.4], False),
        ("loss ratio", [0.9, 1.4], False),
        ("signal to noise ratio", [0.9, 1.4], False),
    ],
)
def test_ratios_on_both_sides_of_where_they_are_best(name, scores, is_refused):
    models = {"svm": scores, "nb": scores[::-1]}
    metric = Metric(name, better="higher")
    table = from_wide(pd.DataFrame(models), design="seeds", metric=metric)
    if not is_refused:
        assert list(notes_about_directions(table)) == []
        return
    with pytest.raises(
        ValueError, match="best at 1, and there are scores on both sides"
    ):
        list(notes_about_directions(table))


@pytest.mark.parametrize(
    ("name", "has"),
    [
        *[(name, "confidences") for name in ("confidence", "mean_conf", "certainty")],
        *[(name, "probabilities") for name in ("y_prob", "logprob", "prob_1", "logit")],
        *[(name, "descriptions of the data") for name in ("prevalence", "base_rate")],
        *[(name, "standard deviations") for name in ("standard error", "écart-type")],
        *[(name, "standard deviations") for name in ("valid auc-stdv", "AUC (SD)")],
        *[(name, "standard deviations") for name in ("test-auc-std", "accStd")],
    ],
)
def test_columns_that_are_no_scores(name, has):
    with pytest.raises(ValueError, match=f"has {has} by its name"):
        refuse_column(name, "accuracy", "higher")


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("logprob", "log_likelihood"),
        ("prob", "probability of the truth"),
        ("confidence", "confidence"),
        ("prob_acc", "accuracy"),
        ("confusion", "accuracy"),
        ("SD-SDR", "sdr"),
        ("SemEval", "accuracy"),
        ("standardized_acc", "accuracy"),
    ],
)
def test_columns_that_may_be_scores(name, metric):
    refuse_column(name, metric, "higher")


@pytest.mark.parametrize(
    ("name", "is_so"),
    [
        *[(name, True) for name in ("auc_apparent", "resubstitution_error", "trn_acc")],
        *[(name, True) for name in ("insample_r2", "in.sample.acc", "index.orig")],
        *[(name, True) for name in ("fit_acc", "rmse_fit")],
        *[(name, False) for name in ("goodness_of_fit", "best_fit", "learned_acc")],
        *[(name, True) for name in ("accuracy (training)", "Genauigkeit_Training")],
        *[(name, False) for name in ("error pre-training", "accuracy self-training")],
        *[(name, False) for name in ("apparent_auc_corrected", "auc_oob", "fit_cv")],
    ],
)
def test_scores_on_the_data_that_were_trained_on(name, is_so):
    assert is_of_training(name) == is_so


def test_times_are_no_scores_of_another_metric():
    frame = pd.DataFrame(
        {"model": list("aabb"), "run": [1, 2, 1, 2], "seconds": [3.1, 3.4, 2.9, 3.0]}
    )
    columns = {"score": "seconds"}

    def table(name, better):
        metric = Metric(name, better=better)
        return compare(Scores(frame, design="seeds", metric=metric, columns=columns))

    with pytest.raises(ValueError, match="'seconds' has times by its name, and the"):
        table("quality", "higher")
    assert table("latency", "lower").notes == ()
    assert table("seconds", "lower").notes == ()


def test_words_of_a_difference_are_read_in_their_order():
    """The last one is the metric."""
    assert is_stated_difference("Δ training accuracy")
    assert not is_stated_difference("Δ accuracy training")


GAIN = Metric("score", better="higher")


def about_metrics(models, metric):
    rng = np.random.default_rng(7)
    blocks = {model: rng.uniform(0.6, 0.9, 6) for model in models}
    table = from_arrays(blocks, design="seeds", metric=metric)
    return [
        note for note in notes_about_models_of_metrics(table) if "scored by" in note
    ]


@pytest.mark.parametrize(
    ("models", "metric"),
    [
        (("dev_loss_fno", "dev_loss_pinn"), "accuracy"),
        (("conformer best valid cer", "rnnt best valid cer"), "accuracy"),
        (("loss/test/sasrec", "loss/test/gru4rec"), GAIN),
        (("valError_gnn", "valError_schnet"), "f1"),
        (("unet - test/nll", "segformer - test/nll"), GAIN),
        (("cox_val_rmse", "rsf_val_rmse"), Metric("r2")),
        (("pr_auc_glm", "pr_auc_gbm"), "roc_auc"),
        (("glm average precision", "gbm average precision"), "roc_auc"),
        (("maxent_f1_score", "brt_f1_score"), "accuracy"),
    ],
)
def test_models_that_are_called_after_another_metric(models, metric):
    (note,) = about_metrics(models, metric)
    assert str(models[0]) in note


@pytest.mark.parametrize(
    ("models", "metric"),
    [
        (("tversky_loss", "lovasz_loss"), "accuracy"),
        (("loss_adamw", "loss_lion"), "accuracy"),
        (("dev_acc_fno", "dev_acc_pinn"), "accuracy"),
        (("fno val loss", "pinn val loss"), "rmse"),
        (("early_stopping_val_loss", "swa_val_loss"), "accuracy"),
        (("mae_vit_b", "mae_vit_l"), "accuracy"),
        (("cross_entropy_mixup", "cross_entropy_cutmix"), "accuracy"),
        (("knn_mutual_info", "nb_mutual_info"), "accuracy"),
        (("hyperprior_ms_ssim", "elic_ms_ssim"), Metric("psnr", better="higher")),
        (("glm_pr_auc", "gbm_pr_auc"), Metric("average precision", better="higher")),
        (("test_time_training", "test_time_scaling"), "accuracy"),
        (("best_of_8_val_loss", "dev_net"), "accuracy"),
    ],
)
def test_models_that_are_called_after_a_loss_or_the_metric_itself(models, metric):
    assert about_metrics(models, metric) == []


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("jet_rejection", "higher"),
        ("Trigger efficiency [%]", "higher"),
        ("efficiency", "higher"),
        ("pattern correlation", "higher"),
        ("forecast skill", "higher"),
        ("mistag rate", "lower"),
        ("background efficiency at 50% signal efficiency", "lower"),
        ("energy resolution", "lower"),
        ("sigma_NMAD", "lower"),
        ("false rejection rate", "lower"),
        ("rejection", None),
        ("sample efficiency", None),
        ("resolution", None),
    ],
)
def test_a_detector_or_a_forecast_has_its_metrics(name, better):
    assert direction_of_metric(name) == better


@pytest.mark.parametrize(
    "name",
    ["QVina", "Glide score", "MM-GBSA dG", "binding_energy", "affinity (kJ/mol)"],
)
def test_energies_below_zero_are_not_better_higher(name):
    energies = {"a": [-7.1, -6.2, -8.0], "b": [-7.5, -6.0, -8.4]}
    higher, lower = (Metric(name, better=better) for better in ("higher", "lower"))
    with pytest.raises(
        ValueError, match="is an energy by its name, and all scores are"
    ):
        compare(energies, design="seeds", metric=higher)
    compare(energies, design="seeds", metric=lower)
    turned = {model: np.negative(scores) for model, scores in energies.items()}
    compare(turned, design="seeds", metric=higher)


@pytest.mark.parametrize("name", ["neg_docking_score", "log score", "affinity", "ELBO"])
def test_numbers_below_zero_may_be_better_higher(name):
    scores = {"a": [-7.1, -6.2, -8.0], "b": [-7.5, -6.0, -8.4]}
    compare(scores, design="seeds", metric=Metric(name, better="higher"))
