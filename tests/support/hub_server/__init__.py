"""A Hub on 127.0.0.1 for the real clients: files on disk, switches for what goes wrong with the real one."""

from tests.support.hub_server.faults import Faults
from tests.support.hub_server.running import LocalHub, local_hub
from tests.support.hub_server.store import Repo, Store

__all__ = ["Faults", "LocalHub", "Repo", "Store", "local_hub"]
