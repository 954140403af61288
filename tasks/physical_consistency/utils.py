"""Wiring of the physical_consistency tasks; everything is in ``physprobe.harness.consistency``.

lmms-eval executes this file anew for each reference in a task file, so it must hold no state.
"""

from __future__ import annotations

from functools import partial

from physprobe.harness import scoring
from physprobe.harness.consistency import layout, marking, questions

standard_questions = partial(questions.suite_questions, suite="standard")
appearance_questions = partial(questions.suite_questions, suite="appearance")
intervention_questions = partial(questions.suite_questions, suite="intervention")

METRICS = marking.SCORING.metric_list(marking.SCORES)
GROUP_METRICS = marking.SCORING.group_metric_list(marking.SCORES)

doc_to_visual = layout.images
doc_to_text = layout.text
doc_to_messages = layout.messages
process_results = partial(scoring.mark_answer, marking.mark)
