"""Wiring of the conservation tasks; everything is in ``physprobe.harness.conservation``.

lmms-eval executes this file anew for each reference in a task file, so it must hold no state.
"""

from __future__ import annotations

from functools import partial

from physprobe.harness import scoring
from physprobe.harness.conservation import captions, layout, marking, modality, questions

number_questions = partial(questions.standard_questions, domain="number")
length_questions = partial(questions.standard_questions, domain="length")
volume_questions = partial(questions.standard_questions, domain="volume")
size_questions = partial(questions.standard_questions, domain="size")
empty_image_questions = partial(questions.standard_questions, media="white")
text_only_questions = partial(questions.standard_questions, media="nothing")
idk_questions = partial(questions.standard_questions, dont_know=True)
idk_empty_image_questions = partial(questions.standard_questions, media="white", dont_know=True)
idk_text_only_questions = partial(questions.standard_questions, media="nothing", dont_know=True)
all_questions = questions.all_questions
human_subset_questions = questions.human_subset_questions
static_questions = questions.static_questions
captioned_questions = captions.captioned_questions
frames_to_caption = captions.frames_to_caption
modality_questions = modality.modality_questions

METRICS = marking.SCORING.metric_list(marking.SCORES)
IDK_METRICS = marking.SCORING.metric_list(marking.IDK_SCORES)
GROUP_METRICS = marking.SCORING.group_metric_list(marking.SCORES)
keep_captions = captions.keep
share_correct = modality.share_correct
mean = modality.mean

doc_to_visual = layout.images
doc_to_text = layout.text
doc_to_messages = layout.messages
process_results = partial(scoring.mark_answer, marking.mark)
process_caption = partial(scoring.mark_answer, captions.mark_caption)
process_modality = partial(scoring.mark_answer, modality.mark_modality)
