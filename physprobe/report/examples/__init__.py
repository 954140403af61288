"""Items to browse: what was shown and asked, and what models answered."""
