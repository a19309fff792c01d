"""Pictures of the tests: null distributions, sizes, and the effects of dependence."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import names, style
from .style import BLUE, GREEN, GREY, INK, RED, in_house_style


@in_house_style
def signed_rank_null(null: pd.DataFrame) -> Figure:
    """Draw the exact null distribution of the rank sum with two normal approximations.

    Parameters
    ----------
    null : DataFrame
        `companion.papers.bouckaert2004.section_2.signed_rank_null`.
    """
    fig, ax = style.figure(height=3.3)
    percent = 100 * null[["exact", "correct", "printed"]]
    ax.bar(null["rank_sum"], percent["exact"], width=0.8, color=GREY, alpha=0.55, label="exact")
    for form, color, line, name in (
        ("correct", BLUE, "-", "normal, correct variance"),
        ("printed", RED, "--", "normal, variance as printed"),
    ):
        ax.plot(null["rank_sum"], percent[form], color=color, ls=line, label=name)
    ax.set(xlabel="sum $W_+$ of the positive ranks", ylabel="probability (%)", ylim=(0, None))
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=1)
    return fig


@in_house_style
def sizes_of_tests(sizes: pd.DataFrame, alpha: float) -> Figure:
    """Draw the exact sizes of the sign and the signed-rank tests against the sample size.

    Parameters
    ----------
    sizes : DataFrame
        `companion.papers.bouckaert2004.section_2.sizes_of_tests`.
    alpha : float
        The nominal level, drawn as a line.
    """
    looks = {"exact": (BLUE, "-", "o"), "normal": (GREEN, ":", "^"), "as_printed": (RED, "--", "s")}
    names = {"exact": "exact", "normal": "normal approximation", "as_printed": "as printed"}
    fig, axes = style.figure(2, height=5.2, sharex=True)
    sizes = sizes[sizes["form"].isin(looks)]
    for ax, (test, rows) in zip(axes, sizes.groupby("test", sort=False)):
        for form, of_form in rows.groupby("form", sort=False):
            color, line, marker = looks[form]
            ax.plot(of_form["n"], of_form["size"], color=color, ls=line, lw=1.2, marker=marker,
                    ms=4, label=names[form])
        _level(ax, alpha)
        ax.set(title=test.replace("_", " ").replace("signed rank", "signed-rank test"),
               ylabel="Type I error (%)", ylim=(0, 1.3 * rows["size"].max() + 1))
        ax.legend(loc="upper right", ncols=3, fontsize=9, columnspacing=1, handlelength=1.6)
    axes[-1].set_xlabel("differences in the sample, $n$")
    return fig


@in_house_style
def mcnemar_sizes(sizes: pd.DataFrame, alpha: float) -> Figure:
    """Draw the exact sizes of McNemar's tests against the number of discordant pairs.

    Parameters
    ----------
    sizes : DataFrame
        `companion.papers.bouckaert_frank2004.section_3.mcnemar_sizes`.
    alpha : float
        The nominal level, drawn as a line.
    """
    wide = sizes.pivot(index="n", columns="form", values="size")
    panels = (("exact", "exact", BLUE), ("corrected", "corrected", GREEN),
              ("as_printed", "as printed", INK), ("uncorrected", "uncorrected", RED))
    fig, axes = style.figure(len(panels), height=5.6, sharex=True, sharey=True)
    for ax, (form, name, color) in zip(axes, panels):
        ax.vlines(wide.index, 0, wide[form], color=color, lw=1.6)
        _level(ax, alpha)
        ax.set_title(name, color=color)
        ax.set_ylim(0, 1.08 * max(wide.to_numpy().max(), 100 * alpha))
    fig.supylabel("Type I error (%)", fontsize=11)
    axes[-1].set_xlabel("discordant pairs, $n_{10}+n_{01}$")
    return fig


@in_house_style
def five_by_two_orders(orders: pd.DataFrame, alpha: float, datasets: int = 20) -> Figure:
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
    shown = shown.loc[shown.min(axis=1).sort_values(ascending=False, kind="stable").index]
    rows = np.arange(len(shown))
    fig, ax = style.figure(height=0.17 * len(shown) + 1.1)
    ax.hlines(rows, shown.min(axis=1), shown.max(axis=1), color=GREY, lw=0.8)
    for column in shown:
        ax.plot(shown[column], rows, "o", color=BLUE, ms=3.2, ls="none", alpha=0.6, mew=0)
    ax.plot(shown[1, 1], rows, "D", color=RED, ms=4.5, ls="none", mfc="none")
    ax.axvline(alpha, color=GREY, lw=1, ls="--")
    top = len(shown) - 0.3
    ax.annotate(rf"$\alpha$ = {alpha:g} ", (alpha, top), color=GREY, ha="right", va="bottom")
    ax.annotate("◇ the order as given", (1, top), color=RED, ha="right", va="bottom", fontsize=10)
    ax.set(xscale="log", xlabel="p-value", xlim=(None, 1.1), ylim=(-0.8, len(shown) - 0.2))
    ax.set_yticks([])
    ax.set_ylabel("data sets")
    ax.spines["left"].set_visible(False)
    return fig


@in_house_style
def equicorrelation(sizes: pd.DataFrame, alpha: float, rho: float) -> Figure:
    """Draw the Type I error of two t tests against the correlation of the differences.

    Parameters
    ----------
    sizes : DataFrame
        `companion.papers.topics.dependence.equicorrelation`.
    alpha : float
        The nominal level, drawn as a line.
    rho : float
        The correlation that the corrected test assumes, drawn as a line.
    """
    fig, ax = style.figure(height=3.8)
    lines = {"paired_t": RED, "corrected_t": BLUE}
    numbers = sorted(sizes["n"].unique())
    last = sizes["rho"].max()
    for (test, n), rows in sizes.groupby(["test", "n"], sort=False):
        ax.plot(rows["rho"], rows["size"], color=lines[test], ls="-" if n == numbers[-1] else "--")
    ends = sizes[sizes["rho"] == last].sort_values("size", kind="stable")
    place = -np.inf
    for end in ends.itertuples():
        place = max(end.size, place + 5.5)  # keeps the labels of close curves apart
        style.note(ax, f"$n={end.n}$", (last, place), (4, 0), color=lines[end.test], va="center",
                   annotation_clip=False, fontsize=9)
    _level(ax, alpha)
    ax.axvline(rho, color=GREY, lw=0.8, ls=":")
    ax.annotate(rf"$\rho$ = {rho:.3g}", (rho, 101), color=GREY, fontsize=9,
                ha="center", va="bottom", annotation_clip=False)
    ax.plot([], [], color=RED, label="paired t")
    ax.plot([], [], color=BLUE, ls="-", label="corrected t")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.06), ncols=2)
    ax.set(xlabel=r"correlation $\rho$ of any two differences", ylabel="Type I error (%)",
           xlim=(0, last), ylim=(0, 100))
    return fig


@in_house_style
def type_1_errors(table: pd.DataFrame, expected: pd.DataFrame, alpha: float) -> Figure:
    """Draw the Type I errors of the six schemes: printed, simulated, and from variances alone.

    Parameters
    ----------
    table : DataFrame
        Rows of `companion.papers.topics.dependence.beside_table_1` with the rank test.
    expected : DataFrame
        `companion.papers.topics.dependence.expected_variances`.
    alpha : float
        The nominal level, drawn as a line.
    """
    rows = np.arange(len(table))[::-1]
    by_scheme = expected[expected["test"] == "paired_t"].set_index("scheme")
    formula = table["scheme"].map(by_scheme["size"])
    fig, ax = style.figure(height=3.9)
    ax.errorbar(table["size"], rows, xerr=2 * table["standard_error"], fmt="o", color=BLUE, ms=6,
                elinewidth=1.5, label="nothing learnt, simulated")
    ax.plot(formula, rows, "|", color=RED, ms=17, mew=1.8, ls="none",
            label="nothing learnt, formula (t test)")
    ax.plot(table["printed"], rows, "D", color=INK, ms=6, mfc="none", ls="none",
            label="naive Bayes and C4.5, as printed")
    ax.axvline(100 * alpha, color=GREY, lw=0.8, ls=":")
    ax.hlines(rows, 0, 100, color=GREY, lw=0.4, zorder=0)
    ax.set_yticks(rows, [names.wrapped(names.SCHEMES[s]) for s in table["scheme"]])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set(xlabel="Type I error (%), rank test", xlim=(0, 103), ylim=(-0.6, len(table) - 0.4))
    ax.legend(loc="lower center", bbox_to_anchor=(0.35, 1.0), ncols=1)
    return fig


def _level(ax: Axes, alpha: float) -> None:
    ax.axhline(100 * alpha, color=GREY, lw=0.8, ls=":")
