"""Experiments: designs on data sets and sources, repeated, resumed, stored with their origin."""
