"""What a label is by its name: a summary, the truth, a learner, or a part of the data."""

import re
from collections.abc import Iterable

from replib._names.metrics import direction_of_metric

#: A label of these words alone is that of a row that summarises the others.
_SUMMARY_WORDS = {
    *(
        "aggregate",
        "aggregated",
        "average",
        "avg",
        "best",
        "combined",
        "count",
        "deviation",
    ),
    *(
        "durchschnitt",
        "gemiddelde",
        "genomsnitt",
        "geomean",
        "gesamt",
        "gmean",
        "hmean",
    ),
    *("insgesamt", "iqm", "iqr", "max", "maximum", "mean", "median", "mediana", "min"),
    *("minimum", "mittel", "mittelwert", "moy", "moyenne", "médiane", "média"),
    *("ortalama", "overall", "pooled", "promedio", "rank", "ranks", "sd", "sig"),
    *("significance", "stderr", "std", "stdev", "subtotal", "sum", "summary", "summe"),
    *("t-test",),
    *("total", "totale", "variance", "wilcoxon", "wins", "worst", "Σ".casefold()),
    *(
        "średnia",
        "среднее",
        "итого",
        "всего",
        "合計",
        "合计",
        "総合",
        "总计",
        "平均",
        "平均值",
        "평균",
        "ø",
        "⌀",
    ),
}
#: With a bracket behind them, these may be names: Best (NL) is a town.
_NAMES_OF_PLACES = {"best", "max", "min", "rank", "sum", "total", "wins", "worst"}
#: What stands behind a name is a summary of its parts, if these are its last word.
_LAST_WORDS = {"aggregate", "average", "avg", "iqm", "overall", "subtotal"}
#: What is averaged may also stand behind: "Average of 7", "Mean w/o GSM8K".
_GROUP_BEHIND = re.compile(
    r"(?:avg\.?|average) (?:(?:of|over|across) |(?=\d))(?P<group>.+)"
    r"|(?:avg\.?|average|mean) (?:w/o|without|excl\w*\.?|except|incl\w*\.?) (?P<others>.+)"
)
#: A bracket behind a name may have these, too: nothing else has a mean in a bracket.
_LAST_IN_BRACKET = _LAST_WORDS | {"mean", "median", "pooled", "total"}
#: Labels of runs that are computed from the others, or come before them.
_NO_RUNS = re.compile(
    r"(?:(?:run|seed|rep|trial|sample)s?[-_ ])?(?:"
    r"(?:cons|sc|vote|best|pass|avg|mean)[-_ ]?@[-_ ]?(?:\d+|[kn])"
    r"|(?:maj(?:ority)?|consensus|self[-_ ]?consistency|ensemble)"
    r"(?:[-_ ]?(?:vote|voting|of))?(?:[-_ ]?@?[-_ ]?(?:\d+|[kn]))?"
    r"|(?:warm[-_ ]?up|burn[-_ ]?in|dry[-_ ]?run)s?[-_ ]?\d*)(?:[-_ ]runs?)?"
)
#: Things that a row has all of.
_ALL = re.compile(
    r"(?:entire|full|total|whole)[-_ ](?:cohort|population|sample|study)"
    r"|(?:random|fixed)[- ]effects?(?: model)?|meta[- ]analysis"
    r"|all[-_ ](?:the[-_ ])?[a-z]+[-_ ]?[a-z]*s"
)
#: Words that may stand beside these.
_QUALIFIERS = {
    *("acc", "accuracy", "arithmetic", "dev", "error", "f1", "geometric", "harmonic"),
    *("final", "macro", "micro", "p", "score", "standard", "test", "weighted"),
    *("unweighted", "across", "all", "data", "datasets", "estimate", "folds", "no"),
    *("number", "of", "over", "algorithm", "alle", "classifier", "games", "general"),
    *("geo", "geom", "global", "globale", "générale", "grand", "group", "method"),
    *("model", "interquartile", "normalized", "normalised", "row", "runs", "seeds"),
    *("sets", "simple", "sites", "tasks", "the", "trimmed"),
}
#: Two of these, one of each kind, are a summary, too.
_KINDS_OF_SUMMARY = {"final", "macro", "micro", "unweighted", "weighted"}
_SCORES = {"acc", "accuracy", "error", "f1", "score"}
#: Wins, ties and losses.
_WINS = re.compile(
    r"w(?:in)?s?[ /-]*[td](?:ie|raw)?s?[ /-]*l(?:oss|ose)?(?:es)?", re.IGNORECASE
)
#: Learners, without blanks and signs.
_LEARNERS = {
    *("adaboost", "bagging", "boosting", "c45", "c50", "cart", "catboost"),
    *("decisiontree", "elasticnet", "extratrees", "forest", "gbdt", "gbm", "gp"),
    *("gradientboosting", "j48", "knn", "lasso", "lda", "lightgbm", "lgbm"),
    *("linearregression", "linearsvm", "logistic", "logisticregression", "lr", "lstm"),
    *("mlp", "naivebayes", "nb", "ols", "qda", "randomforest", "resnet", "rf", "ridge"),
    *("sgd", "svm", "svc", "svr", "transformer", "tree", "xgb", "xgboost", "bayesnet"),
    *("bernoullinb", "coxph", "decisionstump", "deepsurv", "extratree", "gam"),
    *("gaussiannb", "gaussianprocess", "glm", "glmnet", "gradientboostedtrees"),
    *("histgradientboosting", "ibk", "jrip", "kernelridge", "kneighbors", "linearsvc"),
    *("knearestneighbors", "lineardiscriminantanalysis", "multinomialnb"),
    *("neuralnetwork", "perceptron", "quadraticdiscriminantanalysis", "ranger", "rsf"),
    *("smo", "supportvectormachine", "zeror"),
}
#: A model with such a name is the difference of two others, if it has its values.
_DIFFERENCES = {
    *("change", "delta", "diff", "difference", "gain", "improvement", "Δ".casefold()),
    *("improv", "lift", "uplift"),
}
#: Such as "Improvement over the baseline".
_OF_ANOTHER = re.compile(
    r"(?:vs\.? |(?:\w+\.? )?(?:improvements?|gains?|diff(?:erence)?|delta|[δΔ]) "
    r"(?:over|vs\.?|from|wrt|relative to) )\w",
    re.IGNORECASE,
)
_SOME_DIFFERENCE = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(_DIFFERENCES)}|vs)(?![^\W\d_])|δ", re.IGNORECASE
)
#: No model is called so: it is one, whatever its values are.
_PLAIN_DIFFERENCES = {"improv", "improvement", "uplift"}
#: Words that say how a difference was taken.
_OF_DIFFERENCES = {
    *("%", "abs", "absolute", "over", "pct", "percent", "percentage", "points", "pp"),
    *("rel", "relative", "vs"),
}
#: Words that may stand beside these.
_BESIDE_DIFFERENCES = {"average", "avg", "in", "max", "mean", "of", "our", "ours"}
#: A model with such a name that is never wrong is the column of the truth.
_TRUTH_NAMES = frozenset(
    ["actual", "expected", "gold", "gold label", "ground truth", "label", "labels"]
    + ["target", "truth", "y", "y true"]
)
#: These are names of the truth beside models that are right or wrong, too; "gold" and "y"
#: are models there.
_TRUTH_BESIDE_ANSWERS = _TRUTH_NAMES - {"gold", "y"}
#: Names of the data that are trained on, and of those that are not.
TRAINED = {"train", "training"}
#: Words for scores on the data that were trained on.
_OF_TRAINING = {"apparent", "derivation", "insample", "resub", "resubstitution", "trn"}
#: These are so with a metric beside them: "fit_acc", but not "goodness of fit".
_BESIDE_METRIC = (
    r"(?:fit|fitted|learn)[-_ /](?P<behind>.+)|(?P<before>.+)[-_ /](?:fit|fitted|learn)"
)
#: Scores of these are not on the data that were trained on, whatever was.
_NOT_OF_TRAINING = {"corrected", "cv", "heldout", "holdout", "oob", "oof", "optimism"}
#: Words that make another word of training.
_BEFORE_TRAINING = {"adv", "co", "meta", "post", "pre", "re", "self"}
TESTED = {"test", "testing", "val", "valid", "validation", "dev"}


def words_of_label(label: object) -> list[str]:
    """Return the words of a label in lower case.

    Parameters
    ----------
    label : object

    Returns
    -------
    list of str
    """
    plain = re.sub(r"(?<=.)[(\[].*?[)\]]", "", str(label).casefold())  # "Avg (UCI)"
    return re.sub(r"[_.↑↓*†‡]", " ", plain).split()


def is_of_training(name: object) -> bool:
    """Return whether a name says that something is of the training data, and of no other.

    Parameters
    ----------
    name : object

    Returns
    -------
    bool

    Examples
    --------
    >>> [is_of_training(name) for name in ("train_acc", "acc_train", "train_test", "trains")]
    [True, True, False, False]
    >>> [is_of_training(name) for name in ("auc_apparent", "fit_r2", "best_fit", "auc_cv")]
    [True, True, False, False]
    """
    plain = str(name).casefold().removeprefix("metrics.")
    plain = re.sub(r"index[._ ]orig", "apparent", plain)  # of a validation in R
    words = re.findall(r"[a-z]+", re.sub(r"in[-_ .]sample", "insample", plain))
    if not words or not (TESTED | _NOT_OF_TRAINING).isdisjoint(words):
        return False
    if "train" in words[1:]:
        return words[words.index("train", 1) - 1] not in _BEFORE_TRAINING
    if words[0] in TRAINED or not _OF_TRAINING.isdisjoint(words):
        return True
    beside = re.fullmatch(_BESIDE_METRIC, plain)
    if beside is None:
        return False
    return direction_of_metric(beside["behind"] or beside["before"]) is not None


def is_summary(label: str) -> bool:
    """Return whether a label has no words but those of a summary.

    Parameters
    ----------
    label : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_summary("Avg. rank"), is_summary("mean shift")
    (True, False)
    """
    plain = label.strip().casefold()
    if _WINS.fullmatch(plain) or _ALL.fullmatch(plain):
        return True
    if _is_place(plain):
        return False
    plain = re.sub(r"±|\+/-", " ", label.lstrip("# "))
    return any(_summarise(words_of_label(x)) for x in (plain, plain.replace("-", " ")))


def _is_place(plain: str) -> bool:
    """Return whether a bracket behind a word says where it is, as in "Best (NL)"."""
    match = re.fullmatch(r"(?P<name>[a-z]+) *[(\[](?P<where>[^()]+)[)\]]", plain)
    if match is None or match["name"] not in _NAMES_OF_PLACES:
        return False
    words = re.findall(r"[^\W\d_]+", match["where"])
    return bool(words) and not set(words) <= _SUMMARY_WORDS | _QUALIFIERS | {"n"}


def summarised_group(label: str) -> str | None:
    """Return what a label summarises by its last word, such as a group of data sets, or None.

    Parameters
    ----------
    label : str

    Returns
    -------
    str or None

    Examples
    --------
    >>> [summarised_group(label) for label in ("Natural avg.", "GLUE (mean)", "Totalcare")]
    ['natural', 'glue', None]
    """
    plain = label.casefold().strip(" .:")
    before = _GROUP_BEHIND.fullmatch(plain)
    if before is not None:
        return before["group"] or before["others"]
    in_bracket = re.fullmatch(
        r"(?P<group>.*\w)\W*[(\[](?P<word>[^\W\d_]+)\.?[)\]]", plain
    )
    if in_bracket is not None:
        return in_bracket["group"] if in_bracket["word"] in _LAST_IN_BRACKET else None
    behind = re.fullmatch(r"(?P<group>.*\w)[-–—_:/, ]+(?P<word>[^\W\d_]+)", plain)
    if behind is not None:
        return behind["group"] if behind["word"] in _LAST_WORDS else None
    return None


def is_no_run(label: str) -> bool:
    """Return whether a label is a vote over runs by its name, or comes before them.

    Parameters
    ----------
    label : str

    Returns
    -------
    bool

    Examples
    --------
    >>> [is_no_run(label) for label in ("maj@5", "warm-up", "main")]
    [True, True, False]
    """
    return _NO_RUNS.fullmatch(label.strip().casefold()) is not None


def _summarise(of_label: list[str]) -> bool:
    """Return whether words say that the others are summarised, and nothing else."""
    words = set(of_label)
    if words == {"samples", "avg"}:
        return True  # a row of scikit-learn's report
    if words & _KINDS_OF_SUMMARY and words & _SCORES and words <= _QUALIFIERS:
        return True  # "Micro F1"
    return bool(words & _SUMMARY_WORDS) and words <= _SUMMARY_WORDS | _QUALIFIERS


def is_name_of_truth(model: str) -> bool:
    """Return whether a model is named as the column of the truth is.

    Parameters
    ----------
    model : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_name_of_truth("Y_true")
    True
    """
    return " ".join(words_of_label(model)) in _TRUTH_NAMES


def is_truth_beside_answers(model: str) -> bool:
    """Return whether a model that is right or wrong is named as only the truth is.

    Parameters
    ----------
    model : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_truth_beside_answers("label"), is_truth_beside_answers("label smoothing")
    (True, False)
    """
    return " ".join(words_of_label(model)) in _TRUTH_BESIDE_ANSWERS


def are_learners(labels: Iterable[str]) -> bool:
    """Return whether all labels are names of learners, as tables have them in their first row.

    Parameters
    ----------
    labels : iterable of str

    Returns
    -------
    bool

    Examples
    --------
    >>> are_learners(["SVM", "Random forest"]), are_learners(["iris", "SVM"])
    (True, False)
    """
    n_learners = 0
    for label in labels:
        plain = re.sub(r"[\W_]", "", label.casefold())
        if re.sub(r"(?<=.)(?:classifier|regressor|cv)$", "", plain) not in _LEARNERS:
            return False
        n_learners += 1
    return n_learners > 1


def is_difference(model: str) -> bool:
    """Return whether a model is named as a difference of two others is.

    Parameters
    ----------
    model : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_difference("Δ"), is_difference("difference target propagation")
    (True, False)
    """
    words = words_of_label(model)
    return (len(words) == 1 and words[0] in _DIFFERENCES) or " vs " in f" {model} "


def is_stated_difference(name: str, others: Iterable[str] = ()) -> bool:
    """Return whether a name says that something is a difference, in so many words.

    Parameters
    ----------
    name : str
    others : iterable of str
        Names of the other models: a difference may name two of them.

    Returns
    -------
    bool

    Examples
    --------
    >>> names = ("Rel. improvement (%)", "Δ over svm", "gain ratio", "delta", "raw diff")
    >>> [is_stated_difference(name, ["svm", "raw"]) for name in names]
    [True, True, False, False, False]
    """
    if _OF_ANOTHER.match(name):
        return True
    if _SOME_DIFFERENCE.search(name) is None:
        return False  # most names need not be compared with the others
    words = re.findall(r"[^\W\d_]+|%", name.casefold().replace("δ", "δ "))
    named = [
        other
        for other in others
        if set(re.findall(r"[^\W_]+", other.casefold()))
        <= set(re.findall(r"[^\W_]+", name.casefold()))
    ]
    of_others = {
        word for other in named for word in re.findall(r"[^\W\d_]+", other.casefold())
    }
    rest = set(words) - of_others
    differences = rest & _DIFFERENCES
    how = rest & _OF_DIFFERENCES
    more = rest - differences - how - _BESIDE_DIFFERENCES
    is_of_metric = bool(more) and direction_of_metric(" ".join(more)) is not None
    if len(named) > 1 and "vs" in how:
        return True
    if not differences or (more and not is_of_metric):
        return False
    is_plain = not differences.isdisjoint(_PLAIN_DIFFERENCES)
    return is_plain or is_of_metric or bool(how) or len(named) > 1


def ranked_model(name: str, models: Iterable[str]) -> str | None:
    """Return the model whose ranks a column has by its name, such as "rank_svm", or None.

    Parameters
    ----------
    name : str
    models : iterable of str

    Returns
    -------
    str or None

    Examples
    --------
    >>> ranked_model("rank_svm", ["svm", "nb"]), ranked_model("ranknet", ["net"])
    ('svm', None)
    """
    match = re.fullmatch(
        r"ranks?[ _.(-]+(?P<before>[^)]+)\)?|(?P<after>[^(]+?)[ _.(-]+ranks?\)?",
        name,
        re.IGNORECASE,
    )
    if match is None:
        return None
    model = match["before"] or match["after"]
    return model if model in models else None
