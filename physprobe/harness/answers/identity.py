"""What an answer depends on: only where all of it is the same is a kept answer used again.

The model: name, adapter, arguments, weights, servers, seeds, version of lmms-eval. The question: task and its
version, text, generation settings, and what the benchmark says it shows (frames, and the clip's bytes).
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from physprobe import files
from physprobe.data import COMMIT
from physprobe.harness.secrets import is_secret, mask, secret_values

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_PLACES = re.compile(r"cache|output|log|tmp|save", re.IGNORECASE)  # arguments for what a model writes
_SERVER = re.compile(r"(API_URL|API_BASE|BASE_URL|ENDPOINT)$")
_NO_MODEL = frozenset({"HF_ENDPOINT"})
# What lmms-eval gives to every model, and what only says where and how fast it runs.
_IRRELEVANT = frozenset({"batch_size", "max_batch_size", "device", "num_concurrent"})


def model_identity(model: str, arguments: str | Mapping[str, Any], lm: Any, seeds: Any) -> dict[str, Any]:
    """Describe the evaluated model, in plain JSON and without secrets.

    Args:
        model: its registered name. arguments: ``--model_args``. lm: the loaded model. seeds: ``--seed``.
    """
    given = parsed(arguments)
    effective = {**_defaults(type(lm)), **given}
    known = secret_values(os.environ)
    identity = {
        "model": model,
        "adapter": f"{type(lm).__module__}.{type(lm).__qualname__}",
        "interface": "simple" if lm.is_simple else "chat",
        "arguments": {name: value for name, value in given.items() if not _ignored(name)},
        "weights": _weights(effective),
        "servers": servers(os.environ),
        "seeds": seeds,
        "lmms_eval": version("lmms-eval"),
    }
    return json.loads(mask(json.dumps(identity, sort_keys=True, default=str), known))


def servers(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that say which servers answer for models."""
    return {k: v for k, v in environment.items() if _SERVER.search(k) and k not in _NO_MODEL}


def local_weights(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Tell in which state the local files and folders are that arguments of a model name."""
    states = {name: _local_state(value) for name, value in _read(arguments).items()}
    return {name: state for name, state in states.items() if state}


def digest(identity: Any) -> str:
    """Return the SHA-256 of plain JSON, in hexadecimal."""
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def folder_name(identity: Mapping[str, Any]) -> str:
    """Name a model's folder: readable, and different for models that differ in anything."""
    checkpoint = str(identity["arguments"].get("pretrained", ""))
    readable = re.sub(r"[^A-Za-z0-9_.-]+", "_", f"{identity['model']} {checkpoint}".strip())[:60]
    return f"{readable}-{digest(identity)[:16]}"


def parsed(arguments: str | Mapping[str, Any]) -> dict[str, Any]:
    """Read ``--model_args`` as lmms-eval does."""
    from lmms_eval.utils import simple_parse_args_string

    return dict(simple_parse_args_string(arguments) if isinstance(arguments, str) else arguments)


def hub_commit(arguments: Mapping[str, Any]) -> str:
    """Return the commit of the first weights from the Hub that arguments name; "" if none is known."""
    commits = (state for state in _weights(arguments).values() if COMMIT.fullmatch(state))
    return next(commits, "")


def _defaults(adapter: type) -> dict[str, Any]:
    parameters = inspect.signature(adapter).parameters.values()
    return {p.name: p.default for p in parameters if isinstance(p.default, str)}


def _ignored(name: str) -> bool:
    return name in _IRRELEVANT or is_secret(name)


def _weights(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Tell in which state the files are that arguments name: local ones, and those from the Hub."""
    hub = {k: v for k, v in _read(arguments).items() if _HUB_NAME.fullmatch(v)}
    commits = {k: _cached_commit(v, str(arguments.get("revision") or "main")) for k, v in hub.items()}
    return {**{k: commit for k, commit in commits.items() if commit}, **local_weights(arguments)}


def _read(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments that may name what a model reads."""
    return {k: v for k, v in arguments.items() if isinstance(v, str) and v and not _PLACES.search(k)}


def _local_state(value: str) -> str:
    path = Path(value).expanduser()
    try:
        return files.state(path) if path.exists() else ""
    except OSError:  # too long for a path
        return ""


def _cached_commit(repository: str, revision: str) -> str:
    """Return the commit that a loaded Hub model was taken from, without asking the Hub."""
    from huggingface_hub.constants import HF_HUB_CACHE

    reference = Path(HF_HUB_CACHE) / f"models--{repository.replace('/', '--')}" / "refs" / revision
    return reference.read_text(encoding="utf-8").strip() if reference.is_file() else ""
