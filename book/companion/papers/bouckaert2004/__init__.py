"""Bouckaert (ICML 2004): estimating replicability of classifier learning experiments."""
