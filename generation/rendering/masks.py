"""Which share of each pixel some objects cover, asked by rays and not read off the picture."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from generation.rendering.camera import axes
from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.sight import Hits
from generation.rendering.silhouettes import Silhouettes
from generation.scene import Camera, Float, Scene

# Rays a pixel in x and y.
_FINER = 2


class Masks:
    """Masks of a scene's objects; its backdrop, and nothing else, can hide them.

    Args:
        scene: whose objects are wanted. All materials count as opaque.
    """

    def __init__(self, scene: Scene) -> None:
        """Load the scene."""
        self._scene = scene
        self._silhouettes = Silhouettes(scene)
        self._stage = MitsubaScene(scene, dresser=lambda material: {"bsdf": {"type": "diffuse"}})
        self._hits = Hits(self._stage, scene.objects)

    def coverage(self, frame: int) -> NDArray[np.float32]:
        """Return the share of each pixel that objects cover at a frame, (H, W) in [0, 1]."""
        camera = self._scene.camera
        share = np.zeros((camera.height, camera.width), dtype=np.float32)
        rows, columns = np.nonzero(self._silhouettes.mask(self._scene.objects, frame))
        if not len(rows):
            return share
        self._stage.show(frame)
        for y, x in itertools.product((np.arange(_FINER) + 0.5) / _FINER, repeat=2):
            _, owner = self._hits.first(np.array(camera.origin), rays(camera, columns + x, rows + y))
            share[rows, columns] += (owner >= 0) / _FINER**2
        return share


def rays(camera: Camera, x: Float, y: Float) -> Float:
    """Return the unit directions, (N, 3), in which a camera sees points of the image.

    Args:
        camera: the camera. x, y: (N,) pixels, origin at the top left corner.
    """
    focal = camera.width / 2 / np.tan(np.radians(camera.fov_x_deg) / 2)
    local = np.stack(
        [(x - camera.width / 2) / focal, (y - camera.height / 2) / focal, np.ones(len(x))], axis=1
    )
    directions = local @ axes(camera)
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))
