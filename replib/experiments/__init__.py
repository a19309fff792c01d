"""Experiments: designs run on data sets and on sources, many times, resumed after a kill, stored with their origin."""
