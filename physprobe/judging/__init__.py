"""Panels of LLM judges: what is asked, who is asked, how replies are kept and votes counted."""
