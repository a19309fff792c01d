"""The bench on real data: samples of UCI data sets, which serve as populations."""
