"""What keeps Ray to itself: it tells nobody of its use, asks no cloud, and takes work from nobody else."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # otherwise Ray warns that it will be so
    "RAY_LOG_TO_DRIVER_EVENT_LEVEL": "ERROR",
}
_LOOPBACK_ONLY = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}  # means: not a cluster
_MODE = "RAY_AUTH_MODE"
_TOKEN_VARIABLES = frozenset({"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"})
_BOOTSTRAP = "ray_bootstrap_config.yaml"


def variables(address: str | None, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables to set before Ray is imported.

    Args:
        address: of the cluster to connect to; None: Ray is started here. environment: as it is.
    """
    if address is None:
        own = {_MODE: "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        return {**_QUIET, **_LOOPBACK_ONLY, **({} if _MODE in environment else own)}
    known = _TOKEN_VARIABLES & environment.keys() or (Path.home() / ".ray" / "auth_token").is_file()
    return {**_QUIET, **({_MODE: "token"} if known and _MODE not in environment else {})}


@contextmanager
def home_without_cloud() -> Iterator[Path]:
    """Give a home folder, in this block, in which Ray finds what it would ask cloud providers for.

    Even with its statistics off, Ray asks the metadata servers of three providers where it runs, unless a
    file in the home folder says so.
    """
    with tempfile.TemporaryDirectory(prefix="physprobe-") as folder:
        (Path(folder) / _BOOTSTRAP).write_text("provider: {type: local}\n", encoding="utf-8")
        yield Path(folder)


@contextmanager
def with_variables(changes: Mapping[str, str | None]) -> Iterator[None]:
    """Have processes that are started in this block find other variables; None: do not find one."""
    before = {name: os.environ.get(name) for name in changes}
    _change(changes)
    try:
        yield
    finally:
        _change(before)


def _change(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
