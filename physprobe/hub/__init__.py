"""Publishes to the Hugging Face Hub so that nobody ever sees a half-published state (docs/publishing.md)."""
