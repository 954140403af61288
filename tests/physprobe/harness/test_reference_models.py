from __future__ import annotations

from typing import Any

import pytest

from physprobe.errors import UserError
from physprobe.harness.reference_models import Chance, Oracle


def test_bad_arguments_are_named() -> None:
    with pytest.raises(UserError, match="unknown model argument 'sed'; valid: seed"):
        Chance.create_from_arg_string("sed=1", {"batch_size": 1, "device": None})
    with pytest.raises(UserError, match=r"seed must be an integer >= 0, got 0\.5"):
        Chance.create_from_arg_string("seed=0.5")
    assert Chance.create_from_arg_string("seed=0", {"batch_size": 8}).seed == 0


def test_tasks_of_others_are_refused() -> None:
    def unused(*args: Any) -> None:
        raise AssertionError("must not be asked")

    with pytest.raises(UserError, match=r"can't answer task 'mme', only those of physprobe: conservation,"):
        Oracle()._answer("", unused, {}, 0, "mme", "test")


def test_a_broken_clip_stops_a_reference_model() -> None:
    def broken(row: Any) -> None:
        raise UserError("video x: frame 3 can't be decoded")

    model = Oracle()
    model.task_dict = {"conservation_number": {"test": [{"question_id": "q", "answer": "A"}]}}
    with pytest.raises(UserError, match="frame 3"):
        model._answer("", broken, {}, 0, "conservation_number", "test")
