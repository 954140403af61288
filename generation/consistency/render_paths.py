"""A path tracer with changeable rules at the visible points, see :mod:`generation.consistency.render_rules`.

The light at a visible point splits in two: what comes straight from the lamp, which has no noise and which
shadows, highlights and lamps are changed in, and all the rest. The random numbers of a pixel depend on
nothing but the pixel and the seed: where rules and scene agree, so do images, bit for bit. What the lamp
would throw onto other surfaces by way of the mirror (a caustic) is left out of all images alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generation.consistency.render_rules import EVERYTHING, MIRRORED, OTHER, Caster, Rules
from generation.consistency.render_stage import Stage
from generation.consistency.solids import Ops, Solid, crossing
from generation.rendering.camera import axes
from generation.rendering.variant import activate

Int = NDArray[np.int64]
Image = NDArray[np.float32]

CASTERS = 8
# Lanes at a time, which bounds the memory.
_LANES = 1 << 22
_ROULETTE_DEPTH = 4
# Past a solid, and how far its mesh may lie inside it, m.
_STEP, _SLACK = 1e-3, 5e-3
# Solids that no line meets, and that all lines are in.
_NOWHERE = Solid("ball", np.diag([1e-3, 1e-3, 1e-3, 1.0])).moved((0.0, 0.0, -9.0))
_ANYWHERE = Solid("ball", np.diag([1e3, 1e3, 1e3, 1.0]))


class PathTracer:
    """Samples pixels of a stage.

    Args:
        stage: the scene. spp: samples per pixel. max_depth: longest path, in segments. seed: of the noise.

    Attributes:
        samples: camera paths so far.
    """

    def __init__(self, stage: Stage, spp: int, max_depth: int, seed: int) -> None:
        """Prepare the camera."""
        self._stage, self._spp, self._max_depth, self._seed = stage, spp, max_depth, seed
        self._grid = _grid(spp)
        self.samples = 0

    def render(self, rules: Rules, pixels: Int, layers: int | None = None) -> Image:
        """Return the mean radiance of each layer.

        Args:
            rules: what light obeys. pixels: (N,) row * width + column.
            layers: room for as many; kernels depend on it.

        Returns:
            (len(rules.layers), N, 3) float32.
        """
        self.samples += len(pixels) * self._spp
        program = _Program(self._stage, rules, layers or len(rules.layers), self._max_depth)
        step = max(1, _LANES // self._spp)
        chunks = [self._chunk(program, pixels[k : k + step]) for k in range(0, len(pixels), step)]
        return np.concatenate(chunks, axis=1)[: len(rules.layers)]

    def _chunk(self, program: _Program, pixels: Int) -> Image:
        import drjit as dr

        mi = activate()
        count = len(pixels) * self._spp
        lane = dr.arange(mi.UInt32, count)
        spp = dr.opaque(mi.UInt32, self._spp)
        pixel = dr.gather(mi.UInt32, mi.UInt32(pixels.astype(np.uint32)), lane // spp)
        sample = lane % spp
        # Lanes have streams of their own, whichever chunk they are in.
        first, second = mi.sample_tea_32(pixel * spp + sample, dr.opaque(mi.UInt32, self._seed & 0xFFFFFFFF))
        random = mi.PCG32(size=count, initstate=mi.UInt64(first), initseq=mi.UInt64(second))
        columns, rows = (dr.opaque(mi.UInt32, n) for n in self._grid)
        jitter = mi.Point2f(
            (mi.Float(sample % columns) + random.next_float32()) / mi.Float(columns),
            (mi.Float(sample // columns) + random.next_float32()) / mi.Float(rows),
        )
        ray = program.camera_ray(pixel, jitter)
        channels = program.trace(ray, random)
        dr.eval(channels)
        means = [dr.block_reduce(dr.ReduceOp.Add, c, self._spp) / self._spp for c in channels]
        table = np.stack([np.array(mean, dtype=np.float32) for mean in means])
        return table.reshape(-1, 3, len(pixels)).transpose(0, 2, 1)


def _grid(spp: int) -> tuple[int, int]:
    """Return the columns and rows of a grid of cells in a pixel, one for each sample."""
    rows = next(n for n in range(int(spp**0.5), 0, -1) if spp % n == 0)
    return spp // rows, rows


class _Solid(NamedTuple):
    """A solid, possibly with a lamp, on the device: values that kernels don't depend on."""

    rows: list[list[Any]]
    quadric: list[Any]
    slabs: list[Any]
    lamp: Any


class _Program:
    """One pass, as Dr.Jit code. Everything that varies between passes is data."""

    def __init__(self, stage: Stage, rules: Rules, layers: int, max_depth: int) -> None:
        import drjit as dr

        self._mi = mi = activate()
        self._scene, self._world, self._max_depth = stage.handle, stage.world, max_depth
        self._ids = [tuple(dr.opaque(mi.UInt32, n) for n in pair) for pair in stage.ids()]
        self._ops = Ops(dr.minimum, dr.maximum, dr.sqrt, dr.select)
        self._number: Callable[[float], Any] = lambda value: dr.opaque(mi.Float, float(value))
        self._mask: Callable[[int], Any] = lambda value: dr.opaque(mi.UInt32, value)
        self._is_plain = layers > 1
        lamp = stage.world.params.lamp
        self._lamp = self._point(lamp.position)
        self._intensity = self._number(lamp.intensity)
        self._environment = self._number(lamp.environment)
        self._tint = self._color(stage.world.room.tint)
        self._camera()
        self._mirror_eye = self._point(rules.mirror_eye)
        self._mirror_normal = self._point(rules.mirror_normal)
        self._set_casters(rules, layers)
        if not self._is_plain:
            self._set_special(rules)

    def _point(self, values: Any) -> Any:
        return self._mi.Vector3f(*(self._number(v) for v in values))

    def _color(self, values: Any) -> Any:
        return self._mi.Color3f(*(self._number(v) for v in values))

    def _camera(self) -> None:
        camera = self._world.camera
        self._axes = [self._point(axis) for axis in axes(camera)]
        half = float(np.tan(np.radians(camera.fov_x_deg) / 2))
        self._half = self._number(half), self._number(half * camera.height / camera.width)
        self._size = self._mask(camera.width), self._mask(camera.height)
        self._eye = self._point(camera.origin)

    def _solid(self, solid: Solid, lamp: Any = (0.0, 0.0, 0.0), turn: Any = None) -> _Solid:
        to_unit = solid.to_unit
        local = to_unit[:3, :3] @ np.asarray(lamp) + to_unit[:3, 3]
        matrix = to_unit if turn is None else to_unit @ turn
        return _Solid(
            [[self._number(value) for value in row] for row in matrix[:3]],
            [self._number(value) for value in solid.quadric],
            [self._number(value) for value in solid.slabs],
            [self._number(value) for value in local],
        )

    def _set_casters(self, rules: Rules, layers: int) -> None:
        casters = list(rules.casters)
        unused = Caster(_NOWHERE, np.array([0.0, 0.0, 1.0]), PLACES_NONE)
        casters += [unused] * (CASTERS - len(casters))
        self._casters = [(self._solid(c.solid, c.lamp, c.turn), self._mask(c.place)) for c in casters]
        masks = [(sum(1 << k for k in layer.casters), layer.classes) for layer in rules.layers]
        masks += [(0, 0)] * (layers - len(masks))
        self._layers = [(self._mask(shadows), self._mask(classes)) for shadows, classes in masks]

    def _set_special(self, rules: Rules) -> None:
        mi, world = self._mi, self._world
        relight, unseen, cover = rules.relight, rules.unseen, rules.cover
        self._relit = self._mask(relight.classes if relight else 0)
        self._other_lamp = self._point(relight.lamp if relight else world.lamp)
        self._gloss_lamp = self._point(relight.gloss_lamp if relight else world.lamp)
        self._gloss_eye = self._point(relight.gloss_eye if relight else world.camera.origin)
        self._unseen = self._solid(unseen.solid if unseen else _NOWHERE)
        self._before = self._solid(unseen.before if unseen and unseen.before else _ANYWHERE)
        self._unseen_mirrored = self._mask(int(bool(unseen and unseen.mirrored))) == mi.UInt32(1)
        self._cover = self._solid(cover.solid if cover else _NOWHERE)
        self._cover_mirrored = self._mask(int(bool(cover and cover.mirrored))) == mi.UInt32(1)

    def camera_ray(self, pixel: Any, jitter: Any) -> Any:
        """Return rays through places in pixels, each in [0, 1)^2."""
        import drjit as dr

        mi = self._mi
        width, height = self._size
        x = ((mi.Float(pixel % width) + jitter.x) / mi.Float(width) * 2 - 1) * self._half[0]
        y = ((mi.Float(pixel // width) + jitter.y) / mi.Float(height) * 2 - 1) * self._half[1]
        right, down, forward = self._axes
        return mi.Ray3f(mi.Point3f(self._eye), dr.normalize(x * right + y * down + forward))

    def trace(self, ray: Any, random: Any) -> list[Any]:
        """Return red, green and blue of each layer along rays."""
        import drjit as dr

        mi = self._mi
        hit, mirrored, hidden = self._visible(ray)
        valid = hit.is_valid()
        through = dr.select(mirrored, self._tint, mi.Color3f(1.0))
        kind = self._kind(hit, mirrored)
        straight = through * self._lamp_light(hit, kind, valid)
        blocked = self._blocked(hit, kind)
        rest = self._rest(hit, through, valid, random)
        channels: list[Any] = []
        for shadows, classes in self._layers:
            lit = (blocked & shadows) == 0
            counts = ((mi.UInt32(1) << kind) & classes) != 0
            value = dr.select(counts & ~hidden, rest + dr.select(lit, straight, 0.0), 0.0)
            channels += list(dr.select(dr.isfinite(value), value, 0.0))
        return channels

    def _visible(self, ray: Any) -> tuple[Any, Any, Any]:
        """Return the visible points, whether they are seen in the mirror, and whether they are covered."""
        import drjit as dr

        mi = self._mi
        hidden = mi.Bool(False)
        first, covered = self._looked(ray, mi.Bool(True), mirrored=False)
        hidden |= covered
        shape = dr.reinterpret_array(mi.UInt32, first.shape)
        mirrored = first.is_valid() & (shape == self._ids[-1][0])
        arriving = dr.normalize(first.p - self._mirror_eye)
        leaving = arriving - 2 * dr.dot(arriving, self._mirror_normal) * self._mirror_normal
        onward = first.spawn_ray(leaving)
        second, covered = self._looked(onward, mirrored, mirrored=True)
        hidden |= mirrored & covered
        return dr.select(mirrored, second, first), mirrored, hidden

    def _looked(self, ray: Any, active: Any, mirrored: bool) -> tuple[Any, Any]:
        """Return what rays of sight meet, and whether that is covered."""
        import drjit as dr

        hit = self._scene.ray_intersect(ray, active)
        if self._is_plain:
            return hit, self._mi.Bool(False)
        skipped = self._skipped(ray, hit)
        if mirrored:
            skipped = dr.select(self._unseen_mirrored, skipped, 0.0)
        skips = active & (skipped > 0)
        beyond = self._scene.ray_intersect(self._mi.Ray3f(ray.o + skipped * ray.d, ray.d), skips)
        beyond.t += skipped
        hit = dr.select(skips, beyond, hit)
        covered = self._is_covered(ray, hit)
        return hit, covered & self._cover_mirrored if mirrored else covered

    def _meets(self, solid: _Solid, origin: Any, direction: Any) -> tuple[Any, Any]:
        start = [sum((a * p for a, p in zip(row[:3], origin, strict=True)), row[3]) for row in solid.rows]
        way = [sum(a * p for a, p in zip(row[:3], direction, strict=True)) for row in solid.rows]
        return crossing(start, way, solid.quadric, solid.slabs, self._ops)

    def _skipped(self, ray: Any, hit: Any) -> Any:
        """Return how far it is past the unseen solid on rays that meet nothing before it, or 0."""
        import drjit as dr

        enter, leave = self._meets(self._unseen, ray.o, ray.d)
        enter_next, leave_next = self._meets(self._before, ray.o, ray.d)
        skips = (enter < leave) & (leave > 0) & (enter_next < leave_next) & (leave_next > leave)
        skips &= dr.select(hit.is_valid(), hit.t, 1e9) > enter - _SLACK
        return dr.select(skips, leave + _STEP, 0.0)

    def _is_covered(self, ray: Any, hit: Any) -> Any:
        import drjit as dr

        enter, leave = self._meets(self._cover, ray.o, ray.d)
        return (enter < leave) & (enter > 0) & (enter < dr.select(hit.is_valid(), hit.t, 1e9))

    def _kind(self, hit: Any, mirrored: Any) -> Any:
        """Return the class of each sample."""
        import drjit as dr

        mi = self._mi
        shape = dr.reinterpret_array(mi.UInt32, hit.shape)
        kind = mi.UInt32(OTHER)
        for place, (one, other) in enumerate(self._ids[:-1]):
            kind = dr.select(hit.is_valid() & ((shape == one) | (shape == other)), place, kind)
        return dr.select(mirrored, kind + MIRRORED, kind)

    def _lamp_light(self, hit: Any, kind: Any, active: Any) -> Any:
        """Return the light straight from the lamp that visible points send to the eye, without shadows."""
        import drjit as dr

        mi = self._mi
        bsdf = hit.bsdf()
        if self._is_plain:
            return self._reflected(bsdf, hit, hit.wi, self._lamp, mi.BSDFContext(), active)
        relit = ((mi.UInt32(1) << kind) & self._relit) != 0
        eye = hit.to_local(dr.normalize(self._gloss_eye - hit.p))
        diffuse, glossy = mi.BSDFContext(), mi.BSDFContext()
        diffuse.type_mask, glossy.type_mask = int(mi.BSDFFlags.Diffuse), int(mi.BSDFFlags.Glossy)
        lamp = dr.select(relit, self._other_lamp, self._lamp)
        gloss_lamp = dr.select(relit, self._gloss_lamp, self._lamp)
        body = self._reflected(bsdf, hit, hit.wi, lamp, diffuse, active)
        return body + self._reflected(bsdf, hit, dr.select(relit, eye, hit.wi), gloss_lamp, glossy, active)

    def _reflected(self, bsdf: Any, hit: Any, eye: Any, lamp: Any, context: Any, active: Any) -> Any:
        import drjit as dr

        mi = self._mi
        way = lamp - hit.p
        squared = dr.squared_norm(way)
        seen = mi.SurfaceInteraction3f(hit)
        seen.wi = eye
        value = bsdf.eval(context, seen, hit.to_local(way * dr.rsqrt(squared)), active)
        return dr.select(active, value * self._intensity / squared, 0.0)

    def _blocked(self, hit: Any, kind: Any) -> Any:
        """Return which casters keep the lamp from visible points, a bit mask."""
        import drjit as dr

        mi = self._mi
        blocked = mi.UInt32(0)
        place = dr.select(kind >= MIRRORED, kind - MIRRORED, kind)
        for index, (solid, owner) in enumerate(self._casters):
            start = [sum((a * p for a, p in zip(r[:3], hit.p, strict=True)), r[3]) for r in solid.rows]
            way = [lamp - s for lamp, s in zip(solid.lamp, start, strict=True)]
            enter, leave = crossing(start, way, solid.quadric, solid.slabs, self._ops)
            shades = (enter < leave) & (leave > 1e-5) & (enter < 1) & (place != owner)
            blocked |= dr.select(shades, mi.UInt32(1 << index), mi.UInt32(0))
        return blocked

    def _rest(self, hit: Any, through: Any, valid: Any, random: Any) -> Any:
        """Return the light that reaches visible points in other ways, and what comes from outside."""
        import drjit as dr

        mi = self._mi
        state = _Path(
            random=random,
            hit=hit,
            weight=through,
            found=dr.select(valid, mi.Color3f(0.0), through * self._environment),
            depth=mi.UInt32(1),
            active=mi.Bool(valid),
        )
        final = dr.while_loop(
            state=tuple(state),
            cond=lambda *fields: _Path(*fields).active,
            body=lambda *fields: tuple(self._bounce(_Path(*fields))),
            labels=_Path._fields,
            label="bounces",
        )
        return _Path(*final).found

    def _bounce(self, path: _Path) -> _Path:
        import drjit as dr

        mi = self._mi
        context, random = mi.BSDFContext(), path.random
        numbers = [random.next_float32() for _ in range(4)]
        way, share = path.hit.bsdf().sample(
            context, path.hit, numbers[0], mi.Point2f(numbers[1], numbers[2]), path.active
        )
        weight = path.weight * share
        active = path.active & (dr.max(weight) > 0)
        # Russian roulette, late enough to leave what is seen alone.
        survival = dr.select(path.depth >= _ROULETTE_DEPTH, dr.minimum(dr.max(weight), 0.95), 1.0)
        active &= numbers[3] < survival
        weight = weight / dr.maximum(survival, 1e-6)
        hit = self._scene.ray_intersect(path.hit.spawn_ray(path.hit.to_world(way.wo)), active)
        found = path.found + dr.select(active & ~hit.is_valid(), weight * self._environment, 0.0)
        active &= hit.is_valid()
        light = self._reflected(hit.bsdf(), hit, hit.wi, self._lamp, context, active)
        lit = active & (dr.max(light) > 0)
        lit &= ~self._scene.ray_test(hit.spawn_ray_to(mi.Point3f(self._lamp)), lit)
        found += dr.select(lit, weight * light, 0.0)
        depth = path.depth + 1
        return _Path(random, hit, weight, found, depth, active & (depth + 1 < self._max_depth))


class _Path(NamedTuple):
    """The state of the paths, one per lane."""

    random: Any
    hit: Any
    weight: Any
    found: Any
    depth: Any
    active: Any


PLACES_NONE = OTHER + 1
assert EVERYTHING < 1 << 32
