from __future__ import annotations

import pytest
from tenacity import retry, stop_after_attempt

from physprobe.errors import UserError
from physprobe.harness.failures import EvaluationFailed, exit_code, one_line, root_error


@retry(stop=stop_after_attempt(2))
def _retried(error: BaseException) -> None:
    raise error


def caught(error: BaseException) -> BaseException:
    """What lmms-eval would catch: the error after its retries."""
    with pytest.raises(Exception) as info:
        _retried(error)
    return info.value


def test_retries_don_t_hide_the_error() -> None:
    shown = root_error(caught(KeyError("column")))
    assert (one_line(shown), exit_code(shown)) == ("KeyError: 'column'", 1)


def chained(first: Exception, second: Exception, *, explicit: bool) -> BaseException:
    """``second``, raised while ``first`` was handled."""
    try:
        raise first
    except Exception as error:
        second.__context__ = error
        second.__cause__ = error if explicit else None
    return second


def test_a_user_error_anywhere_in_the_chain_is_shown() -> None:
    bad_use = UserError("no such folder; set PHYSPROBE_DATA")
    wrapped = chained(bad_use, ImportError("Failed to import function 'DATASET_PATH'"), explicit=True)
    shown = root_error(caught(wrapped))
    assert (one_line(shown), exit_code(shown)) == ("no such folder; set PHYSPROBE_DATA", 2)


def test_a_user_error_is_found_behind_an_implicit_context() -> None:
    error = chained(UserError("clip x is missing"), ValueError("while closing"), explicit=False)
    assert one_line(root_error(error)) == "clip x is missing"


def test_other_causes_are_not_unwrapped() -> None:
    error = chained(ConnectionError("refused"), OSError("can't load the model, see above"), explicit=True)
    assert one_line(root_error(error)) == "OSError: can't load the model, see above"


def test_one_line_is_one_short_line() -> None:
    text = one_line(ValueError("first\n  second\n" + "x" * 1000))
    assert text.startswith("ValueError: first second x")
    assert len(text) == 600
    assert one_line(RuntimeError()) == "RuntimeError"


def test_a_run_that_did_not_deliver_exits_1() -> None:
    assert exit_code(EvaluationFailed("could not save")) == 1


def test_a_cycle_of_contexts_ends() -> None:
    one, other = ValueError("one"), ValueError("other")
    one.__context__, other.__context__ = other, one
    assert root_error(one) is one
