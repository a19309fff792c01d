"""Bouckaert and Frank (PAKDD 2004): evaluating the replicability of significance tests."""
