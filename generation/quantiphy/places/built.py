"""Houses, sheds, fences, shelves and other built things that stand around."""

from __future__ import annotations

import numpy as np

from generation.geometry.lofts import ball, pipe, rod, rounded_box
from generation.geometry.outlines import plate
from generation.geometry.placing import moved, repeated, turned
from generation.quantiphy.places.scenery import Scenery, chalk, paint, papered, slab, spread, textured
from generation.quantiphy.things.meshes import drum
from generation.quantiphy.things.paints import STEEL, WINDOW
from generation.rendering.shapes import lathe
from generation.scene import Material

FRAME = paint(0.68, 0.67, 0.63)
ROOF = chalk(0.20, 0.085, 0.060)
SLATE = chalk(0.085, 0.090, 0.100)
PLANKS = chalk(0.30, 0.185, 0.095)
PALE_WOOD = Material("plastic", (0.46, 0.30, 0.16), 0.35)
IRON = paint(0.055, 0.060, 0.060)
GRAY_METAL = Material("metal", (0.42, 0.43, 0.45), 0.35)
BRICK = textured("brick")
PLASTER = textured("plaster")


def add_window(scenery: Scenery, x: float, y: float, low: float, width: float, height: float) -> None:
    """Add a window with a cross on a wall whose face lies at y, towards the camera."""
    edge = 0.07 * min(width, height)
    scenery.add(WINDOW, slab((width, 0.02 * width, height), x, y - 0.012 * width, low))
    for dx in (-width / 2, 0.0, width / 2):
        scenery.add(
            FRAME, slab((edge, 0.05 * width, height + edge), x + dx, y - 0.025 * width, low - edge / 2)
        )
    for dz in (0.0, 0.5 * height, height):
        scenery.add(
            FRAME, slab((width + edge, 0.05 * width, edge), x, y - 0.025 * width, low + dz - edge / 2)
        )


def add_house(
    scenery: Scenery, x: float, y: float, width: float, storeys: int, wall: Material, roof: Material = ROOF
) -> None:
    """Add a house with its front at y: door, windows and a roof whose ridge runs along x."""
    depth, height = 7.5, 2.9 * storeys
    scenery.add(wall, papered((width, depth, height), 1.6, (x, y + depth / 2, height / 2)))
    gable = np.array([[-depth / 2 - 0.5, 0.0], [0.0, 0.42 * depth], [depth / 2 + 0.5, 0.0]])
    scenery.add(roof, moved(turned(plate(gable, width + 0.6), "z", 90), x, y + depth / 2, height))
    scenery.add(
        chalk(0.26, 0.12, 0.09),
        slab((0.8, 0.8, 2.2), x + 0.28 * width, y + 0.55 * depth, height + 0.30 * depth),
    )
    count = max(2, int(width / 2.7))
    for storey in range(storeys):
        for k in range(count):
            place = x + width * ((k + 0.5) / count - 0.5)
            if storey == 0 and k == count // 2:
                scenery.add(paint(0.10, 0.075, 0.055), slab((1.1, 0.1, 2.2), place, y - 0.04, 0.0))
                scenery.add(FRAME, slab((1.35, 0.06, 2.33), place, y - 0.02, 0.0))
            else:
                add_window(scenery, place, y, 2.9 * storey + 1.0, 1.15, 1.35)


def add_shed(
    scenery: Scenery,
    x: float,
    y: float,
    size: tuple[float, float, float],
    wall: Material,
    roof: Material,
    *,
    doors: int = 1,
) -> None:
    """Add a hall of a size along x, y, z with a barrel roof along y and big doors in front."""
    width, depth, height = size
    scenery.add(wall, papered((width, depth, height), 0.5 * height, (x, y + depth / 2, height / 2)))
    angle = np.linspace(0, np.pi, 17)
    arch = np.column_stack([0.51 * width * np.cos(angle), 0.32 * height * np.sin(angle)])
    scenery.add(roof, moved(plate(arch, 1.02 * depth), x, y + depth / 2, height))
    for k in range(doors):
        place = x + width * ((k + 0.5) / doors - 0.5)
        leaf = 0.78 * width / doors
        scenery.add(
            paint(0.30, 0.34, 0.37),
            slab((leaf, 0.02 * height, 0.72 * height), place, y - 0.005 * height, 0.0),
        )
        for j in range(1, 6):
            scenery.add(
                IRON,
                slab(
                    (0.012 * leaf, 0.03 * height, 0.72 * height),
                    place + leaf * (j / 6 - 0.5),
                    y - 0.005 * height,
                    0.0,
                ),
            )


def add_fence(scenery: Scenery, x: tuple[float, float], y: float, height: float, low: float = 0.0) -> None:
    """Add a fence of boards."""
    step = 0.1125 * height
    count = int((x[1] - x[0]) / step)
    places = np.column_stack([x[0] + step * (np.arange(count) + 0.5), np.full(count, y), np.full(count, low)])
    scenery.add(PLANKS, repeated(slab((0.8 * step, 0.02 * height, height), 0.0, 0.0, 0.0), places))
    for share in (0.25, 0.75):
        scenery.add(
            PLANKS,
            slab(
                (x[1] - x[0], 0.03 * height, 0.07 * height),
                (x[0] + x[1]) / 2,
                y + 0.025 * height,
                low + share * height,
            ),
        )


def add_bench(scenery: Scenery, x: float, y: float, length: float = 1.8) -> None:
    """Add a park bench that looks at the camera."""
    for k in range(4):
        scenery.add(PALE_WOOD, slab((length, 0.085, 0.035), x, y + 0.105 * (k - 1.5), 0.43))
    for z in (0.60, 0.72, 0.84):
        scenery.add(PALE_WOOD, slab((length, 0.03, 0.085), x, y + 0.27 + 0.25 * (z - 0.6), z))
    for side in (-1, 1):
        end = x + side * (length / 2 - 0.15)
        scenery.add(
            IRON,
            slab((0.05, 0.45, 0.05), end, y, 0.38),
            slab((0.05, 0.05, 0.40), end, y - 0.18, 0.0),
            slab((0.05, 0.05, 0.90), end, y + 0.25, 0.0),
        )


def add_lamp_post(scenery: Scenery, x: float, y: float, height: float, low: float = 0.0) -> None:
    """Add a street lamp whose arm reaches towards the camera."""
    scenery.add(
        IRON,
        rod((x, y, low), (x, y, low + height), 0.016 * height, 10),
        rod((x, y, low + 0.98 * height), (x, y - 0.22 * height, low + height), 0.010 * height, 8),
    )
    scenery.add(
        FRAME,
        moved(
            rounded_box((0.035 * height, 0.13 * height, 0.022 * height), 0.009 * height),
            x,
            y - 0.26 * height,
            low + height,
        ),
    )


def add_shelf(
    scenery: Scenery,
    x: float,
    y: float,
    size: tuple[float, float, float],
    boards: int,
    phase: float,
    wood: Material = PALE_WOOD,
) -> None:
    """Add a shelf of a size along x, y, z, filled with files in dull colours."""
    width, depth, height = size
    thick = 0.022 * width
    scenery.add(
        wood,
        slab((thick, depth, height), x - width / 2, y, 0.0),
        slab((thick, depth, height), x + width / 2, y, 0.0),
        slab((width, thick, height), x, y + depth / 2, 0.0),
    )
    tones = [
        paint(0.20, 0.19, 0.17),
        paint(0.36, 0.33, 0.28),
        paint(0.13, 0.16, 0.18),
        paint(0.26, 0.21, 0.16),
    ]
    step = (height - thick) / boards
    for k in range(boards + 1):
        scenery.add(wood, slab((width, depth, thick), x, y, k * step))
    for k in range(boards):
        place = x - width / 2 + 2 * thick
        sizes = spread(24, phase + 0.31 * k)
        for j, share in enumerate(sizes):
            wide = width * (0.030 + 0.035 * share)
            if place + wide > x + width / 2 - 2 * thick or (j > 10 and share > 0.9):
                break
            file = (0.92 * wide, 0.75 * depth, step * (0.62 + 0.22 * sizes[-1 - j]))
            scenery.add(
                tones[(j * 3 + k) % 4], slab(file, place + wide / 2, y - 0.05 * depth, k * step + thick)
            )
            place += wide


def add_pot_plant(
    scenery: Scenery, x: float, y: float, height: float, phase: float, low: float = 0.0
) -> None:
    """Add a plant with long leaves in a pot."""
    pot = [
        [0, 0],
        [0.11, 0],
        [0.15, 0.26],
        [0.165, 0.27],
        [0.165, 0.31],
        [0.14, 0.31],
        [0.14, 0.28],
        [0, 0.28],
    ]
    scenery.add(chalk(0.42, 0.40, 0.37), moved(lathe(np.array(pot) * height, 32), x, y, low))
    for k, turn in enumerate(2 * np.pi * spread(13, phase)):
        lean = 0.12 + 0.24 * (k % 4) / 3
        s = np.linspace(0, 1, 6)
        out, up = lean * s**1.4, 0.28 + (0.72 - 0.8 * lean) * (s - 0.22 * s**3)
        path = np.column_stack([out * np.cos(turn), out * np.sin(turn), up]) * height
        scenery.add(
            chalk(0.045, 0.13, 0.035),
            moved(pipe(path, height * np.array([0.008, 0.018, 0.026, 0.026, 0.018, 0.002]), 6), x, y, low),
        )


def add_picture(
    scenery: Scenery, x: float, y: float, z: float, width: float, height: float, tone: Material
) -> None:
    """Add a framed picture of a landscape on a wall whose face lies at y."""
    scenery.add(IRON, slab((width, 0.02 * width, height), x, y - 0.01 * width, z - height / 2))
    scenery.add(
        FRAME, slab((0.93 * width, 0.03 * width, 0.91 * height), x, y - 0.012 * width, z - 0.455 * height)
    )
    scenery.add(
        tone, slab((0.75 * width, 0.04 * width, 0.36 * height), x, y - 0.014 * width, z - 0.01 * height)
    )
    scenery.add(
        chalk(0.12, 0.17, 0.10),
        slab((0.75 * width, 0.04 * width, 0.25 * height), x, y - 0.014 * width, z - 0.30 * height),
    )


def add_clock(scenery: Scenery, x: float, y: float, z: float, radius: float) -> None:
    """Add a wall clock that shows ten past ten."""
    disc = turned(drum(radius, 0.12 * radius, 0.02 * radius, 40), "x", 90)
    scenery.add(IRON, moved(disc, x, y, z))
    scenery.add(FRAME, moved(turned(drum(0.9 * radius, 0.13 * radius, 0.0, 40), "x", 90), x, y, z))
    for angle, reach in ((150, 0.5), (30, 0.75)):
        a = np.radians(angle)
        scenery.add(
            IRON,
            rod(
                (x, y - 0.14 * radius, z),
                (x + reach * radius * np.cos(a), y - 0.14 * radius, z + reach * radius * np.sin(a)),
                0.03 * radius,
                6,
            ),
        )


def add_tap(scenery: Scenery, x: float, y: float, height: float) -> None:
    """Add a kitchen tap."""
    angle = np.linspace(0, np.pi, 13)
    bow = np.column_stack(
        [np.zeros(13), -0.3 * height * (1 - np.cos(angle)), height * (0.7 + 0.3 * np.sin(angle))]
    )
    path = np.vstack([[[0, 0, 0]], bow, [[0, -0.6 * height, 0.55 * height]]])
    scenery.add(
        STEEL,
        moved(pipe(path, 0.045 * height, 12), x, y),
        moved(drum(0.10 * height, 0.04 * height, 0.01 * height), x, y),
    )
    scenery.add(
        STEEL,
        rod((x + 0.05 * height, y, 0.25 * height), (x + 0.25 * height, y, 0.38 * height), 0.025 * height),
    )


def add_ball_lamp(scenery: Scenery, x: float, y: float, z: float, size: float, ceiling: float) -> None:
    """Add a globe that hangs from the ceiling; it does not shine."""
    scenery.add(FRAME, moved(ball(size, 24), x, y, z))
    scenery.add(IRON, rod((x, y, z + 0.45 * size), (x, y, ceiling), 0.02 * size, 6))
