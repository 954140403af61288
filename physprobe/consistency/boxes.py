"""Boxes: how an answer's numbers are read, and how well two boxes agree.

A box is (x_min, y_min, x_max, y_max) as fractions of the image's width and height, origin top left, x right,
y down (Physical Consistency, section 5).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from physprobe.consistency.loose_json import as_float, is_number, loose_value

Box = tuple[float, float, float, float]
# What a prompt asks for: fractions of width and height, thousandths of them, or pixels.
Convention = Literal["fractions", "thousandths", "pixels"]
Reason = Literal[
    "missing_box",
    "malformed_box",
    "several_boxes",
    "not_finite",
    "ambiguous_scale",
    "out_of_range",
    "reversed_corners",
    "no_extent",
]

WHOLE_IMAGE: Box = (0.0, 0.0, 1.0, 1.0)

_ROUNDING = 1e-6  # beyond the border that is taken for the border
_CORNERS = (
    ("x_min", "y_min", "x_max", "y_max"),
    ("xmin", "ymin", "xmax", "ymax"),
    ("x1", "y1", "x2", "y2"),
    ("left", "top", "right", "bottom"),
)
_SIZES = (("x", "y", "width", "height"), ("x", "y", "w", "h"), ("left", "top", "width", "height"))
_TEXT_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(%?)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,;]+")


@dataclass(frozen=True)
class ReadBox:
    """A box as it was read: the box, or why there is none ("" with a box)."""

    box: Box | None
    reason: Reason | Literal[""] = ""


def read_box(
    value: Any, convention: Convention = "fractions", size: tuple[int, int] | None = None
) -> ReadBox:
    """Read the value that an answer gives for its box. Never raises.

    Four numbers are understood as a list, as a text, and under names (corners, or a corner with width and
    height). The scale is that of the prompt. Numbers that fit another scale too are not read: above 1 where
    fractions are asked for (thousandths or pixels? "out_of_range"), all at most 1 where thousandths or pixels
    are ("ambiguous_scale"). Percentages in texts say by themselves what they are.

    Args:
        value: as found in the answer; None: there is no box. convention: of the prompt.
        size: width and height of the shown image in pixels, needed for "pixels".

    Raises:
        ValueError: pixels without a size.
    """
    if convention == "pixels" and size is None:
        raise ValueError("boxes in pixels need the image's size")
    if isinstance(value, str):
        value = loose_value(value.strip()) if value.strip() else None
    if value is None or value == []:
        return ReadBox(None, "missing_box")
    numbers = _numbers(value)
    if isinstance(numbers, str):
        return ReadBox(None, numbers)
    if not all(math.isfinite(number) for number in numbers):
        return ReadBox(None, "not_finite")
    scale = _scale(numbers, convention, size, _all_percent(value))
    return ReadBox(None, scale) if isinstance(scale, str) else _checked(numbers, scale)


def iou(first: Box | None, second: Box | None) -> float:
    """Return the intersection over union of two boxes, in [0, 1]; 0 where one is missing or has no area."""
    if first is None or second is None:
        return 0.0
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    union = area(first) + area(second) - shared
    return min(shared / union, 1.0) if union > 0 else 0.0


def area(box: Box) -> float:
    """Return the area of a box as a share of the image."""
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def check_box(x_min: float, y_min: float, x_max: float, y_max: float) -> ReadBox:
    """Check that a box in fractions has a positive extent and lies in the image."""
    if not all(math.isfinite(number) for number in (x_min, y_min, x_max, y_max)):
        return ReadBox(None, "not_finite")
    return _checked((x_min, y_min, x_max, y_max), (1.0, 1.0))


def _numbers(value: Any) -> Box | Reason:
    """Return four numbers, as corners and in the answer's own scale."""
    if isinstance(value, Mapping):
        return _named(value)
    if isinstance(value, str):
        value = [part for part in _SEPARATORS.split(value) if part]
    if not isinstance(value, Sequence):
        return "malformed_box"
    if value and all(isinstance(item, list | tuple | Mapping) for item in value):
        return _numbers(value[0]) if len(value) == 1 else "several_boxes"
    read = [_number(item) for item in value]
    if any(number is None for number in read):
        return "malformed_box"
    if len(read) != 4:
        return "several_boxes" if len(read) > 4 and len(read) % 4 == 0 else "malformed_box"
    return tuple(number for number in read if number is not None)  # type: ignore[return-value]


def _named(value: Mapping[Any, Any]) -> Box | Reason:
    names = {str(name).casefold().strip().replace("-", "_").replace(" ", "_"): v for name, v in value.items()}
    for corners in _CORNERS:
        if all(name in names for name in corners):
            return _numbers([names[name] for name in corners])
    for sizes in _SIZES:
        if all(name in names for name in sizes):
            read = _numbers([names[name] for name in sizes])
            if isinstance(read, str):
                return read
            x, y, width, height = read
            return x, y, x + width, y + height
    inner = [v for v in names.values() if isinstance(v, list | tuple | Mapping)]
    return _numbers(inner[0]) if len(inner) == len(names) == 1 else "malformed_box"


def _number(item: Any) -> float | None:
    if is_number(item):
        return as_float(item)
    text = str(item).strip() if isinstance(item, str) else ""
    if text.casefold() in ("nan", "inf", "-inf", "infinity", "-infinity"):
        return float(text)
    match = _TEXT_NUMBER.fullmatch(text)
    return float(text.rstrip("%")) if match else None


def _all_percent(value: Any) -> bool:
    if isinstance(value, str):
        value = [part for part in _SEPARATORS.split(value) if part]
    items = list(value.values()) if isinstance(value, Mapping) else value
    return bool(items) and all(isinstance(item, str) and item.strip().endswith("%") for item in items)


def _scale(
    numbers: Box, convention: Convention, size: tuple[int, int] | None, percent: bool
) -> tuple[float, float] | Reason:
    """Return by what x and y are divided."""
    if percent:
        return 100.0, 100.0
    if convention == "fractions":
        return 1.0, 1.0
    if max(numbers) <= 1:
        return "ambiguous_scale"
    if convention == "thousandths" or size is None:
        return 1000.0, 1000.0
    return float(size[0]), float(size[1])


def _checked(numbers: Box, scale: tuple[float, float]) -> ReadBox:
    x_min, y_min, x_max, y_max = (number / scale[k % 2] for k, number in enumerate(numbers))
    if min(x_min, y_min, x_max, y_max) < -_ROUNDING or max(x_min, y_min, x_max, y_max) > 1 + _ROUNDING:
        return ReadBox(None, "out_of_range")
    if x_min > x_max or y_min > y_max:
        return ReadBox(None, "reversed_corners")
    if x_min == x_max or y_min == y_max:
        return ReadBox(None, "no_extent")
    inside = [min(max(number, 0.0), 1.0) for number in (x_min, y_min, x_max, y_max)]
    return ReadBox((inside[0], inside[1], inside[2], inside[3]))
