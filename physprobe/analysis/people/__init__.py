"""Answers of people: read from a CSV (docs/human_data.md), scored as models' answers are, and compared."""
