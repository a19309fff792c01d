"""Labels of rows: what they number, summarise, or are parts of."""
