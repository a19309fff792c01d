"""The bench on real data: samples of UCI data sets, which are taken for populations."""
