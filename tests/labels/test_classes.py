"""Rows that are classes of one data set."""

import pytest
from labelled import notes, wide


@pytest.mark.parametrize(
    "labels",
    [
        ["spleen", "right kidney", "left kidney", "liver"],
        ["Gallbladder", "Aorta", "IVC", "Pancreas", "Duodenum"],
        ["Putamen_L", "Putamen_R", "Caudate_L", "Caudate_R", "Thalamus"],
        ["ET", "TC", "WT"],
        ["CSF", "GM", "WM"],
    ],
)
def test_structures_of_one_scan(labels):
    assert "are they classes of one data set?" in str(notes(wide(labels)))


@pytest.mark.parametrize(
    "labels",
    [
        ["Brain", "Heart", "Liver", "Hippocampus", "Prostate", "Lung", "Spleen"],
        ["Adipose", "Artery", "Esophagus", "Thyroid", "Whole Blood"],
        ["PathMNIST", "OCTMNIST", "BloodMNIST", "RetinaMNIST"],
        ["kidney", "heart", "diabetes", "parkinsons"],
    ],
)
def test_data_sets_that_are_called_after_organs(labels):
    assert notes(wide(labels)) == []


@pytest.mark.parametrize(
    ("labels", "are_classes"),
    [
        (["B cell", "CD4+ T cell", "CD14+ Monocyte", "NK cell", "Megakaryocyte"], True),
        (["Astrocytes", "Microglia", "Excitatory neurons", "OPC"], True),
        (["alpha cell", "beta cell", "Ductal", "Acinar"], True),
        (["HeLa cells", "U2OS cells", "NIH3T3", "MCF7"], False),
        (["Alpha", "Beta", "Gamma", "Delta"], False),
        (["Neurons", "Blood cell", "Yeast", "Plant tissue"], False),
    ],
)
def test_types_of_cells_are_classes(labels, are_classes):
    found = str(notes(wide(labels)))
    assert ("are they classes of one data set?" in found) == are_classes
