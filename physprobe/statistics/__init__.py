"""Plain statistical functions with stated assumptions, on arrays and data frames: they know no benchmark."""
