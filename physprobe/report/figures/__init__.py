"""How figures are drawn: each function takes an empty figure and the table of a finding."""
