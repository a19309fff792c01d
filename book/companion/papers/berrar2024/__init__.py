"""Berrar (JMLR 2024): the replication probability of significant classification experiments."""
