def doubts(t): return []
