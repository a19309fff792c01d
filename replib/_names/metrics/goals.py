"""What is spent by a name: a time, what one step takes, and what it takes to reach a goal."""

import re

from replib._names.metrics.named import metric_at_end, words_of_metric
from replib._names.metrics.vocabulary import words_of_name
from replib._names.things.columns import measured_by_name
from replib._names.words import plain_words, split_at_capitals

#: What is spent, as in "time per step".
_COSTS = {"cost", "energy", "ms", "price", "seconds", "time"}
#: Who succeeds, if it is not the model: the direction depends on whose side one is on.  A
#: share of a loss that is explained, or saved, is a gain.
UNCERTAIN = {
    *("adversarial", "attack", "attacker", "backdoor", "evasion", "jailbreak"),
    *("canary", "leak", "leakage", "membership", "memorisation", "memorization", "mia"),
    *("pii", "reidentification"),  # who is found out
    *("insertion", "weight"),  # the loss of a filter, or of a patient
}
#: What is spent until a goal is reached.
_SPENT = re.compile(
    r"(?:.* )?(?:time|hours|days|minutes|seconds|epochs|steps|rounds|episodes|iterations"
    r"|iters|generations|updates|batches|evaluations|evals|queries|calls|samples|labels"
    r"|annotations|tokens|trials|attempts|demos|demonstrations|interactions|turns|clicks"
    r"|moves|experiments|flops|cost|energy)"
    r" (?:(?:needed|required|used|taken|spent) )?"
    r"(?:to|until|till|before|for reaching) (?P<goal>.+)"
)
#: What one wants to reach, and what one does not.
_GOALS = {
    *("answer", "completion", "converge", "converged", "convergence", "criterion"),
    *("finish", "first", "goal", "hit", "optimal", "optimum", "quality", "reach"),
    *("resolution", "solution", "solve", "solved", "success", "target", "threshold"),
}
_UNWANTED = {
    *("break", "churn", "collapse", "collision", "crash", "death", "default"),
    *("depletion", "disengagement", "divergence", "dropout", "error", "event"),
    *("exhaustion", "fail", "failure", "fall", "forget", "forgetting", "intervention"),
    *("loss", "progression", "readmission", "recurrence", "relapse"),
    *("takeover", "violation"),
}
#: Behind a metric, these make another one, which may have the other direction.
BEHIND_TURNED = {
    *("change", "decrease", "delta", "diff", "difference", "drop", "gain", "gap"),
    *("improvement", "increase", "inv", "inverse", "neg", "norm", "penalty", "rank"),
    *("ratio", "rel", "reduction", "saved", "savings", "skill", "ss"),
    *("ci", "iqr", "range", "sd", "se", "sem", "std", "var", "variance"),
    *("based", "net", "nn", "opt"),
}


def is_spent(plain: str) -> bool:
    """Return whether a name is a rank, a time, or what is spent per step."""
    measured = measured_by_name(plain)
    if measured == "ranks" or (measured == "times" and "time" in plain.casefold()):
        return True  # a rank correlation or a reciprocal rank has another name
    words = words_of_metric(split_at_capitals(plain))
    return "per" in words[1:] and words[words.index("per") - 1] in _COSTS


def has_goal(plain: str) -> bool:
    """Return whether a name is of what is spent until something happens."""
    return _SPENT.match(plain_words(plain)) is not None


def direction_until_goal(plain: str) -> str | None:
    """Return "lower" for what is spent until a goal is reached, such as "steps to solution".

    The time to a failure may be wanted to be long, and a goal may be that of an attacker.
    """
    match = _SPENT.match(plain_words(plain))
    if match is None:
        return None
    goal = set(words_of_name(match["goal"]))
    # "time to solution speedup"
    is_ratio = match["goal"].split()[-1] in {"rate", "speedup", *BEHIND_TURNED}
    if is_ratio or not goal.isdisjoint(_UNWANTED | UNCERTAIN):
        return None
    is_known = metric_at_end(match["goal"]) is not None
    has_number = re.search(r"\d", match["goal"]) is not None
    return "lower" if is_known or has_number or not goal.isdisjoint(_GOALS) else None
