"""Motorboat, sailboat and cargo ship."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import hull, loft, pipe, rod, rounded_box
from generation.geometry.outlines import plate
from generation.geometry.placing import both_sides, moved, turned
from generation.quantiphy.things.kit import Kit
from generation.quantiphy.things.model import Kind, Thing, ThingParams
from generation.quantiphy.things.paints import DARK, STEEL, WHITE, WINDOW, WOOD, gloss, matt
from generation.scene import Material, Mesh


def boat_hull(
    length: float, beam: float, freeboard: float, draft: float, *, full: float = 0.0, sheer: float = 0.35
) -> Mesh:
    """Return a hull, bow to +x, stern at -length / 2, water line at z = 0, closed by a flat deck.

    Args:
        full: 0 for a boat that narrows early, 1 for a ship with long straight sides.
        sheer: how much higher the bow is than the middle, of the freeboard.
    """
    s = np.concatenate([np.linspace(0, 0.6, 10), 1 - 0.4 * (1 - np.linspace(0, 1, 16)[1:]) ** 1.6])
    bow = np.clip((s - (0.35 + 0.45 * full)) / (0.65 - 0.45 * full), 0, 1)
    half = beam / 2 * (1 - bow ** (2.2)) * np.interp(s, [0, 0.25 - 0.15 * full, 1], [0.86, 1.0, 1.0])
    half[-1] = 0.0
    deck = freeboard * (1 + sheer * np.clip((s - 0.35) / 0.65, 0, 1) ** 2 + 0.06 * (1 - s))
    keel = -draft * (1 - np.clip((s - 0.80) / 0.20, 0, 1) ** 2 * (1 + 0.6 * freeboard / draft))
    x = length * (s - 0.5)
    rake = 0.07 * length * (1 - 0.7 * full) * np.clip((s - 0.6) / 0.4, 0, 1)
    rings = []
    for k in range(len(s)):
        levels = np.array([0.0, 0.10, 0.42, 0.75, 1.0])
        flare = np.array([0.10 + 0.75 * full, 0.42 + 0.52 * full, 0.80 + 0.2 * full, 0.94 + 0.06 * full, 1.0])
        z = keel[k] + levels * (deck[k] - keel[k])
        right = np.column_stack([x[k] - rake[k] * (1 - levels), -half[k] * flare, z])
        rings.append(np.vstack([right[::-1], right * [1, -1, 1]]))
    return loft(np.array(rings), 32.0)


def _motorboat(params: ThingParams) -> Thing:
    length = params.sizes["length"]
    kit = Kit(gloss(params.color))
    kit.paint(boat_hull(6.5, 2.3, 0.80, 0.45))
    deck = boat_hull(6.3, 2.16, 0.08, 0.08, sheer=0.0)
    kit.add(WHITE, moved(_sheered(deck), x=-0.02, z=0.88))
    cabin = hull(
        [-0.75, -0.70, 0.2, 0.9, 1.45, 1.9],
        [1.40, 1.46, 1.52, 1.40, 1.02, 0.5],
        [0.75] * 6,
        [1.52, 1.60, 1.62, 1.50, 1.22, 1.0],
        power=4,
        taper=0.85,
        between=3,
    )
    kit.add(WHITE, cabin)
    side = plate(
        np.array([[-0.55, 1.20], [-0.55, 1.50], [0.35, 1.50], [0.85, 1.38], [1.05, 1.20]]), 1.52, 0.0
    )
    kit.add(WINDOW, side)
    pane = rounded_box((0.035, 1.30, 0.55), 0.012)
    kit.add(WINDOW, moved(turned(pane, "y", -32), x=0.22, z=1.78))
    kit.add(
        WINDOW,
        *both_sides(_pane([(0.05, 1.55), (0.36, 1.55), (0.05, 2.0), (-0.25, 1.98), (-0.75, 1.58)], -0.64)),
    )
    kit.add(
        WOOD,
        *both_sides(
            *(
                moved(rounded_box((0.5, 0.55, z), 0.08, 3), x, -0.42, 0.9 + z / 2)
                for x, z in ((-1.25, 0.35), (-2.1, 0.35))
            )
        ),
    )
    _railing(kit)
    kit.add(
        DARK,
        moved(rounded_box((0.50, 0.46, 0.62), 0.12, 4), x=-3.35, z=1.05),
        moved(rounded_box((0.18, 0.14, 1.0), 0.05), x=-3.38, z=0.25),
    )
    kit.add(WHITE, *both_sides(moved(rounded_box((3.6, 0.02, 0.07), 0.01), -1.3, -1.135, 0.60)))
    return kit.thing(
        {"x": length, "y": 2.3 * length / 6.6, "z": 2.5 * length / 6.6}, {"length": "x"}, ground_z=0.0
    )


def _railing(kit: Kit) -> None:
    """Add a motorboat's rail around the bow with its posts."""
    side = [[0.9, -0.82, 1.40], [1.9, -0.62, 1.48], [2.7, -0.30, 1.55]]
    other = [[x, -y, z] for x, y, z in reversed(side)]
    kit.add(STEEL, pipe(np.array([*side, [3.0, 0.0, 1.58], *other]), 0.022, 8))
    kit.add(STEEL, *both_sides(*(rod((x, y, z), (x, y, z - 0.45), 0.018, 6) for x, y, z in side)))


def _pane(outline: list[tuple[float, float]], y: float) -> Mesh:
    """Return a thin pane in a plane of constant y."""
    return moved(plate(np.array(outline), 0.03), y=y)


def _sheered(mesh: Mesh) -> Mesh:
    """Lift a deck towards the bow as its hull rises."""
    vertices = mesh.vertices.copy()
    vertices[:, 2] += 0.85 * 0.33 * np.clip((vertices[:, 0] / 6.5 + 0.15) / 0.65, 0, 1) ** 2
    return Mesh(vertices, mesh.faces, mesh.normals)


def _sailboat(params: ThingParams) -> Thing:
    """Build a sloop; hull and both sails are coloured."""
    length = params.sizes["length"]
    kit = Kit(gloss(params.color))
    kit.paint(boat_hull(10.0, 3.1, 1.0, 0.5, sheer=0.25))
    kit.add(
        WHITE,
        moved(
            hull(
                [-1.6, -1.5, 0.2, 1.6, 2.2],
                [1.7, 1.8, 1.8, 1.4, 0.9],
                [0.9] * 5,
                [1.40, 1.50, 1.55, 1.40, 1.15],
                power=4,
                taper=0.85,
                between=3,
            )
        ),
    )
    kit.add(WINDOW, moved(rounded_box((1.8, 1.70, 0.20), 0.08), x=-0.1, z=1.32))
    kit.add(STEEL, rod((0.9, 0, 1.0), (0.9, 0, 13.0), 0.075), rod((0.9, 0, 2.25), (-4.1, 0, 2.15), 0.06))
    kit.add(
        STEEL, rod((4.85, 0, 1.3), (0.9, 0, 12.9), 0.018, 6), rod((-4.9, 0, 1.1), (0.9, 0, 13.0), 0.015, 6)
    )
    kit.add(STEEL, *both_sides(rod((0.8, -1.45, 1.0), (0.9, 0, 12.0), 0.015, 6)))
    kit.add(DARK, *both_sides(moved(rounded_box((7.0, 0.02, 0.16), 0.01), -1.2, -1.48, 0.60)))
    kit.add(
        matt(params.color),
        _sail([(0.78, 2.35), (0.78, 12.7)], [(-4.0, 2.25), (0.55, 12.7)], 0.55),
        _sail([(4.6, 1.9), (1.25, 11.6)], [(1.15, 1.9), (1.2, 11.6)], 0.40),
    )
    return kit.thing(
        {"x": length, "y": 0.31 * length, "z": 1.35 * length}, {"length": "x", "height": "z"}, ground_z=0.0
    )


def _sail(luff: list[tuple[float, float]], leech: list[tuple[float, float]], belly: float) -> Mesh:
    """Return a thin curved sail between its front and its back edge, each from foot to head (x, z)."""
    rings = []
    for s in np.linspace(0, 1, 17):
        front, back = (np.array(edge[0]) + s * np.subtract(edge[1], edge[0]) for edge in (luff, leech))
        bow = 4 * s * (1 - s) * 0.06
        t = np.linspace(0, 1, 13)[:, None]
        line = front + (back - front) * t - [bow, 0] * t
        depth = belly * (1 - 0.6 * s) * np.sin(np.pi * t[:, 0] ** 0.8)
        sheet = np.column_stack([line[:, 0], depth, line[:, 1]])
        half = np.array([0.0, 0.012, 0.0])
        rings.append(np.vstack([sheet - half, sheet[::-1] + half]))
    return loft(np.array(rings))


def _ship(params: ThingParams) -> Thing:
    """Build a container ship with its bridge aft."""
    length = params.sizes["length"]
    kit = Kit(gloss(params.color))
    kit.paint(boat_hull(90.0, 14.5, 5.2, 3.2, full=1.0, sheer=0.55))
    kit.add(DARK, moved(rounded_box((8.0, 6.0, 0.6), 0.2), x=35, z=6.3))
    for k, (high, wide, deep) in enumerate(
        ((3.2, 13.0, 11.0), (2.8, 12.0, 9.5), (2.8, 12.0, 9.0), (2.8, 13.5, 7.5))
    ):
        z = 5.5 + 2.85 * k
        kit.add(WHITE, moved(rounded_box((deep, wide, high), 0.15), x=-35, z=z + high / 2))
        kit.add(
            WINDOW,
            *both_sides(moved(rounded_box((deep - 1.4, 0.1, 0.95), 0.04), -35, -wide / 2, z + 1.75)),
            moved(rounded_box((0.1, wide - 1.2, 0.95), 0.04), x=-35 + deep / 2, z=z + 1.75),
        )
    kit.paint(moved(rounded_box((3.6, 4.0, 5.0), 0.5), x=-41.0, z=16.0))
    kit.add(DARK, moved(rounded_box((3.7, 4.1, 0.9), 0.4), x=-41.0, z=18.3))
    kit.add(
        STEEL,
        rod((-34, 0, 17), (-34, 0, 23.5), 0.22),
        rod((-34, -2.2, 21), (-34, 2.2, 21), 0.12),
        rod((38, 0, 6), (38, 0, 14), 0.25),
    )
    _containers(kit)
    return kit.thing(
        {"x": length, "y": 14.5 * length / 90, "z": 26.7 * length / 90}, {"length": "x"}, ground_z=0.0
    )


def _containers(kit: Kit) -> None:
    colors = [(0.34, 0.33, 0.31), (0.22, 0.12, 0.07), (0.48, 0.46, 0.42), (0.13, 0.14, 0.15)]
    for column in range(8):
        for row in range(4):
            for level in range(2 + (column * 7 + row * 3) % 5 // 2):
                color = colors[(column * 5 + row * 3 + level * 2) % 4]
                block = rounded_box((6.0, 2.45, 2.5), 0.08, 1)
                kit.add(
                    Material("plastic", color, 0.4),
                    moved(
                        block,
                        -25.2 + 6.6 * column,
                        (row - 1.5) * 2.6 * (0.9 if column == 7 else 1),
                        6.9 + 2.6 * level,
                    ),
                )


BOATS = (
    Kind(
        "motorboat",
        "street",
        frozenset({"floats"}),
        ("red", "blue", "white", "green", "yellow", "orange", "black"),
        {"length": (5.2, 9.0)},
        _motorboat,
    ),
    Kind(
        "sailboat",
        "open",
        frozenset({"floats"}),
        ("white", "red", "blue", "orange", "yellow", "green"),
        {"length": (9.0, 14.0)},
        _sailboat,
    ),
    Kind(
        "cargo ship",
        "open",
        frozenset({"floats"}),
        ("red", "blue", "green", "black", "orange"),
        {"length": (45.0, 80.0)},
        _ship,
    ),
)
