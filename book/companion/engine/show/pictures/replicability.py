"""Pictures that explain replicability: repeated tests, two scales, three worlds, six schemes."""

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from replib.replicability import agreement

from . import names
from .drawing import marks, panels, picture, rule, series
from .style import AMBER, BLUE, GREEN, GREY, INK, PURPLE, RED, SMALL


@picture(ylabel="test set")
def repeated_test_sets(ax, frame: pd.DataFrame) -> None:
    """Draw discordant counts of repeated experiments on a data set, with p-values and outcomes.

    Parameters
    ----------
    frame : DataFrame
        `companion.studies.opening_experiment.repeated_mcnemar`.
    """
    ax.figure.set_figheight(0.29 * len(frame) + 1.15)
    words = {"fontsize": SMALL, "va": "center"}
    y = frame["repetition"]
    found = frame["outcome"] != "no difference"
    reach = 1.12 * frame[["only_a", "only_b"]].to_numpy().max()
    for side, sign, color, align in (("a", -1, RED, "right"), ("b", 1, BLUE, "left")):
        tints = [(color, 1.0 if significant else 0.35) for significant in found]
        ax.barh(y, sign * frame[f"only_{side}"], color=tints, height=0.62)
        ax.text(
            sign * 0.05 * reach,
            0,
            f"{side.upper()} only",
            color=color,
            ha=align,
            **words,
        )
    ax.text(1.38 * reach, 0, "p-value", ha="right", **words)
    for row, significant in zip(frame.itertuples(), found):
        pvalue = "< 0.001" if row.pvalue < 0.001 else f"{row.pvalue:.3f}"
        ax.text(1.38 * reach, row.repetition, pvalue, ha="right", **words)
        ax.text(
            1.46 * reach,
            row.repetition,
            row.outcome,
            color=INK if significant else GREY,
            weight="bold" if significant else "normal",
            **words,
        )
    rule(ax, x=0, color=INK, ls="-")
    ax.set(ylim=(len(frame) + 0.6, -0.5), xlim=(-reach, 2.3 * reach))
    ax.set_xlabel("test instances that only one gets right", loc="left")
    ticks = [t for t in ax.get_xticks() if -reach <= t <= reach]
    ax.set_xticks(ticks, [f"{abs(t):.0f}" for t in ticks])
    ax.set_yticks(y if len(y) <= 20 else y[::5])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(axis="y", length=0)


@picture(
    height=3.0,
    xlabel="probability $a_D$ of accepting",
    ylabel="replicability $r_D$",
    xlim=(0, 1),
    ylim=(0.5, 1),
)
def two_scales(
    ax, curve: pd.DataFrame, acceptance: float, replicability: float
) -> None:
    """Draw replicability against the probability of accepting, on both scales, one set marked.

    Parameters
    ----------
    curve : DataFrame
        Columns `accepts` (probability) and `replicability`.
    acceptance, replicability : float
        Values of the marked data set.
    """
    series(ax, curve["accepts"], curve["replicability"], None, BLUE)
    marks(ax, [acceptance], [replicability], None, RED, ms=8, clip_on=False)
    ax.annotate(
        "the data set above",
        (acceptance, replicability),
        color=RED,
        fontsize=SMALL,
        xytext=(0.5, 0.78),
        textcoords=ax.get_xaxis_transform(),
        ha="center",
        arrowprops={
            "arrowstyle": "-",
            "color": RED,
            "lw": 0.8,
            "shrinkB": 6,
            "relpos": (0.3 if acceptance < 0.5 else 0.7, 0),
        },
    )
    _normalised_scale(ax, "normalised, $2r_D-1$")


def _normalised_scale(ax, label: str) -> None:
    """Add the normalised scale on the right of an axis of raw replicability."""
    scale = ax.secondary_yaxis("right", functions=(_normalised, _raw))
    scale.set_ylabel(label)
    ax.spines["right"].set_visible(False)


def _normalised(r: np.ndarray) -> np.ndarray:
    return 2 * r - 1


def _raw(normalised: np.ndarray) -> np.ndarray:
    return (normalised + 1) / 2


@picture(
    xlabel=r"power $\pi$ (at the left end: Type I error)",
    ylabel="replicability $r$",
    xlim=(0, 1),
    ylim=(0.5, 1),
)
def over_power(ax, curve: pd.DataFrame, here: dict[str, float]) -> None:
    """Draw replicability against power as the difference grows, above the bound set by chance.

    Parameters
    ----------
    curve : DataFrame
        `companion.studies.opening_experiment.replicability_over_power`.
    here : dict
        `companion.studies.opening_experiment.power_and_replicability` of the
        marked experiment.
    """
    power = np.linspace(0, 1, 201)
    bound = agreement(power)
    ax.fill_between(power, 0.5, bound, color=GREY, alpha=0.25, lw=0)
    for correlation in (0, 0.25, 0.5, 0.75):
        if correlation:
            series(
                ax, power, 1 - (1 - correlation) * (1 - bound), None, GREY, ":", lw=1.2
            )
        ax.text(
            0.5,
            (1 + correlation) / 2 + 0.014,
            f"correlation {correlation:g}",
            color=GREY,
            fontsize=SMALL,
            ha="center",
            va="bottom",
        )
    series(ax, curve["power"], curve["replicability"], None, BLUE)
    marks(ax, [here["power"]], [here["replicability"]], None, RED, ms=8, clip_on=False)
    _normalised_scale(ax, "normalised, $2r-1$")


@picture(0, xlabel="data set, from the least to the most often rejecting")
def worlds(
    fig, drawn: pd.DataFrame, summary: pd.DataFrame, names: dict[str, str]
) -> None:
    """Draw rejections of repeated experiments, data sets across, repetitions down, by world.

    Parameters
    ----------
    drawn : DataFrame
        `companion.studies.opening_experiment.draw_worlds`.
    summary : DataFrame
        `companion.studies.opening_experiment.compare_worlds`.
    names : dict
        Title of each world.
    """
    datasets, repetitions = drawn["dataset"].max(), drawn["repetition"].max()
    axes = panels(
        fig, len(names), height=0.09 * repetitions * len(names) + 1.6, sharex=True
    )
    for ax, (world, name) in zip(axes, names.items()):
        rows = drawn[(drawn["world"] == world) & drawn["reject"]]
        for x, y in zip(rows["dataset"], rows["repetition"]):
            ax.add_patch(Rectangle((x - 0.5, y - 0.45), 1, 0.9, color=RED, lw=0))
        ax.set_title(
            f"{name}: $r$ = {summary.at[world, 'replicability']:.3f}", fontsize=SMALL
        )
        ax.set(
            xlim=(0.2, datasets + 0.8),
            ylim=(repetitions + 0.6, 0.4),
            yticks=[1, repetitions],
        )
        ax.spines[:].set(visible=True, color=GREY)
    axes[len(axes) // 2].set_ylabel("repetition")


@picture(2)
def block_and_sorted_block(
    axes, block: np.ndarray, ordered: np.ndarray, samples: pd.DataFrame
) -> None:
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
    sample = {
        name: rows["difference"].to_numpy() for name, rows in samples.groupby("scheme")
    }
    axes[0].figure.set_figheight(2 * (0.36 * runs + 1.6))
    largest = np.abs(block).max()

    beside, below = (1.04 * folds, 0), (0, runs + 0.4)
    for ax, shown, column, title in (
        (axes[0], block, "fold", "Each run as it comes"),
        (axes[1], ordered, "sorted\nfold", "Each run sorted, highest first"),
    ):
        _cells(ax, shown, largest, column)
        ax.set(title=title, xlim=(-0.2 * folds, 1.34 * folds), ylim=(runs + 0.8, -1.05))
        ax.axis("off")
    for ax, scheme, start, step, color, at, va, text in (
        (
            axes[0],
            "folds",
            beside,
            (0, 1),
            GREEN,
            -0.12,
            "bottom",
            "averages\nover folds",
        ),
        (
            axes[0],
            "runs",
            below,
            (1, 0),
            PURPLE,
            runs + 0.4,
            "center",
            "averages\nover runs",
        ),
        (
            axes[1],
            "sorted_runs",
            below,
            (1, 0),
            RED,
            runs + 0.4,
            "center",
            "averages over\nsorted runs",
        ),
    ):
        _margin(ax, sample[f"average_over_{scheme}"], start, step, color)
        ax.text(beside[0], at, text, color=color, fontsize=SMALL, va=va)
    for ax, corner, width, height, look in (
        (
            axes[0],
            (0, 0),
            folds,
            runs,
            {"color": INK, "lw": 2.4, "label": "use all data"},
        ),
        (
            axes[0],
            (0.05, 0.08),
            folds - 0.1,
            0.84,
            {"color": BLUE, "ls": "--", "lw": 2, "label": "cross-validation"},
        ),
        (
            axes[0],
            (0.1, 0.13),
            0.8,
            runs - 0.26,
            {"color": AMBER, "ls": ":", "lw": 2.4, "label": "resampling"},
        ),
        (axes[1], (0, 0), folds, runs, {"color": INK, "lw": 1.2}),
    ):
        ax.add_patch(Rectangle(corner, width, height, fill=False, **look))
    axes[0].legend(loc="upper center", bbox_to_anchor=(0.45, -0.02), ncols=3)


def _cells(ax, block: np.ndarray, largest: float, column_name: str) -> None:
    """Draw numbers in a grid, tinted by sign and size, with headings of the runs and columns."""
    runs, folds = block.shape
    for i, j in np.ndindex(block.shape):
        color = BLUE if block[i, j] > 0 else RED
        ax.add_patch(
            Rectangle(
                (j, i),
                1,
                1,
                facecolor=color,
                lw=0,
                alpha=0.45 * abs(block[i, j]) / max(largest, 1),
            )
        )
        ax.text(
            j + 0.5,
            i + 0.5,
            _signed(block[i, j], 0),
            ha="center",
            va="center",
            fontsize=SMALL,
        )
    for i in range(runs):
        ax.text(
            -0.12,
            i + 0.5,
            f"run {i + 1}",
            ha="right",
            va="center",
            fontsize=SMALL,
            color=GREY,
        )
    for j in range(folds):
        label = f"{column_name} {j + 1}" if folds < 6 else f"{j + 1}"
        ax.text(
            j + 0.5, -0.12, label, ha="center", va="bottom", fontsize=SMALL, color=GREY
        )
    if folds >= 6:
        ax.text(
            -0.12,
            -0.12,
            column_name,
            ha="right",
            va="bottom",
            fontsize=SMALL,
            color=GREY,
        )


def _margin(
    ax,
    values: np.ndarray,
    start: tuple[float, float],
    step: tuple[int, int],
    color: str,
) -> None:
    """Draw a row or column of averages next to the block."""
    for k, value in enumerate(values):
        x, y = start[0] + step[0] * (k + 0.5), start[1] + step[1] * (k + 0.5)
        ax.text(
            x if step[0] else x + 0.1,
            y,
            _signed(value, 1),
            ha="center" if step[0] else "left",
            va="center",
            fontsize=SMALL,
            color=color,
        )


def _signed(value: float, decimals: int) -> str:
    """Write a number with a true minus sign and without a negative zero."""
    return f"{value:z.{decimals}f}".replace("-", "\N{MINUS SIGN}")


@picture(height=4.0, xlabel="difference of accuracies (percentage points)")
def six_samples(ax, samples: pd.DataFrame, tests: pd.DataFrame) -> None:
    """Draw the samples of the six schemes as strips on one axis, each with its t interval.

    Parameters
    ----------
    samples : DataFrame
        `companion.papers.bouckaert2004.section_2.figure_1`.
    tests : DataFrame
        `companion.papers.bouckaert2004.section_2.six_t_tests` of the same block.
    """
    labels = []
    for row in tests.itertuples():
        values = samples.loc[samples["scheme"] == row.scheme, "difference"]
        marks(
            ax,
            values,
            np.full(len(values), row.Index - 0.16),
            None,
            BLUE,
            ms=4,
            alpha=0.45,
            mew=0,
        )
        ax.hlines(row.Index + 0.2, row.low, row.high, color=RED, lw=2.4)
        marks(ax, [row.mean], [row.Index + 0.2], None, RED, "|", ms=10, mew=2.4)
        labels.append(names.wrapped(f"{names.SCHEMES[row.scheme]}, $n$={row.n}"))
    rule(ax, x=0)
    ax.set_yticks(tests.index, labels, fontsize=SMALL)
    ax.set_ylim(len(tests) - 0.4, -0.6)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
