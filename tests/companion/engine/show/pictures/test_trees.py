"""Drawings of trees: every condition and leaf, on the page and apart."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from companion.engine.show.pictures.trees import plot_tree
from companion.lab.datasets import read_arff
from companion.lab.learners import C45


@pytest.mark.parametrize("name", ["iris", "zoo-noname", "breast-cancer"])
def test_drawing_shows_every_condition_and_leaf_apart(name, shared):
    dataset = read_arff(shared / "uci" / f"{name}.arff")
    tree = C45().fit(dataset.X, dataset.y).tree_
    ax = plot_tree(tree)
    try:
        texts = [text.get_text() for text in ax.texts]
        assert len(texts) == tree.size - 1 + tree.n_leaves
        leaves = [node for node in range(tree.size) if not tree.children(node)]
        assert set(texts) == {tree.condition(node) for node in range(1, tree.size)} | {
            tree.verdict(node) for node in leaves
        }
        ax.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in ax.texts]
        page = ax.figure.bbox
        for i, box in enumerate(boxes):
            assert page.x0 <= box.x0 and box.x1 <= page.x1
            assert page.y0 <= box.y0 and box.y1 <= page.y1
            overlapping = [b for b in boxes[:i] if b.overlaps(box.shrunk(0.98, 0.5))]
            assert not overlapping
    finally:
        plt.close(ax.figure)


def test_a_tree_that_is_one_leaf_is_drawn():
    tree = C45().fit(pd.DataFrame({"x": [1.0, 1.0, 1.0]}), list("aab")).tree_
    ax = plot_tree(tree)
    assert [text.get_text() for text in ax.texts] == ["a (3.0/1.0)"]
    plt.close(ax.figure)
