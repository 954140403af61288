"""Physical consistency: one clean image of a scene and ten that break physics, each in one way."""
