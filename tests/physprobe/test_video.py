"""Frame-exact decoding, damage reports, and the shared frame cache."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physprobe.errors import UserError
from physprobe.video import FrameCache, decode_frames, inspect_video

NUM_FRAMES, WIDTH, HEIGHT = 40, 64, 48

# Ways to arrange keyframes and B-frames; "discard" starts with frames that an edit list hides.
ENCODINGS: dict[str, dict[str, str]] = {
    "default": {},
    "short_gop": {"g": "5", "bf": "0"},
    "b_frames": {"g": "10", "bf": "3"},
    "b_pyramid": {"x264-params": "keyint=12:min-keyint=12:bframes=5:b-pyramid=normal:b-adapt=0:scenecut=0"},
    "open_gop": {"x264-params": "keyint=8:min-keyint=8:bframes=3:open-gop=1:scenecut=0:b-adapt=0"},
    "intra_only": {"g": "1"},
    "tiny_gop": {"g": "2", "bf": "3"},
}


def picture(index: int) -> np.ndarray:
    """A frame that no neighbour looks like: its index as brightness steps in two halves."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[:, : WIDTH // 2] = 30 + 20 * (index % 10)
    image[:, WIDTH // 2 :] = 30 + 40 * (index // 10)
    return image


def index_of(image: np.ndarray) -> int:
    left = image[:, 4 : WIDTH // 2 - 4].mean()
    right = image[:, WIDTH // 2 + 4 : -4].mean()
    return round((left - 30) / 20) + 10 * round((right - 30) / 40)


def encode(
    options: dict[str, str] | None = None,
    *,
    container: str = "mp4",
    codec: str = "libx264",
    first_pts: int = 0,
    steps: Callable[[int], int] = lambda k: k,
) -> bytes:
    buffer = io.BytesIO()
    with av.open(buffer, "w", format=container) as output:
        stream = output.add_stream(codec, rate=24, options={"crf": "12"} | (options or {}))
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.time_base = Fraction(1, 24)
        for k in range(NUM_FRAMES):
            frame = av.VideoFrame.from_ndarray(picture(k), format="rgb24")
            frame.pts, frame.time_base = first_pts + steps(k), Fraction(1, 24)
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
    return buffer.getvalue()


@pytest.fixture(scope="module")
def videos() -> dict[str, bytes]:
    return {name: encode(options) for name, options in ENCODINGS.items()}


@pytest.fixture(scope="module")
def plain(videos: dict[str, bytes]) -> bytes:
    return videos["default"]


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_frame_is_the_one_asked_for(name: str, videos: dict[str, bytes]) -> None:
    data = videos[name]
    with av.open(io.BytesIO(data)) as container:
        reference = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    for index in range(NUM_FRAMES):
        (image,) = decode_frames(data, [index])
        assert index_of(image) == index
        assert (image == reference[index]).all()


@settings(deadline=None, max_examples=40)
@given(name=st.sampled_from(list(ENCODINGS)), indices=st.lists(st.integers(0, NUM_FRAMES - 1), max_size=8))
def test_any_indices_in_any_order(name: str, indices: list[int], videos: dict[str, bytes]) -> None:
    images = decode_frames(videos[name], indices)
    assert [index_of(image) for image in images] == indices


@pytest.mark.parametrize("name", ENCODINGS)
def test_b_frames_are_there_where_the_name_says_so(name: str, videos: dict[str, bytes]) -> None:
    """Guards the tests above: packets of B-frame files are out of presentation order."""
    with av.open(io.BytesIO(videos[name])) as container:
        pts = [packet.pts for packet in container.demux(video=0) if packet.size]
    assert (pts != sorted(pts)) == (name in {"default", "b_frames", "b_pyramid", "open_gop"})


def test_late_start_and_uneven_times() -> None:
    data = encode({"bf": "2"}, first_pts=7, steps=lambda k: 2 * k + k // 3)
    assert [index_of(image) for image in decode_frames(data, [0, 1, 20, 39])] == [0, 1, 20, 39]
    assert inspect_video(data).num_frames == NUM_FRAMES


def test_frames_are_read_only_rgb(plain: bytes) -> None:
    (image,) = decode_frames(plain, np.array([3]))  # type: ignore[arg-type]
    assert (image.shape, image.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    assert not image.flags.writeable


def test_colours_are_not_swapped() -> None:
    buffer = io.BytesIO()
    red = np.full((HEIGHT, WIDTH, 3), (200, 40, 10), np.uint8)
    with av.open(buffer, "w", format="mp4") as output:
        stream = output.add_stream("libx264", rate=24, options={"crf": "10"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        output.mux(stream.encode(av.VideoFrame.from_ndarray(red, format="rgb24")))
        output.mux(stream.encode(None))
    (image,) = decode_frames(buffer.getvalue(), [0])
    assert np.abs(image.astype(int) - red).max() <= 4


def test_path_and_bytes_are_the_same(plain: bytes, tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(plain)
    assert inspect_video(path) == inspect_video(plain)
    assert (decode_frames(path, [5])[0] == decode_frames(plain, [5])[0]).all()
    with pytest.raises(UserError, match="can't read"):
        inspect_video(tmp_path / "none.mp4")


@pytest.mark.parametrize("name", ENCODINGS)
def test_inspect(name: str, videos: dict[str, bytes]) -> None:
    info = inspect_video(videos[name])
    assert (info.num_frames, info.fps, info.width, info.height) == (NUM_FRAMES, 24, WIDTH, HEIGHT)


@pytest.mark.parametrize("index", [-1, NUM_FRAMES, 1000])
def test_index_outside(index: int, plain: bytes) -> None:
    with pytest.raises(UserError, match=f"frame {index} asked for, but the video has frames 0 to 39"):
        decode_frames(plain, [0, index])


def test_no_indices_need_no_file() -> None:
    assert decode_frames(b"", []) == []


@pytest.mark.parametrize("reader", [inspect_video, lambda data: decode_frames(data, [0])])
@pytest.mark.parametrize(
    "data", [b"", b"hello" * 100, encode(container="matroska"), encode(container="avi", codec="mpeg4")]
)
def test_foreign_files(reader: Callable[[bytes], object], data: bytes) -> None:
    with pytest.raises(UserError, match="not an MP4 file"):
        reader(data)


def test_an_mp4_without_video() -> None:
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="mp4") as output:
        stream = output.add_stream("aac", rate=48000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 48000
        output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
    with pytest.raises(UserError, match="holds no video stream"):
        inspect_video(buffer.getvalue())


def faststart(tmp_path: Path) -> bytes:
    path = tmp_path / "fast.mp4"
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as output:
        stream = output.add_stream("libx264", rate=24, options={"crf": "12", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.codec_context.thread_count = 1
        for k in range(NUM_FRAMES):
            output.mux(stream.encode(av.VideoFrame.from_ndarray(picture(k), format="rgb24")))
        output.mux(stream.encode(None))
    return path.read_bytes()


def test_a_truncated_file_names_the_first_lost_frame(tmp_path: Path) -> None:
    """Cut just before the last byte of frame k's packet: k is named, from the first to the last frame."""
    data = faststart(tmp_path)
    with av.open(io.BytesIO(data)) as container:
        ends = [packet.pos + packet.size for packet in container.demux(video=0) if packet.size]
    assert len(ends) == NUM_FRAMES
    for k in (1, 7, 20, NUM_FRAMES - 1):
        with pytest.raises(UserError, match=f"^frame {k} of {NUM_FRAMES} "):
            inspect_video(data[: ends[k] - 1])
        with pytest.raises(UserError, match=f"^frame {k} of {NUM_FRAMES} "):
            inspect_video(data[: ends[k - 1]])


@settings(deadline=None, max_examples=60)
@given(share=st.floats(0, 0.999))
def test_any_cut_is_an_error_a_user_can_read(share: float, videos: dict[str, bytes]) -> None:
    for data in (videos["default"], videos["b_frames"]):
        with pytest.raises(UserError):
            inspect_video(data[: int(len(data) * share)])


def test_a_wiped_frame_is_named(tmp_path: Path) -> None:
    data = bytearray(faststart(tmp_path))
    with av.open(io.BytesIO(data)) as container:
        packets = [(packet.pos, packet.size) for packet in container.demux(video=0) if packet.size]
    start, size = packets[12]
    data[start : start + size] = b"\xff" * size
    with pytest.raises(UserError, match=r"^frame 12 of 40 "):
        inspect_video(bytes(data))


class Loads:
    """Gives a video's bytes and counts how often."""

    def __init__(self, data: bytes) -> None:
        self.data, self.count = data, 0

    def __call__(self) -> bytes:
        self.count += 1
        return self.data


FRAME_BYTES = WIDTH * HEIGHT * 3


def test_cache_decodes_once(plain: bytes) -> None:
    cache, load = FrameCache(), Loads(plain)
    first = cache.get("a", [0, 5, 39], load)
    again = cache.get("a", [39, 0], load)
    assert load.count == 1
    assert again[0] is first[2]
    assert [index_of(image) for image in cache.get("a", [5, 6], load)] == [5, 6]
    assert load.count == 2
    assert cache.nbytes == 4 * FRAME_BYTES


def test_cache_drops_the_least_recently_used(plain: bytes) -> None:
    cache, load = FrameCache(max_bytes=4 * FRAME_BYTES), Loads(plain)
    cache.get("a", [0, 1], load)
    cache.get("b", [0, 1], load)
    cache.get("a", [0], load)
    cache.get("c", [0, 1], load)  # drops b
    assert load.count == 3
    cache.get("a", [0, 1], load)
    assert load.count == 3
    cache.get("b", [0], load)
    assert load.count == 4
    assert cache.nbytes <= 4 * FRAME_BYTES


def test_cache_does_not_keep_a_video_larger_than_itself(plain: bytes) -> None:
    cache, load = FrameCache(max_bytes=3 * FRAME_BYTES), Loads(plain)
    cache.get("small", [0], load)
    assert len(cache.get("large", range(10), load)) == 10
    assert cache.nbytes == FRAME_BYTES
    cache.get("small", [0], load)
    assert load.count == 2


def test_cache_names_the_video(plain: bytes) -> None:
    cache = FrameCache()
    with pytest.raises(UserError, match=r"^video clip_7: not an MP4 file"):
        cache.get("clip_7", [0], lambda: b"x")
    assert index_of(cache.get("clip_7", [1], lambda: plain)[0]) == 1


def test_threads_share_one_decoding(plain: bytes) -> None:
    cache, load = FrameCache(), Loads(plain)
    barrier = threading.Barrier(8)

    def ask(_: int) -> list[int]:
        barrier.wait()
        return [index_of(image) for image in cache.get("a", [1, 2, 3], load)]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == [[1, 2, 3]] * 8
    assert load.count == 1


def test_threads_under_eviction(videos: dict[str, bytes]) -> None:
    cache = FrameCache(max_bytes=6 * FRAME_BYTES)
    names = list(videos)

    def ask(task: int) -> bool:
        name, indices = names[task % len(names)], [(task * 7) % 40, (task * 3) % 40]
        found = cache.get(name, indices, lambda: videos[name])
        return [index_of(image) for image in found] == indices

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(ask, range(120)))
    assert cache.nbytes <= 6 * FRAME_BYTES
