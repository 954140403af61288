"""Answers that outlive a killed run: kept as they come, found again by all that could have changed them."""
