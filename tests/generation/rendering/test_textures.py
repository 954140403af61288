import hashlib

import numpy as np
import pytest

from generation.rendering.textures import DYES, WOODS, straw_texture, texture
from physprobe.errors import UserError


@pytest.mark.parametrize("name", WOODS)
def test_texture_is_a_linear_image_finer_than_the_pixels_of_a_clip(name):
    image = texture(name)
    wood = WOODS[name]
    assert image.dtype == np.float32
    assert image.shape == (round(wood.extent[1] / wood.texel), round(wood.extent[0] / wood.texel), 3)
    assert image.min() >= 0
    assert image.max() <= 1
    assert wood.texel < 0.0006  # m; a pixel of a 640-pixel frame shows about 0.55 mm of table


@pytest.mark.parametrize("name", WOODS)
def test_texture_is_made_anew_with_the_same_bytes(name):
    first = hashlib.sha256(texture(name).tobytes()).hexdigest()
    texture.cache_clear()
    assert hashlib.sha256(texture(name).tobytes()).hexdigest() == first


@pytest.mark.parametrize("name", WOODS)
def test_grain_runs_along_the_boards(name):
    tone = texture(name).mean(axis=2)
    along, across = np.abs(np.diff(tone, axis=1)).mean(), np.abs(np.diff(tone, axis=0)).mean()
    assert across > 3 * along


@pytest.mark.parametrize("name", WOODS)
def test_pattern_never_repeats(name):
    tone = texture(name).mean(axis=2)[::4, ::4]
    tone = tone - tone.mean(axis=1, keepdims=True)
    tone /= tone.std()
    for shift in range(60, tone.shape[1] // 2, 20):
        assert (tone[:, shift:] * tone[:, :-shift]).mean() < 0.5


def test_unknown_texture_lists_the_valid_ones():
    listed = "valid: asphalt, .*, oak, .*, straw_blue, .*, walnut"
    with pytest.raises(UserError, match=f"unknown texture 'marble'; {listed}"):
        texture("marble")
    with pytest.raises(UserError, match="unknown texture 'straw_grey'"):
        texture("straw_grey")


def test_straws_are_dyed_with_pale_stripes_all_the_way_along():
    for dye, colour in DYES.items():
        image = texture(straw_texture(dye))
        assert np.array_equal(image[0], image[-1])
        dyed = np.all(np.abs(image[0] - colour) < 1e-6, axis=1)
        assert 0.6 < dyed.mean() < 0.95
        assert image[0][~dyed].mean() > image[0][dyed].mean()
