"""Sample lists of pixels, where a film would sample a rectangle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.rendering.sensor import make_sensor
from generation.rendering.variant import activate
from generation.rendering.window import Window
from generation.scene import Camera

Int = NDArray[np.int64]
Values = NDArray[np.float32]

# Camera paths at a time, which bounds the memory.
_LANES = 1 << 20
_TILE = 16


class PixelSampler:
    """Averages what an integrator sees over chosen pixels (box filter).

    The random numbers of a pixel depend on the list it is in and on its place there, and on nothing else.

    Args:
        scene: of Mitsuba.
        camera: the camera.
    """

    def __init__(self, scene: Any, camera: Camera) -> None:
        """Prepare a sensor."""
        self._scene, self._camera = scene, camera
        self._sensor = make_sensor(camera)

    def sample(self, integrator: dict[str, Any], pixels: Int, spp: int) -> Values:
        """Return the mean of ``spp`` samples in each pixel.

        Args:
            integrator: Mitsuba dictionary.
            pixels: (N, 2) column and row; N > 0.
            spp: rounded up to what the multijitter sampler can do.

        Returns:
            (N, C) float32; C is 3, or the number of AOV channels.
        """
        loaded = activate().load_dict(integrator)
        if str(activate().variant()).startswith("scalar"):
            return self._by_tiles(loaded, pixels, spp)
        step = max(1, _LANES // spp)
        chunks = [pixels[start : start + step] for start in range(0, len(pixels), step)]
        return np.concatenate([self._by_lanes(loaded, c, spp, seed) for seed, c in enumerate(chunks)])

    def _by_lanes(self, integrator: Any, pixels: Int, spp: int, seed: int) -> Values:
        """Follow one path per lane, all at once."""
        import drjit as dr

        mi: Any = activate()
        sampler = mi.load_dict({"type": "multijitter", "sample_count": spp})
        spp = sampler.sample_count()
        sampler.set_samples_per_wavefront(spp)
        sampler.seed(seed, len(pixels) * spp)
        lane = dr.arange(mi.UInt32, len(pixels) * spp) // spp
        column, row = (dr.gather(mi.Float, mi.Float(pixels[:, k].astype(np.float32)), lane) for k in (0, 1))
        size = mi.ScalarPoint2f(self._camera.width, self._camera.height)
        place = (mi.Point2f(column, row) + sampler.next_2d()) / size
        ray, _ = self._sensor.sample_ray_differential(0.0, sampler.next_1d(), place, mi.Point2f(0.5))
        color, _, aovs = integrator.sample(self._scene, sampler, ray, None, True)
        # A path that a rounding error spoils must not spoil its pixel.
        channels = [dr.select(dr.isfinite(c), c, 0.0) for c in (list(aovs) or list(color))]
        # All at once: a reduction would trace the rays again for each channel.
        dr.eval(channels)
        means = [dr.block_reduce(dr.ReduceOp.Add, channel, spp) / spp for channel in channels]
        return np.stack([np.array(mean, dtype=np.float32) for mean in means], axis=1)

    def _by_tiles(self, integrator: Any, pixels: Int, spp: int) -> Values:
        """Render the tiles that hold a pixel, for variants that follow one path at a time."""
        mi: Any = activate()
        columns = -(-self._camera.width // _TILE)
        tile_of = (pixels[:, 1] // _TILE) * columns + pixels[:, 0] // _TILE
        values: Values | None = None
        for tile in np.unique(tile_of):
            window = self._tile(int(tile % columns), int(tile // columns))
            sensor = make_sensor(self._camera, window)
            tensor = mi.render(self._scene, sensor=sensor, integrator=integrator, spp=spp, seed=int(tile))
            image = np.array(tensor, dtype=np.float32)
            if values is None:
                values = np.empty((len(pixels), image.shape[2]), dtype=np.float32)
            mine = tile_of == tile
            values[mine] = image[pixels[mine, 1] - window.y, pixels[mine, 0] - window.x]
        assert values is not None, "no pixels"
        return values

    def _tile(self, column: int, row: int) -> Window:
        x, y = column * _TILE, row * _TILE
        return Window(x, y, min(_TILE, self._camera.width - x), min(_TILE, self._camera.height - y))
