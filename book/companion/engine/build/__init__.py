"""Running chapters: parameters, execution, what is stale, pages and a reader's own copies."""
