"""Triangle meshes with exact volumes: vessels, the liquid in them, clay."""
