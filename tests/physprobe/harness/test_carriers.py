from __future__ import annotations

import copy
import json
import pickle

from physprobe.conservation.metrics import AnswerRecord
from physprobe.harness.carriers import MarkedAnswer, Score

RECORD = AnswerRecord("q", "p", "number", "conserving", "same", True)


def test_answers_are_words_to_json_and_keep_their_reading_between_processes() -> None:
    answer = MarkedAnswer("correct", RECORD)
    assert json.dumps({"metric": answer}) == '{"metric": "correct"}'
    for again in (pickle.loads(pickle.dumps(answer)), copy.deepcopy(answer)):
        assert again == "correct"
        assert again.reading == RECORD


def test_scores_are_numbers_to_json_and_keep_their_readings() -> None:
    score = Score(0.25, "accuracy_overall", [RECORD])
    assert json.dumps({"metric": score}) == '{"metric": 0.25}'
    assert f"{score:.4f}" == "0.2500"
    for again in (pickle.loads(pickle.dumps(score)), copy.deepcopy(score)):
        assert (again, again.metric, again.readings) == (0.25, "accuracy_overall", (RECORD,))
