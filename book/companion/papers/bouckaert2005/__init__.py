"""Bouckaert (ICML workshop 2005): low replicability is not a small data set phenomenon.

======================  ===========================================================================
`section_2`             the statistics: McNemar's, resampled, cross-validated, sorted
`section_3`             McNemar's test under the null hypothesis, step by step
`mcnemar`               its replicability on finite data sets, exact
`limits`                its power, replicability and worst case for large data sets
`appendix`              the worst case of McNemar's test, and Section 3.2
`section_4`             Task I and the printed replicabilities up to 200,000 instances
`simulation`            the simulation behind all figures, on counts (`kernels`: its loops)
`figure_1`              McNemar's test: exact curves
`models`                resampling and cross-validation in the limit of large data sets
`order_statistics`      sorted normal samples, the limit of sorted runs
`figures_2_to_4`        resampling, repeated and sorted cross-validation: simulation and limits
`section_5`             the design to choose for a given number of trainings
======================  ===========================================================================
"""
