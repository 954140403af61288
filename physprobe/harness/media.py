"""How much memory each process may use to keep decoded frames."""

from __future__ import annotations

import os
import re

from physprobe.errors import UserError

VARIABLE = "PHYSPROBE_FRAME_CACHE"
_DEFAULT = "512MB"
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMG]?)(?:i?B)?", re.IGNORECASE)


def cache_bytes() -> int:
    """Return the limit in bytes that $PHYSPROBE_FRAME_CACHE sets ("512MB", "2 GiB", "0"); 512 MB without it.

    K, M and G are powers of 1024. With 0 nothing is kept: each question decodes its frames again.

    Raises:
        UserError: the value is no size.
    """
    value = os.environ.get(VARIABLE, "").strip() or _DEFAULT
    size = _SIZE.fullmatch(value)
    if size is None:
        raise UserError(
            f'{VARIABLE}={value} is no size: write for example "512MB" or "2GB", or 0 for no cache'
        )
    return int(float(size[1]) * _UNITS[size[2].upper()])
