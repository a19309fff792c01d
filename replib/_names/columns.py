"""What a column has by its name alone: times, sizes and counts are no scores of a model.

Names are matched as a whole, so that a model that is called "10 features" or a metric
that is called "time to accuracy" is none of these.
"""

import re

from replib._names.kinds import STATES, kind_of_name
from replib._names.roles import is_word_of_labels
from replib._names.words import plain_text, split_at_capitals, words_of_column

#: Columns of times, as scikit-learn, trackers and people call them.  A column that is
#: called "time" alone may be a model of the time domain.
_TIME = re.compile(
    r"(?:(?:avg|average|mean|total)[ _])?"
    r"(?:(?:fit|train|training|test|testing|score|scoring|predict|prediction|inference"
    r"|wall|wall[ _]clock|cpu|gpu|run|elapsed|build|compute)[ _]?times?"
    r"|runtime|duration|seconds|secs|time(?=[ _]?[(\[])|time[ _](?:s|sec|secs|seconds|ms))"
    r"(?:[ _]?[(\[]?(?:s|sec|secs|seconds|ms|min|minutes|h|hours)[)\]]?)?"
)
#: Columns of numbers of things: of a data set, or of a training.
_COUNT = re.compile(
    r"(?:n|nr|num|number[ _]of|no|#)[ _.]*"
    r"(?:instances|samples|rows|examples|items|features|attributes|classes"
    r"|epochs|steps|iterations|trees|leaves|nodes|tokens|seeds|runs|folds)"
)
#: Columns of sizes of a model, and of what it takes.
_SIZE = re.compile(
    r"(?:num|number[ _]of|n|nr|no|#)?[ _.]*(?:trainable[ _])?(?:params|parameters)"
    r"|flops|gflops|macs|model[ _]size|memory|peak[ _]memory|support"
)
#: Rows of a leaderboard that have costs.  A data set may be called "support" or "memory".
_COSTS = re.compile(
    r"(?:#? ?params|flops|gflops|macs|fps|throughput|latency|rtfx?|speed)(?: ?\(.*\))?"
)
#: Columns of ranks, and of how much scores vary: "auc-stdv", "AUC (SD)".
_RANK = re.compile(
    r"(?:(?:avg|average|mean|median)[ _])?(?:rank|ranks|ranking)"
    r"|rank[ _](?:avg|average|mean|median)"
)
_SPREAD = re.compile(
    r"(?:sd|sem)(?:[ _].*)?|(?:std|stdv|stdev|stddev|stderr)(?:[^a-z].*)?"
    r"|.*[^a-z\d](?:std|sd|stdv|stdev|stddev|stderr|std[ _-]?(?:dev|err)|sem)[)\]]?"
    r"|(?:.*[^a-z])?standard[ _-](?:deviation|error)(?:[^a-z].*)?"
)
#: Columns of scores that are none: predictions, limits of an interval, settings.
_PREDICTION = re.compile(
    r"(?:y[ _])?(?:pred|preds|predicted|prediction|predictions)"
    r"|y[ _]true|targets?|truth|ground[ _]truth"
)
_HOURS = re.compile(r".*[ _](?:hours?|minutes?|seconds?|secs?)")
_COUNTED = re.compile(
    r"(?:(?:n|nr|num|number[ _]of|total)[ _])(?:edits|errors|mistakes|correct|wrong|hits"
    r"|misses|substitutions|insertions|deletions|words)|(?:correct|error)[ _]count"
)
_LIMIT = re.compile(
    r"(?:.*[ _])?(?:ci|conf|confidence|interval|pct|percentile)[ _]?(?:low|lower|lo|high"
    r"|upper|hi|width|\d+)|(?:lower|upper)[ _](?:ci|bound|limit)|[lu]cl|ci"
)
_INNER = re.compile(r"inner[ _].*")
_SETTING = re.compile(
    r"(?:best|last|final|early|stopped)[ _](?:epoch|step|iteration)"
    r"|lr|learning[ _]rate|batch[ _]?size|dropout|weight[ _]decay|momentum|temperature"
    r"|max[ _]depth|n[ _]estimators|hidden[ _](?:size|dim)"
)
#: Columns of machines, and first words of columns of the epochs that were chosen.
_MACHINES = {"gpu", "host", "hostname", "machine", "node"}
_CHOSEN = {"best", "early", "final", "last", "stopped"}
#: Columns of what a model says about its own answers.
_CONFIDENCE = re.compile(
    r"(?:(?:mean|avg|average|model|max|self|verbal|verbalized|predicted|pred|softmax|top1)"
    r"[ _-])?(?:confidences?|conf|certainty|uncertainty)(?:[ _-]scores?)?"
)
_PROBABILITY = re.compile(
    r"(?:(?:y|p|pred|predict|predicted|mean|avg|average|max|raw|log|sum|cum|cumulative"
    r"|softmax|sigmoid|top1)[ _-])*"
    r"(?:probs?|proba|probability|probabilities|logprobs?|logproba|logits?)"
    r"(?:[ _-](?:\d+|pos|positive|true|gold|sum|mean|avg))?"
    r"|p[ _-]?hat|y[ _-]scores?|decision[ _-]function"
)
#: What it says about its own answers may be the metric itself.
_OF_ANSWERS = re.compile(r"prob|conf|certain|likelihood|logit")
#: Columns of what the test data are like.
_PREVALENCE = re.compile(
    r"(?:\w+[ _-])?(?:prevalence|support)(?:[ _-](?:pct|percent|rate))?"
    r"|(?:base|event|positive)[ _-]rate"
    r"|optimism"
)
#: Columns of tests, and of what tells rows apart.
_INTERVAL = re.compile(r"ci ?95|95 ?% ?ci|±|\+/-|half[ _-]width")
_YEAR = re.compile(r"years?")
_P_VALUE = re.compile(
    r"p ?\(.*\)|(?:.+[ _-])?p[ _-]?(?:values?|val)|t[ _-]?stat(?:istic)?s?"
)
_IDENTIFIER = re.compile(
    r"(?:(?:run|job|trial|experiment|exp|sample|row|task|model)[ _]?)?(?:id|uuid)"
)

#: What a column of scores may have instead.
_NO_SCORES = (
    (_HOURS, "times"),
    (_PREDICTION, "predictions"),
    (_COUNTED, "counts"),
    (_LIMIT, "limits of an interval"),
    (_SETTING, "settings"),
    (_INNER, "scores of inner splits"),
    (_CONFIDENCE, "confidences"),
    (_PROBABILITY, "probabilities"),
    (_PREVALENCE, "descriptions of the data"),
)
#: What rows may have by their labels instead.
_NO_ROWS = (_COUNT, _P_VALUE, _RANK, _COSTS)
#: What may have a unit behind its name, such as "params (M)".
_WITH_UNIT = ("times", "sizes")
#: What columns have by their names, in the order in which names are compared.
_MEASURED = (
    (_TIME, "times"),
    (_COUNT, "sizes"),
    (_SIZE, "sizes"),
    (_P_VALUE, "results of tests"),
    (_RANK, "ranks"),
    (_INTERVAL, "intervals"),
    (_YEAR, "years"),
    (_IDENTIFIER, "identifiers"),
)


def measured_by_name(name: object) -> str | None:
    """Return what a column has by its name, such as "times"; None for a name like any other.

    >>> names = ("fit_time", "time (s)", "#instances", "n_params", "time", "10 features")
    >>> [measured_by_name(name) for name in names]
    ['times', 'times', 'sizes', 'sizes', None, None]
    """
    plain = plain_text(name).lstrip("_")  # trackers begin with it
    without_unit = re.sub(r"(?<=\w)[ _]*[(\[][^()]*[)\]]$", "", plain)
    for pattern, measured in _MEASURED:
        if pattern.fullmatch(plain):
            return measured
        if measured in _WITH_UNIT and pattern.fullmatch(without_unit):
            return measured
    return None


def is_no_row(label: object) -> bool:
    """Return whether a row has ranks, counts or results of tests by its label, and no scores.

    >>> is_no_row("p-value"), is_no_row("#instances"), is_no_row("seconds")
    (True, True, False)
    """
    plain = plain_text(label)
    is_number = re.match(r"#|(?:n|nr|no|num)[ _.]", plain) is not None
    if is_number and measured_by_name(plain) == "sizes":
        return True
    if "time" in plain and measured_by_name(plain) == "times":
        return True
    return any(pattern.fullmatch(plain) for pattern in _NO_ROWS)


def is_size_of_model(name: object) -> bool:
    """Return whether a column has sizes of models, or times, by its name.

    What a model costs says nothing about which of its scores a row has.

    >>> is_size_of_model("n_params"), is_size_of_model("n_samples")
    (True, False)
    """
    plain = plain_text(name).lstrip("_")
    return any(pattern.fullmatch(plain) for pattern in (_SIZE, _TIME))


def tells_of_training(name: object) -> bool:
    """Return whether a column says by its name where, or how long, a model was trained.

    >>> tells_of_training("gpu"), tells_of_training("best_epoch"), tells_of_training("epoch")
    (True, True, False)
    """
    words = words_of_column(name)
    if " ".join(words) in _MACHINES:
        return True
    return words[:1] != words[-1:] and words[0] in _CHOSEN and words[-1] in STATES


def no_score_by_name(name: object) -> str | None:
    """Return what a column of scores has instead, by its name, such as "predictions", or None.

    >>> [no_score_by_name(name) for name in ("y_pred", "ci_low", "lr", "val_acc")]
    ['predictions', 'limits of an interval', 'settings', None]
    """
    if has_spreads(name):
        return "standard deviations"
    plain = plain_text(name).strip("_")
    if plain != "score" and (is_word_of_labels(plain) or kind_of_name(plain) in STATES):
        return "labels"
    for pattern, kind in _NO_SCORES:
        if pattern.fullmatch(plain):
            return kind
    return None


def is_about_answers(name: object) -> bool:
    """Return whether a metric is what a model says about its answers, such as a probability.

    >>> is_about_answers("probability of the truth"), is_about_answers("accuracy")
    (True, False)
    """
    return _OF_ANSWERS.search(plain_text(name)) is not None


def has_spreads(name: object) -> bool:
    """Return whether a column has standard deviations or errors by its name.

    >>> [has_spreads(name) for name in ("std_test_score", "auc-stdv", "aucStd", "test_score")]
    [True, True, True, False]
    """
    # "sem eval" is no standard error of "SemEval"
    spellings = (name, split_at_capitals(str(name)).replace(" ", "-"))
    return any(_SPREAD.fullmatch(plain_text(spelling)) for spelling in spellings)
