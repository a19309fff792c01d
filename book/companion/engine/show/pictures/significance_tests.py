"""Pictures of the tests: null distributions, sizes, and the effects of dependence."""

import numpy as np
import pandas as pd

from . import names
from .drawing import marks, note, picture, rule, series
from .style import BLUE, GREEN, GREY, INK, RED


@picture(
    2,
    height=5.2,
    sharex=True,
    xlabel="differences in the sample, $n$",
    ylabel="Type I error (%)",
)
def sizes_of_tests(axes, sizes: pd.DataFrame, alpha: float) -> None:
    """Draw the exact sizes of the sign and the signed-rank tests against the sample size.

    Parameters
    ----------
    sizes : DataFrame
        `companion.papers.bouckaert2004.section_2.sizes_of_tests`.
    alpha : float
        The nominal level, drawn as a line.
    """
    looks = {
        "exact": ("exact", BLUE, "-", "o"),
        "as_printed": ("as printed", RED, "--", "s"),
        "normal": ("normal approximation", GREEN, ":", "^"),
    }
    sizes = sizes[sizes["form"].isin(looks)]
    for ax, (test, rows) in zip(axes, sizes.groupby("test", sort=False)):
        for form, of_form in rows.groupby("form", sort=False):
            series(ax, of_form["n"], of_form["size"], *looks[form])
        rule(ax, y=100 * alpha)
        ax.set(
            title=test.replace("_", " ").replace("signed rank", "signed-rank test"),
            ylim=(0, 1.3 * rows["size"].max() + 1),
        )
        ax.legend(loc="upper right", ncols=3)


@picture(
    4, height=5.6, sharex=True, sharey=True, xlabel="discordant pairs, $n_{10}+n_{01}$"
)
def mcnemar_sizes(axes, sizes: pd.DataFrame, alpha: float) -> None:
    """Draw the exact sizes of McNemar's tests against the number of discordant pairs.

    Parameters
    ----------
    sizes : DataFrame
        `companion.papers.bouckaert_frank2004.section_3.mcnemar_sizes`.
    alpha : float
        The nominal level, drawn as a line.
    """
    wide = sizes.pivot(index="n", columns="form", values="size")
    forms = {"exact": BLUE, "corrected": GREEN, "as_printed": INK, "uncorrected": RED}
    for ax, (form, color) in zip(axes, forms.items()):
        ax.vlines(wide.index, 0, wide[form], color=color, lw=1.6)
        rule(ax, y=100 * alpha)
        ax.set_title(form.replace("_", " "), color=color)
        ax.set_ylim(0, 1.08 * max(wide.to_numpy().max(), 100 * alpha))
    axes[0].figure.supylabel("Type I error (%)")


@picture(
    xlabel="p-value", xscale="log", xlim=(None, 1.1), ylabel="data sets", yticks=[]
)
def five_by_two_orders(
    ax, orders: pd.DataFrame, alpha: float, datasets: int = 20
) -> None:
    """Draw ten p-values of the 5x2cv test on each of a few data sets.

    Parameters
    ----------
    orders : DataFrame
        `companion.papers.bouckaert_frank2004.section_3.five_by_two_orders`.
    alpha : float
        The significance level, drawn as a line.
    datasets : int
        Number of data sets to show, in the order of their smallest p-value.
    """
    shown = orders.head(datasets)
    shown = shown.loc[
        shown.min(axis=1).sort_values(ascending=False, kind="stable").index
    ]
    rows, top = np.arange(len(shown)), len(shown) - 0.3
    ax.figure.set_figheight(0.17 * len(shown) + 1.1)
    ax.hlines(rows, shown.min(axis=1), shown.max(axis=1), color=GREY, lw=0.8)
    for column in shown:
        marks(ax, shown[column], rows, None, BLUE, ms=3.2, alpha=0.6, mew=0)
    marks(ax, shown[1, 1], rows, None, RED, "D", mfc="none", ms=4.5)
    rule(ax, x=alpha, ls="--")
    note(
        ax, rf"$\alpha$ = {alpha:g} ", (alpha, top), color=GREY, ha="right", va="bottom"
    )
    note(ax, "◇ the order as given", (1, top), color=RED, ha="right", va="bottom")
    ax.set_ylim(-0.8, len(shown) - 0.2)
    ax.spines["left"].set_visible(False)


@picture(height=3.9, xlabel="Type I error (%), rank test", xlim=(0, 103))
def type_1_errors(
    ax, table: pd.DataFrame, expected: pd.DataFrame, alpha: float
) -> None:
    """Draw the Type I errors of the six schemes: printed, simulated, and from variances alone.

    Parameters
    ----------
    table : DataFrame
        Rows of `companion.papers.dependence.comparison_with_table_1` with the rank test.
    expected : DataFrame
        `companion.papers.dependence.expected_variances`.
    alpha : float
        The nominal level, drawn as a line.
    """
    rows = np.arange(len(table))[::-1]
    by_scheme = expected[expected["test"] == "paired_t"].set_index("scheme")
    formula = table["scheme"].map(by_scheme["size"])
    marks(
        ax,
        table["size"],
        rows,
        "nothing learnt, simulated",
        BLUE,
        ms=6,
        xerr=2 * table["standard_error"],
    )
    marks(
        ax, formula, rows, "nothing learnt, formula (t test)", RED, "|", ms=17, mew=1.8
    )
    marks(
        ax,
        table["printed"],
        rows,
        "naive Bayes and C4.5, as printed at 5%",
        INK,
        "D",
        ms=6,
        mfc="none",
    )
    rule(ax, x=100 * alpha)
    ax.hlines(rows, 0, 100, color=GREY, lw=0.4, zorder=0)
    ax.set_yticks(rows, [names.wrapped(names.SCHEMES[s]) for s in table["scheme"]])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_ylim(-0.6, len(table) - 0.4)
    ax.legend(loc="lower center", bbox_to_anchor=(0.35, 1.0), ncols=1)
