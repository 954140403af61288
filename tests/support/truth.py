"""What a clip should look like: path tracing alone, with many samples and no denoiser."""

from __future__ import annotations

import numpy as np

from generation.rendering.mitsuba_scene import MitsubaScene
from generation.rendering.tone import to_srgb
from generation.rendering.window import whole
from generation.scene import Scene


def truth(scene: Scene, frame: int, spp: int = 400) -> np.ndarray:
    """Path-traced sRGB levels, (H, W, 3), from a scene loaded for this frame alone."""
    loaded = MitsubaScene(scene)
    loaded.show(frame)
    color = loaded.color(whole(scene.camera).pixels(), spp, 4)
    return 255 * to_srgb(color).reshape(scene.camera.height, scene.camera.width, 3)


def psnr(frame: np.ndarray, other: np.ndarray) -> float:
    return float(20 * np.log10(255 / np.sqrt(np.mean(np.square(frame - other)))))
