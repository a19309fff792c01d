"""Names of metrics: what one measures, in which direction, in which range."""
