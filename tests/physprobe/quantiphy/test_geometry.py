"""The solver on boxes that a pinhole camera of our own sees; it is told no more than a question tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from generation.quantiphy.questions import TEMPLATES
from physprobe.errors import UserError
from physprobe.quantiphy.geometry.asked import Wanted, read_distances, read_given, read_question
from physprobe.quantiphy.geometry.falling import falling_thing
from physprobe.quantiphy.geometry.observation import COLUMNS, Observation, Sighting, observe
from physprobe.quantiphy.geometry.solver import solve

FPS, WIDTH, HEIGHT, FOCAL = 24, 854, 480, 2100.0
TIMES = np.arange(48) / FPS
PLACES = {
    # right, down, forward of the camera, m
    "red ball": np.stack([-0.5 + 0.6 * TIMES, 0.2 - 0.5 * TIMES + 1.5 * TIMES**2 / 2, 8 + 0 * TIMES], axis=1),
    "blue crate": np.tile([0.9, 0.3, 8.0], (48, 1)),
    "white kite": np.stack([0.4 * np.sin(3 * TIMES), -0.2 + 0 * TIMES, 8 - 1.5 * np.cos(3 * TIMES)], axis=1),
    "black cart": np.stack([0.8 - 0.2 * TIMES - 0.3 * TIMES**2, 0 * TIMES, 7 + 0.5 * TIMES**2], axis=1),
}
SIZES = {"red ball": (0.3, 0.3), "blue crate": (0.5, 0.4), "black cart": (0.6, 0.3), "white kite": (0.4, 0.3)}
WORDS = {
    "red ball": ("diameter",),
    "blue crate": ("width", "height"),
    "black cart": ("length", "wheel diameter"),
    "white kite": ("width",),
}


def _rows(name: str) -> Iterator[dict[str, Any]]:
    half = np.array(SIZES[name]) / 2
    for frame, place in enumerate(PLACES[name]):
        spots = [place[:2] - half, place[:2] + half]
        first = np.array([half[0], 0])
        second = np.array([0, half[1]] if name != "black cart" else [0.05, 0])
        for ruler in (first, second):
            spots += [place[:2] - ruler, place[:2] + ruler]
        seen = np.array(spots) * FOCAL / place[2] / (WIDTH, HEIGHT) + 0.5
        marks = seen[2 : 2 + 2 * len(WORDS[name])]
        yield {
            "object": name,
            "frame": frame,
            "box": seen[:2].ravel().tolist(),
            "measures": list(WORDS[name]),
            "marks": marks.ravel().tolist(),
        }


def _seen(*names: str) -> Observation:
    rows = [row for name in names for row in _rows(name)]
    return observe(rows, fps=FPS, width=WIDTH, height=HEIGHT)


def _depth(*names: str, frames: Sequence[int] = range(0, 48, 3)) -> str:
    lines = []
    for name in names:
        told = f"distance_{name.replace(' ', '_')}_camera"
        for frame in frames:
            far = np.linalg.norm(PLACES[name][frame])
            lines.append(f"t={frame / FPS}s, {told} = {far:.6g} m")
    return "\n".join(lines)


FLAT = [
    ("What is the width of the blue crate in meters?", "diameter of the red ball = 30 cm", 0.5),
    ("What is the height of the blue crate in cm?", "diameter of the red ball = 0.3 m", 0.4),
    (
        "What is the instantaneous speed of the red ball at 1.0 s in m/s?",
        "width of the blue crate = 0.5 m",
        np.hypot(0.6, 1.0),
    ),
    (
        "What is the horizontal component of the instantaneous velocity of the red ball at 1.0 s in m/s?",
        "width of the blue crate = 0.5 m",
        0.6,
    ),
    ("What is the diameter of the red ball in cm?", "speed of the red ball at 1.0 s = 1.1662 m/s", 0.3),
    ("What is the diameter of the red ball in cm?", "acceleration of the red ball = 1.5 m/s^2", 0.3),
    (
        "What is the displacement of the red ball between 0.0 s and 1.0 s in meters?",
        "height of the blue crate = 0.4 m",
        np.hypot(0.6, 0.25),
    ),
    (
        "What is the magnitude of the average acceleration of the red ball from 0.5 s to 1.5 s in m/s^2?",
        "height of the blue crate = 0.4 m",
        1.5,
    ),
    (
        "At 0.0 s, how far is the center of the red ball from the center of the blue crate in meters?",
        "diameter of the red ball = 0.3 m",
        np.hypot(1.4, 0.1),
    ),
]


@pytest.mark.parametrize(("question", "prior", "truth"), FLAT)
def test_answers_in_2d(question: str, prior: str, truth: float) -> None:
    assert solve(_seen("red ball", "blue crate"), question, prior, "") == pytest.approx(truth, rel=2e-3)


DEEP = [
    ("What is the width of the blue crate in meters?", "diameter of the red ball = 30 cm", 0.5),
    ("What is the diameter of the red ball in cm?", "acceleration of the red ball = 1.5 m/s^2", 0.3),
    ("What is the length of the black cart in cm?", "speed of the red ball at 1.0 s = 1.1662 m/s", 0.6),
    ("What is the wheel diameter of the black cart in cm?", "height of the blue crate = 40 cm", 0.1),
    (
        "What is the instantaneous speed of the black cart at 1.0 s in m/s?",
        "height of the blue crate = 40 cm",
        np.hypot(0.8, 1.0),
    ),
    (
        "What is the magnitude of the instantaneous acceleration of the black cart at 1.0 s in m/s^2?",
        "diameter of the red ball = 0.3 m",
        np.hypot(0.6, 1.0),
    ),
    (
        "What is the distance between the centers of the black cart and the blue crate at 1.0 s in meters?",
        "diameter of the red ball = 0.3 m",
        np.linalg.norm([0.3 - 0.9, -0.3, -0.5]),
    ),
]


@pytest.mark.parametrize(("question", "prior", "truth"), DEEP)
def test_answers_in_3d_without_the_focal_length(question: str, prior: str, truth: float) -> None:
    seen = _seen(*PLACES)
    found = solve(seen, question, prior, _depth(*PLACES))
    assert found == pytest.approx(truth, rel=1e-2)


def test_a_size_is_read_where_the_distance_is_told_and_not_guessed() -> None:
    """After the last told distance it changes otherwise than before."""
    question = "What is the width of the white kite in meters?"
    depth = _depth("white kite", "blue crate", frames=(0, 3, 6, 9, 12, 24))
    found = solve(_seen(*PLACES), question, "height of the blue crate = 40 cm", depth)
    assert found == pytest.approx(0.4, rel=1e-2)


def test_a_constant_prior_is_measured_where_it_lies_across_the_line_of_sight() -> None:
    """Distances of the kite are told twice: while it is pushed aside, and while it is pushed along."""
    circle = np.stack([np.sin(3 * TIMES), 0 * TIMES, 8 - np.cos(3 * TIMES)], axis=1)
    question = "What is the displacement of the red kite between 0.0 s and 1.0 s in meters?"
    rows = []
    for frame, place in enumerate(circle):
        corners = np.array([place[:2] - 0.15, place[:2] + 0.15]) * FOCAL / place[2] / (WIDTH, HEIGHT) + 0.5
        box = corners.ravel().tolist()
        rows.append({"object": "red kite", "frame": frame, "box": box, "measures": [], "marks": []})
    lines = [
        f"t={k / FPS}s, distance_red_kite_camera = {np.linalg.norm(circle[k]):.6g} m"
        for k in (0, 6, 9, 12, 15, 18, 22, 25, 28, 31, 34)  # pushed aside around 12, along around 28
    ]
    seen = observe(rows, fps=FPS, width=WIDTH, height=HEIGHT)
    found = solve(seen, question, "acceleration of the red kite = 9 m/s^2", "\n".join(lines))
    assert found == pytest.approx(np.linalg.norm(circle[24] - circle[0]), rel=2e-2)


def test_a_scaled_prior_scales_the_answer() -> None:
    seen, question = _seen("red ball", "blue crate"), "What is the width of the blue crate in meters?"
    one, many = (solve(seen, question, f"diameter of the red ball = {d} m", "") for d in ("0.3", "210"))
    assert many == pytest.approx(700 * one)


def test_gravity_is_that_of_the_thing_that_falls() -> None:
    seen = _seen("red ball", "blue crate")
    assert falling_thing(seen, seen.things) == "red ball"
    found = solve(seen, "What is the width of the blue crate in cm?", "gravity acceleration = 1.5 m/s^2", "")
    assert found == pytest.approx(0.5, rel=5e-3)
    with pytest.raises(UserError, match="nothing in the clip falls"):
        falling_thing(_seen("blue crate"), ["blue crate"])


class _OnlySeen(Mapping[str, Any]):
    """A row that may be asked for what is seen, and for nothing else."""

    def __init__(self, row: dict[str, Any]) -> None:
        self._row = row

    def __getitem__(self, name: str) -> Any:
        assert name in ("object", "frame", "box", "measures", "marks"), f"{name} was read"
        return self._row[name]

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("all columns were read")

    def __len__(self) -> int:
        return len(self._row)


def test_the_solver_sees_nothing_metric() -> None:
    rows = [_OnlySeen(row) for row in _rows("red ball")]
    seen = observe(rows, fps=FPS, width=WIDTH, height=HEIGHT)
    assert {field.name for field in fields(Observation)} == {"fps", "size", "things"}
    assert {field.name for field in fields(Sighting)} == {"boxes", "marks"}
    thing = seen.things["red ball"]
    assert thing.boxes.shape == (48, 4)
    assert thing.boxes.max() > 2  # pixels
    assert set(COLUMNS) == {"object", "frame", "box", "measures", "marks"}


def test_missing_frames_and_columns_are_named() -> None:
    rows = list(_rows("red ball"))
    with pytest.raises(UserError, match="lack frames of the red ball"):
        observe(rows[:3] + rows[4:], fps=FPS, width=WIDTH, height=HEIGHT)
    with pytest.raises(UserError, match="lack column 'box'"):
        observe([{"object": "x", "frame": 0}], fps=FPS, width=WIDTH, height=HEIGHT)


@pytest.mark.parametrize("quantity", sorted(TEMPLATES))
def test_each_wording_is_read(quantity: str) -> None:
    for template in TEMPLATES[quantity]:  # type: ignore[index]
        text = template.format(
            measure="ring diameter", a="red toy car", b="blue die", start="0.5", end="1.125", unit="m/s"
        )
        read = read_question(text)
        assert read.quantity == quantity.replace("average_speed", "average_velocity")
        assert read.things == (("red toy car", "blue die") if quantity == "distance" else ("red toy car",))
        ends = {
            "size": (),
            "distance": (0.5,),
            "speed": (0.5,),
            "horizontal_speed": (0.5,),
            "acceleration": (0.5,),
        }
        assert read.times == ends.get(quantity, (0.5, 1.125))
        assert read.measure == ("ring diameter" if quantity == "size" else "")


def test_priors_and_distances_are_read() -> None:
    assert read_given("ring diameter of the red planet = 21.3 cm") == (
        Wanted("size", ("red planet",), measure="ring diameter"),
        pytest.approx(0.213),
    )
    assert read_given("speed of the red toy car at 1.125 s = 2.31 m/s") == (
        Wanted("speed", ("red toy car",), (1.125,)),
        2.31,
    )
    assert read_given("gravity acceleration = 981 cm/s^2") == (
        Wanted("acceleration", ()),
        pytest.approx(9.81),
    )
    text = "t=1.5s, distance_red_hot_air_balloon_camera = 3.21 m\ndistance_blue_die_camera = 4 m"
    names = ("red hot-air balloon", "blue die")
    assert read_distances(text, names) == {"red hot-air balloon": {1.5: 3.21}, "blue die": {None: 4.0}}


def test_what_cannot_be_read_is_said() -> None:
    with pytest.raises(UserError, match="can't read the question 'How tall am I"):
        read_question("How tall am I?")
    with pytest.raises(UserError, match="can't read the prior"):
        read_given("it is large")
    with pytest.raises(UserError, match="can't read the depth info"):
        read_distances("distance_cat_camera = 3 m", ["dog"])
    with pytest.raises(UserError, match="annotations have no green cat"):
        solve(
            _seen("red ball"),
            "What is the height of the green cat in cm?",
            "diameter of the red ball = 1 m",
            "",
        )
