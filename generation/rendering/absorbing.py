"""Integrators for glass, and for liquids that only absorb, in variants that follow many paths at once.

``volpath`` decides at random where light is absorbed, which is noise. A medium that doesn't scatter needs no
such decisions: light that goes a way through it is weakened by the Beer-Lambert law.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from generation.rendering.variant import activate

PATH = "absorbing_path"
GUIDES = "guides_through_glass"


@functools.cache
def register() -> None:
    """Make the two integrators known to Mitsuba under the names ``PATH`` and ``GUIDES``."""
    mi = activate()

    class AbsorbingPath(mi.SamplingIntegrator):  # type: ignore[name-defined]
        """Path tracing with multiple importance sampling; properties: max_depth."""

        def __init__(self, props: Any) -> None:
            super().__init__(props)
            self._max_depth = props.get("max_depth", 12)

        def sample(
            self, scene: Any, sampler: Any, ray: Any, medium: Any = None, active: Any = True
        ) -> tuple[Any, Any, list[Any]]:
            return _trace(scene, sampler, ray, self._max_depth), mi.Bool(True), []

    class GuidesThroughGlass(mi.SamplingIntegrator):  # type: ignore[name-defined]
        """Albedo and normal of what is seen through clear surfaces, reflections left out."""

        def __init__(self, props: Any) -> None:
            super().__init__(props)
            self._max_depth = props.get("max_depth", 12)

        def aov_names(self) -> list[str]:
            return ["albedo.R", "albedo.G", "albedo.B", "normal.X", "normal.Y", "normal.Z"]

        def sample(
            self, scene: Any, sampler: Any, ray: Any, medium: Any = None, active: Any = True
        ) -> tuple[Any, Any, list[Any]]:
            albedo, normal = _look_through(scene, ray, self._max_depth)
            channels = [albedo.x, albedo.y, albedo.z, normal.x, normal.y, normal.z]
            return mi.Spectrum(0.0), mi.Bool(True), channels

    mi.register_integrator(PATH, AbsorbingPath)
    mi.register_integrator(GUIDES, GuidesThroughGlass)


class _Path(NamedTuple):
    """The state of light paths, one per lane, followed from the camera.

    Attributes:
        ray: its next segment. weight: of what comes along it. found: radiance so far.
        absorption: of what the segment goes through, 1/m. depth: segments so far.
        last: where it turned last. last_pdf: density of the direction it took there. last_clear: whether it
            had no choice of directions there.
    """

    sampler: Any
    ray: Any
    weight: Any
    found: Any
    absorption: Any
    depth: Any
    last: Any
    last_pdf: Any
    last_clear: Any
    active: Any


def _trace(scene: Any, sampler: Any, ray: Any, max_depth: int) -> Any:
    """Return the radiance along rays."""
    import drjit as dr

    mi = activate()
    state = _Path(
        sampler=sampler,
        ray=mi.Ray3f(ray),
        weight=mi.Spectrum(1.0),
        found=mi.Spectrum(0.0),
        absorption=mi.Spectrum(0.0),
        depth=mi.UInt32(0),
        last=dr.zeros(mi.Interaction3f),
        last_pdf=mi.Float(1.0),
        last_clear=mi.Bool(True),
        active=mi.Bool(True),
    )
    step = _step(scene, max_depth)
    final = dr.while_loop(
        state=tuple(state),
        cond=lambda *fields: _Path(*fields).active,
        body=lambda *fields: tuple(step(_Path(*fields))),
        labels=_Path._fields,
        label="absorbing path",
    )
    return _Path(*final).found


def _step(scene: Any, max_depth: int) -> Callable[[_Path], _Path]:
    import drjit as dr

    mi = activate()
    context = mi.BSDFContext()

    def step(path: _Path) -> _Path:
        hit = scene.ray_intersect(path.ray, mi.RayFlags.All, path.depth == 0, path.active)
        weight = path.weight * dr.select(hit.is_valid(), dr.exp(-path.absorption * hit.t), 1.0)
        found = path.found + weight * _emitted(scene, path, hit)
        onward = path.active & hit.is_valid() & (path.depth + 1 < max_depth)
        bsdf = hit.bsdf(path.ray)
        is_rough = onward & mi.has_flag(bsdf.flags(), mi.BSDFFlags.Smooth)
        lit, lamp = scene.sample_emitter_direction(hit, path.sampler.next_2d(is_rough), True, is_rough)
        is_lit = is_rough & (lit.pdf != 0)
        towards = hit.to_local(lit.d)
        value, pdf, way, scatter = bsdf.eval_pdf_sample(
            context, hit, towards, path.sampler.next_1d(onward), path.sampler.next_2d(onward), onward
        )
        share = dr.select(lit.delta, 1.0, _balance(lit.pdf, pdf))
        direct = value * lamp * share * dr.exp(-path.absorption * lit.dist)
        found += dr.select(is_lit, weight * direct, 0.0)
        ray = hit.spawn_ray(hit.to_world(way.wo))
        weight = dr.select(onward, weight * scatter, weight)
        # Russian roulette, but only where light was scattered: it would end the long paths that glass needs.
        survival = dr.select(is_rough, dr.minimum(dr.max(weight), 1.0), 1.0)
        onward &= path.sampler.next_1d(onward) < survival
        weight = weight / dr.maximum(survival, 1e-6)
        return _Path(
            sampler=path.sampler,
            ray=ray,
            weight=weight,
            found=dr.select(path.active, found, path.found),
            absorption=_beyond(hit, ray, way, onward, path.absorption),
            depth=path.depth + 1,
            last=dr.detach(mi.Interaction3f(hit), True),
            last_pdf=way.pdf,
            last_clear=mi.has_flag(way.sampled_type, mi.BSDFFlags.Delta),
            active=onward & (dr.max(weight) > 0),
        )

    return step


def _emitted(scene: Any, path: _Path, hit: Any) -> Any:
    """Return what the lamp or sky that a path hits sends along it, as far as it wasn't sampled before."""
    import drjit as dr

    mi = activate()
    direction = mi.DirectionSample3f(scene, hit, path.last)
    pdf = scene.pdf_emitter_direction(path.last, direction, path.active & ~path.last_clear)
    share = dr.select(path.last_clear, 1.0, _balance(path.last_pdf, pdf))
    return direction.emitter.eval(hit, path.active) * share


def _balance(pdf: Any, other: Any) -> Any:
    """Return the weight of one of two sampling densities (balance heuristic)."""
    import drjit as dr

    return dr.select(pdf > 0, pdf / (pdf + other), 0.0)


def _beyond(hit: Any, ray: Any, way: Any, active: Any, before: Any) -> Any:
    """Return the absorption coefficient where a path goes on."""
    import drjit as dr

    mi = activate()
    crosses = active & mi.has_flag(way.sampled_type, mi.BSDFFlags.Transmission) & hit.is_medium_transition()
    medium = hit.target_medium(ray.d)
    # Compared lane by lane.
    filled = crosses & (medium != None)  # noqa: E711
    coefficient = medium.get_majorant(dr.zeros(mi.MediumInteraction3f), filled)
    return dr.select(crosses, dr.select(filled, coefficient, 0.0), before)


class _Look(NamedTuple):
    """The state of rays that go straight on through clear surfaces, one per lane."""

    ray: Any
    weight: Any
    absorption: Any
    albedo: Any
    normal: Any
    depth: Any
    active: Any


def _look_through(scene: Any, ray: Any, max_depth: int) -> tuple[Any, Any]:
    """Return albedo and normal of the first surface along rays that isn't clear."""
    import drjit as dr

    mi = activate()
    state = _Look(
        ray=mi.Ray3f(ray),
        weight=mi.Spectrum(1.0),
        absorption=mi.Spectrum(0.0),
        albedo=mi.Color3f(0.0),
        normal=mi.Normal3f(0.0),
        depth=mi.UInt32(0),
        active=mi.Bool(True),
    )
    step = _look_step(scene, max_depth)
    final = dr.while_loop(
        state=tuple(state),
        cond=lambda *fields: _Look(*fields).active,
        body=lambda *fields: tuple(step(_Look(*fields))),
        labels=_Look._fields,
        label="guides through glass",
    )
    return _Look(*final).albedo, _Look(*final).normal


def _look_step(scene: Any, max_depth: int) -> Callable[[_Look], _Look]:
    import drjit as dr

    mi = activate()
    context = mi.BSDFContext()

    def step(look: _Look) -> _Look:
        hit = scene.ray_intersect(look.ray, mi.RayFlags.All, look.depth == 0, look.active)
        weight = look.weight * dr.select(hit.is_valid(), dr.exp(-look.absorption * hit.t), 1.0)
        bsdf = hit.bsdf(look.ray)
        is_clear = hit.is_valid() & ~mi.has_flag(bsdf.flags(), mi.BSDFFlags.Smooth)
        ends = look.active & ~is_clear
        albedo = weight * dr.select(hit.is_valid(), bsdf.eval_diffuse_reflectance(hit, ends), 1.0)
        onward = look.active & is_clear & (look.depth + 1 < max_depth)
        # The largest number leads through the surface wherever light can pass it.
        way, _ = bsdf.sample(context, hit, mi.Float(0.999), mi.Point2f(0.5), onward)
        ray = hit.spawn_ray(hit.to_world(way.wo))
        return _Look(
            ray=ray,
            weight=weight,
            absorption=_beyond(hit, ray, way, onward, look.absorption),
            albedo=dr.select(ends, albedo, look.albedo),
            normal=dr.select(ends & hit.is_valid(), hit.sh_frame.n, look.normal),
            depth=look.depth + 1,
            active=onward,
        )

    return step
