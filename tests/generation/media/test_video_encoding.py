"""MP4 files: decodable, the same bytes for the same frames, whole or absent."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest

from generation.media.video import encode_mp4


def _frames(count: int = 30, height: int = 48, width: int = 64) -> list[np.ndarray]:
    """A bright square moving over a gradient."""
    y, x = np.mgrid[:height, :width]
    frames = []
    for k in range(count):
        image = np.stack([60 + x, 60 + y, np.full_like(x, 90)], axis=2).astype(np.uint8)
        image[10:26, k : k + 16] = (220, 180, 40)
        frames.append(image)
    return frames


def _decoded(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def test_all_frames_come_back_in_order_and_close(tmp_path):
    frames = _frames()
    encode_mp4(iter(frames), tmp_path / "clip.mp4", 24)
    back = _decoded(tmp_path / "clip.mp4")
    assert len(back) == len(frames)
    for original, copy in zip(frames, back, strict=True):
        assert np.abs(original.astype(int) - copy).mean() < 4


@pytest.mark.parametrize(
    "color", [(220, 30, 30), (30, 160, 40), (40, 50, 200), (140, 110, 80), (255, 255, 255)]
)
def test_colors_survive_a_decoder_that_ignores_the_tags(color, tmp_path):
    encode_mp4([np.full((32, 32, 3), color, np.uint8)] * 3, tmp_path / "clip.mp4", 24)
    shown = _decoded(tmp_path / "clip.mp4")[1].reshape(-1, 3).mean(axis=0)
    np.testing.assert_allclose(shown, color, atol=3)


def test_the_stream_is_what_browsers_play(tmp_path):
    encode_mp4(_frames(), tmp_path / "clip.mp4", 24)
    with av.open(str(tmp_path / "clip.mp4")) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        assert (context.name, context.pix_fmt, stream.average_rate, stream.frames) == (
            "h264",
            "yuv420p",
            24,
            30,
        )
        assert context.color_range == 1
        assert len(container.streams) == 1
        keys = [k for k, frame in enumerate(container.decode(video=0)) if frame.key_frame]
    assert keys == [0, 12, 24]


def _boxes(data: bytes) -> list[str]:
    names, place = [], 0
    while place < len(data):
        size, name = struct.unpack(">I4s", data[place : place + 8])
        names.append(name.decode())
        place += size
    return names


def test_the_index_comes_before_the_frames_and_no_clock_is_kept(tmp_path):
    encode_mp4(_frames(), tmp_path / "clip.mp4", 24)
    data = (tmp_path / "clip.mp4").read_bytes()
    names = _boxes(data)
    assert names.index("moov") < names.index("mdat")
    header = data.index(b"mvhd") + 4
    version, created, modified = struct.unpack(">III", data[header : header + 12])
    assert (version, created, modified) == (0, 0, 0)


def test_bytes_are_the_same_however_often_and_wherever(tmp_path):
    # Often, since rate control that varies does so now and then only.
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1])\n"
        "from tests.generation.media import test_video_encoding as t\n"
        "for path in sys.argv[2:]: t.encode_mp4(t._frames(), pathlib.Path(path), 24)"
    )
    root = Path(__file__).parents[3]
    paths = [tmp_path / f"{number}.mp4" for number in range(45)]
    for path in paths[:15]:
        encode_mp4(_frames(), path, 24)
    for batch in (paths[15:30], paths[30:]):
        subprocess.run([sys.executable, "-c", code, str(root), *map(str, batch)], check=True)
    assert len({path.read_bytes() for path in paths}) == 1


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"old")

    def broken():
        yield from _frames(3)
        raise RuntimeError("renderer died")

    with pytest.raises(RuntimeError, match="renderer died"):
        encode_mp4(broken(), path, 24)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([], "no frames"),
        ([np.zeros((31, 32, 3), np.uint8)], "even"),
        ([np.zeros((32, 32), np.uint8)], "even"),
        ([np.zeros((32, 32, 3), np.uint8), np.zeros((32, 34, 3), np.uint8)], "frame 1"),
        ([np.zeros((32, 32, 3), np.float32)], "float32"),
    ],
)
def test_frames_that_do_not_fit_are_refused(frames, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        encode_mp4(frames, tmp_path / "clip.mp4", 24)
    assert list(tmp_path.iterdir()) == []
