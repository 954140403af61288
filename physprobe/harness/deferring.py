"""Modules that are imported when they are first used, and not when lmms-eval says so."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import Any

# For metrics that none of our tasks uses; brings transformers' pipelines and torchvision (2.8 s of CPU time).
SLOW = ("evaluate",)


def defer(*names: str) -> None:
    """Put stand-ins in the place of modules that are not imported yet; the first use imports them."""
    for name in names:
        if name not in sys.modules and (spec := importlib.util.find_spec(name)) is not None:
            sys.modules[name] = _Deferred(name, spec)


class _Deferred(ModuleType):
    """Stands in for a module."""

    def __init__(self, name: str, spec: Any) -> None:
        super().__init__(name)
        self.__spec__ = spec  # asked for by those who look whether a package is there
        self.__path__ = list(spec.submodule_search_locations or ())

    def __getattr__(self, name: str) -> Any:
        """Import the module itself, unless somebody merely walks through all modules."""
        if name.startswith("__") and name != "__version__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)
