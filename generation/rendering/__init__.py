"""Mitsuba 3 rendering of scene models."""
