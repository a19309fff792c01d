"""Pictures of decision trees."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from companion.lab.learners.kernels.c45 import LEAF
from companion.lab.learners.tree import Tree


def plot_tree(tree: Tree, *, ax: Axes | None = None) -> Axes:
    """Draw a tree from left to right, one line per leaf.

    Branches are labelled with their condition; a leaf with its class, its training weight, and the
    part of it in other classes.

    Parameters
    ----------
    tree : Tree
    ax : matplotlib.axes.Axes, optional
        Where to draw.  By default a new figure just large enough for the text.

    Returns
    -------
    matplotlib.axes.Axes
        Its x axis counts characters, its y axis lines.

    Examples
    --------
    >>> from companion.lab.learners import C45
    >>> tree = C45(min_leaf=1).fit([[1.0], [2.0], [7.0], [8.0]], list("aabb")).tree_
    >>> ax = plot_tree(tree)
    >>> [text.get_text() for text in ax.texts]
    ['x0 <= 2', 'a (2.0)', 'x0 > 2', 'b (2.0)']
    """
    order = list(tree._preorder())
    leaves = [node for node in order if tree.attribute[node] == LEAF]
    line = np.empty(tree.size)
    line[leaves] = np.arange(len(leaves))
    for node in reversed(order):  # children before their parents
        if tree.children(node):
            line[node] = line[tree.children(node)].mean()

    # Each level begins to the right of the longest condition of the previous level.
    labels = [tree.condition(node) for node in range(tree.size)]
    widths = [max(len(labels[n]) for n in np.flatnonzero(tree.depth == d)) + 4
              for d in range(tree.depth.max() + 1)]
    widths[0] = 0
    end = np.cumsum(widths)
    width = max(end[tree.depth[leaf]] + len(tree.verdict(leaf)) for leaf in leaves) + 2

    if ax is None:
        per_character = 0.0085 * plt.rcParams["font.size"]
        size = (per_character * width, 0.026 * plt.rcParams["font.size"] * len(leaves) + 0.2)
        ax = plt.figure(figsize=size).add_axes((0, 0, 1, 1))
    ink = {"color": plt.rcParams["text.color"], "linewidth": 0.8, "linestyle": "-"}
    for node in order:
        stop = end[tree.depth[node]]
        if node:
            start = stop - widths[tree.depth[node]]
            ax.plot([start, start, stop], [line[tree.parent[node]], line[node], line[node]], **ink)
            ax.text(start + 1, line[node], labels[node], va="bottom")
        if tree.attribute[node] == LEAF:
            ax.text(stop + 1, line[node], tree.verdict(node), va="center", weight="bold")
    ax.set(xlim=(-1, width), ylim=(len(leaves) - 0.4, -0.9))
    ax.set_axis_off()
    return ax
