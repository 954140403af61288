"""Wiring of the quantiphy tasks; everything is in ``physprobe.harness.quantiphy``.

lmms-eval executes this file anew for each reference in a task file, so it must hold no state.
"""

from __future__ import annotations

from functools import partial

from physprobe.harness import scoring
from physprobe.harness.quantiphy import layout, marking, questions

s2_questions = partial(questions.our_questions, category="S2")
d2_questions = partial(questions.our_questions, category="D2")
s3_questions = partial(questions.our_questions, category="S3")
d3_questions = partial(questions.our_questions, category="D3")
cot_questions = partial(questions.our_questions, style="cot")
prior_only_questions = partial(questions.our_questions, seen=False)
no_prior_questions = partial(questions.our_questions, told=False)
counterfactual_questions = partial(questions.our_questions, counterfactual=True)
segmented_questions = partial(questions.our_questions, segmented=True)
official_validation_questions = partial(questions.official_questions, split="validation")
official_test_questions = partial(questions.official_questions, split="test")

METRICS = marking.SCORING.metric_list(marking.SCORES)
GROUP_METRICS = marking.SCORING.group_metric_list(marking.SCORES)

doc_to_visual = layout.visuals
doc_to_text = layout.text
doc_to_messages = layout.messages
process_results = partial(scoring.mark_answer, marking.mark)
