"""Who judges: a panel read from a YAML file and the environment.

    quorum: 3                       # default: three of four, in proportion to the number of judges
    judges:
      - name: Qwen2.5-72B-Instruct
        model: Qwen/Qwen2.5-72B-Instruct    # what the server calls it; default: the name
        base_url: https://example.org/v1    # default: $PHYSPROBE_JUDGE_URL
        api_key_env: EXAMPLE_API_KEY        # the name of a variable, never the key itself
      - name: my-local-judge
        path: /models/llama                 # a transformers checkpoint with a chat template
        max_tokens: 4096                    # for judges that think before they reply
    limits: {concurrency: 8, timeout_s: 180, attempts: 5}

Environment: PHYSPROBE_JUDGES (path of such a file), PHYSPROBE_JUDGE_URL and PHYSPROBE_JUDGE_API_KEY (one
endpoint for every judge that names none; without a file, the four judges of Appendix F),
PHYSPROBE_JUDGE_CACHE (folder of replies).
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator

from physprobe import files
from physprobe.errors import UserError
from physprobe.settings import Settings, problems, read_yaml
from physprobe.text import quantity

FILE_VARIABLE = "PHYSPROBE_JUDGES"
URL_VARIABLE = "PHYSPROBE_JUDGE_URL"
KEY_VARIABLE = "PHYSPROBE_JUDGE_API_KEY"
CACHE_VARIABLE = "PHYSPROBE_JUDGE_CACHE"

_THINKING_TOKENS = 4096

# The judges of ConservationBench, Appendix F, with the names of their checkpoints on the Hub.
DEFAULT_JUDGES: tuple[Mapping[str, Any], ...] = (
    {"name": "Qwen2.5-72B-Instruct", "model": "Qwen/Qwen2.5-72B-Instruct"},
    {"name": "Mixtral-8x7B-Instruct-v0.1", "model": "mistralai/Mixtral-8x7B-Instruct-v0.1"},
    {
        "name": "DeepSeek-R1-Distill-Llama-70B",
        "model": "deepseek-ai/DeepSeek-R1-Distill-Llama-70B",
        "max_tokens": _THINKING_TOKENS,
    },
    {"name": "Llama-3.1-70B", "model": "meta-llama/Llama-3.1-70B-Instruct"},
)

_Seconds = Annotated[float, Field(gt=0, le=604_800, allow_inf_nan=False)]
_Name = Annotated[str, Field(min_length=1, max_length=200)]


class Limits(Settings):
    """Bounds on the requests to each endpoint.

    Attributes:
        concurrency: requests at a time, per judge.
        timeout_s: for one attempt, from connecting to the last byte, in seconds.
        attempts: per item, the first included.
        backoff_s, backoff_cap_s: wait before the second attempt, doubled for each further one up to the cap.
        deadline_s: for one item with all attempts and waits. run_deadline_s: for the whole call.
        give_up_after: failed items in a row after which a judge is not asked again in this call.
    """

    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    timeout_s: _Seconds = 180
    attempts: Annotated[int, Field(ge=1, le=20)] = 5
    backoff_s: _Seconds = 1
    backoff_cap_s: _Seconds = 60
    deadline_s: _Seconds = 900
    run_deadline_s: _Seconds = 43_200
    give_up_after: Annotated[int, Field(ge=1)] = 8


class Judge(Settings):
    """One judge: a model behind an OpenAI-compatible endpoint, or a local transformers checkpoint.

    Attributes:
        name: unique in the panel; shown in results. model: what the endpoint calls it; default: the name.
        base_url: of the API, up to and with "/v1". api_key_env: variable that holds the key, or None.
        path: folder of a local checkpoint, instead of base_url. device: "auto", or one torch device.
        batch_size: items at a time, for local checkpoints.
        revision: of the model; part of the cache's key. Local default: a fingerprint of the files.
        max_tokens: bound of a reply, thoughts included.
    """

    name: _Name
    model: str = ""
    base_url: str | None = None
    api_key_env: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None
    path: Path | None = None
    device: str = "auto"
    batch_size: Annotated[int, Field(ge=1, le=1024)] = 8
    revision: str = ""
    max_tokens: Annotated[int, Field(ge=1, le=131_072)] = 64

    @field_validator("base_url")
    @classmethod
    def _check_url(cls, url: str | None) -> str | None:
        if url is None:
            return None
        try:
            parts = urlsplit(url)
            usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            usable = False
        if not usable:
            raise ValueError("must be an http(s) URL such as https://example.org/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no user, password or query: name the key's variable in api_key_env")
        return url.rstrip("/").removesuffix("/chat/completions")

    @model_validator(mode="after")
    def _check_kind(self) -> Judge:
        if (self.base_url is None) == (self.path is None):
            raise ValueError(f"needs base_url (or ${URL_VARIABLE}) or path, and not both")
        if self.path is not None and (self.api_key_env or self.model):
            raise ValueError("a local checkpoint has no api_key_env and no model, only a path")
        return self

    @property
    def served_name(self) -> str:
        """What the endpoint calls the model; "" for a local checkpoint."""
        return "" if self.path else self.model or self.name


class Panel(Settings):
    """The judges and the rule of their vote.

    Attributes:
        judges: at least one, with distinct names.
        quorum: equal verdicts needed; more than half of the judges. None: three of four, in proportion.
        limits: of the requests. offline: use the cache alone, ask nobody.
    """

    judges: Annotated[tuple[Judge, ...], Field(min_length=1, max_length=64)]
    quorum: int | None = None
    limits: Limits = Limits()
    offline: bool = False

    @model_validator(mode="after")
    def _check_votes(self) -> Panel:
        names = [judge.name for judge in self.judges]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two judges are named {twice[0]!r}")
        if not len(names) / 2 < self.needed <= len(names):
            judges = quantity(len(names), "judge")
            raise ValueError(f"quorum must be more than half of {judges}, and not more than all")
        return self

    @property
    def needed(self) -> int:
        """How many judges must give the same verdict."""
        return math.ceil(0.75 * len(self.judges)) if self.quorum is None else self.quorum


def load_panel(file: Path, environment: Mapping[str, str] | None = None) -> Panel:
    """Read a panel from a YAML file; judges without a place get the endpoint of the environment.

    Raises:
        UserError: the file is missing or wrong; names each wrong field.
    """
    content = read_yaml(file, "judges file")
    return _build(content, f"judges file {file}", os.environ if environment is None else environment)


def panel_from_environment(environment: Mapping[str, str] | None = None) -> Panel | None:
    """Return the panel that the environment configures, or None when it configures none.

    Raises:
        UserError: as :func:`load_panel`; a bad PHYSPROBE_JUDGE_URL.
    """
    values = os.environ if environment is None else environment
    if values.get(FILE_VARIABLE):
        return load_panel(Path(values[FILE_VARIABLE]), values)
    if values.get(URL_VARIABLE):
        return _build({"judges": [dict(judge) for judge in DEFAULT_JUDGES]}, f"${URL_VARIABLE}", values)
    return None


def cache_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return where replies are kept: PHYSPROBE_JUDGE_CACHE, else physprobe/judges in the user's cache."""
    return files.cache_folder(CACHE_VARIABLE, "judges", environment)


def api_key(judge: Judge, environment: Mapping[str, str]) -> str | None:
    """Look up a judge's API key; None when it needs none.

    Raises:
        UserError: its variable is not set, or holds what no HTTP header can carry. The key is not shown.
    """
    if judge.api_key_env is None:
        return None
    key = environment.get(judge.api_key_env, "").strip()
    if not key:
        raise UserError(f"judge {judge.name!r} needs an API key: set ${judge.api_key_env}")
    if not (key.isascii() and key.isprintable()):
        raise UserError(f"${judge.api_key_env} holds no API key: it has characters that no key has")
    return key


def _build(content: object, source: str, environment: Mapping[str, str]) -> Panel:
    if isinstance(content, dict) and isinstance(content.get("judges"), list):
        content = {**content, "judges": [_placed(judge, environment) for judge in content["judges"]]}
    try:
        return Panel.model_validate(content)
    except ValidationError as error:
        raise UserError(f"{source}: {problems(error)}") from None


def _placed(judge: object, environment: Mapping[str, str]) -> object:
    """Give a judge that names no place the environment's endpoint, and its key where it is set."""
    url = environment.get(URL_VARIABLE)
    if not isinstance(judge, dict) or not url or judge.get("base_url") or judge.get("path"):
        return judge
    key = {"api_key_env": KEY_VARIABLE} if environment.get(KEY_VARIABLE) else {}
    return {**key, **judge, "base_url": url}
