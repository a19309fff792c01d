"""Names on pages: of learners and their pairs, schemes, tests, designs."""

import textwrap

LEARNERS = {
    "naive_bayes": "naive Bayes",
    "c45": "C4.5",
    "nearest_neighbour": "nearest neighbour",
    "tan": "TAN",
    "decision_stump": "decision stump",
    "linear_svm": "linear SVM",
}
_SHORT = {
    "nb": ("NB", "naive_bayes"),
    "c45": ("C4.5", "c45"),
    "nn": ("NN", "nearest_neighbour"),
}

#: Pairs of the three learners of the papers, in full and short.
PAIRS = {
    f"{a}_{b}": f"{LEARNERS[_SHORT[a][1]]} – {LEARNERS[_SHORT[b][1]]}"
    for a, b in (("nb", "c45"), ("nb", "nn"), ("c45", "nn"))
}
SHORT_PAIRS = {
    pair: " vs ".join(_SHORT[x][0] for x in pair.split("_")) for pair in PAIRS
}

SCHEMES = {
    "resampling": "resampling",
    "k_fold": "k-fold cv",
    "use_all_data": "use all data",
    "average_over_folds": "average over folds",
    "average_over_runs": "average over runs",
    "average_over_sorted_runs": "sorted runs",
    "random_10": "10% at random",
}

#: Tests of a sample; the last three with the ids of Table 2 of bouckaert2004.
TESTS = {
    "signed_rank": "signed ranks",
    "sign_test": "sign test",
    "paired_t": "t test",
    "exact_sign_test": "exact sign test",
    "corrected_t": "corrected t",
    "sign_test_as_printed": "sign test as printed",
    "sign": "sign test",
    "ranksum": "signed ranks",
    "t": "t test",
}
_OF_A_SCHEME = {"signed_rank": "rank", "sign_test": "sign", "paired_t": "t"}

#: Designs with their own test.
DESIGNS = {
    "corrected_repeated_cv": "corrected repeated cv",
    "corrected_resampled_10": "corrected, 10 splits",
    "corrected_resampled_100": "corrected, 100 splits",
    "five_by_two_cv": "5×2 cv",
}

#: Names in tables where replacing underscores by spaces is not enough.
WORDS = (
    LEARNERS
    | SHORT_PAIRS
    | SCHEMES
    | DESIGNS
    | {
        test: TESTS[test]
        for test in (
            "signed_rank",
            "sign_test",
            "paired_t",
            "exact_sign_test",
            "corrected_t",
            "sign_test_as_printed",
        )
    }
    | {f"source{number}": f"source {number}" for number in range(1, 5)}
    | {
        "type_1_error": "Type I error",
        "type_1": "Type I error",
        "type1_error": "Type I error",
        "type1_replicability": "Type I replicability",
        "pvalue": "p-value",
        "test_fraction": "test share τ",
        "almost": "almost consistent",
        **{f"runs{runs}": f"{runs} runs" for runs in (2, 5, 10, 20, 50, 100)},
        "runs1": "1 run",
        "alpha1": "α = 1%",
        "alpha2p5": "α = 2.5%",
        "alpha5": "α = 5%",
        "alpha10": "α = 10%",
        "bonferroni": "Bonferroni",
        "holm": "Holm",
        "benjamini_hochberg": "Benjamini–Hochberg",
        "all_pairs_holm": "all pairs, Holm",
        "replicability_R": "R",
        "plain $t$": "plain t",
        "5x2cv": "5×2cv",
        "a_correct": "A correct",
        "b_correct": "B correct",
        "a_better": "A better",
        "b_better": "B better",
    }
)


def design(name: str) -> str:
    """Return the name of a design.

    Examples
    --------
    >>> design("average_over_sorted_runs.paired_t"), design("five_by_two_cv")
    ('sorted runs, t', '5×2 cv')
    """
    scheme, _, test = name.partition(".")
    return f"{SCHEMES[scheme]}, {_OF_A_SCHEME[test]}" if test else DESIGNS[name]


def wrapped(text: str) -> str:
    """Break a name into several lines, for the ticks of an axis."""
    return "\n".join(textwrap.wrap(text, 14))
