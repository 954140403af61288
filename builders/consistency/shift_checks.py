"""Whether the suite of shifted appearance shares nothing with the other splits; from parameters alone."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Parameters = Mapping[str, Any]
Range = tuple[float, float]

# Elevations of lamps come in bands; between them, degrees.
_BETWEEN_BANDS = (43.5, 56.5)


def overlaps(common: Sequence[Parameters], shifted: Sequence[Parameters]) -> Iterator[str]:
    """Yield in what families of the shifted suite look like others; values in ranges count as the same.

    Args:
        common: of the families of all other splits. shifted: of those of the suite.
    """
    if not common or not shifted:
        return
    for name, seen in (("colours", _colors), ("lamps (side, elevation band)", _lamps)):
        shared = {value for each in common for value in seen(each)} & {
            value for each in shifted for value in seen(each)
        }
        if shared:
            yield f"{name} of other splits: {', '.join(sorted(map(str, shared)))}"
    yield from _range_overlaps(common, shifted)
    yield from _shape_overlaps(common, shifted)


def _range_overlaps(common: Sequence[Parameters], shifted: Sequence[Parameters]) -> Iterator[str]:
    for name, measure in (("roughness", _roughness), ("hue of the ground", _ground_hue)):
        known = [value for each in common for value in measure(each)]
        inside = [value for each in shifted for value in measure(each) if _within(value, known)]
        if inside:
            yield f"{name} within that of other splits: {inside[0]:.3f}"


def _shape_overlaps(common: Sequence[Parameters], shifted: Sequence[Parameters]) -> Iterator[str]:
    """Shapes are the same if both proportions lie within those of the same geometry."""
    known: dict[str, list[Range]] = {}
    for body in (body for each in common for body in _bodies(each)):
        known.setdefault(body["geometry"], []).append(_proportions(body))
    for body in (body for each in shifted for body in _bodies(each)):
        tall, deep = _proportions(body)
        seen = known.get(body["geometry"], [])
        if seen and _within(tall, [a for a, _ in seen]) and _within(deep, [b for _, b in seen]):
            yield f"a {body['geometry']} of other splits' proportions"
            return


def _within(value: float, known: Sequence[float]) -> bool:
    return bool(known) and min(known) <= value <= max(known)


def _bodies(parameters: Parameters) -> list[Mapping[str, Any]]:
    """Return all objects, those that are only seen in a mirror among them."""
    stand_ins = (each.get("stand_in") for each in parameters["interventions"])
    return [*parameters["bodies"], *(body for body in stand_ins if body)]


def _colors(parameters: Parameters) -> set[str]:
    return {body["color_name"] for body in _bodies(parameters)}


def _lamps(parameters: Parameters) -> set[tuple[int, int]]:
    lamp = parameters["lamp"]
    return {(lamp["direction"], sum(lamp["elevation_deg"] > limit for limit in _BETWEEN_BANDS))}


def _roughness(parameters: Parameters) -> list[float]:
    return [body["roughness"] for body in _bodies(parameters) if body["surface"] == "plastic"]


def _ground_hue(parameters: Parameters) -> list[float]:
    return [colorsys.rgb_to_hsv(*(value ** (1 / 2.2) for value in parameters["room"]["ground"]))[0]]


def _proportions(body: Mapping[str, Any]) -> Range:
    """Return height and depth over width."""
    width, depth, height = body["half_extents"]
    return height / width, depth / width
