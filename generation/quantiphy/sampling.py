"""Draw a clip: a place, things, motions and a camera that fit, until its questions can be asked."""

from __future__ import annotations

import numpy as np

from generation.quantiphy.bodies import Body
from generation.quantiphy.casting import Casting
from generation.quantiphy.catalogue import Catalogue, standard
from generation.quantiphy.design import Clip, Preset
from generation.quantiphy.params import WorldParams
from generation.quantiphy.questions import write_questions
from generation.quantiphy.records import happening, outlined
from generation.quantiphy.world import build

# Places tried, each with some tries at things in it: places take longer to build.
_PLACES, _TRIES = 60, 8
_FPS = ((24, 0.74), (30, 0.18), (25, 0.08))  # close to the official clips


def sample(
    rng: np.random.Generator, clip: Clip, preset: Preset, seed: int, catalogue: Catalogue | None = None
) -> WorldParams:
    """Draw a clip's parameters.

    Args:
        rng: source of chance. clip, preset: what is wanted.
        seed: of the run; the clip's questions depend on it.
        catalogue: kinds and places to choose from; None: all.

    Raises:
        RuntimeError: nothing that fits was found, which takes a catalogue without fitting kinds.
    """
    known = catalogue or standard()
    fps = int(rng.choice([rate for rate, _ in _FPS], p=[share for _, share in _FPS]))
    bodies: dict[tuple[str, str], Body] = {}
    for _ in range(_PLACES):
        casting = Casting(rng, clip, preset, known, fps, bodies)
        for _ in range(_TRIES):
            drawn = casting.draw()
            if drawn is not None and _is_askable(drawn, seed, known):
                return drawn
    raise RuntimeError(f"found no world for {clip.video_id}")


def _is_askable(drawn: WorldParams, seed: int, catalogue: Catalogue) -> bool:
    """Whether all planned questions can be asked."""
    world = build(drawn, catalogue)
    try:
        questions = write_questions(happening(drawn, world, outlined(world), seed))
    except ValueError:
        return False
    return len(questions) == drawn.static_questions + drawn.dynamic_questions
