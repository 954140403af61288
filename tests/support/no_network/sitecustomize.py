"""On PYTHONPATH, notes in $NETWORK_LOG each address beyond this machine that a process looks for."""

import os
import socket
import sys
from pathlib import Path

_LOG = os.environ.get("NETWORK_LOG")
_OWN = {"localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "", None, socket.gethostname()}


def _note(event, args):
    if event == "socket.getaddrinfo":
        host = args[0]
    elif event == "socket.connect" and isinstance(args[1], tuple):
        host = args[1][0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in _OWN:
        with Path(_LOG).open("a") as file:
            file.write(f"{event} {host}\n")


if _LOG:
    sys.addaudithook(_note)
