"""Switch Mitsuba to the variant that :mod:`physprobe.renderer` chose, once per process."""

from __future__ import annotations

import functools
import os
import sys
from types import ModuleType

from physprobe import renderer


@functools.cache
def activate() -> ModuleType:
    """Return ``mitsuba`` with its variant set.

    Raises:
        UserError: Mitsuba is missing or the forced variant can't work here (see :func:`renderer.choose`).
    """
    choice = renderer.choose()
    if choice.llvm_path and os.environ.get(renderer.LLVM_VARIABLE) != choice.llvm_path:
        # Dr.Jit reads it when first imported; too late, and it may pick a library that aborts the process.
        if "drjit" in sys.modules:
            raise RuntimeError("drjit or mitsuba was imported before generation.rendering.variant.activate()")
        os.environ[renderer.LLVM_VARIABLE] = choice.llvm_path
    import mitsuba

    mitsuba.set_variant(choice.variant)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    return mitsuba


def is_scalar() -> bool:
    """Tell whether the variant follows one light path at a time."""
    return str(activate().variant()).startswith("scalar")


def set_threads(count: int) -> None:
    """Use ``count`` CPU threads for rendering and denoising in this process; pixels don't depend on it.

    Args:
        count: at least 1.
    """
    activate()
    import drjit

    from generation.rendering import denoise

    drjit.set_thread_count(count)
    denoise.set_threads(count)
