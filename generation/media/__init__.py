"""Video encoding."""
