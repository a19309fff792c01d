"""What came after 2024: SHARP, a conservative interval, two and thirty runs of ten folds."""
