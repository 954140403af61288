from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.versions import STEPS, Version, check_step, newest, parse_tag
from physprobe.errors import UserError

versions = st.builds(Version, *[st.integers(0, 30)] * 3)


@given(versions)
def test_a_tag_is_read_as_written(version: Version) -> None:
    assert parse_tag(version.tag) == version


@given(versions, st.sampled_from(STEPS))
def test_a_step_leads_to_the_next_version(version: Version, step: str) -> None:
    raised = version.raised(step)
    assert raised > version
    assert raised.step_from(version) == step
    for needed in STEPS:
        if STEPS.index(needed) <= STEPS.index(step):
            check_step(raised, version, needed, "reason")
        else:
            with pytest.raises(UserError, match=f"tag it {version.raised(needed).tag}"):
                check_step(raised, version, needed, "reason")


@given(st.lists(versions, min_size=1))
def test_the_newest_is_found_among_other_tags(found: list[Version]) -> None:
    tags = [version.tag for version in found]
    assert newest([*tags, "latest", "v1", "1.0.0", "v01.0.0"]) == max(found)
    assert newest(["latest"]) is None


def test_numbers_count_not_letters() -> None:
    assert newest(["v1.9.0", "v1.10.0"]) == Version(1, 10, 0)


def test_back_in_time() -> None:
    with pytest.raises(UserError, match=r"v1\.9\.0 is older than the published v2\.0\.0"):
        check_step(Version(1, 9, 0), Version(2, 0, 0), "patch", "reason")
