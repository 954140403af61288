"""Puts questions to a panel of judges: cache first, then endpoints and local models, then the vote.

Knows nothing of the subject: a :class:`JudgeItem` brings its prompt and the verdicts that count.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock

from physprobe.judging.cache import CacheKey, Reply, ReplyCache
from physprobe.judging.config import Judge, Panel, api_key
from physprobe.judging.local import ask_local, fingerprint
from physprobe.judging.questions import JudgeItem, parse_verdict
from physprobe.judging.retries import Failure
from physprobe.judging.transport import Errand, Request, Result, ask_endpoints
from physprobe.judging.votes import Ballot, PanelVerdict, decide

# Called with the number of replies and failures so far, and of all that this call waits for.
Progress = Callable[[int, int], None]


def judge_answers(
    items: Sequence[JudgeItem],
    panel: Panel,
    cache: Path,
    *,
    environment: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> list[PanelVerdict]:
    """Ask every judge of a panel about every item and count the votes.

    Replies are kept in ``cache`` as they come, so that a call after an interrupt goes on where it was; a call
    whose replies are all there sends nothing and needs neither keys nor models. Judges that can't be reached
    never raise: their verdicts say why they are missing.

    Args:
        items: the questions; equal ones are asked once. panel: who judges, and by which quorum.
        cache: folder of replies, made when needed.
        environment: where API keys are looked up; default: the process's.
        progress: called after each reply, possibly from another thread.

    Returns:
        One verdict per item, in order.

    Raises:
        UserError: a needed API key is not set; a local checkpoint can't be used; ``cache`` is no folder.
    """
    replies = ReplyCache(cache)
    unasked = Failure("not_asked", "offline" if panel.offline else "run deadline")
    dockets = [_Docket(judge, items, replies, unasked) for judge in panel.judges]
    if not panel.offline:
        _report_to(dockets, progress)
        _ask(dockets, panel, os.environ if environment is None else environment)
    return [decide(item.item_id, [docket.ballot(item) for docket in dockets], panel.needed) for item in items]


class _Docket:
    """What one judge is to be asked, and what it replied."""

    def __init__(self, judge: Judge, items: Sequence[JudgeItem], cache: ReplyCache, unasked: Failure) -> None:
        self.judge = judge
        self._cache = cache
        self._unasked = unasked
        self._revision = judge.revision or (fingerprint(judge.path) if judge.path and items else "")
        self._keys = {key.digest: key for key in map(self._key, items)}
        found = {digest: cache.get(key) for digest, key in self._keys.items()}
        self._cached = {digest: reply for digest, reply in found.items() if reply}
        self._results: dict[str, Result] = {}
        prompts = {self._key(item).digest: item.text for item in items}
        self.missing = [Request(key, text) for key, text in prompts.items() if key not in self._cached]
        self.on_result: Callable[[], None] = lambda: None

    def _key(self, item: JudgeItem) -> CacheKey:
        judge = self.judge
        return CacheKey(
            judge=judge.name,
            model=judge.served_name,
            revision=self._revision,
            version=item.version,
            prompt_sha256=item.prompt_sha256,
            max_tokens=judge.max_tokens,
        )

    def receive(self, request: Request, result: Result) -> None:
        if isinstance(result, Reply):
            self._cache.put(self._keys[request.key], result)
        self._results[request.key] = result
        self.on_result()

    def ballot(self, item: JudgeItem) -> Ballot:
        digest = self._key(item).digest
        name, cached = self.judge.name, digest in self._cached
        result = self._cached.get(digest) or self._results.get(digest) or self._unasked
        if isinstance(result, Failure):
            return Ballot(name, None, result.fault, result.detail)
        if result.finish_reason == "length":
            return Ballot(name, None, detail="reply cut off", cached=cached)
        verdict = parse_verdict(result.text, item.verdicts)
        return Ballot(name, verdict, detail="" if verdict else "no verdict", cached=cached)


def _report_to(dockets: Sequence[_Docket], progress: Progress | None) -> None:
    if progress is None:
        return
    total, done, lock = sum(len(docket.missing) for docket in dockets), 0, Lock()

    def report() -> None:
        nonlocal done
        with lock:
            done += 1
            progress(done, total)

    for docket in dockets:
        docket.on_result = report


def _ask(dockets: Sequence[_Docket], panel: Panel, environment: Mapping[str, str]) -> None:
    waiting = [docket for docket in dockets if docket.missing]
    remote = [docket for docket in waiting if docket.judge.path is None]
    errands = [
        Errand(docket.judge, api_key(docket.judge, environment), docket.missing, docket.receive)
        for docket in remote
    ]
    if errands:
        ask_endpoints(errands, panel.limits)
    for docket in waiting:
        if docket.judge.path is not None:
            ask_local(docket.judge, docket.missing, docket.receive)
