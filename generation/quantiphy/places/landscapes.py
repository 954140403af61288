"""Furnished places for trains, ships, aircraft and rockets: railway, airfield, coast, launch site, valley."""

from __future__ import annotations

import numpy as np

from generation.geometry.creases import shaded
from generation.geometry.lofts import ball, loft, pipe, rod, rounded_box
from generation.geometry.placing import moved, repeated, turned
from generation.quantiphy.places.built import (
    BRICK,
    FRAME,
    GRAY_METAL,
    IRON,
    PLASTER,
    ROOF,
    SLATE,
    add_fence,
    add_house,
    add_shed,
)
from generation.quantiphy.places.model import Place, PlaceKind, PlaceParams
from generation.quantiphy.places.nature import FAR_HILL, ROCK, add_forest, add_hills, add_tree, lump, ridge
from generation.quantiphy.places.plain import EXTENTS
from generation.quantiphy.places.scenery import (
    Scenery,
    chalk,
    paint,
    papered,
    sheet,
    sky,
    slab,
    spread,
    textured,
)
from generation.quantiphy.places.streets import WATER
from generation.quantiphy.things.model import Move
from generation.quantiphy.things.paints import HEADLIGHT, WINDOW
from generation.rendering.shapes import lathe
from generation.scene import Float, Material, Mesh

_E = EXTENTS["open"]
_FLIGHT: frozenset[Move] = frozenset({"flies", "rises", "drives", "stands"})


def _land(
    params: PlaceParams, ground: Material, tile: float, depth: float, height: float, far: float = 1400.0
) -> Scenery:
    scenery = Scenery(_E, depth=depth, height=height)
    scenery.add(ground, sheet((-1400, 1400), (-620, far), tile=tile))
    scenery.add(textured("sky"), sky(_E, params.numbers["phase"]))
    return scenery


def _railway(params: PlaceParams) -> Place:
    """Build two tracks, the nearer one along the x axis, its rails up to z = 0."""
    phase = params.numbers["phase"]
    scenery = Scenery(_E, depth=2.4, height=7.0)
    scenery.add(textured("sky"), sky(_E, phase))
    scenery.add(textured("grass"), sheet((-1400, 1400), (-620, 1400), -0.75, 25.0))
    bed = np.array([[-3.4, -0.75], [-2.2, -0.26], [6.8, -0.26], [8.0, -0.75]])
    scenery.add(textured("gravel"), _embankment(bed, 420.0, 3.0))
    for y in (0.0, 4.6):
        _track(scenery, y)
    for k in range(-6, 7):
        _mast(scenery, 45.0 * k + 20 * phase, 7.6)
    for z in (5.6, 6.9):
        scenery.add(IRON, *(rod((-420, y, z + 0.5), (420, y, z + 0.5), 0.025, 4) for y in (4.6,)))
    _signal(scenery, 34.0 + 8 * phase, 8.4)
    _platform(scenery, -40.0 + 20 * phase, 13.0)
    for k, share in enumerate(spread(8, phase)):
        add_house(
            scenery,
            -160 + 44.0 * k + 12 * share,
            48 + 40 * share,
            11 + 4 * share,
            2,
            (PLASTER, BRICK)[k % 2],
            (ROOF, SLATE)[k % 2],
        )
    for k, share in enumerate(spread(10, phase + 0.5)):
        add_tree(scenery, -170 + 37.0 * k, 34 + 14 * share, 9 + 4 * share, share, -0.75)
    add_hills(scenery, phase)
    return scenery.outdoors(params.numbers["lean"])


def _embankment(section: Float, half: float, tile: float) -> Mesh:
    """Return a bed along x, from its foot over its top to its other foot (4, 2) in y and z, open below."""
    ends = [np.column_stack([np.full(4, x), section]) for x in (-half, half)]
    vertices = np.concatenate(ends)
    k = np.arange(3)
    faces = np.concatenate([np.stack([k, k + 4, k + 5], 1), np.stack([k, k + 5, k + 1], 1)])
    bed = shaded(vertices, faces, 10.0)
    return Mesh(bed.vertices, bed.faces, bed.normals, bed.vertices[:, :2] / tile)


def _track(scenery: Scenery, y: float) -> None:
    """Add a track of standard gauge whose rails end at z = 0."""
    head = np.array(
        [
            [-0.07, -0.16],
            [0.07, -0.16],
            [0.07, -0.14],
            [0.015, -0.12],
            [0.015, -0.05],
            [0.036, -0.04],
            [0.036, -0.002],
            [0.030, 0.0],
            [-0.030, 0.0],
            [-0.036, -0.002],
            [-0.036, -0.04],
            [-0.015, -0.05],
            [-0.015, -0.12],
            [-0.07, -0.14],
        ]
    )
    rings = [np.column_stack([np.full(len(head), x), head]) for x in (-420.0, 420.0)]
    rail = loft(np.array(rings))
    scenery.add(GRAY_METAL, *(moved(rail, y=y + s * 0.7525) for s in (-1, 1)))
    places = np.column_stack([0.65 * np.arange(-460, 461), np.full(921, y), np.full(921, -0.30)])
    scenery.add(chalk(0.30, 0.285, 0.265), repeated(slab((0.26, 2.6, 0.14), 0.0, 0.0, 0.0), places))


def _mast(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(
        GRAY_METAL,
        rod((x, y, -0.7), (x, y, 8.2), 0.13, 8),
        rod((x, y, 7.5), (x, y - 3.2, 7.2), 0.05, 6),
        rod((x, y, 8.1), (x, y - 3.2, 7.2), 0.03, 6),
        rod((x, y, 6.0), (x, y - 3.2, 6.3), 0.04, 6),
    )


def _signal(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(
        IRON,
        rod((x, y, -0.7), (x, y, 4.6), 0.09, 8),
        moved(rounded_box((0.62, 0.2, 1.5), 0.08), x, y - 0.1, 5.0),
    )
    for z, tone in ((5.4, (0.75, 0.05, 0.03)), (4.9, (0.10, 0.09, 0.03)), (4.5, (0.03, 0.10, 0.05))):
        scenery.add(paint(*tone, 0.1), moved(ball(0.26, 16), x, y - 0.20, z))


def _platform(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(textured("paving"), papered((70.0, 6.0, 1.5), 3.0, (x, y, 0.0)))
    scenery.add(chalk(0.65, 0.65, 0.62), slab((70.0, 0.25, 0.01), x, y - 2.5, 0.75))
    for k in range(-3, 4):
        scenery.add(IRON, rod((x + 4.5 * k, y + 1.2, 0.75), (x + 4.5 * k, y + 1.2, 3.9), 0.10, 8))
    scenery.add(SLATE, slab((31.0, 4.2, 0.22), x, y + 0.6, 3.9))
    scenery.add(PLASTER, papered((24.0, 6.0, 4.6), 2.0, (x, y + 7.5, 1.8)))
    scenery.add(WINDOW, *(slab((1.6, 0.1, 1.6), x + 3.3 * k, y + 4.48, 1.5) for k in range(-3, 4)))
    scenery.add(paint(0.05, 0.13, 0.28), slab((5.0, 0.12, 0.9), x, y - 0.6, 3.2))
    scenery.add(FRAME, slab((4.0, 0.14, 0.35), x, y - 0.6, 3.48))


def _airfield(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _land(params, textured("grass"), 30.0, 28.0, 60.0)
    scenery.add(textured("asphalt"), sheet((-1400, 1400), (-30, 24), 0.010, 12.0))
    white = chalk(0.66, 0.66, 0.64)
    scenery.add(white, *(sheet((45.0 * k - 12, 45.0 * k + 12), (-3.5, -2.6), 0.02) for k in range(-25, 26)))
    scenery.add(white, *(sheet((-1400, 1400), (y - 0.45, y + 0.45), 0.02) for y in (-28.5, 22.5)))
    scenery.add(textured("concrete"), sheet((-260, 260), (44, 96), 0.012, 14.0))
    for k in range(4):
        tones = (chalk(0.46, 0.48, 0.48), chalk(0.40, 0.44, 0.48))
        add_shed(scenery, -165 + 62.0 * k + 14 * phase, 96, (50.0, 36.0, 12.0), tones[k % 2], GRAY_METAL)
    _tower(scenery, 92.0 + 14 * phase, 84.0)
    _terminal(scenery, 158.0, 98.0)
    for k in range(-9, 10):
        scenery.add(HEADLIGHT, moved(ball(0.7, 8), 30.0 * k, 29.5, 0.35))
    _windsock(scenery, -58.0 + 20 * phase, 34.0)
    add_forest(scenery, (-420, 420), (190, 240), 70, 15.0, phase)
    add_hills(scenery, phase)
    return scenery.outdoors(params.numbers["lean"])


def _tower(scenery: Scenery, x: float, y: float) -> None:
    """Add a control tower with a glass cab."""
    scenery.add(
        FRAME,
        moved(
            lathe(np.array([[0, 0], [3.6, 0], [2.9, 4], [2.6, 22], [4.6, 24.5], [5.0, 25.4], [0, 25.4]]), 8),
            x,
            y,
        ),
    )
    scenery.add(WINDOW, moved(lathe(np.array([[0, 25.4], [4.5, 25.4], [5.4, 28.9], [0, 28.9]]), 8), x, y))
    scenery.add(SLATE, moved(lathe(np.array([[0, 28.9], [5.8, 28.9], [5.6, 29.8], [0, 30.4]]), 8), x, y))
    scenery.add(IRON, rod((x, y, 30), (x, y, 36), 0.12, 6))


def _terminal(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(FRAME, slab((66.0, 22.0, 11.0), x, y + 11, 0.0))
    scenery.add(WINDOW, *(slab((6.8, 0.3, 5.0), x + 8.0 * k, y, 4.2) for k in range(-3, 4)))
    scenery.add(GRAY_METAL, slab((70.0, 26.0, 0.9), x, y + 10, 11.0))


def _windsock(scenery: Scenery, x: float, y: float) -> None:
    scenery.add(FRAME, rod((x, y, 0), (x, y, 8.5), 0.10, 8))
    drop = np.array([[0, 0, 0], [1.2, 0, -0.15], [2.4, 0, -0.5], [3.4, 0, -1.0]])
    path = np.array([x, y, 8.3]) + drop
    for k in range(3):
        radii = np.linspace(0.55 - 0.10 * k, 0.45 - 0.10 * k, 2)
        scenery.add(chalk(0.62, 0.24, 0.06) if k != 1 else FRAME, pipe(path[k : k + 2], radii, 12))


def _coast(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _land(params, WATER, 65.0, 42.0, 60.0)
    place = 88.0 + 20 * phase
    for k, share in enumerate(spread(16, phase)):
        scenery.add(
            ROCK,
            moved(
                lump(9 + 13 * share, share, 0.17),
                place + 27 * (share - 0.5) + 3 * (k % 5 - 2),
                92 + 16 * spread(16, 0.7)[k],
                0.0,
            ),
        )
    _lighthouse(scenery, place, 96.0, 6.0)
    scenery.add(chalk(0.16, 0.20, 0.10), ridge((-520, -60), (190, 330), 46.0, phase))
    scenery.add(chalk(0.46, 0.42, 0.34), ridge((-500, -75), (170, 235), 11.0, phase + 0.2))
    for k, share in enumerate(spread(9, phase)):
        base = Scenery(_E)
        add_house(base, 0, 0, 11.0, 2, (PLASTER, chalk(0.58, 0.50, 0.38))[k % 2], ROOF)
        for material, meshes in base.furniture():
            scenery.add(
                material, *(moved(mesh, -250 + 22.0 * k, 200 + 8 * share, 8.5 + 6 * share) for mesh in meshes)
            )
    scenery.add(FAR_HILL, ridge((150, 700), (420, 560), 55.0, phase + 0.5))
    buoy = np.array([[0, -0.5], [1.3, -0.4], [1.5, 0.6], [0.5, 1.0], [0.28, 4.2], [0, 4.3]])
    scenery.add(paint(0.05, 0.22, 0.09), moved(lathe(buoy, 16), -82.0, 50.0))
    return scenery.outdoors(params.numbers["lean"])


def _lighthouse(scenery: Scenery, x: float, y: float, low: float) -> None:
    """Add a white and red tower of 30 m."""
    for k in range(5):
        r0, r1 = 3.6 - 0.30 * k, 3.3 - 0.30 * k
        ring = np.array([[0, 5.0 * k], [r0, 5.0 * k], [r1, 5.0 * k + 5.0], [0, 5.0 * k + 5.0]])
        scenery.add(FRAME if k % 2 == 0 else paint(0.42, 0.05, 0.04), moved(lathe(ring, 32), x, y, low))
    scenery.add(
        IRON,
        moved(lathe(np.array([[0, 25], [3.0, 25], [3.0, 25.5], [0, 25.5]]), 32), x, y, low),
        moved(lathe(np.array([[0, 28.5], [2.0, 28.5], [0.2, 30.6], [0, 31.2]]), 24), x, y, low),
    )
    scenery.add(
        HEADLIGHT, moved(lathe(np.array([[0, 25.5], [1.6, 25.5], [1.6, 28.5], [0, 28.5]]), 24), x, y, low)
    )


def _launch_site(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _land(params, textured("sand"), 40.0, 30.0, 90.0)
    scenery.add(textured("concrete"), sheet((-48, 48), (-46, 58), 0.012, 16.0))
    scenery.add(
        textured("asphalt"),
        sheet((-1400, -48), (2, 12), 0.012, 10.0),
        sheet((48, 1400), (2, 12), 0.012, 10.0),
    )
    _gantry(scenery, 17.0 * (1 if phase > 0.5 else -1), 40.0, 62.0)
    for x in (-74.0, 76.0):
        scenery.add(GRAY_METAL, *(rod((x, y, 0), (x, y, 78), 0.35, 8) for y in (48.0,)))
        scenery.add(FRAME, moved(lathe(np.array([[0, 78], [1.1, 78], [0.8, 84], [0, 90]]), 12), x, 48.0))
    for k in range(3):
        scenery.add(FRAME, moved(ball(13.0, 32), 92.0 + 19 * k, 76.0, 9.0))
        scenery.add(
            GRAY_METAL,
            *(
                rod(
                    (92.0 + 19 * k + 5 * np.cos(a), 76 + 5 * np.sin(a), 0),
                    (92.0 + 19 * k + 5 * np.cos(a), 76 + 5 * np.sin(a), 7),
                    0.3,
                    6,
                )
                for a in 2 * np.pi * np.arange(6) / 6
            ),
        )
    add_shed(scenery, -118.0, 92.0, (52.0, 44.0, 34.0), chalk(0.52, 0.53, 0.53), SLATE)
    add_fence(scenery, (-200, 200), 70.0, 2.4)
    scenery.add(chalk(0.30, 0.21, 0.14), ridge((-1000, 1000), (440, 620), 55.0, phase))
    scenery.add(chalk(0.36, 0.31, 0.30), ridge((-1100, 1100), (620, 790), 120.0, phase + 0.4))
    return scenery.outdoors(params.numbers["lean"])


def _gantry(scenery: Scenery, x: float, y: float, height: float) -> None:
    """Add a lattice tower with platforms."""
    steel = paint(0.33, 0.16, 0.09)
    half, storey = 3.2, height / 10
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    for k in range(10):
        low, high = k * storey, (k + 1) * storey
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            scenery.add(
                steel,
                rod((x + ax, y + ay, low), (x + bx, y + by, high), 0.17, 5),
                rod((x + ax, y + ay, high), (x + bx, y + by, high), 0.20, 5),
            )
        scenery.add(GRAY_METAL, slab((2.3 * half, 2.3 * half, 0.25), x, y, high - 0.1))
    scenery.add(
        steel, *(rod((x + ax, y + ay, 0), (x + ax, y + ay, height + 1), 0.34, 6) for ax, ay in corners)
    )
    scenery.add(steel, rod((x, y, height), (x, y, height + 12), 0.25, 6))
    for k in (5, 8):
        scenery.add(steel, slab((2.2, 6.5, 1.6), x, y - 6.0, k * storey))


def _valley(params: PlaceParams) -> Place:
    phase = params.numbers["phase"]
    scenery = _land(params, textured("grass"), 34.0, 40.0, 90.0)
    scenery.add(
        chalk(0.42, 0.36, 0.14), sheet((-330, -70), (75, 150), 0.03), sheet((120, 420), (150, 230), 0.03)
    )
    scenery.add(chalk(0.20, 0.13, 0.075), sheet((-50, 105), (120, 200), 0.03))
    for k, share in enumerate(spread(9, phase)):
        add_house(
            scenery,
            -66 + 19.0 * k,
            70 + 26 * share,
            10 + 4 * share,
            1 + k % 2,
            (PLASTER, chalk(0.58, 0.52, 0.40), BRICK)[k % 3],
            ROOF,
        )
    _church(scenery, -94.0 + 10 * phase, 84.0)
    for k, share in enumerate(spread(8, phase + 0.2)):
        add_tree(scenery, -150 + 42.0 * k, 58 + 40 * share, 10 + 5 * share, share)
    add_forest(scenery, (-480, 480), (235, 330), 120, 20.0, phase)
    add_fence(scenery, (-120, 160), 52.0, 1.6)
    add_hills(scenery, phase)
    return scenery.outdoors(params.numbers["lean"])


def _church(scenery: Scenery, x: float, y: float) -> None:
    add_house(scenery, x + 9.5, y, 15.0, 2, PLASTER, SLATE)
    scenery.add(PLASTER, papered((6.0, 6.0, 19.0), 2.0, (x, y + 3.0, 9.5)))
    scenery.add(
        SLATE,
        moved(
            turned(lathe(np.array([[0, 0], [4.6, 0], [0.9, 5.0], [0, 11.0]]), 4), "z", 45), x, y + 3.0, 19.0
        ),
    )
    scenery.add(WINDOW, *(slab((1.1, 0.1, 2.6), x, y - 0.02, z) for z in (6.0, 14.0)))


_DRAWN = {"phase": (0.0, 1.0), "lean": (-0.8, 0.8)}
_TRAINS = frozenset({"train", "steam locomotive"})
LANDSCAPES = (
    PlaceKind(
        "railway",
        "C",
        "open",
        _railway,
        suits=frozenset({"drives", "stands"}),
        clashes=frozenset({"airplane", "rocket"}),
        ranges=_DRAWN,
    ),
    PlaceKind("airfield", "C", "open", _airfield, suits=_FLIGHT, clashes=_TRAINS, ranges=_DRAWN),
    PlaceKind("coast", "C", "open", _coast, "water", frozenset({"floats", "flies", "rises"}), ranges=_DRAWN),
    PlaceKind(
        "launch site", "C", "open", _launch_site, suits=_FLIGHT, clashes=_TRAINS | {"airplane"}, ranges=_DRAWN
    ),
    PlaceKind(
        "valley",
        "C",
        "open",
        _valley,
        suits=frozenset({"flies", "rises", "stands"}),
        clashes=_TRAINS,
        ranges=_DRAWN,
    ),
)
