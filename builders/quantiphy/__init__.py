"""The quantiphy dataset."""
