"""What a metric is by its name: a loss, or a gain.

The last words of a name say what is measured, and those before them how or where.
"""

import re
import unicodedata

#: Last words of names of metrics of which lower is better, and of which higher is.
_LOSSES = {
    *("brier", "bpb", "bpc", "cer", "chamfer", "cost", "crps", "deviance"),
    *("divergence", "ece", "eer", "elapsed", "emissions", "epe", "error", "errors"),
    *("forgetting", "hausdorff"),
    *("fid", "fvd", "kl", "latency", "loss", "lpips", "mae", "mape", "med ae"),
    *("misclassification", "misclassifications", "mistakes", "mpjpe", "mse", "msle"),
    *("nll", "perplexity", "ppl", "regret", "rmse", "rmsle", "runtime", "smape"),
    *("toxicity", "wer", "bits per byte", "bits per char", "bits per character"),
    *("cross entropy", "elapsed time", "inference time", "response time", "run time"),
    *("train time", "training time", "wall clock time", "wall time"),
    *("edit distance", "hausdorff distance", "inception distance"),
    *("average rank", "avg rank", "mean rank", "median rank"),
    *(
        "wasserstein distance",
        "energy consumption",
        "memory usage",
        "peak memory",
        "power consumption",
    ),
    *("crash rate", "error rate", "failure rate", "hallucination rate", "miss rate"),
    "misclassification rate",
    *("false positive rate", "false negative rate", "violation rate"),
}
_NEGATIVE_LIKELIHOODS = {"negative log likelihood", "neg log likelihood"}
_GAINS = {
    *("acc", "accuracy", "ap", "auc", "auprc", "auroc", "bleu", "chrf", "dcg", "dice"),
    *("elo", "f1", "fps", "hits", "iou", "kappa", "likelihood", "map", "mcc", "miou"),
    *("mrr", "ndcg", "pass", "precision", "psnr", "r2", "recall", "reward", "rouge"),
    *("sensitivity", "sharpe", "specificity", "ssim", "throughput", "top", "top1"),
    *("top5", "exact match", "pass rate", "resolved rate", "solve rate"),
    *("sharpe ratio", "success rate", "tokens per second", "win rate"),
}
#: Last words that say how, where or in which unit a metric was measured, not what it is.
_QUALIFIERS = {
    *("average", "avg", "coefficient", "macro", "mean", "median", "micro", "score"),
    *("weighted", "dev", "eval", "test", "train", "val", "valid"),
    *("validation", "eur", "gb", "kwh", "mb", "ms", "s", "sec", "seconds", "usd"),
}
#: What is spent, as in "time per step".
_COSTS = {"cost", "energy", "ms", "price", "seconds", "time"}
#: Who succeeds, if it is not the model: the direction depends on whose side one is on.
_ATTACKERS = {"adversarial", "attack", "attacker", "backdoor", "evasion", "jailbreak"}
#: Words that turn the sign of a metric.
_TURNING = {"minus", "neg", "negated", "negative", "inverse", "inverted"}
#: Names of one quantity each, by their last words.  Metrics of two of them differ.
_QUANTITIES = {
    **dict.fromkeys(["acc", "accuracy", "em", "exact match"], "accuracy"),
    **dict.fromkeys(["auc", "auroc", "roc auc"], "area under the ROC curve"),
    **dict.fromkeys(["ap", "auprc", "average precision", "pr auc"], "precision curve"),
    **dict.fromkeys(["mae", "mean absolute error"], "absolute error"),
    **dict.fromkeys(["rmse", "root mean squared error"], "root of squared error"),
    **dict.fromkeys(["mse", "mean squared error"], "squared error"),
    **dict.fromkeys(["log loss", "logloss", "cross entropy", "nll"], "log loss"),
    **dict.fromkeys(["kappa"], "kappa"),
    **dict.fromkeys(["matthews corrcoef", "mcc"], "correlation"),
    **{name: name for name in ("bleu", "f1", "perplexity", "precision", "r2")},
    **dict.fromkeys(["recall", "sensitivity"], "recall"),
    **dict.fromkeys(["iou", "miou"], "intersection over union"),
}


def direction_of_metric(name: str) -> str | None:
    """Return the direction that a metric has by the last words of its name, or None.

    Parameters
    ----------
    name : str

    Returns
    -------
    {"lower", "higher"} or None

    Examples
    --------
    >>> [direction_of_metric(name) for name in ("val/word_error_rate", "FID", "neg_loss", "skill")]
    ['lower', 'lower', None, None]
    """
    plain = re.sub(r"\(.*?\)", "", unicodedata.normalize("NFKC", name))
    if plain.strip().casefold() == "rank":
        return "lower"  # a rank correlation or a reciprocal rank has another name
    # words of "eval/wer", "valLoss" and "F1-score (macro)"; "mIoU" is one word
    words = _words_of_metric(re.sub(r"([a-z])([A-Z])", r"\1 \2", plain))
    if "per" in words[1:] and words[words.index("per") - 1] in _COSTS:
        return "lower"  # a time per step
    unsplit = _words_of_metric(plain)
    ends = [" ".join(words[-n_words:]) for n_words in (3, 2, 1)] + unsplit[-1:]
    if not _NEGATIVE_LIKELIHOODS.isdisjoint(ends):
        return "lower"
    if is_turned(name) or "to" in words[1:-1] or not _ATTACKERS.isdisjoint(words):
        return None  # "time to accuracy" is no accuracy
    if not _LOSSES.isdisjoint(ends):
        return "lower"
    return None if _GAINS.isdisjoint(ends) else "higher"


def is_turned(name: str) -> bool:
    """Return whether a name says that the sign of a metric, or its direction, was turned.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_turned("neg_log_loss"), is_turned("1 - WER"), is_turned("log_loss")
    (True, True, False)
    """
    words = re.findall(r"[a-z]+", name.casefold())
    return not _TURNING.isdisjoint(words) or name.startswith(("-", "1"))


def quantity_of_metric(name: str) -> str | None:
    """Return what a metric measures by the last words of its name, if this is well known.

    Parameters
    ----------
    name : str

    Returns
    -------
    str or None

    Examples
    --------
    >>> [quantity_of_metric(name) for name in ("val_acc", "balanced_accuracy", "F1", "skill")]
    ['accuracy', 'accuracy', 'f1', None]
    """
    words = _words_of_metric(name)
    for n_words in (4, 3, 2, 1):
        end = " ".join(words[-n_words:])
        if len(words) >= n_words and end in _QUANTITIES:
            return _QUANTITIES[end]
    return None


def _words_of_metric(name: str) -> list[str]:
    """Return the words of a name in lower case, but for the last ones that only qualify it."""
    words = re.findall(r"[a-z]+\d?", name.casefold())
    while words and words[-1] in _QUALIFIERS:
        words.pop()
    return words
