"""Pictures that explain replicability: repeated tests, two scales, three worlds, six schemes."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from . import names, style
from .style import AMBER, BLUE, GREEN, GREY, INK, PURPLE, RED, in_house_style


@in_house_style
def repeated_test_sets(frame: pd.DataFrame) -> Figure:
    """Draw discordant counts of repeated experiments on a data set, with p-values and outcomes.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.topics.opening_experiment.repeated_mcnemar`.
    """
    fig, ax = style.figure(height=0.29 * len(frame) + 1.15)
    y = frame["repetition"]
    found = frame["outcome"] != "no difference"
    for side, sign, color in (("only_a", -1, RED), ("only_b", 1, BLUE)):
        tints = [(color, 1.0 if significant else 0.35) for significant in found]
        ax.barh(y, sign * frame[side], color=tints, height=0.62)
    reach = 1.12 * frame[["only_a", "only_b"]].to_numpy().max()
    ax.text(1.38 * reach, 0, "p-value", fontsize=10, va="center", ha="right")
    for row, significant in zip(frame.itertuples(), found):
        pvalue = "< 0.001" if row.pvalue < 0.001 else f"{row.pvalue:.3f}"
        ax.text(1.38 * reach, row.repetition, pvalue, fontsize=10, va="center", ha="right")
        ax.text(1.46 * reach, row.repetition, row.outcome, fontsize=10, va="center",
                color=INK if significant else GREY, weight="bold" if significant else "normal")
    ax.axvline(0, color=INK, lw=0.8, ls="-")
    ax.set(ylabel="test set", ylim=(len(frame) + 0.6, -0.5), xlim=(-reach, 2.3 * reach))
    ax.set_xlabel("test instances that only one gets right", loc="left")
    ax.text(-0.05 * reach, 0, "A only", color=RED, ha="right", va="center", fontsize=10)
    ax.text(0.05 * reach, 0, "B only", color=BLUE, ha="left", va="center", fontsize=10)
    ticks = [t for t in ax.get_xticks() if -reach <= t <= reach]
    ax.set_xticks(ticks, [f"{abs(t):.0f}" for t in ticks])
    ax.set_yticks(y if len(y) <= 20 else y[::5])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return fig


@in_house_style
def two_scales(curve: pd.DataFrame, acceptance: float, replicability: float) -> Figure:
    """Draw replicability against the probability of accepting, on both scales, one set marked.

    Parameters
    ----------
    curve : DataFrame
        Columns `accepts` (probability) and `replicability`.
    acceptance, replicability : float
        Values of the marked data set.
    """
    fig, ax = style.figure(height=3.0)
    ax.plot(curve["accepts"], curve["replicability"], color=BLUE, ls="-")
    ax.plot([acceptance], [replicability], "o", color=RED, ms=8, clip_on=False)
    right = acceptance < 0.5
    ax.annotate("the data set above", (acceptance, replicability), color=RED, fontsize=10,
                xytext=(0.5, 0.78), textcoords=ax.get_xaxis_transform(), ha="center",
                arrowprops={"arrowstyle": "-", "color": RED, "lw": 0.8, "shrinkB": 6,
                            "relpos": (0.3 if right else 0.7, 0)})
    ax.set(xlabel="probability $a_D$ of accepting", ylabel="replicability $r_D$",
           xlim=(0, 1), ylim=(0.5, 1))
    _normalised_scale(ax, "normalised, $2r_D-1$")
    return fig


def _normalised_scale(ax: Axes, label: str) -> None:
    """Add the normalised scale on the right of an axis of raw replicability."""
    other = ax.secondary_yaxis("right", functions=(lambda r: 2 * r - 1, lambda x: (x + 1) / 2))
    other.set_ylabel(label)
    ax.spines["right"].set_visible(False)


@in_house_style
def over_power(curve: pd.DataFrame, here: dict[str, float]) -> Figure:
    """Draw replicability against power as the difference grows, above the bound set by chance.

    Parameters
    ----------
    curve : DataFrame
        `companion.papers.topics.opening_experiment.replicability_over_power`.
    here : dict
        `companion.papers.topics.opening_experiment.power_and_replicability` of the marked
        experiment.
    """
    fig, ax = style.figure(height=3.6)
    power = np.linspace(0, 1, 201)
    bound = 1 - 2 * power * (1 - power)
    ax.fill_between(power, 0.5, bound, color=GREY, alpha=0.25, lw=0)
    for correlation in (0, 0.25, 0.5, 0.75):
        at_half = (1 + correlation) / 2
        if correlation:
            ax.plot(power, 1 - (1 - correlation) * (1 - bound), color=GREY, ls=":", lw=1.2)
        ax.text(0.5, at_half + 0.014, f"correlation {correlation:g}", color=GREY, fontsize=9,
                ha="center", va="bottom")
    ax.plot(curve["power"], curve["replicability"], color=BLUE, ls="-")
    ax.plot([here["power"]], [here["replicability"]], "o", color=RED, ms=8, clip_on=False)
    ax.set(xlabel=r"power $\pi$ (at the left end: Type I error)", ylabel="replicability $r$",
           xlim=(0, 1), ylim=(0.5, 1))
    _normalised_scale(ax, "normalised, $2r-1$")
    return fig


@in_house_style
def worlds(drawn: pd.DataFrame, summary: pd.DataFrame, names: dict[str, str]) -> Figure:
    """Draw rejections of repeated experiments, data sets across, repetitions down, by world.

    Parameters
    ----------
    drawn : DataFrame
        `companion.papers.topics.opening_experiment.draw_worlds`.
    summary : DataFrame
        `companion.papers.topics.opening_experiment.compare_worlds`.
    names : dict
        Title of each world.
    """
    datasets, repetitions = drawn["dataset"].max(), drawn["repetition"].max()
    fig, axes = style.figure(len(names), height=0.12 * repetitions * len(names) + 2.0, sharex=True)
    for ax, (world, name) in zip(axes, names.items()):
        rows = drawn[(drawn["world"] == world) & drawn["reject"]]
        for x, y in zip(rows["dataset"], rows["repetition"]):
            ax.add_patch(Rectangle((x - 0.5, y - 0.45), 1, 0.9, color=RED, lw=0))
        ax.set_title(f"{name}: $r$ = {summary.at[world, 'replicability']:.3f}", fontsize=10)
        ax.set(xlim=(0.2, datasets + 0.8), ylim=(repetitions + 0.6, 0.4))
        ax.set_yticks([1, repetitions])
        ax.spines[["top", "right"]].set_visible(True)
        for spine in ax.spines.values():
            spine.set_color(GREY)
    axes[len(axes) // 2].set_ylabel("repetition")
    axes[-1].set_xlabel("data set, from the least to the most often rejecting")
    return fig


@in_house_style
def block_and_sorted_block(
    block: np.ndarray, ordered: np.ndarray, samples: pd.DataFrame
) -> Figure:
    """Draw Figure 1 of bouckaert2004: the block with its margins, and the sorted block below.

    Parameters
    ----------
    block : ndarray, shape (runs, folds)
        Differences, in percentage points.
    ordered : ndarray, shape (runs, folds)
        `companion.papers.bouckaert2004.section_2.sorted_runs` of the block.
    samples : DataFrame
        `companion.papers.bouckaert2004.section_2.figure_1` of the block.
    """
    runs, folds = block.shape
    sample = {name: rows["difference"].to_numpy() for name, rows in samples.groupby("scheme")}
    fig, axes = style.figure(2, height=2 * (0.36 * runs + 1.6))
    largest = np.abs(block).max()

    _cells(axes[0], block, largest, "fold")
    beside = 1.04 * folds
    _margin(axes[0], sample["average_over_folds"], (beside, 0), (0, 1), GREEN)
    axes[0].text(beside, -0.12, "averages\nover folds", color=GREEN, fontsize=9, va="bottom")
    _margin(axes[0], sample["average_over_runs"], (0, runs + 0.4), (1, 0), PURPLE)
    axes[0].text(beside, runs + 0.4, "averages\nover runs", color=PURPLE, fontsize=9, va="center")
    _outline(axes[0], 0, 0, folds, runs, color=INK, ls="-", lw=2.4, label="use all data")
    _outline(axes[0], 0.05, 0.08, folds - 0.1, 0.84, color=BLUE, ls="--", lw=2,
             label="cross-validation")
    _outline(axes[0], 0.1, 0.13, 0.8, runs - 0.26, color=AMBER, ls=":", lw=2.4, label="resampling")
    axes[0].legend(loc="upper center", bbox_to_anchor=(0.45, -0.02), ncols=3, fontsize=9,
                   handlelength=1.8, columnspacing=1.2)

    _cells(axes[1], ordered, largest, "sorted\nfold")
    _outline(axes[1], 0, 0, folds, runs, color=INK, ls="-", lw=1.2)
    _margin(axes[1], sample["average_over_sorted_runs"], (0, runs + 0.4), (1, 0), RED)
    axes[1].text(beside, runs + 0.4, "averages over\nsorted runs", color=RED, fontsize=9,
                 va="center")
    for ax, title in zip(axes, ("Each run as it comes", "Each run sorted, highest first")):
        ax.set(xlim=(-0.2 * folds, 1.34 * folds), ylim=(runs + 0.8, -1.05))
        ax.set_title(title)
        ax.axis("off")
    return fig


def _cells(ax: Axes, block: np.ndarray, largest: float, column_name: str) -> None:
    """Draw numbers in a grid, tinted by sign and size, with headings of the runs and columns."""
    runs, folds = block.shape
    size = 10 if folds < 6 else 9
    for i, j in np.ndindex(block.shape):
        color = BLUE if block[i, j] > 0 else RED
        ax.add_patch(Rectangle((j, i), 1, 1, facecolor=color, lw=0,
                               alpha=0.45 * abs(block[i, j]) / max(largest, 1)))
        ax.text(j + 0.5, i + 0.5, _signed(block[i, j], 0), ha="center", va="center", fontsize=size)
    for i in range(runs):
        ax.text(-0.12, i + 0.5, f"run {i + 1}", ha="right", va="center", fontsize=size, color=GREY)
    for j in range(folds):
        label = f"{column_name} {j + 1}" if folds < 6 else f"{j + 1}"
        ax.text(j + 0.5, -0.12, label, ha="center", va="bottom", fontsize=size, color=GREY)
    if folds >= 6:
        ax.text(-0.12, -0.12, column_name, ha="right", va="bottom", fontsize=size, color=GREY)


def _margin(
    ax: Axes, values: np.ndarray, start: tuple[float, float], step: tuple[int, int], color: str
) -> None:
    """Draw a row or column of averages next to the block."""
    size = 10 if len(values) < 6 else 9
    for k, value in enumerate(values):
        x, y = start[0] + step[0] * (k + 0.5), start[1] + step[1] * (k + 0.5)
        ax.text(x if step[0] else x + 0.1, y, _signed(value, 1), ha="center" if step[0] else "left",
                va="center", fontsize=size, color=color)


def _outline(ax: Axes, x: float, y: float, width: float, height: float, **look) -> None:
    ax.add_patch(Rectangle((x, y), width, height, fill=False, **look))


def _signed(value: float, decimals: int) -> str:
    """Write a number with a true minus sign and without a negative zero."""
    return f"{value:z.{decimals}f}".replace("-", "\N{MINUS SIGN}")


@in_house_style
def six_samples(samples: pd.DataFrame, tests: pd.DataFrame) -> Figure:
    """Draw the samples of the six schemes as strips on one axis, each with its t interval.

    Parameters
    ----------
    samples : DataFrame
        `companion.papers.bouckaert2004.section_2.figure_1`.
    tests : DataFrame
        `companion.papers.bouckaert2004.section_2.six_t_tests` of the same block.
    """
    fig, ax = style.figure(height=4.4)
    for row in tests.itertuples():
        y = row.Index
        values = samples.loc[samples["scheme"] == row.scheme, "difference"]
        ax.plot(values, np.full(len(values), y - 0.16), "o", color=BLUE, ms=4, alpha=0.45, mew=0)
        ax.hlines(y + 0.2, row.low, row.high, color=RED, lw=2.4)
        ax.plot([row.mean], [y + 0.2], "|", color=RED, ms=10, mew=2.4)
    ax.axvline(0, color=GREY, lw=0.8, ls=":")
    labels = [
        names.wrapped(f"{names.SCHEMES[row.scheme]}, $n$={row.n}") for row in tests.itertuples()
    ]
    ax.set_yticks(tests.index, labels, fontsize=9)
    ax.set(xlabel="difference of accuracies (percentage points)", ylim=(len(tests) - 0.4, -0.6))
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return fig
