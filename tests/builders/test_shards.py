"""Shards: streamed, deterministic, within their size, content hash independent of the cut."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.hashing import ContentHash
from builders.schema import FILE, ConfigSpec, list_of
from builders.shards import write_config

SPEC = ConfigSpec(
    name="clips",
    description="",
    key="id",
    media={"video": "video"},
    schema=pa.schema({"id": pa.string(), "video": FILE, "values": list_of(pa.float64())}),
)


def row(index: int, size: int = 10_000) -> dict[str, Any]:
    payload = bytes([index % 256]) * size
    return {"id": f"row_{index}", "video": {"bytes": payload, "path": "x.mp4"}, "values": [index / 3, 1]}


def read_back(folder: Path) -> list[dict[str, Any]]:
    return [r for path in sorted(folder.glob(SPEC.patterns["test"])) for r in pq.read_table(path).to_pylist()]


def test_cuts_into_shards_of_the_target_size(tmp_path: Path) -> None:
    written = write_config(tmp_path, SPEC, {"test": (row(k) for k in range(50))}, shard_bytes=100_000)
    names = [file.path for file in written.files]
    assert names == [f"clips/test-{k:05d}-of-{len(names):05d}.parquet" for k in range(len(names))]
    assert len(names) > 4
    assert all(50_000 < file.bytes < 120_000 for file in written.files[:-1])
    assert [r["id"] for r in read_back(tmp_path)] == [f"row_{k}" for k in range(50)]
    assert not list(tmp_path.glob("**/*.unfinished"))


def test_holds_no_more_than_a_row_group_of_rows(tmp_path: Path) -> None:
    """When a row is drawn, all but the last few are on disk already."""

    def rows() -> Iterator[dict[str, Any]]:
        for k in range(50):
            on_disk = sum(file.stat().st_size for file in tmp_path.glob("clips/*"))
            assert on_disk >= (k - 11) * 10_000
            yield row(k)

    write_config(tmp_path, SPEC, {"test": rows()}, shard_bytes=100_000)


def test_same_rows_same_bytes_and_hash_independent_of_the_cut(tmp_path: Path) -> None:
    first = write_config(tmp_path / "a", SPEC, {"test": (row(k) for k in range(20))})
    again = write_config(tmp_path / "b", SPEC, {"test": (row(k) for k in range(20))})
    cut = write_config(tmp_path / "c", SPEC, {"test": (row(k) for k in range(20))}, shard_bytes=30_000)
    assert first == again
    assert len(cut.files) > 1
    assert cut.sha256 == first.sha256
    swapped = write_config(tmp_path / "d", SPEC, {"test": (row(k) for k in reversed(range(20)))})
    assert swapped.sha256 != first.sha256


def test_parquet_gives_back_the_schema_without_hugging_face_metadata(tmp_path: Path) -> None:
    write_config(tmp_path, SPEC, {"test": [row(0)]})
    schema = pq.read_schema(tmp_path / SPEC.shard("test", 0, 1))
    assert schema.equals(SPEC.schema)
    assert b"huggingface" not in (schema.metadata or {})


def test_no_rows_still_make_a_readable_shard(tmp_path: Path) -> None:
    written = write_config(tmp_path, SPEC, {"test": []})
    assert (written.rows, len(written.files)) == (0, 1)
    assert read_back(tmp_path) == []


@pytest.mark.parametrize("bad", [{"id": "a"}, {**row(0), "more": 1}])
def test_a_row_with_other_columns_is_refused(tmp_path: Path, bad: dict[str, Any]) -> None:
    with pytest.raises(KeyError, match="missing or unknown"):
        write_config(tmp_path, SPEC, {"test": [bad]})


rows_strategy = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.text(),
            "video": st.fixed_dictionaries({"bytes": st.binary(), "path": st.text()}),
            "values": st.lists(st.floats(allow_nan=False)),
        }
    ),
    max_size=5,
)


@settings(deadline=None, max_examples=40)
@given(rows=rows_strategy)
def test_hash_of_what_is_read_is_the_hash_of_what_was_written(rows: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        written = write_config(Path(folder), SPEC, {"test": rows})
        content = ContentHash()
        content.update(read_back(Path(folder)))
    assert content.hexdigest() == written.sha256
    assert content.rows == len(rows)


@settings(deadline=None)
@given(rows=rows_strategy, data=st.data())
def test_any_changed_byte_changes_the_hash(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    if not rows:
        return
    index = data.draw(st.integers(0, len(rows) - 1))
    video = rows[index]["video"]
    changed = [*rows]
    changed[index] = {**rows[index], "video": {**video, "bytes": video["bytes"] + b"\0"}}
    one, other = ContentHash(), ContentHash()
    one.update(rows)
    other.update(changed)
    assert one.hexdigest() != other.hexdigest()
