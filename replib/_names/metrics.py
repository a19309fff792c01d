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
#: Words that turn the sign of a metric.
_TURNING = {"minus", "neg", "negated", "negative", "inverse", "inverted"}


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
    if not _TURNING.isdisjoint(words) or name.startswith(("-", "1")):
        return None
    if not _LOSSES.isdisjoint(ends):
        return "lower"
    return None if _GAINS.isdisjoint(ends) else "higher"


def _words_of_metric(name: str) -> list[str]:
    """Return the words of a name in lower case, but for the last ones that only qualify it."""
    words = re.findall(r"[a-z]+\d?", name.casefold())
    while words and words[-1] in _QUALIFIERS:
        words.pop()
    return words
