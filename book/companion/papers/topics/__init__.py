"""What chapters add that no paper has."""
