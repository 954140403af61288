"""placeholder"""

CROISSANT = "croissant.json"
