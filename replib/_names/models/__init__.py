"""Names of models: families, releases, and how, or on which data, one was scored."""
