"""Experiments: designs on data sets and sources, many times, resumed, stored with origin."""
