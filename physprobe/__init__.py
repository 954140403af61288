"""physprobe: measure whether vision-language models understand physics.

This package is what evaluation and analysis need: metrics, answer reading, statistics, video decoding,
and the bridge to lmms-eval. It never imports ``generation`` or ``builders``.
"""

__version__ = "0.1.0"
