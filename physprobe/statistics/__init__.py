"""Plain statistical functions with stated assumptions."""
