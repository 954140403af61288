"""Turns raw data into Hugging Face datasets."""
