"""What a column has by its name alone: times, sizes and counts are no scores of a model.

Names are matched as a whole, so that a model that is called "10 features" or a metric
that is called "time to accuracy" is none of these.
"""

import re

from replib._names.things.kinds import STATES, kind_of_name
from replib._names.things.nouns import noun_of_name
from replib._names.things.roles import is_word_of_labels
from replib._names.words import plain_text, split_at_capitals, words_of_column

#: Columns of how much scores vary: "auc-stdv", "AUC (SD)".
_SPREAD = re.compile(
    r"(?:sd|sem)(?:[ _].*)?|(?:std|stdv|stdev|stddev|stderr)(?:[^a-z].*)?"
    r"|.*[^a-z\d](?:std|sd|stdv|stdev|stddev|stderr|std[ _-]?(?:dev|err)|sem)[)\]]?"
    r"|(?:.*[^a-z])?standard[ _-](?:deviation|error)(?:[^a-z].*)?"
)
#: What lm-evaluation-harness writes behind a metric: "acc_stderr,none".
_FILTER = re.compile(r",[ \w-]+$")
#: Columns of machines, and first words of columns of the epochs that were chosen.
_MACHINES = {"gpu", "host", "hostname", "machine", "node"}
_CHOSEN = {"best", "early", "final", "last", "stopped"}
#: What it says about its own answers may be the metric itself.
_OF_ANSWERS = re.compile(r"prob|conf|certain|likelihood|logit")
#: How sure a noun is that a column of a table has, and no model, split or score.
_MEASURED = ("refused", "in_tables")
#: Rows of these have no scores, whatever the other rows are.
_OF_ROWS = ("results of tests", "ranks")


def measured_by_name(name: object) -> str | None:
    """Return what a column has by its name, such as "times"; None for a name like any other.

    >>> names = ("fit_time", "time (s)", "#instances", "n_params", "time", "10 features")
    >>> [measured_by_name(name) for name in names]
    ['times', 'times', 'sizes', 'sizes', None, None]
    """
    return noun_of_name(str(name), *_MEASURED)


def is_no_row(label: object) -> bool:
    """Return whether a row has ranks, counts or results of tests by its label, and no scores.

    >>> is_no_row("p-value"), is_no_row("#instances"), is_no_row("seconds")
    (True, True, False)
    """
    measured = measured_by_name(label)
    plain = plain_text(label)
    if measured == "times":
        return "time" in plain
    if measured == "sizes" and re.match(r"#|(?:n|nr|no|num)[ _.]", plain):
        return True
    return measured in _OF_ROWS or noun_of_name(str(label), "row") is not None


def is_size_of_model(name: object) -> bool:
    """Return whether a column has sizes of models, or times, by its name.

    What a model costs says nothing about which of its scores a row has.

    >>> is_size_of_model("n_params"), is_size_of_model("n_samples")
    (True, False)
    """
    is_of_data = noun_of_name(str(name), "row") == "sizes"
    return measured_by_name(name) in ("times", "sizes") and not is_of_data


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
    >>> no_score_by_name("acc_stderr,none"), no_score_by_name("acc,none")
    ('standard deviations', None)
    """
    name = _FILTER.sub("", str(name))
    if has_spreads(name):
        return "standard deviations"
    plain = plain_text(name).strip("_")
    if plain != "score" and (is_word_of_labels(plain) or kind_of_name(plain) in STATES):
        return "labels"
    return noun_of_name(str(name), "score")


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
