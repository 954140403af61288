"""``verify`` on static questions: each kind of tampering is named."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from builders.conservation.schema import STATIC
from tests.support.damage import Row, edit, problems, put

FIRST = "number_uniform_lower_near_3_conserving"
QUESTION = f"question {FIRST}__static"


def show(change: Callable[[Image.Image], Image.Image]) -> Callable[[list[Row]], None]:
    """Put a changed image into the first row."""

    def edit_image(rows: list[Row]) -> None:
        image = change(Image.open(io.BytesIO(rows[0]["image"]["bytes"])))
        file = io.BytesIO()
        image.save(file, "PNG")
        rows[0]["image"]["bytes"] = file.getvalue()

    return edit_image


def brighten_one_pixel(image: Image.Image) -> Image.Image:
    red, green, blue = image.getpixel((5, 5))
    image.putpixel((5, 5), (red, green, blue ^ 1))
    return image


def show_anothers_frame(rows: list[Row]) -> None:
    rows[0]["image"]["bytes"] = rows[2]["image"]["bytes"]


def put_image(data: bytes) -> Callable[[list[Row]], None]:
    return lambda rows: rows[0]["image"].update(bytes=data)


DAMAGE = [
    (show_anothers_frame, f"{QUESTION}: its image is not the last frame of its clip"),
    (show(brighten_one_pixel), f"{QUESTION}: its image is not the last frame of its clip"),
    (show(lambda image: Image.frombytes("RGB", image.size[::-1], image.tobytes())), "is not the last frame"),
    (show(lambda image: image.convert("L")), f"{QUESTION}: its image is L, not RGB"),
    (put_image(b"no image"), f"{QUESTION}: its image can't be decoded"),
    (put_image(b"\x89PNG\r\n\x1a\n" + bytes(40)), f"{QUESTION}: its image can't be decoded"),
    (put(0, image={"bytes": None, "path": "x"}), f"question_id {FIRST}__static: no value in image"),
    (lambda rows: rows[0]["image"].update(path="x"), f"{QUESTION}: image.path is 'x'"),
    (put(0, frame_index=22), f"{QUESTION}: frame_index is 22, the last frame is 23"),
    (put(0, answer="D"), f"{QUESTION}: answer is 'D', not one of A, B, C"),
    (put(0, domain="volume"), f"{QUESTION}: domain is 'volume', not one of number, length"),
    (put(0, condition="x"), f"{QUESTION}: condition is 'x', not one of conserving, nonconserving"),
    (put(0, answer_relation="moved_more"), f"{QUESTION}: answer_relation is moved_more in a conserving clip"),
    (put(0, answer_relation="moved_more"), "answer_relation is moved_more, but the quantities say same"),
    (put(0, question="Same?"), f"{QUESTION}: the question's text is not what this version asks"),
    (put(0, options=["a", "b", "c"]), f"{QUESTION}: options are ['a', 'b', 'c'], not "),
    (put(0, pair_id="x"), f"{QUESTION}: pair_id is x, its video's is number_uniform_lower_near_3"),
    (put(0, question_id="q"), f"question q: its id should be {FIRST}__static"),
    (put(0, video_id="gone"), "its video gone is not in videos"),
    (lambda rows: rows[1:], f"video {FIRST}: no question in static"),
    (lambda rows: rows[1:], "static: 23 rows, built with 24"),
    (lambda rows: [*rows, rows[0]], f"question_id {FIRST}__static occurs twice"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGE)
def test_damaged_static_questions(change: Any, message: str, dataset: Path) -> None:
    edit(dataset, STATIC, change)
    assert [line for line in problems(dataset) if message in line]


def test_another_letter_is_not_the_right_one(dataset: Path) -> None:
    def shift(rows: list[Row]) -> None:
        rows[0]["answer"] = {"A": "B", "B": "C", "C": "A"}[rows[0]["answer"]]

    edit(dataset, STATIC, shift)
    assert [line for line in problems(dataset) if line.startswith(f"{QUESTION}: answer ")]


def same_order_everywhere(rows: list[Row]) -> None:
    for row in rows:
        row["options"] = sorted(row["options"])
        row["answer"] = "C"


def test_unbalanced_static_questions(dataset: Path) -> None:
    edit(dataset, STATIC, same_order_everywhere)
    found = problems(dataset)
    cell = "static number conserving"
    assert f"{cell}: right letters are unbalanced: {{'A': 0, 'B': 0, 'C': 6}}" in found
    assert f"{cell}: the 6 orders of the options are unbalanced: shown [0, 0, 0, 0, 0, 6] times" in found
    assert f"{cell} gain: right letters are unbalanced: {{'A': 0, 'B': 0, 'C': 3}}" in found
