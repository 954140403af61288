"""Wiring of the task picabench; everything is in ``physprobe.harness.picabench``.

lmms-eval executes this file anew for each reference in a task file, so it must hold no state.
"""

from __future__ import annotations

from functools import partial

from physprobe.harness import scoring
from physprobe.harness.picabench import layout, marking

METRICS = marking.SCORING.metric_list(marking.SCORES)

doc_to_visual = layout.images
doc_to_text = layout.text
doc_to_messages = layout.messages
process_results = partial(scoring.mark_answer, marking.mark)
