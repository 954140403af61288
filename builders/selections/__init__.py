"""Which frames of a clip are shown, when they are not spread uniformly (paper section 3.3).

``kinematic`` frames are computed from the exact motion record. ``model`` and ``human`` frames come from
selections files (``docs/selections.md``), which are checked against the clips line by line.
"""
